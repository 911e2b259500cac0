"""Lowering of scans: combining all elements up to each place along an axis.

Two forms. A loop over the places, in place, is best where each place holds a row of elements to
be combined at once, and for short axes: little text, one pass. A scan by halves is best along a
long contiguous axis: pairs are combined, the half as long sequence is scanned, and the places
between are filled in; twice the work, but each level is one vectorised pass. Sums by triangular
products would be faster still, but there a NaN or an infinity reaches the places before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from ownarray._core.aval import ShapedArray
from ownarray._core.builder import Builder, Value
from ownarray._core.dtypes import INT32
from ownarray._lower.types import i64_array
from ownarray._ops import emit
from ownarray._ops.rules import compare

Combine: TypeAlias = Callable[[Builder, Value, Value], Value]
"""Writes the associative combination of values that stand before with values behind."""

# Measured on two cores: a step of the loop costs about 0.1 us, a level of halves 60 ms to compile.
_WIDE_ROW: Final = 16
_SHORT: Final = 128
_UNROLLED: Final = 4
_INDEX: Final = ShapedArray((), INT32)


def scan(builder: Builder, x: Value, axis: int, combine: Combine) -> Value:
    """Return the cumulative combination along an axis."""
    shape = x.aval.shape
    n = shape[axis]
    if n < 2 or x.aval.size == 0:
        return x
    if n > _UNROLLED and (n <= _SHORT or math.prod(shape[axis + 1 :]) >= _WIDE_ROW):
        return _by_loop(builder, x, axis, combine)
    return _by_halves(builder, x, axis, combine)


def _by_loop(builder: Builder, x: Value, axis: int, combine: Combine) -> Value:
    shape = x.aval.shape
    row = ShapedArray((*shape[:axis], 1, *shape[axis + 1 :]), x.aval.dtype)

    def goes_on(b: Builder, args: list[Value]) -> Sequence[Value]:
        return [compare(b, args[0], b.constant(shape[axis], _INDEX), "LT")]

    def step(b: Builder, args: list[Value]) -> Sequence[Value]:
        place, before, values = args
        starts = [b.constant(0, _INDEX)] * len(shape)
        starts[axis] = place
        here = emit.dynamic_slice(b, values, starts, row.shape)
        total = combine(b, before, here)
        values = emit.dynamic_update(b, values, total, starts)
        after = b.op("stablehlo.add", [place, b.constant(1, _INDEX)], _INDEX)
        return [after, total, values]

    avals = [_INDEX, row, x.aval]
    regions = [builder.region(avals, goes_on), builder.region(avals, step)]
    start = [builder.constant(1, _INDEX), _part(builder, x, axis, range(1)), x]
    return builder.multi_op("stablehlo.while", start, avals, "", regions)[2]


def _by_halves(builder: Builder, x: Value, axis: int, combine: Combine) -> Value:
    n = x.aval.shape[axis]
    half = n // 2
    even = _part(builder, x, axis, range(0, 2 * half, 2))
    odd = _part(builder, x, axis, range(1, n, 2))
    ends = scan(builder, combine(builder, even, odd), axis, combine)
    starts = [_part(builder, x, axis, range(1))]
    if half > 1:
        before = _part(builder, ends, axis, range(half - 1))
        starts.append(combine(builder, before, _part(builder, even, axis, range(1, half))))
    result = _interleave(builder, _joined(builder, starts, axis), ends, axis)
    if n % 2:
        end = _part(builder, ends, axis, range(half - 1, half))
        last = combine(builder, end, _part(builder, x, axis, range(n - 1, n)))
        result = _joined(builder, [result, last], axis)
    return result


def _part(builder: Builder, x: Value, axis: int, along: range) -> Value:
    shape = x.aval.shape
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    starts[axis], limits[axis], strides[axis] = along.start, along.stop, along.step
    return builder.op(
        "stablehlo.slice",
        [x],
        ShapedArray((*shape[:axis], len(along), *shape[axis + 1 :]), x.aval.dtype),
        f"start_indices = {i64_array(starts)}, limit_indices = {i64_array(limits)}, "
        f"strides = {i64_array(strides)}",
    )


def _joined(builder: Builder, parts: Sequence[Value], axis: int) -> Value:
    if len(parts) == 1:
        return parts[0]
    shape = list(parts[0].aval.shape)
    shape[axis] = sum(part.aval.shape[axis] for part in parts)
    out = ShapedArray(tuple(shape), parts[0].aval.dtype)
    return builder.op("stablehlo.concatenate", parts, out, f"dimension = {axis} : i64")


def _interleave(builder: Builder, first: Value, second: Value, axis: int) -> Value:
    """Return the elements of both by turns; they are equally long."""
    shape = first.aval.shape
    thin = (*shape[: axis + 1], 1, *shape[axis + 1 :])
    both = [emit.reshape(builder, value, thin) for value in (first, second)]
    pairs = _joined(builder, both, axis + 1)
    return emit.reshape(builder, pairs, (*shape[:axis], 2 * shape[axis], *shape[axis + 1 :]))
