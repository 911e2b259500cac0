"""NumPy's functions that put blocks together, and index arrays made of shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import BOOL, INT64, INTEGER
from ownarray._ops import elementwise, rearrange, searching, shapes
from ownarray._ops.compare import maximum, minimum
from ownarray._ops.iota import iota
from ownarray._ops.known import as_array, known_or_none
from ownarray._ops.promote import as_dtype, operand
from ownarray._ops.rules import sizes_product
from ownarray._ops.structural import broadcast_to, copy
from ownarray._trace.bind import operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._ops.operators import Array
    from ownarray._trace.bind import Operand


def axis_to_cut(name: str, x: object) -> int:
    """Return along which axis a function cuts an array.

    Raises
    ------
    ValueError
        If the array has no such axis.
    """
    ndim = operand_aval(operand(name, x)).ndim
    axis = {"vsplit": 0, "hsplit": 0 if ndim == 1 else 1, "dsplit": 2}[name]
    least = {"vsplit": 2, "hsplit": 1, "dsplit": 3}[name]
    if ndim < least:
        raise ValueError(f"{name}: expected an array of {least} axes at least, got {ndim}")
    return axis


def block(arrays: object) -> Array:
    """Return nested lists of blocks put together."""
    depth = _depth(arrays)
    leaves = [operand_aval(leaf).ndim for leaf in _leaves(arrays)]
    ndim = max(depth, *leaves) if leaves else depth
    return _block(arrays, depth, ndim)


def _depth(part: object) -> int:
    if not isinstance(part, list):
        return 0
    depths = {_depth(each) for each in part}
    if len(depths) != 1:
        raise ValueError("block: expected lists nested to one depth, and none of them empty")
    return 1 + depths.pop()


def _leaves(part: object) -> list[Operand]:
    if isinstance(part, list):
        return [leaf for each in part for leaf in _leaves(each)]
    return [operand("block", part)]


def _block(part: object, depth: int, ndim: int) -> Array:
    if not isinstance(part, list):
        value = operand("block", part)
        shape = operand_aval(value).shape
        return copy(shapes.reshape(value, (*[1] * (ndim - len(shape)), *shape)))
    return shapes.concat([_block(each, depth - 1, ndim) for each in part], axis=-depth)


def resize(x: object, shape: tuple[int, ...]) -> Array:
    """Return the elements of x again and again, in a shape."""
    flat = shapes.ravel(operand("resize", x))
    n, wanted = flat.size, sizes_product(shape, range(len(shape)))
    if not n:
        return broadcast_to(flat.dtype.type(0), shape)
    times = -(-wanted // n)
    return shapes.reshape(shapes.tile(flat, (times,))[:wanted], shape)


def diagflat(x: object, k: int) -> Array:
    """Return a matrix with the elements of x on a diagonal."""
    return rearrange.diag(shapes.ravel(operand("diagflat", x)), k)


def ravel_multi_index(indices: Sequence[object], shape: tuple[int, ...]) -> Array:
    """Return places in row-major order of places along each axis."""
    name = "ravel_multi_index"
    if len(indices) != len(shape):
        raise ValueError(f"{name}: expected places for {len(shape)} axes, got {len(indices)}")
    found: Operand = np.int64(0)
    for each, n in zip(indices, shape, strict=True):
        value = operand(name, np.asarray(each) if isinstance(each, list | tuple) else each)
        if operand_aval(value).dtype not in INTEGER:
            raise TypeError(f"{name}: expected integers as places, got {operand_aval(value)}")
        values = known_or_none(value)
        if values is not None and not np.all((values >= 0) & (values < n)):  # type: ignore[operator]
            raise ValueError(f"{name}: a place is out of range for an axis of {n}")
        place = as_dtype(name, value, INT64)
        if values is None:  # as reads in traces do
            place = minimum(maximum(place, np.int64(0)), np.int64(n - 1))
        found = elementwise.add(elementwise.multiply(found, np.int64(n)), place)
    return as_array(found)


def triangle_indices(n: int, k: int, m: int, *, upper: bool) -> tuple[Array, Array]:
    """Return rows and columns of the elements at and above a diagonal, or below."""
    find = np.triu_indices if upper else np.tril_indices
    rows, cols = find(n, k, m)
    return copy(rows), copy(cols)


def diagonal_indices(n: int, ndim: int) -> tuple[Array, ...]:
    """Return the places of the main diagonal along each axis."""
    return tuple([iota((n,), 0, INT64) for _ in range(ndim)])


def open_mesh(indices: Sequence[object]) -> tuple[Array, ...]:
    """Return index arrays that go along one axis each."""
    made: list[Array] = []
    for axis, each in enumerate(indices):
        value = operand("ix_", np.asarray(each) if isinstance(each, list | tuple) else each)
        aval = operand_aval(value)
        if aval.ndim != 1:
            raise ValueError(f"ix_: expected arrays of one axis, got {aval}")
        if not aval.size:
            value = as_dtype("ix_", value, INT64)
        elif aval.dtype == BOOL:
            (value,) = searching.nonzero(as_array(value))
        sizes = [1] * len(indices)
        sizes[axis] = operand_aval(value).shape[0]
        made.append(copy(shapes.reshape(value, tuple(sizes))))
    return tuple(made)
