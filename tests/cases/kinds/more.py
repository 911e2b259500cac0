"""Situations of public ownership checkers, in Python."""

import contextlib
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypedDict, TypeVar

import numpy as np

import ownarray as oa

T = TypeVar("T")


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@oa.jit
def join(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


def spend(h: oa.Moved[oa.Array]) -> float:
    return float(oa.sum(h.take()))


class Params(TypedDict):
    w: oa.Array
    b: oa.Array


class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)

    def pop(self) -> T:
        return self.items.pop()

    def peek(self) -> T:
        return self.items[-1]


class Base:
    def __init__(self, w: oa.Array) -> None:
        self.w = w

    def total(self) -> float:
        return float(oa.sum(self.w))


class Derived(Base):
    def __init__(self, w: oa.Array, b: oa.Array) -> None:
        super().__init__(w)
        self.b = b


@dataclass
class Node:
    value: oa.Array
    next: "Node | None" = None


@dataclass
class Config:
    xs: list[oa.Array] = field(default_factory=list)


class Summable(Protocol):
    def total(self) -> float: ...


def fails_typed_dict() -> None:
    p: Params = {"w": oa.ones(2), "b": oa.zeros(2)}
    eat(oa.move(p["w"]))
    oa.sum(p["b"])
    oa.sum(p["w"])  # E: use-after-move


def ok_typed_dict_rebuilt() -> None:
    p: Params = {"w": oa.ones(2), "b": oa.zeros(2)}
    for _ in range(2):
        p = {"w": eat(oa.move(p["w"])), "b": eat(oa.move(p["b"]))}
    oa.move(p)


def fails_inherited_field() -> None:
    d = Derived(oa.ones(2), oa.zeros(2))
    eat(oa.move(d.w))
    oa.sum(d.b)
    d.total()  # E: use-after-move


def fails_argument_of_derived() -> None:
    x = oa.ones(2)
    d = Derived(oa.zeros(2), x)
    eat(oa.move(x))
    oa.sum(d.b)  # E: use-after-move


def fails_stack_pushed() -> None:
    s, x = Stack[oa.Array](), oa.ones(2)
    s.push(x)
    eat(oa.move(x))
    oa.sum(s.peek())  # E: use-after-move


def ok_stack_popped() -> None:
    s = Stack[oa.Array]()
    s.push(oa.ones(2))
    eat(oa.move(s.pop()))
    s.push(oa.ones(2))
    oa.sum(s.peek())


def fails_linked_nodes() -> None:
    a = Node(oa.ones(1))
    b = Node(oa.zeros(1), a)
    eat(oa.move(a.value))
    assert b.next is not None
    oa.sum(b.next.value)  # E: use-after-move


def ok_linked_nodes_apart() -> None:
    a = Node(oa.ones(1))
    b = Node(oa.zeros(1), a)
    eat(oa.move(b.value))
    oa.sum(a.value)


def fails_default_dict() -> None:
    bag: defaultdict[str, list[oa.Array]] = defaultdict(list)
    x = oa.ones(1)
    bag["a"].append(x)
    oa.move(bag["a"])
    oa.sum(x)  # E: use-after-move


def fails_list_in_dataclass() -> None:
    c, x = Config(), oa.ones(1)
    c.xs.append(x)
    oa.move(c.xs)
    oa.sum(x)  # E: use-after-move


def fails_itemgetter() -> None:
    pair = (oa.ones(1), oa.zeros(1))
    first = operator.itemgetter(0)(pair)
    eat(oa.move(first))
    oa.sum(pair[0])  # E?: use-after-move


def ok_conditional_rebind_same_statement(flag: bool = True) -> None:
    x = oa.ones(2)
    x = eat(oa.move(x)) if flag else x
    oa.sum(x)


def ok_or_default() -> None:
    x: oa.Array | None = None
    y = x if x is not None else oa.ones(2)
    eat(oa.move(y))


def fails_chained_methods() -> None:
    x = oa.ones((2, 2))
    eat(x.move())
    x.reshape(4).sum()  # E: use-after-move


def fails_move_in_condition_of_while() -> None:
    x = oa.ones(1)
    while spend(oa.move(x)) > 5.0:  # E?: use-after-move
        pass
    oa.sum(x)  # E: use-after-move


def fails_move_in_comprehension_condition() -> None:
    x = oa.ones(1)
    [n for n in range(2) if spend(oa.move(x)) > 0.0]  # E: use-after-move


def fails_move_in_slice() -> None:
    x, y = oa.ones(1), oa.ones(3)
    y[int(spend(oa.move(x))) :]
    oa.sum(x)  # E: use-after-move


def fails_move_in_default() -> None:
    x = oa.ones(1)

    def f(v: float = spend(oa.move(x))) -> float:
        return v

    f()
    oa.sum(x)  # E: use-after-move


def fails_move_in_decorator() -> None:
    x = oa.ones(1)

    def deco(v: float) -> Callable[[T], T]:
        return lambda f: f

    @deco(spend(oa.move(x)))
    def f() -> None: ...

    f()
    oa.sum(x)  # E: use-after-move


def fails_move_in_fstring() -> None:
    x = oa.ones(1)
    f"{spend(oa.move(x))}"
    oa.sum(x)  # E: use-after-move


def fails_move_in_assert() -> None:
    x = oa.ones(1)
    assert spend(oa.move(x)) > 0.0
    oa.sum(x)  # E: use-after-move


def fails_move_in_raise() -> None:
    x = oa.ones(1)
    try:
        raise ValueError(spend(oa.move(x)))
    except ValueError:
        oa.sum(x)  # E: use-after-move


def fails_move_in_return_then_finally() -> None:
    def f() -> float:
        x = oa.ones(1)
        try:
            return spend(oa.move(x))
        finally:
            oa.sum(x)  # E: use-after-move

    f()


def fails_move_in_with_item() -> None:
    x = oa.ones(1)
    with contextlib.nullcontext(eat(oa.move(x))) as y:
        oa.sum(y)
    oa.sum(x)  # E: use-after-move


def fails_move_in_subscript_store() -> None:
    x = oa.ones(1)
    bag: dict[str, oa.Array] = {}
    bag["a"] = eat(oa.move(x))
    oa.sum(bag["a"])
    oa.sum(x)  # E: use-after-move


def fails_move_in_lambda_called() -> None:
    x = oa.ones(1)
    f = lambda h: h.take()
    f(oa.move(x))
    oa.sum(x)  # E: use-after-move


def fails_map_moves_each() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    for h in map(oa.move, xs):
        eat(h)
    oa.sum(xs[0])  # E?: use-after-move
    oa.move(xs)  # E: use-after-move


def fails_tuple_of_moves_then_use() -> None:
    a, b = oa.ones(1), oa.zeros(1)
    hs = oa.move(a), oa.move(b)
    eat(hs[0])
    eat(hs[1])
    oa.add(a, b)  # E: use-after-move


def fails_move_whole_tuple_display() -> None:
    a, b = oa.ones(1), oa.zeros(1)
    oa.move((a, b))
    oa.sum(a)  # E: use-after-move


def fails_move_dict_display() -> None:
    a, b = oa.ones(1), oa.zeros(1)
    p = oa.move({"a": a, "b": b}).take()
    oa.sum(p["a"])
    oa.sum(b)  # E: use-after-move


def ok_reown_whole_tree() -> None:
    a, b = oa.ones(1), oa.zeros(1)
    p = oa.move({"a": a, "b": b}).take()
    a, b = p["a"], p["b"]
    oa.add(a, b)


def fails_taken_tree_alias() -> None:
    p = oa.move({"a": oa.ones(1)}).take()
    a = p["a"]
    eat(oa.move(a))
    oa.sum(p["a"])  # E: use-after-move


def ok_class_attribute_rebound() -> None:
    class Cache:
        x = oa.ones(1)

    Cache.x = eat(oa.move(Cache.x))
    oa.sum(Cache.x)


def fails_instance_dict_alias() -> None:
    b = Base(oa.ones(1))
    c = b
    eat(oa.move(c.w))
    b.total()  # E: use-after-move


def ok_nested_function_parameter() -> None:
    def inner(h: oa.Moved[oa.Array]) -> oa.Array:
        x = h.take()
        for _ in range(2):
            x = eat(oa.move(x))
        return x

    y = inner(oa.move(oa.ones(1)))
    y = inner(oa.move(y))
    oa.sum(y)


def fails_generator_send() -> None:
    def gen() -> Iterator[float]:
        x = oa.ones(1)
        yield float(x[0])
        eat(oa.move(x))
        yield float(x[0])  # E: use-after-move

    list(gen())


def fails_yield_from() -> None:
    xs = [oa.ones(1)]

    def gen() -> Iterator[oa.Array]:
        yield from xs

    oa.move(xs)
    for x in gen():  # E: use-after-move
        oa.sum(x)  # E?: use-after-move


def ok_break_leaves_nested_loops() -> None:
    x = oa.ones(1)
    for _ in range(2):
        for _ in range(2):
            eat(oa.move(x))
            return
    oa.sum(x)


def fails_inner_break_only() -> None:
    x = oa.ones(1)
    for _ in range(2):
        for _ in range(2):
            eat(oa.move(x))  # E: use-after-move
            break


def fails_continue_outer() -> None:
    x = oa.ones(1)
    n = 0
    while n < 2:
        n += 1
        if n > 5:
            break
        eat(oa.move(x))  # E: use-after-move
        continue


def ok_rebind_in_finally_of_loop() -> None:
    x = oa.ones(1)
    for _ in range(2):
        try:
            eat(oa.move(x))
        finally:
            x = oa.ones(1)
    oa.sum(x)


def fails_except_star_uses() -> None:
    x = oa.ones(1)
    try:
        eat(oa.move(x))
        raise ValueError
    except* ValueError:
        oa.sum(x)  # E: use-after-move


def fails_numpy_operator_on_dead() -> None:
    x = oa.ones(1)
    eat(oa.move(x))
    np.ones(1) + x  # E: use-after-move


def fails_iteration_over_dead() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    for row in x:  # E: use-after-move
        print(row)


def fails_membership() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    bool(1.0 in x)  # E: use-after-move


def fails_unpack_dead_array() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    a, b = x  # E: use-after-move
    print(a, b)


def ok_unpacked_rows_are_new() -> None:
    x = oa.ones((2, 2))
    a, b = x
    eat(oa.move(x))
    oa.add(a, b)


def ok_loop_over_rows() -> None:
    x = oa.ones((2, 2))
    for row in x:
        eat(oa.move(row))
    oa.sum(x)


def fails_global_statement_in_nested() -> None:
    x = oa.ones(1)

    def outer() -> None:
        def inner() -> None:
            nonlocal x
            x = eat(oa.move(x))

        inner()

    y = x
    outer()
    oa.sum(x)
    oa.sum(y)  # E: use-after-move


def ok_del_part_then_whole() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    eat(oa.move(xs[0]))
    del xs[0]
    oa.move(xs)


def fails_two_lists_share() -> None:
    x = oa.ones(1)
    xs, ys = [x], [x]
    oa.move(xs)
    oa.move(ys)  # E: use-after-move


def ok_sum_of_generator_then_move() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    total = sum(float(x[0]) for x in xs)
    oa.move(xs)
    assert total == 1.0


def fails_any_all() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    oa.move(xs)
    any(float(x[0]) > 5.0 for x in xs)  # E: use-after-move


def fails_dict_get_default() -> None:
    d, x = {"a": oa.ones(1)}, oa.zeros(1)
    y = d.get("b", x)
    eat(oa.move(y))
    oa.sum(x)  # E: use-after-move


def fails_setdefault() -> None:
    d: dict[str, oa.Array] = {}
    x = oa.ones(1)
    y = d.setdefault("a", x)
    eat(oa.move(y))
    oa.sum(x)  # E: use-after-move
