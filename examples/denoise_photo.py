"""Denoise a photo of 8 megapixels in one copy of its memory.

A photo that scikit-learn ships is enlarged, noise is added, and total-variation flow takes it out
again: each step moves a pixel towards its four neighbours, the less the larger the difference, so
edges stay. The photo is the state: it is moved into `denoise`, which works on it with
`oa.fixed_point`. The same is done with copy semantics beside it.

Run it with ``python -m examples.denoise_photo``.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from sklearn.datasets import load_sample_image

import ownarray as oa
from benchmarks.progress import Progress
from examples.demonstration import (
    OUT,
    Outcome,
    measure_memory,
    print_table,
    report,
    run_both,
    show_checker,
    show_use_after_move,
)

SIZE = (3264, 2448)
QUICK_SIZE = (326, 244)
NOISE = 0.12
EPSILON = 0.02  # differences well below it are smoothed, well above it kept
RATE = 0.2 * EPSILON
STEPS_PER_CALL = 3
N_CALLS = 10

Photo = NDArray[np.float32]


def smooth(photo: oa.Array) -> oa.Array:
    """Do one step of total-variation flow on a photo [colour, row, column], in place."""
    centre = photo[:, 1:-1, 1:-1]
    pull = flow(photo[:, :-2, 1:-1] - centre)
    pull += flow(photo[:, 2:, 1:-1] - centre)
    pull += flow(photo[:, 1:-1, :-2] - centre)
    pull += flow(photo[:, 1:-1, 2:] - centre)
    photo[:, 1:-1, 1:-1] = centre + RATE * pull
    return photo


def flow(difference: oa.Array) -> oa.Array:
    """Return the derivative of the smoothed absolute value."""
    return difference / oa.sqrt(difference * difference + EPSILON**2)


@oa.jit
def denoise(photo: oa.Owned[oa.Array]) -> oa.Array:
    """Do some steps in the photo's own memory."""
    return oa.fixed_point(smooth, STEPS_PER_CALL, oa.move(photo))


@oa.jit
def denoise_copy(photo: oa.Array) -> oa.Array:
    """Do some steps; the caller's photo stays, so the result needs memory of its own."""
    return oa.fixed_point(smooth, STEPS_PER_CALL, photo)


def load_photo(size: tuple[int, int]) -> Photo:
    """Return the photo as [colour, row, column] with values in [0, 1]."""
    picture = Image.fromarray(load_sample_image("china.jpg")).resize(size, Image.Resampling.LANCZOS)
    return np.ascontiguousarray(np.moveaxis(np.asarray(picture, np.float32) / 255, -1, 0))


def add_noise(photo: Photo) -> Photo:
    """Return the photo with Gaussian noise."""
    return photo + np.float32(NOISE) * np.random.default_rng(0).standard_normal(
        photo.shape, dtype=np.float32
    )


def decibels(photo: Photo, clean: Photo) -> float:
    """Return the peak signal-to-noise ratio of a photo."""
    return float(-10 * np.log10(np.mean((np.clip(photo, 0, 1) - clean) ** 2)))


def work(mode: str, size: tuple[int, int], result: Path) -> Outcome:
    """Denoise in this process and measure; the result goes to a file."""
    clean = load_photo(size)
    noisy = add_noise(clean)
    spec = oa.ShapedArray(noisy.shape, noisy.dtype)
    step = denoise if mode == "move" else denoise_copy
    step.explain(spec)  # compiles, and runs nothing
    progress = Progress(N_CALLS, f"denoising, {mode} semantics")
    seconds: list[float] = []
    finished: list[oa.Array] = []

    def run(photos: list[oa.Array]) -> None:
        photo = photos.pop()
        for _ in range(N_CALLS):
            start = time.perf_counter()
            photo = denoise(oa.move(photo)) if mode == "move" else denoise_copy(photo)
            seconds.append((time.perf_counter() - start) / STEPS_PER_CALL)
            progress.advance()
        finished.append(photo)

    n_bytes, method = measure_memory(lambda: [oa.asarray(noisy)], run)
    denoised = np.asarray(finished[0])
    np.save(result, denoised)
    return Outcome(
        seconds_per_step=float(np.median(seconds)),
        state_bytes=spec.nbytes,
        peak_over_state=n_bytes / spec.nbytes,
        quality=decibels(denoised, clean),
        memory_method=method,
    )


def draw(before: Photo, after: Photo, path: Path) -> None:
    """Show both photos whole, and a part of each."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    mpl.use("agg")
    rows, columns = before.shape[1:]
    part = (slice(rows * 4 // 10, rows * 6 // 10), slice(columns * 4 // 10, columns * 6 // 10))
    figure, axes = plt.subplots(2, 2, figsize=(13, 10), layout="constrained")
    for column, (title, photo) in enumerate({"before": before, "after": after}.items()):
        picture = np.clip(np.moveaxis(photo, 0, -1), 0, 1)
        axes[0, column].imshow(picture)
        axes[0, column].set_title(title)
        axes[1, column].imshow(picture[part])
        axes[1, column].set_title(f"{title}, a part")
    for axis in axes.flat:
        axis.set_axis_off()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def forget() -> None:
    """Use a photo after its memory was given away."""
    photo = oa.asarray(add_noise(load_photo(QUICK_SIZE)))
    smoother = denoise(oa.move(photo))
    print(oa.max(oa.abs(smoother - photo)))  # type: ignore[use-after-move]


def main() -> None:
    """Run both ways and show the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small photo")
    parser.add_argument("--worker", choices=("move", "copy"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    size = QUICK_SIZE if options.quick else SIZE
    OUT.mkdir(exist_ok=True)
    if options.worker:
        report(work(options.worker, size, OUT / f"denoised_{options.worker}.npy"))
        return
    found = run_both("examples.denoise_photo", *(["--quick"] if options.quick else []))
    results = [np.load(OUT / f"denoised_{mode}.npy") for mode in found]
    if not np.array_equal(*results):
        raise AssertionError("moved and copied results differ")
    clean = load_photo(size)
    noisy = add_noise(clean)
    print_table(found, "signal/noise (dB)")
    before = decibels(noisy, clean)
    print(f"The noisy photo has {before:.1f} dB; both results are equal bit for bit.")
    picture = OUT / "denoise_photo.png"
    draw(noisy, results[0], picture)
    print(f"Before and after: {picture.resolve()}\n")
    show_use_after_move(forget)
    show_checker()


if __name__ == "__main__":
    main()
