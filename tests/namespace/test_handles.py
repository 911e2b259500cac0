"""Spending handles: what a failure costs, who wins, and what stands in a handle's place."""

import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ownarray as oa

SIZES = {"small": (3, 4), "large": (160, 128)}


@pytest.fixture(params=list(SIZES), name="shape")
def _shape(request: pytest.FixtureRequest) -> tuple[int, int]:
    return SIZES[request.param]


def _good(x: oa.Array, handle: oa.Moved[oa.Array]) -> None:
    """Assert that a failed call spent nothing."""
    assert x.state is oa.State.MOVED
    again = handle.take()
    np.testing.assert_array_equal(np.asarray(again), 2.0)


# Wrong arguments beside a handle, each refused before anything is computed.
WRONG: list[tuple[str, Callable[[Any], object], type[Exception]]] = [
    ("add", lambda h: oa.add(h, oa.ones(7)), ValueError),
    ("multiply", lambda h: oa.multiply(h, "a"), TypeError),  # type: ignore[arg-type]
    ("bitwise_and", lambda h: oa.bitwise_and(h, 1), TypeError),
    ("bitwise_invert", oa.bitwise_invert, TypeError),
    ("gcd", lambda h: oa.gcd(h, 1), TypeError),
    ("floor_divide", lambda h: oa.floor_divide(h, 1j), TypeError),
    ("where", lambda h: oa.where(h, oa.ones(7), 1.0), ValueError),
    ("clip", lambda h: oa.clip(h, oa.ones(7)), ValueError),
    ("sum", lambda h: oa.sum(h, axis=5), ValueError),
    ("sum", lambda h: oa.sum(h, axis=(0, 0)), ValueError),
    ("max", lambda h: oa.max(h, axis="a"), TypeError),  # type: ignore[arg-type]
    ("mean", lambda h: oa.mean(h, axis=2), ValueError),
    ("std", lambda h: oa.std(h, axis=-3), ValueError),
    ("argmax", lambda h: oa.argmax(h, axis=9), ValueError),
    ("cumulative_sum", oa.cumulative_sum, ValueError),
    ("quantile", lambda h: oa.quantile(h, 2.0), ValueError),
    ("quantile", lambda h: oa.quantile(h, 0.5, method="best"), ValueError),
    ("reshape", lambda h: oa.reshape(h, (7, 7)), ValueError),
    ("permute_dims", lambda h: oa.permute_dims(h, (0, 0)), ValueError),
    ("squeeze", lambda h: oa.squeeze(h, 0), ValueError),
    ("broadcast_to", lambda h: oa.broadcast_to(h, (7,)), ValueError),
    ("concat", lambda h: oa.concat([h, oa.ones((7, 7))]), ValueError),
    ("stack", lambda h: oa.stack([h, oa.ones(7)]), ValueError),
    ("split", lambda h: oa.split(h, 7), ValueError),
    ("pad", lambda h: oa.pad(h, -1), ValueError),
    ("pad", lambda h: oa.pad(h, 1, mode="no such"), ValueError),
    ("roll", lambda h: oa.roll(h, (1, 2, 3), axis=(0, 1)), ValueError),
    ("astype", lambda h: oa.astype(h, "no such"), TypeError),
    ("tril", lambda h: oa.tril(h, k="a"), TypeError),  # type: ignore[arg-type]
    ("matmul", lambda h: oa.matmul(h, oa.ones(7)), ValueError),
    ("einsum", lambda h: oa.einsum("ij,jk", h, oa.ones((7, 7))), ValueError),
    ("cross", lambda h: oa.cross(h, h), ValueError),
    ("sort", lambda h: oa.sort(h, axis=3), ValueError),
    ("take", lambda h: oa.take(h, 1.5), TypeError),
    ("take", lambda h: oa.take(h, oa.asarray([1000]), axis=0), IndexError),
    ("take_along_axis", lambda h: oa.take_along_axis(h, oa.asarray([1])), ValueError),
    ("bincount", oa.bincount, TypeError),
    ("interp", lambda h: oa.interp(h, oa.ones(3), oa.ones(2)), ValueError),
    ("asarray", lambda h: oa.asarray(h, dtype="no such"), TypeError),
]


@pytest.mark.parametrize(("name", "call", "error"), WRONG, ids=[row[0] for row in WRONG])
def test_a_refused_call_spends_nothing(
    name: str, call: Callable[[Any], object], error: type[Exception], shape: tuple[int, int]
) -> None:
    if name == "cross":
        error = oa.UseAfterMoveError  # the same handle twice
    x = oa.full(shape, 2.0)
    handle = oa.move(x)
    with pytest.raises(error):
        call(handle)
    _good(x, handle)


def test_lent_arguments_of_a_refused_call_stay(shape: tuple[int, int]) -> None:
    x = oa.full(shape, 2.0)
    for _, call, _ in WRONG:
        with pytest.raises((ValueError, TypeError, IndexError)):
            call(x)
    np.testing.assert_array_equal(np.asarray(x), 2.0)
    x += 1.0


def test_a_spent_handle(shape: tuple[int, int]) -> None:
    x, y = oa.full(shape, 2.0), oa.ones(shape)
    h = oa.move(x)
    oa.exp(h)
    with pytest.raises(oa.UseAfterMoveError, match="spent once"):
        oa.exp(h)
    g = oa.move(y)
    with pytest.raises(oa.UseAfterMoveError, match="spent once"):
        oa.add(g, h)
    assert g.take().shape == shape


def test_a_dead_array(shape: tuple[int, int]) -> None:
    x, y = oa.full(shape, 2.0), oa.ones(shape)
    h = oa.move(x)
    g = oa.move(y)
    with pytest.raises(oa.UseAfterMoveError, match="use-after-move"):
        oa.add(g, x)
    assert g.take().shape == shape
    _good(x, h)


def test_a_handle_of_a_tree_is_no_array() -> None:
    x = oa.full(3, 2.0)
    h = oa.move((x, oa.ones(2)))
    wrong: Any = h
    for call in (oa.exp, lambda v: oa.add(v, 1.0), lambda v: oa.concat([v])):
        with pytest.raises((TypeError, ValueError)):
            call(wrong)
    first, _ = h.take()
    assert first.tolist() == [2.0, 2.0, 2.0]


def test_a_handle_inside_a_nested_list_is_refused() -> None:
    x = oa.full(3, 2.0)
    h = oa.move(x)
    with pytest.raises(TypeError, match="take"):
        oa.asarray([[h], [h]])
    _good(x, h)


def test_one_memory_twice() -> None:
    x = oa.full(3, 2.0)
    h = oa.move(x)
    with pytest.raises(oa.UseAfterMoveError):
        oa.add(h, h)
    _good(x, h)


def test_operands_that_are_one_array() -> None:
    x = oa.full(3, 2.0)
    assert oa.add(x, x).tolist() == [4.0, 4.0, 4.0]
    assert oa.concat([x, x]).tolist() == [2.0] * 6


def test_a_view_keeps_the_array_from_being_moved() -> None:
    x = oa.full(3, 2.0)
    view = np.asarray(x)
    with pytest.raises(oa.BorrowError):
        oa.exp(oa.move(x))
    assert oa.exp(x).shape == (3,)
    del view
    assert oa.negative(oa.move(x)).tolist() == [-2.0, -2.0, -2.0]


def test_dead_arrays_still_give_their_shape() -> None:
    x = oa.full((2, 3), 2.0)
    h = oa.move(x)
    assert oa.zeros_like(x).shape == (2, 3)
    assert oa.result_type(x, 1j) == oa.complex128
    _good(x, h)


def test_no_warning_leaks() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = oa.asarray([0.0, -1.0, np.inf, np.nan, 1e308])
        for function in (oa.log, oa.sqrt, oa.exp, oa.reciprocal, oa.square, oa.floor):
            function(x)
        oa.divide(x, 0.0)
        oa.nanmean(oa.asarray([np.nan]))
        oa.astype(x, oa.int8)
        oa.std(oa.asarray([1.0]), correction=1)
        oa.mean(oa.zeros(0))
        oa.linspace(-np.inf, np.inf, 3)


def test_threads_racing_for_one_handle() -> None:
    for _ in range(20):
        h = oa.move(oa.full(3, 2.0))
        results: list[object] = []

        def spend(handle: oa.Moved[oa.Array] = h, found: list[object] = results) -> None:
            try:
                found.append(oa.exp(handle))
            except oa.UseAfterMoveError as error:
                found.append(error)

        threads = [threading.Thread(target=spend) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(isinstance(result, oa.Array) for result in results) == 1


# Inside compiled functions the same rules hold.


def test_handles_inside_a_trace() -> None:
    def body(x: oa.Array) -> oa.Array:
        y = x + 1.0
        h = oa.move(y)
        with pytest.raises(ValueError, match="broadcast"):
            oa.add(h, oa.ones(7))
        z = oa.exp(h)
        with pytest.raises(oa.UseAfterMoveError):
            oa.exp(h)
        with pytest.raises(oa.UseAfterMoveError):
            y + 1.0
        return z

    np.testing.assert_allclose(np.asarray(oa.jit(body)(oa.zeros(3))), np.e)


def test_a_concrete_handle_is_not_spent_inside_a_trace() -> None:
    x = oa.full(3, 2.0)
    h = oa.move(x)

    def body(y: oa.Array) -> oa.Array:
        return y + oa.exp(h)

    with pytest.raises(oa.BorrowError):
        oa.jit(body)(oa.ones(3))
    _good(x, h)
