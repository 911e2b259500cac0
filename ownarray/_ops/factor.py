"""Factorisations of matrices: Cholesky, LU and QR, on stacks, with their derivatives.

What fails (a matrix that is not positive definite) is NaN here, on both engines; the functions of
`_ops.linalg` raise, where values are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import COMPLEX, INT32, INT64
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops import emit
from ownarray._ops.arithmetic import add, conj, mul, sub
from ownarray._ops.assemble import pad_with
from ownarray._ops.bits import and_p
from ownarray._ops.compare import ge_p, where
from ownarray._ops.entries import ARRAY, AnyEntries, Span, whole
from ownarray._ops.gather_scatter import gather
from ownarray._ops.host_calls import host_call
from ownarray._ops.iota import iota
from ownarray._ops.lapack import (
    PREFIX,
    UPPER,
    batch_of,
    check_matrices,
    each,
    failed_matrix,
    flags,
    identity,
    lapack_call,
    lower_triangle,
    nan_where_failed,
    routine,
    turn,
    turned_shape,
)
from ownarray._ops.matmul import matmul
from ownarray._ops.ranges import diagonal_mask, triangle, tril, triu
from ownarray._ops.rules import BatchDims, Tangents, full
from ownarray._ops.slicing import take
from ownarray._ops.sorting import argsort_p
from ownarray._ops.structural import to_front
from ownarray._ops.triangular import m_adjoint, m_transpose, solve_triangular
from ownarray._trace.bind import HostArray, Operand, bind, bind_multiple, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

_NOT_LINEAR = Missing("not linear")


# What derivative rules need of matrices.


def scalar_like(x: Operand, value: complex) -> np.generic:
    """Return a number in x's dtype."""
    number: np.generic = operand_aval(x).dtype.type(value)
    return number


def half_diagonal(x: Operand) -> Array:
    """Return the lower triangle with the diagonal halved."""
    n = operand_aval(x).shape[-1]
    half = mul(x, scalar_like(x, 0.5))
    return where(diagonal_mask(n, n, 0), half, tril(x))


def whole_of_triangle(x: Operand, *, lower: bool) -> Array:
    """Return the Hermitian matrices of which one triangle was read."""
    part = tril(x, -1) if lower else triu(x, 1)
    n = operand_aval(x).shape[-1]
    diagonal = where(diagonal_mask(n, n, 0), x, scalar_like(x, 0))
    if operand_aval(x).dtype in COMPLEX:  # the diagonal of a Hermitian matrix is real
        diagonal = mul(add(diagonal, conj(diagonal)), scalar_like(x, 0.5))
    return add(add(part, m_adjoint(part)), diagonal)


def stack_batch(args: Sequence[Operand], bdims: BatchDims) -> Operand:
    """Return the one operand of a factorisation with its batch axis in front."""
    return to_front(args[0], bdims[0])


# Cholesky.


def _cholesky_aval(x: ShapedArray) -> ShapedArray:
    check_matrices("cholesky", x, square=True)
    return x.strong()


def _cholesky_host(x: HostArray, *, out: HostArray | None = None) -> HostArray:
    result = np.array(x, order="C") if out is None else out
    if out is not None and out is not x:
        out[...] = x
    if not result.size:
        return result
    potrf = routine("potrf", x.dtype)
    for (matrix,) in each(result):
        # A row-major lower triangle is the upper triangle of the conjugated matrix, and the
        # row-major lower factor is its upper one, so LAPACK works in this very memory.
        factor, info = potrf(matrix.T, lower=0, clean=1, overwrite_a=1)
        if info:
            failed_matrix(matrix)
        elif not np.may_share_memory(factor, matrix):
            matrix[...] = factor.T
    return result


def _cholesky_lower(builder: Builder, out: ShapedArray, x: Value) -> Value:
    if not out.size:
        return x
    if builder.platform != "cpu":
        factor = builder.op("stablehlo.cholesky", [x], out, "lower = true")
        return lower_triangle(builder, factor)
    batch = batch_of(out)
    factor, info = lapack_call(
        builder,
        PREFIX[out.dtype] + "potrf",
        [x],
        [out, ShapedArray(batch, INT32)],
        n_batch=len(batch),
        config=flags(uplo=UPPER),
        aliases=[(0, 0)],
        turned=True,
    )
    return nan_where_failed(builder, lower_triangle(builder, factor), info)


def _cholesky_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand:
    """Differentiate as a function of the lower triangle, the only part that is read."""
    t = tangents[0]
    assert t is not None
    inner = solve_triangular(ans, whole_of_triangle(t, lower=True), lower=True)
    inner = m_adjoint(solve_triangular(ans, m_adjoint(inner), lower=True))
    return matmul(ans, half_diagonal(inner))


cholesky_p: Primitive = Primitive(
    name="cholesky",
    is_kept=True,
    prefers_host=True,
    aval=_cholesky_aval,
    host=_cholesky_host,
    lower=_cholesky_lower,
    jvp=_cholesky_jvp,
    transpose=_NOT_LINEAR,
    batch=lambda args, bdims: (bind(cholesky_p, stack_batch(args, bdims)), 0),
)


# LU with partial pivoting, of the transposed matrices: a row-major matrix in memory is for LAPACK
# its transpose, so it is factored where it stands. The result is transposed too: U.T at and below
# the diagonal, the strict part of L.T above it, and x = (U.T @ L.T)[:, order].


def _lu_aval(x: ShapedArray) -> list[ShapedArray]:
    check_matrices("lu", x)
    *batch, n_rows, n_cols = x.shape
    return [
        x.strong(),
        ShapedArray((*batch, n_cols), INT32),
        ShapedArray((*batch, min(n_rows, n_cols)), INT32),
    ]


def order_of_swaps(swaps: HostArray, out: HostArray) -> None:
    """Write the order that undoes LAPACK's row swaps (counted from 0), as a kernel too."""
    n = out.shape[-1]
    for own, order in zip(swaps.reshape(-1, swaps.shape[-1]), out.reshape(-1, n), strict=True):
        places = list(range(n))
        for i, j in reversed(list(enumerate(own.tolist()))):
            places[i], places[j] = places[j], places[i]
        order[...] = places


def _lu_host(x: HostArray) -> list[HostArray]:
    factors = np.array(x, order="C")
    *batch, n_rows, n_cols = x.shape
    n = min(n_rows, n_cols)
    order = np.empty((*batch, n_cols), np.int32)
    swaps = np.empty((*batch, n), np.int32)
    if not x.size:
        order[...], swaps[...] = np.arange(n_cols), np.arange(n)
        return [factors, order, swaps]
    getrf = routine("getrf", x.dtype)
    for (matrix,), own_swaps in zip(each(factors), swaps.reshape(-1, n), strict=True):
        packed, own_swaps[...], _ = getrf(matrix.T, overwrite_a=1)
        if not np.may_share_memory(packed, matrix):
            matrix[...] = packed.T
    order_of_swaps(swaps, order)
    return [factors, order, swaps]


def _lu_lower(builder: Builder, outs: Sequence[ShapedArray], x: Value) -> list[Value]:
    aval, order, pivots = outs
    batch = batch_of(aval)
    if not aval.size:
        return [x, *[emit.iota(builder, out, out.ndim - 1) for out in (order, pivots)]]
    packed, swaps, _ = lapack_call(
        builder,
        PREFIX[aval.dtype] + "getrf",
        [turn(builder, x)],
        [ShapedArray(turned_shape(aval.shape), aval.dtype), pivots, ShapedArray(batch, INT32)],
        n_batch=len(batch),
        aliases=[(0, 0)],
        turned=True,
    )
    swaps = emit.binary(builder, "subtract", swaps, full(builder, 1, swaps))
    found = host_call(builder, "order_of_swaps", [swaps], [order])[0]
    return [emit.reshape(builder, packed, aval.shape), found, swaps]


def _lu_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Sequence[Operand]
) -> list[Operand | None]:
    """Differentiate L and U, written as one matrix, for any shape of matrix."""
    t = tangents[0]
    assert t is not None
    factors, back, _ = ans
    factors, t = m_transpose(factors), m_transpose(t)
    last = operand_aval(back).ndim - 1
    order = bind(argsort_p, back, axis=last, descending=False, stable=True)
    n_rows, n_cols = operand_aval(factors).shape[-2:]
    n = min(n_rows, n_cols)
    rows = permute_rows(t, order)
    # L completed to n_rows and U to n_cols square.
    zero, one = scalar_like(factors, 0), scalar_like(factors, 1)
    low = _grown(tril(_corner(factors, n_rows, n), -1), n_rows, n_rows)
    low = where(diagonal_mask(n_rows, n_rows, 0), one, low)
    up = _grown(triu(_corner(factors, n, n_cols)), n_cols, n_cols)
    if n < n_cols:
        late = bind(ge_p, iota((n_cols, 1), 0, INT64), np.int64(n))
        up = where(bind(and_p, diagonal_mask(n_cols, n_cols, 0), late), one, up)
    inner = solve_triangular(low, rows, lower=True, unit_diagonal=True)
    inner = m_transpose(solve_triangular(up, m_transpose(inner), lower=False, trans="T"))
    below = where(_below_diagonal(n_rows, n_cols), inner, zero)
    return [m_transpose(add(matmul(low, below), matmul(triu(inner), up))), None, None]


def _below_diagonal(n_rows: int, n_cols: int) -> Array:
    return triangle(n_rows, n_cols, -1)


def _corner(x: Operand, n_rows: int, n_cols: int) -> Operand:
    """Return the first rows and columns of matrices."""
    shape = operand_aval(x).shape
    if shape[-2:] == (n_rows, n_cols):
        return x
    batch = map(whole, shape[:-2])
    return take(x, (*batch, Span(0, 1, n_rows), Span(0, 1, n_cols)))


def _grown(x: Operand, n_rows: int, n_cols: int) -> Operand:
    """Return matrices with rows and columns of zeros behind."""
    shape = operand_aval(x).shape
    if shape[-2:] == (n_rows, n_cols):
        return x
    none = [(0, 0, 0) for _ in shape[:-2]]
    return pad_with(
        x, scalar_like(x, 0), (*none, (0, n_rows - shape[-2], 0), (0, n_cols - shape[-1], 0))
    )


def permute_rows(x: Operand, order: Operand) -> Array:
    """Return matrices with their rows in an order; stacks of orders go with stacks of matrices."""
    shape, batch = operand_aval(x).shape, operand_aval(order).shape[:-1]
    n = len(batch)
    rows: list[Operand] = []
    for axis, size in enumerate(batch):
        along = [1] * (n + 1)
        along[axis] = size
        rows.append(iota(tuple(along), axis, INT64))
    entries: AnyEntries = (*[ARRAY] * (n + 1), whole(shape[-1]))
    return gather(x, entries, *rows, order)


lu_p: Primitive = Primitive(
    name="lu",
    multiple=True,
    prefers_host=True,
    aval=_lu_aval,
    host=_lu_host,
    lower=_lu_lower,
    jvp=_lu_jvp,
    transpose=_NOT_LINEAR,
    batch=lambda args, bdims: (bind_multiple(lu_p, stack_batch(args, bdims)), [0, 0, 0]),
)


# QR.


def _qr_aval(x: ShapedArray, *, full_matrices: bool) -> list[ShapedArray]:
    check_matrices("qr", x)
    *batch, n_rows, n_cols = x.shape
    n = n_rows if full_matrices else min(n_rows, n_cols)
    return [
        ShapedArray((*batch, n_rows, n), x.dtype),
        ShapedArray((*batch, n, n_cols), x.dtype),
    ]


def _qr_host(x: HostArray, *, full_matrices: bool) -> list[HostArray]:
    *batch, n_rows, n_cols = x.shape
    n = n_rows if full_matrices else min(n_rows, n_cols)
    q = np.zeros((*batch, n_rows, n), x.dtype)
    r = np.zeros((*batch, n, n_cols), x.dtype)
    if x.size:
        numbers: Any = x
        factors = np.linalg.qr(numbers, "complete" if full_matrices else "reduced")
        return [np.ascontiguousarray(part) for part in factors]
    if full_matrices:
        q[...] = np.eye(n_rows, dtype=x.dtype)
    return [q, r]


def _qr_lower(
    builder: Builder, outs: Sequence[ShapedArray], x: Value, *, full_matrices: bool
) -> list[Value]:
    q_aval, r_aval = outs
    *batch, n_rows, n_cols = x.aval.shape
    n = min(n_rows, n_cols)
    if not x.aval.size:
        q = identity(builder, q_aval) if full_matrices else full(builder, 0, q_aval)
        return [q, full(builder, 0, r_aval)]
    prefix = PREFIX[x.aval.dtype]
    packed, scales = lapack_call(
        builder,
        prefix + "geqrf",
        [x],
        [x.aval, ShapedArray((*batch, n), x.aval.dtype)],
        n_batch=len(batch),
        aliases=[(0, 0)],
    )
    n_q = q_aval.shape[-1]
    head = _resized(builder, packed, n_rows, n_q)
    generate = "ungqr" if x.aval.dtype in COMPLEX else "orgqr"
    q = lapack_call(
        builder,
        prefix + generate,
        [head, scales],
        [q_aval],
        n_batch=len(batch),
        aliases=[(0, 0)],
    )[0]
    r = _resized(builder, packed, r_aval.shape[-2], n_cols)
    return [q, lower_triangle(builder, r, upper=True)]


def _resized(builder: Builder, x: Value, n_rows: int, n_cols: int) -> Value:
    """Return matrices cut off or grown by zeros."""
    shape = x.aval.shape
    keep = (*shape[:-2], min(n_rows, shape[-2]), min(n_cols, shape[-1]))
    x = emit.static_slice(builder, x, [0] * len(shape), keep, [1] * len(shape))
    high = [0] * len(shape)
    high[-2], high[-1] = n_rows - keep[-2], n_cols - keep[-1]
    if not any(high):
        return x
    return emit.pad(builder, x, [0] * len(shape), high, [0] * len(shape))


def _qr_jvp(
    primals: Sequence[Operand],
    tangents: Tangents,
    ans: Sequence[Operand],
    *,
    full_matrices: bool,
) -> list[Operand]:
    """Differentiate where R is square and regular: at least as many rows as columns."""
    q, r = ans
    t = tangents[0]
    assert t is not None
    n_rows, n_cols = operand_aval(primals[0]).shape[-2:]
    if n_rows < n_cols or (full_matrices and n_rows != n_cols):
        raise NotImplementedError(
            "the derivative of qr needs matrices with at least as many rows as columns, and"
            ' mode="reduced" where they are not square; got '
            f"{operand_aval(primals[0])}"
        )
    scaled = m_transpose(solve_triangular(r, m_transpose(t), lower=False, trans="T"))
    inner = matmul(m_adjoint(q), scaled)
    below = tril(inner, -1)
    turn = sub(below, m_adjoint(below))  # skew-Hermitian: how the columns of Q turn
    n = n_cols
    if operand_aval(t).dtype in COMPLEX:  # the diagonal of R stays real
        diagonal = where(diagonal_mask(n, n, 0), inner, scalar_like(t, 0))
        real_part = mul(add(diagonal, conj(diagonal)), scalar_like(t, 0.5))
        turn = add(turn, sub(diagonal, real_part))
    t_q = add(matmul(q, sub(turn, inner)), scaled)
    t_r = matmul(sub(inner, turn), r)
    return [t_q, t_r]


qr_p: Primitive = Primitive(
    name="qr",
    multiple=True,
    prefers_host=True,
    aval=_qr_aval,
    host=_qr_host,
    lower=_qr_lower,
    jvp=_qr_jvp,
    transpose=_NOT_LINEAR,
    batch=lambda args, bdims, **params: (
        bind_multiple(qr_p, stack_batch(args, bdims), **params),
        [0, 0],
    ),
)


def cholesky(x: Operand) -> Array:
    """Apply `cholesky_p`: the lower factor, of the lower triangle."""
    return bind(cholesky_p, x)


def lu(x: Operand) -> tuple[Array, Array, Array]:
    """Apply `lu_p`: factors of the transpose, the order that undoes its row swaps, and those."""
    factors, order, swaps = bind_multiple(lu_p, x)
    return factors, order, swaps


def solve_square(a: Operand, b: Operand) -> Array:
    """Solve ``a @ x = b`` for stacks of square matrices of one shape."""
    factors, order, _ = lu(a)
    inner = solve_triangular(factors, b, lower=True)
    return permute_rows(solve_triangular(factors, inner, lower=False, unit_diagonal=True), order)


def qr(x: Operand, *, full_matrices: bool = False) -> tuple[Array, Array]:
    """Apply `qr_p`: Q and R."""
    q, r = bind_multiple(qr_p, x, full_matrices=full_matrices)
    return q, r
