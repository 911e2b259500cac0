"""One object twice in a container, and what only looks like it."""

import contextlib
import copy
from dataclasses import dataclass
import numpy as np
import ownarray as oa


@oa.jit
def eat(x: oa.Array) -> oa.Array:
    return x * 1.0


def new() -> oa.Array:
    return oa.ones(2)


def use(x: oa.Array) -> float:
    return float(x[0])


def use_all(xs: list[oa.Array]) -> float:
    return sum(use(x) for x in xs)


def same(x: oa.Array) -> oa.Array:
    return x


def size() -> int:
    return 2


@dataclass
class P:
    x: oa.Array
    y: oa.Array


def fails_twin_1() -> None:
    ys = [new(), new()]
    xs = [z for z in ys]
    xs = xs + ys[:1]
    oa.move(xs)  # E: shared-array


def fails_twin_2() -> None:
    a = new()
    *ys, c = [a, new()]
    xs = [*ys, a]
    oa.move(xs)  # E: shared-array


def fails_twin_3() -> None:
    ys = [new(), new()]
    xs = [new()]
    for _ in range(2):
        for z in ys[:3]:
            xs.append(z)
    oa.move(xs)  # E: shared-array


def fails_twin_4() -> None:
    ys = [new(), new()]
    xs = [same(z) for z in ys]
    for z in ys[:3]:
        xs.append(z)
    xs = [eat(oa.move(z)) for z in xs]  # E: use-after-move


def fails_twin_5() -> None:
    o = P(new(), new())
    w = np.asarray(o.x)
    b = copy.copy(o).x
    eat(oa.move(b))  # E: moved-while-borrowed


def fails_twin_6() -> None:
    o = P(new(), new())
    xs = [new()]
    match o:
        case P(p, r):
            xs.append(r)
    match o:
        case P(p, r):
            xs.append(r)
    oa.move(xs)  # E: shared-array


def fails_twin_7() -> None:
    y = new()
    x = y
    xs = [new() for _ in range(2)]
    xs.append(x)
    x = new()
    xs.append(y)
    oa.move(xs)  # E: shared-array


def fails_twin_8() -> None:
    ys = [new(), new()]
    xs = list(ys)
    xs.append(ys[0])
    oa.move(xs)  # E: shared-array


def fails_twin_9() -> None:
    ys = [new(), new()]
    xs = []
    for z in ys:
        xs.append(z)
        if size() == 2:
            break
    xs.append(ys[0])
    oa.move(xs)  # E: shared-array


def fails_twin_10() -> None:
    ys = [new(), new()]
    xs = []
    for z in ys:
        xs.append(z)
    for z in ys:
        xs.append(z)
    for z in xs:
        eat(oa.move(z))  # E: use-after-move


def fails_twin_11() -> None:
    ys = [new(), new()]
    xs = []
    try:
        for z in ys:
            xs.append(z)
            if size() == 2:
                raise ValueError
    except ValueError:
        pass
    xs.append(ys[0])
    oa.move(xs)  # E: shared-array


def fails_twin_12() -> None:
    a = new()
    ys = [a]
    xs = []
    for z in ys:
        xs.append(z)
    xs.append(a)
    oa.move(xs)  # E: shared-array


def fails_twin_13() -> None:
    a = new()
    ys = [a]
    xs = [*ys, a]
    oa.move(xs)  # E: shared-array


def fails_twin_14() -> None:
    a = new()
    ys = [a]
    xs = list(ys)
    xs.append(a)
    oa.move(xs)  # E: shared-array


def fails_twin_15() -> None:
    a = new()
    d = {"a": a}
    xs = list(d.values())
    xs.append(a)
    oa.move(xs)  # E: shared-array


def fails_twin_16() -> None:
    ys = [new(), new()]
    d = {}
    for i, z in enumerate(ys):
        d[i] = z
    d[5] = ys[0]
    oa.move(d)  # E: shared-array


def fails_twin_17() -> None:
    o = P(new(), new())
    xs = [o.x for _ in range(2)]
    oa.move(xs)  # E: shared-array


def fails_twin_18() -> None:
    o = P(new(), new())
    xs = [new() for _ in range(2)]
    xs.append(o.x)
    x = o.x
    xs.append(x)
    oa.move(xs)  # E: shared-array


def fails_twin_19() -> None:
    ys = [new(), new()]
    xs = ys[:1]
    xs += ys
    oa.move(xs)  # E: shared-array


def ok_twin_20() -> None:
    ys = [new(), new()]
    xs = []
    for z in ys:
        xs.append(z)
    oa.move(xs)


def ok_twin_21() -> None:
    ys = [new(), new()]
    for _ in range(2):
        xs = []
        for z in ys:
            xs.append(z)
    oa.move(xs)


def ok_twin_22() -> None:
    xs = []
    for _ in range(3):
        ys = [new(), new()]
        for z in ys:
            xs.append(z)
    oa.move(xs)


def ok_twin_23() -> None:
    zs = [new(), new(), new()]
    xs, ys = zs[:1], zs[1:]
    oa.move(xs + ys)


def ok_twin_24() -> None:
    ys = [new(), new()]
    xs = [eat(oa.move(y)) for y in ys]
    ys = [eat(oa.move(x)) for x in xs]
    oa.move(ys)


def ok_twin_25() -> None:
    ys = [new(), new()]
    out = []
    while ys:
        out.append(ys.pop())
    oa.move(out)


def ok_twin_26() -> None:
    ys = [new(), new()]
    for _ in range(3):
        out = []
        for y in ys:
            out.append(eat(oa.move(y)))
        ys = out
    oa.move(ys)


def ok_twin_27() -> None:
    ys = [new(), new()]
    for _ in range(3):
        ys = [y for y in ys]
    oa.move(ys)


def ok_twin_28() -> None:
    ys = [new(), new()]
    for _ in range(3):
        zs = []
        for y in ys:
            zs.append(y)
        ys = zs
    oa.move(ys)


def ok_twin_29() -> None:
    q = [new(), new()]
    for _ in range(3):
        x = q.pop(0)
        q.append(x)
    oa.move(q)


def ok_twin_30() -> None:
    q = [new(), new()]
    for _ in range(3):
        x = q.pop(0)
        x = eat(oa.move(x))
        q.append(x)
    oa.move(q)


def ok_twin_31() -> None:
    ys = [new(), new()]
    small: list[oa.Array] = []
    large: list[oa.Array] = []
    for y in ys:
        (small if use(y) < 3 else large).append(y)
    oa.move(small)


def ok_twin_32() -> None:
    ys = [new(), new()]
    small: list[oa.Array] = []
    large: list[oa.Array] = []
    for y in ys:
        if use(y) > 1:
            small.append(y)
        else:
            large.append(y)
    oa.move((small, large))


def ok_twin_33() -> None:
    ys = [new(), new()]
    small: list[oa.Array] = []
    large: list[oa.Array] = []
    for y in ys:
        if use(y) > 1:
            small.append(y)
        else:
            large.append(y)
    for y in small:
        eat(oa.move(y))
    for y in large:
        eat(oa.move(y))


def ok_twin_34() -> None:
    xs = [new(), new(), new()]
    xs = xs[1:] + xs[:1]
    oa.move(xs)


def ok_twin_35() -> None:
    xs = [new(), new(), new()]
    for i in range(2):
        xs = xs[1:] + xs[:1]
    oa.move(xs)


def ok_twin_36() -> None:
    a, b = new(), new()
    xs = [a]
    ys = [b]
    for _ in range(3):
        for y in ys:
            eat(y)
        xs, ys = ys, xs
    oa.move(xs + ys)


def ok_twin_37() -> None:
    layers = [P(new(), new()) for _ in range(2)]
    flat = []
    for p in layers:
        flat.append(p.x)
        flat.append(p.y)
    oa.move(flat)


def ok_twin_38() -> None:
    layers = [P(new(), new()) for _ in range(2)]
    flat = [w for p in layers for w in (p.x, p.y)]
    oa.move(flat)


def ok_twin_39() -> None:
    d = {"a": new(), "b": new()}
    flat = []
    for k in sorted(d):
        flat.append(d[k])
    oa.move(flat)


def ok_twin_40() -> None:
    d = {"a": new(), "b": new()}
    flat = [d[k] for k in sorted(d)]
    oa.move(flat)


def ok_twin_41() -> None:
    rows = [[new()], [new()]]
    flat = []
    for row in rows:
        flat.extend(row)
    oa.move(flat)


def ok_twin_42() -> None:
    rows = [[new()], [new()]]
    flat = sum(rows, [])
    oa.move(flat)


def fails_twin_43() -> None:
    b = new()
    d = {"k": new(), "j": new()}
    w = np.asarray(b)
    d.update({"j": b})
    for key, z in d.items():
        d[key] = eat(oa.move(z))  # E: moved-while-borrowed


def fails_twin_44() -> None:
    xs = [new()]
    eat(oa.move(xs[-1]))
    xs.reverse()
    eat(oa.move(xs[-1]))  # E: use-after-move


def ok_twin_45() -> None:
    xs = [new(), new()]
    eat(oa.move(xs[0]))
    xs[0] = new()
    xs.reverse()
    eat(oa.move(xs[-1]))


def ok_twin_46() -> None:
    a = new()
    xs = [a, new()]
    for i, z in enumerate(xs):
        xs[i] = eat(oa.move(z))
    use_all(xs)


def ok_twin_47() -> None:
    xs = [new(), new()]
    ys = list(xs)
    for i, z in enumerate(ys):
        xs[i] = eat(oa.move(z))
    use_all(xs)


def fails_twin_48() -> None:
    xs = [new(), new()]
    ys = list(xs)
    for i, z in enumerate(ys):
        xs[i] = eat(oa.move(z))
    use_all(ys)  # E: use-after-move


def ok_twin_49() -> None:
    xs = [new(), new()]
    for i in range(len(xs)):
        xs[i] = eat(oa.move(xs[i]))
    use_all(xs)


def ok_twin_50() -> None:
    xs = [new(), new()]
    ys = [new(), new()]
    for i in range(len(xs)):
        ys[i] = xs[i]
    eat(oa.move(xs[0]))
    use(ys[1])


def fails_twin_51() -> None:
    xs = [new(), new()]
    ys = [new(), new()]
    for i in range(len(xs)):
        ys[i] = xs[i]
    eat(oa.move(xs[0]))
    use(ys[0])  # E: use-after-move


def fails_twin_52() -> None:
    a = new()
    d = {"k": new(), "j": new()}
    xs = [a] * 2
    for _ in range(1):
        xs[0], d["k"] = d["k"], xs[0]
    for i, z in enumerate(xs):
        xs[i] = eat(oa.move(z))  # E?: use-after-move
    oa.move(d)  # E: use-after-move


def fails_twin_53() -> None:
    a = new()
    d = {"k": new(), "j": new()}
    xs = [a] * 2
    xs[0], d["k"] = d["k"], xs[0]
    for i, z in enumerate(xs):
        xs[i] = eat(oa.move(z))  # E?: use-after-move
    oa.move(d)  # E: use-after-move


def fails_twin_54() -> None:
    a = new()
    xs = [a] * 2
    d = {"k": xs[0]}
    xs[0] = new()
    eat(oa.move(xs[1]))
    use(d["k"])  # E: use-after-move


def fails_twin_55() -> None:
    a = new()
    xs = [a] * 2
    for i, z in enumerate(xs):
        xs[i] = eat(oa.move(z))  # E: use-after-move


def fails_twin_56() -> None:
    a = new()
    xs = [a, new()]
    b = xs[0]
    for i, z in enumerate(xs):
        xs[i] = eat(oa.move(z))
    use(xs[1])
    use(b)  # E: use-after-move


def fails_twin_57() -> None:
    xs = [new() for _ in range(2)] * 2
    d = {"k": xs[0]}
    xs[0] = new()
    for i, z in enumerate(xs):
        xs[i] = eat(oa.move(z))  # E: use-after-move
    use(d["k"])  # E?: use-after-move
