"""Correct programs of many idioms: loops of steps, containers that are made anew, state in objects."""

import contextlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypedDict

import ownarray as oa


@oa.jit
def step(v: oa.Array) -> oa.Array:
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
def trained(
    p: dict[str, oa.Array], x: oa.Borrowed[oa.Array]
) -> tuple[dict[str, oa.Array], oa.Array]:
    return {k: v + x for k, v in p.items()}, oa.sum(x)


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


def ok_starred_list() -> None:
    xs = tuple(ones() for _ in range(3))
    for _ in range(3):
        xs = many(*[oa.move(x) for x in xs])
    use(xs)


def ok_starred_alias_of_move() -> None:
    xs, move = tuple(ones() for _ in range(3)), oa.move
    for _ in range(3):
        xs = many(*[move(x) for x in xs])
    use(xs)


def ok_starred_map() -> None:
    xs = tuple(ones() for _ in range(3))
    for _ in range(3):
        xs = many(*map(oa.move, xs))
    use(xs)


def ok_starred_generator() -> None:
    xs = tuple(ones() for _ in range(3))
    for _ in range(3):
        xs = many(*(oa.move(x) for x in xs))
    use(xs)


def ok_starred_once() -> None:
    xs = [ones(), ones()]
    ys = many(*[oa.move(x) for x in xs])
    use(ys)


def ok_starred_pair() -> None:
    xs = (ones(), ones())
    while float(oa.sum(xs[0])) < 50:
        xs = two(*[oa.move(x) for x in xs])
    use(xs)


def ok_starred_tuple_moved() -> None:
    xs = (ones(), ones())
    for _ in range(2):
        xs = two(*(oa.move(xs[0]), oa.move(xs[1])))
    use(xs)


def ok_double_starred() -> None:
    d = {"a": ones(), "b": ones()}
    for _ in range(3):
        d = named(**{k: oa.move(v) for k, v in d.items()})
    use(d)


def ok_double_starred_display() -> None:
    d = {"a": ones(), "b": ones()}
    for _ in range(3):
        d = named(**{"a": oa.move(d["a"]), "b": oa.move(d["b"])})
    use(d)


def ok_handles_kept_in_a_list_each_round() -> None:
    xs = (ones(), ones())
    for _ in range(3):
        handles = [oa.move(x) for x in xs]
        xs = two(*handles)
    use(xs)


def ok_handles_appended_each_round() -> None:
    xs = (ones(), ones())
    for _ in range(3):
        handles = []
        for x in xs:
            handles.append(oa.move(x))
        xs = two(*handles)
    use(xs)


def ok_handles_indexed() -> None:
    xs = (ones(), ones())
    for _ in range(3):
        handles = [oa.move(x) for x in xs]
        xs = two(handles[0], handles[1])
    use(xs)


def ok_state_in_for() -> None:
    state = ones()
    for _ in range(3):
        state = step(oa.move(state))
    use(state)


def ok_state_in_with() -> None:
    state = ones()
    for _ in range(3):
        with contextlib.nullcontext():
            state = step(oa.move(state))
    use(state)


def ok_state_in_try() -> None:
    state = ones()
    for _ in range(3):
        try:
            state = step(oa.move(state))
        finally:
            print("one round")
    use(state)


def ok_state_in_try_with_restart() -> None:
    state = ones()
    for _ in range(3):
        try:
            state = step(oa.move(state))
        except ValueError:
            state = ones()
    use(state)


def ok_state_in_try_with_break() -> None:
    state = ones()
    for _ in range(3):
        try:
            state = step(oa.move(state))
        except ValueError:
            state = ones()
            break
        else:
            use(state)
    use(state)


def ok_while_true_break() -> None:
    state, n = ones(), 0
    while True:
        state = step(oa.move(state))
        n += 1
        if n > 3:
            break
    use(state)


def ok_while_true_return() -> oa.Array:
    state, n = ones(), 0
    while True:
        n += 1
        if n > 3:
            return oa.copy(state)
        state = step(oa.move(state))


def ok_early_return(flag: bool = True) -> oa.Array:
    state = ones()
    if flag:
        return step(oa.move(state))
    return state


def steps(x: oa.Array, n: int) -> Iterator[oa.Array]:
    state = oa.copy(x)
    for _ in range(n):
        state = step(oa.move(state))
        yield oa.copy(state)


def ok_generator_of_steps() -> None:
    x = ones()
    for y in steps(x, 3):
        use(y)
    last = None
    for last in steps(x, 2):
        pass
    use(last, x)


def ok_lists_rebuilt() -> None:
    xs = [ones() for _ in range(3)]
    for _ in range(3):
        xs = [step(oa.move(x)) for x in xs]
    use(xs)


def ok_lists_rebuilt_with_zip() -> None:
    ps = [ones() for _ in range(3)]
    for _ in range(3):
        gs = [step(p) for p in ps]
        ps = [oa.subtract(oa.move(p), oa.move(g)) for p, g in zip(ps, gs, strict=True)]
    use(ps)


def ok_lists_of_pairs_rebuilt() -> None:
    pairs = [(ones(), ones()) for _ in range(3)]
    for _ in range(3):
        pairs = [two(oa.move(a), oa.move(b)) for a, b in pairs]
    use(pairs)


def ok_list_filled_each_round() -> None:
    xs = [ones() for _ in range(3)]
    for _ in range(3):
        new = []
        for x in xs:
            new.append(step(oa.move(x)))
        xs = new
    use(xs)


def ok_list_items_replaced() -> None:
    xs = [ones() for _ in range(3)]
    for _ in range(3):
        for i in range(len(xs)):
            xs[i] = step(oa.move(xs[i]))
    use(xs)


def ok_list_items_replaced_by_enumerate() -> None:
    xs = [ones() for _ in range(3)]
    for _ in range(3):
        for i, x in enumerate(xs):
            xs[i] = step(oa.move(x))
    use(xs)


def ok_dict_rebuilt() -> None:
    d = {"a": ones(), "b": ones()}
    for _ in range(3):
        d = {k: step(oa.move(v)) for k, v in d.items()}
    use(d)


def ok_dict_items_loop_rebuilds() -> None:
    d = {"a": ones(), "b": ones()}
    for _ in range(3):
        new = {}
        for k, v in d.items():
            new[k] = step(oa.move(v))
        d = new
    use(d)


def ok_dict_values_replaced() -> None:
    d = {"a": ones(), "b": ones()}
    for _ in range(3):
        for k, v in d.items():
            d[k] = step(oa.move(v))
    use(d)


def ok_dict_values_replaced_by_key() -> None:
    d = {"a": ones(), "b": ones()}
    for _ in range(3):
        for k in list(d):
            d[k] = step(oa.move(d[k]))
    use(d)


def ok_dict_popped() -> None:
    d = {"a": ones(), "b": ones()}
    for _ in range(3):
        d["a"] = step(oa.move(d.pop("a")))
    use(d)


def ok_whole_tree() -> None:
    d = {"a": ones(), "b": ones()}
    for _ in range(3):
        d = tree(oa.move(d))
    use(d)


def ok_training_loop() -> None:
    params = {"w": ones(), "b": ones()}
    losses = []
    for batch in [ones() for _ in range(3)]:
        params, loss = trained(oa.move(params), batch)
        losses.append(float(loss))
    use(params, losses)


def ok_training_with_gradients() -> None:
    params = {"w": ones(), "b": ones()}
    momentum = {k: oa.zeros_like(v) for k, v in params.items()}
    for _ in range(3):
        grads = {k: step(v) for k, v in params.items()}
        momentum = {k: oa.add(oa.move(m), grads[k]) for k, m in momentum.items()}
        params = {k: oa.subtract(oa.move(p), momentum[k]) for k, p in params.items()}
    use(params, momentum)


def ok_training_epochs() -> None:
    state = (ones(), ones())
    for epoch in range(2):
        for _ in range(2):
            a, b = state
            state = two(oa.move(a), oa.move(b))
        print(epoch, float(oa.sum(state[0])))
    use(state)


def ok_best_kept_by_copy() -> None:
    state, best = ones(), None
    for i in range(3):
        state = step(oa.move(state))
        if best is None or i % 2:
            best = oa.copy(state)
    use(state, best)


@dataclass
class Model:
    w: oa.Array = field(default_factory=ones)
    b: oa.Array = field(default_factory=ones)


def ok_dataclass_replace() -> None:
    m = Model()
    for _ in range(3):
        m = replace(m, w=step(oa.move(m.w)))
    use(m.w, m.b)


def ok_dataclass_replace_both() -> None:
    m = Model()
    for _ in range(3):
        w, b = two(oa.move(m.w), oa.move(m.b))
        m = replace(m, w=w, b=b)
    use(m.w, m.b)


def ok_dataclass_rebuilt() -> None:
    m = Model()
    for _ in range(3):
        m = Model(*two(oa.move(m.w), oa.move(m.b)))
    use(m.w, m.b)


def ok_list_of_models() -> None:
    ms = [Model() for _ in range(3)]
    for _ in range(2):
        for m in ms:
            m.w = step(oa.move(m.w))
        ms = [replace(m, b=step(oa.move(m.b))) for m in ms]
    use([m.w for m in ms], [m.b for m in ms])


class Pair(NamedTuple):
    a: oa.Array
    b: oa.Array


def ok_named_tuple() -> None:
    p = Pair(ones(), ones())
    for _ in range(3):
        p = Pair(*two(oa.move(p.a), oa.move(p.b)))
        p = p._replace(a=step(oa.move(p.a)))
    use(p)


class Both(TypedDict):
    a: oa.Array
    b: oa.Array


def ok_typed_dict() -> None:
    d: Both = {"a": ones(), "b": ones()}
    for _ in range(3):
        a, b = two(oa.move(d["a"]), oa.move(d["b"]))
        d = {"a": a, "b": b}
    use(d["a"], d["b"])
