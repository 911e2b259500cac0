"""Whole numbers below a bound: Lemire's multiplication, drawn again where it would be biased.

References
----------
.. [1] Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.primitive import Primitive
from ownarray._ops import emit
from ownarray._ops.philox import (
    CHUNK,
    NO_DERIVATIVE,
    UINT64,
    batch_shape,
    draw_host,
    generator_at,
    lower_words,
    multiply_wide,
    to_front_together,
)
from ownarray._ops.rules import BatchDims, broadcast_shapes, compare, deliver, fit, full, select
from ownarray._ops.structural import broadcast_to, reshape_to, to_front
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array


def _below_aval(
    key: ShapedArray, counter: ShapedArray, bound: ShapedArray, *, shape: Shape
) -> ShapedArray:
    attempt = ShapedArray((), UINT64)
    batch = batch_shape(key, counter, attempt)
    if bound.dtype != UINT64:
        raise TypeError(f"random_below: expected bounds of u64, got {bound}")
    whole = (*batch, *shape)
    if broadcast_shapes("random_below", [bound.shape, whole]) != whole:
        raise ValueError(f"random_below: bounds {bound} do not fit into shape {whole}")
    return ShapedArray(whole, UINT64)


def _multiply_wide_host(x: Any, y: Any) -> tuple[Any, Any]:
    half, low_mask = np.uint64(32), np.uint64(2**32 - 1)
    x_low, x_high = x & low_mask, x >> half
    y_low, y_high = y & low_mask, y >> half
    first, second = x_low * y_high, x_high * y_low
    carry = ((x_low * y_low) >> half) + (first & low_mask) + (second & low_mask)
    return x_high * y_high + (first >> half) + (second >> half) + (carry >> half), x * y


def _below_host(
    key: HostArray,
    counter: HostArray,
    bound: HostArray,
    *,
    shape: Shape,
    out: HostArray | None = None,
) -> HostArray:
    count: Any = np.add(bound, np.uint64(1))  # 0 stands for 2**64: every word will do
    least = np.where(count == 0, np.uint64(0), -count % np.where(count == 0, np.uint64(1), count))
    attempt = np.uint64(0)
    if np.ndim(key) == 1 and np.ndim(counter) == 0 and np.ndim(count) == 0 and 0 < count <= _SMALL:
        memory = np.empty(shape, np.uint64) if out is None else out
        bits = generator_at(key, (counter, 0, 0, 0)).bits
        result, refused = memory, _below_small(bits, count, least, memory)
    else:
        words: Any = draw_host(key, counter, np.asarray(attempt), shape, 0)
        high, low = _multiply_wide_host(words, count)
        result, refused = np.where(count == 0, words, high), low < least
    while refused.any():
        attempt += np.uint64(1)
        words = draw_host(key, counter, np.asarray(attempt), shape, 0)
        high, low = _multiply_wide_host(words, count)
        result = np.where(refused, high, result)
        refused &= low < least
    return deliver(result, out)


_SMALL: Final = 2**32


def _below_small(bits: np.random.Philox, count: Any, least: Any, out: HostArray) -> Any:
    """Write high words of products with a count of 32 bits; return which low ones are refused."""
    half, low_mask = np.uint64(32), np.uint64(2**32 - 1)
    flat: Any = out.reshape(-1)
    refused = np.zeros(out.size, np.bool_)
    for start in range(0, flat.size, CHUNK):
        high: Any = flat[start : start + CHUNK]
        words: Any = bits.random_raw(high.size)
        np.right_shift(words, half, out=high)
        high *= count
        low = words & low_mask
        low *= count
        low >>= half
        high += low
        high >>= half
        if least:
            words *= count
            np.less(words, least, out=refused[start : start + CHUNK])
    return refused.reshape(out.shape)


def _below_lower(builder: Builder, out: ShapedArray, *values: Value, shape: Shape) -> Value:
    key, counter, bound = values
    batch = out.shape[: out.ndim - len(shape)]
    one = full(builder, 1, bound)
    count = emit.binary(builder, "add", bound, one)
    is_all = compare(builder, count, full(builder, 0, count), "EQ")
    safe = select(builder, is_all, one, count)
    negated = builder.op("stablehlo.negate", [count], count.aval)
    least = emit.binary(builder, "remainder", negated, safe)
    least = fit(builder, select(builder, is_all, full(builder, 0, count), least), out.shape)
    count, is_all = fit(builder, count, out.shape), fit(builder, is_all, out.shape)

    def draw(b: Builder, attempt: Value) -> tuple[Value, Value]:
        words = lower_words(b, batch, [key, counter, attempt], shape, 0)
        high, low = multiply_wide(b, words, count)
        return select(b, is_all, words, high), compare(b, low, least, "LT")

    def again(b: Builder, args: list[Value]) -> list[Value]:
        attempt, result, refused = args
        attempt = emit.binary(b, "add", attempt, emit.number(b, 1, UINT64))
        drawn, still = draw(b, attempt)
        result = select(b, refused, drawn, result)
        return [attempt, result, emit.binary(b, "and", refused, still)]

    def goes_on(b: Builder, args: list[Value]) -> list[Value]:
        return [emit.any_true(b, args[2])]

    result, refused = draw(builder, emit.number(builder, 0, UINT64))
    state = [emit.number(builder, 0, UINT64), result, refused]
    avals = [value.aval for value in state]
    regions = [builder.region(avals, goes_on), builder.region(avals, again)]
    return builder.multi_op("stablehlo.while", state, avals, "", regions)[1]


def _below_batch(args: Sequence[Operand], bdims: BatchDims, *, shape: Shape) -> tuple[Array, int]:
    key, counter = to_front_together(args[:2], bdims[:2], (1, 0))
    bound, bdim = args[2], bdims[2]
    if bdim is not None:
        bound = to_front(bound, bdim)
        n, *rest = operand_aval(bound).shape
        bound = reshape_to(bound, (n, *[1] * (len(shape) - len(rest)), *rest))
    if bdims[0] is None and bdims[1] is None:  # one key for all: the words are drawn anew for each
        n = operand_aval(bound).shape[0]
        key = broadcast_to(key, (n, *operand_aval(key).shape))
    return bind(random_below_p, key, counter, bound, shape=shape), 0


random_below_p = Primitive(
    name="random_below",
    prefers_host=True,
    aval=_below_aval,
    host=_below_host,
    lower=_below_lower,
    jvp=NO_DERIVATIVE,
    transpose=NO_DERIVATIVE,
    batch=_below_batch,
)


def draw_below(key: Operand, counter: Operand, bound: Operand, shape: Shape) -> Array:
    """Apply `random_below_p`: whole numbers from 0 to ``bound``, both included."""
    return bind(random_below_p, key, counter, bound, shape=shape)
