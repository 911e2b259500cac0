"""NumPy's indexing: ``x[index]`` and ``x[index] = value`` for every index that NumPy takes.

An index is normalised once: ints are counted from the front and checked, slices get their bounds,
the ellipsis is written out, lists and masks become arrays of integers. What is left are the entries
of `_ops.entries` and the operands (scalars and arrays whose values may be known at run time only).
"""

from __future__ import annotations

from functools import lru_cache
from types import EllipsisType, MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ownarray._core.dtypes import BOOL, INTEGER
from ownarray._errors import TraceError
from ownarray._ops.arithmetic import add, mul
from ownarray._ops.compare import maximum, minimum, where
from ownarray._ops.entries import (
    ARRAY,
    PICK,
    Among,
    AnyEntries,
    AnyEntry,
    Entries,
    Entry,
    Mark,
    Span,
    chosen_part_shape,
    part_shape,
    whole,
)
from ownarray._ops.gather_scatter import gather, scatter
from ownarray._ops.promote import as_dtype
from ownarray._ops.slicing import put, take
from ownarray._ops.structural import reshape_to
from ownarray._trace.bind import HostArray, Operand, is_array, operand_aval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ownarray._core.aval import Shape
    from ownarray._ops.operators import Array

_WRONG: Final = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean"
    " arrays are valid indices"
)


class _Normal(NamedTuple):
    """A normalised index."""

    entries: Entries | AnyEntries
    operands: list[Operand]
    is_basic: bool


class _TracedMaskError(Exception):
    """A mask whose values are not known while tracing stands in the index."""


# One part of an index, before the axes are counted.
_Item = int | slice | EllipsisType | Operand | Mark | None


def get_item(x: Array, index: object) -> Array:
    """Return ``x[index]`` as NumPy does, in memory of its own.

    Raises
    ------
    IndexError
        For an index that is no index, that has too many parts, or is out of range.
    TraceError
        For a mask whose values are not known while tracing: the result's shape depends on them.
    """
    shape = x.aval.shape
    if type(index) is int:  # the most frequent index by far
        n = shape[0] if shape else 0
        if -n <= index < n:
            return _take_row(x, index + n if index < 0 else index)
    try:
        entries, operands, is_basic = _normalise(shape, _items(index))
    except _TracedMaskError:
        raise TraceError(
            f"x[mask] was asked of a {x.aval} array with a traced mask: the result's shape would"
            " depend on values, which a traced function does not have. Fix: use"
            " oa.where(mask, x, other), or compute the mask outside of the compiled function"
        ) from None
    if is_basic:
        return take(x, entries, *operands)  # type: ignore[arg-type]  # is_basic says so
    return gather(x, entries, *operands)  # type: ignore[arg-type]


def set_item(x: Array, index: object, value: object) -> Array:
    """Return x with ``x[index]`` replaced by a value, which is cast and broadcast as NumPy does.

    Raises
    ------
    IndexError
        As `get_item`.
    ValueError
        If the value does not broadcast to the part.
    TraceError
        For a mask whose values are not known while tracing and a value that is not the same for
        all chosen places.
    """
    new = _value(x, value)
    mask = _only_mask(x.aval.shape, index)
    if mask is not None:
        spread = _beside_mask(new, operand_aval(mask).ndim, x.aval.ndim)
        if spread is not None:
            return where(_behind(mask, x.aval.ndim), spread, x._last())
    try:
        entries, operands, is_basic = _normalise(x.aval.shape, _items(index))
    except _TracedMaskError:
        raise TraceError(
            f"x[mask] = value was asked of a {x.aval} array with a traced mask and a value of shape"
            f" {operand_aval(new).shape}: how many elements the mask chooses is not known while a"
            " function is traced. Fix: use x[:] = oa.where(mask, full_size_values, x)"
        ) from None
    if is_basic:
        new = _without_leading(new, len(part_shape(entries)))  # type: ignore[arg-type]
        return put(x._last(), new, entries, *operands)  # type: ignore[arg-type]
    return scatter(x._last(), _fit_part(new, entries, operands), entries, *operands)  # type: ignore[arg-type]


_COMBINE: Final[Mapping[str, Callable[[Operand, Operand], Array]]] = MappingProxyType(
    {"add": add, "multiply": mul, "minimum": minimum, "maximum": maximum}
)


def combine_at(x: Array, index: object, value: object, mode: str) -> Array:
    """Return x with ``x[index]`` combined with a value, each repeated place as often as it stands.

    Modes are "add", "multiply", "minimum" and "maximum", as NumPy's ``ufunc.at``.
    """
    new = _value(x, value)
    try:
        entries, operands, is_basic = _normalise(x.aval.shape, _items(index))
    except _TracedMaskError:
        raise TraceError(
            f"{mode}.at was asked of a {x.aval} array with a traced mask. Fix: use"
            " oa.where(mask, combined, x)"
        ) from None
    if not is_basic:
        new = _fit_part(new, entries, operands)  # type: ignore[arg-type]
        return scatter(x._last(), new, entries, *operands, mode=mode)  # type: ignore[arg-type]
    new = _without_leading(new, len(part_shape(entries)))  # type: ignore[arg-type]
    part = _COMBINE[mode](take(x, entries, *operands), new)  # type: ignore[arg-type]
    return put(x._last(), part, entries, *operands)  # type: ignore[arg-type]


def _take_row(x: Array, number: int) -> Array:
    if x._trace.depth:
        return take(x, (number, *map(whole, x.aval.shape[1:])))
    # Computed at once: the number is an operand, so that all rows share one plan.
    return take(x, _row(x.aval.shape), np.int64(number))


@lru_cache(maxsize=1024)
def _row(shape: Shape) -> Entries:
    return (PICK, *map(whole, shape[1:]))


# Values.


def _value(x: Array, value: object) -> Operand:
    """Return a value to be written in x's dtype."""
    if isinstance(value, list | tuple):
        value = np.asarray(value)
    return as_dtype("x[index] = value", value, x.aval.dtype)


def _without_leading(value: Operand, ndim: int) -> Operand:
    """Return a value without axes of size 1 in front that the part does not have."""
    shape = operand_aval(value).shape
    extra = len(shape) - ndim
    if extra > 0 and shape[:extra] == (1,) * extra:
        return reshape_to(value, shape[extra:])
    return value


def _fit_part(value: Operand, entries: AnyEntries, operands: Sequence[Operand]) -> Operand:
    part = chosen_part_shape(entries, [operand_aval(index).shape for index in operands])
    value = _without_leading(value, len(part))
    shape = operand_aval(value).shape
    behind = part[len(part) - len(shape) :]
    if len(shape) > len(part) or any(n not in (1, m) for n, m in zip(shape, behind, strict=True)):
        raise ValueError(
            f"shape mismatch: value array of shape {shape} could not be broadcast to indexing"
            f" result of shape {part}"
        )
    return value


# Masks.


def _only_mask(shape: Shape, index: object) -> Operand | None:
    """Return the mask of an index that is one mask over the first axes and nothing else."""
    if isinstance(index, tuple):
        if not index or not all(map(_is_whole, index[1:])):
            return None
        index = index[0]
    if not isinstance(index, np.ndarray) and not is_array(index):
        return None
    aval = operand_aval(index)
    if aval.dtype != BOOL or aval.shape != shape[: aval.ndim]:
        return None
    return index


def _is_whole(part: object) -> bool:
    return part is Ellipsis or (isinstance(part, slice) and part == slice(None))


def _beside_mask(value: Operand, n_masked: int, ndim: int) -> Operand | None:
    """Return a value that is the same for all places that a mask chooses, as it stands beside x."""
    value = _without_leading(value, 1 + ndim - n_masked)
    shape = operand_aval(value).shape
    if len(shape) <= ndim - n_masked:
        return value
    if len(shape) == 1 + ndim - n_masked and shape[0] == 1:
        return reshape_to(value, shape[1:])
    return None


def _behind(mask: Operand, ndim: int) -> Operand:
    shape = operand_aval(mask).shape
    return mask if len(shape) == ndim else reshape_to(mask, (*shape, *[1] * (ndim - len(shape))))


def _mask_values(mask: Operand) -> HostArray:
    if is_array(mask):
        try:
            return mask._read()
        except TraceError:
            raise _TracedMaskError from None
    return np.asarray(mask)


# Normalising.


def _items(index: object) -> list[_Item]:
    """Return the parts of an index, each of a known kind."""
    parts = index if type(index) is tuple else (index,)
    return [_item(part) for part in parts]


def _item(part: object) -> _Item:
    if part is None or part is Ellipsis or type(part) is int or type(part) is slice:
        return part
    if isinstance(part, bool | np.bool_):
        return Mark.TRUE if part else Mark.FALSE
    if is_array(part):
        _check_index_dtype(part.aval.dtype)
        return part
    if isinstance(part, list | tuple) and not part:
        return np.zeros(0, np.int64)
    if isinstance(part, list | tuple | np.ndarray):
        array = np.asarray(part)
        _check_index_dtype(array.dtype)
        if array.ndim == 0:
            return _item(array[()])
        return array
    try:
        return part.__index__()  # type: ignore[attr-defined, no-any-return]
    except (AttributeError, TypeError):
        raise IndexError(_WRONG) from None


def _check_index_dtype(dtype: np.dtype[np.generic]) -> None:
    if dtype not in INTEGER and dtype != BOOL:
        raise IndexError(_WRONG)


def _n_axes(item: _Item) -> int:
    """Return how many axes of the operand an item takes."""
    if item is None or item is Ellipsis or isinstance(item, Mark):
        return 0
    if isinstance(item, int | slice):
        return 1
    aval = operand_aval(item)
    return aval.ndim if aval.dtype == BOOL else 1


def _normalise(shape: Shape, items: Sequence[_Item]) -> _Normal:
    """Return the entries and operands of an index."""
    n_used = sum([_n_axes(item) for item in items])
    n_dots = sum([item is Ellipsis for item in items])
    if n_dots > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if n_used > len(shape):
        raise IndexError(
            f"too many indices for array: array is {len(shape)}-dimensional, but {n_used} were"
            " indexed"
        )
    entries: list[int | Span | Among | Mark | None] = []
    operands: list[Operand] = []
    axis = 0
    for item in [*items, *[Ellipsis] * (1 - n_dots)]:
        if item is None or isinstance(item, Mark):
            entries.append(item)
        elif item is Ellipsis:
            stop = axis + len(shape) - n_used
            entries += map(whole, shape[axis:stop]) if stop > axis else [Mark.GAP]
            axis = stop
        elif isinstance(item, int):
            entries.append(_from_front(item, axis, shape[axis]))
            axis += 1
        elif isinstance(item, slice):
            entries.append(_span(item, shape[axis]))
            axis += 1
        else:
            added, arrays = _array_entries(item, shape, axis)
            entries += added
            operands += arrays
            axis += len(arrays)
    if any(map(_is_chooser_array, items)):
        return _Normal(tuple(entries), operands, is_basic=False)
    return _Normal(
        tuple([_basic(entry) for entry in entries if entry is not Mark.GAP]),
        operands,
        is_basic=True,
    )


def _basic(entry: AnyEntry) -> Entry:
    if isinstance(entry, Among):
        return PICK
    assert not isinstance(entry, Mark)
    return entry


def _from_front(number: int, axis: int, n: int) -> int:
    if not -n <= number < n:
        raise IndexError(f"index {number} is out of bounds for axis {axis} with size {n}")
    return number + n if number < 0 else number


def _span(part: slice, n: int) -> Span:
    start, stop, step = part.indices(n)
    size = len(range(start, stop, step))
    return Span(start, step, size) if size else Span(0, 1, 0)


def _array_entries(
    item: Operand, shape: Shape, axis: int
) -> tuple[list[Among | Mark], list[Operand]]:
    """Return the entries and operands of an array in an index."""
    aval = operand_aval(item)
    if aval.dtype != BOOL:
        if isinstance(item, np.ndarray) and item.size:
            values: Any = item
            for extreme in (int(values.min()), int(values.max())):
                _from_front(extreme, axis, shape[axis])
        return [ARRAY], [item]
    for k, n in enumerate(aval.shape):
        if n != shape[axis + k]:
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + k}; size of axis is"
                f" {shape[axis + k]} but size of corresponding boolean axis is {n}"
            )
    values = _mask_values(item)
    if values.ndim == 0:
        return [Mark.TRUE if values else Mark.FALSE], []
    indices = np.nonzero(values)
    return [ARRAY] * len(indices), list(indices)


def _is_chooser_array(item: _Item) -> bool:
    """Return whether an item makes the whole index one of index arrays."""
    if item is None or isinstance(item, int | slice | EllipsisType):
        return False
    if isinstance(item, Mark):
        return item is not Mark.GAP
    aval = operand_aval(item)
    return aval.dtype == BOOL or aval.ndim > 0
