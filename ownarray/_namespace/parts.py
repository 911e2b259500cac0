"""Element-wise functions: signs, rounding and parts of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import binary, often, unary
from ownarray._ops import elementwise, mathematical, numeric

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@unary
def abs(x: Like, /) -> Array:
    """Return the absolute value of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape of x and the real dtype of x; owned, in x's memory if x was consumed and
        has that dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.abs(oa.asarray([-1.5, 2.0])).tolist()
    [1.5, 2.0]
    """
    return elementwise.abs(x)


@unary
def sign(x: Like, /) -> Array:
    """Return -1, 0 or 1 by the sign of x; of complex numbers x / abs(x).

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.sign(oa.asarray([-3.0, 0.0])).tolist()
    [-1.0, 0.0]
    """
    return elementwise.sign(x)


@binary
def copysign(x1: Like, x2: Like, /) -> Array:
    """Return the size of x1 with the sign of x2.

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
    >>> oa.copysign(oa.asarray([1.0, 2.0]), -1.0).tolist()
    [-1.0, -2.0]
    """
    return elementwise.copysign(x1, x2)


@often
def heaviside(x1: Like, x2: Like, /) -> Array:
    """Return 0 where x1 is negative, 1 where it is positive, x2 where it is 0.

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
    >>> oa.heaviside(oa.asarray([-1.0, 0.0, 2.0]), 0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    return mathematical.heaviside(x1, x2)


@binary
def nextafter(x1: Like, x2: Like, /) -> Array:
    """Return the next floating-point number after x1 towards x2.

    Parameters
    ----------
    x1, x2 : Array of floating-point numbers, or number; lent, or consumed if a handle
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
    >>> oa.nextafter(oa.asarray([1.0]), 2.0).tolist()
    [1.0]
    """
    return elementwise.nextafter(x1, x2)


@unary
def ceil(x: Like, /) -> Array:
    """Return the least integer that is not below x, in the dtype of x.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ceil(oa.asarray([1.2, -1.2])).tolist()
    [2.0, -1.0]
    """
    return elementwise.ceil(x)


@unary
def floor(x: Like, /) -> Array:
    """Return the greatest integer that is not above x, in the dtype of x.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.floor(oa.asarray([1.2, -1.2])).tolist()
    [1.0, -2.0]
    """
    return elementwise.floor(x)


@unary
def trunc(x: Like, /) -> Array:
    """Return x without its fraction, in the dtype of x.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.trunc(oa.asarray([1.7, -1.7])).tolist()
    [1.0, -1.0]
    """
    return elementwise.trunc(x)


@unary
def rint(x: Like, /) -> Array:
    """Return the nearest integer, in the float of x; halves go to the even one.

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
    >>> oa.rint(oa.asarray([0.5, 1.5])).tolist()
    [0.0, 2.0]
    """
    return numeric.rint(x)


@unary
def real(x: Like, /) -> Array:
    """Return the real part of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape of x and the real dtype of x; owned, in x's memory if x was consumed and
        has that dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.real(oa.asarray([1.0 + 2.0j])).tolist()
    [1.0]
    """
    return elementwise.real(x)


@unary
def imag(x: Like, /) -> Array:
    """Return the imaginary part of x; of real numbers, zeros.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape of x and the real dtype of x; owned, in x's memory if x was consumed and
        has that dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.imag(oa.asarray([1.0 + 2.0j])).tolist()
    [2.0]
    """
    return elementwise.imag(x)


@unary
def conj(x: Like, /) -> Array:
    """Return the complex conjugate of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the shape and dtype of x; owned, in x's memory if x was consumed

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.conj(oa.asarray([1.0 + 2.0j])).tolist()
    [(1-2j)]
    """
    return elementwise.conj(x)
