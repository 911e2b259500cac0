"""The first call of a function in a process: compiled anew, and loaded from the disk cache."""

import os
import subprocess
import sys
import tempfile
import time
from typing import Any

from benchmarks.case import Case, Once, Topic, Variant

# Too large for NumPy's engine, small enough for its run to be a small part of the call.
N_FLOATS = 1 << 16
# Set in the process that fills the disk cache, so that it does not fill it by a process of its own.
FILLING = "OWNARRAY_BENCHMARK_FILLING"
CACHE_DIR = "OWNARRAY_CACHE_DIR"


def _ten_operations(x: Any) -> Any:
    y = x * 0.5 + 0.25
    y = (y - x) * (y + x)
    y = y * 0.75 + 0.125
    return (y + x) * 0.5


def _start(quick: bool) -> Any:
    import numpy as np

    return np.linspace(0.0, 1.0, N_FLOATS // 16 if quick else N_FLOATS, dtype=np.float32)


def _first_call(quick: bool) -> float:
    import ownarray as oa

    x = oa.asarray(_start(quick))
    warm = oa.jit(lambda y: y - 1.0)
    warm(oa.asarray(_start(True)))  # start the client and load what every compilation needs
    step = oa.jit(_ten_operations)
    start = time.perf_counter()
    step(x)
    return time.perf_counter() - start


def _ownarray_cold(quick: bool) -> Case:
    os.environ[CACHE_DIR] = tempfile.mkdtemp()
    return Once(call=lambda: _first_call(quick))


def _ownarray_disk(quick: bool) -> Case:
    folder = tempfile.mkdtemp()
    os.environ[CACHE_DIR] = folder
    program = f"from benchmarks.bench_latency import _first_call; _first_call({quick})"
    subprocess.run([sys.executable, "-c", program], check=True)
    return Once(call=lambda: _first_call(quick))


def _jax_cold(quick: bool) -> Case:
    def call() -> float:
        import jax
        import jax.numpy as jnp

        x = jnp.array(_start(quick))
        jax.block_until_ready(jax.jit(lambda y: y - 1.0)(x[:8]))
        step = jax.jit(_ten_operations)
        start = time.perf_counter()
        jax.block_until_ready(step(x))
        return time.perf_counter() - start

    return Once(call=call)


def _eager_first(quick: bool) -> Case:
    """Time the first eager addition of a shape that no call has seen."""
    import ownarray as oa

    oa.asarray(_start(True)[:8]) + 1.0

    def call() -> float:
        x = oa.asarray(_start(quick)[:777])
        start = time.perf_counter()
        x + x
        return time.perf_counter() - start

    return Once(call=call)


def _eager_first_jax(quick: bool) -> Case:
    import jax
    import jax.numpy as jnp

    jax.block_until_ready(jnp.array(_start(True)[:8]) + 1.0)

    def call() -> float:
        x = jnp.array(_start(quick)[:777])
        start = time.perf_counter()
        jax.block_until_ready(x + x)
        return time.perf_counter() - start

    return Once(call=call)


TOPICS = (
    Topic(
        name="first_call",
        title="First call of a function of 10 operations",
        variants={
            "ownarray, no cache": Variant(needs="ownarray", build=_ownarray_cold),
            "ownarray, disk cache": Variant(needs="ownarray", build=_ownarray_disk),
            "jax": Variant(needs="jax", build=_jax_cold),
        },
    ),
    Topic(
        name="eager_first",
        title="First eager addition of a new shape, 777 floats",
        variants={
            "ownarray": Variant(needs="ownarray", build=_eager_first),
            "jax": Variant(needs="jax", build=_eager_first_jax),
        },
    ),
)
