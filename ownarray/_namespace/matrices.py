"""Parts and products of stacks of matrices, by the rules of the linear algebra chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import contraction, rearrange, reduction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, DTypeLike, Like


@often
def diagonal(x: Like, /, *, offset: int = 0) -> Array:
    """Return diagonals of the last two axes.

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle
    offset : int, default 0
        How far above the main diagonal.

    Returns
    -------
    Array of shape (..., k); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold matrices.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.diagonal(oa.asarray([[1, 2], [3, 4]])).tolist()
    [1, 4]
    """
    return rearrange.diagonal(x, offset, -2, -1)


@often
def trace(x: Like, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Return the sums of diagonals of the last two axes.

    Parameters
    ----------
    x : Array of shape (..., m, n), numbers; lent, or consumed if a handle
    offset : int, default 0
        How far above the main diagonal.
    dtype : dtype, optional
        Default: that of x; integers widen to 64 bits.

    Returns
    -------
    Array of shape (...); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold matrices.

    Examples
    --------
    >>> import ownarray as oa
    >>> int(oa.linalg.trace(oa.asarray([[1, 2], [3, 4]])))
    5
    """
    return reduction.sum(rearrange.diagonal(x, offset, -2, -1), axis=-1, dtype=dtype)


@often
def multi_dot(arrays: Sequence[Like], /) -> Array:
    """Return the product of several matrices, in the cheapest order.

    Parameters
    ----------
    arrays : sequence of Array; lent, or consumed where handles
        Matrices; the first and the last may be vectors.

    Returns
    -------
    Array; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If neighbours do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> a, b = oa.ones((2, 3)), oa.ones((3, 2))
    >>> oa.linalg.multi_dot([a, b, a]).shape
    (2, 3)
    """
    return contraction.multi_dot(arrays)
