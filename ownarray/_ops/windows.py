"""Lowering of basic indexing: reads and updates of windows, at static or moving places."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from ownarray._core.aval import ShapedArray
from ownarray._core.builder import Builder, Value
from ownarray._core.dtypes import INT64, UNSIGNED
from ownarray._ops import emit
from ownarray._ops.entries import Entries, Span, Window, part_shape
from ownarray._ops.rules import cast, compare, fit, full, select

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ownarray._core.aval import Shape


class Axis(NamedTuple):
    """What an entry takes of its axis, with a positive step."""

    start: int | Value
    size: int
    step: int = 1
    backwards: bool = False
    in_range: Value | None = None
    """Where the index of a dropped axis is in range; reads give 0 and writes are dropped else."""

    @property
    def extent(self) -> int:
        """The number of elements from the first to the last."""
        return (self.size - 1) * self.step + 1 if self.size else 0


def span_axis(span: Span) -> Axis:
    """Return what a span takes of its axis."""
    if span.size == 0:
        return Axis(0, 0)
    if span.step > 0:
        return Axis(span.start, span.size, span.step)
    last = span.start + (span.size - 1) * span.step
    return Axis(last, span.size, -span.step, backwards=span.size > 1)


def read_axes(
    builder: Builder, shape: Shape, entries: Entries, picks: Sequence[Value], *, writes: bool
) -> list[Axis]:
    """Return what basic entries take of each axis."""
    numbers = iter(picks)
    sizes = iter(shape)
    return [
        _axis(builder, next(sizes), entry, numbers, writes)
        for entry in entries
        if entry is not None
    ]


def _axis(
    builder: Builder, n: int, entry: Span | Window | int, numbers: Iterator[Value], writes: bool
) -> Axis:
    if isinstance(entry, Span):
        return span_axis(entry)
    if isinstance(entry, int):
        return Axis(entry, 1)
    if not entry.drop:
        return Axis(next(numbers), entry.size)
    start, in_range = wrapped(builder, next(numbers), n)
    # XLA moves windows inside by itself; only the other rule needs the mask.
    return Axis(start, 1, in_range=in_range if writes != entry.adjoint else None)


def wrapped(builder: Builder, index: Value, n: int) -> tuple[Value, Value]:
    """Return an integer index counted from the front, and where it is in range."""
    unsigned = index.aval.dtype in UNSIGNED
    if unsigned and index.aval.dtype.itemsize == INT64.itemsize:
        # What does not fit int64 is far out of range: keep it so.
        limit = full(builder, 2**63 - 1, index)
        index = builder.op("stablehlo.minimum", [index, limit], index.aval)
    index = cast(builder, index, INT64)
    size = full(builder, n, index)
    if not unsigned:
        negative = compare(builder, index, full(builder, 0, index), "LT")
        index = select(builder, negative, emit.binary(builder, "add", index, size), index)
    low = compare(builder, index, full(builder, 0, index), "GE")
    return index, emit.binary(builder, "and", low, compare(builder, index, size, "LT"))


def _starts(builder: Builder, axes: Sequence[Axis]) -> list[Value]:
    return [
        cast(builder, axis.start, INT64)
        if isinstance(axis.start, Value)
        else emit.number(builder, axis.start)
        for axis in axes
    ]


def _at_corner(axes: Sequence[Axis]) -> list[Axis]:
    return [axis._replace(start=0, in_range=None) for axis in axes]


def read_window(builder: Builder, x: Value, axes: Sequence[Axis]) -> Value:
    """Return the part of x, no axis dropped."""
    part = x
    inner = axes
    if any(isinstance(axis.start, Value) for axis in axes):
        extents = tuple([axis.extent for axis in axes])
        part = emit.dynamic_slice(builder, x, _starts(builder, axes), extents)
        inner = _at_corner(axes)
    starts = [axis.start for axis in inner if isinstance(axis.start, int)]
    sizes = [axis.size for axis in axes]
    part = emit.static_slice(builder, part, starts, sizes, [axis.step for axis in axes])
    in_range = emit.all_of(builder, [a.in_range for a in axes if a.in_range is not None])
    if in_range is not None:
        mask = fit(builder, in_range, part.aval.shape)
        part = select(builder, mask, part, full(builder, 0, part))
    return emit.reverse(builder, part, [i for i, axis in enumerate(axes) if axis.backwards])


def place_value(builder: Builder, value: Value, part: Shape, axes: Sequence[Axis]) -> Value:
    """Return a value as it will stand in the operand: each axis there; or as a scalar."""
    if value.aval.size == 1:
        return emit.reshape(builder, value, ())
    value = fit(builder, value, part)
    value = emit.reshape(builder, value, tuple([axis.size for axis in axes]))
    return emit.reverse(builder, value, [i for i, axis in enumerate(axes) if axis.backwards])


def write_window(
    builder: Builder, x: Value, value: Value, axes: Sequence[Axis], *, in_window: bool = False
) -> Value:
    """Return x with the part replaced by a placed value.

    With ``in_window`` nothing but a window without steps is touched, however large it is.
    """
    if math.prod([axis.size for axis in axes]) == 0:
        return x
    if any(isinstance(axis.start, Value) for axis in axes):
        return _write_moving(builder, x, value, axes)
    region = tuple([axis.size for axis in axes])
    if in_window and region != x.aval.shape and all(axis.step == 1 for axis in axes):
        starts = [emit.number(builder, axis.start) for axis in axes if isinstance(axis.start, int)]
        return emit.dynamic_update(builder, x, fit(builder, value, region), starts)
    return _write_fixed(builder, x, value, axes)


def _write_moving(builder: Builder, x: Value, value: Value, axes: Sequence[Axis]) -> Value:
    """Write a window whose place is known at run time only."""
    starts = _starts(builder, axes)
    region = tuple([axis.extent for axis in axes])
    in_range = emit.all_of(builder, [a.in_range for a in axes if a.in_range is not None])
    if in_range is None and all(axis.step == 1 for axis in axes):
        return emit.dynamic_update(builder, x, fit(builder, value, region), starts)
    old = emit.dynamic_slice(builder, x, starts, region)
    new = _write_fixed(builder, old, value, _at_corner(axes))
    if in_range is not None:
        new = select(builder, fit(builder, in_range, region), new, old)
    return emit.dynamic_update(builder, x, new, starts)


# From this share of touched elements on, an update is one pass over the whole array: it is as fast
# as moving only the region, and it fuses with the computation of the new values (the form of which
# XLA's CPU compiler makes one loop; a stencil's interior update). Below, only the region is moved.
_DENSE: Final = 0.5
# Below this share of its own region a strided update writes place by place.
_SPARSE: Final = 0.125


def _write_fixed(builder: Builder, x: Value, value: Value, axes: Sequence[Axis]) -> Value:
    """Write a window at a static place."""
    shape = x.aval.shape
    sizes = tuple([axis.size for axis in axes])
    starts = [axis.start for axis in axes if isinstance(axis.start, int)]
    steps = [axis.step for axis in axes]
    if sizes == shape:
        return fit(builder, value, shape)
    region = tuple([axis.extent for axis in axes])
    if math.prod(sizes) < _SPARSE * math.prod(region):
        return _write_scattered(builder, x, fit(builder, value, sizes), axes)
    if region != shape and math.prod(sizes) < _DENSE * math.prod(shape):
        corner = [emit.number(builder, start) for start in starts]
        if sizes == region:
            return emit.dynamic_update(builder, x, fit(builder, value, region), corner)
        old = emit.static_slice(builder, x, starts, region, [1] * len(region))
        new = _write_fixed(builder, old, value, _at_corner(axes))
        return emit.dynamic_update(builder, x, new, corner)
    if value.aval.ndim == 0:
        spread = fit(builder, value, shape)
    else:
        high = [n - s - e for n, s, e in zip(shape, starts, region, strict=True)]
        spread = emit.pad(builder, value, starts, high, [step - 1 for step in steps])
    mask = emit.strided_mask(builder, shape, starts, sizes, steps)
    return spread if mask is None else select(builder, mask, spread, x)


def _write_scattered(builder: Builder, x: Value, value: Value, axes: Sequence[Axis]) -> Value:
    """Write a window whose elements lie far apart, one slice of it after another."""
    apart = [i for i, axis in enumerate(axes) if axis.step > 1]
    grid = tuple([axes[i].size for i in apart])
    placed = [i for i, axis in enumerate(axes) if axis.step > 1 or axis.start]
    columns: list[Value] = []
    for i in placed:
        start = axes[i].start
        assert isinstance(start, int)
        index = full(builder, start, ShapedArray(grid, INT64))
        if i in apart:
            steps = emit.iota(builder, index.aval, apart.index(i))
            steps = emit.binary(builder, "multiply", steps, full(builder, axes[i].step, steps))
            index = emit.binary(builder, "add", index, steps)
        columns.append(emit.reshape(builder, index, (*grid, 1)))
    starts = emit.concatenate(builder, columns, len(grid), (*grid, 0))
    windows = [i for i in range(len(axes)) if i not in apart]
    element = ShapedArray((), x.aval.dtype)
    region = builder.region([element, element], lambda _, args: [args[1]])
    return builder.op(
        "stablehlo.scatter",
        [x, starts, value],
        x.aval,
        f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {windows}, "
        f"inserted_window_dims = {apart}, scatter_dims_to_operand_dims = {placed}, "
        f"index_vector_dim = {len(grid)}>, indices_are_sorted = true, unique_indices = true",
        [region],
    )


def lower_read(
    builder: Builder, out: ShapedArray, x: Value, *picks: Value, entries: Entries
) -> Value:
    """Lowering rule of a read."""
    axes = read_axes(builder, x.aval.shape, entries, picks, writes=False)
    return emit.reshape(builder, read_window(builder, x, axes), out.shape)


def lower_write(
    builder: Builder,
    out: ShapedArray,
    x: Value,
    value: Value,
    *picks: Value,
    entries: Entries,
    in_window: bool = False,
) -> Value:
    """Lowering rule of an update."""
    axes = read_axes(builder, out.shape, entries, picks, writes=True)
    placed = place_value(builder, value, part_shape(entries), axes)
    return write_window(builder, x, placed, axes, in_window=in_window)
