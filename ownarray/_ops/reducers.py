"""The primitives that reduce axes; sums are in `structural`, beside broadcasting."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import (
    BOOL,
    COMPLEX,
    FLOAT,
    INEXACT,
    INT64,
    INTEGER,
    NARROW_FLOAT,
    NUMERIC,
    SUB_BYTE,
    DType,
)
from ownarray._core.primitive import Missing, Primitive
from ownarray._lower.types import i64_array
from ownarray._ops.arithmetic import add, div, mul
from ownarray._ops.assemble import concatenate
from ownarray._ops.compare import eq, lower_compare, lower_extremum
from ownarray._ops.convert import convert, integer_range
from ownarray._ops.entries import Span, whole
from ownarray._ops.rules import (
    BatchDims,
    Host,
    Tangents,
    cast,
    compare,
    deliver,
    fit,
    select,
    sizes_product,
)
from ownarray._ops.slicing import take
from ownarray._ops.structural import (
    lower_reduce,
    nonzero_tangent,
    permute,
    plain_reduce,
    reduce_by,
    reduced_aval,
    reduced_batch,
    reshape_to,
    spread,
    sum_axes,
)
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

Axes = tuple[int, ...]
_NO_DERIVATIVE = "its results are no smooth function of its operand"


def lowest(dtype: DType) -> Any:
    """Return the value that is below all others of a dtype."""
    if dtype in COMPLEX:
        return complex(-np.inf, -np.inf)
    if dtype in INTEGER:
        return integer_range(dtype)[0]
    return False if dtype == BOOL else -np.inf


def highest(dtype: DType) -> Any:
    """Return the value that is above all others of a dtype."""
    if dtype in COMPLEX:
        return complex(np.inf, np.inf)
    if dtype in INTEGER:
        return integer_range(dtype)[1]
    return True if dtype == BOOL else np.inf


def _wide(dtype: DType) -> DType:
    """Return the dtype in which a narrow one is reduced."""
    if dtype in NARROW_FLOAT or dtype == np.float16:
        return np.dtype(np.float32)
    return np.dtype(np.int8) if dtype in SUB_BYTE else dtype


def reduce_host(ufunc: np.ufunc) -> Host:
    """Return the host rule of a reduction that keeps the dtype."""

    def host(x: HostArray, *, axes: Axes, out: HostArray | None = None) -> Any:
        if x.dtype.kind == "V" or (x.dtype.itemsize == 1 and x.dtype.kind == "f"):
            wide = _wide(x.dtype)
            return deliver(ufunc.reduce(x.astype(wide), axis=axes, dtype=wide).astype(x.dtype), out)
        return ufunc.reduce(x, axis=axes, dtype=x.dtype, out=out)

    return Host(host, partial(plain_reduce, ufunc))


# Product.


def _prod_lower(builder: Builder, out: ShapedArray, x: Value, *, axes: Axes) -> Value:
    if not axes:
        return x
    wide = _wide(out.dtype)
    product = lower_reduce(
        builder,
        ShapedArray(out.shape, wide),
        cast(builder, x, wide),
        axes=axes,
        op="stablehlo.multiply",
        start=1,
    )
    return cast(builder, product, out.dtype)


def _prod_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Operand, *, axes: Axes
) -> Operand:
    """Multiply pairs of values with their tangents, by halves: exact where some are zero."""
    x, t = _flat_front(primals[0], axes), _flat_front(nonzero_tangent(tangents), axes)
    n = operand_aval(x).shape[0]
    if n == 0:
        return mul(ans, ans.aval.dtype.type(0))  # type: ignore[union-attr]
    while n > 1:
        half = n // 2
        x1, x2, t1, t2 = (_part(v, i * half, half) for v in (x, t) for i in (0, 1))
        t, rest_t = add(mul(t1, x2), mul(x1, t2)), _part(t, 2 * half, n % 2)
        x, rest_x = mul(x1, x2), _part(x, 2 * half, n % 2)
        if n % 2:
            x, t = concatenate([x, rest_x], 0), concatenate([t, rest_t], 0)
        n = half + n % 2
    return reshape_to(t, operand_aval(ans).shape)


def _flat_front(x: Operand, axes: Axes) -> Operand:
    aval = operand_aval(x)
    rest = tuple([axis for axis in range(aval.ndim) if axis not in axes])
    moved = permute(x, (*axes, *rest))
    return reshape_to(moved, (sizes_product(aval.shape, axes), *[aval.shape[a] for a in rest]))


def _part(x: Operand, start: int, size: int) -> Operand:
    shape = operand_aval(x).shape
    return take(x, (Span(start, 1, size) if size else Span(0, 1, 0), *map(whole, shape[1:])))


def _prod_aval(x: ShapedArray, *, axes: Axes) -> ShapedArray:
    if x.dtype not in NUMERIC:
        raise TypeError(f"reduce_prod: expected numbers, got {x}")
    return reduced_aval(x, axes=axes)


reduce_prod_p: Primitive = Primitive(
    name="reduce_prod",
    is_kept=True,
    aval=_prod_aval,
    host=reduce_host(np.multiply),
    lower=_prod_lower,
    jvp=_prod_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims, *, axes: reduced_batch(reduce_prod_p, args, bdims, axes),
)


# Extrema.


def _extremum_aval(x: ShapedArray, *, axes: Axes, name: str) -> ShapedArray:
    found = reduced_aval(x, axes=axes)
    if sizes_product(x.shape, axes) == 0 and found.size:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    return found


_STREAMED: Final = 4096
"""From so many elements on it pays to look for NaN apart."""


def _extremum_lower(
    builder: Builder, out: ShapedArray, x: Value, *, axes: Axes, op: str, direction: str
) -> Value:
    if not axes:
        return x
    wide = _wide(out.dtype)
    start = (lowest if direction == "GE" else highest)(wide)
    last = x.aval.ndim - 1
    value = cast(builder, x, wide)
    if wide in FLOAT and last in axes and x.aval.size >= _STREAMED:
        rest = reduced_aval(value.aval, axes=(last,))
        found = lower_reduce(builder, rest, value, axes=(last,), op=op, start=start)
        value = _keeping_nan(builder, found, value)
        axes = tuple([axis for axis in axes if axis != last])
    if axes:
        larger = partial(_larger, op=op, direction=direction)
        target = ShapedArray(out.shape, wide)
        value = reduce_by(builder, target, value, axes=axes, write=larger, start=start)
    return cast(builder, value, out.dtype)


def _keeping_nan(builder: Builder, found: Value, x: Value) -> Value:
    """Put NaN where the last axis of x holds one; ``found`` may have dropped it.

    On the CPU, XLA fuses plain reductions along the last axis with what computes their operand, two
    at a time if they are added, and others not at all: those write the operand to memory first. The
    sum of ``0 * tanh(x)`` is plain, and it is NaN or 0, also for infinities. (An extremum of -0.0
    becomes 0.0 by it.)
    """
    zero = fit(builder, builder.constant(0, ShapedArray((), x.aval.dtype)), x.aval.shape)
    flat = builder.op("stablehlo.tanh", [x], x.aval)
    marks = builder.op("stablehlo.multiply", [flat, zero], x.aval)
    last = (x.aval.ndim - 1,)
    mark = lower_reduce(builder, found.aval, marks, axes=last, op="stablehlo.add", start=0)
    return builder.op("stablehlo.add", [found, mark], found.aval)


def _larger(builder: Builder, pair: Sequence[Value], *, op: str, direction: str) -> Value:
    """Lower the extremum of two elements; a NaN wins.

    On the CPU, XLA hands reductions by a plain maximum or minimum to a kernel that drops NaN. So
    the one of floats is written by the other: max(x, y) = -min(-x, -y).
    """
    element = pair[0].aval
    if element.dtype not in FLOAT:
        return lower_extremum(builder, element, *pair, op=op, direction=direction)
    other = {"GE": "stablehlo.minimum", "LE": "stablehlo.maximum"}[direction]
    turned = [builder.op("stablehlo.negate", [value], element) for value in pair]
    return builder.op("stablehlo.negate", [builder.op(other, turned, element)], element)


def _extremum_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Operand, *, axes: Axes
) -> Operand:
    """Where several elements are the extremum, each counts in equal parts."""
    x = primals[0]
    aval = operand_aval(x)
    hits = convert(eq(x, spread(ans, aval.shape, axes)), aval.dtype)
    total = sum_axes(mul(nonzero_tangent(tangents), hits), axes)
    return div(total, sum_axes(hits, axes))


def _extremum(name: str, ufunc: np.ufunc, direction: str) -> Primitive:
    def batch(args: Sequence[Operand], bdims: BatchDims, *, axes: Axes) -> tuple[Array, int]:
        return reduced_batch(primitive, args, bdims, axes)

    primitive = Primitive(
        name=f"reduce_{name}",
        is_kept=True,
        aval=partial(_extremum_aval, name=ufunc.__name__),
        host=reduce_host(ufunc),
        lower=partial(_extremum_lower, op=f"stablehlo.{ufunc.__name__}", direction=direction),
        jvp=_extremum_jvp,
        transpose=Missing("not linear"),
        batch=batch,
    )
    return primitive


reduce_max_p = _extremum("max", np.maximum, "GE")
reduce_min_p = _extremum("min", np.minimum, "LE")


# Truth values.


def _logical(name: str, ufunc: np.ufunc, op: str, start: bool) -> Primitive:
    def aval(x: ShapedArray, *, axes: Axes) -> ShapedArray:
        if x.dtype != BOOL:
            raise TypeError(f"{name}: expected truth values, got {x}")
        return reduced_aval(x, axes=axes)

    def lower(builder: Builder, out: ShapedArray, x: Value, *, axes: Axes) -> Value:
        return lower_reduce(builder, out, x, axes=axes, op=op, start=start) if axes else x

    def batch(args: Sequence[Operand], bdims: BatchDims, *, axes: Axes) -> tuple[Array, int]:
        return reduced_batch(primitive, args, bdims, axes)

    primitive = Primitive(
        name=name,
        is_kept=True,
        aval=aval,
        host=reduce_host(ufunc),
        lower=lower,
        jvp=Missing(_NO_DERIVATIVE),
        transpose=Missing(_NO_DERIVATIVE),
        batch=batch,
    )
    return primitive


reduce_and_p = _logical("reduce_and", np.logical_and, "stablehlo.and", True)
reduce_or_p = _logical("reduce_or", np.logical_or, "stablehlo.or", False)


# The place of an extremum: the first one, and the first NaN if there is any.


def _arg_aval(x: ShapedArray, *, axis: int, name: str) -> ShapedArray:
    found = reduced_aval(x, axes=(axis,))
    if x.shape[axis] == 0 and found.size:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    return ShapedArray(found.shape, INT64)


def _arg_host(function: Callable[..., Any]) -> Callable[..., Any]:
    def host(x: HostArray, *, axis: int, out: HostArray | None = None) -> Any:
        if x.dtype.kind == "V" or (x.dtype.itemsize == 1 and x.dtype.kind == "f"):
            x = x.astype(_wide(x.dtype))
        if x.shape[axis] == 0:
            return deliver(np.zeros((*x.shape[:axis], *x.shape[axis + 1 :]), np.int64), out)
        return deliver(function(x, axis=axis), out)

    return host


def _arg_lower(builder: Builder, out: ShapedArray, x: Value, *, axis: int, direction: str) -> Value:
    x = cast(builder, x, _wide(x.aval.dtype))
    kind = x.aval.dtype
    index = builder.op(
        "stablehlo.iota", [], ShapedArray(x.aval.shape, INT64), f"iota_dimension = {axis} : i64"
    )
    value_aval, index_aval = ShapedArray((), kind), ShapedArray((), INT64)
    start = (lowest if direction == "GT" else highest)(kind)
    region = builder.region(
        [value_aval, index_aval, value_aval, index_aval],
        lambda b, args: _first(b, *args, direction=direction),
    )
    results = builder.multi_op(
        "stablehlo.reduce",
        [x, index, builder.constant(start, value_aval), builder.constant(0, index_aval)],
        [ShapedArray(out.shape, kind), out],
        f"dimensions = {i64_array((axis,))}",
        [region],
    )
    return results[1]


def _first(
    builder: Builder, x: Value, i: Value, y: Value, j: Value, *, direction: str
) -> Sequence[Value]:
    """Return the pair of value and index that comes first."""
    mask = ShapedArray((), BOOL)

    def both(a: Value, b: Value) -> Value:
        return builder.op("stablehlo.and", [a, b], mask)

    def either(a: Value, b: Value) -> Value:
        return builder.op("stablehlo.or", [a, b], mask)

    better = lower_compare(builder, mask, x, y, direction=direction)
    tied = compare(builder, x, y, "EQ")
    if x.aval.dtype in INEXACT:
        x_nan, y_nan = compare(builder, x, x, "NE"), compare(builder, y, y, "NE")
        neither = builder.op("stablehlo.not", [either(x_nan, y_nan)], mask)
        only_x = both(x_nan, builder.op("stablehlo.not", [y_nan], mask))
        better = either(both(better, neither), only_x)
        tied = either(tied, both(x_nan, y_nan))
    better = either(better, both(tied, compare(builder, i, j, "LT")))
    return [select(builder, better, x, y), select(builder, better, i, j)]


def _arg(name: str, function: Callable[..., Any], direction: str) -> Primitive:
    def batch(args: Sequence[Operand], bdims: BatchDims, *, axis: int) -> tuple[Array, int]:
        bdim = bdims[0]
        assert bdim is not None
        shifted = axis + (axis >= bdim)
        return bind(primitive, args[0], axis=shifted), bdim - (shifted < bdim)

    primitive = Primitive(
        name=name,
        is_kept=True,
        aval=partial(_arg_aval, name=name),
        host=_arg_host(function),
        lower=partial(_arg_lower, direction=direction),
        jvp=Missing(_NO_DERIVATIVE),
        transpose=Missing(_NO_DERIVATIVE),
        batch=batch,
    )
    return primitive


argmax_p = _arg("argmax", np.argmax, "GT")
argmin_p = _arg("argmin", np.argmin, "LT")
