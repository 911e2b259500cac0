"""Functions along an axis whose results depend on all elements before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often, once
from ownarray._ops import accumulate, statistics

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, DTypeLike, Like


@once
def cumsum(x: Like, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Array:
    """Return the sum of elements up to each place.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int, optional
        Default: the elements in row-major order.
    dtype : dtype, optional
        Default: that of x; integers widen to 64 bits.

    Returns
    -------
    Array of the shape of x, or of one axis; owned, in x's memory if x was consumed and has this
        dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cumsum(oa.asarray([1, 2, 3])).tolist()
    [1, 3, 6]
    """
    return accumulate.cumsum(x, axis, dtype)


@once
def cumprod(x: Like, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Array:
    """Return the product of elements up to each place.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int, optional
        Default: the elements in row-major order.
    dtype : dtype, optional
        Default: that of x; integers widen to 64 bits.

    Returns
    -------
    Array of the shape of x, or of one axis; owned, in x's memory if x was consumed and has this
        dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cumprod(oa.asarray([1, 2, 3])).tolist()
    [1, 2, 6]
    """
    return accumulate.cumprod(x, axis, dtype)


@often
def nancumsum(x: Like, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Array:
    """Return the sum of elements, NaN counted as 0 up to each place.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int, optional
        Default: the elements in row-major order.
    dtype : dtype, optional
        Default: that of x; integers widen to 64 bits.

    Returns
    -------
    Array of the shape of x, or of one axis; owned, in x's memory if x was consumed and has this
        dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nancumsum(oa.asarray([1.0, oa.nan, 3.0])).tolist()
    [1.0, 1.0, 4.0]
    """
    return statistics.nan_accumulate("cumsum", x, axis, dtype)


@often
def nancumprod(x: Like, /, axis: int | None = None, dtype: DTypeLike | None = None) -> Array:
    """Return the product of elements, NaN counted as 1 up to each place.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int, optional
        Default: the elements in row-major order.
    dtype : dtype, optional
        Default: that of x; integers widen to 64 bits.

    Returns
    -------
    Array of the shape of x, or of one axis; owned, in x's memory if x was consumed and has this
        dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nancumprod(oa.asarray([1.0, oa.nan, 3.0])).tolist()
    [1.0, 1.0, 3.0]
    """
    return statistics.nan_accumulate("cumprod", x, axis, dtype)


@once
def cumulative_sum(
    x: Like,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Array:
    """Return the sum of elements up to each place along an axis.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int, optional
        May be left out where x has one axis.
    dtype : dtype, optional
        Default: that of x; integers widen to 64 bits.
    include_initial : bool, default False
        Begin with the neutral element.

    Returns
    -------
    Array of the shape of x, one longer along the axis with ``include_initial``; owned, in x's
        memory if x was consumed and has this shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.
    ValueError
        If x has several axes and none is given.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cumulative_sum(oa.asarray([1, 2, 3]), include_initial=True).tolist()
    [0, 1, 3, 6]
    """
    place = statistics.only_axis("cumulative_sum", x, axis)
    return accumulate.cumsum(x, place, dtype, include_initial=include_initial)


@once
def cumulative_prod(
    x: Like,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    include_initial: bool = False,
) -> Array:
    """Return the product of elements up to each place along an axis.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int, optional
        May be left out where x has one axis.
    dtype : dtype, optional
        Default: that of x; integers widen to 64 bits.
    include_initial : bool, default False
        Begin with the neutral element.

    Returns
    -------
    Array of the shape of x, one longer along the axis with ``include_initial``; owned, in x's
        memory if x was consumed and has this shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.
    ValueError
        If x has several axes and none is given.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cumulative_prod(oa.asarray([1, 2, 3]), include_initial=True).tolist()
    [1, 1, 2, 6]
    """
    place = statistics.only_axis("cumulative_prod", x, axis)
    return accumulate.cumprod(x, place, dtype, include_initial=include_initial)


@once
def cummax(x: Like, /, axis: int | None = None) -> Array:
    """Return the greatest element up to each place.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int, optional
        Default: the elements in row-major order.

    Returns
    -------
    Array of the shape of x, or of one axis, and the dtype of x; owned, in x's memory if x was
        consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cummax(oa.asarray([1, 3, 2])).tolist()
    [1, 3, 3]
    """
    return accumulate.cummax(x, axis)


@once
def cummin(x: Like, /, axis: int | None = None) -> Array:
    """Return the least element up to each place.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int, optional
        Default: the elements in row-major order.

    Returns
    -------
    Array of the shape of x, or of one axis, and the dtype of x; owned, in x's memory if x was
        consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cummin(oa.asarray([1, 3, 2])).tolist()
    [1, 1, 1]
    """
    return accumulate.cummin(x, axis)


@often
def diff(
    x: Like, /, n: int = 1, axis: int = -1, prepend: Like | None = None, append: Like | None = None
) -> Array:
    """Return the n-th differences of neighbours along an axis.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    n : int, default 1
        How often differences are taken.
    axis : int, default -1
    prepend, append : Array or number, optional; lent, or consumed if a handle
        What stands before and behind x.

    Returns
    -------
    Array of the dtype of x, n shorter along the axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.diff(oa.asarray([1, 4, 9])).tolist()
    [3, 5]
    """
    return accumulate.diff(x, n, axis, prepend=prepend, append=append)
