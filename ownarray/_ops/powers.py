"""Powers, and functions of two numbers built of exponentials and roots."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BOOL, COMPLEX, FLOAT, INTEGER, NUMERIC, UNSIGNED
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops.arithmetic import add, add_tangents, div, mul, neg, number, sub
from ownarray._ops.compare import eq, where
from ownarray._ops.convert import REAL_OF
from ownarray._ops.rules import (
    Tangents,
    compare,
    deliver,
    elementwise_aval,
    full,
    select,
    through_int8,
    wrap_nibbles,
)
from ownarray._ops.structural import elementwise_batch, lower_reduce, nonzero_tangent
from ownarray._ops.transcendental import exp, log, through_float32, wide_lower
from ownarray._trace.bind import HostArray, Operand, bind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array


_TRUTH = ShapedArray((), BOOL)


def _op(builder: Builder, name: str, *values: Value) -> Value:
    return builder.op(f"stablehlo.{name}", values, values[0].aval)


# x ** y. Of integers with a negative exponent: 1 / x**-y rounded towards zero, and 0 of 0.


def _pow_host(x: HostArray, y: HostArray, *, out: HostArray | None = None) -> Any:
    if x.dtype.kind != "i" or not (negative := np.less(y, 0)).any():
        return np.power(x, y, out=out)
    odd = np.bitwise_and(y, 1) == 1
    inverse = np.where(x == 1, 1, np.where(x == -1, np.where(odd, -1, 1), 0)).astype(x.dtype)
    result = np.where(negative, inverse, np.power(x, np.where(negative, x.dtype.type(0), y)))
    if out is None:
        return result
    out[...] = result
    return out


def _pow_lower(builder: Builder, x: Value, y: Value) -> Value:
    if x.aval.dtype in COMPLEX:
        return _complex_pow_lower(builder, x, y)
    if x.aval.dtype not in INTEGER:
        return _op(builder, "power", x, y)
    power = _integer_pow_loop(builder, x, y)
    if x.aval.dtype in UNSIGNED:
        return power
    zero, one, minus = (full(builder, v, x) for v in (0, 1, -1))
    odd = compare(builder, _op(builder, "and", y, one), one, "EQ")
    inverse = select(builder, compare(builder, x, one, "EQ"), one, zero)
    inverse = select(
        builder,
        compare(builder, x, minus, "EQ"),
        select(builder, odd, minus, one),
        inverse,
    )
    return select(builder, compare(builder, y, zero, "LT"), inverse, power)


def _integer_pow_loop(builder: Builder, x: Value, y: Value) -> Value:
    """Square and multiply until no bit is left; XLA's own power ends after a few bits."""
    aval = x.aval

    def goes_on(b: Builder, args: list[Value]) -> list[Value]:
        left = compare(b, args[2], full(b, 0, aval), "GT")
        every = tuple(range(aval.ndim))
        return [lower_reduce(b, _TRUTH, left, axes=every, op="stablehlo.or", start=False)]

    def step(b: Builder, args: list[Value]) -> list[Value]:
        product, square, left = args
        one = full(b, 1, aval)
        is_odd = compare(b, _op(b, "and", left, one), one, "EQ")
        return [
            select(b, is_odd, _op(b, "multiply", product, square), product),
            _op(b, "multiply", square, square),
            _op(b, "shift_right_logical", left, one),
        ]

    avals = [aval, aval, aval]
    regions = [builder.region(avals, goes_on), builder.region(avals, step)]
    start = [full(builder, 1, x), x, _op(builder, "maximum", y, full(builder, 0, y))]
    return builder.multi_op("stablehlo.while", start, avals, "", regions)[0]


def _complex_pow_lower(builder: Builder, x: Value, y: Value) -> Value:
    """Write the power; of zero it is 1, 0 or NaN by the real part of the exponent."""
    zero, one = full(builder, 0, x), full(builder, 1, x)
    part = ShapedArray(x.aval.shape, REAL_OF[x.aval.dtype])
    re = builder.op("stablehlo.real", [y], part)
    grows = compare(builder, re, full(builder, 0, part), "GT")
    at_zero = select(builder, grows, zero, full(builder, complex(np.nan, np.nan), x))
    at_zero = select(builder, compare(builder, y, zero, "EQ"), one, at_zero)
    is_zero = compare(builder, x, zero, "EQ")
    return select(builder, is_zero, at_zero, _op(builder, "power", x, y))


def power(x: Operand, y: Operand) -> Array:
    """Apply `power_p`."""
    return bind(power_p, x, y)


def _pow_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    (x, y), (tx, ty) = primals, tangents
    zero, one = number(0, ans), number(1, ans)
    if tx is not None:
        none = eq(y, zero)
        slope = mul(y, power(x, where(none, one, sub(y, one))))
        tx = mul(tx, where(none, zero, slope))
    if ty is not None:
        ty = mul(ty, mul(ans, log(where(eq(x, zero), one, x))))
    return add_tangents(tx, ty, ans)


power_p: Primitive = Primitive(
    name="power",
    aval=partial(elementwise_aval, name="power", allowed=NUMERIC),
    host=through_int8(_pow_host),
    lower=partial(wide_lower, write=_pow_lower),
    jvp=_pow_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims: elementwise_batch(power_p, args, bdims),
)


# x ** n for a fixed integer, by multiplication in the same order on both engines.


def _integer_pow_aval(x: ShapedArray, *, n: int) -> ShapedArray:
    if n < 0 and x.dtype in INTEGER:
        raise ValueError("power: integers to negative integer powers are not integers")
    return elementwise_aval(x, name="integer_pow", allowed=NUMERIC)


def _integer_pow_host(x: HostArray, *, n: int, out: HostArray | None = None) -> Any:
    if x.dtype.itemsize < 4 and x.dtype in FLOAT:  # multiplied in float32, as in programs
        return deliver(_integer_pow_host(x.astype(np.float32), n=n).astype(x.dtype), out)
    if x.dtype.kind == "V":
        return deliver(wrap_nibbles(_integer_pow_host(x.astype(np.int8), n=n), x.dtype), out)
    if n == 2:
        return np.square(x, out=out)
    if n in (0, 1):
        result = np.ones_like(x) if n == 0 else x.copy()
        if out is None:
            return result
        out[...] = result
        return out
    left = abs(n)
    square: Any = x
    product: Any = None
    while left:
        if left & 1:
            product = square if product is None else np.multiply(product, square)
        left >>= 1
        if left:
            square = np.square(square)
    if n > 0:
        return np.positive(product, out=out) if out is not None or product is x else product
    return np.true_divide(x.dtype.type(1), product, out=out)


def _integer_pow_lower(builder: Builder, x: Value, *, n: int) -> Value:
    if n == 0:
        return full(builder, 1, x)
    left = abs(n)
    square = x
    product: Value | None = None
    while left:
        if left & 1:
            product = square if product is None else _op(builder, "multiply", product, square)
        left >>= 1
        if left:
            square = _op(builder, "multiply", square, square)
    assert product is not None
    return product if n > 0 else _op(builder, "divide", full(builder, 1, x), product)


def _integer_pow_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Operand, *, n: int
) -> Operand | None:
    if n == 0:
        return None
    x = primals[0]
    slope = number(1, x) if n == 1 else integer_pow(x, n - 1)
    return mul(nonzero_tangent(tangents), mul(number(n, x), slope))


integer_pow_p: Primitive = Primitive(
    name="integer_pow",
    is_light=True,
    aval=_integer_pow_aval,
    host=_integer_pow_host,
    lower=partial(wide_lower, write=_integer_pow_lower),
    jvp=_integer_pow_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims, *, n: elementwise_batch(integer_pow_p, args, bdims, n=n),
)


def integer_pow(x: Operand, n: int) -> Array:
    """Apply `integer_pow_p`: x ** n for a fixed n."""
    return bind(integer_pow_p, x, n=n)


# Angles, lengths, sums of exponentials.


def _atan2_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    (y, x), (ty, tx) = primals, tangents
    square = add(mul(x, x), mul(y, y))
    return add_tangents(
        None if ty is None else mul(ty, div(x, square)),
        None if tx is None else neg(mul(tx, div(y, square))),
        ans,
    )


atan2_p: Primitive = Primitive(
    name="atan2",
    aval=partial(elementwise_aval, name="atan2", allowed=FLOAT),
    host=np.arctan2,
    lower=partial(wide_lower, write=lambda b, y, x: _op(b, "atan2", y, x)),
    jvp=_atan2_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims: elementwise_batch(atan2_p, args, bdims),
)


def _hypot_lower(builder: Builder, x: Value, y: Value) -> Value:
    """Scale by the longer side, so that no square overflows."""
    x, y = _op(builder, "abs", x), _op(builder, "abs", y)
    long, short = _op(builder, "maximum", x, y), _op(builder, "minimum", x, y)
    none = compare(builder, long, full(builder, 0, x), "EQ")
    one, infinity = full(builder, 1, x), full(builder, np.inf, x)
    ratio = _op(builder, "divide", short, select(builder, none, one, long))
    root = _op(builder, "sqrt", _op(builder, "add", one, _op(builder, "multiply", ratio, ratio)))
    length = _op(builder, "multiply", long, root)
    for side in (x, y):  # infinite, also beside a NaN
        length = select(builder, compare(builder, side, infinity, "EQ"), infinity, length)
    return length


def _hypot_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    (x, y), (tx, ty) = primals, tangents
    safe = where(eq(ans, number(0, ans)), number(1, ans), ans)
    return add_tangents(
        None if tx is None else mul(tx, div(x, safe)),
        None if ty is None else mul(ty, div(y, safe)),
        ans,
    )


hypot_p: Primitive = Primitive(
    name="hypot",
    aval=partial(elementwise_aval, name="hypot", allowed=FLOAT),
    host=np.hypot,
    lower=partial(wide_lower, write=_hypot_lower),
    jvp=_hypot_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims: elementwise_batch(hypot_p, args, bdims),
)


def lower_logaddexp(builder: Builder, x: Value, y: Value) -> Value:
    """Write log(exp(x) + exp(y)) of two values of one shape."""
    away = _op(builder, "abs", _op(builder, "subtract", x, y))
    small = _op(builder, "exponential", _op(builder, "negate", away))
    result = _op(builder, "add", _op(builder, "maximum", x, y), _op(builder, "log_plus_one", small))
    # Two equal infinities have no difference.
    equal = compare(builder, x, y, "EQ")
    twice = _op(builder, "add", x, full(builder, float(np.log(2)), x))
    return select(builder, equal, twice, result)


def _logaddexp_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    (x, y), (tx, ty) = primals, tangents
    return add_tangents(
        None if tx is None else mul(tx, _weight(x, y, ans)),
        None if ty is None else mul(ty, _weight(y, x, ans)),
        ans,
    )


def _weight(x: Operand, y: Operand, ans: Operand) -> Array:
    """Return the share of exp(x) in exp(x) + exp(y)."""
    one = number(1, ans)
    share = div(one, add(one, exp(sub(y, x))))
    return where(eq(x, y), number(0.5, ans), share)


logaddexp_p: Primitive = Primitive(
    name="logaddexp",
    aval=partial(elementwise_aval, name="logaddexp", allowed=FLOAT),
    host=through_float32(np.logaddexp),
    lower=partial(wide_lower, write=lower_logaddexp),
    jvp=_logaddexp_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims: elementwise_batch(logaddexp_p, args, bdims),
)


def logaddexp(x: Operand, y: Operand) -> Array:
    """Apply `logaddexp_p`."""
    return bind(logaddexp_p, x, y)
