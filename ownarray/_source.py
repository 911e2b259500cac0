"""Places in the user's program, kept as (code object, instruction) and never as a frame.

A frame would keep every local variable alive, arrays above all.
"""

from __future__ import annotations

import os
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from types import CodeType, FrameType

_PACKAGE: Final = str(Path(__file__).parent) + os.sep


class Site(NamedTuple):
    """One instruction of a program."""

    code: CodeType
    instruction: int
    """The offset of the instruction in bytes, as in ``frame.f_lasti``."""

    @property
    def file(self) -> str:
        """The path of the file, relative if it lies below the current directory."""
        path = self.code.co_filename
        try:
            here = os.getcwd() + os.sep
        except OSError:  # the current directory was removed
            return path
        return path[len(here) :] if path.startswith(here) else path

    @property
    def line(self) -> int:
        """The line number, or 0 where the compiler kept none."""
        positions = islice(self.code.co_positions(), self.instruction // 2, None)
        return next(positions, (None,))[0] or self.code.co_firstlineno

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def is_internal(code: CodeType) -> bool:
    """Return whether code belongs to this package (and so is not the user's)."""
    return code.co_filename.startswith(_PACKAGE)


def caller_site() -> Site:
    """Return the innermost place outside this package that led here."""
    frame: FrameType = sys._getframe(1)
    while is_internal(frame.f_code) and frame.f_back is not None:
        frame = frame.f_back
    return Site(frame.f_code, frame.f_lasti)
