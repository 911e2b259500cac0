"""Norms, ranks and powers of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import linalg, norms

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Axis, Like
    from ownarray._ops.norms import Order


@often
def norm(x: Like, /, ord: Order = None, axis: Axis = None, keepdims: bool = False) -> Array:
    """Return norms of vectors (one axis) or matrices (two axes).

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    ord : number, "fro" or "nuc", optional
        See `vector_norm` and `matrix_norm`. Default: the root of the sum of squares.
    axis : int or pair of int, optional
        Default: all of x.
    keepdims : bool, default False
        Whether the axes stay, with size 1.

    Returns
    -------
    Array, real; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no such norm, or the axes do not fit it.

    Examples
    --------
    >>> import ownarray as oa
    >>> float(oa.linalg.norm(oa.asarray([3.0, 4.0])))
    5.0
    """
    return norms.norm(x, ord, axis, keepdims=keepdims)


@often
def vector_norm(x: Like, /, *, axis: Axis = None, keepdims: bool = False, ord: float = 2) -> Array:
    """Return norms of vectors.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        Default: all elements are one vector.
    keepdims : bool, default False
        Whether the axes stay, with size 1.
    ord : float, default 2
        inf and -inf are the extreme sizes, 0 counts elements that are not 0, others are
        ``sum(abs(x) ** ord) ** (1 / ord)``.

    Returns
    -------
    Array, real; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.vector_norm(oa.asarray([[3.0, 4.0], [0.0, 1.0]]), axis=1).tolist()
    [5.0, 1.0]
    """
    return norms.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)


@often
def matrix_norm(x: Like, /, *, keepdims: bool = False, ord: Order = "fro") -> Array:
    """Return norms of matrices.

    Parameters
    ----------
    x : Array of shape (..., m, n), numbers; lent, or consumed if a handle
    keepdims : bool, default False
        Whether the axes stay, with size 1.
    ord : "fro", "nuc", 1, -1, 2, -2, inf or -inf
        The root of the sum of squares; the sum of singular values; extreme sums of columns;
        extreme singular values; extreme sums of rows.

    Returns
    -------
    Array of shape (...), real; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold matrices, or there is no such norm.

    Examples
    --------
    >>> import ownarray as oa
    >>> float(oa.linalg.matrix_norm(oa.asarray([[3.0, 0.0], [0.0, 4.0]]), ord=2))
    4.0
    """
    return norms.matrix_norm(x, keepdims=keepdims, ord=ord)


@often
def cond(x: Like, /, p: Order = None) -> Array:
    """Return condition numbers: the norm of a matrix times that of its inverse.

    Parameters
    ----------
    x : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    p : as ord of `matrix_norm`, optional
        Default: the largest over the smallest singular value, of matrices that need not be
        square.

    Returns
    -------
    Array of shape (...), real; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold matrices.

    Examples
    --------
    >>> import ownarray as oa
    >>> float(oa.linalg.cond(oa.asarray([[3.0, 0.0], [0.0, 6.0]])))
    2.0
    """
    return norms.cond(x, p)


@often
def matrix_rank(
    x: Like, /, *, rtol: Like | None = None, tol: Like | None = None, hermitian: bool = False
) -> Array:
    """Return how many singular values are above a limit.

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    rtol : number or Array of shape (...), optional
        The limit over the largest singular value. Default: max(m, n) times the distance from 1
        to the next number.
    tol : number or Array of shape (...), optional
        The limit itself.
    hermitian : bool, default False
        Whether the matrices are Hermitian, which is faster.

    Returns
    -------
    Array of shape (...), int64; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold matrices.

    Examples
    --------
    >>> import ownarray as oa
    >>> int(oa.linalg.matrix_rank(oa.asarray([[1.0, 2.0], [2.0, 4.0]])))
    1
    """
    return linalg.matrix_rank(x, rtol=rtol, tol=tol, hermitian=hermitian)


@often
def matrix_power(x: Like, n: int, /) -> Array:
    """Return matrices to an integer power.

    Parameters
    ----------
    x : Array of shape (..., m, m), numbers; lent, or consumed if a handle
    n : int
        Of the inverse, if negative.

    Returns
    -------
    Array of the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold square matrices.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.matrix_power(oa.asarray([[1, 1], [0, 1]]), 5).tolist()
    [[1, 5], [0, 1]]
    """
    return linalg.matrix_power(x, n)
