"""An element-wise fixed point: x = cos(x) * 0.5 + x * 0.25, ten iterations on 256 MB."""

from typing import Any

from benchmarks import single
from benchmarks.case import Topic

N_ITER = 10


def _start(quick: bool) -> Any:
    import numpy as np

    return np.linspace(-1.0, 1.0, 1 << 18 if quick else 1 << 26, dtype=np.float32)


def _ownarray(oa: Any, x: Any) -> Any:
    return oa.fixed_point(lambda y: oa.cos(y) * 0.5 + y * 0.25, N_ITER, oa.move(x))


def _ownarray_lent(oa: Any, x: Any) -> Any:
    return oa.fixed_point(lambda y: oa.cos(y) * 0.5 + y * 0.25, N_ITER, x)


def _jax(jnp: Any, x: Any) -> Any:
    import jax

    return jax.lax.fori_loop(0, N_ITER, lambda _, y: jnp.cos(y) * 0.5 + y * 0.25, x)


def _numpy_in_place(x: Any) -> Any:
    import numpy as np

    scratch = np.empty_like(x)
    for _ in range(N_ITER):
        np.cos(x, out=scratch)
        scratch *= np.float32(0.5)
        x *= np.float32(0.25)
        x += scratch
    return x


def _numpy_copy(x: Any) -> Any:
    import numpy as np

    for _ in range(N_ITER):
        x = np.cos(x) * np.float32(0.5) + x * np.float32(0.25)
    return x


def _torch(torch: Any, x: Any) -> Any:
    for _ in range(N_ITER):
        cosine = torch.cos(x)
        x.mul_(0.25).add_(cosine, alpha=0.5)
    return x


TOPICS = (
    Topic(
        name="fixed_point",
        title=f"Element-wise fixed point, {N_ITER} iterations a step, on 256 MB",
        variants={
            "ownarray move": single.ownarray_move(_start, _ownarray, n_steps=3),
            "ownarray copy": single.ownarray_copy(_start, _ownarray_lent, n_steps=3),
            "NumPy in place": single.numpy(_start, _numpy_in_place, n_steps=3),
            "NumPy copying": single.numpy(_start, _numpy_copy, n_steps=3),
            "jax donated": single.jax(_start, _jax, donate=True, n_steps=3),
            "jax copying": single.jax(_start, _jax, donate=False, n_steps=3),
            "torch in place": single.torch(_start, _torch, n_steps=3),
        },
    ),
)
