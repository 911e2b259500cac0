"""Exchanging rows in a loop: each step reads two parts of a large state and writes both."""

from typing import Any

from benchmarks import single
from benchmarks.case import Topic

N_STEPS, WIDTH = 100, 1024


def _start(quick: bool) -> Any:
    import numpy as np

    return np.full((1 << 8 if quick else 1 << 15, WIDTH), 0.0, np.float32)


def _ownarray(oa: Any, rows: Any) -> Any:
    def exchange(i: Any, rows: Any) -> Any:
        a, b = rows[i].copy(), rows[i + 1].copy()
        rows[i] = b
        rows[i + 1] = a
        return rows

    return oa.fori_loop(0, N_STEPS, exchange, rows)


def _ownarray_lent(oa: Any, rows: Any) -> Any:
    return _ownarray(oa, oa.copy(rows))


def _jax(jnp: Any, rows: Any) -> Any:
    import jax

    def exchange(i: Any, rows: Any) -> Any:
        a, b = rows[i], rows[i + 1]
        return rows.at[i].set(b).at[i + 1].set(a)

    return jax.lax.fori_loop(0, N_STEPS, exchange, rows)


def _numpy_in_place(rows: Any) -> Any:
    for i in range(N_STEPS):
        a, b = rows[i].copy(), rows[i + 1].copy()
        rows[i] = b
        rows[i + 1] = a
    return rows


def _numpy_copy(rows: Any) -> Any:
    return _numpy_in_place(rows.copy())


TOPICS = (
    Topic(
        name="exchange",
        title=f"Exchanging {N_STEPS} pairs of rows of 128 MB in a loop",
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
