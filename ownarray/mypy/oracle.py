"""What mypy knows of the expressions of one module, for the checker."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from mypy.nodes import Expression, RefExpr, TypeInfo
from mypy.types import CallableType, Instance, NoneType, Type, UninhabitedType, get_proper_type

from ownarray._checker import model as m
from ownarray._checker.infer import Types
from ownarray.mypy import names
from ownarray.mypy.convert import Converter

Key = tuple[int, int, int | None, int | None]


class MypyOracle:
    """Finds mypy's types by the positions of expressions.

    Parameters
    ----------
    types : mapping of Expression to Type
        mypy's map for this module.
    lines : list of str
        The source.
    in_characters : bool
        Whether mypy counts columns in characters; `ast` counts UTF-8 bytes.
    """

    def __init__(
        self, types: Mapping[Expression, Type], lines: list[str], *, in_characters: bool, module: str
    ) -> None:
        self._at: dict[Key, Expression] = {
            (e.line, e.column, e.end_line, e.end_column): e for e in types
        }
        self._types = types
        self._lines = lines
        self._wide = {
            i for i, line in enumerate(lines, 1) if in_characters and not line.isascii()
        }
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
        return self._at.get((line, col, end, end_col))

    def column(self, line: int, col: int) -> int:
        """Return a column of `ast` as mypy counts it."""
        if line not in self._wide or line > len(self._lines):
            return col
        return len(self._lines[line - 1].encode()[:col].decode(errors="ignore"))

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
