"""Nothing grows over many calls, and what is dropped is freed."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import warnings
import weakref
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._array.running import running
from ownarray._backend import buffers

if TYPE_CHECKING:
    from collections.abc import Callable

N_CALLS = int(os.environ.get("OWNARRAY_CALLS", "3000"))
"""How many calls each test makes: a million by hand."""


@oa.jit
def double(x: oa.Array) -> oa.Array:
    return x * 0.5


@oa.jit
def step(p: oa.Owned[dict[str, oa.Array]], y: oa.Array, rate: float) -> dict[str, oa.Array]:
    return {key: value - rate * y for key, value in p.items()}


@oa.jit
def bump(x: oa.Mut[oa.Array]) -> None:
    x += 1.0


@oa.jit(donate_argnums=0)
def push(x: oa.Array, y: oa.Array) -> oa.Array:
    return x - y


@oa.jit
def broken(x: oa.Array) -> oa.Array:
    return x if x[0] > 0 else -x


class State:
    """What the actions work on."""

    def __init__(self, n: int) -> None:
        self.x, self.y = oa.ones(n), oa.zeros(n)
        self.p = {"a": oa.ones(n), "b": oa.ones(n)}


def eager(s: State) -> None:
    s.x = s.x * 0.5 + s.y
    s.x += 1.0
    s.x[1:3] = 2.0


def eager_moved(s: State) -> None:
    s.x = oa.exp(oa.move(s.x))
    s.x = oa.minimum(oa.move(s.x), 1.0)


def lent(s: State) -> None:
    double(s.x)


def consumed(s: State) -> None:
    s.x = double(oa.move(s.x))


def trees(s: State) -> None:
    s.p = step(oa.move(s.p), s.y, 0.1)


def updated(s: State) -> None:
    bump(s.x)
    s.y = push(s.y, s.x)


def moved(s: State) -> None:
    s.x = oa.move(s.x).take()
    oa.move(s.y)
    s.y = oa.reclaim(s.y)


def views(s: State) -> None:
    float(np.asarray(s.x)[0])
    np.from_dlpack(s.x)


def failing(s: State) -> None:
    h: Any = oa.move(s.x)
    function: Any = double
    wrong: Any = None
    for call in (
        lambda: function(h, 1),
        lambda: function({1}),
        lambda: oa.add(h, wrong),
        lambda: h + 1,
    ):
        try:
            call()
        except TypeError:
            pass
        else:
            raise AssertionError
    with contextlib.suppress(oa.BorrowError):
        bump(h)
    s.x = h.take()
    owned: Any = step
    with contextlib.suppress(oa.MoveRequiredError):
        owned(s.p, s.y, 0.1)


def imported(s: State) -> None:
    double(np.ones(s.x.shape))
    s.y = oa.asarray(np.zeros(s.x.shape))


def loops(s: State) -> None:
    s.x = oa.fixed_point(_halve, 3, oa.move(s.x))


def _halve(x: oa.Array) -> oa.Array:
    return x * 0.5


ACTIONS: dict[str, Callable[[State], None]] = {
    f.__name__: f
    for f in (
        eager, eager_moved, lent, consumed, trees, updated, moved, views, failing, imported, loops
    )
}  # fmt: skip
SLOW_ONES = {"failing": 5, "loops": 100, "imported": 2}


def resident() -> int:
    """Return the bytes of memory in use, or 0 where the system does not say."""
    path = Path("/proc/self/statm")
    return int(path.read_text().split()[1]) * 4096 if path.exists() else 0


def census() -> Counter[type]:
    gc.collect()
    return Counter(map(type, gc.get_objects()))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("n", [8, 4096])
@pytest.mark.parametrize("name", ACTIONS)
def test_many_calls_leave_nothing_behind(name: str, n: int) -> None:
    action = ACTIONS[name]
    state = State(n)
    n_calls = N_CALLS // SLOW_ONES.get(name, 1) // (4 if n > 8 else 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(max(20, n_calls // 10)):
            action(state)
        before, memory, n_buffers = census(), resident(), buffers.live_count()
        for _ in range(n_calls):
            action(state)
    grown = {kind: count for kind, count in (census() - before).items() if count > 100}
    assert not grown
    assert buffers.live_count() <= n_buffers + 4
    assert resident() - memory < 12 << 20
    assert not running


@pytest.mark.slow
def test_caches_of_one_function_are_bounded() -> None:
    @oa.jit(static_argnames="n")
    def f(x: oa.Array, n: int) -> oa.Array:
        return x

    x = oa.ones(2)
    for n in range(300):
        f(x, n=n)
    inside: Any = f
    assert len(inside._staged) <= 256
    assert len(inside._compiled) <= 256


def test_a_dropped_function_frees_what_it_captured_compiled_and_cached() -> None:
    w = oa.ones(4096)
    wild = np.ones(4096)

    def body(x: oa.Array) -> oa.Array:
        return oa.fori_loop(0, 2, lambda i, u: u + w, x) + wild  # noqa: F821  # deleted below

    f = oa.jit(body)
    f(oa.ones(4096))
    f.explain(oa.ones(4096))
    gone: list[weakref.ref[Any]] = [weakref.ref(w), weakref.ref(f), weakref.ref(body)]
    del f, w, body
    gc.collect()
    assert [ref() for ref in gone] == [None] * 3


def test_eager_loops_keep_no_body_and_no_array() -> None:
    w = oa.ones(3)

    def body(u: oa.Array) -> oa.Array:
        return u + w  # noqa: F821  # deleted below

    oa.fixed_point(body, 2, oa.ones(3))
    oa.vmap(lambda r: r * w)(oa.ones((2, 3)))  # noqa: F821
    oa.grad(lambda x: oa.sum(x * w))(oa.ones(3))  # noqa: F821
    gone: list[weakref.ref[Any]] = [weakref.ref(w), weakref.ref(body)]
    del body, w
    gc.collect()
    assert [ref() for ref in gone] == [None] * 2


def test_failed_calls_keep_nothing() -> None:
    x = oa.ones(3)
    with pytest.raises(oa.TraceError):
        broken(x)
    with pytest.raises(ValueError, match="broadcast"):
        oa.jit(lambda x, y: x + y)(x, oa.ones(4))
    gone = weakref.ref(x)
    del x
    sys.exc_info()
    gc.collect()
    assert gone() is None


def test_a_dead_name_holds_no_memory_once_its_handle_was_spent() -> None:
    x = oa.ones(1 << 17)
    n_bytes = buffers.live_bytes()
    y = double(oa.move(x))
    z = oa.exp(oa.move(y))
    t = oa.fixed_point(_halve, 1, oa.move(z))
    assert buffers.live_bytes() <= n_bytes
    dead: Any
    for dead in (x, y, z):
        assert dead._buf is None
        assert dead._host is None
    del t
    oa.release_memory()
    assert buffers.live_bytes() <= n_bytes - (1 << 20)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell")
def test_a_state_that_is_updated_for_ever_takes_no_more_memory() -> None:
    """jaxlib keeps something of each run with a donor until it is told to let go."""

    x = oa.ones(600)  # too many for a brief function
    for _ in range(2_000):
        x = double(oa.move(x))
    gc.disable()  # a collection may end it too
    try:
        before = resident()
        for _ in range(40_000):
            x = double(oa.move(x))
        assert resident() - before < 1 << 20
    finally:
        gc.enable()
