"""Products of matrices: one primitive with XLA's dimension numbers, NumPy's functions on it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import (
    BOOL,
    COMPLEX,
    FLOAT32,
    INT32,
    NARROW_FLOAT,
    NUMERIC,
    SUB_BYTE,
    DType,
)
from ownarray._core.primitive import Linear, Primitive
from ownarray._ops.arithmetic import add_tangents, conj, mul
from ownarray._ops.convert import cast_to
from ownarray._ops.promote import arithmetic
from ownarray._ops.rules import (
    BatchDims,
    Tangents,
    broadcast_shapes,
    cast,
    compare,
    deliver,
    full,
    normal_axes,
)
from ownarray._ops.shapes import moveaxis
from ownarray._ops.streamed import lower_streamed
from ownarray._ops.structural import broadcast_to, permute
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

Axes = tuple[int, ...]
Dims = tuple[Axes, Axes]
"""Axes of the left operand, and those of the right one that they meet."""
_HALF = NARROW_FLOAT | {np.dtype(np.float16)}


def _free(ndim: int, *used: Axes) -> Axes:
    taken = {axis for axes in used for axis in axes}
    return tuple([axis for axis in range(ndim) if axis not in taken])


def _dot_aval(
    x: ShapedArray, y: ShapedArray, *, contract: Dims, batch: Dims, dtype: DType
) -> ShapedArray:
    if x.dtype != y.dtype or x.dtype not in NUMERIC | {BOOL}:
        raise TypeError(f"dot_general: expected two arrays of one dtype of numbers, got {x}, {y}")
    for kind, (left, right) in (("contracted", contract), ("batch", batch)):
        sizes = [x.shape[a] for a in left], [y.shape[a] for a in right]
        if sizes[0] != sizes[1]:
            raise ValueError(
                f"dot_general: {x} and {y} differ along the {kind} axes {left}, {right}"
            )
    shape = [x.shape[a] for a in batch[0]]
    shape += [x.shape[a] for a in _free(x.ndim, contract[0], batch[0])]
    shape += [y.shape[a] for a in _free(y.ndim, contract[1], batch[1])]
    return ShapedArray(tuple(shape), dtype)


def _as_stack(x: HostArray, order: Sequence[Axes]) -> HostArray:
    """Return x with groups of axes merged, one axis for each group."""
    moved = x.transpose([axis for axes in order for axis in axes])
    return moved.reshape([math.prod([x.shape[axis] for axis in axes]) for axes in order])


def _dot_host(
    x: HostArray,
    y: HostArray,
    *,
    contract: Dims,
    batch: Dims,
    dtype: DType,
    out: HostArray | None = None,
) -> HostArray:
    wide = dtype
    if dtype in _HALF:
        wide = FLOAT32  # NumPy has no fast product of half precision, and sums in it
    elif dtype in SUB_BYTE:
        wide = np.dtype(np.int8)
    if x.dtype != wide:
        x, y = x.astype(wide), y.astype(wide)
    if x.ndim <= 2 and y.ndim <= 2 and contract == ((x.ndim - 1,), (0,)) and not batch[0]:
        if wide == dtype:
            return np.matmul(x, y, out=out)
        return deliver(np.matmul(x, y).astype(dtype), out)
    free = _free(x.ndim, contract[0], batch[0]), _free(y.ndim, contract[1], batch[1])
    left = _as_stack(x, (batch[0], free[0], contract[0]))
    right = _as_stack(y, (batch[1], contract[1], free[1]))
    shape = [x.shape[a] for a in (*batch[0], *free[0])] + [y.shape[a] for a in free[1]]
    result: HostArray = np.matmul(left, right).reshape(shape)
    if out is None:
        return result if wide == dtype else result.astype(dtype)
    out[...] = result
    return out


def _dot_lower(
    builder: Builder,
    out: ShapedArray,
    x: Value,
    y: Value,
    *,
    contract: Dims,
    batch: Dims,
    dtype: DType,
) -> Value:
    streamed = lower_streamed(builder, out, x, y, contract=contract, batch=batch)
    if streamed is not None:
        return cast(builder, streamed, dtype)
    wide = {BOOL: INT32}.get(dtype, dtype)
    if dtype in NARROW_FLOAT and dtype.itemsize == 1:
        wide = FLOAT32
    elif dtype in SUB_BYTE:
        wide = INT32
    x, y = cast(builder, x, wide), cast(builder, y, wide)

    def axes(values: Axes) -> str:
        return "[" + ", ".join(map(str, values)) + "]"

    numbers = (
        f"#stablehlo.dot<lhs_batching_dimensions = {axes(batch[0])}, "
        f"rhs_batching_dimensions = {axes(batch[1])}, "
        f"lhs_contracting_dimensions = {axes(contract[0])}, "
        f"rhs_contracting_dimensions = {axes(contract[1])}>"
    )
    result = builder.op(
        "stablehlo.dot_general",
        [x, y],
        ShapedArray(out.shape, wide),
        f"dot_dimension_numbers = {numbers}",
    )
    if dtype == BOOL:
        return compare(builder, result, full(builder, 0, result), "NE")
    return cast(builder, result, dtype)


def dot_general(
    x: Operand, y: Operand, contract: Dims, batch: Dims = ((), ()), dtype: DType | None = None
) -> Array:
    """Apply `dot_general_p`: batch axes first, then the free axes of x, then those of y."""
    kind = operand_aval(x).dtype if dtype is None else dtype
    return bind(dot_general_p, x, y, contract=contract, batch=batch, dtype=kind)


def _dot_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Operand, **params: Any
) -> Operand | None:
    (x, y), (tx, ty) = primals, tangents
    return add_tangents(
        None if tx is None else bind(dot_general_p, tx, y, **params),
        None if ty is None else bind(dot_general_p, x, ty, **params),
        ans,
    )


def _dot_transpose(
    ct: Operand, x: Any, y: Any, *, contract: Dims, batch: Dims, dtype: DType
) -> list[Operand | None]:
    if isinstance(x, Linear):
        return [_ct_of(ct, x.aval, y, contract, batch, first=True), None]
    swapped = (contract[1], contract[0]), (batch[1], batch[0])
    return [None, _ct_of(ct, y.aval, x, *swapped, first=False)]


def _ct_of(
    ct: Operand, aval: ShapedArray, other: Operand, contract: Dims, batch: Dims, *, first: bool
) -> Array:
    """Return the cotangent of one operand: ct times the other one, over the other's free axes.

    ``contract`` and ``batch`` are seen from that operand; ct has its free axes before those of the
    other one if it is the ``first``.
    """
    other_aval = operand_aval(other)
    n_batch = len(batch[0])
    mine = _free(aval.ndim, contract[0], batch[0])
    others = _free(other_aval.ndim, contract[1], batch[1])
    start = n_batch + (len(mine) if first else 0)
    meeting = tuple(range(start, start + len(others)))
    ct = cast_to(ct, other_aval.dtype)
    ct_batch = tuple(range(n_batch))
    # The axes of both orders: batch, mine, and the other's contracted ones in the other's order.
    theirs = [axis for _, axis in sorted(zip(contract[1], contract[0], strict=True))]
    behind, before = (*batch[0], *mine, *theirs), (*batch[0], *theirs, *mine)
    if before == tuple(range(aval.ndim)):  # the order in which nothing is left to be transposed
        return dot_general(
            other, ct, contract=(others, meeting), batch=(batch[1], ct_batch), dtype=aval.dtype
        )
    product = dot_general(
        ct, other, contract=(meeting, others), batch=(ct_batch, batch[1]), dtype=aval.dtype
    )
    if behind == tuple(range(aval.ndim)):
        return product
    return permute(product, tuple([behind.index(axis) for axis in range(aval.ndim)]))


def _dot_batch(
    args: Sequence[Operand],
    bdims: BatchDims,
    *,
    contract: Dims,
    batch: Dims,
    dtype: DType,
) -> tuple[Array, int]:
    (x, y), (bx, by) = args, bdims

    def shifted(axes: Axes, bdim: int | None) -> Axes:
        return axes if bdim is None else tuple([axis + (axis >= bdim) for axis in axes])

    contract = shifted(contract[0], bx), shifted(contract[1], by)
    left, right = shifted(batch[0], bx), shifted(batch[1], by)
    if bx is not None and by is not None:
        return dot_general(x, y, contract, ((bx, *left), (by, *right)), dtype), 0
    result = dot_general(x, y, contract, (left, right), dtype)
    n_batch = len(left)
    free_x = _free(operand_aval(x).ndim, contract[0], left)
    if bx is not None:
        return result, n_batch + free_x.index(bx)
    assert by is not None
    free_y = _free(operand_aval(y).ndim, contract[1], right)
    return result, n_batch + len(free_x) + free_y.index(by)


dot_general_p: Primitive = Primitive(
    name="dot_general",
    is_kept=True,
    aval=_dot_aval,
    host=_dot_host,
    lower=_dot_lower,
    jvp=_dot_jvp,
    transpose=_dot_transpose,
    batch=_dot_batch,
)


# NumPy's functions.


def matmul(x: object, y: object) -> Array:
    """Return the matrix product, stacks of matrices broadcast; vectors are rows or columns."""
    x, y = arithmetic("matmul", x, y)
    a, b = operand_aval(x), operand_aval(y)
    if not a.ndim or not b.ndim:
        raise ValueError(f"matmul: expected arrays of one axis at least, got {a} and {b}")
    left, right = a.ndim - 1, max(b.ndim - 2, 0)
    if a.shape[left] != b.shape[right]:
        raise ValueError(f"matmul: {a} and {b} differ along the axes that meet ({left}, {right})")
    if a.ndim == 1 or b.ndim <= 2:
        return dot_general(x, y, ((left,), (right,)))
    return _stacked(x, y)


def _stacked(x: Operand, y: Operand) -> Array:
    """Return the product of stacks of matrices."""
    a, b = operand_aval(x), operand_aval(y)
    stack = broadcast_shapes("matmul", [a.shape[:-2], b.shape[:-2]])
    x = x if a.shape[:-2] == stack else broadcast_to(x, (*stack, *a.shape[-2:]))
    y = y if b.shape[:-2] == stack else broadcast_to(y, (*stack, *b.shape[-2:]))
    n = len(stack)
    axes = tuple(range(n))
    return dot_general(x, y, ((n + 1,), (n,)), (axes, axes))


def dot(x: object, y: object) -> Array:
    """Return NumPy's dot: products over the last axis of x and the last but one of y."""
    first, second = arithmetic("dot", x, y)
    a, b = operand_aval(first), operand_aval(second)
    if not a.ndim or not b.ndim:
        return mul(first, second)
    left, right = a.ndim - 1, max(b.ndim - 2, 0)
    if a.shape[left] != b.shape[right]:
        raise ValueError(f"dot: {a} and {b} differ along the axes that meet ({left}, {right})")
    return dot_general(first, second, ((left,), (right,)))


def tensordot(
    x: object, y: object, axes: int | tuple[int | Sequence[int], int | Sequence[int]] = 2
) -> Array:
    """Return the products over some axes: the last of x with the first of y, or pairs of axes."""
    first, second = arithmetic("tensordot", x, y)
    a, b = operand_aval(first), operand_aval(second)
    if isinstance(axes, int):
        if not 0 <= axes <= min(a.ndim, b.ndim):
            raise ValueError(f"tensordot: {a} and {b} have not {axes} axes to meet")
        left, right = tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    else:
        left = normal_axes("tensordot", axes[0], a.ndim)
        right = normal_axes("tensordot", axes[1], b.ndim)
    if len(left) != len(right) or any(
        a.shape[i] != b.shape[j] for i, j in zip(left, right, strict=False)
    ):
        raise ValueError(f"tensordot: {a} and {b} differ along the axes {left} and {right}")
    return dot_general(first, second, (left, right))


def vecdot(x: object, y: object, axis: int = -1) -> Array:
    """Return the dot products along an axis, the first array conjugated; other axes broadcast."""
    first, second = arithmetic("vecdot", x, y)
    if not operand_aval(first).ndim or not operand_aval(second).ndim:
        raise ValueError("vecdot: expected arrays of one axis at least")
    if operand_aval(first).dtype in COMPLEX:
        first = conj(first)
    sides = [moveaxis(side, axis, -1) for side in (first, second)]
    a, b = (side.aval for side in sides)
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"vecdot: {operand_aval(first)} and {operand_aval(second)} differ")
    stack = broadcast_shapes("vecdot", [a.shape[:-1], b.shape[:-1]])
    left, right = (broadcast_to(side, (*stack, side.aval.shape[-1])) for side in sides)
    dims = tuple(range(len(stack)))
    return dot_general(left, right, ((len(stack),), (len(stack),)), (dims, dims))
