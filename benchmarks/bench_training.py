"""Training: a step of Adam on a perceptron of four wide layers; how long a program takes to make.

The text of both models is one for both libraries, which share no type.
"""

import math
import time
from collections.abc import Callable
from typing import Any

from benchmarks.case import Case, Once, Steps, Topic, Variant

N_LAYERS = 4
BATCH = 256
B1, B2, EPS, RATE = 0.9, 0.999, 1e-8, 1e-3


# ------------------------------------------------------------------ a training step


def _width(quick: bool) -> int:
    return 256 if quick else 4096


def _n_bytes(quick: bool) -> int:
    return 3 * 4 * N_LAYERS * _width(quick) ** 2


def _perceptron(n: Any, p: Any, x: Any, y: Any) -> Any:
    for w in p[:-1]:
        x = n.tanh(x @ w)
    r = x @ p[-1] - y
    return n.mean(r * r)


def _adam(n: Any, value_and_grad: Callable[..., Any], state: Any, x: Any, y: Any) -> Any:
    p, m, v, loss = state
    loss, g = value_and_grad(lambda p: _perceptron(n, p, x, y))(p)
    m = [B1 * a + (1 - B1) * b for a, b in zip(m, g, strict=True)]
    v = [B2 * a + (1 - B2) * b * b for a, b in zip(v, g, strict=True)]
    p = [w - RATE * a / (n.sqrt(b) + EPS) for w, a, b in zip(p, m, v, strict=True)]
    return p, m, v, loss


def _initial(quick: bool) -> Any:
    import numpy as np

    k = _width(quick)
    rng = np.random.default_rng(0)
    start = [rng.standard_normal((k, k), np.float32) / np.float32(k**0.5) for _ in range(N_LAYERS)]
    moments = [[np.zeros((k, k), np.float32) for _ in range(N_LAYERS)] for _ in range(2)]
    return start, *moments, np.float32(0)


def _data(quick: bool) -> Any:
    import numpy as np

    rng = np.random.default_rng(1)
    k = _width(quick)
    return [rng.standard_normal((BATCH, k), np.float32) for _ in range(2)]


def _ownarray_step(quick: bool) -> Case:
    import ownarray as oa

    @oa.jit
    def step(state: oa.Owned[Any], x: oa.Array, y: oa.Array) -> Any:
        return _adam(oa, oa.value_and_grad, state, x, y)

    k = _width(quick)
    x, y = (oa.asarray(part) for part in _data(quick))
    w, loss = oa.ShapedArray((k, k), "float32"), oa.ShapedArray((), "float32")
    step.explain(([w] * N_LAYERS, [w] * N_LAYERS, [w] * N_LAYERS, loss), x, y)

    def make() -> Any:
        p, m, v, start = _initial(quick)
        return (*[[oa.asarray(a) for a in part] for part in (p, m, v)], oa.asarray(start))

    return Steps(
        make=make,
        step=lambda state: step(oa.move(state), x, y),  # type: ignore[move-borrowed]  # it is lent to nobody
        n_bytes=_n_bytes(quick),
        probe=lambda state: [float(state[3])],
    )


def _jax_step(quick: bool) -> Case:
    import jax
    import jax.numpy as jnp

    x, y = (jnp.array(part) for part in _data(quick))
    step = jax.jit(lambda state: _adam(jnp, jax.value_and_grad, state, x, y), donate_argnums=0)

    def make() -> Any:
        p, m, v, start = _initial(quick)
        return (*[[jnp.array(a) for a in part] for part in (p, m, v)], jnp.array(start))

    jax.block_until_ready(step(make()))  # compile; the throw-away state is freed at once
    return Steps(
        make=make,
        step=step,
        n_bytes=_n_bytes(quick),
        probe=lambda state: [float(state[3])],
        wait=jax.block_until_ready,
    )


# ------------------------------------------------------------------ making a program

WIDTH, HEADS, LENGTH, EXAMPLES, WORDS = 64, 4, 16, 2, 100


def _norm(n: Any, x: Any, gain: Any, shift: Any) -> Any:
    away = x - n.mean(x, axis=-1, keepdims=True)
    spread = n.mean(away * away, axis=-1, keepdims=True)
    return away / n.sqrt(spread + 1e-5) * gain + shift


def _attention(n: Any, p: Any, x: Any) -> Any:
    def heads(y: Any) -> Any:
        shape = (EXAMPLES, LENGTH, HEADS, WIDTH // HEADS)
        return n.permute_dims(n.reshape(y, shape), (0, 2, 1, 3))

    q, k, v = heads(x @ p["q"]), heads(x @ p["k"]), heads(x @ p["v"])
    scores = n.matmul(q, n.permute_dims(k, (0, 1, 3, 2))) / math.sqrt(WIDTH / HEADS)
    weights = n.exp(scores - n.max(scores, axis=-1, keepdims=True))
    weights = weights / n.sum(weights, axis=-1, keepdims=True)
    mixed = n.permute_dims(n.matmul(weights, v), (0, 2, 1, 3))
    return n.reshape(mixed, (EXAMPLES, LENGTH, WIDTH)) @ p["o"]


def _transformer(n: Any, p: Any, words: Any, following: Any) -> Any:
    x = n.take(p["embedding"], words, axis=0)
    for layer in p["layers"]:
        x = x + _attention(n, layer, _norm(n, x, layer["g1"], layer["h1"]))
        y = _norm(n, x, layer["g2"], layer["h2"]) @ layer["w1"] + layer["b1"]
        y = 0.5 * y * (1.0 + n.tanh(0.7978845608 * (y + 0.044715 * y * y * y)))
        x = x + y @ layer["w2"] + layer["b2"]
    scores = x @ p["out"]
    scores = scores - n.max(scores, axis=-1, keepdims=True)
    total = n.log(n.sum(n.exp(scores), axis=-1))
    return n.mean(total - n.take_along_axis(scores, following[..., None], axis=-1)[..., 0])


def _model(n: Any, quick: bool) -> Any:
    import numpy as np

    rng = np.random.default_rng(0)

    def draw(*shape: int) -> Any:
        return n.asarray(0.1 * rng.standard_normal(shape, np.float32))

    d, h = WIDTH, 4 * WIDTH
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(("q", "k", "v", "o"), (d, d))
    shapes |= {"w1": (d, h), "b1": (h,), "w2": (h, d), "b2": (d,)}
    shapes |= dict.fromkeys(("g1", "h1", "g2", "h2"), (d,))
    layers = [{k: draw(*shape) for k, shape in shapes.items()} for _ in range(2 if quick else 12)]
    return {"embedding": draw(WORDS, d), "layers": layers, "out": draw(d, WORDS)}


def _mapped(function: Callable[..., Any], *trees: Any) -> Any:
    first = trees[0]
    if isinstance(first, dict):
        return {k: _mapped(function, *[tree[k] for tree in trees]) for k in first}
    if isinstance(first, list):
        return [_mapped(function, *parts) for parts in zip(*trees, strict=True)]
    return function(*trees)


def _transformer_step(n: Any, value_and_grad: Callable[..., Any]) -> Callable[..., Any]:
    def step(state: Any, words: Any, following: Any) -> Any:
        p, m, v = state
        loss, g = value_and_grad(lambda p: _transformer(n, p, words, following))(p)
        m = _mapped(lambda a, b: B1 * a + (1 - B1) * b, m, g)
        v = _mapped(lambda a, b: B2 * a + (1 - B2) * b * b, v, g)
        p = _mapped(lambda w, a, b: w - RATE * a / (n.sqrt(b) + EPS), p, m, v)
        return (p, m, v), loss

    return step


def _arguments(n: Any, quick: bool) -> Any:
    import numpy as np

    rng = np.random.default_rng(1)
    words, following = (
        n.asarray(rng.integers(0, WORDS, (EXAMPLES, LENGTH)).astype(np.int32)) for _ in range(2)
    )
    return tuple([_model(n, quick) for _ in range(3)]), words, following


def _best(make: Callable[[], float]) -> Case:
    make()  # imports, and what is cached for a process

    def call() -> float:
        return min([make() for _ in range(5)])

    return Once(call=call)


def _ownarray_program(quick: bool) -> Case:
    import ownarray as oa
    from ownarray._lower.text import lower
    from ownarray._transforms.plan import derive_aliases
    from ownarray._transforms.signature import read_call

    arguments = _arguments(oa, quick)

    def make() -> float:
        step: Any = oa.jit(_transformer_step(oa, oa.value_and_grad), donate_argnums=0)
        start = time.perf_counter()
        call = read_call(step._signature, arguments, {}, abstract=True)
        staged = step._stage(call)  # tracing alone, without XLA
        lower(staged.program, derive_aliases(call, staged).donor_of)
        return time.perf_counter() - start

    return _best(make)


def _jax_program(quick: bool) -> Case:
    import jax
    import jax.numpy as jnp

    arguments = _arguments(jnp, quick)

    def make() -> float:
        jax.clear_caches()
        step = jax.jit(_transformer_step(jnp, jax.value_and_grad), donate_argnums=0)
        start = time.perf_counter()
        step.trace(*arguments).lower()
        return time.perf_counter() - start

    return _best(make)


TOPICS = (
    Topic(
        name="training",
        title="Adam step of a perceptron, 4 layers of 4096, batch 256 (805 MB of state)",
        variants={
            "ownarray move": Variant(needs="ownarray", build=_ownarray_step),
            "jax donated": Variant(needs="jax", build=_jax_step),
        },
    ),
    Topic(
        name="tracing",
        title="Tracing and lowering the training step of a transformer of 12 layers",
        variants={
            "ownarray": Variant(needs="ownarray", build=_ownarray_program),
            "jax": Variant(needs="jax", build=_jax_program),
        },
        note="The best of five in each process; what the compiler then takes is the same XLA's.",
    ),
)
