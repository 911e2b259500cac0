"""More correct programs: objects, buffers, threads, tasks, recursion, patterns, caches."""

import asyncio
import contextlib
import copy
import functools
import itertools
import threading
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import ownarray as oa


@oa.jit
def step(v: oa.Array) -> oa.Array:
    return v + 1.0


@oa.jit
def owned(v: oa.Owned[oa.Array]) -> oa.Array:
    return v + 1.0


@oa.jit
def many(*vs: oa.Array) -> tuple[oa.Array, ...]:
    return tuple([v + 1.0 for v in vs])


@oa.jit
def two(a: oa.Array, b: oa.Array) -> tuple[oa.Array, oa.Array]:
    return a + b, a - b


@oa.jit
def named(a: oa.Array, b: oa.Array) -> dict[str, oa.Array]:
    return {"a": a + b, "b": a - b}


@oa.jit
def tree(p: dict[str, oa.Array]) -> dict[str, oa.Array]:
    return {k: v + 1.0 for k, v in p.items()}


@oa.jit
def fill(out: oa.Mut[oa.Array], x: oa.Array) -> None:
    out[:] = x


def ones() -> oa.Array:
    return oa.ones(2)


def use(*values: object) -> None:
    for v in values:
        if isinstance(v, oa.Array):
            float(oa.sum(v))
        elif isinstance(v, list | tuple | deque):
            use(*v)
        elif isinstance(v, dict):
            use(*v.values())


class Trainer:
    def __init__(self) -> None:
        self.state = ones()
        self.parts = [ones(), ones()]
        self.params = {"w": ones(), "b": ones()}
        self.cache: dict[str, oa.Array] = {}

    def once(self) -> None:
        self.state = step(oa.move(self.state))

    def loop(self, n: int) -> None:
        for _ in range(n):
            self.state = step(oa.move(self.state))

    def each(self) -> None:
        self.parts = [step(oa.move(p)) for p in self.parts]

    def starred(self) -> None:
        self.parts = list(many(*[oa.move(p) for p in self.parts]))

    def whole(self) -> None:
        self.params = tree(oa.move(self.params))

    def by_key(self, name: str) -> None:
        self.params[name] = step(oa.move(self.params[name]))

    def cached(self, name: str) -> oa.Array:
        if name not in self.cache:
            self.cache[name] = ones()
        self.cache[name] = step(oa.move(self.cache[name]))
        return self.cache[name]

    def give(self) -> oa.Array:
        old, self.state = self.state, ones()
        return step(oa.move(old))

    def local(self, n: int) -> oa.Array:
        state = oa.copy(self.state)
        for _ in range(n):
            state = step(oa.move(state))
        return state


def ok_trainer_of_many_methods() -> None:
    t = Trainer()
    for _ in range(3):
        t.once()
        t.loop(2)
        t.each()
        t.starred()
        t.whole()
        t.by_key("w")
        use(t.cached("k"), t.give(), t.local(2))
    use(t.state, t.parts, t.params)


def ok_swap() -> None:
    a, b = ones(), ones()
    a, b = b, a
    a = step(oa.move(a))
    use(a, b)


def ok_swap_each_round() -> None:
    a, b = ones(), ones()
    for _ in range(3):
        a, b = b, a
        a = step(oa.move(a))
    use(a, b)


def ok_double_buffer() -> None:
    front, back = ones(), oa.zeros(2)
    for _ in range(3):
        fill(back, front)
        front, back = back, front
    use(front, back)


def ok_double_buffer_moved() -> None:
    front, back = ones(), oa.zeros(2)
    for _ in range(3):
        front, back = oa.add(oa.move(back), front), front
    use(front, back)


def ok_ring_of_three() -> None:
    a, b, c = ones(), ones(), ones()
    for _ in range(4):
        a, b, c = b, c, step(oa.move(a))
    use(a, b, c)


def ok_partial() -> None:
    add = functools.partial(oa.add, ones())
    x = ones()
    for _ in range(3):
        x = add(oa.move(x))
    use(x)


def ok_partial_of_compiled() -> None:
    rate = ones()
    f = functools.partial(two, rate)
    x = ones()
    for _ in range(3):
        x, _rest = f(oa.move(x))
    use(x, rate)


def fib(x: oa.Array, n: int) -> oa.Array:
    return x if n == 0 else fib(step(x), n - 1)


def ok_recursion() -> None:
    use(fib(ones(), 3))


def deeper(h: oa.Moved[oa.Array], n: int) -> oa.Array:
    if n == 0:
        return h.take()
    x = step(h)
    return deeper(oa.move(x), n - 1)


def ok_recursion_with_handles() -> None:
    x = ones()
    x = deeper(oa.move(x), 3)
    use(x)


def flat(t: object) -> Iterator[oa.Array]:
    if isinstance(t, oa.Array):
        yield t
    elif isinstance(t, dict):
        for v in t.values():
            yield from flat(v)


def ok_recursive_generator() -> None:
    t = {"a": ones(), "b": {"c": ones()}}
    use(sum(float(oa.sum(x)) for x in flat(t)))
    use([step(oa.move(x)) for x in flat(t)])


async def later(x: oa.Array) -> oa.Array:
    await asyncio.sleep(0)
    return step(x)


async def ok_async_loop() -> None:
    state = ones()
    for _ in range(3):
        state = step(oa.move(state))
        await asyncio.sleep(0)
    use(state)


async def ok_async_awaits_result() -> None:
    state = ones()
    for _ in range(3):
        new = await later(state)
        state = oa.add(oa.move(state), oa.move(new))
    use(state)


async def batches(n: int) -> AsyncIterator[oa.Array]:
    for _ in range(n):
        await asyncio.sleep(0)
        yield ones()


async def ok_async_for() -> None:
    total = oa.zeros(2)
    async for batch in batches(3):
        total = oa.add(oa.move(total), oa.move(batch))
    use(total)


async def ok_gather_then_move() -> None:
    xs = [ones(), ones()]
    ys = await asyncio.gather(*[later(x) for x in xs])
    use([step(oa.move(y)) for y in ys], [step(oa.move(x)) for x in xs])


async def ok_async_queue() -> None:
    queue: asyncio.Queue[oa.Array] = asyncio.Queue()
    for _ in range(3):
        await queue.put(ones())
    while not queue.empty():
        x = await queue.get()
        use(step(oa.move(x)))


def ok_comprehension_over_handles() -> None:
    xs = [ones(), ones()]
    handles = [oa.move(x) for x in xs]
    use([step(h) for h in handles])


def ok_loop_over_handles() -> None:
    xs = [ones(), ones()]
    for _ in range(2):
        new = []
        for h in [oa.move(x) for x in xs]:
            new.append(h.take())
        xs = new
    use(xs)


def ok_rest() -> None:
    first, *rest = [ones(), ones(), ones()]
    first = step(oa.move(first))
    rest = [step(oa.move(r)) for r in rest]
    use(first, rest)


def ok_rest_each_round() -> None:
    xs = [ones(), ones(), ones()]
    for _ in range(3):
        first, *rest = xs
        xs = [*rest, step(oa.move(first))]
    use(xs)


def ok_rest_twice() -> None:
    xs = [ones(), ones(), ones()]
    a, *rest = xs
    b, *rest = rest
    use(step(oa.move(a)), step(oa.move(b)), rest)


def ok_match_tuple() -> None:
    pair = (ones(), ones())
    for _ in range(2):
        match pair:
            case (a, b):
                pair = two(oa.move(a), oa.move(b))
    use(pair)


def ok_match_kinds(kind: str = "two") -> None:
    x = ones()
    match kind:
        case "one":
            x = step(oa.move(x))
        case "two":
            x = step(oa.move(x))
            x = step(oa.move(x))
        case _:
            x = ones()
    use(x)


def ok_match_dict() -> None:
    d = {"a": ones(), "b": ones()}
    match d:
        case {"a": a, "b": b}:
            d = named(oa.move(a), oa.move(b))
    use(d)


def ok_cache_by_name() -> None:
    cache: dict[str, oa.Array] = {}
    for name in ["a", "b", "a"]:
        x = cache.get(name)
        if x is None:
            x = ones()
        cache[name] = step(oa.move(x))
    use(cache)


def ok_cache_of_default() -> None:
    cache: defaultdict[str, oa.Array] = defaultdict(ones)
    for name in ["a", "b", "a"]:
        cache[name] = step(oa.move(cache[name]))
    use(dict(cache))


def ok_cache_popped() -> None:
    cache = {"a": ones()}
    for name in ["a", "b", "a"]:
        x = cache.pop(name, None)
        cache[name] = ones() if x is None else step(oa.move(x))
    use(cache)


def ok_threads_with_own_arrays() -> None:
    out: list[oa.Array] = []

    def work() -> None:
        x = ones()
        for _ in range(3):
            x = step(oa.move(x))
        out.append(x)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    use(out)


def ok_pool_map() -> None:
    xs = [ones() for _ in range(3)]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(2):
            xs = list(pool.map(step, xs))
    use(xs)


def ok_pool_submit() -> None:
    xs = [ones() for _ in range(3)]
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(functools.partial(step, oa.move(x))) for x in xs]
        xs = [f.result() for f in futures]
    use(xs)


def ok_deque_rotates() -> None:
    q = deque([ones(), ones(), ones()])
    for _ in range(5):
        x = q.popleft()
        q.append(step(oa.move(x)))
    use(list(q))


def ok_bounded_history() -> None:
    history: deque[oa.Array] = deque(maxlen=2)
    x = ones()
    for _ in range(4):
        history.append(oa.copy(x))
        x = step(oa.move(x))
    use(x, list(history))


def ok_history_of_copies() -> None:
    x, history = ones(), []
    for _ in range(4):
        x = step(oa.move(x))
        history.append(oa.copy(x))
    use(x, history)


def ok_pipeline() -> None:
    x = ones()
    for stage in (step, owned):
        x = stage(oa.move(x))
    use(x)


def ok_reduce() -> None:
    xs = [ones() for _ in range(3)]
    total = functools.reduce(oa.add, xs)
    use(total, xs)


def ok_accumulate() -> None:
    xs = [ones() for _ in range(3)]
    total = oa.zeros(2)
    for x in itertools.chain(xs):
        total = oa.add(oa.move(total), oa.move(x))
    use(total)


def ok_deep_copy() -> None:
    d = {"a": ones()}
    start = copy.deepcopy(d)
    for _ in range(2):
        d = tree(oa.move(d))
    use(d, start)


def ok_numpy_copy_then_move() -> None:
    x = ones()
    for _ in range(3):
        a = np.array(x)
        x = step(oa.move(x))
        print(a.sum())
    use(x)


def ok_nonlocal_state() -> None:
    state = ones()

    def advance() -> None:
        nonlocal state
        state = step(oa.move(state))

    for _ in range(3):
        advance()
    use(state)


def ok_walrus() -> None:
    x = ones()
    while float(oa.sum(x := step(oa.move(x)))) < 10:
        pass
    use(x)


def ok_two_lists_in_step() -> None:
    xs, ys = [ones(), ones()], [ones(), ones()]
    for _ in range(3):
        for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
            xs[i], ys[i] = two(oa.move(x), oa.move(y))
    use(xs, ys)


def ok_zip_of_two_dicts() -> None:
    p, g = {"a": ones()}, {"a": ones()}
    for _ in range(2):
        p = {k: oa.add(oa.move(v), w) for (k, v), w in zip(p.items(), g.values(), strict=True)}
    use(p, g)


def ok_unzipped() -> None:
    pairs = [(ones(), ones()), (ones(), ones())]
    xs, ys = zip(*pairs, strict=True)
    use([step(oa.move(x)) for x in xs], [step(oa.move(y)) for y in ys])


def ok_sorted_copies() -> None:
    xs = [ones(), ones()]
    xs = sorted(xs, key=lambda v: float(oa.sum(v)))
    xs = [step(oa.move(x)) for x in xs]
    use(xs)


def ok_filtered() -> None:
    xs = [ones(), ones()]
    for _ in range(2):
        xs = [step(oa.move(x)) for x in xs if x.size > 1]
    use(xs)


def ok_stack_of_undo() -> None:
    x, undo = ones(), []
    for i in range(4):
        undo.append(oa.copy(x))
        x = step(oa.move(x))
        if i == 2:
            x = undo.pop()
    use(x, undo)


def ok_slices_of_a_list() -> None:
    xs = [ones() for _ in range(4)]
    head, tail = xs[:2], xs[2:]
    head = [step(oa.move(h)) for h in head]
    use(head, tail)


def ok_chunks() -> None:
    x = oa.ones(8)
    parts = [x[i : i + 2] for i in range(0, 8, 2)]
    parts = [step(oa.move(p)) for p in parts]
    use(x, parts)


def ok_loop_else() -> None:
    x = ones()
    for _ in range(3):
        x = step(oa.move(x))
    else:
        x = step(oa.move(x))
    use(x)


def ok_exit_stack() -> None:
    x = ones()
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            stack.callback(print, "done")
            x = step(oa.move(x))
    use(x)


def ok_try_in_function_returns() -> oa.Array:
    x = ones()
    try:
        return step(oa.move(x))
    except ValueError:
        return ones()


def ok_conditional_step(flag: bool = True) -> None:
    x = ones()
    for i in range(3):
        x = step(oa.move(x)) if i % 2 else x
    x = owned(oa.move(x)) if flag else step(oa.move(x))
    use(x)


def ok_move_then_new_name() -> None:
    x0 = ones()
    x1 = step(oa.move(x0))
    x2 = step(oa.move(x1))
    use(x2)


def ok_optional_state() -> None:
    state: oa.Array | None = None
    for _ in range(3):
        state = ones() if state is None else step(oa.move(state))
    use(state)
