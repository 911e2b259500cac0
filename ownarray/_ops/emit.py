"""StableHLO operations on shapes that several lowering rules write: no rule of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.builder import View
from ownarray._core.dtypes import BOOL, INT32, INT64, DType
from ownarray._lower.types import i64_array
from ownarray._ops.rules import compare, full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value


def reshape(builder: Builder, x: Value, shape: Shape) -> Value:
    """Return x in another shape."""
    if x.aval.shape == shape:
        return x
    result = builder.op("stablehlo.reshape", [x], ShapedArray(shape, x.aval.dtype))
    return replace(result, view=View("reshape", x))


def transpose(builder: Builder, x: Value, axes: Sequence[int]) -> Value:
    """Return x with its axes in another order."""
    if list(axes) == list(range(len(axes))):
        return x
    shape = tuple([x.aval.shape[axis] for axis in axes])
    result = builder.op(
        "stablehlo.transpose",
        [x],
        ShapedArray(shape, x.aval.dtype),
        f"permutation = {i64_array(list(axes))}",
    )
    return replace(result, view=View("transpose", x, tuple(axes)))


def reverse(builder: Builder, x: Value, axes: Sequence[int]) -> Value:
    """Return x with some axes the other way round."""
    if not axes:
        return x
    return builder.op("stablehlo.reverse", [x], x.aval, f"dimensions = {i64_array(list(axes))}")


def iota(builder: Builder, aval: ShapedArray, axis: int) -> Value:
    """Return the index along an axis, at each place."""
    return builder.op("stablehlo.iota", [], aval, f"iota_dimension = {axis} : i64")


def static_slice(
    builder: Builder, x: Value, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]
) -> Value:
    """Return the part of x that begins at ``starts``, with positive steps."""
    shape = tuple(sizes)
    if shape == x.aval.shape:
        return x
    limits = [
        start + (n - 1) * step + 1 if n else start
        for start, n, step in zip(starts, sizes, steps, strict=True)
    ]
    result = builder.op(
        "stablehlo.slice",
        [x],
        ShapedArray(shape, x.aval.dtype),
        f"start_indices = {i64_array(list(starts))}, limit_indices = {i64_array(limits)}, "
        f"strides = {i64_array(list(steps))}",
    )
    is_dense = all(step == 1 for step in steps)
    return replace(result, view=View("slice", x, tuple(starts))) if is_dense else result


def dynamic_slice(builder: Builder, x: Value, starts: Sequence[Value], sizes: Shape) -> Value:
    """Return a window of x; XLA moves it inside where it would reach out."""
    if not sizes:
        return x
    result = builder.op(
        "stablehlo.dynamic_slice",
        [x, *starts],
        ShapedArray(sizes, x.aval.dtype),
        f"slice_sizes = {i64_array(sizes)}",
    )
    return replace(result, view=View("slice", x, tuple(starts)))


def dynamic_update(builder: Builder, x: Value, part: Value, starts: Sequence[Value]) -> Value:
    """Return x with a window replaced."""
    if part.aval.shape == x.aval.shape:
        return part
    return builder.op("stablehlo.dynamic_update_slice", [x, part, *starts], x.aval)


def pad(
    builder: Builder, x: Value, low: Sequence[int], high: Sequence[int], interior: Sequence[int]
) -> Value:
    """Return x with zeros around it and between its elements."""
    shape = tuple(
        [
            a + n + b + max(n - 1, 0) * c
            for a, n, b, c in zip(low, x.aval.shape, high, interior, strict=True)
        ]
    )
    zero = builder.constant(0, ShapedArray((), x.aval.dtype))
    return builder.op(
        "stablehlo.pad",
        [x, zero],
        ShapedArray(shape, x.aval.dtype),
        f"edge_padding_low = {i64_array(list(low))}, edge_padding_high = {i64_array(list(high))}, "
        f"interior_padding = {i64_array(list(interior))}",
    )


def number(builder: Builder, value: int, dtype: DType = INT64) -> Value:
    """Return an integer constant."""
    return builder.constant(value, ShapedArray((), dtype))


def binary(builder: Builder, name: str, x: Value, y: Value) -> Value:
    """Write ``stablehlo.<name>`` of two values of one shape and dtype."""
    return builder.op(f"stablehlo.{name}", [x, y], x.aval)


def all_of(builder: Builder, masks: Sequence[Value]) -> Value | None:
    """Return where all masks hold; None if there are none."""
    result: Value | None = None
    for mask in masks:
        result = mask if result is None else binary(builder, "and", result, mask)
    return result


def strided_mask(
    builder: Builder,
    shape: Shape,
    starts: Sequence[int],
    sizes: Sequence[int],
    steps: Sequence[int],
) -> Value | None:
    """Return which places of an array a strided window covers; None if it covers all."""
    masks: list[Value] = []
    for axis, (n, start, size, step) in enumerate(zip(shape, starts, sizes, steps, strict=True)):
        if size == n:
            continue
        index = iota(builder, ShapedArray(shape, INT32 if n < 2**31 else INT64), axis)
        last = start + (size - 1) * step
        if start > 0:
            masks.append(compare(builder, index, full(builder, start, index), "GE"))
        if last < n - 1:
            masks.append(compare(builder, index, full(builder, last, index), "LE"))
        if step > 1:
            phase = binary(builder, "remainder", index, full(builder, step, index))
            masks.append(compare(builder, phase, full(builder, start % step, index), "EQ"))
    return all_of(builder, masks)


def reduce(builder: Builder, x: Value, axes: Sequence[int], name: str, start: object) -> Value:
    """Reduce axes with ``stablehlo.<name>``."""
    return reduce_several(builder, [x], axes, name, start)[0] if axes else x


def reduce_several(
    builder: Builder, values: Sequence[Value], axes: Sequence[int], name: str, start: object
) -> list[Value]:
    """Reduce axes of several values of one shape and dtype in one operation."""
    n, aval = len(values), values[0].aval
    scalar = ShapedArray((), aval.dtype)
    out = ShapedArray(tuple([m for i, m in enumerate(aval.shape) if i not in axes]), aval.dtype)

    def combine(b: Builder, args: list[Value]) -> Sequence[Value]:
        return [binary(b, name, *pair) for pair in zip(args[:n], args[n:], strict=True)]

    region = builder.region([scalar] * (2 * n), combine)
    initial = builder.constant(start, scalar)
    attrs = f"dimensions = {i64_array(list(axes))}"
    operands = [*values, *[initial for _ in values]]
    return builder.multi_op("stablehlo.reduce", operands, [out] * n, attrs, [region])


def all_true(builder: Builder, mask: Value, axes: Sequence[int]) -> Value:
    """Return whether a mask holds everywhere along some axes."""
    assert mask.aval.dtype == BOOL
    return reduce(builder, mask, axes, "and", True)


def concatenate(builder: Builder, parts: Sequence[Value], axis: int, empty: Shape) -> Value:
    """Return parts behind each other; without parts, an array of a shape without elements."""
    if not parts:
        return builder.constant(0, ShapedArray(empty, INT64))
    if len(parts) == 1:
        return parts[0]
    shape = list(parts[0].aval.shape)
    shape[axis] = sum([part.aval.shape[axis] for part in parts])
    return builder.op(
        "stablehlo.concatenate",
        parts,
        ShapedArray(tuple(shape), parts[0].aval.dtype),
        f"dimension = {axis} : i64",
    )


def clamp_index(builder: Builder, index: Value, n: int) -> Value:
    """Return an index moved into ``[0, n)``."""
    low, high = (number(builder, value, index.aval.dtype) for value in (0, max(n - 1, 0)))
    return builder.op("stablehlo.clamp", [low, index, high], index.aval)


def place(builder: Builder, x: Value, shape: Shape, axes: Sequence[int]) -> Value:
    """Return x repeated in a shape, its axes at given places."""
    return builder.op(
        "stablehlo.broadcast_in_dim",
        [x],
        ShapedArray(shape, x.aval.dtype),
        f"broadcast_dimensions = {i64_array(list(axes))}",
    )


def any_true(builder: Builder, mask: Value) -> Value:
    """Return whether a mask holds anywhere."""
    return reduce(builder, mask, range(mask.aval.ndim), "or", start=False)


def conjugate(builder: Builder, x: Value) -> Value:
    """Return complex numbers with the other sign of their imaginary parts."""
    part = ShapedArray(x.aval.shape, np.dtype(f"f{x.aval.dtype.itemsize // 2}"))
    real, imaginary = (builder.op(f"stablehlo.{name}", [x], part) for name in ("real", "imag"))
    imaginary = builder.op("stablehlo.negate", [imaginary], part)
    return builder.op("stablehlo.complex", [real, imaginary], x.aval)
