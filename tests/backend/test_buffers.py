from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from ownarray._backend import buffers
from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BY_NAME, SUB_BYTE
from tests.backend.helpers import adder, f32

SHAPES = ((5,), (2, 3), (), (0, 3), (1, 1, 7))


def _values(name: str, shape: tuple[int, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
    return np.arange(np.prod(shape)).reshape(shape).astype(BY_NAME[name])


@pytest.mark.parametrize("name", BY_NAME)
def test_every_dtype_makes_the_round_trip(name: str) -> None:
    for shape in SHAPES:
        values = _values(name, shape)
        found = buffers.host_memory(buffers.from_host(values, ShapedArray(shape, values.dtype)))
        assert found.dtype == values.dtype
        assert found.shape == shape
        assert found.tobytes() == values.tobytes()


@pytest.mark.parametrize("name", BY_NAME)
def test_every_dtype_is_donated_in_place(name: str) -> None:
    aval = ShapedArray((2, 3), BY_NAME[name])
    values = _values(name, (2, 3))
    a, b = buffers.from_host(values), buffers.from_host(np.ones((2, 3), values.dtype))
    before = buffers.address(a)
    (result,) = adder(aval).run([a, b])
    assert buffers.address(result) == before
    assert buffers.is_deleted(a)
    assert not buffers.is_deleted(b)
    combine = np.logical_or if name == "bool" else np.add
    expected = combine(values, np.ones((2, 3), values.dtype))
    assert buffers.host_memory(result).tobytes() == expected.astype(values.dtype).tobytes()


def test_negative_int4_values_survive() -> None:
    values = np.arange(-8, 8).astype(BY_NAME["int4"])
    found = buffers.host_memory(buffers.from_host(values))
    assert found.astype(np.int64).tolist() == list(range(-8, 8))
    assert not found.flags.writeable  # a copy: a write would be lost, so it is refused


def test_host_values_are_copied_and_never_aliased() -> None:
    values = np.zeros(1024, np.float32)
    buf = buffers.from_host(values)
    values[:] = 7
    assert not buffers.host_memory(buf).any()


@pytest.mark.parametrize(
    "values",
    [
        np.arange(12.0).reshape(3, 4).T,
        np.arange(12.0).reshape(3, 4)[::-1, ::-2],
        np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        np.broadcast_to(np.arange(4.0), (3, 4)),
        np.arange(6, dtype=">f8").reshape(2, 3),
        np.arange(6, dtype=">i2"),
    ],
    ids=["transposed", "reversed", "fortran", "broadcast", "big-endian", "big-endian-int"],
)
def test_any_strides_and_byte_order(
    values: np.ndarray[tuple[int, ...], np.dtype[np.generic]],
) -> None:
    found = buffers.host_memory(buffers.from_host(values))
    assert found.flags.c_contiguous
    assert np.array_equal(found, values)


def test_a_mismatch_with_the_aval_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected f32\[3\], got float64\[3\]"):
        buffers.from_host(np.zeros(3), f32(3))
    with pytest.raises(ValueError, match=r"expected f32\[3\], got float32\[4\]"):
        buffers.from_host(np.zeros(4, np.float32), f32(3))


@pytest.mark.parametrize("name", [n for n in BY_NAME if BY_NAME[n] not in SUB_BYTE])
def test_host_memory_is_written_in_place(name: str) -> None:
    values = _values(name, (4,))
    buf = buffers.from_host(values)
    (result,) = adder(ShapedArray((4,), values.dtype)).run([buf, buffers.from_host(values)])
    for found in (result, buffers.from_host(values)):
        memory = buffers.host_memory(found)
        memory[1] = values.dtype.type(0)
        again = buffers.host_memory(found)
        assert not again[1]
        assert again.ctypes.data == buffers.address(found)


def test_host_memory_holds_nothing_so_a_later_donation_keeps_the_address() -> None:
    (result,) = adder(f32(8)).run(_ones(2))
    memory = buffers.host_memory(result)
    memory[:] = 5
    (again,) = adder(f32(8)).run([result, *_ones(1)])
    assert buffers.address(again) == memory.ctypes.data
    assert buffers.host_memory(again).tolist() == [6.0] * 8


def test_host_memory_keeps_the_buffer_from_being_dropped() -> None:
    memory = buffers.host_memory(buffers.from_host(np.arange(1000.0)))
    gc.collect()
    buffers.from_host(np.zeros(1000))
    assert np.array_equal(memory, np.arange(1000.0))


def test_delete_frees_at_once() -> None:
    gc.collect()
    before, n_before = buffers.live_bytes(), buffers.live_count()
    buf = buffers.from_host(np.zeros(1 << 16))
    assert buffers.live_bytes() - before == 8 << 16
    assert buffers.live_count() - n_before == 1
    buffers.delete(buf)
    buffers.delete(buf)
    assert buffers.is_deleted(buf)
    assert buffers.live_bytes() == before


def test_a_dead_buffer_takes_over_new_values() -> None:
    dead = buffers.from_host(np.zeros((2, 3), np.float32))
    before = buffers.address(dead)
    made = buffers.from_host(np.ones((2, 3), np.float32), f32(2, 3), into=dead)
    assert buffers.address(made) == before
    assert (buffers.host_memory(made) == 1).all()
    packed = np.arange(6).astype(BY_NAME["int4"])
    made = buffers.from_host(packed, into=buffers.from_host(packed[::-1]))
    assert buffers.host_memory(made).tobytes() == packed.tobytes()


@pytest.mark.parametrize("name", ["float32", "bool", "bfloat16", "int4"])
@pytest.mark.parametrize("shape", [(5,), (0, 2), ()])
def test_empty_memory_of_any_kind(name: str, shape: tuple[int, ...]) -> None:
    found = buffers.host_memory(buffers.empty(shape, BY_NAME[name]))
    assert found.shape == shape
    assert found.dtype == BY_NAME[name]


def test_large_values_go_into_memory_of_huge_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    advised: list[int] = []
    monkeypatch.setattr(buffers, "LARGE_BYTES", 1 << 20)
    monkeypatch.setattr(buffers, "advise_huge_pages", lambda _, n_bytes: advised.append(n_bytes))
    values = np.arange(1 << 18, dtype=np.float32)
    one = buffers.from_host(np.ones(1 << 18, np.float32), f32(1 << 18))
    buf = buffers.from_host(values[::-1])
    assert advised == [1 << 20, 1 << 20]
    assert np.array_equal(buffers.host_memory(buf), values[::-1])
    before = buffers.address(buf)
    (result,) = adder(f32(1 << 18)).run([buf, one])
    assert buffers.address(result) == before
    assert np.array_equal(buffers.host_memory(result), values[::-1] + 1)


def test_foreign_memory_is_shared_where_it_is_aligned() -> None:
    raw = np.zeros(4096 + 64, np.uint8)
    start = -raw.ctypes.data % 64
    values = raw[start : start + 4096].view(np.float32)
    shared = buffers.foreign(values)
    assert buffers.address(shared) == values.ctypes.data
    assert np.array_equal(buffers.host_memory(buffers.foreign(values[1:])), values[1:])


def _ones(n: int) -> list[buffers.Buffer]:
    return [buffers.from_host(np.ones(8, np.float32)) for _ in range(n)]


def test_the_source_of_a_copy_is_let_go_at_once() -> None:
    values = np.ones(1 << 16, np.float32)
    source = weakref.ref(values)
    buf = buffers.from_host(values)
    del values
    assert source() is None
    assert buffers.host_memory(buf)[-1] == 1.0
