"""Softmax over the rows of 4096 x 4096, and of a fresh result."""

from typing import Any

from benchmarks import single
from benchmarks.case import Topic


def _start(quick: bool) -> Any:
    import numpy as np

    n = 128 if quick else 4096
    return np.random.default_rng(0).standard_normal((n, n), dtype=np.float32)


def _ownarray(oa: Any, x: Any) -> Any:
    shifted = oa.exp(x - oa.max(x, axis=-1, keepdims=True))
    return shifted / oa.sum(shifted, axis=-1, keepdims=True)


def _jax(jnp: Any, x: Any) -> Any:
    shifted = jnp.exp(x - jnp.max(x, axis=-1, keepdims=True))
    return shifted / jnp.sum(shifted, axis=-1, keepdims=True)


def _numpy_in_place(x: Any) -> Any:
    import numpy as np

    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def _numpy_copy(x: Any) -> Any:
    import numpy as np

    return _jax(np, x)


def _torch(torch: Any, x: Any) -> Any:
    return torch.softmax(x, dim=-1)


TOPICS = (
    Topic(
        name="softmax",
        title="Softmax over the rows of 4096 x 4096 (64 MB)",
        variants=single.six(
            _start,
            _ownarray,
            numpy_in_place=_numpy_in_place,
            numpy_copy=_numpy_copy,
            jax_function=_jax,
        )
        | {"torch": single.torch(_start, _torch)},
    ),
)
