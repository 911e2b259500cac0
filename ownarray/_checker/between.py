"""Calls between functions of one module: what a callee does to its caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ownarray._checker import events as ev
from ownarray._checker import report as rep
from ownarray._checker.judge import Judge
from ownarray._checker.places import (
    ANY,
    ITEMS,
    LONGEST,
    Place,
    Pos,
    Site,
    Step,
    Var,
    bounds,
    covers,
    covers_start,
    is_index,
    number,
)
from ownarray._checker.summary import RESULT, Summary, outside

if TYPE_CHECKING:
    from ownarray._checker.state import State


class Between(Judge):
    """Lets callees act on their callers, and sums up what this function does to its own."""

    def _run_functions(self, s: State, place: Place, pos: Pos) -> set[Var]:
        """Whoever gets a function may call it: what it reads must be alive, what it moves dies."""
        rebinds: set[Var] | None = None
        for holder, keys in list(s.funcs.items()):
            if holder[0] != place[0] or not _may_hold(holder, place):
                continue
            s.sizes.clear()
            for key in keys:
                summary = self._p.summaries(key)
                fn = self._p.names.show(place)
                for read, name in summary.reads.items():
                    self._alive(s, read, pos, whole=True, name=f"{name}, which {fn} uses,")
                for moved in summary.moves:
                    self._check_views(
                        s, moved, pos, rep.MOVED_UNDER_VIEW, self._p.names.show(moved)
                    )
                    s.give_away(moved, Site(pos, self._p.names.show(moved), moved))
                for gave in summary.gave:
                    var = outside(gave[0])
                    if gave[0] != RESULT and self._is_captured_by(summary, var):
                        self._replaced_by_call(s, (var, *gave[1:]), pos)
                s.attach_all(sorted(summary.keeps, key=str))
                rebinds = summary.rebinds if rebinds is None else rebinds & summary.rebinds
        return rebinds or set()

    def _is_captured_by(self, summary: Summary, var: Var) -> bool:
        return any(read[0] == var for read in summary.reads)

    def _replaced_by_call(self, s: State, place: Place, pos: Pos) -> None:
        """Let the other names of what a callee gave away and replaced be dead."""
        name = self._p.names.show(place)
        site = Site(pos, name, place)
        self._check_views(s, place, pos, rep.MOVED_UNDER_VIEW, name)
        self._note_gift(s, place)
        s.die(s.other_holders(place), site)

    def _related(self, s: State, e: ev.Related) -> None:
        summary = self._p.summaries(e.key)
        places = dict(e.places)
        keys = dict(e.keys)
        pairs: list[tuple[Place, Place]] = []
        for one, two in sorted(summary.flows, key=str):  # sets of text have no order of their own
            left, right = _in_caller(one, keys), _in_caller(two, keys)
            target, source = places.get(left[0]), places.get(right[0])
            if source is None and right[0] >= 0:  # captured by the function
                source = (right[0],)
            if target is None or source is None or left[0] == right[0]:
                continue
            pairs.append(((*target, *left[1:]), (*source, *right[1:])))
        for gave in summary.gave:
            if gave[0] in places and gave not in summary.lost:
                pos = e.pos
                self._replaced_by_call(s, (*places[gave[0]], *gave[1:]), pos)
        for part in summary.replaces:
            if part[0] in places and part not in summary.lost and len(part) > 1:
                s.store(_in_caller((*places[part[0]], *part[1:]), keys), None)
        s.attach_all(pairs)
        if RESULT in places:
            for key in summary.returns:
                s.add_function(places[RESULT], key)

    def _yielded(self, s: State, e: ev.Yielded) -> None:
        ends = {outside(p.var) for p in self._p.parameters} | self._p.captured
        item: Place = (RESULT, ITEMS)
        for q in (e.place, *s.aliases(e.place)):
            if q[0] in ends:
                self._p.result.flows.add((item, _each_in(q)))
        n = len(e.place)
        for part, other, _ in s.parts(e.place):
            if other[0] in ends and len(item) + len(part) - n <= LONGEST:
                self._p.result.flows.add(((*item, *part[n:]), _each_in(other)))

    def _exit(self, s: State, e: ev.Exit) -> None:
        for dead, sites in s.moved.items():
            p = self._rights.get(dead[0])
            if p is None and dead[0] not in self._p.captured:
                continue
            for site in sites:
                if not site.handle:
                    self._say(rep.plain(rep.LENT_MOVED, site.pos, site.name))

    def _summarise(self, s: State) -> None:  # noqa: C901, PLR0912  (one branch for each kind)
        result = self._p.result
        result.replaces = s.replaced
        for dead in s.moved:
            if dead[0] in self._p.captured:
                result.moves.add(dead)
            elif dead[0] < 0:
                result.lost.add(dead)
        for var in self._p.replaceable:
            if (outside(var),) not in s.aliases((var,)) and not s.deaths((var,), whole=True):
                result.rebinds.add(var)
        ends = {outside(p.var) for p in self._p.parameters} | {RESULT}
        for var in ends:
            for a, b in s.alias.get(var, ()):
                if b[0] in ends or b[0] in self._p.captured:
                    result.flows.add(_directed(a, b))
        for var in self._p.captured:
            for a, b in s.alias.get(outside(var), ()):
                other = self._captured_in.get(b[0])
                if len(a) > 1 and other is not None and other != var:
                    result.keeps.add(((var, *a[1:]), (other, *b[1:])))
        result.flows = set(
            sorted(result.flows, key=lambda f: (len(f[0]) + len(f[1]), str(f)))[:_MOST_FLOWS]
        )
        for holder, keys in s.funcs.items():
            if holder[0] == RESULT:
                result.returns |= keys


def _may_hold(holder: Place, place: Place) -> bool:
    """Return whether what a place holds may be in the other one."""
    return covers_start(place, holder) or (len(holder) == len(place) and covers(holder, place))


def _directed(one: Place, two: Place) -> tuple[Place, Place]:
    """Return two places of a callee that may be one object, what gets it first.

    The result gets what is outside; of outside, parts do: what a parameter names stays.
    """
    ranks = [(p[0] != RESULT, len(p) == 1, str(p)) for p in (one, two)]
    return (one, two) if ranks[0] <= ranks[1] else (two, one)


def _in_caller(place: Place, keys: dict[str, str]) -> Place:
    """Return a place of a callee with keys as its caller knows them."""
    if not any(is_index(step) and number(step) is None for step in place[1:]):
        return place
    return (place[0], *(_key_in_caller(step, keys) for step in place[1:]))


def _key_in_caller(step: Step, keys: dict[str, str]) -> Step:
    if not isinstance(step, str) or not is_index(step):
        return step
    return step if _is_constant(step) or step in {ANY, ITEMS} else keys.get(step, ANY)


def _each_in(place: Place) -> Place:
    """Return a place with keys that change taken for each key: a generator comes to all of them."""
    steps = (ITEMS if is_index(s) and not _is_constant(s) else s for s in place[1:])
    return (place[0], *steps)


def _is_constant(step: Step) -> bool:
    """Return whether an index means the same in every function."""
    if number(step) is not None or (isinstance(step, str) and step[1] in "'\""):
        return True
    ends = bounds(step)
    return ends is not None and all(not e or e.removeprefix("-").isdigit() for e in ends)


_MOST_FLOWS: Final = 64
"""Relations kept for one function."""
