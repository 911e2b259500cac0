"""Functions that cut, repeat and pad arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often, once
from ownarray._ops import rearrange, shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, Like, ShapeLike


@often
def unstack(x: Like, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Return the parts of an array along an axis, without that axis.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axis : int, default 0

    Returns
    -------
    tuple of Array; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> [part.tolist() for part in oa.unstack(oa.asarray([[1, 2], [3, 4]]))]
    [[1, 2], [3, 4]]
    """
    return shapes.unstack(x, axis)


@often
def split(x: Like, parts: int | Sequence[int], /, axis: int = 0) -> list[Array]:
    """Return an array cut along an axis: into equal parts, or at places.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    parts : int or sequence of int
        How many parts, or the places to cut before.
    axis : int, default 0

    Returns
    -------
    list of Array; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the axis does not divide so.

    Examples
    --------
    >>> import ownarray as oa
    >>> [part.tolist() for part in oa.split(oa.arange(4), 2)]
    [[0, 1], [2, 3]]
    """
    return rearrange.split(x, parts, axis, name="split")


@often
def array_split(x: Like, parts: int | Sequence[int], /, axis: int = 0) -> list[Array]:
    """Return an array cut along an axis: into nearly equal parts, or at places.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    parts : int or sequence of int
        How many parts, or the places to cut before.
    axis : int, default 0

    Returns
    -------
    list of Array; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the axis does not divide so.

    Examples
    --------
    >>> import ownarray as oa
    >>> [part.tolist() for part in oa.array_split(oa.arange(4), 2)]
    [[0, 1], [2, 3]]
    """
    return rearrange.split(x, parts, axis, name="array_split")


@once
def tile(x: Like, repetitions: ShapeLike, /) -> Array:
    """Return the array repeated as a whole along axes.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    repetitions : int or tuple of int
        How often along each axis, the last ones first.

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
    >>> oa.tile(oa.asarray([1, 2]), (2,)).tolist()
    [1, 2, 1, 2]
    """
    return shapes.tile(x, repetitions)


@once
def repeat(x: Like, repeats: int | Array, /, axis: int | None = None) -> Array:
    """Return the array with each element, or part along an axis, repeated.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    repeats : int, or Array of int of the size of the axis; lent
        The values of an array must be known: the result's shape depends on them.
    axis : int, optional
        Default: the elements in row-major order.

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the repeats are negative or do not fit the axis.
    TraceError
        If repeats is a traced array.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.repeat(oa.asarray([1, 2]), 2).tolist()
    [1, 1, 2, 2]
    """
    return rearrange.repeat(x, repeats, axis)


@often
def pad(
    x: Like,
    pad_width: rearrange.PadWidth,
    /,
    mode: str = "constant",
    *,
    constant_values: Like = 0,
) -> Array:
    """Return the array with elements added around it.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    pad_width : int, pair (before, after), or one pair for each axis
    mode : {"constant", "edge", "wrap", "reflect", "symmetric"}, default "constant"
        With what: a number, or elements of x near the edge, from the other side, or mirrored.
    constant_values : number, default 0

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the widths do not fit, or there is no such mode.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.pad(oa.asarray([1, 2]), 1).tolist()
    [0, 1, 2, 0]
    >>> oa.pad(oa.asarray([1, 2]), (0, 2), mode="edge").tolist()
    [1, 2, 2, 2]
    """
    return rearrange.pad(x, pad_width, mode=mode, constant_values=constant_values)


@once
def delete(x: Like, places: int | Sequence[int] | Array, /, axis: int | None = None) -> Array:
    """Return an array without the parts at places along an axis.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    places : int, or sequence or Array of int; lent
        They must be known: the result's shape depends on them.
    axis : int, optional
        Default: the elements in row-major order.

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    IndexError
        If a place is out of range.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.delete(oa.asarray([1, 2, 3]), 1).tolist()
    [1, 3]
    """
    return rearrange.delete(x, places, axis)


@often
def insert(x: Like, place: int, values: Like, /, axis: int | None = None) -> Array:
    """Return an array with values inserted before a place along an axis.

    Parameters
    ----------
    x, values : Array; lent, or consumed if a handle
    place : int
    axis : int, optional
        Default: the elements in row-major order.

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
    >>> oa.insert(oa.asarray([1, 2]), 1, 5).tolist()
    [1, 5, 2]
    """
    return rearrange.insert(x, place, values, axis)
