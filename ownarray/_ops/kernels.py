"""The host kernels that compiled programs call, by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ownarray._ops.factor import order_of_swaps
from ownarray._ops.host_calls import PREFIX, nothing
from ownarray._ops.philox import philox_kernel
from ownarray._ops.sort_host import SORT_KERNELS
from ownarray._ops.systems import inv_kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_BY_NAME: Final[Mapping[str, Callable[..., object]]] = MappingProxyType(
    {
        "inv": inv_kernel,
        "nothing": nothing,
        "order_of_swaps": order_of_swaps,
        "philox": philox_kernel,
        **SORT_KERNELS,
    }
)
KERNELS: Final[Mapping[str, Callable[..., object]]] = MappingProxyType(
    {PREFIX + name: kernel for name, kernel in _BY_NAME.items()}
)
"""``kernel(*operands, *results)`` over NumPy views, by its name in programs."""
