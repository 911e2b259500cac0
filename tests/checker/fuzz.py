"""Random programs: lines that fail at run time must be lines that the checker reports.

python -m tests.checker.fuzz FIRST COUNT     a longer run, with what was missed
python -m tests.checker.fuzz FIRST COUNT straight     ... without branches, with false reports too
"""

import random
import re
import sys
import tempfile
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TypeAlias

import ownarray as oa
from ownarray._checker.module import check_source
from ownarray._checker.report import Report
from tests.checker.programs import source

BARE = "needs-move"
"""It takes types to see these: every other program says them."""
LENT = "move-borrowed"
"""What is lent is judged by its declaration: the runtime lets more pass."""


LOST = "lost-write"


TraceFunction: TypeAlias = Callable[[FrameType, str, Any], Any]


class Stop(BaseException):
    """A program ran for long enough."""


class Outcome(NamedTuple):
    """One line that failed at run time, or was reported for nothing, and how."""

    program: int
    line: int
    slug: str
    text: str


class Verdict(NamedTuple):
    """What came out of some programs."""

    failing: int
    missed: list[Outcome]
    false: list[Outcome]


def judge(path: Path, first: int, count: int, rounds: int, *, straight: bool = False) -> Verdict:
    """Return how many lines failed at run time, those not reported, and false reports.

    Reports are called false in straight programs only, on lines that run without an error: a use
    of what is alive there.
    """
    text, spans = source(first, count, straight=straight)
    path.write_text(text, encoding="utf-8")
    reports = check_source(text, str(path))
    watch = _Watch(reports) if straight else None
    failed: dict[tuple[int, int], tuple[str, set[int]]] = {}
    for seed, line, slug, passed in _runs(text, str(path), spans, 1 if straight else rounds, watch):
        if slug:
            failed[seed, line] = (slug, passed)
        if watch is not None:
            watch.alive -= {seen for seen in watch.alive if seen[0] in passed}
    reported = {report.pos.line for report in reports}
    lines = text.splitlines()
    of = {line: seed for seed, span in spans.items() for line in span}
    missed = [
        Outcome(seed, line, slug, lines[line - 1].strip())
        for (seed, line), (slug, passed) in failed.items()
        if not passed & reported and (slug != BARE or seed % 2 == 0)
    ]
    false = [
        Outcome(of[line], line, slug, lines[line - 1].strip())
        for line, slug in sorted(watch.alive if watch is not None else ())
    ]
    return Verdict(len(failed), missed, false)


class _Watch:
    """Looks at what was reported as dead when its line is about to run."""

    def __init__(self, reports: list[Report]) -> None:
        self._asked: dict[int, list[Report]] = {}
        for report in reports:
            self._asked.setdefault(report.pos.line, []).append(report)
        self.alive: set[tuple[int, str]] = set()
        """Lines that ran, and the codes of reports that were not true there."""

    def look(self, frame: FrameType, event: str, _: object) -> TraceFunction | None:
        """Look, if one of the programs runs: the interpreter calls this before each line."""
        if event == "line":
            for report in self._asked.get(frame.f_lineno, ()):
                if self._is_false(report, frame):
                    self.alive.add((report.pos.line, report.slug))
        return self.look if frame.f_code.co_name.startswith("program_") else None

    def _is_false(self, report: Report, frame: FrameType) -> bool:
        if report.slug in {LENT, LOST}:
            return False
        if report.slug != "use-after-move":
            return True
        text = Path(frame.f_code.co_filename).read_text(encoding="utf-8")
        if _GIVES.search(text.splitlines()[report.pos.line - 1]):
            return False  # what is dead may have died on this very line
        name = re.match(r"use-after-move: ([^ ,]+)(?:, a part of .*?,)? was moved", report.message)
        try:
            value = eval(name[1], frame.f_globals, frame.f_locals) if name else None
        except (NameError, LookupError, AttributeError, SyntaxError):
            return False
        return value is not None and not _has_dead(value)


_GIVES = re.compile(r"move\(|m[v]?\(|take\(|push\(|named\(|renew\(|;|for |while |g\d+\(|pop")


def _has_dead(value: object) -> bool:
    if isinstance(value, oa.Array):
        return value.is_moved
    if isinstance(value, dict):
        return any(_has_dead(v) for v in value.values())
    if isinstance(value, list | tuple | deque):
        return any(_has_dead(v) for v in value)
    fields = getattr(value, "__dict__", None)
    return True if fields is None else any(_has_dead(v) for v in fields.values())


def _runs(
    text: str, path: str, spans: dict[int, range], rounds: int, watch: _Watch | None
) -> Iterator[tuple[int, int, str, set[int]]]:
    """Run each program with several random choices; yield where and how it ended."""
    choice = random.Random(0)
    steps = [0]

    def tick() -> None:
        steps[0] += 1
        if steps[0] > 250:
            raise Stop

    def cond() -> bool:
        tick()
        return choice.random() < 0.5

    def maybe_raise() -> None:
        tick()
        if choice.random() < 0.4:
            raise ValueError

    def number() -> int:
        tick()
        return choice.randrange(3)

    names: dict[str, Any] = {
        "tick": tick,
        "cond": cond,
        "maybe_raise": maybe_raise,
        "number": number,
        "print": lambda *_: None,
        "__name__": "fuzzed",
    }
    sys.modules["fuzzed"] = type(sys)("fuzzed")  # dataclasses look it up
    exec(compile(text, path, "exec"), names)
    for seed, span in spans.items():
        for i in range(rounds):
            choice.seed((seed << 16) + i)
            steps[0] = 0
            sys.settrace(None if watch is None else watch.look)
            error = _run(names[f"program_{seed}"])
            sys.settrace(None)
            if error is None:
                yield seed, span.stop, "", set()
                continue
            frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
            passed = {f.lineno for f in frames if f.lineno is not None}
            line = next((f.lineno for f in frames if f.name == f"program_{seed}"), None) or 0
            yield seed, line, error.slug if isinstance(error, oa.OwnershipError) else "", passed


def _run(program: Callable[[], None]) -> BaseException | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            warnings.simplefilter("ignore", RuntimeWarning)
            program()
    except (oa.OwnershipError, Stop, ValueError, TypeError, LookupError, NameError) as error:
        return error
    except (AssertionError, AttributeError, StopIteration) as error:
        return error
    return None


def main(first: int, count: int, *, straight: bool) -> None:
    """Judge many programs, some at a time."""
    failing, missed, false = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for start in range(first, first + count, 50):
            size = min(50, first + count - start)
            path = Path(folder) / f"fuzzed_{start}.py"
            verdict = judge(path, start, size, 25, straight=straight)
            for outcome in verdict.missed:
                print("missed", *outcome, flush=True)
            for outcome in verdict.false:
                print("false", *outcome, flush=True)
            failing += verdict.failing
            missed += len(verdict.missed)
            false += len(verdict.false)
    print(f"{failing} failing lines, {missed} missed, {false} false")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), straight="straight" in sys.argv)
