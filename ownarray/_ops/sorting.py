"""Sorting and searching: one primitive for several operands, NumPy's functions on it.

The order is NumPy's: NaN comes last (also in descending order), -0.0 equals 0.0, complex numbers
by real, then by imaginary part, those with a NaN part last.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BOOL, COMPLEX, FLOAT, INT64
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops.convert import REAL_OF
from ownarray._ops.entries import Among, Span, whole
from ownarray._ops.gather_scatter import gather
from ownarray._ops.iota import iota
from ownarray._ops.promote import operand
from ownarray._ops.rules import BatchDims, Tangents, compare, normal_axis
from ownarray._ops.slicing import take
from ownarray._ops.sort_host import argsort_host, call_argsort, call_sort, calls_host, sort_host
from ownarray._ops.structural import broadcast_to, copy, reshape_to, to_front
from ownarray._trace.bind import Operand, bind, bind_multiple, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array


def _sort_aval(
    *avals: ShapedArray, axis: int, num_keys: int, descending: bool, stable: bool
) -> list[ShapedArray]:
    first = avals[0]
    if any(aval.shape != first.shape for aval in avals):
        raise ValueError(f"sort: expected operands of one shape, got {', '.join(map(str, avals))}")
    if not 0 <= axis < first.ndim:
        raise ValueError(f"sort: {first} has no axis {axis}")
    if not 1 <= num_keys <= len(avals):
        raise ValueError(f"sort: {num_keys} keys among {len(avals)} operands")
    return [aval.strong() for aval in avals]


# Lowering, where the host is not called: the comparator says which of two rows comes first.


def less_than(builder: Builder, x: Value, y: Value, *, descending: bool = False) -> Value:
    """Return where x comes before y in the order of sorting."""
    mask = ShapedArray(x.aval.shape, BOOL)
    direction = "GT" if descending else "LT"
    if x.aval.dtype in COMPLEX:
        return _first_of(builder, _complex_keys(builder, x, y), direction)
    less = compare(builder, x, y, direction)
    if x.aval.dtype not in FLOAT:
        return less
    x_number, y_nan = compare(builder, x, x, "EQ"), compare(builder, y, y, "NE")
    return builder.op(
        "stablehlo.or", [less, builder.op("stablehlo.and", [x_number, y_nan], mask)], mask
    )


def _complex_keys(builder: Builder, x: Value, y: Value) -> list[tuple[Value, Value]]:
    """Return what complex numbers are ordered by: which parts are NaN, then the parts."""
    part = ShapedArray(x.aval.shape, REAL_OF[x.aval.dtype])
    numbers: list[tuple[Value, Value]] = []
    for name in ("real", "imag"):
        a, b = (builder.op(f"stablehlo.{name}", [v], part) for v in (x, y))
        numbers.append((a, b))
    nans = [(compare(builder, a, a, "NE"), compare(builder, b, b, "NE")) for a, b in numbers]
    return [*nans, *numbers]


def _first_of(builder: Builder, keys: Sequence[tuple[Value, Value]], direction: str) -> Value:
    result: Value | None = None
    for a, b in reversed(keys):
        # Truth values say "is NaN": false first, in either direction.
        less = compare(builder, a, b, "LT" if a.aval.dtype == BOOL else direction)
        if result is not None:
            tied = compare(builder, a, b, "EQ")
            if a.aval.dtype in FLOAT:  # both NaN: the other part decides
                nan_a, nan_b = compare(builder, a, a, "NE"), compare(builder, b, b, "NE")
                both = builder.op("stablehlo.and", [nan_a, nan_b], nan_a.aval)
                tied = builder.op("stablehlo.or", [tied, both], both.aval)
            rest = builder.op("stablehlo.and", [tied, result], tied.aval)
            less = builder.op("stablehlo.or", [less, rest], rest.aval)
        result = less
    assert result is not None
    return result


def _before(
    builder: Builder, args: Sequence[Value], *, num_keys: int, descending: bool
) -> list[Value]:
    """Compare two rows; arguments are pairs of elements, one for each operand."""
    result: Value | None = None
    for key in reversed(range(num_keys)):
        a, b = args[2 * key], args[2 * key + 1]
        less = less_than(builder, a, b, descending=descending)
        if result is not None:
            greater = less_than(builder, b, a, descending=descending)
            tied = builder.op("stablehlo.not", [greater], greater.aval)
            rest = builder.op("stablehlo.and", [tied, result], tied.aval)
            less = builder.op("stablehlo.or", [less, rest], rest.aval)
        result = less
    assert result is not None
    return [result]


def _sort_lower(
    builder: Builder,
    outs: Sequence[ShapedArray],
    *values: Value,
    axis: int,
    num_keys: int,
    descending: bool,
    stable: bool,
) -> list[Value]:
    if calls_host(builder, values, axis, num_keys):
        return call_sort(builder, values, axis, descending=descending, stable=stable)
    elements = [ShapedArray((), value.aval.dtype) for value in values for _ in range(2)]
    region = builder.region(
        elements, lambda b, args: _before(b, args, num_keys=num_keys, descending=descending)
    )
    keep = stable and len(values) > 1
    return builder.multi_op(
        "stablehlo.sort",
        values,
        outs,
        f"dimension = {axis} : i64, is_stable = {'true' if keep else 'false'}",
        [region],
    )


# Derivatives and batching.


def _sort_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Sequence[Operand], **params: Any
) -> list[Operand | None]:
    """Sort the places along with the operands, and take the tangents from there."""
    shape, axis = operand_aval(primals[0]).shape, params["axis"]
    *_, order = bind_multiple(sort_p, *primals, iota(shape, axis, INT64), **params)
    return [None if t is None else take_along(t, order, axis) for t in tangents]


def _sort_batch(
    args: Sequence[Operand], bdims: BatchDims, **params: Any
) -> tuple[list[Array], list[int]]:
    n = next(operand_aval(x).shape[b] for x, b in zip(args, bdims, strict=True) if b is not None)
    fronts = [
        broadcast_to(x, (n, *operand_aval(x).shape)) if b is None else to_front(x, b)
        for x, b in zip(args, bdims, strict=True)
    ]
    params["axis"] += 1
    return bind_multiple(sort_p, *fronts, **params), [0] * len(args)


sort_p: Primitive = Primitive(
    name="sort",
    multiple=True,
    prefers_host=True,
    fills_out=True,
    aval=_sort_aval,
    host=sort_host,
    lower=_sort_lower,
    jvp=_sort_jvp,
    transpose=Missing("not linear"),
    batch=_sort_batch,
)


# The order alone: on the host without the values and without an index array.


def _argsort_aval(x: ShapedArray, *, axis: int, descending: bool, stable: bool) -> ShapedArray:
    if not 0 <= axis < x.ndim:
        raise ValueError(f"argsort: {x} has no axis {axis}")
    return ShapedArray(x.shape, INT64)


def _argsort_lower(
    builder: Builder, out: ShapedArray, x: Value, *, axis: int, descending: bool, stable: bool
) -> Value:
    order = {"descending": descending, "stable": stable}
    if calls_host(builder, [x], axis, 1):
        return call_argsort(builder, out, x, axis, **order)
    places = builder.op("stablehlo.iota", [], out, f"iota_dimension = {axis} : i64")
    return _sort_lower(builder, [x.aval, out], x, places, axis=axis, num_keys=1, **order)[1]


def _argsort_batch(
    args: Sequence[Operand], bdims: BatchDims, *, axis: int, **params: Any
) -> tuple[Array, int]:
    bdim = bdims[0]
    assert bdim is not None
    return bind(argsort_p, args[0], axis=axis + (axis >= bdim), **params), bdim


argsort_p: Primitive = Primitive(
    name="argsort",
    is_kept=True,
    prefers_host=True,
    aval=_argsort_aval,
    host=argsort_host,
    lower=_argsort_lower,
    jvp=Missing("places are no smooth function of values"),
    transpose=Missing("not linear"),
    batch=_argsort_batch,
)


def take_along(x: Operand, index: Operand, axis: int) -> Array:
    """Return the elements that an index array of x's shape says, along an axis."""
    shape = operand_aval(index).shape
    indices: list[Operand] = []
    for place, n in enumerate(shape):
        if place == axis:
            indices.append(index)
        else:
            sizes = [1] * len(shape)
            sizes[place] = n
            indices.append(iota(tuple(sizes), place, INT64))
    return gather(x, (Among(),) * len(shape), *indices)


# NumPy's functions.


def sort(
    x: object, axis: int | None = -1, *, descending: bool = False, stable: bool = True
) -> Array:
    """Return x sorted along an axis; None flattens it first."""
    value, place = _along("sort", x, axis)
    if place is None:
        return copy(value)
    (result,) = bind_multiple(
        sort_p, value, axis=place, num_keys=1, descending=descending, stable=stable
    )
    return result


def argsort(
    x: object, axis: int | None = -1, *, descending: bool = False, stable: bool = True
) -> Array:
    """Return the places of the elements in sorted order."""
    value, place = _along("argsort", x, axis)
    shape = operand_aval(value).shape
    if place is None:
        return broadcast_to(np.int64(0), shape)
    return bind(argsort_p, value, axis=place, descending=descending, stable=stable)


def partition(x: object, kth: int | Sequence[int], axis: int | None = -1) -> Array:
    """Return x with the places of ``kth`` as in sorted order: sorted."""
    _check_places("partition", x, kth, axis)
    return sort(x, axis)


def argpartition(x: object, kth: int | Sequence[int], axis: int | None = -1) -> Array:
    """Return the places of the elements in the order of `partition`."""
    _check_places("argpartition", x, kth, axis)
    return argsort(x, axis)


def _check_places(name: str, x: object, kth: int | Sequence[int], axis: int | None) -> None:
    aval = operand_aval(operand(name, x))
    if axis is None or not aval.ndim:
        n = aval.size
    else:
        n = aval.shape[normal_axis(name, axis, aval.ndim)]
    for k in kth if isinstance(kth, tuple | list) else (kth,):
        if not -n <= index(k) < n:
            raise ValueError(f"{name}: kth={k} is out of range for {n} elements along the axis")


def lexsort(keys: Sequence[object], axis: int = -1) -> Array:
    """Return the order by several keys; the last one counts first."""
    values = [operand("lexsort", key) for key in keys]
    if not values:
        raise ValueError("lexsort: expected at least one key")
    shape = operand_aval(values[0]).shape
    place = normal_axis("lexsort", axis, len(shape))
    *_, order = bind_multiple(
        sort_p,
        *values[::-1],
        iota(shape, place, INT64),
        axis=place,
        num_keys=len(values),
        descending=False,
        stable=True,
    )
    return order


def top_k(x: object, k: int, axis: int = -1) -> tuple[Array, Array]:
    """Return the k greatest elements along an axis and their places; NaN counts as least."""
    value = operand("top_k", x)
    shape = operand_aval(value).shape
    place = normal_axis("top_k", axis, len(shape))
    if not 0 <= k <= shape[place]:
        raise ValueError(f"top_k: cannot take {k} of the {shape[place]} elements along the axis")
    results = bind_multiple(
        sort_p,
        value,
        iota(shape, place, INT64),
        axis=place,
        num_keys=1,
        descending=True,
        stable=True,
    )
    spans = [whole(n) for n in shape]
    spans[place] = Span(0, 1, k)
    values, places = (take(result, tuple(spans)) for result in results)
    return values, places


def _along(name: str, x: object, axis: int | None) -> tuple[Operand, int | None]:
    """Return an array and the axis to sort along; no axis is left of a scalar."""
    value = operand(name, x)
    aval = operand_aval(value)
    if axis is None:
        return (reshape_to(value, (aval.size,)), 0)
    if not aval.ndim:
        normal_axis(name, axis, 1)
        return value, None
    return value, normal_axis(name, axis, aval.ndim)
