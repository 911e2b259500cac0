"""The files that are checked together: names that one imports from another are known."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.infer import Types
from ownarray._checker.module import Module
from ownarray._checker.oracle import NoOracle
from ownarray._checker.scopes import Table

if TYPE_CHECKING:
    from pathlib import Path

    from ownarray._checker.report import Report


class Source:
    """One file: its text, and its tree once somebody asks."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.name, self.package = _module_name(path)
        self.uses_library = known.LIBRARY in text
        self._tree: ast.Module | None = None

    @property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        if self._tree is None:
            self._tree = ast.parse(self.text, str(self.path))
        return self._tree

    def drop(self) -> None:
        """Free the tree."""
        self._tree = None


class Project:
    """All files of one run."""

    def __init__(self, sources: list[Source]) -> None:
        self.sources = sources
        self._by_name = {source.name: source for source in sources if source.uses_library}
        self._last = {name.rpartition(".")[2] for name in self._by_name if "." in name or name}
        self._types: dict[str, Types] = {}
        self._asked: set[str] = set()

    def concerns(self, source: Source) -> bool:
        """Return whether a file may have to do with the library; others are clean unread."""
        return source.uses_library or any(name in source.text for name in self._last)

    def check(self, source: Source) -> list[Report]:
        """Judge one file."""
        module = Module(
            source.tree,
            source.text,
            str(source.path),
            NoOracle(),
            resolve=lambda name: self.resolve(name, source),
        )
        reports = module.check()
        if source.name not in self._types:
            source.drop()
        return reports

    def resolve(self, name: str, asker: Source) -> m.Ty | None:
        """Return what a full name means, if a file of the project defines it."""
        absolute = _absolute(name, asker)
        module, _, attribute = absolute.rpartition(".")
        source = self._by_name.get(module)
        if source is None or source is asker or not attribute or absolute in self._asked:
            return None
        self._asked.add(absolute)
        try:
            variable = self._types_of(source).table.module.names.get(attribute)
            if variable is None:
                return None
            return _foreign(self._types_of(source).of_variable(variable))
        except SyntaxError:
            return None
        finally:
            self._asked.discard(absolute)

    def _types_of(self, source: Source) -> Types:
        if source.name not in self._types:
            table = Table(source.tree)
            self._types[source.name] = Types(
                table, NoOracle(), lambda name: self.resolve(name, source)
            )
        return self._types[source.name]


def _absolute(name: str, asker: Source) -> str:
    """Return a name of an import without leading dots."""
    dots = len(name) - len(name.lstrip("."))
    if not dots:
        return name
    parts = asker.package.split(".") if asker.package else []
    base = parts[: len(parts) - (dots - 1)] if dots > 1 else parts
    return ".".join([*base, *[p for p in name.lstrip(".").split(".") if p]])


def _foreign(ty: m.Ty | None) -> m.Ty | None:
    """Return a type as another module sees it: its bodies are not this module's to judge."""
    match ty:
        case m.Function(info, bound):
            return m.Function(replace(info, node=None), bound)
        case m.ClassObject(cls):
            return m.ClassObject(_foreign_class(cls))
        case m.Object(cls):
            return m.Object(_foreign_class(cls))
        case _:
            return ty


def _foreign_class(cls: m.ClassInfo) -> m.ClassInfo:
    methods = {name: replace(info, node=None) for name, info in cls.methods.items()}
    return replace(cls, methods=methods, node=None)


def _module_name(path: Path) -> tuple[str, str]:
    """Return the dotted names of a file's module and of its package."""
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.resolve().parent
    while (folder / "__init__.py").exists() and folder.name:
        parts.insert(0, folder.name)
        folder = folder.parent
    name = ".".join(parts)
    return name, name if path.stem == "__init__" else name.rpartition(".")[0]
