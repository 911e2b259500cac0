"""Which functions compute in the memory of what they consume, proved by address."""

import operator
from typing import Any

import numpy as np
import pytest

import ownarray as oa
from tests.namespace.table import LARGE, ROWS, SMALL, Row

REUSING = [row for row in ROWS if row.reuses]


def address(array: oa.Array) -> int:
    """Return where an array's memory stands."""
    return int(np.asarray(array).__array_interface__["data"][0])


def _consume_first(row: Row, shape: tuple[int, ...]) -> tuple[int, oa.Array, Any]:
    first, *rest = [oa.asarray(x) for x in row.inputs(shape)]
    before = address(first)
    function = getattr(oa, row.name)
    handle = oa.move(first)
    result = row.call(lambda x, *args, **options: function(handle, *args, **options), first, *rest)
    return before, first, result


@pytest.mark.parametrize("row", REUSING, ids=lambda row: row.id)
def test_small_results_stand_in_the_consumed_memory(row: Row) -> None:
    before, first, result = _consume_first(row, SMALL)
    assert address(result) == before
    assert first.is_moved


@pytest.mark.slow
@pytest.mark.parametrize("row", REUSING, ids=lambda row: row.id)
def test_large_results_stand_in_the_consumed_memory(row: Row) -> None:
    before, first, result = _consume_first(row, LARGE)
    assert address(result) == before
    assert first.is_moved


@pytest.mark.parametrize("shape", [SMALL, LARGE], ids=["small", "large"])
def test_the_second_operand_gives_its_memory_too(shape: tuple[int, ...]) -> None:
    x, y = oa.ones(shape), oa.full(shape, 2.0)
    before = address(y)
    z = oa.subtract(x, oa.move(y))
    assert address(z) == before
    np.testing.assert_array_equal(np.asarray(z), -1.0)
    np.testing.assert_array_equal(np.asarray(x), 1.0)


@pytest.mark.parametrize("shape", [SMALL, LARGE], ids=["small", "large"])
def test_the_chosen_operand_of_where_gives_its_memory(shape: tuple[int, ...]) -> None:
    x = oa.ones(shape)
    before = address(x)
    y = oa.where(x > 2.0, 0.0, oa.move(x))
    assert address(y) == before


@pytest.mark.parametrize("shape", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize(
    "name", ["asarray", "positive", "negative", "conj", "real", "round", "abs", "sort", "cumsum"]
)
def test_lent_memory_is_never_shared(name: str, shape: tuple[int, ...]) -> None:
    x = oa.ones(shape)
    y = oa.cumsum(x, axis=0) if name == "cumsum" else getattr(oa, name)(x)
    if name == "asarray":
        assert y is x
    else:
        assert address(y) != address(x)


@pytest.mark.parametrize("shape", [SMALL, LARGE], ids=["small", "large"])
def test_identities_make_memory_of_their_own(shape: tuple[int, ...]) -> None:
    x = oa.ones(shape)
    results = [
        oa.reshape(x, shape),
        oa.astype(x, oa.float64),
        oa.broadcast_to(x, shape),
        oa.concat([x]),
        oa.squeeze(x),
        oa.flip(x, axis=()),
        oa.roll(x, 0, axis=0),
        oa.permute_dims(x, (0, 1)),
        oa.clip(x),
        oa.tile(x, (1, 1)),
        oa.pad(x, 0),
        oa.pad(x, 0, mode="edge"),
        oa.atleast_1d(x),
        oa.diff(x, n=0),
        oa.einsum("ij->ij", x),
        oa.broadcast_arrays(x, 1.0)[0],
        oa.array(x),
        oa.rot90(x, 0),
        oa.trunc(oa.ones(shape, dtype=oa.int64)),
    ]
    addresses = [address(result) for result in results]
    assert address(x) not in addresses
    assert len(set(addresses)) == len(addresses)
    for result in results:
        result += 1.0 if result.dtype == oa.float64 else 1
    np.testing.assert_array_equal(np.asarray(x), 1.0)


@pytest.mark.parametrize("shape", [SMALL, LARGE], ids=["small", "large"])
def test_what_is_consumed_without_use_is_freed(shape: tuple[int, ...]) -> None:
    x = oa.ones(shape)
    total = oa.sum(oa.move(x))
    assert float(total) == x.size
    assert x.is_moved
    with pytest.raises(oa.UseAfterMoveError):
        oa.reclaim(x)


def test_asarray_of_a_handle_is_the_same_memory() -> None:
    x = oa.ones(3)
    before = address(x)
    y = oa.asarray(oa.move(x))
    assert address(y) == before
    assert y.state is oa.State.OWNED


def test_results_in_consumed_memory_can_be_moved_on() -> None:
    x = oa.ones(LARGE)
    before = address(x)
    for function in (oa.exp, oa.negative, oa.sort, oa.tril, oa.sqrt):
        x = function(oa.move(x))
    assert address(x) == before


@pytest.mark.parametrize("shape", [SMALL, LARGE], ids=["small", "large"])
def test_in_place_operators_keep_the_memory(shape: tuple[int, ...]) -> None:
    x, y = oa.ones(shape), oa.full(shape, 3.0)
    before = address(x)
    x += y
    x -= 1.0
    x *= 4
    x /= y
    x **= 2
    x //= 0.5
    x %= 7.0
    x[0] = 5.0
    x[x > 4.0] = -1.0
    assert address(x) == before
    expected = np.full(shape, (4.0**2) // 0.5 % 7.0)
    expected[0] = -1.0
    expected[expected > 4.0] = -1.0
    np.testing.assert_array_equal(np.asarray(x), expected)


@pytest.mark.parametrize("n", [8, 1 << 12, 1 << 18])
@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv"])
def test_an_array_with_itself_is_updated_in_place(name: str, n: int) -> None:
    values = np.random.default_rng(0).standard_normal(n)
    values[:3] = 0.0, np.inf, np.nan
    x, wanted = oa.asarray(values), values.copy()
    update = getattr(operator, name)
    for _ in range(3):
        before = address(x)
        x = update(x, x)
        with np.errstate(all="ignore"):
            wanted = update(wanted, wanted)
        assert address(x) == before or n < 1 << 12
        assert np.array_equal(np.array(x), wanted, equal_nan=True)


def test_a_product_of_an_array_with_itself_reads_all_of_it_first() -> None:
    values = np.random.default_rng(0).standard_normal((200, 200))
    x = oa.asarray(values)
    x @= x
    assert np.allclose(np.asarray(x), values @ values)
