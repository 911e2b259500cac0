"""What a program does to places, event by event: the language of the control flow graph.

Nothing changes an event. They are not frozen, because frozen ones take four times longer to make.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ownarray._checker.places import ANY

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ownarray._checker.places import Place, Pos, Var
    from ownarray._errors import Code


@dataclass(slots=True, eq=False)
class _Named:
    """Something happens to a place that the text names."""

    place: Place
    pos: Pos
    name: str


@dataclass(slots=True, eq=False)
class _Container:
    """Something happens to a container."""

    place: Place


@dataclass(slots=True, eq=False)
class Use:
    """A place is mentioned; ``whole`` if its parts are reached too, ``runs`` if functions are.

    ``by`` is a function of this module that gets it, and the outside of the parameter.
    """

    place: Place
    pos: Pos
    whole: bool = True
    runs: bool = True
    by: tuple[Hashable, Var] | None = None


class Move(_Named):
    """A place is given away."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Spend(_Named):
    """A place is passed on: handles in it are spent; ``known`` if it is one."""

    known: bool = False


@dataclass(slots=True, eq=False)
class Bind:
    """A variable gets what source holds, or something new.

    ``unknown_part`` if source is some part that may be one that died: an item that is taken out.
    ``since`` holds what source did when a loop over the items began; ``apart`` are variables that
    have other items of the same container.
    """

    var: Var
    source: Place | None = None
    unknown_part: bool = False
    since: Var | None = None
    apart: tuple[Var, ...] = ()


@dataclass(slots=True, eq=False)
class Store:
    """A part gets what source holds, or something new."""

    place: Place
    source: Place | None = None


@dataclass(slots=True, eq=False)
class Attach:
    """A place holds what source holds, besides what it held."""

    place: Place
    source: Place
    certain: bool = True


@dataclass(slots=True, eq=False)
class Append(_Container):
    """A list gets one more item at its end."""

    source: Place | None


@dataclass(slots=True, eq=False)
class Pop:
    """A variable gets the last item of a list, which leaves it."""

    var: Var
    place: Place


@dataclass(slots=True, eq=False)
class Shift(_Container):
    """Items of a list change their keys from ``at`` on, or those that count from the end.

    ``by`` is None if they change in no known way.
    """

    at: int | None
    by: int | None


class Clear(_Container):
    """A container loses all items."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Sized(_Container):
    """A list is made with so many items."""

    size: int


class Twins(_Container):
    """Two items of a container may be one object."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class ShareParts:
    """A place is a shallow copy of source, but for some parts."""

    place: Place
    source: Place
    without: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class Delete:
    """A name or part is deleted; ``rest`` if other parts change their keys by it."""

    place: Place
    rest: bool = False


@dataclass(slots=True, eq=False)
class Handle:
    """A place holds a new handle, made at a move."""

    place: Place
    made_at: Hashable


@dataclass(slots=True, eq=False)
class View:
    """A holder is a zero-copy view of a place, or of what another view shows (``derived``)."""

    holder: Place
    seen: Place
    pos: Pos
    derived: bool = False


@dataclass(slots=True, eq=False)
class EndViews:
    """A holder lets its views go."""

    holder: Place


@dataclass(slots=True, eq=False)
class Update(_Named):
    """A place is updated in place; ``store`` if a part of it is only replaced.

    ``known`` if it is an array for sure: others, such as NumPy's, may be updated under a view.
    """

    store: bool = False
    known: bool = True


@dataclass(slots=True, eq=False)
class Exclusive:
    """A call updates one argument in place and gets another one as well."""

    mut: Place
    other: Place
    pos: Pos
    name: str


class NeedsMove(_Named):
    """A place is passed bare to a parameter that owns, unless it is a handle."""

    __slots__ = ()


class NoHandle(_Named):
    """A place is passed to a parameter that only borrows: it must not be a handle."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Function:
    """A place holds a function (or generator) whose body may run later."""

    place: Place
    key: Hashable


@dataclass(slots=True, eq=False)
class Call:
    """What a place holds is called here."""

    place: Place
    pos: Pos


class Reclaim(_Named):
    """A dead name gets back what was moved: the handle becomes void."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Refuse:
    """An error on its own, if control comes here."""

    code: Code
    pos: Pos
    name: str


@dataclass(slots=True, eq=False)
class Related:
    """A function of this module was called: it may make its arguments and result one object.

    ``places`` gives, for the outside of each parameter and for the result, the place of this call.
    """

    key: Hashable
    places: tuple[tuple[Var, Place], ...]
    pos: Pos
    keys: tuple[tuple[str, str], ...] = ()
    """What keys that are parameters mean in this call."""


@dataclass(slots=True, eq=False)
class Yielded:
    """A generator gives what a place holds as one of its items."""

    place: Place


@dataclass(slots=True, eq=False)
class Awaited:
    """A variable has what came of a coroutine, which holds its arguments no longer."""

    var: Var


@dataclass(slots=True, eq=False)
class Forget:
    """Temporary values of a statement are gone."""

    temporaries: tuple[Var, ...]


@dataclass(slots=True, eq=False)
class Blur:
    """What these keys named is not known any more, or is each of the items."""

    steps: frozenset[str]
    into: str = ANY


@dataclass(slots=True, eq=False)
class Inherit:
    """A place is dead as far as source is, or was when a loop began."""

    place: Place
    source: Place


@dataclass(slots=True, eq=False)
class EachKey:
    """These keys have meant every item: what died under them is any item now."""

    steps: frozenset[str]


@dataclass(slots=True, eq=False)
class Exit:
    """The function ends without an error; outside places must be alive."""


Event = (
    Use
    | Move
    | Spend
    | Bind
    | Store
    | Attach
    | Append
    | Pop
    | Shift
    | Clear
    | Sized
    | Twins
    | ShareParts
    | Delete
    | Handle
    | View
    | EndViews
    | Update
    | Exclusive
    | NeedsMove
    | NoHandle
    | Function
    | Call
    | Reclaim
    | Refuse
    | Related
    | Yielded
    | Awaited
    | Forget
    | Blur
    | EachKey
    | Inherit
    | Exit
)
