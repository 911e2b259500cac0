"""NumPy's comparisons, logic and bit operations on arrays: promotion, then one primitive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._core.dtypes import BOOL, BY_NAME, INEXACT, INTEGER
from ownarray._ops import bits, compare
from ownarray._ops.arithmetic import mul_p
from ownarray._ops.promote import arithmetic as promoted
from ownarray._ops.promote import as_dtype, operand, pair
from ownarray._ops.rounding import abs_p, floor_divide_p, isnan_p
from ownarray._trace.bind import bind, operand_aval

if TYPE_CHECKING:
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array
    from ownarray._trace.bind import Operand


_INT8 = BY_NAME["int8"]


def _binary(primitive: Primitive, name: str, x: object, y: object) -> Array:
    first, second = pair(name, x, y)
    return bind(primitive, first, second)


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


# Logic.


def _truth(name: str, *values: object) -> list[Operand]:
    return [as_dtype(name, operand(name, value), BOOL) for value in values]


def logical_and(x: object, y: object) -> Array:
    """Return where both are not zero."""
    return bind(bits.and_p, *_truth("logical_and", x, y))


def logical_or(x: object, y: object) -> Array:
    """Return where one is not zero."""
    return bind(bits.or_p, *_truth("logical_or", x, y))


def logical_xor(x: object, y: object) -> Array:
    """Return where exactly one is not zero."""
    return bind(bits.xor_p, *_truth("logical_xor", x, y))


def logical_not(x: object) -> Array:
    """Return where x is zero."""
    return bind(bits.not_p, *_truth("logical_not", x))


# Bits.


def _bits(name: str, *values: object, shift: bool = False) -> list[Operand]:
    found = promoted(name, *values)
    dtype = operand_aval(found[0]).dtype
    if dtype in INEXACT:
        raise TypeError(f"{name}: expected integers or truth values, got {operand_aval(found[0])}")
    if shift and dtype == BOOL:
        return [as_dtype(name, value, _INT8) for value in found]
    return found


def bitwise_and(x: object, y: object) -> Array:
    """Return the bits that are set in both."""
    return bind(bits.and_p, *_bits("bitwise_and", x, y))


def bitwise_or(x: object, y: object) -> Array:
    """Return the bits that are set in one."""
    return bind(bits.or_p, *_bits("bitwise_or", x, y))


def bitwise_xor(x: object, y: object) -> Array:
    """Return the bits that are set in exactly one."""
    return bind(bits.xor_p, *_bits("bitwise_xor", x, y))


def bitwise_invert(x: object) -> Array:
    """Return the bits the other way round."""
    return bind(bits.not_p, *_bits("bitwise_invert", x))


def bitwise_left_shift(x: object, y: object) -> Array:
    """Return x with its bits moved to the higher side."""
    return bind(bits.shift_left_p, *_bits("bitwise_left_shift", x, y, shift=True))


def bitwise_right_shift(x: object, y: object) -> Array:
    """Return x with its bits moved to the lower side; the sign stays."""
    return bind(bits.shift_right_p, *_bits("bitwise_right_shift", x, y, shift=True))


# Common divisors.


def gcd(x: object, y: object) -> Array:
    """Return the greatest common divisor, never negative."""
    return bind(bits.gcd_p, *_integers("gcd", x, y))


def lcm(x: object, y: object) -> Array:
    """Return the least common multiple, never negative; 0 if one is 0."""
    first, second = _integers("lcm", x, y)
    divisor = bind(bits.gcd_p, first, second)
    product = bind(mul_p, bind(floor_divide_p, first, divisor), second)
    return bind(abs_p, product)


def _integers(name: str, *values: object) -> list[Operand]:
    found = promoted(name, *values)
    if operand_aval(found[0]).dtype not in INTEGER:
        raise TypeError(f"{name}: expected integers, got {operand_aval(found[0])}")
    return found


# Extrema that leave NaN out.


def fmax(x: object, y: object) -> Array:
    """Return the greater of x and y; the other one where one is NaN."""
    first, second = promoted("fmax", x, y)
    return _number_of(first, second, bind(compare.max_p, first, second))


def fmin(x: object, y: object) -> Array:
    """Return the lesser of x and y; the other one where one is NaN."""
    first, second = promoted("fmin", x, y)
    return _number_of(first, second, bind(compare.min_p, first, second))


def _number_of(x: Operand, y: Operand, extremum: Array) -> Array:
    if extremum.dtype not in INEXACT:
        return extremum
    best = compare.where(bind(isnan_p, y), x, extremum)
    return compare.where(bind(isnan_p, x), y, best)
