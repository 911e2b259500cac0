"""Correct programs as people write them; nothing is reported (but for one line)."""

import ownarray as oa
import numpy as np
from collections.abc import Callable, Iterator
from contextlib import ExitStack

@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0

def a1(xs: list[oa.Array]) -> oa.Array:
    total = oa.zeros(2)
    for x in xs:
        total = oa.add(oa.move(total), x)
    return total

def ok_one_2() -> None:
    cache: dict[int, oa.Array] = {}
    for i in range(3):
        if i not in cache:
            cache[i] = oa.ones(2)
        cache[i] = eat(oa.move(cache[i]))
    oa.sum(cache[0])

def ok_one_3() -> None:
    best, state = oa.zeros(2), oa.ones(2)
    for _ in range(3):
        new = eat(state)
        if float(oa.sum(new)) > float(oa.sum(best)):
            best = oa.copy(new)
        state = new
    oa.add(best, state)

def a4(step: Callable[[oa.Moved[oa.Array]], oa.Array]) -> oa.Array:
    x = oa.ones(2)
    for _ in range(4):
        x = step(oa.move(x))
    return x

def a5(make: Callable[[], oa.Array]) -> None:
    with ExitStack() as stack:
        stack.callback(print)
        x = make()
        x = eat(oa.move(x))
    oa.sum(x)

def a6(n: int) -> Iterator[oa.Array]:
    x = oa.ones(2)
    try:
        while n:
            x = eat(oa.move(x))
            yield oa.copy(x)
            n -= 1
    finally:
        print("done")

def ok_one_7() -> oa.Array:
    x = oa.ones(2)
    for attempt in range(3):
        try:
            y = oa.copy(x)
            return eat(oa.move(y))
        except RuntimeError:
            print(attempt)
    return x

def a8(flag: bool) -> oa.Array:
    x = oa.ones(2)
    out: oa.Array | None = None
    if flag:
        out = eat(oa.move(x))
    if out is None:
        out = oa.zeros(2)
    return out

def ok_one_9() -> None:
    grads = [oa.ones(2) for _ in range(3)]
    params = [oa.zeros(2) for _ in range(3)]
    params = [oa.subtract(oa.move(p), g) for p, g in zip(params, grads, strict=True)]
    oa.sum(grads[0]), oa.sum(params[0])

def a10(p: dict[str, oa.Array]) -> dict[str, oa.Array]:
    return {k: oa.multiply(v, 2.0) for k, v in p.items()}

def ok_one_11() -> None:
    p = {"w": oa.ones(2)}
    q = a10(p)
    oa.move(p)
    oa.sum(q["w"])

def ok_one_12() -> None:
    xs = [oa.ones(2), oa.zeros(2)]
    a, b = xs
    c = oa.add(oa.move(a), oa.move(b))
    del xs
    oa.sum(c)

def ok_one_13() -> None:
    x = oa.ones(2)
    arr = np.array(x)
    x = eat(oa.move(x))
    arr += 1
    print(arr)

def a14(history: list[oa.Array]) -> None:
    x = oa.ones(2)
    history.append(oa.copy(x))
    eat(oa.move(x))

def ok_one_15() -> None:
    stack = [oa.ones(2)]
    while stack:
        x = stack.pop()
        if x.shape[0] > 5:
            stack.append(eat(oa.move(x)))
        else:
            oa.sum(x)

def a16(x: oa.Array) -> oa.Array:
    for _ in range(3):
        y = oa.copy(x)
        x = eat(oa.move(y))
    return x

def a17(x: oa.Array, n: int) -> oa.Array:
    if n == 0:
        return x
    y = eat(x)
    return a17(eat(oa.move(y)), n - 1)

def ok_two_1() -> None:
    xs, ys = [oa.ones(2)], [oa.zeros(2)]
    for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
        xs[i] = oa.add(oa.move(x), y)
    oa.sum(ys[0])
def fails_two_2() -> None:
    xs, ys = [oa.ones(2)], [oa.zeros(2)]
    new = {i: oa.add(oa.move(x), y) for i, (x, y) in enumerate(zip(xs, ys, strict=True))}
    oa.move(ys)
    oa.sum(new[0])
    oa.move(xs)  # E: use-after-move
def ok_two_3() -> None:
    p = {"w": oa.ones(2)}
    g = {"w": oa.zeros(2)}
    p = {k: oa.subtract(oa.move(v), g[k]) for k, v in p.items()}
    oa.move(p)
    oa.move(g)
def ok_two_4() -> None:
    p = {"w": oa.ones(2)}
    m = {"w": oa.zeros(2)}
    for (k, v), (k2, u) in zip(p.items(), m.items(), strict=True):
        p[k] = oa.add(oa.move(v), u)
        m[k2] = eat(oa.move(u))
    oa.move(p)
    oa.move(m)
def ok_two_5() -> None:
    pairs = [(oa.ones(2), oa.zeros(2)) for _ in range(2)]
    for a, b in pairs:
        oa.add(oa.move(a), b)
        eat(oa.move(b))
def ok_two_6() -> None:
    xs = [oa.ones(2), oa.zeros(2)]
    xs[:] = [eat(oa.move(x)) for x in xs]
    oa.move(xs)
def ok_two_7() -> None:
    xs = [oa.ones(2), oa.zeros(2)]
    xs[0], xs[1] = xs[1], xs[0]
    xs[0] = eat(oa.move(xs[0]))
    oa.move(xs)
def ok_two_8() -> None:
    layers = [{"w": oa.ones(2), "b": oa.zeros(2)} for _ in range(2)]
    for layer in layers:
        layer["w"] = eat(oa.move(layer["w"]))
        for k in layer:
            layer[k] = eat(oa.move(layer[k]))
    oa.move(layers)
def ok_two_9() -> None:
    layers = [{"w": oa.ones(2)} for _ in range(2)]
    for i, layer in enumerate(layers):
        layers[i] = {k: eat(oa.move(v)) for k, v in layer.items()}
    oa.move(layers)
