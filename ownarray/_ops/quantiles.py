"""Order statistics: medians and quantiles, also of what is left without NaN."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ownarray._core.dtypes import BOOL, COMPLEX, FLOAT64, INT64, DType
from ownarray._ops import elementwise, logic, reduction, sorting
from ownarray._ops.arithmetic import add, mul, number, sub
from ownarray._ops.compare import where
from ownarray._ops.convert import cast_to, convert
from ownarray._ops.known import as_array
from ownarray._ops.promote import as_dtype, operand, real_default
from ownarray._ops.rules import normal_axes, normal_axis
from ownarray._ops.selection import take, take_along_axis
from ownarray._ops.structural import broadcast_to, permute, reshape_to
from ownarray._trace.bind import Operand, is_array, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array

Axis = int | Sequence[int] | None
METHODS: Final = ("linear", "lower", "higher", "midpoint", "nearest")


def _behind(name: str, x: Operand, axis: Axis) -> tuple[Operand, tuple[int, ...], tuple[int, ...]]:
    """Return x with reduced axes merged into one, the last; its other sizes, and the axes."""
    aval = operand_aval(x)
    axes = normal_axes(name, axis, aval.ndim)
    kept = tuple([a for a in range(aval.ndim) if a not in axes])
    order = (*kept, *axes)
    moved = x if order == tuple(range(aval.ndim)) else permute(x, order)
    sizes = tuple([aval.shape[a] for a in kept])
    n = math.prod([aval.shape[a] for a in axes])
    flat = moved if len(axes) == 1 else reshape_to(moved, (*sizes, n))
    return flat, sizes, axes


def _ordered(name: str, x: object, axis: Axis) -> tuple[Array, tuple[int, ...], tuple[int, ...]]:
    """Return x sorted along one last axis, in a float, with its other sizes and the axes."""
    value = operand(name, x)
    dtype = operand_aval(value).dtype
    if dtype in COMPLEX or dtype == BOOL:
        raise TypeError(f"{name}: expected real numbers, got {operand_aval(value)}")
    flat, sizes, axes = _behind(name, cast_to(value, real_default(dtype)), axis)
    return sorting.sort(flat), sizes, axes


def _with_axes(result: Array, ndim: int, axes: tuple[int, ...], n_front: int) -> Array:
    """Return a result with reduced axes as 1, behind the axes of the quantiles."""
    front, rest = result.shape[:n_front], list(result.shape[n_front:])
    shape = [1 if axis in axes else rest.pop(0) for axis in range(ndim)]
    return reshape_to(result, (*front, *shape))


def median(x: object, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Return the middle element in sorted order, or the mean of the middle two."""
    return quantile(x, 0.5, axis, keepdims=keepdims, name="median")


def quantile(
    x: object,
    q: object,
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
    name: str = "quantile",
) -> Array:
    """Return the values below which given parts of the elements lie; NaN if there is one."""
    ordered, _, axes = _ordered(name, x, axis)
    n = ordered.shape[-1]
    if n == 0:
        raise ValueError(f"{name}: there is no element along the axes {axes}")
    dtype = ordered.aval.dtype
    parts = _parts(name, q, method)
    place = elementwise.multiply(parts, float(n - 1))
    result = _between(ordered, place, method, dtype)
    last = take(ordered, n - 1, -1)
    result = where(elementwise.isnan(last), number(math.nan, last), result)
    if keepdims:
        ndim = operand_aval(operand(name, x)).ndim
        result = _with_axes(result, ndim, axes, operand_aval(parts).ndim)
    return result


def _parts(name: str, q: object, method: str) -> Operand:
    """Return the wanted parts as numbers from 0 to 1."""
    if method not in METHODS:
        raise ValueError(f"{name}: expected method {' or '.join(METHODS)}, got {method!r}")
    if isinstance(q, list | tuple):
        q = np.asarray(q, dtype=np.float64)
    parts = as_dtype(name, operand(name, q), FLOAT64)
    if not is_array(parts) and not np.all((parts >= 0) & (parts <= 1)):  # type: ignore[operator]
        raise ValueError(f"{name}: expected parts from 0 to 1, got {q}")
    return parts


def _between(ordered: Array, place: Operand, method: str, dtype: DType) -> Array:
    """Return the elements at places that may lie between two, along new first axes."""
    n_front = operand_aval(place).ndim
    ndim = ordered.aval.ndim - 1
    low, high = elementwise.floor(place), elementwise.ceil(place)
    if method == "lower":
        high = low
    elif method == "higher":
        low = high
    elif method == "nearest":
        low = high = elementwise.round(place)

    def at(where_: Operand) -> Array:
        index = as_array(convert(where_, INT64))
        # The places' axes come first: elements along the last axis, moved to the front.
        found = take(ordered, index, -1)
        order = (*range(ndim, ndim + n_front), *range(ndim))
        return found if order == tuple(range(ndim + n_front)) else permute(found, order)

    below = at(low)
    if method in ("lower", "higher", "nearest"):
        return below
    above = at(high)
    part: Operand = elementwise.subtract(place, low) if method == "linear" else np.float64(0.5)
    part = cast_to(part, dtype)
    if operand_aval(part).ndim:
        part = reshape_to(part, (*operand_aval(part).shape, *[1] * ndim))
    return _line(below, above, part)


def _line(below: Operand, above: Operand, part: Operand) -> Array:
    """Return the point between two values, exact at both ends, as NumPy rounds it."""
    width = sub(above, below)
    from_below = add(below, mul(width, part))
    from_above = sub(above, mul(width, sub(number(1, part), part)))
    return where(logic.greater_equal(part, 0.5), from_above, from_below)


def nanquantile(
    x: object,
    q: object,
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
    name: str = "nanquantile",
) -> Array:
    """Return quantiles of the elements that are not NaN; NaN where there is none."""
    ordered, sizes, axes = _ordered(name, x, axis)
    if not ordered.shape[-1]:  # nothing is left of nothing, too
        ordered = broadcast_to(number(math.nan, ordered), (*sizes, 1))
    parts = _parts(name, q, method)
    counts = reduction.sum(logic.logical_not(elementwise.isnan(ordered)), -1, INT64, keepdims=True)
    last = elementwise.maximum(elementwise.subtract(counts, 1), 0)
    front = operand_aval(parts).shape
    flat = reshape_to(as_array(parts), (math.prod(front),))
    # One column of the last axis for each part: NaN stand behind all numbers.
    place = elementwise.multiply(convert(last, FLOAT64), flat)
    result = _at_own_places(ordered, place, method)
    result = where(logic.equal(counts, 0), number(math.nan, result), result)
    ndim = len(sizes)
    moved = permute(result, (ndim, *range(ndim))) if ndim else result
    result = reshape_to(moved, (*front, *sizes))
    if keepdims:
        result = _with_axes(result, operand_aval(operand(name, x)).ndim, axes, len(front))
    return result


def _at_own_places(ordered: Array, place: Array, method: str) -> Array:
    """Return elements along the last axis at places that differ from row to row."""
    low, high = elementwise.floor(place), elementwise.ceil(place)
    if method in ("lower", "higher", "nearest"):
        chosen = {"lower": low, "higher": high}.get(method)
        chosen = elementwise.round(place) if chosen is None else chosen
        return take_along_axis(ordered, convert(chosen, INT64))
    below = take_along_axis(ordered, convert(low, INT64))
    above = take_along_axis(ordered, convert(high, INT64))
    dtype = ordered.aval.dtype
    if method == "midpoint":
        return _line(below, above, dtype.type(0.5))
    return _line(below, above, cast_to(elementwise.subtract(place, low), dtype))


def average(
    x: object, axis: Axis = None, weights: object = None, *, keepdims: bool = False
) -> tuple[Array, Array]:
    """Return the weighted mean over axes, and the sums of the weights."""
    value = operand("average", x)
    aval = operand_aval(value)
    axes = normal_axes("average", axis, aval.ndim)
    if weights is None:
        mean = reduction.mean(value, axis, keepdims=keepdims)
        n = math.prod([aval.shape[a] for a in axes])
        return mean, broadcast_to(mean.dtype.type(n), mean.shape)
    share = operand("average", weights)
    shape = operand_aval(share).shape
    if shape != aval.shape:
        if len(axes) != 1 or shape != (aval.shape[axes[0]],):
            raise ValueError(f"average: weights of shape {shape} do not fit {aval} over {axes}")
        along = normal_axis("average", axes[0], aval.ndim)
        share = reshape_to(share, tuple([n if a == along else 1 for a, n in enumerate(aval.shape)]))
        share = broadcast_to(share, aval.shape)
    dtype = real_default(elementwise.multiply(value, share).dtype)
    share = cast_to(share, dtype)
    total = reduction.sum(share, axes, keepdims=keepdims)
    weighted = reduction.sum(elementwise.multiply(value, share), axes, keepdims=keepdims)
    return elementwise.divide(weighted, total), total


def hundredths(q: object) -> Operand:
    """Return percentages as parts of one."""
    if isinstance(q, list | tuple):
        q = np.asarray(q, dtype=np.float64)
    value = as_dtype("percentile", operand("percentile", q), FLOAT64)
    if is_array(value):
        return elementwise.divide(value, 100.0)
    return value / np.float64(100.0)  # type: ignore[operator, no-any-return]
