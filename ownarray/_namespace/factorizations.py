"""Factorisations of stacks of matrices, eigenvalues and singular values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ownarray._array.consume import often
from ownarray._ops import linalg

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like
    from ownarray._ops.linalg import EighResult, EigResult, QRResult, SVDResult


@often
def cholesky(x: Like, /, *, upper: bool = False) -> Array:
    """Return the lower triangular factor L with ``x = L @ L^H``.

    Parameters
    ----------
    x : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
        Hermitian and positive definite; the lower triangle is read.
    upper : bool, default False
        Return L^H instead.

    Returns
    -------
    Array of the shape of x, zeros in the other triangle; owned, in x's memory if x was consumed and
        has more than 16 MB
        A smaller one stays with its handle if there is no factor.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold square matrices.
    LinAlgError
        If a matrix is not positive definite, where values are known; inside traces the
        results are NaN.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.cholesky(oa.asarray([[4.0, 2.0], [2.0, 5.0]])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    return linalg.cholesky(x, upper=upper)


@often
def qr(x: Like, /, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Return Q with orthonormal columns and R upper triangular, ``x = Q @ R``.

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    mode : "reduced" or "complete"
        Whether Q has min(m, n) or m columns.

    Returns
    -------
    QRResult(Q, R), named tuple of owned Arrays

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold matrices.

    Examples
    --------
    >>> import ownarray as oa
    >>> q, r = oa.linalg.qr(oa.asarray([[3.0, 1.0], [4.0, 2.0]]))
    >>> bool(oa.allclose(q @ r, oa.asarray([[3.0, 1.0], [4.0, 2.0]])))
    True
    """
    return linalg.qr(x, mode)


@often
def svd(x: Like, /, full_matrices: bool = True) -> SVDResult:
    """Return singular values and vectors, ``x = U * S @ Vh``.

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    full_matrices : bool, default True
        Whether U and Vh are square; else they have min(m, n) columns and rows.

    Returns
    -------
    SVDResult(U, S, Vh), named tuple of owned Arrays; S in descending order

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold matrices.
    LinAlgError
        If the iteration does not converge, where values are known; inside traces the
        results are NaN.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.round(oa.linalg.svd(oa.asarray([[0.0, 2.0], [3.0, 0.0]])).S, decimals=6).tolist()
    [3.0, 2.0]
    """
    return linalg.svd(x, full_matrices=full_matrices)


@often
def svdvals(x: Like, /) -> Array:
    """Return singular values in descending order.

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.

    Returns
    -------
    Array of shape (..., min(m, n)), real; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold matrices.
    LinAlgError
        If the iteration does not converge, where values are known; inside traces the
        results are NaN.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.round(oa.linalg.svdvals(oa.asarray([[0.0, 2.0], [3.0, 0.0]])), decimals=6).tolist()
    [3.0, 2.0]
    """
    return linalg.svdvals(x)


@often
def eigh(x: Like, /, UPLO: Literal["L", "U"] = "L") -> EighResult:
    """Return eigenvalues and eigenvectors of Hermitian matrices.

    Parameters
    ----------
    x : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    UPLO : "L" or "U"
        The triangle that is read.

    Returns
    -------
    EighResult(eigenvalues, eigenvectors), named tuple of owned Arrays; values in ascending order,
        vectors as columns

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold square matrices.
    LinAlgError
        If the iteration does not converge, where values are known; inside traces the
        results are NaN.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.eigh(oa.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.tolist()
    [1.0, 2.0]
    """
    return linalg.eigh(x, UPLO)


@often
def eigvalsh(x: Like, /, UPLO: Literal["L", "U"] = "L") -> Array:
    """Return the eigenvalues of Hermitian matrices.

    Parameters
    ----------
    x : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.
    UPLO : "L" or "U"
        The triangle that is read.

    Returns
    -------
    Array of shape (..., n), real, in ascending order; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold square matrices.
    LinAlgError
        If the iteration does not converge, where values are known; inside traces the
        results are NaN.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.linalg.eigvalsh(oa.asarray([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [1.0, 2.0]
    """
    return linalg.eigvalsh(x, UPLO)


@often
def eig(x: Like, /) -> EigResult:
    """Return eigenvalues and eigenvectors of general matrices.

    Parameters
    ----------
    x : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.

    Returns
    -------
    EigResult(eigenvalues, eigenvectors), named tuple of owned complex Arrays; vectors as columns

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold square matrices.
    LinAlgError
        If the iteration does not converge, where values are known; inside traces the
        results are NaN.

    Notes
    -----
    The results are complex for real matrices too: whether all values are real is known only when
    they are, and a dtype must not depend on values.

    Examples
    --------
    >>> import ownarray as oa
    >>> values, vectors = oa.linalg.eig(oa.asarray([[0.0, 1.0], [-4.0, 0.0]]))
    >>> oa.round(oa.imag(values), decimals=6).tolist()
    [2.0, -2.0]
    """
    return linalg.eig(x)


@often
def eigvals(x: Like, /) -> Array:
    """Return the eigenvalues of general matrices.

    Parameters
    ----------
    x : Array of shape (..., n, n); lent, or consumed if a handle
        Of float32, float64 or complex; integers become float64.

    Returns
    -------
    Array of shape (..., n), complex; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x does not hold square matrices.
    LinAlgError
        If the iteration does not converge, where values are known; inside traces the
        results are NaN.

    Notes
    -----
    The results are complex for real matrices too: whether all values are real is known only when
    they are, and a dtype must not depend on values.

    Examples
    --------
    >>> import ownarray as oa
    >>> values = oa.linalg.eigvals(oa.asarray([[0.0, 1.0], [-4.0, 0.0]]))
    >>> oa.round(oa.imag(values), decimals=6).tolist()
    [2.0, -2.0]
    """
    return linalg.eigvals(x)
