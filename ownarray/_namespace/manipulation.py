"""Functions that rearrange the elements of one array."""

from __future__ import annotations

from ownarray._array import born
from ownarray._array.consume import often, once
from ownarray._core.dtypes import canonical
from ownarray._namespace.types import Array, Axis, DTypeLike, Like, ShapeLike, check_device
from ownarray._ops import rearrange, shapes


@once
def reshape(x: Like, /, shape: ShapeLike, *, copy: bool | None = None) -> Array:
    """Return the elements, in row-major order, in another shape.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    shape : int or tuple of int
        One size may be -1: what remains.
    copy : bool, optional
        False is an error for a lent array, whose memory is never shared.

    Returns
    -------
    Array of that shape and the dtype of x; owned, always memory of its own

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the number of elements would change, or ``copy=False``.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.reshape(oa.arange(6), (2, -1)).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    if copy is False:
        raise ValueError("reshape: results never share memory with a lent array (copy=False)")
    return shapes.reshape(x, shape)


@once
def ravel(x: Like, /) -> Array:
    """Return the elements, in row-major order, along one axis.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    Array of one axis; owned, memory of its own

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ravel(oa.eye(2)).tolist()
    [1.0, 0.0, 0.0, 1.0]
    """
    return shapes.ravel(x)


@once
def broadcast_to(x: Like, /, shape: ShapeLike) -> Array:
    """Return the array repeated to a shape, as operators broadcast.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    shape : int or tuple of int

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not broadcast to the shape.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.broadcast_to(oa.asarray([1, 2]), (2, 2)).tolist()
    [[1, 2], [1, 2]]
    """
    return shapes.broadcast_to(x, shape)


@once
def broadcast_arrays(*arrays: Like) -> tuple[Array, ...]:
    """Return arrays repeated to one common shape.

    Parameters
    ----------
    *arrays : Array; lent, or consumed if a handle

    Returns
    -------
    tuple of Array, in their dtypes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> x, y = oa.broadcast_arrays(oa.ones((2, 1)), oa.ones(3))
    >>> x.shape, y.shape
    ((2, 3), (2, 3))
    """
    return shapes.broadcast_arrays(*arrays)


@often
def flip(x: Like, /, axis: Axis = None) -> Array:
    """Return the array with the order of elements along axes reversed.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axis : int or tuple of int, optional
        Default: all.

    Returns
    -------
    Array of the shape and dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.flip(oa.asarray([1, 2, 3])).tolist()
    [3, 2, 1]
    """
    return shapes.flip(x, axis)


@often
def roll(x: Like, /, shift: int | tuple[int, ...], axis: Axis = None) -> Array:
    """Return the array with elements moved along axes, and back in at the other end.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    shift : int or tuple of int
        How far; one number for each axis, or one for all.
    axis : int or tuple of int, optional
        Default: the elements in row-major order.

    Returns
    -------
    Array of the shape and dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the numbers of shifts and axes do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.roll(oa.asarray([1, 2, 3]), 1).tolist()
    [3, 1, 2]
    """
    return shapes.roll(x, shift, axis)


@once
def diag(x: Like, /, k: int = 0) -> Array:
    """Return the diagonal of a matrix, or a matrix with a vector on its diagonal.

    Parameters
    ----------
    x : Array of one axis or two; lent, or consumed if a handle
    k : int, default 0
        The diagonal: above the main one if positive, below it if negative.

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x has neither one axis nor two.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.diag(oa.asarray([1, 2])).tolist()
    [[1, 0], [0, 2]]
    """
    return rearrange.diag(x, k)


@once
def diagonal(x: Like, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return the diagonals of the planes of two axes, as the last axis.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    offset : int, default 0
    axis1, axis2 : int, default 0 and 1

    Returns
    -------
    Array of the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x has fewer than two axes, or the axes are equal.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.diagonal(oa.asarray([[1, 2], [3, 4]])).tolist()
    [1, 4]
    """
    return rearrange.diagonal(x, offset, axis1, axis2)


@once
def astype(x: Like, dtype: DTypeLike, /, *, copy: bool = True, device: object = None) -> Array:
    """Return the values cast to a dtype; floats beyond an integer dtype become its bounds, NaN 0.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    dtype : dtype
    copy : bool, default True
        False returns x itself where it has the dtype.
    device : None or "cpu"

    Returns
    -------
    Array of the shape of x and the dtype; owned, in x's memory if x was consumed and has it

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TypeError
        If there is no such dtype.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.astype(oa.asarray([1.7, -1.7]), oa.int64).tolist()
    [1, -1]
    """
    check_device("astype", device)
    return born.cast(x, canonical(dtype, "astype"), copy=copy)
