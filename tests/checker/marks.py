"""Marked programs: what must be reported where, and how a report is compared with it."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

CASES = Path(__file__).resolve().parent.parent / "cases"
PROGRAMS = sorted((CASES / "programs").glob("*.py"))
KINDS = sorted((CASES / "kinds").glob("*.py"))
_MARK = re.compile(r"#\s*E(\?|@\w+)?:\s*([a-z|-]+)\s*$")


class Mark(NamedTuple):
    """What is expected on a line; ``sort`` is empty for must, ``?`` for may, ``@g`` for a group."""

    sort: str
    slugs: frozenset[str]


def marks(path: Path) -> dict[int, Mark]:
    """Return the marks of a file by line."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := _MARK.search(line):
            found[number] = Mark(match[1] or "", frozenset(match[2].split("|")))
    return found


def differences(path: Path, reported: Mapping[int, Iterable[str]]) -> list[str]:
    """Return what was missed and what was wrongly reported."""
    wanted = marks(path)
    problems = []
    groups: dict[str, bool] = {}
    for number, mark in wanted.items():
        seen = set(reported.get(number, ()))
        if mark.sort.startswith("@"):
            groups[mark.sort] = groups.get(mark.sort, False) or bool(seen & mark.slugs)
        elif not mark.sort and not seen & mark.slugs:
            problems.append(
                f"{path.name}:{number}: missed {sorted(mark.slugs)}, got {sorted(seen)}"
            )
        problems += [f"{path.name}:{number}: wrong code {s}" for s in seen - mark.slugs]
    problems += [f"{path.name}: group {g} missed" for g, hit in groups.items() if not hit]
    for number, slugs in reported.items():
        if number not in wanted:
            problems += [f"{path.name}:{number}: false report {slug}" for slug in slugs]
    return problems
