"""The abstract state of one point of a program, and how it joins with another.

``moved``   place -> sites: the value there may have been given away at these sites.
``alias``   variable -> {(place of it, other place): how sure}: both may be the same object.
``handles`` place -> ids of the moves whose handle it may be.
``views``   {(holder, viewed place)} -> position: the holder may be a zero-copy view of the place.
``funcs``   place -> functions that the value there may run (a closure, a generator over one).
``twins``   items of a container -> TWIN: two of them may be one object.
``sizes``   list -> how many items it has, where that is known.
``replaced`` parts of what is outside that hold something new for sure.

An alias relates places, not values, and is never closed transitively: with ``x = a or b`` and
``y = b or c``, x and c are never one object.
"""

from __future__ import annotations

from typing import Any, Final, Self

from ownarray._checker import tables
from ownarray._checker.places import (
    ANY,
    GUESS,
    HELD,
    ITEMS,
    LONGEST,
    MAY,
    SURE,
    Place,
    Pos,
    Star,
    Step,
    Var,
    bounds,
    covers,
    fill,
    has_star,
    is_index,
    is_vague,
    match,
    starts_with,
)
from ownarray._checker.tables import TWIN, Ids, Pair, Sites

MOST_PAIRS: Final = 160
"""Aliases kept for one variable: more would cost time and say nothing any more."""


class Facts:
    """What may be true at one point of a program, and what follows from it."""

    __slots__ = (
        "alias",
        "funcs",
        "handles",
        "moved",
        "replaced",
        "sizes",
        "twins",
        "views",
    )

    def __init__(self) -> None:
        self.moved: dict[Place, Sites] = {}
        self.alias: dict[Var, dict[Pair, int]] = {}
        self.handles: dict[Place, Ids] = {}
        self.views: dict[Pair, Pos] = {}
        self.funcs: dict[Place, Ids] = {}
        self.twins: dict[Place, frozenset[Any]] = {}
        self.sizes: dict[Place, int] = {}
        self.replaced: frozenset[Place] = frozenset()

    def copy(self) -> Self:
        """Return a state that can be changed alone; inner mappings are replaced, never changed."""
        new = type(self).__new__(type(self))
        new.moved = self.moved.copy()
        new.alias = self.alias.copy()
        new.handles = self.handles.copy()
        new.views = self.views.copy()
        new.funcs = self.funcs.copy()
        new.twins = self.twins.copy()
        new.sizes = self.sizes.copy()
        new.replaced = self.replaced
        return new

    def join(self, other: Self) -> bool:
        """Add what may be true in other; return whether anything is new."""
        changed = False
        for mine, theirs in zip(self._tables(), other._tables(), strict=True):
            if theirs and tables.join(mine, theirs):
                changed = True
        if self.sizes:
            for place in [p for p, n in self.sizes.items() if other.sizes.get(p) != n]:
                del self.sizes[place]
                changed = True
        if self.replaced != other.replaced and not self.replaced <= other.replaced:
            self.replaced &= other.replaced
            changed = True
        for loan, pos in other.views.items():
            if loan not in self.views:
                self.views[loan] = pos
                changed = True
        return self._join_aliases(other.alias) or changed

    def _join_aliases(self, others: dict[Var, dict[Pair, int]]) -> bool:
        changed = False
        for var, his in others.items():
            mine = self.alias.get(var, tables.NO_PAIRS)
            if mine is his or mine == his:
                continue
            both = {pair: _either(level, his.get(pair)) for pair, level in mine.items()}
            for pair, level in his.items():
                if pair not in mine:
                    both[pair] = _either(level, None)
            if both != mine:
                self.alias[var] = both
                changed = True
        for var, mine in self.alias.items():
            if var not in others and SURE in mine.values():
                self.alias[var] = {pair: _either(level, None) for pair, level in mine.items()}
                changed = True
        return changed

    def aliases(self, place: Place) -> dict[Place, int]:
        """Return the other places that may hold the same object, and how sure that is."""
        found: dict[Place, int] = {}
        for (left, right), level in self.alias.get(place[0], tables.NO_PAIRS).items():
            if len(left) > len(place):
                continue
            if (hit := match(left, place)) is None:
                continue
            sure, star, starred = hit
            other = fill(right, star) if starred else right
            other = (*other, *place[len(left) :])
            if len(other) <= LONGEST and other != place:
                found[other] = max(found.get(other, GUESS), min(level, sure))
        return found

    def parts(self, place: Place) -> list[tables.Held]:
        """Return (part, other, how sure) for the aliases of proper parts of the place."""
        found = []
        size = len(place)
        for (left, right), level in self.alias.get(place[0], tables.NO_PAIRS).items():
            if len(left) > size and (hit := match(left[:size], place)) is not None:
                sure, star, starred = hit
                other = fill(right, star) if starred else right
                found.append(((*place, *left[size:]), other, min(level, sure)))
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
                start = place[:n]
                if start == dead or covers(dead, start) or covers(start, dead):
                    found.append((dead, sites))
            elif whole:
                start = dead[:size]
                if start == place or covers(place, start) or covers(start, place):
                    found.append((dead, sites))
        return found

    def handles_in(self, place: Place) -> list[Place]:
        """Return the place and its parts that may be handles, and dead ones of them."""
        return [q for q in self.handles if q[0] == place[0] and starts_with(q, place)]

    def other_holders(self, place: Place) -> set[Place]:
        """Return the other places that hold this object, but not this place by another name."""
        found: set[Place] = set()
        for left, right in self.alias.get(place[0], tables.NO_PAIRS):
            if len(left) >= len(place) and (hit := match(left[: len(place)], place)) is not None:
                found.add(fill(right, hit[1]))
        return found - {place}

    def others(self, place: Place) -> set[Place]:
        """Return the other places that die with a place: its aliases, and those of its parts."""
        found = set(self.aliases(place))
        for _, other, _ in self.parts(place):
            found.add(other)
            if not has_star(other) and not is_vague(
                other
            ):  # else what it may be is not what any of them may be
                found.update(self.aliases(other))
        return found - {place}

    def add_alias(self, left: Place, right: Place, level: int) -> None:
        """Record that two places may be one object, and how sure that is."""
        if left == right or len(left) > LONGEST or len(right) > LONGEST:
            return
        for a, b in ((left, right), (right, left)):
            pairs = self.alias.get(a[0], tables.NO_PAIRS)
            if len(pairs) < MOST_PAIRS and (level or (a, b) not in pairs):
                self.alias[a[0]] = {**pairs, (a, b): level}

    def kill_var(self, var: Var) -> None:
        """Forget all about a variable: it holds something new."""
        for a, b in self.alias.pop(var, tables.NO_PAIRS):
            pairs = self.alias.get(b[0])
            if pairs is not None and (b, a) in pairs:
                self.alias[b[0]] = {pair: sure for pair, sure in pairs.items() if pair != (b, a)}
        for table in (self.moved, self.handles, self.funcs, self.twins, self.sizes):
            if table:
                for q in [q for q in table if q[0] == var]:
                    del table[q]
        if self.views:
            for loan in [loan for loan in self.views if loan[0][0] == var or loan[1][0] == var]:
                del self.views[loan]

    def kill(self, place: Place) -> None:
        """Forget all about a place: it holds something new."""
        if len(place) == 1:
            self.kill_var(place[0])
            return
        pairs = self.alias.get(place[0], tables.NO_PAIRS)
        for a, b in list(pairs):
            if starts_with(a, place):
                self._drop_pair(a, b)
            elif len(a) >= len(place) and isinstance(a[len(place) - 1], Star):
                self._exclude(a, b, place)
        for table in self._tables():
            for q in [q for q in table if q[0] == place[0] and starts_with(q, place)]:
                del table[q]
        self._exclude_dead(place)
        if self.sizes:
            for q in [q for q in self.sizes if starts_with(q, place)]:
                del self.sizes[q]
        for loan in [x for x in self.views if starts_with(x[0], place) or starts_with(x[1], place)]:
            del self.views[loan]

    def let_go(self, var: Var) -> None:
        """Forget what a variable's parts hold only until they have run."""
        for a, b in list(self.alias.get(var, tables.NO_PAIRS)):
            if HELD in a:
                self._drop_pair(a, b)
        for table in self._tables():
            for q in [q for q in table if q[0] == var and HELD in q]:
                del table[q]

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
        if match(a[: len(place) - 1], place[:-1]) is None or step in {ANY, ITEMS}:
            return
        level = self.alias[a[0]].get((a, b), GUESS)
        self._drop_pair(a, b)
        new = Star(star.without | {step})
        left = (a[0], *(new if isinstance(s, Star) else s for s in a[1:]))
        right = (b[0], *(new if isinstance(s, Star) else s for s in b[1:]))
        self.add_alias(left, right, level)

    def _exclude_dead(self, place: Place) -> None:
        """Part of what is dead in all its parts is replaced."""
        n, step = len(place) - 1, place[-1]
        if step in {ANY, ITEMS} or isinstance(step, Star):
            return
        for q in [q for q in self.moved if len(q) > n and q[:n] == place[:n]]:
            star: object = q[n]
            if isinstance(star, Star) and step not in star.without:
                left = (*q[:n], Star(star.without | {step}), *q[n + 1 :])
                self.moved[left] = self.moved.get(left, tables.NOBODY) | self.moved.pop(q)

    def _tables(self) -> tuple[dict[Place, frozenset[Any]], ...]:
        """Return what is kept by place; the values differ in what they are sets of."""
        return self.moved, self.handles, self.funcs, self.twins

    def is_twin(self, place: Place) -> bool:
        """Return whether some other item of a container may be one object with this one."""
        for i in range(1, len(place)):
            if place[i] in {ANY, ITEMS} or bounds(place[i]) is not None:
                if TWIN in self.twins.get((*place[:i], ITEMS), ()):
                    return True
                if any(
                    level and tables.beside(b, a, i + 1)
                    for (a, b), level in self.alias.get(place[0], tables.NO_PAIRS).items()
                ):
                    return True
        return False

    def twins_in(self, place: Place) -> tuple[Place, Place] | None:
        """Return two parts of a place that may be one object, as steps from its variable."""
        n = len(place)
        for (left, right), level in self.alias.get(place[0], tables.NO_PAIRS).items():
            if level and len(left) > n < len(right) and left[:n] == right[:n] == place:
                star = any(isinstance(s, Star) and s.without for s in left)
                if left != right and not star:
                    one, two = sorted((left[1:], right[1:]), key=str)
                    return one, two
        for q, into in self.twins.items():
            if TWIN in into and len(q) > n and q[:n] == place:
                return q[1:], q[1:]
        return None

    def twins_of(self, place: Place) -> list[Place]:
        """Return the items that may be one object with an item that the place is or lies in."""
        return [
            (*place[:i], ITEMS, *place[i + 1 :])
            for i in range(1, len(place))
            if is_index(place[i]) and TWIN in self.twins.get((*place[:i], ITEMS), ())
        ]

    def same_items(self, item: Place) -> None:
        """Note that two items of a container may be one object."""
        for base in (item[:-1], *self.aliases(item[:-1])):
            q = (*base, ITEMS)
            self.twins[q] = self.twins.get(q, tables.NOBODY) | {TWIN}

    def forget_index(self, steps: frozenset[str], into: str = ANY) -> None:
        """Turn what these keys named into some unknown part: their variable changed."""
        for table in self._tables():
            tables.blur(table, steps, into)
        for var, pairs in self.alias.items():
            if any(s in steps for a, b in pairs for s in (*a[1:], *b[1:])):
                changed: dict[Pair, int] = {}
                for (a, b), level in pairs.items():
                    if level and tables.beside(b, a, len(a)) and (a[-1] in steps or b[-1] in steps):
                        self.same_items(a)
                    new = tables.both(a, b, steps, into)
                    level = level if new == (a, b) else min(level, MAY)
                    changed[new] = max(changed.get(new, GUESS), level)
                self.alias[var] = changed
        if any(s in steps for a, b in self.views for s in (*a[1:], *b[1:])):
            self.views = {tables.both(a, b, steps, into): pos for (a, b), pos in self.views.items()}

    def each_key(self, steps: frozenset[str]) -> None:
        """Let what is known of these keys hold for each item: they have meant every one of them."""
        for var, pairs in self.alias.items():
            if any(s in steps for a, b in pairs for s in (*a[1:], *b[1:])):
                self.alias[var] = {
                    _for_each(a, b, steps): level if level != SURE else MAY
                    for (a, b), level in pairs.items()
                }
        for q in [q for q in self.moved if any(s in steps for s in q[1:])]:
            new = (q[0], *(ITEMS if s in steps else s for s in q[1:]))
            self.moved[new] = self.moved.get(new, tables.NOBODY) | self.moved.pop(q)


def _either(one: int, two: int | None) -> int:
    """Return how sure an alias is where two ways meet; on one of them there may be none."""
    return SURE if one == two == SURE else min(max(one, two or GUESS), MAY)


def _for_each(one: Place, two: Place, steps: frozenset[str]) -> Pair:
    """Return places that are one object for one key as those that are for each key."""
    mine, others = ([s for s in place[1:] if s in steps] for place in (one, two))
    into: Step = Star(frozenset()) if len(mine) == 1 and mine == others else ITEMS
    left = (one[0], *(into if s in steps else s for s in one[1:]))
    return left, (two[0], *(into if s in steps else s for s in two[1:]))
