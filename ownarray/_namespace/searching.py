"""Choosing by a condition, finding, taking and putting by place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often, once
from ownarray._namespace.types import Array, Like, ShapeLike, as_shape
from ownarray._ops import elementwise, logic, selection

if TYPE_CHECKING:
    from collections.abc import Sequence


@once
def where(
    condition: Like, x1: Like | None = None, x2: Like | None = None, /
) -> Array | tuple[Array, ...]:
    """Return x1 where a condition holds, else x2; of a condition alone, where it holds.

    Parameters
    ----------
    condition : Array of bool; lent, or consumed if a handle
        Other dtypes mean "not zero".
    x1, x2 : Array, or number; both or none; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype of x1 and x2; owned, in the memory of a
        consumed operand of that shape and dtype. Without the two, what `nonzero` gives.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.
    TypeError
        If there is one choice only.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.where(oa.asarray([True, False]), 1.0, 2.0).tolist()
    [1.0, 2.0]
    """
    if x1 is None and x2 is None:
        return selection.nonzero(condition)
    if x1 is None or x2 is None:
        raise TypeError("where: expected two choices, or none; got one")
    return logic.where(condition, x1, x2)


@once
def select(conditions: Sequence[Like], choices: Sequence[Like], /, default: Like = 0) -> Array:
    """Return, element by element, the choice of the first condition that holds.

    Parameters
    ----------
    conditions, choices : sequence of Array; lent, or consumed where they hold handles
    default : Array or number, default 0
        Where no condition holds.

    Returns
    -------
    Array of the broadcast shape and the common dtype of choices; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there are not as many conditions as choices.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.arange(4)
    >>> oa.select([x < 1, x > 2], [x, x * 10]).tolist()
    [0, 0, 0, 30]
    """
    return selection.select(list(conditions), list(choices), default)


@once
def clip(x: Like, /, min: Like | None = None, max: Like | None = None) -> Array:
    """Return the array with elements outside of bounds replaced by the bounds.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    min, max : Array or number, optional; lent, or consumed if a handle
        They broadcast to x. None sets no bound.

    Returns
    -------
    Array of the broadcast shape and the common dtype; owned, in x's memory if x was consumed and
        has them

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.clip(oa.asarray([-1.0, 0.5, 3.0]), 0, 1).tolist()
    [0.0, 0.5, 1.0]
    """
    return elementwise.clip(x, min, max)


@often
def nonzero(x: Like, /) -> tuple[Array, ...]:
    """Return the places of elements that are not zero.

    Parameters
    ----------
    x : Array of one axis at least; lent, or consumed if a handle

    Returns
    -------
    tuple of Array of int64, one for each axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x has no axis.
    TraceError
        If x is traced: how many there are depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> [places.tolist() for places in oa.nonzero(oa.asarray([0, 3, 4]))]
    [[1, 2]]
    """
    return selection.nonzero(x)


@often
def argwhere(x: Like, /) -> Array:
    """Return the places of elements that are not zero, one row for each.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    Array of int64, of shape (n, x.ndim); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If x is traced: how many there are depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.argwhere(oa.eye(2)).tolist()
    [[0, 0], [1, 1]]
    """
    return selection.argwhere(x)


@often
def flatnonzero(x: Like, /) -> Array:
    """Return the places, in row-major order, of elements that are not zero.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    Array of int64, of one axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If x is traced: how many there are depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.flatnonzero(oa.eye(2)).tolist()
    [0, 3]
    """
    return selection.flatnonzero(x)


@often
def take(x: Like, indices: Like | Sequence[int], /, axis: int | None = None) -> Array:
    """Return the parts of an array at places along an axis.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    indices : int, sequence or Array of int; lent, or consumed if a handle
        Negative ones count from the end.
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
        If a place is out of range; inside a trace the nearest one is taken.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.take(oa.asarray([5, 6, 7]), oa.asarray([2, 0])).tolist()
    [7, 5]
    """
    return selection.take(x, indices, axis)


@often
def take_along_axis(x: Like, indices: Like, /, axis: int = -1) -> Array:
    """Return for each index the element there along an axis, other axes matched.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    indices : Array of int, of as many axes; lent, or consumed if a handle
        Broadcasts to x along the other axes.
    axis : int, default -1

    Returns
    -------
    Array of the broadcast shape and the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    IndexError
        If a place is out of range; inside a trace the nearest one is taken.
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.asarray([[3, 1], [2, 4]])
    >>> oa.take_along_axis(x, oa.argsort(x)).tolist()
    [[1, 3], [2, 4]]
    """
    return selection.take_along_axis(x, indices, axis)


@once
def put_along_axis(x: Like, indices: Like, values: Like, /, axis: int = -1) -> Array:
    """Return the array with the elements at indices along an axis replaced.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    indices : Array of int, of as many axes; lent, or consumed if a handle
    values : Array or number; lent, or consumed if a handle
    axis : int, default -1

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    IndexError
        If a place is out of range; inside a trace nothing is written there.
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.asarray([[3, 1], [2, 4]])
    >>> oa.put_along_axis(x, oa.argmax(x, axis=1, keepdims=True), 0, axis=1).tolist()
    [[0, 1], [2, 0]]
    """
    return selection.put_along_axis(x, indices, values, axis)


@often
def compress(condition: Like, x: Like, /, axis: int | None = None) -> Array:
    """Return the parts of an array along an axis where a condition holds.

    Parameters
    ----------
    condition : Array of bool, of one axis; lent, or consumed if a handle
    x : Array; lent, or consumed if a handle
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
        If the condition has not one axis.
    TraceError
        If the condition is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.compress(oa.asarray([True, False, True]), oa.asarray([5, 6, 7])).tolist()
    [5, 7]
    """
    return selection.compress(condition, x, axis)


@often
def interp(
    x: Like,
    xp: Like,
    fp: Like,
    /,
    left: Like | None = None,
    right: Like | None = None,
) -> Array:
    """Return values between known points, by straight lines.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    xp : Array of one axis, rising; lent, or consumed if a handle
    fp : Array of numbers of the size of xp; lent, or consumed if a handle
    left, right : number, optional
        The values beyond the first and the last point; default: theirs.

    Returns
    -------
    Array of the shape of x, float64 or the float of fp; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the points have not one axis and one size.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.interp(oa.asarray([0.5, 3.0]), oa.asarray([0.0, 1.0]), oa.asarray([0.0, 10.0])).tolist()
    [5.0, 10.0]
    """
    return selection.interp(x, xp, fp, left, right)


@often
def unravel_index(indices: Like, shape: ShapeLike, /) -> tuple[Array, ...]:
    """Return the places along each axis of places in row-major order.

    Parameters
    ----------
    indices : Array of int, or int; lent, or consumed if a handle
    shape : tuple of int

    Returns
    -------
    tuple of Array of int64, one for each axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> [int(i) for i in oa.unravel_index(5, (2, 3))]
    [1, 2]
    """
    return selection.unravel_index(indices, as_shape("unravel_index", shape))
