"""Which part of which array a value is: what lets a lowering read the array instead of a copy."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ownarray._core.builder import Builder, Value
from ownarray._ops import emit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.aval import Shape


@dataclass(frozen=True, slots=True)
class Part:
    """A block of an array, seen in another shape and perhaps in a wider dtype.

    Attributes
    ----------
    whole : Value
    starts : tuple of int or Value
        Where the block begins on each axis of the array.
    sizes : tuple of int
        How far it goes.
    shape : tuple of int
        What the block is reshaped to.
    """

    whole: Value
    starts: tuple[int | Value, ...]
    sizes: Shape
    shape: Shape

    @property
    def values(self) -> list[Value]:
        """What a loop that reads the part has to be given; see `on`."""
        return [self.whole, *[start for start in self.starts if isinstance(start, Value)]]

    def on(self, values: Sequence[Value]) -> Part:
        """Return the part with other names for its values, in their order."""
        rest = iter(values)
        whole = next(rest)
        starts = [next(rest) if isinstance(start, Value) else start for start in self.starts]
        return replace(self, whole=whole, starts=tuple(starts))

    def rows(self, builder: Builder, axis: int, first: Value, size: int) -> Value:
        """Return a few places of an axis; the part must have been made for it."""
        mine = _same_axis(self.shape, axis, self.sizes)
        assert mine is not None
        starts = [
            start if isinstance(start, Value) else emit.number(builder, start)
            for start in self.starts
        ]
        starts[mine] = emit.binary(builder, "add", starts[mine], first)
        sizes = (*self.sizes[:mine], size, *self.sizes[mine + 1 :])
        block = emit.dynamic_slice(builder, self.whole, starts, sizes)
        return emit.reshape(builder, block, (*self.shape[:axis], size, *self.shape[axis + 1 :]))


def _whole(x: Value) -> Part:
    shape = x.aval.shape
    return Part(x, (0,) * len(shape), shape, shape)


def part_of(builder: Builder, x: Value, axis: int) -> Part:
    """Return the part that a value is, of an array where it can be cut along an axis.

    The part has the dtype of the array, whose values are those of x.
    """
    chain: list[Value] = []
    value = x
    while value.view is not None and value.view.kind != "transpose":
        chain.append(value)
        value = value.view.of
    part = _whole(value)
    for value in reversed(chain):
        part = _seen(part, value)
    mine = _same_axis(part.shape, axis, part.sizes)
    if mine is None:
        return _whole(x)
    start = part.starts[mine]
    if isinstance(start, Value):  # XLA moves the block inside, not each row of it
        room = part.whole.aval.shape[mine] - part.sizes[mine] + 1
        start = emit.clamp_index(builder, start, room)
        part = replace(part, starts=(*part.starts[:mine], start, *part.starts[mine + 1 :]))
    return part


def _seen(part: Part, value: Value) -> Part:
    """Return the part that a view of a part is."""
    view = value.view
    assert view is not None
    if view.kind == "convert":
        return part
    if view.kind == "reshape":
        return replace(part, shape=value.aval.shape)
    starts, sizes = list(part.starts), list(part.sizes)
    for axis, (n, size) in enumerate(zip(part.shape, value.aval.shape, strict=True)):
        if n == size:
            continue
        mine, start = _same_axis(part.shape, axis, part.sizes), view.numbers[axis]
        before = None if mine is None else starts[mine]
        if mine is None or not isinstance(before, int):
            return _whole(value)
        if isinstance(start, int):
            starts[mine] = before + start
        elif before == 0:
            starts[mine] = start
        else:
            return _whole(value)
        sizes[mine] = size
    return replace(part, starts=tuple(starts), sizes=tuple(sizes), shape=value.aval.shape)


def _same_axis(shape: Shape, axis: int, other: Shape) -> int | None:
    """Return the axis of another shape of as many elements that is this axis, if there is one."""
    before = math.prod(shape[:axis])
    for i, n in enumerate(other):
        if n == shape[axis] and math.prod(other[:i]) == before:
            return i
    return None


def unturned(x: Value) -> tuple[Value, list[int]]:
    """Return what a value is a transpose of, and where there each of its axes stands."""
    order = list(range(x.aval.ndim))
    while x.view is not None and x.view.kind == "transpose":
        axes = [axis for axis in x.view.numbers if isinstance(axis, int)]
        order = [axes[axis] for axis in order]
        x = x.view.of
    return x, order


def is_cut(x: Value) -> bool:
    """Return whether a value is a part of another, which nothing has turned."""
    while x.view is not None and x.view.kind != "transpose":
        if x.view.kind == "slice":
            return True
        x = x.view.of
    return False
