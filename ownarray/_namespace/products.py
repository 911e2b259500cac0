"""Products of stacks of matrices and vectors, and powers in float64."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import products

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@often
def matvec(x1: Like, x2: Like, /) -> Array:
    """Return the products of matrices and vectors.

    Parameters
    ----------
    x1 : Array of shape (..., m, n); lent, or consumed if a handle
    x2 : Array of shape (..., n); lent, or consumed if a handle

    Returns
    -------
    Array of shape (..., m) and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.matvec(oa.asarray([[1, 2], [3, 4]]), oa.asarray([1, 1])).tolist()
    [3, 7]
    """
    return products.matvec(x1, x2)


@often
def vecmat(x1: Like, x2: Like, /) -> Array:
    """Return the products of vectors and matrices; complex vectors are conjugated.

    Parameters
    ----------
    x1 : Array of shape (..., m); lent, or consumed if a handle
    x2 : Array of shape (..., m, n); lent, or consumed if a handle

    Returns
    -------
    Array of shape (..., n) and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.vecmat(oa.asarray([1, 1]), oa.asarray([[1, 2], [3, 4]])).tolist()
    [4, 6]
    """
    return products.vecmat(x1, x2)


@often
def float_power(x1: Like, x2: Like, /) -> Array:
    """Return x1 to the power of x2, in float64 or complex128.

    Parameters
    ----------
    x1, x2 : Array of numbers, or number; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.float_power(oa.asarray([2, 4]), -1).tolist()
    [0.5, 0.25]
    """
    return products.float_power(x1, x2)
