"""Reading and writing parts of arrays by the shortest way: NumPy's own, on owned memory.

Whatever is not simple is answered with None (or False) and takes the ordinary way.
"""

from __future__ import annotations

from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._array.cell import SMALL_BYTES
from ownarray._array.running import BRIEF, HAS_GIL, note_readers, running, update_alone
from ownarray._array.taping import taping
from ownarray._core.dtypes import SUB_BYTE
from ownarray._ownership import State
from ownarray._trace.bind import current_trace

if TYPE_CHECKING:
    from ownarray._array.concrete import ConcreteArray


# An attribute of an enum costs more than the rest of a check.
_OWNED: Final = State.OWNED
_SHARED: Final = State.SHARED
_ENTRIES: Final = frozenset({int, slice, EllipsisType, type(None)})


def _is_plain(index: Any) -> bool:
    """Return whether an index holds no arrays."""
    if type(index) is tuple:
        return _ENTRIES.issuperset(map(type, index))
    return type(index) in _ENTRIES


def _entry(part: Any, x: ConcreteArray) -> Any:
    """Return what NumPy needs of a part of an index; NotImplemented if it is not simple."""
    kind = type(part)
    if kind in _ENTRIES:
        return part
    if kind is not type(x) or part is x or part._sig.state > _SHARED:
        return NotImplemented
    dtype = part._sig.aval.dtype
    return part._values() if dtype.kind in "biu" and dtype not in SUB_BYTE else NotImplemented


def _entries(index: Any, x: ConcreteArray) -> Any:
    """Return what NumPy needs of an index; NotImplemented if it is not simple."""
    if type(index) is not tuple:
        return _entry(index, x)
    parts = tuple([_entry(part, x) for part in index])
    return NotImplemented if any([part is NotImplemented for part in parts]) else parts


def get_item(x: ConcreteArray, index: Any) -> ConcreteArray | None:
    """Return a small part of an array as a new one, if the index is simple."""
    sig = x._sig
    if sig.state > _SHARED or current_trace() is not x._trace or taping:
        return None
    if sig.aval.dtype in SUB_BYTE:
        return None
    try:
        if _is_plain(index):
            part = _plain_part(x, index)
        elif _entries(index, x) is NotImplemented:
            return None
        else:
            part = _noted_part(x, index)
    except IndexError:  # the ordinary way says it better
        return None
    return None if part is None else x._kin(part)


def _plain_part(x: ConcreteArray, index: Any) -> Any:
    """Return a copy of a part; None if it is large."""
    memory = x._values()
    # Nothing stands between this look and a brief copy (docs/design/0005).
    if HAS_GIL and x._host is memory and x._sig.state <= _SHARED:
        part = memory[index]
        if part.size <= BRIEF:
            return np.array(part, order="C")
        if part.nbytes > SMALL_BYTES:
            return None
    return _noted_part(x, index)


def _noted_part(x: ConcreteArray, index: Any) -> Any:
    """Return a copy of a part, while nobody gives array or index away; None if it is large."""
    is_plain = _is_plain(index)
    note = (x,) if is_plain else (x, *index) if type(index) is tuple else (x, index)
    try:
        note_readers(note)
        part = x._values()[index if is_plain else _entries(index, x)]
        return None if part.nbytes > SMALL_BYTES else np.array(part, order="C")
    finally:
        running.pop(id(note), None)


def set_item(x: ConcreteArray, index: Any, value: Any) -> bool:
    """Write a part of an array in its memory, if index and value are simple: O(touched)."""
    sig = x._sig
    if taping or sig.state is not _OWNED or current_trace() is not x._trace:
        return False
    dtype = sig.aval.dtype
    is_plain = _is_plain(index)
    if dtype in SUB_BYTE or (not is_plain and _entries(index, x) is NotImplemented):
        return False
    kind = type(value)
    size = 1
    if kind is type(x):
        aval = value._sig.aval
        size = aval.size
        if aval.dtype != dtype or value is x or value._sig.state > _SHARED:
            return False
        values = value._values()
    elif kind in _KEEPING.get(dtype.kind, ()):
        values = value
    else:
        return False
    memory = x._values()
    try:
        # Nothing stands between this look and a brief write (docs/design/0005).
        if (
            HAS_GIL
            and is_plain
            and size <= BRIEF
            and not running
            and x._sig is sig
            and x._host is memory
            and (kind is not type(x) or (value._host is values and value._sig.state <= _SHARED))
            and memory[index].size <= BRIEF
        ):
            memory[index] = values
        else:
            return update_alone(x, sig, _write, x, index, value)
    except (IndexError, ValueError, OverflowError):  # nothing is written; the ordinary way says why
        return False
    return True


def _write(x: ConcreteArray, index: Any, value: Any) -> None:
    """Write a part of an array that this thread keeps others out of."""
    is_plain = _is_plain(index)
    note = (value,) if is_plain else (*index, value) if type(index) is tuple else (index, value)
    try:
        note_readers(note)
        entries = index if is_plain else _entries(index, x)
        x._values()[entries] = value._values() if type(value) is type(x) else value
    finally:
        running.pop(id(note), None)


_KEEPING: Final = {
    "b": frozenset({bool}),
    "i": frozenset({int}),
    "u": frozenset({int}),
    "f": frozenset({int, float}),
    "c": frozenset({int, float}),
}
"""Which Python numbers NumPy stores as this library does, by the kind of dtype."""
