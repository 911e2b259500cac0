"""The one XLA client of the process, and all that differs between jaxlib versions.

The client is made at its first use, always synchronous: the asynchronous one leaves a forked child
waiting for threads that it does not have, and it is slower for small programs.

jaxlib's Python API is private to JAX and changes; only this package knows it, and only this module
asks for the version.
"""

from __future__ import annotations

import itertools
import os
import platform as _platform
import sys
import threading
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from jaxlib import _jax, xla_client
from jaxlib import version as _version

if TYPE_CHECKING:
    import ctypes

    import numpy as np

    class Memory(ctypes.Array[ctypes.c_char]):
        """A view by address that keeps its buffer from being dropped."""

        buf: _jax.ArrayImpl


OLDEST: Final = (0, 10)
"""The oldest jaxlib that is supported."""


def jaxlib_version() -> str:
    """Return the version of the jaxlib in use."""
    return _version.__version__


VERSION: Final = tuple(int(part) for part in jaxlib_version().split(".")[:2])
if VERSION < OLDEST:
    raise ImportError(
        f"ownarray needs jaxlib {'.'.join(map(str, OLDEST))} or newer, found {jaxlib_version()};"
        " upgrade it with: pip install -U jaxlib"
    )

if VERSION >= (0, 12):
    _Sharding = _jax.SingleDeviceSharding
else:

    class _Sharding(_jax.SingleDeviceSharding):  # type: ignore[no-redef]  # one of the two exists
        """A sharding with the two members that jaxlib <= 0.11 expects jax to have added."""

        @property
        def memory_kind(self) -> str | None:
            return self._memory_kind

        def _to_xla_hlo_sharding(self, n_axes: int) -> xla_client.HloSharding:
            del n_axes
            return xla_client.HloSharding.replicate()


class XlaAval:
    """What jaxlib reads of an abstract value; every buffer keeps the one that it was made with."""

    __slots__ = ("dtype", "is_put", "memory", "nbytes", "ndim", "shape", "size", "weak_type")

    def __init__(
        self, shape: tuple[int, ...], dtype: np.dtype[np.generic], *, is_put: bool
    ) -> None:
        self.shape = shape
        self.dtype = dtype
        self.weak_type = False
        # The ctypes type of the memory, made when the host first looks at it.
        self.memory: type[Memory] | None = None
        self.ndim = len(shape)
        self.size = 1
        for n in shape:
            self.size *= n
        self.nbytes = self.size * dtype.itemsize
        # jaxlib imports jax when it is asked for the address of a buffer that came from the host.
        self.is_put = is_put

    def str_short(self, *, short_dtypes: bool = False) -> str:
        """Return the name that jaxlib puts into its messages."""
        del short_dtypes
        return f"{self.dtype.name}{list(self.shape)}"


class Backend(NamedTuple):
    """The client and the objects that nearly every call to jaxlib needs."""

    client: _jax.Client
    devices: list[_jax.Device]
    device_list: _jax.DeviceList
    sharding: _jax.Sharding
    process: int
    """The id of the process that made it; a forked child inherits the client."""


_lock: Final = threading.Lock()
# Process state: the one client. A second one could not read the first one's buffers.
_backend: Backend | None = None


def backend() -> Backend:
    """Return the process-wide backend, made at the first call."""
    found = _backend
    return found if found is not None else _make_backend()


def _make_backend() -> Backend:
    global _backend  # noqa: PLW0603  # see above: the one client
    with _lock:
        if _backend is None:
            client = xla_client.make_cpu_client(asynchronous=False)
            device = client.local_devices()[0]
            _backend = Backend(
                client,
                [device],
                _jax.DeviceList((device,)),
                _Sharding(device),
                os.getpid(),
            )
        return _backend


def can_compile() -> bool:
    """Return whether this process made the client itself, so that it has the client's threads."""
    return backend().process == os.getpid()


def before_compiling(*, from_disk: bool = False) -> None:
    """Refuse to compile where XLA would wait for ever.

    XLA compiles in threads of the client, which a forked child does not have. Running what was
    compiled before needs none of them, and from 0.12 on neither does loading from the disk.

    Raises
    ------
    RuntimeError
        In a child that was forked after its parent had made the client.
    """
    if not can_compile() and not (from_disk and VERSION >= (0, 12)):
        raise RuntimeError(
            "a forked child process cannot compile a new program (functions and shapes that were"
            " compiled before the fork go on working); start the process with the 'spawn' or"
            " 'forkserver' method of multiprocessing, or fork before the first use of ownarray"
        )


def platform() -> str:
    """Return the name of the platform that programs run on."""
    return backend().client.platform


# Dropped between two releases of 0.11; the signature stands in the documentation.
_HAS_CHECKS: Final = "_skip_checks" in (_jax.array_result_handler.__doc__ or "")


def new_result_handler(aval: XlaAval) -> _jax.ResultHandler:
    """Return the object that makes a buffer of this aval out of one raw result of an execution."""
    sharding = backend().sharding
    if _HAS_CHECKS:
        return _jax.array_result_handler(aval, sharding, True, _skip_checks=True)
    return _jax.array_result_handler(aval, sharding, True)


@lru_cache(maxsize=1)
def cpu_features() -> str:
    """Return a text that is equal on two machines only if they run the same machine code."""
    described = [_platform.machine(), _platform.processor(), sys.platform]
    try:
        described.extend(_features_of_first_core())
    except OSError:  # not Linux
        described.append(os.environ.get("PROCESSOR_IDENTIFIER", ""))
        described.extend(_features_by_numpy())
    return "\n".join(described)


def _features_of_first_core() -> list[str]:
    """Return what Linux says of the first core; the list of all takes long on large machines."""
    names = {"model name", "flags", "Features", "CPU implementer", "CPU part", "isa", "cpu"}
    with Path("/proc/cpuinfo").open(encoding="utf-8") as info:
        core = itertools.takewhile(str.strip, info)
        return sorted(line.strip() for line in core if line.partition(":")[0].strip() in names)


def _features_by_numpy() -> list[str]:
    """Return the instruction sets that NumPy found, where the system has no list of its own."""
    import numpy as np  # noqa: PLC0415  # rarely needed here

    found = np.show_config(mode="dicts").get("SIMD Extensions", {})
    return sorted(f"{kind}={names}" for kind, names in found.items())
