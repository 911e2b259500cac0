"""Arithmetic on small owned arrays, by the shortest way: one call of NumPy on owned memory.

This is what the eager interpreter would do for these operands, without asking: equal signatures
mean that both are alive, of one shape and one inexact dtype, and small enough for NumPy. Whatever
is not so simple is answered with None and takes the ordinary way.
"""

from __future__ import annotations

from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._array.cell import SMALL_BYTES
from ownarray._array.running import running
from ownarray._core.dtypes import INEXACT, NARROW_FLOAT, SUB_BYTE
from ownarray._ops.quiet import quietly
from ownarray._ownership import State
from ownarray._trace.bind import current_trace

if TYPE_CHECKING:
    from collections.abc import Callable

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


def unary(x: ConcreteArray, host: Callable[..., Any]) -> ConcreteArray | None:
    """Return ``host(x)``, of x's shape and dtype, if x is simple and real."""
    sig = x._sig
    left = x._host
    if left is None or not sig.is_quick or current_trace() is not x._trace:
        return None
    if left.dtype.kind != "f":
        return None
    return x._sibling(quietly(host, left))


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


_ENTRIES: Final = frozenset({int, slice, EllipsisType})


def _is_basic(index: object) -> bool:
    """Return whether an index is of Python's ints, slices and the ellipsis only."""
    if type(index) is tuple:
        return all([type(entry) in _ENTRIES for entry in index])
    return type(index) in _ENTRIES


def get_item(x: ConcreteArray, index: Any) -> ConcreteArray | None:
    """Return a small part of an array as a new one, if the index is basic."""
    if not _is_basic(index) or x._sig.state > State.SHARED or current_trace() is not x._trace:
        return None
    if x._sig.aval.dtype in SUB_BYTE:
        return None
    try:
        part = x._values()[index]
    except IndexError:  # the ordinary way says it better
        return None
    if part.nbytes > SMALL_BYTES:
        return None
    return x._kin(np.array(part))


def set_item(x: ConcreteArray, index: Any, value: Any) -> bool:
    """Write a part of an array in its memory, if index and value are simple: O(touched)."""
    sig = x._sig
    if running or sig.state is not State.OWNED or current_trace() is not x._trace:
        return False
    if not _is_basic(index) or sig.aval.dtype in SUB_BYTE:
        return False
    kind = type(value)
    if kind is type(x):
        if value._sig.aval.dtype != sig.aval.dtype or value._sig.state > State.SHARED:
            return False
        value = value._values()
    elif not ((kind is float or kind is int) and sig.aval.dtype in INEXACT - NARROW_FLOAT):
        return False
    try:
        x._values()[index] = value
    except (IndexError, ValueError, OverflowError):  # nothing is written; the ordinary way says why
        return False
    return True
