"""Element-wise functions: angles and hyperbolas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import binary, unary
from ownarray._ops import mathematical

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@unary
def sin(x: Like, /) -> Array:
    """Return the sine of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.sin(oa.asarray([0.0])).tolist()
    [0.0]
    """
    return mathematical.sin(x)


@unary
def cos(x: Like, /) -> Array:
    """Return the cosine of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cos(oa.asarray([0.0])).tolist()
    [1.0]
    """
    return mathematical.cos(x)


@unary
def tan(x: Like, /) -> Array:
    """Return the tangent of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.tan(oa.asarray([0.0])).tolist()
    [0.0]
    """
    return mathematical.tan(x)


@unary
def asin(x: Like, /) -> Array:
    """Return the angle in [-pi/2, pi/2] whose sine is x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.asin(oa.asarray([0.0, 1.0])).tolist()
    [0.0, 1.570796327]
    """
    return mathematical.asin(x)


@unary
def acos(x: Like, /) -> Array:
    """Return the angle in [0, pi] whose cosine is x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.acos(oa.asarray([1.0, 0.0])).tolist()
    [0.0, 1.570796327]
    """
    return mathematical.acos(x)


@unary
def atan(x: Like, /) -> Array:
    """Return the angle in [-pi/2, pi/2] whose tangent is x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.atan(oa.asarray([0.0, 1.0])).tolist()
    [0.0, 0.785398163]
    """
    return mathematical.atan(x)


@binary
def atan2(x1: Like, x2: Like, /) -> Array:
    """Return the angle of the point (x2, x1) in [-pi, pi].

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the broadcast shape and the common float; owned, in the memory of a consumed operand
        of that shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.atan2(oa.asarray([0.0, 1.0]), 1.0).tolist()
    [0.0, 0.785398163]
    """
    return mathematical.atan2(x1, x2)


@unary
def sinh(x: Like, /) -> Array:
    """Return the hyperbolic sine of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.sinh(oa.asarray([0.0])).tolist()
    [0.0]
    """
    return mathematical.sinh(x)


@unary
def cosh(x: Like, /) -> Array:
    """Return the hyperbolic cosine of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cosh(oa.asarray([0.0])).tolist()
    [1.0]
    """
    return mathematical.cosh(x)


@unary
def tanh(x: Like, /) -> Array:
    """Return the hyperbolic tangent of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.tanh(oa.asarray([0.0])).tolist()
    [0.0]
    """
    return mathematical.tanh(x)


@unary
def asinh(x: Like, /) -> Array:
    """Return the number whose hyperbolic sine is x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.asinh(oa.asarray([0.0, 1.0])).tolist()
    [0.0, 0.881373587]
    """
    return mathematical.asinh(x)


@unary
def acosh(x: Like, /) -> Array:
    """Return the number whose hyperbolic cosine is x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.acosh(oa.asarray([1.0, 2.0])).tolist()
    [0.0, 1.316957897]
    """
    return mathematical.acosh(x)


@unary
def atanh(x: Like, /) -> Array:
    """Return the number whose hyperbolic tangent is x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.atanh(oa.asarray([0.0, 0.5])).tolist()
    [0.0, 0.549306144]
    """
    return mathematical.atanh(x)


@unary
def deg2rad(x: Like, /) -> Array:
    """Return degrees as radians.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.deg2rad(oa.asarray([0.0, 180.0])).tolist()
    [0.0, 3.141592654]
    """
    return mathematical.deg2rad(x)


@unary
def rad2deg(x: Like, /) -> Array:
    """Return radians as degrees.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.rad2deg(oa.asarray([0.0])).tolist()
    [0.0]
    """
    return mathematical.rad2deg(x)
