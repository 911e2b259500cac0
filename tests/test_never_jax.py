"""`jax` is a peer, not a dependency: nothing here imports it, also not through jaxlib."""

import subprocess
import sys
import textwrap

# A finder that stands first records every attempt, whether jax is installed or not.
WATCH = """
import importlib.abc, sys

class Watch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "jax" or name.startswith("jax."):
            seen.append(name)
        return None

seen = []
sys.meta_path.insert(0, Watch())
"""
VERDICT = """
assert not seen, seen
assert "jax" not in sys.modules
"""


def run_watched(program: str) -> None:
    """Run a program in a fresh process; fail if it imports jax or tries to."""
    source = WATCH + textwrap.dedent(program) + VERDICT
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_importing_everything_never_imports_jax() -> None:
    run_watched("""
        import ownarray as oa
        for name in dir(oa):
            getattr(oa, name)
    """)


def test_working_with_arrays_never_imports_jax() -> None:
    run_watched("""
        import pickle
        import numpy as np
        import ownarray as oa

        for n in (8, 100_000):  # on the host, and through executables
            x = oa.exp(oa.move(oa.linspace(0.0, 1.0, n)))
            x += 1.0
            x[2:5] = 7.0
            total = float(oa.sum(x * x[::-1]))
            view = np.asarray(x)
            shared = np.from_dlpack(x)
            del view, shared
            pickle.loads(pickle.dumps(x))
            oa.from_dlpack(np.ones(n))
            oa.asarray(np.ones(n), copy=False)
            oa.sort(x)
            oa.cumulative_sum(x)
            h = oa.move(x)
            repr(h)
            x = h.take()
        oa.live_arrays()
    """)


def test_compiled_functions_never_import_jax() -> None:
    run_watched("""
        import ownarray as oa

        @oa.jit
        def step(x: oa.Owned[oa.Array], y: oa.Mut[oa.Array]) -> oa.Array:
            y += 1.0
            x[1:-1] = 0.5 * (x[:-2] + x[2:])
            x = oa.fixed_point(lambda u: oa.sqrt(u + 1.0), 5, oa.move(x))
            return oa.sort(x)

        for n in (8, 100_000):
            x, y = oa.ones(n), oa.zeros(n)
            step.explain(x, y)
            x = step(oa.move(x), y)
            try:
                step(oa.move(x), oa.zeros(3, dtype="int32"))
            except TypeError:
                pass
    """)


def test_algebra_fft_and_random_never_import_jax() -> None:
    run_watched("""
        import ownarray as oa

        rng = oa.random.default_rng(0)
        a = rng.standard_normal((5, 5))
        a = a @ a.T + 5.0 * oa.eye(5)
        oa.linalg.cholesky(a)
        oa.linalg.solve(a, oa.ones(5))
        oa.fft.fft(a)
        oa.jit(lambda b: (oa.linalg.cholesky(b), oa.linalg.solve(b, b), oa.fft.fft(b)))(a)
    """)
