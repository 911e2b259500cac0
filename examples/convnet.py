"""Train a small convolutional network with one copy of its state, and layers computed again.

scikit-learn's handwritten digits at twice their size, three convolutions, momentum. The state moves
into each step, which writes the new state over the old one. What the layers computed is most of the
memory here: each layer is a checkpoint, so of the way forward only its input is kept. Beside it the
same with copy semantics and everything kept.

Run it with ``python -m examples.convnet``.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

import ownarray as oa
from benchmarks.progress import Progress
from examples.demonstration import OUT, Outcome, measure_memory, print_table, report, run_both

N_CLASSES, N_TRAIN = 10, 1500
RATE, MOMENTUM = 0.1, 0.9

Params = dict[str, oa.Array]


@dataclass(frozen=True)
class Size:
    """How large and how long."""

    channels: int
    batch: int
    n_epochs: int


FULL, QUICK = Size(64, 250, 4), Size(8, 50, 4)


@dataclass
class Training:
    """The state of training: it is one tree, and moves as one."""

    params: Params
    speed: Params


@dataclass(frozen=True)
class Digits:
    """Images of 16 x 16 pixels and one channel, and what they show."""

    images: NDArray[np.float32]
    digits: NDArray[np.int64]


def load() -> tuple[Digits, Digits]:
    """Return the digits for training and for testing, scaled to [0, 1]."""
    source = load_digits()
    order = np.random.default_rng(0).permutation(len(source.target))
    small = (source.images[order] / 16).astype(np.float32)
    images = np.repeat(np.repeat(small, 2, axis=1), 2, axis=2)[..., None]
    digits = source.target[order]
    return Digits(images[:N_TRAIN], digits[:N_TRAIN]), Digits(images[N_TRAIN:], digits[N_TRAIN:])


def start(size: Size) -> Training:
    """Return random kernels, at rest."""
    rng = np.random.default_rng(1)
    k = size.channels
    shapes = {"c1": (3, 3, 1, k), "c2": (3, 3, k, k), "c3": (3, 3, k, k), "out": (k, N_CLASSES)}
    params: Params = {}
    for name, shape in shapes.items():
        scale = np.float32((2 / np.prod(shape[:-1])) ** 0.5)
        params[name] = oa.asarray(scale * rng.standard_normal(shape, dtype=np.float32))
    return Training(params, {name: oa.zeros_like(p) for name, p in params.items()})


def convolve(x: oa.Array, kernels: oa.Array) -> oa.Array:
    """Return images convolved with kernels of 3 x 3, of the same size: nine shifted products."""
    _, height, width, _ = x.shape
    padded = oa.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    total = oa.zeros((*x.shape[:3], kernels.shape[3]), dtype=x.dtype)
    for i in range(3):
        for j in range(3):
            total += padded[:, i : i + height, j : j + width] @ kernels[i, j]
    return total


def layer(x: oa.Array, kernels: oa.Array) -> oa.Array:
    """Convolve, centre each channel of the batch, cut off below zero."""
    y = convolve(x, kernels)
    centre = oa.mean(y, axis=(0, 1, 2), keepdims=True)
    spread = oa.var(y, axis=(0, 1, 2), keepdims=True)
    return oa.maximum((y - centre) / oa.sqrt(spread + 1e-5), 0.0)


def pool(x: oa.Array) -> oa.Array:
    """Return the greatest of each 2 x 2 pixels."""
    n, height, width, channels = x.shape
    return oa.max(oa.reshape(x, (n, height // 2, 2, width // 2, 2, channels)), axis=(2, 4))


def logits(params: Params, x: oa.Array, *, again: bool) -> oa.Array:
    """Return what the network says of each digit; ``again``: layers are computed again."""
    apply = oa.checkpoint(layer) if again else layer
    x = pool(apply(x, params["c1"]))
    x = pool(apply(x, params["c2"]))
    return oa.mean(apply(x, params["c3"]), axis=(1, 2)) @ params["out"]


def cross_entropy(params: Params, x: oa.Array, digits: oa.Array, again: bool) -> oa.Array:
    """Return how surprised the network is by the digits, on average."""
    said = logits(params, x, again=again)
    said = said - oa.max(said, axis=1, keepdims=True)
    right = oa.take_along_axis(said, digits[:, None], axis=1)[:, 0]
    return oa.mean(oa.log(oa.sum(oa.exp(said), axis=1)) - right)


def advance(
    state: Training, x: oa.Array, digits: oa.Array, *, again: bool
) -> tuple[Training, oa.Array]:
    """Do one step of gradient descent with momentum."""
    loss, grads = oa.value_and_grad(cross_entropy)(state.params, x, digits, again)
    speed = {name: MOMENTUM * state.speed[name] + g for name, g in grads.items()}
    params = {name: p - RATE * speed[name] for name, p in state.params.items()}
    return Training(params, speed), loss


@oa.jit
def train_step(
    state: oa.Owned[Training], x: oa.Array, digits: oa.Array
) -> tuple[Training, oa.Array]:
    """Do one step; the new state lies in the old one's memory."""
    return advance(state, x, digits, again=True)


@oa.jit
def train_step_copy(state: Training, x: oa.Array, digits: oa.Array) -> tuple[Training, oa.Array]:
    """Do one step; the state is copied, and all that the layers computed is kept."""
    return advance(state, x, digits, again=False)


@oa.jit
def predict(params: Params, x: oa.Array) -> oa.Array:
    """Return the likeliest digit of each image."""
    return oa.argmax(logits(params, x, again=False), axis=1)


def train(
    mode: str, begun: oa.Moved[Training], data: Digits, size: Size, seconds: list[float]
) -> Training:
    """Go through the data some times."""
    state = begun.take()
    rng = np.random.default_rng(2)
    n_batches = N_TRAIN // size.batch
    progress = Progress(size.n_epochs * n_batches, f"training, {mode} semantics")
    for _ in range(size.n_epochs):
        for rows in np.split(rng.permutation(N_TRAIN), n_batches):
            x, digits = data.images[rows], data.digits[rows]
            begin = time.perf_counter()
            if mode == "move":
                state, loss = train_step(oa.move(state), x, digits)
            else:
                state, loss = train_step_copy(state, x, digits)
            seconds.append(time.perf_counter() - begin)
            progress.advance(f"loss {float(loss):.3f}")
    return state


def work(mode: str, size: Size, result: Path) -> Outcome:
    """Train in this process and measure; the predictions go to a file."""
    data, test = load()
    x, digits = data.images[: size.batch], data.digits[: size.batch]
    (train_step if mode == "move" else train_step_copy).explain(start(size), x, digits)
    seconds: list[float] = []
    finished: list[Training] = []

    def run(states: list[Training]) -> None:
        finished.append(train(mode, oa.move(states.pop()), data, size, seconds))

    n_bytes, method = measure_memory(lambda: [start(size)], run)
    found = np.asarray(predict(finished[0].params, test.images))
    np.save(result, found)
    state = finished[0]
    state_bytes = sum(p.nbytes for p in [*state.params.values(), *state.speed.values()])
    return Outcome(
        seconds_per_step=float(np.median(seconds)),
        state_bytes=state_bytes,
        peak_over_state=n_bytes / state_bytes,
        quality=float(np.mean(found == test.digits)),
        memory_method=method,
    )


def main() -> None:
    """Train both ways and show the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small network")
    parser.add_argument("--worker", choices=("move", "copy"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    if options.worker:
        size = QUICK if options.quick else FULL
        report(work(options.worker, size, OUT / f"convnet_{options.worker}.npy"))
        return
    found = run_both("examples.convnet", *(["--quick"] if options.quick else []))
    print_table(found, "test accuracy")


if __name__ == "__main__":
    main()
