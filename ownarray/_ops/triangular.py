"""Systems with a triangular matrix, on stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import COMPLEX
from ownarray._core.primitive import Linear, Primitive
from ownarray._ops import emit
from ownarray._ops.arithmetic import conj, neg, sub
from ownarray._ops.lapack import (
    LOWER,
    PREFIX,
    UPPER,
    batch_of,
    check_matrices,
    each,
    flags,
    lapack_call,
    turn,
    turned_shape,
)
from ownarray._ops.matmul import matmul
from ownarray._ops.ranges import tril, triu
from ownarray._ops.rules import BatchDims, Tangents, broadcast_shapes
from ownarray._ops.structural import broadcast_to, permute, to_front
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

Turn: TypeAlias = Literal["N", "T", "C"]
"""The matrix itself, its transpose, its adjoint."""


def m_transpose(x: Operand) -> Array:
    """Return matrices transposed."""
    ndim = operand_aval(x).ndim
    return permute(x, (*range(ndim - 2), ndim - 1, ndim - 2))


def m_adjoint(x: Operand) -> Array:
    """Return matrices transposed and conjugated."""
    turned = m_transpose(x)
    return conj(turned) if operand_aval(x).dtype in COMPLEX else turned


def _turned(x: Operand, trans: Turn) -> Operand:
    if trans == "N":
        return x
    return m_transpose(x) if trans == "T" else m_adjoint(x)


def _solve_aval(
    a: ShapedArray, b: ShapedArray, *, lower: bool, trans: Turn, unit_diagonal: bool
) -> ShapedArray:
    check_matrices("triangular_solve", a, square=True)
    check_matrices("triangular_solve", b)
    if a.dtype != b.dtype or batch_of(a) != batch_of(b) or a.shape[-1] != b.shape[-2]:
        raise ValueError(f"triangular_solve: the matrix {a} does not fit the right sides {b}")
    return b.strong()


def _solve_host(
    a: HostArray,
    b: HostArray,
    *,
    lower: bool,
    trans: Turn,
    unit_diagonal: bool,
    out: HostArray | None = None,
) -> HostArray:
    from scipy.linalg import blas  # noqa: PLC0415  (slow to import, and seldom needed)

    if out is not None and np.may_share_memory(a, out):
        a = np.array(a)
    result = np.array(b, order="C") if out is None else out
    if out is not None and out is not b:
        out[...] = b
    if not result.size:
        return result
    trsm = getattr(blas, PREFIX[a.dtype] + "trsm")
    for matrix, sides in each(np.ascontiguousarray(a), result):
        # In column-major eyes: X.T @ op(a).T = B.T, with a.T in a's memory.
        solved = trsm(
            1.0,
            matrix.T,
            sides.T,
            side=1,
            lower=int(not lower),
            trans_a={"N": 0, "T": 1, "C": 2}[trans],
            diag=int(unit_diagonal),
            overwrite_b=1,
        )
        if not np.may_share_memory(solved, sides):
            sides[...] = solved.T
    return result


def _solve_lower(
    builder: Builder,
    out: ShapedArray,
    a: Value,
    b: Value,
    *,
    lower: bool,
    trans: Turn,
    unit_diagonal: bool,
) -> Value:
    if not out.size:
        return b
    if builder.platform != "cpu":
        names = {"N": "NO_TRANSPOSE", "T": "TRANSPOSE", "C": "ADJOINT"}
        return builder.op(
            "stablehlo.triangular_solve",
            [a, b],
            out,
            f"left_side = true, lower = {str(lower).lower()}, "
            f"unit_diagonal = {str(unit_diagonal).lower()}, "
            f"transpose_a = #stablehlo<transpose {names[trans]}>",
        )
    solved = lapack_call(
        builder,
        PREFIX[out.dtype] + "trsm",
        [a, turn(builder, b)],
        [ShapedArray(turned_shape(out.shape), out.dtype)],
        n_batch=out.ndim - 2,
        config=flags(
            diag=ord("U" if unit_diagonal else "N"),
            side=ord("R"),
            trans_x=ord(trans),
            uplo=UPPER if lower else LOWER,
        ),
        aliases=[(0, 1)],
        turned=True,
    )[0]
    return emit.reshape(builder, solved, out.shape)


def _solve_jvp(
    primals: Sequence[Operand],
    tangents: Tangents,
    ans: Operand,
    *,
    lower: bool,
    trans: Turn,
    unit_diagonal: bool,
) -> Operand:
    a, _ = primals
    t_a, t_b = tangents
    if t_a is not None:
        strict = int(unit_diagonal)
        t_a = tril(t_a, -strict) if lower else triu(t_a, strict)
        moved = matmul(_turned(t_a, trans), ans)
        t_b = neg(moved) if t_b is None else sub(t_b, moved)
    assert t_b is not None
    return solve_triangular(a, t_b, lower=lower, trans=trans, unit_diagonal=unit_diagonal)


def _solve_transpose(
    ct: Operand,
    a: Operand,
    b: Linear,
    *,
    lower: bool,
    trans: Turn,
    unit_diagonal: bool,
) -> list[Operand | None]:
    if trans == "C":
        a, other = conj(a) if operand_aval(a).dtype in COMPLEX else a, "N"
    else:
        other = "T" if trans == "N" else "N"
    back: Turn = "T" if other == "T" else "N"
    return [None, solve_triangular(a, ct, lower=lower, trans=back, unit_diagonal=unit_diagonal)]


def stacks_front(args: Sequence[Operand], bdims: BatchDims) -> list[Operand]:
    """Return stacks of matrices with their batch axes in front, repeated where there is none."""
    sizes = [
        operand_aval(x).shape[bdim] for x, bdim in zip(args, bdims, strict=True) if bdim is not None
    ]
    return [
        broadcast_to(x, (sizes[0], *operand_aval(x).shape)) if bdim is None else to_front(x, bdim)
        for x, bdim in zip(args, bdims, strict=True)
    ]


triangular_solve_p: Primitive = Primitive(
    name="triangular_solve",
    is_kept=True,
    prefers_host=True,
    aval=_solve_aval,
    host=_solve_host,
    lower=_solve_lower,
    jvp=_solve_jvp,
    transpose=_solve_transpose,
    batch=lambda args, bdims, **params: (
        bind(triangular_solve_p, *stacks_front(args, bdims), **params),
        0,
    ),
)


def solve_triangular(
    a: Operand,
    b: Operand,
    *,
    lower: bool,
    trans: Turn = "N",
    unit_diagonal: bool = False,
) -> Array:
    """Solve ``op(a) @ x = b`` for stacks of matrices, which are broadcast."""
    left, right = operand_aval(a), operand_aval(b)
    batch = broadcast_shapes("triangular_solve", [left.shape[:-2], right.shape[:-2]])
    if left.shape[:-2] != batch:
        a = broadcast_to(a, (*batch, *left.shape[-2:]))
    if right.shape[:-2] != batch:
        b = broadcast_to(b, (*batch, *right.shape[-2:]))
    return bind(triangular_solve_p, a, b, lower=lower, trans=trans, unit_diagonal=unit_diagonal)
