"""Functions that order, add and drop the axes of one array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often, once
from ownarray._ops import rearrange, shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, Axis, Like


@once
def permute_dims(x: Like, /, axes: Sequence[int]) -> Array:
    """Return the array with its axes in another order.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axes : tuple of int
        Axis i of the result is axis ``axes[i]`` of x.

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the axes are no order of the axes of x.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.permute_dims(oa.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return shapes.transpose(x, axes)


@once
def transpose(x: Like, /, axes: Sequence[int] | None = None) -> Array:
    """Return the array with its axes reversed, or in the order given.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axes : tuple of int, optional

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the axes are no order of the axes of x.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.transpose(oa.asarray([[1, 2], [3, 4]])).tolist()
    [[1, 3], [2, 4]]
    """
    return shapes.transpose(x, axes)


@once
def moveaxis(
    x: Like,
    source: int | tuple[int, ...],
    destination: int | tuple[int, ...],
    /,
) -> Array:
    """Return the array with some axes moved, the others in order.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    source, destination : int or tuple of int
        Where the axes are, and where they go.

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the numbers of axes differ, or there are no such axes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.moveaxis(oa.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    return shapes.moveaxis(x, source, destination)


@once
def swapaxes(x: Like, first: int, second: int, /) -> Array:
    """Return the array with two axes exchanged.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    first, second : int

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.swapaxes(oa.ones((2, 3)), 0, 1).shape
    (3, 2)
    """
    return shapes.swapaxes(x, first, second)


@once
def squeeze(x: Like, /, axis: Axis = None) -> Array:
    """Return the array without axes of size 1.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axis : int or tuple of int, optional
        Which ones; default: all of them.

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If an axis has another size.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.squeeze(oa.ones((1, 3, 1)), 0).shape
    (3, 1)
    """
    return shapes.squeeze(x, axis)


@once
def expand_dims(x: Like, /, axis: int | tuple[int, ...] = 0) -> Array:
    """Return the array with axes of size 1 inserted.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axis : int or tuple of int, default 0
        Their places in the result.

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.expand_dims(oa.ones(3), axis=1).shape
    (3, 1)
    """
    return shapes.expand_dims(x, axis)


@often
def rot90(x: Like, /, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Return the array turned by quarter turns in the plane of two axes.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    k : int, default 1
        How many quarter turns, from the first axis towards the second.
    axes : tuple of two int, default (0, 1)

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the axes are equal.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.rot90(oa.asarray([[1, 2], [3, 4]])).tolist()
    [[2, 4], [1, 3]]
    """
    return rearrange.rot90(x, k, axes)


@once
def atleast_1d(x: Like, /) -> Array:
    """Return the array with axes of size 1 added until it has 1.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.atleast_1d(oa.asarray(5.0)).shape
    (1,)
    """
    return rearrange.at_least(x, 1)


@once
def atleast_2d(x: Like, /) -> Array:
    """Return the array with axes of size 1 added until it has 2.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.atleast_2d(oa.asarray(5.0)).shape
    (1, 1)
    """
    return rearrange.at_least(x, 2)


@once
def atleast_3d(x: Like, /) -> Array:
    """Return the array with axes of size 1 added until it has 3.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.atleast_3d(oa.asarray(5.0)).shape
    (1, 1, 1)
    """
    return rearrange.at_least(x, 3)
