"""Eager calls on 8 floats: `a + b`, `x += 1`, `exp(move(x))`."""

from typing import Any

from benchmarks.case import Calls, Case, Topic, Variant

NUMBER = 1000


def _pair() -> tuple[Any, Any]:
    import numpy as np

    return np.arange(8.0), np.ones(8)


def _add(a: Any, b: Any) -> Calls:
    def run(number: int) -> None:
        for _ in range(number):
            a + b

    return Calls(run=run, number=NUMBER)


def _increment(x: Any) -> Calls:
    def run(number: int) -> None:
        y = x
        for _ in range(number):
            y += 1

    return Calls(run=run, number=NUMBER)


def _ownarray_add(_: bool) -> Case:
    import ownarray as oa

    a, b = _pair()
    return _add(oa.asarray(a), oa.asarray(b))


def _numpy_add(_: bool) -> Case:
    return _add(*_pair())


def _jax_add(_: bool) -> Case:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    a, b = _pair()
    return _add(jnp.array(a), jnp.array(b))


def _ownarray_increment(_: bool) -> Case:
    import ownarray as oa

    return _increment(oa.asarray(_pair()[0]))


def _numpy_increment(_: bool) -> Case:
    return _increment(_pair()[0])


def _jax_increment(_: bool) -> Case:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    return _increment(jnp.array(_pair()[0]))


def _ownarray_negate_moved(_: bool) -> Case:
    import ownarray as oa

    start = oa.asarray(_pair()[0])
    state = [start]

    def run(number: int) -> None:
        x, move, negative = state.pop(), oa.move, oa.negative
        for _ in range(number):
            x = negative(move(x))
        state.append(x)

    return Calls(run=run, number=NUMBER)


def _numpy_negate_out(_: bool) -> Case:
    import numpy as np

    x = _pair()[0]

    def run(number: int) -> None:
        for _ in range(number):
            np.negative(x, out=x)

    return Calls(run=run, number=NUMBER)


TOPICS = (
    Topic(
        name="eager_add",
        title="Eager a + b on 8 floats",
        variants={
            "ownarray": Variant(needs="ownarray", build=_ownarray_add),
            "NumPy": Variant(needs="numpy", build=_numpy_add),
            "jax": Variant(needs="jax", build=_jax_add),
        },
    ),
    Topic(
        name="eager_increment",
        title="Eager x += 1 on 8 floats",
        variants={
            "ownarray": Variant(needs="ownarray", build=_ownarray_increment),
            "NumPy": Variant(needs="numpy", build=_numpy_increment),
            "jax (new array)": Variant(needs="jax", build=_jax_increment),
        },
    ),
    Topic(
        name="eager_moved",
        title="Eager x = negative(move(x)) on 8 floats",
        variants={
            "ownarray": Variant(needs="ownarray", build=_ownarray_negate_moved),
            "NumPy, out=x": Variant(needs="numpy", build=_numpy_negate_out),
        },
    ),
)
