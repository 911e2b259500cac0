"""Means, variances, and the places of extrema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often, once
from ownarray._ops import reduction

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Axis, DTypeLike, Like


@often
def mean(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    keepdims: bool = False,
    where: Like = True,
) -> Array:
    """Return the arithmetic mean of elements; of integers as float64.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    dtype : dtype, optional
        Of the computation and the result.
    keepdims : bool, default False
        Keep the reduced axes with size 1.
    where : Array of bool, optional
        The elements to include; broadcasts to x.

    Returns
    -------
    Array of the shape of x without the reduced axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.mean(oa.asarray([1, 2])).tolist()
    1.5
    """
    return reduction.mean(x, axis, dtype, keepdims=keepdims, where=where)


@often
def var(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    correction: float = 0.0,
    ddof: float | None = None,
    keepdims: bool = False,
    where: Like = True,
) -> Array:
    """Return the variance: the mean of squared distances from the mean.

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
    where : Array of bool, optional
        The elements to include; broadcasts to x.

    Returns
    -------
    Array of the shape of x without the reduced axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.var(oa.asarray([1.0, 2.0, 3.0, 4.0])).tolist()
    1.25
    """
    return reduction.var(
        x,
        axis,
        dtype,
        correction=correction if ddof is None else ddof,
        keepdims=keepdims,
        where=where,
    )


@often
def std(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    correction: float = 0.0,
    ddof: float | None = None,
    keepdims: bool = False,
    where: Like = True,
) -> Array:
    """Return the standard deviation: the square root of the variance.

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
    where : Array of bool, optional
        The elements to include; broadcasts to x.

    Returns
    -------
    Array of the shape of x without the reduced axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.std(oa.asarray([1.0, 2.0, 3.0, 4.0])).tolist()
    1.118033988749895
    """
    return reduction.std(
        x,
        axis,
        dtype,
        correction=correction if ddof is None else ddof,
        keepdims=keepdims,
        where=where,
    )


@once
def argmax(
    x: Like,
    /,
    axis: int | None = None,
    *,
    keepdims: bool = False,
) -> Array:
    """Return the place of the first greatest element, or of the first NaN.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int, optional
        Default: all elements, in row-major order.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of int64, of the shape of x without the reduced axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    ValueError
        If there is no element to reduce.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.argmax(oa.asarray([3, 1, 4, 1])).tolist()
    2
    """
    return reduction.argmax(x, axis, keepdims=keepdims)


@once
def argmin(
    x: Like,
    /,
    axis: int | None = None,
    *,
    keepdims: bool = False,
) -> Array:
    """Return the place of the first least element, or of the first NaN.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int, optional
        Default: all elements, in row-major order.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of int64, of the shape of x without the reduced axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    ValueError
        If there is no element to reduce.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.argmin(oa.asarray([3, 1, 4, 1])).tolist()
    1
    """
    return reduction.argmin(x, axis, keepdims=keepdims)
