"""What public functions take, and how shapes, dtypes and devices are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from ownarray._core.dtypes import DType, canonical
from ownarray._ops.operators import Array
from ownarray._ops.shapes import shape_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike

    from ownarray._array.moved import Moved
    from ownarray._core.aval import Shape
else:  # the real one costs a twentieth of the first use's time, and only checkers ask for it
    DTypeLike = object

__all__ = [
    "Array",
    "Axis",
    "DTypeLike",
    "Like",
    "ShapeLike",
    "as_shape",
    "check_device",
    "dtype_or",
]

Foreign: TypeAlias = "np.ndarray[Any, np.dtype[Any]] | np.generic"
Like: TypeAlias = "Array | Moved[Array] | Foreign | bool | int | float | complex"
Axis: TypeAlias = "int | tuple[int, ...] | None"
ShapeLike: TypeAlias = SupportsIndex | Sequence[SupportsIndex]


def as_shape(name: str, shape: ShapeLike) -> Shape:
    """Return a shape of sizes that are not negative.

    Raises
    ------
    TypeError, ValueError
    """
    try:
        sizes = shape_of(shape)
    except (TypeError, AttributeError):
        raise TypeError(f"{name}: expected a shape (an int or ints), got {shape!r}") from None
    if any([n < 0 for n in sizes]):
        raise ValueError(f"{name}: sizes must not be negative, got {sizes}")
    return sizes


def dtype_or(name: str, dtype: DTypeLike | None, default: DType) -> DType:
    """Return a dtype that was given, or the default."""
    return default if dtype is None else canonical(dtype, name)


def check_device(name: str, device: object) -> None:
    """Refuse every device but the CPU.

    Raises
    ------
    ValueError
    """
    if device is not None and device != "cpu":
        raise ValueError(f"{name}: the one device is 'cpu', got {device!r}")
