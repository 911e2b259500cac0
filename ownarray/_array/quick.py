"""Arithmetic on small owned arrays, by the shortest way: one call of NumPy on owned memory.

This is what the eager interpreter would do for these operands, without asking: equal signatures
mean that both are alive, of one shape and one inexact dtype, and small enough for NumPy. Whatever
is not so simple is answered with None and takes the ordinary way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ownarray._array.running import running
from ownarray._ops.quiet import quietly
from ownarray._trace.bind import current_trace

if TYPE_CHECKING:
    import numpy as np

    from ownarray._array.concrete import ConcreteArray


def _right_operand(x: ConcreteArray, other: object) -> Any:
    """Return what NumPy needs of the right operand, or None if it is not simple."""
    kind = type(other)
    if kind is type(x):
        simple = other._sig is x._sig  # type: ignore[attr-defined]  # of the same class
        return other._host if simple else None  # type: ignore[attr-defined]
    return other if kind is float or kind is int else None


def binary(x: ConcreteArray, other: object, ufunc: np.ufunc) -> ConcreteArray | None:
    """Return ``ufunc(x, other)`` if the operands are simple."""
    sig = x._sig
    left = x._host
    if left is None or not sig.is_quick or current_trace() is not x._trace:
        return None
    right = _right_operand(x, other)
    if right is None:
        return None
    return x._sibling(quietly(ufunc, left, right))


def in_place(x: ConcreteArray, other: object, ufunc: np.ufunc) -> bool:
    """Compute ``ufunc(x, other)`` in x's memory if the operands are simple."""
    left = x._host
    if left is None or running or not x._sig.is_quick or current_trace() is not x._trace:
        return False
    right = _right_operand(x, other)
    if right is None:
        return False
    quietly(ufunc, left, right, left)
    return True
