"""Dead buffers, kept for a while to become the memory of fresh results.

A fresh large output costs most in the page faults of new memory. Whoever runs a program may `take`
a dead buffer of an output's shape and dtype and pass it as one more donor; whoever knows that a
buffer is dead and nobody can look at it any more may `give` it.

A buffer that is offered is kept only where a run has asked for its kind lately, so a program that
makes no fresh results of that kind holds no dead memory.

Only buffers of at least `MIN_BYTES` are kept (below, the allocator's own lists are as good), and
`MAX_BYTES` at most altogether: those given first are freed first. `release_memory` frees all.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from ownarray._backend.buffers import LARGE_BYTES, Buffer, delete, is_deleted, nbytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ownarray._backend.client import XlaAval
    from ownarray._core.aval import Shape, ShapedArray
    from ownarray._core.dtypes import DType

__all__ = [
    "MAX_BYTES",
    "MIN_BYTES",
    "Pool",
    "give",
    "offer",
    "pool",
    "put_back",
    "release_memory",
    "take",
]

MIN_BYTES: Final = LARGE_BYTES
"""Smaller buffers are freed at once."""
MAX_BYTES: Final = 256 << 20
"""What the pool holds at most."""


class Pool:
    """Dead buffers by shape and dtype; every method may be called by any thread.

    Parameters
    ----------
    max_bytes, min_bytes : int
        What it holds at most, and the smallest buffer that it keeps.
    """

    __slots__ = (
        "_by_kind", "_is_busy", "_lock", "_order", "_wanted", "max_bytes", "min_bytes", "n_bytes",
    )  # fmt: skip

    def __init__(self, *, max_bytes: int = MAX_BYTES, min_bytes: int = MIN_BYTES) -> None:
        self.max_bytes = max_bytes
        self.min_bytes = min_bytes
        self.n_bytes = 0
        # Keyed by id: where jax is loaded too, `==` on buffers compares their values.
        self._by_kind: dict[tuple[Shape, DType], dict[int, Buffer]] = {}
        self._order: OrderedDict[int, Buffer] = OrderedDict()
        # How many more buffers of a kind to keep: one for each time that one was asked for.
        self._wanted: dict[tuple[Shape, DType], int] = {}
        self._lock = threading.RLock()
        self._is_busy = False

    def offer(self, buf: Buffer) -> None:
        """Keep a dead buffer if one of its kind was asked for, else let go of it.

        The caller is its last holder: no view by address may live.
        """
        if is_deleted(buf):
            return
        kind, dropped = _kind(buf), list[Buffer]()
        with self._changing() as is_mine:
            if is_mine:
                left = self._wanted.get(kind, 0)
                dropped = self._keep(buf) if left else []
                self._wanted[kind] = max(0, left - 1)
        for old in dropped:
            delete(old)

    def give(self, buf: Buffer) -> None:
        """Keep a dead buffer, or free it if it is too small or too large.

        The caller is its last holder: no view by address and no borrow may live.
        """
        with self._changing() as is_mine:
            dropped = self._keep(buf) if is_mine else []
        for old in dropped:
            delete(old)

    def _keep(self, buf: Buffer) -> list[Buffer]:
        """Keep a buffer, under the lock, and return those to free instead."""
        size = nbytes(buf)
        if not self.min_bytes <= size <= self.max_bytes:
            return [buf]
        if is_deleted(buf) or id(buf) in self._order:
            return []
        self._order[id(buf)] = buf
        self._by_kind.setdefault(_kind(buf), {})[id(buf)] = buf
        self.n_bytes += size
        dropped = []
        while self.n_bytes > self.max_bytes:
            dropped.append(self._forget(next(iter(self._order.values()))))
        return dropped

    def put_back(self, buf: Buffer) -> None:
        """Keep a buffer that was taken and not used, as if it had not been asked for."""
        kind = _kind(buf)
        with self._changing() as is_mine:
            if is_mine:
                self._wanted[kind] = max(0, self._wanted.get(kind, 0) - 1)
        self.give(buf)

    def take(self, aval: ShapedArray, *, n_wanted: int = 1) -> Buffer | None:
        """Return a dead buffer of this shape and dtype for donation, or None.

        ``n_wanted`` is how many of its kind one run asks for: so many are kept in future.
        """
        if aval.nbytes < self.min_bytes:
            return None
        kind = (aval.shape, aval.dtype)
        with self._changing() as is_mine:
            if not is_mine:
                return None
            self._wanted[kind] = min(self._wanted.get(kind, 0) + 1, n_wanted)
            found = self._by_kind.get(kind)
            return self._forget(found[next(reversed(found))]) if found else None

    def release(self) -> int:
        """Free everything, and return how many bytes that were."""
        with self._changing() as is_mine:
            if not is_mine:
                return 0
            n_bytes, dropped = self.n_bytes, list(self._order.values())
            self._order.clear()
            self._by_kind.clear()
            self._wanted.clear()
            self.n_bytes = 0
        for buf in dropped:
            delete(buf)
        return n_bytes

    @contextmanager
    def _changing(self) -> Iterator[bool]:
        """Hold the lock; give False where this thread is changing what is kept already.

        Arrays die in the garbage collector too, and signal handlers compute with arrays: both may
        come while their thread is in here. Then nothing is kept, and nothing is to be had.
        """
        with self._lock:
            if self._is_busy:
                yield False
                return
            self._is_busy = True
            try:
                yield True
            finally:
                self._is_busy = False

    def renew(self) -> None:
        """Begin anew in a forked child, where nobody is left who could finish what he changed."""
        self._lock = threading.RLock()
        if self._is_busy:
            self._order.clear()
            self._by_kind.clear()
            self._wanted.clear()
            self.n_bytes, self._is_busy = 0, False

    def _forget(self, buf: Buffer) -> Buffer:
        kind = _kind(buf)
        of_kind = self._by_kind[kind]
        del of_kind[id(buf)]
        if not of_kind:
            del self._by_kind[kind]
        del self._order[id(buf)]
        self.n_bytes -= nbytes(buf)
        return buf


def _kind(buf: Buffer) -> tuple[Shape, DType]:
    aval: XlaAval = buf.aval
    return aval.shape, aval.dtype


# Process state: dead memory is the process's, whichever function left it.
pool: Final = Pool()
if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=pool.renew)

give = pool.give
offer = pool.offer
put_back = pool.put_back
take = pool.take


def release_memory() -> int:
    """Free the memory that was kept for reuse.

    Returns
    -------
    int
        The number of bytes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.release_memory()
    0
    """
    return pool.release()
