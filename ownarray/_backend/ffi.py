"""Kernels of the host inside compiled programs: Python functions as XLA custom calls.

A kernel is a Python function that gets NumPy views of the operands' and results' memory and writes
the results in place. XLA calls it through its foreign function interface, whose C structures are
read and answered with ctypes, so that nothing is compiled on installation. One call costs about
4 us; a kernel that is compiled itself (numba, C) can be registered by its address and costs 0.1 us.

In a program's text a kernel is called so (`call_text` writes it)::

    %y = stablehlo.custom_call @ownarray_sort(%x) {api_version = 4 : i32, backend_config = {},
      output_operand_aliases = [...]} : (tensor<8xf32>) -> tensor<8xf32>

With ``output_operand_aliases`` the result shares the operand's memory (XLA copies before if the
operand is used again or was not donated), and the kernel then sees equal addresses.

The name stands for the function for ever, because executables on disk know kernels by name. A
kernel that depends on more than its name (a closure of the user's) is registered with
``local=True``; programs that call it are not written to disk. XLA can forget no kernel, so the
number of them must stay bounded.
"""

from __future__ import annotations

import ctypes
import math
import re
import struct
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import ml_dtypes
import numpy as np
from jaxlib import xla_client

from ownarray._backend.cache import LOCAL_PREFIX
from ownarray._backend.client import backend
from ownarray._backend.errors import keep_kernel_failure
from ownarray._backend.rounding import set_default, set_saved

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

    from ownarray._backend.buffers import HostArray
    from ownarray._core.dtypes import DType

__all__ = [
    "NOTHING",
    "Kernel",
    "add_resolver",
    "call_text",
    "ensure_targets",
    "register_address",
    "register_host_kernel",
    "register_nothing",
]

NOTHING: Final = "ownarray_nothing"
"""The usual name of a kernel that does nothing."""

Kernel = Callable[..., object]
"""``kernel(*operands, *results)`` over NumPy views; operands are read-only, results are written."""


# ---------------------------------------------------------------------------------- registration


class _Registry:
    """What XLA knows by name; it calls these for ever, so they are kept for ever."""

    __slots__ = ("kept", "lock", "n_local", "resolvers")

    def __init__(self) -> None:
        self.kept: dict[str, object] = {}
        self.resolvers: dict[str, Callable[[str], Kernel | None]] = {}
        self.n_local = 0
        self.lock = threading.RLock()


# Process state: XLA's own registry is one for the process, and this mirrors it.
_registry: Final = _Registry()


def register_host_kernel(name: str, kernel: Kernel, *, local: bool = False) -> str:
    """Make a Python function callable from programs, and return its target name.

    Parameters
    ----------
    name : str
        Letters, digits and underscores; for ``local`` the start of the name.
    kernel : callable
        ``kernel(*operands, *results)`` over NumPy views. It may be called by several threads at
        once. What it raises ends the run: see `translate`.
    local : bool
        Whether the name means this function in this process only.

    Raises
    ------
    ValueError
        The name is taken by another function, or is none.
    """
    with _registry.lock:
        if local:
            _registry.n_local += 1
            name = f"{LOCAL_PREFIX}{name}_{_registry.n_local}"
        _check_name(name)
        known = _registry.kept.get(name)
        if known is None:
            handler = _HANDLER(_handler(name, kernel))
            address = ctypes.cast(handler, ctypes.c_void_p).value
            _register(name, address or 0, (kernel, handler))
        elif not (isinstance(known, tuple) and known[0] is kernel):
            raise ValueError(f"host kernel {name} is registered with another function")
        return name


def register_address(name: str, address: int, owner: object) -> None:
    """Make compiled code callable from programs.

    Parameters
    ----------
    name : str
    address : int
        Of a C function ``XLA_FFI_Error* (XLA_FFI_CallFrame*)`` that also answers the metadata call.
    owner : object
        What keeps the code in memory.
    """
    with _registry.lock:
        _check_name(name)
        if name in _registry.kept:
            raise ValueError(f"host kernel {name} is registered already")
        _register(name, address, owner)


def add_resolver(prefix: str, resolve: Callable[[str], Kernel | None]) -> None:
    """Say who knows the kernels whose names start with a prefix; they are made when needed.

    `ensure_targets` asks for ``resolve(name)``, None being "no such kernel". That way an executable
    from disk finds its kernels in a process that has lowered nothing.
    """
    _registry.resolvers[prefix] = resolve


def register_nothing(name: str) -> None:
    """Make a kernel known that does nothing: its results are memory as the allocator left it."""
    with _registry.lock:
        if name not in _registry.kept:
            handler = _HANDLER(_do_nothing)
            _register(name, ctypes.cast(handler, ctypes.c_void_p).value or 0, handler)


def _do_nothing(address: int) -> None:
    frame = _UNPACK_FRAME(_FRAME.from_address(address))
    if frame[1]:
        _answer_metadata(frame[1], frame[2])


def ensure_targets(text: str) -> None:
    """Register what a program calls, where a resolver knows it; done before every compilation."""
    for name in set(_TARGET.findall(text)):
        if name in _registry.kept:
            continue
        for prefix, resolve in _registry.resolvers.items():
            if name.startswith(prefix):
                kernel = resolve(name)
                if kernel is not None:
                    register_host_kernel(name, kernel)


def call_text(
    result: str,
    target: str,
    operands: Sequence[tuple[str, str]],
    outs: Sequence[str],
    aliases: Sequence[tuple[int, int]] = (),
) -> str:
    """Return the operation that calls a kernel.

    Parameters
    ----------
    result : str
        The name to bind, ``%y``, or ``%y:2`` for two results (then ``%y#0``, ``%y#1``).
    target : str
        The kernel's name.
    operands : sequence of (name, tensor type)
    outs : sequence of tensor types
    aliases : sequence of (result, operand) positions
        Which results live in which operand's memory.
    """
    pairs = ", ".join(
        "#stablehlo.output_operand_alias<output_tuple_indices = "
        f"[{out if len(outs) > 1 else ''}], operand_index = {operand}, operand_tuple_indices = []>"
        for out, operand in aliases
    )
    names = ", ".join(name for name, _ in operands)
    types = ", ".join(kind for _, kind in operands)
    kinds = ", ".join(outs)
    return (
        f"{result} = stablehlo.custom_call @{target}({names}) {{api_version = 4 : i32,"
        f" backend_config = {{}}, output_operand_aliases = [{pairs}]}}"
        f" : ({types}) -> {kinds if len(outs) == 1 else f'({kinds})'}"
    )


_TARGET: Final = re.compile(r'(?:custom_call @|call_target_name = ")(\w+)')
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_CAPSULE_NAME: Final = b"xla._CUSTOM_CALL_TARGET"  # referred to by each capsule, so kept
_NewCapsule: Final = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"host kernel: {name!r} is no name; use letters, digits and underscores")


def _register(name: str, address: int, owner: object) -> None:
    backend()  # registers the platform
    _registry.kept[name] = owner  # first: XLA calls the handler while it registers it
    capsule: CapsuleType = _NewCapsule(address, _CAPSULE_NAME, None)
    xla_client.register_custom_call_target(name, capsule, platform="cpu", api_version=1)


# ---------------------------------------------------------------------------------- C structures

# See Note [The layout of a call frame].
_Words = ctypes.c_int64
_FRAME: Final = _Words * 15
_BUFFER: Final = _Words * 6
_UNPACK_FRAME: Final = struct.Struct("15q").unpack_from  # faster than a slice of the array
_UNPACK_BUFFER: Final = struct.Struct("6q").unpack_from
_HANDLER: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_EXTENSION_METADATA: Final = 1
_EXECUTE: Final = 3

_DTYPES: Final[dict[int, DType]] = {
    code: np.dtype(kind)
    for code, kind in (
        (1, np.bool_),
        (2, np.int8),
        (3, np.int16),
        (4, np.int32),
        (5, np.int64),
        (6, np.uint8),
        (7, np.uint16),
        (8, np.uint32),
        (9, np.uint64),
        (10, np.float16),
        (11, np.float32),
        (12, np.float64),
        (15, np.complex64),
        (16, ml_dtypes.bfloat16),
        (18, np.complex128),
        (19, ml_dtypes.float8_e5m2),
        (20, ml_dtypes.float8_e4m3fn),
    )
}
"""XLA's numbers of the dtypes that a kernel can see; sub-byte ones are packed, so they are not."""


class _ErrorArgs(ctypes.Structure):
    """XLA_FFI_Error_Create_Args."""

    _fields_ = (  # type: ignore[mutable-override]  # ctypes takes any sequence
        ("struct_size", ctypes.c_size_t),
        ("extension", ctypes.c_void_p),
        ("message", ctypes.c_char_p),
        ("code", ctypes.c_int),
    )


_ERROR_ARGS_SIZE: Final = _ErrorArgs.code.offset + ctypes.sizeof(ctypes.c_int)
_CREATE_ERROR: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_INTERNAL: Final = 13


def _handler(name: str, kernel: Kernel) -> Callable[[int], int | None]:
    """Return what XLA calls: a function from the address of a call frame to that of an error."""
    frame_at, unpack, views = _FRAME.from_address, _UNPACK_FRAME, _views

    def handle(address: int) -> int | None:
        frame = unpack(frame_at(address))
        extension, api = frame[1], frame[2]
        if extension and _answer_metadata(extension, api):
            return None
        saved = set_default()
        try:
            operands = views(frame[7], frame[9])
            for operand in operands:
                operand.setflags(write=False)
            kernel(*operands, *views(frame[12], frame[14]))
        except BaseException as error:  # nothing may pass through XLA's C++ code
            return _new_error(api, keep_kernel_failure(name, error))
        finally:
            set_saved(saved)
        return None

    return handle


def _views(n: int, pointers: int) -> list[HostArray]:
    """Return NumPy views of n XLA_FFI_Buffers."""
    found: list[HostArray] = []
    for pointer in _words(n)(pointers)[:]:
        _, _, code, data, rank, dims = _UNPACK_BUFFER(_BUFFER.from_address(pointer))
        shape = tuple(_words(rank)(dims)[:]) if rank else ()
        dtype, memory_at = _memory(code & 0xFFFFFFFF, shape)
        # Memory of no bytes may lie nowhere.
        memory: Any = memory_at(data) if data else None
        found.append(np.ndarray(shape, dtype, memory))
    return found


@lru_cache(maxsize=64)
def _words(n: int) -> Callable[[int], ctypes.Array[_Words]]:
    return (_Words * n).from_address


@lru_cache(maxsize=1024)
def _memory(
    code: int, shape: tuple[int, ...]
) -> tuple[DType, Callable[[int], ctypes.Array[ctypes.c_char]]]:
    dtype = _DTYPES.get(code)
    if dtype is None:
        raise TypeError(f"a host kernel cannot see XLA's dtype {code}")
    return dtype, (ctypes.c_char * (math.prod(shape) * dtype.itemsize)).from_address


def _answer_metadata(extension: int, api: int) -> bool:
    """Tell XLA which version of its interface this is: its own, since only old fields are read."""
    words = (_Words * 4).from_address(extension)
    if words[1] & 0xFFFFFFFF != _EXTENSION_METADATA or not words[3]:
        return False
    version = (ctypes.c_int32 * 2).from_address(api + 32)  # XLA_FFI_Api.api_version
    answer = (ctypes.c_int32 * 3).from_address(words[3] + 24)  # XLA_FFI_Metadata
    answer[0], answer[1], answer[2] = version[0], version[1], 0
    return True


def _new_error(api: int, message: str) -> int | None:
    """Return an XLA_FFI_Error; XLA copies the message and owns the error."""
    create = _CREATE_ERROR(_Words.from_address(api + 48).value)
    args = _ErrorArgs(_ERROR_ARGS_SIZE, None, message.encode(), _INTERNAL)
    error: int | None = create(ctypes.addressof(args))
    return error


# Note [The layout of a call frame]
# XLA's c_api.h promises that fields are only ever added at the end of these structures. In words of
# eight bytes:
#   XLA_FFI_CallFrame   0 size, 1 extension, 2 api, 3 context, 4 stage, 5.. args, 10.. rets
#   XLA_FFI_Args, Rets  0 size, 1 extension, 2 count, 3 types, 4 pointers to buffers
#   XLA_FFI_Buffer      0 size, 1 extension, 2 dtype (32 bits), 3 data, 4 rank, 5 dims
#   Metadata extension  0 size, 1 type (32 bits), 2 next, 3 metadata
#   XLA_FFI_Metadata    0 size, 1..4 api version (size, extension, major and minor in 32 bits),
#                       then traits (32 bits)
#   XLA_FFI_Api         0 size, 1 extension, 2..4 api version, 5 internal, 6 Error_Create
