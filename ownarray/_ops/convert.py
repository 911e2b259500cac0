"""Casts: between dtypes by value, and between dtypes of one size by bits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import (
    BOOL,
    BY_NAME,
    COMPLEX,
    FLOAT,
    FLOAT32,
    FLOAT64,
    INEXACT,
    INTEGER,
    SUB_BYTE,
    DType,
)
from ownarray._core.primitive import Linear, Missing, Primitive
from ownarray._ops.rules import cast, compare, deliver, full, wrap_nibbles
from ownarray._ops.structural import elementwise_batch
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

_INT8: Final = BY_NAME["int8"]
REAL_OF: Final = {BY_NAME["complex64"]: FLOAT32, BY_NAME["complex128"]: FLOAT64}
"""The dtype of the parts of a complex dtype."""
COMPLEX_OF: Final = {part: whole for whole, part in REAL_OF.items()}
"""The complex dtype of parts of a dtype."""
_RANGE: Final = {
    dtype: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    for dtype in INTEGER
    for signed in (not dtype.name.startswith("u"),)
    for bits in (4 if dtype in SUB_BYTE else 8 * dtype.itemsize,)
}
"""The least and the greatest value of each integer dtype."""


def integer_range(dtype: DType) -> tuple[int, int]:
    """Return the least and the greatest value of an integer dtype."""
    return _RANGE[dtype]


def cast_host(x: HostArray, dtype: DType) -> HostArray:
    """Return x cast by this library's rules, in fresh memory.

    Floats saturate in integers, NaN becomes 0; the imaginary part is dropped; to bool means
    "not zero".
    """
    if x.dtype in COMPLEX and dtype not in COMPLEX:
        return x != 0 if dtype == BOOL else cast_host(x.real, dtype)
    if x.dtype in FLOAT and dtype in INTEGER:
        return _saturate(x, dtype)
    if dtype == BOOL:
        return np.not_equal(x, x.dtype.type(0))
    if x.dtype in SUB_BYTE and dtype != x.dtype:
        x = x.astype(np.int8)
    if dtype in SUB_BYTE and x.dtype.kind in "iu":  # ml_dtypes does not say what it does with more
        return wrap_nibbles(x, dtype)
    return x.astype(dtype)


def _saturate(x: HostArray, dtype: DType) -> HostArray:
    wide: Any = x if x.dtype.itemsize >= 4 else x.astype(np.float32)
    low, high = _RANGE[dtype]
    over, under = wide >= float(high + 1), wide < float(low)
    via = _INT8 if dtype in SUB_BYTE else dtype
    result = wide.astype(via)
    result[over] = high
    result[under] = low
    result[np.isnan(wide)] = 0
    final: HostArray = result if via is dtype else result.astype(dtype)
    return final


def _convert_host(x: HostArray, *, dtype: DType, out: HostArray | None = None) -> HostArray:
    if (x.dtype.kind in "iufc" and dtype.kind == x.dtype.kind != "V") or dtype == x.dtype:
        return x.astype(dtype) if out is None else deliver(x, out)
    return deliver(cast_host(np.asarray(x), dtype), out)


def _convert_lower(builder: Builder, out: ShapedArray, x: Value, *, dtype: DType) -> Value:
    kind = x.aval.dtype
    if dtype == BOOL and kind != BOOL:
        return compare(builder, x, full(builder, 0, x), "NE")
    if kind in COMPLEX and dtype not in COMPLEX:
        part = ShapedArray(x.aval.shape, REAL_OF[kind])
        return _convert_lower(builder, out, builder.op("stablehlo.real", [x], part), dtype=dtype)
    if kind in FLOAT and dtype in INTEGER:
        return _saturate_lower(builder, x, dtype)
    return cast(builder, x, dtype)


def _saturate_lower(builder: Builder, x: Value, dtype: DType) -> Value:
    """XLA leaves out-of-range values open; the comparisons cost nothing in a fused loop."""
    wide = cast(builder, x, x.aval.dtype if x.aval.dtype.itemsize >= 4 else FLOAT32)
    low, high = _RANGE[dtype]
    result = cast(builder, wide, dtype)
    for bound, direction, value in ((float(high + 1), "GE", high), (float(low), "LT", low)):
        beyond = compare(builder, wide, full(builder, bound, wide), direction)
        result = builder.op(
            "stablehlo.select", [beyond, full(builder, value, result), result], result.aval
        )
    is_nan = compare(builder, wide, wide, "NE")
    return builder.op("stablehlo.select", [is_nan, full(builder, 0, result), result], result.aval)


def convert(x: Operand, dtype: DType) -> Array:
    """Apply `convert_p`: x cast to a dtype, in fresh memory."""
    return bind(convert_p, x, dtype=dtype)


def convert_weak(x: Operand, dtype: DType) -> Array:
    """Apply `convert_weak_p`: what stands for a Python number, as a number of another type."""
    return bind(convert_weak_p, x, dtype=dtype)


def _convert_transpose(ct: Operand, x: Linear, *, dtype: DType) -> list[Array]:
    return [convert(ct, x.aval.dtype)]


convert_p: Primitive = Primitive(
    name="convert",
    is_light=True,
    aval=lambda x, *, dtype: ShapedArray(x.shape, dtype),
    host=_convert_host,
    lower=_convert_lower,
    jvp=lambda primals, tangents, ans, *, dtype: (
        convert(tangents[0], dtype) if dtype in INEXACT else None
    ),
    transpose=_convert_transpose,
    batch=lambda args, bdims, *, dtype: elementwise_batch(convert_p, args, bdims, dtype=dtype),
)

convert_weak_p: Primitive = replace(
    convert_p,
    name="convert_weak",
    aval=lambda x, *, dtype: ShapedArray(x.shape, dtype, x.weak),
    batch=lambda args, bdims, *, dtype: elementwise_batch(convert_weak_p, args, bdims, dtype=dtype),
)


# By bits.


def _bitcast_aval(x: ShapedArray, *, dtype: DType) -> ShapedArray:
    if x.dtype.itemsize != dtype.itemsize or (BOOL in (x.dtype, dtype) and x.dtype != dtype):
        raise TypeError(f"bitcast: {dtype} has not the size of the elements of {x}")
    if {x.dtype, dtype} & SUB_BYTE and not {x.dtype, dtype} <= SUB_BYTE:
        raise TypeError(f"bitcast: {dtype} has not the size of the elements of {x}")
    if (x.dtype in COMPLEX) != (dtype in COMPLEX):
        raise TypeError(f"bitcast: complex numbers have no bits of their own, got {x} to {dtype}")
    return ShapedArray(x.shape, dtype)


def _bitcast_host(x: HostArray, *, dtype: DType, out: HostArray | None = None) -> HostArray:
    result = np.array(x, order="C").view(dtype)
    return result if out is None else deliver(result, out)


bitcast_p: Primitive = Primitive(
    name="bitcast",
    aval=_bitcast_aval,
    host=_bitcast_host,
    lower=lambda builder, out, x, *, dtype: builder.op("stablehlo.bitcast_convert", [x], out),
    jvp=Missing("the bits of a number have no derivative; cast with astype"),
    transpose=Missing("not linear"),
    batch=lambda args, bdims, *, dtype: elementwise_batch(bitcast_p, args, bdims, dtype=dtype),
)


def bitcast(x: Operand, dtype: DType) -> Array:
    """Return the bits of x as elements of another dtype of the same size."""
    return bind(bitcast_p, x, dtype=dtype)


def cast_to(x: Operand, dtype: DType) -> Operand:
    """Return x in a dtype; x itself if it has it already."""
    return x if operand_aval(x).dtype == dtype else convert(x, dtype)
