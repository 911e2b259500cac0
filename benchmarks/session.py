"""Runs the variants of topics, each measurement in a fresh process, interleaved in rounds.

One round measures every variant of a topic once, so a slow minute of the machine falls on all of
them; ratios are taken inside a round, and their median is shown.
"""

import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from benchmarks.case import Topic
from benchmarks.progress import Progress
from benchmarks.worker import MARK

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_SECONDS = 600
RELATIVE = 2e-3  # probes are float32 results of different summation orders


@dataclass(frozen=True, kw_only=True)
class Row:
    """One variant's figures over all rounds."""

    topic: str
    variant: str
    seconds: list[float]
    ratio: float | None
    """Median over rounds of this variant's time by the first variant's."""
    memory: float | None
    memory_method: str
    agrees: bool
    versions: dict[str, str]
    problem: str = ""

    @property
    def median(self) -> float:
        """The median time over rounds, nan where nothing was measured."""
        return statistics.median(self.seconds) if self.seconds else math.nan


Record = dict[str, object]


class Session:
    """Finds an interpreter for each package and measures."""

    def __init__(self, *, quick: bool, n_rounds: int, peers: Mapping[str, str]) -> None:
        self._quick = quick
        self._n_rounds = n_rounds
        self._peers = dict(peers)
        self._python: dict[str, str | None] = {}

    def run(self, topics: Sequence[Topic]) -> Iterator[tuple[Topic, list[Row]]]:
        """Measure topic after topic, with a progress bar."""
        jobs = sum(len(self._present(topic)) for topic in topics) * self._n_rounds
        progress = Progress(jobs, "benchmarks")
        for topic in topics:
            yield topic, self._run_topic(topic, progress)

    def _run_topic(self, topic: Topic, progress: Progress) -> list[Row]:
        present = self._present(topic)
        found: dict[str, list[Record | str]] = {variant: [] for variant in present}
        for _ in range(self._n_rounds):
            for variant in present:
                found[variant].append(self._measure(topic, variant))
                progress.advance(f"{topic.name}: {variant}")
        return [_row(topic.name, variant, found) for variant in present]

    def _present(self, topic: Topic) -> list[str]:
        return [name for name, v in topic.variants.items() if self._interpreter(v.needs)]

    def _interpreter(self, package: str) -> str | None:
        """Return a Python that has the package: this one, else the one named for it."""
        if package not in self._python:
            candidates = [self._peers[package]] if package in self._peers else [sys.executable]
            probe = f"import importlib.util as u, sys; sys.exit(u.find_spec({package!r}) is None)"
            self._python[package] = next(
                (c for c in candidates if _succeeds([c, "-c", probe])),
                None,
            )
        return self._python[package]

    def _measure(self, topic: Topic, variant: str) -> Record | str:
        python = self._interpreter(topic.variants[variant].needs)
        assert python is not None
        size = "quick" if self._quick else "full"
        command = [python, "-m", "benchmarks.worker", topic.name, variant, size]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                cwd=ROOT,
                env=_environment(),
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"took more than {TIMEOUT_SECONDS} s"
        for line in done.stdout.splitlines():
            if line.startswith(MARK):
                return cast("Record", json.loads(line.removeprefix(MARK)))
        return (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]


def _environment() -> dict[str, str]:
    # Modules are loaded as installed packages are: compiled once, not anew in each process.
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return inherited | {
        "PYTHONPATH": str(ROOT),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "JAX_PLATFORMS": "cpu",
    }


def _succeeds(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def _row(topic: str, variant: str, found: Mapping[str, Sequence[Record | str]]) -> Row:
    first = next(iter(found.values()))
    mine = found[variant]
    good = [record for record in mine if not isinstance(record, str)]
    ratios = [
        cast("float", record["seconds"]) / cast("float", base["seconds"])
        for record, base in zip(mine, first, strict=True)
        if not isinstance(record, str) and not isinstance(base, str)
    ]
    memories = [cast("float", r["memory"]) for r in good if r["memory"] is not None]
    return Row(
        topic=topic,
        variant=variant,
        seconds=[cast("float", record["seconds"]) for record in good],
        ratio=statistics.median(ratios) if ratios else None,
        memory=statistics.median(memories) if memories else None,
        memory_method=str(good[0]["memory_method"]) if good else "",
        agrees=all(_agree(record, base) for record, base in zip(mine, first, strict=True)),
        versions=cast("dict[str, str]", good[0]["versions"]) if good else {},
        problem=next((record for record in mine if isinstance(record, str)), ""),
    )


def _agree(record: Record | str, base: Record | str) -> bool:
    if isinstance(record, str) or isinstance(base, str):
        return True  # nothing to compare; the problem is shown instead
    mine, theirs = cast("list[float]", record["probe"]), cast("list[float]", base["probe"])
    return len(mine) == len(theirs) and all(
        math.isclose(a, b, rel_tol=RELATIVE, abs_tol=RELATIVE)
        for a, b in zip(mine, theirs, strict=True)
    )
