"""How what is known of a place goes over to another one that gets its object."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ownarray._checker import tables
from ownarray._checker.facts import Facts
from ownarray._checker.places import (
    ANY,
    ITEMS,
    LONGEST,
    MAY,
    SURE,
    Place,
    Star,
    Var,
    bounds,
    covers_start,
    is_index,
    is_vague,
)
from ownarray._checker.tables import TWIN, Sites

if TYPE_CHECKING:
    from collections.abc import Iterable


class _Name(NamedTuple):
    """One of the names of a part that is to hold some object."""

    place: Place
    level: int
    siblings: list[Place]
    """Other items of the same container that may be that object."""


class Transfers(Facts):
    """Facts, and what binding and storing do to them."""

    __slots__ = ()

    def attach(self, target: Place, source: Place, level: int = SURE) -> None:
        """Let target, which nothing refers to yet or which is some part, hold source as well."""
        self._attach_to(self._names_of(target, source), source, level)

    def attach_all(self, pairs: Iterable[tuple[Place, Place]]) -> None:
        """Attach what one call relates: it puts an object in once, however many names say so."""
        found = [(self._names_of(target, source), source) for target, source in pairs]
        for names, source in found:
            self._attach_to(names, source, MAY)

    def _attach_to(self, names: list[_Name], source: Place, level: int) -> None:
        seen = self._seen_from(source, None)
        if source[-1] == names[0].place[-1] == ITEMS and source in self.moved:
            seen.moved.append(((), self.moved[source]))  # all of them, also those that died
        for name in names:
            self._put_in(name, source, seen, level)

    def bind(
        self,
        var: Var,
        source: Place | None,
        *,
        unknown_part: bool = False,
        since: Var | None = None,
        apart: tuple[Var, ...] = (),
    ) -> None:
        """Re-bind a variable to what a place holds, or to something new.

        ``since`` holds each of several items as they were when a loop over them began: what got one
        of them in an earlier round has another one than this. Variables ``apart`` have other items.
        """
        if source is None:
            self.kill_var(var)
            return
        seen = self._seen_from(source, var, unknown_part=unknown_part)
        if since is not None and not self.is_twin(source):
            seen = seen._replace(pairs=self._pairs_since(since, source, seen.pairs))
            seen.viewed.extend(
                (holder, viewed[1:], pos)
                for (holder, viewed), pos in self.views.items()
                if viewed[0] == since
            )
        if apart:
            seen = seen._replace(pairs=[p for p in seen.pairs if p[2] or p[1][0] not in apart])
        if source[0] == var:
            if len(source) == 1:
                return
            self.kill_var(var)
            self._take_over((var,), None, seen, SURE)
        else:
            self.kill_var(var)
            self._take_over((var,), source, seen, SURE)

    def _pairs_since(
        self, since: Var, source: Place, pairs: list[tables.Held]
    ) -> list[tables.Held]:
        before = [((), other, level) for other, level in self.aliases((since,)).items()]
        before += [(part[1:], other, level) for part, other, level in self.parts((since,))]
        if source[-1] == ITEMS:
            names = {(since,), source}
            return [p for p in before if p[1] not in names]
        # A key means each item in turn: what is known of this very key says more than of any.
        others = {other for _, other, _ in before}
        kept = [p for p in pairs if p[1][0] != since and (p[2] or p[1] in others)]
        known = {source, *(other for _, other, _ in kept)}
        keys = {(*q[:-1], ITEMS) for q in known if q[-1] == source[-1]}
        return kept + [p for p in before if p[1][0] != since and p[1] not in known | keys]

    def store(self, place: Place, source: Place | None) -> None:
        """Put what source holds into a part; the same part by another name is replaced too."""
        seen = None if source is None else self._seen_from(source, None)
        names = self._names_of(place, source)
        for same, level, _ in names[1:]:
            if level == SURE:
                if same[0] < 0 and not is_vague(same):
                    self.replaced |= {same}
                self.kill(same)
            elif same in self.moved:
                self._revive(same, place)
                for name, sure in self.aliases(place).items():
                    if sure == SURE and same in self.moved:
                        self._revive(same, name)
        self.kill(place)
        if seen is not None and source is not None:
            for name in names:
                self._put_in(name, source, seen, SURE)

    def share_parts(self, target: Place, source: Place, without: frozenset[str]) -> None:
        """Let target be a shallow copy of source, but for some parts."""
        if not without and source in self.sizes:
            self.sizes[target] = self.sizes[source]
        star: Place = (*source, Star(without))
        self.add_alias((*target, Star(without)), star, SURE)
        for other in self.aliases(source):
            self.add_alias((*target, Star(without)), (*other, Star(without)), MAY)
        n = len(source)
        for part, other, sure in self.parts(source):
            if isinstance(part[n], Star):
                self.add_alias((*target, *part[n:]), other, min(sure, MAY))
            elif part[n] not in without:
                self.add_alias((*target, *part[n:]), other, sure)
        for table in self._tables():
            tables.copy_parts(table, target, source, without)
        whole = [((Star(without),), sites) for _, sites in self.deaths(source, whole=False)]
        tables.add_all(self.moved, target, whole)  # the parts of what is dead are dead
        for (holder, seen), pos in list(self.views.items()):
            for place, other in ((seen, holder), (holder, seen)):
                if tables.within(place, source) and len(place) > n and place[n] not in without:
                    copied: Place = (*target, *place[n:])
                    self.views[(other, copied) if place is seen else (copied, other)] = pos

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
        pairs: list[tables.Held] = []
        for other, sure in self.aliases(source).items():
            pairs.append(((), other, sure))
        for part, other, sure in self.parts(source):
            pairs.append((part[n:], other, sure))
        pairs += [((), twin, MAY) for twin in self.twins_of(source) if twin != source]
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
        twins = [(q[n:], ids) for q, ids in self.twins.items() if tables.within(q, source)]
        if bounds(source[-1]) is not None and self.is_twin(source):
            twins.append(((), frozenset({TWIN})))
        if is_vague(source) and source[-1] != ITEMS:
            twins = [entry for entry in twins if entry[0]]  # each time it is another item
        held = [
            (h[n:], seen, pos) for (h, seen), pos in self.views.items() if tables.within(h, source)
        ]
        viewed = []
        for (holder, seen), pos in self.views.items():
            if covers_start(source, seen):
                viewed.append((holder, seen[n:], pos))
            elif tables.within(source, seen):
                viewed.append((holder, (), pos))
        return tables.Seen(pairs, inner, moved, handles, funcs, twins, held, viewed)

    def _take_over(
        self, target: Place, source: Place | None, seen: tables.Seen, level: int
    ) -> None:
        """Let target hold what was seen of source."""
        if source is not None and not tables.nested(source, target):
            vague = is_vague(source) or is_vague(target)
            self.add_alias(target, source, min(level, MAY) if vague else level)
        for rest, other, sure in seen.pairs:
            if rest or not tables.nested(other, target):
                self.add_alias((*target, *rest), other, min(level, sure))
        for one, two, sure in seen.inner:
            self.add_alias((*target, *one), (*target, *two), min(level, sure))
        tables.add_all(self.moved, target, seen.moved)
        tables.add_all(self.handles, target, seen.handles)
        tables.add_all(self.funcs, target, seen.funcs)
        tables.add_all(self.twins, target, seen.twins)
        for rest, viewed, pos in seen.held:
            if len(target) + len(rest) <= LONGEST:
                self.views[(*target, *rest), viewed] = pos
        for holder, rest, pos in seen.viewed:
            if holder[0] != target[0] and len(target) + len(rest) <= LONGEST:
                self.views[holder, (*target, *rest)] = pos

    def _put_in(self, name: _Name, source: Place, seen: tables.Seen, level: int) -> None:
        """Let a part hold what was seen of source; note items that may be one object by it."""
        target = name.place
        if is_index(target[-1]):
            if name.siblings and any(is_vague(item) for item in (target, *name.siblings)):
                self.same_items(target)
            n = len(target)
            pairs = [p for p in seen.pairs if p[2] or not tables.beside(p[1], target, n)]
            seen = seen._replace(pairs=pairs)
        self._take_over(target, source, seen, min(level, name.level))

    def _names_of(self, target: Place, source: Place | None) -> list[_Name]:
        """Return all names of a part that is to hold source."""
        last = target[-1]
        objects: list[Place] = []
        if source is not None and is_index(last):
            objects = [source, *(q for q, level in self.aliases(source).items() if level)]
        wholes = {target[:-1]: SURE, **self.aliases(target[:-1])} if len(target) > 1 else {(): SURE}
        found = []
        for whole, level in wholes.items():
            place = (*whole, last)
            siblings = [q for q in objects if tables.beside(q, place, len(place))]
            found.append(_Name(place, level, siblings))
        return found

    def _revive(self, place: Place, origin: Place) -> None:
        """Forget the moves of place that named origin: what died there is replaced there."""
        left = frozenset(site for site in self.moved[place] if site.origin != origin)
        if left:
            self.moved[place] = left
        else:
            del self.moved[place]
