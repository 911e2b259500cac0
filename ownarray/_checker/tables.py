"""Tables that are kept by place: how they join, and how places in them are renamed."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from ownarray._checker.places import (
    ITEMS,
    LONGEST,
    Place,
    Pos,
    Site,
    bounds,
    is_index,
    starts_with,
)

Pair: TypeAlias = tuple[Place, Place]
Held: TypeAlias = tuple[Place, Place, int]
"""The rest of a place, another place that may be the same object, and how sure that is."""
Sites: TypeAlias = frozenset[Site]
Ids: TypeAlias = frozenset[object]
S = TypeVar("S")

TWIN: Final = "twin"
NO_PAIRS: Final[dict[Pair, int]] = {}
NOBODY: Final[frozenset[Any]] = frozenset()


class Seen(NamedTuple):
    """What was known of a place before a change; places are rests from there."""

    pairs: list[Held]
    inner: list[Held]
    """Pairs of parts of the place."""
    moved: list[tuple[Place, Sites]]
    handles: list[tuple[Place, Ids]]
    funcs: list[tuple[Place, Ids]]
    twins: list[tuple[Place, frozenset[Any]]]
    held: list[tuple[Place, Place, Pos]]
    viewed: list[tuple[Place, Place, Pos]]


def lies_in(place: Place, base: Place) -> bool:
    n = len(base)
    return len(place) > n and place[:n] == base and is_index(place[n])


def beside(place: Place, item: Place, n: int) -> bool:
    """Return whether a place is another item of the container than this one, or may be."""
    return (
        len(place) == n
        and place[:-1] == item[:-1]
        and is_index(place[-1])
        and is_index(item[-1])
        and (place != item or item[-1] == ITEMS)
    )


def nested(one: Place, two: Place) -> bool:
    """Return whether one place lies in the other one, or they are the same."""
    return one[0] == two[0] and (starts_with(one, two) or starts_with(two, one))


def within(place: Place, outer: Place) -> bool:
    return place[0] == outer[0] and place[: len(outer)] == outer


def join(mine: dict[Place, frozenset[S]], theirs: dict[Place, frozenset[S]]) -> bool:
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


def add_all(
    table: dict[Place, frozenset[S]], target: Place, entries: list[tuple[Place, frozenset[S]]]
) -> None:
    for rest, ids in entries:
        q = (*target, *rest)
        if len(q) <= LONGEST:
            table[q] = table.get(q, frozenset()) | ids


def copy_parts(
    table: dict[Place, frozenset[S]], target: Place, source: Place, without: frozenset[str]
) -> None:
    n = len(source)
    for q, ids in list(table.items()):
        if within(q, source) and n < len(q) <= LONGEST and q[n] not in without:
            new = (*target, *q[n:])
            table[new] = table.get(new, frozenset()) | ids


def blurred(place: Place, steps: frozenset[str], into: str) -> Place:
    return (place[0], *(_into(s, into) if s in steps else s for s in place[1:]))


def _into(step: object, into: str) -> str:
    """Return what a key means when its variable changed: of several items, each is meant."""
    return into if bounds(step) is None else ITEMS


def both(a: Place, b: Place, steps: frozenset[str], into: str) -> Pair:
    return blurred(a, steps, into), blurred(b, steps, into)


def blur(table: dict[Place, frozenset[S]], steps: frozenset[str], into: str) -> None:
    for q in [q for q in table if any(s in steps for s in q[1:])]:
        new = blurred(q, steps, into)
        table[new] = table.get(new, frozenset()) | table.pop(q)
