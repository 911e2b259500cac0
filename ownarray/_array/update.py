"""What may be stored into an array in place: NumPy's rule, for concrete and traced arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._ops.convert import convert

if TYPE_CHECKING:
    from ownarray._core.aval import ShapedArray
    from ownarray._ops.operators import Array


def fit_for_update(new: Array, aval: ShapedArray) -> Array:
    """Return a result as it is stored into an array of an aval.

    Raises
    ------
    ValueError
        If the shapes differ.
    TypeError
        If the dtype would be cast to another kind, as float to int.
    """
    if new.shape != aval.shape:
        raise ValueError(
            f"in-place update: the result has shape {new.shape}, which does not fit into an array"
            f" of shape {aval.shape}"
        )
    if new.dtype == aval.dtype:
        return new
    if not np.can_cast(new.dtype, aval.dtype, "same_kind"):
        raise TypeError(
            f"in-place update: a result of dtype {new.dtype} cannot be stored into an array of"
            f" dtype {aval.dtype}. Fix: cast it first, or make a new array (x = x + v)"
        )
    return convert(new, aval.dtype)
