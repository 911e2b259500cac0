"""Statistics of the elements that are not NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import quantiles, statistics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, Axis, DTypeLike, Like


@often
def nansum(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    keepdims: bool = False,
) -> Array:
    """Return the sum of the elements that are not NaN.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    dtype : dtype, optional
        Of the computation and the result.
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

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nansum(oa.asarray([1.0, oa.nan])).tolist()
    1.0
    """
    return statistics.without_nan("sum", x, axis, dtype=dtype, keepdims=keepdims)


@often
def nanprod(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    keepdims: bool = False,
) -> Array:
    """Return the product of the elements that are not NaN.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    dtype : dtype, optional
        Of the computation and the result.
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

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nanprod(oa.asarray([2.0, oa.nan])).tolist()
    2.0
    """
    return statistics.without_nan("prod", x, axis, dtype=dtype, keepdims=keepdims)


@often
def nanmean(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    keepdims: bool = False,
) -> Array:
    """Return the arithmetic mean of the elements that are not NaN.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    dtype : dtype, optional
        Of the computation and the result.
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

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nanmean(oa.asarray([1.0, oa.nan])).tolist()
    1.0
    """
    return statistics.without_nan("mean", x, axis, dtype=dtype, keepdims=keepdims)


@often
def nanvar(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    correction: float = 0.0,
    ddof: float | None = None,
    keepdims: bool = False,
) -> Array:
    """Return the variance of the elements that are not NaN.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    dtype : dtype, optional
        Of the computation and the result.
    correction, ddof : float, default 0
        Two names of one number: the degrees of freedom to take off the number of elements.
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

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nanvar(oa.asarray([1.0, 3.0, oa.nan])).tolist()
    1.0
    """
    less = correction if ddof is None else ddof
    return statistics.without_nan("var", x, axis, dtype=dtype, correction=less, keepdims=keepdims)


@often
def nanstd(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    correction: float = 0.0,
    ddof: float | None = None,
    keepdims: bool = False,
) -> Array:
    """Return the standard deviation of the elements that are not NaN.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    dtype : dtype, optional
        Of the computation and the result.
    correction, ddof : float, default 0
        Two names of one number: the degrees of freedom to take off the number of elements.
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

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nanstd(oa.asarray([1.0, 3.0, oa.nan])).tolist()
    1.0
    """
    less = correction if ddof is None else ddof
    return statistics.without_nan("std", x, axis, dtype=dtype, correction=less, keepdims=keepdims)


@often
def nanmax(x: Like, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Return the greatest element that is not NaN; NaN where there is none.

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
    >>> oa.nanmax(oa.asarray([1.0, 3.0, oa.nan])).tolist()
    3.0
    """
    return statistics.without_nan("max", x, axis, keepdims=keepdims)


@often
def nanmin(x: Like, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Return the least element that is not NaN; NaN where there is none.

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
    >>> oa.nanmin(oa.asarray([1.0, 3.0, oa.nan])).tolist()
    1.0
    """
    return statistics.without_nan("min", x, axis, keepdims=keepdims)


@often
def nanargmax(x: Like, /, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """Return the place of the first greatest element that is not NaN.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int, optional
        Default: the elements in row-major order.
    keepdims : bool, default False
        Keep the reduced axis with size 1.

    Returns
    -------
    Array of int64; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If all elements along the axis are NaN; inside a trace the result is 0 then.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nanargmax(oa.asarray([oa.nan, 3.0, 4.0])).tolist()
    2
    """
    return statistics.nan_place("argmax", x, axis, keepdims=keepdims)


@often
def nanargmin(x: Like, /, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """Return the place of the first least element that is not NaN.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int, optional
        Default: the elements in row-major order.
    keepdims : bool, default False
        Keep the reduced axis with size 1.

    Returns
    -------
    Array of int64; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If all elements along the axis are NaN; inside a trace the result is 0 then.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nanargmin(oa.asarray([oa.nan, 3.0, 4.0])).tolist()
    1
    """
    return statistics.nan_place("argmin", x, axis, keepdims=keepdims)


@often
def nanmedian(x: Like, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Return the median of the elements that are not NaN.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of the shape of x without the reduced axes, in a float; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nanmedian(oa.asarray([3.0, 1.0, oa.nan])).tolist()
    2.0
    """
    return quantiles.nanquantile(x, 0.5, axis, keepdims=keepdims, name="nanmedian")


@often
def nanquantile(
    x: Like,
    q: Like | Sequence[float],
    /,
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
) -> Array:
    """Return the values below which parts of the elements that are not NaN lie.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    q : number, sequence or Array of numbers from 0 to 1; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    method : {"linear", "lower", "higher", "midpoint", "nearest"}, default "linear"
        What stands between two elements.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of the shape of q, then of x without the reduced axes, in a float; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If a part is not from 0 to 1, or there is no such method.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nanquantile(oa.asarray([1.0, 2.0, 3.0, 4.0]), 0.25).tolist()
    1.75
    """
    return quantiles.nanquantile(x, q, axis, method=method, keepdims=keepdims, name="nanquantile")


@often
def nanpercentile(
    x: Like,
    q: Like | Sequence[float],
    /,
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
) -> Array:
    """Return the values below which parts of the elements that are not NaN lie.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    q : number, sequence or Array of numbers from 0 to 100; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    method : {"linear", "lower", "higher", "midpoint", "nearest"}, default "linear"
        What stands between two elements.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of the shape of q, then of x without the reduced axes, in a float; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If a part is not from 0 to 100, or there is no such method.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nanpercentile(oa.asarray([1.0, 2.0, 3.0, 4.0]), 25.0).tolist()
    1.75
    """
    return quantiles.nanquantile(
        x, quantiles.hundredths(q), axis, method=method, keepdims=keepdims, name="nanpercentile"
    )
