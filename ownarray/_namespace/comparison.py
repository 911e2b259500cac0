"""Element-wise functions: comparison and logic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import binary, unary
from ownarray._ops import elementwise, logic

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@binary
def equal(x1: Like, x2: Like, /) -> Array:
    """Return where x1 == x2.

    Parameters
    ----------
    x1, x2 : Array of any dtype, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.equal(oa.asarray([1, 2]), 2).tolist()
    [False, True]
    """
    return logic.equal(x1, x2)


@binary
def not_equal(x1: Like, x2: Like, /) -> Array:
    """Return where x1 != x2.

    Parameters
    ----------
    x1, x2 : Array of any dtype, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.not_equal(oa.asarray([1, 2]), 2).tolist()
    [True, False]
    """
    return logic.not_equal(x1, x2)


@binary
def less(x1: Like, x2: Like, /) -> Array:
    """Return where x1 < x2.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.less(oa.asarray([1, 2]), 2).tolist()
    [True, False]
    """
    return logic.less(x1, x2)


@binary
def less_equal(x1: Like, x2: Like, /) -> Array:
    """Return where x1 <= x2.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.less_equal(oa.asarray([1, 2]), 1).tolist()
    [True, False]
    """
    return logic.less_equal(x1, x2)


@binary
def greater(x1: Like, x2: Like, /) -> Array:
    """Return where x1 > x2.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.greater(oa.asarray([1, 2]), 1).tolist()
    [False, True]
    """
    return logic.greater(x1, x2)


@binary
def greater_equal(x1: Like, x2: Like, /) -> Array:
    """Return where x1 >= x2.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.greater_equal(oa.asarray([1, 2]), 2).tolist()
    [False, True]
    """
    return logic.greater_equal(x1, x2)


@binary
def logical_and(x1: Like, x2: Like, /) -> Array:
    """Return where x1 and x2 both are not zero.

    Parameters
    ----------
    x1, x2 : Array of any dtype, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.logical_and(oa.asarray([True, False]), True).tolist()
    [True, False]
    """
    return logic.logical_and(x1, x2)


@binary
def logical_or(x1: Like, x2: Like, /) -> Array:
    """Return where x1 or x2 is not zero.

    Parameters
    ----------
    x1, x2 : Array of any dtype, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.logical_or(oa.asarray([True, False]), False).tolist()
    [True, False]
    """
    return logic.logical_or(x1, x2)


@binary
def logical_xor(x1: Like, x2: Like, /) -> Array:
    """Return where exactly one of x1 and x2 is not zero.

    Parameters
    ----------
    x1, x2 : Array of any dtype, or number; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.logical_xor(oa.asarray([True, False]), True).tolist()
    [False, True]
    """
    return logic.logical_xor(x1, x2)


@unary
def logical_not(x: Like, /) -> Array:
    """Return where x is zero.

    Parameters
    ----------
    x : Array of any dtype; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.logical_not(oa.asarray([True, False])).tolist()
    [False, True]
    """
    return logic.logical_not(x)


@unary
def isfinite(x: Like, /) -> Array:
    """Return where x is neither infinite nor NaN.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.isfinite(oa.asarray([1.0, oa.inf])).tolist()
    [True, False]
    """
    return elementwise.isfinite(x)


@unary
def isinf(x: Like, /) -> Array:
    """Return where x is infinite.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.isinf(oa.asarray([1.0, oa.inf])).tolist()
    [False, True]
    """
    return elementwise.isinf(x)


@unary
def isnan(x: Like, /) -> Array:
    """Return where x is NaN.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.isnan(oa.asarray([1.0, oa.nan])).tolist()
    [False, True]
    """
    return elementwise.isnan(x)


@unary
def signbit(x: Like, /) -> Array:
    """Return where the sign bit is set: for negative numbers and -0.0.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle

    Returns
    -------
    Array of bool, of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.signbit(oa.asarray([-0.0, 1.0])).tolist()
    [True, False]
    """
    return elementwise.signbit(x)
