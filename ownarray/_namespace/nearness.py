"""Comparison with a tolerance, rounding, and functions that few need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often, once, unary
from ownarray._ops import elementwise, mathematical, numeric

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@often
def isclose(
    x1: Like, x2: Like, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Array:
    """Return where two arrays differ by no more than ``atol + rtol * abs(x2)``.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle
    rtol, atol : float, default 1e-05 and 1e-08
    equal_nan : bool, default False
        Whether NaN is equal to NaN.

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.isclose(oa.asarray([1.0, 2.0]), oa.asarray([1.0 + 1e-9, 2.1])).tolist()
    [True, False]
    """
    return numeric.isclose(x1, x2, rtol, atol, equal_nan=equal_nan)


@often
def allclose(
    x1: Like, x2: Like, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Array:
    """Return whether two arrays differ by no more than ``atol + rtol * abs(x2)`` everywhere.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle
    rtol, atol : float, default 1e-05 and 1e-08
    equal_nan : bool, default False
        Whether NaN is equal to NaN.

    Returns
    -------
    Array of bool without axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.allclose(oa.asarray([1.0, 2.0]), oa.asarray([1.0 + 1e-9, 2.1])).tolist()
    False
    """
    return numeric.allclose(x1, x2, rtol, atol, equal_nan=equal_nan)


@often
def array_equal(x1: Like, x2: Like, /, equal_nan: bool = False) -> Array:
    """Return whether two arrays have the same shape and elements.

    Parameters
    ----------
    x1, x2 : Array; lent, or consumed if a handle
    equal_nan : bool, default False
        Whether NaN is equal to NaN.

    Returns
    -------
    Array of bool without axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> bool(oa.array_equal(oa.ones(2), oa.ones(3)))
    False
    """
    return numeric.array_equal(x1, x2, equal_nan=equal_nan)


@often
def array_equiv(x1: Like, x2: Like, /) -> Array:
    """Return whether two arrays are equal once they are broadcast to one shape.

    Parameters
    ----------
    x1, x2 : Array, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool without axes; owned
        False if the shapes do not broadcast.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> bool(oa.array_equiv(oa.ones(3), oa.ones((2, 3))))
    True
    """
    return numeric.array_equiv(x1, x2)


@often
def nan_to_num(
    x: Like,
    /,
    *,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Array:
    """Return the array with NaN and infinities replaced by numbers.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    nan : float, default 0
    posinf, neginf : float, optional
        Default: the greatest and the least number of the dtype.

    Returns
    -------
    Array of the shape and dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.nan_to_num(oa.asarray([oa.nan, 1.0])).tolist()
    [0.0, 1.0]
    """
    return numeric.nan_to_num(x, nan, posinf, neginf)


@once
def round(x: Like, /, decimals: int = 0) -> Array:
    """Return the array rounded to decimals; halves go to the even digit.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    decimals : int, default 0
        Negative ones round in front of the point.

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.round(oa.asarray([0.5, 1.5, 2.25])).tolist()
    [0.0, 2.0, 2.0]
    """
    return elementwise.round(x, decimals)


@often
def divmod(x1: Like, x2: Like, /) -> tuple[Array, Array]:
    """Return `floor_divide` and `remainder` of two arrays.

    Parameters
    ----------
    x1, x2 : Array of real numbers; lent, or consumed if a handle

    Returns
    -------
    tuple of Array of the broadcast shape and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> [part.tolist() for part in oa.divmod(oa.asarray([7, -7]), 2)]
    [[3, -4], [1, 1]]
    """
    return elementwise.divmod(x1, x2)


@often
def angle(x: Like, /) -> Array:
    """Return the angle of complex numbers in [-pi, pi].

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape of x and the real dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.angle(oa.asarray([1.0j, -1.0])).tolist()
    [1.570796327, 3.141592654]
    """
    return elementwise.angle(x)


@often
def sinc(x: Like, /) -> Array:
    """Return sin(pi x) / (pi x), which is 1 at 0.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape of x, in a float; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.sinc(oa.asarray([0.0])).tolist()
    [1.0]
    """
    return mathematical.sinc(x)


@unary
def fabs(x: Like, /) -> Array:
    """Return the absolute value of real numbers, in a float.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape of x, in a float; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fabs(oa.asarray([-1, 2])).tolist()
    [1.0, 2.0]
    """
    return numeric.fabs(x)


@unary
def isposinf(x: Like, /) -> Array:
    """Return where an array is plus infinity.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle

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
    >>> oa.isposinf(oa.asarray([1.0, oa.inf])).tolist()
    [False, True]
    """
    return numeric.isposinf(x)


@unary
def isneginf(x: Like, /) -> Array:
    """Return where an array is minus infinity.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle

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
    >>> oa.isneginf(oa.asarray([1.0, -oa.inf])).tolist()
    [False, True]
    """
    return numeric.isneginf(x)
