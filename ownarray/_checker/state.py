"""The abstract state of one point of a program, and how it joins with another.

``moved``   place -> sites: the value there may have been given away at these sites.
``alias``   variable -> {(place of it, other place): certain}: both may be the same object.
``handles`` place -> ids of the moves whose handle it may be.
``views``   {(holder, viewed place)} -> position: the holder may be a zero-copy view of the place.
``funcs``   place -> functions that the value there may run (a closure, a generator over one).
``put``     place -> items that its object was put into as; TWIN where two items may be one object.
``sizes``   list -> how many items it has, where that is known.
``replaced`` parts of what is outside that hold something new for sure.

An alias relates places, not values, and is never closed transitively: with ``x = a or b`` and
``y = b or c``, x and c are never one object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from ownarray._checker.places import (
    ANY,
    ITEMS,
    LONGEST,
    Place,
    Pos,
    Site,
    Star,
    Var,
    covers,
    covers_start,
    fill,
    is_index,
    is_vague,
    match,
    number,
    starts_with,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

Pair: TypeAlias = tuple[Place, Place]
Sites: TypeAlias = frozenset[Site]
Ids: TypeAlias = frozenset[object]
S = TypeVar("S")

TWIN: Final = "twin"
MOST_PAIRS: Final = 160
"""Aliases kept for one variable: more would cost time and say nothing any more."""


class State:
    """What may be true at one point of a program."""

    __slots__ = ("alias", "funcs", "handles", "moved", "put", "replaced", "sizes", "views")

    def __init__(self) -> None:
        self.moved: dict[Place, Sites] = {}
        self.alias: dict[Var, dict[Pair, bool]] = {}
        self.handles: dict[Place, Ids] = {}
        self.views: dict[Pair, Pos] = {}
        self.funcs: dict[Place, Ids] = {}
        self.put: dict[Place, frozenset[Any]] = {}
        self.sizes: dict[Place, int] = {}
        self.replaced: frozenset[Place] = frozenset()

    def copy(self) -> State:
        """Return a state that can be changed alone; inner mappings are replaced, never changed."""
        new = State()
        new.moved = self.moved.copy()
        new.alias = self.alias.copy()
        new.handles = self.handles.copy()
        new.views = self.views.copy()
        new.funcs = self.funcs.copy()
        new.put = self.put.copy()
        new.sizes = self.sizes.copy()
        new.replaced = self.replaced
        return new

    def join(self, other: State) -> bool:
        """Add what may be true in other; return whether anything is new."""
        changed = _join(self.moved, other.moved)
        changed = _join(self.handles, other.handles) or changed
        changed = _join(self.funcs, other.funcs) or changed
        changed = _join(self.put, other.put) or changed
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
                start = place[:n]
                if start == dead or covers(dead, start) or covers(start, dead):
                    found.append((dead, sites))
            elif whole and (dead[:size] == place or covers(place, dead[:size])):
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
        self._kill_all((place, *self.others(place)), site)

    def give_away_items(self, items: Place, site: Site) -> None:
        """Mark what aliases single items as moved: each of them is, in some round of a loop."""
        n = len(items)
        holders = [
            right
            for left, right in self.alias.get(items[0], _NONE)
            if covers_start(items, left) and not any(isinstance(s, Star) for s in left[:n])
        ]
        self._kill_all([*holders, items] if self.is_twin(items) else holders, site)

    def _kill_all(self, places: Iterable[Place], site: Site) -> None:
        sites = frozenset({site})
        for q in places:
            self.moved[q] = self.moved[q] | sites if q in self.moved else sites
            if self.put:
                for twin in self._twins_of(q):
                    self.moved[twin] = self.moved.get(twin, _NOBODY) | sites

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
        if source[-1] == target[-1] == ITEMS and source in self.moved:
            seen.moved.append(((), self.moved[source]))  # all of them, also those that died
        bases = self.aliases(target[:-1]) if len(target) > 1 else {}
        self._put_in(target, source, seen, certain=certain)
        for base, sure in bases.items():
            self._put_in((*base, target[-1]), source, seen, certain=certain and sure)

    def append(self, place: Place, source: Place | None) -> None:
        """Add an item at the end of a list; ``source`` is None if it is new."""
        size = self.sizes.get(place)
        if size is None and source is not None:
            self.attach((*place, ITEMS), source, certain=False)
        elif source is not None:
            self.attach((*place, f"[{size}]"), source)
        self.resize(place, 1)
        self.shift(place, None, 1)

    def pop(self, var: Var, place: Place) -> None:
        """Bind a variable to the last item of a list, which leaves it."""
        size = self.sizes.get(place)
        bases = [place, *self.aliases(place)]
        if size:
            last: Place = (*place, f"[{size - 1}]")
            self.bind(var, last)
            gone = [last]
        else:
            seen = self._seen_from((*place, ITEMS), var, unknown_part=True)
            inside = [p for p in seen.pairs if any(_lies_in(p[1], base) for base in bases)]
            seen = seen._replace(pairs=[p for p in seen.pairs if p not in inside])
            self.kill_var(var)
            self._take_over((var,), None, seen, certain=False)
            gone = [(*place, "[-1]")]
        for base in bases:
            for item in gone:
                self.kill((*base, item[-1]))
            for step in (ANY, ITEMS):  # what died in there may be what has left
                for table in (self.moved, self.handles):
                    for q in [q for q in table if starts_with(q, (*base, step))]:
                        del table[q]
        self.resize(place, -1)
        self.shift(place, None, -1)

    def clear(self, place: Place) -> None:
        """Forget the items of a container: they are gone."""
        for base, sure in ((place, True), *self.aliases(place).items()):
            if sure:
                items = {q for table in self._tables() for q in table if _lies_in(q, base)}
                items |= {a for a, _ in self.alias.get(base[0], _NONE) if _lies_in(a, base)}
                for item in items:
                    self.kill(item)
        self.resize(place, None)

    def resize(self, place: Place, by: int | None) -> None:
        """Let a list have some more items, or any number of them, by whatever name."""
        size = self.sizes.get(place)
        for q, sure in ((place, True), *self.aliases(place).items()):
            self.sizes.pop(q, None)
            if sure and size is not None and by is not None:
                self.sizes[q] = size + by

    def shift(self, place: Place, at: int | None, by: int) -> None:
        """Change the keys of a list's items: from ``at`` on, or those that count from the end."""
        for q in (place, *self.aliases(place)):
            self._rename(q, at, by)

    def same_items(self, item: Place) -> None:
        """Note that two items of a container may be one object."""
        for base in (item[:-1], *self.aliases(item[:-1])):
            q = (*base, ITEMS)
            self.put[q] = self.put.get(q, _NOBODY) | {TWIN}

    def normal(self, place: Place) -> Place:
        """Return a place with keys counted from the start, where sizes are known."""
        for i in range(1, len(place)):
            value = number(place[i])
            if value is not None and value < 0 and (size := self.sizes.get(place[:i])) is not None:
                place = (*place[:i], f"[{value + size}]", *place[i + 1 :])
        return place

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
            if is_index(source[-1]) and not is_vague(source):
                self.put[var,] = self.put.get((var,), _NOBODY) | {source}

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
        if self.sizes:
            for place in [p for p in self.sizes if p[0] == var]:
                del self.sizes[place]
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
        if self.sizes:
            for q in [q for q in self.sizes if starts_with(q, place)]:
                del self.sizes[q]
        for loan in [x for x in self.views if starts_with(x[0], place) or starts_with(x[1], place)]:
            del self.views[loan]

    def store(self, place: Place, source: Place | None) -> None:
        """Put what source holds into a part; the same part by another name is replaced too."""
        seen = None if source is None else self._seen_from(source, None)
        bases = self.aliases(place[:-1])
        for base, certain in bases.items():
            same = (*base, place[-1])
            if certain:
                if same[0] < 0 and not is_vague(same):
                    self.replaced |= {same}
                self.kill(same)
            elif same in self.moved:
                self._revive(same, place)
        self.kill(place)
        if seen is not None and source is not None:
            self._put_in(place, source, seen, certain=True)
            for base, certain in bases.items():
                self._put_in((*base, place[-1]), source, seen, certain=certain)

    def forget_index(self, steps: frozenset[str], into: str = ANY) -> None:
        """Turn what these keys named into some unknown part: their variable changed."""
        for table in self._tables():
            _blur(table, steps, into)
        for var, pairs in self.alias.items():
            if any(s in steps for a, b in pairs for s in (*a[1:], *b[1:])):
                for a, b in pairs:
                    if _beside(b, a, len(a)) and (a[-1] in steps or b[-1] in steps):
                        self.same_items(a)
                self.alias[var] = {
                    (_blurred(a, steps, into), _blurred(b, steps, into)): sure
                    and (a, b) == _both(a, b, steps, into)
                    for (a, b), sure in pairs.items()
                }
        for q, items in self.put.items():
            if any(s in steps for item in items for s in item[1:]):
                self.put[q] = frozenset(i if i == TWIN else _blurred(i, steps, into) for i in items)
        if any(s in steps for a, b in self.views for s in (*a[1:], *b[1:])):
            self.views = {_both(a, b, steps, into): pos for (a, b), pos in self.views.items()}

    def each_key(self, steps: frozenset[str]) -> None:
        """Let what died under these keys be any item: they have meant every one of them."""
        for q in [q for q in self.moved if any(s in steps for s in q[1:])]:
            new = (q[0], *(ITEMS if s in steps else s for s in q[1:]))
            self.moved[new] = self.moved.get(new, _NOBODY) | self.moved.pop(q)

    def inherit(self, place: Place, source: Place) -> None:
        """Let a place be dead where what it comes from was dead before."""
        if self.moved:
            n = len(source)
            for dead, sites in self.deaths(source, whole=True):
                q = (*place, *dead[n:])
                if len(q) <= LONGEST:
                    self.moved[q] = self.moved.get(q, _NOBODY) | sites

    # ------------------------------------------------------------------------------- helpers
    def _seen_from(
        self, source: Place, without: Var | None, *, unknown_part: bool = False
    ) -> _Seen:
        """Collect what is known of source, as (rest of the place, ...), before it changes."""
        n = len(source)
        vague = is_vague(source) and not unknown_part and not self.is_twin(source)
        pairs: list[tuple[Place, Place, bool]] = []
        for other, sure in self.aliases(source).items():
            pairs.append(((), other, sure))
        for part, other, sure in self.parts(source):
            pairs.append((part[n:], other, sure))
        inner = [(rest, q[n:], sure) for rest, q, sure in pairs if len(q) > n and q[:n] == source]
        pairs = [p for p in pairs if p[1][0] != without]
        moved: list[tuple[Place, Sites]] = []
        for dead, sites in self.deaths(source, whole=True):
            if vague and len(dead) >= n and dead[:n] == source:
                continue  # another element than the one that died
            moved.append((tuple(dead[n:]), sites))
        if unknown_part and is_vague(source):
            moved += [
                (tuple(dead[n:]), sites)
                for dead, sites in self.moved.items()
                if len(dead) >= n
                and dead[: n - 1] == source[: n - 1]
                and number(dead[n - 1]) is not None
            ]
        handles = [(q[n:], ids) for q, ids in self.handles.items() if _within(q, source)]
        funcs = [(q[n:], ids) for q, ids in self.funcs.items() if _within(q, source)]
        put = [(q[n:], ids) for q, ids in self.put.items() if _within(q, source)]
        if is_vague(source):
            put = [entry for entry in put if entry[0]]  # each time it is another item
        held = [(h[n:], seen, pos) for (h, seen), pos in self.views.items() if _within(h, source)]
        known_as = [
            (q, item[n:])
            for q, items in self.put.items()
            for item in items
            if item != TWIN and len(item) > n and item[:n] == source
        ]
        viewed = []
        for (holder, seen), pos in self.views.items():
            if covers_start(source, seen):
                viewed.append((holder, seen[n:], pos))
            elif _within(source, seen):
                viewed.append((holder, (), pos))
        return _Seen(pairs, inner, moved, handles, funcs, put, known_as, held, viewed)

    def _take_over(  # noqa: C901  (one branch for each kind)
        self, target: Place, source: Place | None, seen: _Seen, *, certain: bool
    ) -> None:
        """Let target hold what was seen of source."""
        if source is not None and not _nested(source, target):
            vague = is_vague(source) or is_vague(target)
            self.add_alias(target, source, certain=certain and not vague)
        for rest, other, sure in seen.pairs:
            if rest or not _nested(other, target):
                self.add_alias((*target, *rest), other, certain=certain and sure)
        for one, two, sure in seen.inner:
            self.add_alias((*target, *one), (*target, *two), certain=certain and sure)
        _add_all(self.moved, target, seen.moved)
        _add_all(self.handles, target, seen.handles)
        _add_all(self.funcs, target, seen.funcs)
        _add_all(self.put, target, seen.put)
        for q, rest in seen.known_as:
            if q[0] != target[0] and q in self.put:
                self.put[q] |= {(*target, *rest)}
        for rest, viewed, pos in seen.held:
            if len(target) + len(rest) <= LONGEST:
                self.views[(*target, *rest), viewed] = pos
        for holder, rest, pos in seen.viewed:
            if holder[0] != target[0] and len(target) + len(rest) <= LONGEST:
                self.views[holder, (*target, *rest)] = pos

    def _put_in(self, target: Place, source: Place, seen: _Seen, *, certain: bool) -> None:
        """Let a part hold what was seen of source; note items that may be one object by it.

        What came out of a container may be what went into another one in an earlier round, but
        each round it is another item: only what was put in by the same name is the same twice.
        """
        if is_index(target[-1]):
            n = len(target)
            earlier = self._put_before(target, source)
            if any(is_vague(item) for item in (target, *earlier)):
                self.same_items(target) if earlier else None
            if not earlier:
                pairs = [p for p in seen.pairs if not _beside(p[1], target, n)]
                seen = seen._replace(pairs=pairs)
            names = [source]
            if is_vague(source):
                names = self._put_into(source) if source[-1] == target[-1] == ITEMS else []
                names += [source] if names or source[-1] == target[-1] == ITEMS else []
            for q in names:
                self.put[q] = self.put.get(q, _NOBODY) | {target}
        self._take_over(target, source, seen, certain=certain)

    def _put_before(self, target: Place, source: Place) -> list[Place]:
        """Return the other items of the same container that this object was put in as before."""
        if _beside(source, target, len(target)):
            return [source]
        vague = is_vague(source)
        if vague and (source[-1] != ITEMS or target[-1] != ITEMS):
            return []
        found: list[Place] = []
        if vague:  # all items of one container are put into another
            names = [q for q, sure in self.aliases(source).items() if sure]
            found = [q for q in names if _beside(q, target, len(target))]
            names += self._put_into(source)
        else:
            names = [q for q in self.aliases(source) if not is_vague(q)]
        return found + [
            item
            for q in (source, *names)
            for item in self.put.get(q, ())
            if isinstance(item, tuple)
            and _beside(item, target, len(target))
            and item in self.aliases(q)
        ]

    def _put_into(self, items: Place) -> list[Place]:
        """Return the places whose objects were put into a container as one of these items."""
        return [
            q
            for q, into in self.put.items()
            if any(item != TWIN and covers_start(items, item) for item in into)
        ]

    def twins_in(self, place: Place) -> tuple[Place, Place] | None:
        """Return two parts of a place that may be one object, as steps from its variable."""
        n = len(place)
        for left, right in self.alias.get(place[0], _NONE):
            if len(left) > n and len(right) > n and left[:n] == place and right[:n] == place:
                star = any(isinstance(s, Star) and s.without for s in left)
                if left != right and not star:
                    one, two = sorted((left[1:], right[1:]), key=str)
                    return one, two
        for q, into in self.put.items():
            if TWIN in into and len(q) > n and q[:n] == place:
                return q[1:], q[1:]
        return None

    def is_twin(self, place: Place) -> bool:
        """Return whether some other item of a container may be one object with this one."""
        for i in range(1, len(place)):
            if place[i] in {ANY, ITEMS}:
                if TWIN in self.put.get((*place[:i], ITEMS), ()):
                    return True
                if any(_beside(b, a, i + 1) for a, b in self.alias.get(place[0], _NONE)):
                    return True
        return False

    def _twins_of(self, place: Place) -> list[Place]:
        """Return the items that may be one object with an item that the place is or lies in."""
        return [
            (*place[:i], ITEMS, *place[i + 1 :])
            for i in range(1, len(place))
            if is_index(place[i]) and TWIN in self.put.get((*place[:i], ITEMS), ())
        ]

    def _rename(self, base: Place, at: int | None, by: int) -> None:  # noqa: C901  (one branch for each kind)
        """Change keys of the items of one container."""
        n = len(base)

        def renamed(place: Place, unknown: str) -> Place:
            if len(place) <= n or place[:n] != base or not is_index(place[n]):
                return place
            value = number(place[n])
            if value is None:
                step = unknown if at is not None else place[n]
            elif at is None:  # the end moved
                step = place[n] if value >= 0 else f"[{value - by}]" if by else unknown
            elif value < 0 or at < 0 or by == 0:
                step = unknown
            else:
                step = f"[{value + by}]" if value >= at else place[n]
            if step != place[n] and value is not None and abs(value) > _FAR:
                step = unknown  # a loop would go on for ever
            return (*base, step, *place[n + 1 :])

        for table in self._tables():
            for q in [q for q in table if q[0] == base[0]]:
                new = renamed(q, ANY)
                if new != q:
                    table[new] = table.get(new, _NOBODY) | table.pop(q)
        for q, items in self.put.items():
            if any(len(i) > n and i[:n] == base for i in items):
                self.put[q] = frozenset(i if i == TWIN else renamed(i, ANY) for i in items)
        var = base[0]
        for a, b in list(self.alias.get(var, _NONE)):
            left, right = renamed(a, ITEMS), renamed(b, ITEMS)
            if (left, right) != (a, b):
                sure = self.alias[var].get((a, b), False)
                self._drop_pair(a, b)
                self.add_alias(left, right, certain=sure and not is_vague(left))
        if any(x[0][0] == var or x[1][0] == var for x in self.views):
            self.views = {
                (renamed(a, ITEMS), renamed(b, ITEMS)): pos for (a, b), pos in self.views.items()
            }

    def _revive(self, place: Place, origin: Place) -> None:
        """Forget the moves of place that named origin: what died there is replaced there."""
        left = frozenset(site for site in self.moved[place] if site.origin != origin)
        if left:
            self.moved[place] = left
        else:
            del self.moved[place]

    def _tables(self) -> tuple[dict[Place, frozenset[Any]], ...]:
        """Return what is kept by place; the values differ in what they are sets of."""
        return self.moved, self.handles, self.funcs, self.put

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
        sure = self.alias[a[0]].get((a, b), False)
        self._drop_pair(a, b)
        new = Star(star.without | {step})
        left = (a[0], *(new if isinstance(s, Star) else s for s in a[1:]))
        right = (b[0], *(new if isinstance(s, Star) else s for s in b[1:]))
        self.add_alias(left, right, certain=sure)


_FAR: Final = 8
_NONE: Final[dict[Pair, bool]] = {}
_NOBODY: Final[frozenset[Any]] = frozenset()


class _Seen(NamedTuple):
    """What was known of a place before a change; places are rests from there."""

    pairs: list[tuple[Place, Place, bool]]
    inner: list[tuple[Place, Place, bool]]
    """Pairs of parts of the place."""
    moved: list[tuple[Place, Sites]]
    handles: list[tuple[Place, Ids]]
    funcs: list[tuple[Place, Ids]]
    put: list[tuple[Place, frozenset[Any]]]
    known_as: list[tuple[Place, Place]]
    """Places whose objects were put into parts of the place."""
    held: list[tuple[Place, Place, Pos]]
    viewed: list[tuple[Place, Place, Pos]]


def _lies_in(place: Place, base: Place) -> bool:
    n = len(base)
    return len(place) > n and place[:n] == base and is_index(place[n])


def _beside(place: Place, item: Place, n: int) -> bool:
    """Return whether a place is another item of the container than this one, or may be."""
    return (
        len(place) == n
        and place[:-1] == item[:-1]
        and is_index(place[-1])
        and (place != item or item[-1] == ITEMS)
    )


def _nested(one: Place, two: Place) -> bool:
    """Return whether one place lies in the other one, or they are the same."""
    return one[0] == two[0] and (starts_with(one, two) or starts_with(two, one))


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


def _blurred(place: Place, steps: frozenset[str], into: str) -> Place:
    return (place[0], *(into if s in steps else s for s in place[1:]))


def _both(a: Place, b: Place, steps: frozenset[str], into: str) -> Pair:
    return _blurred(a, steps, into), _blurred(b, steps, into)


def _blur(table: dict[Place, frozenset[S]], steps: frozenset[str], into: str) -> None:
    for q in [q for q in table if any(s in steps for s in q[1:])]:
        new = _blurred(q, steps, into)
        table[new] = table.get(new, frozenset()) | table.pop(q)
