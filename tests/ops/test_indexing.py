"""x[index] and x[index] = value, eager and compiled, against NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ownarray as oa
from ownarray import TraceError
from ownarray._array.concrete import ConcreteArray
from ownarray._ops import indexing

if TYPE_CHECKING:
    from collections.abc import Callable

Values = np.ndarray[Any, np.dtype[Any]]


def address(x: object) -> int:
    """Return where the memory of an array lies."""
    assert isinstance(x, ConcreteArray)
    return x._values().ctypes.data


X = np.random.default_rng(0).normal(size=(4, 5, 6))
I = np.array([0, -1, 2])  # noqa: E741  (an index array)
J = np.array([[1], [3]])
MASK = X[:, :, 0] > 0
ALL = slice(None)

INDICES: list[Any] = [
    # basic
    (),
    1,
    -1,
    np.int64(2),
    np.array(2),
    (1, 2),
    (1, 2, 3),
    slice(1, 3),
    slice(None, None, -1),
    slice(3, 0, -2),
    slice(-3, 100),
    slice(4, 1),
    (..., 1),
    (1, ...),
    (0, ..., -1),
    (None, 1, None),
    (ALL, None, 2),
    (slice(1, None, 2), slice(None, None, -2), slice(5, None, -3)),
    # arrays of integers: beside each other, apart, with slices, new axes and integers
    I,
    [],
    [0, 1],
    [[0, 1]],
    np.zeros((0, 3), int),
    I.astype(np.int8),
    I[:1].astype(np.uint64),
    (I, 1),
    (I, slice(1, 3)),
    (slice(0, 0), I),
    (I, slice(2, 2)),
    (ALL, I),
    (ALL, I, ..., I),
    (ALL, I, I),
    (I, ALL, I),
    (slice(1, 3), I, J),
    (J, I, 0),
    (I, None, I),
    (ALL, I, None, 2),
    (0, ALL, I),
    (ALL, 0, I),
    (slice(None, None, -1), I, slice(None, None, 2)),
    # masks
    MASK,
    X > 0,
    np.array([True, False, True, True]),
    np.zeros(4, bool),
    (MASK, 0),
    (..., X[0, 0] > 0),
    (MASK, I[:1]),
    (slice(1, 3), MASK[0]),
    True,
    False,
    np.True_,
    (True, I),
    (True, ALL, I),
    (False, 1),
]
IDS = [str(i) for i in range(len(INDICES))]


def values_for(index: Any) -> list[Any]:
    """Return values that can be written to a part: a scalar, a full one, a broadcast one."""
    part = X[index]
    rng = np.random.default_rng(1)
    values: list[Any] = [7.5, rng.normal(size=part.shape)]
    if part.ndim:
        values.append(rng.normal(size=part.shape[-1:]))
    return values


def written(index: Any, value: Any) -> Values:
    expected = X.copy()
    expected[index] = value
    return expected


@pytest.mark.parametrize("index", INDICES, ids=IDS)
def test_reads_at_once(index: Any) -> None:
    x = oa.asarray(X)
    got = x[index]
    assert (got.shape, got.dtype) == (X[index].shape, X.dtype)
    np.testing.assert_array_equal(np.asarray(got), X[index])
    got[...] = 0  # fresh memory
    np.testing.assert_array_equal(np.asarray(x), X)


@pytest.mark.parametrize("index", INDICES, ids=IDS)
def test_writes_at_once(index: Any) -> None:
    for value in values_for(index):
        x = oa.asarray(X)
        before = address(x)
        x[index] = value
        np.testing.assert_array_equal(np.asarray(x), written(index, value))
        assert address(x) == before, "an update is in place"


@pytest.mark.slow
def test_compiled_reads_and_writes() -> None:
    """One program for all indices, so that it is compiled once."""

    def all_of_them(x: oa.Array, values: list[list[Any]]) -> tuple[list[Any], list[list[Any]]]:
        reads = [x[index] for index in INDICES]
        writes = []
        for index, several in zip(INDICES, values, strict=True):
            row = []
            for value in several:
                y = oa.copy(x)
                y[index] = value
                row.append(y)
            writes.append(row)
        return reads, writes

    values = [values_for(index) for index in INDICES]
    reads, writes = oa.jit(all_of_them)(oa.asarray(X), values)
    for index, read, row, several in zip(INDICES, reads, writes, values, strict=True):
        np.testing.assert_array_equal(np.asarray(read), X[index], err_msg=str(index))
        for write, value in zip(row, several, strict=True):
            expected = written(index, value)
            np.testing.assert_array_equal(np.asarray(write), expected, err_msg=str(index))


@pytest.mark.slow
def test_compiled_writes_of_places_far_apart() -> None:
    x = np.random.default_rng(2).normal(size=(40, 30, 3))
    indices: list[Any] = [
        np.s_[::13],
        np.s_[::-13, 4:6],
        np.s_[1::19, 29::-14],
        np.s_[::9, 3, 1:],
        np.s_[5, ::11, ::2],
    ]

    def all_of_them(x: oa.Array, values: list[oa.Array]) -> list[oa.Array]:
        results = []
        for index, value in zip(indices, values, strict=True):
            y, z = oa.copy(x), oa.copy(x)
            y[index] = value
            z[index] = -1.0
            results += [y, z]
        return results

    values = [np.random.default_rng(3).normal(size=x[index].shape) for index in indices]
    results = oa.jit(all_of_them)(oa.asarray(x), [oa.asarray(v) for v in values])
    for i, (index, value) in enumerate(zip(indices, values, strict=True)):
        for got, new in zip(results[2 * i : 2 * i + 2], (value, -1.0), strict=True):
            expected = x.copy()
            expected[index] = new
            np.testing.assert_array_equal(np.asarray(got), expected, err_msg=str(index))


WRONG: list[Any] = [
    4,
    -5,
    (0, 0, 0, 0),
    (..., ...),
    1.5,
    "a",
    1j,
    {},
    [1.5],
    [4],
    [-5],
    (I, 9),
    (I, [0, 1, 2, 3]),
    np.ones(3, bool),
    np.ones((4, 4), bool),
    slice(0, 1, 0),
    (0, 9),
]


def _error_of(function: Callable[[], object]) -> tuple[type, str]:
    with pytest.raises(Exception) as caught:  # noqa: PT011  (which one is what is compared)
        function()
    return type(caught.value), str(caught.value).rstrip()


@pytest.mark.parametrize("index", WRONG, ids=str)
def test_errors_are_numpys(index: Any) -> None:
    expected = _error_of(lambda: X[index])
    x = oa.asarray(X)
    assert _error_of(lambda: x[index]) == expected
    assert _error_of(lambda: oa.jit(lambda y: y[index])(x)) == expected
    with pytest.raises(expected[0]):
        x[index] = 0
    np.testing.assert_array_equal(np.asarray(x), X)


@pytest.mark.parametrize("value", [np.zeros(3), np.zeros((2, 5, 6))], ids=str)
def test_values_that_do_not_fit(value: Values) -> None:
    x = oa.asarray(X)
    for index in (slice(0, 3), [0, 1, 2]):
        with pytest.raises(ValueError, match="broadcast"):
            x[index] = value
    np.testing.assert_array_equal(np.asarray(x), X)


def test_values_are_cast() -> None:
    x = oa.zeros(4, dtype="int8")
    x[0], x[1:3] = 1.9, np.array([2.5, -3.5])
    assert x.tolist() == [1, 2, -3, 0]
    with pytest.raises(OverflowError):
        x[0] = 300


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint8", "uint64"])
@pytest.mark.slow
def test_indices_known_at_run_time_only(dtype: str) -> None:
    """Out of range a read takes the nearest element, and a write is dropped."""

    def both(x: oa.Array, k: oa.Array) -> list[oa.Array]:
        y, z, w = oa.copy(x), oa.copy(x), oa.copy(x)
        y[k] = 5.0
        z[::2, k, ::-2] = np.arange(6.0).reshape(2, 3)
        w[k, :, I] = 1.0
        return [x[k], x[1:3, k], x[k, :, I], y, z, w]

    compiled = oa.jit(both)
    for k in (-9, -4, -1, 0, 2, 3, 4, 5, 9):
        if k < 0 and dtype.startswith("u"):
            continue
        got = [np.asarray(r) for r in compiled(oa.asarray(X), oa.asarray(k, dtype=dtype))]
        inside = [min(max(k + n if k < 0 else k, 0), n - 1) for n in (4, 5)]
        expected = [X[inside[0]], X[1:3, inside[1]], X[inside[0], :, I], *[X.copy() for _ in "abc"]]
        if -4 <= k < 4:
            expected[3][k] = 5.0
            expected[5][k, :, I] = 1.0
        if -5 <= k < 5:
            expected[4][::2, k, ::-2] = np.arange(6.0).reshape(2, 3)
        for a, b in zip(got, expected, strict=True):
            np.testing.assert_array_equal(a, b, err_msg=str(k))


def test_index_arrays_known_at_run_time_only() -> None:
    def both(x: oa.Array, k: oa.Array) -> tuple[oa.Array, oa.Array]:
        read = x[k]
        x[k] = -1.0
        return read, x

    x = np.arange(5.0)
    read, after = oa.jit(both)(oa.move(oa.asarray(x)), oa.asarray([1, -1, 7, -9]))
    assert read.tolist() == [1.0, 4.0, 4.0, 0.0]
    assert after.tolist() == [0.0, -1.0, 2.0, 3.0, -1.0]


def test_traced_masks() -> None:
    def masked(x: oa.Array, mask: oa.Array) -> list[oa.Array]:
        y, z = oa.copy(x), oa.copy(x)
        y[mask] = 0.0
        z[mask[:, :, 0], :] = np.arange(6.0)
        return [y, z]

    got = oa.jit(masked)(oa.asarray(X), oa.asarray(X > 0))
    np.testing.assert_array_equal(np.asarray(got[0]), written(X > 0, 0.0))
    np.testing.assert_array_equal(np.asarray(got[1]), written(MASK, np.arange(6.0)))
    with pytest.raises(TraceError, match=r"oa\.where"):
        oa.jit(lambda x, m: x[m])(oa.asarray(X), oa.asarray(X > 0))
    with pytest.raises(TraceError, match=r"oa\.where"):
        oa.jit(lambda x, m: indexing.set_item(x, m, np.zeros(2)))(oa.asarray(X), oa.asarray(X > 0))


def test_updates_through_syntax() -> None:
    x = oa.asarray(np.arange(6.0))
    x[1:3] += 10
    x[[0, 0]] += 1  # as with NumPy, a repeated place counts once
    x[x > 10] *= 2
    assert x.tolist() == [1.0, 22.0, 24.0, 3.0, 4.0, 5.0]
    x[1:] = x[:-1]
    assert x.tolist() == [1.0, 1.0, 22.0, 24.0, 3.0, 4.0]


def test_a_large_array_is_updated_in_place() -> None:
    x = oa.zeros((1000, 1000))
    before = address(x)
    x[3, 4:7], x[:, 0], x[[5, 6]], x[x < 0] = 1.0, 2.0, 3.0, 4.0
    assert address(x) == before
    assert float(x.sum()) == 3 * 1 + 998 * 2 + 2000 * 3


# Random indices.


@st.composite
def indexed(draw: st.DrawFn) -> tuple[Values, Any]:
    """Return an array and an index that fits it."""
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=4)))
    x = np.arange(float(np.prod(shape))).reshape(shape)
    items: list[Any] = []
    n_dots = 0
    width = draw(st.sampled_from([(), (1,), (2,), (2, 1), (3,)]))
    axis = 0
    while axis < len(shape):
        kind = draw(
            st.sampled_from(["int", "slice", "slice", "new", "dots", "array", "mask", "end"])
        )
        n = shape[axis]
        if kind == "end":
            break
        if kind == "new":
            items.append(None)
            continue
        if kind == "dots":
            if not n_dots:
                items.append(...)
                n_dots = 1
                axis += draw(st.integers(0, len(shape) - axis))
            continue
        if kind == "slice":
            ends = st.none() | st.integers(-5, 5)
            step = draw(st.none() | st.sampled_from([-3, -2, -1, 1, 2, 3]))
            items.append(slice(draw(ends), draw(ends), step))
        elif kind == "mask":
            items.append(np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool))
        elif n == 0:
            items.append(slice(None))
        elif kind == "int":
            items.append(draw(st.integers(-n, n - 1)))
        else:
            numbers = st.lists(
                st.integers(-n, n - 1), min_size=int(np.prod(width)), max_size=int(np.prod(width))
            )
            items.append(np.array(draw(numbers)).reshape(width))
        axis += 1
    return x, tuple(items)


@given(indexed())
def test_random_indices(case: tuple[Values, Any]) -> None:
    x, index = case
    try:
        expected = x[index]
    except IndexError:  # masks and arrays that do not broadcast
        with pytest.raises(IndexError):
            oa.asarray(x)[index]
        return
    got = oa.asarray(x)
    np.testing.assert_array_equal(np.asarray(got[index]), expected)
    value = np.random.default_rng(0).normal(size=expected.shape)
    wanted = x.copy()
    wanted[index] = value
    got[index] = value
    np.testing.assert_array_equal(np.asarray(got), wanted)
    for mode in ("add", "multiply", "minimum", "maximum"):
        summed = x.copy()
        getattr(np, mode).at(summed, index, value)
        given_x: Any = oa.asarray(x)
        found = indexing.combine_at(given_x, index, value, mode)
        np.testing.assert_allclose(np.asarray(found), summed, rtol=1e-13)
