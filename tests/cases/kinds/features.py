"""One situation of each feature of the language."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, NoReturn
import numpy as np
import ownarray as oa


@oa.jit
def eat(x: oa.Array) -> oa.Array:
    return x * 1.0


@oa.jit
def add(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


@oa.jit
def own(a: oa.Owned[oa.Array]) -> oa.Array:
    return a + 1.0


@oa.jit
def look(a: oa.Borrowed[oa.Array]) -> oa.Array:
    return a + 1.0


@oa.jit
def bump(v: oa.Mut[oa.Array]) -> None:
    v += 1.0


@oa.jit
def mix(v: oa.Mut[oa.Array], w: oa.Array) -> None:
    v += w


def new() -> oa.Array:
    return oa.ones(2)


def use(x: oa.Array) -> float:
    return float(x[0])


def yes() -> bool:
    return True


def stop(text: str) -> NoReturn:
    raise ValueError(text)


@dataclass
class S:
    w: oa.Array
    b: oa.Array
    hist: list[oa.Array] = field(default_factory=list)

    def step(self) -> None:
        self.w = eat(oa.move(self.w))

    def lose(self) -> None:
        eat(oa.move(self.w))  # E: move-borrowed

    def swap(self) -> None:
        self.w, self.b = self.b, eat(oa.move(self.w))

    def try_step(self) -> None:
        w = self.w
        try:
            self.w = eat(oa.move(w))
        finally:
            pass


# closures
def fails_feature_1() -> None:
    x = new()
    f: Callable[[], float] = lambda: use(x)
    eat(oa.move(x))
    f()  # E: use-after-move


def ok_feature_2() -> None:
    x = new()
    f: Callable[[], float] = lambda: use(x)
    x = eat(oa.move(x))
    f()


def fails_feature_3() -> None:
    fs: list[Callable[[], float]] = []
    x = new()
    for _ in range(2):

        def inner(y: oa.Array = x) -> float:
            return use(y)

        fs.append(inner)
    eat(oa.move(x))
    fs[0]()  # E: use-after-move


def ok_feature_4() -> None:
    x = new()

    def inner() -> None:
        nonlocal x
        x = eat(oa.move(x))

    for _ in range(3):
        inner()
    use(x)


def fails_feature_5() -> None:
    x = new()

    def outer() -> Callable[[], float]:
        def inner() -> float:
            return use(x)

        return inner

    g = outer()
    eat(oa.move(x))
    g()  # E: use-after-move


def fails_feature_6() -> None:
    x = new()

    @functools.cache
    def cached() -> float:
        return use(x)

    eat(oa.move(x))
    cached()  # E: use-after-move


def fails_feature_7() -> None:
    x = new()
    fs = {"a": lambda: use(x)}
    eat(oa.move(x))
    fs["a"]()  # E: use-after-move


# generators
def gen(xs: list[oa.Array]) -> Iterator[oa.Array]:
    for x in xs:
        yield x


def fresh(n: int) -> Iterator[oa.Array]:
    for _ in range(n):
        yield new()


def fails_feature_8() -> None:
    xs = [new(), new()]
    for x in gen(xs):
        eat(oa.move(x))
    use(xs[0])  # E: use-after-move


def ok_feature_9() -> None:
    for x in fresh(3):
        eat(oa.move(x))


def fails_feature_10() -> None:
    xs = [new()]
    g = gen(xs)
    oa.move(xs)
    use(next(g))  # E: use-after-move


def fails_feature_11() -> None:
    xs = [new(), new()]
    g = (use(x) for x in xs)
    eat(oa.move(xs[1]))
    sum(g)  # E: use-after-move


def ok_feature_12() -> None:
    xs = [new(), new()]
    s = sum(use(x) for x in xs)
    eat(oa.move(xs[1]))
    print(s)


def ok_feature_13() -> None:
    def g() -> Iterator[oa.Array]:
        x = new()
        while True:
            yield x
            x = new()

    it = g()
    a = next(it)
    eat(oa.move(a))
    b = next(it)
    use(b)


# with
@contextlib.contextmanager
def lend(x: oa.Array) -> Iterator[oa.Array]:
    yield x


def fails_feature_14() -> None:
    x = new()
    with lend(x) as y:
        eat(oa.move(y))
    use(x)  # E: use-after-move


def fails_feature_15() -> None:
    x = new()
    with contextlib.suppress(ValueError):
        eat(oa.move(x))
        stop("a")
        x = new()
    use(x)  # E: use-after-move


def ok_feature_16() -> None:
    x = new()
    with contextlib.ExitStack() as stack:
        stack.callback(use, x)
        eat(oa.copy(x))
    use(x)


# try
def fails_feature_17() -> None:
    x = new()
    try:
        y = eat(oa.move(x))
    except ValueError:
        y = new()
    else:
        use(y)
    finally:
        use(x)  # E: use-after-move


def ok_feature_18() -> None:
    x = new()
    try:
        pass
    finally:
        x = eat(oa.move(x))
    use(x)


def fails_feature_19() -> None:
    x = new()
    for _ in range(2):
        try:
            if yes():
                continue
        finally:
            eat(oa.move(x))  # E: use-after-move


def ok_feature_20() -> None:
    x = new()
    while True:
        try:
            x = eat(oa.move(x))
            break
        except ValueError:
            x = new()
    use(x)


def ok_feature_21() -> None:
    x = new()
    if not yes():
        eat(oa.move(x))
        stop("never")
    use(x)


def fails_feature_22() -> None:
    x = new()
    try:
        eat(oa.move(x))
        raise ValueError
    except ValueError as e:
        print(e)
    use(x)  # E: use-after-move


# async
async def a_eat(x: oa.Array) -> oa.Array:
    return eat(x)


async def a_gen(n: int) -> AsyncIterator[oa.Array]:
    for _ in range(n):
        yield new()


async def fails_feature_23() -> None:
    x = new()
    c = a_eat(x)
    eat(oa.move(x))
    await c  # E: use-after-move


async def ok_feature_24() -> None:
    x = new()
    y = await a_eat(x)
    eat(oa.move(x))
    use(y)


async def ok_feature_25() -> None:
    async for x in a_gen(2):
        eat(oa.move(x))


async def fails_feature_26() -> None:
    x = new()
    t = asyncio.create_task(a_eat(x))
    eat(oa.move(x))
    await t  # E: use-after-move


async def ok_feature_27() -> None:
    x, y = new(), new()
    r = await asyncio.gather(a_eat(x), a_eat(y))
    eat(oa.move(x))
    use(r[0])


# match


def fails_feature_28() -> None:
    cmd = ("go", new())
    match cmd:
        case ("go", x):
            eat(oa.move(x))
        case _:
            pass
    use(cmd[1])  # E: use-after-move


def ok_feature_29() -> None:
    d = {"k": new(), "o": new()}
    match d:
        case {"k": x}:
            eat(oa.move(x))
    use(d["o"])


def ok_feature_30() -> None:
    x = new()
    match yes():
        case True:
            x = eat(oa.move(x))
        case False:
            x = new()
    use(x)


def fails_feature_31() -> None:
    x = new()
    match 3:
        case n if n > 2 and use(eat(oa.move(x))) > 0:
            pass
        case _:
            pass
    use(x)  # E: use-after-move


# handles
def fails_feature_32() -> None:
    h = oa.move(new())
    h2 = h
    eat(h)
    eat(h2)  # E: use-after-move


def ok_feature_33() -> None:
    hs = [oa.move(new()) for _ in range(2)]
    for h in hs:
        eat(h)
    hs = [oa.move(new())]
    eat(hs[0])


def ok_feature_34() -> None:
    d = {"a": oa.move(new())}
    x = d.pop("a").take()
    use(x)


def fails_feature_35() -> None:
    x = new()
    h = oa.move(x)
    x = oa.reclaim(x)
    use(x)
    eat(h)  # E: use-after-move


def fails_feature_36() -> None:
    h = oa.move(new())
    x = h.take() if yes() else new()
    use(x)
    eat(h)  # E: use-after-move


def ok_feature_37() -> None:
    h = oa.move((new(), new()))
    a, b = h.take()
    eat(oa.move(a))
    use(b)


def fails_feature_38() -> None:
    x = new()
    f = functools.partial(eat, oa.move(x))
    use(f())
    use(f())  # E: use-after-move


# views
def fails_feature_39() -> None:
    x = new()
    v = np.asarray(x)
    w = v[1:]
    del v
    eat(oa.move(x))  # E: moved-while-borrowed
    print(w)


def ok_feature_40() -> None:
    x = new()
    v = np.asarray(x)
    s = v.sum()
    del v
    eat(oa.move(x))
    print(s)


def fails_feature_41() -> None:
    s = S(new(), new())
    v = np.asarray(s.w)
    s.step()  # E: moved-while-borrowed
    print(v)


def ok_feature_42() -> None:
    s = S(new(), new())
    v = np.asarray(s.w)
    s.b = eat(oa.move(s.b))
    print(v)


def ok_feature_43() -> None:
    x = new()
    v = np.array(x)
    x += 1.0
    print(v)


def fails_feature_44() -> None:
    x = new()
    vs = [np.asarray(x)]
    x += 1.0  # E: mutate-borrowed
    print(vs)


# Mut, Borrowed, Owned
def ok_feature_45() -> None:
    x = new()
    bump(x)
    use(x)


def fails_feature_46() -> None:
    x = new()
    y = x
    mix(x, y)  # E: mutate-borrowed


def ok_feature_47() -> None:
    s = S(new(), new())
    mix(s.w, s.b)


def fails_feature_48() -> None:
    x = new()
    own(x)  # E: needs-move


def fails_feature_49() -> None:
    x = new()
    look(oa.move(x))  # E: move-borrowed


def fails_feature_50() -> None:
    s = S(new(), new())
    s.b = s.w
    mix(s.w, s.b)  # E: mutate-borrowed


# fields
def ok_feature_51() -> None:
    s = S(new(), new())
    s.lose()


def ok_feature_52() -> None:
    s = S(new(), new())
    s.swap()
    use(s.w)
    use(s.b)


def fails_feature_53() -> None:
    s = S(new(), new())
    w = s.w
    s.step()
    use(w)  # E: use-after-move


def fails_feature_54() -> None:
    s = S(new(), new())
    t = replace(s, w=eat(oa.move(s.w)))
    use(t.w)
    use(s.b)
    use(s.w)  # E: use-after-move


def fails_feature_55() -> None:
    s = S(new(), new())
    s.hist.append(s.w)
    s.w = eat(oa.move(s.w))
    use(s.hist[0])  # E: use-after-move


def ok_feature_56() -> None:
    s = S(new(), new())
    s.hist.append(oa.copy(s.w))
    s.w = eat(oa.move(s.w))
    use(s.hist[0])


def fails_feature_57() -> None:
    a = S(new(), new())
    b = S(a.w, new())
    a.step()
    use(b.w)  # E: use-after-move


def ok_feature_58() -> None:
    s = S(new(), new())
    for name in ("w", "b"):
        setattr(s, name, eat(oa.move(getattr(s, name))))
    use(s.w)


# walrus, conditionals, comprehensions
def fails_feature_59() -> None:
    x = new()
    if (y := eat(oa.move(x))) is not None:
        use(y)
    use(x)  # E: use-after-move


def fails_feature_60() -> None:
    x = new()
    y = x if yes() else new()
    eat(oa.move(y))
    use(x)  # E: use-after-move


def ok_feature_61() -> None:
    xs = [new(), new()]
    ys = [y for x in xs if use(y := eat(oa.move(x))) > 0]
    use(ys[0])


def fails_feature_62() -> None:
    xs = {i: new() for i in range(2)}
    ys = {i: eat(oa.move(x)) for i, x in xs.items()}
    use(ys[0])
    use(xs[0])  # E: use-after-move


def fails_feature_63() -> None:
    rows = [[new()], [new()]]
    flat = [eat(oa.move(x)) for row in rows for x in row]
    use(flat[0])
    use(rows[0][0])  # E: use-after-move


def fails_feature_64() -> None:
    x = new()
    yes() and eat(oa.move(x))
    use(x)  # E: use-after-move


def ok_feature_65() -> None:
    x = new()
    print(f"{x!r} {x.shape}")
    eat(oa.move(x))
    print(f"{x!r} {x.shape}")


class Pt(NamedTuple):
    x: oa.Array
    y: oa.Array


def ok_feature_66() -> None:
    p = Pt(new(), new())
    p = p._replace(x=eat(oa.move(p.x)))
    use(p.x)
    use(p.y)


def fails_feature_67() -> None:
    p = Pt(new(), new())
    x, y = p
    oa.move(p)
    use(y)  # E: use-after-move


def ok_feature_68() -> None:
    x = new()
    for i in range(3):
        if i == 2:
            eat(oa.move(x))
            break
        use(x)


def ok_feature_69() -> None:
    x = new()
    for _ in range(3):
        use(x)
    else:
        eat(oa.move(x))


def ok_feature_70() -> None:
    x = new()
    while use(x) < 100.0:
        x = add(oa.move(x), oa.full(2, 60.0))
    use(x)


def looks(x: oa.Array) -> Iterator[float]:
    yield use(x)


def fails_feature_71() -> None:
    x = new()
    it = looks(x)
    eat(oa.move(x))
    next(it)  # E: use-after-move


def ok_feature_72() -> None:
    xs = [new(), new()]
    it = iter(xs)
    a = next(it)
    eat(oa.move(a))
    b = next(it)
    use(b)


def fails_feature_73() -> None:
    xs = [new(), new()]
    it = iter(xs)
    oa.move(xs)
    use(next(it))  # E: use-after-move


def fails_feature_74() -> None:
    xs = [new(), new()]
    it = (use(x) for x in xs)
    oa.move(xs)
    next(it)  # E: use-after-move


def fails_feature_75() -> None:
    os: list[S] = []
    a = new()
    for _ in range(1):
        os.append(S(a, new()))
    eat(oa.move(a))
    print(os[0])  # E?: use-after-move
    use(os[0].b)
    use(os[0].w)  # E: use-after-move


def ok_feature_76() -> None:
    it = fresh(3)
    acc = next(it)
    for x in it:
        acc = add(oa.move(acc), oa.move(x))
    use(acc)


def fails_feature_77() -> None:
    x = new()
    h = oa.move(x)

    def f(h: oa.Moved[oa.Array] = h) -> oa.Array:
        return eat(h)

    use(f())
    f()  # E: use-after-move


def ok_feature_78() -> None:
    x = new()
    for _ in range(3):
        h = oa.move(x)
        x = h.take()
    use(x)


def ok_feature_79() -> None:
    a, b = new(), new()
    for i in range(4):
        src, dst = (a, b) if i % 2 == 0 else (b, a)
        mix(dst, src)
    use(a)


def ok_feature_80() -> None:
    a, b = new(), new()
    a, b = add(oa.move(a), b), eat(oa.move(b))
    use(a)
    use(b)


def fails_feature_81() -> None:
    a, b = new(), new()
    a, b = eat(oa.move(b)), add(a, b)  # E: use-after-move
