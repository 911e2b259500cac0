"""Trees that hold one array twice."""

import dataclasses
from dataclasses import dataclass

import ownarray as oa


@oa.jit
def eat(x: oa.Array) -> oa.Array:
    return x * 1.0


@oa.jit
def pair(t: tuple[oa.Array, oa.Array]) -> oa.Array:
    return t[0] + t[1]


def new() -> oa.Array:
    return oa.ones(2)


@dataclass
class P:
    w: oa.Array
    b: oa.Array


def fails_shared_1() -> None:
    a = new()
    oa.move([a, a])  # E: shared-array


def fails_shared_2() -> None:
    a = new()
    params = {"e": a, "d": a}
    h = oa.move(params)  # E: shared-array


def fails_shared_3() -> None:
    a = new()
    p = P(a, a)
    oa.move(p)  # E: shared-array


def fails_shared_4() -> None:
    a = new()
    b = a
    pair(oa.move((a, b)))  # E: shared-array


def fails_shared_5() -> None:
    a = new()
    xs = []
    for _ in range(2):
        xs.append(a)
    oa.move(xs)  # E: shared-array


def ok_shared_6() -> None:
    a = new()
    pair(oa.move((a, oa.copy(a))))


def ok_shared_7() -> None:
    a, b = new(), new()
    pair(oa.move((a, b)))


def ok_shared_8() -> None:
    xs = [new(), new()]
    xs[0], xs[1] = xs[1], xs[0]
    oa.move(xs)


def ok_shared_9() -> None:
    p = P(new(), new())
    p.w, p.b = p.b, p.w
    oa.move(p)


def ok_shared_10() -> None:
    p = P(new(), new())
    q = dataclasses.replace(p, w=new())
    oa.move(q)


def fails_shared_12() -> None:
    p = P(new(), new())
    p.w = p.b
    oa.move(p)  # E: shared-array


def ok_shared_13() -> None:
    xs = [new(), new()]
    ys = []
    for x in xs:
        ys.append(x)
    oa.move(ys)


def ok_shared_14() -> None:
    d = {"a": new()}
    d["b"] = d.pop("a")
    oa.move(d)


def ok_shared_15() -> None:
    xs = [new(), new(), new()]
    xs = xs[1:] + xs[:1]
    oa.move(xs)


def ok_shared_16() -> None:
    xs = [new(), new(), new()]
    xs.append(xs.pop(0))
    oa.move(xs)


def ok_shared_18() -> None:
    params = [{"w": new(), "b": new()} for _ in range(3)]
    opt = [{k: oa.zeros_like(v) for k, v in p.items()} for p in params]
    oa.move((params, opt))


def ok_shared_19() -> None:
    a = new()
    oa.move(oa.dealias([a, a]))


def fails_shared_20() -> None:
    a = new()
    d = {"x": {"w": a}, "y": {"w": a}}
    oa.move(d)  # E: shared-array
