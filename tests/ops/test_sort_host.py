"""Sorting inside compiled programs by NumPy's kernels: values, memory, loops, forks, the disk."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
import ownarray._array  # it tells the compiler where kernels are found
from ownarray._backend import buffers
from ownarray._backend.compile import compile_text
from ownarray._core.aval import aval_of
from ownarray._lower.text import lower
from ownarray._ops.kernels import KERNELS
from ownarray._ops.sort_host import MIN_ELEMENTS, SORT_KERNELS
from ownarray._ops.sorting import argsort_p, sort_p
from tests.ops.engines import Case, Values, program_of, run_host

if TYPE_CHECKING:
    from pathlib import Path

DTYPES = ["bool", "int8", "uint16", "int32", "int64", "float16", "float32", "float64", "complex64"]


def values(dtype: str, shape: tuple[int, ...]) -> Values:
    """Return values with many ties, zeros of both signs, infinities and NaN."""
    rng = np.random.default_rng(7)
    x = rng.integers(-90, 90, shape)
    if np.dtype(dtype).kind not in "fc":
        return np.asarray(x.astype(dtype))
    edges = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0])
    y = np.where(rng.random(shape) < 0.2, rng.choice(edges, shape), x / 8)
    z = np.asarray(y.astype(dtype))
    if z.dtype.kind == "c":
        z.imag = rng.choice(y.ravel(), shape)
    return z


def address(x: oa.Array) -> int:
    return int(np.asarray(x).__array_interface__["data"][0])


def run_text(case: Case, platform: str) -> tuple[str, list[Values]]:
    """Return the lowering for a platform, and what it gives here."""
    program = program_of(case)
    text = lower(program, platform=platform)
    inputs = [buffers.from_host(np.array(x), aval_of(x)) for x in case.arrays]
    results = compile_text(text, program.out_avals).run(inputs)
    outs = zip(results, program.out_avals, strict=True)
    return text, [np.array(buffers.host_memory(y, aval)) for y, aval in outs]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_kernels_give_the_bits_of_the_host_and_the_values_of_the_plain_form(
    dtype: str, descending: bool
) -> None:
    flat, grid = values(dtype, (MIN_ELEMENTS,)), values(dtype, (8, MIN_ELEMENTS // 32, 4))
    order = {"descending": descending, "stable": True}
    cases = [
        Case(sort_p, (flat,), {"axis": 0, "num_keys": 1, **order}),
        Case(sort_p, (grid,), {"axis": 1, "num_keys": 1, **order}),
        Case(sort_p, (flat, np.arange(flat.size)), {"axis": 0, "num_keys": 1, **order}),
        Case(argsort_p, (flat,), {"axis": 0, **order}),
        Case(argsort_p, (grid,), {"axis": 2, **order}),
    ]
    for case in cases:
        text, called = run_text(case, "cpu")
        plain_text, plain = run_text(case, "gpu")
        assert "ownarray_" in text
        assert "stablehlo.sort" not in text
        assert "custom_call" not in plain_text
        for got, host, reference in zip(called, run_host(case), plain, strict=True):
            assert got.tobytes() == host.tobytes(), str(case)
            np.testing.assert_array_equal(got, reference, err_msg=str(case))


def test_unstable_order_is_that_of_the_eager_engine() -> None:
    x = oa.asarray(values("float32", (3 * MIN_ELEMENTS,)))
    f = oa.jit(lambda v: oa.argsort(v, stable=False))
    assert np.array_equal(np.asarray(f(x)), np.asarray(oa.argsort(x, stable=False)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_denormal_numbers_are_told_apart(dtype: str) -> None:
    """XLA's programs take them for zeros; a kernel of the host must not."""
    bits = np.random.default_rng(3).permutation(2 * MIN_ELEMENTS)
    x = bits.astype(f"i{np.dtype(dtype).itemsize}").view(dtype)
    y, order = oa.jit(lambda v: (oa.sort(v), oa.argsort(v)))(oa.asarray(x))
    assert np.asarray(y).tobytes() == np.sort(x).tobytes()
    assert np.array_equal(np.asarray(order), np.argsort(bits))


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((MIN_ELEMENTS - 1,), "float32"), ((MIN_ELEMENTS, 1), "float32"), ((MIN_ELEMENTS,), "bf16")],
)
def test_what_the_host_is_not_called_for(shape: tuple[int, ...], dtype: str) -> None:
    x = np.ones(shape, np.float32).astype(oa.bfloat16 if dtype == "bf16" else dtype)
    program = program_of(
        Case(argsort_p, (x,), {"axis": -1 % x.ndim, "descending": False, "stable": True})
    )
    assert "custom_call" not in lower(program)


def test_several_keys_stay_in_the_program() -> None:
    x = values("int32", (MIN_ELEMENTS,))
    params = {"axis": 0, "num_keys": 2, "descending": False, "stable": True}
    assert "custom_call" not in lower(program_of(Case(sort_p, (x, x), params)))


def test_a_consumed_array_is_sorted_in_its_memory() -> None:
    v = values("float64", (MIN_ELEMENTS,))
    f = oa.jit(oa.sort)
    x = oa.asarray(v)
    before = address(x)
    y = f(oa.move(x))
    assert address(y) == before
    assert np.asarray(y).tobytes() == np.sort(v).tobytes()


def test_a_lent_array_keeps_its_values() -> None:
    v = values("float32", (MIN_ELEMENTS,))
    x = oa.asarray(v)
    y, order = oa.jit(lambda x: (oa.sort(x, descending=True), oa.argsort(x)))(x)
    assert np.asarray(x).tobytes() == v.tobytes()
    assert np.asarray(y).tobytes() == np.asarray(oa.sort(x, descending=True)).tobytes()
    assert np.array_equal(np.asarray(order), np.argsort(v, kind="stable"))


def test_in_loops_and_batches() -> None:
    v = values("float32", (4, MIN_ELEMENTS))
    x = oa.asarray(v)

    def step(u: oa.Array) -> oa.Array:
        return oa.flip(oa.sort(u)) * np.float32(-1.0)

    looped = oa.jit(lambda u: oa.fori_loop(0, 3, lambda i, w: step(w), u))
    wanted = v[0]
    for _ in range(3):
        wanted = np.flip(np.sort(wanted), 0) * np.float32(-1.0)
    np.testing.assert_array_equal(np.asarray(looped(x[0])), wanted)
    batched = oa.jit(oa.vmap(lambda u: (oa.sort(u), oa.argsort(u, descending=True))))
    rows, places = batched(x)
    assert np.asarray(rows).tobytes() == np.sort(v, axis=1).tobytes()
    assert np.array_equal(np.asarray(places), np.asarray(oa.argsort(x, descending=True)))


def test_top_k_and_derivatives() -> None:
    v = np.random.default_rng(1).standard_normal(MIN_ELEMENTS)
    x = oa.asarray(v)
    best, places = oa.jit(lambda x: oa.top_k(x, 5))(x)
    assert np.array_equal(np.asarray(best), -np.sort(-v)[:5])
    assert np.array_equal(v[np.asarray(places)], np.asarray(best))
    weights = np.arange(float(MIN_ELEMENTS))
    slope: Any = oa.jit(oa.grad(lambda x: oa.sum(oa.sort(x) * weights)))(x)
    assert np.array_equal(np.asarray(slope), np.argsort(np.argsort(v)).astype(float))


def test_every_kernel_has_a_name() -> None:
    assert len(SORT_KERNELS) == 8
    assert all(KERNELS[f"ownarray_{name}"] is kernel for name, kernel in SORT_KERNELS.items())


PROGRAM = """
import os, signal
import numpy as np
import ownarray as oa

v = np.random.default_rng(0).standard_normal(10_000)
f = oa.jit(lambda x: (oa.sort(x), oa.argsort(x)))


def check():
    for _ in range(3):
        y, order = f(oa.asarray(v))
        assert np.array_equal(np.asarray(y), np.sort(v))
        assert np.array_equal(np.asarray(order), np.argsort(v))


check()
if hasattr(os, "fork"):
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)
        check()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
"""


@pytest.mark.slow
def test_from_disk_and_in_a_forked_child(tmp_path: Path) -> None:
    environment = {**os.environ, "OWNARRAY_CACHE_DIR": str(tmp_path)}
    counts = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        counts.append(len(list(tmp_path.iterdir())))
    assert counts[0] == counts[1] > 0
