"""What must hold after anything went wrong: nothing is left over, every array tells its state."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

import ownarray as oa
from ownarray._array import cell
from ownarray._array.concrete import ConcreteArray
from ownarray._array.running import running
from ownarray._trace.bind import current_trace

if TYPE_CHECKING:
    from collections.abc import Sequence

Values = np.ndarray[Any, np.dtype[Any]]


@oa.jit
def _look(x: oa.Array) -> oa.Array:
    return oa.sum(x)


def in_xla(x: oa.Array) -> oa.Array:
    """Return the array once its memory is XLA's, where it stays."""
    _look(x)
    return x


def check_nothing_left() -> None:
    """Check that no call is registered, no lock is held and no trace is open."""
    left = dict(running)
    running.clear()  # or the next check would fail, too
    locked = cell.transitions.lock._is_owned()  # type: ignore[attr-defined]  # of the only thread
    if locked:
        cell.transitions.renew()
    assert not left
    assert not locked
    assert current_trace() is ConcreteArray._trace


def has_memory(x: Any) -> bool:
    """Return whether the values of an array, dead or alive, are still in memory."""
    return x._host is not None or (x._buf is not None and not x._buf.is_deleted())


def check_array(x: oa.Array, values: Sequence[Values]) -> None:
    """Check that an array lives with one of some values, or is dead and says so."""
    assert x.state is not oa.State.EXCLUSIVE
    assert x.n_borrows == 0
    if x.is_moved:
        assert "moved" in repr(x) or "lost" in repr(x)
        try:
            float(x.sum())
        except oa.UseAfterMoveError:
            return
        raise AssertionError(f"{x!r} was read")
    assert any(np.array_equal(np.array(x), each) for each in values)
    x += 0  # it is exclusive, and its memory is its own
    x[...] = np.array(x)


def check_handle(handle: oa.Moved[Any], leaves: Sequence[tuple[oa.Array, Values]]) -> bool:
    """Check that a handle gives back right values, or its arrays are lost; return which."""
    whole = all(has_memory(dead) for dead, _ in leaves)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            tree = handle.take()
        except oa.UseAfterMoveError:
            assert not whole, "nothing had been overwritten, and the handle is void"
            return False
    taken = tree if isinstance(tree, list) else [tree]
    for mine, (dead, values) in zip(taken, leaves, strict=True):
        assert dead.is_moved
        check_array(mine, [values])
    return True
