"""NumPy's element-wise functions on arrays: operands are promoted, then one primitive does it.

Arithmetic, signs, rounding and complex parts are here; the functions of `logic` and `mathematical`
are named here too, so that this module has all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import BOOL, BY_NAME, COMPLEX, FLOAT, INEXACT, INTEGER, UNSIGNED
from ownarray._ops import arithmetic, compare, powers, rounding
from ownarray._ops.convert import convert
from ownarray._ops.logic import (
    bitwise_and,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    equal,
    fmax,
    fmin,
    gcd,
    greater,
    greater_equal,
    lcm,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    not_equal,
    where,
)
from ownarray._ops.mathematical import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cbrt,
    cos,
    cosh,
    deg2rad,
    digamma,
    erf,
    erf_inv,
    erfc,
    exp,
    exp2,
    expm1,
    heaviside,
    hypot,
    lgamma,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logaddexp2,
    rad2deg,
    rsqrt,
    sin,
    sinc,
    sinh,
    sqrt,
    tan,
    tanh,
)
from ownarray._ops.promote import arithmetic as promoted
from ownarray._ops.promote import as_dtype, common, floating, inexact, operand, pair, real_default
from ownarray._ops.structural import broadcast_to, copy
from ownarray._trace.bind import AbstractArray, bind, operand_aval

if TYPE_CHECKING:
    from ownarray._core.dtypes import DType
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array
    from ownarray._trace.bind import Operand

_INT8 = BY_NAME["int8"]


def _binary(primitive: Primitive, name: str, x: object, y: object) -> Array:
    first, second = pair(name, x, y)
    return bind(primitive, first, second)


def _dtype(value: Operand) -> DType:
    return operand_aval(value).dtype


def _numbers(name: str, *values: object) -> list[Operand]:
    """Return values of a common dtype; truth values count as int8."""
    dtype, weak = common(name, *values)
    if dtype == BOOL:
        return [as_dtype(name, value, _INT8) for value in values]
    return [as_dtype(name, value, dtype, keep_weak=weak) for value in values]


def _real_numbers(name: str, *values: object) -> list[Operand]:
    """Return values of a common dtype that is not complex."""
    found = _numbers(name, *values)
    if _dtype(found[0]) in COMPLEX:
        raise TypeError(f"{name}: complex numbers have no order, got {operand_aval(found[0])}")
    return found


def _last(x: Operand) -> Operand:
    """Return an operand for its last read."""
    return x._last() if isinstance(x, AbstractArray) else x


# Arithmetic.


def add(x: object, y: object) -> Array:
    """Return x + y; of truth values: x or y."""
    return _binary(arithmetic.add_p, "add", x, y)


def subtract(x: object, y: object) -> Array:
    """Return x - y."""
    first, second = pair("subtract", x, y)
    if _dtype(first) == BOOL:
        raise TypeError("subtract: truth values have no difference. Fix: use logical_xor (^)")
    return bind(arithmetic.sub_p, first, second)


def multiply(x: object, y: object) -> Array:
    """Return x * y; of truth values: x and y."""
    return _binary(arithmetic.mul_p, "multiply", x, y)


def divide(x: object, y: object) -> Array:
    """Return x / y; integers are divided as float64."""
    first, second = pair("divide", x, y)
    if operand_aval(first).dtype in INEXACT:
        return bind(arithmetic.div_p, first, second)
    dtype, weak = common("divide", x, y)
    kind = real_default(dtype)
    return bind(
        arithmetic.div_p,
        as_dtype("divide", x, kind, keep_weak=weak),
        as_dtype("divide", y, kind, keep_weak=weak),
    )


def floor_divide(x: object, y: object) -> Array:
    """Return x / y rounded down; integers over zero give 0, infinities stay."""
    return bind(rounding.floor_divide_p, *_real_numbers("floor_divide", x, y))


def remainder(x: object, y: object) -> Array:
    """Return what is left of x by floor division; it has the sign of y."""
    return bind(rounding.remainder_p, *_real_numbers("remainder", x, y))


def fmod(x: object, y: object) -> Array:
    """Return what is left of x by division rounded towards zero; it has the sign of x."""
    return bind(rounding.fmod_p, *_real_numbers("fmod", x, y))


def divmod(x: object, y: object) -> tuple[Array, Array]:
    """Return quotient and remainder."""
    first, second = _real_numbers("divmod", x, y)
    return (
        bind(rounding.floor_divide_p, first, second),
        bind(rounding.remainder_p, _last(first), _last(second)),
    )


def power(x: object, y: object) -> Array:
    """Return x to the power of y; fixed small exponents are multiplied out.

    Raises
    ------
    ValueError
        If integers meet a known negative integer exponent.
    """
    first, second = _numbers("power", x, y)
    dtype = _dtype(first)
    if isinstance(second, np.generic):
        if dtype in INTEGER and int(second) < 0:
            raise ValueError(
                "power: integers to negative integer powers are not integers."
                " Fix: use a float, as in x ** -1.0"
            )
        exponent = complex(second)
        if dtype in INTEGER or exponent in (2, 3, 4, -1):
            return powers.integer_pow(first, int(exponent.real))
        if exponent == 0.5 and dtype in INEXACT:
            return sqrt(first)
    return bind(powers.power_p, first, second)


def negative(x: object) -> Array:
    """Return -x."""
    (value,) = promoted("negative", x)
    if _dtype(value) == BOOL:
        raise TypeError("negative: truth values have no negative. Fix: use logical_not (~)")
    return bind(arithmetic.neg_p, value)


def positive(x: object) -> Array:
    """Return +x: a copy."""
    (value,) = promoted("positive", x)
    if _dtype(value) == BOOL:
        raise TypeError("positive: expected numbers, got truth values")
    return copy(value)


def reciprocal(x: object) -> Array:
    """Return 1 / x; of integers rounded towards zero."""
    (value,) = _numbers("reciprocal", x)
    dtype = _dtype(value)
    if dtype in UNSIGNED:
        return bind(rounding.floor_divide_p, dtype.type(1), value)
    if dtype in INTEGER:
        return bind(powers.power_p, value, dtype.type(-1))
    return powers.integer_pow(value, -1)


def square(x: object) -> Array:
    """Return x * x."""
    return powers.integer_pow(_numbers("square", x)[0], 2)


# Signs and rounding.


def abs(x: object) -> Array:
    """Return the absolute value of x, real also for complex x."""
    value = operand("abs", x)
    return copy(value) if _dtype(value) == BOOL else bind(rounding.abs_p, value)


def sign(x: object) -> Array:
    """Return -1, 0 or 1; of complex numbers their direction."""
    value = operand("sign", x)
    if _dtype(value) == BOOL:
        raise TypeError("sign: expected numbers, got truth values")
    return bind(rounding.sign_p, value)


def _round(primitive: Primitive, name: str, x: object) -> Array:
    value = operand(name, x)
    dtype = _dtype(value)
    if dtype in COMPLEX:
        raise TypeError(f"{name}: expected real numbers, got {operand_aval(value)}")
    return bind(primitive, value) if dtype in FLOAT else copy(value)


def floor(x: object) -> Array:
    """Return x rounded down."""
    return _round(rounding.floor_p, "floor", x)


def ceil(x: object) -> Array:
    """Return x rounded up."""
    return _round(rounding.ceil_p, "ceil", x)


def trunc(x: object) -> Array:
    """Return x rounded towards zero."""
    return _round(rounding.trunc_p, "trunc", x)


def round(x: object, decimals: int = 0) -> Array:
    """Return x rounded to some decimals, halves to the even side."""
    value = operand("round", x)
    dtype = _dtype(value)
    if dtype in COMPLEX:
        parts = [round(part, decimals) for part in (arithmetic.real(value), arithmetic.imag(value))]
        return arithmetic.make_complex(*parts)
    if dtype == BOOL:
        return convert(value, inexact(dtype))
    if dtype not in FLOAT:
        if decimals >= 0:
            return copy(value)
        scale = np.float64(10.0**-decimals)
        rounded = bind(rounding.round_p, divide(value, scale))
        return convert(multiply(rounded, scale), dtype)
    if decimals == 0:
        return bind(rounding.round_p, value)
    factor = dtype.type(10.0 ** np.abs(decimals))
    there, back = (multiply, divide) if decimals > 0 else (divide, multiply)
    return back(bind(rounding.round_p, there(value, factor)), factor)


def copysign(x: object, y: object) -> Array:
    """Return x with the sign of y."""
    return bind(rounding.copysign_p, *floating("copysign", x, y))


def nextafter(x: object, y: object) -> Array:
    """Return the next number after x on the way to y."""
    return bind(rounding.nextafter_p, *floating("nextafter", x, y))


def clip(x: object, low: object = None, high: object = None) -> Array:
    """Return x, but no less than ``low`` and no more than ``high``; None is no bound."""
    if low is None:
        return copy(operand("clip", x)) if high is None else minimum(x, high)
    raised = maximum(x, low)
    return raised if high is None else minimum(raised._spare(), high)


rint = round
pow = power


# Parts of complex numbers.


def real(x: object) -> Array:
    """Return the real part; of real numbers a copy."""
    value = operand("real", x)
    return arithmetic.real(value) if _dtype(value) in COMPLEX else copy(value)


def imag(x: object) -> Array:
    """Return the imaginary part; of real numbers zeros."""
    value = operand("imag", x)
    aval = operand_aval(value)
    if aval.dtype in COMPLEX:
        return arithmetic.imag(value)
    return broadcast_to(aval.dtype.type(0), aval.shape)


def conj(x: object) -> Array:
    """Return the complex conjugate; of real numbers a copy."""
    value = operand("conj", x)
    return arithmetic.conj(value) if _dtype(value) in COMPLEX else copy(value)


def angle(x: object) -> Array:
    """Return the argument of a complex number."""
    value = floating("angle", x)[0]
    return atan2(imag(value), real(_last(value)))


# Classes of numbers.


def isfinite(x: object) -> Array:
    """Return where x is neither infinite nor NaN."""
    value = operand("isfinite", x)
    if _dtype(value) in INEXACT:
        return bind(rounding.isfinite_p, value)
    return bind(compare.eq_p, value, value)


def isinf(x: object) -> Array:
    """Return where x is infinite."""
    value = operand("isinf", x)
    if _dtype(value) in INEXACT:
        return bind(rounding.isinf_p, value)
    return bind(compare.ne_p, value, value)


def isnan(x: object) -> Array:
    """Return where x is NaN."""
    value = operand("isnan", x)
    if _dtype(value) in INEXACT:
        return bind(rounding.isnan_p, value)
    return bind(compare.ne_p, value, value)


def signbit(x: object) -> Array:
    """Return where the sign bit is set."""
    return bind(rounding.signbit_p, *floating("signbit", x))


__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "angle",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "digamma",
    "divide",
    "divmod",
    "equal",
    "erf",
    "erf_inv",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "lcm",
    "less",
    "less_equal",
    "lgamma",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "rad2deg",
    "real",
    "reciprocal",
    "remainder",
    "rint",
    "round",
    "rsqrt",
    "sign",
    "signbit",
    "sin",
    "sinc",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
    "where",
]
