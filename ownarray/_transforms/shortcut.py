"""The short way of a compiled call: arrays, handles and numbers, read in one pass.

The key of such a call is made of the arguments' signatures. An array that is not simply alive has
another signature, so a hit means that all is as it was when the entry was made. Whatever is not as
expected takes the ordinary way, which knows how to complain.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Final

from ownarray._array.cell import Signature, transitions
from ownarray._array.concrete import ConcreteArray, from_buffer, from_buffers, from_memories
from ownarray._array.moved import LEAF_KINDS, Moved
from ownarray._array.running import running
from ownarray._backend import buffers
from ownarray._core.dtypes import WEAK
from ownarray._ownership import Effect, State
from ownarray._transforms.passing import input_buffer, input_memory, is_gone, mark_lost
from ownarray._transforms.run import drop_written
from ownarray._tree import LEAF, flatten

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ownarray._array.brief import Brief
    from ownarray._backend.buffers import Run
    from ownarray._transforms.run import Compiled
    from ownarray._transforms.signature import Call

_SIMPLE: Final = frozenset({Effect.LEND, Effect.CONSUME, Effect.VALUE})
_HANDLES: Final = {Moved}
_MANY: Final = 4
"""Above so many arguments a pass over them for each question is faster than a loop for all."""
_INT64: Final = range(-(2**63), 2**63)

ShortArguments = tuple[tuple["Hashable", ...], list[Any], list["Moved[Any]"]]
"""The arguments of a call: its key; arrays (dead, if they came in a handle) and numbers; and the
handles. A plain tuple, because calling is a hot path."""


def read_short(args: tuple[Any, ...]) -> ShortArguments | None:
    """Return arguments in flat form, or None if they are not simple."""
    if len(args) > _MANY and set(map(type, args)) == _HANDLES:
        sigs = tuple([handle._sig for handle in args])
        return sigs, [leaf for handle in args for leaf in handle._leaves], list(args)
    key: list[Any] = []
    leaves: list[Any] = []
    handles: list[Moved[Any]] = []
    for arg in args:
        kind = type(arg)
        if kind is Moved:
            key.append(arg._sig)
            leaves += arg._leaves
            handles.append(arg)
        elif kind is ConcreteArray:
            key.append(arg._sig)
            leaves.append(arg)
        elif kind in WEAK:
            if kind is int and arg not in _INT64:
                return None
            key.append(kind)
            leaves.append(arg)
        elif not _read_tree(arg, key, leaves):
            return None
    return tuple(key), leaves, handles


def _read_tree(tree: Any, key: list[Any], leaves: list[Any]) -> bool:
    """Read a tree of arrays and numbers that are lent; return whether it is one."""
    try:
        found, treedef = flatten(tree, LEAF_KINDS, "")
    except TypeError:
        return False
    parts: list[Any] = [treedef]
    for leaf in found:
        kind = type(leaf)
        if kind is ConcreteArray:
            parts.append(leaf._sig)
        elif kind in WEAK and (kind is not int or leaf in _INT64):
            parts.append(kind)
        else:
            return False
    key.append(tuple(parts))
    leaves += found
    return True


def _expected(args: tuple[Any, ...], key: tuple[Any, ...]) -> list[Signature | type] | None:
    """Return the signature that each leaf of such a call has, or the type of a number.

    They come from the key, since the arrays may have changed meanwhile. None if the key is not one
    of arrays that are alive: an entry for a dead one, or one that is updated, would answer for it.
    """
    found: list[Any] = []
    lent: list[Any] = []
    for arg, part in zip(args, key, strict=True):
        if type(arg) is Moved:
            found += [
                leaf._sig.moved if isinstance(leaf, ConcreteArray) else type(leaf)
                for leaf in arg._leaves
            ]
        else:
            parts = part[1:] if isinstance(part, tuple) else (part,)
            found += parts
            lent += parts
    are_alive = [sig.state <= State.SHARED for sig in lent if isinstance(sig, Signature)]
    return found if all(are_alive) else None


class Shortcut:
    """What is needed to run calls of one key."""

    __slots__ = (
        "by", "compiled", "consumed", "has_numbers", "is_single", "lent", "moved", "name", "sigs",
        "spent", "takes_all",
    )  # fmt: skip

    def __init__(self, compiled: Compiled, expected: Sequence[Signature | type], name: str) -> None:
        self.compiled = compiled
        self.sigs = tuple(compiled.outs)
        self.is_single = compiled.staged.out_tree is LEAF
        self.name = name
        self.by = f"the call of {name}"
        arrays = [(i, sig) for i, sig in enumerate(expected) if isinstance(sig, Signature)]
        self.has_numbers = len(arrays) < len(expected)
        # Where what is consumed stands, with its signatures before and after; and what is lent.
        self.consumed = tuple([i for i, sig in arrays if sig.state is State.MOVED])
        self.takes_all = len(self.consumed) == len(expected)
        self.moved = [sig for _, sig in arrays if sig.state is State.MOVED]
        self.spent = [sig.spent for sig in self.moved]
        self.lent = tuple([(i, sig) for i, sig in arrays if sig.state is not State.MOVED])

    @classmethod
    def of(
        cls,
        call: Call,
        compiled: Compiled,
        args: tuple[Any, ...],
        key: tuple[Hashable, ...],
        name: str,
    ) -> Shortcut | None:
        """Return the short way for calls like this one, or None if there is none."""
        effects = [leaf.key.effect for leaf in call.leaves]
        expected = _expected(args, key)
        if expected is None or len(effects) != len(expected) or not _SIMPLE.issuperset(effects):
            return None
        is_foreign = [getattr(sig, "state", None) is State.FOREIGN for sig in expected]
        if compiled.brief is not None and any(is_foreign):
            return None  # memory of others may have any layout
        made: Shortcut
        if compiled.brief is None:
            assert compiled.run is not None
            made = _OnXla(compiled, compiled.run, expected, name)
        else:
            made = _OnHost(compiled, compiled.brief, expected, name)
        # What is consumed without a handle (donate_argnums) takes the ordinary way.
        all_in_handles = effects.count(Effect.CONSUME) == len(made.consumed)
        return made if all_in_handles and not compiled.staged.captured else None

    def __call__(self, leaves: list[Any], handles: list[Moved[Any]]) -> Any:  # noqa: C901
        """Run the call; NotImplemented if it has to take the ordinary way, with nothing changed.

        The hot path of the library, so it is written out in loops.
        """
        by = [self.by]  # an object of its own, which tells what is claimed by this call
        begun: list[bool] = []  # gets an entry when NumPy begins to overwrite donors
        key = id(leaves)
        dead = leaves if self.takes_all else [leaves[i] for i in self.consumed]
        # Until the result is whole an interrupt may come, so everything stands inside.
        try:
            if self.lent:
                # From here on nobody moves or updates what is lent; so now it must still be alive.
                running[key] = leaves
                for i, sig in self.lent:
                    if leaves[i]._sig is not sig:
                        return NotImplemented
            if handles:
                with transitions.lock:
                    if not self._claim(handles, dead, by):
                        return NotImplemented
            results = self._compute(leaves, begun)
            for array in dead:
                array._host = array._buf = array._born = None
            if self.is_single:
                return results[0]
            return self.compiled.staged.out_tree.unflatten(results)
        except BaseException as error:
            if begun:
                drop_written(dead)
            self._fail(dead, handles, by, error)
            raise
        finally:
            if self.lent:
                running.pop(key, None)

    def _claim(self, handles: list[Moved[Any]], dead: list[Any], by: list[str]) -> bool:
        """Spend the handles, under the lock; return False with nothing changed if one is void."""
        # A keyword of zip (strict) would cost as much as a handle.
        if len(handles) == len(dead):
            for handle, array, moved, spent in zip(handles, dead, self.moved, self.spent):  # noqa: B905
                if array._sig is not moved or handle._spent:
                    _restore(handles, by)
                    return False
                handle._spent = by
                array._sig = spent
            return True
        for array, moved in zip(dead, self.moved):  # noqa: B905
            if array._sig is not moved:
                return False
        for handle in handles:
            if handle._spent:
                _restore(handles, by)
                return False
            handle._spent = by
        for array, spent in zip(dead, self.spent):  # noqa: B905
            array._sig = spent
        return True

    @abstractmethod
    def _compute(self, leaves: list[Any], begun: list[bool]) -> list[ConcreteArray]:
        """Return the results; what is consumed is claimed."""

    def _fail(
        self,
        consumed: Sequence[ConcreteArray],
        handles: Sequence[Moved[Any]],
        by: object,
        error: BaseException,
    ) -> None:
        """Put everything back, or mark as lost what the executable had begun to overwrite."""
        is_claimed = all([handle._spent is by for handle in handles])
        with transitions.lock:
            if is_claimed and any([is_gone(array) for array in consumed]):
                mark_lost(consumed, error, self.name)
                return
            _restore(handles, by)


class _OnXla(Shortcut):
    """Calls of an executable."""

    __slots__ = ("freed", "run")

    def __init__(
        self, compiled: Compiled, run: Run, expected: Sequence[Signature | type], name: str
    ) -> None:
        super().__init__(compiled, expected, name)
        self.run = run
        self.freed = compiled.freed

    def _compute(self, leaves: list[Any], begun: list[bool]) -> list[ConcreteArray]:
        inputs: list[Any] = []
        if self.has_numbers:
            inputs += map(input_buffer, leaves)
        else:
            for array in leaves:
                inputs.append(array._buf)
        try:
            results = self.run(inputs)
        except Exception:
            if not any([buf is None for buf in inputs]):
                raise
            # An array whose memory is still NumPy's: rare, so it is not asked for each time.
            inputs = [input_buffer(leaf) for leaf in leaves]
            results = self.run(inputs)
        for i in self.freed:
            buffers.delete(inputs[i])
        if self.is_single:
            return [from_buffer(results[0], self.sigs[0])]
        return from_buffers(results, self.sigs)


class _OnHost(Shortcut):
    """Calls of a function that is done before a call of XLA begins."""

    __slots__ = ("brief", "donor_of", "keeps_places")

    def __init__(
        self, compiled: Compiled, brief: Brief, expected: Sequence[Signature | type], name: str
    ) -> None:
        super().__init__(compiled, expected, name)
        self.brief = brief
        self.donor_of = compiled.donor_of
        self.keeps_places = self.donor_of == tuple(range(len(expected)))

    def _compute(self, leaves: list[Any], begun: list[bool]) -> list[ConcreteArray]:
        memory: list[Any] = []
        if self.has_numbers:
            memory += map(input_memory, leaves)
        else:
            for array in leaves:
                host = array._host
                memory.append(array._values() if host is None else host)
        donors: Sequence[ConcreteArray | None] = leaves
        if not self.keeps_places:
            donors = [None if i is None else leaves[i] for i in self.donor_of]
        return from_memories(self.brief.run(memory, begun), self.sigs, donors)


def _restore(handles: Sequence[Moved[Any]], by: object) -> None:
    """Make the handles good again that a call has claimed, under the lock."""
    for handle in handles:
        if handle._spent is by:
            handle._restore()
