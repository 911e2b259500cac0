"""What a type checker knows, and what is known without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import ast

    from ownarray._checker import model as m


class Oracle(Protocol):
    """What a type checker knows."""

    def type_of(self, node: ast.expr) -> m.Ty | None:
        """Return the type of an expression, or None where it is not known."""

    def is_unreachable(self, node: ast.stmt, function: ast.AST) -> bool:
        """Return whether the type checker knows that control cannot come to a statement."""

    def never_returns(self, node: ast.Call) -> bool:
        """Return whether a call never returns."""

    def swallows(self, node: ast.expr) -> bool | None:
        """Return whether a context manager may swallow exceptions."""


Resolve = Callable[[str], "m.Ty | None"]
"""Finds what a full name means, if a file of the project defines it."""


class NoOracle:
    """The text alone."""

    def type_of(self, node: ast.expr) -> m.Ty | None:
        return None

    def is_unreachable(self, node: ast.stmt, function: ast.AST) -> bool:
        return False

    def never_returns(self, node: ast.Call) -> bool:
        return False

    def swallows(self, node: ast.expr) -> bool | None:
        return None
