"""Operations on integers: their bits (and truth values), their common divisors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BOOL, BY_NAME, INTEGER, UNSIGNED, DType
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops.convert import integer_range
from ownarray._ops.rules import (
    BatchDims,
    cast,
    compare,
    elementwise_aval,
    fit,
    full,
    lower_op,
    select,
    through_int8,
)
from ownarray._ops.structural import elementwise_batch, lower_reduce

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array
    from ownarray._trace.bind import Operand

TRUTH = ShapedArray((), BOOL)
_DISCRETE = "integers and truth values have no derivative"


def _bitwise(name: str, host: Any, lower: Any, allowed: frozenset[DType]) -> Primitive:
    def batch(args: Sequence[Operand], bdims: BatchDims) -> tuple[Array, int]:
        return elementwise_batch(primitive, args, bdims)

    primitive = Primitive(
        name=name,
        is_light=name != "gcd",
        aval=partial(elementwise_aval, name=name, allowed=allowed),
        host=through_int8(host),
        lower=lower,
        jvp=Missing(_DISCRETE),
        transpose=Missing(_DISCRETE),
        batch=batch,
    )
    return primitive


def _n_bits(dtype: DType) -> int:
    low, high = integer_range(dtype)
    return (high - low).bit_length()


def _shift_lower(builder: Builder, out: ShapedArray, x: Value, y: Value, *, left: bool) -> Value:
    """Shift by any number: beyond the width (or below zero) every bit is gone."""
    x, y = fit(builder, x, out.shape), fit(builder, y, out.shape)
    width = _n_bits(out.dtype)
    beyond = compare(builder, y, full(builder, width, y), "GE")
    signed = out.dtype not in UNSIGNED
    if signed:
        below = compare(builder, y, full(builder, 0, y), "LT")
        beyond = builder.op("stablehlo.or", [beyond, below], beyond.aval)
    safe = select(builder, beyond, full(builder, 0 if left or not signed else width - 1, y), y)
    if left:
        op = "stablehlo.shift_left"
    else:
        op = f"stablehlo.shift_right_{'arithmetic' if signed else 'logical'}"
    result = builder.op(op, [x, safe], out)
    if not left and signed:
        return result
    return select(builder, beyond, full(builder, 0, result), result)


_ANY = INTEGER | {BOOL}
and_p = _bitwise("and", np.bitwise_and, partial(lower_op, op="stablehlo.and"), _ANY)
or_p = _bitwise("or", np.bitwise_or, partial(lower_op, op="stablehlo.or"), _ANY)
xor_p = _bitwise("xor", np.bitwise_xor, partial(lower_op, op="stablehlo.xor"), _ANY)
not_p = _bitwise("not", np.bitwise_not, partial(lower_op, op="stablehlo.not"), _ANY)
shift_left_p = _bitwise("shift_left", np.left_shift, partial(_shift_lower, left=True), INTEGER)
shift_right_p = _bitwise("shift_right", np.right_shift, partial(_shift_lower, left=False), INTEGER)


def _gcd_lower(builder: Builder, out: ShapedArray, x: Value, y: Value) -> Value:
    """Write Euclid's algorithm on all elements at once, until no remainder is left."""
    size = ShapedArray(out.shape, BY_NAME[f"uint{max(_n_bits(out.dtype), 8)}"])
    values = [fit(builder, value, out.shape) for value in (x, y)]
    if out.dtype not in UNSIGNED:  # the least integer has no absolute value but as unsigned
        wide = BY_NAME[size.dtype.name[1:]]
        values = [cast(builder, value, wide) for value in values]
        values = [builder.op("stablehlo.abs", [value], value.aval) for value in values]
    values = [cast(builder, value, size.dtype) for value in values]

    def goes_on(b: Builder, args: list[Value]) -> list[Value]:
        left = compare(b, args[1], full(b, 0, size), "NE")
        axes = tuple(range(out.ndim))
        return [lower_reduce(b, TRUTH, left, axes=axes, op="stablehlo.or", start=False)]

    def step(b: Builder, args: list[Value]) -> list[Value]:
        zero = full(b, 0, size)
        done = compare(b, args[1], zero, "EQ")
        safe = select(b, done, full(b, 1, size), args[1])
        rest = b.op("stablehlo.remainder", [args[0], safe], size)
        return [select(b, done, args[0], args[1]), select(b, done, zero, rest)]

    regions = [builder.region([size, size], goes_on), builder.region([size, size], step)]
    found = builder.multi_op("stablehlo.while", values, [size, size], "", regions)[0]
    return cast(builder, found, out.dtype)


gcd_p = _bitwise("gcd", np.gcd, _gcd_lower, INTEGER)
