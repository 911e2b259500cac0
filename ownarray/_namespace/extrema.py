"""Element-wise functions: the greater, the lesser, common divisors and multiples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import binary, often
from ownarray._ops import logic

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@binary
def maximum(x1: Like, x2: Like, /) -> Array:
    """Return the greater of x1 and x2; NaN where one is NaN.

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
    >>> oa.maximum(oa.asarray([1, 3]), 2).tolist()
    [2, 3]
    """
    return logic.maximum(x1, x2)


@binary
def minimum(x1: Like, x2: Like, /) -> Array:
    """Return the lesser of x1 and x2; NaN where one is NaN.

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
    >>> oa.minimum(oa.asarray([1, 3]), 2).tolist()
    [1, 2]
    """
    return logic.minimum(x1, x2)


@often
def fmax(x1: Like, x2: Like, /) -> Array:
    """Return the greater of x1 and x2; the number where one is NaN.

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
    >>> oa.fmax(oa.asarray([1.0, oa.nan]), 0.5).tolist()
    [1.0, 0.5]
    """
    return logic.fmax(x1, x2)


@often
def fmin(x1: Like, x2: Like, /) -> Array:
    """Return the lesser of x1 and x2; the number where one is NaN.

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
    >>> oa.fmin(oa.asarray([1.0, oa.nan]), 0.5).tolist()
    [0.5, 0.5]
    """
    return logic.fmin(x1, x2)


@binary
def gcd(x1: Like, x2: Like, /) -> Array:
    """Return the greatest common divisor of x1 and x2.

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
    >>> oa.gcd(oa.asarray([12, 9]), 6).tolist()
    [6, 3]
    """
    return logic.gcd(x1, x2)


@often
def lcm(x1: Like, x2: Like, /) -> Array:
    """Return the least common multiple of x1 and x2.

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
    >>> oa.lcm(oa.asarray([4, 6]), 6).tolist()
    [12, 6]
    """
    return logic.lcm(x1, x2)
