"""Linear systems, inverses and determinants of stacks of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ownarray._array.consume import often, once
from ownarray._ops import linalg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, Like
    from ownarray._ops.linalg import SlogdetResult


@once
def solve(x1: Like, x2: Like, /) -> Array:
    """Solve ``x1 @ x = x2``.

    Parameters
    ----------
    x1 : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    x2 : Array of shape (n,) or (..., n, k); lent, or consumed if a handle
        One right side, or matrices of right sides as columns.

    Returns
    -------
    Array of the shape of x2 (stacks broadcast) and the common dtype; owned, in the memory of
        x2 if it was consumed and has them

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x1 does not hold square matrices, or x2 does not fit them.
    LinAlgError
        If a matrix is singular, where values are known; inside traces the
        results are not finite.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.solve(oa.asarray([[2.0, 0.0], [0.0, 4.0]]), oa.asarray([2.0, 2.0])).tolist()
    [1.0, 0.5]
    """
    return linalg.solve(x1, x2)


@once
def solve_triangular(
    x1: Like,
    x2: Like,
    /,
    *,
    lower: bool = False,
    trans: Literal["N", "T", "C"] = "N",
    unit_diagonal: bool = False,
) -> Array:
    """Solve ``op(x1) @ x = x2`` for triangular matrices.

    Parameters
    ----------
    x1 : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    x2 : Array of shape (n,) or (..., n, k); lent, or consumed if a handle
        One right side, or matrices of right sides as columns.
    lower : bool, default False
        Which triangle of x1 is read.
    trans : "N", "T" or "C"
        Whether op is the matrix itself, its transpose or its adjoint.
    unit_diagonal : bool, default False
        Whether the diagonal counts as 1 and is not read.

    Returns
    -------
    Array of the shape of x2 (stacks broadcast) and the common dtype; owned, in the memory of
        x2 if it was consumed and has them

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x1 does not hold square matrices, or x2 does not fit them.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.solve_triangular(
    ...     oa.asarray([[2.0, 1.0], [0.0, 4.0]]), oa.asarray([4.0, 8.0])
    ... ).tolist()
    [1.0, 2.0]
    """
    return linalg.solve_triangular(x1, x2, lower=lower, trans=trans, unit_diagonal=unit_diagonal)


@often
def inv(x: Like, /) -> Array:
    """Return inverses.

    Parameters
    ----------
    x : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has more than 16 MB
        A smaller one stays with its handle if there is no inverse.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold square matrices.
    LinAlgError
        If a matrix is singular, where values are known; inside traces the
        results are not finite.

    Examples
    --------
    >>> import ownarray as oa
    >>> a = oa.asarray([[2.0, 1.0], [0.0, 4.0]])
    >>> bool(oa.allclose(a @ oa.linalg.inv(a), oa.eye(2)))
    True
    """
    return linalg.inv(x)


@often
def pinv(x: Like, /, *, rtol: Like | None = None, hermitian: bool = False) -> Array:
    """Return pseudo-inverses (Moore and Penrose).

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    rtol : number or Array of shape (...), optional
        Singular values up to rtol times the largest count as 0. Default: max(m, n) times the
        distance from 1 to the next number.
    hermitian : bool, default False
        Whether the matrices are Hermitian, which is faster.

    Returns
    -------
    Array of shape (..., n, m); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold matrices.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.pinv(oa.asarray([[2.0], [0.0]])).tolist()
    [[0.5, 0.0]]
    """
    return linalg.pinv(x, rtol, hermitian=hermitian)


@often
def lstsq(x1: Like, x2: Like, /, rcond: float | None = None) -> tuple[Array, Array, Array, Array]:
    """Return the x of least norm that minimises ``norm(x1 @ x - x2)``.

    Parameters
    ----------
    x1 : Array of shape (m, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    x2 : Array of shape (m,) or (m, k); lent, or consumed if a handle
    rcond : float, optional
        Singular values up to rcond times the largest count as 0. Default: max(m, n) times the
        distance from 1 to the next number.

    Returns
    -------
    tuple of owned Arrays: the solution, the sums of squared residuals (of size 0 where the rank is
        below n or m <= n), the rank, the singular values of x1

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x1 is no matrix, or x2 does not fit it.

    Examples
    --------
    >>> import ownarray as oa
    >>> x, *_ = oa.linalg.lstsq(oa.asarray([[1.0], [1.0]]), oa.asarray([1.0, 3.0]))
    >>> round(float(x[0]), 6)
    2.0
    """
    return linalg.lstsq(x1, x2, rcond)


@often
def det(x: Like, /) -> Array:
    """Return determinants.

    Parameters
    ----------
    x : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.

    Returns
    -------
    Array of shape (...); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold square matrices.

    Examples
    --------
    >>> import ownarray as oa
    >>> float(oa.linalg.det(oa.asarray([[2.0, 0.0], [0.0, 4.0]])))
    8.0
    """
    return linalg.det(x)


@often
def slogdet(x: Like, /) -> SlogdetResult:
    """Return signs and logarithms of the absolute values of determinants.

    Parameters
    ----------
    x : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.

    Returns
    -------
    SlogdetResult(sign, logabsdet), named tuple of owned Arrays; of a singular matrix 0 and -inf

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold square matrices.

    Examples
    --------
    >>> import ownarray as oa
    >>> sign, size = oa.linalg.slogdet(oa.asarray([[0.0, 1.0], [1.0, 0.0]]))
    >>> float(sign), float(size)
    (-1.0, 0.0)
    """
    return linalg.slogdet(x)


@often
def tensorinv(x: Like, /, ind: int = 2) -> Array:
    """Return the inverse for ``tensordot`` over the last axes.

    Parameters
    ----------
    x : Array whose first ind axes have as many elements as the others; lent, or consumed if a
        handle
    ind : int, default 2

    Returns
    -------
    Array whose first axes are the last of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    LinAlgError
        If a matrix is singular, where values are known; inside traces the
        results are not finite.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.tensorinv(oa.reshape(oa.eye(4), (2, 2, 4))).shape
    (4, 2, 2)
    """
    return linalg.tensorinv(x, ind)


@often
def tensorsolve(x1: Like, x2: Like, /, axes: Sequence[int] | None = None) -> Array:
    """Solve ``tensordot(x1, x, x.ndim) = x2``.

    Parameters
    ----------
    x1 : Array; lent, or consumed if a handle
    x2 : Array; lent, or consumed if a handle
    axes : sequence of int, optional
        Axes of x1 that are moved behind the others first.

    Returns
    -------
    Array of the shape of the last axes of x1; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    LinAlgError
        If a matrix is singular, where values are known; inside traces the
        results are not finite.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.linalg.tensorsolve(oa.reshape(oa.eye(4), (2, 2, 4)), oa.ones((2, 2)))
    >>> x.tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return linalg.tensorsolve(x1, x2, axes)
