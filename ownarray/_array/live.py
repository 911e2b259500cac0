"""Which arrays live, who borrows them, and where they were made."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ownarray._array.concrete import ConcreteArray, births

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ownarray._core.aval import Shape
    from ownarray._core.dtypes import DType
    from ownarray._ownership import State


@dataclass(frozen=True, slots=True)
class LiveArray:
    """One living array, as `live_arrays` lists it.

    Attributes
    ----------
    shape, dtype
    nbytes : int
        Bytes of its memory.
    state : State
    n_borrows : int
        How many views and running calls read it now.
    created_at : str or None
        The place ``file:line`` where it was made, if that was kept.

    Examples
    --------
    >>> import ownarray as oa
    >>> with oa.track_sites():
    ...     x = oa.zeros((2, 3))
    >>> [live.nbytes for live in oa.live_arrays() if live.shape == (2, 3)]
    [48]
    """

    shape: Shape
    dtype: DType
    nbytes: int
    state: State
    n_borrows: int
    created_at: str | None


def live_arrays() -> list[LiveArray]:
    """Return what is known of every array whose memory is alive, the largest first.

    Arrays that were moved and never spent are among them, with the state MOVED: their memory is
    held until the handle is spent or the last dead name is gone.

    Returns
    -------
    list of LiveArray

    Notes
    -----
    Creation sites are always kept for large arrays, and for all arrays that are made inside a
    ``with oa.track_sites():`` block.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.ones((1000, 1000))
    >>> oa.live_arrays()[0].nbytes
    8000000
    """
    found = [
        LiveArray(
            array.shape,
            array.dtype,
            array.aval.nbytes,
            array.state,
            array.n_borrows,
            None if array._born is None else str(array._born.site),
        )
        for array in gc.get_objects()
        if type(array) is ConcreteArray and _holds_memory(array)
    ]
    return sorted(found, key=lambda entry: entry.nbytes, reverse=True)


def _holds_memory(array: ConcreteArray) -> bool:
    return array._host is not None or array._buf is not None


@contextmanager
def track_sites() -> Iterator[None]:
    """Keep the creation site of every array that is made in this block, small ones too.

    Examples
    --------
    >>> import ownarray as oa
    >>> with oa.track_sites():
    ...     x = oa.ones(3)
    >>> any(entry.created_at for entry in oa.live_arrays() if entry.shape == (3,))
    True
    """
    births.n_trackers += 1
    try:
        yield
    finally:
        births.n_trackers -= 1
