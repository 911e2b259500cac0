"""Ranges, evenly spaced numbers, diagonals, triangles and coordinate matrices."""

from __future__ import annotations

from operator import index
from typing import Any, Literal

import numpy as np

from ownarray._array import born
from ownarray._array.consume import once
from ownarray._core.dtypes import BOOL, FLOAT64, WEAK
from ownarray._namespace.types import (
    Array,
    DTypeLike,
    Like,
    as_shape,
    check_device,
    dtype_or,
)
from ownarray._ops import ranges, rearrange
from ownarray._ops.promote import operand
from ownarray._trace.bind import is_array


def arange(
    start: complex | np.generic,
    /,
    stop: complex | np.generic | None = None,
    step: complex | np.generic = 1,
    *,
    dtype: DTypeLike | None = None,
    device: object = None,
) -> Array:
    """Return evenly spaced numbers from start up to, not including, stop.

    Parameters
    ----------
    start : number
        The stop, if it is the only one; the range begins at 0 then.
    stop : number, optional
    step : number, default 1
    dtype : dtype, optional
        Default: that of the numbers; int64 for Python integers.
    device : None or "cpu"

    Returns
    -------
    Array of one axis; owned

    Raises
    ------
    ValueError
        If the step is 0.
    TraceError
        If a number is a traced array: the size would depend on its value.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.arange(2, 10, 3)
    Array([2, 5, 8], dtype=int64)
    """
    check_device("arange", device)
    first, last = (0, start) if stop is None else (start, stop)
    numbers = [_number("arange", v) for v in (first, last, step)]
    kind = dtype_or("arange", dtype, ranges.range_dtype(*numbers))
    size = ranges.range_size(*numbers)
    if kind == BOOL and size > 2:
        raise TypeError("arange: there are only two truth values")
    return born.in_range(numbers[0], numbers[2], size, kind)


def _number(name: str, value: Any) -> Any:
    """Return a number that is known now: of an array without axes, its value."""
    if is_array(value) or isinstance(value, np.ndarray):
        return value.item()
    if type(value) not in WEAK and not isinstance(value, np.generic):
        operand(name, value)  # raises
    return value


@once
def linspace(
    start: Like,
    stop: Like,
    /,
    num: int = 50,
    endpoint: bool = True,
    *,
    dtype: DTypeLike | None = None,
    device: object = None,
) -> Array:
    """Return evenly spaced numbers from start to stop.

    Parameters
    ----------
    start, stop : number, or Array; lent, or consumed if a handle
        Between arrays, each pair of elements has its numbers along the new first axis.
    num : int, default 50
        How many.
    dtype : dtype, optional
        Default: the float of start and stop. Numbers are rounded down to integers.
    device : None or "cpu"
    endpoint : bool, default True
        Whether stop is the last of them.

    Returns
    -------
    Array of shape (num, ...); owned

    Raises
    ------
    ValueError
        If num is negative.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linspace(0, 1, 5)
    Array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float64)
    """
    check_device("linspace", device)
    n = index(num)
    if n < 0:
        raise ValueError(f"linspace: expected a number of elements that is not negative, got {n}")
    kind = dtype_or("linspace", dtype, ranges.linspace_dtype(start, stop))
    return born.linspace(start, stop, n, kind, endpoint=endpoint)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    k: int = 0,
    dtype: DTypeLike | None = None,
    *,
    device: object = None,
) -> Array:
    """Return a matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows : int
    n_cols : int, optional
        Default: as many as rows.
    k : int, default 0
        The diagonal: above the main one if positive, below it if negative.
    dtype : dtype, default float64
    device : None or "cpu"

    Returns
    -------
    Array of shape (n_rows, n_cols); owned

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.eye(2)
    Array([[1., 0.],
           [0., 1.]], dtype=float64)
    """
    check_device("eye", device)
    rows, cols = as_shape("eye", (n_rows, n_rows if n_cols is None else n_cols))
    return born.eye(rows, cols, index(k), dtype_or("eye", dtype, FLOAT64))


def identity(n: int, /, dtype: DTypeLike | None = None) -> Array:
    """Return the identity matrix.

    Parameters
    ----------
    n : int
    dtype : dtype, default float64

    Returns
    -------
    Array of shape (n, n); owned

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.identity(2, oa.int64)
    Array([[1, 0],
           [0, 1]], dtype=int64)
    """
    return eye(n, dtype=dtype)


def tri(
    n_rows: int, n_cols: int | None = None, /, k: int = 0, dtype: DTypeLike | None = None
) -> Array:
    """Return a matrix with ones at and below a diagonal, zeros above it.

    Parameters
    ----------
    n_rows : int
    n_cols : int, optional
        Default: as many as rows.
    k : int, default 0
        The diagonal: above the main one if positive, below it if negative.
    dtype : dtype, default float64

    Returns
    -------
    Array of shape (n_rows, n_cols); owned

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.tri(2, 3, dtype=oa.int64)
    Array([[1, 0, 0],
           [1, 1, 0]], dtype=int64)
    """
    rows, cols = as_shape("tri", (n_rows, n_rows if n_cols is None else n_cols))
    return born.tri(rows, cols, index(k), dtype_or("tri", dtype, FLOAT64))


@once
def tril(x: Like, /, k: int = 0) -> Array:
    """Return matrices with zeros above a diagonal.

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle
    k : int, default 0
        The diagonal that is kept with all below it.

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    ValueError
        If x has fewer than two axes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.tril(oa.ones((2, 2)))
    Array([[1., 0.],
           [1., 1.]], dtype=float64)
    """
    return ranges.tril(x, index(k))


@once
def triu(x: Like, /, k: int = 0) -> Array:
    """Return matrices with zeros below a diagonal.

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle
    k : int, default 0
        The diagonal that is kept with all above it.

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    ValueError
        If x has fewer than two axes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.triu(oa.ones((2, 2)))
    Array([[1., 1.],
           [0., 1.]], dtype=float64)
    """
    return ranges.triu(x, index(k))


@once
def meshgrid(*arrays: Like, indexing: Literal["xy", "ij"] = "xy") -> tuple[Array, ...]:
    """Return coordinate matrices of coordinate vectors.

    Parameters
    ----------
    *arrays : Array of at most one axis; lent, or consumed if a handle
    indexing : {"xy", "ij"}, default "xy"
        Whether the first two axes are exchanged, as for plots, or stand in order.

    Returns
    -------
    tuple of Array, one for each vector, all of one shape; owned

    Raises
    ------
    ValueError
        If an array has two axes or more, or for another indexing.

    Examples
    --------
    >>> import ownarray as oa
    >>> x, y = oa.meshgrid(oa.arange(3), oa.arange(2))
    >>> x.tolist(), y.tolist()
    ([[0, 1, 2], [0, 1, 2]], [[0, 0, 0], [1, 1, 1]])
    """
    return rearrange.meshgrid(*arrays, indexing=indexing)
