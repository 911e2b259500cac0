"""Sign, rounding, division with remainder, and the classes of floating-point numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import (
    BOOL,
    BY_NAME,
    COMPLEX,
    FLOAT,
    INEXACT,
    INTEGER,
    NUMERIC,
    UNSIGNED,
    DType,
)
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops.arithmetic import (
    add_tangents,
    conj,
    div,
    make_complex,
    mul,
    neg,
    number,
    real,
    sub,
)
from ownarray._ops.compare import eq, where
from ownarray._ops.convert import REAL_OF
from ownarray._ops.rules import (
    BatchDims,
    Tangents,
    compare,
    copysign_value,
    elementwise_aval,
    full,
    lower_op,
    select,
    sign_bit,
    through_int8,
)
from ownarray._ops.structural import elementwise_batch, nonzero_tangent
from ownarray._ops.transcendental import wide_lower
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

_FLAT = "its results are steps, whose derivative is zero"
_TRUTH = "its results are truth values"


def _op(builder: Builder, name: str, *values: Value) -> Value:
    return builder.op(f"stablehlo.{name}", values, values[0].aval)


def _not(builder: Builder, mask: Value) -> Value:
    return builder.op("stablehlo.not", [mask], mask.aval)


def _zero_like(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> None:
    """Jvp rule of step functions: no tangent."""


# abs and sign.


def _abs_aval(x: ShapedArray) -> ShapedArray:
    found = elementwise_aval(x, name="abs", allowed=NUMERIC)
    return ShapedArray(x.shape, REAL_OF[x.dtype], x.weak) if x.dtype in COMPLEX else found


def _abs_lower(builder: Builder, out: ShapedArray, x: Value) -> Value:
    return x if out.dtype in UNSIGNED else builder.op("stablehlo.abs", [x], out)


def _abs_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand:
    x, t = primals[0], nonzero_tangent(tangents)
    if operand_aval(x).dtype not in COMPLEX:
        return mul(t, bind(sign_p, x))
    safe = where(eq(ans, number(0, ans)), number(1, ans), ans)
    return div(real(mul(t, conj(x))), safe)


abs_p: Primitive = Primitive(
    name="abs",
    is_light=True,
    aval=_abs_aval,
    host=through_int8(np.absolute),
    lower=_abs_lower,
    jvp=_abs_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims: elementwise_batch(abs_p, args, bdims),
)


def _sign_lower(builder: Builder, out: ShapedArray, x: Value) -> Value:
    if out.dtype in UNSIGNED:
        return _op(builder, "minimum", x, full(builder, 1, x))
    sign = _op(builder, "sign", x)
    if out.dtype not in FLOAT:
        return sign
    zero = full(builder, 0, x)  # the sign of -0.0 is 0.0
    return select(builder, compare(builder, x, zero, "EQ"), zero, sign)


def _sign_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    """Turn the direction of a complex number; a real sign has no tangent."""
    x, t = primals[0], nonzero_tangent(tangents)
    if operand_aval(x).dtype not in COMPLEX:
        return None
    size = bind(abs_p, x)
    safe = where(eq(size, number(0, size)), number(1, size), size)
    turned = real(mul(t, conj(ans)))
    along = mul(ans, make_complex(turned, number(0, turned)))
    return div(sub(t, along), make_complex(safe, number(0, safe)))


sign_p: Primitive = Primitive(
    name="sign",
    is_light=True,
    aval=partial(elementwise_aval, name="sign", allowed=NUMERIC),
    host=through_int8(np.sign),
    lower=_sign_lower,
    jvp=_sign_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims: elementwise_batch(sign_p, args, bdims),
)


# Rounding.


def _step(name: str, host: Callable[..., Any], lower: Callable[..., Value]) -> Primitive:
    def batch(args: Sequence[Operand], bdims: BatchDims) -> tuple[Array, int]:
        return elementwise_batch(primitive, args, bdims)

    primitive = Primitive(
        name=name,
        aval=partial(elementwise_aval, name=name, allowed=FLOAT),
        host=host,
        lower=partial(wide_lower, write=lower),
        jvp=_zero_like,
        transpose=Missing(_FLAT),
        batch=batch,
    )
    return primitive


def _trunc_lower(builder: Builder, x: Value) -> Value:
    negative = compare(builder, x, full(builder, 0, x), "LT")
    return select(builder, negative, _op(builder, "ceil", x), _op(builder, "floor", x))


floor_p = _step("floor", np.floor, lambda b, x: _op(b, "floor", x))
ceil_p = _step("ceil", np.ceil, lambda b, x: _op(b, "ceil", x))
round_p = _step("round", np.rint, lambda b, x: _op(b, "round_nearest_even", x))
trunc_p = _step("trunc", np.trunc, _trunc_lower)


# Division with remainder: of integers by zero both are 0; the sign of the remainder is y's.


def _floor_divide_host(x: HostArray, y: HostArray, *, out: HostArray | None = None) -> Any:
    if x.dtype.kind not in "fV" or x.dtype in INTEGER:
        return np.floor_divide(x, y, out=out)
    infinite = np.isinf(x)
    if not infinite.any():
        return np.floor_divide(x, y, out=out)
    result = np.where(infinite & np.isfinite(y), np.true_divide(x, y), np.floor_divide(x, y))
    if out is None:
        return result
    out[...] = result
    return out


def _differ(builder: Builder, x: Value, y: Value) -> Value:
    """Return where one is negative and the other one is not."""
    zero = full(builder, 0, x)
    x_negative, y_negative = (compare(builder, v, zero, "LT") for v in (x, y))
    return compare(builder, x_negative, y_negative, "NE")


def _both(builder: Builder, x: Value, y: Value) -> Value:
    return builder.op("stablehlo.and", [x, y], x.aval)


def _integer_parts(builder: Builder, x: Value, y: Value) -> tuple[Value, Value, Value, Value]:
    """Return quotient and remainder towards zero, where to go one lower, and where y is 0."""
    zero, one = full(builder, 0, x), full(builder, 1, x)
    by_zero = compare(builder, y, zero, "EQ")
    safe = select(builder, by_zero, one, y)
    if x.aval.dtype in UNSIGNED:
        false = compare(builder, x, x, "NE")
        return _op(builder, "divide", x, safe), _op(builder, "remainder", x, safe), false, by_zero
    # The least integer over -1 overflows: by negation it wraps, as NumPy's does.
    minus = compare(builder, y, full(builder, -1, x), "EQ")
    safe = select(builder, minus, one, safe)
    quotient = select(builder, minus, _op(builder, "negate", x), _op(builder, "divide", x, safe))
    rest = select(builder, minus, zero, _op(builder, "remainder", x, safe))
    lower = _both(builder, compare(builder, rest, zero, "NE"), _differ(builder, rest, y))
    return quotient, rest, lower, by_zero


def _float_remainder(builder: Builder, x: Value, y: Value) -> Value:
    zero = full(builder, 0, x)
    rest = _op(builder, "remainder", x, y)
    whole = compare(builder, rest, zero, "EQ")
    rest = select(
        builder,
        _both(builder, _not(builder, whole), _differ(builder, rest, y)),
        _op(builder, "add", rest, y),
        rest,
    )
    return select(builder, whole, copysign_value(builder, zero, y), rest)


def _float_floor_divide(builder: Builder, x: Value, y: Value) -> Value:
    """NumPy's steps, so that both round alike; an infinity divided stays one."""
    zero, one, half = (full(builder, v, x) for v in (0, 1, 0.5))
    ratio = _op(builder, "divide", x, y)
    rest = _op(builder, "remainder", x, y)
    quotient = _op(builder, "divide", _op(builder, "subtract", x, rest), y)
    lower = _both(builder, compare(builder, rest, zero, "NE"), _differ(builder, rest, y))
    quotient = select(builder, lower, _op(builder, "subtract", quotient, one), quotient)
    floor = _op(builder, "floor", quotient)
    above = compare(builder, _op(builder, "subtract", quotient, floor), half, "GT")
    floor = select(builder, above, _op(builder, "add", floor, one), floor)
    is_zero = compare(builder, quotient, zero, "EQ")
    floor = select(builder, is_zero, copysign_value(builder, zero, ratio), floor)
    size = _op(builder, "abs", x)
    infinite = compare(builder, size, full(builder, np.inf, x), "EQ")
    by_zero = compare(builder, y, zero, "EQ")
    return select(
        builder, builder.op("stablehlo.or", [infinite, by_zero], by_zero.aval), ratio, floor
    )


def _floor_divide_lower(builder: Builder, x: Value, y: Value) -> Value:
    if x.aval.dtype in FLOAT:
        return _float_floor_divide(builder, x, y)
    quotient, _, lower, by_zero = _integer_parts(builder, x, y)
    one = full(builder, 1, x)
    quotient = select(builder, lower, _op(builder, "subtract", quotient, one), quotient)
    return select(builder, by_zero, full(builder, 0, x), quotient)


def _remainder_lower(builder: Builder, x: Value, y: Value) -> Value:
    if x.aval.dtype in FLOAT:
        return _float_remainder(builder, x, y)
    _, rest, lower, by_zero = _integer_parts(builder, x, y)
    rest = select(builder, lower, _op(builder, "add", rest, y), rest)
    return select(builder, by_zero, full(builder, 0, x), rest)


floor_divide_p: Primitive = Primitive(
    name="floor_divide",
    aval=partial(elementwise_aval, name="floor_divide", allowed=INTEGER | FLOAT),
    host=through_int8(_floor_divide_host),
    lower=partial(wide_lower, write=_floor_divide_lower),
    jvp=_zero_like,
    transpose=Missing(_FLAT),
    batch=lambda args, bdims: elementwise_batch(floor_divide_p, args, bdims),
)


def _rest_jvp(
    primals: Sequence[Operand],
    tangents: Tangents,
    ans: Operand,
    *,
    quotient: Callable[[Operand, Operand], Operand],
) -> Operand | None:
    """Differentiate ``x - y * quotient(x, y)``, whose quotient is a whole number."""
    tx, ty = tangents
    if ty is not None:
        ty = neg(mul(ty, quotient(*primals)))
    return add_tangents(tx, ty, ans)


remainder_p: Primitive = Primitive(
    name="remainder",
    aval=partial(elementwise_aval, name="remainder", allowed=INTEGER | FLOAT),
    host=through_int8(np.remainder),
    lower=partial(wide_lower, write=_remainder_lower),
    jvp=partial(_rest_jvp, quotient=lambda x, y: bind(floor_divide_p, x, y)),
    transpose=Missing("not linear"),
    batch=lambda args, bdims: elementwise_batch(remainder_p, args, bdims),
)


def _fmod_lower(builder: Builder, x: Value, y: Value) -> Value:
    if x.aval.dtype in FLOAT:
        return _op(builder, "remainder", x, y)
    _, rest, _, by_zero = _integer_parts(builder, x, y)
    return select(builder, by_zero, full(builder, 0, x), rest)


fmod_p: Primitive = Primitive(
    name="fmod",
    aval=partial(elementwise_aval, name="fmod", allowed=INTEGER | FLOAT),
    host=through_int8(np.fmod),
    lower=partial(wide_lower, write=_fmod_lower),
    jvp=partial(_rest_jvp, quotient=lambda x, y: bind(trunc_p, div(x, y))),
    transpose=Missing("not linear"),
    batch=lambda args, bdims: elementwise_batch(fmod_p, args, bdims),
)


# The sign bit.


def _copysign_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    x, _ = primals
    t = tangents[0]
    if t is None:
        return None
    return add_tangents(mul(t, mul(bind(sign_p, x), bind(sign_p, ans))), None, ans)


copysign_p: Primitive = Primitive(
    name="copysign",
    aval=partial(elementwise_aval, name="copysign", allowed=FLOAT),
    host=np.copysign,
    lower=partial(wide_lower, write=copysign_value),
    jvp=_copysign_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims: elementwise_batch(copysign_p, args, bdims),
)

_WITH_NEIGHBOURS: frozenset[DType] = FLOAT - {
    BY_NAME["float8_e4m3fn"],
    BY_NAME["float8_e5m2"],
}
nextafter_p: Primitive = Primitive(
    name="nextafter",
    aval=partial(elementwise_aval, name="nextafter", allowed=_WITH_NEIGHBOURS),
    host=np.nextafter,
    lower=partial(lower_op, op="chlo.next_after"),
    jvp=_zero_like,
    transpose=Missing(_FLAT),
    batch=lambda args, bdims: elementwise_batch(nextafter_p, args, bdims),
)


# Classes of numbers.


def _class(
    name: str,
    host: Callable[..., Any],
    write: Callable[[Builder, Value], Value],
    allowed: frozenset[DType],
) -> Primitive:
    def lower(builder: Builder, out: ShapedArray, x: Value) -> Value:
        if x.aval.dtype not in COMPLEX:
            return write(builder, x)
        part = ShapedArray(x.aval.shape, REAL_OF[x.aval.dtype])
        parts = [builder.op(f"stablehlo.{name}", [x], part) for name in ("real", "imag")]
        both = [write(builder, value) for value in parts]
        return builder.op("stablehlo.and" if name == "isfinite" else "stablehlo.or", both, out)

    def batch(args: Sequence[Operand], bdims: BatchDims) -> tuple[Array, int]:
        return elementwise_batch(primitive, args, bdims)

    primitive = Primitive(
        name=name,
        aval=partial(elementwise_aval, name=name, allowed=allowed, dtype=BOOL),
        host=host,
        lower=lower,
        jvp=Missing(_TRUTH),
        transpose=Missing(_TRUTH),
        batch=batch,
    )
    return primitive


def _isfinite_lower(builder: Builder, x: Value) -> Value:
    return builder.op("stablehlo.is_finite", [x], ShapedArray(x.aval.shape, BOOL))


def _isinf_lower(builder: Builder, x: Value) -> Value:
    is_number = compare(builder, x, x, "EQ")
    return _both(builder, _not(builder, _isfinite_lower(builder, x)), is_number)


isfinite_p = _class("isfinite", np.isfinite, _isfinite_lower, INEXACT)
isinf_p = _class("isinf", np.isinf, _isinf_lower, INEXACT)
isnan_p = _class("isnan", np.isnan, lambda b, x: compare(b, x, x, "NE"), INEXACT)
signbit_p = _class("signbit", np.signbit, sign_bit, FLOAT)
