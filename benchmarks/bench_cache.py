"""A key-value cache [8 layers, keys and values, 8192 places, 1024 features]: write, decode."""

from dataclasses import dataclass
from typing import Any

from benchmarks import single
from benchmarks.case import Case, Steps, Topic, Variant

LAYERS, PLACES, WIDTH, HEADS = 8, 8192, 1024, 16
FIRST_PLACE = 4000


def _shape(quick: bool) -> tuple[int, int, int, int]:
    return (LAYERS, 2, 64, WIDTH) if quick else (LAYERS, 2, PLACES, WIDTH)


def _first_place(quick: bool) -> int:
    return 20 if quick else FIRST_PLACE


def _start(quick: bool) -> Any:
    import numpy as np

    shape = _shape(quick)
    row = np.sin(np.arange(WIDTH, dtype=np.float32))
    places = np.cos(np.arange(shape[2], dtype=np.float32))
    return np.ascontiguousarray(np.broadcast_to(places[:, None] * row, shape))


def _token() -> Any:
    import numpy as np

    return np.linspace(-1.0, 1.0, LAYERS * 2 * WIDTH, dtype=np.float32).reshape(LAYERS, 2, WIDTH)


# ------------------------------------------------------------------------------------------ writing
def _ownarray_write(*, move: bool) -> Variant:
    def build(quick: bool) -> Case:
        import ownarray as oa

        @oa.jit
        def owned(cache: oa.Owned[oa.Array], token: oa.Array, place: int) -> oa.Array:
            cache[:, :, place] = token
            return cache

        @oa.jit
        def lent(cache: oa.Array, token: oa.Array, place: int) -> oa.Array:
            cache = oa.copy(cache)
            cache[:, :, place] = token
            return cache

        single.load_ownarray()
        token = oa.asarray(_token())
        spec = oa.ShapedArray(_shape(quick), "float32")
        (owned if move else lent).explain(spec, token, 0)

        @dataclass
        class Decoder:
            cache: oa.Array
            place: int

        def step(state: Decoder) -> Decoder:
            if move:
                state.cache = owned(oa.move(state.cache), token, state.place)
            else:
                state.cache = lent(state.cache, token, state.place)
            state.place += 1
            return state

        return Steps(
            make=lambda: Decoder(oa.asarray(_start(quick)), _first_place(quick)),
            step=step,
            n_bytes=spec.nbytes,
            probe=lambda state: single.probe(state.cache),
        )

    return Variant(needs="ownarray", build=build)


def _numpy_write(*, copy: bool) -> Variant:
    def step(state: Any) -> Any:
        cache, place, token = state
        if copy:
            cache = cache.copy()
        cache[:, :, place] = token
        return cache, place + 1, token

    def build(quick: bool) -> Case:
        return Steps(
            make=lambda: (_start(quick), _first_place(quick), _token()),
            step=step,
            n_bytes=_start(quick).nbytes,
            probe=lambda state: single.probe(state[0]),
        )

    return Variant(needs="numpy", build=build)


def _jax_write(*, donate: bool) -> Variant:
    def build(quick: bool) -> Case:
        import jax
        import jax.numpy as jnp

        write = jax.jit(
            lambda cache, token, place: cache.at[:, :, place].set(token),
            donate_argnums=(0,) if donate else (),
        )
        token = jnp.array(_token())

        def step(state: Any) -> Any:
            cache, place = state
            return write(cache, token, place), place + 1

        def make() -> Any:
            return jnp.array(_start(quick)), _first_place(quick)

        jax.block_until_ready(step(make()))
        return Steps(
            make=make,
            step=step,
            n_bytes=_start(quick).nbytes,
            probe=lambda state: single.probe(state[0]),
            wait=jax.block_until_ready,
        )

    return Variant(needs="jax", build=build)


# ----------------------------------------------------------------------------------------- decoding
def _attend(xp: Any, cache: Any, token: Any, place: Any) -> Any:
    """Attention of one token over the places written so far, all layers side by side."""
    n = cache.shape[2]
    keys = cache[:, 0].reshape(LAYERS, n, HEADS, WIDTH // HEADS)
    values = cache[:, 1].reshape(LAYERS, n, HEADS, WIDTH // HEADS)
    query = token[:, 0].reshape(LAYERS, HEADS, WIDTH // HEADS)
    scores = xp.einsum("lhd,lnhd->lhn", query, keys) * ((WIDTH // HEADS) ** -0.5)
    scores = xp.where(xp.arange(n) <= place, scores, -1e30)
    weights = xp.exp(scores - xp.max(scores, axis=-1, keepdims=True))
    weights = weights / xp.sum(weights, axis=-1, keepdims=True)
    return xp.einsum("lhn,lnhd->lhd", weights, values).reshape(LAYERS, WIDTH)


def _ownarray_decode(quick: bool) -> Case:
    import ownarray as oa

    @oa.jit
    def decode(cache: oa.Owned[oa.Array], token: oa.Array, place: int) -> tuple[oa.Array, oa.Array]:
        cache[:, :, place] = token
        return cache, _attend(oa, cache, token, place)

    single.load_ownarray()
    token = oa.asarray(_token())
    spec = oa.ShapedArray(_shape(quick), "float32")
    decode.explain(spec, token, 0)

    @dataclass
    class Decoder:
        cache: oa.Array
        place: int
        out: oa.Array

    def step(state: Decoder) -> Decoder:
        state.cache, state.out = decode(oa.move(state.cache), token, state.place)
        state.place += 1
        return state

    return Steps(
        make=lambda: Decoder(oa.asarray(_start(quick)), _first_place(quick), token),
        step=step,
        n_bytes=spec.nbytes,
        probe=lambda state: single.probe(state.out),
    )


def _numpy_decode(quick: bool) -> Case:
    import numpy as np

    token = _token()

    def step(state: Any) -> Any:
        cache, place, _ = state
        cache[:, :, place] = token
        return cache, place + 1, _attend(np, cache, token, place)

    return Steps(
        make=lambda: (_start(quick), _first_place(quick), token),
        step=step,
        n_bytes=_start(quick).nbytes,
        probe=lambda state: single.probe(state[2]),
    )


def _jax_decode(quick: bool) -> Case:
    import jax
    import jax.numpy as jnp

    def decode(cache: Any, token: Any, place: Any) -> Any:
        cache = cache.at[:, :, place].set(token)
        return cache, _attend(jnp, cache, token, place)

    jitted = jax.jit(decode, donate_argnums=(0,))
    token = jnp.array(_token())

    def step(state: Any) -> Any:
        cache, place, _ = state
        cache, out = jitted(cache, token, place)
        return cache, place + 1, out

    def make() -> Any:
        return jnp.array(_start(quick)), _first_place(quick), token

    jax.block_until_ready(step(make()))
    return Steps(
        make=make,
        step=step,
        n_bytes=_start(quick).nbytes,
        probe=lambda state: single.probe(state[2]),
        wait=jax.block_until_ready,
    )


def _torch_decode(quick: bool) -> Case:
    import torch

    token = torch.from_numpy(_token())

    def attend(cache: Any, place: int) -> Any:
        n = place + 1
        keys = cache[:, 0, :n].unflatten(-1, (HEADS, WIDTH // HEADS)).transpose(1, 2)
        values = cache[:, 1, :n].unflatten(-1, (HEADS, WIDTH // HEADS)).transpose(1, 2)
        query = token[:, 0].unflatten(-1, (HEADS, WIDTH // HEADS)).unsqueeze(2)
        out = torch.nn.functional.scaled_dot_product_attention(query, keys, values)
        return out.reshape(LAYERS, WIDTH)

    def step(state: Any) -> Any:
        cache, place, _ = state
        cache[:, :, place] = token
        return cache, place + 1, attend(cache, place)

    return Steps(
        make=lambda: (torch.from_numpy(_start(quick)), _first_place(quick), token),
        step=step,
        n_bytes=_start(quick).nbytes,
        probe=lambda state: single.probe(state[2]),
    )


TOPICS = (
    Topic(
        name="cache_write",
        title="Writing one token into a key-value cache [8, 2, 8192, 1024] (512 MB)",
        variants={
            "ownarray move": _ownarray_write(move=True),
            "ownarray copy": _ownarray_write(move=False),
            "NumPy in place": _numpy_write(copy=False),
            "NumPy copying": _numpy_write(copy=True),
            "jax donated": _jax_write(donate=True),
            "jax copying": _jax_write(donate=False),
        },
    ),
    Topic(
        name="cache_decode",
        title="Writing a token and attending over the cache, 16 heads, about 4000 places in use",
        variants={
            "ownarray move": Variant(needs="ownarray", build=_ownarray_decode),
            "NumPy in place": Variant(needs="numpy", build=_numpy_decode),
            "jax donated": Variant(needs="jax", build=_jax_decode),
            "torch in place": Variant(needs="torch", build=_torch_decode),
        },
        note="torch reads only the places in use, by slicing; the others mask.",
    ),
)
