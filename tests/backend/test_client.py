from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

from ownarray._backend import client

pytestmark = pytest.mark.slow  # a fresh process each

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

# A finder that stands first sees every attempt to import jax, whether it is installed or not.
PREAMBLE = """
import importlib.abc, os, signal, sys

class Watch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "jax":
            raise SystemExit(f"somebody imports {name}")
        return None

sys.meta_path.insert(0, Watch())
import ml_dtypes
import numpy as np
from ownarray._backend import buffers, client
from ownarray._backend.compile import compile_text, deserialize
from ownarray._backend.views import View, export_copy, import_dlpack
from ownarray._errors import BackendError
from tests.backend.helpers import add_text, adder, f32
"""


def run(
    program: str, *, timeout: float = 60, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh process."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PREAMBLE + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


def test_the_client_is_made_late_and_once() -> None:
    done = run("""
        assert client._backend is None
        import threading
        found = []
        make = lambda: found.append(client.backend())
        threads = [threading.Thread(target=make) for _ in range(8)]
        for t in threads: t.start()
        for t in threads: t.join()
        assert len({id(b) for b in found}) == 1 and len(found) == 8
        assert client.platform() == "cpu"
    """)
    assert done.returncode == 0, done.stderr
    assert not done.stderr


def test_nothing_here_imports_jax() -> None:
    """Every function of the package once, on values from the host and from programs."""
    done = run("""
        for dtype in ("f4", "?", "c16", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.int4):
            put = buffers.from_host(np.arange(6).reshape(2, 3).astype(dtype))
            shared = buffers.foreign(np.ones((2, 3), "f4"))
            for buf in (put, shared):
                buffers.address(buf); buffers.host_memory(buf); buffers.nbytes(buf)
                View.of_buffer(buf).array()
        made = adder(f32(4))
        one = buffers.from_host(np.ones(4, "f4"))
        (result,) = made.run([buffers.from_host(np.ones(4, "f4")), one])
        for buf in (result, one):
            buffers.address(buf); buffers.host_memory(buf); buffers.is_deleted(buf)
            import_dlpack(View.of_buffer(buf).array())
            View.of_buffer(buf).dlpack((1, 0)); export_copy(buffers.host_memory(buf), None)
            View.of_buffer(buf).memoryview()
        made.alias_pairs(); made.optimized_text()
        deserialize(made.serialize(), made.text, [f32(4)])
        buffers.live_bytes(); buffers.live_count(); buffers.delete(one)
        for call in (lambda: buffers.address(one), lambda: made.run([one, one]),
                     lambda: View.of_buffer(one), lambda: compile_text("bad", [])):
            try: call()
            except BackendError: pass
            else: raise SystemExit("no error")
        assert "jax" not in sys.modules
    """)
    assert done.returncode == 0, done.stderr


@needs_fork
def test_a_forked_child_goes_on_computing() -> None:
    """Small and large (parallel) programs, in parent and child, through the same memory."""
    done = run("""
        big = f32(1200, 1200)
        dot = '''module @dot { func.func public @main(%a: tensor<1200x1200xf32>)
          -> tensor<1200x1200xf32> { %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0]
          : (tensor<1200x1200xf32>, tensor<1200x1200xf32>) -> tensor<1200x1200xf32>
          %1 = stablehlo.exponential %0 : tensor<1200x1200xf32>
          return %1 : tensor<1200x1200xf32> } }'''
        large, small = compile_text(dot, [big], 0), adder(f32(4))
        x = buffers.from_host(np.full((1200, 1200), 0.01, "f4"))
        one = buffers.from_host(np.ones(4, "f4"))

        def work():
            y = buffers.from_host(np.ones(4, "f4"))
            for _ in range(100):
                (y,) = small.run([y, one])
            assert buffers.host_memory(y).tolist() == [101.0] * 4
            assert abs(buffers.host_memory(large.run([x])[0])[7, 7] - np.exp(0.12)) < 1e-3

        work()
        pid = os.fork()
        signal.alarm(30)
        work()
        if pid == 0:
            os._exit(0)
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """)
    assert done.returncode == 0, done.stderr


@needs_fork
def test_a_forked_child_that_cannot_compile_says_so_at_once() -> None:
    done = run(
        """
        adder(f32(4))
        pid = os.fork()
        if pid == 0:
            signal.alarm(30)
            try:
                adder(f32(5))
            except RuntimeError as error:
                assert "spawn" in str(error) and "before the fork" in str(error), error
                os._exit(0)
            os._exit(1)
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """,
        OWNARRAY_CACHE="0",
    )
    assert done.returncode == 0, done.stderr


@needs_fork
def test_a_child_that_was_forked_before_the_first_use_compiles() -> None:
    done = run(
        """
        pid = os.fork()
        if pid == 0:
            signal.alarm(30)
            x, y = (buffers.from_host(np.ones(4, "f4")) for _ in range(2))
            assert buffers.host_memory(adder(f32(4)).run([x, y])[0])[0] == 2
            os._exit(0)
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """,
        OWNARRAY_CACHE="0",
    )
    assert done.returncode == 0, done.stderr


@needs_fork
@pytest.mark.skipif(client.VERSION < (0, 12), reason="older jaxlibs load in threads too")
def test_a_forked_child_loads_from_disk() -> None:
    done = run("""
        adder(f32(6))
        pid = os.fork()
        if pid == 0:
            signal.alarm(30)
            x, y = (buffers.from_host(np.ones(6, "f4")) for _ in range(2))
            assert buffers.host_memory(adder(f32(6)).run([x, y])[0])[0] == 2
            os._exit(0)
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """)
    assert done.returncode == 0, done.stderr


def test_the_description_of_the_cpu_is_stable_and_says_something() -> None:
    first = client.cpu_features()
    client.cpu_features.cache_clear()
    assert client.cpu_features() == first
    assert len(first) > 20
    assert "MHz" not in first  # which changes from one moment to the next
