"""Weighted means, counts in bins, covariances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import quantiles, statistics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, Axis, Like


@often
def average(
    x: Like,
    /,
    axis: Axis = None,
    weights: Like | None = None,
    *,
    keepdims: bool = False,
) -> Array:
    """Return the mean of elements, each counted by its weight.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    weights : Array, optional; lent, or consumed if a handle
        Of the shape of x, or of the size of the axis.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of the shape of x without the reduced axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the weights do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.average(oa.asarray([1.0, 4.0]), weights=oa.asarray([2.0, 1.0])).tolist()
    2.0
    """
    return quantiles.average(x, axis, weights, keepdims=keepdims)[0]


@often
def ptp(x: Like, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Return the greatest less the least element.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of the shape of x without the reduced axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.
    ValueError
        If there is no element to reduce.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ptp(oa.asarray([3, 1, 4])).tolist()
    3
    """
    return statistics.ptp(x, axis, keepdims=keepdims)


@often
def bincount(
    x: Like,
    /,
    weights: Like | None = None,
    minlength: int = 0,
    *,
    length: int | None = None,
) -> Array:
    """Return how often each number stands in an array, or the sums of its weights.

    Parameters
    ----------
    x : Array of int, of one axis, not negative; lent, or consumed if a handle
    weights : Array of the size of x, optional; lent, or consumed if a handle
    minlength : int, default 0
    length : int, optional
        The size of the result, for use inside a trace; greater numbers are not counted.

    Returns
    -------
    Array of int64, or float64 with weights, of one axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If a number is negative, or the weights do not fit.
    TraceError
        If x is traced and no length is given.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.bincount(oa.asarray([0, 2, 2])).tolist()
    [1, 0, 2]
    """
    return statistics.bincount(x, weights, minlength, length)


@often
def histogram(
    x: Like,
    /,
    bins: int | Like | Sequence[float] = 10,
    range: tuple[float, float] | None = None,
    density: bool = False,
    weights: Like | None = None,
) -> tuple[Array, Array]:
    """Return how many elements lie in each bin, and the edges of the bins.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    bins : int, or sequence or Array of numbers, default 10
        How many equal bins, or their edges.
    range : pair of float, optional
        Where equal bins begin and end; default: at the least and the greatest element.
    density : bool, default False
        Divide by the number of elements and the width of the bins.
    weights : Array of the shape of x, optional; lent, or consumed if a handle

    Returns
    -------
    tuple of Array: counts (int64, or the dtype of the weights) and edges; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the bins or the range make no sense.

    Examples
    --------
    >>> import ownarray as oa
    >>> counts, edges = oa.histogram(oa.asarray([1.0, 2.0, 2.5]), bins=2)
    >>> counts.tolist(), edges.tolist()
    ([1, 2], [1.0, 1.75, 2.5])
    """
    return statistics.histogram(x, bins, range, density=density, weights=weights)


@often
def histogram_bin_edges(
    x: Like,
    /,
    bins: int | Like | Sequence[float] = 10,
    range: tuple[float, float] | None = None,
) -> Array:
    """Return the edges that `histogram` would use.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    bins : int, or sequence or Array of numbers, default 10
    range : pair of float, optional

    Returns
    -------
    Array of one axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the bins or the range make no sense.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.histogram_bin_edges(oa.asarray([0.0, 1.0]), bins=2).tolist()
    [0.0, 0.5, 1.0]
    """
    return statistics.histogram_edges(x, bins, range)


@often
def cov(
    x: Like,
    /,
    *,
    rowvar: bool = True,
    correction: float = 1.0,
    ddof: float | None = None,
) -> Array:
    """Return the covariances of variables.

    Parameters
    ----------
    x : Array of numbers, of at most two axes; lent, or consumed if a handle
    rowvar : bool, default True
        Whether variables are rows, or columns.
    correction, ddof : float, default 1
        Two names of one number: the degrees of freedom to take off the number of observations.

    Returns
    -------
    Array of shape (n, n); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x has more than two axes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cov(oa.asarray([[1.0, 2.0], [1.0, 4.0]])).tolist()
    [[0.5, 1.5], [1.5, 4.5]]
    """
    return statistics.cov(x, rowvar=rowvar, correction=correction if ddof is None else ddof)


@often
def corrcoef(x: Like, /, *, rowvar: bool = True) -> Array:
    """Return the correlations of variables.

    Parameters
    ----------
    x : Array of numbers, of at most two axes; lent, or consumed if a handle
    rowvar : bool, default True
        Whether variables are rows, or columns.

    Returns
    -------
    Array of shape (n, n); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x has more than two axes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.corrcoef(oa.asarray([[1.0, 2.0], [4.0, 2.0]])).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    return statistics.corrcoef(x, rowvar=rowvar)
