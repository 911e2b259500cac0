"""Sets of elements: how many there are depends on the values, which must be known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ownarray._core.dtypes import FLOAT, SUB_BYTE, canonical
from ownarray._ops.convert import cast_host
from ownarray._ops.known import known
from ownarray._ops.promote import arithmetic
from ownarray._ops.structural import copy

if TYPE_CHECKING:
    from ownarray._ops.operators import Array
    from ownarray._trace.bind import HostArray

_CURE = "compute the set outside of the compiled function"


class Unique(NamedTuple):
    """The distinct elements, where each stands first, which one each element is, how many."""

    values: Array
    indices: Array
    inverse: Array
    counts: Array


def _plain(values: HostArray) -> HostArray:
    """Return values that NumPy sorts by its own rules."""
    if values.dtype in SUB_BYTE:
        return values.astype(np.int8)
    if values.dtype in FLOAT and values.dtype.kind != "f":
        return values.astype(np.float32)
    return values


def unique(name: str, x: object, *, equal_nan: bool = False) -> Unique:
    """Return all that is to know of the distinct elements of x, which are sorted."""
    values = known(name, x, _CURE)
    found, indices, inverse, counts = np.unique(
        _plain(values),
        return_index=True,
        return_inverse=True,
        return_counts=True,
        equal_nan=equal_nan,
    )
    dtype = canonical(values.dtype, name)
    return Unique(
        _made(found, dtype),
        copy(indices.astype(np.int64)),
        copy(inverse.reshape(values.shape).astype(np.int64)),
        copy(counts.astype(np.int64)),
    )


def _made(values: HostArray, dtype: np.dtype[np.generic]) -> Array:
    return copy(values if values.dtype == dtype else cast_host(values, dtype))


def unique_values(name: str, x: object, *, equal_nan: bool = False) -> Array:
    """Return the distinct elements of x, sorted."""
    values = known(name, x, _CURE)
    found = np.unique(_plain(values), equal_nan=equal_nan)
    return _made(found, canonical(values.dtype, name))


def combine(name: str, x: object, y: object) -> Array:
    """Return the sorted set that a NumPy function of this name makes of two sets."""
    first, second = (known(name, v, _CURE) for v in arithmetic(name, x, y))
    found = getattr(np, name)(_plain(first), _plain(second))
    return _made(found, canonical(first.dtype, name))
