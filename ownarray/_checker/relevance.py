"""What needs solving: most functions of most programs give nothing away.

A function is solved if something in it can be the cause of a report, or if another function that
is solved asks what it does. In it, only variables that may share an object with one that matters
are followed.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ownarray._checker import events as ev
from ownarray._checker.graph import Graph, simplify
from ownarray._checker.summary import RESULT, StepsOf

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Set

    from ownarray._checker.judge import Problem
    from ownarray._checker.places import Var

_CAUSES: Final = (
    ev.Move,
    ev.Handle,
    ev.Exclusive,
    ev.NeedsMove,
    ev.NoHandle,
    ev.Refuse,
    ev.Reclaim,
)


def is_cause(problem: Problem) -> bool:
    """Return whether anything in a function can itself be the cause of a report."""
    strict = any(p.strict for p in problem.parameters)
    if any(p.handle for p in problem.parameters):
        return True
    for event in _events(problem.graph):
        if isinstance(event, ev.Use | ev.Bind | ev.Forget):
            continue
        if isinstance(event, _CAUSES):
            return True
        if isinstance(event, ev.View) and not event.derived:
            return True
        if isinstance(event, ev.Spend) and event.known:
            return True
        if isinstance(event, ev.Update) and (strict or problem.compiled):
            return True
    return False


def relevant(
    problems: Mapping[Hashable, Problem], references: Mapping[Hashable, set[Hashable]]
) -> set[Hashable]:
    """Return the functions that are or may run the cause of a report."""
    users: dict[Hashable, list[Hashable]] = {}
    for user, used in references.items():
        for key in used:
            users.setdefault(key, []).append(user)
    found = {key for key, problem in problems.items() if is_cause(problem)}
    todo = list(found)
    while todo:
        for user in users.get(todo.pop(), ()):
            if user not in found:
                found.add(user)
                todo.append(user)
    return found


def references(problem: Problem) -> set[Hashable]:
    """Return the functions of this module that a function makes, mentions or calls."""
    found = set(problem.functions.values())
    for event in _events(problem.graph):
        if isinstance(event, ev.Function | ev.Related):
            found.add(event.key)
    return found


def prune(  # noqa: C901, PLR0912  (one branch for each kind)
    problem: Problem,
    captured_by: Mapping[Hashable, Iterable[Var]],
    causes: Set[Hashable],
) -> None:
    """Drop the events of variables that cannot matter."""
    groups = _Groups()
    roots: set[Var] = {RESULT, *problem.captured}
    roots.update(p.var for p in problem.parameters)
    for var, key in problem.functions.items():
        for inner in captured_by.get(key, ()):
            groups.join(var, inner)
            roots.update((inner,) if key in causes else ())
    for event in _events(problem.graph):
        match event:
            case ev.Use() | ev.Forget():
                pass  # most of all
            case ev.Bind(var=var, source=source, since=since):
                if source is not None:
                    groups.join(var, source[0])
                if since is not None:
                    groups.join(var, since)
            case ev.Store(place=place, source=source) if source is not None:
                groups.join(place[0], source[0])
            case ev.Pop(var=var, place=place):
                groups.join(var, place[0])
            case ev.Append(place=place, source=source) if source is not None:
                groups.join(place[0], source[0])
            case (
                ev.Attach(place=place, source=source)
                | ev.ShareParts(place=place, source=source)
                | ev.Inherit(place=place, source=source)
            ):
                groups.join(place[0], source[0])
            case ev.View(holder=holder, seen=seen):
                groups.join(holder[0], seen[0])
                roots.update(() if event.derived else (seen[0],))
            case ev.Exclusive(mut=mut, other=other):
                roots.update((mut[0], other[0]))
            case ev.Related(places=places):
                for (_, one), (_, two) in pairwise(places):
                    groups.join(one[0], two[0])
                for var in captured_by.get(event.key, ()):
                    for _, place in places:
                        groups.join(place[0], var)
                if event.key in causes:
                    roots.update(place[0] for _, place in places)
            case ev.Function(place=place, key=key):
                for var in captured_by.get(key, ()):
                    groups.join(place[0], var)
                roots.update((place[0],) if key in causes else ())
            case ev.Spend(place=place, known=True):
                roots.add(place[0])
            case ev.Yielded(place=place):
                groups.join(RESULT, place[0])
            case ev.Move() | ev.Handle() | ev.NeedsMove() | ev.NoHandle() | ev.Reclaim():
                roots.add(event.place[0])
            case _:
                pass
    kept = {groups.find(var) for var in roots}
    for block in problem.graph.blocks:
        block.events = [e for e in block.events if _stays(e, groups, kept, problem.steps_of)]
    simplify(problem.graph)


def _stays(event: ev.Event, groups: _Groups, kept: set[Var], keys: StepsOf) -> bool:
    if isinstance(event, _ALWAYS):
        return True
    match event:
        case ev.Bind(var=var):
            return var in keys or groups.find(var) in kept
        case ev.Awaited(var=var):
            return groups.find(var) in kept
        case ev.Pop(place=place):
            return groups.find(place[0]) in kept
        case ev.Related(places=places):
            return any(groups.find(place[0]) in kept for _, place in places)
        case ev.View(holder=holder) | ev.EndViews(holder=holder):
            return groups.find(holder[0]) in kept
        case _:
            return groups.find(event.place[0]) in kept


_ALWAYS: Final = (ev.Exclusive, ev.Refuse, ev.Forget, ev.Blur, ev.EachKey, ev.Exit)


class _Groups:
    """Sets of variables that may share an object."""

    def __init__(self) -> None:
        self._up: dict[Var, Var] = {}

    def find(self, var: Var) -> Var:
        up = self._up
        while (above := up.get(var, var)) != var:
            up[var] = up.get(above, above)
            var = above
        return var

    def join(self, one: Var, two: Var) -> None:
        one, two = self.find(one), self.find(two)
        if one != two:
            self._up[one] = two


def _events(graph: Graph) -> Iterable[ev.Event]:
    for block in graph.blocks:
        yield from block.events
