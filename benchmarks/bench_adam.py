"""One step of Adam: parameters and two moments, each of 256 MB, gradient computed on the fly."""

from typing import Any

from benchmarks.case import Case, Steps, Topic, Variant
from benchmarks.single import load_ownarray

B1, B2, EPS, RATE = 0.9, 0.999, 1e-8, 1e-3
PROBED = 4
N_STEPS = 5


def _size(quick: bool) -> int:
    return 1 << 18 if quick else 1 << 26


def _adam(state: Any, sqrt: Any) -> Any:
    """Return the next state; one text for every array library, which share no type."""
    p, m, v = state
    g = p - 0.5
    m = B1 * m + (1 - B1) * g
    v = B2 * v + (1 - B2) * (g * g)
    return p - RATE * m / (sqrt(v) + EPS), m, v


def _initial(quick: bool) -> list[Any]:
    import numpy as np

    n = _size(quick)
    ramp = np.linspace(0.0, 1.0, n, dtype=np.float32)
    return [ramp, np.full(n, 0.0, np.float32), np.full(n, 0.0, np.float32)]


def _probe(state: Any) -> list[float]:
    p = state[0]
    stride = p.shape[0] // PROBED
    return [float(p[k * stride]) for k in range(PROBED)]


def _n_bytes(quick: bool) -> int:
    return 3 * 4 * _size(quick)


def _ownarray_move(quick: bool) -> Case:
    import ownarray as oa

    State = tuple[oa.Array, oa.Array, oa.Array]

    @oa.jit
    def step(state: oa.Owned[State]) -> State:
        p, m, v = _adam(state, oa.sqrt)
        return p, m, v

    spec = oa.ShapedArray((_size(quick),), "float32")
    load_ownarray()
    step.explain((spec, spec, spec))

    def make() -> list[State]:
        p, m, v = (oa.asarray(part) for part in _initial(quick))
        return [(p, m, v)]

    def advance(states: list[State]) -> list[State]:
        states[0] = step(oa.move(states[0]))
        return states

    return Steps(
        make=make,
        step=advance,
        n_bytes=_n_bytes(quick),
        n_steps=N_STEPS,
        probe=lambda states: _probe(states[0]),
    )


def _ownarray_copy(quick: bool) -> Case:
    import ownarray as oa

    State = tuple[oa.Array, oa.Array, oa.Array]

    @oa.jit
    def step(state: State) -> State:
        p, m, v = _adam(state, oa.sqrt)
        return p, m, v

    spec = oa.ShapedArray((_size(quick),), "float32")
    load_ownarray()
    step.explain((spec, spec, spec))

    def make() -> State:
        p, m, v = (oa.asarray(part) for part in _initial(quick))
        return p, m, v

    return Steps(make=make, step=step, n_bytes=_n_bytes(quick), n_steps=N_STEPS, probe=_probe)


def _numpy_in_place(quick: bool) -> Case:
    import numpy as np

    def step(state: Any) -> Any:
        p, m, v, g, s = state
        np.subtract(p, np.float32(0.5), out=g)
        m *= np.float32(B1)
        np.multiply(g, np.float32(1 - B1), out=s)
        m += s
        v *= np.float32(B2)
        g *= g
        g *= np.float32(1 - B2)
        v += g
        np.sqrt(v, out=s)
        s += np.float32(EPS)
        np.divide(m, s, out=s)
        s *= np.float32(RATE)
        p -= s
        return state

    def make() -> Any:
        p, m, v = _initial(quick)
        return p, m, v, np.empty_like(p), np.empty_like(p)

    return Steps(make=make, step=step, n_bytes=_n_bytes(quick), n_steps=N_STEPS, probe=_probe)


def _numpy_copy(quick: bool) -> Case:
    import numpy as np

    return Steps(
        make=lambda: tuple(_initial(quick)),
        step=lambda s: _adam(s, np.sqrt),
        n_bytes=_n_bytes(quick),
        n_steps=N_STEPS,
        probe=_probe,
    )


def _jax(quick: bool, *, donate: bool) -> Case:
    import jax
    import jax.numpy as jnp

    step = jax.jit(lambda s: _adam(s, jnp.sqrt), donate_argnums=(0,) if donate else ())

    def make() -> Any:
        return tuple(jnp.array(part) for part in _initial(quick))

    jax.block_until_ready(step(make()))  # compile; the throw-away state is freed at once
    return Steps(
        make=make,
        step=step,
        n_bytes=_n_bytes(quick),
        n_steps=N_STEPS,
        probe=_probe,
        wait=jax.block_until_ready,
    )


def _torch(quick: bool) -> Case:
    import torch

    def step(state: Any) -> Any:
        p, m, v, g = state
        torch.sub(p, 0.5, out=g)
        m.mul_(B1).add_(g, alpha=1 - B1)
        v.mul_(B2).addcmul_(g, g, value=1 - B2)
        torch.sqrt(v, out=g)
        p.addcdiv_(m, g.add_(EPS), value=-RATE)
        return state

    def make() -> Any:
        p, m, v = (torch.from_numpy(part) for part in _initial(quick))
        return p, m, v, torch.empty_like(p)

    return Steps(make=make, step=step, n_bytes=_n_bytes(quick), n_steps=N_STEPS, probe=_probe)


TOPICS = (
    Topic(
        name="adam",
        title="Adam on 256 MB of parameters (768 MB of state)",
        variants={
            "ownarray move": Variant(needs="ownarray", build=_ownarray_move),
            "ownarray copy": Variant(needs="ownarray", build=_ownarray_copy),
            "NumPy in place": Variant(needs="numpy", build=_numpy_in_place),
            "NumPy copying": Variant(needs="numpy", build=_numpy_copy),
            "jax donated": Variant(needs="jax", build=lambda quick: _jax(quick, donate=True)),
            "jax copying": Variant(needs="jax", build=lambda quick: _jax(quick, donate=False)),
            "torch in place": Variant(needs="torch", build=_torch),
        },
        note="NumPy's and torch's scratch arrays are counted as memory, not as state.",
    ),
)
