"""Primitives that join arrays, turn axes round and pad."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.primitive import Linear, Primitive
from ownarray._lower.types import i64_array
from ownarray._ops.arithmetic import number, sub
from ownarray._ops.compare import where
from ownarray._ops.entries import Span
from ownarray._ops.rules import BatchDims, Tangents, deliver
from ownarray._ops.slicing import take
from ownarray._ops.structural import broadcast_to, reshape_to, sum_axes, to_front
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array


# Join along an axis.


def _concatenate_aval(*avals: ShapedArray, axis: int) -> ShapedArray:
    first = avals[0]
    for other in avals[1:]:
        if other.dtype != first.dtype:
            raise TypeError(f"concatenate: expected operands of one dtype, got {first}, {other}")
    rest = {(*aval.shape[:axis], *aval.shape[axis + 1 :]) for aval in avals}
    if len(rest) != 1 or not 0 <= axis < first.ndim:
        shown = ", ".join(map(str, avals))
        raise ValueError(f"concatenate: {shown} do not fit together along axis {axis}")
    shape = list(first.shape)
    shape[axis] = sum(aval.shape[axis] for aval in avals)
    return ShapedArray(tuple(shape), first.dtype)


def _concatenate_host(*arrays: HostArray, axis: int, out: HostArray | None = None) -> HostArray:
    if out is not None and any(np.may_share_memory(x, out) for x in arrays):
        return deliver(np.concatenate(arrays, axis=axis), out)
    return np.concatenate(arrays, axis=axis, out=out)


def _concatenate_lower(builder: Builder, out: ShapedArray, *values: Value, axis: int) -> Value:
    if len(values) == 1:
        return values[0]
    return builder.op("stablehlo.concatenate", values, out, f"dimension = {axis} : i64")


def _concatenate_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Operand, *, axis: int
) -> Operand | None:
    if all(t is None for t in tangents):
        return None
    filled = [
        broadcast_to(number(0, x), operand_aval(x).shape) if t is None else t
        for x, t in zip(primals, tangents, strict=True)
    ]
    return concatenate(filled, axis)


def _concatenate_transpose(ct: Operand, *args: Operand | Linear, axis: int) -> list[Operand | None]:
    avals = [x.aval if isinstance(x, Linear) else operand_aval(x) for x in args]
    ndim = operand_aval(ct).ndim
    parts: list[Operand | None] = []
    total = operand_aval(ct).shape[axis]
    start = 0
    for x, aval in zip(args, avals, strict=True):
        end = start + aval.shape[axis]
        if isinstance(x, Linear):
            low, high = [0] * ndim, [0] * ndim
            low[axis], high[axis] = -start, end - total
            parts.append(
                pad_with(ct, number(0, ct), tuple(zip(low, high, [0] * ndim, strict=True)))
            )
        else:
            parts.append(None)
        start = end
    return parts


def _concatenate_batch(
    args: Sequence[Operand], bdims: BatchDims, *, axis: int
) -> tuple[Array, int]:
    n = next(operand_aval(x).shape[b] for x, b in zip(args, bdims, strict=True) if b is not None)
    moved = [
        broadcast_to(x, (n, *operand_aval(x).shape)) if b is None else to_front(x, b)
        for x, b in zip(args, bdims, strict=True)
    ]
    return concatenate(moved, axis + 1), 0


concatenate_p: Primitive = Primitive(
    name="concatenate",
    is_moving=True,
    aval=_concatenate_aval,
    host=_concatenate_host,
    lower=_concatenate_lower,
    jvp=_concatenate_jvp,
    transpose=_concatenate_transpose,
    batch=_concatenate_batch,
)


def concatenate(arrays: Sequence[Operand], axis: int) -> Array:
    """Apply `concatenate_p`: arrays of one dtype joined along an axis that they have."""
    return bind(concatenate_p, *arrays, axis=axis)


# Turn axes round.


def _reverse_aval(x: ShapedArray, *, axes: tuple[int, ...]) -> ShapedArray:
    if any(not 0 <= axis < x.ndim for axis in axes):
        raise ValueError(f"reverse: {x} has not all the axes {axes}")
    return x.strong()


def _reverse_host(
    x: HostArray, *, axes: tuple[int, ...], out: HostArray | None = None
) -> HostArray:
    flipped = np.flip(x, axes) if axes else x
    return flipped.copy() if out is None else deliver(flipped, out)


def _reverse_lower(builder: Builder, out: ShapedArray, x: Value, *, axes: tuple[int, ...]) -> Value:
    if not axes:
        return x
    return builder.op("stablehlo.reverse", [x], out, f"dimensions = {i64_array(axes)}")


def _reverse_batch(
    args: Sequence[Operand], bdims: BatchDims, *, axes: tuple[int, ...]
) -> tuple[Array, int]:
    bdim = bdims[0]
    assert bdim is not None
    return reverse(args[0], tuple([axis + (axis >= bdim) for axis in axes])), bdim


reverse_p: Primitive = Primitive(
    name="reverse",
    is_moving=True,
    aval=_reverse_aval,
    host=_reverse_host,
    lower=_reverse_lower,
    jvp=lambda primals, tangents, ans, *, axes: reverse(tangents[0], axes),
    transpose=lambda ct, x, *, axes: [reverse(ct, axes)],
    batch=_reverse_batch,
)


def reverse(x: Operand, axes: tuple[int, ...]) -> Array:
    """Apply `reverse_p`: x with some axes the other way round."""
    return bind(reverse_p, x, axes=axes)


# Pad: at each axis (before, after, between elements); negative numbers cut off.

Padding = tuple[tuple[int, int, int], ...]


def _padded(n: int, low: int, high: int, between: int) -> int:
    return low + n + max(n - 1, 0) * between + high


def _pad_aval(x: ShapedArray, value: ShapedArray, *, config: Padding) -> ShapedArray:
    if value.shape or value.dtype != x.dtype:
        raise TypeError(f"pad: expected a scalar of the dtype of {x} to pad with, got {value}")
    if len(config) != x.ndim or any(between < 0 for _, _, between in config):
        raise ValueError(f"pad: {config} is no padding for {x}")
    shape = tuple([_padded(n, *sizes) for n, sizes in zip(x.shape, config, strict=True)])
    if any(n < 0 for n in shape):
        raise ValueError(f"pad: {config} cuts more than there is off {x}")
    return ShapedArray(shape, x.dtype)


def _pad_host(
    x: HostArray, value: HostArray, *, config: Padding, out: HostArray | None = None
) -> HostArray:
    shape = [_padded(n, *sizes) for n, sizes in zip(x.shape, config, strict=True)]
    result = np.full(shape, value, x.dtype)
    source, target = [], []
    for n, size, (low, _, between) in zip(x.shape, shape, config, strict=True):
        step = between + 1
        first = max(0, -(low // step))  # the first element that is not cut off
        last = min(n - 1, (size - 1 - low) // step)  # ... and the last
        count = max(0, last - first + 1)
        start = low + first * step
        source.append(slice(first, first + count))
        target.append(slice(start, start + count * step, step) if count else slice(0, 0))
    result[tuple(target)] = x[tuple(source)]
    return result if out is None else deliver(result, out)


def _pad_lower(
    builder: Builder, out: ShapedArray, x: Value, value: Value, *, config: Padding
) -> Value:
    low, high, between = ([sizes[i] for sizes in config] for i in range(3))
    attrs = (
        f"edge_padding_low = {i64_array(low)}, edge_padding_high = {i64_array(high)}, "
        f"interior_padding = {i64_array(between)}"
    )
    return builder.op("stablehlo.pad", [x, value], out, attrs)


def _pad_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Operand, *, config: Padding
) -> Operand | None:
    t, t_value = tangents
    if t is None and t_value is None:
        return None
    zero = number(0, ans)
    if t is None:
        t = broadcast_to(zero, operand_aval(primals[0]).shape)
    return pad_with(t, zero if t_value is None else t_value, config)


def _pad_transpose(ct: Operand, x: Any, value: Any, *, config: Padding) -> list[Operand | None]:
    aval = x.aval if isinstance(x, Linear) else operand_aval(x)
    inner = _unpad(ct, aval.shape, config)
    ct_value: Operand | None = None
    if isinstance(value, Linear):
        every = tuple(range(aval.ndim))
        total = sum_axes(ct, every)
        ct_value = sub(total, sum_axes(inner, every))
    return [inner if isinstance(x, Linear) else None, ct_value]


def _unpad(ct: Operand, shape: Shape, config: Padding) -> Operand:
    """Return the elements of a padded array that were there before."""
    whole = pad_with(ct, number(0, ct), tuple([(-low, -high, 0) for low, high, _ in config]))
    if not any(between for _, _, between in config):
        return whole
    spans = [Span(0, between + 1, n) for n, (_, _, between) in zip(shape, config, strict=True)]
    return take(whole, tuple(spans))


def _pad_batch(args: Sequence[Operand], bdims: BatchDims, *, config: Padding) -> tuple[Array, int]:
    (x, value), (bdim, value_bdim) = args, bdims
    wide = ((0, 0, 0), *config)
    if value_bdim is None:
        return pad_with(to_front(x, bdim), value, wide), 0
    # A value for each: pad with anything, then choose.
    n = operand_aval(value).shape[0]
    front = broadcast_to(x, (n, *operand_aval(x).shape)) if bdim is None else to_front(x, bdim)
    shape = operand_aval(front).shape
    mask = pad_with(broadcast_to(np.bool_(True), shape), np.bool_(False), wide)
    values = reshape_to(value, (n, *[1] * len(config)))
    return where(mask, pad_with(front, number(0, front), wide), values), 0


pad_p: Primitive = Primitive(
    name="pad",
    is_moving=True,
    aval=_pad_aval,
    host=_pad_host,
    lower=_pad_lower,
    jvp=_pad_jvp,
    transpose=_pad_transpose,
    batch=_pad_batch,
)


def pad_with(x: Operand, value: Operand, config: Padding) -> Array:
    """Apply `pad_p`: ``config`` says for each axis how much before, after and in between."""
    return bind(pad_p, x, value, config=config)
