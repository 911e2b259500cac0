"""The short way of a compiled call: arrays, handles and numbers, read in one pass.

The key of such a call is made of the arguments' signatures. An array that is not simply alive has
another signature, so a hit means that all is as it was when the entry was made. Whatever is not as
expected takes the ordinary way, which knows how to complain.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from ownarray._array.cell import transitions
from ownarray._array.concrete import ConcreteArray, from_buffer
from ownarray._array.moved import Moved, is_tree_leaf
from ownarray._array.running import running
from ownarray._backend import buffers
from ownarray._core.dtypes import WEAK
from ownarray._ownership import Effect, State
from ownarray._transforms.passing import input_buffer, is_gone, mark_lost
from ownarray._tree import LEAF, flatten

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ownarray._transforms.run import Compiled
    from ownarray._transforms.signature import Call

# Looked up once: an attribute of an enum costs more than the rest of a check.
_MOVED: Final = State.MOVED
_SPENT: Final = State.SPENT
_buffer_of: Final = attrgetter("_buf")
_SIMPLE: Final = frozenset({Effect.LEND, Effect.CONSUME, Effect.VALUE})
_INT64: Final = range(-(2**63), 2**63)


class ShortArguments:
    """The arguments of a call as a flat list."""

    __slots__ = ("by", "handles", "key", "leaves")

    by: list[str]
    """The mark of this call on the handles that it has claimed."""

    def __init__(
        self, key: tuple[Hashable, ...], leaves: Sequence[Any], handles: Sequence[Moved[Any]]
    ) -> None:
        self.key = key
        self.leaves = leaves
        """Arrays (dead, if they came in a handle) and numbers."""
        self.handles = handles
        self.by = []


def read_short(args: tuple[Any, ...]) -> ShortArguments | None:
    """Return arguments in flat form, or None if they are not simple."""
    key: list[Any] = []
    leaves: list[Any] = []
    handles: list[Moved[Any]] = []
    for arg in args:
        kind = type(arg)
        if kind is ConcreteArray:
            key.append(arg._sig)
            leaves.append(arg)
        elif kind is Moved:
            key.append(arg._sig)
            leaves.extend(arg._leaves)
            handles.append(arg)
        elif kind in WEAK:
            key.append(kind)
            leaves.append(arg)
        elif not _read_tree(arg, key, leaves):
            return None
    if None in key or not all([leaf in _INT64 for leaf in leaves if type(leaf) is int]):
        return None
    return ShortArguments(tuple(key), leaves, handles)


def _read_tree(tree: Any, key: list[Any], leaves: list[Any]) -> bool:
    """Read a tree of arrays and numbers that are lent; return whether it is one."""
    try:
        found, treedef = flatten(tree, is_tree_leaf, "")
    except TypeError:
        return False
    parts: list[Any] = [treedef]
    for leaf in found:
        kind = type(leaf)
        if kind is ConcreteArray:
            parts.append(leaf._sig)
        elif kind in WEAK:
            parts.append(kind)
        else:
            return False
    key.append(tuple(parts))
    leaves.extend(found)
    return True


class Shortcut:
    """What is needed to run calls of one key."""

    __slots__ = (
        "by", "compiled", "consumed", "freed", "has_numbers", "is_flat", "is_single", "lent",
        "lent_sigs", "name", "run", "sigs",
    )  # fmt: skip

    def __init__(self, compiled: Compiled, arguments: ShortArguments, name: str) -> None:
        self.compiled = compiled
        self.run = compiled.run
        self.freed = compiled.freed
        self.sigs = tuple(compiled.outs)
        self.is_single = compiled.staged.out_tree is LEAF
        self.name = name
        self.by = f"the call of {name}"
        self.has_numbers = any(type(leaf) in WEAK for leaf in arguments.leaves)
        # Whether each argument is one array or a handle of one array.
        self.is_flat = not self.has_numbers and len(arguments.key) == len(arguments.leaves)
        dead = {id(leaf) for handle in arguments.handles for leaf in handle._leaves}
        self.consumed = tuple(
            [
                i
                for i, leaf in enumerate(arguments.leaves)
                if id(leaf) in dead and isinstance(leaf, ConcreteArray)
            ]
        )
        self.lent = tuple(
            [
                i
                for i, leaf in enumerate(arguments.leaves)
                if id(leaf) not in dead and isinstance(leaf, ConcreteArray)
            ]
        )
        self.lent_sigs = [arguments.leaves[i]._sig for i in self.lent]

    @classmethod
    def of(
        cls, call: Call, compiled: Compiled, arguments: ShortArguments, name: str
    ) -> Shortcut | None:
        """Return the short way for calls like this one, or None if there is none."""
        effects = [leaf.key.effect for leaf in call.leaves]
        if len(effects) != len(arguments.leaves) or not _SIMPLE.issuperset(effects):
            return None
        made = cls(compiled, arguments, name)
        # What is consumed without a handle (donate_argnums) takes the ordinary way.
        all_in_handles = effects.count(Effect.CONSUME) == len(made.consumed)
        # An entry for a dead array, or one that is being updated, would answer for it.
        all_alive = all([sig.state <= State.SHARED for sig in made.lent_sigs])
        return made if all_in_handles and all_alive and not compiled.staged.captured else None

    def __call__(self, arguments: ShortArguments) -> Any:
        """Run the call; NotImplemented if it has to take the ordinary way, with nothing changed."""
        leaves = arguments.leaves
        key = id(leaves)
        # Until the result is whole an interrupt may come, so everything stands inside.
        try:
            if arguments.handles and not self._claim(arguments):
                return NotImplemented
            running[key] = leaves
            # From here on nobody moves or updates what is lent; so now it must still be alive.
            if [leaves[i]._sig for i in self.lent] != self.lent_sigs:
                self._unclaim(arguments)
                return NotImplemented
            inputs: list[Any]
            if self.has_numbers:
                inputs = [input_buffer(leaf) for leaf in leaves]
            else:
                inputs = [array._buf for array in leaves]
            try:
                results = self.run(inputs)
            except Exception:
                if not any([buf is None for buf in inputs]):
                    raise
                # An array whose memory is still NumPy's: rare, so it is not asked for each time.
                inputs = [input_buffer(leaf) for leaf in leaves]
                results = self.run(inputs)
            for i in self.consumed:
                array = leaves[i]
                array._host = array._buf = array._born = None
            for i in self.freed:
                buffers.delete(inputs[i])
            if self.is_single:
                return from_buffer(results[0], self.sigs[0])
            wrapped = [from_buffer(buf, sig) for buf, sig in zip(results, self.sigs, strict=True)]
            return self.compiled.staged.out_tree.unflatten(wrapped)
        except BaseException as error:
            consumed = [leaves[i] for i in self.consumed]
            self._fail(consumed, arguments.handles, arguments.by, error)
            raise
        finally:
            running.pop(key, None)

    def call_flat(self, args: tuple[Any, ...]) -> Any:
        """Run a call of single arrays and handles of single arrays, the commonest of all.

        The caller has registered ``args`` as being read before it looked at their signatures, so
        what is lent is alive. NotImplemented as in ``__call__``.
        """
        arrays: Any = args
        by = [self.by]  # an object of its own, which tells what is claimed by this call
        consumed = self.consumed
        try:
            if consumed:
                arrays = list(args)
                if not self._claim_flat(args, arrays, by):
                    return NotImplemented
            inputs = list(map(_buffer_of, arrays))
            try:
                results = self.run(inputs)
            except Exception:
                if not any([buf is None for buf in inputs]):
                    raise
                inputs = [input_buffer(array) for array in arrays]
                results = self.run(inputs)
            for i in consumed:
                array = arrays[i]
                array._host = array._buf = array._born = None
            for i in self.freed:
                buffers.delete(inputs[i])
            if self.is_single:
                return from_buffer(results[0], self.sigs[0])
            wrapped = [from_buffer(buf, sig) for buf, sig in zip(results, self.sigs, strict=True)]
            return self.compiled.staged.out_tree.unflatten(wrapped)
        except BaseException as error:
            handles = [args[i] for i in self.consumed]
            self._fail([handle._leaves[0] for handle in handles], handles, by, error)
            raise

    def _claim_flat(self, args: tuple[Any, ...], arrays: list[Any], by: list[str]) -> bool:
        """Spend the handles, all or none, and put the dead arrays in their places."""
        with transitions.lock:
            for i in self.consumed:
                handle = args[i]
                array = handle._leaves[0]
                sig = array._sig
                if handle._spent or sig.state is not _MOVED:
                    break
                handle._spent = by
                array._sig = sig.family[_SPENT]
                arrays[i] = array
            else:
                return True
            for i in self.consumed:
                if args[i]._spent is by:
                    args[i]._restore()
        return False

    def _claim(self, arguments: ShortArguments) -> bool:
        """Spend the handles, all or none; return whether they were good."""
        leaves = arguments.leaves
        # An object of its own, so that it tells which handles are claimed by this call.
        by = arguments.by = [self.by]
        with transitions.lock:
            for handle in arguments.handles:
                if handle._spent:
                    return False
            for i in self.consumed:
                if leaves[i]._sig.state is not _MOVED:
                    return False
            if len(set(map(id, arguments.handles))) < len(arguments.handles):
                return False
            for handle in arguments.handles:
                handle._spent = by
            for i in self.consumed:
                array = leaves[i]
                array._sig = array._sig.family[_SPENT]
        return True

    def _unclaim(self, arguments: ShortArguments) -> None:
        """Make the handles that this call has claimed good again."""
        with transitions.lock:
            for handle in arguments.handles:
                if handle._spent is arguments.by:
                    handle._restore()

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
            for handle in handles:
                if handle._spent is by:
                    handle._restore()
