"""Places: a variable and the steps from it, such as ``self.w``, ``ws[0]`` or ``ws[i]``.

The state of the analysis is kept by place and not by value: values would have to be told apart in
loops, where ``x = f(move(x))`` makes a new one each round.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

Var: TypeAlias = int


class Star(NamedTuple):
    """Any one part but those left out: both sides of an alias of two Stars mean the same part.

    A shallow copy shares its parts with the original without being it.
    """

    without: frozenset[str]


Step: TypeAlias = "str | Star"
# A Var and then Steps; no type checker can slice `tuple[Var, *tuple[Step, ...]]`, hence Any.
Place: TypeAlias = tuple[Any, ...]

ANY: Final = "[?]"
"""Some part that is not known: ``ws[n]`` after n changed."""
ITEMS: Final = "[*]"
"""Each of the items, or one of those that were put in at a position that is not known: whatever
key is used later may mean it."""
HELD: Final = ".held"
"""What a generator or coroutine needs until it has run: its arguments."""
LONGEST: Final = 7

GUESS: Final = 0
"""How sure it is that two places are one object: if keys are equal that are taken to differ."""
MAY: Final = 1
SURE: Final = 2


class Pos(NamedTuple):
    """A range of source text: lines from 1, columns from 0 in UTF-8 bytes, as in `ast`."""

    line: int
    col: int
    end_line: int
    end_col: int


class Site(NamedTuple):
    """Where a place died: the text and place that named it there; whether a handle was spent."""

    pos: Pos
    name: str
    origin: Place
    handle: bool = False


def is_vague(place: Place) -> bool:
    """Return whether a place is some item, not known which."""
    return ANY in place or ITEMS in place


def has_star(place: Place) -> bool:
    """Return whether a place means each part of something, but for some."""
    return any(isinstance(step, Star) for step in place)


def is_index(step: object) -> bool:
    """Return whether a step is an index or key."""
    return isinstance(step, str) and step[0] == "["


def starts_with(place: Place, prefix: Place) -> bool:
    """Return whether place is prefix or a part of it, step by step equal."""
    return place[: len(prefix)] == prefix


def match(pattern: Place, place: Place) -> tuple[int, Step | None, bool] | None:
    """Match a place, or the start of it, against the left side of an alias.

    Returns None, or how sure the match is, what the Star stood for, and whether there was a Star
    at all.
    """
    level, star, starred = SURE, None, False
    left: object
    right: object
    for left, right in zip(pattern, place, strict=False):
        if left == ANY and is_index(right) and not _is_each(right):
            level = GUESS
            continue
        if left == right:
            continue
        if isinstance(left, Star):
            if right in left.without:
                return None
            star, starred = right if isinstance(right, str) else ANY, True
            if right == ANY or isinstance(right, Star):
                level = min(level, MAY)
        elif not isinstance(left, str) or not isinstance(right, str):
            return None
        elif _from_both_ends(left, right):
            level = GUESS
        elif _may_be(left, right) or _may_be(right, left):
            level = min(level, MAY)
        else:
            return None
    return level, star, starred


def _may_be(step: str, other: str) -> bool:
    """Return whether a step is unknown, or a rest such as ``[1:]``, and may be the other one."""
    if step in {ANY, ITEMS}:
        return is_index(other)
    if _from_both_ends(step, other):
        return True
    mine = bounds(step)
    if mine is None or not is_index(other):
        return False
    theirs = bounds(other)
    if theirs is not None:
        if _are_apart(step, other):
            return False
        return not (_is_below(mine[1], theirs[0]) or _is_below(theirs[1], mine[0]))
    at = number(other)
    if at is None:
        return True
    if at >= 0 and (every := _every(step)) is not None and (at - every[0]) % every[1]:
        return False
    return not (_is_below(f"{at}", mine[0]) and f"{at}" != mine[0]) and not _is_below(
        mine[1], f"{at}"
    )


def fill(place: Place, star: Step | None) -> Place:
    """Return the place with its Star replaced by what the other side's Star stood for."""
    step: Step = ANY if star is None else star
    return (place[0], *(step if isinstance(s, Star) else s for s in place[1:]))


def covers(dead: Place, place: Place) -> bool:
    """Return whether a dead place is the other one, or each of the parts that it is one of."""
    one: object
    two: object
    for one, two in zip(dead, place, strict=True):
        if isinstance(one, Star):
            if two in one.without:
                return False
            continue
        each = _is_each(one) and two != ITEMS and _may_be(str(one), str(two))
        if one != two and not each and not _from_both_ends(one, two):
            return False
    return True


def covers_start(pattern: Place, place: Place) -> bool:
    """Return whether a place is, or lies in, what a pattern means."""
    n = len(pattern)
    return len(place) >= n and (place[:n] == pattern or covers(pattern, place[:n]))


def _from_both_ends(one: object, two: object) -> bool:
    """Return whether one key counts from the start and one from the end: the size is not known."""
    left, right = number(one), number(two)
    return left is not None and right is not None and (left < 0) != (right < 0)


def _is_each(step: object) -> bool:
    """Return whether a step means each of several items."""
    return step == ITEMS or bounds(step) is not None


def bounds(step: object) -> tuple[str, str] | None:
    """Return the bounds of a step that means several items, such as ``[2:]`` or ``[:n]``."""
    if not is_index(step) or (text := str(step))[1] in "'\"" or ":" not in text:
        return None
    low, high = text[1:-1].split(":")[:2]
    return low or "0", high


def _are_apart(step: str, other: str) -> bool:
    """Return whether two steps such as ``[::2]`` and ``[1::2]`` never mean the same item."""
    one, two = _every(step), _every(other)
    if one is None or two is None:
        return False
    (first, every), (second, size) = one, two
    return every == size and (first - second) % every != 0


def _every(step: str) -> tuple[int, int] | None:
    """Return the first item of ``[1::2]`` and how many the next one is away."""
    parts = step[1:-1].split(":")
    low = parts[0] or "0"
    if len(parts) != 3 or not low.isdigit() or not parts[2].isdigit() or int(parts[2]) < 2:
        return None
    return int(low), int(parts[2])


def from_start(step: str, size: int) -> str:
    """Return a key, or the bounds of several, counted from the start of so many items."""
    value, ends = number(step), bounds(step)
    if value is not None:
        return step if value >= 0 else f"[{value + size}]"
    if ends is None:
        return step
    low, high = (
        f"{max(int(e) + size, 0)}" if e[:1] == "-" and e[1:].isdigit() else e for e in ends
    )
    every = step[1:-1].split(":")[2:]
    return f"[{':'.join((low, high, *every))}]"


def _is_below(end: str, start: str) -> bool:
    """Return whether items before one bound never are items from the other one on."""
    if end == start:
        return end != ""
    try:
        one, two = int(end), int(start)
    except ValueError:
        return False
    return one <= two and (one < 0) == (two < 0)


def number(step: object) -> int | None:
    """Return the value of a step that is a constant number."""
    if not is_index(step):
        return None
    digits = str(step)[1:-1]
    return int(digits) if digits.removeprefix("-").isdigit() else None
