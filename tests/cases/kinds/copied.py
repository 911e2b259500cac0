"""Shallow copies of what is given away."""

import copy
import dataclasses
from dataclasses import dataclass
import ownarray as oa


def new() -> oa.Array:
    return oa.ones(2)


def use(x: oa.Array) -> float:
    return float(x[0])


@dataclass
class P:
    x: oa.Array
    y: oa.Array


def fails_copied_1() -> None:
    o = P(new(), new())
    q = copy.copy(o)
    oa.move(o)
    use(q.x)  # E: use-after-move


def fails_copied_2() -> None:
    o = P(new(), new())
    q = copy.copy(o)
    q.x = new()
    oa.move(o)
    use(q.x)
    use(q.y)  # E: use-after-move


def fails_copied_3() -> None:
    o = P(new(), new())
    q = copy.copy(o)
    oa.move(o)
    q.x = new()
    use(q.x)
    use(q.y)  # E: use-after-move


def ok_copied_4() -> None:
    o = P(new(), new())
    q = copy.copy(o)
    oa.move(o)
    q.x = new()
    q.y = new()
    use(q.x)


def fails_copied_5() -> None:
    d = {"a": new(), "b": new()}
    e = {**d, "b": new()}
    oa.move(d)
    use(e["b"])
    use(e["a"])  # E: use-after-move


def fails_copied_6() -> None:
    d = {"a": new(), "b": new()}
    e = dict(d)
    oa.move(d)
    use(e["a"])  # E: use-after-move


def fails_copied_7() -> None:
    xs = [new(), new()]
    ys = list(xs)
    oa.move(xs)
    use(ys[0])  # E: use-after-move


def ok_copied_8() -> None:
    xs = [new(), new()]
    ys = xs[:]
    oa.move(xs)
    ys[0] = new()
    use(ys[0])


def fails_copied_9() -> None:
    o = P(new(), new())
    q = copy.copy(o)
    eat = oa.exp(oa.move(o.x))
    use(q.y)
    use(q.x)  # E: use-after-move


def fails_copied_10() -> None:
    xs = [new(), new()]
    ys = list(xs)
    del ys[0]
    oa.exp(oa.move(xs[1]))
    use(ys[0])  # E: use-after-move


def ok_copied_11() -> None:
    xs = [new(), new()]
    ys = list(xs)
    ys.append(new())
    oa.exp(oa.move(xs[1]))
    use(ys[0])
    use(ys[2])


def ok_copied_12() -> None:
    xs = [new(), new()]
    ys = list(xs)
    oa.move(xs)
    ys.clear()
    ys.append(new())
    use(ys[0])


def fails_copied_13() -> None:
    xs = [new(), new()]
    ys = list(xs)
    oa.move(xs)
    ys[0] = new()
    del ys[0]
    use(ys[0])  # E: use-after-move


def ok_copied_14() -> None:
    xs = [new(), new()]
    ys = list(xs)
    xs = oa.move(xs).take()
    ys = list(xs)
    use(ys[0])


def ok_copied_15() -> None:
    o = P(new(), new())
    q = copy.copy(o)
    o = oa.move(o).take()
    q = copy.copy(o)
    use(q.x)


def ok_copied_16() -> None:
    o = P(new(), new())
    q = copy.deepcopy(o)
    oa.move(o)
    use(q.x)


def fails_copied_17() -> None:
    best = {"a": new()}
    cur = dict(best)
    for _ in range(3):
        cur = oa.move(cur).take()
    use(best["a"])  # E: use-after-move


@dataclass
class N:
    x: oa.Array
    y: oa.Array

    def renew(self) -> None:
        self.x = oa.exp(oa.move(self.x))


def fails_copied_18() -> None:
    o = N(new(), new())
    q = copy.copy(o)
    q.renew()
    use(o.y)
    use(o.x)  # E: use-after-move


def fails_copied_19() -> None:
    o = N(new(), new())
    q = copy.copy(o)
    q.renew()
    match o:  # E?: use-after-move
        case N(p, r):
            use(p)  # E: use-after-move


def ok_copied_20() -> None:
    o = N(new(), new())
    q = o
    q.renew()
    use(o.x)


def fails_copied_what_is_dead_1() -> None:
    o = P(new(), new())
    oa.move(o)
    o = dataclasses.replace(o, x=new())  # E?: use-after-move
    use(o.x)
    oa.move(o)  # E: use-after-move


def fails_copied_what_is_dead_2() -> None:
    o = P(new(), new())
    oa.move(o)
    q = copy.copy(o)  # E?: use-after-move
    q.x = new()
    use(q.x)
    use(q.y)  # E: use-after-move


def ok_copied_what_was_dead() -> None:
    o = P(new(), new())
    oa.move(o)
    o = P(new(), new())
    oa.move(copy.copy(o))
