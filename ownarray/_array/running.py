"""The calls that are running now, in any thread, and what they read.

A call that reads an array borrows it for its duration. Counting that on each array would cost
every call a locked update of every argument; instead a call leaves its argument list here, and
who wants to move or update an array looks here. While nothing runs, that is one test of a dict.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ownarray._trace.bind import AbstractArray

if TYPE_CHECKING:
    from collections.abc import Sequence

# Process state: calls of all threads, by the identity of their argument list (dict operations are
# atomic, also on free-threaded Python).
running: Final[dict[int, Sequence[object]]] = {}
if hasattr(os, "register_at_fork"):  # a forked child has none of the other threads
    os.register_at_fork(after_in_child=running.clear)


def note_readers(operands: Sequence[object]) -> int:
    """Note that operands are read, until the note is taken away; return its key.

    They were alive when they were looked at. From now on nobody gives them away any more, so here
    it is seen whether somebody did so in between.
    """
    key = id(operands)
    running[key] = operands
    try:
        for operand in operands:
            if isinstance(operand, AbstractArray):
                operand._check_readable()
    except BaseException:
        running.pop(key, None)
        raise
    return key


def is_read_by_running_call(array: object) -> bool:
    """Return whether a running call borrows the array."""
    return any(array is other for call in list(running.values()) for other in call)


def n_running_readers(array: object) -> int:
    """Return how many running calls borrow the array."""
    return sum(any(array is other for other in call) for call in list(running.values()))
