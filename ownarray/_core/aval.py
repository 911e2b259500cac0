"""What is known of a value while a function is traced: its shape and dtype."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np

from ownarray._core.dtypes import SUB_BYTE, DType, canonical, short

Shape = tuple[int, ...]

MAX_BYTES: Final = 2**63 - 1
"""Sizes in bytes, and strides, are signed numbers of 64 bits."""


@dataclass(frozen=True, slots=True)
class ShapedArray:
    """Shape and dtype of an array, without values.

    Parameters
    ----------
    shape : tuple of int
    dtype : dtype
    weak : bool, default False
        Whether the value stands for a Python scalar, whose dtype gives way in promotion.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ShapedArray((2, 3), "float32")
    f32[2,3]
    """

    shape: Shape
    dtype: DType
    weak: bool = False
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", tuple([int(n) for n in self.shape]))
        if any(n < 0 for n in self.shape):
            raise ValueError(f"ShapedArray: sizes must not be negative, got {self.shape}")
        object.__setattr__(self, "dtype", canonical(self.dtype, "ShapedArray"))
        # As in NumPy an axis of size 0 does not save it. XLA ends the process where this overflows.
        if math.prod(filter(None, self.shape)) * self.dtype.itemsize > MAX_BYTES:
            raise ValueError(
                f"ShapedArray: shape {self.shape} with dtype {self.dtype} is too large: no memory"
                f" has more than {MAX_BYTES} bytes"
            )
        object.__setattr__(self, "_hash", hash((self.shape, self.dtype, self.weak)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes of memory; two int4 elements share one byte."""
        if self.dtype in SUB_BYTE:
            return (self.size + 1) // 2
        return self.size * self.dtype.itemsize

    def strong(self) -> ShapedArray:
        """Return the same shape and dtype, not weak."""
        return ShapedArray(self.shape, self.dtype) if self.weak else self

    def __repr__(self) -> str:
        return f"{short(self.dtype)}[{','.join(map(str, self.shape))}]"

    __str__ = __repr__


SCALAR_BOOL: Final = ShapedArray((), np.dtype(np.bool_))


def aval_of(value: np.ndarray[tuple[int, ...], DType] | np.generic) -> ShapedArray:
    """Return shape and dtype of a NumPy value."""
    return _known(value.shape, value.dtype)


@lru_cache(maxsize=4096)
def _known(shape: Shape, dtype: DType) -> ShapedArray:
    return ShapedArray(shape, dtype)
