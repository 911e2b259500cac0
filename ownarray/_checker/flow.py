"""The data flow: what each event does to the state, and the fixpoint."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ownarray._checker import events as ev
from ownarray._checker import report as rep
from ownarray._checker.between import Between
from ownarray._checker.places import (
    ITEMS,
    MAY,
    SURE,
    Place,
    Site,
    Var,
    covers_start,
    is_vague,
    starts_with,
)
from ownarray._checker.state import State
from ownarray._checker.summary import (
    Summary,
    is_only_replaced,
    outside,
)
from ownarray._errors import Code
from ownarray._ownership import Rights

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from ownarray._checker.graph import Block, Graph
    from ownarray._checker.judge import Problem


class Solver(Between):
    """Runs one problem to its fixpoint and reports each error once."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
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
            if any(_is_known_item_of(each, seen) for _, seen in s.views):
                self._check_views(s, each, e.pos, rep.MOVED_UNDER_VIEW, e.name)
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
        self._tell(s, e.place, e.source, whole=True)

    def _tell(self, s: State, place: Place, source: Place, *, whole: bool) -> None:
        """Note that what is dead of a source is reported when a temporary gets it."""
        told = self._told.get(place[0])
        if told is not None and s.moved:
            for _, sites in s.deaths(source, whole=whole):
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
        self._tell(s, e.place, e.source, whole=False)

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


def _is_known_item_of(each: Place, seen: Place) -> bool:
    """Return whether a view shows one of these items, by a key that does not change."""
    return seen[0] == each[0] and not is_vague(seen) and covers_start(each, seen)


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
