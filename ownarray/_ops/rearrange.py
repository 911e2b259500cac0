"""NumPy's functions that lay out, pad, repeat and cut arrays, composed of the simpler ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ownarray._core.dtypes import INT64
from ownarray._ops import shapes, structural
from ownarray._ops.assemble import concatenate, pad_with, reverse
from ownarray._ops.entries import ARRAY, AnyEntries, Span, whole
from ownarray._ops.gather_scatter import gather
from ownarray._ops.iota import iota
from ownarray._ops.known import as_array, known
from ownarray._ops.promote import as_dtype, operand
from ownarray._ops.rules import normal_axis
from ownarray._ops.slicing import take
from ownarray._ops.structural import copy, permute, reshape_to
from ownarray._trace.bind import HostArray, Operand, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array

PadWidth = SupportsIndex | Sequence[SupportsIndex] | Sequence[Sequence[SupportsIndex]]


def meshgrid(*arrays: object, indexing: str = "xy") -> tuple[Array, ...]:
    """Return coordinate matrices of coordinate vectors."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: expected indexing 'xy' or 'ij', got {indexing!r}")
    values = [operand("meshgrid", x) for x in arrays]
    for value in values:
        if operand_aval(value).ndim > 1:
            raise ValueError(f"meshgrid: expected vectors, got {operand_aval(value)}")
    places = list(range(len(values)))
    if indexing == "xy" and len(values) > 1:
        places[:2] = [1, 0]
    sizes = [operand_aval(value).size for value in values]
    shape = tuple([sizes[places.index(axis)] for axis in range(len(values))])
    results = []
    for value, place in zip(values, places, strict=True):
        wide = tuple([n if axis == place else 1 for axis, n in enumerate(shape)])
        results.append(structural.broadcast_to(reshape_to(value, wide), shape))
    return tuple(results)


# Padding.


def pad(
    x: object, pad_width: PadWidth, *, mode: str = "constant", constant_values: object = 0
) -> Array:
    """Return x with elements added around it."""
    value = operand("pad", x)
    widths = _pad_widths(pad_width, operand_aval(value).ndim)
    if mode == "constant":
        number = as_dtype("pad", constant_values, operand_aval(value).dtype)
        if operand_aval(number).ndim:
            raise ValueError(f"pad: expected one number to pad with, got {operand_aval(number)}")
        return pad_with(value, number, tuple([(low, high, 0) for low, high in widths]))
    if mode not in ("edge", "wrap", "reflect", "symmetric"):
        raise ValueError(
            f"pad: expected mode 'constant', 'edge', 'wrap', 'reflect' or 'symmetric', got {mode!r}"
        )
    for axis, (low, high) in enumerate(widths):
        if low or high:
            value = _pad_axis(value, axis, low, high, mode)
    return copy(value) if value is x else as_array(value)


def _pad_widths(pad_width: PadWidth, ndim: int) -> list[tuple[int, int]]:
    try:
        pairs = np.broadcast_to(np.asarray(pad_width), (ndim, 2))
    except ValueError:
        raise ValueError(
            f"pad: {pad_width} does not give a pair (before, after) for each of {ndim} axes"
        ) from None
    if pairs.dtype.kind not in "iu" or (pairs.size and pairs.min() < 0):
        raise ValueError(
            f"pad: expected numbers of elements that are not negative, got {pad_width}"
        )
    return [(int(low), int(high)) for low, high in pairs]


def _pad_axis(x: Operand, axis: int, low: int, high: int, mode: str) -> Array:
    """Return x with elements of its own around it along one axis."""
    n = operand_aval(x).shape[axis]
    if n == 0:
        raise ValueError(f"pad: an axis of size 0 has no element for mode {mode!r}")
    places = np.arange(-low, n + high)
    if mode == "edge":
        places = places.clip(0, n - 1)
    elif mode == "wrap":
        places %= n
    elif mode == "symmetric":
        places = np.where(places % (2 * n) < n, places % (2 * n), 2 * n - 1 - places % (2 * n))
    elif n > 1:
        period = 2 * (n - 1)
        places = np.where(places % period < n, places % period, period - places % period)
    else:
        places = np.zeros_like(places)
    return pick(x, places, axis)


def pick(x: Operand, places: Operand, axis: int) -> Array:
    """Return the parts of x at places along an axis."""
    shape = operand_aval(x).shape
    entries = tuple([ARRAY if a == axis else whole(n) for a, n in enumerate(shape)])
    return gather(x, entries, places)


# Repeats.


def repeat(x: object, repeats: object, axis: int | None = None) -> Array:
    """Return x with each element (or part along an axis) repeated."""
    value = operand("repeat", x)
    if axis is None:
        value, place = shapes.ravel(value), 0
    else:
        place = normal_axis("repeat", axis, operand_aval(value).ndim)
    shape = operand_aval(value).shape
    counts = _counts(repeats, shape[place])
    if isinstance(counts, int):
        wide = (*shape[: place + 1], 1, *shape[place + 1 :])
        full = (*shape[: place + 1], counts, *shape[place + 1 :])
        many = structural.broadcast_to(reshape_to(value, wide), full)
        return reshape_to(many, (*shape[:place], shape[place] * counts, *shape[place + 1 :]))
    return pick(value, np.repeat(np.arange(shape[place]), counts.astype(np.int64)), place)


def _counts(repeats: object, n: int) -> int | HostArray:
    """Return how often each element is repeated: values that must be known now."""
    if isinstance(repeats, list | tuple):
        repeats = np.asarray(repeats)
    counts: Any = known("repeat", repeats, "pass an int, or a NumPy array of known values")
    if counts.dtype.kind not in "iub":
        raise TypeError(f"repeat: expected integers, got repeats of {counts.dtype}")
    if counts.size and counts.min() < 0:
        raise ValueError("repeat: numbers of repeats must not be negative")
    if counts.size == 1:
        return int(counts.reshape(())[()])
    if counts.shape != (n,):
        raise ValueError(f"repeat: {counts.shape} repeats do not fit an axis of {n} elements")
    numbers: HostArray = counts
    return numbers


# Cutting and turning.


def split(
    x: object, parts: int | Sequence[int], axis: int = 0, *, name: str = "split"
) -> list[Array]:
    """Return parts of x along an axis: a number of equal ones, or cut at places."""
    value = operand(name, x)
    shape = operand_aval(value).shape
    place = normal_axis(name, axis, len(shape))
    n = shape[place]
    if isinstance(parts, SupportsIndex):
        n_parts = index(parts)
        if n_parts < 1:
            raise ValueError(f"{name}: expected at least one part, got {n_parts}")
        if name == "split" and n % n_parts:
            raise ValueError(f"split: an axis of {n} does not divide into {n_parts} equal parts")
        sizes = [n // n_parts + (i < n % n_parts) for i in range(n_parts)]
        cuts = list(np.cumsum([0, *sizes]))
    else:
        inner = [slice(None, index(cut)).indices(n)[1] for cut in parts]
        cuts = [0, *inner, n]
    results = []
    for low, high in pairwise(cuts):
        spans = [whole(m) for m in shape]
        spans[place] = Span(int(low), 1, max(int(high) - int(low), 0))
        results.append(take(value, tuple(spans)))
    return results


def rot90(x: object, k: int = 1, axes: Sequence[int] = (0, 1)) -> Array:
    """Return x turned by quarter turns in the plane of two axes."""
    value = operand("rot90", x)
    ndim = operand_aval(value).ndim
    if len(axes) != 2:
        raise ValueError(f"rot90: expected two axes, got {tuple(axes)}")
    first, second = (normal_axis("rot90", axis, ndim) for axis in axes)
    if first == second:
        raise ValueError(f"rot90: expected two different axes, got {tuple(axes)}")
    turns = k % 4
    if turns == 0:
        return copy(value)
    if turns == 2:
        return reverse(value, (first, second))
    order = list(range(ndim))
    order[first], order[second] = second, first
    if turns == 1:
        return permute(reverse(value, (second,)), tuple(order))
    return reverse(permute(value, tuple(order)), (second,))


def at_least(x: object, ndim: int) -> Array:
    """Return x with axes of size 1 added as `numpy.atleast_1d` and its kin do."""
    value = operand(f"atleast_{ndim}d", x)
    shape = operand_aval(value).shape
    missing = ndim - len(shape)
    if missing <= 0:
        return copy(value)
    wide: tuple[int, ...]
    if ndim == 3 and len(shape) == 2:
        wide = (*shape, 1)
    elif ndim == 3 and len(shape) == 1:
        wide = (1, *shape, 1)
    else:
        wide = (*[1] * missing, *shape)
    return reshape_to(value, wide)


def diagonal(x: object, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return the diagonals of the planes of two axes, as the last axis."""
    value = operand("diagonal", x)
    ndim = operand_aval(value).ndim
    if ndim < 2:
        raise ValueError(f"diagonal: expected two axes at least, got {operand_aval(value)}")
    first, second = normal_axis("diagonal", axis1, ndim), normal_axis("diagonal", axis2, ndim)
    if first == second:
        raise ValueError(f"diagonal: expected two different axes, got {axis1} and {axis2}")
    rest = [axis for axis in range(ndim) if axis not in (first, second)]
    moved = (
        value
        if [*rest, first, second] == list(range(ndim))
        else permute(value, (*rest, first, second))
    )
    *outer, n_rows, n_cols = operand_aval(moved).shape
    n = max(0, min(n_rows, n_cols - offset) if offset >= 0 else min(n_rows + offset, n_cols))
    index = np.arange(n, dtype=INT64)
    entries: AnyEntries = (*[whole(m) for m in outer], ARRAY, ARRAY)
    return gather(moved, entries, index + max(-offset, 0), index + max(offset, 0))


def diag(x: object, k: int = 0) -> Array:
    """Return the diagonal of a matrix, or a matrix with a vector on its diagonal."""
    value = operand("diag", x)
    aval = operand_aval(value)
    if aval.ndim == 2:
        return diagonal(value, k)
    if aval.ndim != 1:
        raise ValueError(f"diag: expected one axis or two, got {aval}")
    # The vector as a column, with n zeros behind it, read row by row in a matrix of n + 1 columns.
    n = aval.size + abs(k)
    column = reshape_to(value, (aval.size, 1))
    zero = as_dtype("diag", 0, aval.dtype)
    wide = pad_with(column, zero, ((0, 0, 0), (0, n, 0)))
    flat = reshape_to(wide, (aval.size * (n + 1),))
    low = max(k, 0) + max(-k, 0) * n
    return reshape_to(pad_with(flat, zero, ((low, n * n - low - flat.aval.size, 0),)), (n, n))


def append(x: object, values: object, axis: int | None = None) -> Array:
    """Return x with values behind it along an axis."""
    return shapes.concat([x, values], axis)


def stack_rows(name: str, arrays: Sequence[object], ndim: int, axis: int) -> Array:
    """Return arrays joined along an axis after each has some axes at least."""
    if not arrays:
        raise ValueError(f"{name}: expected at least one array")
    wide = [at_least_operand(x, ndim) for x in arrays]
    return shapes.concat(wide, axis)


def at_least_operand(x: object, ndim: int) -> Operand:
    """Return x itself, or reshaped so that it has some axes at least."""
    value = operand("stack", x)
    return value if operand_aval(value).ndim >= ndim else at_least(value, ndim)


def delete(x: object, places: object, axis: int | None = None) -> Array:
    """Return x without the parts at places along an axis: values that must be known now."""
    value = operand("delete", x)
    if axis is None:
        value, place = shapes.ravel(value), 0
    else:
        place = normal_axis("delete", axis, operand_aval(value).ndim)
    n = operand_aval(value).shape[place]
    if isinstance(places, list | tuple):
        places = np.asarray(places)
    gone = known("delete", places, "pass an int, or a NumPy array of known values")
    kept = np.delete(np.arange(n), gone)  # type: ignore[arg-type]  # NumPy checks it
    return pick(value, kept, place)


def insert(x: object, place: int, values: object, axis: int | None = None) -> Array:
    """Return x with values inserted before a place along an axis."""
    value = operand("insert", x)
    if axis is None:
        value, along = shapes.ravel(value), 0
    else:
        along = normal_axis("insert", axis, operand_aval(value).ndim)
    shape = operand_aval(value).shape
    at = normal_axis("insert", place, shape[along] + 1)
    new = as_dtype("insert", values, operand_aval(value).dtype)
    if operand_aval(new).ndim < len(shape):
        rest = (*shape[:along], *shape[along + 1 :])
        if axis is None and operand_aval(new).ndim <= 1:
            new = reshape_to(new, (operand_aval(new).size,))
        else:
            new = structural.broadcast_to(new, rest)
            new = reshape_to(new, (*shape[:along], 1, *shape[along + 1 :]))
    first, second = split(value, [at], along)
    return concatenate([first, new, second], along)


def hstack(arrays: Sequence[object]) -> Array:
    """Return arrays joined along the second axis, vectors along the first."""
    if not arrays:
        raise ValueError("hstack: expected at least one array")
    wide = [at_least_operand(x, 1) for x in arrays]
    return shapes.concat(wide, 0 if operand_aval(wide[0]).ndim == 1 else 1)


def column_stack(arrays: Sequence[object]) -> Array:
    """Return matrices, and vectors as columns, joined along the second axis."""
    if not arrays:
        raise ValueError("column_stack: expected at least one array")
    columns: list[Operand] = []
    for x in arrays:
        value = operand("column_stack", x)
        aval = operand_aval(value)
        columns.append(value if aval.ndim >= 2 else reshape_to(value, (aval.size, 1)))
    return shapes.concat(columns, 1)


def indices(shape: tuple[int, ...]) -> Array:
    """Return for each axis the place along it, of every element, along a new first axis."""
    if not shape:
        return structural.broadcast_to(np.int64(0), (0,))
    return shapes.stack([iota(shape, axis, INT64) for axis in range(len(shape))])
