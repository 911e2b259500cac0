"""What mypy knows of the expressions of one module, for the checker."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from mypy.nodes import CallExpr, Expression, IndexExpr, MemberExpr, NameExpr, RefExpr, TypeInfo
from mypy.types import CallableType, Instance, NoneType, Type, UninhabitedType, get_proper_type

from ownarray._checker import model as m
from ownarray.mypy import names
from ownarray.mypy.convert import Converter

if TYPE_CHECKING:
    from ownarray._checker.infer import Types

Key = tuple[int, int, int | None, int | None]


class MypyOracle:
    """Finds mypy's types by the positions of expressions.

    Parameters
    ----------
    types : mapping of Expression to Type
        mypy's map for this module.
    tree : ast.Module
        The syntax tree of the source.
    lines : list of str
        The source.
    module : str
        The module's name.
    """

    def __init__(
        self, types: Mapping[Expression, Type], tree: ast.Module, lines: list[str], module: str
    ) -> None:
        self._at: dict[Key, Expression] = {
            (e.line, e.column, e.end_line, e.end_column): e for e in types
        }
        self._by_kind: dict[tuple[int, type, str], list[Expression]] | None = None
        self._types = types
        self._lines = lines
        self._wide = {i for i, line in enumerate(lines, 1) if not line.isascii()}
        self._weight = self._calibrate(tree) if self._wide else 0
        self._convert = Converter(module)
        self._memo: dict[ast.AST, bool] = {}

    def attach(self, types: Types) -> None:
        """Let types of this module's own classes be the checker's."""
        self._convert.attach(types)

    def covers(self, first: int, last: int) -> bool:
        """Return whether mypy checked anything on these lines in this run."""
        return any(first <= key[0] <= last for key in self._at)

    # ------------------------------------------------------------------------- questions
    def type_of(self, node: ast.expr) -> m.Ty | None:
        """Return the type of an expression."""
        found = self._find(node)
        if found is None:
            return None
        if isinstance(found, RefExpr) and found.fullname.startswith(names.PACKAGE):
            return m.Name(found.fullname)
        type_ = self._types.get(found)
        return None if type_ is None else self._convert.type(type_)

    def is_unreachable(self, node: ast.stmt, function: ast.AST) -> bool:
        """Return whether mypy skipped a statement of a function that it checked."""
        probe = _probe(node)
        if probe is None or self._find(probe) is not None:
            return False
        return self._is_checked(function)

    def never_returns(self, node: ast.Call) -> bool:
        """Return whether mypy says that a call never returns."""
        found = self._find(node)
        proper = get_proper_type(self._types.get(found)) if found is not None else None
        if not isinstance(proper, UninhabitedType):
            return False
        callee = self._find(node.func)
        function = get_proper_type(self._types.get(callee)) if callee is not None else None
        if isinstance(function, CallableType):  # a generic result may only look like Never
            return isinstance(get_proper_type(function.ret_type), UninhabitedType)
        return False

    def swallows(self, node: ast.expr) -> bool | None:
        """Return whether a context manager's exit may return True."""
        found = self._find(node)
        proper = get_proper_type(self._types.get(found)) if found is not None else None
        if not isinstance(proper, Instance):
            return None
        return _returns_bool(proper.type, "__exit__") or _returns_bool(proper.type, "__aexit__")

    # ------------------------------------------------------------------------- positions
    def _find(self, node: ast.expr) -> Expression | None:
        line, end = node.lineno, node.end_lineno or node.lineno
        col, end_col = node.col_offset, node.end_col_offset or 0
        if self._wide:
            col, end_col = self.column(line, col), self.column(end, end_col)
            return self._at.get((line, col, end, end_col)) or self._near(node, col, end_col)
        return self._at.get((line, col, end, end_col))

    def _near(self, node: ast.expr, col: int, end_col: int) -> Expression | None:
        """Find an expression on a line where mypy's columns are off: one end must be right.

        Its fast parser corrects columns twice, which can end inside of a character.
        """
        if self._by_kind is None:
            self._by_kind = {}
            for e in self._types:
                if e.line in self._wide and isinstance(e, _NAMED):
                    self._by_kind.setdefault((e.line, type(e), _name_of(e)), []).append(e)
        kind = _KINDS.get(type(node))
        found = self._by_kind.get((node.lineno, kind, _name_of(node)), []) if kind else []
        if len(found) == 1:
            return found[0]
        ends = [e for e in found if e.end_column == end_col]
        starts = [e for e in found if e.column == col]
        return next((some[0] for some in (ends, starts) if len(some) == 1), None)

    def column(self, line: int, col: int) -> int:
        """Return a column of `ast`, in UTF-8 bytes, as mypy counts it in this file."""
        if line not in self._wide or line > len(self._lines):
            return col
        return col - self._weight * self._extra(line, col)

    def shown(self, line: int, col: int) -> int:
        """Return a column of `ast` as mypy shows columns: in characters, or in bytes."""
        if line not in self._wide or line > len(self._lines) or not self._weight:
            return col
        return col - self._extra(line, col)

    def _extra(self, line: int, col: int) -> int:
        """Return by how many bytes the text before a column is longer than its characters."""
        return col - len(self._lines[line - 1].encode()[:col].decode(errors="ignore"))

    def _calibrate(self, tree: ast.Module) -> int:
        """Find how mypy counts columns: by bytes (0), by characters (1), or twice corrected (2).

        That depends on its parser and version, so names on lines with other characters decide.
        """
        names_there = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and node.lineno in self._wide
        ]
        hits = [0, 0, 0]
        for weight in range(3):
            self._weight = weight
            for node in names_there:
                col, end = (
                    self.column(node.lineno, c or 0) for c in (node.col_offset, node.end_col_offset)
                )
                found = self._at.get((node.lineno, col, node.end_lineno, end))
                hits[weight] += isinstance(found, NameExpr) and found.name == node.id
        return hits.index(max(hits))

    def _is_checked(self, function: ast.AST) -> bool:
        known = self._memo.get(function)
        if known is None:
            body = getattr(function, "body", [])
            probes = [_probe(s) for s in body] if isinstance(body, list) else []
            is_function = isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
            first = next((p for p in probes if p is not None), None)
            known = is_function and first is not None and self._find(first) is not None
            self._memo[function] = known
        return known


_NAMED: Final = (NameExpr, MemberExpr, CallExpr, IndexExpr)
_KINDS: Final = {
    ast.Name: NameExpr,
    ast.Attribute: MemberExpr,
    ast.Call: CallExpr,
    ast.Subscript: IndexExpr,
}


def _name_of(node: Expression | ast.expr) -> str:
    match node:
        case NameExpr(name=name) | MemberExpr(name=name):
            return name
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case CallExpr(callee=inner) | ast.Call(func=inner):
            return _name_of(inner)
        case IndexExpr(base=inner) | ast.Subscript(value=inner):
            return _name_of(inner)
        case _:
            return ""


def _probe(node: ast.stmt) -> ast.expr | None:
    """Return an expression of a statement that mypy always gives a type if it comes there."""
    match node:
        case ast.Expr(value=value) | ast.Return(value=value) | ast.AugAssign(value=value):
            found: ast.expr | None = value
        case ast.If(test=value) | ast.While(test=value) | ast.Match(subject=value):
            found = value
        case ast.For(iter=value) | ast.Assign(value=value):
            found = value
        case _:
            found = None
    return found if isinstance(found, ast.Call | ast.Compare | ast.BinOp) else None


def _returns_bool(info: TypeInfo, name: str) -> bool:
    symbol = info.get(name)
    type_ = getattr(symbol.node, "type", None) if symbol is not None else None
    proper = get_proper_type(type_) if isinstance(type_, Type) else None
    if not isinstance(proper, CallableType):
        return False
    returned = get_proper_type(proper.ret_type)
    if isinstance(returned, Instance) and returned.type.fullname == "typing.Coroutine":
        returned = get_proper_type(returned.args[-1])
    if isinstance(returned, NoneType):
        return False
    return isinstance(returned, Instance) and returned.type.fullname == "builtins.bool"


TypesOf = Callable[[Expression], Type | None]
