"""Concrete arrays: owned memory on the host or in XLA, and the state it is in.

An array has one memory at a time. Small results are born as NumPy memory; everything that a
compiled program made, and everything large, is an XLA buffer, which the host reads and writes
through its address. A NumPy memory that enters a compiled program is copied into XLA once and
lives there from then on. So there are never two copies that could differ.
"""

from __future__ import annotations

import gc
import time
from itertools import repeat
from operator import is_
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import numpy as np

from ownarray._array import export, quick
from ownarray._array.cell import (
    Signature,
    refusal,
    signature,
    signature_of,
    transitions,
)
from ownarray._array.moved import (
    Departure,
    Moved,
    Owner,
    departure_path,
    departure_site,
    move_tree,
)
from ownarray._array.running import (
    HAS_GIL,
    is_read_by_running_call,
    n_running_readers,
    running,
    update_alone,
    updates_something,
    updating,
)
from ownarray._array.show import show, show_dead
from ownarray._array.taping import current_tape, spoil, taping
from ownarray._array.update import fit_for_update
from ownarray._backend import buffers, pool
from ownarray._core.aval import ShapedArray, aval_of
from ownarray._errors import Code, OwnershipError
from ownarray._ownership import Event, State
from ownarray._source import Site, caller_site
from ownarray._trace.bind import HostArray, Scope, Trace, current_trace, open_trace
from ownarray._tree import LEAF

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from typing_extensions import CapsuleType

    from ownarray._array.export import Views
    from ownarray._ops.operators import Array


R = TypeVar("R")

_WRITABLE: Final = 0x1  # PyBUF_WRITABLE
_DLPACK_CPU: Final = (1, 0)


_new_handle = Moved.__new__
# An attribute of an enum costs more than the rest of a check.
_OWNED: Final = State.OWNED


class _Births:
    """Whether creation sites are kept for small arrays too."""

    __slots__ = ("n_trackers",)

    def __init__(self) -> None:
        self.n_trackers = 0


class Birth:
    """Where an array was made, and its buffer if that is worth another life once the array dies.

    It goes with the memory from owner to owner, so it dies with the last of them.
    """

    __slots__ = ("_buf", "site")

    def __init__(self, site: Site, buf: buffers.Buffer | None) -> None:
        self.site = site
        self._buf = buf

    def __del__(self) -> None:
        buf = getattr(self, "_buf", None)  # not there if an interrupt came while it was made
        if buf is not None and pool is not None:  # None: the interpreter shuts down
            pool.offer(buf)


# Process state: how many `track_sites` blocks are open, in all threads.
births = _Births()


class ConcreteArray(Owner):
    """An array with values. Made by the library's functions, never by its class."""

    __slots__ = ("__weakref__", "_born", "_buf", "_host", "_note", "_sig")

    _sig: Signature
    _host: HostArray | None
    """The memory as NumPy sees it: its own, or the address of the buffer; None if not asked for."""
    _buf: buffers.Buffer | None
    """The memory as XLA sees it; None while it is NumPy's."""
    _note: Departure | Views | None
    """If dead, where it was given away; if borrowed by views, those."""
    _born: Birth | None
    """Where it was made, if that is kept."""

    _trace: ClassVar[Trace]  # type: ignore[misc]  # the same for all: set by the eager interpreter
    _scope: ClassVar[Scope] = Scope()  # type: ignore[misc]
    is_spare: ClassVar[bool] = False

    # ------------------------------------------------------------------ metadata, also when dead

    @property
    def aval(self) -> ShapedArray:  # type: ignore[override]
        """Shape and dtype."""
        return self._sig.aval

    @property
    def state(self) -> State:
        """What may be done with this array now."""
        self._settle_views()
        state = self._sig.state
        if state is State.OWNED and is_read_by_running_call(self):
            return State.SHARED
        return state

    @property
    def n_borrows(self) -> int:
        """How many live views and running calls read the memory."""
        self._settle_views()
        views = self._note
        n_views = 0 if views is None or isinstance(views, tuple) else len(views)
        return n_views + n_running_readers(self)

    def __repr__(self) -> str:
        state = self.state
        if state.is_dead or state is State.EXCLUSIVE:
            return show_dead(self.aval, state, self._departure_site())
        return self._read_by(lambda values: show(values, state))

    def __str__(self) -> str:
        state = self._sig.state
        if state.is_dead or state is State.EXCLUSIVE:
            return repr(self)
        return self._read_by(np.ndarray.__str__)

    def __format__(self, spec: str) -> str:
        return format(self._item(), spec) if spec else str(self)

    # ------------------------------------------------------------------ ownership

    def _check_readable(self) -> None:
        if self._sig.state > State.SHARED:
            self._step(Event.READ)

    def _step(self, event: Event) -> Signature:
        """Return the signature after an event; raise if the event is an error now."""
        after = self._sig.after(event)
        if isinstance(after, Code):
            raise self._refusal(after)
        return after

    def _refusal(self, code: Code, at: object = None) -> OwnershipError:
        note = self._note
        path = departure_path(note, self) if isinstance(note, tuple) else ""
        at = at or self._departure_site() or self._view_site()
        error = refusal(code, self.aval, path=path, at=at)
        error.subject = id(self)
        return error

    def _departure_site(self) -> Site | None:
        return departure_site(self._note) if isinstance(self._note, tuple) else None

    def _view_site(self) -> Site | None:
        if self._note is None or isinstance(self._note, tuple):
            return None
        return self._note.site

    def _settle_views(self) -> None:
        """Return to OWNED once the last view is gone."""
        if self._sig.state is State.SHARED:
            with transitions.lock:
                # Another thread may have been quicker.
                sig: Signature = self._sig
                if sig.state is State.SHARED and not self._note:
                    self._note = None
                    self._sig = self._step(Event.RETURN)

    def _check_exclusive(self, event: Event) -> None:
        """Raise unless the array may be moved or updated here and now.

        Views that only garbage keeps alive (figures, old tracebacks) are collected first.
        """
        if current_trace() is not self._trace:
            self._check_readable()
            raise self._refusal(Code.MUTATE_LENT if event is Event.WRITE else Code.MOVE_BORROWED)
        self._settle_views()
        if self._sig.state is State.SHARED:
            gc.collect()
            self._settle_views()
        self._step(event)
        if is_read_by_running_call(self):
            code = Code.MUTATE_BORROWED if event is Event.WRITE else Code.MOVED_WHILE_BORROWED
            raise self._refusal(code, at="a call that is running in another thread")

    def _ownership_state(self) -> State:
        return self._sig.state

    def _set_state(self, state: State) -> None:
        self._sig = self._sig.family[state]

    def _swap(self, before: Signature, after: Signature) -> bool:
        """Change the signature, unless it is no longer the one that was seen before.

        A move of one array takes no lock (`_give`), so whoever takes one decides by this.
        """
        if self._sig is before:
            self._sig = after
            return True
        return False

    def _change(self, event: Event) -> None:
        """Change the state, under the lock; raise if the event is an error now."""
        before = self._sig
        while not self._swap(before, self._step(event)):
            before = self._sig

    def _depart(self, departure: Departure) -> bool:
        """Die, under the lock, if nothing has changed since `_check_exclusive`.

        The memory stays here until the handle is spent.
        """
        sig = self._sig
        if sig.state is State.OWNED and self._swap(sig, sig.moved):
            self._note = departure
            return True
        return False

    def _has_left_by(self, departure: Departure) -> bool:
        return self._note is departure

    def _revive(self) -> None:
        self._sig = self._sig.family[State.OWNED]
        self._note = None

    @property
    def _live_signature(self) -> Signature:
        return self._sig.family[State.OWNED]

    def _give(self, frame: FrameType) -> Moved[Any]:
        # The commonest move of all, written out: no tree, no call, no enum's attribute.
        sig = self._sig
        if HAS_GIL and sig.state is _OWNED and open_trace() is None:
            handle: Moved[Any] = _new_handle(Moved)
            departure: Departure = (frame.f_code, frame.f_lasti, LEAF, ())
            handle._leaves = (self,)
            handle._treedef = LEAF
            handle._sig = sig.handle
            handle._spent = ""
            handle._departure = departure
            # One step for other threads: nothing in it is a call (docs/design/0005).
            if self._sig is sig and not running:
                self._sig = sig.moved
                self._note = departure
                return handle
            handle._spent = "a move that was refused"  # so that it goes without a warning
        return move_tree(self, frame)

    def _check_reclaimable(self) -> None:
        self._step(Event.RECLAIM)

    def _reborn(self) -> ConcreteArray:
        """Return a new owner of the memory of this dead array, whose handle was spent."""
        made = _new(ConcreteArray)
        made._sig, made._note, made._born = self._sig.family[State.OWNED], None, self._born
        made._host, made._buf = self._host, self._buf
        self._drop_memory()
        return made

    def _hold_again(self, owner: Any) -> None:
        self._adopt(owner)
        owner._set_state(State.SPENT)

    # ------------------------------------------------------------------ memory

    def _values(self) -> HostArray:
        """Return the memory as NumPy sees it; the caller has checked the state."""
        if taping:
            spoil()
        host = self._host
        if host is None:
            buf = self._buf
            if buf is None:
                raise self._refusal(Code.USE_AFTER_MOVE)
            host = self._host = buffers.host_memory(buf, self._sig.aval)
        return host

    def _buffer(self) -> buffers.Buffer:
        """Return the memory for a compiled program; NumPy memory is copied into XLA, once."""
        buf = self._buf
        if buf is None:
            host = self._host
            if host is None:
                raise self._refusal(Code.USE_AFTER_MOVE)
            buf = buffers.from_host(host, self._sig.aval)
            if self._sig.state is not State.FOREIGN:
                self._buf, self._host = buf, None
        return buf

    def _has_memory(self) -> bool:
        """Return whether the memory is still here: nobody has taken it out."""
        return self._host is not None or self._buf is not None

    def _drop_memory(self) -> None:
        """Forget the memory; a view by address must not outlive the buffer."""
        self._host = self._buf = self._born = None

    def _adopt(self, other: ConcreteArray) -> None:
        """Live on in another array's memory, which lets go of it."""
        self._host, self._buf, self._born = other._host, other._buf, other._born
        other._drop_memory()

    def _last(self) -> Array:
        return self

    def _spare(self) -> Array:
        mine = Temporary.around(self)
        tape = current_tape() if taping else None
        if tape is not None:
            tape.stands_for(mine, self)
        return mine._last()

    def _update(self, function: Callable[..., Array], *others: Any) -> None:
        """Replace the values by ``function(self, *others)``, in the same memory where that can be.

        Meanwhile nobody else reads or updates them.
        """
        while True:
            sig = self._sig
            if sig is sig.updating and id(self) in updating and not updates_something():
                # What this thread updates itself, the other may be waiting for.
                self._wait_for_update()
                continue
            if sig.state is not _OWNED or current_trace() is not self._trace or running:
                self._check_exclusive(Event.WRITE)
            if update_alone(self, sig, self._replace, function, others):
                return

    def _replace(self, function: Callable[..., Array], others: Sequence[Any]) -> None:
        """Update the values, while `update_alone` keeps others out."""
        mine = Temporary.around(self)
        mine._sig = self._sig.family[_OWNED]
        try:
            new = fit_for_update(function(mine, *_apart(others, self)), self.aval)
            if not isinstance(new, ConcreteArray):
                raise self._refusal(Code.MUTATE_LENT)  # noqa: TRY301  # what follows is for it, too
            if new is not mine:
                self._adopt(new)
        except BaseException:  # an interrupt may come at any time
            if self._buf is not None and buffers.is_deleted(self._buf):
                with transitions.lock:
                    self._drop_memory()
                    self._set_state(State.LOST)
            raise

    def _wait_for_update(self) -> None:
        """Wait for the end of an update that runs in another thread."""
        pause = 1e-6
        while self._sig is self._sig.updating and id(self) in updating:
            time.sleep(pause)
            pause = min(2 * pause, 1e-3)

    # ------------------------------------------------------------------ parts, by the shortest way

    def _kin(self, memory: HostArray) -> ConcreteArray:
        """Return a new array of this dtype around small fresh NumPy memory."""
        return from_memory(memory, signature_of(memory.shape, memory.dtype))

    def __getitem__(self, index: Any) -> Array:
        made = quick.get_item(self, index)
        return Owner.__getitem__(self, index) if made is None else made

    def __setitem__(self, index: Any, value: Any) -> None:
        if not quick.set_item(self, index, value):
            Owner.__setitem__(self, index, value)

    # ------------------------------------------------------------------ values for Python

    def _item(self) -> Any:
        self._check_readable()
        if self.size != 1:
            raise TypeError(
                f"only an array of one element has a Python value, this one is {self.aval}"
            )
        values = self._values()
        if self._sig.state > State.SHARED:
            self._step(Event.READ)
        return values.item()

    def _read_by(self, function: Callable[[HostArray], R]) -> R:
        """Return what a function makes of the values, which nobody gives away meanwhile."""
        note = (self,)
        running[id(note)] = note
        try:
            self._check_readable()
            return function(self._values())
        finally:
            running.pop(id(note), None)

    def tolist(self) -> Any:
        """Return the values as nested lists of Python scalars."""
        return self._read_by(np.ndarray.tolist)

    def tobytes(self) -> bytes:
        """Return the values as bytes, in row-major order."""
        return self._read_by(np.ndarray.tobytes)

    def __array__(self, dtype: np.dtype[Any] | None = None, copy: bool | None = None) -> HostArray:
        """Return a read-only view for NumPy; while it lives, this array cannot be moved."""
        return export.as_numpy(self, dtype, copy)

    def __buffer__(self, flags: int) -> memoryview:
        """Return a read-only view for ``memoryview`` (Python 3.12 and later)."""
        if flags & _WRITABLE:
            raise BufferError(
                "views of an array are read-only. Fix: update the array itself (x[i] = v), or copy"
                " it (np.array(x))"
            )
        return export.as_memoryview(self)

    def __dlpack__(  # type: ignore[override]  # DLPack's own keywords, written out
        self,
        *,
        stream: object = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType:
        """Return a DLPack capsule: a read-only borrow, or a copy for consumers that may write."""
        if stream is not None:
            raise BufferError("__dlpack__: arrays on the CPU have no stream; pass stream=None")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"__dlpack__: cannot export to device {dl_device}, only to the CPU")
        return export.as_dlpack(self, max_version, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return DLPack's name of the CPU."""
        return _DLPACK_CPU

    def __copy__(self) -> ConcreteArray:
        return self._read_by(from_host)

    def __deepcopy__(self, memo: dict[int, object]) -> ConcreteArray:
        return self._read_by(from_host)

    def __reduce__(self) -> tuple[Callable[..., ConcreteArray], tuple[object, ...]]:
        data = self._read_by(np.ndarray.tobytes)
        return _unpickle, (data, self.shape, self.dtype.name)


class Temporary(ConcreteArray):
    """An array that only the library refers to; its last reader may write into its memory."""

    __slots__ = ("is_spare",)

    is_spare: bool  # type: ignore[misc]

    @classmethod
    def around(cls, array: ConcreteArray) -> Temporary:
        """Return another name for an array's memory."""
        mine = cls.__new__(cls)
        mine._sig, mine._note, mine._born = array._sig, None, array._born
        mine._host, mine._buf = array._host, array._buf
        mine.is_spare = False
        return mine

    def _last(self) -> Array:
        self.is_spare = True
        return self


def _apart(values: Sequence[Any], x: ConcreteArray) -> tuple[Any, ...]:
    """Return values with another name in place of x, also in lists and tuples of them.

    While x is updated it cannot be read, and ``x += x`` reads it.
    """
    return tuple([_renamed(value, x) for value in values])


def _renamed(value: Any, x: ConcreteArray) -> Any:
    if value is x:
        name = Temporary.around(x)
        name._set_state(State.OWNED)
        return name
    kind = type(value)
    if kind is not list and kind is not tuple:
        return value
    is_nested = not {list, tuple}.isdisjoint(map(type, value))
    if is_nested or any(map(is_, value, repeat(x))):
        return kind([_renamed(part, x) for part in value])
    return value


def _unpickle(data: bytes, shape: tuple[int, ...], dtype: str) -> ConcreteArray:
    aval = ShapedArray(shape, dtype)  # type: ignore[arg-type]  # names are canonicalised there
    return from_host(np.frombuffer(data, dtype=aval.dtype).reshape(shape))


_new = ConcreteArray.__new__


def _birth(sig: Signature, buf: buffers.Buffer | None) -> Birth | None:
    if sig.is_small and not births.n_trackers:
        return None
    return Birth(caller_site(), buf if sig.aval.nbytes >= pool.MIN_BYTES else None)


def from_host(values: HostArray, *, owned: bool = False) -> ConcreteArray:
    """Return an array with a copy of NumPy values.

    Parameters
    ----------
    values : ndarray
    owned : bool
        Whether the memory may be kept instead, because nobody else will ever see it.
    """
    aval = aval_of(values)
    sig = signature(aval)
    made = _new(ConcreteArray)
    made._sig, made._note = sig, None
    if sig.is_small:
        keep = owned and values.flags.c_contiguous and values.flags.writeable
        made._host = values if keep else np.array(values, dtype=aval.dtype, order="C")
        made._buf = None
    else:
        made._host, made._buf = None, buffers.from_host(values, aval)
    made._born = _birth(sig, made._buf)
    return made


def from_memory(values: HostArray, sig: Signature) -> ConcreteArray:
    """Return an array that takes over fresh NumPy memory, known to be of the signature."""
    made = _new(ConcreteArray)
    made._sig, made._note, made._host, made._buf = sig, None, values, None
    made._born = Birth(caller_site(), None) if births.n_trackers else None
    return made


def from_memories(
    memories: Sequence[HostArray],
    sigs: Sequence[Signature],
    donors: Sequence[ConcreteArray | None],
) -> list[ConcreteArray]:
    """Return an array for each small NumPy memory; that of a donor may be a buffer's."""
    arrays = []
    is_tracked = births.n_trackers > 0
    for memory, sig, donor in zip(memories, sigs, donors):  # noqa: B905  # as in from_buffers
        made = _new(ConcreteArray)
        made._sig = sig
        made._host = memory
        made._note = None
        made._buf = None if donor is None else donor._buf
        made._born = Birth(caller_site(), None) if is_tracked else None
        arrays.append(made)
    return arrays


def from_buffer(buf: buffers.Buffer, sig: Signature) -> ConcreteArray:
    """Return an array that takes over an XLA buffer, known to be of the signature."""
    made = _new(ConcreteArray)
    made._sig, made._note, made._host, made._buf = sig, None, None, buf
    made._born = None if sig.is_small and not births.n_trackers else _birth(sig, buf)
    return made


def from_buffers(bufs: Sequence[buffers.Buffer], sigs: Sequence[Signature]) -> list[ConcreteArray]:
    """Return an array for each XLA buffer, as `from_buffer` does; written out, for many."""
    arrays = []
    are_tracked = births.n_trackers > 0
    for buf, sig in zip(bufs, sigs):  # noqa: B905  # a keyword costs as much as an array
        made = _new(ConcreteArray)
        made._sig = sig
        made._buf = buf
        made._host = made._note = None
        made._born = None if sig.is_small and not are_tracked else _birth(sig, buf)
        arrays.append(made)
    return arrays


def foreign(values: HostArray) -> ConcreteArray:
    """Return an array that reads memory of another library."""
    sig = signature(aval_of(values)).family[State.FOREIGN]
    made = _new(ConcreteArray)
    made._sig, made._note, made._buf, made._born = sig, None, None, _birth(sig, None)
    made._host = values
    return made
