"""Sorting, and searching in what is sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ownarray._array.consume import once
from ownarray._ops import searching, selection, sorting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, Like


@once
def sort(
    x: Like,
    /,
    axis: int | None = -1,
    *,
    descending: bool = False,
    stable: bool = True,
) -> Array:
    """Return the array sorted along an axis; NaN come last.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axis : int, default -1
        None sorts all elements, in one axis.
    descending : bool, default False
    stable : bool, default True
        Whether equal elements keep their order.

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.sort(oa.asarray([3, 1, 2])).tolist()
    [1, 2, 3]
    """
    return sorting.sort(x, axis, descending=descending, stable=stable)


@once
def argsort(
    x: Like,
    /,
    axis: int | None = -1,
    *,
    descending: bool = False,
    stable: bool = True,
) -> Array:
    """Return the places of elements in sorted order.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axis : int, default -1
        None sorts all elements, in one axis.
    descending : bool, default False
    stable : bool, default True
        Whether equal elements keep their order.

    Returns
    -------
    Array of int64, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.argsort(oa.asarray([3, 1, 2])).tolist()
    [1, 2, 0]
    """
    return sorting.argsort(x, axis, descending=descending, stable=stable)


@once
def partition(x: Like, /, kth: int | Sequence[int], axis: int | None = -1) -> Array:
    """Return the array with some elements in their sorted places, and none greater before them.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    kth : int or sequence of int
        The places that shall hold what they hold in sorted order.
    axis : int, default -1
        None takes all elements, in one axis.

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.
    ValueError
        If there is no such place.

    Notes
    -----
    The order of the other elements is left open; now they are sorted too.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.partition(oa.asarray([5, 1, 4, 2]), 1)[1].item()
    2
    """
    return sorting.partition(x, kth, axis)


@once
def argpartition(x: Like, /, kth: int | Sequence[int], axis: int | None = -1) -> Array:
    """Return the places of elements in the order of `partition`.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    kth : int or sequence of int
        The places that shall hold what they hold in sorted order.
    axis : int, default -1
        None takes all elements, in one axis.

    Returns
    -------
    Array of int64, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.
    ValueError
        If there is no such place.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.argpartition(oa.asarray([5, 1, 4]), 0)[0].item()
    1
    """
    return sorting.argpartition(x, kth, axis)


@once
def lexsort(keys: Sequence[Like], /, axis: int = -1) -> Array:
    """Return the order by several keys, the last of which counts first.

    Parameters
    ----------
    keys : sequence of Array of one shape; lent, or consumed where it holds handles
    axis : int, default -1

    Returns
    -------
    Array of int64, of the shape of a key; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no key, or the shapes differ.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.lexsort([oa.asarray([2, 1, 1]), oa.asarray([0, 1, 0])]).tolist()
    [2, 0, 1]
    """
    return sorting.lexsort(keys, axis)


@once
def top_k(x: Like, k: int, /, axis: int = -1) -> tuple[Array, Array]:
    """Return the k greatest elements along an axis, and their places.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    k : int
    axis : int, default -1

    Returns
    -------
    tuple of Array: the elements, falling, and their places as int64; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there are fewer than k elements.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> values, places = oa.top_k(oa.asarray([3, 1, 2]), 2)
    >>> values.tolist(), places.tolist()
    ([3, 2], [0, 2])
    """
    return sorting.top_k(x, k, axis)


@once
def searchsorted(
    x1: Like, x2: Like, /, side: Literal["left", "right"] = "left", sorter: Like | None = None
) -> Array:
    """Return where values would go in a sorted array.

    Parameters
    ----------
    x1 : Array of one axis, sorted; lent, or consumed if a handle
    x2 : Array, or number; lent, or consumed if a handle
    side : {"left", "right"}, default "left"
        Before or behind equal elements.
    sorter : Array of int, optional
        The places of the elements of x1 in sorted order.

    Returns
    -------
    Array of int64, of the shape of x2; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x1 has not one axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.searchsorted(oa.asarray([1, 3, 5]), oa.asarray([3, 4])).tolist()
    [1, 2]
    """
    return searching.searchsorted(x1, x2, side=side, sorter=sorter)


@once
def digitize(x: Like, bins: Like, /, right: bool = False) -> Array:
    """Return between which edges each element lies.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    bins : Array of one axis, rising or falling; lent, or consumed if a handle
    right : bool, default False
        Whether a bin holds its upper edge.

    Returns
    -------
    Array of int64, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the edges have not one axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.digitize(oa.asarray([0.5, 2.5]), oa.asarray([0.0, 1.0, 2.0])).tolist()
    [1, 3]
    """
    return selection.digitize(x, bins, right=right)
