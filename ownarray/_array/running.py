"""The calls that are running now, in any thread, and what they read.

A call that reads an array borrows it for its duration. Counting that on each array would cost
every call a locked update of every argument; instead a call leaves its argument list here, and
who wants to move or update an array looks here. While nothing runs, that is one test of a dict.
"""

from __future__ import annotations

import os
import sys
from threading import get_ident
from typing import TYPE_CHECKING, Any, Final

from ownarray._array.cell import transitions
from ownarray._ownership import State
from ownarray._trace.bind import AbstractArray

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._array.cell import Signature
    from ownarray._array.concrete import ConcreteArray

# An attribute of an enum costs more than the rest of a check.
_OWNED: Final = State.OWNED

# Process state: calls of all threads, by the identity of their argument list (dict operations are
# atomic, also on free-threaded Python).
running: Final[dict[int, Sequence[object]]] = {}
# Process state: the thread that updates an array at once, by the identity of the array.
updating: Final[dict[int, int]] = {}
if hasattr(os, "register_at_fork"):  # a forked child has none of the other threads
    os.register_at_fork(after_in_child=running.clear)
    os.register_at_fork(after_in_child=updating.clear)

BRIEF: Final = 500
"""Up to so many elements NumPy's loops keep the global interpreter lock: one step for others."""
HAS_GIL: Final = getattr(sys, "_is_gil_enabled", lambda: True)()


def updates_something() -> bool:
    """Return whether this thread is in the middle of an update: it must not wait for another."""
    return get_ident() in list(updating.values())


def update_alone(
    x: ConcreteArray, sig: Signature, write: Callable[..., object], *args: Any
) -> bool:
    """Run ``write(*args)``, which writes the values of x, and keep others out meanwhile.

    Returns
    -------
    bool
        False if x has not this signature of an owned array now, or a running call reads it.
    """
    key, ident = id(x), get_ident()
    is_held = False
    try:
        # Neither here nor at the end stands a call between the steps (docs/design/0005).
        if HAS_GIL:
            if x._sig is sig and sig.state is _OWNED:
                x._sig, is_held = sig.updating, True
                updating[key] = ident
        else:
            with transitions.lock:
                if x._sig is sig and sig.state is _OWNED:
                    x._sig, is_held = sig.updating, True
                    updating[key] = ident
        # A call that began in the meantime has either seen that, or is seen here.
        if not is_held or (running and is_read_by_running_call(x)):
            return False
        write(*args)
        return True
    finally:
        if is_held:
            if key in updating:
                del updating[key]
            if x._sig is sig.updating:  # else it is lost
                x._sig = sig


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
