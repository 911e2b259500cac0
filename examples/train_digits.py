"""Train a network on handwritten digits with one copy of parameters and optimizer state in memory.

scikit-learn's 1,797 digits, a perceptron with two hidden layers, Adam. The state (parameters and
both moments) is moved into each step, which writes the new state over the old one. The same is
done with copy semantics beside it.

Run it with ``python -m examples.train_digits``.
"""

import argparse
import itertools
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

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

N_FEATURES, N_CLASSES = 64, 10
WIDTH, QUICK_WIDTH = 3072, 32
N_TRAIN, BATCH = 1500, 100
N_EPOCHS, QUICK_EPOCHS = 5, 12
RATE, BETA1, BETA2, TINY = 1e-3, 0.9, 0.999, 1e-8

Params = dict[str, oa.Array]


@dataclass
class Training:
    """The state of training: it is one tree, and moves as one."""

    params: Params
    mean: Params
    square: Params
    n_steps: oa.Array


@dataclass(frozen=True)
class Digits:
    """The data, split; labels are rows of ten."""

    images: NDArray[np.float32]
    labels: NDArray[np.float32]
    test_images: NDArray[np.float32]
    test_digits: NDArray[np.int64]


def load() -> Digits:
    """Return the digits in random order, scaled to [0, 1]."""
    source = load_digits()
    order = np.random.default_rng(0).permutation(len(source.target))
    images = (source.data[order] / 16).astype(np.float32)
    digits = source.target[order]
    return Digits(
        images=images[:N_TRAIN],
        labels=np.eye(N_CLASSES, dtype=np.float32)[digits[:N_TRAIN]],
        test_images=images[N_TRAIN:],
        test_digits=digits[N_TRAIN:],
    )


def shapes(width: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter."""
    sizes = (N_FEATURES, width, width, N_CLASSES)
    found: dict[str, tuple[int, ...]] = {}
    for k, (n_in, n_out) in enumerate(itertools.pairwise(sizes), 1):
        found[f"w{k}"] = (n_in, n_out)
        found[f"b{k}"] = (n_out,)
    return found


def start(width: int) -> Training:
    """Return random weights and a fresh optimizer."""
    rng = np.random.default_rng(1)
    params: Params = {}
    for name, shape in shapes(width).items():
        scale = (2 / shape[0]) ** 0.5 if name.startswith("w") else 0.0
        params[name] = oa.asarray(np.float32(scale) * rng.standard_normal(shape, dtype=np.float32))
    zeros = {name: oa.zeros_like(p) for name, p in params.items()}
    more_zeros = {name: oa.zeros_like(p) for name, p in params.items()}
    return Training(params, zeros, more_zeros, oa.zeros((), dtype="float32"))


def spec(width: int) -> Training:
    """Return what `start` makes, without values: enough to compile for."""
    params = {name: oa.ShapedArray(shape, "float32") for name, shape in shapes(width).items()}
    return Training(params, params, params, oa.ShapedArray((), "float32"))  # type: ignore[arg-type]


def logits(params: Params, x: oa.Array) -> oa.Array:
    """Return what the network says of each digit."""
    first = oa.maximum(x @ params["w1"] + params["b1"], 0.0)
    second = oa.maximum(first @ params["w2"] + params["b2"], 0.0)
    return second @ params["w3"] + params["b3"]


def cross_entropy(params: Params, x: oa.Array, labels: oa.Array) -> oa.Array:
    """Return how surprised the network is by the labels, on average."""
    said = logits(params, x)
    said = said - oa.max(said, axis=1, keepdims=True)
    normal = oa.log(oa.sum(oa.exp(said), axis=1))
    return oa.mean(normal - oa.sum(labels * said, axis=1))


def advance(state: Training, x: oa.Array, labels: oa.Array) -> tuple[Training, oa.Array]:
    """Do one step of Adam."""
    loss, grads = oa.value_and_grad(cross_entropy)(state.params, x, labels)
    n_steps = state.n_steps + 1.0
    rate = RATE * oa.sqrt(1.0 - BETA2**n_steps) / (1.0 - BETA1**n_steps)
    params, mean, square = {}, {}, {}
    for name, g in grads.items():
        mean[name] = BETA1 * state.mean[name] + (1.0 - BETA1) * g
        square[name] = BETA2 * state.square[name] + (1.0 - BETA2) * g * g
        params[name] = state.params[name] - rate * mean[name] / (oa.sqrt(square[name]) + TINY)
    return Training(params, mean, square, n_steps), loss


@oa.jit
def train_step(
    state: oa.Owned[Training], x: oa.Array, labels: oa.Array
) -> tuple[Training, oa.Array]:
    """Do one step; the new state lies in the old one's memory."""
    return advance(state, x, labels)


@oa.jit
def train_step_copy(state: Training, x: oa.Array, labels: oa.Array) -> tuple[Training, oa.Array]:
    """Do one step; the caller's state stays, so the new one needs memory of its own."""
    return advance(state, x, labels)


@oa.jit
def predict(params: Params, x: oa.Array) -> oa.Array:
    """Return the likeliest digit of each image."""
    return oa.argmax(logits(params, x), axis=1)


def train(
    mode: str, begun: oa.Moved[Training], digits: Digits, n_epochs: int, seconds: list[float]
) -> Training:
    """Go through the data some times."""
    state = begun.take()
    rng = np.random.default_rng(2)
    n_batches = N_TRAIN // BATCH
    progress = Progress(n_epochs * n_batches, f"training, {mode} semantics")
    for _ in range(n_epochs):
        for rows in np.split(rng.permutation(N_TRAIN), n_batches):
            x, labels = digits.images[rows], digits.labels[rows]
            begin = time.perf_counter()
            if mode == "move":
                state, loss = train_step(oa.move(state), x, labels)
            else:
                state, loss = train_step_copy(state, x, labels)
            seconds.append(time.perf_counter() - begin)
            progress.advance(f"loss {float(loss):.3f}")
    return state


def work(mode: str, width: int, result: Path) -> Outcome:
    """Train in this process and measure; the predictions go to a file."""
    digits = load()
    n_epochs = N_EPOCHS if width == WIDTH else QUICK_EPOCHS
    x, labels = digits.images[:BATCH], digits.labels[:BATCH]
    (train_step if mode == "move" else train_step_copy).explain(spec(width), x, labels)
    seconds: list[float] = []
    finished: list[Training] = []

    def run(states: list[Training]) -> None:
        finished.append(train(mode, oa.move(states.pop()), digits, n_epochs, seconds))

    n_bytes, method = measure_memory(lambda: [start(width)], run)
    found = np.asarray(predict(finished[0].params, digits.test_images))
    np.save(result, found)
    state_bytes = 3 * sum(4 * int(np.prod(shape)) for shape in shapes(width).values()) + 4
    return Outcome(
        seconds_per_step=float(np.median(seconds)),
        state_bytes=state_bytes,
        peak_over_state=n_bytes / state_bytes,
        quality=float(np.mean(found == digits.test_digits)),
        memory_method=method,
    )


def draw(digits: Digits, found: NDArray[np.int64], path: Path) -> None:
    """Show test images with what the network reads; mistakes in red, first."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    mpl.use("agg")
    wrong = np.flatnonzero(found != digits.test_digits)
    right = np.flatnonzero(found == digits.test_digits)
    chosen = np.concatenate([wrong, right])[:40]
    figure, axes = plt.subplots(4, 10, figsize=(11, 5.2), layout="constrained")
    for axis, k in zip(axes.flat, chosen, strict=True):
        axis.imshow(digits.test_images[k].reshape(8, 8), cmap="gray_r")
        is_right = found[k] == digits.test_digits[k]
        title = f"{found[k]}" if is_right else f"{found[k]}, is {digits.test_digits[k]}"
        axis.set_title(title, color="black" if is_right else "red")
        axis.set_axis_off()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def forget() -> None:
    """Use the old parameters after a step has overwritten them."""
    digits = load()
    state = start(QUICK_WIDTH)
    new, _ = train_step(oa.move(state), digits.images[:BATCH], digits.labels[:BATCH])
    print(oa.max(oa.abs(new.params["w1"] - state.params["w1"])))  # type: ignore[use-after-move]


def main() -> None:
    """Train both ways and show the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small network")
    parser.add_argument("--worker", choices=("move", "copy"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    width = QUICK_WIDTH if options.quick else WIDTH
    OUT.mkdir(exist_ok=True)
    if options.worker:
        report(work(options.worker, width, OUT / f"digits_{options.worker}.npy"))
        return
    found = run_both("examples.train_digits", *(["--quick"] if options.quick else []))
    results = [np.load(OUT / f"digits_{mode}.npy") for mode in found]
    if not np.array_equal(*results):
        raise AssertionError("moved and copied results differ")
    print_table(found, "test accuracy")
    picture = OUT / "train_digits.png"
    draw(load(), results[0], picture)
    print(f"What the network reads: {picture.resolve()}\n")
    show_use_after_move(forget)
    show_checker()


if __name__ == "__main__":
    main()
