from __future__ import annotations

import gc
import threading

import numpy as np

from ownarray._backend import buffers
from ownarray._backend.pool import MIN_BYTES, Pool
from ownarray._core.aval import ShapedArray
from tests.backend.helpers import adder, f32


def _put(*shape: int) -> buffers.Buffer:
    return buffers.from_host(np.ones(shape, np.float32))


def test_what_is_given_is_taken_once() -> None:
    pool = Pool(min_bytes=0)
    buf = _put(4, 2)
    pool.give(buf)
    pool.give(buf)
    assert pool.n_bytes == 32
    assert pool.take(f32(2, 4)) is None
    assert pool.take(ShapedArray((4, 2), np.dtype(np.int32))) is None
    assert pool.take(f32(4, 2)) is buf
    assert not buffers.is_deleted(buf)
    assert pool.take(f32(4, 2)) is None
    assert pool.n_bytes == 0


def test_the_newest_is_taken_and_the_oldest_freed() -> None:
    pool = Pool(min_bytes=0, max_bytes=100)
    first, second, third = (_put(10) for _ in range(3))
    for buf in (first, second, third):
        pool.give(buf)
    assert buffers.is_deleted(first)
    assert pool.n_bytes == 80
    assert pool.take(f32(10)) is third
    assert pool.take(f32(10)) is second


def test_small_and_huge_buffers_are_freed_at_once() -> None:
    pool = Pool(min_bytes=16, max_bytes=64)
    small, huge = _put(3), _put(17)
    pool.give(small)
    pool.give(huge)
    assert buffers.is_deleted(small)
    assert buffers.is_deleted(huge)
    assert pool.n_bytes == 0
    default = Pool()
    tiny = _put(3)
    default.give(tiny)
    assert buffers.is_deleted(tiny)
    assert default.min_bytes == MIN_BYTES


def test_dead_buffers_are_not_kept() -> None:
    pool = Pool(min_bytes=0)
    buf = _put(4)
    buffers.delete(buf)
    pool.give(buf)
    assert pool.take(f32(4)) is None


def test_release_frees_everything() -> None:
    pool = Pool(min_bytes=0)
    gc.collect()
    _put(1)  # jaxlib lets go of buffers that were read through views when it is called next
    before = buffers.live_bytes()
    for n in (4, 4, 8):
        pool.give(_put(n))
    assert buffers.live_bytes() == before + 64
    assert pool.release() == 64
    assert buffers.live_bytes() == before
    assert pool.take(f32(4)) is None
    assert pool.release() == 0


def test_a_taken_buffer_becomes_the_memory_of_a_result() -> None:
    pool = Pool(min_bytes=0)
    pool.give(_put(4))
    spare = pool.take(f32(4))
    assert spare is not None
    before = buffers.address(spare)
    (result,) = adder(f32(4)).run([spare, _put(4)])
    assert buffers.address(result) == before


def test_threads_never_get_one_buffer_twice() -> None:
    pool = Pool(min_bytes=0)
    for _ in range(200):
        pool.give(_put(4))
    taken: list[int] = []
    kept: list[buffers.Buffer] = []

    def work() -> None:
        for _ in range(100):
            buf = pool.take(f32(4))
            if buf is not None:
                kept.append(buf)
                taken.append(id(buf))
            pool.give(_put(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == len(set(taken)) == 200
    assert pool.n_bytes == 400 * 20
