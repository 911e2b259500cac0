"""Products of matrices and vectors in the main namespace."""

from __future__ import annotations

from ownarray._array.consume import once
from ownarray._namespace.types import Array, Like
from ownarray._ops import matmul as products
from ownarray._ops import shapes


@once
def matmul(x1: Like, x2: Like, /) -> Array:
    """Return the matrix product.

    Parameters
    ----------
    x1 : Array of shape (..., m, k) or (k,), numbers; lent, or consumed if a handle
    x2 : Array of shape (..., k, n) or (k,), numbers; lent, or consumed if a handle
        Stacks of matrices broadcast.

    Returns
    -------
    Array of shape (..., m, n), without the axes of vectors; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If an operand has no axis, or the axes that meet differ in size.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.matmul(oa.asarray([[1, 2], [3, 4]]), oa.asarray([1, 1])).tolist()
    [3, 7]
    """
    return products.matmul(x1, x2)


@once
def matrix_transpose(x: Like, /) -> Array:
    """Return matrices with rows and columns exchanged.

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle

    Returns
    -------
    Array of shape (..., n, m) and the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.
    ValueError
        If x has fewer than two axes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.matrix_transpose(oa.asarray([[1, 2], [3, 4]])).tolist()
    [[1, 3], [2, 4]]
    """
    return shapes.matrix_transpose(x)
