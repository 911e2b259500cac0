"""How what is known of a place goes over to another one that gets its object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ownarray._checker import tables
from ownarray._checker.facts import Facts
from ownarray._checker.places import (
    ANY,
    ITEMS,
    LONGEST,
    Place,
    Star,
    Var,
    bounds,
    covers,
    covers_start,
    is_index,
    is_vague,
)
from ownarray._checker.tables import TWIN, Sites

if TYPE_CHECKING:
    from collections.abc import Iterable


class Transfers(Facts):
    """Facts, and what binding and storing do to them."""

    __slots__ = ()

    def attach(self, target: Place, source: Place, *, certain: bool = True) -> None:
        """Let target, which nothing refers to yet or which is some part, hold source as well."""
        seen = self._seen_from(source, None)
        if source[-1] == target[-1] == ITEMS and source in self.moved:
            seen.moved.append(((), self.moved[source]))  # all of them, also those that died
        bases = self.aliases(target[:-1]) if len(target) > 1 else {}
        self._put_in(target, source, seen, certain=certain)
        for base, sure in bases.items():
            self._put_in((*base, target[-1]), source, seen, certain=certain and sure)

    def attach_all(self, pairs: Iterable[tuple[Place, Place]]) -> None:
        """Attach what one call relates: it puts an object in once, however many names say so."""
        self.later = []
        for target, source in pairs:
            self.attach(target, source, certain=False)
        later, self.later = self.later, None
        for q, item in later:
            self.note_put(q, item)

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
                self.note_put((var,), source)

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
                for name, sure in self.aliases(place).items():
                    if sure and same in self.moved:
                        self._revive(same, name)
        self.kill(place)
        if seen is not None and source is not None:
            self._put_in(place, source, seen, certain=True)
            for base, certain in bases.items():
                self._put_in((*base, place[-1]), source, seen, certain=certain)

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
            tables.copy_parts(table, target, source, without)

    def inherit(self, place: Place, source: Place) -> None:
        """Let a place be dead where what it comes from was dead before."""
        if self.moved:
            n = len(source)
            for dead, sites in self.deaths(source, whole=True):
                q = (*place, *dead[n:])
                if len(q) <= LONGEST:
                    self.moved[q] = self.moved.get(q, tables.NOBODY) | sites

    def add_function(self, place: Place, key: object) -> None:
        """Let a place hold a function."""
        self.funcs[place] = self.funcs.get(place, frozenset()) | {key}

    def _seen_from(  # noqa: C901  (one branch for each kind)
        self, source: Place, without: Var | None, *, unknown_part: bool = False
    ) -> tables.Seen:
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
                and dead[n - 1] not in {ANY, ITEMS}
                and is_index(dead[n - 1])
            ]
        handles = [(q[n:], ids) for q, ids in self.handles.items() if covers_start(source, q)]
        funcs = [(q[n:], ids) for q, ids in self.funcs.items() if covers_start(source, q)]
        put = [(q[n:], ids) for q, ids in self.put.items() if tables.within(q, source)]
        if bounds(source[-1]) is not None and self.is_twin(source):
            put.append(((), frozenset({TWIN})))
        if is_vague(source) and source[-1] != ITEMS:
            put = [entry for entry in put if entry[0]]  # each time it is another item
        held = [
            (h[n:], seen, pos) for (h, seen), pos in self.views.items() if tables.within(h, source)
        ]
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
            elif tables.within(source, seen):
                viewed.append((holder, (), pos))
        return tables.Seen(pairs, inner, moved, handles, funcs, put, known_as, held, viewed)

    def _take_over(  # noqa: C901  (one branch for each kind)
        self, target: Place, source: Place | None, seen: tables.Seen, *, certain: bool
    ) -> None:
        """Let target hold what was seen of source."""
        if source is not None and not tables.nested(source, target):
            vague = is_vague(source) or is_vague(target)
            self.add_alias(target, source, certain=certain and not vague)
        for rest, other, sure in seen.pairs:
            if rest or not tables.nested(other, target):
                self.add_alias((*target, *rest), other, certain=certain and sure)
        for one, two, sure in seen.inner:
            self.add_alias((*target, *one), (*target, *two), certain=certain and sure)
        tables.add_all(self.moved, target, seen.moved)
        tables.add_all(self.handles, target, seen.handles)
        tables.add_all(self.funcs, target, seen.funcs)
        tables.add_all(self.put, target, seen.put)
        for q, rest in seen.known_as:
            if q[0] != target[0] and q in self.put:
                self.note_put(q, (*target, *rest))
        for rest, viewed, pos in seen.held:
            if len(target) + len(rest) <= LONGEST:
                self.views[(*target, *rest), viewed] = pos
        for holder, rest, pos in seen.viewed:
            if holder[0] != target[0] and len(target) + len(rest) <= LONGEST:
                self.views[holder, (*target, *rest)] = pos

    def _put_in(self, target: Place, source: Place, seen: tables.Seen, *, certain: bool) -> None:
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
                pairs = [p for p in seen.pairs if not tables.beside(p[1], target, n)]
                seen = seen._replace(pairs=pairs)
            names = [source]
            if is_vague(source):
                names = self.put_into(source) if source[-1] == target[-1] == ITEMS else []
                names += [source] if names or source[-1] == target[-1] == ITEMS else []
            if self.later is not None:
                self.later += [(q, target) for q in names]
            else:
                for q in names:
                    self.note_put(q, target)
        self._take_over(target, source, seen, certain=certain)

    def _put_before(self, target: Place, source: Place) -> list[Place]:
        """Return the other items of the same container that this object was put in as before."""
        if tables.beside(source, target, len(target)):
            return [source]
        vague = is_vague(source)
        if vague and (source[-1] != ITEMS or target[-1] != ITEMS):
            return []
        found: list[Place] = []
        if vague:  # all items of one container are put into another
            names = [q for q, sure in self.aliases(source).items() if sure]
            found = [q for q in names if tables.beside(q, target, len(target))]
            names += self.put_into(source)
        else:
            names = [q for q in self.aliases(source) if not is_vague(q)]
        return found + [
            item
            for q in (source, *names)
            for item in self._put_as(q)
            if isinstance(item, tuple)
            and tables.beside(item, target, len(target))
            and item in self.aliases(q)
        ]

    def _put_as(self, place: Place) -> frozenset[Any]:
        """Return the items that an object, or one of several, was put in as."""
        found = self.put.get(place, tables.NOBODY)
        if place[-1] == ITEMS or bounds(place[-1]) is not None:
            for q, items in self.put.items():
                if q != place and bounds(q[-1] if place[-1] == ITEMS else place[-1]) is not None:
                    found |= items if len(q) == len(place) and covers(q, place) else tables.NOBODY
        return found

    def _revive(self, place: Place, origin: Place) -> None:
        """Forget the moves of place that named origin: what died there is replaced there."""
        left = frozenset(site for site in self.moved[place] if site.origin != origin)
        if left:
            self.moved[place] = left
        else:
            del self.moved[place]
