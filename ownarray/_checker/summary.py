"""What a call of a function of the same module does beyond its signature."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ownarray._checker.places import Place, Var, starts_with

if TYPE_CHECKING:
    from ownarray._ownership import Rights


@dataclass(slots=True)
class Summary:
    """What a function does to what lies outside of it."""

    reads: dict[Place, str] = field(default_factory=dict)
    """Captured places that must be alive when it is called, and how they are written."""
    moves: set[Place] = field(default_factory=set)
    """Captured places that it gives away and does not replace."""
    gave: set[Place] = field(default_factory=set)
    """What was outside at entry (by the variables of `outside`) and was given away."""
    lost: set[Place] = field(default_factory=set)
    """... and was not replaced: reported there."""
    replaces: frozenset[Place] = frozenset()
    """Parts of what was outside at entry that hold something new on every way out."""
    needs: set[Place] = field(default_factory=set)
    """Parts of parameters that are read before they are replaced, where any are replaced."""
    rebinds: set[Var] = field(default_factory=set)
    """Captured variables that get a new value on every way out."""
    flows: set[tuple[Place, Place]] = field(default_factory=set)
    """Parts of parameters (or the result) that may be one object afterwards."""
    keeps: set[tuple[Place, Place]] = field(default_factory=set)
    """Parts of captured places that may be one object with another captured place afterwards."""
    returns: set[Hashable] = field(default_factory=set)
    """Functions that the result may run later."""


RESULT: Var = -(10**9)
"""The variable of the returned value."""


def outside(var: Var) -> Var:
    """Return the variable that stands for what a parameter or captured variable had at entry."""
    return -var - 1


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter in the flow: what its rights are, or None where anything is allowed."""

    var: Var
    rights: Rights | None
    strict: bool = False
    """Marked Borrowed or Mut: a part may not even be replaced."""
    handle: bool = False


def is_only_replaced(summary: Summary, place: Place) -> bool:
    """Return whether a callee replaces a part of what was outside, and reads nothing of it."""
    return any(starts_with(place, part) for part in summary.replaces) and not any(
        starts_with(place, part) or starts_with(part, place) for part in summary.needs
    )


Summaries: TypeAlias = Callable[[Hashable], Summary]
StepsOf: TypeAlias = Mapping[Var, frozenset[str]]
