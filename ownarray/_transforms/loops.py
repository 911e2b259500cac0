"""Counted and conditional loops: a body is traced once and runs as one compiled program.

A handle as carry runs in place, in one buffer; a lent carry is copied once at entry and survives.
The body owns its carry, so it may update it in place; what it captures it may only read.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ownarray._core.aval import SCALAR_BOOL, ShapedArray
from ownarray._core.dtypes import BOOL, FLOAT64, INEXACT, INT64, INTEGER
from ownarray._ops import elementwise, logic, reduction
from ownarray._ops.control import apply_scan, apply_while
from ownarray._ops.convert import convert
from ownarray._ownership import Rights
from ownarray._trace.bind import Operand, operand_aval, scalar
from ownarray._trace.record import Recording, record
from ownarray._transforms.carry import (
    OperandTree,
    called,
    checked_carry,
    record_carry,
    spending_handles,
)
from ownarray._transforms.staged import as_operand, returned_leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._array.moved import Moved
    from ownarray._core.dtypes import DType

T = TypeVar("T")


def fori_loop(lower: Any, upper: Any, body: Callable[[Any, T], T], init: T | Moved[T]) -> T:
    """Return the carry after ``body(i, carry)`` for each i from lower to upper - 1.

    Parameters
    ----------
    lower, upper : int or integer Array of shape (); lent
        With two Python ints the loop can be differentiated in reverse.
    body : callable
        ``body(i, carry) -> carry``; it owns the carry. i is an int64 Array; between two Python ints
        it widens nothing, as in Python's own loop: a float32 array plus i is float32.
    init : pytree of arrays; lent (copied once), or consumed if a handle (runs in place)

    Returns
    -------
    pytree of arrays; owned, in the memory of init if that was consumed

    Raises
    ------
    TypeError
        If the body changes structure, shape or dtype of the carry.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fori_loop(0, 4, lambda i, x: x + i, oa.zeros(2)).tolist()
    [6.0, 6.0]
    """
    name = called(body, "fori_loop")
    with spending_handles("fori_loop") as spending:
        carry = OperandTree(spending.own_tree(init), name)

        def step(tracers: list[Any]) -> Any:
            return body(elementwise.positive(tracers[0]), carry.treedef.unflatten(tracers[1:]))

        if type(lower) is int and type(upper) is int:
            results = _count(name, carry, step, lower, upper)
        else:
            results = _count_dynamic(name, carry, step, (lower, upper))
        return carry.treedef.unflatten(results)  # type: ignore[no-any-return]


def _numbered(
    name: str, carry: OperandTree, step: Callable[[list[Any]], Any], n_extra: int
) -> Recording:
    """Record ``(i, *extra, *carry) -> (i + 1, *extra, *carry)``."""

    def run(trace: object, tracers: list[Any]) -> Sequence[Operand]:
        head = tracers[: 1 + n_extra]
        new = checked_carry(name, carry, step([tracers[0], *tracers[1 + n_extra :]]))
        return [elementwise.add(head[0], 1), *head[1:], *new]

    # As in Python's own loop, a number that is counted from a Python int widens nothing.
    index = ShapedArray((), INT64, weak=n_extra == 0)
    extra = [ShapedArray((), INT64)] * n_extra
    return record(name, [index, *extra, *carry.avals], run)


def _count(
    name: str, carry: OperandTree, step: Callable[[list[Any]], Any], lower: int, upper: int
) -> list[Any]:
    body = _numbered(name, carry, step, 0)
    init = [scalar(lower, INT64), *carry.operands]
    return apply_scan(body, init, [], length=max(0, upper - lower))[1:]


def _count_dynamic(
    name: str,
    carry: OperandTree,
    step: Callable[[list[Any]], Any],
    bounds: tuple[Any, Any],
) -> list[Any]:
    start, stop = [_integer(bound, name) for bound in bounds]
    index = ShapedArray((), INT64)
    body = _numbered(name, carry, step, 1)
    cond = record(
        name,
        [index, index, *carry.avals],
        lambda _, tracers: [logic.less(tracers[0], tracers[1])],
    )
    return apply_while(cond, body, [start, stop, *carry.operands])[2:]


def _integer(bound: Any, name: str) -> Operand:
    operand = as_operand(bound)
    aval = operand_aval(operand)
    if aval.shape != () or aval.dtype not in INTEGER:
        raise TypeError(f"{name}: expected bounds that are integers of shape (), got {aval}")
    return operand if aval.dtype == INT64 and not aval.weak else convert(operand, INT64)


def while_loop(cond: Callable[[T], Any], body: Callable[[T], T], init: T | Moved[T]) -> T:
    """Return the carry once ``cond(carry)`` is false, applying ``body`` as long as it is true.

    Parameters
    ----------
    cond : callable
        ``cond(carry) -> bool Array of shape ()``. It may only read the carry.
    body : callable
        ``body(carry) -> carry``. It owns the carry.
    init : pytree of arrays; lent (copied once), or consumed if a handle (runs in place)

    Returns
    -------
    pytree of arrays; owned, in the memory of init if that was consumed

    Raises
    ------
    TypeError
        If the body changes structure, shape or dtype of the carry, or cond gives no single bool.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.while_loop(lambda x: x[0] < 100, lambda x: x * 2.0, oa.ones(2)).tolist()
    [128.0, 128.0]
    """
    name = called(body, "while_loop")
    with spending_handles("while_loop") as spending:
        carry = OperandTree(spending.own_tree(init), name)

        def test(trace: object, tracers: list[Any]) -> Sequence[Operand]:
            lent = [tracer.with_rights(Rights.READ) for tracer in tracers]
            return [_truth(cond(carry.treedef.unflatten(lent)), called(cond, "while_loop"))]

        condition = record(name, carry.avals, test)
        loop = record_carry(
            name, carry, carry.avals, lambda tracers: body(carry.treedef.unflatten(tracers))
        )
        results = apply_while(condition, loop, carry.operands)
        return carry.treedef.unflatten(results)  # type: ignore[no-any-return]


def _truth(value: Any, name: str) -> Operand:
    leaves, _ = returned_leaves(value, name)
    if len(leaves) != 1 or operand_aval(leaves[0]).strong() != SCALAR_BOOL:
        got = ", ".join(str(operand_aval(leaf).strong()) for leaf in leaves) or "nothing"
        raise TypeError(f"{name}: expected one bool of shape (), got {got}")
    return leaves[0]


def fixed_point(
    fun: Callable[[T], T], n_iter: int, x: T | Moved[T], *, tol: float | None = None
) -> T:
    """Return x after ``x = fun(x)``, n_iter times or until it hardly changes.

    Parameters
    ----------
    fun : callable
        ``fun(x) -> x``, of the same structure, shapes and dtypes. It owns its argument.
    n_iter : int
        How often at most.
    x : pytree of arrays; lent (copied once), or consumed if a handle (runs in place)
    tol : float, optional
        Stop once the largest absolute change of a step is at most this. It needs the old x beside
        the new one.

    Returns
    -------
    pytree of arrays; owned, in the memory of x if that was consumed

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.fixed_point(lambda x: (x + 2.0 / x) / 2.0, 50, oa.ones(1), tol=1e-12)
    >>> round(float(x[0]), 6)
    1.414214
    """
    given: object = n_iter
    if isinstance(given, np.integer):
        n_iter = int(given)
    if type(n_iter) is not int or n_iter < 0:
        raise ValueError(f"fixed_point: n_iter must be an int of at least 0, got {n_iter!r}")
    if tol is not None and not isinstance(tol, int | float | np.number):
        raise TypeError(f"fixed_point: tol must be a number or None, got {type(tol).__name__}")
    name = called(fun, "fixed_point")
    with spending_handles("fixed_point") as spending:
        carry = OperandTree(spending.own_tree(x), name)

        def step(tracers: list[Any]) -> Any:
            return fun(carry.treedef.unflatten(tracers[1:]))

        if tol is None:
            results = _count(name, carry, step, 0, n_iter)
        else:
            results = _until_still(name, carry, step, n_iter, float(tol))
        return carry.treedef.unflatten(results)  # type: ignore[no-any-return]


def _until_still(
    name: str, carry: OperandTree, step: Callable[[list[Any]], Any], n_iter: int, tol: float
) -> list[Any]:
    """Run ``(i, is_moving, *carry)`` until i is n_iter or no change of a step is above tol."""

    def run(trace: object, tracers: list[Any]) -> Sequence[Operand]:
        olds = [tracer.with_rights(Rights.READ) for tracer in tracers[2:]]
        new = checked_carry(name, carry, step([tracers[0], *tracers[2:]]))
        is_moving: Any = scalar(False, BOOL)
        for old, leaf in zip(olds, new, strict=True):
            is_moving = logic.logical_or(is_moving, _changes_by_more(old, leaf, tol))
        return [elementwise.add(tracers[0], 1), is_moving, *new]

    def test(trace: object, tracers: list[Any]) -> Sequence[Operand]:
        return [logic.logical_and(logic.less(tracers[0], n_iter), tracers[1])]

    avals = [ShapedArray((), INT64), SCALAR_BOOL, *carry.avals]
    init = [scalar(0, INT64), scalar(tol != math.inf, BOOL), *carry.operands]
    return apply_while(record(name, avals, test), record(name, avals, run), init)[2:]


def _changes_by_more(old: Any, new: Any, tol: float) -> Any:
    """Return whether an absolute difference is above tol, or NaN: that is not small.

    XLA writes the operands of such reductions to memory first: truth values are the smallest.
    """
    if operand_aval(new).dtype not in INEXACT:
        old, new = convert(old, FLOAT64), convert(new, FLOAT64)
    change = elementwise.abs(elementwise.subtract(new, old))
    is_small = logic.less_equal(change, _at_most(tol, operand_aval(change).dtype))
    return logic.logical_not(reduction.all(is_small))


def _at_most(tol: float, dtype: DType) -> Any:
    """Return the largest number of a dtype that is at most tol."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = dtype.type(tol)
        return np.nextafter(rounded, dtype.type(-np.inf)) if float(rounded) > tol else rounded
