"""The rules of ownership as tables: states, events, parameter modes, effects, the alias planner.

Pure and total: every pair has a written answer, and each answer stands here only. Three readers use
the tables and restate nothing: the runtime arrays, compiled functions, and the static checker.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ownarray._errors import Code

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence


class State(IntEnum):
    """What may be done with an array's memory through its name.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.ones(3)
    >>> x.state is oa.State.OWNED
    True
    """

    OWNED = 0
    """Alive; nobody else can see the memory."""
    SHARED = 1
    """Alive; views or running calls read the memory."""
    EXCLUSIVE = 2
    """Lent to a running call that updates it."""
    FOREIGN = 3
    """Alive; the memory belongs to another library and can only be read."""
    MOVED = 4
    """Dead; a handle that nobody has spent yet holds the memory."""
    SPENT = 5
    """Dead; the handle was spent."""
    LOST = 6
    """Dead; a call that had begun to run with it failed."""

    @property
    def is_dead(self) -> bool:
        """Whether values can no longer be read through this name."""
        return self >= State.MOVED


class Event(IntEnum):
    """What happens to an array."""

    READ = 0
    """Its values are read."""
    WRITE = 1
    """It is updated in place."""
    LEND = 2
    """A view or a call that reads begins."""
    RETURN = 3
    """The last view or reading call ends."""
    EXCLUDE = 4
    """A call that updates it begins."""
    RELEASE = 5
    """That call ends."""
    MOVE = 6
    """It is given away: a handle is made."""
    SPEND = 7
    """Its handle is passed on or taken."""
    RECLAIM = 8
    """Its dead name is asked for what was never spent."""
    FAIL = 9
    """A call that consumes or updates it fails while it runs."""


class Bug(Enum):
    """The answer for a pair that no program can reach."""

    BUG = "unreachable"


BUG: Final = Bug.BUG
Step = State | Code | Bug


def _grid(rows: Mapping[State, tuple[Step, ...]]) -> tuple[tuple[Step, ...], ...]:
    """Return the rows as nested tuples, indexed by state and event; every cell must be there."""
    if list(rows) != list(State) or any(len(row) != len(Event) for row in rows.values()):
        raise AssertionError("the grid of states and events has a hole")
    return tuple(rows.values())


_OWNED, _SHARED, _EXCL, _FOREIGN = State.OWNED, State.SHARED, State.EXCLUSIVE, State.FOREIGN
_MOVED, _SPENT, _LOST = State.MOVED, State.SPENT, State.LOST
_USED, _AGAIN, _GONE = Code.USE_AFTER_MOVE, Code.HANDLE_SPENT, Code.STATE_LOST
_HELD, _VIEW, _BUSY = Code.MOVED_WHILE_BORROWED, Code.MUTATE_BORROWED, Code.IN_USE
_F_MOVE, _F_WRITE = Code.MOVE_FOREIGN, Code.MUTATE_FOREIGN

# fmt: off
STEP: Final = _grid({
    #                 READ      WRITE     LEND      RETURN    EXCLUDE
    #                 RELEASE   MOVE      SPEND     RECLAIM   FAIL
    State.OWNED:     (_OWNED,   _OWNED,   _SHARED,  BUG,      _EXCL,
                      BUG,      _MOVED,   BUG,      _OWNED,   BUG),
    State.SHARED:    (_SHARED,  _VIEW,    _SHARED,  _OWNED,   _VIEW,
                      BUG,      _HELD,    BUG,      _SHARED,  BUG),
    State.EXCLUSIVE: (_BUSY,    _BUSY,    _BUSY,    BUG,      _BUSY,
                      _OWNED,   _HELD,    BUG,      _BUSY,    _LOST),
    State.FOREIGN:   (_FOREIGN, _F_WRITE, _FOREIGN, _FOREIGN, _F_WRITE,
                      BUG,      _F_MOVE,  BUG,      _FOREIGN, BUG),
    State.MOVED:     (_USED,    _USED,    _USED,    BUG,      _USED,
                      BUG,      _USED,    _SPENT,   _SPENT,   BUG),
    State.SPENT:     (_USED,    _USED,    _USED,    BUG,      _USED,
                      BUG,      _USED,    _AGAIN,   _USED,    _LOST),
    State.LOST:      (_GONE,    _GONE,    _GONE,    BUG,      _GONE,
                      BUG,      _GONE,    _GONE,    _GONE,    _LOST),
})
"""The state after an event, or the error that it is."""
# fmt: on


class Mode(Enum):
    """How a parameter of a compiled function is declared."""

    NEUTRAL = auto()
    """No marker: an array lends, a handle consumes."""
    OWNED = auto()
    """``Owned[T]``: a handle, always."""
    BORROWED = auto()
    """``Borrowed[T]``: read only."""
    MUT = auto()
    """``Mut[T]``: updated in place, exclusively."""
    DONATED = auto()
    """Named by ``donate_argnums`` or ``donate_argnames``: a bare array is consumed."""


class Passed(Enum):
    """What stands at a leaf of an argument."""

    ARRAY = auto()
    HANDLE = auto()
    NUMPY = auto()
    SCALAR = auto()


class Effect(Enum):
    """What passing a leaf does."""

    LEND = auto()
    """Read during the call; the caller keeps it."""
    CONSUME = auto()
    """Given away."""
    UPDATE = auto()
    """Updated in place during the call; the caller keeps it."""
    COPY_IN = auto()
    """A NumPy array, copied in for this call."""
    VALUE = auto()
    """A Python scalar."""


EFFECT: Final[Mapping[tuple[Mode, Passed], Effect | Code]] = MappingProxyType(
    {
        (Mode.NEUTRAL, Passed.ARRAY): Effect.LEND,
        (Mode.NEUTRAL, Passed.HANDLE): Effect.CONSUME,
        (Mode.NEUTRAL, Passed.NUMPY): Effect.COPY_IN,
        (Mode.NEUTRAL, Passed.SCALAR): Effect.VALUE,
        (Mode.OWNED, Passed.ARRAY): Code.NEEDS_MOVE,
        (Mode.OWNED, Passed.HANDLE): Effect.CONSUME,
        (Mode.OWNED, Passed.NUMPY): Code.NUMPY_NOT_OWNED,
        (Mode.OWNED, Passed.SCALAR): Effect.VALUE,
        (Mode.BORROWED, Passed.ARRAY): Effect.LEND,
        (Mode.BORROWED, Passed.HANDLE): Code.HANDLE_TO_BORROWED,
        (Mode.BORROWED, Passed.NUMPY): Effect.COPY_IN,
        (Mode.BORROWED, Passed.SCALAR): Effect.VALUE,
        (Mode.MUT, Passed.ARRAY): Effect.UPDATE,
        (Mode.MUT, Passed.HANDLE): Code.HANDLE_TO_BORROWED,
        (Mode.MUT, Passed.NUMPY): Code.NUMPY_NOT_OWNED,
        (Mode.MUT, Passed.SCALAR): Effect.VALUE,
        (Mode.DONATED, Passed.ARRAY): Effect.CONSUME,
        (Mode.DONATED, Passed.HANDLE): Effect.CONSUME,
        (Mode.DONATED, Passed.NUMPY): Effect.COPY_IN,
        (Mode.DONATED, Passed.SCALAR): Effect.VALUE,
    }
)
"""What passing does, or the error that it is, for each mode and each kind of leaf."""


class Rights(Enum):
    """What the body of a compiled function may do with a parameter's leaf."""

    READ = auto()
    """Read only: a lent leaf, a captured array."""
    UPDATE = auto()
    """Read and update, not move: a Mut leaf."""
    OWN = auto()
    """Anything: a consumed leaf, a loop's carry, what was born in the body."""


RIGHTS: Final[Mapping[Effect, Rights]] = MappingProxyType(
    {
        Effect.LEND: Rights.READ,
        Effect.COPY_IN: Rights.READ,
        Effect.VALUE: Rights.OWN,
        Effect.UPDATE: Rights.UPDATE,
        Effect.CONSUME: Rights.OWN,
    }
)
"""What the body may do with a leaf that was passed with an effect."""

REFUSED: Final[Mapping[tuple[Rights, Event], Code]] = MappingProxyType(
    {
        (Rights.READ, Event.WRITE): Code.MUTATE_LENT,
        (Rights.READ, Event.MOVE): Code.MOVE_BORROWED,
        (Rights.UPDATE, Event.MOVE): Code.MOVE_BORROWED,
    }
)
"""What the body may not do; every other pair of rights and READ, WRITE or MOVE is allowed."""


@dataclass(frozen=True, slots=True)
class AliasPlan:
    """Who gives memory to whom in one compiled call.

    Attributes
    ----------
    donor_of : tuple of int or None
        For each output, the donor in whose memory it is written.
    freed : tuple of int
        The donors that no output took; they are freed once the call has read them.
    """

    donor_of: tuple[int | None, ...]
    freed: tuple[int, ...]


Path = tuple[str, ...]


def plan_aliases(
    donors: Sequence[tuple[int, Hashable]],
    outs: Sequence[Hashable],
    *,
    pinned: Mapping[int, int] | None = None,
    donor_paths: Sequence[Sequence[Path]] = (),
    out_paths: Sequence[Path] = (),
) -> AliasPlan:
    """Pair each donor with an output of its kind: pinned pairs, equal paths, first come first.

    Parameters
    ----------
    donors : sequence of (int, kind)
        The consumed parameters by number; a kind is whatever must be equal (shape, dtype, ...).
    outs : sequence of kind
        The outputs.
    pinned : mapping of output to donor, optional
        Pairs that are settled before (updates in place).
    donor_paths : sequence of sequences of paths, optional
        For each donor the tree paths at which it would like to live on, best first.
    out_paths : sequence of paths, optional
        For each output its tree path.

    Returns
    -------
    AliasPlan

    Examples
    --------
    >>> plan_aliases([(0, "f32[3]"), (2, "f32[3]")], outs=["i32[]", "f32[3]"])
    AliasPlan(donor_of=(None, 0), freed=(2,))
    """
    donor_of: list[int | None] = [None] * len(outs)
    for out, donor in (pinned or {}).items():
        donor_of[out] = donor
    _pair_by_path(donors, outs, donor_of, donor_paths, out_paths)
    taken = {donor for donor in donor_of if donor is not None}
    open_outs: dict[Hashable, list[int]] = {}
    for out in reversed(range(len(outs))):
        if donor_of[out] is None:
            open_outs.setdefault(outs[out], []).append(out)
    freed = []
    for donor, kind in donors:
        if donor in taken:
            continue
        if places := open_outs.get(kind):
            donor_of[places.pop()] = donor
        else:
            freed.append(donor)
    return AliasPlan(tuple(donor_of), tuple(freed))


def _pair_by_path(
    donors: Sequence[tuple[int, Hashable]],
    outs: Sequence[Hashable],
    donor_of: list[int | None],
    donor_paths: Sequence[Sequence[Path]],
    out_paths: Sequence[Path],
) -> None:
    """Pair donors with the open outputs at the paths that they wish for, best wishes first."""
    by_path = {path: out for out, path in reversed(list(enumerate(out_paths)))}
    taken = {donor for donor in donor_of if donor is not None}
    for rank in range(max((len(paths) for paths in donor_paths), default=0)):
        for (donor, kind), paths in zip(donors, donor_paths, strict=True):
            out = by_path.get(paths[rank]) if donor not in taken and rank < len(paths) else None
            if out is not None and donor_of[out] is None and outs[out] == kind:
                donor_of[out] = donor
                taken.add(donor)
