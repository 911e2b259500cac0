"""Loops: a move in a body without a new value is an error there."""

from collections.abc import Iterator

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@oa.jit
def mix(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


@oa.jit
def pair_step(p: tuple[oa.Array, oa.Array]) -> tuple[oa.Array, oa.Array]:
    return p[1], p[0]


def fails_for() -> None:
    x = oa.ones(2)
    for _ in range(2):
        eat(oa.move(x))  # E: use-after-move


def fails_for_read_before() -> None:
    x = oa.ones(2)
    for _ in range(2):
        oa.sum(x)  # E: use-after-move
        eat(oa.move(x))  # E?: use-after-move


def ok_for_rebinds() -> None:
    x = oa.ones(2)
    for _ in range(2):
        x = eat(oa.move(x))
    oa.sum(x)


def ok_two_step_rebind() -> None:
    x = oa.ones(2)
    for _ in range(2):
        y = eat(oa.move(x))
        x = eat(oa.move(y))
    oa.sum(x)


def ok_rotating_buffers() -> None:
    a, b = oa.ones(2), oa.zeros(2)
    for _ in range(4):
        a, b = eat(oa.move(b)), a
    oa.add(a, b)


def ok_three_rotating_buffers() -> None:
    a, b, c = oa.ones(2), oa.zeros(2), oa.ones(2)
    for _ in range(4):
        a, b, c = b, c, eat(oa.move(a))
    oa.add(oa.add(a, b), c)


def ok_previous_kept() -> None:
    prev, x = oa.zeros(2), oa.ones(2)
    for _ in range(3):
        new = oa.add(x, prev)
        prev = x
        x = new
    eat(oa.move(prev))
    oa.sum(x)


def fails_previous_is_alias() -> None:
    x = oa.ones(2)
    prev = x
    for _ in range(2):
        prev = x
        x = eat(oa.move(x))
        oa.sum(prev)  # E: use-after-move


def ok_swap_each_round() -> None:
    a, b = oa.ones(2), oa.zeros(2)
    for _ in range(3):
        a = eat(oa.move(a))
        a, b = b, a
    oa.add(a, b)


def fails_break_then_use() -> None:
    x = oa.ones(2)
    while True:
        eat(oa.move(x))
        break
    oa.sum(x)  # E: use-after-move


def ok_return_in_loop() -> None:
    x = oa.ones(2)
    for _ in range(2):
        eat(oa.move(x))
        return


def ok_raise_in_loop() -> None:
    x = oa.ones(2)
    for n in range(2):
        if n == 5:
            eat(oa.move(x))
            raise ValueError
        oa.sum(x)


def fails_continue_skips_rebind() -> None:
    x = oa.ones(2)
    for n in range(3):
        y = eat(oa.move(x))  # E: use-after-move
        if n == 0:
            continue
        x = y


def ok_while_condition_reads() -> None:
    x = oa.ones(2)
    while float(oa.sum(x)) < 5.0:
        x = eat(oa.move(x))
    oa.sum(x)


def fails_while_condition_reads_dead() -> None:
    x = oa.ones(2)
    while float(oa.sum(x)) < 5.0:  # E: use-after-move
        eat(oa.move(x))  # E?: use-after-move


def fails_loop_else() -> None:
    x = oa.ones(2)
    for _ in range(2):
        pass
    else:
        eat(oa.move(x))
    oa.sum(x)  # E: use-after-move


def ok_loop_else_rebinds() -> None:
    x = oa.ones(2)
    for n in range(2):
        if n == 5:
            break
    else:
        x = eat(oa.move(x))
    oa.sum(x)


def fails_nested_loops() -> None:
    x = oa.ones(2)
    for _ in range(2):
        for _ in range(1):
            eat(oa.move(x))  # E: use-after-move


def ok_nested_rebind_inside() -> None:
    x = oa.ones(2)
    for _ in range(2):
        y = oa.copy(x)
        for _ in range(2):
            y = eat(oa.move(y))
    oa.sum(x)


def fails_outer_round() -> None:
    x = oa.ones(2)
    for _ in range(2):
        y = oa.zeros(2)
        for _ in range(2):
            y = oa.add(oa.move(y), x)  # E: use-after-move
        eat(oa.move(x))  # E?: use-after-move


def fails_each_item_then_list() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    for z in xs:
        eat(oa.move(z))
    oa.move(xs)  # E: use-after-move


def fails_each_item_twice() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    for z in xs:
        eat(oa.move(z))
    for z in xs:  # E?: use-after-move
        oa.sum(z)  # E?: use-after-move


def ok_each_item_moved_once() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    for z in xs:
        eat(oa.move(z))


def fails_item_twice_in_round() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    for z in xs:
        eat(oa.move(z))
        oa.sum(z)  # E: use-after-move


def fails_last_item_after_loop() -> None:
    z = oa.ones(1)
    for z in [oa.ones(1), oa.zeros(1)]:
        eat(oa.move(z))
    oa.sum(z)  # E: use-after-move


def ok_items_replaced_by_index() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    for i in range(len(xs)):
        xs[i] = eat(oa.move(xs[i]))
    for z in xs:
        oa.sum(z)


def ok_items_replaced_by_enumerate() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    for i, z in enumerate(xs):
        xs[i] = eat(oa.move(z))
    oa.move(xs)


def ok_dict_values_replaced() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    for k in bag:
        bag[k] = eat(oa.move(bag[k]))
    for k, v in bag.items():
        bag[k] = eat(oa.move(v))
    oa.move(bag)


def fails_dict_values_moved() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    for v in bag.values():
        eat(oa.move(v))
    oa.move(bag)  # E: use-after-move


def fails_dict_items_moved() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    for k, v in bag.items():
        eat(oa.move(v))
        oa.sum(bag[k])  # E: use-after-move


def ok_comprehension_consumes() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    xs = [eat(oa.move(x)) for x in xs]
    oa.move(xs)


def fails_comprehension_then_list() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    ys = [eat(oa.move(x)) for x in xs]
    oa.move(ys)
    oa.move(xs)  # E: use-after-move


def fails_comprehension_moves_outer() -> None:
    x = oa.ones(1)
    [eat(oa.move(x)) for _ in range(2)]  # E: use-after-move


def fails_dict_comprehension() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    new = {k: eat(oa.move(v)) for k, v in bag.items()}
    oa.move(new)
    oa.sum(bag["w"])  # E?: use-after-move
    oa.move(bag)  # E: use-after-move


def fails_generator_expression_in_call() -> None:
    x = oa.ones(1)
    sum(float(oa.sum(eat(oa.move(x)))) for _ in range(2))  # E: use-after-move


def fails_zip() -> None:
    xs, ys = [oa.ones(1)], [oa.zeros(1)]
    for x, y in zip(xs, ys, strict=True):
        mix(oa.move(x), y)
    oa.move(ys)
    oa.move(xs)  # E: use-after-move


def ok_pop_and_consume() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    while xs:
        eat(oa.move(xs.pop()))
    assert len(xs) == 0


def ok_queue() -> None:
    xs = [oa.ones(1)]
    for n in range(3):
        x = xs.pop(0)
        xs.append(eat(oa.move(x)))
        assert n < 3
    oa.move(xs)


def fails_tree_state() -> None:
    state = {"p": oa.ones(2), "m": oa.zeros(2)}
    for _ in range(2):
        oa.move(state).take()  # E: use-after-move


def ok_tree_state_rebound() -> None:
    state = {"p": oa.ones(2), "m": oa.zeros(2)}
    for _ in range(2):
        state = oa.move(state).take()
    oa.sum(state["p"])


def ok_carry_of_library_loop() -> None:
    x = oa.ones(2)
    x = oa.fixed_point(lambda v: v * 0.5, 3, oa.move(x))
    x = oa.fori_loop(0, 3, lambda i, v: v + 1.0, oa.move(x))
    oa.sum(x)


def fails_carry_used_after() -> None:
    x = oa.ones(2)
    oa.fori_loop(0, 3, lambda i, v: v + 1.0, oa.move(x))
    oa.sum(x)  # E: use-after-move


def fails_scan() -> None:
    c, xs = oa.ones(()), oa.ones(3)
    oa.scan(lambda c, x: (c + x, c), oa.move(c), xs)
    oa.sum(xs)
    oa.sum(c)  # E: use-after-move


def batches() -> Iterator[oa.Array]:
    for n in range(3):
        yield oa.full(2, float(n))


def ok_training_loop() -> None:
    params = {"w": oa.ones(2)}
    for batch in batches():
        w = mix(oa.move(params["w"]), oa.move(batch))
        params = {"w": w}
    oa.sum(params["w"])


def fails_batch_used_after() -> None:
    total = oa.zeros(2)
    for batch in batches():
        total = mix(oa.move(total), oa.move(batch))
        oa.sum(batch)  # E: use-after-move


def ok_unpacked_state() -> None:
    a, b = oa.ones(2), oa.zeros(2)
    for _ in range(3):
        a, b = pair_step((oa.move(a), oa.move(b)))
    oa.add(a, b)


def fails_unpacked_state_forgotten() -> None:
    a, b = oa.ones(2), oa.zeros(2)
    for _ in range(3):
        a, _ = pair_step((oa.move(a), oa.move(b)))  # E: use-after-move


def ok_first_round_flag() -> None:
    x: oa.Array | None = None
    for _ in range(3):
        x = oa.ones(2) if x is None else eat(oa.move(x))
    assert x is not None
    oa.sum(x)


def ok_loop_variable_shadows() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    for x in [oa.ones(1), oa.zeros(1)]:
        oa.sum(x)


def fails_maybe_empty_loop_rebinds() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    for x in list[oa.Array]():
        oa.sum(x)
    oa.sum(x)  # E: use-after-move


def ok_while_true_break_rebound() -> None:
    x = oa.ones(2)
    n = 0
    while True:
        x = eat(oa.move(x))
        n += 1
        if n > 2:
            break
    oa.sum(x)
