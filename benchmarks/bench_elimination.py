"""Elimination steps by hand: each changes most of a large matrix by a column and a row of it."""

from typing import Any

from benchmarks import single
from benchmarks.case import Topic

N_STEPS = 10


def _start(quick: bool) -> Any:
    import numpy as np

    n = 256 if quick else 4096
    return np.full((n, n), 1.0) + np.eye(n) * n


def _ownarray(oa: Any, x: Any) -> Any:
    for k in range(N_STEPS):
        x[k + 1 :, k] /= x[k, k]
        x[k + 1 :, k + 1 :] -= oa.outer(x[k + 1 :, k], x[k, k + 1 :])
    return x


def _ownarray_lent(oa: Any, x: Any) -> Any:
    return _ownarray(oa, oa.copy(x))


def _jax(jnp: Any, x: Any) -> Any:
    for k in range(N_STEPS):
        x = x.at[k + 1 :, k].divide(x[k, k])
        x = x.at[k + 1 :, k + 1 :].add(-jnp.outer(x[k + 1 :, k], x[k, k + 1 :]))
    return x


def _numpy_in_place(x: Any) -> Any:
    import numpy as np

    for k in range(N_STEPS):
        x[k + 1 :, k] /= x[k, k]
        x[k + 1 :, k + 1 :] -= np.outer(x[k + 1 :, k], x[k, k + 1 :])
    return x


def _numpy_copy(x: Any) -> Any:
    return _numpy_in_place(x.copy())


TOPICS = (
    Topic(
        name="elimination",
        title=f"{N_STEPS} elimination steps on a matrix of 128 MB",
        variants=single.six(
            _start,
            _ownarray,
            lent=_ownarray_lent,
            numpy_in_place=_numpy_in_place,
            numpy_copy=_numpy_copy,
            jax_function=_jax,
        ),
    ),
)
