"""Shapes, dtypes and constants as MLIR text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import BOOL, COMPLEX, FLOAT, MLIR, SUB_BYTE, DType

if TYPE_CHECKING:
    from ownarray._core.aval import ShapedArray


def tensor(aval: ShapedArray) -> str:
    """Return the type of an aval: ``tensor<2x3xf32>``."""
    return f"tensor<{''.join(f'{n}x' for n in aval.shape)}{MLIR[aval.dtype]}>"


def i64_array(values: tuple[int, ...] | list[int]) -> str:
    """Return a dense attribute of integers: ``array<i64: 0, 1>``."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def dense(value: object, aval: ShapedArray) -> str:
    """Return a constant attribute: a scalar fills the shape, an array is written out exactly."""
    array = np.asarray(value)
    if array.ndim == 0:
        return f"dense<{_element(array[()], aval.dtype)}> : {tensor(aval)}"
    array = np.ascontiguousarray(array, dtype=aval.dtype).reshape(aval.shape)
    if array.size == 0:
        return f"dense<> : {tensor(aval)}"
    if aval.dtype == BOOL or aval.dtype in SUB_BYTE:
        return f"dense<{_nested(array, aval.dtype)}> : {tensor(aval)}"
    if array.size == 1:
        return f"dense<{_element(array.reshape(-1)[0], aval.dtype)}> : {tensor(aval)}"
    return f'dense<"0x{array.tobytes().hex().upper()}"> : {tensor(aval)}'


def _nested(array: np.ndarray[tuple[int, ...], DType], dtype: DType) -> str:
    if array.ndim == 0:
        return _element(array[()], dtype)
    return f"[{', '.join(_nested(part, dtype) for part in array)}]"


def _element(value: object, dtype: DType) -> str:
    scalar = np.asarray(value).astype(dtype)
    if dtype == BOOL:
        return "true" if scalar else "false"
    if dtype in COMPLEX:
        part = np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)
        number = complex(scalar)
        return f"({_element(number.real, part)}, {_element(number.imag, part)})"
    if dtype in FLOAT:  # by bits, so that NaN, infinities and the last digit survive
        return f"0x{int.from_bytes(scalar.tobytes(), 'little'):0{2 * dtype.itemsize}X}"
    return str(int(scalar))
