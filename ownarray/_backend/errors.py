"""What jaxlib raises, in this project's words."""

from __future__ import annotations

from typing import Final

from jaxlib._jax import JaxRuntimeError

from ownarray._errors import BackendError, OutOfMemoryError

JAXLIB_ERRORS: Final = (JaxRuntimeError, RuntimeError, TypeError, ValueError, MemoryError)
"""What a call of jaxlib can raise; nanobind raises the built-in ones."""

_NO_MEMORY: Final = ("RESOURCE_EXHAUSTED", "Out of memory", "out of memory", "bad_alloc")


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
