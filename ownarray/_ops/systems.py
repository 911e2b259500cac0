"""Inverses, and square systems as primitives of their own where values are known.

While a function is traced, `_ops.linalg` composes systems of a factorisation and triangular ones,
which derivatives share; that of an inverse needs nothing but the inverse. At once, and in programs
for large inverses, LAPACK's own drivers work in one go on the owned memory.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from ownarray._core.primitive import Linear, Missing, Primitive
from ownarray._ops.arithmetic import neg, sub
from ownarray._ops.compare import where
from ownarray._ops.factor import scalar_like, solve_square, stack_batch
from ownarray._ops.host_calls import has_host_calls, host_call
from ownarray._ops.lapack import batch_of, check_matrices, each, routine
from ownarray._ops.matmul import matmul
from ownarray._ops.ranges import diagonal_mask
from ownarray._ops.structural import broadcast_to
from ownarray._ops.triangular import m_transpose, stacks_front
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval
from ownarray._trace.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array
    from ownarray._ops.rules import Tangents


_MIN_ROWS: Final = 64
"""LAPACK's inverse of the host is called for matrices of so many rows; for smaller ones the call
costs more than it saves."""


def _lower_composed(
    builder: Builder, out: ShapedArray, *values: Value, function: Callable[..., Array]
) -> Value:
    """Lower to what a function composes of other primitives."""
    recording = record("composed", [v.aval for v in values], lambda _, args: [function(*args)])
    assert not recording.captured
    return builder.inline(recording.program, values)[0]


def inverse_by_solving(x: Operand) -> Array:
    """Return inverses, composed of a factorisation and triangular systems."""
    n = operand_aval(x).shape[-1]
    one, zero = scalar_like(x, 1), scalar_like(x, 0)
    unit = where(diagonal_mask(n, n, 0), one, zero)
    return solve_square(x, broadcast_to(unit, operand_aval(x).shape))


def _mark(factors: HostArray) -> float:
    """Return what fills the result where a pivot is 0, or NaN."""
    return np.nan if np.isnan(factors).any() else np.inf


# Inverses.


def _inv_aval(x: ShapedArray) -> ShapedArray:
    check_matrices("inv", x, square=True)
    return x.strong()


def _inv_host(x: HostArray, *, out: HostArray | None = None) -> HostArray:
    result = np.array(x, order="C") if out is None else out
    if out is not None and out is not x:
        out[...] = x
    if not result.size:
        return result
    getrf, getri = routine("getrf", x.dtype), routine("getri", x.dtype)
    for (matrix,) in each(result):
        # The inverse of the transpose is the transpose of the inverse: row-major memory will do.
        factors, swaps, info = getrf(matrix.T, overwrite_a=1)
        if info:
            matrix[...] = _mark(factors)
            continue
        inverse, _ = getri(factors, swaps, lwork=64 * max(1, len(swaps)), overwrite_lu=1)
        if not np.may_share_memory(inverse, matrix):
            matrix[...] = inverse.T
    return result


def inv_kernel(x: HostArray, out: HostArray) -> None:
    """Write inverses, as a kernel; the matrices may lie in the same memory."""
    _inv_host(out if x.ctypes.data == out.ctypes.data else x, out=out)


def _inv_lower(builder: Builder, out: ShapedArray, x: Value) -> Value:
    if has_host_calls(builder) and out.shape[-1] >= _MIN_ROWS:
        return host_call(builder, "inv", [x], [out], [(0, 0)])[0]
    return _lower_composed(builder, out, x, function=inverse_by_solving)


def _inv_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand:
    t = tangents[0]
    assert t is not None
    return neg(matmul(matmul(ans, t), ans))


inv_p: Primitive = Primitive(
    name="inv",
    is_kept=True,
    prefers_host=True,
    aval=_inv_aval,
    host=_inv_host,
    lower=_inv_lower,
    jvp=_inv_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims: (bind(inv_p, stack_batch(args, bdims)), 0),
)


# Systems: linear in the right sides.


def _solve_aval(a: ShapedArray, b: ShapedArray) -> ShapedArray:
    check_matrices("solve", a, square=True)
    check_matrices("solve", b)
    if a.dtype != b.dtype or batch_of(a) != batch_of(b) or a.shape[-1] != b.shape[-2]:
        raise ValueError(f"solve: the matrix {a} does not fit the right sides {b}")
    return b.strong()


def _solve_host(a: HostArray, b: HostArray, *, out: HostArray | None = None) -> HostArray:
    a = np.array(a, order="C")
    result = np.array(b, order="C") if out is None else out
    if out is not None and out is not b:
        out[...] = b
    if not result.size:
        return result
    getrf, getrs = routine("getrf", a.dtype), routine("getrs", a.dtype)
    for matrix, sides in each(a, result):
        factors, swaps, info = getrf(matrix.T, overwrite_a=1)
        if info:
            sides[...] = _mark(factors)
        else:
            sides[...], _ = getrs(factors, swaps, sides, trans=1)
    return result


def _solve_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand:
    t_a, t_b = tangents
    if t_a is not None:
        moved = matmul(t_a, ans)
        t_b = neg(moved) if t_b is None else sub(t_b, moved)
    assert t_b is not None
    return solve_now(primals[0], t_b)


def _solve_transpose(ct: Operand, a: Operand, b: Linear) -> list[Operand | None]:
    return [None, solve_now(m_transpose(a), ct)]


solve_p: Primitive = Primitive(
    name="solve",
    is_kept=True,
    prefers_host=True,
    aval=_solve_aval,
    host=_solve_host,
    lower=partial(_lower_composed, function=solve_square),
    jvp=_solve_jvp,
    transpose=_solve_transpose,
    batch=lambda args, bdims: (bind(solve_p, *stacks_front(args, bdims)), 0),
)


def solve_now(a: Operand, b: Operand) -> Array:
    """Apply `solve_p`."""
    return bind(solve_p, a, b)


def inv_now(x: Operand) -> Array:
    """Apply `inv_p`."""
    return bind(inv_p, x)
