"""What the checker says: codes from the shared tables, texts from the shared catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from ownarray._checker.places import Place, Pos, Site, Star, Var
from ownarray._errors import Code
from ownarray._ownership import EFFECT, REFUSED, STEP, Event, Mode, Passed, Rights, State


def _code(answer: object) -> Code:
    if not isinstance(answer, Code):
        raise TypeError(f"the tables allow what the checker refuses: {answer}")
    return answer


USED: Final = _code(STEP[State.SPENT][Event.READ])
SPENT_AGAIN: Final = _code(STEP[State.SPENT][Event.SPEND])
MOVED_UNDER_VIEW: Final = _code(STEP[State.SHARED][Event.MOVE])
UPDATED_UNDER_VIEW: Final = _code(STEP[State.SHARED][Event.WRITE])
LENT_MOVED: Final = _code(REFUSED[Rights.READ, Event.MOVE])
MUT_MOVED: Final = _code(REFUSED[Rights.UPDATE, Event.MOVE])
LENT_UPDATED: Final = _code(REFUSED[Rights.READ, Event.WRITE])
NEEDS_MOVE: Final = _code(EFFECT[Mode.OWNED, Passed.ARRAY])
HANDLE_LENT: Final = _code(EFFECT[Mode.BORROWED, Passed.HANDLE])


@dataclass(frozen=True, slots=True)
class Note:
    """Where something that matters to an error happened."""

    pos: Pos
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """One error: its code, its place in the text, what is wrong, and where that came from."""

    code: Code
    pos: Pos
    message: str
    notes: tuple[Note, ...] = ()

    @property
    def slug(self) -> str:
        """The error code."""
        return self.code.slug


class Names:
    """How variables and places are written in messages."""

    def __init__(self) -> None:
        self.of: dict[Var, str] = {}

    def show(self, place: Place) -> str:
        """Return a place as source text."""
        var = place[0]
        text = self.of.get(var) or self.of.get(-var - 1) or "this value"
        for step in place[1:]:
            text += "[...]" if isinstance(step, Star) else step
        return text.replace("[?]", "[...]").replace("[*]", "[...]")


def where(path: str, pos: Pos) -> str:
    """Return ``file:line``, as the runtime writes it."""
    return f"{PurePath(path).name}:{pos.line}"


def death(path: str, pos: Pos, name: str, site: Site, again: str) -> Report:
    """Report the use of what died at a site."""
    code = SPENT_AGAIN if site.handle else USED
    at = where(path, site.pos)
    if site.pos == pos:
        at += " in an earlier round of the loop"
    elif site.name != again:
        at += f" as {site.name}"
    did = "spent" if site.handle else "moved"
    notes = () if site.pos == pos else (Note(site.pos, f"{site.name} was {did} here"),)
    return Report(code, pos, code.message(name, at=at), notes)


def shared(pos: Pos, name: str, other: str) -> Report:
    """Report a tree that holds one array twice and is given away."""
    code = Code.SHARED_ARRAY
    return Report(code, pos, code.message(name, other=other))


def plain(code: Code, pos: Pos, name: str, *, at: str = "", notes: tuple[Note, ...] = ()) -> Report:
    """Report an error from its catalogue entry."""
    return Report(code, pos, code.message(name, at=at), notes)
