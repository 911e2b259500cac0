"""Indexing by arrays of integers: `gather_p` takes a part, `scatter_p` writes or combines one.

Entries (`_ops.entries`) say what happens to each axis; the result has NumPy's axis order. Where
places repeat, the last value wins in a write and all of them count in a combination.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import COMPLEX, INT64
from ownarray._core.primitive import Linear, Primitive
from ownarray._ops.arithmetic import add, div, mul
from ownarray._ops.compare import eq, where
from ownarray._ops.entries import (
    ARRAY,
    Among,
    AnyEntries,
    Mark,
    Span,
    apart,
    check_entries,
    check_value,
    chosen_part_shape,
    chosen_position,
    chosen_shape,
    flip_any,
    numpy_key,
    own_memory,
    whole,
)
from ownarray._ops.iota import iota
from ownarray._ops.places import lower_gather, lower_scatter
from ownarray._ops.structural import broadcast_to, permute, reshape_to, to_front, unbroadcast
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._ops.operators import Array
    from ownarray._ops.rules import BatchDims, Tangents


# Aval rules.


def _check_choices(
    name: str, x: ShapedArray, entries: AnyEntries, indices: Sequence[ShapedArray]
) -> None:
    check_entries(name, x, entries, indices)
    size = int(np.prod(chosen_shape(entries, [index.shape for index in indices])))
    axes = [entry for entry in entries if not (entry is None or isinstance(entry, Mark))]
    for axis, (n, entry) in enumerate(zip(x.shape, axes, strict=True)):
        if isinstance(entry, Among) and n == 0 and size:
            raise IndexError(f"index is out of bounds for axis {axis} with size 0")


def _gather_aval(x: ShapedArray, *indices: ShapedArray, entries: AnyEntries) -> ShapedArray:
    _check_choices("gather", x, entries, indices)
    return ShapedArray(chosen_part_shape(entries, [index.shape for index in indices]), x.dtype)


def _scatter_aval(
    x: ShapedArray, value: ShapedArray, *indices: ShapedArray, entries: AnyEntries, mode: str
) -> ShapedArray:
    _check_choices("scatter", x, entries, indices)
    check_value("scatter", x, value, chosen_part_shape(entries, [index.shape for index in indices]))
    if mode in ("minimum", "maximum") and x.dtype in COMPLEX:
        raise TypeError(f"scatter: {mode} has no meaning for complex numbers, got {x}")
    return x.strong()


# Host rules.

_COMBINE: Final = MappingProxyType(
    {
        "add": np.add,
        "multiply": np.multiply,
        "minimum": np.minimum,
        "maximum": np.maximum,
    }
)


def _gather_host(
    x: HostArray, *indices: HostArray, out: HostArray | None = None, entries: AnyEntries
) -> HostArray:
    part = x[numpy_key(entries, x.shape, indices)]
    if out is not None:
        out[...] = part
        return out
    return np.array(part, order="C", copy=None)  # NumPy never gives a view here


def _scatter_host(
    x: HostArray,
    value: HostArray,
    *indices: HostArray,
    out: HostArray | None = None,
    entries: AnyEntries,
    mode: str,
) -> HostArray:
    value = apart(value, out)
    key = numpy_key(entries, x.shape, [apart(index, out) for index in indices])
    out = own_memory(x, out)
    if mode == "set":
        out[key] = value
    else:
        where: Any = key  # any index will do
        _COMBINE[mode].at(out, where, value)
    return out


# Derivatives.


def zeros(aval: ShapedArray) -> Array:
    """Return zeros, made by a primitive."""
    return broadcast_to(aval.dtype.type(0), aval.shape)


def _gather_transpose(
    ct: Operand, x: Linear, *indices: Operand, entries: AnyEntries
) -> list[Array | None]:
    back = scatter(zeros(x.aval), ct, flip_any(entries), *indices, mode="add")
    return [back, *[None for _ in indices]]


def _scatter_jvp(
    primals: Sequence[Operand],
    tangents: Tangents,
    ans: Operand,
    *,
    entries: AnyEntries,
    mode: str,
) -> Operand:
    x, _, *indices = primals
    aval = operand_aval(x)
    t, t_value = tangents[0], tangents[1]
    if mode in ("set", "add"):
        if mode == "add" and t_value is None and t is not None:
            return t
        t = zeros(aval) if t is None else t
        t_value = aval.dtype.type(0) if t_value is None else t_value
        return scatter(t, t_value, entries, *indices, mode=mode)
    if mode == "multiply":
        return _multiply_jvp(primals, t, t_value, entries)
    return _extremum_jvp(primals, t, t_value, ans, entries)


def _multiply_jvp(
    primals: Sequence[Operand], t: Operand | None, t_value: Operand | None, entries: AnyEntries
) -> Operand:
    """Return the tangent of ``x[i] *= value``: a factor's derivative is the others' product.

    The others' product is formed without dividing by a factor that may be 0: the product of the
    factors that are not 0, divided by this one unless it is 0 itself, where no other factor is 0.
    """
    x, value, *indices = primals
    aval = operand_aval(x)
    result = None if t is None else scatter(t, value, entries, *indices, mode="multiply")
    if t_value is None:
        assert result is not None
        return result
    zero, one = aval.dtype.type(0), aval.dtype.type(1)
    is_zero = eq(value, zero)
    safe = where(is_zero, one, value)
    product = scatter(x, safe, entries, *indices, mode="multiply")
    counts = scatter(zeros(aval), where(is_zero, one, zero), entries, *indices, mode="add")
    part = gather(product, entries, *indices)
    n_zeros = gather(counts, entries, *indices)
    n_other_zeros = add(n_zeros, where(is_zero, aval.dtype.type(-1), zero))
    others = where(eq(n_other_zeros, zero), div(part, safe), zero)
    moved = scatter(zeros(aval), mul(others, t_value), entries, *indices, mode="add")
    return moved if result is None else add(result, moved)


def _extremum_jvp(
    primals: Sequence[Operand],
    t: Operand | None,
    t_value: Operand | None,
    ans: Operand,
    entries: AnyEntries,
) -> Operand:
    """Return the tangent of a minimum or maximum: the mean over those that attain it."""
    x, value, *indices = primals
    aval = operand_aval(x)
    zero, one = aval.dtype.type(0), aval.dtype.type(1)
    mine = where(eq(x, ans), one, zero)
    theirs = where(eq(value, gather(ans, entries, *indices)), one, zero)
    count = scatter(mine, theirs, entries, *indices, mode="add")
    total: Operand = zeros(aval) if t is None else mul(mine, t)
    if t_value is not None:
        total = scatter(total, mul(theirs, t_value), entries, *indices, mode="add")
    return div(total, count)


def _scatter_transpose(
    ct: Operand,
    x: Operand | Linear,
    value: Operand | Linear,
    *indices: Operand,
    entries: AnyEntries,
    mode: str,
) -> list[Operand | None]:
    cts: list[Operand | None] = [None] * (2 + len(indices))
    if isinstance(x, Linear):
        if mode == "set":
            cts[0] = scatter(ct, x.aval.dtype.type(0), entries, *indices, mode="set")
        elif mode == "multiply":
            assert not isinstance(value, Linear)
            cts[0] = scatter(ct, value, entries, *indices, mode="multiply")
        else:
            cts[0] = ct
    if isinstance(value, Linear):
        back = gather(ct, flip_any(entries), *indices)
        if mode == "set":
            won = _winners(ct, entries, indices)
            back = where(won, back, value.aval.dtype.type(0))
        cts[1] = unbroadcast(back, value.aval)
    return cts


def _winners(x: Operand, entries: AnyEntries, indices: Sequence[Operand]) -> Array:
    """Return which elements of a written part are still there after the write."""
    aval = operand_aval(x)
    part = chosen_part_shape(entries, [operand_aval(index).shape for index in indices])
    numbers = reshape_to(iota((math.prod(part),), 0, INT64), part)
    written = scatter(zeros(ShapedArray(aval.shape, INT64)), numbers, entries, *indices, mode="set")
    return eq(gather(written, entries, *indices), numbers)


# Batching.


def batch_size(args: Sequence[Operand], bdims: BatchDims) -> int:
    """Return the size of the batch axis."""
    for x, bdim in zip(args, bdims, strict=True):
        if bdim is not None:
            return operand_aval(x).shape[bdim]
    raise AssertionError("a batching rule was applied to operands without a batch axis")


def batched_front(x: Operand, bdim: int | None, n: int) -> Operand:
    """Return x with a batch axis in front, repeated if it has none."""
    if bdim is None:
        return broadcast_to(x, (n, *operand_aval(x).shape))
    return to_front(x, bdim)


def ranked(x: Operand, bdim: int | None, ndim: int) -> Operand:
    """Return x with its batch axis (or one of size 1) in front of as many axes as asked for."""
    x = to_front(x, bdim)
    shape = operand_aval(x).shape
    n, rest = (1, shape) if bdim is None else (shape[0], shape[1:])
    wanted = (n, *[1] * (ndim - len(rest)), *rest)
    return x if wanted == shape else reshape_to(x, wanted)


def value_front(value: Operand, bdim: int | None, ndim: int) -> Operand:
    """Return a value with its batch axis in front of as many axes as the part has."""
    return value if bdim is None else ranked(value, bdim, ndim)


def _front_indices(
    indices: Sequence[Operand], bdims: BatchDims, entries: AnyEntries
) -> tuple[list[Operand], int]:
    """Return index arrays with batch axes in front of one rank, and that rank without them."""
    ranks = [operand_aval(x).ndim - (b is not None) for x, b in zip(indices, bdims, strict=True)]
    ndim = max([*ranks, int(any(entry in (Mark.TRUE, Mark.FALSE) for entry in entries))])
    return [value_front(x, b, ndim) for x, b in zip(indices, bdims, strict=True)], ndim


def _rows(n: int, ndim: int) -> Operand:
    """Return the index array that takes each row of a batch with itself."""
    return iota((n, *[1] * ndim), 0, INT64)


def _n_basic(entries: AnyEntries) -> int:
    return sum([isinstance(entry, Span) or entry is None for entry in entries])


def gather_batch(
    args: Sequence[Operand], bdims: BatchDims, *, entries: AnyEntries
) -> tuple[Array, int]:
    """Batching rule of `gather_p`."""
    x, *indices = args
    at = chosen_position(entries)
    moved, ndim = _front_indices(indices, bdims[1:], entries)
    if all(bdim is None for bdim in bdims[1:]):
        front = to_front(x, bdims[0])
        wider: AnyEntries = (whole(operand_aval(front).shape[0]), *entries)
        return gather(front, wider, *moved), 0 if _stays(entries) else ndim
    if bdims[0] is None:
        return gather(x, entries, *moved), at
    front = to_front(x, bdims[0])
    n = operand_aval(front).shape[0]
    result = gather(front, (ARRAY, *entries), _rows(n, ndim), *moved)
    # The arrays' axes stand behind the batch axis now; they belong before axis `at` of the rest.
    total = result.aval.ndim
    rest = range(1 + ndim, total)
    return permute(result, (0, *rest[:at], *range(1, 1 + ndim), *rest[at:])), 0


def scatter_batch(
    args: Sequence[Operand], bdims: BatchDims, *, entries: AnyEntries, mode: str
) -> tuple[Array, int]:
    """Batching rule of `scatter_p`."""
    x, value, *indices = args
    n = batch_size(args, bdims)
    front = batched_front(x, bdims[0], n)
    moved, ndim = _front_indices(indices, bdims[2:], entries)
    total = 1 + ndim + _n_basic(entries)
    value = ranked(value, bdims[1], total - 1)
    at = 1 + chosen_position(entries)
    chosen = range(at, at + ndim)
    rest = [*range(1, at), *range(at + ndim, total)]
    if all(bdim is None for bdim in bdims[2:]):
        if not _stays(entries):
            value = permute(value, (*chosen, 0, *rest))
        return scatter(front, value, (whole(n), *entries), *moved, mode=mode), 0
    value = permute(value, (0, *chosen, *rest))
    return scatter(front, value, (ARRAY, *entries), _rows(n, ndim), *moved, mode=mode), 0


def _stays(entries: AnyEntries) -> bool:
    """Return whether a further axis in front leaves the arrays' axes in their place."""
    return chosen_position((whole(1), *entries)) != 0


gather_p = Primitive(
    name="gather",
    is_moving=True,
    aval=_gather_aval,
    prefers_host=True,
    host=_gather_host,
    lower=lower_gather,
    jvp=lambda primals, tangents, ans, *, entries: gather(tangents[0], entries, *primals[1:]),
    transpose=_gather_transpose,
    batch=gather_batch,
)
scatter_p = Primitive(
    name="scatter",
    aval=_scatter_aval,
    prefers_host=True,
    host=_scatter_host,
    lower=lower_scatter,
    jvp=_scatter_jvp,
    transpose=_scatter_transpose,
    batch=scatter_batch,
)


def gather(x: Operand, entries: AnyEntries, *indices: Operand) -> Array:
    """Apply `gather_p`: the part of x that index arrays say."""
    return bind(gather_p, x, *indices, entries=entries)


def scatter(
    x: Operand, value: Operand, entries: AnyEntries, *indices: Operand, mode: str = "set"
) -> Array:
    """Apply `scatter_p`: x with a part written ("set") or combined with a value.

    Modes are "set", "add", "multiply", "minimum" and "maximum".
    """
    return bind(scatter_p, x, value, *indices, entries=entries, mode=mode)
