"""NumPy's statistics beyond plain reductions: without NaN, histograms, covariances."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.dtypes import COMPLEX, FLOAT64, INEXACT, INT64, INTEGER
from ownarray._errors import TraceError
from ownarray._ops import (
    accumulate,
    elementwise,
    indexing,
    logic,
    mathematical,
    matmul,
    reduction,
    searching,
)
from ownarray._ops.arithmetic import number
from ownarray._ops.compare import where
from ownarray._ops.convert import cast_to
from ownarray._ops.known import as_array, known_or_none
from ownarray._ops.promote import as_dtype, operand
from ownarray._ops.ranges import linspace
from ownarray._ops.structural import broadcast_to, copy, reshape_to
from ownarray._trace.bind import Operand, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array

Axis = int | Sequence[int] | None


# Without NaN.


def _numbers_only(name: str, x: object) -> tuple[Operand, Array | None]:
    """Return x and where it is a number; None if it cannot hold NaN."""
    value = operand(name, x)
    if operand_aval(value).dtype not in INEXACT:
        return value, None
    return value, logic.logical_not(elementwise.isnan(value))


def without_nan(name: str, x: object, axis: Axis = None, **options: Any) -> Array:
    """Return a reduction of this name ("sum", "mean", ...) of the elements that are not NaN."""
    value, mask = _numbers_only(f"nan{name}", x)
    reduce: Callable[..., Array] = getattr(reduction, name)
    if mask is None:
        return reduce(value, axis, **options)
    if name not in ("max", "min"):
        return reduce(value, axis, where=mask, **options)
    dtype = operand_aval(value).dtype
    if dtype in COMPLEX:
        raise TypeError(f"nan{name}: complex numbers have no order, got {operand_aval(value)}")
    worst = number(-math.inf if name == "max" else math.inf, value)
    result = reduce(where(mask, value, worst), axis, **options)
    found = reduction.any(mask, axis, keepdims=options.get("keepdims", False))
    return where(found, result, number(math.nan, result))


def nan_place(name: str, x: object, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """Return argmax or argmin of the elements that are not NaN."""
    value, mask = _numbers_only(f"nan{name}", x)
    find: Callable[..., Array] = getattr(reduction, name)
    if mask is None:
        return find(value, axis, keepdims=keepdims)
    found = known_or_none(reduction.all(reduction.any(mask, axis)))
    if found is not None and not found:
        raise ValueError(f"nan{name}: all elements along the axis are NaN")
    worst = number(-math.inf if name == "argmax" else math.inf, value)
    return find(where(mask, value, worst), axis, keepdims=keepdims)


def nan_accumulate(name: str, x: object, axis: int | None = None, dtype: object = None) -> Array:
    """Return cumsum or cumprod with NaN taken as the neutral element."""
    value, mask = _numbers_only(f"nan{name}", x)
    if mask is not None:
        value = where(mask, value, number(0 if name == "cumsum" else 1, value))
    walk: Callable[..., Array] = getattr(accumulate, name)
    return walk(value, axis, dtype)


def only_axis(name: str, x: object, axis: int | None) -> int:
    """Return the axis of a cumulative function, which may be left out where there is one."""
    aval = operand_aval(operand(name, x))
    if axis is not None:
        return axis
    if aval.ndim != 1:
        raise ValueError(f"{name}: expected an axis for {aval}, which has not one axis")
    return 0


def ptp(x: object, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Return the greatest less the least element over axes."""
    value = operand("ptp", x)
    return elementwise.subtract(
        reduction.max(value, axis, keepdims=keepdims), reduction.min(value, axis, keepdims=keepdims)
    )


# Counting.


def bincount(
    x: object, weights: object = None, minlength: int = 0, length: int | None = None
) -> Array:
    """Return how often each number stands in x, or the sums of its weights."""
    value = operand("bincount", x)
    aval = operand_aval(value)
    if aval.ndim != 1 or aval.dtype not in INTEGER:
        raise TypeError(f"bincount: expected integers along one axis, got {aval}")
    share = None if weights is None else as_dtype("bincount", operand("bincount", weights), FLOAT64)
    if share is not None and operand_aval(share).shape != aval.shape:
        raise ValueError(f"bincount: weights {operand_aval(share)} do not fit {aval}")
    values = known_or_none(value)
    if values is not None:
        return _bincount_now(values, share, minlength, length)
    if length is None:
        raise TraceError(
            "bincount: the length of the result depends on the values of a traced array. Fix: give"
            " it, bincount(x, length=...)"
        )
    one: Operand = np.int64(1) if share is None else share
    zeros = broadcast_to(operand_aval(one).dtype.type(0), (length,))
    return indexing.combine_at(zeros, _within(value, length), one, "add")


def _within(places: Operand, length: int) -> Array:
    """Return places, those below 0 moved beyond the end: what is written there is dropped."""
    wide = cast_to(places, INT64)
    return where(logic.less(wide, 0), np.int64(length), wide)


def _bincount_now(
    values: np.ndarray[tuple[int, ...], np.dtype[Any]],
    share: Operand | None,
    minlength: int,
    length: int | None,
) -> Array:
    if values.size and values.min() < 0:
        raise ValueError("bincount: expected numbers that are not negative")
    weights: Any = None if share is None else known_or_none(share)
    if share is not None and weights is None:
        raise TraceError("bincount: known numbers with traced weights. Fix: give length=...")
    found = np.bincount(values.astype(np.int64), weights, minlength)
    if length is not None:
        found = (
            np.resize(found, length)
            if found.size >= length
            else np.pad(found, (0, length - found.size))
        )
    return copy(found)


def histogram_edges(x: object, bins: object, span: tuple[float, float] | None) -> Array:
    """Return the edges of bins: a number of equal ones over a range, or as given."""
    if not isinstance(bins, int | np.integer):
        edges = operand("histogram", np.asarray(bins) if isinstance(bins, list | tuple) else bins)
        if operand_aval(edges).ndim != 1:
            raise ValueError(f"histogram: expected edges of one axis, got {operand_aval(edges)}")
        values = known_or_none(edges)
        if values is not None and np.any(np.greater(values[:-1], values[1:])):
            raise ValueError("histogram: the edges of bins must not fall")
        return copy(edges)
    if bins < 1:
        raise ValueError(f"histogram: expected one bin at least, got {bins}")
    value = operand("histogram", x)
    if span is not None:
        low, high = (float(end) for end in span)
        if not (math.isfinite(low) and math.isfinite(high)) or low > high:
            raise ValueError(f"histogram: {span} is no range")
        first: Operand = np.float64(low - 0.5 if low == high else low)
        last: Operand = np.float64(high + 0.5 if low == high else high)
    elif operand_aval(value).size == 0:
        first, last = np.float64(0), np.float64(1)
    else:
        first, last = (cast_to(end(value), FLOAT64) for end in (reduction.min, reduction.max))
        is_point = logic.equal(first, last)
        first = where(is_point, elementwise.subtract(first, 0.5), first)
        last = where(is_point, elementwise.add(last, 0.5), last)
    return linspace(first, last, int(bins) + 1, FLOAT64, endpoint=True)


def histogram(
    x: object,
    bins: object = 10,
    span: tuple[float, float] | None = None,
    *,
    density: bool = False,
    weights: object = None,
) -> tuple[Array, Array]:
    """Return how many elements lie in each bin, and the edges of the bins."""
    edges = histogram_edges(x, bins, span)
    value = operand("histogram", x)
    size = operand_aval(value).size
    flat = reshape_to(value, (size,))
    n_bins = edges.shape[0] - 1
    place = elementwise.subtract(searching.searchsorted(edges, flat, side="right"), 1)
    # The last bin holds its upper edge too; what lies outside goes beyond the end and is dropped.
    last = indexing.get_item(edges, n_bins)
    place = where(logic.equal(flat, last), np.int64(n_bins - 1), place)
    share: Operand = np.int64(1)
    if weights is not None:
        share = reshape_to(operand("histogram", weights), (size,))
    start = broadcast_to(operand_aval(share).dtype.type(0), (n_bins + 1,))
    inside = elementwise.clip(_within(place, n_bins), None, n_bins)
    sums = indexing.combine_at(start, inside, share, "add")
    counts = indexing.get_item(sums, slice(0, n_bins))
    if not density:
        return counts, edges
    widths = elementwise.subtract(
        indexing.get_item(edges, slice(1, None)), indexing.get_item(edges, slice(None, -1))
    )
    total = reduction.sum(counts)
    return elementwise.divide(elementwise.divide(counts, widths), total), edges


# Covariances.


def cov(x: object, *, rowvar: bool = True, correction: float = 1.0) -> Array:
    """Return the covariances of variables, which are rows (or columns)."""
    value = as_array(operand("cov", x))
    if value.ndim > 2:
        raise ValueError(f"cov: expected one axis or two, got {value.aval}")
    is_one = value.ndim < 2
    rows = reshape_to(value, (1, value.size)) if is_one else value if rowvar else value.T
    away = elementwise.subtract(rows, reduction.mean(rows, 1, keepdims=True))
    total = matmul.matmul(away, elementwise.conj(away).T)
    result = elementwise.divide(total, float(max(rows.shape[1] - correction, 0)))
    return reshape_to(result, ()) if result.size == 1 else result


def corrcoef(x: object, *, rowvar: bool = True) -> Array:
    """Return the correlations of variables, which are rows (or columns)."""
    moments = cov(x, rowvar=rowvar)
    if not moments.ndim:
        return elementwise.divide(moments, moments)
    n = moments.shape[0]
    index = np.arange(n)
    spread = mathematical.sqrt(elementwise.real(indexing.get_item(moments, (index, index))))
    by_rows = elementwise.divide(moments, reshape_to(spread, (n, 1)))
    scaled = elementwise.divide(by_rows, spread)
    return scaled if scaled.dtype in COMPLEX else elementwise.clip(scaled, -1, 1)
