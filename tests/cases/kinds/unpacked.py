"""What starred targets and patterns give."""

from dataclasses import dataclass
import ownarray as oa


@oa.jit
def eat(x: oa.Array) -> oa.Array:
    return x * 1.0


def new() -> oa.Array:
    return oa.ones(2)


def use(x: oa.Array) -> float:
    return float(x[0])


@dataclass
class P:
    x: oa.Array
    ws: list[oa.Array]


def fails_unpacked_1() -> None:
    *ys, c = [new(), new(), new()]
    zs = ys[:1]
    eat(oa.move(ys[0]))
    use(zs[0])  # E: use-after-move


def fails_unpacked_2() -> None:
    first, *mid, last = (new(), new(), new(), new())
    zs = mid[1:]
    oa.move(mid)
    use(zs[0])  # E: use-after-move


def fails_unpacked_3() -> None:
    match [new(), new(), new()]:
        case [a, *r]:
            q = r[1:]
            oa.move(r)
            use(q[0])  # E: use-after-move


def fails_unpacked_4() -> None:
    o = P(new(), [new(), new()])
    match o:
        case P(x, ws):
            q = ws[:1]
            oa.move(ws)
            use(q[0])  # E: use-after-move


def fails_unpacked_5() -> None:
    o = P(new(), [new(), new()])
    match o:
        case P(ws=[w, *r]):
            eat(oa.move(w))
            use(r[0])
            use(o.ws[0])  # E: use-after-move


def fails_unpacked_6() -> None:
    d = {"a": [new()], "b": [new()]}
    match d:
        case {"a": xs, **rest}:
            ys = xs[:1]
            oa.move(xs)
            use(rest["b"][0])
            use(ys[0])  # E: use-after-move


def fails_unpacked_7() -> None:
    for a, *r in [(new(), new(), new())]:
        s = r[:1]
        oa.move(r)  # E?: use-after-move
        use(a)
        use(s[0])  # E: use-after-move


def fails_unpacked_8() -> None:
    x = new()
    match x:
        case oa.Array() as y:
            y[0] = 3.0
            eat(oa.move(y))
    use(x)  # E: use-after-move


def fails_unpacked_9() -> None:
    x = [new(), new()]
    match x:
        case [p, _] | [p]:
            eat(oa.move(p))
    use(x[1])
    use(x[0])  # E: use-after-move
