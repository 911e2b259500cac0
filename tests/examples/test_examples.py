"""The examples do their job, at small sizes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ownarray as oa
from examples import (
    conjugate_gradient,
    convnet,
    denoise_photo,
    image_stack,
    kv_cache,
    train_digits,
    wave_equation,
)

ROOT = Path(__file__).resolve().parent.parent.parent


def test_denoising_takes_noise_out_the_same_way_moved_and_copied(tmp_path: Path) -> None:
    size = denoise_photo.QUICK_SIZE
    clean = denoise_photo.load_photo(size)
    before = denoise_photo.decibels(denoise_photo.add_noise(clean), clean)
    moved = denoise_photo.work("move", size, tmp_path / "move.npy")
    copied = denoise_photo.work("copy", size, tmp_path / "copy.npy")
    assert moved.quality > before + 2
    assert moved.quality == copied.quality
    assert np.array_equal(np.load(tmp_path / "move.npy"), np.load(tmp_path / "copy.npy"))


@pytest.mark.parametrize("forget", [denoise_photo.forget, train_digits.forget])
def test_forgetting_is_noticed(forget: object) -> None:
    assert callable(forget)
    with pytest.raises(oa.UseAfterMoveError):
        forget()


def test_digits_are_learned_the_same_way_moved_and_copied(tmp_path: Path) -> None:
    width = train_digits.QUICK_WIDTH
    moved = train_digits.work("move", width, tmp_path / "move.npy")
    copied = train_digits.work("copy", width, tmp_path / "copy.npy")
    assert moved.quality > 0.85
    assert moved.quality == copied.quality


def test_images_are_told_apart_with_layers_kept_or_computed_again(tmp_path: Path) -> None:
    moved = convnet.work("move", convnet.QUICK, tmp_path / "move.npy")
    copied = convnet.work("copy", convnet.QUICK, tmp_path / "copy.npy")
    assert moved.quality > 0.85
    assert moved.quality == pytest.approx(copied.quality, abs=0.05)


def test_a_convolution_is_what_its_name_says() -> None:
    rng = np.random.default_rng(0)
    images, kernels = rng.standard_normal((2, 5, 6, 3)), rng.standard_normal((3, 3, 3, 4))
    found = np.asarray(convnet.convolve(oa.asarray(images), oa.asarray(kernels)))
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))
    for i, j in ((0, 0), (2, 3), (4, 5)):
        window = padded[:, i : i + 3, j : j + 3]
        np.testing.assert_allclose(found[:, i, j], np.einsum("nhwc,hwcd->nd", window, kernels))


def test_the_cache_is_written_in_place() -> None:
    cache, token = kv_cache.generate(5)
    written = np.asarray(oa.any(cache != 0.0, axis=(0, 2, 3)))
    assert written[:5].all()
    assert not written[5:].any()
    assert np.isfinite(np.asarray(token)).all()


def test_waves_keep_their_energy() -> None:
    water = wave_equation.drop(61)
    before = wave_equation.energy(water)
    water = wave_equation.simulate(oa.move(water), n_steps=40)
    assert wave_equation.energy(water) == pytest.approx(before, rel=1e-3)


def test_conjugate_gradients_solve() -> None:
    right = np.random.default_rng(0).standard_normal((20, 20))
    solved = conjugate_gradient.solve(oa.move(oa.asarray(right)), 1e-10)
    again = conjugate_gradient.laplacian(solved.solution)
    assert np.asarray(again) == pytest.approx(right, abs=1e-7)
    assert int(solved.n_steps) < 400


def test_a_stack_is_corrected_in_place() -> None:
    stack, dark, flat, truth = image_stack.record(32, 16)
    image_stack.correct(stack, dark, flat)
    assert np.asarray(image_stack.mean_image(stack)) == pytest.approx(np.asarray(truth), abs=0.05)


MODULES = ("kv_cache", "wave_equation", "conjugate_gradient", "image_stack")


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_example_runs_as_a_program(module: str) -> None:
    assert _run(module).strip()


@pytest.mark.slow
@pytest.mark.parametrize("module", ["denoise_photo", "train_digits"])
def test_demonstration_runs_as_a_program(module: str) -> None:
    shown = _run(module, "--quick")
    assert "move semantics" in shown
    assert "UseAfterMoveError: " in shown
    assert "[use-after-move]" in shown  # mypy's words
    assert (ROOT / "out" / f"{module}.png").exists()


def _run(module: str, *options: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-m", f"examples.{module}", *options],
        cwd=ROOT,
        env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
