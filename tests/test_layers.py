"""The floors: a module imports its own package or lower floors, at the top of the file.

The table below is the whole rule (docs/design/0001-floors.md says why). It is checked on the
syntax tree, so nothing has to be importable, and an import inside a function is found too.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ownarray"

# Unit (a top-level module or package of ownarray) -> floor.
FLOOR = {
    "_errors": 0,
    "_ownership": 0,
    "_annotations": 0,
    "_tree": 0,
    "_source": 0,
    "_core": 1,
    "_checker": 1,
    "mypy": 2,
    "_trace": 2,
    "_lower": 2,
    "_passes": 2,
    "_ops": 3,
    "_backend": 3,
    "_array": 4,
    "_transforms": 5,
    "_namespace": 6,
    "linalg": 6,
    "fft": 6,
    "random": 6,
    "__init__": 7,  # the export list: lazy, imports nothing at its top
    "__main__": 7,
}

# Units that must stay importable where numpy and jaxlib are not: they import these packages only.
STDLIB_ONLY = {"_errors", "_ownership", "_annotations", "_tree", "_source", "_checker"}
ONLY_BACKEND = {"jaxlib"}
ONLY_MYPY = {"mypy"}
NEVER = {"jax"}
THIRD_PARTY = {"numpy", "scipy", "ml_dtypes", "opt_einsum", "numba", "typing_extensions"}

# The modules of floor 0 are files of one package, so they may import each other (without a cycle);
# on the other floors these pairs only: importer, imported.
SAME_FLOOR = {
    ("_passes", "_trace"),
    ("linalg", "_namespace"),
    ("fft", "_namespace"),
    ("random", "_namespace"),
}


class Import(NamedTuple):
    """One import of a module file."""

    path: Path
    line: int
    target: str  # a dotted module name
    aliases: tuple[str, ...]
    in_function: bool
    type_checking: bool

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.target}"


def _modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if "__pycache__" not in p.parts)


def _unit(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _targets(node: ast.Import | ast.ImportFrom, path: Path) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    module = node.module or ""
    if node.level:
        package = ("ownarray", *path.relative_to(PACKAGE).parts[:-1])
        package = package[: len(package) - node.level + 1]
        module = ".".join((*package, module) if module else package)
    if module == "ownarray":  # from ownarray import _ownership
        yield from (f"ownarray.{alias.name}" for alias in node.names)
    else:
        yield module


def _imports(path: Path) -> Iterator[Import]:
    def walk(node: ast.AST, in_function: bool, type_checking: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                aliases = tuple(alias.name for alias in child.names)
                for target in _targets(child, path):
                    yield Import(path, child.lineno, target, aliases, in_function, type_checking)
            inside = in_function or isinstance(
                child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
            )
            yield from walk(child, inside, type_checking or _is_type_checking(child))

    yield from walk(ast.parse(path.read_text(encoding="utf-8")), False, False)


ALL_IMPORTS = [found for path in _modules() for found in _imports(path)]


def _own_unit(target: str) -> str | None:
    """Return the unit of ownarray that an import names, None for other packages."""
    parts = target.split(".")
    if parts[0] != "ownarray":
        return None
    return parts[1] if len(parts) > 1 else "__init__"


def test_every_unit_has_a_floor() -> None:
    assert {_unit(path) for path in _modules()} <= FLOOR.keys()


def test_imports_go_down() -> None:
    wrong = []
    for found in ALL_IMPORTS:
        unit, target = _unit(found.path), _own_unit(found.target)
        if target is None or target == unit or (unit, target) in SAME_FLOOR:
            continue
        if found.type_checking:  # an annotation names a type, it does not use the module
            continue
        if FLOOR.get(target, 99) >= max(FLOOR[unit], 1):
            wrong.append(f"{found} (floor {FLOOR.get(target, '?')}, from floor {FLOOR[unit]})")
    assert not wrong, "\n".join(wrong)


def test_imports_stand_at_the_top() -> None:
    wrong = [
        str(found)
        for found in ALL_IMPORTS
        if found.in_function
        and _own_unit(found.target) is not None
        and _unit(found.path) != "__init__"
    ]
    assert not wrong, "\n".join(wrong)


def test_no_cycle_between_modules() -> None:
    graph: dict[str, set[str]] = {}
    names = {_dotted(path) for path in _modules()}
    for found in ALL_IMPORTS:
        if not found.type_checking:
            graph.setdefault(_dotted(found.path), set()).update(_resolve(found, names))
    cycles = _cycles(graph)
    assert not cycles, f"import cycles: {cycles}"


def _dotted(path: Path) -> str:
    parts = [*path.relative_to(ROOT).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _resolve(found: Import, names: set[str]) -> set[str]:
    """Name the modules that an import may load; a package stands for its own ``__init__`` only."""
    parts = {f"{found.target}.{alias}" for alias in found.aliases}
    # `from package import module` needs the module, not what the package itself defines.
    package = set() if parts and parts <= names else {found.target}
    return ((parts | package) & names) - {_dotted(found.path)}


def _cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    done: set[str] = set()
    found: list[list[str]] = []

    def visit(node: str, trail: list[str]) -> None:
        if node in trail:
            found.append([*trail[trail.index(node) :], node])
            return
        if node not in done:
            for nearer in sorted(graph.get(node, ())):
                visit(nearer, [*trail, node])
            done.add(node)

    for start in sorted(graph):
        visit(start, [])
    return found


@pytest.mark.parametrize("package", sorted(NEVER))
def test_jax_is_never_imported(package: str) -> None:
    assert not [str(found) for found in ALL_IMPORTS if found.target.split(".")[0] == package]


def test_jaxlib_is_imported_by_the_backend_only() -> None:
    wrong = [
        str(found)
        for found in ALL_IMPORTS
        if found.target.split(".")[0] in ONLY_BACKEND and _unit(found.path) != "_backend"
    ]
    assert not wrong, "\n".join(wrong)


def test_mypy_is_imported_by_the_plugin_only() -> None:
    wrong = [
        str(found)
        for found in ALL_IMPORTS
        if found.target.split(".")[0] in ONLY_MYPY and _unit(found.path) != "mypy"
    ]
    assert not wrong, "\n".join(wrong)


def test_the_lowest_floor_needs_the_standard_library_only() -> None:
    foreign = THIRD_PARTY | ONLY_BACKEND | ONLY_MYPY
    wrong = [
        str(found)
        for found in ALL_IMPORTS
        if _unit(found.path) in STDLIB_ONLY
        and found.target.split(".")[0] in foreign - {"typing_extensions"}
    ]
    assert not wrong, "\n".join(wrong)
