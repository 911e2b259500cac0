"""Own containers, helpers, closures, generators and tasks: who holds what."""

import asyncio
import contextlib
import dataclasses
import functools
import itertools
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar

import numpy as np

import ownarray as oa

T = TypeVar("T")


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@oa.jit
def join(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


@oa.jit
def bump(v: oa.Mut[oa.Array]) -> None:
    v += 1.0


@oa.jit(donate_argnames=("state",))
def step(batch: oa.Array, state: oa.Array) -> oa.Array:
    return batch + state


def use(x: oa.Array) -> float:
    return float(x[0])


def ones() -> oa.Array:
    return oa.ones(2)


def ident(x: T) -> T:
    return x


def pick(xs: list[T], i: int) -> T:
    return xs[i]


@dataclass
class P:
    w: oa.Array
    b: oa.Array

    def swap(self) -> None:
        self.w, self.b = self.b, self.w

    def both(self) -> tuple[oa.Array, oa.Array]:
        return self.w, self.b

    @property
    def weight(self) -> oa.Array:
        return self.w

    @weight.setter
    def weight(self, value: oa.Array) -> None:
        self.w = value

    @classmethod
    def of(cls, w: oa.Array) -> "P":
        return cls(w, ones())

    @staticmethod
    def first(w: oa.Array, b: oa.Array) -> oa.Array:
        return w


class Chain:
    def __init__(self) -> None:
        self.items: list[oa.Array] = []

    def add(self, x: oa.Array) -> "Chain":
        self.items.append(x)
        return self

    def __enter__(self) -> "Chain":
        return self

    def __exit__(self, *e: object) -> None:
        self.items.clear()

    def __getitem__(self, i: int) -> oa.Array:
        return self.items[i]

    def __iter__(self) -> Iterator[oa.Array]:
        return iter(self.items)


def fatal() -> NoReturn:
    raise ValueError


def fails_generic_identity() -> None:
    a = ones()
    b = ident(a)
    eat(oa.move(b))
    use(a)  # E: use-after-move


def fails_generic_pick() -> None:
    xs = [ones(), ones()]
    b = pick(xs, 0)
    eat(oa.move(b))
    use(xs[0])  # E: use-after-move


def fails_chained_add() -> None:
    a, b = ones(), ones()
    c = Chain().add(a).add(b)
    eat(oa.move(b))
    use(c.items[1])  # E: use-after-move


def fails_getitem_method() -> None:
    a = ones()
    c = Chain().add(a)
    eat(oa.move(c[0]))
    use(a)  # E: use-after-move


def fails_iter_method() -> None:
    a = ones()
    c = Chain().add(a)
    for x in c:
        eat(oa.move(x))
    use(a)  # E: use-after-move


def fails_enter_alias() -> None:
    c = Chain()
    a = ones()
    with c as d:
        d.add(a)
        eat(oa.move(a))
        use(c.items[0])  # E: use-after-move


def fails_classmethod_keeps() -> None:
    a = ones()
    p = P.of(a)
    eat(oa.move(p.w))
    use(a)  # E: use-after-move


def fails_staticmethod_gives() -> None:
    a = ones()
    b = P.first(a, ones())
    eat(oa.move(b))
    use(a)  # E: use-after-move


def fails_property_setter() -> None:
    a = ones()
    p = P(ones(), ones())
    p.weight = a
    eat(oa.move(p.w))
    use(a)  # E: use-after-move


def ok_tuple_from_method() -> None:
    p = P(ones(), ones())
    w, b = p.both()
    eat(oa.move(w))
    use(p.b)
    use(b)


def fails_tuple_from_method_dead() -> None:
    p = P(ones(), ones())
    w, b = p.both()
    eat(oa.move(w))
    use(p.w)  # E: use-after-move


def fails_closure_over_loop_variable() -> None:
    fs: list[Callable[[], float]] = []
    for x in [ones(), ones()]:
        fs.append(lambda: use(x))
    eat(oa.move(x))
    fs[0]()  # E: use-after-move


def fails_recursive_closure() -> None:
    a = ones()

    def go(n: int) -> float:
        return use(a) if n == 0 else go(n - 1)

    go(2)
    eat(oa.move(a))
    go(1)  # E: use-after-move


def fails_generator_once() -> None:
    def gen(x: oa.Array) -> Iterator[oa.Array]:
        yield x

    a = ones()
    for y in gen(a):
        eat(oa.move(y))
    use(a)  # E: use-after-move


def ok_generator_fresh() -> None:
    def gen(n: int) -> Iterator[oa.Array]:
        for _ in range(n):
            yield ones()

    for y in gen(3):
        eat(oa.move(y))


def ok_generator_state() -> None:
    def gen(x: oa.Array) -> Iterator[float]:
        x = oa.copy(x)
        while True:
            x = eat(oa.move(x))
            yield float(x[0])

    a = ones()
    g = gen(a)
    next(g)
    next(g)
    use(a)


def fails_lazy_genexpr_late() -> None:
    a = ones()
    g = (use(a) + i for i in range(2))
    eat(oa.move(a))
    list(g)  # E: use-after-move


def ok_lazy_genexpr_rebound() -> None:
    a = ones()
    g = (use(a) + i for i in range(2))
    eat(oa.move(a))
    a = ones()
    list(g)


def ok_genexpr_source_is_early() -> None:
    xs = [ones()]
    g = (use(x) for x in xs)
    xs = [ones()]
    list(g)


def fails_genexpr_inner_moves() -> None:
    xs = [ones(), ones()]
    total = sum(use(eat(oa.move(x))) for x in xs)
    use(xs[0])  # E: use-after-move
    print(total)


def fails_any_stops_early() -> None:
    xs = [ones(), ones()]
    any(use(eat(oa.move(x))) > 0 for x in xs)
    use(xs[0])  # E: use-after-move


def fails_nested_comprehension() -> None:
    rows = [[ones()], [ones()]]
    out = [eat(oa.move(x)) for row in rows for x in row]
    use(rows[0][0])  # E: use-after-move
    print(out)


def fails_nested_comprehension_same() -> None:
    xs = [ones()]
    out = [eat(oa.move(x)) for _ in range(2) for x in xs]  # E: use-after-move
    print(out)


def fails_dict_comprehension_key() -> None:
    d = {"a": ones()}
    e = {k: v for k, v in d.items()}
    eat(oa.move(e["a"]))
    use(d["a"])  # E: use-after-move


def ok_dict_comprehension_fresh() -> None:
    d = {"a": ones()}
    e = {k: v * 2.0 for k, v in d.items()}
    eat(oa.move(e["a"]))
    use(d["a"])


async def fails_async_gather() -> None:
    a = ones()

    async def work(x: oa.Array) -> float:
        await asyncio.sleep(0)
        return use(x)

    t = asyncio.ensure_future(work(a))
    eat(oa.move(a))
    await t  # E: use-after-move


async def fails_async_with() -> None:
    a = ones()

    @contextlib.asynccontextmanager
    async def lend(x: oa.Array) -> AsyncIterator[oa.Array]:
        yield x

    async with lend(a) as b:
        eat(oa.move(b))
    use(a)  # E: use-after-move


async def ok_async_comprehension() -> None:
    async def gen() -> AsyncIterator[oa.Array]:
        yield ones()

    xs = [x async for x in gen()]
    for x in xs:
        eat(oa.move(x))


def ok_noreturn_in_except() -> None:
    a = ones()
    try:
        b = eat(oa.move(a))
    except ValueError:
        fatal()
    a = b
    use(a)


def static_short_circuit_chain() -> None:
    a = ones()
    ok = False
    _ = ok and use(eat(oa.move(a)))
    use(a) if not ok else None  # E: use-after-move


def ok_chained_compare_moves() -> None:
    a = ones()
    b = 0.0 < use(eat(oa.move(a))) < use(ones())
    print(b)


def fails_conditional_lambda() -> None:
    a, b = ones(), ones()
    f = (lambda: use(a)) if use(a) > 5 else (lambda: use(b))
    eat(oa.move(b))
    f()  # E: use-after-move


def fails_partial_holds() -> None:
    a = ones()
    f = functools.partial(join, a)
    eat(oa.move(a))
    f(ones())  # E: use-after-move


def fails_partial_keyword_holds() -> None:
    a = ones()
    f = functools.partial(join, b=a)
    eat(oa.move(a))
    f(ones())  # E: use-after-move


def fails_decorated_function() -> None:
    def logged(f: Callable[[oa.Array], float]) -> Callable[[oa.Array], float]:
        @functools.wraps(f)
        def inner(x: oa.Array) -> float:
            return f(x)

        return inner

    @logged
    def show(x: oa.Array) -> float:
        return use(x)

    a = ones()
    show(a)
    eat(oa.move(a))
    show(a)  # E: use-after-move


def ok_del_then_new() -> None:
    a = ones()
    eat(oa.move(a))
    del a
    a = ones()
    use(a)


def ok_del_item_then_use() -> None:
    xs = [ones(), ones()]
    eat(oa.move(xs[0]))
    del xs[0]
    use(xs[0])


def fails_pop_front_then_use() -> None:
    xs = [ones(), ones()]
    eat(oa.move(xs[1]))
    xs.pop(0)
    use(xs[0])  # E: use-after-move


def fails_aug_attribute() -> None:
    p = P(ones(), ones())
    q = p
    p.w += 1.0
    eat(oa.move(q.w))
    use(p.w)  # E: use-after-move


def fails_aug_dict_item() -> None:
    d = {"a": ones()}
    x = d["a"]
    d["a"] += 1.0
    eat(oa.move(x))
    use(d["a"])  # E: use-after-move


def fails_replace_then_other_field() -> None:
    p = P(ones(), ones())
    q = dataclasses.replace(p, w=eat(oa.move(p.w)))
    use(q.w)
    use(p.b)
    use(p.w)  # E: use-after-move


def fails_donate_names() -> None:
    s = ones()
    step(ones(), state=s)
    use(s)  # E: use-after-move


def ok_donate_names_rebound() -> None:
    s = ones()
    for _ in range(3):
        s = step(ones(), state=s)
    use(s)


def fails_donate_positional() -> None:
    s = ones()
    step(ones(), s)
    use(s)  # E: use-after-move


def fails_donate_alias_arguments() -> None:
    s = ones()
    step(s, s)  # E: use-after-move


def fails_view_of_item() -> None:
    xs = [ones()]
    v = np.asarray(xs[0])
    for x in xs:
        eat(oa.move(x))  # E: moved-while-borrowed
    print(v)


def fails_view_in_tuple() -> None:
    a = ones()
    t = (np.asarray(a), 1)
    eat(oa.move(a))  # E: moved-while-borrowed
    print(t)


def ok_view_gone_in_tuple() -> None:
    a = ones()
    t = (np.asarray(a), 1)
    t = (np.zeros(2), 2)
    eat(oa.move(a))
    print(t)


def ok_view_loop_rebinds() -> None:
    for _ in range(2):
        a = ones()
        v = np.asarray(a)
        print(v)
        del v
        eat(oa.move(a))


def fails_mut_alias_in_list() -> None:
    xs = [ones()]
    v = np.asarray(xs[0])
    bump(xs[0])  # E: mutate-borrowed
    print(v)


def fails_handle_in_deque() -> None:
    q: deque[oa.Moved[oa.Array]] = deque()
    q.append(oa.move(ones()))
    h = q[0]
    eat(h)
    eat(q.popleft())  # E: use-after-move


def ok_handle_loop_drain() -> None:
    hs = [oa.move(ones()) for _ in range(3)]
    for h in hs:
        eat(h)


def fails_handle_drain_twice() -> None:
    hs = [oa.move(ones()) for _ in range(3)]
    for h in hs:
        eat(h)
    for h in hs:  # E: use-after-move
        eat(h)  # E: use-after-move


def fails_take_then_name() -> None:
    a = ones()
    h = oa.move(a)
    b = h.take()
    use(b)
    use(a)  # E: use-after-move


def ok_reclaim_in_except() -> None:
    a = ones()
    h = oa.move(a)
    try:
        raise ValueError
    except ValueError:
        a = oa.reclaim(a)
    use(a)


def fails_moved_twice_on_two_paths() -> None:
    a = ones()
    for i in range(2):
        if i == 0:
            eat(oa.move(a))  # E: use-after-move
        else:
            eat(oa.move(a))  # E: use-after-move


def fails_loop_else_rebinds() -> None:
    a = ones()
    for _ in range(2):
        eat(oa.move(a))
        break
    else:
        a = ones()
    use(a)  # E: use-after-move


def fails_try_else_moves() -> None:
    a = ones()
    try:
        x = 1
    except ValueError:
        a = ones()
    else:
        eat(oa.move(a))
    use(a)  # E: use-after-move
    print(x)


def ok_finally_return_swallows() -> None:
    def f(a: oa.Array) -> float:
        a = oa.copy(a)
        try:
            raise ValueError
        finally:
            eat(oa.move(a))
            return 1.0

    f(ones())


def fails_match_guard_binds() -> None:
    match ones():
        case x if use(eat(oa.move(x))) > 100:
            pass
        case y:
            use(y)  # E: use-after-move


def fails_match_nested() -> None:
    d = {"m": P(ones(), ones())}
    match d:
        case {"m": P(w=w)}:
            eat(oa.move(w))
    use(d["m"].w)  # E: use-after-move


def fails_zip_longest() -> None:
    xs, ys = [ones()], [ones()]
    for x, y in itertools.zip_longest(xs, ys):
        eat(oa.move(x))
        use(y)
    use(xs[0])  # E: use-after-move


def fails_product() -> None:
    xs = [ones()]
    for _, x in itertools.product(range(2), xs):
        eat(oa.move(x))  # E: use-after-move


def fails_sorted_items() -> None:
    d = {"b": ones(), "a": ones()}
    for k, v in sorted(d.items(), key=lambda kv: kv[0]):
        eat(oa.move(v))
    use(d["a"])  # E: use-after-move


def ok_reduce() -> None:
    xs = [ones(), ones()]
    total = functools.reduce(join, xs)
    eat(oa.move(total))
    use(xs[0])


def ok_star_unpack_call() -> None:
    t = (ones(), ones())
    join(*t)
    eat(oa.move(t[0]))
    use(t[1])


def fails_nested_tuple_unpack() -> None:
    t = ((ones(), ones()), ones())
    (a, b), c = t
    eat(oa.move(b))
    use(t[0][0])
    use(t[0][1])  # E: use-after-move


def fails_for_unpack_nested() -> None:
    ts = [(ones(), (ones(), ones()))]
    for a, (b, c) in ts:
        eat(oa.move(c))
        use(a)
        use(b)
    use(ts[0][1][1])  # E: use-after-move


def fails_list_of_dataclass_field() -> None:
    ps = [P(ones(), ones()) for _ in range(2)]
    for p in ps:
        eat(oa.move(p.w))
    use(ps[0].b)
    use(ps[0].w)  # E: use-after-move


def ok_list_of_dataclass_replaced() -> None:
    ps = [P(ones(), ones()) for _ in range(2)]
    for p in ps:
        p.w = eat(oa.move(p.w))
    use(ps[0].w)


def ok_object_in_two_lists() -> None:
    p = P(ones(), ones())
    xs, ys = [p], [p]
    xs[0].w = eat(oa.move(xs[0].w))
    use(ys[0].w)


def fails_object_in_two_lists_dead() -> None:
    p = P(ones(), ones())
    xs, ys = [p], [p]
    eat(oa.move(xs[0].w))
    use(ys[0].w)  # E: use-after-move


def fails_asserted() -> None:
    a = ones()
    assert use(eat(oa.move(a))) > 0
    assert use(a) > 0  # E: use-after-move


def fails_nonlocal_two_levels() -> None:
    a = ones()

    def outer() -> None:
        def inner() -> None:
            nonlocal a
            a = eat(oa.move(a))

        inner()

    b = a
    outer()
    use(a)
    use(b)  # E: use-after-move


def ok_instance_shadows_class_attribute() -> None:
    class K:
        w = ones()

    k = K()
    k.w = ones()
    eat(oa.move(K.w))
    use(k.w)


def ok_field_factory() -> None:
    @dataclass
    class Q:
        xs: list[oa.Array] = field(default_factory=list)

    q = Q()
    q.xs.append(ones())
    r = Q()
    r.xs.append(ones())
    eat(oa.move(q.xs[0]))
    use(r.xs[0])


def fails_bool_or_default() -> None:
    cache: dict[str, oa.Array] = {}
    a = cache.get("x")
    if a is None:
        a = ones()
        cache["x"] = a
    eat(oa.move(a))
    use(cache["x"])  # E: use-after-move
