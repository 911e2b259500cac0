"""The abstract state of one point of a program, and how it joins with another.

``moved``   place -> sites: the value there may have been given away at these sites.
``alias``   variable -> {(place of it, other place): certain}: both may be the same object.
``handles`` place -> ids of the moves whose handle it may be.
``views``   {(holder, viewed place)} -> position: the holder may be a zero-copy view of the place.
``funcs``   place -> functions that the value there may run (a closure, a generator over one).
``replaced`` parts of what is outside that hold something new for sure.

An alias relates places, not values, and is never closed transitively: with ``x = a or b`` and
``y = b or c``, x and c are never one object.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from ownarray._checker.places import (
    ANY,
    LONGEST,
    Place,
    Pos,
    Site,
    Star,
    Var,
    fill,
    match,
    starts_with,
)

Pair: TypeAlias = tuple[Place, Place]
Sites: TypeAlias = frozenset[Site]
Ids: TypeAlias = frozenset[object]
S = TypeVar("S")

MOST_PAIRS: Final = 160
"""Aliases kept for one variable: more would cost time and say nothing any more."""


class State:
    """What may be true at one point of a program."""

    __slots__ = ("alias", "funcs", "handles", "moved", "replaced", "views")

    def __init__(self) -> None:
        self.moved: dict[Place, Sites] = {}
        self.alias: dict[Var, dict[Pair, bool]] = {}
        self.handles: dict[Place, Ids] = {}
        self.views: dict[Pair, Pos] = {}
        self.funcs: dict[Place, Ids] = {}
        self.replaced: frozenset[Place] = frozenset()

    def copy(self) -> State:
        """Return a state that can be changed alone; inner mappings are replaced, never changed."""
        new = State()
        new.moved = self.moved.copy()
        new.alias = self.alias.copy()
        new.handles = self.handles.copy()
        new.views = self.views.copy()
        new.funcs = self.funcs.copy()
        new.replaced = self.replaced
        return new

    def join(self, other: State) -> bool:
        """Add what may be true in other; return whether anything is new."""
        changed = _join(self.moved, other.moved)
        changed = _join(self.handles, other.handles) or changed
        changed = _join(self.funcs, other.funcs) or changed
        if self.replaced != other.replaced and not self.replaced <= other.replaced:
            self.replaced &= other.replaced
            changed = True
        for loan, pos in other.views.items():
            if loan not in self.views:
                self.views[loan] = pos
                changed = True
        for var in self.alias.keys() | other.alias.keys():
            mine, his = self.alias.get(var, _NONE), other.alias.get(var, _NONE)
            if mine is his or mine == his:
                continue
            both = {pair: sure and his.get(pair, False) for pair, sure in mine.items()}
            for pair in his:
                both.setdefault(pair, False)
            if both != mine:
                self.alias[var] = both
                changed = True
        return changed

    # ------------------------------------------------------------------------------- questions
    def aliases(self, place: Place) -> dict[Place, bool]:
        """Return the other places that may hold the same object, and whether that is certain."""
        found: dict[Place, bool] = {}
        for (left, right), sure in self.alias.get(place[0], _NONE).items():
            if len(left) > len(place):
                continue
            if (hit := match(left, place)) is None:
                continue
            certain, star, has_star = hit
            other = fill(right, star) if has_star else right
            other = (*other, *place[len(left) :])
            if len(other) <= LONGEST and other != place:
                found[other] = found.get(other, False) or (sure and certain)
        return found

    def parts(self, place: Place) -> list[tuple[Place, Place, bool]]:
        """Return (part, other, certain) for the aliases of proper parts of the place."""
        found = []
        size = len(place)
        for (left, right), sure in self.alias.get(place[0], _NONE).items():
            if len(left) > size and (hit := match(left[:size], place)) is not None:
                certain, star, has_star = hit
                other = fill(right, star) if has_star else right
                found.append(((*place, *left[size:]), other, sure and certain))
        return found

    def deaths(self, place: Place, *, whole: bool) -> list[tuple[Place, Sites]]:
        """Return the dead places that a use of place touches: it lies in them, or they in it."""
        found = []
        var, size = place[0], len(place)
        for dead, sites in self.moved.items():
            if dead[0] != var:
                continue
            n = len(dead)
            if n <= size:
                if place[:n] == dead:
                    found.append((dead, sites))
            elif whole and dead[:size] == place:
                found.append((dead, sites))
        return found

    def handles_in(self, place: Place) -> list[Place]:
        """Return the place and its parts that may be handles, and dead ones of them."""
        return [q for q in self.handles if q[0] == place[0] and starts_with(q, place)]

    # ------------------------------------------------------------------------------- changes
    def other_holders(self, place: Place) -> set[Place]:
        """Return the other places that hold this object, but not this place by another name."""
        found: set[Place] = set()
        for left, right in self.alias.get(place[0], _NONE):
            if len(left) >= len(place) and (hit := match(left[: len(place)], place)) is not None:
                found.add(fill(right, hit[1]))
        return found - {place}

    def others(self, place: Place) -> set[Place]:
        """Return the other places that die with a place: its aliases, and those of its parts."""
        found = set(self.aliases(place))
        for _, other, _ in self.parts(place):
            found.add(fill(other, None))
            found.update(self.aliases(fill(other, None)))
        return found - {place}

    def give_away(self, place: Place, site: Site) -> None:
        """Mark the place, its aliases and what aliases parts of it as moved at the site."""
        sites = frozenset({site})
        for q in (place, *self.others(place)):
            self.moved[q] = self.moved[q] | sites if q in self.moved else sites

    def spend(self, place: Place, site: Site) -> None:
        """Mark a handle, all its names, as spent."""
        for q in (place, *self.aliases(place)):
            self.moved[q] = self.moved.get(q, frozenset()) | {site}

    def add_alias(self, left: Place, right: Place, *, certain: bool) -> None:
        """Record that two places may be one object."""
        if left == right or len(left) > LONGEST or len(right) > LONGEST:
            return
        for a, b in ((left, right), (right, left)):
            pairs = self.alias.get(a[0], _NONE)
            if len(pairs) < MOST_PAIRS:
                self.alias[a[0]] = {**pairs, (a, b): certain}

    def attach(self, target: Place, source: Place, *, certain: bool = True) -> None:
        """Let target, which nothing refers to yet or which is some part, hold source as well."""
        seen = self._seen_from(source, None)
        bases = self.aliases(target[:-1]) if len(target) > 1 else {}
        self._take_over(target, source, seen, certain=certain)
        for base, sure in bases.items():
            self._take_over((*base, target[-1]), source, seen, certain=certain and sure)

    def add_function(self, place: Place, key: object) -> None:
        """Let a place hold a function."""
        self.funcs[place] = self.funcs.get(place, frozenset()) | {key}

    def bind(self, var: Var, source: Place | None, *, unknown_part: bool = False) -> None:
        """Re-bind a variable to what a place holds, or to something new."""
        if source is None:
            self.kill_var(var)
            return
        seen = self._seen_from(source, var, unknown_part=unknown_part)
        if source[0] == var:
            if len(source) == 1:
                return
            self.kill_var(var)
            self._take_over((var,), None, seen, certain=True)
        else:
            self.kill_var(var)
            self._take_over((var,), source, seen, certain=True)

    def share_parts(self, target: Place, source: Place, without: frozenset[str]) -> None:
        """Let target be a shallow copy of source, but for some parts."""
        star: Place = (*source, Star(without))
        self.add_alias((*target, Star(without)), star, certain=True)
        for other in self.aliases(source):
            self.add_alias((*target, Star(without)), (*other, Star(without)), certain=False)
        n = len(source)
        for part, other, sure in self.parts(source):
            if isinstance(part[n], Star):
                self.add_alias((*target, *part[n:]), other, certain=False)
            elif part[n] not in without:
                self.add_alias((*target, *part[n:]), other, certain=sure)
        for table in self._tables():
            _copy_parts(table, target, source, without)

    def kill_var(self, var: Var) -> None:
        """Forget all about a variable: it holds something new."""
        for a, b in self.alias.pop(var, _NONE):
            pairs = self.alias.get(b[0])
            if pairs is not None and (b, a) in pairs:
                self.alias[b[0]] = {pair: sure for pair, sure in pairs.items() if pair != (b, a)}
        for table in self._tables():
            _forget_var(table, var)
        for loan in [loan for loan in self.views if loan[0][0] == var or loan[1][0] == var]:
            del self.views[loan]

    def kill(self, place: Place) -> None:
        """Forget all about a place: it holds something new."""
        if len(place) == 1:
            self.kill_var(place[0])
            return
        pairs = self.alias.get(place[0], _NONE)
        for a, b in list(pairs):
            if starts_with(a, place):
                self._drop_pair(a, b)
            elif len(a) >= len(place) and isinstance(a[len(place) - 1], Star):
                self._exclude(a, b, place)
        for table in self._tables():
            for q in [q for q in table if q[0] == place[0] and starts_with(q, place)]:
                del table[q]
        for loan in [x for x in self.views if starts_with(x[0], place) or starts_with(x[1], place)]:
            del self.views[loan]

    def store(self, place: Place, source: Place | None) -> None:
        """Put what source holds into a part; the same part by another name is replaced too."""
        seen = None if source is None else self._seen_from(source, None)
        bases = self.aliases(place[:-1])
        for base, certain in bases.items():
            same = (*base, place[-1])
            if certain:
                if same[0] < 0 and ANY not in same:
                    self.replaced |= {same}
                self.kill(same)
            elif same in self.moved:
                self._revive(same, place)
        self.kill(place)
        if seen is not None and source is not None:
            self._take_over(place, source, seen, certain=True)
            for base, certain in bases.items():
                self._take_over((*base, place[-1]), source, seen, certain=certain)

    def forget_index(self, steps: frozenset[str]) -> None:
        """Turn what these keys named into some unknown part: their variable changed."""
        for table in self._tables():
            _blur(table, steps)
        for var, pairs in self.alias.items():
            if any(s in steps for a, b in pairs for s in (*a[1:], *b[1:])):
                self.alias[var] = {
                    (_blurred(a, steps), _blurred(b, steps)): sure and (a, b) == _both(a, b, steps)
                    for (a, b), sure in pairs.items()
                }
        if any(s in steps for a, b in self.views for s in (*a[1:], *b[1:])):
            self.views = {_both(a, b, steps): pos for (a, b), pos in self.views.items()}

    # ------------------------------------------------------------------------------- helpers
    def _seen_from(
        self, source: Place, without: Var | None, *, unknown_part: bool = False
    ) -> _Seen:
        """Collect what is known of source, as (rest of the place, ...), before it changes."""
        n = len(source)
        vague = ANY in source and not unknown_part
        pairs: list[tuple[Place, Place, bool]] = []
        for other, sure in self.aliases(source).items():
            pairs.append(((), other, sure))
        for part, other, sure in self.parts(source):
            pairs.append((part[n:], other, sure))
        pairs = [p for p in pairs if p[1][0] != without]
        moved: list[tuple[Place, Sites]] = []
        for dead, sites in self.deaths(source, whole=True):
            if vague and len(dead) >= n and dead[:n] == source:
                continue  # another element than the one that died
            moved.append((tuple(dead[n:]), sites))
        handles = [(q[n:], ids) for q, ids in self.handles.items() if _within(q, source)]
        funcs = [(q[n:], ids) for q, ids in self.funcs.items() if _within(q, source)]
        held = [(h[n:], seen, pos) for (h, seen), pos in self.views.items() if _within(h, source)]
        viewed = []
        for (holder, seen), pos in self.views.items():
            if _within(seen, source):
                viewed.append((holder, seen[n:], pos))
            elif _within(source, seen):
                viewed.append((holder, (), pos))
        return _Seen(pairs, moved, handles, funcs, held, viewed)

    def _take_over(
        self, target: Place, source: Place | None, seen: _Seen, *, certain: bool
    ) -> None:
        """Let target hold what was seen of source."""
        if source is not None and source[0] != target[0]:
            self.add_alias(target, source, certain=certain and ANY not in source + target)
        for rest, other, sure in seen.pairs:
            if not (other[0] == target[0] and len(rest) == 0):
                self.add_alias((*target, *rest), other, certain=certain and sure)
        _add_all(self.moved, target, seen.moved)
        _add_all(self.handles, target, seen.handles)
        _add_all(self.funcs, target, seen.funcs)
        for rest, viewed, pos in seen.held:
            if len(target) + len(rest) <= LONGEST:
                self.views[(*target, *rest), viewed] = pos
        for holder, rest, pos in seen.viewed:
            if holder[0] != target[0] and len(target) + len(rest) <= LONGEST:
                self.views[holder, (*target, *rest)] = pos

    def _revive(self, place: Place, origin: Place) -> None:
        """Forget the moves of place that named origin: what died there is replaced there."""
        left = frozenset(site for site in self.moved[place] if site.origin != origin)
        if left:
            self.moved[place] = left
        else:
            del self.moved[place]

    def _tables(self) -> tuple[dict[Place, frozenset[Any]], ...]:
        """Return what is kept by place; the values differ in what they are sets of."""
        return self.moved, self.handles, self.funcs

    def _drop_pair(self, a: Place, b: Place) -> None:
        for left, right in ((a, b), (b, a)):
            pairs = self.alias.get(left[0])
            if pairs is not None and (left, right) in pairs:
                self.alias[left[0]] = {p: sure for p, sure in pairs.items() if p != (left, right)}

    def _exclude(self, a: Place, b: Place, place: Place) -> None:
        """Part of a shallow copy is replaced: from now on the copies differ there."""
        step = place[-1]
        star = a[len(place) - 1]
        if not isinstance(star, Star) or not isinstance(step, str) or step in star.without:
            return
        if match(a[: len(place) - 1], place[:-1]) is None or step == ANY:
            return
        sure = self.alias[a[0]].get((a, b), False)
        self._drop_pair(a, b)
        new = Star(star.without | {step})
        left = (a[0], *(new if isinstance(s, Star) else s for s in a[1:]))
        right = (b[0], *(new if isinstance(s, Star) else s for s in b[1:]))
        self.add_alias(left, right, certain=sure)


_NONE: Final[dict[Pair, bool]] = {}


class _Seen(NamedTuple):
    """What was known of a place before a change; places are rests from there."""

    pairs: list[tuple[Place, Place, bool]]
    moved: list[tuple[Place, Sites]]
    handles: list[tuple[Place, Ids]]
    funcs: list[tuple[Place, Ids]]
    held: list[tuple[Place, Place, Pos]]
    viewed: list[tuple[Place, Place, Pos]]


def _within(place: Place, outer: Place) -> bool:
    return place[0] == outer[0] and place[: len(outer)] == outer


def _join(mine: dict[Place, frozenset[S]], theirs: dict[Place, frozenset[S]]) -> bool:
    changed = False
    for key, new in theirs.items():
        old = mine.get(key)
        if old is None:
            mine[key] = new
            changed = True
        elif old is not new and not new <= old:
            mine[key] = old | new
            changed = True
    return changed


def _forget_var(table: dict[Place, frozenset[S]], var: Var) -> None:
    for q in [q for q in table if q[0] == var]:
        del table[q]


def _add_all(
    table: dict[Place, frozenset[S]], target: Place, entries: list[tuple[Place, frozenset[S]]]
) -> None:
    for rest, ids in entries:
        q = (*target, *rest)
        if len(q) <= LONGEST:
            table[q] = table.get(q, frozenset()) | ids


def _copy_parts(
    table: dict[Place, frozenset[S]], target: Place, source: Place, without: frozenset[str]
) -> None:
    n = len(source)
    for q, ids in list(table.items()):
        if _within(q, source) and n < len(q) <= LONGEST and q[n] not in without:
            new = (*target, *q[n:])
            table[new] = table.get(new, frozenset()) | ids


def _blurred(place: Place, steps: frozenset[str]) -> Place:
    return (place[0], *(ANY if s in steps else s for s in place[1:]))


def _both(a: Place, b: Place, steps: frozenset[str]) -> Pair:
    return _blurred(a, steps), _blurred(b, steps)


def _blur(table: dict[Place, frozenset[S]], steps: frozenset[str]) -> None:
    for q in [q for q in table if any(s in steps for s in q[1:])]:
        new = _blurred(q, steps)
        table[new] = table.get(new, frozenset()) | table.pop(q)
