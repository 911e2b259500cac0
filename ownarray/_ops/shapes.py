"""NumPy's functions that rearrange arrays; each result is memory of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Final, SupportsIndex

import numpy as np

from ownarray._core.dtypes import INT64
from ownarray._ops import structural
from ownarray._ops.arithmetic import number
from ownarray._ops.assemble import concatenate as joined
from ownarray._ops.assemble import pad_with, reverse
from ownarray._ops.compare import lt, where
from ownarray._ops.entries import Span, whole
from ownarray._ops.iota import iota
from ownarray._ops.promote import arithmetic, operand
from ownarray._ops.rules import broadcast_shapes, normal_axes, normal_axis
from ownarray._ops.slicing import take
from ownarray._ops.structural import copy, permute, reshape_to
from ownarray._trace.bind import Operand, open_trace, operand_aval

if TYPE_CHECKING:
    from ownarray._core.aval import Shape
    from ownarray._ops.operators import Array

ShapeLike = SupportsIndex | Sequence[SupportsIndex]

_FUSED_SIZE: Final = 1 << 12
"""The size from which memory and time count more than the number of steps in a program."""


def shape_of(shape: ShapeLike) -> Shape:
    """Return a shape given as a number or a sequence."""
    # The two frequent forms first: asking for a protocol takes longer than small arithmetic.
    if type(shape) is int:
        return (shape,)
    if type(shape) is not tuple and isinstance(shape, SupportsIndex):
        return (index(shape),)
    return tuple([index(n) for n in shape])


def reshape(x: object, shape: ShapeLike) -> Array:
    """Return the elements in row-major order in another shape; one size may be -1."""
    value = operand("reshape", x)
    aval = operand_aval(value)
    try:
        wanted = shape_of(shape)
    except TypeError:
        raise TypeError(f"reshape: expected a shape (an int or ints), got {shape!r}") from None
    unknown = [axis for axis, n in enumerate(wanted) if n < 0]
    if unknown:
        rest = math.prod([n for n in wanted if n >= 0])
        if len(unknown) > 1 or wanted[unknown[0]] != -1 or rest == 0 or aval.size % rest:
            raise ValueError(f"reshape: cannot make shape {wanted} of {aval}")
        wanted = tuple([aval.size // rest if n == -1 else n for n in wanted])
    return reshape_to(value, wanted)


def ravel(x: object) -> Array:
    """Return the elements in row-major order along one axis."""
    return reshape(x, -1)


def transpose(x: object, axes: Sequence[SupportsIndex] | None = None) -> Array:
    """Return x with its axes reversed, or in the order given."""
    value = operand("transpose", x)
    ndim = operand_aval(value).ndim
    if axes is None:
        return permute(value, tuple(range(ndim))[::-1])
    if len(axes) != ndim:
        raise ValueError(f"transpose: axes {tuple(axes)} do not match {operand_aval(value)}")
    return permute(value, normal_axes("transpose", tuple([index(a) for a in axes]), ndim))


def matrix_transpose(x: object) -> Array:
    """Return x with its last two axes exchanged."""
    value = operand("matrix_transpose", x)
    if operand_aval(value).ndim < 2:
        raise ValueError(f"matrix_transpose: expected two axes at least, got {operand_aval(value)}")
    return swapaxes(value, -1, -2)


def swapaxes(x: object, first: int, second: int) -> Array:
    """Return x with two axes exchanged."""
    value = operand("swapaxes", x)
    order = list(range(operand_aval(value).ndim))
    a = normal_axis("swapaxes", first, len(order))
    b = normal_axis("swapaxes", second, len(order))
    order[a], order[b] = b, a
    return permute(value, tuple(order))


def moveaxis(x: object, source: int | Sequence[int], destination: int | Sequence[int]) -> Array:
    """Return x with some axes moved to other places, the others kept in order."""
    value = operand("moveaxis", x)
    ndim = operand_aval(value).ndim
    origin = normal_axes("moveaxis", source, ndim)
    target = normal_axes("moveaxis", destination, ndim)
    if len(origin) != len(target):
        raise ValueError(f"moveaxis: {source} and {destination} name different numbers of axes")
    order = [axis for axis in range(ndim) if axis not in origin]
    for place, axis in sorted(zip(target, origin, strict=True)):
        order.insert(place, axis)
    return permute(value, tuple(order))


def squeeze(x: object, axis: int | Sequence[int] | None = None) -> Array:
    """Return x without axes of size 1: all of them, or those given."""
    value = operand("squeeze", x)
    aval = operand_aval(value)
    if axis is None:
        axes = tuple([a for a, n in enumerate(aval.shape) if n == 1])
    else:
        axes = normal_axes("squeeze", axis, aval.ndim)
    if any(aval.shape[a] != 1 for a in axes):
        raise ValueError(f"squeeze: the axes {axes} of {aval} are not all of size 1")
    return reshape_to(value, tuple([n for a, n in enumerate(aval.shape) if a not in axes]))


def expand_dims(x: object, axis: int | Sequence[int] = 0) -> Array:
    """Return x with axes of size 1 inserted at these places of the result."""
    value = operand("expand_dims", x)
    aval = operand_aval(value)
    n_new = len(axis) if isinstance(axis, tuple | list) else 1
    axes = normal_axes("expand_dims", axis, aval.ndim + n_new)
    sizes = iter(aval.shape)
    shape = [1 if a in axes else next(sizes) for a in range(aval.ndim + n_new)]
    return reshape_to(value, tuple(shape))


def broadcast_to(x: object, shape: ShapeLike) -> Array:
    """Return x repeated along axes of size 1 and new ones in front, as NumPy broadcasts."""
    value = operand("broadcast_to", x)
    wanted = shape_of(shape)
    if broadcast_shapes("broadcast_to", [operand_aval(value).shape, wanted]) != wanted:
        raise ValueError(f"broadcast_to: {operand_aval(value)} does not broadcast to {wanted}")
    return structural.broadcast_to(value, wanted)


def broadcast_arrays(*arrays: object) -> tuple[Array, ...]:
    """Return arrays of one shape."""
    values = [operand("broadcast_arrays", x) for x in arrays]
    if not values:
        return ()
    shape = broadcast_shapes("broadcast_arrays", [operand_aval(v).shape for v in values])
    return tuple([structural.broadcast_to(value, shape) for value in values])


def concat(arrays: Sequence[object], axis: int | None = 0) -> Array:
    """Return arrays joined along an axis; None flattens them first."""
    if not arrays:
        raise ValueError("concat: expected at least one array")
    values = arithmetic("concat", *arrays)
    if axis is None:
        return joined([ravel(value) for value in values], 0)
    avals = [operand_aval(value) for value in values]
    if not all(aval.ndim for aval in avals):
        raise ValueError("concat: scalars have no axis to be joined along; use stack")
    return joined(values, normal_axis("concat", axis, avals[0].ndim))


def stack(arrays: Sequence[object], axis: int = 0) -> Array:
    """Return arrays of one shape side by side, along a new axis."""
    if not arrays:
        raise ValueError("stack: expected at least one array")
    values = arithmetic("stack", *arrays)
    shape = operand_aval(values[0]).shape
    for value in values:
        if operand_aval(value).shape != shape:
            raise ValueError(f"stack: expected one shape, got {shape} and {operand_aval(value)}")
    place = normal_axis("stack", axis, len(shape) + 1)
    wide = (*shape[:place], 1, *shape[place:])
    return joined([reshape_to(value, wide) for value in values], place)


def unstack(x: object, axis: int = 0) -> tuple[Array, ...]:
    """Return the parts of x along an axis, without that axis."""
    value = operand("unstack", x)
    shape = operand_aval(value).shape
    place = normal_axis("unstack", axis, len(shape))
    return tuple(
        [
            take(value, tuple([i if a == place else whole(n) for a, n in enumerate(shape)]))
            for i in range(shape[place])
        ]
    )


def flip(x: object, axis: int | Sequence[int] | None = None) -> Array:
    """Return x with axes the other way round; None means all."""
    value = operand("flip", x)
    return reverse(value, normal_axes("flip", axis, operand_aval(value).ndim))


def roll(x: object, shift: int | Sequence[int], axis: int | Sequence[int] | None = None) -> Array:
    """Return x with elements moved along axes; those that leave come back at the other end."""
    value = operand("roll", x)
    shape = operand_aval(value).shape
    if axis is None:
        return reshape_to(roll(ravel(value), shift, 0), shape)
    places, shifts = _each(axis), [_whole(each, shift) for each in _each(shift)]
    n_moves = max(len(places), len(shifts))
    if len(places) not in (1, n_moves) or len(shifts) not in (1, n_moves):
        raise ValueError(f"roll: {shift} and {axis} name different numbers of axes")
    result: Operand = value
    for i in range(n_moves):
        place = normal_axis("roll", places[i % len(places)], len(shape))
        result = _roll_one(result, shifts[i % len(shifts)], place)
    return copy(result) if result is value else result  # type: ignore[return-value]


def _each(numbers: int | Sequence[int]) -> list[int]:
    """Return the numbers of a sequence or an array, or the one that is given."""
    has_axis = getattr(numbers, "ndim", isinstance(numbers, Sequence))
    return list(numbers) if has_axis else [numbers]  # type: ignore[arg-type, list-item]


def _whole(number: object, shift: object) -> int:
    try:
        return index(number)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"roll: expected an int or ints as shift, got {shift!r}") from None


def _roll_one(x: Operand, shift: int, axis: int) -> Operand:
    shape = operand_aval(x).shape
    n = shape[axis]
    if n == 0 or shift % n == 0:
        return x
    cut = n - shift % n

    def part(start: int, size: int) -> Array:
        spans = [whole(m) for m in shape]
        spans[axis] = Span(start, 1, size)
        return take(x, tuple(spans))

    tail, head = part(cut, n - cut), part(0, cut)
    if operand_aval(x).size < _FUSED_SIZE or open_trace() is None:
        return joined([tail, head], axis)
    # XLA fuses this with what is computed from it; joined parts it first writes into memory.
    before, behind = [(0, 0, 0)] * len(shape), [(0, 0, 0)] * len(shape)
    before[axis], behind[axis] = (n - cut, 0, 0), (0, cut, 0)
    zero = number(0, x)
    is_tail = lt(iota(shape, axis, INT64), number(n - cut, np.int64(0)))
    return where(is_tail, pad_with(tail, zero, tuple(behind)), pad_with(head, zero, tuple(before)))


def tile(x: object, repetitions: ShapeLike) -> Array:
    """Return x repeated as a whole along axes."""
    value = operand("tile", x)
    times = shape_of(repetitions)
    shape = operand_aval(value).shape
    ndim = max(len(times), len(shape))
    times = (*[1] * (ndim - len(times)), *times)
    shape = (*[1] * (ndim - len(shape)), *shape)
    pairs = reshape_to(value, tuple([m for n in shape for m in (1, n)]))
    wide = tuple([m for n, k in zip(shape, times, strict=True) for m in (k, n)])
    repeated = structural.broadcast_to(pairs, wide)
    return reshape_to(repeated, tuple([n * k for n, k in zip(shape, times, strict=True)]))
