"""Positions of items in lists that change."""

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


def use(x: oa.Array) -> float:
    return float(x[0])


def ones() -> oa.Array:
    return oa.ones(2)


def fails_position_1() -> None:
    c = ones()
    xs: list[oa.Array] = []
    xs.append(c)
    eat(oa.move(c))
    use(xs[0])  # E: use-after-move


def fails_position_2() -> None:
    c = ones()
    xs = [ones()]
    xs.append(c)
    eat(oa.move(c))
    use(xs[-1])  # E: use-after-move


def ok_position_3() -> None:
    c = ones()
    xs = [ones()]
    xs.append(c)
    eat(oa.move(c))
    use(xs[0])


def fails_position_4() -> None:
    c = ones()
    d: dict[str, oa.Array] = {}
    for k in "ab":
        d[k] = c
    eat(oa.move(c))
    use(d["a"])  # E: use-after-move


def fails_position_5() -> None:
    xs = [ones()]
    y = xs[0]
    eat(oa.move(xs[-1]))
    use(y)  # E: use-after-move


def fails_position_6() -> None:
    xs = [ones()]
    eat(oa.move(xs[0]))
    use(xs[-1])  # E: use-after-move


def ok_position_7() -> None:
    c = ones()
    xs = [c]
    xs.insert(0, ones())
    use(xs[0])
    eat(oa.move(c))
    use(xs[0])


def fails_position_8() -> None:
    c = ones()
    xs = [c]
    xs.insert(0, ones())
    eat(oa.move(c))
    use(xs[1])  # E: use-after-move


def ok_position_9() -> None:
    c = ones()
    xs = [ones(), c]
    x = xs.pop()
    eat(oa.move(x))
    use(xs[0])


def fails_position_10() -> None:
    c = ones()
    xs = [ones(), c]
    xs.reverse()
    eat(oa.move(c))
    use(xs[0])  # E: use-after-move
