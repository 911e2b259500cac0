"""An interrupt at every place of a call: afterwards all arrays are right, or dead and say so."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._array.cell import transitions
from ownarray._backend.pool import pool
from ownarray._ops.quiet import quiet
from tests.robustness.interrupting import Interrupter, n_places
from tests.robustness.state import Values, check_array, check_handle, check_nothing_left, in_xla

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

START = np.arange(8.0)


@oa.jit
def double(x: oa.Array) -> oa.Array:
    return x * 2.0


@oa.jit
def total(x: oa.Array) -> oa.Array:
    return oa.sum(x)


@oa.jit
def step(state: oa.Owned[dict[str, oa.Array]], y: oa.Array, *, rate: float) -> Any:
    return {key: value - rate * y for key, value in state.items()}


@oa.jit
def bump(x: oa.Mut[oa.Array], y: oa.Mut[oa.Array]) -> None:
    x += 1.0
    y -= x


@oa.jit(donate_argnums=0)
def push(x: oa.Array, y: oa.Array) -> oa.Array:
    return x + y


@dataclass
class Scene:
    """Arrays before a call, what may become of them, and the call."""

    run: Callable[[], Any]
    arrays: list[tuple[oa.Array, list[Values]]] = field(default_factory=list)
    """Arrays that are alive, or dead through the call itself, and the values they may have."""
    handles: list[tuple[oa.Moved[Any], list[tuple[oa.Array, Values]]]] = field(default_factory=list)
    reclaimable: list[oa.Array] = field(default_factory=list)
    """Arrays that the call only moves, so nothing of them may be lost."""

    def check(self) -> None:
        check_nothing_left()
        for array, values in self.arrays:
            check_array(array, values)
        for handle, leaves in self.handles:
            check_handle(handle, leaves)
        if self.reclaimable:
            alive = oa.reclaim(self.reclaimable)
            for array in alive:
                check_array(array, [START])


def fresh(*, big: bool = False, xla: bool = False) -> oa.Array:
    values = np.resize(START, 1 << 12) if big else START
    x = oa.asarray(values)
    return in_xla(x) if xla else x


def consumed(function: Callable[[Any], Any], **memory: bool) -> Scene:
    x = fresh(**memory)
    values = np.array(x)
    h = oa.move(x)
    return Scene(lambda: function(h), handles=[(h, [(x, values)])])


def lent(function: Callable[[Any], Any], **memory: bool) -> Scene:
    x = fresh(**memory)
    return Scene(lambda: function(x), [(x, [np.array(x)])])


def tree_call() -> Scene:
    a, b, y = fresh(), fresh(xla=True), fresh()
    # A handle of a dict: check_handle reads it as a list.
    h = oa.move({"a": a, "b": b})

    class AsList:
        def take(self) -> list[oa.Array]:
            return list(h.take().values())

    as_list: Any = AsList()
    return Scene(
        lambda: step(h, y, rate=0.5), [(y, [START])], [(as_list, [(a, START), (b, START)])]
    )


def two_handles() -> Scene:
    a, b = fresh(), fresh(xla=True)
    g, h = oa.move(a), oa.move(b)
    return Scene(lambda: oa.add(g, h), handles=[(g, [(a, START)]), (h, [(b, START)])])


def mut_call() -> Scene:
    x, y = fresh(), fresh(xla=True)
    return Scene(
        lambda: bump(x, y), [(x, [START, START + 1]), (y, [START, np.full_like(START, -1.0)])]
    )


def donating() -> Scene:
    x, y = fresh(), fresh(xla=True)
    return Scene(lambda: push(x, y), [(x, [START]), (y, [START])])


OUTER: dict[int, oa.Array] = {}


@oa.jit
def capturing(x: oa.Array) -> oa.Array:
    return x + OUTER[x.size]


def captured() -> Scene:
    x = fresh()
    outer = OUTER.setdefault(x.size, fresh())
    h = oa.move(x)
    return Scene(lambda: capturing(h), [(outer, [START])], [(h, [(x, START)])])


def cold() -> Scene:
    x, w, y = fresh(), fresh(), fresh()
    h = oa.move(x)

    @oa.jit
    def f(x: oa.Owned[oa.Array], y: oa.Mut[oa.Array]) -> oa.Array:
        y += x[0]
        return oa.fori_loop(0, 2, lambda i, x: double(oa.move(x)) + w, oa.move(x))

    return Scene(lambda: f(h, y), [(w, [START]), (y, [START])], [(h, [(x, START)])])


def updating(write: Callable[[Any], Any], after: Callable[[Values], Any], **memory: bool) -> Scene:
    x = fresh(**memory)
    values = np.array(x)
    new = values.copy()
    after(new)
    return Scene(lambda: write(x), [(x, [values, new])])


def add_one(x: Any) -> None:
    x += 1.0


def write_slice(x: Any) -> None:
    x[1:3] = 5.0


def moving() -> Scene:
    x, y = fresh(), fresh(xla=True)

    def move() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            oa.move([x, y])

    return Scene(move, reclaimable=[x, y])


def taking() -> Scene:
    x, y = fresh(), fresh(xla=True)
    h = oa.move([x, y])
    return Scene(h.take, handles=[(h, [(x, START), (y, START)])])


def reclaiming() -> Scene:
    x, y = fresh(), fresh(xla=True)
    h = oa.move([x, y])
    return Scene(lambda: oa.reclaim([x, y]), handles=[(h, [(x, START), (y, START)])])


def viewing() -> Scene:
    x = fresh()
    return Scene(lambda: np.asarray(x).sum(), [(x, [START])])


def failing() -> Scene:
    x, y = fresh(), fresh()
    h = oa.move(x)

    def call() -> None:
        with contextlib.suppress(oa.OwnershipError):
            push(h, h)
        with contextlib.suppress(oa.OwnershipError):
            bump(y, y)

    return Scene(call, [(y, [START])], [(h, [(x, START)])])


PRODUCTS = oa.vmap(lambda x, y: x * y)


def transformed() -> Scene:
    x, y = fresh(), fresh()
    h = oa.move(x)
    return Scene(lambda: PRODUCTS(h, y), [(y, [START])], [(h, [(x, START)])])


SCENES: dict[str, Callable[[], Scene]] = {
    "consumed": lambda: consumed(double),
    "consumed, XLA": lambda: consumed(double, xla=True),
    "freed": lambda: consumed(total, xla=True),
    "lent": lambda: lent(double),
    "tree": tree_call,
    "Mut": mut_call,
    "donated": donating,
    "captured": captured,
    "eager, consumed": lambda: consumed(oa.exp),
    "eager, consumed, large": lambda: consumed(oa.exp, big=True),
    "eager, lent, large": lambda: lent(oa.exp, big=True),
    "eager, two handles": two_handles,
    "method": lambda: consumed(oa.sum),
    "update": lambda: updating(add_one, lambda v: v.__iadd__(1.0)),
    "update, large": lambda: updating(add_one, lambda v: v.__iadd__(1.0), big=True),
    "slice write": lambda: updating(write_slice, lambda v: v.__setitem__(slice(1, 3), 5.0)),
    "slice write, large": lambda: updating(
        write_slice, lambda v: v.__setitem__(slice(1, 3), 5.0), big=True
    ),
    "move": moving,
    "take": taking,
    "reclaim": reclaiming,
    "view": viewing,
    "failing": failing,
}
LONG: dict[str, Callable[[], Scene]] = {
    "cold": cold,
    "fixed point": lambda: consumed(lambda h: oa.fixed_point(lambda x: x * 0.5, 3, h)),
    "scan": lambda: consumed(lambda h: oa.scan(lambda c, x: (c + x, c), oa.asarray(0.0), h)),
    "vmap": transformed,
}


@pytest.fixture(autouse=True)
def _quiet_handles() -> Iterator[None]:
    # An interrupted move leaves an unspent handle behind, as it should.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield


def walk(make: Callable[[], Scene], n_tries: int) -> None:
    """Interrupt a scene at all of its places, or at as many as that, evenly spread."""
    with contextlib.suppress(oa.OwnershipError):
        make().run()  # compile
    places = n_places(make().run)
    assert places > 3
    for place in range(0, places, max(1, places // n_tries)):
        scene = make()
        interrupter = Interrupter(place)
        interrupter.run(scene.run)
        try:
            scene.check()
        except BaseException as error:
            error.add_note(f"after an interrupt at place {place}: {interrupter.where}")
            raise


# An interrupt in a generator that is being dropped can only be printed.
PRINTED = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
TRACED = pytest.mark.skipif(sys.gettrace() is not None, reason="a debugger or coverage traces")


@TRACED
@PRINTED
@pytest.mark.slow
@pytest.mark.parametrize("n", [8, 600], ids=["NumPy", "XLA"])  # brief, or not
@pytest.mark.parametrize("name", SCENES)
def test_interrupts_on_the_way(name: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "START", np.arange(float(n)))
    walk(SCENES[name], 20)


@TRACED
@PRINTED
@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_interrupts_where_a_program_is_made(name: str) -> None:
    walk(LONG[name], 15)


@TRACED
@PRINTED
@pytest.mark.slow
@pytest.mark.skipif("OWNARRAY_LONG_TESTS" not in os.environ, reason="minutes; by hand")
@pytest.mark.parametrize("name", [*SCENES, *LONG])
def test_interrupts_at_every_place(name: str) -> None:
    walk((SCENES | LONG)[name], 1 << 60)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timers on Windows")
@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals reach main only"
)
def test_real_signals_at_random_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program of steps under a rain of interrupts ends with whole state, or says what is lost."""
    # Python swallows an interrupt that comes while a finaliser runs, and pytest takes its time.
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    rng = np.random.default_rng(0)
    x, y = fresh(xla=True), fresh(big=True)
    lost, hits = 0, 0

    is_armed = False

    def rain(*_: object) -> None:
        if is_armed:
            raise KeyboardInterrupt

    push(double(fresh()), oa.sin(fresh(big=True))[:8])
    bump(fresh(), fresh())
    before = signal.signal(signal.SIGALRM, rain)
    end = time.monotonic() + 4.0
    try:
        while hits < 40 and time.monotonic() < end:
            signal.setitimer(signal.ITIMER_REAL, float(rng.uniform(1e-4, 4e-3)), 2e-3)
            try:
                try:
                    is_armed = True
                    while True:
                        x = double(oa.move(x))
                        x = push(x, x[::-1])
                        y = oa.sin(oa.move(y))
                        y += 1.0
                        bump(x, y[:8])
                finally:
                    is_armed = False
            except KeyboardInterrupt:
                hits += 1
            check_nothing_left()
            restored = []
            for array, big in ((x, False), (y, True)):
                try:
                    alive = oa.reclaim(array)
                except oa.UseAfterMoveError:
                    alive, lost = fresh(big=big), lost + 1
                alive += 0.0
                assert np.all(np.isfinite(np.array(alive))) or not big
                restored.append(oa.zeros(8) if not big else alive)
            x, y = restored
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert hits > 3
    assert lost <= 2 * hits


def test_signal_handlers_and_finalisers_compute_wherever_they_come() -> None:
    small, large = oa.zeros(4), oa.zeros(100_000)

    def save() -> None:
        nonlocal small, large
        small += 1.0
        large += 1.0
        large = oa.negative(oa.move(oa.negative(large)))
        state = double(oa.move(oa.copy(small)))
        assert np.asarray(oa.exp(oa.move(state))).shape == (4,)

    for _ in range(4):
        save()
    quiet.run(save)  # while NumPy works for this thread
    with transitions.lock:
        save()
    with pool._changing():
        save()
    assert small.tolist() == [7.0] * 4
    assert float(large[-1]) == 7.0
    check_nothing_left()
