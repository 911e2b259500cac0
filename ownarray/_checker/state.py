"""The abstract state of one point of a program: what moves, and lists that change, do to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ownarray._checker import tables
from ownarray._checker.places import (
    ANY,
    GUESS,
    ITEMS,
    MAY,
    SURE,
    Place,
    Site,
    Star,
    Var,
    covers_start,
    fill,
    from_start,
    has_star,
    is_index,
    is_vague,
    number,
    starts_with,
)
from ownarray._checker.transfers import Transfers

if TYPE_CHECKING:
    from collections.abc import Iterable

_FAR: Final = 8
"""Keys above this are taken for unknown when they change: a loop would go on for ever."""


class State(Transfers):
    """What may be true at one point of a program."""

    __slots__ = ()

    def give_away(self, place: Place, site: Site) -> None:
        """Mark the place, its aliases and what aliases parts of it as moved at the site."""
        self.die((place, *self.others(place)), site)

    def give_away_items(self, items: Place, site: Site) -> None:
        """Mark what aliases single items as moved: each of them is, in some round of a loop.

        What got an item in an earlier round, by a key that has changed, has another one.
        """
        n = len(items)
        holders = [
            right
            for left, right in self.alias.get(items[0], tables.NO_PAIRS)
            if covers_start(items, left)
            and not any(s == ANY or isinstance(s, Star) for s in left[:n])
        ]
        self.die([*holders, items] if self.is_twin(items) else holders, site)

    def die(self, places: Iterable[Place], site: Site) -> None:
        """Mark places as moved at the site, and items that may be one object with one of them."""
        sites = frozenset({site})
        for q in places:
            self.moved[q] = self.moved[q] | sites if q in self.moved else sites
            if self.twins:
                for twin in self.twins_of(q):
                    self.moved[twin] = self.moved.get(twin, tables.NOBODY) | sites

    def spend(self, place: Place, site: Site) -> None:
        """Mark a handle, all its names, as spent."""
        for q in (place, *self.aliases(place)):
            self.moved[q] = self.moved.get(q, frozenset()) | {site}

    def append(self, place: Place, source: Place | None) -> None:
        """Add an item at the end of a list; ``source`` is None if it is new."""
        size = self.sizes.get(place)
        if size is None and source is not None:
            self.attach((*place, ITEMS), source, MAY)
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
            inside = [p for p in seen.pairs if any(tables.lies_in(p[1], base) for base in bases)]
            seen = seen._replace(pairs=[p for p in seen.pairs if p not in inside])
            twin = self.is_twin((*place, ITEMS))
            self.kill_var(var)
            self._take_over((var,), None, seen, MAY)
            if twin:  # the same object may still be in there
                self.add_alias((var,), (*place, ITEMS), MAY)
            gone = [(*place, "[-1]")]
        for base in bases:
            for item in gone:
                self.kill((*base, item[-1]))
            # What died in there may be what has left.
            for table, steps in ((self.moved, (ANY,)), (self.handles, (ANY, ITEMS))):
                for step in steps:
                    for q in [q for q in table if starts_with(q, (*base, step))]:
                        del table[q]
        self.resize(place, -1)
        self.shift(place, None, -1)

    def clear(self, place: Place) -> None:
        """Forget the items of a container: they are gone."""
        for base, level in ((place, SURE), *self.aliases(place).items()):
            if level == SURE:
                items = {q for table in self._tables() for q in table if tables.lies_in(q, base)}
                n = len(base)
                items |= {
                    q[: n + 1]
                    for q in self.moved
                    if len(q) > n and q[:n] == base and isinstance(q[n], Star)
                }
                items |= {
                    a
                    for a, _ in self.alias.get(base[0], tables.NO_PAIRS)
                    if tables.lies_in(a, base)
                }
                for item in items:
                    self.kill(item)
        self.resize(place, None)

    def resize(self, place: Place, by: int | None) -> None:
        """Let a list have some more items, or any number of them, by whatever name."""
        size = self.sizes.get(place)
        for q, level in ((place, SURE), *self.aliases(place).items()):
            self.sizes.pop(q, None)
            if level == SURE and size is not None and by is not None:
                self.sizes[q] = size + by

    def shift(self, place: Place, at: int | None, by: int) -> None:
        """Change the keys of a list's items: from ``at`` on, or those that count from the end."""
        for q in (place, *self.aliases(place)):
            self._rename(q, at, by)

    def _rename(self, base: Place, at: int | None, by: int) -> None:  # noqa: C901  (one branch for each kind)
        """Change keys of the items of one container."""
        n = len(base)

        def renamed(place: Place, unknown: str) -> Place:
            if len(place) <= n or place[:n] != base:
                return place
            if isinstance(place[n], Star) and at is not None:
                return (*place[:n], unknown, *place[n + 1 :])
            if not is_index(place[n]):
                return place
            value = number(place[n])
            if place[n] in {ANY, ITEMS}:
                step = place[n]
            elif value is None:
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
                new = renamed(q, ITEMS if table is self.moved and at is not None else ANY)
                if new != q:
                    table[new] = table.get(new, tables.NOBODY) | table.pop(q)
        var = base[0]
        for a, b in list(self.alias.get(var, tables.NO_PAIRS)):
            left, right = renamed(a, ITEMS), renamed(b, ITEMS)
            if has_star(left) != has_star(right):  # no longer at the same positions
                left, right = fill(left, ITEMS), fill(right, ITEMS)
            if (left, right) != (a, b):
                level = self.alias[var].get((a, b), GUESS)
                self._drop_pair(a, b)
                self.add_alias(left, right, min(level, MAY) if is_vague(left) else level)
        if any(x[0][0] == var or x[1][0] == var for x in self.views):
            self.views = {
                (renamed(a, ITEMS), renamed(b, ITEMS)): pos for (a, b), pos in self.views.items()
            }

    def normal(self, place: Place) -> Place:
        """Return a place with keys counted from the start, where sizes are known."""
        for i in range(1, len(place)):
            size = self.sizes.get(place[:i])
            if size is not None and is_index(place[i]):
                place = (*place[:i], from_start(place[i], size), *place[i + 1 :])
        return place
