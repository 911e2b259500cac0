"""Eigenvalues and singular values of stacks of matrices, with their derivatives.

Where a routine does not converge (or the matrix holds NaN) the results are NaN, on both engines;
the functions of `_ops.linalg` raise, where values are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import COMPLEX, INT32
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops import emit
from ownarray._ops.arithmetic import add, conj, div, imag, make_complex, mul, real, sub
from ownarray._ops.compare import eq, where
from ownarray._ops.convert import COMPLEX_OF, REAL_OF, cast_to
from ownarray._ops.factor import scalar_like, solve_square, stack_batch, whole_of_triangle
from ownarray._ops.lapack import (
    LOWER,
    PREFIX,
    UPPER,
    check_matrices,
    flags,
    full_zeros,
    identity,
    lapack_call,
    nan_where_failed,
    turn,
    turned_shape,
)
from ownarray._ops.matmul import matmul
from ownarray._ops.ranges import diagonal_mask
from ownarray._ops.reducers import argmax_p
from ownarray._ops.rounding import abs_p
from ownarray._ops.sorting import take_along
from ownarray._ops.structural import reshape_to, sum_axes
from ownarray._ops.triangular import m_adjoint
from ownarray._trace.bind import HostArray, Operand, bind, bind_multiple, operand_aval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._core.dtypes import DType
    from ownarray._ops.operators import Array
    from ownarray._ops.rules import BatchDims, Tangents

_NOT_LINEAR: Final = Missing("not linear")
_NOTHING, _VECTORS, _THIN, _ALL = ord("N"), ord("V"), ord("S"), ord("A")


def _real(dtype: DType) -> DType:
    return REAL_OF.get(dtype, dtype)


def _one_by_one(
    x: HostArray, function: Callable[[HostArray], Sequence[HostArray]], outs: Sequence[HostArray]
) -> list[HostArray]:
    """Fill results matrix by matrix, with NaN where there are none."""
    flat = x.reshape(-1, *x.shape[-2:])
    n_batch = x.ndim - 2
    rows = [out.reshape(-1, *out.shape[n_batch:]) for out in outs]
    for i, matrix in enumerate(flat):
        try:
            parts = function(matrix)
        except np.linalg.LinAlgError:
            parts = [np.full(out.shape[n_batch:], np.nan, out.dtype) for out in outs]
        for row, part in zip(rows, parts, strict=True):
            row[i] = part
    return list(outs)


def _by_numpy(
    x: HostArray, function: Callable[[Any], Sequence[HostArray]], avals: Sequence[ShapedArray]
) -> list[HostArray]:
    """Apply a function of NumPy to a stack."""
    if not x.size:
        return [np.zeros(aval.shape, aval.dtype) for aval in avals]
    try:
        return [
            np.ascontiguousarray(part, aval.dtype)
            for part, aval in zip(function(x), avals, strict=True)
        ]
    except np.linalg.LinAlgError:
        return _one_by_one(x, function, [np.empty(aval.shape, aval.dtype) for aval in avals])


def _reciprocal_differences(values: Operand) -> Array:
    """Return 1 / (values[j] - values[i]) off the diagonal, and 0 on it."""
    *batch, n = operand_aval(values).shape
    rows = reshape_to(values, (*batch, n, 1))
    cols = reshape_to(values, (*batch, 1, n))
    one, zero = scalar_like(values, 1), scalar_like(values, 0)
    mask = diagonal_mask(n, n, 0)
    return where(mask, zero, div(one, where(mask, one, sub(cols, rows))))


def _diagonal(x: Operand) -> Array:
    """Return the diagonal of square matrices."""
    *batch, n, _ = operand_aval(x).shape
    kept = where(diagonal_mask(n, n, 0), x, scalar_like(x, 0))
    return sum_axes(kept, (len(batch),))


# Hermitian matrices, of which one triangle is read.


def _eigh_aval(x: ShapedArray, *, lower: bool, vectors: bool) -> list[ShapedArray]:
    check_matrices("eigh", x, square=True)
    values = ShapedArray(x.shape[:-1], _real(x.dtype))
    return [values, x.strong()] if vectors else [values]


def _eigh_host(x: HostArray, *, lower: bool, vectors: bool) -> list[HostArray]:
    avals = _eigh_aval(ShapedArray(x.shape, x.dtype), lower=lower, vectors=vectors)
    part: Any = "L" if lower else "U"
    if vectors:
        return _by_numpy(x, lambda a: np.linalg.eigh(a, part), avals)
    return _by_numpy(x, lambda a: [np.linalg.eigvalsh(a, part)], avals)


def _eigh_lower(
    builder: Builder, outs: Sequence[ShapedArray], x: Value, *, lower: bool, vectors: bool
) -> list[Value]:
    if not x.aval.size:
        return [full_zeros(builder, out) for out in outs]
    batch = x.aval.shape[:-2]
    dtype = x.aval.dtype
    # The memory is that of the transposed, which is the conjugated matrix: its vectors are the
    # conjugated ones.
    found, values, info = lapack_call(
        builder,
        PREFIX[dtype] + ("heevd" if dtype in COMPLEX else "syevd"),
        [x],
        [x.aval.strong(), outs[0], ShapedArray(batch, INT32)],
        n_batch=len(batch),
        config=flags(mode=_VECTORS if vectors else _NOTHING, uplo=UPPER if lower else LOWER),
        aliases=[(0, 0)],
        turned=True,
    )
    values = nan_where_failed(builder, values, info)
    if not vectors:
        return [values]
    ndim = x.aval.ndim
    found = emit.transpose(builder, found, [*range(ndim - 2), ndim - 1, ndim - 2])
    if dtype in COMPLEX:
        found = emit.conjugate(builder, found)
    return [values, nan_where_failed(builder, found, info)]


def _eigh_jvp(
    primals: Sequence[Operand],
    tangents: Tangents,
    ans: Sequence[Operand],
    *,
    lower: bool,
    vectors: bool,
) -> list[Operand]:
    t = tangents[0]
    assert t is not None
    if vectors:
        values, found = ans
    else:
        values, found = bind_multiple(eigh_p, primals[0], lower=lower, vectors=True)
    inner = matmul(m_adjoint(found), matmul(whole_of_triangle(t, lower=lower), found))
    dtype = operand_aval(t).dtype
    t_values = _diagonal(real(inner) if dtype in COMPLEX else inner)
    if not vectors:
        return [t_values]
    factors = cast_to(_reciprocal_differences(values), dtype)
    return [t_values, matmul(found, mul(factors, inner))]


eigh_p: Primitive = Primitive(
    name="eigh",
    multiple=True,
    prefers_host=True,
    aval=_eigh_aval,
    host=_eigh_host,
    lower=_eigh_lower,
    jvp=_eigh_jvp,
    transpose=_NOT_LINEAR,
    batch=lambda args, bdims, **params: _stack_batch(eigh_p, args, bdims, **params),
)


def _stack_batch(
    primitive: Primitive, args: Sequence[Operand], bdims: BatchDims, **params: Any
) -> tuple[list[Array], list[int]]:
    outs = bind_multiple(primitive, stack_batch(args, bdims), **params)
    return outs, [0] * len(outs)


# Singular values.


def _svd_aval(x: ShapedArray, *, full_matrices: bool, vectors: bool) -> list[ShapedArray]:
    check_matrices("svd", x)
    *batch, n_rows, n_cols = x.shape
    n = min(n_rows, n_cols)
    values = ShapedArray((*batch, n), _real(x.dtype))
    if not vectors:
        return [values]
    n_left, n_right = (n_rows, n_cols) if full_matrices else (n, n)
    return [
        ShapedArray((*batch, n_rows, n_left), x.dtype),
        values,
        ShapedArray((*batch, n_right, n_cols), x.dtype),
    ]


def _svd_host(x: HostArray, *, full_matrices: bool, vectors: bool) -> list[HostArray]:
    avals = _svd_aval(ShapedArray(x.shape, x.dtype), full_matrices=full_matrices, vectors=vectors)
    if not vectors:
        return _by_numpy(x, lambda a: [np.linalg.svd(a, compute_uv=False)], avals)
    results = _by_numpy(x, lambda a: np.linalg.svd(a, full_matrices), avals)
    if not x.size and full_matrices:
        for part in (results[0], results[2]):
            part[...] = np.eye(part.shape[-1], dtype=x.dtype)
    return results


def _svd_lower(
    builder: Builder,
    outs: Sequence[ShapedArray],
    x: Value,
    *,
    full_matrices: bool,
    vectors: bool,
) -> list[Value]:
    if not x.aval.size:
        return [
            identity(builder, out)
            if full_matrices and out.ndim == x.aval.ndim and out.size
            else full_zeros(builder, out)
            for out in outs
        ]
    left, values, right = _svd_aval(x.aval, full_matrices=full_matrices, vectors=True)
    batch = x.aval.shape[:-2]
    wanted = _ALL if full_matrices else _THIN
    # The memory is that of the transposed matrix, whose left vectors are our right ones.
    _, found, turned_right, turned_left, info = lapack_call(
        builder,
        PREFIX[x.aval.dtype] + "gesdd",
        [turn(builder, x)],
        [
            ShapedArray(turned_shape(x.aval.shape), x.aval.dtype),
            values,
            ShapedArray(turned_shape(right.shape), right.dtype),
            ShapedArray(turned_shape(left.shape), left.dtype),
            ShapedArray(batch, INT32),
        ],
        n_batch=len(batch),
        config=flags(mode=wanted if vectors else _NOTHING),
        aliases=[(0, 0)],
        turned=True,
    )
    found = nan_where_failed(builder, found, info)
    if not vectors:
        return [found]
    parts = [emit.reshape(builder, turned_left, left.shape), found]
    parts.append(emit.reshape(builder, turned_right, right.shape))
    return [nan_where_failed(builder, part, info) for part in parts]


def _svd_jvp(
    primals: Sequence[Operand],
    tangents: Tangents,
    ans: Sequence[Operand],
    *,
    full_matrices: bool,
    vectors: bool,
) -> list[Operand]:
    x, t = primals[0], tangents[0]
    assert t is not None
    n_rows, n_cols = operand_aval(x).shape[-2:]
    if vectors and full_matrices and n_rows != n_cols:
        raise NotImplementedError(
            "the derivative of svd with full_matrices=True is not unique for matrices that are not"
            f" square, got {operand_aval(x)}. Fix: full_matrices=False"
        )
    if vectors:
        left, values, right = ans
    else:
        left, values, right = bind_multiple(svd_p, x, full_matrices=False, vectors=True)
    dtype = operand_aval(t).dtype
    v = m_adjoint(right)
    moved = matmul(t, v)
    inner = matmul(m_adjoint(left), moved)
    t_values = _diagonal(real(inner) if dtype in COMPLEX else inner)
    if not vectors:
        return [t_values]
    *batch, n = operand_aval(values).shape
    s = cast_to(values, dtype)
    across = reshape_to(s, (*batch, 1, n))
    down = reshape_to(s, (*batch, n, 1))
    factors = cast_to(_reciprocal_differences(mul(values, values)), dtype)
    is_zero = eq(across, scalar_like(across, 0))
    inverse = where(is_zero, scalar_like(across, 0), div(scalar_like(across, 1), across))
    turned_left = mul(factors, _plus_adjoint(mul(inner, across)))
    turned_right = mul(factors, _plus_adjoint(mul(down, inner)))
    if dtype in COMPLEX:  # one phase of each pair of vectors is free: it stays with the right one
        skew = mul(sub(inner, m_adjoint(inner)), scalar_like(s, 0.5))
        phase = where(diagonal_mask(n, n, 0), mul(skew, inverse), scalar_like(s, 0))
        turned_left = add(turned_left, phase)
    t_left: Operand = matmul(left, turned_left)
    t_v: Operand = matmul(v, turned_right)
    if n_rows > n_cols:
        t_left = add(t_left, _outside(left, mul(moved, inverse)))
    if n_cols > n_rows:
        t_v = add(t_v, _outside(v, mul(matmul(m_adjoint(t), left), inverse)))
    return [t_left, t_values, m_adjoint(t_v)]


def _plus_adjoint(x: Operand) -> Array:
    return add(x, m_adjoint(x))


def _outside(basis: Operand, x: Operand) -> Array:
    """Return the part of x that is orthogonal to the columns of a basis."""
    return sub(x, matmul(basis, matmul(m_adjoint(basis), x)))


svd_p: Primitive = Primitive(
    name="svd",
    multiple=True,
    prefers_host=True,
    aval=_svd_aval,
    host=_svd_host,
    lower=_svd_lower,
    jvp=_svd_jvp,
    transpose=_NOT_LINEAR,
    batch=lambda args, bdims, **params: _stack_batch(svd_p, args, bdims, **params),
)


# General matrices: complex values and vectors, of norm 1 with the largest component real.


def _eig_aval(x: ShapedArray, *, vectors: bool) -> list[ShapedArray]:
    check_matrices("eig", x, square=True)
    dtype = COMPLEX_OF.get(x.dtype, x.dtype)
    values = ShapedArray(x.shape[:-1], dtype)
    return [values, ShapedArray(x.shape, dtype)] if vectors else [values]


def _eig_host(x: HostArray, *, vectors: bool) -> list[HostArray]:
    avals = _eig_aval(ShapedArray(x.shape, x.dtype), vectors=vectors)
    if vectors:
        return _by_numpy(x, np.linalg.eig, avals)
    return _by_numpy(x, lambda a: [np.linalg.eigvals(a)], avals)


def _eig_lower(
    builder: Builder, outs: Sequence[ShapedArray], x: Value, *, vectors: bool
) -> list[Value]:
    if not x.aval.size:
        return [full_zeros(builder, out) for out in outs]
    batch = x.aval.shape[:-2]
    dtype = x.aval.dtype
    matrices = ShapedArray(x.aval.shape, outs[0].dtype)
    n_values = 1 if dtype in COMPLEX else 2  # real and imaginary parts stand apart
    values = [ShapedArray(outs[0].shape, dtype)] * n_values
    results = lapack_call(
        builder,
        PREFIX[dtype] + "geev",
        [x],
        [*values, matrices, matrices, ShapedArray(batch, INT32)],
        n_batch=len(batch),
        config=flags(compute_left=_NOTHING, compute_right=_VECTORS if vectors else _NOTHING),
    )
    found, (_, right, info) = results[0], results[n_values:]
    if n_values > 1:
        found = builder.op("stablehlo.complex", results[:2], outs[0])
    found = nan_where_failed(builder, found, info)
    return [found, nan_where_failed(builder, right, info)] if vectors else [found]


def _eig_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Sequence[Operand], *, vectors: bool
) -> list[Operand]:
    t = tangents[0]
    assert t is not None
    values, found = ans if vectors else bind_multiple(eig_p, primals[0], vectors=True)
    dtype = operand_aval(values).dtype
    inner = solve_square(found, matmul(cast_to(t, dtype), found))
    t_values = _diagonal(inner)
    if not vectors:
        return [t_values]
    moved = matmul(found, mul(_reciprocal_differences(values), inner))
    # The norm of a column stays 1, and its largest component stays real.
    rows = operand_aval(found).ndim - 2
    along = real(sum_axes(mul(conj(found), moved), (rows,)))
    place = bind(argmax_p, bind(abs_p, found), axis=rows)
    at = [_column_at(x, place, rows) for x in (moved, found)]
    turned = imag(div(at[0], at[1]))
    shape = operand_aval(found).shape
    gauge = reshape_to(make_complex(along, turned), (*shape[:-2], 1, shape[-1]))
    return [t_values, sub(moved, mul(found, gauge))]


def _column_at(x: Operand, place: Operand, rows: int) -> Array:
    """Return one element of each column."""
    shape = operand_aval(x).shape
    kept = (*shape[:rows], 1, *shape[rows + 1 :])
    return sum_axes(take_along(x, reshape_to(place, kept), rows), (rows,))


eig_p: Primitive = Primitive(
    name="eig",
    multiple=True,
    prefers_host=True,
    aval=_eig_aval,
    host=_eig_host,
    lower=_eig_lower,
    jvp=_eig_jvp,
    transpose=_NOT_LINEAR,
    batch=lambda args, bdims, **params: _stack_batch(eig_p, args, bdims, **params),
)
