"""The element types and NumPy's promotion among them (NEP 50), extended to ml_dtypes."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import ml_dtypes
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

DType = np.dtype[np.generic]

_STANDARD: Final = (
    ("bool", np.bool_, "bool", "i1"),
    ("int8", np.int8, "i8", "i8"),
    ("int16", np.int16, "i16", "i16"),
    ("int32", np.int32, "i32", "i32"),
    ("int64", np.int64, "i64", "i64"),
    ("uint8", np.uint8, "u8", "ui8"),
    ("uint16", np.uint16, "u16", "ui16"),
    ("uint32", np.uint32, "u32", "ui32"),
    ("uint64", np.uint64, "u64", "ui64"),
    ("float16", np.float16, "f16", "f16"),
    ("float32", np.float32, "f32", "f32"),
    ("float64", np.float64, "f64", "f64"),
    ("complex64", np.complex64, "c64", "complex<f32>"),
    ("complex128", np.complex128, "c128", "complex<f64>"),
    ("bfloat16", ml_dtypes.bfloat16, "bf16", "bf16"),
    ("float8_e4m3fn", ml_dtypes.float8_e4m3fn, "f8_e4m3fn", "f8E4M3FN"),
    ("float8_e5m2", ml_dtypes.float8_e5m2, "f8_e5m2", "f8E5M2"),
    ("int4", ml_dtypes.int4, "i4", "i4"),
    ("uint4", ml_dtypes.uint4, "u4", "ui4"),
)

BY_NAME: Final[Mapping[str, DType]] = MappingProxyType(
    {name: np.dtype(kind) for name, kind, _, _ in _STANDARD}
)
"""Every supported dtype by its name."""
SHORT: Final[Mapping[DType, str]] = MappingProxyType(
    {np.dtype(kind): short for _, kind, short, _ in _STANDARD}
)
"""The name in messages: ``f32``."""
MLIR: Final[Mapping[DType, str]] = MappingProxyType(
    {np.dtype(kind): mlir for _, kind, _, mlir in _STANDARD}
)
"""The name in programs: ``f32``, ``ui8``, ``complex<f32>``."""

BOOL: Final[DType] = np.dtype(np.bool_)
INT32: Final[DType] = np.dtype(np.int32)
INT64: Final[DType] = np.dtype(np.int64)
FLOAT32: Final[DType] = np.dtype(np.float32)
FLOAT64: Final[DType] = np.dtype(np.float64)
COMPLEX64: Final[DType] = np.dtype(np.complex64)
COMPLEX128: Final[DType] = np.dtype(np.complex128)

SIGNED: Final = frozenset(BY_NAME[n] for n in ("int8", "int16", "int32", "int64", "int4"))
UNSIGNED: Final = frozenset(BY_NAME[n] for n in ("uint8", "uint16", "uint32", "uint64", "uint4"))
INTEGER: Final = SIGNED | UNSIGNED
COMPLEX: Final = frozenset({COMPLEX64, COMPLEX128})
NARROW_FLOAT: Final = frozenset(BY_NAME[n] for n in ("bfloat16", "float8_e4m3fn", "float8_e5m2"))
FLOAT: Final = frozenset({BY_NAME["float16"], FLOAT32, FLOAT64}) | NARROW_FLOAT
INEXACT: Final = FLOAT | COMPLEX
NUMERIC: Final = INTEGER | INEXACT
SUB_BYTE: Final = frozenset({BY_NAME["int4"], BY_NAME["uint4"]})

WEAK: Final[Mapping[type, DType]] = MappingProxyType(
    {bool: BOOL, int: INT64, float: FLOAT64, complex: COMPLEX128}
)
"""The dtype in which a Python scalar enters a program."""


def canonical(dtype: object, name: str = "dtype") -> DType:
    """Return a supported dtype in native byte order.

    Raises
    ------
    TypeError
        If there is no such dtype, or arrays cannot hold it.
    """
    if isinstance(dtype, np.dtype) and dtype in SHORT:
        return dtype
    if isinstance(dtype, str) and dtype in BY_NAME:
        return BY_NAME[dtype]
    try:
        found: DType = np.dtype(dtype)  # type: ignore[call-overload]
    except TypeError as error:
        raise TypeError(f"{name}: {dtype!r} is no dtype") from error
    found = found.newbyteorder("=")
    if found not in SHORT:
        raise TypeError(f"{name}: arrays cannot hold {found}; supported are {', '.join(BY_NAME)}")
    return found


def short(dtype: DType) -> str:
    """Return the name used in messages."""
    return SHORT.get(dtype, str(dtype))


@lru_cache(maxsize=4096)
def promote(dtypes: tuple[DType, ...], weak: tuple[type, ...] = ()) -> DType:
    """Return the dtype of a result of operands of these dtypes and Python scalars of these types.

    Raises
    ------
    TypeError
        If NumPy has no common dtype for them.
    """
    if not dtypes:
        order = [kind for kind in WEAK if kind in weak]
        return WEAK[order[-1]]
    try:
        result: DType = np.result_type(*dtypes)
        for kind in weak:
            result = _with_scalar(result, kind)
    except TypeError as error:
        names = ", ".join([short(d) for d in dtypes] + [kind.__name__ for kind in weak])
        raise TypeError(f"no common dtype for {names}; cast one with astype") from error
    return canonical(result)


def _with_scalar(dtype: DType, kind: type) -> DType:
    """Return the promotion of a dtype and a Python scalar, which is weak: its kind alone counts."""
    if kind is bool or dtype in COMPLEX:
        return dtype
    if kind is int:
        return INT64 if dtype == BOOL else dtype
    if kind is float:
        return dtype if dtype in FLOAT else FLOAT64
    if dtype in NARROW_FLOAT or dtype == BY_NAME["float16"] or dtype == FLOAT32:
        return COMPLEX64
    return COMPLEX128
