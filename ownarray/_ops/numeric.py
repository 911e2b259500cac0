"""NumPy's lesser element-wise functions, composed of the primitives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np

from ownarray._core.dtypes import BOOL, COMPLEX, FLOAT64, INEXACT
from ownarray._ops import arithmetic, compare, elementwise, logic, reduction, rounding
from ownarray._ops.promote import arithmetic as promoted
from ownarray._ops.promote import as_dtype, floating, operand
from ownarray._ops.structural import broadcast_to
from ownarray._trace.bind import Operand, bind, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array


def _real_floats(name: str, *values: object) -> list[Operand]:
    found = floating(name, *values)
    aval = operand_aval(found[0])
    if aval.dtype in COMPLEX:
        raise TypeError(f"{name}: expected real numbers, got {aval}")
    return found


def rint(x: object) -> Array:
    """Return the nearest integer in the float of x; halves go to the even one."""
    (value,) = floating("rint", x)
    if operand_aval(value).dtype in COMPLEX:
        return elementwise.round(value)
    return bind(rounding.round_p, value)


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


def nan_to_num(x: object, nan: object = 0.0, posinf: object = None, neginf: object = None) -> Array:
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
    limits = ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]
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


def isclose(
    x: object, y: object, rtol: float = 1e-05, atol: float = 1e-08, *, equal_nan: bool = False
) -> Array:
    """Return where x and y differ by no more than ``atol + rtol * abs(y)``."""
    first, second = promoted("isclose", x, y)
    if operand_aval(first).dtype not in INEXACT:
        first, second = (as_dtype("isclose", v, FLOAT64) for v in (first, second))
    distance = elementwise.abs(arithmetic.sub(first, second))
    size = elementwise.abs(second)
    bound = elementwise.add(elementwise.multiply(size, rtol), atol)
    near = logic.logical_and(logic.less_equal(distance, bound), elementwise.isfinite(second))
    near = logic.logical_or(near, compare.eq(first, second))
    if equal_nan:
        both = logic.logical_and(elementwise.isnan(first), elementwise.isnan(second))
        near = logic.logical_or(near, both)
    return near


def allclose(
    x: object, y: object, rtol: float = 1e-05, atol: float = 1e-08, *, equal_nan: bool = False
) -> Array:
    """Return whether all elements are close, as one truth value."""
    return reduction.all(isclose(x, y, rtol, atol, equal_nan=equal_nan))


def array_equal(x: object, y: object, *, equal_nan: bool = False) -> Array:
    """Return whether two arrays have the same shape and elements, as one truth value."""
    first, second = operand("array_equal", x), operand("array_equal", y)
    if operand_aval(first).shape != operand_aval(second).shape:
        return broadcast_to(np.bool_(0), ())
    same = logic.equal(first, second)
    if equal_nan:
        both = logic.logical_and(elementwise.isnan(first), elementwise.isnan(second))
        same = logic.logical_or(same, both)
    return reduction.all(same)


def array_equiv(x: object, y: object) -> Array:
    """Return whether two arrays are equal once they are broadcast, as one truth value."""
    first, second = operand("array_equiv", x), operand("array_equiv", y)
    try:
        np.broadcast_shapes(operand_aval(first).shape, operand_aval(second).shape)
    except ValueError:
        return broadcast_to(np.bool_(0), ())
    return reduction.all(logic.equal(first, second))


def iscomplex(x: object) -> Array:
    """Return where the imaginary part is not zero."""
    value = operand("iscomplex", x)
    return logic.not_equal(elementwise.imag(value), 0)


def isreal(x: object) -> Array:
    """Return where the imaginary part is zero."""
    value = operand("isreal", x)
    return logic.equal(elementwise.imag(value), 0)
