"""`move` and what it returns: one-shot handles to memory that was given away.

Giving away marks the arrays dead and leaves their memory where it is; spending the handle takes it
out. So what was moved and never spent can still be reached through the dead names (`reclaim`).
"""

from __future__ import annotations

import sys
import warnings
from abc import abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, TypeVar

import numpy as np

from ownarray._array.cell import (
    HandleSignature,
    Signature,
    TreeSignature,
    describe,
    transitions,
    tree_signature,
)
from ownarray._array.running import is_read_by_running_call, running
from ownarray._core.dtypes import WEAK, DType
from ownarray._errors import Code
from ownarray._ops.operators import Array
from ownarray._ops.structural import copy
from ownarray._ownership import Event, State
from ownarray._source import Site
from ownarray._trace.bind import AbstractArray, current_trace, open_trace
from ownarray._tree import LEAF, LeafKinds, TreeDef, flatten, path_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import CodeType, FrameType, ModuleType

    from ownarray._core.aval import ShapedArray

_STANDARDS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


Departure = tuple["CodeType", int, TreeDef, tuple[int, ...]]
"""Where arrays were given away together (code and instruction), from which tree, and the
identities of its leaves: a tree that held the leaves would keep dead arrays alive. A plain tuple,
because moving is a hot path."""


def departure_site(departure: Departure) -> Site:
    """Return the place of a move."""
    return Site(departure[0], departure[1])


def departure_path(departure: Departure, array: object) -> str:
    """Return the path at which an array stood in the tree, or nothing if it was moved alone."""
    _, _, treedef, members = departure
    if treedef is LEAF or id(array) not in members:
        return ""
    return path_text(treedef.paths()[members.index(id(array))])


class Owner(Array):
    """An array that can be given away: what moving needs of concrete and of traced arrays."""

    __slots__ = ()

    @property
    @abstractmethod
    def state(self) -> State:
        """What may be done with this array now."""

    @property
    def is_moved(self) -> bool:
        """Whether this name is dead."""
        return self.state.is_dead

    @property
    @abstractmethod
    def _live_signature(self) -> Signature | None:
        """The signature of this array when it was alive; None if it is traced."""

    @abstractmethod
    def _ownership_state(self) -> State:
        """Return the state as it stands, without looking at views and calls."""

    @abstractmethod
    def _set_state(self, state: State) -> None:
        """Change the state, under the lock."""

    @abstractmethod
    def _check_exclusive(self, event: Event) -> None:
        """Raise unless the array may be moved or updated here and now."""

    @abstractmethod
    def _depart(self, departure: Departure) -> bool:
        """Die, under the lock, if nothing has changed since `_check_exclusive`.

        The memory stays here until the handle is spent.
        """

    @abstractmethod
    def _has_left_by(self, departure: Departure) -> bool:
        """Return whether it was this departure that the array died of."""

    @abstractmethod
    def _revive(self) -> None:
        """Live again, under the lock, after a call that never ran."""

    @abstractmethod
    def _check_reclaimable(self) -> None:
        """Raise unless the memory is here: alive, or moved and never spent."""

    @abstractmethod
    def _reborn(self) -> Owner:
        """Return a new owner of the memory of this dead array, whose handle was spent."""

    @abstractmethod
    def _hold_again(self, owner: Any) -> None:
        """Take the memory back from what `_reborn` returned; that array is dead."""

    @property
    def device(self) -> str:
        """The device that holds the memory: always "cpu"."""
        return "cpu"

    def to_device(self, device: object, /, *, stream: object = None) -> Array:
        """Return a copy on a device; there is one device."""
        if device != self.device or stream is not None:
            raise ValueError(f"to_device: the one device is 'cpu' without streams, got {device!r}")
        return copy(self)

    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType:
        """Return the module whose functions take this array."""
        if api_version not in (None, *_STANDARDS):
            raise ValueError(f"__array_namespace__: version {api_version!r} is not known")
        return import_module("ownarray")

    def _give(self, frame: FrameType) -> Moved[Any]:
        """Give this array away; `frame` is where the program asked for it."""
        return move_tree(self, frame)

    def move(self) -> Any:
        """Give this array away; the same as ``oa.move(x)``.

        Returns
        -------
        Moved
            The handle to its memory; this array is dead.
        """
        return self._give(sys._getframe(1))


LEAF_KINDS: Final = LeafKinds(
    lambda kind: kind in WEAK or issubclass(kind, AbstractArray | Moved | np.ndarray | np.generic)
)
"""The leaves of a tree of arrays: arrays, handles, NumPy's arrays, numbers."""


class Moved(Generic[T_co]):
    """The right to what was moved: spent once, by a call that consumes it or by ``take()``.

    A handle is no array. Pass it to a compiled function or to a function of this library, or own
    what it holds again with ``take()``.

    Attributes
    ----------
    shape, dtype
        Of the array, where the handle holds one array.

    Examples
    --------
    >>> import ownarray as oa
    >>> h = oa.move(oa.ones(3))
    >>> h.shape
    (3,)
    >>> x = h.take()
    >>> x.state is oa.State.OWNED
    True
    """

    __slots__ = ("__weakref__", "_departure", "_leaves", "_sig", "_spent", "_treedef")

    _leaves: Sequence[Any]
    """The dead arrays (and numbers) of the tree, in order."""
    _treedef: TreeDef
    _sig: HandleSignature | TreeSignature | None
    """Stands for the handle in the key of a call; None if it holds traced arrays."""
    _spent: str | list[str] | Site
    """By whom it was spent (text, or a list of its one text), or empty."""
    _departure: Departure

    def __init__(self) -> None:
        raise TypeError("Moved: handles are made by oa.move(x)")

    # ------------------------------------------------------------------ metadata

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array, where the handle holds one array."""
        return self._only().shape

    @property
    def dtype(self) -> DType:
        """The dtype of the array, where the handle holds one array."""
        return self._only().dtype

    def _only(self) -> ShapedArray:
        if self._treedef is not LEAF:
            raise AttributeError("Moved: shape and dtype are there only where one array was moved")
        aval: ShapedArray = self._leaves[0].aval
        return aval

    @property
    def _site(self) -> Site:
        return departure_site(self._departure)

    def __repr__(self) -> str:
        what = (
            str(self._leaves[0].aval)
            if self._treedef is LEAF
            else f"{self._treedef.type.__name__} of {len(self._leaves)} leaves"
        )
        return f"Moved({what}, {'spent' if self._is_void() else 'unspent'}, moved at {self._site})"

    # ------------------------------------------------------------------ spending

    def _is_void(self) -> bool:
        """Return whether nothing is left to spend: spent, or reclaimed through the dead names."""
        return bool(self._spent) or any(
            isinstance(leaf, Owner) and leaf._ownership_state() is not State.MOVED
            for leaf in self._leaves
        )

    def _holds_memory(self) -> bool:
        """Return whether a leaf is more than a name in a trace, which ends with its call."""
        return any([isinstance(x, Owner) and x._live_signature is not None for x in self._leaves])

    def _claim(self, by: str | list[str] | Site) -> None:
        """Spend the handle; `_unclaim` undoes it while the memory is untouched."""
        with transitions.lock:
            if self._is_void():
                raise self._already_spent()
            self._spent = by
            for leaf in self._leaves:
                if isinstance(leaf, Owner):
                    leaf._set_state(State.SPENT)

    def _already_spent(self) -> Exception:
        by = "".join(self._spent) if isinstance(self._spent, list) else str(self._spent)
        name = "this handle" if self._treedef is not LEAF else f"this handle of {self.dtype}"
        return Code.HANDLE_SPENT.exception(
            f"{name}{list(self.shape) if self._treedef is LEAF else ''}",
            at=by or "its dead name, which was reclaimed",
        )

    def _unclaim(self) -> None:
        """Make the handle good again, after a call that failed before it began to run."""
        with transitions.lock:
            self._restore()

    def _restore(self) -> None:
        """Make the handle good again, under the lock."""
        for leaf in self._leaves:
            if isinstance(leaf, Owner):
                leaf._set_state(State.MOVED)
        self._spent = ""

    def take(self) -> T_co:
        """Own again what was moved; the old names stay dead.

        Returns
        -------
        T
            New owners of the same memory, in a tree of the same structure.

        Raises
        ------
        UseAfterMoveError
            use-after-move: the handle was spent before, or voided by `reclaim`.

        Examples
        --------
        >>> import ownarray as oa
        >>> x = oa.ones(2)
        >>> y = oa.move(x).take()
        >>> x.is_moved, y.is_moved
        (True, False)
        """
        frame = sys._getframe(1)
        by = Site(frame.f_code, frame.f_lasti)
        owners: list[Any] = []
        try:
            self._claim(by)
            for leaf in self._leaves:
                owners.append(_reborn(leaf))  # noqa: PERF401  # a failure must see what is done
            return self._treedef.unflatten(owners)  # type: ignore[no-any-return]
        except BaseException:
            give_back(self._leaves, owners)
            if self._spent is by:
                self._unclaim()
            raise

    def __del__(self) -> None:
        try:
            if self._spent or self._is_void() or not self._holds_memory():
                return
        except AttributeError:  # made by its class, which refuses
            return
        if not sys.is_finalizing():
            warnings.warn(
                f"{self!r} was dropped unspent; its memory is reachable through the dead names"
                " only: x = oa.reclaim(x)",
                ResourceWarning,
                stacklevel=2,
                source=self,
            )

    # ------------------------------------------------------------------ what a handle is not

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError(
            f"a handle ({self!r}) is no array. Fix: pass it to a compiled function or an oa"
            " function as it is, or own it again: x = h.take()"
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse
    __pow__ = __rpow__ = __matmul__ = __rmatmul__ = __divmod__ = __rdivmod__ = _refuse
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _refuse
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _refuse
    __neg__ = __pos__ = __abs__ = __invert__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __getitem__ = __setitem__ = __delitem__ = __len__ = __iter__ = __contains__ = _refuse
    __bool__ = __int__ = __float__ = __complex__ = __index__ = _refuse
    __array__ = __dlpack__ = _refuse

    def __copy__(self) -> NoReturn:
        raise TypeError(f"a handle ({self!r}) cannot be copied: it is the one right to its memory")

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__copy__()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"a handle ({self!r}) cannot be pickled; take() it and pickle the arrays")


_new = Moved.__new__


def move(tree: T, /) -> Moved[T]:
    """Give arrays away: they are dead at once, and the handle holds their memory.

    Parameters
    ----------
    tree : array or pytree of arrays; consumed
        Python numbers in a tree are carried along.

    Returns
    -------
    Moved
        One handle for the whole tree; spent once.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before; nothing is consumed.
    BorrowError
        moved-while-borrowed: a view of an array lives, or a running call reads it.
        move-borrowed: an array was only lent to the function being traced, or it is foreign.
    SharedArrayError
        shared-array: one array stands at two paths of the tree.
    TypeError
        If there is nothing to move, or a handle is moved.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.ones(3)
    >>> y = oa.exp(oa.move(x))
    >>> x.is_moved
    True
    """
    frame = sys._getframe(1)
    return tree._give(frame) if isinstance(tree, Owner) else move_tree(tree, frame)


def move_tree(tree: T, frame: FrameType) -> Moved[T]:
    """Give away all arrays of a tree, or none."""
    leaves, treedef = flatten(tree, LEAF_KINDS, "")
    members = tuple(map(id, leaves))
    if len(set(members)) < len(members):
        _refuse_shared(leaves, treedef)
    departure: Departure = (frame.f_code, frame.f_lasti, treedef, members)
    sig: HandleSignature | TreeSignature | None = _depart_at_once(leaves, departure)
    if sig is None:
        owners = [leaf for leaf in leaves if isinstance(leaf, Owner)]
        if len(owners) < len(leaves):
            _refuse_others(leaves, treedef)
        if not owners and treedef.is_bare:
            raise TypeError(
                f"move: expected an array or a tree of arrays, got {type(tree).__name__}"
            )
        if current_trace().depth or not depart(owners, departure):
            while True:
                for owner in owners:
                    owner._check_exclusive(Event.MOVE)
                if depart(owners, departure):
                    break
        sig = _handle_signature(leaves, treedef)
    handle = _new(Moved)
    handle._leaves, handle._treedef, handle._spent = leaves, treedef, ""
    handle._departure, handle._sig = departure, sig
    return handle


def _depart_at_once(leaves: Sequence[Any], departure: Departure) -> TreeSignature | None:
    """Let arrays die that are all simply alive; None, with nothing changed, if they are not."""
    if open_trace() is not None or running:
        return None
    try:
        alive = [leaf._sig for leaf in leaves]
    except AttributeError:  # numbers, or something that is refused
        return None
    sig = tree_signature(departure[2], tuple(alive))
    if not sig.is_free:
        return None
    with transitions.lock:
        for leaf, before, after in zip(leaves, alive, sig.moved, strict=True):
            if leaf._sig is not before:
                break
            leaf._sig = after
            leaf._note = departure
        else:
            if not running:  # a call that began since has seen the arrays dead
                return sig
        _revive_all(leaves, departure)
    return None


def depart(owners: Sequence[Owner], departure: Departure) -> bool:
    """Let all arrays die at once, or none; return False if one cannot."""
    with transitions.lock:
        # A call that began in the meantime has either seen the arrays dead, or is seen here.
        if all([owner._depart(departure) for owner in owners]) and not (
            running and any([is_read_by_running_call(owner) for owner in owners])
        ):
            return True
        _revive_all(owners, departure)
    return False


def _revive_all(owners: Sequence[Owner], departure: Departure) -> None:
    """Let arrays live again that have left by a departure, under the lock."""
    for owner in owners:
        if owner._has_left_by(departure):
            owner._revive()


def _handle_signature(
    leaves: Sequence[Any], treedef: TreeDef
) -> HandleSignature | TreeSignature | None:
    """Return what stands for a handle in the key of a call; None if an array is traced."""
    parts: list[Any] = [
        leaf._live_signature if isinstance(leaf, Owner) else type(leaf) for leaf in leaves
    ]
    if None in parts:
        return None
    return parts[0].handle if treedef is LEAF else tree_signature(treedef, tuple(parts))


def _refuse_others(leaves: Sequence[Any], treedef: TreeDef) -> None:
    """Refuse leaves that are neither arrays nor numbers."""
    for leaf, path in zip(leaves, treedef.paths(), strict=True):
        where = path_text(path)
        if isinstance(leaf, Moved):
            at = f" at {where}" if where else ""
            raise TypeError(f"move: {leaf!r}{at} is a handle already; pass it on as it is")
        if isinstance(leaf, np.ndarray):
            raise Code.NUMPY_NOT_OWNED.exception(where or "this")


def _refuse_shared(leaves: Sequence[Any], treedef: TreeDef) -> None:
    """Refuse one array at two paths; one number may stand at many."""
    seen: dict[int, str] = {}
    for leaf, path in zip(leaves, treedef.paths(), strict=True):
        if isinstance(leaf, Owner):
            here = path_text(path)
            first = seen.setdefault(id(leaf), here)
            if first != here:
                raise Code.SHARED_ARRAY.exception(describe(leaf.aval, first), other=here)


def _reborn(leaf: Any) -> Any:
    """Return a new owner of a dead array's memory; numbers stay as they are."""
    return leaf._reborn() if isinstance(leaf, Owner) else leaf


def give_back(dead: Iterable[Any], owners: Iterable[Any]) -> None:
    """Let dead arrays hold their memory again, which new owners had got before a failure."""
    for old, new in zip(dead, owners, strict=False):
        if isinstance(old, Owner):
            old._hold_again(new)
