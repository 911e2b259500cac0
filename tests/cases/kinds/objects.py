"""Correct programs of larger shape: classes that own arrays, loops with exits, buffers, pipelines."""

import contextlib
import functools
import heapq
import itertools
import queue
import threading
from collections import ChainMap, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

import ownarray as oa

T = TypeVar("T")


@oa.jit
def step(v: oa.Array) -> oa.Array:
    return v + 1.0


@oa.jit
def two(a: oa.Array, b: oa.Array) -> tuple[oa.Array, oa.Array]:
    return a + b, a - b


@oa.jit
def sgd(p: dict[str, oa.Array], g: oa.Borrowed[dict[str, oa.Array]]) -> dict[str, oa.Array]:
    return {k: v - 0.1 * g[k] for k, v in p.items()}


@oa.jit
def listed(xs: list[oa.Array]) -> list[oa.Array]:
    return [x + 1.0 for x in xs]


@oa.jit
def scaled(v: oa.Array, by: oa.Borrowed[oa.Array]) -> oa.Array:
    return v * by


def ones() -> oa.Array:
    return oa.ones(2)


def use(x: oa.Array) -> float:
    return float(oa.sum(x))


class Adam:
    def __init__(self, params: dict[str, oa.Array]) -> None:
        self.m = {k: oa.zeros_like(v) for k, v in params.items()}
        self.v = {k: oa.zeros_like(v) for k, v in params.items()}
        self.count = 0

    def update(self, params: dict[str, oa.Array], grads: dict[str, oa.Array]) -> None:
        self.count += 1
        for k, g in grads.items():
            self.m[k] = oa.add(oa.move(self.m[k]), g)
            self.v[k] = oa.add(oa.move(self.v[k]), oa.multiply(g, g))
            params[k] = oa.subtract(oa.move(params[k]), self.m[k])


def ok_optimizer_updates_in_place() -> None:
    params = {"w": ones(), "b": ones()}
    opt = Adam(params)
    for _ in range(3):
        grads = {k: step(v) for k, v in params.items()}
        opt.update(params, grads)
    use(params["w"])
    use(opt.m["b"])


class Buffer:
    def __init__(self, n: int) -> None:
        self._slots: list[oa.Array | None] = [None] * n
        self._next = 0

    def push(self, x: oa.Array) -> None:
        self._slots[self._next] = oa.copy(x)
        self._next = (self._next + 1) % len(self._slots)

    def mean(self) -> float:
        full = [s for s in self._slots if s is not None]
        return sum(use(s) for s in full) / max(len(full), 1)


def ok_ring_buffer_of_copies() -> None:
    b, x = Buffer(2), ones()
    for _ in range(5):
        b.push(x)
        x = step(oa.move(x))
    print(b.mean())
    use(x)


class Stepper:
    def __init__(self) -> None:
        self.x = ones()

    def __iter__(self) -> Iterator[oa.Array]:
        for _ in range(3):
            self.x = step(oa.move(self.x))
            yield oa.copy(self.x)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.x = ones()

    def chained(self) -> Self:
        self.x = step(oa.move(self.x))
        return self


def ok_own_iterator_of_copies() -> None:
    s = Stepper()
    for y in s:
        step(oa.move(y))
    use(s.x)


def ok_own_context_manager() -> None:
    with Stepper() as s:
        s.x = step(oa.move(s.x))
    use(s.x)


def ok_method_chain() -> None:
    s = Stepper().chained().chained()
    s = s.chained()
    use(s.x)


@dataclass
class State:
    x: oa.Array
    n: int = 0
    log: list[float] = field(default_factory=list)


def advance(s: State) -> State:
    s.x = step(oa.move(s.x))
    s.n += 1
    s.log.append(use(s.x))
    return s


def ok_state_passed_through() -> None:
    s = State(ones())
    for _ in range(3):
        s = advance(s)
    use(s.x)


def ok_state_changed_by_callee() -> None:
    s = State(ones())
    for _ in range(3):
        advance(s)
    use(s.x)


def renewed(s: State) -> State:
    return replace(s, x=step(s.x), n=s.n + 1)


def ok_state_renewed_by_callee() -> None:
    s = State(ones())
    for _ in range(3):
        s = renewed(s)
    x = step(oa.move(s.x))
    use(x)


def ok_old_state_after_renewal() -> None:
    s = State(ones())
    t = renewed(s)
    step(oa.move(t.x))
    use(s.x)


class Holder(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value

    def get(self) -> T:
        return self.value

    def set(self, value: T) -> None:
        self.value = value


def ok_generic_holder() -> None:
    h = Holder(ones())
    for _ in range(3):
        h.set(step(oa.move(h.value)))
    use(h.get())


class Layer(Protocol):
    def __call__(self, x: oa.Moved[oa.Array], /) -> oa.Array: ...


class Scale:
    def __init__(self) -> None:
        self.by = ones()

    def __call__(self, x: oa.Moved[oa.Array], /) -> oa.Array:
        return scaled(x, self.by)


def ok_layers() -> None:
    layers: list[Layer] = [Scale(), Scale()]
    x = ones()
    for layer in layers:
        x = layer(oa.move(x))
    use(x)


def ok_sgd_borrowing_gradients() -> None:
    p, g = {"w": ones()}, {"w": ones()}
    for _ in range(3):
        p = sgd(oa.move(p), g)
    use(p["w"])
    use(g["w"])


def ok_list_tree() -> None:
    xs = [ones(), ones()]
    for _ in range(3):
        xs = listed(oa.move(xs))
    use(xs[0])


def ok_nested_loops_with_flags() -> None:
    x, done = ones(), False
    while not done:
        for _ in range(3):
            x = step(oa.move(x))
            if use(x) > 6:
                done = True
                break
    use(x)


def ok_continue_before_move() -> None:
    x = ones()
    for i in range(5):
        if i % 2:
            continue
        x = step(oa.move(x))
    use(x)


def ok_move_last_round_and_break() -> None:
    x = ones()
    for i in range(5):
        if i == 3:
            y = step(oa.move(x))
            use(y)
            break
        x = step(oa.move(x))


def ok_search_returns_moved() -> oa.Array | None:
    for x in [ones(), ones()]:
        if use(x) > 1:
            return step(oa.move(x))
    return None


def ok_try_else() -> None:
    x = ones()
    try:
        n = int("3")
    except ValueError:
        use(x)
    else:
        x = step(oa.move(x))
        print(n)
    use(x)


def ok_retry_with_copy() -> None:
    x = ones()
    for _ in range(3):
        backup = oa.copy(x)
        try:
            x = step(oa.move(x))
        except RuntimeError:
            x = backup
    use(x)


def ok_suppress() -> None:
    x = ones()
    with contextlib.suppress(ValueError):
        y = step(x)
        use(step(oa.move(y)))
    use(x)


@contextlib.contextmanager
def scope(x: oa.Array) -> Iterator[oa.Array]:
    yield oa.copy(x)


def ok_own_contextmanager_gives_copy() -> None:
    x = ones()
    with scope(x) as y:
        step(oa.move(y))
    use(x)


def ok_queue_between_threads() -> None:
    q: queue.Queue[oa.Array | None] = queue.Queue()

    def produce() -> None:
        for _ in range(3):
            q.put(ones())
        q.put(None)

    t = threading.Thread(target=produce)
    t.start()
    total = oa.zeros(2)
    while (x := q.get()) is not None:
        total = oa.add(oa.move(total), oa.move(x))
    t.join()
    use(total)


def ok_lock_around_step() -> None:
    lock, s = threading.Lock(), State(ones())

    def work() -> None:
        with lock:
            s.x = step(oa.move(s.x))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    use(s.x)


def ok_heap() -> None:
    heap: list[tuple[float, int, oa.Array]] = []
    for i in range(3):
        heapq.heappush(heap, (float(-i), i, ones()))
    while heap:
        _, _, x = heapq.heappop(heap)
        use(step(oa.move(x)))


def ok_lru() -> None:
    cache: OrderedDict[str, oa.Array] = OrderedDict()
    for name in ["a", "b", "c", "a"]:
        if name in cache:
            cache.move_to_end(name)
        else:
            cache[name] = ones()
        cache[name] = step(oa.move(cache[name]))
        while len(cache) > 2:
            cache.popitem(last=False)
    use(cache["a"])


def ok_groups() -> None:
    groups: defaultdict[int, list[oa.Array]] = defaultdict(list)
    for i in range(4):
        groups[i % 2].append(ones())
    sums = {k: step(oa.move(v[0])) for k, v in groups.items()}
    use(sums[0])


def ok_batched() -> None:
    xs = [ones() for _ in range(6)]
    for i in range(0, 6, 2):
        a, b = xs[i], xs[i + 1]
        xs[i], xs[i + 1] = two(oa.move(a), oa.move(b))
    use(xs[0])


def ok_pairwise_sum_tree() -> None:
    xs = [ones() for _ in range(4)]
    while len(xs) > 1:
        xs = [oa.add(oa.move(a), oa.move(b)) for a, b in zip(xs[::2], xs[1::2], strict=True)]
    use(xs[0])


def ok_pop_two() -> None:
    xs = [ones() for _ in range(4)]
    while len(xs) > 1:
        a, b = xs.pop(), xs.pop()
        xs.append(oa.add(oa.move(a), oa.move(b)))
    use(xs[0])


def ok_swap_in_list() -> None:
    xs = [ones(), ones()]
    xs[0], xs[1] = xs[1], xs[0]
    xs[0] = step(oa.move(xs[0]))
    use(xs[1])


def ok_swap_fields() -> None:
    s, t = State(ones()), State(ones())
    s.x, t.x = t.x, s.x
    s.x = step(oa.move(s.x))
    use(t.x)


def ok_leapfrog() -> None:
    prev, cur = ones(), ones()
    for _ in range(3):
        new = oa.subtract(step(cur), oa.move(prev))
        prev, cur = cur, new
    use(prev)
    use(cur)


def ok_runge_kutta() -> None:
    y = ones()
    for _ in range(3):
        k1 = step(y)
        k2 = step(oa.add(y, k1))
        y = oa.add(oa.move(y), oa.add(oa.move(k1), oa.move(k2)))
    use(y)


def ok_checkpoints_by_step() -> None:
    x, saved = ones(), dict[int, oa.Array]()
    for i in range(4):
        x = step(oa.move(x))
        if i % 2 == 0:
            saved[i] = oa.copy(x)
    x = saved.pop(2)
    use(step(oa.move(x)))
    use(saved[0])


def ok_ema() -> None:
    p, ema = {"w": ones()}, {"w": ones()}
    for _ in range(3):
        p = {k: step(oa.move(v)) for k, v in p.items()}
        ema = {k: oa.add(oa.move(e), p[k]) for k, e in ema.items()}
    use(p["w"])
    use(ema["w"])


def each(xs: Iterable[oa.Array], f: Callable[[oa.Array], oa.Array]) -> list[oa.Array]:
    return [f(x) for x in xs]


def ok_mapped_by_helper() -> None:
    xs = [ones(), ones()]
    ys = each(xs, step)
    ys = [step(oa.move(y)) for y in ys]
    use(xs[0])
    use(ys[0])


def split(x: oa.Array) -> tuple[oa.Array, oa.Array]:
    return x[:1], x[1:]


def ok_split_gives_new() -> None:
    x = ones()
    a, b = split(x)
    use(step(oa.move(a)))
    use(step(oa.move(b)))
    use(x)


class Point(NamedTuple):
    x: oa.Array
    n: int


def ok_named_tuple_in_loop() -> None:
    p = Point(ones(), 0)
    while p.n < 3:
        p = Point(step(oa.move(p.x)), p.n + 1)
    use(p.x)


def ok_field_names() -> None:
    s = State(ones())
    for f in fields(s):
        print(f.name, getattr(s, f.name))
    s.x = step(oa.move(s.x))
    use(s.x)


def ok_infinite_counter() -> None:
    x = ones()
    for i in itertools.count():
        if i > 3:
            break
        x = step(oa.move(x))
    use(x)


def ok_chain_map() -> None:
    base, over = {"a": ones()}, {"b": ones()}
    both = ChainMap(over, base)
    use(both["a"])
    over["b"] = step(oa.move(over["b"]))
    use(both["b"])


def ok_window() -> None:
    window: deque[oa.Array] = deque(maxlen=3)
    for _ in range(5):
        window.append(ones())
        total = functools.reduce(oa.add, window)
        use(total)
    use(step(oa.move(window.popleft())))


def ok_default_made_inside(x: oa.Array | None = None) -> None:
    y = ones() if x is None else oa.copy(x)
    y = step(oa.move(y))
    use(y)


def ok_del_names() -> None:
    x = ones()
    y = step(oa.move(x))
    del x
    x = step(oa.move(y))
    del y
    use(x)


def ok_list_of_lists() -> None:
    grid = [[ones() for _ in range(2)] for _ in range(2)]
    for _ in range(2):
        grid = [[step(oa.move(x)) for x in row] for row in grid]
        for row in grid:
            for j, x in enumerate(row):
                row[j] = step(oa.move(x))
    use(grid[0][1])


def ok_dict_of_lists() -> None:
    d = {"a": [ones(), ones()], "b": [ones()]}
    for _ in range(2):
        d = {k: [step(oa.move(x)) for x in xs] for k, xs in d.items()}
    for xs in d.values():
        for x in xs:
            use(x)


def ok_copies_of_one_in_list() -> None:
    x = ones()
    xs = [oa.copy(x) for _ in range(3)]
    xs = [step(oa.move(v)) for v in xs]
    use(x)
    use(xs[0])


def ok_conditional_swap() -> None:
    a, b = ones(), ones()
    for _ in range(3):
        if use(a) > use(b):
            a, b = b, a
        a = step(oa.move(a))
    use(a)
    use(b)


def ok_sentinel_loop() -> None:
    pending = [ones(), ones()]
    done = []
    while pending:
        x = pending.pop(0)
        done.append(step(oa.move(x)))
    use(done[0])
