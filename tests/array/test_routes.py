"""Calls on small arrays that were seen before: the same bits, errors and rights as the first."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._array import routes
from ownarray._array.taping import taping
from ownarray._ops import elementwise

Values = np.ndarray[Any, np.dtype[Any]]

X = np.linspace(-2.0, 3.0, 6)
Y = np.linspace(1.0, 2.0, 6)
N = np.arange(6)

CALLS: list[tuple[str, Callable[..., Any], tuple[Values, ...]]] = [
    ("square by product", lambda x: x * x, (X,)),
    ("several steps", oa.std, (X,)),
    ("bounds", lambda x: oa.clip(x, -0.5, 0.5), (X,)),
    ("mixed dtypes", lambda x, n: n * x, (X, N)),
    ("number first", lambda x: 1 - x, (X,)),
    ("float beside integers", lambda n: n + 0.5, (N,)),
    ("mask", lambda x, y: oa.where(x > 0, x, y), (X, Y)),
    ("list of arrays", lambda x, y: oa.concatenate([x, y, x]), (X, Y)),
    ("several results", lambda x: oa.concatenate(oa.split(x, 2)[::-1]), (X,)),
    ("keywords", lambda x: oa.sum(x, axis=0, keepdims=True), (X,)),
    ("indices", lambda x, n: oa.take(x, n[::-1], axis=0), (X, N)),
    ("index arrays", lambda x, n: x[n] + x[n > 2].sum(), (X, N)),
    ("chosen by value", lambda n: oa.unique(n % 3), (N,)),
    ("updated", lambda x: _added(x, 1.0), (X,)),
    ("itself", lambda x: oa.asarray(x) + 0.0, (X,)),
]


def _added(x: oa.Array, number: float) -> oa.Array:
    y = oa.copy(x)
    y += number
    y += y
    y *= x
    return y


@pytest.mark.parametrize(("name", "function", "args"), CALLS, ids=[call[0] for call in CALLS])
def test_every_call_gives_what_the_first_gave(
    name: str, function: Callable[..., Any], args: tuple[Values, ...]
) -> None:
    first = np.array(function(*[oa.asarray(value) for value in args]))
    for shift in (0, 0, 0, 1, 2):
        values = [np.roll(value, shift) for value in args]
        again = np.array(function(*[oa.asarray(value) for value in values]))
        if not shift:
            assert again.tobytes() == first.tobytes()
        # A new process would see these values first; here the same call in a trace does.
        routes.forget()
        anew = np.array(function(*[oa.asarray(value) for value in values]))
        assert again.dtype == anew.dtype
        assert again.tobytes() == anew.tobytes()
        for _ in range(3):
            function(*[oa.asarray(value) for value in args])


@pytest.mark.parametrize("number", [0.0, -0.0, np.nan, 2.0, np.inf])
def test_numbers_are_told_apart(number: float) -> None:
    x = oa.asarray([-1.0, 0.0, -0.0, 1.0])
    for _ in range(3):
        for other in (0.0, -0.0, 1.5):
            oa.where(x > 1.0, x, other)
            oa.copysign(x, other)
            oa.pow(x, other)
    for _ in range(3):
        np.testing.assert_array_equal(np.array(oa.pow(x, number)), np.power(np.array(x), number))
        chosen = np.array(oa.where(x > 1.0, x, number))
        assert chosen.tobytes() == np.full(4, number).tobytes()
        signed = np.array(oa.copysign(x, number))
        assert signed.tobytes() == np.copysign(np.array(x), number).tobytes()


def test_types_of_numbers_are_told_apart() -> None:
    n = oa.asarray([1, 2, 3])
    for _ in range(3):
        assert oa.add(n, 1).dtype == np.int64
        assert oa.add(n, True).dtype == np.int64
        assert oa.add(n, 1.0).dtype == np.float64
        assert oa.add(n, 1j).dtype == np.complex128
        assert oa.sum(n, keepdims=1).shape == (1,)  # type: ignore[arg-type]


def test_numbers_that_do_not_fit_are_refused_each_time() -> None:
    n = oa.asarray([1, 2], dtype="int8")
    for _ in range(3):
        assert (n + 1).tolist() == [2, 3]
    for _ in range(3):
        with pytest.raises(OverflowError):
            n + 300
        with pytest.raises(OverflowError):
            n += 300
    assert n.tolist() == [1, 2]


def test_numbers_that_do_not_fit_are_refused_where_integers_become_floats_too() -> None:
    n = oa.asarray([1, 2], dtype="int8")
    flags = oa.asarray([True, False])
    for _ in range(3):
        assert (n / 2).tolist() == [0.5, 1.0]
        assert (flags / 2).tolist() == [0.5, 0.0]
        assert oa.atan2(n, 2).shape == (2,)
    for _ in range(3):
        with pytest.raises(OverflowError):
            n / 300
        with pytest.raises(OverflowError):
            flags / 2**63


@pytest.mark.parametrize("number", [0.5, -1.0, 2.0, 3.0])
def test_powers_in_place_are_chosen_by_their_exponent(number: float) -> None:
    values = np.array([0.3, 1.7, np.inf, 5.1])
    expected = np.array(oa.asarray(values) ** number)
    x = oa.asarray(values)
    for _ in range(3):
        oa.copy(x).__ipow__(2.5)
    x **= number
    assert np.array(x).tobytes() == expected.tobytes()


@pytest.mark.parametrize("n", [4, 100_000])
def test_an_update_is_computed_once(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    calls: list[int] = []
    add = elementwise.add

    def counted(x: object, y: object) -> object:
        calls.append(1)
        return add(x, y)

    monkeypatch.setattr(elementwise, "add", counted)
    x = oa.ones(n)
    x += np.float64(2.0)
    assert len(calls) == 1
    if n > 4:  # small ones are computed once more, to be remembered
        x += 2.0
        x += oa.ones(n)
        assert len(calls) == 3


def test_a_handle_lends_its_memory_on_every_call() -> None:
    for _ in range(4):
        x = oa.asarray(X)
        place = x._values().ctypes.data  # type: ignore[attr-defined]
        y = oa.negative(oa.move(x))
        assert y._values().ctypes.data == place  # type: ignore[attr-defined]
        z = oa.clip(oa.move(y), 0.0, 1.0)
        assert z._values().ctypes.data == place  # type: ignore[attr-defined]
        assert x.is_moved
        assert y.is_moved
        with pytest.raises(oa.UseAfterMoveError):
            oa.negative(y)
        assert z.tolist() == np.clip(-X, 0.0, 1.0).tolist()


def test_a_result_in_the_memory_of_a_step_before_is_no_handles() -> None:
    for _ in range(4):
        low = oa.asarray([0.5])
        found = oa.clip(oa.asarray(X), oa.move(low), oa.asarray(Y))
        assert np.array(found).tolist() == np.clip(X, 0.5, Y).tolist()
        assert low.is_moved


def test_a_handle_is_spent_once_on_every_call() -> None:
    for _ in range(4):
        x = oa.asarray(X)
        h = oa.move(x)
        oa.exp(h)
        with pytest.raises(oa.UseAfterMoveError):
            oa.exp(h)
        k = oa.move(oa.asarray(X))
        with pytest.raises(oa.UseAfterMoveError):
            oa.add(k, k)
        assert k.take().tolist() == X.tolist()


def test_a_failed_call_leaves_the_handle_good_also_when_it_was_seen_before() -> None:
    for _ in range(3):
        oa.take(oa.move(oa.asarray(X)), oa.asarray([1, 2]), axis=0)
    for _ in range(3):
        h = oa.move(oa.asarray(X))
        with pytest.raises(IndexError):
            oa.take(h, oa.asarray([1, 9]), axis=0)
        assert h.take().tolist() == X.tolist()


def test_nothing_is_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        zero, big = oa.zeros(3), oa.full((3,), 1e300)
        for _ in range(4):
            zero / zero
            big *= 1.0
            big * big
            oa.log(zero)
            oa.std(big)


def test_traces_see_every_call() -> None:
    x, y = oa.asarray(X), oa.asarray(Y)
    for _ in range(3):
        assert float(oa.grad(lambda x: oa.sum(x * x))(x)[1]) == 2 * X[1]
        oa.sum(x * x)
    assert oa.jit(lambda: oa.sum(x * y))().tolist() == pytest.approx(float(X @ Y))
    assert not taping


def test_what_reads_values_has_no_route() -> None:
    def chosen(x: oa.Array) -> oa.Array:
        return x + 1.0 if float(x.sum()) > 0 else x - 1.0

    call = oa._array.consume.often(chosen)  # type: ignore[attr-defined]
    for _ in range(3):
        assert call(oa.ones(2)).tolist() == [2.0, 2.0]
    assert call(-oa.ones(2)).tolist() == [-2.0, -2.0]


def test_only_short_calls_on_arrays_are_looked_into() -> None:
    routes.forget()
    for _ in range(3):
        assert oa.asarray([float(i) for i in range(1000)]).shape == (1000,)
        oa.full((3,), 2.0)
        oa.linspace(0.0, 1.0, 3)
    assert not routes._seen
    parts = [oa.ones(1) for _ in range(200)]
    for _ in range(3):
        assert oa.concatenate(parts).shape == (200,)
    assert not routes._routes


def test_routes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "MAX_ROUTES", 8)
    x = oa.asarray(X)
    for i in range(40):
        for _ in range(2):
            oa.clip(x, 0.0, 1.0 + i)
    assert len(routes._routes) <= 8
    assert len(routes._seen) <= 8
