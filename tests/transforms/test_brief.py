"""Compiled functions of few steps on small arrays: NumPy computes them, and nobody can tell."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._array.brief import Brief
from ownarray._backend import compile as backend_compile


def address(x: oa.Array) -> int:
    return int(np.asarray(x).__array_interface__["data"][0])


def as_tuple(results: Any) -> tuple[oa.Array, ...]:
    return results if isinstance(results, tuple) else (results,)


def is_brief(function: Any) -> bool:
    """Return whether the last kind of call of a compiled function is done by NumPy."""
    (*_, compiled) = function._compiled.values()
    return isinstance(compiled.brief, Brief)


BRIEF: dict[str, Callable[..., Any]] = {
    "number": lambda x, y: x + 1.0,
    "two": lambda x, y: (x + y, x - y),
    "crossed": lambda x, y: (y * 2.0, x * 3.0),
    "swapped": lambda x, y: (y, x),
    "both from one": lambda x, y: (x + 1.0, x * 2.0),
    "chain": lambda x, y: (x * y + y) * x,
    "read after": lambda x, y: (x + 1.0, (x + 1.0) * y),
    "twice": lambda x, y: (z := x + y, z),
    "as it is": lambda x, y: x,
    "as it is, twice": lambda x, y: (x, x, y),
    "constant": lambda x, y: (oa.full(x.shape, 2.0), x + y),
    "folded": lambda x, y: x + oa.arange(x.shape[-1]) * 2.0 if x.ndim else x + y,
    "compared": lambda x, y: (x < y, oa.where(x < y, x, y)),
    "cast": lambda x, y: x.astype("int32"),
    "reshaped": lambda x, y: oa.reshape(x, (-1,)),
    "reversed": lambda x, y: oa.flip(x),
    "exponential": lambda x, y: oa.where(x < 0, oa.exp(x), oa.tanh(y)),
    "rounded": lambda x, y: (oa.floor(x), oa.sqrt(oa.abs(y))),
    "nothing": lambda x, y: (),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bfloat16", "complex64"])
@pytest.mark.parametrize("shape", [(8,), (), (0,), (3, 4), (1, 8)])
@pytest.mark.parametrize("name", BRIEF)
def test_lent_moved_and_copied_calls_agree(name: str, shape: Any, dtype: str) -> None:
    if dtype == "complex64" and name in {"compared", "cast", "exponential", "rounded"}:
        dtype = "float16"  # complex numbers have no order
    function = oa.jit(BRIEF[name])
    rng = np.random.default_rng(0)
    values = [np.asarray(rng.normal(size=shape) * 4) for _ in range(2)]

    def arrays() -> list[oa.Array]:
        return [oa.asarray(each).astype(dtype) for each in values]

    for _ in range(3):  # the first call, the one that is remembered, the short way
        x, y = arrays()
        before = np.array(x), np.array(y)
        lent = function(x, y)
        assert np.array(x).tobytes() == before[0].tobytes()
        assert np.array(y).tobytes() == before[1].tobytes()
        moved = function(*[oa.move(each) for each in arrays()])
        mixed = function(oa.move(x), y)
        copied = function(oa.copy(arrays()[0]), oa.copy(y))
        for other in (moved, mixed, copied):
            for one, two in zip(as_tuple(lent), as_tuple(other), strict=True):
                assert (one.shape, one.dtype) == (two.shape, two.dtype)
                assert np.array(one).tobytes() == np.array(two).tobytes()
        places = [address(result) for result in as_tuple(moved) if result.size]
        assert len(set(places)) == len(places)


@pytest.mark.parametrize("name", BRIEF)
def test_the_same_as_through_xla(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    x, y = (oa.asarray(rng.integers(1, 9, size=8) / 4) for _ in range(2))  # exact in every step
    small = oa.jit(BRIEF[name])
    results = small(x, y)
    assert is_brief(small)
    monkeypatch.setattr("ownarray._transforms.jit.brief", lambda *_: None)
    through_xla = oa.jit(BRIEF[name])
    expected = through_xla(x, y)
    assert not is_brief(through_xla)
    for one, two in zip(as_tuple(results), as_tuple(expected), strict=True):
        assert (one.shape, one.dtype) == (two.shape, two.dtype)
        np.testing.assert_allclose(np.array(one), np.array(two), rtol=1e-15)


def test_memory_of_the_donor_is_reused_from_the_first_call_on() -> None:
    step = oa.jit(lambda x: x * 2.0)
    x = oa.asarray(np.ones(8))
    place = address(x)
    for _ in range(4):
        x = step(oa.move(x))
        assert address(x) == place
    assert x.tolist() == [16.0] * 8


def test_results_take_the_memory_that_the_plan_gives_them() -> None:
    swap = oa.jit(lambda x, y: (y + 1.0, x + 2.0))
    x, y = oa.zeros(8), oa.ones(8)
    places = [address(x), address(y)]
    first, second = swap(oa.move(x), oa.move(y))
    assert [address(first), address(second)] == places
    assert (first.tolist(), second.tolist()) == ([2.0] * 8, [2.0] * 8)


def test_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(backend_compile, "compile_fresh", refuse)
    monkeypatch.setattr(backend_compile, "load_or_compile", refuse)
    assert oa.jit(lambda x: x - 7.25)(oa.ones(3)).tolist() == [-6.25] * 3


def test_memory_of_xla_is_written_in_place() -> None:
    make = oa.jit(lambda x: oa.exp(x) + oa.sin(x) + oa.cos(x) + oa.tanh(x) + oa.sort(x))
    x = make(oa.zeros(8))
    assert not is_brief(make)
    place = address(x)
    step = oa.jit(lambda x: x + 1.0)
    y = step(oa.move(x))
    assert address(y) == place
    assert make(oa.move(y)).shape == (8,)  # and goes back


def test_long_large_and_packed_programs_go_through_xla() -> None:
    def long(x: oa.Array) -> oa.Array:
        for _ in range(40):
            x = x * 0.5 + 1.0
        return x

    for function, x in (
        (long, oa.ones(8)),
        (lambda x: x + 1.0, oa.ones(1000)),
        (lambda x: x + x, oa.ones(8, dtype="int4")),
        (lambda x: x.sum(), oa.ones(8)),
        (lambda x: oa.linalg.inv(oa.diag(x)), oa.zeros(8)),  # a singular matrix is refused eagerly
        (lambda x: oa.fori_loop(0, 3, lambda i, x: x + 1.0, x), oa.ones(8)),
    ):
        compiled = oa.jit(function)
        compiled(x)
        assert not is_brief(compiled)


def test_updated_donated_captured_and_static_arguments() -> None:
    @oa.jit
    def update(x: oa.Mut[oa.Array], by: oa.Array) -> oa.Array:
        x += by
        return x * 2.0

    x, by = oa.ones(4), oa.full(4, 3.0)
    place = address(x)
    for k in range(1, 4):
        assert update(x, by).tolist() == [2.0 * (1 + 3 * k)] * 4
        assert address(x) == place

    weights = oa.full(4, 2.0)
    scale = oa.jit(lambda x: x * weights, donate_argnums=0)
    y = oa.ones(4)
    place = address(y)
    assert address(z := scale(y)) == place
    assert y.is_moved
    assert z.tolist() == weights.tolist() == [2.0] * 4

    power = oa.jit(lambda x, n: x**n, static_argnums=1)
    assert power(oa.full(3, 2.0), 3).tolist() == [8.0] * 3
    assert power(oa.full(3, 2.0), n=2).tolist() == [4.0] * 3


def test_memory_of_others_is_read_only_and_of_any_layout() -> None:
    values = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    x = oa.from_dlpack(values)
    step = oa.jit(lambda x: x * 2.0)
    for _ in range(3):
        result = step(x)
        assert np.asarray(result).flags.c_contiguous
        assert result.tolist() == (values * 2).tolist()
    assert values.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


def test_numbers_are_arguments() -> None:
    step = oa.jit(lambda x, rate: x * rate)
    for rate in (0.5, 2, True, np.float32(4), np.full(3, 8.0)):
        for _ in range(3):
            assert step(oa.full(3, 3.0), rate).tolist() == (np.full(3, 3.0) * rate).tolist()
    for number in (1000, -1000):  # wraps around, as it does where XLA computes
        small, large = (step(oa.ones(n, dtype="int8"), number) for n in (3, 3000))
        assert small.tolist() == large[:3].tolist()


def test_no_warning_leaves() -> None:
    divide = oa.jit(lambda x, y: (x / y, oa.sqrt(x), oa.log(y)))
    for _ in range(3):
        with np.errstate(all="raise"):
            results = divide(oa.full(2, -1.0), oa.zeros(2))
        assert [result.tolist()[0] for result in results[::2]] == [-np.inf] * 2
        assert np.isnan(np.array(results[1])).all()


def test_births_are_tracked() -> None:
    step = oa.jit(lambda x: x + 1.0)
    step(step(oa.ones(2)))
    with oa.track_sites():
        x = step(oa.ones(2))
        sites = [live.created_at for live in oa.live_arrays() if live.nbytes == x.nbytes]
    assert any("test_brief.py" in (site or "") for site in sites)
