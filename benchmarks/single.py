"""Variants of topics whose state is one array and whose step is one function of it.

Such topics differ in a few lines: the start and the function, whose text runs on arrays of
several libraries. These share no type, so arrays are `Any` here.
"""

from collections.abc import Callable
from typing import Any

from benchmarks.case import Case, Steps, Variant

PROBED = 4
Start = Callable[[bool], Any]
"""quick -> the first state, a NumPy array."""
Function = Callable[[Any, Any], Any]
"""(namespace, array) -> the next array."""


def probe(array: Any) -> list[float]:
    """Read some elements, spread over the array."""
    shape = tuple(int(n) for n in array.shape)
    indices = [
        tuple((k * 7919 + 13 * axis) % n for axis, n in enumerate(shape)) for k in range(PROBED)
    ]
    return [float(array[index]) for index in indices]


def load_ownarray() -> None:
    """Make a first array: what the library then loads for good is no part of a state."""
    import numpy as np

    import ownarray as oa

    oa.asarray(np.zeros(1 << 15, np.float32))


def ownarray_move(start: Start, function: Function, *, n_steps: int = 10) -> Variant:
    """Return the variant that moves its state into a compiled function."""

    def build(quick: bool) -> Case:
        import ownarray as oa

        @oa.jit
        def step(x: oa.Owned[oa.Array]) -> Any:
            return function(oa, x)

        def advance(state: list[oa.Array]) -> list[oa.Array]:
            state[0] = step(oa.move(state[0]))
            return state

        first = start(quick)
        load_ownarray()
        step.explain(oa.ShapedArray(first.shape, first.dtype))
        return Steps(
            make=lambda: [oa.asarray(start(quick))],
            step=advance,
            n_bytes=first.nbytes,
            probe=lambda state: probe(state[0]),
            n_steps=n_steps,
        )

    return Variant(needs="ownarray", build=build)


def ownarray_copy(start: Start, function: Function, *, n_steps: int = 10) -> Variant:
    """Return the variant that lends its state: the result is new memory."""

    def build(quick: bool) -> Case:
        import ownarray as oa

        @oa.jit
        def step(x: oa.Array) -> Any:
            return function(oa, x)

        first = start(quick)
        load_ownarray()
        step.explain(oa.ShapedArray(first.shape, first.dtype))
        return Steps(
            make=lambda: oa.asarray(start(quick)),
            step=step,
            n_bytes=first.nbytes,
            probe=probe,
            n_steps=n_steps,
        )

    return Variant(needs="ownarray", build=build)


def numpy(start: Start, step: Callable[[Any], Any], *, n_steps: int = 10) -> Variant:
    """Return a NumPy variant; whether it works in place is the step's own matter."""

    def build(quick: bool) -> Case:
        return Steps(
            make=lambda: start(quick),
            step=step,
            n_bytes=start(quick).nbytes,
            probe=probe,
            n_steps=n_steps,
        )

    return Variant(needs="numpy", build=build)


def jax(start: Start, function: Function, *, donate: bool, n_steps: int = 10) -> Variant:
    """Return a JAX variant, with and without donation of the state."""

    def build(quick: bool) -> Case:
        import jax
        import jax.numpy as jnp

        step = jax.jit(lambda x: function(jnp, x), donate_argnums=(0,) if donate else ())
        jax.block_until_ready(step(jnp.array(start(quick))))  # compile; the state is freed at once
        return Steps(
            make=lambda: jnp.array(start(quick)),
            step=step,
            n_bytes=start(quick).nbytes,
            probe=probe,
            wait=jax.block_until_ready,
            n_steps=n_steps,
        )

    return Variant(needs="jax", build=build)


def torch(start: Start, step: Callable[[Any, Any], Any], *, n_steps: int = 10) -> Variant:
    """Return a torch variant: `step` is called with the module and the tensor."""

    def build(quick: bool) -> Case:
        import torch as module

        return Steps(
            make=lambda: module.from_numpy(start(quick)),
            step=lambda x: step(module, x),
            n_bytes=start(quick).nbytes,
            probe=probe,
            n_steps=n_steps,
        )

    return Variant(needs="torch", build=build)


def six(
    start: Start,
    function: Function,
    *,
    lent: Function | None = None,
    numpy_in_place: Callable[[Any], Any],
    numpy_copy: Callable[[Any], Any],
    jax_function: Function | None = None,
) -> dict[str, Variant]:
    """Return the variants that most topics have: three libraries, each in place and copying.

    Parameters
    ----------
    start, function
        The first state, and ownarray's step.
    lent, jax_function : optional
        The steps of a lent state and of JAX, where their text differs.
    numpy_in_place, numpy_copy
        NumPy's steps.
    """
    in_jax = jax_function or function
    return {
        "ownarray move": ownarray_move(start, function),
        "ownarray copy": ownarray_copy(start, lent or function),
        "NumPy in place": numpy(start, numpy_in_place),
        "NumPy copying": numpy(start, numpy_copy),
        "jax donated": jax(start, in_jax, donate=True),
        "jax copying": jax(start, in_jax, donate=False),
    }
