"""Constants and dtypes of the main namespace."""

from __future__ import annotations

import math
from typing import Final

from ownarray._core.dtypes import BY_NAME, DType

e: Final = math.e
inf: Final = math.inf
nan: Final = math.nan
newaxis: Final = None
pi: Final = math.pi

bool: Final[DType] = BY_NAME["bool"]
int4: Final[DType] = BY_NAME["int4"]
int8: Final[DType] = BY_NAME["int8"]
int16: Final[DType] = BY_NAME["int16"]
int32: Final[DType] = BY_NAME["int32"]
int64: Final[DType] = BY_NAME["int64"]
uint4: Final[DType] = BY_NAME["uint4"]
uint8: Final[DType] = BY_NAME["uint8"]
uint16: Final[DType] = BY_NAME["uint16"]
uint32: Final[DType] = BY_NAME["uint32"]
uint64: Final[DType] = BY_NAME["uint64"]
bfloat16: Final[DType] = BY_NAME["bfloat16"]
float8_e4m3fn: Final[DType] = BY_NAME["float8_e4m3fn"]
float8_e5m2: Final[DType] = BY_NAME["float8_e5m2"]
float16: Final[DType] = BY_NAME["float16"]
float32: Final[DType] = BY_NAME["float32"]
float64: Final[DType] = BY_NAME["float64"]
complex64: Final[DType] = BY_NAME["complex64"]
complex128: Final[DType] = BY_NAME["complex128"]
