"""What jaxlib raises, in this project's words."""

from __future__ import annotations

import itertools
import re
from typing import Final, NoReturn

from jaxlib._jax import JaxRuntimeError

from ownarray._errors import BackendError, OutOfMemoryError

JAXLIB_ERRORS: Final = (JaxRuntimeError, RuntimeError, TypeError, ValueError, MemoryError)
"""What a call of jaxlib can raise; nanobind raises the built-in ones."""

_NO_MEMORY: Final = ("RESOURCE_EXHAUSTED", "Out of memory", "out of memory", "bad_alloc")


def raise_ours(error: BaseException, what: str, program: str = "") -> NoReturn:
    """Raise this project's error in place of one of jaxlib's.

    Parameters
    ----------
    error : exception
        What jaxlib raised.
    what : str
        What was attempted, as the start of a sentence.
    program : str
        The text of the program, where there is one.

    Raises
    ------
    OutOfMemoryError
        There was not enough memory.
    BackendError
        Anything else; its cause is jaxlib's error, or what a host kernel raised.
    KeyboardInterrupt, SystemExit
        A host kernel was interrupted.
    """
    found = _KERNEL_FAILURE.search(str(error))
    failure = None if found is None else _failures.kept.pop(int(found[1]), None)
    if failure is None:
        raise translate(error, what, program) from error
    if not isinstance(failure, Exception):
        raise failure
    if isinstance(failure, MemoryError):
        raise translate(failure, what, program) from failure
    shown = f"{type(failure).__name__}: {failure}"
    raise BackendError(f"{what}: a host kernel raised {shown}", program) from failure


class _Failures:
    """What host kernels raised, until the run that called them has failed too."""

    __slots__ = ("kept", "n_failures")

    def __init__(self) -> None:
        self.kept: dict[int, BaseException] = {}
        self.n_failures = itertools.count()


# Process state: an exception cannot pass through XLA, which carries its number.
_failures: Final = _Failures()
_MAX_KEPT: Final = 64
_KERNEL_FAILURE: Final = re.compile(r"\[ownarray host kernel failure (\d+)\]")


def keep_kernel_failure(name: str, error: BaseException) -> str:
    """Keep what a host kernel raised, and return the message that leads back to it."""
    number = next(_failures.n_failures)
    _failures.kept[number] = error
    _failures.kept.pop(number - _MAX_KEPT, None)  # of runs whose error nobody asked for
    return f"{name}: {type(error).__name__} [ownarray host kernel failure {number}]"


def translate(error: BaseException, what: str, program: str = "") -> Exception:
    """Return the error to raise in place of one of jaxlib's.

    Parameters
    ----------
    error : exception
        What jaxlib raised.
    what : str
        What was attempted, as the start of a sentence.
    program : str
        The text of the program, where there is one.
    """
    text = str(error)
    if isinstance(error, MemoryError) or any(mark in text for mark in _NO_MEMORY):
        return OutOfMemoryError(
            f"{what}: not enough memory ({first_line(text) or 'MemoryError'}). Use smaller arrays,"
            " move arrays that are not needed any more, or empty the pool: oa.release_memory()"
        )
    return BackendError(f"{what}: {text.strip()}", program)


def first_line(text: str) -> str:
    """Return the first line that says something."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
