"""The data flow: what each event does to the state, what it reports, and the fixpoint."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from ownarray._checker import events as ev
from ownarray._checker import report as rep
from ownarray._checker.places import (
    ANY,
    ITEMS,
    LONGEST,
    MAY,
    SURE,
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
    starts_with,
)
from ownarray._checker.report import Names, Note, Report
from ownarray._checker.state import State
from ownarray._checker.summary import (
    RESULT,
    Parameter,
    StepsOf,
    Summaries,
    Summary,
    is_only_replaced,
    outside,
)
from ownarray._errors import Code
from ownarray._ownership import Rights

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from ownarray._checker.graph import Block, Graph


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


class Solver:
    """Runs one problem to its fixpoint and reports each error once."""

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
        # Each function takes the events of its own class.
        self._steps: dict[type, Callable[[State, Any], None]] = {
            ev.Use: self._use,
            ev.Move: self._move,
            ev.Spend: self._spend,
            ev.Bind: self._bind,
            ev.Store: self._store,
            ev.Attach: self._attach,
            ev.Append: self._append,
            ev.Pop: self._pop,
            ev.Shift: self._shift,
            ev.Clear: self._clear,
            ev.Sized: self._sized,
            ev.Twins: self._twins,
            ev.ShareParts: self._share_parts,
            ev.Delete: self._delete,
            ev.Handle: self._handle,
            ev.View: self._view,
            ev.EndViews: self._end_views,
            ev.Update: self._update,
            ev.Exclusive: self._exclusive,
            ev.NeedsMove: self._needs_move,
            ev.NoHandle: self._no_handle,
            ev.Function: self._function,
            ev.Call: self._call,
            ev.Reclaim: self._reclaim,
            ev.Refuse: self._refuse,
            ev.Related: self._related,
            ev.Yielded: self._yielded,
            ev.Awaited: self._awaited,
            ev.Forget: self._forget,
            ev.Blur: self._blur,
            ev.EachKey: self._each_key,
            ev.Inherit: self._inherit,
            ev.Exit: self._exit,
        }

    # ------------------------------------------------------------------------------- fixpoint
    def run(self) -> Summary:
        """Solve, report, and return what callers must know."""
        order, cyclic = _order(self._p.graph)
        states: dict[int, State] = {self._p.graph.entry.index: self._entry()}
        self._speak = not cyclic
        dirty = {self._p.graph.entry.index}
        while dirty:
            for block in order:
                if block.index in dirty:
                    dirty.discard(block.index)
                    self._flow(block, states, dirty)
        if cyclic:
            self._speak = True
            for block in order:
                if block.index in states:
                    self._through(block, states[block.index].copy())
        if self._p.graph.exit is not None and self._p.graph.exit.index in states:
            self._summarise(states[self._p.graph.exit.index])
        return self._p.result

    def _flow(self, block: Block, states: dict[int, State], dirty: set[int]) -> None:
        after = states[block.index].copy()
        self._through(block, after)
        for i, succ in enumerate(block.succ):
            old = states.get(succ.index)
            if old is None:
                last = i == len(block.succ) - 1
                states[succ.index] = after if last else after.copy()
                dirty.add(succ.index)
            elif old.join(after):
                dirty.add(succ.index)

    def _through(self, block: Block, state: State) -> None:
        steps, counted = self._steps, self._counted
        for event in block.events:
            if counted and state.sizes and id(event) in counted:
                event = self._normal(state, event)
            steps[type(event)](state, event)

    def _normal(self, state: State, event: ev.Event) -> ev.Event:
        """Let keys that count from the end of a list of known size count from its start."""
        places: dict[str, Any] = {
            name: state.normal(place)
            for name in ("place", "source")
            if isinstance(place := getattr(event, name, None), tuple)
        }
        return replace(event, **places)

    def _entry(self) -> State:
        state = State()
        for p in self._p.parameters:
            if p.handle:
                state.handles[p.var,] = frozenset({("parameter", p.var)})
            else:
                state.add_alias((p.var,), (outside(p.var),), SURE)
        for var in self._p.captured:
            state.add_alias((var,), (outside(var),), SURE)
        for var, key in self._p.functions.items():
            state.funcs[var,] = frozenset({key})
        return state

    # ------------------------------------------------------------------------------- reporting
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

    # ------------------------------------------------------------------------------- events
    def _use(self, s: State, e: ev.Use) -> None:
        if e.by is None or not s.moved or not self._only_replaced(s, e.place, *e.by):
            self._alive(s, e.place, e.pos, whole=e.whole)
        if s.sizes and e.runs:
            s.resize(e.place, None)  # whoever gets a list may change it
        if s.funcs and e.runs:
            self._run_functions(s, e.place, e.pos)

    def _only_replaced(self, s: State, place: Place, key: Hashable, var: Var) -> bool:
        """Return whether all that is dead of a place is replaced by the function that gets it."""
        n = len(place)
        deaths = s.deaths(place, whole=True)
        if not deaths or any(len(dead) <= n for dead, _ in deaths):
            return False
        summary = self._p.summaries(key)
        return all(is_only_replaced(summary, (var, *dead[n:])) for dead, _ in deaths)

    def _move(self, s: State, e: ev.Move) -> None:
        self._alive(s, e.place, e.pos, whole=True)
        self._check_views(s, e.place, e.pos, rep.MOVED_UNDER_VIEW, e.name)
        for q in (e.place, *s.aliases(e.place)):
            p = self._rights.get(q[0])
            if p is not None and (p.strict or len(q) == 1):
                code = rep.MUT_MOVED if p.rights is Rights.UPDATE else rep.LENT_MOVED
                self._say(rep.plain(code, e.pos, e.name))
        self._note_gift(s, e.place)
        twins = s.twins_in(e.place)
        if twins is not None:
            one, two = (self._p.names.show((e.place[0], *t)) for t in twins)
            self._say(rep.shared(e.pos, one, two))
        site = Site(e.pos, e.name, e.place)
        for each in self._each_of(s, e.place):
            s.give_away_items(each, site)
        s.give_away(e.place, site)

    def _each_of(self, s: State, place: Place) -> list[Place]:
        """Return what a place is one of in turn, in a loop over all keys of a container."""
        keys = self._p.all_keys
        return [
            (q[0], *(ITEMS if step in keys else step for step in q[1:]))
            for q in ((place, *s.aliases(place)) if keys else ())
            if any(step in keys for step in q[1:])
        ]

    def _note_gift(self, s: State, place: Place) -> None:
        """Remember what of the outside was given away, even if it is replaced later."""
        for q in (place, *s.aliases(place)):
            if q[0] < 0 and q not in s.replaced:
                self._p.result.gave.add(q)

    def _check_views(self, s: State, place: Place, pos: Pos, code: Code, name: str) -> None:
        for (holder, seen), made in s.views.items():
            if seen[0] == place[0] and (covers_start(place, seen) or covers_start(seen, place)):
                at = rep.where(self._p.path, made)
                held = self._p.names.of.get(holder[0], "")
                if held:
                    at += f" by {self._p.names.show(holder)}"
                note = Note(made, "the view was made here")
                self._say(rep.plain(code, pos, name, at=at, notes=(note,)))
                return

    def _spend(self, s: State, e: ev.Spend) -> None:
        inside = s.handles_in(e.place)
        if not inside and not e.known:
            return
        if not self._alive(s, e.place, e.pos, whole=True, name=e.name):
            pass
        for q in inside or [e.place]:
            s.spend(q, Site(e.pos, e.name, q, handle=True))

    def _bind(self, s: State, e: ev.Bind) -> None:
        steps = self._p.steps_of.get(e.var)
        if steps is not None:
            s.forget_index(steps)
        s.bind(e.var, e.source, unknown_part=e.unknown_part, since=e.since, apart=e.apart)

    def _store(self, s: State, e: ev.Store) -> None:
        s.store(e.place, e.source)

    def _attach(self, s: State, e: ev.Attach) -> None:
        s.attach(e.place, e.source, SURE if e.certain else MAY)
        told = self._told.get(e.place[0])
        if told is not None and s.moved:
            for _, sites in s.deaths(e.source, whole=True):
                told |= sites

    def _append(self, s: State, e: ev.Append) -> None:
        s.append(e.place, e.source)

    def _pop(self, s: State, e: ev.Pop) -> None:
        s.pop(e.var, e.place)

    def _shift(self, s: State, e: ev.Shift) -> None:
        s.resize(e.place, e.by)
        s.shift(e.place, e.at, e.by or 0)

    def _clear(self, s: State, e: ev.Clear) -> None:
        s.clear(e.place)

    def _sized(self, s: State, e: ev.Sized) -> None:
        s.sizes[e.place] = e.size

    def _twins(self, s: State, e: ev.Twins) -> None:
        s.same_items(e.place)

    def _share_parts(self, s: State, e: ev.ShareParts) -> None:
        s.share_parts(e.place, e.source, e.without)

    def _delete(self, s: State, e: ev.Delete) -> None:
        s.kill(e.place)
        bases = [e.place[:-1], *s.aliases(e.place[:-1])] if len(e.place) > 1 else []
        for base in bases:
            s.kill((*base, e.place[-1]))
            if e.rest:
                for q in [q for q in s.moved if len(q) > len(base) and starts_with(q, base)]:
                    if isinstance(q[len(base)], str) and q[len(base)][0] == "[":
                        s.moved.pop(q, None)

    def _handle(self, s: State, e: ev.Handle) -> None:
        s.handles[e.place] = frozenset({e.made_at})

    def _view(self, s: State, e: ev.View) -> None:
        if e.derived:
            for (holder, seen), pos in list(s.views.items()):
                if starts_with(holder, e.seen) or starts_with(e.seen, holder):
                    s.views[e.holder, seen] = pos
            return
        for q in (e.seen, *s.aliases(e.seen)):
            s.views[e.holder, q] = e.pos

    def _end_views(self, s: State, e: ev.EndViews) -> None:
        for loan in [loan for loan in s.views if starts_with(loan[0], e.holder)]:
            del s.views[loan]

    def _update(self, s: State, e: ev.Update) -> None:
        if not e.store:
            self._alive(s, e.place, e.pos, whole=False)
            if e.known:
                self._check_views(s, e.place, e.pos, rep.UPDATED_UNDER_VIEW, e.name)
        for q in (e.place, *s.aliases(e.place)):
            p = self._rights.get(q[0])
            lent = p is not None and p.strict and p.rights is Rights.READ
            captured = self._p.compiled and q[0] in self._captured_in and not e.store
            if lent or captured:
                self._say(rep.plain(rep.LENT_UPDATED, e.pos, e.name))

    def _exclusive(self, s: State, e: ev.Exclusive) -> None:
        same = [e.mut, *s.aliases(e.mut), *(o for _, o, _ in s.parts(e.mut))]
        if any(starts_with(q, e.other) or starts_with(e.other, q) for q in same):
            self._say(rep.plain(Code.MUT_TWICE, e.pos, e.name))

    def _needs_move(self, s: State, e: ev.NeedsMove) -> None:
        if not s.handles_in(e.place):
            self._say(rep.plain(rep.NEEDS_MOVE, e.pos, e.name))

    def _no_handle(self, s: State, e: ev.NoHandle) -> None:
        if e.place in s.handles:
            self._say(rep.plain(rep.HANDLE_LENT, e.pos, e.name))

    def _function(self, s: State, e: ev.Function) -> None:
        s.add_function(e.place, e.key)

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

    def _call(self, s: State, e: ev.Call) -> None:
        self._alive(s, e.place, e.pos, whole=True)
        if s.funcs:
            for var in self._run_functions(s, e.place, e.pos):
                s.bind(var, None)

    def _reclaim(self, s: State, e: ev.Reclaim) -> None:
        sites = [site for _, ss in s.deaths(e.place, whole=True) for site in ss]
        made = {site.pos for site in sites}
        for q, ids in list(s.handles.items()):
            if ids & made:
                s.spend(q, Site(e.pos, self._p.names.show(q), q, handle=True))

    def _refuse(self, s: State, e: ev.Refuse) -> None:
        self._say(rep.plain(e.code, e.pos, e.name))

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

    def _awaited(self, s: State, e: ev.Awaited) -> None:
        s.let_go(e.var)

    def _forget(self, s: State, e: ev.Forget) -> None:
        for var in e.temporaries:
            s.kill_var(var)

    def _blur(self, s: State, e: ev.Blur) -> None:
        s.forget_index(e.steps, e.into)

    def _each_key(self, s: State, e: ev.EachKey) -> None:
        s.each_key(e.steps)

    def _inherit(self, s: State, e: ev.Inherit) -> None:
        s.inherit(e.place, e.source)

    # ------------------------------------------------------------------------------- the end
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


def _counts_from_end(event: ev.Event) -> bool:
    return any(
        isinstance(step, str) and (step.startswith("[-") or ":-" in step)
        for place in (getattr(event, "place", None), getattr(event, "source", None))
        if place is not None
        for step in place[1:]
    )


def _is_constant(step: Step) -> bool:
    """Return whether an index means the same in every function."""
    if number(step) is not None or (isinstance(step, str) and step[1] in "'\""):
        return True
    ends = bounds(step)
    return ends is not None and all(not e or e.removeprefix("-").isdigit() for e in ends)


_MOST_FLOWS: Final = 64
"""Relations kept for one function."""


def _order(graph: Graph) -> tuple[list[Block], bool]:
    """Return the blocks that can be reached in reverse postorder; whether there is a loop."""
    order: list[Block] = []
    done: dict[int, bool] = {}
    cyclic = False
    stack: list[tuple[Block, Iterable[Block]]] = [(graph.entry, iter(graph.entry.succ))]
    done[graph.entry.index] = False
    while stack:
        block, rest = stack[-1]
        for succ in rest:
            if succ.index not in done:
                done[succ.index] = False
                stack.append((succ, iter(succ.succ)))
                break
            if not done[succ.index]:
                cyclic = True
        else:
            done[block.index] = True
            order.append(block)
            stack.pop()
    order.reverse()
    return order, cyclic
