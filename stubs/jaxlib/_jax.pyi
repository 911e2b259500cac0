from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, Protocol

import numpy as np
from typing_extensions import CapsuleType

class JaxRuntimeError(RuntimeError): ...

class _Aval(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[np.generic]: ...
    @property
    def weak_type(self) -> bool: ...

class HostBufferSemantics(Enum):
    IMMUTABLE_ONLY_DURING_CALL = 0
    IMMUTABLE_UNTIL_TRANSFER_COMPLETES = 1
    ZERO_COPY = 2

class Device:
    platform: str
    device_kind: str

class DeviceList:
    def __init__(self, devices: tuple[Device, ...], /) -> None: ...

class Sharding: ...

class SingleDeviceSharding(Sharding):
    _memory_kind: str | None
    def __init__(self, device: Device, *, memory_kind: str | None = ...) -> None: ...

class HloSharding:
    @staticmethod
    def replicate() -> HloSharding: ...

class ArrayImpl:
    # The very object that was passed as aval: jaxlib reads three attributes and keeps it.
    @property
    def aval(self) -> Any: ...
    def delete(self) -> None: ...
    def is_deleted(self) -> bool: ...
    def block_until_ready(self) -> ArrayImpl: ...
    def on_device_size_in_bytes(self) -> int: ...
    def unsafe_buffer_pointer(self) -> int: ...

class ResultHandler:
    def __call__(self, array: ArrayImpl, /) -> ArrayImpl: ...
    def wrap(self, wrapper: Callable[[ArrayImpl], object], /) -> ResultHandler: ...

class ExecuteResults:
    def consume_with_handlers(self, out_handlers: Sequence[ResultHandler]) -> list[ArrayImpl]: ...

class CompiledMemoryStats:
    alias_size_in_bytes: int
    argument_size_in_bytes: int
    output_size_in_bytes: int
    temp_size_in_bytes: int
    generated_code_size_in_bytes: int
    peak_memory_in_bytes: int

class HloModule:
    def to_string(self) -> str: ...

class LoadedExecutable:
    def execute_sharded(self, arguments: Sequence[ArrayImpl]) -> ExecuteResults: ...
    def get_compiled_memory_stats(self) -> CompiledMemoryStats: ...
    def hlo_modules(self) -> list[HloModule]: ...

class ExecutableBuildOptions: ...

class CompileOptions:
    env_option_overrides: list[tuple[str, str | bool | int | float]]
    def SerializeAsString(self) -> bytes: ...

class Client:
    platform: str
    platform_version: str
    def local_devices(self) -> list[Device]: ...
    def live_arrays(self) -> list[ArrayImpl]: ...
    def compile_and_load(
        self,
        computation: str,
        executable_devices: DeviceList,
        compile_options: CompileOptions = ...,
    ) -> LoadedExecutable: ...
    def serialize_executable(self, executable: LoadedExecutable, /) -> bytes: ...
    def deserialize_executable(
        self,
        serialized: bytes,
        executable_devices: DeviceList,
        compile_options: CompileOptions | None = ...,
    ) -> LoadedExecutable: ...

def array_result_handler(
    aval: _Aval, sharding: Sharding, committed: bool, _skip_checks: bool = ...
) -> ResultHandler: ...
def collect_garbage() -> None: ...
def batched_device_put(
    aval: _Aval,
    sharding: Sharding,
    xs: Sequence[np.ndarray[tuple[int, ...], np.dtype[np.generic]]],
    devices: Sequence[Device],
    committed: bool = ...,
    force_copy: bool = ...,
    host_buffer_semantics: HostBufferSemantics = ...,
    enable_x64: bool | None = ...,
) -> ArrayImpl: ...
def buffer_to_dlpack_managed_tensor(buffer: ArrayImpl, stream: int | None = ...) -> CapsuleType: ...
