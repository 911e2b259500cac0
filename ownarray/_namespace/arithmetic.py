"""Element-wise functions: arithmetic and roots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import binary, once, unary
from ownarray._ops import elementwise, mathematical

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@binary
def add(x1: Like, x2: Like, /) -> Array:
    """Return x1 + x2; of truth values: x1 or x2.

    Parameters
    ----------
    x1, x2 : Array of any dtype, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype; owned, in the memory of a consumed operand
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
    >>> oa.add(oa.asarray([1.0, 2.0]), 3.0).tolist()
    [4.0, 5.0]
    """
    return elementwise.add(x1, x2)


@binary
def subtract(x1: Like, x2: Like, /) -> Array:
    """Return x1 - x2.

    Parameters
    ----------
    x1, x2 : Array of numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype; owned, in the memory of a consumed operand
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
    >>> oa.subtract(oa.asarray([3.0, 5.0]), 1.0).tolist()
    [2.0, 4.0]
    """
    return elementwise.subtract(x1, x2)


@binary
def multiply(x1: Like, x2: Like, /) -> Array:
    """Return x1 * x2; of truth values: x1 and x2.

    Parameters
    ----------
    x1, x2 : Array of any dtype, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype; owned, in the memory of a consumed operand
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
    >>> oa.multiply(oa.asarray([2.0, 3.0]), 1.5).tolist()
    [3.0, 4.5]
    """
    return elementwise.multiply(x1, x2)


@binary
def divide(x1: Like, x2: Like, /) -> Array:
    """Return x1 / x2; integers are divided as float64.

    Parameters
    ----------
    x1, x2 : Array of numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype; owned, in the memory of a consumed operand
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
    >>> oa.divide(oa.asarray([1, 3]), 2).tolist()
    [0.5, 1.5]
    """
    return elementwise.divide(x1, x2)


@binary
def floor_divide(x1: Like, x2: Like, /) -> Array:
    """Return x1 / x2 rounded down; integers by zero give 0.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype; owned, in the memory of a consumed operand
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
    >>> oa.floor_divide(oa.asarray([7, -7]), 2).tolist()
    [3, -4]
    """
    return elementwise.floor_divide(x1, x2)


@binary
def remainder(x1: Like, x2: Like, /) -> Array:
    """Return x1 - floor(x1 / x2) * x2, of the sign of x2; integers by zero give 0.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype; owned, in the memory of a consumed operand
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
    >>> oa.remainder(oa.asarray([7, -7]), 3).tolist()
    [1, 2]
    """
    return elementwise.remainder(x1, x2)


@binary
def fmod(x1: Like, x2: Like, /) -> Array:
    """Return what is left of x1 by division rounded towards zero; it has the sign of x1.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype; owned, in the memory of a consumed operand
        of that shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fmod(oa.asarray([5.0, -5.0]), 3.0).tolist()
    [2.0, -2.0]
    """
    return elementwise.fmod(x1, x2)


@once
def pow(x1: Like, x2: Like, /) -> Array:
    """Return x1 to the power of x2.

    Parameters
    ----------
    x1, x2 : Array of numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype; owned, in the memory of a consumed operand
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
    >>> oa.pow(oa.asarray([2.0, 3.0]), 2.0).tolist()
    [4.0, 9.0]
    """
    return elementwise.power(x1, x2)


@unary
def negative(x: Like, /) -> Array:
    """Return -x.

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
    >>> oa.negative(oa.asarray([1.0, -2.0])).tolist()
    [-1.0, 2.0]
    """
    return elementwise.negative(x)


@unary
def positive(x: Like, /) -> Array:
    """Return x in memory of its own.

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
    >>> oa.positive(oa.asarray([1.0, -2.0])).tolist()
    [1.0, -2.0]
    """
    return elementwise.positive(x)


@unary
def reciprocal(x: Like, /) -> Array:
    """Return 1 / x.

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
    >>> oa.reciprocal(oa.asarray([2.0, 4.0])).tolist()
    [0.5, 0.25]
    """
    return elementwise.reciprocal(x)


@unary
def square(x: Like, /) -> Array:
    """Return x * x.

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
    >>> oa.square(oa.asarray([3.0, -2.0])).tolist()
    [9.0, 4.0]
    """
    return elementwise.square(x)


@unary
def sqrt(x: Like, /) -> Array:
    """Return the square root of x.

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
    >>> oa.sqrt(oa.asarray([4.0, 9.0])).tolist()
    [2.0, 3.0]
    """
    return mathematical.sqrt(x)


@unary
def cbrt(x: Like, /) -> Array:
    """Return the cube root of x.

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
    >>> oa.cbrt(oa.asarray([8.0, 27.0])).tolist()
    [2.0, 3.0]
    """
    return mathematical.cbrt(x)
