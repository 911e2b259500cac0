"""NumPy's functions that look elements up by place or by value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import BOOL, FLOAT64, INEXACT, INTEGER
from ownarray._ops import elementwise, indexing, logic, searching, shapes, sorting
from ownarray._ops.arithmetic import add, div, mul, number, sub
from ownarray._ops.compare import where
from ownarray._ops.convert import convert
from ownarray._ops.iota import iota
from ownarray._ops.known import as_array, known, known_or_none
from ownarray._ops.promote import arithmetic, as_dtype, operand
from ownarray._ops.rules import normal_axis
from ownarray._ops.structural import broadcast_to, copy
from ownarray._trace.bind import Operand, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array

_INT64 = np.dtype(np.int64)
_WHERE = "use oa.where(condition, x, other), which keeps the shape"


# By place.


def _places(name: str, indices: object) -> Operand:
    """Return index arrays, lists included; they must be integers."""
    if isinstance(indices, list | tuple):
        indices = np.asarray(indices, dtype=np.int64 if not len(indices) else None)
    value = operand(name, indices)
    aval = operand_aval(value)
    if aval.dtype not in INTEGER:
        raise TypeError(f"{name}: expected integers as indices, got {aval}")
    return value


def take(x: object, indices: object, axis: int | None = None) -> Array:
    """Return the parts of x at places along an axis; None flattens x first."""
    value: Operand = operand("take", x)
    places = _places("take", indices)
    if axis is None:
        value, place = shapes.ravel(value), 0
    else:
        place = normal_axis("take", axis, operand_aval(value).ndim)
    index = (*[slice(None)] * place, _as_index(places))
    return indexing.get_item(as_array(value), index)


def _as_index(places: Operand) -> object:
    return places.item() if isinstance(places, np.generic) else places


def _along_axis(name: str, x: Operand, indices: Operand, axis: int) -> tuple[Operand, ...]:
    """Return index arrays that go along every other axis."""
    have, wanted = operand_aval(x), operand_aval(indices)
    if have.ndim != wanted.ndim or not have.ndim:
        raise ValueError(f"{name}: {wanted} indices do not go with {have}: as many axes are wanted")
    place = normal_axis(name, axis, have.ndim)
    index: list[Operand] = []
    for a, n in enumerate(have.shape):
        if a == place:
            index.append(indices)
            continue
        if wanted.shape[a] not in (1, n) and n != 1:
            raise ValueError(f"{name}: {wanted} indices do not broadcast along axis {a} of {have}")
        sizes = tuple([n if b == a else 1 for b in range(have.ndim)])
        index.append(iota(sizes, a, _INT64))
    return tuple(index)


def take_along_axis(x: object, indices: object, axis: int = -1) -> Array:
    """Return for each index the element there along an axis, other axes matched."""
    value = operand("take_along_axis", x)
    index = _along_axis("take_along_axis", value, _places("take_along_axis", indices), axis)
    return indexing.get_item(as_array(value), index)


def put_along_axis(x: object, indices: object, values: object, axis: int = -1) -> Array:
    """Return x with the elements at indices along an axis replaced."""
    value = operand("put_along_axis", x)
    index = _along_axis("put_along_axis", value, _places("put_along_axis", indices), axis)
    return indexing.set_item(as_array(value), index, values)


# By value.


def nonzero(x: object) -> tuple[Array, ...]:
    """Return the places of elements that are not zero, one array for each axis."""
    values = known("nonzero", x, _WHERE)
    if not values.ndim:
        raise ValueError("nonzero: expected an array of one axis at least, got a scalar")
    return tuple([copy(places) for places in np.nonzero(values)])


def argwhere(x: object) -> Array:
    """Return the places of elements that are not zero, one row for each."""
    return copy(np.argwhere(known("argwhere", x, _WHERE)))


def flatnonzero(x: object) -> Array:
    """Return the places, in row-major order, of elements that are not zero."""
    return copy(np.flatnonzero(known("flatnonzero", x, _WHERE)))


def compress(condition: object, x: object, axis: int | None = None) -> Array:
    """Return the parts of x along an axis where a condition holds."""
    mask = known("compress", condition, _WHERE)
    if mask.ndim != 1:
        raise ValueError(f"compress: expected a condition of one axis, got shape {mask.shape}")
    return take(x, np.flatnonzero(mask), axis)


def extract(condition: object, x: object) -> Array:
    """Return the elements of x where a condition holds, in row-major order."""
    mask = known("extract", condition, _WHERE)
    return take(x, np.flatnonzero(mask), None)


def isin(x: object, test: object, *, invert: bool = False) -> Array:
    """Return where elements of x are among those of another array."""
    value, others = arithmetic("isin", x, test)
    flat = shapes.ravel(others)
    n = flat.aval.size
    if n == 0:
        return broadcast_to(np.bool_(invert), operand_aval(value).shape)
    ordered = sorting.sort(flat)
    places = elementwise.clip(searching.searchsorted(ordered, value), 0, n - 1)
    found = logic.equal(take(ordered, places, 0), value)
    return logic.logical_not(found) if invert else found


def digitize(x: object, bins: object, *, right: bool = False) -> Array:
    """Return between which of the bins' edges each element lies."""
    edges = operand("digitize", bins)
    if operand_aval(edges).ndim != 1:
        raise ValueError(f"digitize: expected edges of one axis, got {operand_aval(edges)}")
    values = known_or_none(edges)
    falls = values is not None and values.size > 1 and bool(values[0] > values[-1])
    if not falls:
        return searching.searchsorted(edges, x, side="left" if right else "right")
    rising = shapes.flip(edges)
    found = searching.searchsorted(rising, x, side="right" if right else "left")
    return sub(np.int64(operand_aval(edges).size), found)


def interp(x: object, xp: object, fp: object, left: object = None, right: object = None) -> Array:
    """Return values between known points by straight lines; ends are kept beyond them."""
    values = operand("interp", fp)
    dtype = operand_aval(values).dtype
    kind = dtype if dtype in INEXACT else FLOAT64
    at, known_x = (as_dtype("interp", v, FLOAT64) for v in (x, xp))
    known_y = as_dtype("interp", values, kind)
    n = operand_aval(known_x).size
    if operand_aval(known_x).shape != (n,) or operand_aval(known_y).shape != (n,) or not n:
        raise ValueError(
            f"interp: expected points of one axis and one size, got {operand_aval(known_x)} and"
            f" {operand_aval(known_y)}"
        )
    first, last = take(known_y, 0, 0), take(known_y, n - 1, 0)
    low, high = take(known_x, 0, 0), take(known_x, n - 1, 0)
    if n == 1:
        result: Operand = broadcast_to(first, operand_aval(at).shape)
    else:
        place = elementwise.clip(searching.searchsorted(known_x, at, side="right"), 1, n - 1)
        before = sub(place, np.int64(1))
        x0, x1 = take(known_x, before, 0), take(known_x, place, 0)
        y0, y1 = take(known_y, before, 0), take(known_y, place, 0)
        slope = div(sub(y1, y0), convert(sub(x1, x0), kind))
        result = add(mul(slope, convert(sub(at, x0), kind)), y0)
    below = first if left is None else as_dtype("interp", left, kind)
    above = last if right is None else as_dtype("interp", right, kind)
    result = where(logic.less(at, low), below, result)
    result = where(logic.greater(at, high), above, result)
    # At the last point itself the line would round.
    result = where(logic.equal(at, high), last, result)
    return where(elementwise.isnan(at), number(float("nan"), result), result)


def select(conditions: list[object], choices: list[object], default: object = 0) -> Array:
    """Return, element by element, the choice of the first condition that holds."""
    if len(conditions) != len(choices) or not conditions:
        raise ValueError(
            f"select: expected as many conditions as choices, got {len(conditions)} and"
            f" {len(choices)}"
        )
    *values, result = arithmetic("select", *choices, default)
    for condition, value in zip(conditions[::-1], values[::-1], strict=True):
        result = where(as_dtype("select", condition, BOOL), value, result)
    return as_array(result)


def unravel_index(indices: object, shape: tuple[int, ...]) -> tuple[Array, ...]:
    """Return the places along each axis of places in row-major order."""
    rest: Operand = as_dtype("unravel_index", _places("unravel_index", indices), _INT64)
    results: list[Array] = []
    for n in shape[::-1]:
        results.append(elementwise.remainder(rest, np.int64(n)))
        rest = elementwise.floor_divide(rest, np.int64(n))
    return tuple(results[::-1])
