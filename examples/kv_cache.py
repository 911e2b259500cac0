"""Generate with a key-value cache that is written in place, a token a step.

The cache is the state of a decoder and often its largest array. Here it is moved through each
step, so a step costs what it reads and writes, not a copy of the cache.

Run it with ``python -m examples.kv_cache``.
"""

import numpy as np

import ownarray as oa

N_PLACES, N_HEADS, WIDTH = 512, 4, 64


@oa.jit
def decode(
    cache: oa.Owned[oa.Array], token: oa.Array, weights: oa.Borrowed[oa.Array], place: int
) -> tuple[oa.Array, oa.Array]:
    """Write a token's keys and values at a place and attend over all places up to it.

    cache is [2, place, head, feature], weights [3, width, width], token [width].
    """
    query, key, value = ((token @ weights[k]).reshape(N_HEADS, -1) for k in range(3))
    cache[0, place] = key
    cache[1, place] = value
    scores = oa.sum(cache[0] * query, axis=-1) * query.shape[-1] ** -0.5
    scores = oa.where(oa.arange(cache.shape[1])[:, None] <= place, scores, -oa.inf)
    chances = oa.exp(scores - oa.max(scores, axis=0, keepdims=True))
    chances = chances / oa.sum(chances, axis=0, keepdims=True)
    mixed = oa.sum(chances[:, :, None] * cache[1], axis=0)
    return cache, mixed.reshape(WIDTH)


def generate(n_tokens: int) -> tuple[oa.Array, oa.Array]:
    """Feed each output back in as the next token; return the cache and the last output."""
    rng = np.random.default_rng(0)
    weights = oa.asarray(rng.standard_normal((3, WIDTH, WIDTH), dtype=np.float32) * 0.2)
    token = oa.asarray(rng.standard_normal(WIDTH, dtype=np.float32))
    cache = oa.zeros((2, N_PLACES, N_HEADS, WIDTH // N_HEADS), dtype=oa.float32)
    for place in range(n_tokens):
        cache, token = decode(oa.move(cache), token, weights, place)
    return cache, token


def main() -> None:
    """Generate, and show how the cache filled."""
    cache, token = generate(32)
    written = int(oa.sum(oa.any(cache[0] != 0.0, axis=(1, 2))))
    print(f"{written} of {N_PLACES} places are written; the last output starts {token[:4]}")


if __name__ == "__main__":
    main()
