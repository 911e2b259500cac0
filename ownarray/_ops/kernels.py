"""The host kernels that compiled programs call, by name: one table, read when a program needs one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from ownarray._ops.host_calls import PREFIX
from ownarray._ops.philox import philox_kernel

KERNELS: Final[Mapping[str, Callable[..., object]]] = MappingProxyType(
    {PREFIX + "philox": philox_kernel}
)
"""``kernel(*operands, *results)`` over NumPy views, by its name in programs."""
