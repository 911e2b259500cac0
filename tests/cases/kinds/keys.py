"""Loops over all keys of a container."""

import ownarray as oa


@oa.jit
def eat(x: oa.Array) -> oa.Array:
    return x * 1.0


@oa.jit
def add(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


def new() -> oa.Array:
    return oa.ones(2)


def use(x: oa.Array) -> float:
    return float(x[0])


def use_all(xs: list[oa.Array]) -> float:
    return sum(use(x) for x in xs)


def fails_key_1() -> None:
    a = new()
    d = {"a": a, "b": new()}
    for k in d:
        eat(oa.move(d[k]))
    use(a)  # E: use-after-move


def fails_key_2() -> None:
    d = {"a": new(), "b": new()}
    t: dict[str, oa.Array] = {}
    for k, g in d.items():
        t[k] = g
    for k, g in d.items():
        eat(oa.move(g))
    use(t["a"])  # E: use-after-move


def fails_key_3() -> None:
    d = {"a": new(), "b": new()}
    t: dict[str, oa.Array] = {}
    for k, g in d.items():
        t[k] = g
    for k in t:
        t[k] = eat(oa.move(t[k]))
    use(d["a"])  # E: use-after-move


def ok_key_4() -> None:
    d = {"a": new(), "b": new()}
    t: dict[str, oa.Array] = {}
    for k, g in d.items():
        if k == "a":
            t[k] = g
        else:
            eat(oa.move(g))
    use(t["a"])


def fails_key_5() -> None:
    xs = [new(), new()]
    out: list[oa.Array] = []
    for i in range(len(xs)):
        out.append(xs[i])
    for i in range(len(xs)):
        eat(oa.move(xs[i]))
    use(out[0])  # E: use-after-move


def fails_key_6() -> None:
    xs = [new(), new()]
    out: list[oa.Array] = []
    i = 0
    while i < 2:
        out.append(xs[i])
        i += 1
    for j in range(len(xs)):
        eat(oa.move(xs[j]))
    use(out[0])  # E: use-after-move


def fails_key_7() -> None:
    xs = [new(), new()]
    first: oa.Array | None = None
    for i in range(len(xs)):
        if first is None:
            first = xs[i]
        eat(oa.move(xs[i]))
    assert first is not None
    use(first)  # E: use-after-move


def ok_key_8() -> None:
    xs = [new(), new()]
    ys = [new(), new()]
    for i in range(len(xs)):
        ys[i] = xs[i]
        xs[i] = new()
    for i in range(len(xs)):
        eat(oa.move(xs[i]))
    use(ys[0])


def fails_key_9() -> None:
    d = {"a": new(), "b": new()}
    total = dict(d)
    for k, g in d.items():
        eat(oa.move(g))
    use(total["b"])  # E: use-after-move


def ok_key_10() -> None:
    total: dict[str, oa.Array] = {}
    for _ in range(2):
        d = {"a": new(), "b": new()}
        for k, g in d.items():
            if k not in total:
                total[k] = oa.zeros_like(g)
            total[k] = add(oa.move(total[k]), oa.move(g))
    use_all(list(total.values()))


def ok_key_11() -> None:
    xs = [new(), new()]
    best = xs[0]
    for x in xs[1:]:
        if use(x) > use(best):
            best = x
    ys = [eat(oa.move(x)) for x in xs]
    use(ys[0])


def fails_key_12() -> None:
    xs = [new(), new()]
    best = xs[0]
    for x in xs[1:]:
        if use(x) > use(best):
            best = x
    ys = [eat(oa.move(x)) for x in xs]
    use(best)  # E: use-after-move
