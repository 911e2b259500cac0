"""From a program's text to what jaxlib can run.

An executable comes from the disk cache where it is there, else from XLA. What the program calls of
the host's is registered before either.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Final

from jaxlib import _jax

from ownarray._backend import cache, ffi, lapack
from ownarray._backend.client import VERSION, backend, before_compiling
from ownarray._backend.errors import JAXLIB_ERRORS, raise_ours

__all__ = ["compile_fresh", "deserialize", "load_or_compile"]


def load_or_compile(text: str) -> tuple[_jax.LoadedExecutable, bool]:
    """Return the executable of a program, and whether it came from the disk.

    Raises
    ------
    OutOfMemoryError, BackendError, RuntimeError
        As `compile_text`.
    """
    if "custom_call" in text:
        lapack.ensure_lapack_for(text)
        ffi.ensure_targets(text)
    if _AFTER in text and _IS_OLD:
        ffi.register_nothing(ffi.NOTHING)
    options = options_key(keep_barriers=must_keep_barriers(text))
    blob = cache.load(text, options)
    if blob is not None:
        before_compiling(from_disk=True)
        loaded = deserialize(blob)
        if loaded is not None:
            return loaded, True
    executable = compile_fresh(text)
    cache.store(text, options, partial(backend().client.serialize_executable, executable))
    return executable, False


def compile_fresh(text: str) -> _jax.LoadedExecutable:
    """Return what XLA makes of a program now."""
    xla = backend()
    before_compiling()
    try:
        options = compile_options(keep_barriers=must_keep_barriers(text))
        return xla.client.compile_and_load(_as_known(text), xla.device_list, options)
    except JAXLIB_ERRORS as error:
        raise_ours(error, "XLA rejected a program", text)


def deserialize(blob: bytes) -> _jax.LoadedExecutable | None:
    """Return the executable, or None if this jaxlib cannot load it."""
    xla = backend()
    try:
        return xla.client.deserialize_executable(blob, xla.device_list)
    except JAXLIB_ERRORS:
        return None


@lru_cache(maxsize=2)
def compile_options(*, keep_barriers: bool) -> _jax.CompileOptions:
    """Return the options that a program is compiled with: XLA's own, barriers kept if need be."""
    options = _jax.CompileOptions()
    if keep_barriers:
        options.env_option_overrides = [("xla_disable_hlo_passes", "cse_barrier_expander")]
    return options


_IS_OLD: Final = VERSION < (0, 12)
_BARRIER: Final = '"stablehlo.optimization_barrier"'
_AFTER: Final = '"ownarray.after"'
_AFTER_LINE: Final = re.compile(
    rf"^(%\S+) = {_AFTER}\((.*?)\) \{{\}} : \((.*?)\) -> \(.*?\)(.*)$", re.MULTILINE
)


def _as_known(text: str) -> str:
    """Return a program with XLA's words for "after" (`_array/order.py`).

    That is an optimization barrier. Older jaxlibs drop those too early, and cannot compile them in
    loops when told to keep them; there it is a call of a kernel that does nothing, for 4 us.
    """
    if _AFTER not in text:
        return text
    if _IS_OLD:
        return _AFTER_LINE.sub(_call_of_nothing, text)
    return text.replace(_AFTER, _BARRIER)


def _call_of_nothing(line: re.Match[str]) -> str:
    result, operands, types, location = line.groups()
    kinds = types.split(", ")
    named = list(zip(operands.split(", "), kinds, strict=True))
    aliases = [(place, place) for place in range(len(kinds))]
    return ffi.call_text(result, ffi.NOTHING, named, kinds, aliases) + location


def must_keep_barriers(text: str) -> bool:
    """Return whether XLA is to be told not to drop a program's optimization barriers.

    Older jaxlibs drop them before they merge equal computations, so that what was to be computed
    again is kept instead. Told not to, they cannot compile barriers inside loops.
    """
    if not _IS_OLD or _BARRIER not in text:
        return False
    return "stablehlo.while" not in text or not _in_regions(text)


def _in_regions(text: str) -> bool:
    """Return whether barriers stand in a region, which may be that of a loop."""
    depth = 0
    for line in text.splitlines():
        if line.endswith("({"):
            depth += 1
        elif line.startswith("})"):
            depth -= 1
        elif depth and _BARRIER in line:
            return True
    return False


@lru_cache(maxsize=2)
def options_key(*, keep_barriers: bool) -> bytes:
    """Return what of the options decides about the code, for the disk cache."""
    return compile_options(keep_barriers=keep_barriers).SerializeAsString()
