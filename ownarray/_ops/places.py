"""Lowering of indexing by arrays of integers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.dtypes import BOOL
from ownarray._lower.types import i64_array
from ownarray._ops import emit
from ownarray._ops.entries import (
    Among,
    AnyEntries,
    Span,
    around_chosen,
    chosen_position,
    chosen_shape,
)
from ownarray._ops.rules import fit, full, select
from ownarray._ops.windows import Axis, place_value, read_window, span_axis, wrapped, write_window

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.builder import Builder, Value


class _Places(NamedTuple):
    """Where windows stand in an operand.

    Attributes
    ----------
    starts : Value
        Of shape ``(*chosen, n)``: for each window its start along ``axes``.
    axes : list of int
        The axes that have a start.
    dropped : list of int
        The axes of which a window is one element thick, which go away.
    sizes : list of int
        The windows' sizes.
    in_range : Value or None
        Which indices are in range, where the rule asks.
    """

    starts: Value
    axes: list[int]
    dropped: list[int]
    sizes: list[int]
    chosen: Shape
    in_range: Value | None


def _axis_entries(entries: AnyEntries) -> list[int | Span | Among]:
    return [entry for entry in entries if isinstance(entry, int | Span | Among)]


def _strided(entries: AnyEntries) -> bool:
    return any(isinstance(entry, Span) and entry.step != 1 for entry in entries)


def _places(
    builder: Builder, shape: Shape, entries: AnyEntries, indices: Sequence[Value], *, writes: bool
) -> _Places:
    chosen = chosen_shape(entries, [index.aval.shape for index in indices])
    column = (*chosen, 1)
    numbers = iter(indices)
    columns: list[Value] = []
    axes: list[int] = []
    dropped: list[int] = []
    sizes: list[int] = []
    masks: list[Value] = []
    for axis, (n, entry) in enumerate(zip(shape, _axis_entries(entries), strict=True)):
        start: Value | None = None
        if isinstance(entry, Among):
            start, in_range = wrapped(builder, next(numbers), n)
            if writes and entry.adjoint:  # a write to the nearest element
                start = emit.clamp_index(builder, start, n)
            elif not writes and entry.adjoint:  # a read of zero
                masks.append(fit(builder, in_range, chosen))
        elif isinstance(entry, int):
            start = emit.number(builder, entry)
        elif entry.start:
            start = emit.number(builder, entry.start)
        sizes.append(entry.size if isinstance(entry, Span) else 1)
        if not isinstance(entry, Span):
            dropped.append(axis)
        if start is not None:
            axes.append(axis)
            columns.append(emit.reshape(builder, fit(builder, start, chosen), column))
    starts = emit.concatenate(builder, columns, len(chosen), (*chosen, 0))
    return _Places(starts, axes, dropped, sizes, chosen, emit.all_of(builder, masks))


def _inner(entries: AnyEntries) -> AnyEntries:
    """Return the entries that are left once the spans have been taken."""
    return tuple(
        [Span(0, 1, entry.size) if isinstance(entry, Span) else entry for entry in entries]
    )


def _span_axes(shape: Shape, entries: AnyEntries) -> list[Axis]:
    return [
        span_axis(entry) if isinstance(entry, Span) else Axis(0, n)
        for n, entry in zip(shape, _axis_entries(entries), strict=True)
    ]


def _without_new_axes(entries: AnyEntries, chosen: Shape) -> Shape:
    """Return the shape of the part before new axes are put in."""
    kept = tuple([entry for entry in entries if entry is not None])
    return around_chosen(kept, chosen, _position(entries))


def _position(entries: AnyEntries) -> int:
    """Return how many axes of spans stand before the axes of the index arrays."""
    at = chosen_position(entries)
    basic = [entry for entry in entries if isinstance(entry, Span) or entry is None]
    return sum([isinstance(entry, Span) for entry in basic[:at]])


def lower_gather(
    builder: Builder, out: ShapedArray, x: Value, *indices: Value, entries: AnyEntries
) -> Value:
    """Lowering rule of a read."""
    if out.size == 0:
        return full(builder, 0, out)
    if _strided(entries):
        x = read_window(builder, x, _span_axes(x.aval.shape, entries))
        entries = _inner(entries)
    places = _places(builder, x.aval.shape, entries, indices, writes=False)
    shape = _without_new_axes(entries, places.chosen)
    at, ndim = _position(entries), len(places.chosen)
    windows = [axis for axis in range(len(shape)) if not at <= axis < at + ndim]
    part = builder.op(
        "stablehlo.gather",
        [x, places.starts],
        ShapedArray(shape, out.dtype),
        f"dimension_numbers = #stablehlo.gather<offset_dims = {windows}, "
        f"collapsed_slice_dims = {places.dropped}, start_index_map = {places.axes}, "
        f"index_vector_dim = {ndim}>, slice_sizes = {i64_array(places.sizes)}, "
        "indices_are_sorted = false",
    )
    if places.in_range is not None:
        mask = emit.place(builder, places.in_range, shape, range(at, at + ndim))
        part = select(builder, mask, part, full(builder, 0, part))
    return emit.reshape(builder, part, out.shape)


def _combine(mode: str, is_bool: bool) -> Callable[[Builder, list[Value]], Sequence[Value]]:
    def body(builder: Builder, values: list[Value]) -> Sequence[Value]:
        old, new = values
        if mode == "set":
            return [new]
        name = {"add": "or", "multiply": "and"}.get(mode, mode) if is_bool else mode
        return [emit.binary(builder, name, old, new)]

    return body


def lower_scatter(
    builder: Builder,
    out: ShapedArray,
    x: Value,
    value: Value,
    *indices: Value,
    entries: AnyEntries,
    mode: str,
) -> Value:
    """Lowering rule of a write or a combination."""
    chosen = chosen_shape(entries, [index.aval.shape for index in indices])
    shape = _without_new_axes(entries, chosen)
    if math.prod(shape) == 0:
        return x
    if _strided(entries):
        return _scatter_strided(builder, x, value, indices, entries=entries, mode=mode)
    places = _places(builder, x.aval.shape, entries, indices, writes=True)
    at, ndim = _position(entries), len(chosen)
    windows = [axis for axis in range(len(shape)) if not at <= axis < at + ndim]
    element = ShapedArray((), x.aval.dtype)
    region = builder.region([element, element], _combine(mode, x.aval.dtype == BOOL))
    updates = emit.reshape(
        builder,
        fit(builder, value, around_chosen(entries, chosen, chosen_position(entries))),
        shape,
    )
    return builder.op(
        "stablehlo.scatter",
        [x, places.starts, updates],
        x.aval,
        f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {windows}, "
        f"inserted_window_dims = {places.dropped}, "
        f"scatter_dims_to_operand_dims = {places.axes}, index_vector_dim = {ndim}>, "
        "indices_are_sorted = false, unique_indices = false",
        [region],
    )


def _scatter_strided(
    builder: Builder,
    x: Value,
    value: Value,
    indices: Sequence[Value],
    *,
    entries: AnyEntries,
    mode: str,
) -> Value:
    """Scatter into a strided part, and put that back."""
    axes = _span_axes(x.aval.shape, entries)
    part = read_window(builder, x, axes)
    inner = _inner(entries)
    part = lower_scatter(builder, part.aval, part, value, *indices, entries=inner, mode=mode)
    return write_window(builder, x, place_value(builder, part, part.aval.shape, axes), axes)
