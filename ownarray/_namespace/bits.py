"""Element-wise functions: bits of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import binary, unary
from ownarray._ops import logic

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@binary
def bitwise_and(x1: Like, x2: Like, /) -> Array:
    """Return x1 & x2, bit by bit.

    Parameters
    ----------
    x1, x2 : Array of integers or truth values, or number; lent, or consumed if a handle

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
    >>> oa.bitwise_and(oa.asarray([6, 3]), 2).tolist()
    [2, 2]
    """
    return logic.bitwise_and(x1, x2)


@binary
def bitwise_or(x1: Like, x2: Like, /) -> Array:
    """Return x1 | x2, bit by bit.

    Parameters
    ----------
    x1, x2 : Array of integers or truth values, or number; lent, or consumed if a handle

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
    >>> oa.bitwise_or(oa.asarray([6, 3]), 1).tolist()
    [7, 3]
    """
    return logic.bitwise_or(x1, x2)


@binary
def bitwise_xor(x1: Like, x2: Like, /) -> Array:
    """Return x1 ^ x2, bit by bit.

    Parameters
    ----------
    x1, x2 : Array of integers or truth values, or number; lent, or consumed if a handle

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
    >>> oa.bitwise_xor(oa.asarray([6, 3]), 1).tolist()
    [7, 2]
    """
    return logic.bitwise_xor(x1, x2)


@unary
def bitwise_invert(x: Like, /) -> Array:
    """Return x with every bit inverted; of truth values: not x.

    Parameters
    ----------
    x : Array of integers or truth values; lent, or consumed if a handle

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
    >>> oa.bitwise_invert(oa.asarray([0, 5])).tolist()
    [-1, -6]
    """
    return logic.bitwise_invert(x)


@binary
def bitwise_left_shift(x1: Like, x2: Like, /) -> Array:
    """Return x1 << x2: bits moved towards the higher ones.

    Parameters
    ----------
    x1, x2 : Array of integers, or number; lent, or consumed if a handle

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
    >>> oa.bitwise_left_shift(oa.asarray([1, 2]), 3).tolist()
    [8, 16]
    """
    return logic.bitwise_left_shift(x1, x2)


@binary
def bitwise_right_shift(x1: Like, x2: Like, /) -> Array:
    """Return x1 >> x2: bits moved towards the lower ones, the sign kept.

    Parameters
    ----------
    x1, x2 : Array of integers, or number; lent, or consumed if a handle

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
    >>> oa.bitwise_right_shift(oa.asarray([8, 16]), 2).tolist()
    [2, 4]
    """
    return logic.bitwise_right_shift(x1, x2)
