"""Interrupting a program at each place where Python looks for signals.

The interpreter delivers a KeyboardInterrupt between instructions, but only at the entry of a Python
function, after a call of a C function, and at a jump back. These places are walked one by one: the
trace function counts them and raises at the n-th.
"""

from __future__ import annotations

import dis
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_CALLS: Final = {"CALL", "CALL_KW", "CALL_FUNCTION_EX"}
_JUMPS: Final = {"JUMP_BACKWARD"}
# What these raise is only printed by the interpreter, with an interrupt or without.
_UNRAISABLE: Final = {"__del__", "remove"}


def _is_unraisable(frame: FrameType | None) -> bool:
    for _ in range(30):
        if frame is None:
            return False
        if frame.f_code.co_name in _UNRAISABLE:
            return True
        frame = frame.f_back
    return False


class Interrupter:
    """Raises KeyboardInterrupt at one place of a program.

    Parameters
    ----------
    place : int
        How many places to pass; one that does not come interrupts nothing.
    """

    def __init__(self, place: int) -> None:
        self.left = place
        self.where = ""
        self._last: dict[int, str] = {}
        self._parent_of: dict[int, int] = {}

    def run(self, action: Callable[[], object]) -> bool:
        """Run an action; return whether it was interrupted."""
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            action()
        except KeyboardInterrupt:
            return True
        finally:
            sys.settrace(before)
        return False

    def _called(self, frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code is _SETTRACE_OWNER or _is_unraisable(frame):
            return None
        if frame.f_back is not None:
            self._last.pop(id(frame.f_back), None)  # what it called is a Python function
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        self._place(frame, "entry")
        return self._stepped

    def _stepped(self, frame: FrameType, event: str, arg: object) -> Any:
        if event == "opcode":
            last = self._last.get(id(frame), "")
            self._last[id(frame)] = dis.opname[frame.f_code.co_code[frame.f_lasti]]
            if last in _CALLS or last in _JUMPS:
                self._place(frame, last)
        elif event == "return":
            self._last.pop(id(frame), None)
        elif event == "exception":
            self._last[id(frame)] = ""
        return self._stepped

    def _place(self, frame: FrameType, why: str) -> None:
        if self.left == 0:
            code = frame.f_code
            self.where = f"{code.co_filename}:{frame.f_lineno} ({code.co_qualname}, {why})"
            self.left = -1
            raise KeyboardInterrupt
        self.left -= 1


_SETTRACE_OWNER: Final = Interrupter.run.__code__


def n_places(action: Callable[[], object]) -> int:
    """Return at how many places an action can be interrupted."""
    counting = Interrupter(1 << 60)
    counting.run(action)
    return (1 << 60) - counting.left
