"""Second buffers for carried arrays: the same bits, no hidden copies, no more memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._array import doubled
from ownarray._backend.compile import compile_text
from ownarray._ops import host_calls

if TYPE_CHECKING:
    from collections.abc import Callable

N = 600
NBYTES = N * N * 4


def stencil(u: oa.Array) -> oa.Array:
    u[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) * np.float32(0.25)
    return u


def pair(state: Any) -> Any:
    u, v = state
    v[1:-1] = v[1:-1] + (u[2:] - u[:-2]) * np.float32(0.1)
    u[1:-1] = u[1:-1] + (v[2:] - v[:-2]) * np.float32(0.1)
    return u, v


def start() -> oa.Array:
    return oa.asarray(np.random.default_rng(0).standard_normal((N, N)).astype(np.float32))


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that are compiled for programs with loops, one after another."""
    seen: list[str] = []

    def compiled(text: str, outs: Any, alias_bytes: int | None = None) -> Any:
        seen.append(text)
        return compile_text(text, outs, alias_bytes)

    real: Callable[..., Any] = doubled.compile_program
    monkeypatch.setattr(
        "ownarray._array.recycle.compile_program",
        lambda *args, **options: real(*args, **{**options, "compiled": compiled}),
    )
    return seen


CALL = f"{host_calls.PREFIX}nothing"


@pytest.mark.parametrize("length", [4, 7])
@pytest.mark.parametrize("is_jit", [False, True])
def test_a_stencil_is_computed_between_two_buffers(
    texts: list[str], monkeypatch: pytest.MonkeyPatch, length: int, is_jit: bool
) -> None:
    def f(u: oa.Array) -> oa.Array:
        return oa.fixed_point(stencil, length, u)

    x = start()
    got = (oa.jit(f) if is_jit else f)(x)
    assert CALL in texts[-1]
    monkeypatch.setattr(doubled, "MIN_BYTES", 1 << 40)
    wanted = oa.jit(f)(x)
    assert CALL not in texts[-1]
    assert np.asarray(got).tobytes() == np.asarray(wanted).tobytes()


def test_it_takes_no_more_memory_and_stays_in_place() -> None:
    f = oa.jit(lambda u: oa.fixed_point(stencil, 8, u))
    x = start()
    before = np.asarray(x).__array_interface__["data"][0]
    assert f.explain(x).bytes_temporary <= NBYTES * 1.05
    y = f(oa.move(x))
    assert np.asarray(y).__array_interface__["data"][0] == before


def test_several_carried_arrays() -> None:
    u, v = start(), start() + np.float32(1)
    got = oa.jit(lambda s: oa.fixed_point(pair, 6, s))((u, v))
    a, b = np.array(u), np.array(v)
    for _ in range(6):
        b[1:-1] = b[1:-1] + (a[2:] - a[:-2]) * np.float32(0.1)
        a[1:-1] = a[1:-1] + (b[2:] - b[:-2]) * np.float32(0.1)
    for x, wanted in zip(got, (a, b), strict=True):
        np.testing.assert_allclose(np.asarray(x), wanted, rtol=1e-5, atol=1e-5)


def test_counters_and_stacked_results_stay_right(texts: list[str]) -> None:
    def step(u: oa.Array, row: oa.Array) -> tuple[oa.Array, oa.Array]:
        u[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1]) * np.float32(0.5) + row
        return u, u[1, 1] + row

    rows = np.arange(5, dtype=np.float32)
    u, ys = oa.jit(lambda u, rows: oa.scan(step, u, rows))(start(), oa.asarray(rows))
    assert CALL in texts[-1]
    wanted, stacked = np.array(start()), []
    for row in rows:
        wanted[1:-1, 1:-1] = (wanted[:-2, 1:-1] + wanted[2:, 1:-1]) * np.float32(0.5) + row
        stacked.append(wanted[1, 1] + row)
    np.testing.assert_allclose(np.asarray(u), wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(np.asarray(ys), stacked, rtol=1e-5)


@pytest.mark.parametrize(
    "body", [lambda u: u * np.float32(0.5) + np.float32(1), lambda u: u], ids=["scaled", "same"]
)
def test_loops_without_copies_stay_as_they_are(
    texts: list[str], body: Callable[[oa.Array], oa.Array]
) -> None:
    oa.jit(lambda u: oa.fixed_point(body, 8, u))(start())
    assert len(texts) == 1


def test_short_loops_and_small_arrays_stay_as_they_are(texts: list[str]) -> None:
    oa.jit(lambda u: oa.fixed_point(stencil, 3, u))(start())
    oa.jit(lambda u: oa.fixed_point(stencil, 8, u))(oa.zeros((64, 64), dtype=oa.float32))
    assert not any(CALL in text for text in texts)
