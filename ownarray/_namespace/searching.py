"""Choosing, searching and indexing functions."""

from __future__ import annotations

from ownarray._array.consume import often, once
from ownarray._namespace.types import Array, Like
from ownarray._ops import elementwise, logic


@once
def where(condition: Like, x1: Like, x2: Like, /) -> Array:
    """Return x1 where a condition holds, else x2.

    Parameters
    ----------
    condition : Array of bool; lent, or consumed if a handle
        Other dtypes mean "not zero".
    x1, x2 : Array, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the common dtype of x1 and x2; owned, in the memory of a
        consumed operand of that shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.where(oa.asarray([True, False]), 1.0, 2.0).tolist()
    [1.0, 2.0]
    """
    return logic.where(condition, x1, x2)


@often
def clip(x: Like, /, min: Like | None = None, max: Like | None = None) -> Array:
    """Return x with elements outside of bounds replaced by the bounds.

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
        use-after-move: an operand was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.clip(oa.asarray([-1.0, 0.5, 3.0]), 0, 1).tolist()
    [0.0, 0.5, 1.0]
    """
    return elementwise.clip(x, min, max)
