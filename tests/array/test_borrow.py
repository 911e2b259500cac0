"""Views for the outside world: zero-copy, read-only, and known as long as they live."""

# What is judged here at run time is wrong, or looks inside, on purpose.
# mypy: disable-error-code="comparison-overlap,unreachable,arg-type"

from __future__ import annotations

import gc
import sys
from typing import Any

import numpy as np
import pytest

import ownarray as oa

SIZES = [3, 1 << 14]  # NumPy's memory, XLA's memory


def array(size: int = 3, dtype: str = "float64") -> oa.Array:
    return oa.asarray(np.arange(size).astype(dtype))


@pytest.mark.parametrize("size", SIZES)
def test_a_view_shares_memory_and_cannot_be_written(size: int) -> None:
    x = array(size)
    view = np.asarray(x)
    assert not view.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 5.0
    again = np.asarray(x)
    assert again.__array_interface__["data"][0] == view.__array_interface__["data"][0]


VIEWS: list[Any] = [
    np.asarray,
    lambda x: np.asarray(x)[1:],
    lambda x: np.asarray(x).reshape(-1, 1),
    np.from_dlpack,
    lambda x: memoryview(np.asarray(x)),
]
if sys.version_info >= (3, 12):
    VIEWS.append(memoryview)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", VIEWS, ids=range(len(VIEWS)))
def test_a_living_view_forbids_moving_and_updating_and_allows_reading(make: Any, size: int) -> None:
    x = array(size)
    view = make(x)
    assert x.state is oa.State.SHARED
    assert float(x[1]) == 1.0
    assert float((x + 1)[0]) == 1.0
    with pytest.raises(oa.BorrowError, match=r"moved-while-borrowed.*test_borrow.py:\d+.*np.array"):
        oa.move(x)
    with pytest.raises(oa.BorrowError, match=r"mutate-borrowed.*test_borrow.py:\d+"):
        x[0] = 7.0
    with pytest.raises(oa.BorrowError, match="mutate-borrowed"):
        x += 1.0
    with pytest.raises(oa.BorrowError, match="moved-while-borrowed"):
        oa.move([array(), x])
    del view
    assert x.state is oa.State.OWNED
    x += 1.0
    assert float(x[1]) == 2.0
    assert oa.move(x).take().shape == (size,)


def test_a_view_in_garbage_does_not_hold() -> None:
    x = array()
    gc.disable()
    try:
        cycle: list[Any] = [np.asarray(x)]
        cycle.append(cycle)
        del cycle
        x += 1.0
    finally:
        gc.enable()
    assert x.tolist() == [1.0, 2.0, 3.0]


def test_several_views_are_counted() -> None:
    x = array()
    first, second = np.asarray(x), np.asarray(x)
    assert x.n_borrows == 2
    del first
    assert x.n_borrows == 1
    with pytest.raises(oa.BorrowError):
        oa.move(x)
    del second
    assert x.n_borrows == 0


def test_a_lent_array_may_be_viewed_and_passed_to_a_compiled_call() -> None:
    x = array(4)
    view = np.asarray(x)
    double = oa.jit(lambda x: x * 2.0)
    assert double(x).tolist() == [0.0, 2.0, 4.0, 6.0]
    assert view.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_copies_are_nobodys_borrow() -> None:
    x = array()
    mine = np.array(x)
    mine[0] = 9.0
    other = np.asarray(x, dtype="float32")
    assert other.dtype == np.float32
    assert x.state is oa.State.OWNED
    assert x.tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(ValueError, match="copy"):
        np.asarray(x, dtype="float32", copy=False)


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e5m2", "bool", "int8", "complex128"])
def test_views_of_every_dtype(dtype: str) -> None:
    x = oa.ones(4, dtype=dtype)
    view = np.asarray(x)
    assert view.dtype == x.dtype
    assert x.state is oa.State.SHARED


def test_what_is_imported_is_copied() -> None:
    source = np.arange(3.0)
    for x in (oa.asarray(source), oa.from_dlpack(source)):
        source[0] = 7.0
        assert x.tolist() == [0.0, 1.0, 2.0]
        source[0] = 0.0
        assert x.state is oa.State.OWNED


def test_a_foreign_array_can_be_read_not_moved_or_updated() -> None:
    source = np.arange(3.0)
    x = oa.asarray(source, copy=False)
    assert x.state is oa.State.FOREIGN
    source[0] = 7.0
    assert (x + 1.0).tolist() == [8.0, 2.0, 3.0]
    assert oa.jit(lambda x: x * 2.0)(x).tolist() == [14.0, 2.0, 4.0]
    with pytest.raises(oa.BorrowError, match=r"another library.*oa.copy"):
        oa.move(x)
    with pytest.raises(oa.BorrowError, match=r"another library.*oa.copy"):
        x[0] = 1.0
    mine = oa.copy(x)
    mine += 1.0
    assert source.tolist() == [7.0, 1.0, 2.0]


def test_a_dlpack_consumer_that_may_write_gets_a_copy() -> None:
    x = array()
    capsule = x.__dlpack__()  # a consumer from before version 1.0
    assert x.state is oa.State.OWNED
    del capsule
    with pytest.raises(BufferError, match="read-only"):
        x.__dlpack__(copy=False)
    with pytest.raises(BufferError, match="stream"):
        x.__dlpack__(stream=1)
    assert np.from_dlpack(x, copy=True).flags.writeable
    assert x.state is oa.State.OWNED


def test_asarray_of_an_array_is_the_same_object() -> None:
    x = array()
    assert oa.asarray(x) is x
    assert oa.asarray(x, copy=True) is not x


def test_numpy_leaves_arithmetic_to_arrays() -> None:
    x = array()
    for y in (np.ones(3) + x, np.float64(1) + x, np.ones(3) * x, 1 + x):
        assert isinstance(y, oa.Array)
    n = np.ones(3)
    n += x
    assert n.tolist() == [1.0, 2.0, 3.0]
