"""What the outside world may read of an array's memory, and how we know that it still does.

One `View` stands for one borrow: NumPy arrays, memoryviews and DLPack capsules that come from it
(and slices of those) hold it alive, so *the token lives* means *the memory is borrowed*. The array
keeps a weak reference to it.

A view of an XLA buffer also holds the buffer in PJRT. If a donation ever slipped past the checks,
XLA would then copy instead of writing under the reader's eyes.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import ml_dtypes
import numpy as np
from jaxlib import _jax

from ownarray._backend.buffers import HostArray, PointerOf, host_memory, pointer_in
from ownarray._backend.errors import JAXLIB_ERRORS, raise_ours
from ownarray._core.dtypes import SUB_BYTE

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

    from ownarray._backend.buffers import Buffer
    from ownarray._backend.client import XlaAval
    from ownarray._core.dtypes import DType

__all__ = ["View", "export_copy", "import_dlpack"]


_USER_DTYPE: Final = 256
"""NumPy numbers the dtypes of other packages (ml_dtypes) from here on."""


@lru_cache(maxsize=64)
def _type_text(dtype: DType) -> str:
    """Return the interface's name of a dtype: raw bytes for ml_dtypes', retyped in `View.array`."""
    return f"|V{dtype.itemsize}" if dtype.num >= _USER_DTYPE else dtype.str


class _Holds:
    """What a view keeps alive; the hold on the buffer ends before the rest."""

    __slots__ = ("_hold", "_keep")

    def __init__(self, hold: object, keep: object) -> None:
        self._hold = hold
        self._keep = keep

    def __del__(self) -> None:
        self._hold = None


class View:
    """A borrow of one array's memory: alive as long as somebody may read it.

    Make one with `of_buffer` or `of_memory`, keep a weak reference, and hand out `array()`,
    `memoryview()` or `dlpack()`. All three are read-only and hold the token.
    """

    __slots__ = ("__array_interface__", "__weakref__", "_dtype", "_hold")

    __array_interface__: dict[str, object]
    _dtype: DType
    _hold: object

    @classmethod
    def of_buffer(cls, buf: Buffer, keep: object = None) -> View:
        """Return a token for the memory of an XLA buffer; sub-byte dtypes are copied.

        It holds ``keep`` alive, too.
        """
        aval: XlaAval = buf.aval
        if aval.dtype in SUB_BYTE or aval.nbytes == 0:
            return cls.of_memory(host_memory(buf))
        try:
            hold = _jax.buffer_to_dlpack_managed_tensor(buf)
        except JAXLIB_ERRORS as error:
            raise_ours(error, "viewing a buffer")
        start = pointer_in(hold) if aval.is_put else buf.unsafe_buffer_pointer()
        return cls._made(
            {"shape": aval.shape, "typestr": _type_text(aval.dtype), "data": (start, True)},
            aval.dtype,
            _Holds(hold, keep),
        )

    @classmethod
    def of_memory(cls, values: HostArray) -> View:
        """Return a token for NumPy memory that the array owns."""
        interface = values.__array_interface__
        interface["data"] = (interface["data"][0], True)
        interface["typestr"] = _type_text(values.dtype)
        interface.pop("descr", None)
        return cls._made(interface, values.dtype, values)

    @classmethod
    def _made(cls, interface: dict[str, object], dtype: DType, hold: object) -> View:
        token = cls()
        interface["version"] = 3
        token.__array_interface__ = interface
        token._dtype = dtype
        token._hold = hold
        return token

    def array(self) -> HostArray:
        """Return the memory as a read-only NumPy array that keeps the borrow alive."""
        values: HostArray = np.asarray(self)
        return values if values.dtype == self._dtype else values.view(self._dtype)

    def memoryview(self) -> memoryview:
        """Return the memory as a read-only memoryview that keeps the borrow alive.

        Raises
        ------
        BufferError
            The buffer protocol has no format for the dtype (bfloat16, float8, int4).
        """
        if self._dtype.num >= _USER_DTYPE:
            raise BufferError(
                f"the buffer protocol has no format for {self._dtype.name}; use"
                f" np.asarray(x).view(np.uint{8 * self._dtype.itemsize})"
            )
        values: Any = self.array()  # a buffer, which only newer type stubs say
        return memoryview(values)

    def dlpack(self, max_version: tuple[int, int] | None) -> CapsuleType:
        """Return a DLPack capsule that says read-only and keeps the borrow alive.

        Raises
        ------
        BufferError
            The consumer cannot be told read-only (it asked for less than version 1.0). Give it
            `export_copy` instead.
        """
        if max_version is None or max_version < READ_ONLY_VERSION:
            raise BufferError("this DLPack consumer cannot be told that memory is read-only")
        return _capsule(self.array(), max_version)


# ------------------------------------------------------------------------------------------ DLPack

READ_ONLY_VERSION: Final = (1, 0)
"""The first DLPack version that can say read-only."""

_CODES: Final[dict[DType, int]] = {
    np.dtype(ml_dtypes.bfloat16): 4,
    np.dtype(ml_dtypes.float8_e4m3fn): 10,
    np.dtype(ml_dtypes.float8_e5m2): 12,
}
"""DLPack's type codes of dtypes that NumPy cannot export or import by itself."""
_BY_CODE: Final = {code: dtype for dtype, code in _CODES.items()}
_UNSIGNED: Final = 1
_CPU: Final = (1, 0)


# DLTensor: data pointer, device (2 x 32 bits), ndim (32), type code (8), bits (8), lanes (16) ...
# DLManagedTensorVersioned has it behind version (2 x 32 bits), two pointers and flags (64 bits);
# the older DLManagedTensor begins with it.
_POINTER: Final = ctypes.sizeof(ctypes.c_void_p)
_CODE_OFFSET: Final = _POINTER + 8 + 4
_VERSIONED_OFFSET: Final = 8 + 2 * _POINTER + 8
_IsValid: Final = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)


def _type_code(capsule: CapsuleType) -> ctypes.c_uint8:
    """Return the type code inside a capsule that nobody has consumed, for changing."""
    if _IsValid(capsule, b"dltensor_versioned"):
        tensor = PointerOf(capsule, b"dltensor_versioned") + _VERSIONED_OFFSET
    else:
        tensor = PointerOf(capsule, b"dltensor")
    return ctypes.c_uint8.from_address(tensor + _CODE_OFFSET)


def _capsule(values: HostArray, max_version: tuple[int, int] | None) -> CapsuleType:
    """Return NumPy's capsule, its type code corrected where NumPy has none for the dtype."""
    code = _CODES.get(values.dtype)
    plain = values if code is None else values.view(f"u{values.dtype.itemsize}")
    try:
        capsule = cast("_Producer", plain).__dlpack__(max_version=max_version)
    except (RuntimeError, BufferError) as error:
        raise BufferError(f"DLPack has no type for {values.dtype.name}") from error
    if code is not None:
        _type_code(capsule).value = code
    return capsule


def export_copy(values: HostArray, max_version: tuple[int, int] | None) -> CapsuleType:
    """Return a DLPack capsule of a fresh copy, which is the consumer's own to write."""
    return _capsule(values.copy(), max_version)


class _Producer(Protocol):
    """What DLPack asks of a producer."""

    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __dlpack__(self, **options: object) -> CapsuleType: ...


class _Handed:
    """A producer around a capsule that was looked into."""

    __slots__ = ("capsule",)

    def __init__(self, capsule: CapsuleType) -> None:
        self.capsule = capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU

    def __dlpack__(self, **options: object) -> CapsuleType:
        del options
        return self.capsule


def import_dlpack(producer: object) -> HostArray:
    """Return another library's memory as a NumPy array, without a copy.

    Raises
    ------
    TypeError
        The object is no DLPack producer.
    BufferError
        The memory is not on the CPU, or NumPy has no such dtype.
    """
    if not hasattr(producer, "__dlpack__") or not hasattr(producer, "__dlpack_device__"):
        raise TypeError(
            f"from_dlpack: expected an object with __dlpack__ and __dlpack_device__, got a"
            f" {type(producer).__name__}"
        )
    source = cast("_Producer", producer)
    device_type = int(source.__dlpack_device__()[0])
    if device_type != _CPU[0]:
        raise BufferError(
            f"from_dlpack: the memory is on DLPack device type {device_type}, not on the CPU; move"
            " it to the CPU in its own library first"
        )
    try:
        capsule = source.__dlpack__(max_version=READ_ONLY_VERSION)
    except TypeError:  # a producer from before version 1.0 has no such parameter
        capsule = source.__dlpack__()
    code = _type_code(capsule)
    dtype = _BY_CODE.get(code.value)
    if dtype is not None:
        code.value = _UNSIGNED
    try:
        values: HostArray = np.from_dlpack(_Handed(capsule))
    except (RuntimeError, BufferError) as error:
        raise BufferError(f"from_dlpack: {error}") from error
    return values if dtype is None else values.view(dtype)
