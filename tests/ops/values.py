"""Values that tests of primitives share: ordinary ones and the edges of each dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from ownarray._core.dtypes import BOOL, BY_NAME, COMPLEX, FLOAT, SUB_BYTE, DType
from ownarray._ops.convert import integer_range

Values = np.ndarray[Any, np.dtype[Any]]


FLOATS = tuple(BY_NAME[n] for n in ("float32", "float64", "float16", "bfloat16"))
TINY_FLOATS = tuple(BY_NAME[n] for n in ("float8_e4m3fn", "float8_e5m2"))
COMPLEXES = (BY_NAME["complex64"], BY_NAME["complex128"])
INTEGERS = tuple(
    BY_NAME[n] for n in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
)
NIBBLES = (BY_NAME["int4"], BY_NAME["uint4"])
TRUTH = (BOOL,)

ORDINARY = (0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 1.5, 2.5, -2.5, 3.0, 0.1, -7.25, 10.0)
EDGES = (float("nan"), float("inf"), -float("inf"), -0.0)


def edge_values(dtype: DType) -> Values:
    """Return a vector of ordinary values and of the edges of a dtype."""
    if dtype == BOOL:
        return np.array([True, False, True])
    if dtype in COMPLEX:
        parts = (0.0, -0.0, 1.0, -1.5, 2.5, float("nan"), float("inf"), -float("inf"))
        values = [complex(a, b) for a in parts for b in parts]
        return np.array(values, dtype)
    if dtype in FLOAT:
        return np.array([*ORDINARY, *EDGES], np.float32).astype(dtype)
    low, high = integer_range(dtype)
    if dtype in SUB_BYTE:
        return np.arange(low, high + 1, dtype=np.int8).astype(dtype)
    values = [0, 1, 2, 3, 5, 7, 9, 100, high, high - 1, low, low + 1]
    if low < 0:
        values += [-1, -2, -3, -7, -100]
    return np.array(values, dtype)


def ordinary_values(dtype: DType, shape: tuple[int, ...] = (12,), seed: int = 0) -> Values:
    """Return pseudo-random values of modest size."""
    rng = np.random.default_rng(seed)
    if dtype == BOOL:
        return rng.random(shape) < 0.5
    if dtype in COMPLEX:
        return (rng.uniform(-3, 3, shape) + 1j * rng.uniform(-3, 3, shape)).astype(dtype)
    if dtype in FLOAT:
        return rng.uniform(-3, 3, shape).astype(dtype)
    low, high = integer_range(dtype)
    return rng.integers(max(low, -9), min(high, 9), shape, endpoint=True).astype(dtype)


def pairs(values: Values) -> tuple[Values, Values]:
    """Return every pair of values, as two arrays that broadcast."""
    return values[:, None], values[None, :]
