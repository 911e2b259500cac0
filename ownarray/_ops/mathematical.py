"""NumPy's mathematical functions on arrays; integers are promoted to floats."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ownarray._ops import powers, special, transcendental
from ownarray._ops.arithmetic import div, mul, number, sub
from ownarray._ops.compare import eq, gt, lt, where
from ownarray._ops.promote import floating
from ownarray._trace.bind import bind

if TYPE_CHECKING:
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array
    from ownarray._trace.bind import Operand


def _apply(primitive: Primitive, name: str, *values: object) -> Array:
    return bind(primitive, *floating(name, *values))


# Exponentials, logarithms, roots.


def exp(x: object) -> Array:
    """Return e to the power of x."""
    return _apply(transcendental.exp_p, "exp", x)


def exp2(x: object) -> Array:
    """Return 2 to the power of x."""
    return _apply(transcendental.exp2_p, "exp2", x)


def expm1(x: object) -> Array:
    """Return exp(x) - 1, precise near zero."""
    return _apply(transcendental.expm1_p, "expm1", x)


def log(x: object) -> Array:
    """Return the natural logarithm of x."""
    return _apply(transcendental.log_p, "log", x)


def log2(x: object) -> Array:
    """Return the logarithm of x to base 2."""
    return _apply(transcendental.log2_p, "log2", x)


def log10(x: object) -> Array:
    """Return the logarithm of x to base 10."""
    return _apply(transcendental.log10_p, "log10", x)


def log1p(x: object) -> Array:
    """Return log(1 + x), precise near zero."""
    return _apply(transcendental.log1p_p, "log1p", x)


def logaddexp(x: object, y: object) -> Array:
    """Return log(exp(x) + exp(y)), without overflow."""
    return _apply(powers.logaddexp_p, "logaddexp", x, y)


def sqrt(x: object) -> Array:
    """Return the square root of x."""
    return _apply(transcendental.sqrt_p, "sqrt", x)


def rsqrt(x: object) -> Array:
    """Return 1 / sqrt(x)."""
    return _apply(transcendental.rsqrt_p, "rsqrt", x)


def cbrt(x: object) -> Array:
    """Return the cube root of x."""
    return _apply(transcendental.cbrt_p, "cbrt", x)


def hypot(x: object, y: object) -> Array:
    """Return sqrt(x**2 + y**2), without overflow."""
    return _apply(powers.hypot_p, "hypot", x, y)


# Trigonometric and hyperbolic functions.


def sin(x: object) -> Array:
    """Return the sine of x."""
    return _apply(transcendental.sin_p, "sin", x)


def cos(x: object) -> Array:
    """Return the cosine of x."""
    return _apply(transcendental.cos_p, "cos", x)


def tan(x: object) -> Array:
    """Return the tangent of x."""
    return _apply(transcendental.tan_p, "tan", x)


def asin(x: object) -> Array:
    """Return the inverse sine of x."""
    return _apply(transcendental.asin_p, "asin", x)


def acos(x: object) -> Array:
    """Return the inverse cosine of x."""
    return _apply(transcendental.acos_p, "acos", x)


def atan(x: object) -> Array:
    """Return the inverse tangent of x."""
    return _apply(transcendental.atan_p, "atan", x)


def atan2(y: object, x: object) -> Array:
    """Return the angle of the point (x, y), in all four quadrants."""
    return _apply(powers.atan2_p, "atan2", y, x)


def sinh(x: object) -> Array:
    """Return the hyperbolic sine of x."""
    return _apply(transcendental.sinh_p, "sinh", x)


def cosh(x: object) -> Array:
    """Return the hyperbolic cosine of x."""
    return _apply(transcendental.cosh_p, "cosh", x)


def tanh(x: object) -> Array:
    """Return the hyperbolic tangent of x."""
    return _apply(transcendental.tanh_p, "tanh", x)


def asinh(x: object) -> Array:
    """Return the inverse hyperbolic sine of x."""
    return _apply(transcendental.asinh_p, "asinh", x)


def acosh(x: object) -> Array:
    """Return the inverse hyperbolic cosine of x."""
    return _apply(transcendental.acosh_p, "acosh", x)


def atanh(x: object) -> Array:
    """Return the inverse hyperbolic tangent of x."""
    return _apply(transcendental.atanh_p, "atanh", x)


# Special functions.


def erf(x: object) -> Array:
    """Return the error function of x."""
    return _apply(special.erf_p, "erf", x)


def erfc(x: object) -> Array:
    """Return 1 - erf(x), precise for large x."""
    return _apply(special.erfc_p, "erfc", x)


def erf_inv(x: object) -> Array:
    """Return the inverse of the error function."""
    return _apply(special.erf_inv_p, "erf_inv", x)


def lgamma(x: object) -> Array:
    """Return the logarithm of the absolute value of the gamma function."""
    return _apply(special.lgamma_p, "lgamma", x)


def digamma(x: object) -> Array:
    """Return the derivative of lgamma."""
    return _apply(special.digamma_p, "digamma", x)


# Composed functions.


def logaddexp2(x: object, y: object) -> Array:
    """Return log2(2**x + 2**y), without overflow."""
    first, second = floating("logaddexp2", x, y)
    scale = number(math.log(2), first)
    return div(powers.logaddexp(mul(first, scale), mul(second, scale)), scale)


def deg2rad(x: object) -> Array:
    """Return an angle in radians, given in degrees."""
    (value,) = floating("deg2rad", x)
    return mul(value, number(math.pi / 180, value))


def rad2deg(x: object) -> Array:
    """Return an angle in degrees, given in radians."""
    (value,) = floating("rad2deg", x)
    return mul(value, number(180 / math.pi, value))


def sinc(x: object) -> Array:
    """Return sin(pi x) / (pi x), 1 at zero."""
    (value,) = floating("sinc", x)
    zero = number(0, value)
    at_zero = eq(value, zero)
    angle = mul(where(at_zero, number(1, value), value), number(math.pi, value))
    return where(at_zero, _sinc_near_zero(value), div(bind(transcendental.sin_p, angle), angle))


def _sinc_near_zero(x: Operand) -> Array:
    """Return the first terms of the series, whose derivatives at zero are those of sinc."""
    square_ = mul(mul(x, x), number(math.pi**2, x))
    inner = sub(number(1, x), mul(square_, number(1 / 42, x)))
    inner = sub(number(1, x), mul(mul(square_, number(1 / 20, x)), inner))
    return sub(number(1, x), mul(mul(square_, number(1 / 6, x)), inner))


def heaviside(x: object, y: object) -> Array:
    """Return 0 where x < 0, y where x == 0, 1 where x > 0; NaN where x is NaN."""
    first, second = floating("heaviside", x, y)
    one, zero = number(1, first), number(0, first)
    step = where(gt(first, zero), one, where(lt(first, zero), zero, first))
    return where(eq(first, zero), second, step)
