"""What an index says, normalised: one entry for each axis of the operand, in NumPy's order.

`_ops.indexing` makes the entries; the primitives of `_ops.slicing` and `_ops.gather_scatter` read
them. On the host they become NumPy's own index again, so that NumPy's rules hold by construction.

Note [Adjoint entries]
----------------------
An index whose value is not known while tracing may turn out to be out of range. Then a read takes
the nearest element and a write is dropped. The transpose of a read that took the nearest element
is a write to the nearest element, and the transpose of a dropped write is a read of zero. Entries
with ``adjoint`` say this second pair of rules; transposing flips it. Eagerly both are IndexErrors.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from types import EllipsisType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from ownarray._core.dtypes import INTEGER, SUB_BYTE
from ownarray._ops.rules import broadcast_shapes
from ownarray._trace.bind import HostArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.aval import Shape, ShapedArray


class Span(NamedTuple):
    """An axis of which a strided part is taken; ``step`` may be negative."""

    start: int
    step: int
    size: int


class Window(NamedTuple):
    """An axis of which a part is taken that begins where the next operand says.

    With ``drop`` the part is one element and the axis goes away: NumPy's integer index, negative
    from the end. Without it the window is moved inside where it would reach out.
    """

    size: int
    drop: bool
    adjoint: bool = False


class Among(NamedTuple):
    """An axis from which the next operand, an array of integers, chooses elements."""

    adjoint: bool = False


class Mark(Enum):
    """Entries that take no axis of the operand."""

    TRUE = "a true scalar mask: an index array of shape (1,)"
    FALSE = "a false scalar mask: an index array of shape (0,)"
    GAP = "an ellipsis for no axes, which still separates index arrays"


Entry: TypeAlias = int | Span | Window | None
"""What happens to an axis in basic indexing: an integer drops it, None is a new axis of size 1."""
Entries: TypeAlias = tuple[Entry, ...]
AnyEntry: TypeAlias = int | Span | Among | Mark | None
"""The same where arrays of integers take part; integers count as such arrays then."""
AnyEntries: TypeAlias = tuple[AnyEntry, ...]
Key: TypeAlias = tuple[int | slice | bool | EllipsisType | HostArray | None, ...]

PICK: Final = Window(1, drop=True)
ARRAY: Final = Among()


def whole(n: int) -> Span:
    """Return the entry of an axis that is kept as it is."""
    return Span(0, 1, n)


def flip(entries: Entries) -> Entries:
    """Return the entries of the transposed operation: Note [Adjoint entries]."""
    return tuple(
        [
            entry._replace(adjoint=not entry.adjoint) if isinstance(entry, Window) else entry
            for entry in entries
        ]
    )


def flip_any(entries: AnyEntries) -> AnyEntries:
    """Return the entries of the transposed operation: Note [Adjoint entries]."""
    return tuple(
        [
            entry._replace(adjoint=not entry.adjoint) if isinstance(entry, Among) else entry
            for entry in entries
        ]
    )


# Shapes of parts.


def part_shape(entries: Entries) -> Shape:
    """Return the shape of the part that basic entries take."""
    shape = []
    for entry in entries:
        if entry is None:
            shape.append(1)
        elif isinstance(entry, Span) or (isinstance(entry, Window) and not entry.drop):
            shape.append(entry.size)
    return tuple(shape)


def is_chooser(entry: AnyEntry) -> bool:
    """Return whether an entry takes part in the broadcasting of index arrays."""
    return isinstance(entry, int | Among) or entry in (Mark.TRUE, Mark.FALSE)


def chosen_position(entries: AnyEntries) -> int:
    """Return before which axis of the result the axes of the index arrays stand.

    Where the arrays stand beside each other, that is their place; else the front.
    """
    places = [i for i, entry in enumerate(entries) if is_chooser(entry)]
    first, last = places[0], places[-1]
    if len(places) != last - first + 1:
        return 0
    return sum([isinstance(entry, Span) or entry is None for entry in entries[:first]])


def chosen_shape(entries: AnyEntries, arrays: Sequence[Shape]) -> Shape:
    """Return the common shape of the index arrays.

    Raises
    ------
    IndexError
        If they do not broadcast.
    """
    shapes = [*arrays]
    shapes += [(1,) for entry in entries if entry is Mark.TRUE]
    shapes += [(0,) for entry in entries if entry is Mark.FALSE]
    try:
        return broadcast_shapes("index", shapes)
    except ValueError:
        shown = " ".join([str(shape) for shape in shapes])
        raise IndexError(
            "shape mismatch: indexing arrays could not be broadcast together with shapes " + shown
        ) from None


def chosen_part_shape(entries: AnyEntries, arrays: Sequence[Shape]) -> Shape:
    """Return the shape of the part that entries with index arrays take."""
    at = chosen_position(entries)
    return around_chosen(entries, chosen_shape(entries, arrays), at)


def around_chosen(entries: AnyEntries, chosen: Shape, at: int) -> Shape:
    """Return the axes of spans and the new axes, with those of the index arrays among them."""
    rest: list[int] = []
    for entry in entries:
        if entry is None:
            rest.append(1)
        elif isinstance(entry, Span):
            rest.append(entry.size)
    return (*rest[:at], *chosen, *rest[at:])


# Checks. The caller has normalised the entries, so these find our own mistakes.


def check_entries(
    name: str, x: ShapedArray, entries: Entries | AnyEntries, operands: Sequence[ShapedArray]
) -> None:
    """Check that entries and index operands fit an operand."""
    axes = [entry for entry in entries if not (entry is None or isinstance(entry, Mark))]
    n_open = sum([isinstance(entry, Window | Among) for entry in axes])
    if len(axes) != x.ndim or n_open != len(operands):
        raise ValueError(f"{name}: {entries} with {len(operands)} operands does not index {x}")
    for index in operands:
        if index.dtype not in INTEGER:
            raise TypeError(f"{name}: an index must be of an integer dtype, got {index}")
    for n, entry in zip(x.shape, axes, strict=True):
        if not _fits(entry, n):
            raise IndexError(f"{name}: {entry} is out of bounds for an axis of size {n} of {x}")


def _fits(entry: AnyEntry | Window, n: int) -> bool:
    if isinstance(entry, Span):
        last = entry.start + (entry.size - 1) * entry.step
        return entry.size == 0 or (0 <= entry.start < n and 0 <= last < n)
    if isinstance(entry, Window):
        return entry.size <= n
    return not isinstance(entry, int) or 0 <= entry < n


def check_value(name: str, x: ShapedArray, value: ShapedArray, part: Shape) -> None:
    """Check that a value can be written into a part of x."""
    if value.dtype != x.dtype:
        raise TypeError(f"{name}: expected a value of the dtype of {x}, got {value}")
    if value.shape == part:
        return
    try:
        fits = broadcast_shapes(name, [value.shape, part]) == part
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"could not broadcast input array from shape {value.shape} into shape {part}"
        )


# The host.


@lru_cache(maxsize=4096)
def numpy_slice(span: Span) -> slice:
    """Return a span as Python writes it."""
    if span.size == 0:
        return slice(0, 0)
    stop = span.start + span.size * span.step
    return slice(span.start, None if stop < 0 else stop, span.step)


def numpy_key(entries: Entries | AnyEntries, shape: Shape, operands: Sequence[HostArray]) -> Key:
    """Return entries as NumPy's index."""
    key: list[int | slice | bool | EllipsisType | HostArray | None] = []
    indices = iter(operands)
    axis = 0
    for entry in entries:
        if entry is None or isinstance(entry, Mark):
            key.append(_MARKS[entry])
            continue
        if isinstance(entry, Span):
            key.append(numpy_slice(entry))
        elif isinstance(entry, Among):
            index = next(indices)
            key.append(index.astype(np.int64) if index.dtype in SUB_BYTE else index)
        elif isinstance(entry, Window):
            number = int(next(indices)[()])
            if not entry.drop:
                number = min(max(number, 0), shape[axis] - entry.size)
            key.append(number if entry.drop else slice(number, number + entry.size))
        else:
            key.append(entry)
        axis += 1
    return tuple(key)


_MARKS: Final[dict[Mark | None, bool | EllipsisType | None]] = {
    None: None,
    Mark.TRUE: True,
    Mark.FALSE: False,
    Mark.GAP: ...,
}


def own_memory(x: HostArray, out: HostArray | None) -> HostArray:
    """Return the memory in which x is updated, holding x's values."""
    if out is None:
        return np.array(x)
    if out is not x and not np.may_share_memory(out, x):
        out[...] = x
    return out


def apart(value: HostArray, out: HostArray | None) -> HostArray:
    """Return an operand that survives writes to ``out``."""
    if out is not None and np.may_share_memory(value, out):
        return np.array(value)
    return value
