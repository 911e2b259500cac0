"""A chain of ten element-wise operations on 64 MB."""

from typing import Any

from benchmarks import single
from benchmarks.case import Topic


def _start(quick: bool) -> Any:
    import numpy as np

    return np.linspace(0.0, 1.0, 1 << 16 if quick else 1 << 24, dtype=np.float32)


def _chain(_: Any, x: Any) -> Any:
    """Ten operations, none of them costly: memory traffic decides."""
    y = x * 0.5 + 0.25
    y = (y - x) * (y + x)
    y = y * 0.75 + 0.125
    return (y + x) * 0.5


def _numpy_copy(x: Any) -> Any:
    return _chain(None, x)


def _numpy_in_place(x: Any) -> Any:
    y = x * x.dtype.type(0.5)
    y += x.dtype.type(0.25)
    sums = y + x
    y -= x
    y *= sums
    y *= x.dtype.type(0.75)
    y += x.dtype.type(0.125)
    x += y
    x *= x.dtype.type(0.5)
    return x


def _torch(torch: Any, x: Any) -> Any:
    return _chain(None, x)


TOPICS = (
    Topic(
        name="chain",
        title="A chain of 10 element-wise operations on 64 MB",
        variants=single.six(
            _start,
            _chain,
            numpy_in_place=_numpy_in_place,
            numpy_copy=_numpy_copy,
        )
        | {"torch": single.torch(_start, _torch)},
        note="The result of a copying step is fresh memory, the old state is dropped.",
    ),
)
