"""Reductions of all elements or along axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import once
from ownarray._ops import reduction

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Axis, DTypeLike, Like


@once
def sum(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    keepdims: bool = False,
    initial: Like | None = None,
    where: Like = True,
) -> Array:
    """Return the sum of elements; integers are summed in 64 bits.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    dtype : dtype, optional
        Of the computation and the result.
    keepdims : bool, default False
        Keep the reduced axes with size 1.
    initial : number, optional
        The value to start from.
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
    >>> oa.sum(oa.asarray([[1, 2], [3, 4]]), axis=0).tolist()
    [4, 6]
    """
    return reduction.sum(x, axis, dtype, keepdims=keepdims, initial=initial, where=where)


@once
def prod(
    x: Like,
    /,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    *,
    keepdims: bool = False,
    initial: Like | None = None,
    where: Like = True,
) -> Array:
    """Return the product of elements; integers are multiplied in 64 bits.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    dtype : dtype, optional
        Of the computation and the result.
    keepdims : bool, default False
        Keep the reduced axes with size 1.
    initial : number, optional
        The value to start from.
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
    >>> oa.prod(oa.asarray([2.0, 3.0])).tolist()
    6.0
    """
    return reduction.prod(x, axis, dtype, keepdims=keepdims, initial=initial, where=where)


@once
def max(
    x: Like,
    /,
    axis: Axis = None,
    *,
    keepdims: bool = False,
    initial: Like | None = None,
    where: Like = True,
) -> Array:
    """Return the greatest element; NaN if there is one.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    keepdims : bool, default False
        Keep the reduced axes with size 1.
    initial : number, optional
        The value to start from.
    where : Array of bool, optional
        The elements to include; broadcasts to x.

    Returns
    -------
    Array of the shape of x without the reduced axes, in its dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    ValueError
        If there is no element to reduce and no initial value.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.max(oa.asarray([[1, 5], [3, 2]]), axis=1).tolist()
    [5, 3]
    """
    return reduction.max(x, axis, keepdims=keepdims, initial=initial, where=where)


@once
def min(
    x: Like,
    /,
    axis: Axis = None,
    *,
    keepdims: bool = False,
    initial: Like | None = None,
    where: Like = True,
) -> Array:
    """Return the least element; NaN if there is one.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    keepdims : bool, default False
        Keep the reduced axes with size 1.
    initial : number, optional
        The value to start from.
    where : Array of bool, optional
        The elements to include; broadcasts to x.

    Returns
    -------
    Array of the shape of x without the reduced axes, in its dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    ValueError
        If there is no element to reduce and no initial value.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.min(oa.asarray([[1, 5], [3, 2]]), axis=1).tolist()
    [1, 2]
    """
    return reduction.min(x, axis, keepdims=keepdims, initial=initial, where=where)


@once
def any(
    x: Like,
    /,
    axis: Axis = None,
    *,
    keepdims: bool = False,
    where: Like = True,
) -> Array:
    """Return whether an element is not zero.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    keepdims : bool, default False
        Keep the reduced axes with size 1.
    where : Array of bool, optional
        The elements to include; broadcasts to x.

    Returns
    -------
    Array of bool, of the shape of x without the reduced axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.any(oa.asarray([True, False])).tolist()
    True
    """
    return reduction.any(x, axis, keepdims=keepdims, where=where)


@once
def all(
    x: Like,
    /,
    axis: Axis = None,
    *,
    keepdims: bool = False,
    where: Like = True,
) -> Array:
    """Return whether no element is zero.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    keepdims : bool, default False
        Keep the reduced axes with size 1.
    where : Array of bool, optional
        The elements to include; broadcasts to x.

    Returns
    -------
    Array of bool, of the shape of x without the reduced axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.all(oa.asarray([True, False])).tolist()
    False
    """
    return reduction.all(x, axis, keepdims=keepdims, where=where)


@once
def count_nonzero(
    x: Like,
    /,
    axis: Axis = None,
    *,
    keepdims: bool = False,
) -> Array:
    """Return how many elements are not zero.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of int64, of the shape of x without the reduced axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    AxisError
        If x has no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.count_nonzero(oa.asarray([0, 3, 4])).tolist()
    2
    """
    return reduction.count_nonzero(x, axis, keepdims=keepdims)
