"""Traced arrays: stand-ins for values while a function is traced, owned like concrete ones.

In-place syntax on a traced array re-binds what it stands for, so programs stay first-order. A body
may update and move what was born in it, and what its caller gave it the right to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from ownarray._array.cell import refusal
from ownarray._array.moved import Departure, Owner, departure_path, departure_site
from ownarray._array.update import fit_for_update
from ownarray._errors import Code, OwnershipError, TraceError
from ownarray._ops import structural
from ownarray._ownership import REFUSED, STEP, Event, Rights, State
from ownarray._source import caller_site
from ownarray._trace.bind import Scope, Trace, current_trace

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from ownarray._array.cell import Signature
    from ownarray._core.aval import ShapedArray
    from ownarray._ops.operators import Array
    from ownarray._trace.bind import HostArray


R = TypeVar("R")


class TracedArray(Owner):
    """An array without values, inside a traced function."""

    __slots__ = ("_note", "_rights", "_scope", "_state", "_trace", "aval", "payload")

    aval: ShapedArray
    payload: object
    """What its trace knows of it: a variable, a pair of value and tangent, ..."""
    _state: State
    _rights: Rights
    _note: Departure | None

    def __init__(self, trace: Trace, aval: ShapedArray, payload: object) -> None:
        self._trace: Trace = trace
        self._scope: Scope = trace.scope
        self.aval = aval
        self.payload = payload
        self._state = State.OWNED
        self._rights = Rights.OWN
        self._note = None

    def with_rights(self, rights: Rights) -> TracedArray:
        """Return another name for the same value, in the scope that runs now."""
        other = TracedArray(self._trace, self.aval, self.payload)
        other._rights = rights
        return other

    # ------------------------------------------------------------------ ownership

    @property
    def state(self) -> State:
        """What may be done with this array now."""
        return self._state

    @property
    def n_borrows(self) -> int:
        """Always 0: a traced array has no memory that could be borrowed."""
        return 0

    @property
    def _live_signature(self) -> Signature | None:
        return None

    def _ownership_state(self) -> State:
        return self._state

    def _set_state(self, state: State) -> None:
        self._state = state

    def _depart(self, departure: Departure) -> bool:
        if not (self._state is State.OWNED and self._rights is Rights.OWN and self._is_mine()):
            return False
        self._state = State.MOVED
        self._note = departure
        return True

    def _has_left_by(self, departure: Departure) -> bool:
        return self._note is departure

    def _revive(self) -> None:
        self._state = State.OWNED
        self._note = None

    def _check_reclaimable(self) -> None:
        self._step(Event.RECLAIM)

    def _reborn(self) -> TracedArray:
        return self.with_rights(Rights.OWN)

    def _hold_again(self, owner: Any) -> None:
        owner._set_state(State.SPENT)

    def _refusal(self, code: Code) -> OwnershipError:
        note = self._note
        if note is None:
            return refusal(code, self.aval)
        return refusal(code, self.aval, path=departure_path(note, self), at=departure_site(note))

    def _step(self, event: Event) -> None:
        after = STEP[self._state][event]
        if isinstance(after, Code):
            raise self._refusal(after)

    def _check_readable(self) -> None:
        if self._state is not State.OWNED:
            self._step(Event.READ)

    def _check_exclusive(self, event: Event) -> None:
        """Raise unless the running body may move or update this array."""
        self._step(event)
        refused = REFUSED.get((self._rights, event))
        if refused is None and not self._is_mine():
            refused = REFUSED[Rights.READ, event]
        if refused is not None:
            raise self._refusal(refused)

    def _is_mine(self) -> bool:
        return current_trace() is self._trace and self._scope is self._trace.scope

    def _last(self) -> Array:
        return self

    def _spare(self) -> Array:
        return self

    def _update(self, function: Callable[..., Array], *others: Any) -> None:
        """Stand for ``function(self, *others)`` from now on."""
        self._check_exclusive(Event.WRITE)
        new = fit_for_update(function(self, *others), self.aval)
        if not isinstance(new, TracedArray) or new._trace is not self._trace:
            raise self._refusal(Code.MUTATE_LENT)
        self.payload = new.payload

    # ------------------------------------------------------------------ values for Python

    def _known(self, wanted: str, cure: str) -> Array:
        """Return the value that this array stands for, or raise a TraceError."""
        self._check_readable()
        primal = self._trace.primal(self.payload)
        if primal is None:
            raise TraceError(
                f"{wanted} was asked of a traced {self.aval} array at {caller_site()}, but it has"
                f" no values while its function is traced. Fix: {cure}"
            )
        return primal

    def _item(self) -> Any:
        return self._known(
            "a Python value (bool, int, float, item)",
            "use oa.where or oa.cond for a choice, oa.while_loop or oa.fori_loop for a loop; or"
            " make the argument static (static_argnames=...)",
        )._item()

    def _read_by(self, function: Callable[[HostArray], R]) -> R:
        known = self._known("the values", "compute with oa functions, or return the array")
        return known._read_by(function)

    def tolist(self) -> Any:
        """Raise TraceError, unless the values are known."""
        return self._known("a list", "compute with oa functions, or return the array").tolist()

    def tobytes(self) -> bytes:
        """Raise TraceError, unless the values are known."""
        return self._known("bytes", "return the array, and ask it outside").tobytes()

    def __repr__(self) -> str:
        note = "" if self._state is State.OWNED else f", state={self._state.name}"
        return f"TracedArray({self.aval}{note})"

    def __array__(
        self, dtype: np.dtype[Any] | None = None, copy: bool | None = None
    ) -> np.ndarray[Any, Any]:
        """Raise TraceError, unless the values are known."""
        known = self._known("a NumPy array", "use oa functions in place of NumPy's")
        return known.__array__(dtype, copy)

    def __dlpack__(self, **options: Any) -> Any:
        """Raise TraceError, unless the values are known."""
        known = self._known("a DLPack capsule", "return the array, and export it outside")
        return known.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Raise TraceError, unless the values are known."""
        known = self._known("its DLPack device", "return the array, and export it outside")
        return known.__dlpack_device__()

    def __copy__(self) -> Array:
        return structural.copy(self)

    def __deepcopy__(self, memo: dict[int, object]) -> Array:
        return structural.copy(self)

    def __reduce__(self) -> NoReturn:
        raise TraceError(
            f"a traced {self.aval} array cannot be pickled. Fix: return it from the function first"
        )
