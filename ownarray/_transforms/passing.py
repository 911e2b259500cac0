"""Passing arguments for one call: what is claimed, lent and locked, and put back if it never runs.

Handles are claimed, donated arrays die, Mut arrays are locked, all before anything runs; a failure
up to there puts everything back. Once the executable has begun, what it consumed or updated is lost
if it fails, and the error says so.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._array.cell import describe, refusal, transitions
from ownarray._array.concrete import ConcreteArray
from ownarray._array.moved import Departure, Owner, depart
from ownarray._array.running import is_read_by_running_call, running
from ownarray._array.traced import TracedArray
from ownarray._backend import buffers
from ownarray._core.aval import aval_of
from ownarray._core.dtypes import WEAK, DType
from ownarray._errors import Code
from ownarray._ownership import Effect, Event, State
from ownarray._source import caller_site
from ownarray._tree import LEAF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._backend.buffers import Buffer
    from ownarray._trace.bind import HostArray
    from ownarray._trace.record import Captured
    from ownarray._transforms.signature import Call


class Passing:
    """The arguments of one call, from the claim to the return."""

    __slots__ = (
        "by", "call", "captured", "consumed", "departure", "donated", "lent", "locked", "name",
    )  # fmt: skip

    def __init__(self, call: Call, captured: Sequence[Captured], name: str) -> None:
        self.call = call
        self.captured = captured
        self.name = name
        # A text of its own, so that it tells which handles are claimed by this call.
        self.by = f"the call of {name}"
        self.departure: Departure | None = None
        self.donated: list[Owner] = []
        self.locked: list[Owner] = []
        self.consumed: list[Owner] = []
        self.lent: list[Owner] = [array for array in captured if isinstance(array, Owner)]
        for leaf in call.leaves:
            if isinstance(leaf.value, Owner):
                effect = leaf.key.effect
                if effect is Effect.LEND:
                    self.lent.append(leaf.value)
                elif effect is Effect.CONSUME:
                    self.consumed.append(leaf.value)

    def begin(self) -> None:
        """Claim, kill, lock and check; on an error everything is as before.

        Raises
        ------
        OwnershipError
        """
        try:
            self._check_conflicts()
            for handle in self.call.handles:
                handle._claim(self.by)
            self._give_donated()
            self._lock_updated()
            # From here on nobody moves or updates what is lent; so now it must still be alive.
            running[id(self.lent)] = self.lent
            for array in self.lent:
                array._check_readable()
        except BaseException:
            try:
                self.undo()
            finally:  # once more, for an interrupt may have come in between
                self.undo()
            raise

    def undo(self) -> None:
        """Put everything back: the call never ran. What is back already stays as it is."""
        running.pop(id(self.lent), None)
        with transitions.lock:
            for handle in self.call.handles:
                if handle._spent is self.by:
                    handle._restore()
            for array in self.donated:
                if self.departure is not None and array._has_left_by(self.departure):
                    array._revive()
            for array in self.locked:
                array._set_state(State.OWNED)
            self.locked = []

    def end(self) -> None:
        """Return what was lent and locked."""
        running.pop(id(self.lent), None)
        with transitions.lock:
            for array in self.locked:
                array._set_state(State.OWNED)

    def fail(self, error: BaseException) -> None:
        """Put everything back, or mark as lost what the executable had begun to overwrite."""
        lost = [array for array in self.locked if is_gone(array)]
        if not lost and not any([is_gone(array) for array in self.consumed]):
            self.undo()
            return
        self.end()
        with transitions.lock:
            mark_lost([*self.consumed, *lost], error, self.name)

    def lose(self, error: BaseException) -> None:
        """Mark what was consumed as lost: its memory has been used, and the call failed."""
        self.end()
        with transitions.lock:
            mark_lost(self.consumed, error, self.name)

    def _check_conflicts(self) -> None:
        """Refuse an array that this call updates or consumes and also reads at another place."""
        consumed = {id(array) for array in self.consumed}
        for array in self.captured:
            if id(array) in consumed and isinstance(array, Owner):
                raise refusal(
                    Code.MOVED_WHILE_BORROWED, array.aval, at=f"{self.name}, which captures it"
                )
        updated: set[int] = set()
        others = {id(array) for array in self.lent} | consumed
        for number, leaf in enumerate(self.call.leaves):
            if leaf.key.effect is Effect.UPDATE and isinstance(leaf.value, Owner):
                if id(leaf.value) in updated or id(leaf.value) in others:
                    path = self.call.path(number)
                    raise Code.MUT_TWICE.exception(describe(leaf.value.aval, path))
                updated.add(id(leaf.value))

    def _give_donated(self) -> None:
        """Kill the bare arrays at donated places, all or none."""
        from_handles = {id(leaf) for handle in self.call.handles for leaf in handle._leaves}
        donated = [array for array in self.consumed if id(array) not in from_handles]
        if not donated:
            return
        if len({id(array) for array in donated}) < len(donated):
            raise self._donated_twice()
        for array in donated:
            array._check_exclusive(Event.MOVE)
        site = caller_site()
        departure: Departure = (site.code, site.instruction, LEAF, ())
        self.donated, self.departure = donated, departure
        if not depart(donated, departure):
            raise refusal(Code.USE_AFTER_MOVE, donated[0].aval, at="another thread")
        with transitions.lock:
            for array in donated:
                array._set_state(State.SPENT)

    def _donated_twice(self) -> Exception:
        seen: dict[int, int] = {}
        for number, leaf in enumerate(self.call.leaves):
            if leaf.key.effect is Effect.CONSUME and id(leaf.value) in seen:
                first = self.call.path(seen[id(leaf.value)])
                return Code.SHARED_ARRAY.exception(
                    describe(leaf.value.aval, first), other=self.call.path(number)
                )
            seen[id(leaf.value)] = number
        raise AssertionError("no array stands twice")

    def _lock_updated(self) -> None:
        """Lock the arrays that the call updates, all or none."""
        arrays = [
            leaf.value
            for leaf in self.call.leaves
            if leaf.key.effect is Effect.UPDATE and isinstance(leaf.value, ConcreteArray)
        ]
        for leaf in self.call.leaves:
            if leaf.key.effect is Effect.UPDATE and isinstance(leaf.value, TracedArray):
                leaf.value._check_exclusive(Event.WRITE)
        for array in arrays:
            array._check_exclusive(Event.WRITE)
        with transitions.lock:
            for array in arrays:
                array._change(Event.EXCLUDE)
                self.locked.append(array)
        # A call that began in the meantime has either seen the arrays locked, or is seen here.
        for array in arrays:
            if is_read_by_running_call(array):
                raise refusal(
                    Code.MUTATE_BORROWED, array.aval, at="a call that is running in another thread"
                )


def is_gone(array: Owner) -> bool:
    """Return whether an array's memory was overwritten, or handed on."""
    if not isinstance(array, ConcreteArray):
        return False
    if array._buf is not None:
        return buffers.is_deleted(array._buf)
    return array._host is None


def mark_lost(arrays: Sequence[Owner], error: BaseException, name: str) -> None:
    """Mark arrays as lost, under the lock, and say so in the error."""
    for array in arrays:
        array._set_state(State.LOST)
        if isinstance(array, ConcreteArray):
            array._drop_memory()
    shown = [str(array.aval) for array in arrays[:8]]
    more = ["..."] if len(arrays) > len(shown) else []
    error.add_note(
        f"{name} had begun to run: {len(arrays)} arrays that it consumed or updated are lost"
        f" ({', '.join(shown + more)})"
    )


SCALARS: Final = 1024
"""How many Python scalars are kept as buffers."""


@lru_cache(maxsize=SCALARS)
def _scalar_buffer(kind: str, text: str) -> Buffer:
    # Keyed by the text, since 0.0 == -0.0 and nan != nan.
    value = np.asarray(_PARSE[kind](text), dtype=_DTYPE[kind])
    return buffers.from_host(value, aval_of(value))


_PARSE: Final[dict[str, Any]] = {
    "bool": lambda text: text == "True",
    "int": int,
    "float": float,
    "complex": complex,
}
_DTYPE: Final[dict[str, DType]] = {kind.__name__: dtype for kind, dtype in WEAK.items()}


def input_buffer(value: Any) -> Buffer:
    """Return the memory that an argument is read from."""
    if isinstance(value, ConcreteArray):
        return value._buffer()
    if type(value) in WEAK:
        return _scalar_buffer(type(value).__name__, repr(value))
    values = np.asarray(value)
    return buffers.from_host(values, aval_of(values))


def input_memory(value: Any) -> HostArray:
    """Return the memory that an argument is read from on the host."""
    if isinstance(value, ConcreteArray):
        values = value._values()
        return values if values.flags.c_contiguous else np.ascontiguousarray(values)  # foreign
    if type(value) in WEAK:
        return np.asarray(value, WEAK[type(value)])
    values = np.asarray(value)
    return np.ascontiguousarray(values, aval_of(values).dtype).reshape(values.shape)
