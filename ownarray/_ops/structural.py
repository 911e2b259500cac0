"""Primitives that rearrange elements, and what element-wise rules need of them.

Broadcasting and summing are each other's transpose, so they share this file; so do `unbroadcast`
and `elementwise_batch`, which undo and adapt NumPy's broadcasting of operands.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.dtypes import FLOAT32, NARROW_FLOAT, NUMERIC, SUB_BYTE, DType, short
from ownarray._core.primitive import Linear, Primitive
from ownarray._lower.types import i64_array
from ownarray._ops import emit
from ownarray._ops.rules import BatchDims, Host, Tangents, cast, deliver, is_standard
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

_BY_HAND = NARROW_FLOAT | SUB_BYTE
_HALF = NARROW_FLOAT | {np.dtype(np.float16)}


# Copy: the same values in fresh memory.


def _copy_host(x: HostArray, *, out: HostArray | None = None) -> HostArray:
    return np.array(x) if out is None else deliver(x, out)


copy_p: Primitive = Primitive(
    name="copy",
    is_light=True,
    prefers_host=True,  # nothing to gain from a compiled copy, and each shape would be compiled
    aval=lambda x: x,
    host=_copy_host,
    lower=lambda builder, out, x: x,
    jvp=lambda primals, tangents, ans: tangents[0],
    transpose=lambda ct, x: [ct],
    batch=lambda args, bdims: (bind(copy_p, args[0]), bdims[0]),
)


def copy(x: Operand) -> Array:
    """Return the same values in memory of its own."""
    return bind(copy_p, x)


# Reshape.


def _reshape_aval(x: ShapedArray, *, shape: Shape) -> ShapedArray:
    if math.prod(shape) != x.size:
        raise ValueError(f"reshape: cannot make shape {shape} of the {x.size} elements of {x}")
    return ShapedArray(shape, x.dtype)


def _reshape_host(x: HostArray, *, shape: Shape, out: HostArray | None = None) -> HostArray:
    result = np.reshape(x, shape)
    if out is not None:
        return deliver(result, out)
    return result.copy() if np.may_share_memory(result, x) else result


def _reshape_lower(builder: Builder, out: ShapedArray, x: Value, *, shape: Shape) -> Value:
    return emit.reshape(builder, x, shape)


def _reshape_batch(args: Sequence[Operand], bdims: BatchDims, *, shape: Shape) -> tuple[Array, int]:
    x = to_front(args[0], bdims[0])
    return reshape_to(x, (operand_aval(x).shape[0], *shape)), 0


reshape_p: Primitive = Primitive(
    name="reshape",
    is_light=True,
    aval=_reshape_aval,
    host=_reshape_host,
    lower=_reshape_lower,
    jvp=lambda primals, tangents, ans, *, shape: reshape_to(tangents[0], shape),
    transpose=lambda ct, x, *, shape: [reshape_to(ct, x.aval.shape)],
    batch=_reshape_batch,
)


def reshape_to(x: Operand, shape: Shape) -> Array:
    """Apply `reshape_p`: the elements in row-major order in another shape."""
    return bind(reshape_p, x, shape=shape)


# Transpose.


def _transpose_aval(x: ShapedArray, *, axes: tuple[int, ...]) -> ShapedArray:
    if sorted(axes) != list(range(x.ndim)):
        raise ValueError(f"transpose: axes {axes} are no order of the axes of {x}")
    return ShapedArray(tuple([x.shape[axis] for axis in axes]), x.dtype)


def _transpose_host(
    x: HostArray, *, axes: tuple[int, ...], out: HostArray | None = None
) -> HostArray:
    moved = x.transpose(axes)
    return moved.copy(order="C") if out is None else deliver(moved, out)


def _transpose_lower(
    builder: Builder, out: ShapedArray, x: Value, *, axes: tuple[int, ...]
) -> Value:
    return emit.transpose(builder, x, axes)


def _transpose_batch(
    args: Sequence[Operand], bdims: BatchDims, *, axes: tuple[int, ...]
) -> tuple[Array, int]:
    bdim = bdims[0]
    assert bdim is not None
    shifted = [axis + (axis >= bdim) for axis in axes]
    return permute(args[0], (bdim, *shifted)), 0


transpose_p: Primitive = Primitive(
    name="transpose",
    is_moving=True,
    aval=_transpose_aval,
    host=_transpose_host,
    lower=_transpose_lower,
    jvp=lambda primals, tangents, ans, *, axes: permute(tangents[0], axes),
    transpose=lambda ct, x, *, axes: [permute(ct, _inverse(axes))],
    batch=_transpose_batch,
)


def _inverse(axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(range(len(axes)), key=axes.__getitem__))


def permute(x: Operand, axes: tuple[int, ...]) -> Array:
    """Apply `transpose_p`: axis i of the result is axis ``axes[i]`` of x."""
    return bind(transpose_p, x, axes=axes)


def to_front(x: Operand, bdim: int | None) -> Operand:
    """Return x with its batch axis in front."""
    if not bdim:
        return x
    ndim = operand_aval(x).ndim
    return permute(x, (bdim, *[axis for axis in range(ndim) if axis != bdim]))


# Broadcast, in XLA's form: axis i of the operand becomes axis dims[i] of the result.


def _broadcast_aval(x: ShapedArray, *, shape: Shape, dims: tuple[int, ...]) -> ShapedArray:
    if len(dims) != x.ndim or len(set(dims)) != len(dims):
        raise ValueError(f"broadcast: {dims} does not place the axes of {x}")
    for n, axis in zip(x.shape, dims, strict=True):
        if n not in (1, shape[axis]):
            raise ValueError(f"broadcast: {x} does not fit into shape {shape} at axes {dims}")
    return ShapedArray(shape, x.dtype)


def _broadcast_host(
    x: HostArray, *, shape: Shape, dims: tuple[int, ...], out: HostArray | None = None
) -> HostArray:
    order = _inverse(dims)
    sizes = [1] * len(shape)
    for n, axis in zip(x.shape, dims, strict=True):
        sizes[axis] = n
    placed = x.transpose(order).reshape(sizes)
    result = np.empty(shape, x.dtype) if out is None else out
    if out is not None and np.may_share_memory(placed, out):
        placed = placed.copy()
    result[...] = placed
    return result


def _broadcast_lower(
    builder: Builder, out: ShapedArray, x: Value, *, shape: Shape, dims: tuple[int, ...]
) -> Value:
    if x.aval.shape == shape and dims == tuple(range(len(shape))):
        return x
    return builder.op(
        "stablehlo.broadcast_in_dim", [x], out, f"broadcast_dimensions = {i64_array(dims)}"
    )


def _broadcast_transpose(
    ct: Operand, x: Linear, *, shape: Shape, dims: tuple[int, ...]
) -> list[Array]:
    kept = [a for n, a in zip(x.aval.shape, dims, strict=True) if n == shape[a]]
    summed = sum_axes(ct, tuple([a for a in range(len(shape)) if a not in kept]))
    order = tuple([sorted(kept).index(a) for a in kept])
    if order != tuple(range(len(order))):
        summed = permute(summed, order)
    return [reshape_to(summed, x.aval.shape)]


def _broadcast_batch(
    args: Sequence[Operand], bdims: BatchDims, *, shape: Shape, dims: tuple[int, ...]
) -> tuple[Array, int]:
    (x,), (bdim,) = args, bdims
    assert bdim is not None
    placed = [a + 1 for a in dims]
    placed.insert(bdim, 0)
    n = operand_aval(x).shape[bdim]
    return bind(broadcast_p, x, shape=(n, *shape), dims=tuple(placed)), 0


broadcast_p: Primitive = Primitive(
    name="broadcast",
    is_light=True,
    aval=_broadcast_aval,
    host=_broadcast_host,
    lower=_broadcast_lower,
    jvp=lambda primals, tangents, ans, **params: bind(broadcast_p, tangents[0], **params),
    transpose=_broadcast_transpose,
    batch=_broadcast_batch,
)


def broadcast_to(x: Operand, shape: Shape) -> Array:
    """Return x broadcast to a shape as NumPy does, in memory of its own."""
    have = operand_aval(x).shape
    if len(have) > len(shape):
        raise ValueError(f"broadcast_to: {operand_aval(x)} has more axes than shape {shape}")
    dims = tuple(range(len(shape) - len(have), len(shape)))
    return bind(broadcast_p, x, shape=shape, dims=dims)


# Sum over axes, without promotion.


def _sum_aval(x: ShapedArray, *, axes: tuple[int, ...]) -> ShapedArray:
    if x.dtype not in NUMERIC:
        raise TypeError(f"reduce_sum: expected numbers, got {x} ({short(x.dtype)})")
    return reduced_aval(x, axes=axes)


def reduced_aval(x: ShapedArray, *, axes: tuple[int, ...]) -> ShapedArray:
    """Aval rule of a reduction: the axes are gone."""
    if any(not 0 <= axis < x.ndim for axis in axes) or len(set(axes)) != len(axes):
        raise ValueError(f"a reduction of {x} over axes {axes}: there are no such axes")
    return ShapedArray(tuple([n for axis, n in enumerate(x.shape) if axis not in axes]), x.dtype)


def _sum_host(
    x: HostArray, *, axes: tuple[int, ...], out: HostArray | None = None
) -> HostArray | np.generic:
    reduce: Any = np.add.reduce  # NumPy's stubs differ on what it takes
    if x.dtype.itemsize < 4 and x.dtype in _BY_HAND:  # NumPy knows no pairwise sum for them
        wide = np.float32 if x.dtype in NARROW_FLOAT else np.int8
        return deliver(reduce(x.astype(wide), axis=axes, dtype=wide).astype(x.dtype), out)
    result: HostArray = reduce(x, axis=axes, dtype=x.dtype, out=out)
    return result


def plain_reduce(ufunc: np.ufunc, dtype: DType, *, axes: tuple[int, ...]) -> Any:
    """Return NumPy's reduction over axes that keeps the dtype, if that is all there is to it."""
    return partial(ufunc.reduce, axis=axes, dtype=dtype) if is_standard(dtype) else None


def lower_reduce(
    builder: Builder, out: ShapedArray, x: Value, *, axes: tuple[int, ...], op: str, start: object
) -> Value:
    """Lower a reduction by an operation of two elements and its neutral element."""
    element = ShapedArray((), x.aval.dtype)
    return reduce_by(
        builder, out, x, axes=axes, write=lambda b, args: b.op(op, args, element), start=start
    )


def reduce_by(
    builder: Builder,
    out: ShapedArray,
    x: Value,
    *,
    axes: tuple[int, ...],
    write: Callable[[Builder, list[Value]], Value],
    start: object,
) -> Value:
    """Lower a reduction by what ``write`` makes of two elements, and its neutral element."""
    element = ShapedArray((), x.aval.dtype)
    region = builder.region([element, element], lambda b, args: [write(b, args)])
    initial = builder.constant(start, element)
    return builder.op(
        "stablehlo.reduce", [x, initial], out, f"dimensions = {i64_array(axes)}", [region]
    )


def _sum_lower(builder: Builder, out: ShapedArray, x: Value, *, axes: tuple[int, ...]) -> Value:
    if not axes:
        return x
    wide = FLOAT32 if x.aval.dtype in _HALF else x.aval.dtype
    total = lower_reduce(
        builder,
        ShapedArray(out.shape, wide),
        cast(builder, x, wide),
        axes=axes,
        op="stablehlo.add",
        start=0,
    )
    return cast(builder, total, out.dtype)


def _sum_transpose(ct: Operand, x: Linear, *, axes: tuple[int, ...]) -> list[Array]:
    return [spread(ct, x.aval.shape, axes)]


def reduced_batch(
    primitive: Primitive, args: Sequence[Operand], bdims: BatchDims, axes: tuple[int, ...]
) -> tuple[Array, int]:
    """Batching rule of a reduction over axes."""
    bdim = bdims[0]
    assert bdim is not None
    shifted = tuple([axis + (axis >= bdim) for axis in axes])
    return bind(primitive, args[0], axes=shifted), bdim - sum([axis < bdim for axis in shifted])


reduce_sum_p: Primitive = Primitive(
    name="reduce_sum",
    is_kept=True,
    aval=_sum_aval,
    host=Host(_sum_host, partial(plain_reduce, np.add)),
    lower=_sum_lower,
    jvp=lambda primals, tangents, ans, *, axes: sum_axes(tangents[0], axes),
    transpose=_sum_transpose,
    batch=lambda args, bdims, *, axes: reduced_batch(reduce_sum_p, args, bdims, axes),
)


def sum_axes(x: Operand, axes: tuple[int, ...]) -> Array:
    """Apply `reduce_sum_p`: the sum over axes, which are gone, in x's dtype."""
    return bind(reduce_sum_p, x, axes=axes)


def spread(x: Operand, shape: Shape, axes: tuple[int, ...]) -> Array:
    """Undo a reduction's shape: repeat x along the axes that are gone."""
    dims = tuple([axis for axis in range(len(shape)) if axis not in axes])
    return bind(broadcast_p, x, shape=shape, dims=dims)


# What element-wise rules need.


def unbroadcast(ct: Operand, aval: ShapedArray) -> Operand:
    """Sum a cotangent over the axes along which an operand of this aval was repeated."""
    have = operand_aval(ct).shape
    if have == aval.shape:
        return ct
    extra = len(have) - aval.ndim
    axes = [*range(extra)]
    axes += [a for a, n in enumerate(aval.shape, extra) if n == 1 and have[a] != 1]
    summed = sum_axes(ct, tuple(axes))
    return summed if summed.aval.shape == aval.shape else reshape_to(summed, aval.shape)


def to_shape(tangent: Operand, ans: Operand) -> Operand:
    """Broadcast a tangent to the shape of the answer."""
    shape = operand_aval(ans).shape
    return tangent if operand_aval(tangent).shape == shape else broadcast_to(tangent, shape)


def elementwise_batch(
    primitive: Primitive, args: Sequence[Operand], bdims: BatchDims, **params: Any
) -> tuple[Array, int]:
    """Batch element-wise operations: batch axes go in front, ranks are made equal."""
    ranks = [operand_aval(x).ndim - (bdim is not None) for x, bdim in zip(args, bdims, strict=True)]
    ndim = max(ranks)
    batched = {
        (operand_aval(x).shape, b) for x, b in zip(args, bdims, strict=True) if b is not None
    }
    others = [r for r, b in zip(ranks, bdims, strict=True) if b is None]
    if len(batched) == 1 and not any(others):  # nothing to move: the same axis, and scalars
        (((_, place)),) = batched
        return bind(primitive, *args, **params), place
    moved: list[Operand] = []
    for x, bdim, rank in zip(args, bdims, ranks, strict=True):
        if bdim is None:
            moved.append(x)
            continue
        front = to_front(x, bdim)
        if rank < ndim:
            n, *rest = operand_aval(front).shape
            front = reshape_to(front, (n, *([1] * (ndim - rank)), *rest))
        moved.append(front)
    return bind(primitive, *moved, **params), 0


def nonzero_tangent(tangents: Tangents) -> Operand:
    """Return the tangent of an operation of one operand."""
    found = tangents[0]
    assert found is not None
    return found
