"""Searching: where values go in a sorted array, where elements are not zero."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import INT64
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops.bits import and_p, not_p, or_p
from ownarray._ops.compare import eq, lt, ne_p
from ownarray._ops.convert import convert
from ownarray._ops.entries import Among
from ownarray._ops.gather_scatter import gather
from ownarray._ops.promote import arithmetic, operand
from ownarray._ops.rules import BatchDims, compare, full, select
from ownarray._ops.sort_host import sortable
from ownarray._ops.sorting import less_than
from ownarray._ops.structural import broadcast_to, copy, reshape_to, sum_axes, to_front
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array


# Searching in a sorted array.


def _search_aval(x: ShapedArray, values: ShapedArray, *, side: str) -> ShapedArray:
    if x.ndim != 1:
        raise ValueError(f"searchsorted: expected a sorted array of one axis, got {x}")
    if x.dtype != values.dtype:
        raise TypeError(f"searchsorted: expected one dtype, got {x} and {values}")
    return ShapedArray(values.shape, INT64)


def _search_host(
    x: HostArray, values: HostArray, *, side: Any, out: HostArray | None = None
) -> Any:
    found = np.searchsorted(sortable(np.asarray(x)), sortable(np.asarray(values)), side=side)
    if out is None:
        return found
    out[...] = found
    return out


def _search_lower(
    builder: Builder, out: ShapedArray, x: Value, values: Value, *, side: str
) -> Value:
    """Halve the range for all values at once; each step adds a power of two where it may."""
    n = x.aval.shape[0]
    found = full(builder, 0, out)
    step = 1 << max(n.bit_length() - 1, 0)
    while step and n:
        target = builder.op("stablehlo.add", [found, full(builder, step, out)], out)
        inside = compare(builder, target, full(builder, n, out), "LE")
        place = builder.op(
            "stablehlo.minimum",
            [
                builder.op("stablehlo.subtract", [target, full(builder, 1, out)], out),
                full(builder, n - 1, out),
            ],
            out,
        )
        element = builder.op(
            "stablehlo.gather",
            [x, place],
            values.aval,
            "dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], "
            f"start_index_map = [0], index_vector_dim = {out.ndim}>, "
            "slice_sizes = array<i64: 1>, indices_are_sorted = false",
        )
        if side == "left":
            below = less_than(builder, element, values)
        else:
            above = less_than(builder, values, element)
            below = builder.op("stablehlo.not", [above], above.aval)
        move = builder.op("stablehlo.and", [below, inside], inside.aval)
        found = select(builder, move, target, found)
        step //= 2
    return found


def _search_batch(args: Sequence[Operand], bdims: BatchDims, *, side: str) -> tuple[Array, int]:
    (x, values), (bx, bv) = args, bdims
    if bx is None:
        assert bv is not None
        return bind(searchsorted_p, x, values, side=side), bv
    # Many sorted arrays: count what comes before, in place of halving.
    x = to_front(x, bx)
    n, size = operand_aval(x).shape
    values = (
        broadcast_to(values, (n, *operand_aval(values).shape))
        if bv is None
        else to_front(values, bv)
    )
    shape = operand_aval(values).shape
    rows = reshape_to(x, (n, *[1] * (len(shape) - 1), size))
    wanted = reshape_to(values, (*shape, 1))
    before = _precedes(rows, wanted) if side == "left" else bind(not_p, _precedes(wanted, rows))
    return sum_axes(convert(before, INT64), (len(shape),)), 0


def _precedes(x: Operand, y: Operand) -> Array:
    """Return where x comes before y in the order of sorting."""
    return bind(or_p, lt(x, y), bind(and_p, bind(ne_p, y, y), eq(x, x)))


searchsorted_p: Primitive = Primitive(
    name="searchsorted",
    is_kept=True,
    prefers_host=True,
    aval=_search_aval,
    host=_search_host,
    lower=_search_lower,
    jvp=Missing("places are no smooth function of values"),
    transpose=Missing("not linear"),
    batch=_search_batch,
)


def searchsorted(x: object, values: object, *, side: str = "left", sorter: object = None) -> Array:
    """Return where values would go in a sorted array, before or after equal ones."""
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side is 'left' or 'right', got {side!r}")
    sorted_x, wanted = arithmetic("searchsorted", x, values)
    if sorter is not None:
        sorted_x = gather(sorted_x, (Among(),), operand("searchsorted", sorter))
    return bind(searchsorted_p, sorted_x, wanted, side=side)


def nonzero(x: Array) -> tuple[Array, ...]:
    """Return the places of the elements that are not zero, one array for each axis.

    Raises
    ------
    TraceError
        In a trace: how many there are depends on the values.
    """
    if not x.aval.ndim:
        raise ValueError("nonzero: expected an array of one axis at least, got a scalar")
    return tuple([copy(places) for places in x._read_by(np.nonzero)])
