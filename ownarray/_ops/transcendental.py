"""Exponentials, logarithms, roots, trigonometric and hyperbolic functions, for complex too."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.builder import Builder, Value
from ownarray._core.dtypes import FLOAT, FLOAT32, INEXACT, DType
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops.arithmetic import add, div, mul, neg, number, sub
from ownarray._ops.convert import REAL_OF
from ownarray._ops.rules import (
    BatchDims,
    Tangents,
    cast,
    compare,
    copysign_value,
    elementwise_aval,
    fit,
    full,
    select,
)
from ownarray._ops.structural import elementwise_batch, nonzero_tangent
from ownarray._trace.bind import HostArray, Operand, bind

if TYPE_CHECKING:
    from ownarray._ops.operators import Array

Host = Callable[..., Any]
Lower = Callable[[Builder, Value], Value]
Derivative = Callable[[Operand, Operand, Operand], Operand]
"""``(tangent, x, answer) -> tangent of the answer``."""


def wide_lower(
    builder: Builder, out: ShapedArray, *values: Value, write: Callable[..., Value], **params: Any
) -> Value:
    """Lower in float32 where the dtype is narrower, as NumPy computes too."""
    narrow = out.dtype in FLOAT and out.dtype.itemsize < FLOAT32.itemsize
    fitted = [fit(builder, value, out.shape) for value in values]
    if not narrow:
        return write(builder, *fitted, **params)
    wide = [cast(builder, value, FLOAT32) for value in fitted]
    return cast(builder, write(builder, *wide, **params), out.dtype)


def op(name: str) -> Lower:
    """Return the lowering to one operation on one operand."""
    return lambda builder, x: builder.op(name, [x], x.aval)


def unary(
    name: str,
    *,
    host: Host,
    lower: Lower,
    derivative: Derivative | Missing,
    allowed: frozenset[DType] = INEXACT,
    is_light: bool = False,
) -> Primitive:
    """Return the record of a smooth function of one operand."""

    def jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand:
        assert not isinstance(derivative, Missing)
        return derivative(nonzero_tangent(tangents), primals[0], ans)

    def batch(args: Sequence[Operand], bdims: BatchDims) -> tuple[Array, int]:
        return elementwise_batch(primitive, args, bdims)

    primitive = Primitive(
        name=name,
        is_light=is_light,
        aval=partial(elementwise_aval, name=name, allowed=allowed),
        host=host,
        lower=partial(wide_lower, write=lower),
        jvp=derivative if isinstance(derivative, Missing) else jvp,
        transpose=Missing("not linear"),
        batch=batch,
    )
    return primitive


def through_float32(host: Host) -> Host:
    """Return a host rule for dtypes that the function does not know: computed in float32."""

    def wide(*arrays: HostArray, out: HostArray | None = None) -> Any:
        dtype = arrays[0].dtype
        if dtype.kind != "V" and dtype.itemsize > 1:
            return host(*arrays, out=out)
        result = host(*[x.astype(np.float32) for x in arrays])
        if out is None:
            return result.astype(dtype)
        out[...] = result
        return out

    return wide


# Exponentials and logarithms.


def _times(builder: Builder, x: Value, factor: float) -> Value:
    return builder.op("stablehlo.multiply", [x, full(builder, factor, x)], x.aval)


def _exp_lower(builder: Builder, x: Value) -> Value:
    result = builder.op("stablehlo.exponential", [x], x.aval)
    if x.aval.dtype in FLOAT:
        return result
    gone = compare(builder, (re := _parts(builder, x)[0]), full(builder, -math.inf, re), "EQ")
    return select(builder, gone, full(builder, 0, x), result)


def _exp2_lower(builder: Builder, x: Value) -> Value:
    if x.aval.dtype in FLOAT:  # exact at integers
        return builder.op("stablehlo.power", [full(builder, 2, x), x], x.aval)
    return _exp_lower(builder, _scaled(builder, x, math.log(2)))


def _expm1_lower(builder: Builder, x: Value) -> Value:
    result = builder.op("stablehlo.exponential_minus_one", [x], x.aval)
    if x.aval.dtype in FLOAT:
        return result
    # Zeros keep both signs, as real ones do.
    return select(builder, compare(builder, x, full(builder, 0, x), "EQ"), x, result)


def _log_lower(builder: Builder, x: Value, *, base: float) -> Value:
    log = builder.op("stablehlo.log", [x], x.aval)
    if x.aval.dtype in FLOAT:
        return builder.op("stablehlo.divide", [log, full(builder, math.log(base), x)], x.aval)
    return _scaled(builder, log, 1 / math.log(base))


def _parts(builder: Builder, x: Value) -> tuple[Value, Value]:
    part = ShapedArray(x.aval.shape, REAL_OF[x.aval.dtype])
    return builder.op("stablehlo.real", [x], part), builder.op("stablehlo.imag", [x], part)


def _scaled(builder: Builder, x: Value, factor: float) -> Value:
    """Multiply both parts of complex numbers: an infinite one leaves the other one alone."""
    parts = [_times(builder, part, factor) for part in _parts(builder, x)]
    return builder.op("stablehlo.complex", parts, x.aval)


def on_branch(name: str, part: str, like: str) -> Lower:
    """Return the lowering to an operation with NumPy's side of the branch cuts.

    On the cut the sign of a zero says which side it is: ``part`` of the result has the sign of the
    part ``like`` of the operand, or ("-imag") the other one.
    """

    def lower(builder: Builder, x: Value) -> Value:
        result = builder.op(name, [x], x.aval)
        if x.aval.dtype in FLOAT:
            return result
        re, im = _parts(builder, result)
        of_x = _parts(builder, x)[0 if like == "real" else 1]
        if like == "-imag":
            of_x = builder.op("stablehlo.negate", [of_x], of_x.aval)
        if part == "real":
            re = copysign_value(builder, re, of_x)
        else:
            im = copysign_value(builder, im, of_x)
        return builder.op("stablehlo.complex", [re, im], x.aval)

    return lower


exp_p: Primitive = unary(
    "exp",
    is_light=True,
    host=np.exp,
    lower=_exp_lower,
    derivative=lambda t, x, ans: mul(t, ans),
)
exp2_p: Primitive = unary(
    "exp2",
    is_light=True,
    host=np.exp2,
    lower=_exp2_lower,
    derivative=lambda t, x, ans: mul(t, mul(ans, number(math.log(2), x))),
)
expm1_p: Primitive = unary(
    "expm1",
    is_light=True,
    host=np.expm1,
    lower=_expm1_lower,
    derivative=lambda t, x, ans: mul(t, add(ans, number(1, x))),
)
log_p: Primitive = unary(
    "log",
    is_light=True,
    host=np.log,
    lower=op("stablehlo.log"),
    derivative=lambda t, x, ans: div(t, x),
)
log2_p: Primitive = unary(
    "log2",
    is_light=True,
    host=np.log2,
    lower=partial(_log_lower, base=2),
    derivative=lambda t, x, ans: div(t, mul(x, number(math.log(2), x))),
)
log10_p: Primitive = unary(
    "log10",
    host=np.log10,
    lower=partial(_log_lower, base=10),
    derivative=lambda t, x, ans: div(t, mul(x, number(math.log(10), x))),
)
log1p_p: Primitive = unary(
    "log1p",
    is_light=True,
    host=np.log1p,
    lower=op("stablehlo.log_plus_one"),
    derivative=lambda t, x, ans: div(t, add(x, number(1, x))),
)


# Roots.


def _rsqrt_host(x: HostArray, *, out: HostArray | None = None) -> Any:
    root = np.sqrt(x, out=out)
    return np.true_divide(root.dtype.type(1), root, out=out)


def _rsqrt_derivative(t: Operand, x: Operand, ans: Operand) -> Operand:
    return mul(t, mul(number(-0.5, x), div(ans, x)))


sqrt_p: Primitive = unary(
    "sqrt",
    is_light=True,
    host=np.sqrt,
    lower=on_branch("stablehlo.sqrt", "imag", "imag"),
    derivative=lambda t, x, ans: div(mul(t, number(0.5, x)), ans),
)
rsqrt_p: Primitive = unary(
    "rsqrt",
    is_light=True,
    host=_rsqrt_host,
    lower=op("stablehlo.rsqrt"),
    derivative=_rsqrt_derivative,
)
cbrt_p: Primitive = unary(
    "cbrt",
    host=np.cbrt,
    lower=op("stablehlo.cbrt"),
    derivative=lambda t, x, ans: div(t, mul(number(3, x), mul(ans, ans))),
    allowed=FLOAT,
)


def sqrt(x: Operand) -> Array:
    """Apply `sqrt_p`."""
    return bind(sqrt_p, x)


def log(x: Operand) -> Array:
    """Apply `log_p`."""
    return bind(log_p, x)


def exp(x: Operand) -> Array:
    """Apply `exp_p`."""
    return bind(exp_p, x)


# Trigonometric and hyperbolic functions.


def _one_minus_square(x: Operand) -> Array:
    one = number(1, x)
    return mul(sub(one, x), add(one, x))


def _one_plus_square(x: Operand) -> Array:
    return add(number(1, x), mul(x, x))


sin_p: Primitive = unary(
    "sin",
    host=np.sin,
    lower=op("stablehlo.sine"),
    derivative=lambda t, x, ans: mul(t, bind(cos_p, x)),
)
cos_p: Primitive = unary(
    "cos",
    host=np.cos,
    lower=op("stablehlo.cosine"),
    derivative=lambda t, x, ans: neg(mul(t, bind(sin_p, x))),
)
tan_p: Primitive = unary(
    "tan",
    host=np.tan,
    lower=op("stablehlo.tan"),
    derivative=lambda t, x, ans: mul(t, _one_plus_square(ans)),
)
asin_p: Primitive = unary(
    "asin",
    host=np.arcsin,
    lower=on_branch("chlo.asin", "imag", "imag"),
    derivative=lambda t, x, ans: div(t, sqrt(_one_minus_square(x))),
)
acos_p: Primitive = unary(
    "acos",
    host=np.arccos,
    lower=on_branch("chlo.acos", "imag", "-imag"),
    derivative=lambda t, x, ans: neg(div(t, sqrt(_one_minus_square(x)))),
)
atan_p: Primitive = unary(
    "atan",
    host=np.arctan,
    lower=on_branch("chlo.atan", "real", "real"),
    derivative=lambda t, x, ans: div(t, _one_plus_square(x)),
)
sinh_p: Primitive = unary(
    "sinh",
    host=np.sinh,
    lower=op("chlo.sinh"),
    derivative=lambda t, x, ans: mul(t, bind(cosh_p, x)),
)
cosh_p: Primitive = unary(
    "cosh",
    host=np.cosh,
    lower=op("chlo.cosh"),
    derivative=lambda t, x, ans: mul(t, bind(sinh_p, x)),
)
tanh_p: Primitive = unary(
    "tanh",
    is_light=True,
    host=np.tanh,
    lower=op("stablehlo.tanh"),
    derivative=lambda t, x, ans: mul(t, _one_minus_square(ans)),
)
asinh_p: Primitive = unary(
    "asinh",
    host=np.arcsinh,
    lower=on_branch("chlo.asinh", "real", "real"),
    derivative=lambda t, x, ans: div(t, sqrt(_one_plus_square(x))),
)


def _acosh_derivative(t: Operand, x: Operand, ans: Operand) -> Operand:
    one = number(1, x)  # two roots: one root of the product has other branch cuts
    return div(t, mul(sqrt(sub(x, one)), sqrt(add(x, one))))


acosh_p: Primitive = unary(
    "acosh",
    host=np.arccosh,
    lower=on_branch("chlo.acosh", "imag", "imag"),
    derivative=_acosh_derivative,
)
atanh_p: Primitive = unary(
    "atanh",
    host=np.arctanh,
    lower=on_branch("chlo.atanh", "imag", "imag"),
    derivative=lambda t, x, ans: div(t, _one_minus_square(x)),
)
