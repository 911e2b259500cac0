"""NumPy's lesser element-wise functions, composed of the primitives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np

from ownarray._core.dtypes import BOOL, COMPLEX, INEXACT
from ownarray._core.primitive import Primitive
from ownarray._ops import arithmetic, compare, elementwise, logic, mathematical, rounding
from ownarray._ops.promote import arithmetic as promoted
from ownarray._ops.promote import as_dtype, floating, operand
from ownarray._trace.bind import Operand, bind, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array


def _real_floats(name: str, *values: object) -> list[Operand]:
    found = floating(name, *values)
    aval = operand_aval(found[0])
    if aval.dtype in COMPLEX:
        raise TypeError(f"{name}: expected real numbers, got {aval}")
    return found


def deg2rad(x: object) -> Array:
    """Return degrees as radians."""
    (value,) = _real_floats("deg2rad", x)
    return arithmetic.mul(value, arithmetic.number(math.pi / 180, value))


def rad2deg(x: object) -> Array:
    """Return radians as degrees."""
    (value,) = _real_floats("rad2deg", x)
    return arithmetic.mul(value, arithmetic.number(180 / math.pi, value))


def rint(x: object) -> Array:
    """Return the nearest integer in the float of x; halves go to the even one."""
    (value,) = floating("rint", x)
    if operand_aval(value).dtype in COMPLEX:
        return elementwise.round(value)
    return bind(rounding.round_p, value)


def fmax(x: object, y: object) -> Array:
    """Return the greater of x and y; the number where one is NaN."""
    return _without_nan("fmax", x, y, compare.max_p)


def fmin(x: object, y: object) -> Array:
    """Return the lesser of x and y; the number where one is NaN."""
    return _without_nan("fmin", x, y, compare.min_p)


def _without_nan(name: str, x: object, y: object, primitive: Primitive) -> Array:
    first, second = promoted(name, x, y)
    dtype = operand_aval(first).dtype
    if dtype in COMPLEX:
        raise TypeError(f"{name}: complex numbers have no order, got {operand_aval(first)}")
    if dtype not in INEXACT:
        return bind(primitive, first, second)
    left = compare.where(bind(rounding.isnan_p, first), second, first)
    right = compare.where(bind(rounding.isnan_p, second), first, second)
    return bind(primitive, left, right)


def heaviside(x: object, y: object) -> Array:
    """Return 0 where x is negative, 1 where it is positive, y where it is 0; NaN stays."""
    value, middle = _real_floats("heaviside", x, y)
    zero, one = arithmetic.number(0, value), arithmetic.number(1, value)
    positive = compare.where(compare.gt(value, zero), one, value)
    signed = compare.where(compare.lt(value, zero), zero, positive)
    return compare.where(compare.eq(value, zero), middle, signed)


def logaddexp2(x: object, y: object) -> Array:
    """Return log2(2**x + 2**y), without overflow on the way."""
    first, second = _real_floats("logaddexp2", x, y)
    log_2 = arithmetic.number(math.log(2), first)
    total = mathematical.logaddexp(arithmetic.mul(first, log_2), arithmetic.mul(second, log_2))
    return arithmetic.mul(total, arithmetic.number(1 / math.log(2), first))


def sinc(x: object) -> Array:
    """Return sin(pi x) / (pi x), 1 at 0."""
    (value,) = floating("sinc", x)
    zero = arithmetic.number(0, value)
    is_zero = compare.eq(value, zero)
    angle = arithmetic.mul(value, arithmetic.number(math.pi, value))
    safe = compare.where(is_zero, arithmetic.number(1, value), angle)
    quotient = arithmetic.div(mathematical.sin(safe), safe)
    return compare.where(is_zero, arithmetic.number(1, value), quotient)


def fabs(x: object) -> Array:
    """Return the absolute value of real numbers, in a float."""
    (value,) = _real_floats("fabs", x)
    return elementwise.abs(value)


def isposinf(x: object) -> Array:
    """Return where x is plus infinity."""
    return _is_infinite("isposinf", x, math.inf)


def isneginf(x: object) -> Array:
    """Return where x is minus infinity."""
    return _is_infinite("isneginf", x, -math.inf)


def _is_infinite(name: str, x: object, value: float) -> Array:
    found = operand(name, x)
    aval = operand_aval(found)
    if aval.dtype in COMPLEX:
        raise TypeError(f"{name}: expected real numbers, got {aval}")
    if aval.dtype not in INEXACT:
        found = as_dtype(name, found, np.dtype(np.float64))
    return compare.eq(found, arithmetic.number(value, found))


def nan_to_num(
    x: object, nan: object = 0.0, posinf: object = None, neginf: object = None
) -> Array:
    """Return x with NaN and infinities replaced by numbers."""
    value = operand("nan_to_num", x)
    dtype = operand_aval(value).dtype
    if dtype not in INEXACT:
        return elementwise.positive(value) if dtype != BOOL else logic.logical_and(value, value)
    if dtype in COMPLEX:
        parts = [
            nan_to_num(part, nan, posinf, neginf)
            for part in (arithmetic.real(value), arithmetic.imag(value))
        ]
        return arithmetic.make_complex(*parts)
    limits = ml_dtypes.finfo(dtype)
    high = limits.max if posinf is None else posinf
    low = limits.min if neginf is None else neginf
    result: Operand = value
    for mask, new in (
        (bind(rounding.isnan_p, value), nan),
        (isposinf(value), high),
        (isneginf(value), low),
    ):
        result = compare.where(mask, as_dtype("nan_to_num", new, dtype), result)
    return result  # type: ignore[return-value]  # the loop made it an array
