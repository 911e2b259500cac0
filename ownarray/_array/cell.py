"""The ownership state of concrete arrays: signatures, transitions, and the one lock.

A signature is shape, dtype and state in one interned object. Giving an array away swaps its
signature, so the call cache of a compiled function, which is keyed by signatures, misses for
whatever is not simply alive, and only then asks why.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from ownarray._core.aval import ShapedArray
from ownarray._ownership import STEP, Bug, Event, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.aval import Shape
    from ownarray._core.dtypes import DType
    from ownarray._errors import Code, OwnershipError
    from ownarray._tree import TreeDef

SMALL_BYTES: Final = 16 * 1024
"""Up to this size eager operations run through NumPy; above it through XLA (docs/design/0003)."""


class Signature:
    """Shape, dtype and state, interned: equal means identical."""

    __slots__ = (
        "__weakref__", "aval", "family", "handle", "is_small", "moved", "spent", "state",
        "updating",
    )  # fmt: skip

    aval: ShapedArray
    state: State
    family: tuple[Signature, ...]
    """The signatures of the same shape and dtype, by state."""
    moved: Signature
    spent: Signature
    updating: Signature
    """That of an array which an operation updates at once: EXCLUSIVE, for a short time."""
    handle: HandleSignature
    """What stands in the key of a call where a handle of such an array is passed."""
    is_small: bool

    def after(self, event: Event) -> Signature | Code:
        """Return the signature after an event, or the error that the event is."""
        step = STEP[self.state][event]
        if isinstance(step, State):
            return self.family[step]
        if isinstance(step, Bug):
            raise AssertionError(f"unreachable: {event.name} of an array that is {self.state.name}")
        return step

    def __repr__(self) -> str:
        return f"Signature({self.aval}, {self.state.name})"


class TreeSignature:
    """What stands in the key of a call where a handle of a tree is passed.

    Parameters
    ----------
    parts : sequence
        For each leaf the signature that it had when it was alive, or the type of a number.
    """

    __slots__ = ("__weakref__", "is_free", "moved")

    def __init__(self, parts: Sequence[object]) -> None:
        owned = [part for part in parts if isinstance(part, Signature)]
        self.moved = tuple([sig.moved for sig in owned])
        are_owned = [sig.state is State.OWNED for sig in owned]
        self.is_free = 0 < len(owned) == len(parts) and all(are_owned)
        """Whether all leaves were arrays that nobody borrowed."""


class HandleSignature:
    """What stands in the key of a call where a handle is passed."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval


# Process state: interned signatures; each lives as long as an array or a call cache holds it.
_interned: Final[WeakValueDictionary[ShapedArray, Signature]] = WeakValueDictionary()


_trees: Final[WeakValueDictionary[tuple[TreeDef, tuple[object, ...]], TreeSignature]] = (
    WeakValueDictionary()
)


def tree_signature(treedef: TreeDef, parts: tuple[object, ...]) -> TreeSignature:
    """Return the signature of a handle of a tree: its structure, and what each leaf is."""
    found = _trees.get((treedef, parts))
    if found is None:
        found = _trees.setdefault((treedef, parts), TreeSignature(parts))
    return found


class _Lock:
    """The one lock of all transitions; a forked child begins with a fresh one.

    A thread may take it again: a signal handler (one that saves the state, say) or a finaliser may
    come while its thread holds it.
    """

    __slots__ = ("lock",)

    def __init__(self) -> None:
        self.lock = threading.RLock()

    def renew(self) -> None:
        """Replace the lock: in a forked child nobody is left who could release it."""
        self.lock = threading.RLock()


# Process state: transitions of a whole tree must be atomic, and trees share arrays.
transitions: Final = _Lock()
if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=transitions.renew)


def signature(aval: ShapedArray) -> Signature:
    """Return the signature of a live, owned array."""
    found = _interned.get(aval)
    return _intern(aval) if found is None else found


@lru_cache(maxsize=4096)
def signature_of(shape: Shape, dtype: DType) -> Signature:
    """Return the signature of a live, owned array of a shape and dtype."""
    return signature(ShapedArray(shape, dtype))


def _intern(aval: ShapedArray) -> Signature:
    strong = aval.strong()
    with transitions.lock:
        found = _interned.get(strong)
        if found is not None:
            return found
        family = tuple([Signature() for _ in State])
        handle = HandleSignature(strong)
        updating = Signature()
        states = [*zip(State, family, strict=True), (State.EXCLUSIVE, updating)]
        for state, member in states:
            member.aval, member.state, member.family, member.handle = strong, state, family, handle
            member.moved, member.spent = family[State.MOVED], family[State.SPENT]
            member.updating = updating
            member.is_small = strong.nbytes <= SMALL_BYTES and not state.is_dead
        # A signal handler may have been here meanwhile.
        return _interned.setdefault(strong, family[State.OWNED])


def describe(aval: ShapedArray, path: str = "") -> str:
    """Return how an array is called in messages, where the variable's name is unknown."""
    return f"{path} ({aval})" if path else f"this {aval} array"


def refusal(code: Code, aval: ShapedArray, *, path: str = "", at: object = None) -> OwnershipError:
    """Return the error for an array."""
    return code.exception(describe(aval, path), at="" if at is None else str(at))
