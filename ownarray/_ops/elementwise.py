"""NumPy's element-wise functions on arrays: operands are promoted, then one primitive does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._core.dtypes import BOOL
from ownarray._ops import arithmetic, compare, transcendental
from ownarray._ops.promote import arithmetic as promoted
from ownarray._ops.promote import as_dtype, common, floating, real_default
from ownarray._ops.structural import copy
from ownarray._trace.bind import bind, operand_aval

if TYPE_CHECKING:
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array


def _binary(primitive: Primitive, name: str, x: object, y: object) -> Array:
    first, second = promoted(name, x, y)
    return bind(primitive, first, second)


def _floating(primitive: Primitive, name: str, *values: object) -> Array:
    return bind(primitive, *floating(name, *values))


def _unary(primitive: Primitive, name: str, x: object) -> Array:
    return bind(primitive, *promoted(name, x))


# Arithmetic.


def add(x: object, y: object) -> Array:
    """Return x + y; of truth values: x or y."""
    return _binary(arithmetic.add_p, "add", x, y)


def subtract(x: object, y: object) -> Array:
    """Return x - y."""
    first, second = promoted("subtract", x, y)
    if operand_aval(first).dtype == BOOL:
        raise TypeError("subtract: truth values have no difference. Fix: use logical_xor (^)")
    return bind(arithmetic.sub_p, first, second)


def multiply(x: object, y: object) -> Array:
    """Return x * y; of truth values: x and y."""
    return _binary(arithmetic.mul_p, "multiply", x, y)


def divide(x: object, y: object) -> Array:
    """Return x / y; integers are divided as float64."""
    dtype, weak = common("divide", x, y)
    kind = real_default(dtype)
    keep = weak and kind == dtype
    return bind(
        arithmetic.div_p,
        as_dtype("divide", x, kind, keep_weak=keep),
        as_dtype("divide", y, kind, keep_weak=keep),
    )


def negative(x: object) -> Array:
    """Return -x."""
    (value,) = promoted("negative", x)
    if operand_aval(value).dtype == BOOL:
        raise TypeError("negative: truth values have no negative. Fix: use logical_not (~)")
    return bind(arithmetic.neg_p, value)


def positive(x: object) -> Array:
    """Return +x: a copy."""
    (value,) = promoted("positive", x)
    if operand_aval(value).dtype == BOOL:
        raise TypeError("positive: expected numbers, got truth values")
    return copy(value)


# Functions of numbers.


def exp(x: object) -> Array:
    """Return e to the power of x."""
    return _floating(transcendental.exp_p, "exp", x)


def log(x: object) -> Array:
    """Return the natural logarithm of x."""
    return _floating(transcendental.log_p, "log", x)


def sqrt(x: object) -> Array:
    """Return the square root of x."""
    return _floating(transcendental.sqrt_p, "sqrt", x)


def tanh(x: object) -> Array:
    """Return the hyperbolic tangent of x."""
    return _floating(transcendental.tanh_p, "tanh", x)


# Comparisons.


def equal(x: object, y: object) -> Array:
    """Return where x == y."""
    return _binary(compare.eq_p, "equal", x, y)


def not_equal(x: object, y: object) -> Array:
    """Return where x != y."""
    return _binary(compare.ne_p, "not_equal", x, y)


def less(x: object, y: object) -> Array:
    """Return where x < y."""
    return _binary(compare.lt_p, "less", x, y)


def less_equal(x: object, y: object) -> Array:
    """Return where x <= y."""
    return _binary(compare.le_p, "less_equal", x, y)


def greater(x: object, y: object) -> Array:
    """Return where x > y."""
    return _binary(compare.gt_p, "greater", x, y)


def greater_equal(x: object, y: object) -> Array:
    """Return where x >= y."""
    return _binary(compare.ge_p, "greater_equal", x, y)


def maximum(x: object, y: object) -> Array:
    """Return the greater of x and y; NaN where one is NaN."""
    return _binary(compare.max_p, "maximum", x, y)


def minimum(x: object, y: object) -> Array:
    """Return the lesser of x and y; NaN where one is NaN."""
    return _binary(compare.min_p, "minimum", x, y)


def where(condition: object, x: object, y: object) -> Array:
    """Return x where the condition holds, else y."""
    first, second = promoted("where", x, y)
    return bind(compare.select_p, as_dtype("where", condition, BOOL), first, second)
