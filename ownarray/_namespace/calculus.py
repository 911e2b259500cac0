"""Derivatives and integrals of points, polynomials, spacings of equal ratios, smaller helpers."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Literal

from ownarray._array.consume import often, once
from ownarray._namespace.types import as_shape, dtype_or
from ownarray._ops import calculus, numeric, ranges, rearrange, selection, shapes

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Axis, DTypeLike, Like, ShapeLike


@often
def gradient(
    x: Like,
    /,
    *spacings: Like,
    axis: Axis = None,
    edge_order: Literal[1, 2] = 1,
) -> Array | tuple[Array, ...]:
    """Return derivatives along axes: central differences, one-sided ones at the ends.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    *spacings : number, or Array of coordinates; lent, or consumed if a handle
        One for all axes, or one for each; default 1.
    axis : int or tuple of int, optional
        Default: all.
    edge_order : {1, 2}, default 1
        Whether the ends lie on a line or a parabola.

    Returns
    -------
    Array of the shape of x, or a tuple with one for each axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If an axis is too short, or the spacings do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.gradient(oa.asarray([1.0, 2.0, 4.0])).tolist()
    [1.0, 1.5, 2.0]
    """
    found = calculus.gradient(x, *spacings, axis=axis, edge_order=edge_order)
    return found[0] if len(found) == 1 else tuple(found)


@often
def trapezoid(y: Like, /, x: Like | None = None, dx: Like = 1.0, axis: int = -1) -> Array:
    """Return the integral of straight lines between points.

    Parameters
    ----------
    y : Array of numbers; lent, or consumed if a handle
    x : Array, optional; lent, or consumed if a handle
        Where the points lie: of the size of the axis, or of the shape of y.
    dx : number, default 1
        Their distance, where x is not given.
    axis : int, default -1

    Returns
    -------
    Array of the shape of y without the axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the points do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.trapezoid(oa.asarray([1.0, 2.0, 3.0])).tolist()
    4.0
    """
    return calculus.trapezoid(y, x, dx, axis)


@often
def polyval(p: Like, x: Like, /) -> Array:
    """Return the values of a polynomial.

    Parameters
    ----------
    p : Array of one axis; lent, or consumed if a handle
        The coefficients, that of the highest power first.
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape of x and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the coefficients have not one axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.polyval(oa.asarray([1, 0, 2]), oa.asarray([3])).tolist()
    [11]
    """
    return calculus.polyval(p, x)


@once
def logspace(
    start: Like,
    stop: Like,
    /,
    num: int = 50,
    endpoint: bool = True,
    base: Like = 10.0,
    *,
    dtype: DTypeLike | None = None,
) -> Array:
    """Return powers of a base, their exponents evenly spaced.

    Parameters
    ----------
    start, stop : number, or Array; lent, or consumed if a handle
        The first and the last exponent.
    num : int, default 50
    endpoint : bool, default True
        Whether stop is the last exponent.
    base : number, default 10
    dtype : dtype, optional

    Returns
    -------
    Array of shape (num, ...); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.logspace(0, 2, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    kind = dtype_or("logspace", dtype, ranges.linspace_dtype(start, stop))
    return calculus.logspace(start, stop, index(num), kind, endpoint=endpoint, base=base)


@often
def geomspace(
    start: Like, stop: Like, /, num: int = 50, endpoint: bool = True, dtype: DTypeLike | None = None
) -> Array:
    """Return numbers of equal ratios between two of one sign.

    Parameters
    ----------
    start, stop : number, or Array, not 0 and of one sign; lent, or consumed if a handle
    num : int, default 50
    endpoint : bool, default True
        Whether stop is the last of them.
    dtype : dtype, optional

    Returns
    -------
    Array of shape (num, ...); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TypeError
        If an end is complex.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.geomspace(1.0, 4.0, 3).tolist()
    [1.0, 2.0, 4.0]
    """
    kind = dtype_or("geomspace", dtype, ranges.linspace_dtype(start, stop))
    return calculus.geomspace(start, stop, index(num), kind, endpoint=endpoint)


def indices(shape: ShapeLike, /) -> Array:
    """Return for each axis the place along it of every element, along a new first axis.

    Parameters
    ----------
    shape : int or tuple of int

    Returns
    -------
    Array of int64, of shape (n, *shape) for n axes; owned

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.indices((2, 2)).tolist()
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
    """
    return rearrange.indices(as_shape("indices", shape))


@often
def isreal(x: Like, /) -> Array:
    """Return where the imaginary part is zero.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.isreal(oa.asarray([1.0, 1.0j])).tolist()
    [True, False]
    """
    return numeric.isreal(x)


@often
def iscomplex(x: Like, /) -> Array:
    """Return where the imaginary part is not zero.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.iscomplex(oa.asarray([1.0, 1.0j])).tolist()
    [False, True]
    """
    return numeric.iscomplex(x)


@once
def fliplr(x: Like, /) -> Array:
    """Return the array with its columns in reverse order.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

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
    >>> oa.fliplr(oa.asarray([[1, 2], [3, 4]])).tolist()
    [[2, 1], [4, 3]]
    """
    return shapes.flip(x, 1)


@once
def flipud(x: Like, /) -> Array:
    """Return the array with its rows in reverse order.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

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
    >>> oa.flipud(oa.asarray([[1, 2], [3, 4]])).tolist()
    [[3, 4], [1, 2]]
    """
    return shapes.flip(x, 0)


@often
def extract(condition: Like, x: Like, /) -> Array:
    """Return the elements where a condition holds, in row-major order.

    Parameters
    ----------
    condition : Array of bool, of the size of x; lent, or consumed if a handle
    x : Array; lent, or consumed if a handle

    Returns
    -------
    Array of one axis and the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If the condition is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.extract(oa.asarray([True, False]), oa.asarray([5, 6])).tolist()
    [5]
    """
    return selection.extract(condition, x)
