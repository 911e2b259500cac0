"""A Jacobi step on 4096 x 4096, written with plain slices."""

from typing import Any

from benchmarks import single
from benchmarks.case import Case, Steps, Topic, Variant


def _start(quick: bool) -> Any:
    import numpy as np

    n = 256 if quick else 4096
    grid = np.full((n, n), 0.0, np.float32)
    grid[0] = 1.0
    grid[:, 0] = np.linspace(1.0, 0.0, n)
    grid[5:25, 7:27] = 2.0
    return grid


def _ownarray(oa: Any, u: Any) -> Any:
    u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return u


def _ownarray_lent(oa: Any, u: Any) -> Any:
    return _ownarray(oa, oa.copy(u))


def _jax(jnp: Any, u: Any) -> Any:
    return u.at[1:-1, 1:-1].set(0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]))


def _numpy_in_place(u: Any) -> Any:
    import numpy as np

    inner = u[:-2, 1:-1] + u[2:, 1:-1]
    inner += u[1:-1, :-2]
    inner += u[1:-1, 2:]
    inner *= np.float32(0.25)
    u[1:-1, 1:-1] = inner
    return u


def _numpy_copy(u: Any) -> Any:
    import numpy as np

    new = u.copy()
    new[1:-1, 1:-1] = np.float32(0.25) * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return new


def _torch(torch: Any, u: Any) -> Any:
    inner = u[:-2, 1:-1] + u[2:, 1:-1]
    inner.add_(u[1:-1, :-2]).add_(u[1:-1, 2:]).mul_(0.25)
    u[1:-1, 1:-1] = inner
    return u


def _numba(quick: bool) -> Case:
    import numba
    import numpy as np

    def plain_sweep(u: Any, new: Any) -> None:
        rows, columns = u.shape
        quarter = np.float32(0.25)
        for i in numba.prange(1, rows - 1):
            for j in range(1, columns - 1):
                new[i, j] = quarter * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])

    sweep: Any = numba.njit(parallel=True, fastmath=True)(plain_sweep)

    def step(state: Any) -> Any:
        u, new = state
        sweep(u, new)
        return new, u

    def make() -> Any:
        u = _start(quick)
        return u, u.copy()

    step(make())  # compile
    return Steps(
        make=make,
        step=step,
        n_bytes=_start(quick).nbytes,
        probe=lambda state: single.probe(state[0]),
    )


TOPICS = (
    Topic(
        name="stencil",
        title="Jacobi step on 4096 x 4096 (64 MB), written with plain slices",
        variants={
            "ownarray move": single.ownarray_move(_start, _ownarray),
            "ownarray copy": single.ownarray_copy(_start, _ownarray_lent),
            "NumPy in place": single.numpy(_start, _numpy_in_place),
            "NumPy copying": single.numpy(_start, _numpy_copy),
            "numba, two buffers": Variant(needs="numba", build=_numba),
            "jax donated": single.jax(_start, _jax, donate=True),
            "jax copying": single.jax(_start, _jax, donate=False),
            "torch in place": single.torch(_start, _torch),
        },
    ),
)
