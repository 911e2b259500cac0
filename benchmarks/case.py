"""What a variant hands to the worker, and how each kind is measured.

A topic compares variants. A variant is a function that runs in a fresh process: it imports its
library, compiles, and returns a case. There are three kinds: a step repeated on a state, a small
call in a tight loop, and a call that counts only once.
"""

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Generic, Protocol, TypeVar

from benchmarks.memory import peak_memory, resident

S = TypeVar("S")


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What one process measured."""

    seconds: float
    """Of one step or call: the median over steps, the least over loops of small calls."""
    memory: float | None = None
    """Peak resident memory over the state, None where there is no state worth measuring."""
    memory_method: str = ""
    probe: list[float] = field(default_factory=list)
    """Some values of the result: the variants of a topic must agree."""

    def to_dict(self) -> dict[str, object]:
        """Return the fields as JSON has them."""
        return asdict(self)


class Case(Protocol):
    """Something that the worker can measure."""

    def measure(self) -> Measured:
        """Run it."""


def _no_wait(_: object) -> None:
    return None


def _settled() -> int:
    """Return the resident bytes once they no longer fall: some libraries free in the background."""
    gc.collect()
    now = resident()
    for _ in range(20):
        time.sleep(0.2)
        before, now = now, resident()
        if before - now < 1 << 20:
            break
    return now


@dataclass(frozen=True, kw_only=True)
class Steps(Generic[S]):
    """A step repeated on a state: time per step, and peak memory over the state.

    The function is compiled before `make` is called, so the memory that compilation keeps is not
    counted.
    """

    make: Callable[[], S]
    step: Callable[[S], S]
    n_bytes: int
    probe: Callable[[S], list[float]]
    wait: Callable[[S], object] = _no_wait
    n_steps: int = 10

    def measure(self) -> Measured:
        """Time each step, the first (which may still load pages) apart."""
        before = _settled()
        state = self.make()
        self.wait(state)
        _settled()
        seconds = []
        with peak_memory() as peak:
            for _ in range(self.n_steps + 1):
                start = time.perf_counter()
                state = self.step(state)
                self.wait(state)
                seconds.append(time.perf_counter() - start)
        return Measured(
            seconds=statistics.median(seconds[1:]),
            memory=(peak.n_bytes - before) / self.n_bytes,
            memory_method=peak.method,
            probe=self.probe(state),
        )


@dataclass(frozen=True, kw_only=True)
class Calls:
    """A small call: time of one in a tight loop of `number`."""

    run: Callable[[int], object]
    prepare: Callable[[int], object] = _no_wait
    number: int = 500
    n_repeats: int = 25

    def measure(self) -> Measured:
        """Take the least of several short loops, and keep the cyclic collector off, as `timeit`.

        What is measured is the cost of the call itself; what else the machine does only adds to it.
        """
        self.prepare(self.number)
        self.run(self.number)  # warm
        seconds = []
        gc.collect()
        gc.disable()
        try:
            for _ in range(self.n_repeats):
                self.prepare(self.number)
                start = time.perf_counter()
                self.run(self.number)
                seconds.append((time.perf_counter() - start) / self.number)
        finally:
            gc.enable()
        return Measured(seconds=min(seconds))


@dataclass(frozen=True, kw_only=True)
class Once:
    """A call whose first time in a process is what counts; or one that measures itself."""

    call: Callable[[], float | None]

    def measure(self) -> Measured:
        """Time the one call, unless it returns seconds of its own."""
        start = time.perf_counter()
        own = self.call()
        spent = time.perf_counter() - start
        return Measured(seconds=spent if own is None else own)


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One way of doing a topic's job, with the package that it needs."""

    needs: str
    build: Callable[[bool], Case]
    """Called with True for a quick run (small sizes)."""


@dataclass(frozen=True, kw_only=True)
class Topic:
    """A job and the ways of doing it; the first variant is what the others are compared with."""

    name: str
    title: str
    variants: Mapping[str, Variant]
    note: str = ""
