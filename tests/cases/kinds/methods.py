"""Methods: owned and donated parameters, results that are self, rings of buffers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, overload

import numpy as np
import ownarray as oa
from ownarray import Array, Borrowed, Moved, Mut, Owned, jit, move


@jit
def eat(v: Array) -> Array:
    return v * 2.0


class Model:
    def __init__(self, w: Array) -> None:
        self.w = w
        self.view = None

    @jit
    def step(self, x: Owned[Array], lr: float = 0.1) -> Array:
        return x * lr

    @jit(donate_argnums=(1,))
    def push(self, x: Array) -> Array:
        return x

    @staticmethod
    @jit
    def free(x: Owned[Array]) -> Array:
        return x

    def consume(self, h: Moved[Array]) -> None:
        self.w = h.take()

    def put(self, w: Array) -> Self:
        self.w = w
        return self

    def lend(self) -> Array:
        return self.w

    def update(self: Model, g: Array) -> Model:
        self.w = eat(move(self.w)) + g
        return self


def static_1(m: Model) -> None:
    x = oa.ones(2)
    m.step(x)  # E: needs-move
    m.step(move(x))
    oa.sum(x)  # E: use-after-move


def static_2(m: Model) -> None:
    x = oa.ones(2)
    m.push(x)
    oa.sum(x)  # E: use-after-move


def static_4(m: Model) -> None:
    h = move(oa.ones(2))
    m.consume(h)
    m.consume(h)  # E: use-after-move


def static_5(m: Model) -> None:
    x = oa.ones(2)
    m.put(x)
    eat(move(x))  # E: move-borrowed
    m.lend()  # E: use-after-move


def static_6() -> None:
    m = Model(oa.ones(2))
    n = m.update(oa.ones(2)).update(oa.ones(2))
    eat(move(n.w))
    m.lend()  # E: use-after-move


def static_7() -> None:
    m = Model(oa.ones(2))
    w = m.lend()
    m.update(oa.ones(2))
    oa.sum(w)  # E: use-after-move


@overload
def pick(h: Moved[Array]) -> Array: ...
@overload
def pick(h: None) -> None: ...
def pick(h: Moved[Array] | None) -> Array | None:
    return None if h is None else h.take()


def static_8() -> None:
    h = move(oa.ones(2))
    pick(h)
    pick(h)  # E: use-after-move


def static_9(xs: list[Array]) -> list[Array]:
    out = []
    while xs:
        out.append(eat(move(xs.pop())))
    return out


def static_10(flag: bool) -> Array:
    if flag:
        x = oa.ones(2)
    else:
        x = oa.zeros(2)
    y = eat(move(x))
    x = y
    return x


def static_11() -> None:
    m: Model | None = Model(oa.ones(2))
    if m is not None:
        eat(move(m.w))
        m.w = oa.ones(2)
    assert m is not None
    m.lend()


def static_12(x: Mut[Array]) -> None:
    x += 1.0
    x[0] = 2.0


def static_13(x: Borrowed[Array]) -> Array:
    y = x + 1.0
    y += 1.0
    return eat(move(y))


class Ring:
    def __init__(self, n: int) -> None:
        self.slots = [oa.zeros(2) for _ in range(n)]
        self.at = 0

    def advance(self) -> None:
        self.slots[self.at] = eat(move(self.slots[self.at]))
        self.at = (self.at + 1) % len(self.slots)

    def swap(self) -> None:
        self.slots[0], self.slots[1] = self.slots[1], self.slots[0]

    def grow(self, x: Array) -> None:
        self.slots.append(x)
        last = self.slots.pop()
        self.slots.insert(0, last)

    def lost(self) -> Array:
        return eat(move(self.slots[self.at]))  # E: move-borrowed


def static_14() -> None:
    x = oa.ones(4)
    v = np.asarray(x)
    total = v.sum()
    del v
    x = eat(move(x))
    print(total, x)


def static_15() -> None:
    x = oa.ones(4)
    x = eat(move(x)) if float(x[0]) > 0 else oa.copy(x)
    oa.sum(x)


def static_16() -> dict[str, Array]:
    params = {"w": oa.ones(2), "b": oa.zeros(2)}
    opt = {k: oa.zeros_like(v) for k, v in params.items()}
    for _ in range(3):
        for k in list(params):
            opt[k] = eat(move(opt[k]))
            params[k] = oa.subtract(move(params[k]), opt[k])
    return params


def static_17() -> None:
    state, metrics = oa.ones(2), []
    for i in range(3):
        state = eat(move(state))
        if i % 2:
            metrics.append(float(oa.sum(state)))
    print(metrics, state)


@dataclass(frozen=True)
class Frozen:
    w: Array

    def moved(self) -> Frozen:
        return Frozen(eat(move(self.w)))  # E: move-borrowed
