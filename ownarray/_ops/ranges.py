"""Values computed from their place alone: ranges, evenly spaced numbers, triangles, diagonals.

Each exists twice: written by the host into given memory, and as a composition for programs. Both
compute ``start + i * step``; a program may round once where the host rounds twice.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._core.dtypes import BOOL, COMPLEX, INT64, INTEGER, SUB_BYTE, WEAK, DType, promote
from ownarray._ops.arithmetic import add, mul
from ownarray._ops.compare import eq, ge_p
from ownarray._ops.compare import where as choose
from ownarray._ops.convert import cast_host, cast_to, convert
from ownarray._ops.iota import iota
from ownarray._ops.promote import as_dtype, common, operand
from ownarray._ops.rounding import floor_p
from ownarray._ops.structural import reshape_to
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array

_BLOCK: Final = 1 << 16
"""How many elements the host computes at once, so that temporaries stay in the cache."""


# Ranges.


def range_dtype(*numbers: Any) -> DType:
    """Return the dtype of a range between Python or NumPy numbers."""
    weak = tuple([type(v) for v in numbers if type(v) in WEAK])
    dtypes = tuple([np.dtype(type(v)) for v in numbers if isinstance(v, np.generic)])
    found = promote(dtypes, weak)
    return INT64 if found == BOOL else found


def range_size(start: Any, stop: Any, step: Any) -> int:
    """Return how many numbers a range has.

    Raises
    ------
    ValueError
        If the step is zero or the size is no number.
    """
    if step == 0:
        raise ValueError("arange: expected a step other than 0")
    size = float((stop - start) / step)
    if not math.isfinite(size):
        raise ValueError(f"arange: a range from {start} to {stop} by {step} has no size")
    if all([isinstance(v, int | np.integer) for v in (start, stop, step)]):
        return max(0, -((int(start) - int(stop)) // int(step)))
    return max(0, math.ceil(size))


def write_range(out: HostArray, start: Any, step: Any) -> None:
    """Write ``start + i * step`` into memory, block by block."""
    wide = _computed_in(out.dtype)
    first, delta = _first_and_delta(start, step, wide)
    for low in range(0, out.size, _BLOCK):
        high = min(low + _BLOCK, out.size)
        values: Any = np.arange(low, high, dtype=np.int64).astype(wide, copy=False)
        if delta != 1:
            values *= delta
        if first != 0:
            values += first
        out[low:high] = values if wide == out.dtype else cast_host(values, out.dtype)


def _computed_in(dtype: DType) -> DType:
    return np.dtype(np.float32) if dtype.kind == "V" else INT64 if dtype in SUB_BYTE else dtype


def _first_and_delta(start: Any, step: Any, dtype: DType) -> tuple[np.generic, np.generic]:
    """Return the first number and the distance to the second, as NumPy rounds them."""
    if dtype in INTEGER or dtype == BOOL:
        kind = dtype.type
        return kind(int(start)), kind(int(start + step) - int(start))
    first: Any = dtype.type(start)
    return first, dtype.type(start + step) - first


def traced_range(start: Any, step: Any, n: int, dtype: DType) -> Array:
    """Return ``start + i * step`` for n numbers, as operations."""
    wide = _computed_in(dtype)
    first, delta = _first_and_delta(start, step, wide)
    index = iota((n,), 0, wide)
    result = add(mul(index, delta), first)
    return result if wide == dtype else convert(result, dtype)


# Evenly spaced numbers.


def linspace_dtype(start: object, stop: object) -> DType:
    """Return the dtype of numbers between two: their float."""
    dtype, _ = common("linspace", start, stop, 1.0)
    return dtype


def write_linspace(out: HostArray, start: Any, stop: Any, *, endpoint: bool) -> None:
    """Write evenly spaced numbers into memory, as `numpy.linspace` rounds them."""
    n = out.size
    wide: Any = np.result_type(start, stop, np.float64(0))
    first, last = wide.type(start), wide.type(stop)
    n_steps = n - 1 if endpoint else n
    delta = last - first
    step = delta / n_steps if n_steps > 0 else wide.type(math.nan)
    for low in range(0, n, _BLOCK):
        high = min(low + _BLOCK, n)
        index = np.arange(low, high, dtype=wide)
        if n_steps > 0:
            index = index / n_steps * delta if step == 0 else index * step
        else:
            index = index * delta
        index += first
        if endpoint and n > 1 and high == n:
            index[-1] = last
        out[low:high] = _for_integers(index, out.dtype)


def _for_integers(values: HostArray, dtype: DType) -> HostArray:
    """Return numbers in a dtype; NumPy rounds down to integers here."""
    if dtype in INTEGER and values.dtype not in COMPLEX:
        values = np.floor(values)
    return cast_host(values, dtype)


def linspace(start: object, stop: object, num: int, dtype: DType, *, endpoint: bool) -> Array:
    """Return evenly spaced numbers between arrays, along a new first axis, as operations."""
    first, last = operand("linspace", start), operand("linspace", stop)
    kind = promote((operand_aval(first).dtype, operand_aval(last).dtype), (float,))
    wide = kind if kind.itemsize >= 8 else np.dtype(np.float64 if kind not in COMPLEX else "c16")
    first, last = as_dtype("linspace", first, wide), as_dtype("linspace", last, wide)
    ndim = max(operand_aval(first).ndim, operand_aval(last).ndim)
    n_steps = num - 1 if endpoint else num
    index: Operand = reshape_to(iota((num,), 0, INT64), (num, *[1] * ndim))
    part = mul(cast_to(index, wide), wide.type(1 / n_steps if n_steps > 0 else 0))
    delta = add(last, mul(first, wide.type(-1)))
    result = add(mul(part, delta), first)
    if endpoint and num > 1:
        result = choose(eq(index, np.int64(num - 1)), last, result)
    if result.aval.dtype == dtype:
        return result
    if dtype in INTEGER and wide not in COMPLEX:
        result = bind(floor_p, result)
    return convert(result, dtype)


# Triangles and diagonals.


def triangle(n_rows: int, n_cols: int, k: int) -> Array:
    """Return where a matrix's column is at most its row plus k, as truth values."""
    rows = iota((n_rows, 1), 0, INT64)
    cols = iota((1, n_cols), 1, INT64)
    return bind(ge_p, add(rows, np.int64(k)), cols)


def diagonal_mask(n_rows: int, n_cols: int, k: int) -> Array:
    """Return where a matrix's column is its row plus k, as truth values."""
    rows = iota((n_rows, 1), 0, INT64)
    cols = iota((1, n_cols), 1, INT64)
    return eq(add(rows, np.int64(k)), cols)


def write_diagonal(out: HostArray, k: int) -> None:
    """Write 1 on a diagonal of a matrix of zeros."""
    n_rows, n_cols = out.shape
    n = min(n_rows, n_cols - k) if k >= 0 else min(n_rows + k, n_cols)
    if n > 0:
        index = np.arange(n)
        out[index + max(-k, 0), index + max(k, 0)] = 1


def write_triangle(out: HostArray, k: int) -> None:
    """Write 1 at and below a diagonal of a matrix of zeros."""
    n_rows, n_cols = out.shape
    np.copyto(out, out.dtype.type(1), where=np.tri(n_rows, n_cols, k, dtype=np.bool_))


def tril(x: object, k: int = 0) -> Array:
    """Return matrices with zeros above a diagonal."""
    return _keep("tril", x, k, lower=True)


def triu(x: object, k: int = 0) -> Array:
    """Return matrices with zeros below a diagonal."""
    return _keep("triu", x, k - 1, lower=False)


def _keep(name: str, x: object, k: int, *, lower: bool) -> Array:
    value = operand(name, x)
    aval = operand_aval(value)
    if aval.ndim < 2:
        raise ValueError(f"{name}: expected two axes at least, got {aval}")
    mask = triangle(aval.shape[-2], aval.shape[-1], k)
    zero = as_dtype(name, 0, aval.dtype)
    return choose(mask, value, zero) if lower else choose(mask, zero, value)
