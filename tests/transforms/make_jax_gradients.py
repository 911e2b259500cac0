"""Store the gradients that JAX gives for the table of derivatives; run by hand, with JAX there."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.transforms.derivative_cases import CASES, weighted_sum


def main() -> None:
    """Write ``jax_gradients.npz`` beside this file."""
    # Here, since the tests are collected where JAX is not installed.
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    found: dict[str, np.ndarray] = {}
    for case in CASES:
        if case.order < 1 or not case.is_in_jax:
            continue
        places = tuple(range(len(case.args)))
        gradients = jax.grad(weighted_sum(jnp, case), places)(*[jnp.asarray(x) for x in case.args])
        found.update({f"{case.name}/{i}": np.asarray(g) for i, g in enumerate(gradients)})
    np.savez_compressed(Path(__file__).parent / "jax_gradients.npz", allow_pickle=False, **found)


if __name__ == "__main__":
    main()
