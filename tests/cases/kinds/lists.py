"""Idioms with lists that are clean, and their wrong twins."""

import copy
from dataclasses import dataclass
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


def ok_list_1() -> None:
    b = new()
    xs = [new()]
    xs += [b]
    eat(oa.move(b))
    use(xs[0])


def fails_list_2() -> None:
    b = new()
    xs = [new()]
    xs += [b]
    eat(oa.move(b))
    use(xs[1])  # E: use-after-move


def ok_list_3() -> None:
    b = new()
    xs = [new()]
    xs.extend([b, new()])
    eat(oa.move(b))
    use(xs[0])
    use(xs[2])


def ok_list_4() -> None:
    b = new()
    xs = [new()]
    xs = xs + [b]
    eat(oa.move(b))
    use(xs[0])


def ok_list_5() -> None:
    xs = [new() for _ in range(2)]
    xs[0], xs[-1] = xs[-1], xs[0]
    oa.move(xs)


def ok_list_6() -> None:
    xs = [new() for _ in range(2)]
    xs[0], xs[-1] = xs[-1], xs[0]
    eat(oa.move(xs[0]))
    xs[0] = new()
    use_all(xs)


def ok_list_7() -> None:
    xs = [new(), new()]
    xs[0], xs[-1] = xs[-1], xs[0]
    eat(oa.move(xs[0]))
    use(xs[1])


def ok_list_8() -> None:
    xs = [new(), new()]
    for z in xs:
        eat(oa.move(z))
    xs.clear()
    xs.append(new())
    use_all(xs)


def ok_list_9() -> None:
    xs = [new(), new()]
    while xs:
        eat(oa.move(xs.pop()))
    xs.append(new())
    use_all(xs)


def ok_list_10() -> None:
    xs = [new(), new()]
    while len(xs) > 0:
        eat(oa.move(xs.pop()))
    use_all(xs)


def ok_list_11() -> None:
    xs = [new(), new()]
    while xs:
        x = xs.pop()
        eat(oa.move(x))
    assert not xs
    xs.append(new())
    use_all(xs)


def ok_list_12() -> None:
    total: dict[str, oa.Array] = {}
    for _ in range(2):
        d = {"a": new(), "b": new()}
        for k, g in d.items():
            total[k] = add(oa.move(total[k]), oa.move(g)) if k in total else g
    use_all(list(total.values()))


def ok_list_13() -> None:
    total: dict[str, oa.Array] = {}
    for _ in range(2):
        d = {"a": new(), "b": new()}
        for k, g in d.items():
            if k in total:
                total[k] = add(oa.move(total[k]), oa.move(g))
            else:
                total[k] = g
    use_all(list(total.values()))


def ok_list_14() -> None:
    xs = [new(), new(), new()]
    a, *_, b = xs
    eat(oa.move(a))
    use(b)


def ok_list_15() -> None:
    xs = [new(), new(), new()]
    a, *mid, b = xs
    eat(oa.move(a))
    use(b)
    use_all(mid)


def ok_list_16() -> None:
    xs = [new() for _ in range(3)]
    a, *mid, b = xs
    eat(oa.move(a))
    use(b)
    use_all(mid)


def ok_list_17() -> None:
    xs = [new() for _ in range(3)]
    a, *_ = xs
    eat(oa.move(a))
    use(xs[1])


def ok_list_18() -> None:
    xs = [new(), new()]
    while xs:
        eat(oa.move(xs.pop(0)))
    xs.append(new())
    use(xs[0])


def ok_list_19() -> None:
    xs = [new(), new()]
    i = 0
    while i < len(xs):
        xs[i] = eat(oa.move(xs[i]))
        i += 1
    use_all(xs)


def ok_list_20() -> None:
    xs = [new(), new()]
    xs[:] = [eat(oa.move(x)) for x in xs]
    use_all(xs)


def ok_list_21() -> None:
    xs = [new(), new()]
    for i, x in enumerate(xs):
        xs[i] = eat(oa.move(x))
    use_all(xs)


def ok_list_22() -> None:
    d = {"a": new(), "b": new()}
    for k in list(d):
        d[k] = eat(oa.move(d[k]))
    use_all(list(d.values()))


def ok_list_23() -> None:
    d = {"a": new(), "b": new()}
    for k in d:
        d[k] = eat(oa.move(d[k]))
    use_all(list(d.values()))


def ok_list_24() -> None:
    d = {"a": new(), "b": new()}
    e = {k: eat(oa.move(v)) for k, v in d.items()}
    use_all(list(e.values()))


def ok_list_25() -> None:
    d = {"a": new(), "b": new()}
    while d:
        k, v = d.popitem()
        eat(oa.move(v))
    d["c"] = new()
    use_all(list(d.values()))


def ok_list_26() -> None:
    xs = [new(), new()]
    acc = xs.pop()
    while xs:
        acc = add(oa.move(acc), oa.move(xs.pop()))
    use(acc)


def ok_list_27() -> None:
    xs = [new(), new()]
    acc = xs[0]
    for x in xs[1:]:
        acc = add(oa.move(acc), oa.move(x))
    use(acc)


def ok_list_28() -> None:
    xs = [new(), new()]
    acc, *rest = xs
    for x in rest:
        acc = add(oa.move(acc), oa.move(x))
    use(acc)


def ok_list_29() -> None:
    xs = [new(), new(), new()]
    first, rest = xs[0], xs[1:]
    eat(oa.move(first))
    use_all(rest)


def ok_list_30() -> None:
    a, b = new(), new()
    for _ in range(3):
        a, b = b, eat(oa.move(a))
    use(a)
    use(b)


def ok_list_31() -> None:
    hist = [new()]
    for _ in range(3):
        hist.append(eat(hist[-1]))
        if len(hist) > 2:
            eat(oa.move(hist.pop(0)))
    use_all(hist)


def ok_list_32() -> None:
    xs = [new(), new()]
    ys = []
    for x in xs:
        ys.append(eat(oa.move(x)))
    xs = ys
    use_all(xs)


def ok_list_33() -> None:
    free = [new(), new()]
    busy = []
    for _ in range(4):
        buf = free.pop() if free else new()
        buf = eat(oa.move(buf))
        busy.append(buf)
        if len(busy) > 1:
            free.append(busy.pop(0))
    use_all(busy)


def ok_list_34() -> None:
    xs = [new(), new()]
    del xs[0]
    eat(oa.move(xs[0]))
    xs.pop()
    xs.append(new())
    use(xs[0])


def ok_list_35() -> None:
    xs = [new(), new()]
    for x in reversed(xs):
        eat(oa.move(x))
    xs = []
    use_all(xs)


def ok_list_36() -> None:
    xs = [new(), new()]
    for x in xs:
        eat(oa.move(x))
    del xs[:]
    use_all(xs)


def ok_list_37() -> None:
    xs = [new(), new(), new()]
    x, y, *_ = xs
    xs = [add(oa.move(x), oa.move(y))]
    use_all(xs)


def ok_list_38() -> None:
    xs = [new(), new(), new()]
    i, j = 0, 2
    xs[i], xs[j] = xs[j], xs[i]
    oa.move(xs)


def ok_list_39() -> None:
    xs = [new(), new(), new()]
    for i in range(len(xs) - 1):
        for j in range(len(xs) - 1 - i):
            if use(xs[j]) > use(xs[j + 1]):
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    oa.move(xs)
