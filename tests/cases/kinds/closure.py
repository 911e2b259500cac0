"""Functions that capture, generators, coroutines, globals, classes."""

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Iterator

import ownarray as oa

STATE = oa.ones(2)
DEAD = oa.ones(2)
ONCE = oa.ones(2)


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


def fails_called_after() -> None:
    x = oa.ones(2)

    def f() -> float:
        return float(oa.sum(x))

    eat(oa.move(x))
    f()  # E: use-after-move


def ok_called_before() -> None:
    x = oa.ones(2)

    def f() -> float:
        return float(oa.sum(x))

    f()
    eat(oa.move(x))


def ok_rebound_before_call() -> None:
    x = oa.ones(2)

    def f() -> float:
        return float(oa.sum(x))

    x = eat(oa.move(x))
    f()


def call(f: Callable[[], object]) -> object:
    return f()


def fails_passed_on() -> None:
    x = oa.ones(2)

    def f() -> float:
        return float(oa.sum(x))

    eat(oa.move(x))
    call(f)  # E: use-after-move


def fails_lambda_passed_on() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    call(lambda: oa.sum(x))  # E: use-after-move


def fails_alias_of_function() -> None:
    x = oa.ones(2)

    def f() -> float:
        return float(oa.sum(x))

    g = f
    eat(oa.move(x))
    g()  # E: use-after-move


def fails_function_in_list() -> None:
    x = oa.ones(2)
    fs = [lambda: oa.sum(x)]
    eat(oa.move(x))
    fs[0]()  # E: use-after-move


def fails_captured_moved() -> None:
    x = oa.ones(2)

    def f() -> oa.Array:
        return eat(oa.move(x))  # E: move-borrowed

    f()
    oa.sum(x)  # E: use-after-move


def static_lambda_moves_captured() -> None:
    x = oa.ones(2)
    f = lambda: eat(oa.move(x))  # E: move-borrowed
    print(f)


def ok_nonlocal_rebound() -> None:
    x = oa.ones(2)

    def step() -> None:
        nonlocal x
        x = eat(oa.move(x))

    step()
    step()
    oa.sum(x)


def static_nonlocal_on_one_path(flag: bool = True) -> None:
    x = oa.ones(2)

    def step() -> None:
        nonlocal x
        y = eat(oa.move(x))  # E: move-borrowed
        if flag:
            x = y

    step()


def ok_nonlocal_revives() -> None:
    x = oa.ones(2)

    def refill() -> None:
        nonlocal x
        x = oa.ones(2)

    eat(oa.move(x))
    refill()
    oa.sum(x)


def ok_captured_object_part_replaced() -> None:
    bag = {"w": oa.ones(2)}

    def step() -> None:
        bag["w"] = eat(oa.move(bag["w"]))

    step()
    step()
    oa.move(bag)


def fails_nested_two_deep() -> None:
    x = oa.ones(2)

    def outer() -> float:
        def inner() -> float:
            return float(oa.sum(x))

        return inner()

    eat(oa.move(x))
    outer()  # E: use-after-move


def fails_calls_another() -> None:
    x = oa.ones(2)

    def one() -> float:
        return float(oa.sum(x))

    def two() -> float:
        return one()

    eat(oa.move(x))
    two()  # E: use-after-move


def fails_returned_closure() -> None:
    x = oa.ones(2)

    def make() -> Callable[[], float]:
        def inner() -> float:
            return float(oa.sum(x))

        return inner

    f = make()
    eat(oa.move(x))
    f()  # E: use-after-move


def ok_shadowed_name() -> None:
    x = oa.ones(2)

    def f(x: oa.Array) -> float:
        return float(oa.sum(x))

    eat(oa.move(x))
    f(oa.ones(2))


def ok_own_local_of_the_same_name() -> None:
    x = oa.ones(2)

    def f() -> float:
        x = oa.ones(2)
        eat(oa.move(x))
        return 1.0

    f()
    oa.sum(x)


def fails_generator_expression_later() -> None:
    x = oa.ones(2)
    gen = (float(x[i]) for i in range(2))
    eat(oa.move(x))
    sum(gen)  # E: use-after-move


def ok_generator_expression_used_before() -> None:
    x = oa.ones(2)
    total = sum(float(x[i]) for i in range(2))
    eat(oa.move(x))
    print(total)


def fails_generator_over_dead_list() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    gen = (oa.sum(x) for x in xs)
    oa.move(xs)
    list(gen)  # E: use-after-move


def fails_map_later() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    it = map(oa.sum, xs)
    oa.move(xs)
    list(it)  # E: use-after-move


def numbers(x: oa.Array) -> Iterator[float]:
    for i in range(2):
        yield float(x[i])


def fails_generator_function_later() -> None:
    x = oa.ones(2)
    it = numbers(x)
    eat(oa.move(x))
    next(it)  # E: use-after-move


def fails_generator_in_for() -> None:
    x = oa.ones(2)
    for n in numbers(x):  # E?: use-after-move
        eat(oa.move(x))  # E: use-after-move
        print(n)


def ok_generator_exhausted() -> None:
    x = oa.ones(2)
    total = sum(numbers(x))
    eat(oa.move(x))
    print(total)


def fails_local_generator() -> None:
    x = oa.ones(2)

    def gen() -> Iterator[float]:
        yield float(x[0])

    it = gen()
    eat(oa.move(x))
    next(it)  # E: use-after-move


def fails_yielded_then_moved() -> None:
    def gen() -> Iterator[oa.Array]:
        x = oa.ones(2)
        eat(oa.move(x))
        yield x  # E: use-after-move

    for item in gen():
        oa.sum(item)  # E?: use-after-move


def ok_generator_with_state() -> None:
    def gen() -> Iterator[oa.Array]:
        x = oa.ones(2)
        for _ in range(2):
            x = eat(oa.move(x))
            yield oa.copy(x)

    for item in gen():
        oa.move(item)


async def total(x: oa.Array) -> float:
    await asyncio.sleep(0)
    return float(oa.sum(x))


async def fails_coroutine_awaited_later() -> None:
    x = oa.ones(2)
    job = total(x)
    eat(oa.move(x))
    await job  # E: use-after-move


async def ok_coroutine_awaited() -> None:
    x = oa.ones(2)
    await total(x)
    eat(oa.move(x))


async def fails_moved_then_awaited() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    await total(x)  # E: use-after-move


async def fails_gather() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    await asyncio.gather(total(x), total(oa.ones(1)))  # E: use-after-move


async def arrays() -> AsyncIterator[oa.Array]:
    for n in range(2):
        yield oa.full(1, float(n))


async def ok_async_for() -> None:
    async for x in arrays():
        eat(oa.move(x))


async def fails_async_for() -> None:
    async for x in arrays():
        eat(oa.move(x))
        oa.sum(x)  # E: use-after-move


async def ok_async_state() -> None:
    x = oa.ones(2)
    for _ in range(2):
        x = eat(oa.move(x))
        await asyncio.sleep(0)
    oa.sum(x)


def ok_global_rebound() -> None:
    global STATE
    STATE = eat(oa.move(STATE))
    oa.sum(STATE)


def static_global_moved() -> None:
    eat(oa.move(ONCE))  # E: move-borrowed


def reads_dead() -> float:
    return float(oa.sum(DEAD))


def fails_global_function() -> None:
    local = oa.ones(2)

    def reads() -> float:
        return float(oa.sum(local))

    eat(oa.move(local))
    functools.reduce(lambda a, b: a, [reads()])  # E: use-after-move


def fails_partial() -> None:
    x = oa.ones(2)
    f = functools.partial(oa.add, x)
    eat(oa.move(x))
    f(oa.ones(2))  # E: use-after-move


def fails_bound_method() -> None:
    class Box:
        def __init__(self, x: oa.Array) -> None:
            self.x = x

        def total(self) -> float:
            return float(oa.sum(self.x))

    box = Box(oa.ones(2))
    f = box.total
    eat(oa.move(box.x))
    f()  # E: use-after-move


def fails_compiled_captures() -> None:
    w = oa.ones(2)

    @oa.jit
    def f(x: oa.Array) -> oa.Array:
        return x + w

    f(oa.ones(2))
    eat(oa.move(w))
    f(oa.ones(2))  # E: use-after-move


def ok_compiled_captures_update() -> None:
    w = oa.ones(2)

    @oa.jit
    def f(x: oa.Array) -> oa.Array:
        return x + w

    f(oa.ones(2))
    w += 1.0
    f(oa.ones(2))


def static_compiled_updates_captured() -> None:
    w = oa.ones(2)

    @oa.jit
    def f(x: oa.Array) -> oa.Array:
        w[0] = 1.0  # E: mutate-borrowed
        return x + w

    print(f)


def fails_jit_of_lambda_captures() -> None:
    w = oa.ones(2)
    f = oa.jit(lambda x: x + w)
    eat(oa.move(w))
    f(oa.ones(2))  # E: use-after-move


def fails_value_captured_by_loop_body() -> None:
    w = oa.ones(2)
    eat(oa.move(w))
    oa.fori_loop(0, 2, lambda i, v: v + w, oa.ones(2))  # E: use-after-move


def fails_comprehension_reads_dead() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    [x[i] for i in range(2)]  # E: use-after-move


def fails_default_of_lambda() -> None:
    x = oa.ones(2)
    f = lambda v=x: oa.sum(v)
    eat(oa.move(x))
    f()  # E: use-after-move


def fails_class_body() -> None:
    x = oa.ones(2)
    eat(oa.move(x))

    class Config:
        total = float(oa.sum(x))  # E: use-after-move

    print(Config)


def fails_class_body_moves() -> None:
    x = oa.ones(2)

    class Config:
        y = eat(oa.move(x))

    print(Config)
    oa.sum(x)  # E: use-after-move


def fails_decorator_argument() -> None:
    x = oa.ones(2)
    eat(oa.move(x))

    def deco(v: oa.Array) -> Callable[[Callable[[], None]], Callable[[], None]]:
        oa.sum(v)
        return lambda f: f

    @deco(x)  # E: use-after-move
    def f() -> None: ...

    f()


def ok_recursive() -> None:
    def count(x: oa.Moved[oa.Array], n: int) -> oa.Array:
        y = x.take()
        return y if n == 0 else count(oa.move(eat(oa.move(y))), n - 1)

    count(oa.move(oa.ones(2)), 2)


def fails_recursive_helper_reads() -> None:
    x = oa.ones(2)

    def again(n: int) -> float:
        return float(oa.sum(x)) if n == 0 else again(n - 1)

    eat(oa.move(x))
    again(1)  # E: use-after-move
