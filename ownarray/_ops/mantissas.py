"""Parts of floating-point numbers: mantissa and exponent, whole part and rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BY_NAME, INTEGER
from ownarray._core.primitive import Linear, Primitive
from ownarray._ops import bits, rounding
from ownarray._ops.arithmetic import mul, sub
from ownarray._ops.compare import eq, lt, maximum, minimum, where
from ownarray._ops.convert import bitcast, cast_to, convert
from ownarray._ops.promote import floating, operand
from ownarray._ops.rules import (
    BatchDims,
    Tangents,
    broadcast_shapes,
    compare,
    copysign_value,
    fit,
    full,
    select,
)
from ownarray._ops.structural import elementwise_batch, to_shape, unbroadcast
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._core.dtypes import DType
    from ownarray._ops.operators import Array

_FLOAT32, _INT32, _INT64 = BY_NAME["float32"], BY_NAME["int32"], BY_NAME["int64"]


class _Layout(NamedTuple):
    """Where the parts of a number stand in its bits."""

    bits: DType
    """The integers of the same size."""
    n_fraction: int
    bias: int


_LAYOUTS: Final = {
    _FLOAT32: _Layout(_INT32, 23, 127),
    BY_NAME["float64"]: _Layout(_INT64, 52, 1023),
}


def _in_layout(name: str, x: object) -> tuple[Operand, DType]:
    """Return a value in a dtype whose bits are known here, and the dtype of the result."""
    (value,) = floating(name, x)
    dtype = operand_aval(value).dtype
    return (value if dtype in _LAYOUTS else convert(value, _FLOAT32)), dtype


# ldexp: linear in x.


def _ldexp_aval(x: ShapedArray, exponent: ShapedArray) -> ShapedArray:
    layout = _LAYOUTS.get(x.dtype)
    if layout is None or exponent.dtype != layout.bits:
        raise TypeError(f"ldexp: expected numbers and integers of their size, got {x}, {exponent}")
    return ShapedArray(broadcast_shapes("ldexp", [x.shape, exponent.shape]), x.dtype, x.weak)


def _ldexp_host(x: HostArray, exponent: HostArray, *, out: HostArray | None = None) -> Any:
    # NumPy takes C's int. What is beyond it is far beyond every number too.
    return np.ldexp(x, np.clip(exponent, -5000, 5000).astype(np.int32), out=out)


def _ldexp_lower(builder: Builder, out: ShapedArray, x: Value, exponent: Value) -> Value:
    """Write the exponent into the bits; a result below the normal numbers is rounded once.

    Operands below the normal numbers count as zeros, as in all that XLA computes on the CPU.
    """
    x, exponent = fit(builder, x, out.shape), fit(builder, exponent, out.shape)
    layout = _LAYOUTS[out.dtype]
    up = layout.n_fraction + 2
    kind = ShapedArray(out.shape, layout.bits)

    def op(name: str, *values: Value) -> Value:
        return builder.op(f"stablehlo.{name}", list(values), values[0].aval)

    places = full(builder, layout.n_fraction, kind)
    mask = full(builder, 2 * layout.bias + 1, kind)
    whole = builder.op("stablehlo.bitcast_convert", [x], kind)
    old = op("and", op("shift_right_logical", whole, places), mask)
    far = full(builder, 4 * layout.bias, kind)
    step = op("maximum", op("minimum", exponent, far), op("negate", far))
    new = op("add", old, step)
    # What would be below the normal numbers is made greater here and brought down at the end.
    low = compare(builder, new, full(builder, 1, kind), "LT")
    held = select(builder, low, op("add", new, full(builder, up, kind)), new)
    held = op("maximum", held, full(builder, 1, kind))
    held = op("minimum", held, full(builder, 2 * layout.bias, kind))
    cleared = op("and", whole, op("not", op("shift_left", mask, places)))
    made = op("or", cleared, op("shift_left", held, places))
    value = builder.op("stablehlo.bitcast_convert", [made], x.aval)
    down = full(builder, 2.0**-up, x)
    value = select(builder, low, op("multiply", value, down), value)
    high = compare(builder, new, full(builder, 2 * layout.bias, kind), "GT")
    value = select(builder, high, copysign_value(builder, full(builder, np.inf, x), x), value)
    is_zero = compare(builder, old, full(builder, 0, kind), "EQ")
    value = select(builder, is_zero, copysign_value(builder, full(builder, 0, x), x), value)
    return select(builder, builder.op("stablehlo.is_finite", [x], high.aval), value, x)


def _ldexp_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    t = tangents[0]
    return None if t is None else to_shape(bind(ldexp_p, t, primals[1]), ans)


def _ldexp_transpose(ct: Operand, x: Linear, exponent: Operand) -> list[Operand | None]:
    return [unbroadcast(bind(ldexp_p, ct, exponent), x.aval), None]


def _ldexp_batch(args: Sequence[Operand], bdims: BatchDims) -> tuple[Array, int]:
    return elementwise_batch(ldexp_p, args, bdims)


ldexp_p: Primitive = Primitive(
    name="ldexp",
    aval=_ldexp_aval,
    host=_ldexp_host,
    lower=_ldexp_lower,
    jvp=_ldexp_jvp,
    transpose=_ldexp_transpose,
    batch=_ldexp_batch,
)


def ldexp(x: object, exponent: object) -> Array:
    """Return ``x * 2**exponent``.

    Raises
    ------
    TypeError
        If the exponents are not integers.
    """
    value, dtype = _in_layout("ldexp", x)
    power = operand("ldexp", exponent)
    if operand_aval(power).dtype not in INTEGER:
        raise TypeError(f"ldexp: expected integers as exponents, got {operand_aval(power)}")
    limit = np.int64(5000)
    power = minimum(maximum(cast_to(power, _INT64), -limit), limit)
    kind = _LAYOUTS[operand_aval(value).dtype].bits
    return _as(bind(ldexp_p, value, cast_to(power, kind)), dtype)


def _as(value: Array, dtype: DType) -> Array:
    return value if value.dtype == dtype else convert(value, dtype)


def frexp(x: object) -> tuple[Array, Array]:
    """Return a mantissa in [0.5, 1) and a power of 2 that make x; zeros and infinities stay."""
    value, dtype = _in_layout("frexp", x)
    kind = operand_aval(value).dtype
    layout = _LAYOUTS[kind]
    one = layout.bits.type
    up = layout.n_fraction + 1
    tiny = lt(bind(rounding.abs_p, value), kind.type(2.0 ** (1 - layout.bias)))
    normal = where(tiny, mul(value, kind.type(2.0**up)), value)
    shifted = bind(bits.shift_right_p, bitcast(normal, layout.bits), one(layout.n_fraction))
    biased = bind(bits.and_p, shifted, one(2 * layout.bias + 1))
    exponent = sub(biased, where(tiny, one(layout.bias - 1 + up), one(layout.bias - 1)))
    is_number = bind(rounding.isfinite_p, value)
    # Where numbers below the normal ones count as zeros, they do here.
    is_zero = eq(normal, kind.type(0))
    exponent = where(is_number, where(is_zero, one(0), exponent), one(0))
    mantissa = bind(ldexp_p, value, sub(one(0), exponent))
    return _as(mantissa, dtype), _as(exponent, _INT32)


def modf(x: object) -> tuple[Array, Array]:
    """Return what stands behind the point, and what stands before it, both with the sign of x."""
    (value,) = floating("modf", x)
    whole = bind(rounding.trunc_p, value)
    zero = operand_aval(value).dtype.type(0)
    rest = where(bind(rounding.isinf_p, value), zero, sub(value, whole))
    return bind(rounding.copysign_p, rest, value), whole
