from __future__ import annotations

import threading

import numpy as np
import pytest

from ownarray._backend import buffers
from ownarray._backend.compile import compile_text, deserialize
from ownarray._errors import BackendError, OutOfMemoryError
from tests.backend.helpers import add_text, adder, f32

SWAP = (
    "module @swap { func.func public @main(%a: tensor<4xf32> {tf.aliasing_output = 1 : i32},"
    " %c: tensor<2xf32>, %b: tensor<4xf32> {tf.aliasing_output = 0 : i32})"
    " -> (tensor<4xf32>, tensor<4xf32>) { return %a, %b : tensor<4xf32>, tensor<4xf32> } }"
)
N_HUGE = 1 << 42
HUGE = (
    "module @huge { func.func public @main(%a: tensor<8xf32> {tf.aliasing_output = 1 : i32})"
    f" -> (tensor<{N_HUGE}xf32>, tensor<8xf32>) {{ %c = stablehlo.constant dense<1.0> : tensor<f32>"
    f" %r = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<{N_HUGE}xf32>"
    f" return %r, %a : tensor<{N_HUGE}xf32>, tensor<8xf32> }} }}"
)


def _put(*values: float) -> buffers.Buffer:
    return buffers.from_host(np.array(values, np.float32))


def test_stats_and_pairs_of_a_donating_program() -> None:
    made = adder(f32(8))
    assert made.stats.alias == 32
    assert made.stats.argument == 64
    assert made.stats.output == 32
    assert made.stats.temp == 0
    assert made.stats.peak >= 64
    assert made.alias_pairs() == ((0, 0),)
    assert adder(f32(8), donate=False).alias_pairs() == ()


def test_a_swap_in_moved_memory_is_right() -> None:
    made = compile_text(SWAP, [f32(4), f32(4)], 32)
    assert made.alias_pairs() == ((0, 1), (2, 0))
    a, b = _put(1, 2, 3, 4), _put(5, 6, 7, 8)
    first, second = made.run([a, _put(0, 0), b])
    assert buffers.host_memory(first).tolist() == [1, 2, 3, 4]
    assert buffers.host_memory(second).tolist() == [5, 6, 7, 8]
    assert buffers.is_deleted(a)
    assert buffers.is_deleted(b)


@pytest.mark.parametrize("text", ["module { nonsense }", "", "module @m {", add_text(f32(2))[:-3]])
def test_bad_text_is_a_backend_error_that_shows_the_program(text: str) -> None:
    with pytest.raises(BackendError, match="XLA rejected a program") as caught:
        compile_text(text, [])
    assert caught.value.program == text


def test_alias_bytes_are_held_against_the_plan() -> None:
    text = add_text(f32(8), donate=False)
    with pytest.raises(BackendError, match="reuses 0 bytes of donated memory, the plan says 32"):
        compile_text(text, [f32(8)], 32)
    assert compile_text(text, [f32(8)]).stats.alias == 0


def test_a_run_that_fails_before_it_starts_loses_nothing() -> None:
    made = adder(f32(2))
    a, b, dead = _put(1, 2), _put(3, 4), _put(5, 6)
    buffers.delete(dead)
    for arguments in ([a, dead], [a], [a, a], [a, _put(1, 2, 3)], [a, b, b]):
        with pytest.raises(BackendError, match="running a compiled program"):
            made.run(arguments)
        assert 0 not in made.lost(arguments)
    assert buffers.host_memory(made.run([a, b])[0]).tolist() == [4, 6]


def test_running_out_of_memory_is_told_and_says_what_is_lost() -> None:
    made = compile_text(HUGE, [f32(N_HUGE), f32(8)], 32)
    donor = buffers.from_host(np.ones(8, np.float32))
    with pytest.raises(OutOfMemoryError, match="not enough memory"):
        made.run([donor])
    assert made.lost([donor]) == (0,)
    with pytest.raises(MemoryError):
        made.run([buffers.from_host(np.ones(8, np.float32))])


def test_serialized_executables_run_and_keep_their_aliases() -> None:
    made = adder(f32(2))
    again = deserialize(made.serialize(), made.text, [f32(2)])
    a = _put(1, 2)
    before = buffers.address(a)
    (result,) = again.run([a, _put(3, 4)])
    assert buffers.address(result) == before
    assert again.stats == made.stats
    with pytest.raises(BackendError, match="cannot load"):
        deserialize(b"garbage", "", [])


def test_many_threads_run_one_executable() -> None:
    made = adder(f32(256))
    wrong: list[int] = []

    def work(seed: int) -> None:
        one = buffers.from_host(np.ones(256, np.float32))
        x = buffers.from_host(np.full(256, seed, np.float32))
        for _ in range(200):
            (x,) = made.run([x, one])
        if not (buffers.host_memory(x) == seed + 200).all():
            wrong.append(seed)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_one_donor_in_many_threads_is_eaten_once() -> None:
    made = adder(f32(64))
    donor, one = (buffers.from_host(np.ones(64, np.float32)) for _ in range(2))
    gate, won, lost = threading.Barrier(6), [], []

    def work() -> None:
        gate.wait()
        try:
            won.append(made.run([donor, one]))
        except BackendError:
            lost.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert len(lost) == 5
