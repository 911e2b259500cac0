"""Sort, cumulative sum, FFT and factorisations: eager calls at 1e6 elements and n = 1000."""

from collections.abc import Callable
from typing import Any

from benchmarks.case import Calls, Case, Topic, Variant

N_CALLS = 3
Kernel = Callable[[Any, Any], Any]
"""(namespace, array) -> result."""


def _vector(quick: bool) -> Any:
    import numpy as np

    return np.random.default_rng(0).standard_normal(10_000 if quick else 1_000_000)


def _matrix(quick: bool) -> Any:
    import numpy as np

    n = 50 if quick else 1000
    a = np.random.default_rng(0).standard_normal((n, n))
    return a @ a.T + n * np.eye(n)


def _loop(call: Callable[[], Any]) -> Calls:
    def run(number: int) -> None:
        for _ in range(number):
            call()

    return Calls(run=run, number=N_CALLS, n_repeats=5)


def _variants(start: Callable[[bool], Any], kernel: Kernel, scipy_kernel: Kernel | None) -> Any:
    def own(quick: bool) -> Case:
        import ownarray as oa

        x = oa.asarray(start(quick))
        return _loop(lambda: kernel(oa, x))

    def own_compiled(quick: bool) -> Case:
        import ownarray as oa

        x = oa.asarray(start(quick))

        @oa.jit
        def compiled(value: oa.Array) -> Any:
            return kernel(oa, value)

        return _loop(lambda: compiled(x))

    def numpy(quick: bool) -> Case:
        import numpy as np

        x = start(quick)
        return _loop(lambda: kernel(np, x))

    def from_scipy(quick: bool) -> Case:
        import scipy as module
        import scipy.fft
        import scipy.linalg

        assert scipy_kernel is not None
        x, chosen = start(quick), scipy_kernel
        return _loop(lambda: chosen(module, x))

    def jax(quick: bool) -> Case:
        import jax
        import jax.numpy as jnp

        jax.config.update("jax_enable_x64", True)
        x = jnp.array(start(quick))
        return _loop(lambda: jax.block_until_ready(kernel(jnp, x)))

    variants = {
        "ownarray": Variant(needs="ownarray", build=own),
        "ownarray compiled": Variant(needs="ownarray", build=own_compiled),
        "NumPy": Variant(needs="numpy", build=numpy),
        "jax": Variant(needs="jax", build=jax),
    }
    if scipy_kernel is not None:
        variants["SciPy"] = Variant(needs="scipy", build=from_scipy)
    return variants


def _topic(
    name: str, title: str, start: Callable[[bool], Any], kernel: Kernel, scipy: Kernel | None = None
) -> Topic:
    return Topic(name=name, title=title, variants=_variants(start, kernel, scipy))


TOPICS = (
    _topic("sort", "sort, 1e6 float64", _vector, lambda xp, x: xp.sort(x)),
    _topic("argsort", "argsort, 1e6 float64", _vector, lambda xp, x: xp.argsort(x)),
    _topic(
        "cumsum",
        "cumulative sum, 1e6 float64",
        _vector,
        lambda xp, x: xp.cumulative_sum(x),
    ),
    _topic(
        "fft",
        "FFT, 1e6 float64",
        _vector,
        lambda xp, x: xp.fft.fft(x),
        lambda scipy, x: scipy.fft.fft(x),
    ),
    _topic(
        "cholesky",
        "Cholesky, n = 1000, float64",
        _matrix,
        lambda xp, a: xp.linalg.cholesky(a),
        lambda scipy, a: scipy.linalg.cholesky(a, lower=True),
    ),
    _topic(
        "solve",
        "solve, n = 1000, float64",
        _matrix,
        lambda xp, a: xp.linalg.solve(a, a[:, :1]),
        lambda scipy, a: scipy.linalg.solve(a, a[:, :1]),
    ),
    _topic(
        "svd",
        "SVD, n = 1000, float64",
        _matrix,
        lambda xp, a: xp.linalg.svd(a, full_matrices=False),
        lambda scipy, a: scipy.linalg.svd(a, full_matrices=False),
    ),
)
