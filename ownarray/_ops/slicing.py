"""Basic indexing: parts of an array at static places or where integer operands say.

`slice_p` takes a part, `update_slice_p` replaces it; they are each other's transpose. On the host
each is one NumPy call, and an update of owned memory writes what it touches and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import INT64
from ownarray._core.primitive import Linear, Primitive
from ownarray._ops import gather_scatter
from ownarray._ops.arithmetic import add
from ownarray._ops.compare import maximum, minimum
from ownarray._ops.convert import cast_to
from ownarray._ops.entries import (
    Among,
    AnyEntries,
    AnyEntry,
    Entries,
    Window,
    apart,
    check_entries,
    check_value,
    chosen_position,
    flip,
    numpy_key,
    own_memory,
    part_shape,
    whole,
)
from ownarray._ops.iota import iota
from ownarray._ops.structural import permute, reshape_to, to_front, unbroadcast
from ownarray._ops.windows import lower_read, lower_write
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._ops.operators import Array
    from ownarray._ops.rules import BatchDims, Tangents


def _read_aval(x: ShapedArray, *picks: ShapedArray, entries: Entries) -> ShapedArray:
    check_entries("slice", x, entries, picks)
    return ShapedArray(part_shape(entries), x.dtype)


def _write_aval(
    x: ShapedArray, value: ShapedArray, *picks: ShapedArray, entries: Entries
) -> ShapedArray:
    check_entries("update_slice", x, entries, picks)
    check_value("update_slice", x, value, part_shape(entries))
    return x.strong()


def _read_host(
    x: HostArray, *picks: HostArray, out: HostArray | None = None, entries: Entries
) -> HostArray:
    part = x[numpy_key(entries, x.shape, picks)]
    if out is None:
        return np.array(part)
    out[...] = part
    return out


def _write_host(
    x: HostArray,
    value: HostArray,
    *picks: HostArray,
    out: HostArray | None = None,
    entries: Entries,
) -> HostArray:
    value = apart(value, out)
    key = numpy_key(entries, x.shape, picks)
    out = own_memory(x, out)
    out[key] = value
    return out


def _read_transpose(
    ct: Operand, x: Linear, *picks: Operand, entries: Entries
) -> list[Array | None]:
    zeros = gather_scatter.zeros(x.aval)
    return [put(zeros, ct, flip(entries), *picks), *[None for _ in picks]]


def _write_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Operand, *, entries: Entries
) -> Array:
    x, _, *picks = primals
    aval = operand_aval(x)
    t = gather_scatter.zeros(aval) if tangents[0] is None else tangents[0]
    t_value = aval.dtype.type(0) if tangents[1] is None else tangents[1]
    return put(t, t_value, entries, *picks)


def _write_transpose(
    ct: Operand, x: Operand | Linear, value: Operand | Linear, *picks: Operand, entries: Entries
) -> list[Operand | None]:
    cts: list[Operand | None] = [None] * (2 + len(picks))
    if isinstance(x, Linear):
        cts[0] = put(ct, x.aval.dtype.type(0), entries, *picks)
    if isinstance(value, Linear):
        cts[1] = unbroadcast(take(ct, flip(entries), *picks), value.aval)
    return cts


def _read_batch(
    args: Sequence[Operand], bdims: BatchDims, *, entries: Entries
) -> tuple[Operand, int]:
    x, *picks = args
    if all(bdim is None for bdim in bdims[1:]):
        front = to_front(x, bdims[0])
        return take(front, (whole(operand_aval(front).shape[0]), *entries), *picks), 0
    arrays, places, order = _as_arrays(x, bdims[0], picks, bdims[1:], entries)
    result, bdim = gather_scatter.gather_batch(
        [x, *arrays], [bdims[0], *_dims(arrays, bdims[1:])], entries=places
    )
    if order == sorted(order):
        return result, bdim
    return permute(to_front(result, bdim), (0, *[axis + 1 for axis in order])), 0


def _write_batch(
    args: Sequence[Operand], bdims: BatchDims, *, entries: Entries
) -> tuple[Array, int]:
    x, value, *picks = args
    ndim = len(part_shape(entries))
    if all(bdim is None for bdim in bdims[2:]):
        n = gather_scatter.batch_size(args, bdims)
        front = gather_scatter.batched_front(x, bdims[0], n)
        value = gather_scatter.value_front(value, bdims[1], ndim)
        return put(front, value, (whole(n), *entries), *picks), 0
    arrays, places, order = _as_arrays(x, bdims[0], picks, bdims[2:], entries)
    value = gather_scatter.ranked(value, bdims[1], ndim)
    inverse = sorted(range(ndim), key=order.__getitem__)
    value = permute(value, (0, *[axis + 1 for axis in inverse]))
    if bdims[1] is None:
        value = reshape_to(value, operand_aval(value).shape[1:])
    return gather_scatter.scatter_batch(
        [x, value, *arrays],
        [bdims[0], None if bdims[1] is None else 0, *_dims(arrays, bdims[2:])],
        entries=places,
        mode="set",
    )


def _dims(arrays: Sequence[Operand], bdims: BatchDims) -> list[int | None]:
    return [None if bdim is None else 0 for _, bdim in zip(arrays, bdims, strict=True)]


def _as_arrays(
    x: Operand, bdim: int | None, picks: Sequence[Operand], bdims: BatchDims, entries: Entries
) -> tuple[list[Operand], AnyEntries, list[int]]:
    """Return index arrays and entries of a gather that does what windows with batched starts do.

    The list says for each axis of the part, which axis of the gather's part it is.
    """
    shape = list(operand_aval(x).shape)
    if bdim is not None:
        del shape[bdim]
    n_kept = sum([isinstance(entry, Window) and not entry.drop for entry in entries])
    numbers = iter(zip(picks, bdims, strict=True))
    sizes = iter(shape)
    arrays: list[Operand] = []
    places: list[AnyEntry] = []
    n_seen = 0
    for entry in entries:
        n = 0 if entry is None else next(sizes)
        if not isinstance(entry, Window):
            places.append(entry)
            continue
        places.append(Among(entry.adjoint))
        start, start_dim = next(numbers)
        if entry.drop:
            arrays.append(start)
            continue
        start = cast_to(start, INT64)
        start = minimum(maximum(start, np.int64(0)), np.int64(n - entry.size))
        batch = () if start_dim is None else start.aval.shape
        offsets = [entry.size if i == n_seen else 1 for i in range(n_kept)]
        arrays.append(
            add(reshape_to(start, (*batch, *[1] * n_kept)), iota(tuple(offsets), n_seen, INT64))
        )
        n_seen += 1
    return arrays, tuple(places), _order(entries, tuple(places), n_kept)


def _order(entries: Entries, places: AnyEntries, n_kept: int) -> list[int]:
    at = chosen_position(places)
    order: list[int] = []
    n_windows = n_basic = 0
    for entry in entries:
        if isinstance(entry, Window):
            if not entry.drop:
                order.append(at + n_windows)
                n_windows += 1
        elif not isinstance(entry, int):
            order.append(n_basic if n_basic < at else n_basic + n_kept)
            n_basic += 1
    return order


slice_p = Primitive(
    name="slice",
    aval=_read_aval,
    prefers_host=True,
    host=_read_host,
    lower=lower_read,
    jvp=lambda primals, tangents, ans, *, entries: take(tangents[0], entries, *primals[1:]),
    transpose=_read_transpose,
    batch=_read_batch,
)
update_slice_p = Primitive(
    name="update_slice",
    aval=_write_aval,
    prefers_host=True,
    host=_write_host,
    lower=lower_write,
    jvp=_write_jvp,
    transpose=_write_transpose,
    batch=_write_batch,
)


def take(x: Operand, entries: Entries, *picks: Operand) -> Array:
    """Apply `slice_p`: the part of x that basic entries say."""
    return bind(slice_p, x, *picks, entries=entries)


def put(x: Operand, value: Operand, entries: Entries, *picks: Operand) -> Array:
    """Apply `update_slice_p`: x with the part that basic entries say replaced."""
    return bind(update_slice_p, x, value, *picks, entries=entries)


def window(x: Operand, start: Operand, size: int, axis: int = 0) -> Array:
    """Return the part of x of a size that begins at a start along an axis, moved inside."""
    return take(x, _window_entries(x, size, axis), start)


def set_window(x: Operand, value: Operand, start: Operand, axis: int = 0) -> Array:
    """Return x with a part replaced that begins at a start along an axis, moved inside."""
    size = operand_aval(value).shape[axis]
    return put(x, value, _window_entries(x, size, axis), start)


def _window_entries(x: Operand, size: int, axis: int) -> Entries:
    shape = operand_aval(x).shape
    return tuple([Window(size, drop=False) if i == axis else whole(n) for i, n in enumerate(shape)])
