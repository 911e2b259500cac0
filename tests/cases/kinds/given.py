"""What generators and coroutines give and hold; slices and rests that share no item."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@oa.jit
def many(*vs: oa.Array) -> tuple[oa.Array, ...]:
    return tuple([v + 1.0 for v in vs])


def ones() -> oa.Array:
    return oa.ones(2)


def use(x: oa.Array) -> float:
    return float(oa.sum(x))


def copies(x: oa.Array) -> Iterator[oa.Array]:
    for _ in range(2):
        yield oa.copy(x)


def each(xs: list[oa.Array]) -> Iterator[oa.Array]:
    yield from xs


def pairs(xs: list[oa.Array]) -> Iterator[tuple[int, oa.Array]]:
    for i, x in enumerate(xs):
        yield i, x


def forever(x: oa.Array) -> Iterator[oa.Array]:
    while True:
        yield x


async def later(x: oa.Array) -> oa.Array:
    await asyncio.sleep(0)
    return eat(x)


async def same(x: oa.Array) -> oa.Array:
    await asyncio.sleep(0)
    return x


async def fresh(x: oa.Array) -> AsyncIterator[oa.Array]:
    yield eat(x)


def ok_generator_gives_copies() -> None:
    x = ones()
    for y in copies(x):
        eat(oa.move(y))
    use(x)


def ok_generator_of_copies_in_comprehension() -> None:
    x = ones()
    ys = [eat(oa.move(y)) for y in copies(x)]
    use(x)
    use(ys[0])


def ok_next_of_copies() -> None:
    x = ones()
    y = next(copies(x))
    eat(oa.move(y))
    use(x)


def fails_generator_gives_items() -> None:
    xs = [ones(), ones()]
    for x in each(xs):
        eat(oa.move(x))
    use(xs[0])  # E: use-after-move


def fails_generator_gives_pairs() -> None:
    xs = [ones(), ones()]
    for _, x in pairs(xs):
        eat(oa.move(x))
    use(xs[0])  # E: use-after-move


def fails_generator_without_end() -> None:
    x = ones()
    y = next(forever(x))
    eat(oa.move(y))
    use(x)  # E: use-after-move


def fails_generator_holds_dead() -> None:
    x = ones()
    ys = copies(x)
    eat(oa.move(x))
    for y in ys:  # E: use-after-move
        use(y)


async def ok_awaited_result_is_new() -> None:
    x = ones()
    y = await later(x)
    eat(oa.move(y))
    use(x)


async def ok_gathered_results_are_new() -> None:
    xs = [ones(), ones()]
    ys = await asyncio.gather(*[later(x) for x in xs])
    for y in ys:
        eat(oa.move(y))
    use(xs[0])


async def ok_task_awaited_first() -> None:
    x = ones()
    task = asyncio.create_task(later(x))
    y = await task
    eat(oa.move(x))
    use(y)


async def fails_awaited_result_is_argument() -> None:
    x = ones()
    y = await same(x)
    eat(oa.move(y))
    use(x)  # E: use-after-move


async def fails_moved_before_await() -> None:
    x = ones()
    task = asyncio.create_task(later(x))
    eat(oa.move(x))
    use(await task)  # E: use-after-move


async def ok_async_generator_gives_new() -> None:
    x = ones()
    async for y in fresh(x):
        eat(oa.move(y))
    use(x)


def ok_head_and_tail() -> None:
    xs = [ones(), ones(), ones()]
    head, tail = xs[:1], xs[1:]
    for h in head:
        eat(oa.move(h))
    use(tail[0])
    use(xs[2])


def ok_split_at_a_name(n: int = 1) -> None:
    xs = [ones(), ones(), ones()]
    head, tail = xs[:n], xs[n:]
    for h in head:
        eat(oa.move(h))
    use(tail[0])


def ok_all_but_the_last() -> None:
    xs = [ones(), ones(), ones()]
    first, last = xs[:-1], xs[-1]
    eat(oa.move(last))
    use(first[0])


def ok_rest_between() -> None:
    first, *middle, last = [ones(), ones(), ones()]
    eat(oa.move(first))
    eat(oa.move(last))
    use(middle[0])


def ok_two_halves_of_eight() -> None:
    xs = [ones() for _ in range(8)]
    low, high = xs[:4], xs[4:]
    low = [eat(oa.move(x)) for x in low]
    use(low[0])
    for x in high:
        use(x)


def fails_head_moved_then_whole() -> None:
    xs = [ones(), ones(), ones()]
    for h in xs[:2]:
        eat(oa.move(h))
    use(xs[1])  # E: use-after-move


def fails_overlapping_slices() -> None:
    xs = [ones(), ones(), ones()]
    one, two = xs[:2], xs[1:]
    for x in one:
        eat(oa.move(x))
    use(two[0])  # E: use-after-move


def fails_split_at_a_name_that_changed(n: int = 2) -> None:
    xs = [ones(), ones(), ones()]
    head = xs[:n]
    n = 1
    tail = xs[n:]
    for h in head:
        eat(oa.move(h))
    use(tail[0])  # E: use-after-move


def fails_from_the_end() -> None:
    xs = [ones(), ones(), ones()]
    last = xs[-2:]
    for x in last:
        eat(oa.move(x))
    use(xs[-1])  # E: use-after-move


def fails_rest_moved() -> None:
    xs = [ones(), ones(), ones()]
    _, *middle, _ = xs
    for x in middle:
        eat(oa.move(x))
    use(xs[1])  # E: use-after-move


def fails_starred_handles_twice() -> None:
    xs = [ones(), ones()]
    handles = [oa.move(x) for x in xs]
    many(*handles)
    many(*handles)  # E: use-after-move


def fails_starred_handles_in_loop() -> None:
    xs = [ones(), ones()]
    handles = [oa.move(x) for x in xs]
    for _ in range(2):
        many(*handles)  # E: use-after-move


def ok_enumerated_pairs_replaced() -> None:
    xs, ys = [ones(), ones()], [ones(), ones()]
    for _ in range(2):
        for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
            xs[i], ys[i] = eat(oa.move(x)), eat(oa.move(y))
    use(xs[0])
    use(ys[1])


def fails_enumerated_pairs_moved() -> None:
    xs, ys = [ones(), ones()], [ones(), ones()]
    for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
        xs[i] = eat(oa.move(x))
        eat(oa.move(y))
    use(xs[0])
    use(ys[1])  # E: use-after-move


class Holder:
    def __init__(self) -> None:
        self.value = ones()

    def put(self, v: oa.Array) -> None:
        self.value = v

    def put_if(self, v: oa.Array, flag: bool) -> None:
        if flag:
            self.value = v

    def put_after_look(self, v: oa.Array) -> None:
        use(self.value)
        self.value = v

    def exchanged(self, v: oa.Array) -> oa.Array:
        old, self.value = self.value, v
        return old

    def put_by_other(self, v: oa.Array) -> None:
        self.put(v)


def put(h: Holder, v: oa.Array) -> None:
    h.value = v


def ok_setter_gets_result_of_part() -> None:
    h = Holder()
    for _ in range(2):
        h.put(eat(oa.move(h.value)))
    use(h.value)


def ok_function_puts_result_of_part() -> None:
    h = Holder()
    for _ in range(2):
        put(h, eat(oa.move(h.value)))
    use(h.value)


def ok_old_value_after_setter() -> None:
    h = Holder()
    old = h.value
    h.put(ones())
    eat(oa.move(old))
    use(h.value)


def fails_setter_on_some_ways() -> None:
    h = Holder()
    h.put_if(eat(oa.move(h.value)), False)  # E?: use-after-move
    use(h.value)  # E: use-after-move


def fails_setter_that_looks() -> None:
    h = Holder()
    new = eat(oa.move(h.value))
    h.put_after_look(new)  # E: use-after-move


def fails_exchanged_after_move() -> None:
    h = Holder()
    old = h.exchanged(eat(oa.move(h.value)))  # E: use-after-move
    use(old)  # E?: use-after-move


def fails_put_by_name_then_moved() -> None:
    h, v = Holder(), ones()
    h.put(v)
    eat(oa.move(v))
    use(h.value)  # E: use-after-move


def fails_part_after_setter() -> None:
    h = Holder()
    h.put(eat(oa.move(h.value)))
    eat(oa.move(h.value))
    use(h.value)  # E: use-after-move


def ok_rows_of_a_list_replaced() -> None:
    grid = [[ones(), ones()], [ones(), ones()]]
    for row in grid:
        for j, x in enumerate(row):
            row[j] = eat(oa.move(x))
    use(grid[0][1])


def fails_rows_of_a_list_moved() -> None:
    grid = [[ones(), ones()], [ones(), ones()]]
    for row in grid:
        for j, x in enumerate(row):
            if j:
                row[j] = eat(oa.move(x))
            else:
                eat(oa.move(x))
    use(grid[0][0])  # E: use-after-move


def ok_slices_put_together(k: int = 1) -> None:
    xs = [ones(), ones()]
    xs = xs[:k] + [ones()] + xs[k:]
    xs = [*xs[1:], *xs[:1]]
    for _ in range(2):
        xs = xs[1:] + xs[:1]
    oa.move(xs).take()


def fails_slice_put_to_the_whole() -> None:
    xs = [ones(), ones()]
    ys = xs + xs[:1]
    oa.move(ys)  # E: shared-array


def fails_slice_of_one_object() -> None:
    c = ones()
    xs = [ones()]
    for _ in range(2):
        xs += [c]
    for z in xs[1:]:
        eat(oa.move(z))  # E: use-after-move


def fails_item_taken_out_and_put_in() -> None:
    xs = [ones()]
    eat(oa.move(xs[0]))
    b = xs.pop(0)  # E: use-after-move
    xs = [b] * 2  # E: use-after-move
    use(b)  # E: use-after-move


def ok_largest_then_moved() -> None:
    a, b = ones(), ones()
    x = max([a, b], key=use)
    eat(oa.move(x))
    use(ones())


def fails_largest_moved() -> None:
    a, b = ones(), ones()
    x = max([a, b], key=use)
    eat(oa.move(x))
    use(b)  # E: use-after-move
    use(a)  # E: use-after-move


def ok_other_items_of_a_queue() -> None:
    b, c = ones(), ones()
    queue = deque([ones()])
    queue.append(b)
    queue.append(c)
    oa.move([ones(), c]).take()
    use(b)


def fails_queue_after_its_item() -> None:
    b, c = ones(), ones()
    queue = deque([ones()])
    queue.append(b)
    queue.append(c)
    oa.move([ones(), c]).take()
    use(queue[2])  # E: use-after-move
