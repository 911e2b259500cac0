"""NumPy's promotion of operands (NEP 50): Python scalars give way, NumPy scalars do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeGuard

import numpy as np

from ownarray._core.dtypes import (
    BOOL,
    BY_NAME,
    COMPLEX,
    FLOAT64,
    INEXACT,
    INT64,
    WEAK,
    DType,
    canonical,
    promote,
)
from ownarray._ops.convert import cast_host, convert, convert_weak
from ownarray._trace.bind import AbstractArray, Operand, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence


Like = "Array | HostArray | np.generic | bool | int | float | complex"

_WEAK_KIND: Final = {dtype: kind for kind, dtype in WEAK.items()}
_SMALLEST_FLOAT: Final[dict[DType, DType]] = {
    BY_NAME[name]: BY_NAME[kind]
    for kind, names in (
        ("float16", ("bool", "int8", "uint8", "int4", "uint4")),
        ("float32", ("int16", "uint16")),
        ("float64", ("int32", "int64", "uint32", "uint64")),
    )
    for name in names
}
"""NumPy's float for a function of an integer: the smallest that holds all its values."""


# A union written in the call would be made anew each time, which costs more than the test.
_OPERANDS: Final = (AbstractArray, np.ndarray, np.generic, int, float, complex)


def is_operand(value: object) -> TypeGuard[Operand | complex]:
    """Return whether a value may stand beside an array in arithmetic."""
    return isinstance(value, _OPERANDS)


def operand(name: str, value: object) -> Operand:
    """Return one value as an operand; Python scalars take their default dtype.

    Raises
    ------
    TypeError
        If it is neither array nor number.
    """
    if isinstance(value, AbstractArray):
        return value
    if isinstance(value, np.ndarray):
        return value if value.dtype.isnative else value.astype(canonical(value.dtype, name))
    if isinstance(value, np.generic):
        return value
    kind = WEAK.get(type(value))
    if kind is None:
        raise TypeError(
            f"{name}: expected an array or a number, got {type(value).__name__}."
            " Fix: make an array first, with asarray(...)"
        )
    return weak_scalar(value, kind)


def weak_scalar(value: Any, dtype: DType) -> np.generic:
    """Return a Python scalar in a dtype.

    Raises
    ------
    OverflowError
        If an integer does not fit.
    """
    if dtype == BOOL:
        return np.bool_(value)
    result: np.generic = dtype.type(value)
    return result


def common(name: str, *values: object) -> tuple[DType, bool]:
    """Return the dtype that NumPy's promotion gives for these values, and whether all are weak."""
    dtypes: list[DType] = []
    weak: list[type] = []
    for value in values:
        if isinstance(value, AbstractArray):
            aval = value.aval
            if aval.weak:
                weak.append(_WEAK_KIND[aval.dtype])
            else:
                dtypes.append(aval.dtype)
        elif isinstance(value, np.ndarray | np.generic):
            dtypes.append(canonical(value.dtype, name))
        elif type(value) in WEAK:
            weak.append(type(value))
        else:
            operand(name, value)  # raises
    return promote(tuple(dtypes), tuple(weak)), not dtypes


def as_dtype(name: str, value: object, dtype: DType, *, keep_weak: bool = False) -> Operand:
    """Return a value as an operand of a dtype.

    An operand that stands for a Python scalar stays one only with ``keep_weak``: where it meets
    arrays, the result is as strong as they are.
    """
    if isinstance(value, AbstractArray):
        aval = value.aval
        if aval.dtype == dtype and (keep_weak or not aval.weak):
            return value
        return convert_weak(value, dtype) if keep_weak and aval.weak else convert(value, dtype)
    if isinstance(value, np.ndarray):
        return value if value.dtype == dtype and value.dtype.isnative else cast_host(value, dtype)
    if isinstance(value, np.generic):
        if value.dtype == dtype:
            return value
        return dtype.type(cast_host(np.asarray(value), dtype)[()])
    kind = type(value)
    if kind not in WEAK:
        return operand(name, value)  # raises
    return weak_scalar(value, dtype)


_KEEPING: Final = {
    "b": frozenset({bool}),
    "i": frozenset({bool, int}),
    "u": frozenset({bool, int}),
    "f": frozenset({bool, int, float}),
    "c": frozenset({bool, int, float, complex}),
}
"""Which Python scalars leave the dtype of an array as it is, by its kind."""


def pair(name: str, x: object, y: object) -> Sequence[Operand]:
    """Return two values as operands of their common dtype; fast where nothing is to be done."""
    if isinstance(x, AbstractArray):
        aval = x.aval
        if isinstance(y, AbstractArray):
            other = y.aval
            if aval is other or (aval.dtype == other.dtype and aval.weak == other.weak):
                return x, y
        elif not aval.weak and type(y) in _KEEPING.get(aval.dtype.kind, ()):
            return x, aval.dtype.type(y)
    elif isinstance(y, AbstractArray):
        aval = y.aval
        if not aval.weak and type(x) in _KEEPING.get(aval.dtype.kind, ()):
            return aval.dtype.type(x), y
    return arithmetic(name, x, y)


def arithmetic(name: str, *values: object) -> list[Operand]:
    """Return values as operands of their common dtype."""
    dtype, weak = common(name, *values)
    return [as_dtype(name, value, dtype, keep_weak=weak) for value in values]


def floating(name: str, *values: object) -> list[Operand]:
    """Return values as operands of their common dtype, integers as NumPy's float for them."""
    if len(values) == 1:
        (value,) = values
        if isinstance(value, AbstractArray) and value.aval.dtype.kind in "fc":
            return [value]
    dtype, weak = common(name, *values)
    kind = inexact(dtype)
    return [as_dtype(name, value, kind, keep_weak=weak and kind == dtype) for value in values]


def inexact(dtype: DType) -> DType:
    """Return the dtype in which a function such as exp of this dtype is computed."""
    return dtype if dtype in INEXACT else _SMALLEST_FLOAT[dtype]


def real_default(dtype: DType) -> DType:
    """Return the dtype of a mean or quotient: float64 for integers."""
    return dtype if dtype in INEXACT else FLOAT64


def sum_dtype(dtype: DType) -> DType:
    """Return the dtype of a sum or product: integers widen to 64 bits."""
    if dtype in INEXACT:
        return dtype
    return BY_NAME["uint64"] if dtype.name.startswith("u") else INT64


def dtypes_of(values: Sequence[Operand]) -> list[DType]:
    """Return the dtypes of operands."""
    return [operand_aval(value).dtype for value in values]


def is_complex(value: Operand) -> bool:
    """Return whether an operand is complex."""
    return operand_aval(value).dtype in COMPLEX
