"""Functions that take arrays or handles: who gives a handle lends its memory to the result.

A handle is claimed, the function computes on an owner of the memory, and the dead array lets go of
it. If the function fails before it has written into the memory, the handle is good again; if it had
begun, the array is lost and says so.

Each decorator costs a call with plain arrays one type test for each argument and nothing else.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NamedTuple, ParamSpec, TypeVar

from ownarray._array.cell import refusal, transitions
from ownarray._array.concrete import ConcreteArray, Temporary
from ownarray._array.eager import eager_trace
from ownarray._array.moved import LEAF_KINDS, Moved, Owner
from ownarray._array.taping import current_tape, taping
from ownarray._backend import buffers
from ownarray._errors import Code
from ownarray._ownership import State
from ownarray._trace.bind import current_trace
from ownarray._tree import LEAF, flatten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

P = ParamSpec("P")
R = TypeVar("R")

_SEQUENCES: Final = (list, tuple)


def _was_written(owner: Owner) -> bool:
    """Return whether the memory no longer holds the values that were moved."""
    if not isinstance(owner, ConcreteArray):
        return False
    if owner._buf is not None:
        return buffers.is_deleted(owner._buf)
    return owner._host is None


class _Claim(NamedTuple):
    """A handle that one call has claimed, and the owners that the call computes on."""

    handle: Moved[Any]
    by: str
    """Tells, by identity, whether this call has claimed the handle."""
    dead: Sequence[Owner]
    mine: list[Owner]

    def put_back(self) -> bool:
        """Make the handle good again; return False if there is nothing left to give back."""
        if self.handle._spent is not self.by:
            return True
        if not any(map(_was_written, [*self.mine, *self.dead])):
            self.handle._unclaim()
            return True
        with transitions.lock:
            for owner in self.dead:
                owner._set_state(State.LOST)
            self._forget()
        return False

    def settle(self) -> None:
        """Let the dead arrays go of the memory, which now is the results' or nobody's."""
        with transitions.lock:
            self._forget()

    def _forget(self) -> None:
        for owner in self.dead:
            if isinstance(owner, ConcreteArray):
                owner._drop_memory()


class Spending:
    """The handles that one call spends."""

    __slots__ = ("claims", "is_last", "name")

    def __init__(self, name: str, *, is_last: bool) -> None:
        self.name = name
        self.is_last = is_last
        self.claims: list[_Claim] = []

    def own_tree(self, tree: Any) -> Any:
        """Return a tree with owners in place of the handles in it, which are claimed."""
        leaves, treedef = flatten(tree, LEAF_KINDS, self.name)
        if not any(type(leaf) is Moved for leaf in leaves):
            return tree
        return treedef.unflatten(
            [self._open(leaf) if type(leaf) is Moved else leaf for leaf in leaves]
        )

    def own(self, value: Any) -> Any:
        """Return an argument with owners in place of handles, which are claimed."""
        if type(value) is Moved:
            return self._own_handle(value)
        if type(value) in _SEQUENCES and Moved in set(map(type, value)):
            return type(value)([self.own(part) for part in value])
        return value

    def _own_handle(self, handle: Moved[Any]) -> Owner:
        if handle._treedef is not LEAF:
            raise TypeError(
                f"{self.name}: {handle!r} holds a tree, and an array is wanted. Fix: own the tree"
                " again with take() and pass its arrays"
            )
        dead: Owner = handle._leaves[0]
        claim = self._claim(handle, [dead])
        claim.mine.append(self._mine(dead))
        tape = current_tape() if taping else None
        if tape is not None:
            tape.stands_for(claim.mine[0], handle)
        return claim.mine[0]

    def _claim(self, handle: Moved[Any], dead: list[Owner]) -> _Claim:
        for owner in dead:
            if isinstance(owner, ConcreteArray) and current_trace() is not owner._trace:
                raise refusal(Code.MOVE_BORROWED, owner.aval)
        claim = _Claim(handle, f"oa.{self.name}", dead, [])
        self.claims.append(claim)
        handle._claim(claim.by)
        return claim

    def _open(self, handle: Moved[Any]) -> Any:
        """Claim a handle and return the tree of new owners."""
        dead = [leaf for leaf in handle._leaves if isinstance(leaf, Owner)]
        claim = self._claim(handle, dead)
        claim.mine.extend([self._mine(owner) for owner in dead])
        owners = iter(claim.mine)
        return handle._treedef.unflatten(
            [next(owners) if isinstance(leaf, Owner) else leaf for leaf in handle._leaves]
        )

    def _mine(self, dead: Owner) -> Owner:
        if not isinstance(dead, ConcreteArray):
            return dead._reborn()
        mine = Temporary.around(dead)
        mine._set_state(State.OWNED)
        mine.is_spare = self.is_last
        return mine

    def settle(self) -> None:
        """Let go of the memory that was claimed, after the call."""
        for claim in self.claims:
            claim.settle()

    def undo(self, error: BaseException) -> None:
        """Make the handles good again; what was overwritten is lost, and the error says so."""
        lost = [owner.aval for claim in self.claims if not claim.put_back() for owner in claim.dead]
        if lost:
            error.add_note(
                f"{self.name} had begun to write into the memory that it was given:"
                f" {', '.join(map(str, lost))} is lost"
            )


def has_handle(values: Iterable[object]) -> bool:
    """Return whether a handle stands among some values, or in a list or tuple of them."""
    for value in values:
        kind = type(value)
        if kind is Moved:
            return True
        if kind in _SEQUENCES and Moved in set(map(type, value)):  # type: ignore[call-overload]
            return True
    return False


def _public(result: Any) -> Any:
    """Return a result in which no array is known to the library alone."""
    if type(result) is Temporary:
        made = result._reborn()
        made._set_state(State.OWNED)
        return made
    if isinstance(result, tuple):
        parts = [_public(part) for part in result]
        return result._make(parts) if hasattr(result, "_make") else tuple(parts)
    return [_public(part) for part in result] if type(result) is list else result


def spend(
    function: Callable[..., R],
    args: Sequence[object],
    options: Mapping[str, object],
    *,
    is_last: bool,
) -> R:
    """Call a function with owners in place of the handles among its arguments.

    Parameters
    ----------
    function : callable
        Reads arrays; its results are fresh, or its arguments.
    args, options
        Its arguments; handles may also stand in lists and tuples.
    is_last : bool
        Whether the function reads each operand once, so that its first reader may write into it.

    Raises
    ------
    UseAfterMoveError
        use-after-move: a handle was spent before; all others stay good.
    BorrowError
        move-borrowed: a handle of a concrete array is spent inside a trace.
    """
    spending = Spending(function.__name__, is_last=is_last)
    try:
        owned = [spending.own(value) for value in args]
        named = {key: spending.own(value) for key, value in options.items()}
        result: R = _public(function(*owned, **named))
        spending.settle()
    except BaseException as error:
        spending.undo(error)
        raise
    return result


def _spending(function: Callable[..., R], *, is_last: bool) -> Callable[..., R]:
    """Return a function that takes handles too."""

    def call(*args: Any, **options: Any) -> R:
        if has_handle(args) or (options and has_handle(options.values())):
            return spend(function, args, options, is_last=is_last)
        return function(*args, **options)

    return call


def unary(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of one array take a handle; it reads the array once."""
    ordinary = _spending(function, is_last=True)

    @wraps(function)
    def call(x: Any, /) -> Any:
        if type(x) is ConcreteArray:
            return eager_trace.unary(function, x)
        return eager_trace.call(function, (x,), {}, ordinary)

    return call  # type: ignore[return-value]


def binary(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of two arrays take handles; it reads each array once.

    It does the same for all numbers of a Python type.
    """
    ordinary = _spending(function, is_last=True)

    @wraps(function)
    def call(x1: Any, x2: Any, /) -> Any:
        if type(x1) is Moved or type(x2) is Moved:
            return eager_trace.call(function, (x1, x2), {}, ordinary)
        return eager_trace.binary(function, x1, x2)

    return call  # type: ignore[return-value]


def once(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function take handles; it reads each array once, so its memory may be written then."""
    ordinary = _spending(function, is_last=True)

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        return eager_trace.call(function, args, options, ordinary)

    return call


def often(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function take handles; it may read an array several times before the last."""
    ordinary = _spending(function, is_last=False)

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        return eager_trace.call(function, args, options, ordinary)

    return call
