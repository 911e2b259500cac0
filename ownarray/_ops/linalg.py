"""NumPy's linear algebra on arrays: checks, promotion, and what is composed of factorisations.

Where values are known, what LAPACK refuses (a singular matrix, one that is not positive definite)
is a `numpy.linalg.LinAlgError`; inside traces the results are not finite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from ownarray._core.dtypes import COMPLEX, FLOAT, INT64, short
from ownarray._ops import elementwise, rearrange, reduction, shapes
from ownarray._ops.arithmetic import div, mul, neg
from ownarray._ops.bits import and_p
from ownarray._ops.compare import eq, gt, where
from ownarray._ops.convert import cast_to, convert
from ownarray._ops.entries import Span
from ownarray._ops.factor import cholesky as factor_cholesky
from ownarray._ops.factor import lu, scalar_like, solve_square
from ownarray._ops.factor import qr as factor_qr
from ownarray._ops.iota import iota
from ownarray._ops.lapack import MATRIX_DTYPES, check_matrices
from ownarray._ops.matmul import matmul
from ownarray._ops.promote import arithmetic, as_dtype, operand
from ownarray._ops.ranges import diagonal_mask
from ownarray._ops.rules import broadcast_shapes, normal_axis
from ownarray._ops.slicing import take
from ownarray._ops.spectral import eig_p, eigh_p, svd_p
from ownarray._ops.structural import broadcast_to, reshape_to, sum_axes
from ownarray._ops.systems import inv_now, solve_now
from ownarray._ops.transcendental import log
from ownarray._ops.triangular import m_adjoint, m_transpose
from ownarray._ops.triangular import solve_triangular as solve_triangular_p
from ownarray._trace.bind import Operand, bind, bind_multiple, is_array, operand_aval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.dtypes import DType
    from ownarray._ops.operators import Array
    from ownarray._trace.bind import HostArray


KEPT_BYTES: Final = 16 << 20
"""Up to this size a matrix that was given away is there again if it has no inverse or factor."""


class EighResult(NamedTuple):
    """Eigenvalues in ascending order, and the vectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class EigResult(NamedTuple):
    """Complex eigenvalues, and the vectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """A matrix with orthonormal columns, and an upper triangular one."""

    Q: Array
    R: Array


class SVDResult(NamedTuple):
    """Left vectors as columns, singular values in descending order, right vectors as rows."""

    U: Array
    S: Array
    Vh: Array


class SlogdetResult(NamedTuple):
    """Sign (or phase) of a determinant, and the logarithm of its absolute value."""

    sign: Array
    logabsdet: Array


# Operands and refusals.


def matrices(name: str, x: object, *, square: bool = False) -> Operand:
    """Return a stack of matrices of a dtype that LAPACK has; integers become float64."""
    value = operand(name, x)
    aval = operand_aval(value)
    if aval.dtype not in MATRIX_DTYPES and aval.dtype in FLOAT:
        raise TypeError(
            f"{name}: {short(aval.dtype)} has no linear algebra. Fix: cast it with astype(float32)"
        )
    if aval.dtype not in MATRIX_DTYPES:
        value = as_dtype(name, value, np.dtype(np.float64))
    check_matrices(name, operand_aval(value), square=square)
    return value


def _pair(name: str, a: object, b: object) -> tuple[Operand, Operand]:
    """Return two operands of one dtype that LAPACK has."""
    first, second = arithmetic(name, a, b)
    dtype = operand_aval(first).dtype
    if dtype not in MATRIX_DTYPES:
        wide = np.dtype(np.float64)
        first, second = matrices(name, first), as_dtype(name, second, wide)
    check_matrices(name, operand_aval(first), square=True)
    return first, second


def is_known(*values: Operand) -> bool:
    """Return whether all values are there, and not traced."""
    return not any([is_array(value) and value._trace.depth for value in values])


def _refuse(result: Operand, message: str, failed: Callable[[HostArray], HostArray]) -> None:
    """Raise where values are known and the marks of a failure stand in a result's first row."""
    if not is_known(result):
        return

    def has_failed(values: HostArray) -> bool:
        row = values[..., :1, :] if values.ndim > 1 else values
        return bool(row.size and failed(row).any())

    if result._read_by(has_failed) if is_array(result) else has_failed(np.asarray(result)):
        raise np.linalg.LinAlgError(message)


def _is_all_infinite(row: HostArray) -> HostArray:
    """Return for each matrix whether a whole row is infinite: the mark of a zero pivot."""
    return np.asarray(np.isinf(row).all(axis=-1))


def _given(value: Operand) -> Operand:
    """Return a matrix for its last read, where the memory of another one would matter.

    What is computed in a matrix's own memory takes it along if it fails.
    """
    is_large = operand_aval(value).nbytes > KEPT_BYTES
    return value._last() if is_array(value) and (is_large or value._trace.depth) else value


_UNSETTLED: Final = "Eigenvalues did not converge"


# Factorisations.


def cholesky(x: object, *, upper: bool = False) -> Array:
    """Return the lower (or upper) triangular factor of positive definite matrices."""
    value = _given(matrices("cholesky", x, square=True))
    result = factor_cholesky(value)
    _refuse(result, "Matrix is not positive definite", np.isnan)
    return m_adjoint(result) if upper else result


def qr(x: object, mode: str = "reduced") -> QRResult:
    """Return factors Q and R."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f'qr: mode must be "reduced" or "complete", got {mode!r}')
    return QRResult(*factor_qr(matrices("qr", x), full_matrices=mode == "complete"))


def qr_r(x: object) -> Array:
    """Return the factor R alone."""
    return factor_qr(matrices("qr", x))[1]


def svd(x: object, *, full_matrices: bool = True) -> SVDResult:
    """Return singular values and vectors."""
    value = matrices("svd", x)
    results = bind_multiple(svd_p, value, full_matrices=full_matrices, vectors=True)
    _refuse(results[1], "SVD did not converge", np.isnan)
    return SVDResult(*results)


def svdvals(x: object) -> Array:
    """Return singular values in descending order."""
    value = matrices("svdvals", x)
    (result,) = bind_multiple(svd_p, value, full_matrices=False, vectors=False)
    _refuse(result, "SVD did not converge", np.isnan)
    return result


def _triangle(name: str, uplo: str) -> bool:
    if uplo not in ("L", "U", "l", "u"):
        raise ValueError(f'{name}: UPLO must be "L" or "U", got {uplo!r}')
    return uplo in ("L", "l")


def eigh(x: object, uplo: str = "L") -> EighResult:
    """Return values and vectors of Hermitian matrices, of which one triangle is read."""
    value = matrices("eigh", x, square=True)
    lower = _triangle("eigh", uplo)
    results = bind_multiple(eigh_p, value, lower=lower, vectors=True)
    _refuse(results[0], _UNSETTLED, np.isnan)
    return EighResult(*results)


def eigvalsh(x: object, uplo: str = "L") -> Array:
    """Return the values of Hermitian matrices, of which one triangle is read."""
    value = matrices("eigvalsh", x, square=True)
    lower = _triangle("eigvalsh", uplo)
    (result,) = bind_multiple(eigh_p, value, lower=lower, vectors=False)
    _refuse(result, _UNSETTLED, np.isnan)
    return result


def eig(x: object) -> EigResult:
    """Return complex values and vectors of matrices."""
    value = matrices("eig", x, square=True)
    results = bind_multiple(eig_p, value, vectors=True)
    _refuse(results[0], _UNSETTLED, np.isnan)
    return EigResult(*results)


def eigvals(x: object) -> Array:
    """Return complex values of matrices."""
    value = matrices("eigvals", x, square=True)
    (result,) = bind_multiple(eig_p, value, vectors=False)
    _refuse(result, _UNSETTLED, np.isnan)
    return result


# Systems.


def solve(a: object, b: object) -> Array:
    """Solve ``a @ x = b``; b is one vector, or a stack of matrices of right sides."""
    left, right = _pair("solve", a, b)
    matrix, sides = operand_aval(left), operand_aval(right)
    if sides.ndim == 0 or sides.shape[-1 if sides.ndim == 1 else -2] != matrix.shape[-1]:
        raise ValueError(f"solve: the matrix {matrix} does not fit the right sides {sides}")
    is_vector = sides.ndim == 1
    if is_vector:
        right = reshape_to(right, (*sides.shape, 1))
        sides = operand_aval(right)
    batch = broadcast_shapes("solve", [matrix.shape[:-2], sides.shape[:-2]])
    if matrix.shape[:-2] != batch:
        left = broadcast_to(left, (*batch, *matrix.shape[-2:]))
    if sides.shape[:-2] != batch:
        right = broadcast_to(right, (*batch, *sides.shape[-2:]))
    if is_known(left, right):
        result = solve_now(left, right)
        _refuse(result, "Singular matrix", _is_all_infinite)
    else:
        result = solve_square(left, right)
    return reshape_to(result, result.aval.shape[:-1]) if is_vector else result


def solve_triangular(
    a: object,
    b: object,
    *,
    lower: bool = False,
    trans: Literal["N", "T", "C"] = "N",
    unit_diagonal: bool = False,
) -> Array:
    """Solve ``op(a) @ x = b`` for triangular matrices; b is one vector, or right sides."""
    left, right = _pair("solve_triangular", a, b)
    sides = operand_aval(right)
    n = operand_aval(left).shape[-1]
    if sides.ndim == 0 or sides.shape[-1 if sides.ndim == 1 else -2] != n:
        raise ValueError(
            f"solve_triangular: {operand_aval(left)} does not fit the right sides {sides}"
        )
    if sides.ndim > 1:
        return solve_triangular_p(
            left, right, lower=lower, trans=trans, unit_diagonal=unit_diagonal
        )
    right = reshape_to(right, (n, 1))
    result = solve_triangular_p(left, right, lower=lower, trans=trans, unit_diagonal=unit_diagonal)
    return reshape_to(result, result.aval.shape[:-1])


def inv(x: object) -> Array:
    """Return inverses."""
    value = _given(matrices("inv", x, square=True))
    result = inv_now(value)
    _refuse(result, "Singular matrix", _is_all_infinite)
    return result


def slogdet(x: object) -> SlogdetResult:
    """Return sign and logarithm of determinants."""
    value = matrices("slogdet", x, square=True)
    diagonal, odd = _pivots(value)
    size = elementwise.abs(diagonal)
    is_zero = eq(size, scalar_like(size, 0))
    one = scalar_like(diagonal, 1)
    whole_size: Operand = size
    if operand_aval(diagonal).dtype in COMPLEX:
        whole_size = cast_to(size, operand_aval(diagonal).dtype)
    phases = where(
        is_zero, scalar_like(diagonal, 0), div(diagonal, where(is_zero, one, whole_size))
    )
    sign = reduction.prod(phases, axis=-1)
    return SlogdetResult(_signed(sign, odd), reduction.sum(log(size), axis=-1))


def det(x: object) -> Array:
    """Return determinants."""
    diagonal, odd = _pivots(matrices("det", x, square=True))
    return _signed(reduction.prod(diagonal, axis=-1), odd)


def _pivots(x: Operand) -> tuple[Array, Array]:
    """Return the diagonal of U, and whether the number of row swaps is odd."""
    factors, _, swaps = lu(x)
    *batch, n, _ = operand_aval(factors).shape
    own = convert(iota((n,), 0, INT64), np.dtype(np.int32))
    moved = elementwise.not_equal(swaps, own)
    count = sum_axes(convert(moved, INT64), (len(batch),))
    odd = eq(bind(and_p, count, np.int64(1)), np.int64(1))
    return rearrange.diagonal(factors, 0, -2, -1), odd


def _signed(x: Operand, negative: Operand) -> Array:
    return where(negative, neg(x), x)


def pinv(x: object, rtol: object = None, *, hermitian: bool = False) -> Array:
    """Return pseudo-inverses: singular values up to ``rtol`` times the largest count as 0."""
    value = matrices("pinv", x)
    aval = operand_aval(value)
    if hermitian:
        values, vectors = eigh(value)
        size = elementwise.abs(values)
        left, right = m_adjoint(vectors), vectors
    else:
        u, values, vh = svd(value, full_matrices=False)
        size = values
        left, right = m_adjoint(u), m_adjoint(vh)
    if not aval.size:
        return m_adjoint(value)
    keep = gt(size, _cutoff(aval.shape[-2:], size, rtol))
    zero, one = scalar_like(values, 0), scalar_like(values, 1)
    inverse = where(keep, div(one, where(keep, values, one)), zero)
    factors = cast_to(reshape_to(inverse, (*inverse.aval.shape, 1)), aval.dtype)
    return matmul(right, mul(left, factors))


def epsilon(dtype: DType) -> float:
    """Return the distance from 1 to the next number."""
    return float(np.finfo(np.float32 if dtype.itemsize == 4 else np.float64).eps)


def _cutoff(shape: Sequence[int], size: Array, rtol: object) -> Operand:
    """Return the smallest size that does not count as 0, for each matrix."""
    dtype = size.aval.dtype
    largest = reduction.max(size, axis=-1, keepdims=True)
    if rtol is None:
        return mul(largest, dtype.type(max(shape) * epsilon(dtype)))
    limit = as_dtype("rtol", rtol, dtype)
    limits = operand_aval(limit).shape
    return mul(largest, reshape_to(limit, (*limits, 1)) if limits else limit)


def matrix_rank(
    x: object, *, rtol: object = None, tol: object = None, hermitian: bool = False
) -> Array:
    """Return how many singular values are above a limit."""
    value = operand("matrix_rank", x)
    if operand_aval(value).ndim < 2:  # NumPy: the rank of a vector is 0 or 1
        zero = operand_aval(value).dtype.type(0)
        return convert(reduction.any(elementwise.not_equal(value, zero)), INT64)
    value = matrices("matrix_rank", value)
    shape = operand_aval(value).shape[-2:]
    size = elementwise.abs(eigvalsh(value)) if hermitian else svdvals(value)
    if not min(shape):
        return reduction.sum(convert(size, INT64), axis=-1)
    if tol is None:
        limit = _cutoff(shape, size, rtol)
    else:
        limit = as_dtype("tol", tol, size.aval.dtype)
        if operand_aval(limit).ndim:
            limit = reshape_to(limit, (*operand_aval(limit).shape, 1))
    return reduction.count_nonzero(gt(size, limit), axis=-1)


def lstsq(a: object, b: object, rcond: float | None = None) -> tuple[Array, Array, Array, Array]:
    """Return the least-squares solution, the sums of squared residuals, rank, singular values."""
    left, right = arithmetic("lstsq", a, b)
    left, right = matrices("lstsq", left), as_dtype("lstsq", right, _matrices_dtype(left))
    n_rows, n_cols = operand_aval(left).shape[-2:]
    sides = operand_aval(right)
    if operand_aval(left).ndim != 2 or sides.ndim not in (1, 2) or sides.shape[0] != n_rows:
        raise ValueError(f"lstsq: the matrix {operand_aval(left)} does not fit {sides}")
    is_vector = sides.ndim == 1
    if is_vector:
        right = reshape_to(right, (n_rows, 1))
    u, size, vh = svd(left, full_matrices=False)
    keep = (
        gt(size, _cutoff((n_rows, n_cols), size, rcond)) if min(n_rows, n_cols) else eq(size, size)
    )
    zero, one = scalar_like(size, 0), scalar_like(size, 1)
    inverse = where(keep, div(one, where(keep, size, one)), zero)
    factors = cast_to(reshape_to(inverse, (*inverse.aval.shape, 1)), operand_aval(left).dtype)
    x = matmul(m_adjoint(vh), mul(factors, matmul(m_adjoint(u), right)))
    rank = reduction.count_nonzero(keep)
    errors = elementwise.abs(elementwise.subtract(right, matmul(left, x)))
    sums = reduction.sum(mul(errors, errors), axis=0)
    if n_rows <= n_cols or (is_known(rank) and int(rank) < n_cols):
        sums = take(sums, (Span(0, 1, 0),))  # NumPy: nothing to say of them
    return (reshape_to(x, (n_cols,)) if is_vector else x), sums, rank, size


def _matrices_dtype(x: Operand) -> DType:
    return operand_aval(x).dtype


def matrix_power(x: object, n: int) -> Array:
    """Return matrices to an integer power."""
    value = operand("matrix_power", x)
    aval = operand_aval(value)
    if aval.ndim < 2 or aval.shape[-1] != aval.shape[-2]:
        raise ValueError(f"matrix_power: expected square matrices, got {aval}")
    power = n.__index__()
    if power < 0:
        value, power = inv(value), -power
        aval = operand_aval(value)
    if power == 0:
        one, zero = aval.dtype.type(1), aval.dtype.type(0)
        unit = where(diagonal_mask(aval.shape[-1], aval.shape[-1], 0), one, zero)
        return broadcast_to(unit, aval.shape)
    result: Operand | None = None
    while power:
        if power & 1:
            result = value if result is None else matmul(result, value)
        power >>= 1
        if power:
            value = matmul(value, value)
    assert result is not None
    return elementwise.positive(result)


# Tensors as matrices.


def tensorinv(x: object, ind: int = 2) -> Array:
    """Return the inverse of an array seen as a matrix of its first ``ind`` axes by the rest."""
    value = operand("tensorinv", x)
    shape = operand_aval(value).shape
    if ind <= 0:
        raise ValueError(f"tensorinv: ind must be positive, got {ind}")
    n = int(np.prod(shape[ind:]))
    return reshape_to(inv(reshape_to(value, (n, n))), (*shape[ind:], *shape[:ind]))


def tensorsolve(a: object, b: object, axes: Sequence[int] | None = None) -> Array:
    """Solve ``tensordot(a, x, x.ndim) == b``."""
    left, right = operand("tensorsolve", a), operand("tensorsolve", b)
    ndim = operand_aval(left).ndim
    if axes is not None:
        places = [normal_axis("tensorsolve", axis, ndim) for axis in axes]
        left = shapes.moveaxis(left, places, list(range(ndim - len(places), ndim)))
    shape = operand_aval(left).shape
    wanted = shape[operand_aval(right).ndim :]
    n = int(np.prod(wanted))
    if int(np.prod(shape)) != n * n:
        raise np.linalg.LinAlgError(
            f"tensorsolve: {operand_aval(left)} is no square matrix against {operand_aval(right)}"
        )
    return reshape_to(solve(reshape_to(left, (n, n)), reshape_to(right, (n,))), wanted)


def matrix_transpose(x: object) -> Array:
    """Return matrices transposed."""
    value = operand("matrix_transpose", x)
    if operand_aval(value).ndim < 2:
        raise ValueError(f"matrix_transpose: expected matrices, got {operand_aval(value)}")
    return m_transpose(value)
