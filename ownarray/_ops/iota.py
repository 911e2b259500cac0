"""The array that holds its own indices; apart, because indexing itself needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.dtypes import NUMERIC, SUB_BYTE, DType
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops.rules import cast
from ownarray._trace.bind import HostArray, bind

if TYPE_CHECKING:
    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array


def _iota_aval(*, shape: Shape, axis: int, dtype: DType) -> ShapedArray:
    if dtype not in NUMERIC:
        raise TypeError(f"iota: expected a dtype of numbers, got {dtype}")
    if not 0 <= axis < len(shape):
        raise ValueError(f"iota: there is no axis {axis} in shape {shape}")
    return ShapedArray(shape, dtype)


def _iota_host(*, shape: Shape, axis: int, dtype: DType, out: HostArray | None = None) -> HostArray:
    result = np.empty(shape, dtype) if out is None else out
    sizes = [1] * len(shape)
    sizes[axis] = shape[axis]
    index = np.arange(shape[axis])
    result[...] = index.astype(dtype).reshape(sizes)
    return result


def _iota_lower(
    builder: Builder, out: ShapedArray, *, shape: Shape, axis: int, dtype: DType
) -> Value:
    kind = np.dtype(np.int32) if dtype in SUB_BYTE else dtype
    index = builder.op(
        "stablehlo.iota", [], ShapedArray(shape, kind), f"iota_dimension = {axis} : i64"
    )
    return cast(builder, index, dtype)


iota_p = Primitive(
    name="iota",
    is_light=True,
    aval=_iota_aval,
    host=_iota_host,
    lower=_iota_lower,
    jvp=Missing("it has no operand"),
    transpose=Missing("it has no operand"),
    batch=Missing("it has no operand"),
)


def iota(shape: Shape, axis: int, dtype: DType) -> Array:
    """Return an array that holds at each place its index along an axis."""
    return bind(iota_p, shape=shape, axis=axis, dtype=dtype)
