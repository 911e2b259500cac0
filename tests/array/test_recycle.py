"""Fresh results in dead memory: never in memory that somebody can still see."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ownarray as oa
from ownarray._array.recycle import large_fresh
from ownarray._backend import pool
from ownarray._core.aval import ShapedArray

if TYPE_CHECKING:
    from collections.abc import Iterator

N = pool.MIN_BYTES // 4
"""Elements of a float32 array that is just large enough."""


@pytest.fixture(autouse=True)
def _empty_pool() -> Iterator[None]:
    gc.collect()
    oa.release_memory()
    yield
    oa.release_memory()


def make() -> tuple[oa.Jitted[..., oa.Array], oa.Array]:
    function = oa.jit(lambda x: x * 2.0 + 1.0)
    x = oa.asarray(np.arange(N, dtype=np.float32) % 1000)
    return function, x


def address(x: oa.Array) -> int:
    return int(np.asarray(x).__array_interface__["data"][0])


def test_a_dropped_result_becomes_the_memory_of_the_next() -> None:
    f, x = make()
    want = np.asarray(x) * 2 + 1
    seen = []
    y = f(x)
    for _ in range(6):
        seen.append(address(y))
        assert np.array_equal(np.asarray(y), want)
        y = f(x)
    assert len(set(seen)) <= 3
    assert pool.pool.n_bytes <= 4 * N


def test_results_that_are_kept_are_never_overwritten() -> None:
    f, x = make()
    kept = [f(x) for _ in range(3)]
    kept += [f(y) for y in kept]
    assert len({address(y) for y in kept}) == len(kept)
    for y in kept[:3]:
        assert np.array_equal(np.asarray(y), np.asarray(x) * 2 + 1)


def test_memory_under_a_view_is_not_reused() -> None:
    f, x = make()
    view = np.asarray(f(x))  # the array itself is dropped at once
    want = view.copy()
    for _ in range(5):
        f(oa.move(f(x)))
    assert np.array_equal(view, want)


def test_memory_that_was_moved_on_is_not_reused() -> None:
    f, x = make()
    y = f(x)
    z = oa.move(y).take()
    want = np.array(z)
    del y
    h = oa.move(z)
    del z
    for _ in range(4):
        f(x)
    z = h.take()
    for _ in range(4):
        f(x)
    assert np.array_equal(np.asarray(z), want)
    z += 1.0
    for _ in range(4):
        f(x)
    assert np.array_equal(np.asarray(z), want + 1)


def test_updated_memory_is_not_reused() -> None:
    f, x = make()
    y = f(x)
    for k in range(4):
        y += 1.0
        y[0] = k
        f(x)
    assert np.array_equal(np.asarray(y)[1:], (np.asarray(x) * 2 + 5)[1:])

    @oa.jit
    def bump(y: oa.Mut[oa.Array]) -> None:
        y += 1.0

    for _ in range(4):
        bump(y)
        f(x)
    assert float(y[1]) == float(x[1]) * 2 + 9


def test_consumed_memory_without_a_partner_serves_the_next_result() -> None:
    f, x = make()
    y = f(x)
    at = address(y)
    total = oa.jit(lambda y: y.sum())
    total(oa.move(y))
    assert address(f(x)) == at


def test_eager_results_recycle_too() -> None:
    x = oa.ones(N, dtype="float32")
    seen = set()
    for _ in range(8):
        y = x + 1.0
        seen.add(address(y))
        assert float(y[7]) == 2.0
    assert len(seen) <= 3


def test_memory_is_released_on_demand() -> None:
    f, x = make()
    for _ in range(4):
        f(x)
    assert pool.pool.n_bytes == 4 * N
    assert oa.release_memory() == 4 * N
    assert pool.pool.n_bytes == 0


def test_memory_is_kept_only_where_it_was_asked_for() -> None:
    x = oa.ones(N, dtype="float32")
    y = oa.jit(lambda x: x + 1)(oa.move(x))
    del x, y
    assert pool.pool.n_bytes == 0


def test_small_results_and_those_with_donors_are_left_alone() -> None:
    small, large = ShapedArray((4,), np.dtype("f4")), ShapedArray((N,), np.dtype("f4"))
    assert large_fresh([small, large, large], [None, 0, None]) == [2]


def test_a_large_stencil_is_relocated_and_right() -> None:
    def step(x: oa.Owned[oa.Array]) -> oa.Array:
        x[1:-1] = 0.5 * (x[:-2] + x[2:])
        return x

    values = np.random.default_rng(0).random((1 << 22) + 1024).astype(np.float32)
    want = values.copy()
    want[1:-1] = np.float32(0.5) * (values[:-2] + values[2:])
    for strict in (False, True):
        f = oa.jit(step, require_alias=strict)
        x = oa.asarray(values)
        plan = f.explain(x)
        assert plan.rows[0].target == "result"
        assert plan.rows[0].is_reused or "other memory" in repr(plan)
        assert plan.rows[0].is_reused or not strict
        assert np.array_equal(np.asarray(f(oa.move(x))), want)
        assert x.is_moved


def test_memory_is_not_chosen_where_xla_would_copy_into_it() -> None:
    @oa.jit
    def with_one(x: oa.Array) -> oa.Array:
        x = oa.copy(x)
        x[0] = 1.0
        return x

    assert with_one.explain(oa.ShapedArray((N,), "float32")).bytes_temporary < 4 * N
