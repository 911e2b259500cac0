"""Correct a stack of images in place, one borrowed reference beside it.

A stack from a camera is large and is corrected once: dark frame, flat field, clipping. `Mut` says
that the caller's stack is updated; `Borrowed` says that the calibration is only read. No second
stack is made.

Run it with ``python -m examples.image_stack``.
"""

import numpy as np

import ownarray as oa


@oa.jit
def correct(
    stack: oa.Mut[oa.Array], dark: oa.Borrowed[oa.Array], flat: oa.Borrowed[oa.Array]
) -> None:
    """Subtract the dark frame, divide by the flat field and clip, in place."""
    stack -= dark
    stack /= flat
    stack[...] = oa.clip(stack, 0.0, 1.0)


@oa.jit
def mean_image(stack: oa.Borrowed[oa.Array]) -> oa.Array:
    """Return the mean over the stack."""
    return oa.mean(stack, axis=0)


def record(n_images: int, n: int) -> tuple[oa.Array, oa.Array, oa.Array, oa.Array]:
    """Return a made-up recording: stack, dark frame, flat field, and the truth."""
    rng = np.random.default_rng(0)
    axis = np.linspace(0, 3, n, dtype=np.float32)
    truth = 0.4 + 0.3 * np.sin(axis)[:, None] * np.cos(2 * axis)
    dark = np.float32(0.05) * rng.random((n, n), dtype=np.float32)
    flat = 0.8 + np.float32(0.4) * rng.random((n, n), dtype=np.float32)
    noise = np.float32(0.05) * rng.standard_normal((n_images, n, n), dtype=np.float32)
    stack = truth * flat + dark + noise * flat
    return oa.asarray(stack), oa.asarray(dark), oa.asarray(flat), oa.asarray(truth)


def main() -> None:
    """Correct a stack, and compare its mean with the truth."""
    stack, dark, flat, truth = record(64, 256)
    before = float(oa.max(oa.abs(mean_image(stack) - truth)))
    correct(stack, dark, flat)
    after = float(oa.max(oa.abs(mean_image(stack) - truth)))
    print(f"largest error of the mean image: {before:.3f} before, {after:.3f} after correction")


if __name__ == "__main__":
    main()
