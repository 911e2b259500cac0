"""The processor's rules for floats, which XLA changes while its programs run.

On the CPU, programs treat denormal numbers as zeros. Host kernels called from there are NumPy's or
SciPy's functions, which do not expect that: a sort that cannot tell 1e-40 from 0 leaves the two in
any order. So a kernel runs with the rules that every process starts with, and XLA gets its own back
afterwards. The rules belong to a thread; setting and restoring them takes about a microsecond.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["set_default", "set_saved"]

_Environment = ctypes.c_char * 64  # fenv_t has 8 to 32 bytes


def _functions() -> tuple[Callable[[int], int], Callable[[int], int], int] | None:
    """Return C's fegetenv, fesetenv and FE_DFL_ENV; None where they cannot be had."""
    if sys.platform == "win32":
        return None
    with contextlib.suppress(OSError, AttributeError, ValueError):
        name = "libm.so.6" if sys.platform == "linux" else None
        library = ctypes.PyDLL(name)  # keeps the interpreter's lock: the calls are short
        get, change = library.fegetenv, library.fesetenv
        get.argtypes = change.argtypes = (ctypes.c_void_p,)
        if sys.platform == "darwin":
            default = ctypes.addressof(ctypes.c_char.in_dll(library, "_FE_DFL_ENV"))
        else:
            default = -1
        return get, change, default
    return None


_found: Final = _functions()


def set_default() -> ctypes.Array[ctypes.c_char] | None:
    """Set the rules of a new process for this thread; return those before, for `set_saved`."""
    if _found is None:
        return None
    get, change, default = _found
    saved = _Environment()
    get(ctypes.addressof(saved))
    change(default)
    return saved


def set_saved(saved: ctypes.Array[ctypes.c_char] | None) -> None:
    """Set what `set_default` found."""
    if _found is not None and saved is not None:
        _found[1](ctypes.addressof(saved))
