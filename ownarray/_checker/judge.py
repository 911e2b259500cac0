"""One function to be judged: what is asked about places, and what is said of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ownarray._checker import events as ev
from ownarray._checker import report as rep
from ownarray._checker.places import (
    Place,
    Pos,
    Site,
    Var,
    covers_start,
    has_star,
    is_vague,
    starts_with,
)
from ownarray._checker.report import Names, Note, Report
from ownarray._checker.summary import (
    Parameter,
    StepsOf,
    Summaries,
    Summary,
    outside,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from ownarray._checker.graph import Graph
    from ownarray._checker.state import State
    from ownarray._errors import Code


@dataclass(slots=True)
class Problem:
    """One function to be judged."""

    graph: Graph
    path: str
    names: Names
    parameters: list[Parameter]
    captured: set[Var]
    """Variables of enclosing functions or the module."""
    replaceable: set[Var]
    """Captured variables that this function may re-bind (global, nonlocal)."""
    functions: dict[Var, Hashable]
    """Captured variables that hold functions of this module."""
    steps_of: StepsOf
    summaries: Summaries
    sink: Callable[[Report], None]
    compiled: bool = False
    counts_from_end: bool = False
    """Whether any key counts from the end of a list."""
    all_keys: frozenset[str] = frozenset()
    """Keys that mean each item of a container in turn."""
    result: Summary = field(default_factory=Summary)


class Judge:
    """Asks whether places are alive, and reports each error once."""

    def __init__(self, problem: Problem) -> None:
        self._p = problem
        self._seen: set[tuple[Pos, str]] = set()
        self._told: dict[Var, set[Site]] = {}
        """For each temporary, the deaths that were reported when it was put together."""
        self._counted: set[int] = set()
        """Events with keys such as ``[-1]``."""
        for block in problem.graph.blocks:
            for event in block.events:
                if type(event) is ev.Forget:
                    for var in event.temporaries:
                        self._told[var] = set()
                elif problem.counts_from_end and _counts_from_end(event):
                    self._counted.add(id(event))
        parameters = {p.var for p in problem.parameters}
        self._replacing = {
            outside(event.place[0])
            for block in problem.graph.blocks
            for event in block.events
            if type(event) is ev.Store and event.place[0] in parameters
        }
        """The outsides of parameters of which a part is replaced."""
        self._speak = False
        self._rights = {outside(p.var): p for p in problem.parameters if p.rights is not None}
        self._captured_in = {outside(v): v for v in problem.captured}

    def _say(self, report: Report) -> None:
        key = (report.pos, report.slug)
        if self._speak and key not in self._seen:
            self._seen.add(key)
            self._p.sink(report)

    def _alive(self, s: State, place: Place, pos: Pos, *, whole: bool, name: str = "") -> bool:
        """Report a place that may be dead; note captured places that are read."""
        if self._captured_in and (place[0] in self._p.captured or place[0] in s.alias):
            self._note_read(s, place)
        if self._replacing:
            self._note_need(s, place, whole=whole)
        if not s.moved:
            return True
        deaths = s.deaths(place, whole=whole)
        if not deaths:
            return True
        if not self._speak:
            return False
        show = self._p.names.show
        told = self._told.get(place[0])
        if told and all(sites <= told for _, sites in deaths):
            return False
        dead, sites = min(deaths, key=lambda d: (len(d[0]) > len(place), str(d[0])))
        site = min(sites, key=lambda one: (one.pos, one.name))
        shown = name or show(place)
        if len(dead) > len(place) and not name:
            shown = f"{show(dead)}, a part of {show(place)},"
        self._say(rep.death(self._p.path, pos, shown, site, show(dead)))
        return False

    def _note_need(self, s: State, place: Place, *, whole: bool) -> None:
        for q in (place, *s.aliases(place)):
            if q[0] in self._replacing and not any(starts_with(q, part) for part in s.replaced):
                self._p.result.needs.add(q if whole else (*q, ""))

    def _note_read(self, s: State, place: Place) -> None:
        for q in (place, *s.aliases(place)):
            var = self._captured_in.get(q[0])
            if var is not None:
                read: Place = (var, *q[1:])
                self._p.result.reads.setdefault(read, self._p.names.show(read))

    def _note_gift(self, s: State, place: Place) -> None:
        """Remember what of the outside was given away, even if it is replaced later."""
        for q in (place, *s.aliases(place)):
            if q[0] < 0 and q not in s.replaced:
                self._p.result.gave.add(q)

    def _check_views(self, s: State, place: Place, pos: Pos, code: Code, name: str) -> None:
        if not s.views:
            return
        names = [place, *(q for q, level in s.aliases(place).items() if level and _is_one(q))]
        for (holder, seen), made in s.views.items():
            if any(_overlap(q, seen) for q in names):
                at = rep.where(self._p.path, made)
                held = self._p.names.of.get(holder[0], "")
                if held:
                    at += f" by {self._p.names.show(holder)}"
                note = Note(made, "the view was made here")
                self._say(rep.plain(code, pos, name, at=at, notes=(note,)))
                return


def _is_one(place: Place) -> bool:
    """Return whether a place means one part: a view of some other item says nothing of this one."""
    return not is_vague(place) and not has_star(place)


def _overlap(place: Place, seen: Place) -> bool:
    return seen[0] == place[0] and (covers_start(place, seen) or covers_start(seen, place))


def _counts_from_end(event: ev.Event) -> bool:
    return any(
        isinstance(step, str) and (step.startswith("[-") or ":-" in step)
        for place in (getattr(event, "place", None), getattr(event, "source", None))
        if place is not None
        for step in place[1:]
    )
