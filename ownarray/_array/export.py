"""Lending memory to the outside world: read-only views, and knowing when the last one is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import ref

import numpy as np

from ownarray._array.cell import transitions
from ownarray._backend.views import READ_ONLY_VERSION, View, export_copy
from ownarray._ownership import Event, State
from ownarray._source import Site, caller_site

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

    from ownarray._array.concrete import ConcreteArray
    from ownarray._trace.bind import HostArray


class _Borrow(NamedTuple):
    token: ref[View]
    site: Site


class Views:
    """The views of one array that live."""

    __slots__ = ("_borrows", "_room")

    def __init__(self) -> None:
        self._borrows: list[_Borrow] = []
        self._room = 8

    def add(self, token: View, site: Site) -> None:
        """Note a new view; those that have ended are forgotten now and then."""
        if len(self._borrows) >= self._room:
            self._room = max(8, 2 * len(self))
        self._borrows.append(_Borrow(ref(token), site))

    def __len__(self) -> int:
        self._borrows = [borrow for borrow in self._borrows if borrow.token() is not None]
        return len(self._borrows)

    @property
    def site(self) -> Site | None:
        """Where the latest living view was made."""
        return self._borrows[-1].site if len(self) else None


def lend(array: ConcreteArray) -> View:
    """Return a token for a new view of an array's memory; while it lives, the array is SHARED."""
    array._check_readable()
    if array._sig.state is State.FOREIGN:
        return View.of_memory(array._values())
    if array._buf is None:
        token = View.of_memory(array._values())
    else:
        # The buffer must not be recycled under a view, even after the array itself is gone.
        token = View.of_buffer(array._buf, keep=array._born)
    with transitions.lock:
        array._change(Event.LEND)
        views = array._note
        if not isinstance(views, Views):
            views = array._note = Views()
        views.add(token, caller_site())
    return token


def as_numpy(array: ConcreteArray, dtype: object = None, copy: bool | None = None) -> HostArray:
    """Return the values for NumPy's ``__array__``: a read-only view, or a copy where asked for."""
    wanted = None if dtype is None else np.dtype(dtype)  # type: ignore[call-overload]
    if wanted is not None and wanted != array.dtype:
        if copy is False:
            raise ValueError(
                f"an array of dtype {array.dtype} cannot be viewed as {wanted} without a copy"
            )
        return array._read_by(lambda values: values.astype(wanted))
    if copy:
        return array._read_by(np.ndarray.copy)
    return lend(array).array()


def as_memoryview(array: ConcreteArray) -> memoryview:
    """Return a read-only memoryview."""
    return lend(array).memoryview()


def as_dlpack(
    array: ConcreteArray, max_version: tuple[int, int] | None, copy: bool | None
) -> CapsuleType:
    """Return a DLPack capsule: read-only where the consumer understands that, else of a copy."""
    if copy or max_version is None or tuple(max_version) < READ_ONLY_VERSION:
        if copy is False:
            raise BufferError(
                "this DLPack consumer cannot be told that memory is read-only, so it gets a copy;"
                " copy=False forbids that"
            )
        return array._read_by(lambda values: export_copy(values, max_version))
    return lend(array).dlpack(max_version)
