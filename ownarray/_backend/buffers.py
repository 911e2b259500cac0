"""The one place where buffers are born, handed on and freed.

A `Buffer` is one piece of XLA's memory: it is born by `from_host`, `foreign` or a run of an
executable (`runner`), read and written on the host through `host_memory`, and freed by `delete` or
with its last reference. Who wants to record lifetimes hooks in here and nowhere else.

Note: a NumPy view that `host_memory` returns is made from the address alone, and XLA does not know
of it. That makes it cheap, and lets a later donation keep the memory; its holder must drop it
before the buffer is deleted or donated. What is handed to the outside world is made by `views`.
"""

from __future__ import annotations

import ctypes
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

import numpy as np
from jaxlib import _jax
from jaxlib._jax import ArrayImpl as Buffer

from ownarray._backend import ffi
from ownarray._backend.client import XlaAval, backend, can_compile, new_result_handler
from ownarray._backend.errors import JAXLIB_ERRORS, raise_ours
from ownarray._backend.executables import load_or_compile
from ownarray._backend.pages import advise_huge_pages
from ownarray._core.dtypes import MLIR, SUB_BYTE

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

    from ownarray._backend.client import Memory
    from ownarray._core.aval import Shape, ShapedArray
    from ownarray._core.dtypes import DType

__all__ = [
    "Buffer",
    "HostArray",
    "Run",
    "address",
    "delete",
    "empty",
    "foreign",
    "from_host",
    "host_memory",
    "is_deleted",
    "live_bytes",
    "live_count",
    "nbytes",
    "result_handler",
    "runner",
]

HostArray = np.ndarray[tuple[int, ...], np.dtype[np.generic]]
Run = Callable[[Sequence[Buffer]], list[Buffer]]

_ZERO_COPY: Final = _jax.HostBufferSemantics.ZERO_COPY


# ------------------------------------------------------------------------------------------- birth


def from_host(
    values: HostArray, aval: ShapedArray | None = None, *, into: Buffer | None = None
) -> Buffer:
    """Return a new buffer with a copy of NumPy values.

    Parameters
    ----------
    values : ndarray
        Of any strides and byte order; never aliased, so later writes to it do not show.
    aval : ShapedArray, optional
        What the values must be of; a mismatch is a ValueError.
    into : Buffer, optional
        A dead buffer of that shape and dtype to take over, which spares fresh memory.
    """
    dtype = values.dtype
    if not dtype.isnative:
        dtype = dtype.newbyteorder("=")
        values = values.astype(dtype)
    if aval is not None and (aval.shape != values.shape or aval.dtype != dtype):
        _check_aval(values, aval)
    if into is None and values.nbytes >= LARGE_BYTES and can_compile():
        into = empty(values.shape, dtype)
    if into is not None and dtype not in SUB_BYTE:
        host_memory(into)[...] = values
        return into
    buf = _put(values, dtype)
    return _identity(values.shape, dtype)([buf])[0] if dtype in SUB_BYTE else buf


def _put(values: HostArray, dtype: DType) -> Buffer:
    """Let jaxlib make a buffer of values."""
    xla = backend()
    aval = _put_aval(values.shape, dtype)
    try:
        buf = _jax.batched_device_put(
            aval, xla.sharding, [values], xla.devices, True, True, _ZERO_COPY, True
        )
    except JAXLIB_ERRORS as error:
        raise_ours(error, f"copying {values.nbytes} bytes from NumPy")
    if values.nbytes >= _HELD_BYTES:
        # jaxlib holds the last source until the next one, or until it is told to let go.
        _jax.collect_garbage()
    return buf


def empty(shape: Shape, dtype: DType) -> Buffer:
    """Return a new buffer with arbitrary values, to be written through `host_memory` or donated.

    Large memory is asked for in huge pages where the system has them: the faults of small ones
    cost several times what writing costs. Memory that is not large is a copy of NumPy's unwritten
    one, until a kind of it is asked for again: then the program that allocates it is worth making.
    """
    is_large = math.prod(shape) * dtype.itemsize >= LARGE_BYTES
    if dtype in SUB_BYTE or not can_compile() or not (is_large or _is_common(shape, dtype)):
        buf = _put(np.empty(shape, dtype), dtype)
        return _identity(shape, dtype)([buf])[0] if dtype in SUB_BYTE else buf
    (buf,) = _allocator(shape, dtype)([])
    if is_large:
        advise_huge_pages(address(buf), nbytes(buf))
    return buf


# Process state: the kinds of memory that were asked for lately.
_asked: Final[OrderedDict[tuple[Shape, DType], None]] = OrderedDict()
_MAX_ASKED: Final = 64
_COMMON_BYTES: Final = 1 << 18


def _is_common(shape: Shape, dtype: DType) -> bool:
    """Return whether such memory was asked for before, and copying it costs more than a call."""
    if math.prod(shape) * dtype.itemsize < _COMMON_BYTES:
        return False
    kind = (shape, dtype)
    if kind in _asked:
        return True
    _asked[kind] = None
    if len(_asked) > _MAX_ASKED:
        _asked.popitem(last=False)
    return False


LARGE_BYTES: Final = 32 << 20
"""From here on fresh memory is allocated first and written then, in huge pages: glibc gives blocks
of this size back to the system, so that each one faults in all its pages anew."""

_HELD_BYTES: Final = 1 << 16
"""A source of this size is not left to jaxlib; asking it to let go costs 0.4 us."""


@lru_cache(maxsize=256)
def _allocator(shape: Shape, dtype: DType) -> Run:
    """Return a program whose result nobody writes; XLA has no other way to allocate."""
    ffi.register_nothing(ffi.NOTHING)
    tensor = _tensor(shape, dtype)
    call = ffi.call_text("%0", ffi.NOTHING, [], [tensor])
    text = (
        f"module @empty {{ func.func public @main() -> {tensor} {{ {call}"
        f" return %0 : {tensor} }} }}"
    )
    return _program(text, shape, dtype)


def _program(text: str, shape: Shape, dtype: DType) -> Run:
    """Return the run of a program with one result."""
    executable, _ = load_or_compile(text)
    return runner(
        executable.execute_sharded,
        [result_aval(shape, dtype)],
        lambda error: raise_ours(error, "allocating memory", text),
    )


def _tensor(shape: Shape, dtype: DType) -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{MLIR[dtype]}>"


def foreign(values: HostArray) -> Buffer:
    """Return a buffer for reading that shares NumPy's memory where its alignment allows.

    The buffer keeps the memory alive. It must never be donated or written, and it shows what the
    memory's owner writes into it; memory that is not aligned to 64 bytes is copied.
    """
    xla = backend()
    try:
        return _jax.batched_device_put(
            _put_aval(values.shape, values.dtype),
            xla.sharding,
            [values],
            xla.devices,
            True,
            False,
            _ZERO_COPY,
            True,
        )
    except JAXLIB_ERRORS as error:
        raise_ours(error, f"sharing {values.nbytes} bytes of NumPy's")


Execute = Callable[[Sequence[Buffer]], _jax.ExecuteResults]
Failed = Callable[[BaseException], NoReturn]


def runner(execute: Execute, outs: Sequence[XlaAval], failed: Failed) -> Run:
    """Return the function through which results of one executable are born.

    Parameters
    ----------
    execute : callable
        The executable's own function; eats donated buffers.
    outs : sequence of XlaAval
        One for each output.
    failed : callable
        Raises our error in place of the one that was caught.
    """
    handlers = [result_handler(out) for out in outs]
    n_kept = 0

    def run(buffers: Sequence[Buffer]) -> list[Buffer]:
        nonlocal n_kept
        n_kept += 1
        if n_kept == _MAX_KEPT:
            n_kept = 0
            _jax.collect_garbage()
        try:
            return execute(buffers).consume_with_handlers(handlers)
        except JAXLIB_ERRORS as error:
            failed(error)

    return run


_MAX_KEPT: Final = 256
"""jaxlib keeps some 80 bytes of each run with donors until it is told to let go."""


@lru_cache(maxsize=8192)
def _put_aval(shape: Shape, dtype: DType) -> XlaAval:
    return XlaAval(shape, dtype, is_put=True)


@lru_cache(maxsize=8192)
def result_aval(shape: Shape, dtype: DType) -> XlaAval:
    """Return the aval that results of this shape and dtype carry."""
    return XlaAval(shape, dtype, is_put=False)


@lru_cache(maxsize=8192)
def result_handler(aval: XlaAval) -> _jax.ResultHandler:
    """Return the shared handler that makes a buffer of a raw result."""
    return new_result_handler(aval)


def _check_aval(values: HostArray, aval: ShapedArray) -> None:
    if aval.shape != values.shape or aval.dtype != values.dtype.newbyteorder("="):
        raise ValueError(f"from_host: expected {aval}, got {values.dtype.name}{list(values.shape)}")


# ------------------------------------------------------------------------------------------ memory


def address(buf: Buffer) -> int:
    """Return where the buffer's first byte lies; takes 0.3 us, 2 us if it came from the host."""
    try:
        if buf.aval.is_put:
            return pointer_in(_jax.buffer_to_dlpack_managed_tensor(buf))
        return buf.unsafe_buffer_pointer()
    except JAXLIB_ERRORS as error:
        raise_ours(error, "reading the address of a buffer")


def host_memory(buf: Buffer, aval: ShapedArray | None = None) -> HostArray:
    """Return the buffer's memory as a writable NumPy array that XLA does not know of.

    It keeps the buffer from being dropped, but not from being deleted or donated: the caller must
    drop it before. Sub-byte dtypes are packed in XLA's memory, so they come as a read-only copy;
    update them through `from_host`.
    """
    del aval  # every buffer carries its own
    known: XlaAval = buf.aval
    memory = known.memory
    if memory is None:
        return _first_look(buf, known)
    try:
        start = address(buf) if known.is_put else buf.unsafe_buffer_pointer()
    except JAXLIB_ERRORS as error:
        raise_ours(error, "reading a buffer")
    raw: Any = memory.from_address(start)
    raw.buf = buf
    return np.ndarray(known.shape, known.dtype, raw)


def _first_look(buf: Buffer, known: XlaAval) -> HostArray:
    """Return the same for what `host_memory` has not seen yet, or cannot show by address."""
    if known.nbytes == 0:
        return np.empty(known.shape, known.dtype)
    if known.dtype in SUB_BYTE:
        return _unpacked(buf, known)
    known.memory = cast("type[Memory]", type("Memory", (ctypes.c_char * known.nbytes,), {}))
    return host_memory(buf)


def nbytes(buf: Buffer) -> int:
    """Return the bytes of memory that the buffer takes; two int4 elements share one."""
    known: XlaAval = buf.aval
    return (known.size + 1) // 2 if known.dtype in SUB_BYTE else known.nbytes


def delete(buf: Buffer) -> None:
    """Free the buffer's memory now, or as soon as the last borrow of it has ended."""
    buf.delete()


is_deleted = Buffer.is_deleted
"""``is_deleted(buf)``: whether the buffer's memory was given away or freed."""


def live_count() -> int:
    """Return how many buffers hold memory."""
    return sum(not buf.is_deleted() for buf in backend().client.live_arrays())


def live_bytes() -> int:
    """Return how many bytes all living buffers of the process hold."""
    return sum(nbytes(buf) for buf in backend().client.live_arrays() if not buf.is_deleted())


# PyCapsule_GetPointer of Python's C interface.
PointerOf: Final = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def pointer_in(capsule: CapsuleType) -> int:
    """Return the address of the data that an unversioned DLPack capsule describes."""
    data: int | None = ctypes.c_void_p.from_address(PointerOf(capsule, b"dltensor")).value
    return data or 0


# ---------------------------------------------------------------------------------------- sub-byte


@lru_cache(maxsize=256)
def _identity(shape: Shape, dtype: DType) -> Run:
    """Return a program that hands its argument on in the same memory.

    jaxlib cannot say where a sub-byte buffer lies that came from the host; of a result it can.
    """
    tensor = _tensor(shape, dtype)
    text = (
        f"module @identity {{ func.func public @main(%0: {tensor} {{tf.aliasing_output = 0 : i32}})"
        f" -> {tensor} {{ return %0 : {tensor} }} }}"
    )
    return _program(text, shape, dtype)


def _unpacked(buf: Buffer, known: XlaAval) -> HostArray:
    """Return a copy of packed four-bit values, the low half of each byte first."""
    n_bytes = (known.size + 1) // 2
    memory: Any = (ctypes.c_char * n_bytes).from_address(address(buf))
    packed = np.ndarray((n_bytes,), np.uint8, memory)
    halves = np.empty((n_bytes, 2), np.uint8)
    halves[:, 0] = packed & 15
    halves[:, 1] = packed >> 4
    values = halves.reshape(-1)[: known.size].view(known.dtype).reshape(known.shape)
    values.flags.writeable = False
    return values
