"""Scanning a function along the first axis of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ownarray._core.aval import ShapedArray
from ownarray._ops.control import apply_scan
from ownarray._trace.record import record
from ownarray._transforms.carry import OperandTree, called, checked_carry, spending_handles
from ownarray._transforms.staged import returned_leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._array.moved import Moved
    from ownarray._trace.bind import Operand
    from ownarray._tree import TreeDef

C = TypeVar("C")
X = TypeVar("X")
Y = TypeVar("Y")


def scan(
    f: Callable[[C, X], tuple[C, Y]],
    init: C | Moved[C],
    xs: X | Moved[X],
    length: int | None = None,
    *,
    reverse: bool = False,
    unroll: int = 1,
) -> tuple[C, Y]:
    """Apply ``f(carry, x) -> (carry, y)`` along the first axis of xs.

    Parameters
    ----------
    f : callable
        It owns the carry; x is a row of each array in xs.
    init : pytree of arrays; lent (copied once), or consumed if a handle (runs in place)
    xs : pytree of arrays of shape (n, ...), or None; lent, or consumed if a handle
    length : int, optional
        n; needed where xs has no arrays.
    reverse : bool, default False
        Whether to begin with the last row. Results keep the order of xs.
    unroll : int, default 1
        How many steps one turn of the compiled loop takes.

    Returns
    -------
    (carry, ys)
        The last carry, and the y of each step stacked along a new first axis; owned.

    Raises
    ------
    ValueError
        If the arrays of xs differ in length, or there is none and no length.
    TypeError
        If f changes structure, shape or dtype of the carry.

    Examples
    --------
    >>> import ownarray as oa
    >>> total, sums = oa.scan(lambda c, x: (c + x, c + x), oa.asarray(0.0), oa.arange(4.0))
    >>> float(total), sums.tolist()
    (6.0, [0.0, 1.0, 3.0, 6.0])
    """
    name = called(f, "scan")
    with spending_handles("scan") as spending:
        carry = OperandTree(spending.own_tree(init), name)
        rows = OperandTree(spending.own_tree(xs), name)
        n = _scan_length(name, rows, length)
        if type(unroll) is not int or unroll < 1:
            raise ValueError(f"{name}: unroll must be an int of at least 1, got {unroll!r}")
        y_tree: list[TreeDef] = []

        def run(trace: object, tracers: list[Any]) -> Sequence[Operand]:
            n_carry = len(carry.avals)
            result: object = f(
                carry.treedef.unflatten(tracers[:n_carry]),
                rows.treedef.unflatten(tracers[n_carry:]),
            )
            if not isinstance(result, tuple) or len(result) != 2:
                raise TypeError(f"{name}: expected a pair (carry, y), got {type(result).__name__}")
            ys, treedef = returned_leaves(result[1], name)
            y_tree.append(treedef)
            return [*checked_carry(name, carry, result[0]), *ys]

        avals = [ShapedArray(aval.shape[1:], aval.dtype) for aval in rows.avals]
        body = record(name, [*carry.avals, *avals], run)
        results = apply_scan(
            body, carry.operands, rows.operands, length=n, reverse=reverse, unroll=unroll
        )
        n_carry = len(carry.avals)
        return carry.treedef.unflatten(results[:n_carry]), y_tree[0].unflatten(results[n_carry:])


def _scan_length(name: str, rows: OperandTree, length: int | None) -> int:
    lengths: dict[int, str] = {}
    for aval, path in zip(rows.avals, rows.paths(), strict=True):
        if not aval.shape:
            raise ValueError(f"{name}: xs{path} has no axis to scan along, it is {aval}")
        lengths.setdefault(aval.shape[0], path)
    if length is not None:
        lengths.setdefault(length, " (length)")
    if len(lengths) > 1:
        shown = ", ".join(f"xs{path}: {n}" for n, path in lengths.items())
        raise ValueError(f"{name}: the arrays differ in length ({shown})")
    if not lengths:
        raise ValueError(f"{name}: xs holds no arrays, so length must be given")
    return next(iter(lengths))
