"""Every row of the table against NumPy: eager, small and large, lent and moved, and compiled."""

from typing import Any

import numpy as np
import pytest

import ownarray as oa
from tests.namespace.table import LARGE, LARGE_SQUARE, ROWS, SMALL, SQUARE, Row

LOOSE = {"cov", "corrcoef", "histogram"}  # sums of differences lose a few digits


def as_list(result: Any) -> list[Any]:
    """Return results as a flat list of NumPy arrays."""
    if isinstance(result, tuple | list):
        return [part for one in result for part in as_list(one)]
    return [np.array(result)]


def assert_as_numpy(row: Row, results: list[Any], inputs: list[Any]) -> None:
    with np.errstate(all="ignore"):
        wanted = as_list(row.call(getattr(np, row.name), *inputs))
    assert len(results) == len(wanted)
    for got, want in zip(results, wanted, strict=True):
        assert got.dtype == want.dtype
        assert got.shape == want.shape
        single = want.dtype in (np.float32, np.float16) or any(x.dtype == np.int16 for x in inputs)
        loose = 1e-5 if single else 1e-9 if row.name in LOOSE else 1e-12
        np.testing.assert_allclose(got, want, rtol=loose, atol=loose)


def assert_same_bits(left: list[Any], right: list[Any]) -> None:
    assert len(left) == len(right)
    for a, b in zip(left, right, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        assert a.tobytes() == b.tobytes()


def _lent_and_moved(row: Row, inputs: list[Any]) -> list[Any]:
    function = getattr(oa, row.name)
    arrays = [oa.asarray(x) for x in inputs]
    lent = as_list(row.call(function, *arrays))
    for array, before in zip(arrays, inputs, strict=True):
        np.testing.assert_array_equal(np.asarray(array), before)
    moved = as_list(_call_with_handles(row, function, [oa.asarray(x) for x in inputs]))
    assert_same_bits(lent, moved)
    return lent


def _call_with_handles(row: Row, function: Any, arrays: list[Any]) -> Any:
    """Call a row so that each array which reaches the function as it is becomes a handle."""
    own = {id(array) for array in arrays}

    def consuming(*args: Any, **options: Any) -> Any:
        return function(*[handed(a) for a in args], **{k: handed(v) for k, v in options.items()})

    def handed(value: Any) -> Any:
        if isinstance(value, tuple | list):
            return type(value)([handed(part) for part in value])
        return oa.move(value) if isinstance(value, oa.Array) and id(value) in own else value

    result = row.call(consuming, *arrays)
    return result


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_small(row: Row) -> None:
    inputs = row.inputs(SMALL)
    assert_as_numpy(row, _lent_and_moved(row, inputs), inputs)


# In a square the result of a transposition, a product or a turn fits into its operand's memory.
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_square(row: Row) -> None:
    inputs = row.inputs(SQUARE)
    assert_as_numpy(row, _lent_and_moved(row, inputs), inputs)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if row.turns], ids=lambda row: row.id)
def test_large_square(row: Row) -> None:
    inputs = row.inputs(LARGE_SQUARE)
    assert_as_numpy(row, _lent_and_moved(row, inputs), inputs)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_large(row: Row) -> None:
    inputs = row.inputs(LARGE)
    assert_as_numpy(row, _lent_and_moved(row, inputs), inputs)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if row.traceable], ids=lambda row: row.id)
def test_compiled(row: Row) -> None:
    inputs = row.inputs(SMALL)

    def body(arrays: list[oa.Array]) -> Any:
        return row.call(getattr(oa, row.name), *arrays)

    def consuming_body(arrays: list[oa.Array]) -> Any:
        return _call_with_handles(row, getattr(oa, row.name), arrays)

    results = as_list(oa.jit(body)([oa.asarray(x) for x in inputs]))
    assert_as_numpy(row, results, inputs)
    if not any(x.dtype == bool for x in inputs):
        moved = as_list(oa.jit(consuming_body)(oa.move([oa.asarray(x) for x in inputs])))
        assert_same_bits(results, moved)


@pytest.mark.parametrize("row", [row for row in ROWS if not row.traceable], ids=lambda row: row.id)
def test_values_are_needed(row: Row) -> None:
    inputs = [oa.asarray(x) for x in row.inputs(SMALL)]

    def body(arrays: list[oa.Array]) -> Any:
        return row.call(getattr(oa, row.name), *arrays)

    with pytest.raises(oa.TraceError, match=rf"{row.name}: .* Fix: "):
        oa.jit(body)(inputs)
    assert not any(x.is_moved for x in inputs)


def _flat(result: Any) -> tuple[Any, ...]:
    if isinstance(result, tuple | list):
        return tuple([part for one in result for part in _flat(one)])
    return (result,)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if row.traceable], ids=lambda row: row.id)
def test_batched(row: Row) -> None:
    first = row.inputs(SMALL)
    second = [np.roll(x, 1, 0) for x in first]

    def body(*arrays: oa.Array) -> tuple[Any, ...]:
        return _flat(row.call(getattr(oa, row.name), *arrays))

    each = [as_list(body(*[oa.asarray(x) for x in inputs])) for inputs in (first, second)]
    stacked = [oa.asarray(np.stack(pair)) for pair in zip(first, second, strict=True)]
    results = as_list(oa.vmap(body)(*stacked))
    for got, *wanted in zip(results, *each, strict=True):
        want = np.stack(wanted)
        assert got.dtype == want.dtype
        loose = 1e-5 if got.dtype.itemsize <= 4 else 1e-9
        np.testing.assert_allclose(got, want, rtol=loose, atol=loose)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_numpy_arguments_are_lent(row: Row) -> None:
    inputs = row.inputs(SMALL)
    copies = [x.copy() for x in inputs]
    assert_as_numpy(row, as_list(row.call(getattr(oa, row.name), *inputs)), inputs)
    for x, before in zip(inputs, copies, strict=True):
        np.testing.assert_array_equal(x, before)


SCALARS = ("exp", "sqrt", "abs", "isnan", "add", "maximum", "divide", "sum", "mean")


@pytest.mark.parametrize("name", SCALARS)
@pytest.mark.parametrize("value", [2, 2.5, True, np.float32(1.5), np.int8(3)], ids=repr)
def test_numbers_are_arrays_without_axes(name: str, value: Any) -> None:
    arguments = (value, 2) if name in ("add", "maximum", "divide") else (value,)
    got, want = getattr(oa, name)(*arguments), getattr(np, name)(*arguments)
    assert got.shape == ()
    assert got.dtype == want.dtype
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-6)
