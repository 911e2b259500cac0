"""Comparisons, selection by a mask, and what is built on them: extrema, clamping."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BOOL, COMPLEX, NUMERIC
from ownarray._core.primitive import Linear, Missing, Primitive
from ownarray._ops.arithmetic import add_tangents, mul, number
from ownarray._ops.convert import REAL_OF, convert
from ownarray._ops.rules import (
    BatchDims,
    Tangents,
    broadcast_shapes,
    compare,
    deliver,
    elementwise_aval,
    fit,
    select,
    through_int8,
)
from ownarray._ops.structural import elementwise_batch, to_shape, unbroadcast
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

_ANY = NUMERIC | {BOOL}
_NO_DERIVATIVE = "its results are truth values"


def lower_compare(
    builder: Builder, out: ShapedArray, x: Value, y: Value, *, direction: str
) -> Value:
    """Lower a comparison; complex numbers are ordered by real, then by imaginary part."""
    x, y = fit(builder, x, out.shape), fit(builder, y, out.shape)
    if x.aval.dtype not in COMPLEX or direction in ("EQ", "NE"):
        return compare(builder, x, y, direction)
    part = ShapedArray(out.shape, REAL_OF[x.aval.dtype])
    rx, ry = builder.op("stablehlo.real", [x], part), builder.op("stablehlo.real", [y], part)
    ix, iy = builder.op("stablehlo.imag", [x], part), builder.op("stablehlo.imag", [y], part)
    strictly = compare(builder, rx, ry, direction[:1] + "T")
    # NumPy: where an imaginary part is NaN, the real parts alone do not decide.
    ordered = builder.op(
        "stablehlo.and",
        [compare(builder, ix, ix, "EQ"), compare(builder, iy, iy, "EQ")],
        out,
    )
    strictly = builder.op("stablehlo.and", [strictly, ordered], out)
    tied = builder.op(
        "stablehlo.and",
        [compare(builder, rx, ry, "EQ"), compare(builder, ix, iy, direction)],
        out,
    )
    return builder.op("stablehlo.or", [strictly, tied], out)


def _comparison(name: str, host: np.ufunc, direction: str) -> Primitive:
    def batch(args: Sequence[Operand], bdims: BatchDims) -> tuple[Array, int]:
        return elementwise_batch(primitive, args, bdims)

    primitive = Primitive(
        name=name,
        is_light=True,
        aval=partial(elementwise_aval, name=name, allowed=_ANY, dtype=BOOL),
        host=host,
        lower=partial(lower_compare, direction=direction),
        jvp=Missing(_NO_DERIVATIVE),
        transpose=Missing(_NO_DERIVATIVE),
        batch=batch,
    )
    return primitive


eq_p = _comparison("eq", np.equal, "EQ")
ne_p = _comparison("ne", np.not_equal, "NE")
lt_p = _comparison("lt", np.less, "LT")
le_p = _comparison("le", np.less_equal, "LE")
gt_p = _comparison("gt", np.greater, "GT")
ge_p = _comparison("ge", np.greater_equal, "GE")


def eq(x: Operand, y: Operand) -> Array:
    """Apply `eq_p`."""
    return bind(eq_p, x, y)


def lt(x: Operand, y: Operand) -> Array:
    """Apply `lt_p`."""
    return bind(lt_p, x, y)


def gt(x: Operand, y: Operand) -> Array:
    """Apply `gt_p`."""
    return bind(gt_p, x, y)


# select: linear in the two it chooses from.


def _select_aval(mask: ShapedArray, x: ShapedArray, y: ShapedArray) -> ShapedArray:
    if mask.dtype != BOOL:
        raise TypeError(f"where: expected a bool condition, got {mask}")
    if x.dtype != y.dtype:
        raise TypeError(f"where: expected operands of one dtype, got {x} and {y}")
    shape = broadcast_shapes("where", [mask.shape, x.shape, y.shape])
    return ShapedArray(shape, x.dtype, x.weak or y.weak)


def _select_host(
    mask: HostArray, x: HostArray, y: HostArray, *, out: HostArray | None = None
) -> HostArray:
    return deliver(np.where(mask, x, y), out)


def _select_lower(builder: Builder, out: ShapedArray, mask: Value, x: Value, y: Value) -> Value:
    if mask.aval.shape:
        mask = fit(builder, mask, out.shape)
    return select(builder, mask, fit(builder, x, out.shape), fit(builder, y, out.shape))


def _select_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    _, x, y = tangents
    if x is None and y is None:
        return None
    zero = number(0, ans)
    return to_shape(where(primals[0], zero if x is None else x, zero if y is None else y), ans)


def _select_transpose(
    ct: Operand, mask: Operand, x: Operand | Linear, y: Operand | Linear
) -> list[Operand | None]:
    zero = number(0, ct)
    return [
        None,
        unbroadcast(where(mask, ct, zero), x.aval) if isinstance(x, Linear) else None,
        unbroadcast(where(mask, zero, ct), y.aval) if isinstance(y, Linear) else None,
    ]


select_p: Primitive = Primitive(
    name="select",
    is_light=True,
    aval=_select_aval,
    host=_select_host,
    lower=_select_lower,
    jvp=_select_jvp,
    transpose=_select_transpose,
    batch=lambda args, bdims: elementwise_batch(select_p, args, bdims),
)


def where(mask: Operand, x: Operand, y: Operand) -> Array:
    """Apply `select_p`: x where the mask is true, else y."""
    return bind(select_p, mask, x, y)


# Extrema of two. NaN wins, and complex numbers are ordered as above.


def lower_extremum(
    builder: Builder, out: ShapedArray, x: Value, y: Value, *, op: str, direction: str
) -> Value:
    """Lower an extremum of two by its operation, for complex numbers by the order above."""
    x, y = fit(builder, x, out.shape), fit(builder, y, out.shape)
    if out.dtype not in COMPLEX:
        return builder.op(op, [x, y], out)
    mask = ShapedArray(out.shape, BOOL)
    first = lower_compare(builder, mask, x, y, direction=direction)
    is_nan = compare(builder, x, x, "NE")
    return select(builder, builder.op("stablehlo.or", [first, is_nan], mask), x, y)


def _extremum_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    """Where both are equal, each counts one half."""
    (x, y), (tx, ty) = primals, tangents
    return add_tangents(
        None if tx is None else mul(tx, _share(x, y, ans)),
        None if ty is None else mul(ty, _share(y, x, ans)),
        ans,
    )


def _share(x: Operand, other: Operand, ans: Operand) -> Array:
    dtype = operand_aval(ans).dtype
    half = where(eq(other, ans), number(0.5, ans), number(1, ans))
    return mul(convert(eq(x, ans), dtype), half)


def _extremum(name: str, host: np.ufunc, op: str, direction: str) -> Primitive:
    def batch(args: Sequence[Operand], bdims: BatchDims) -> tuple[Array, int]:
        return elementwise_batch(primitive, args, bdims)

    primitive = Primitive(
        name=name,
        is_light=True,
        aval=partial(elementwise_aval, name=name, allowed=_ANY),
        host=through_int8(host),
        lower=partial(lower_extremum, op=op, direction=direction),
        jvp=_extremum_jvp,
        transpose=Missing("not linear"),
        batch=batch,
    )
    return primitive


max_p = _extremum("max", np.maximum, "stablehlo.maximum", "GE")
min_p = _extremum("min", np.minimum, "stablehlo.minimum", "LE")


def maximum(x: Operand, y: Operand) -> Array:
    """Apply `max_p`."""
    return bind(max_p, x, y)


def minimum(x: Operand, y: Operand) -> Array:
    """Apply `min_p`."""
    return bind(min_p, x, y)
