from __future__ import annotations

import ctypes
import gc
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ownarray._backend import buffers, cache, ffi
from ownarray._backend.compile import Executable, compile_text
from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BY_NAME, SUB_BYTE
from ownarray._errors import BackendError, OutOfMemoryError
from tests.backend.helpers import f32, tensor
from tests.backend.test_client import run

if TYPE_CHECKING:
    from pathlib import Path

Host = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


def program(
    target: str, aval: ShapedArray, *, n: int = 1, donate: bool = True, reused: bool = False
) -> str:
    """A chain of n calls of a kernel of one operand, in place where that is asked for."""
    kind = tensor(aval)
    donor = " {tf.aliasing_output = 0 : i32}" if donate else ""
    lines, last = [], "%x"
    for i in range(n):
        aliases = [(0, 0)] if donate else []
        lines.append(ffi.call_text(f"%y{i}", target, [(last, kind)], [kind], aliases))
        last = f"%y{i}"
    if reused:
        lines.append(f"%sum = stablehlo.add %x, {last} : {kind}")
        last = "%sum"
    body = "\n".join(lines)
    return (
        f"module @m {{ func.func public @main(%x: {kind}{donor}) -> {kind} {{ {body}"
        f" return {last} : {kind} }} }}"
    )


def compiled(target: str, aval: ShapedArray, *, n: int = 1, donate: bool = True) -> Executable:
    text = program(target, aval, n=n, donate=donate)
    return compile_text(text, [aval], aval.nbytes if donate else 0)


def _put(*values: float) -> buffers.Buffer:
    return buffers.from_host(np.array(values, np.float32))


def sort(x: Host, out: Host) -> None:
    out[...] = np.sort(x)


def add_one(x: Host, out: Host) -> None:
    np.add(x, x.dtype.type(1), out=out)


def test_a_kernel_works_in_place() -> None:
    name = ffi.register_host_kernel("test_add_one", add_one)
    x = _put(1, 2, 3)
    before = buffers.address(x)
    (y,) = compiled(name, f32(3)).run([x])
    assert buffers.address(y) == before
    assert buffers.is_deleted(x)
    assert buffers.host_memory(y).tolist() == [2, 3, 4]
    (z,) = compiled(name, f32(3), n=10).run([y])
    assert buffers.address(z) == before
    assert buffers.host_memory(z).tolist() == [12, 13, 14]


def test_a_lent_operand_stays_as_it_was() -> None:
    name = ffi.register_host_kernel("test_sort", sort)
    x = _put(3, 1, 2)
    (y,) = compiled(name, f32(3), donate=False).run([x])
    assert buffers.host_memory(y).tolist() == [1, 2, 3]
    assert buffers.host_memory(x).tolist() == [3, 1, 2]


def test_an_operand_that_is_used_again_is_copied_by_xla() -> None:
    name = ffi.register_host_kernel("test_add_one", add_one)
    made = compile_text(program(name, f32(3), reused=True), [f32(3)], 12)
    (y,) = made.run([_put(1, 2, 3)])
    assert buffers.host_memory(y).tolist() == [3, 5, 7]


@pytest.mark.parametrize("dtype", [n for n in BY_NAME if BY_NAME[n] not in SUB_BYTE])
@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0, 2)])
def test_every_dtype_and_shape_is_seen(dtype: str, shape: tuple[int, ...]) -> None:
    seen: list[tuple[object, tuple[int, ...], bool]] = []

    def look(x: Host, out: Host) -> None:
        seen.append((x.dtype, x.shape, x.flags.writeable))
        out[...] = x

    name = ffi.register_host_kernel("look", look, local=True)
    aval = ShapedArray(shape, BY_NAME[dtype])
    values = np.arange(np.prod(shape)).reshape(shape).astype(aval.dtype)
    (y,) = compiled(name, aval, donate=False).run([buffers.from_host(values)])
    assert buffers.host_memory(y).tobytes() == values.tobytes()
    assert seen == [(aval.dtype, shape, False)] or 0 in shape


def test_int4_is_refused_with_words() -> None:
    name = ffi.register_host_kernel("test_sort", sort)
    aval = ShapedArray((4,), BY_NAME["int4"])
    made = compile_text(program(name, aval, donate=False), [aval])
    with pytest.raises(BackendError, match="cannot see XLA's dtype 21"):
        made.run([buffers.from_host(np.zeros(4, aval.dtype))])


def test_several_operands_and_results() -> None:
    def split(x: Host, n: Host, low: Host, high: Host) -> None:
        np.minimum(x, n, out=low)
        np.maximum(x, n, out=high)

    name = ffi.register_host_kernel("split", split, local=True)
    t, s = tensor(f32(3)), tensor(f32())
    call = ffi.call_text("%r:2", name, [("%x", t), ("%n", s)], [t, t], [(1, 0)])
    text = (
        f"module @m {{ func.func public @main(%x: {t} {{tf.aliasing_output = 1 : i32}}, %n: {s})"
        f" -> ({t}, {t}) {{ {call} return %r#0, %r#1 : {t}, {t} }} }}"
    )
    x = _put(1, 2, 3)
    before = buffers.address(x)
    limit = buffers.from_host(np.array(2, np.float32))
    low, high = compile_text(text, [f32(3), f32(3)], 12).run([x, limit])
    assert buffers.host_memory(low).tolist() == [1, 2, 2]
    assert buffers.host_memory(high).tolist() == [2, 2, 3]
    assert buffers.address(high) == before


def test_a_kernel_in_a_loop_works_in_place() -> None:
    name = ffi.register_host_kernel("test_add_one", add_one)
    t = tensor(f32(4))
    call = ffi.call_text("%y", name, [("%c", t)], [t], [(0, 0)])
    text = f"""module @loop {{
      func.func public @main(%x: {t} {{tf.aliasing_output = 0 : i32}}) -> {t} {{
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %n = stablehlo.constant dense<7> : tensor<i32>
        %r:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, {t}
          cond {{ %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
                  stablehlo.return %p : tensor<i1> }}
          do {{ {call}
                %j = stablehlo.add %i, %one : tensor<i32>
                stablehlo.return %j, %y : tensor<i32>, {t} }}
        return %r#1 : {t} }} }}"""
    made = compile_text(text, [f32(4)], 16)
    x = _put(0, 1, 2, 3)
    before = buffers.address(x)
    (y,) = made.run([x])
    assert buffers.host_memory(y).tolist() == [7, 8, 9, 10]
    assert buffers.address(y) == before
    assert made.stats.temp < 1024


class CustomError(Exception):
    """An exception that nobody knows."""


@pytest.mark.parametrize(
    "error", [ValueError("inside"), CustomError("inside"), ZeroDivisionError()]
)
def test_an_exception_becomes_ours_and_keeps_its_cause(error: Exception) -> None:
    def fail(x: Host, out: Host) -> None:
        raise error

    made = compiled(ffi.register_host_kernel("fail", fail, local=True), f32(3))
    x = _put(1, 2, 3)
    with pytest.raises(BackendError, match="a host kernel raised") as caught:
        made.run([x])
    assert caught.value.__cause__ is error
    assert made.lost([x]) == (0,)


def test_running_out_of_memory_and_interrupts_stay_what_they_are() -> None:
    def exhaust(x: Host, out: Host) -> None:
        raise MemoryError

    def interrupt(x: Host, out: Host) -> None:
        raise KeyboardInterrupt

    with pytest.raises(OutOfMemoryError):
        compiled(ffi.register_host_kernel("e", exhaust, local=True), f32(3)).run([_put(1, 2, 3)])
    with pytest.raises(KeyboardInterrupt):
        compiled(ffi.register_host_kernel("i", interrupt, local=True), f32(3)).run([_put(1, 2, 3)])


def test_a_failed_run_leaves_nothing_behind() -> None:
    from ownarray._backend import errors

    def fail(x: Host, out: Host) -> None:
        raise ValueError("inside")

    made = compiled(ffi.register_host_kernel("fail", fail, local=True), f32(3))
    gc.collect()
    before = buffers.live_count()
    for _ in range(100):
        with pytest.raises(BackendError):
            made.run([_put(1, 2, 3)])
    assert buffers.live_count() == before
    assert not errors._failures.kept
    name = ffi.register_host_kernel("test_add_one", add_one)
    assert buffers.host_memory(compiled(name, f32(3)).run([_put(1, 2, 3)])[0]).tolist() == [2, 3, 4]


def test_many_threads_are_in_one_kernel_at_once() -> None:
    name = ffi.register_host_kernel("test_add_one", add_one)
    made = compiled(name, f32(64), n=5)
    wrong: list[int] = []

    def work(seed: int) -> None:
        x = buffers.from_host(np.full(64, seed, np.float32))
        for _ in range(100):
            (x,) = made.run([x])
        if not (buffers.host_memory(x) == seed + 500).all():
            wrong.append(seed)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_independent_kernels_of_one_program() -> None:
    """XLA may run them in threads of its own, which Python has never seen."""
    name = ffi.register_host_kernel("test_add_one", add_one)
    t = tensor(f32(100_000))
    calls = [ffi.call_text(f"%y{i}", name, [(f"%x{i}", t)], [t]) for i in range(6)]
    parameters = ", ".join(f"%x{i}: {t}" for i in range(6))
    kinds = ", ".join([t] * 6)
    text = (
        f"module @m {{ func.func public @main({parameters}) -> ({kinds}) {{ {' '.join(calls)}"
        f" return {', '.join(f'%y{i}' for i in range(6))} : {kinds} }} }}"
    )
    made = compile_text(text, [f32(100_000)] * 6, 0)
    xs = [buffers.from_host(np.full(100_000, i, np.float32)) for i in range(6)]
    for _ in range(10):
        found = [buffers.host_memory(y) for y in made.run(xs)]
        assert all((y == i + 1).all() for i, y in enumerate(found))


def test_a_name_stands_for_one_function() -> None:
    assert ffi.register_host_kernel("test_sort", sort) == "test_sort"
    with pytest.raises(ValueError, match="registered with another function"):
        ffi.register_host_kernel("test_sort", add_one)
    with pytest.raises(ValueError, match="is no name"):
        ffi.register_host_kernel("with space", sort)
    first, second = (ffi.register_host_kernel("same", sort, local=True) for _ in range(2))
    assert first != second
    assert first.startswith(cache.LOCAL_PREFIX)


def test_an_unknown_kernel_is_a_backend_error() -> None:
    with pytest.raises(BackendError, match="test_nobody"):
        compiled("test_nobody", f32(3)).run([_put(1, 2, 3)])


def test_a_resolver_is_asked_when_a_program_needs_the_kernel() -> None:
    asked: list[str] = []

    def resolve(name: str) -> ffi.Kernel | None:
        asked.append(name)
        return add_one if name.endswith("known") else None

    ffi.add_resolver("test_resolved_", resolve)
    made = compiled("test_resolved_known", f32(3))
    compiled("test_resolved_known", f32(4))
    assert buffers.host_memory(made.run([_put(1, 2, 3)])[0]).tolist() == [2, 3, 4]
    assert asked == ["test_resolved_known"]


def test_compiled_code_is_called_by_its_address() -> None:
    """What numba or C would give: here a C callback that answers by itself."""
    called: list[int] = []

    def raw(frame: int) -> int | None:
        words = (ctypes.c_int64 * 15).from_address(frame)
        if words[1] and ffi._answer_metadata(words[1], words[2]):
            return None
        called.append(words[7])
        return None

    handler = ffi._HANDLER(raw)
    address = ctypes.cast(handler, ctypes.c_void_p).value
    assert address is not None
    ffi.register_address("test_raw", address, handler)
    compiled("test_raw", f32(3)).run([_put(1, 2, 3)])
    assert called == [1]
    with pytest.raises(ValueError, match="registered already"):
        ffi.register_address("test_raw", address, handler)


WITH_KERNEL = """
    from ownarray._backend import ffi
    from tests.backend.test_ffi import add_one, compiled
    ffi.add_resolver("test_kept_", lambda name: add_one)
    made = compiled("test_kept_add", f32(3))
    (y,) = made.run([buffers.from_host(np.ones(3, np.float32))])
    assert buffers.host_memory(y).tolist() == [2.0] * 3
    print("loaded" if made._is_loaded else "compiled")
    """


@pytest.mark.slow
def test_a_program_with_a_kernel_comes_from_disk(tmp_path: Path) -> None:
    first, second = (run(WITH_KERNEL, OWNARRAY_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert (first.stdout, first.returncode) == ("compiled\n", 0), first.stderr
    assert (second.stdout, second.returncode) == ("loaded\n", 0), second.stderr
