"""Reading and writing parts of arrays by the shortest way: NumPy's own, on owned memory.

Whatever is not simple is answered with None (or False) and takes the ordinary way.
"""

from __future__ import annotations

from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._array.cell import SMALL_BYTES
from ownarray._array.running import running
from ownarray._array.taping import taping
from ownarray._core.dtypes import SUB_BYTE
from ownarray._ownership import State
from ownarray._trace.bind import current_trace

if TYPE_CHECKING:
    from ownarray._array.concrete import ConcreteArray


_ENTRIES: Final = frozenset({int, slice, EllipsisType, type(None)})


def _entry(part: Any, x: ConcreteArray) -> Any:
    """Return what NumPy needs of a part of an index; NotImplemented if it is not simple."""
    kind = type(part)
    if kind in _ENTRIES:
        return part
    if kind is not type(x) or part is x or part._sig.state > State.SHARED:
        return NotImplemented
    dtype = part._sig.aval.dtype
    return part._values() if dtype.kind in "biu" and dtype not in SUB_BYTE else NotImplemented


def _entries(index: Any, x: ConcreteArray) -> Any:
    """Return what NumPy needs of an index; NotImplemented if it is not simple."""
    if type(index) is not tuple:
        return _entry(index, x)
    if _ENTRIES.issuperset(map(type, index)):
        return index
    parts = tuple([_entry(part, x) for part in index])
    return NotImplemented if any([part is NotImplemented for part in parts]) else parts


def get_item(x: ConcreteArray, index: Any) -> ConcreteArray | None:
    """Return a small part of an array as a new one, if the index is simple."""
    if x._sig.state > State.SHARED or current_trace() is not x._trace or taping:
        return None
    entries = index if type(index) in _ENTRIES else _entries(index, x)
    if entries is NotImplemented or x._sig.aval.dtype in SUB_BYTE:
        return None
    try:
        part = x._values()[entries]
    except IndexError:  # the ordinary way says it better
        return None
    if part.nbytes > SMALL_BYTES:
        return None
    return x._kin(np.array(part, order="C"))


def set_item(x: ConcreteArray, index: Any, value: Any) -> bool:
    """Write a part of an array in its memory, if index and value are simple: O(touched)."""
    sig = x._sig
    if running or taping or sig.state is not State.OWNED or current_trace() is not x._trace:
        return False
    entries = _entries(index, x)
    dtype = sig.aval.dtype
    if entries is NotImplemented or dtype in SUB_BYTE:
        return False
    kind = type(value)
    if kind is type(x):
        if value._sig.aval.dtype != dtype or value._sig.state > State.SHARED:
            return False
        value = value._values()
    elif kind not in _KEEPING.get(dtype.kind, ()):
        return False
    try:
        x._values()[entries] = value
    except (IndexError, ValueError, OverflowError):  # nothing is written; the ordinary way says why
        return False
    return True


_KEEPING: Final = {
    "b": frozenset({bool}),
    "i": frozenset({int}),
    "u": frozenset({int}),
    "f": frozenset({int, float}),
    "c": frozenset({int, float}),
}
"""Which Python numbers NumPy stores as this library does, by the kind of dtype."""
