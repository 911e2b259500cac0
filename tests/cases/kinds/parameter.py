"""Parameters: what is lent may be read; only what is replaced may be moved out of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import ownarray as oa

T = TypeVar("T")


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@oa.jit
def absorb(v: oa.Owned[oa.Array]) -> oa.Array:
    return v * 2.0


@oa.jit
def look(v: oa.Borrowed[oa.Array]) -> oa.Array:
    return v * 2.0


@oa.jit
def bump(v: oa.Mut[oa.Array]) -> None:
    v += 1.0


@oa.jit
def level(a: oa.Mut[oa.Array], b: oa.Mut[oa.Array]) -> None:
    a += 1.0
    b += 1.0


@oa.jit
def pour(a: oa.Mut[oa.Array], b: oa.Borrowed[oa.Array]) -> None:
    a += b


@oa.jit
def mixed(a: oa.Mut[oa.Array], b: oa.Array) -> oa.Array:
    a += 1.0
    return b * 2.0


@oa.jit
def settle(tree: oa.Mut[dict[str, oa.Array]], x: oa.Array) -> None:
    tree["w"] = tree["w"] + x


@dataclass
class Layer:
    w: oa.Array
    b: oa.Array


def static_lent_moved(x: oa.Array) -> oa.Array:
    return eat(oa.move(x))  # E: move-borrowed


def static_lent_alias_moved(x: oa.Array) -> oa.Array:
    y = x
    return eat(oa.move(y))  # E: move-borrowed


def static_lent_taken(x: oa.Array) -> oa.Array:
    return x.move().take()  # E: move-borrowed


def static_optional_moved(x: oa.Array | None) -> oa.Array | None:
    return None if x is None else eat(oa.move(x))  # E: move-borrowed


def static_default_moved(x: oa.Array = oa.ones(2)) -> oa.Array:
    return eat(oa.move(x))  # E: move-borrowed


def static_star_args_moved(*xs: oa.Array) -> None:
    for x in xs:
        eat(oa.move(x))  # E: move-borrowed


def static_kwargs_moved(**xs: oa.Array) -> None:
    eat(oa.move(xs["a"]))  # E: move-borrowed


def static_keyword_only_moved(*, x: oa.Array) -> None:
    eat(oa.move(x))  # E: move-borrowed


def static_part_moved(lay: Layer) -> oa.Array:
    return eat(oa.move(lay.w))  # E: move-borrowed


def static_item_moved(bag: dict[str, oa.Array]) -> oa.Array:
    return eat(oa.move(bag["w"]))  # E: move-borrowed


def static_tuple_part_moved(p: tuple[oa.Array, oa.Array]) -> oa.Array:
    a, b = p
    return oa.add(oa.move(a), b)  # E: move-borrowed


def static_loop_over_parameter(xs: list[oa.Array]) -> None:
    for x in xs:
        eat(oa.move(x))  # E: move-borrowed


def static_moved_on_one_path(x: oa.Array, flag: bool) -> oa.Array:
    if flag:
        return eat(oa.move(x))  # E: move-borrowed
    return oa.copy(x)


def static_part_replaced_on_one_path(lay: Layer, flag: bool) -> None:
    new = eat(oa.move(lay.w))  # E: move-borrowed
    if flag:
        lay.w = new


def ok_all(*_: object) -> None:
    x = oa.ones(2)
    part_replaced(Layer(oa.ones(2), oa.ones(2)))
    items_replaced([oa.ones(2)])
    entries_replaced({"w": oa.ones(2)})
    rebound(x)
    moved_first(oa.move(oa.ones(2)))
    functional(Layer(oa.ones(2), oa.ones(2)))
    in_place(x)
    generic([oa.ones(1)])
    raises_else(Layer(oa.ones(2), oa.ones(2)))


def part_replaced(lay: Layer) -> None:
    lay.w = eat(oa.move(lay.w))
    new = eat(oa.move(lay.b))
    lay.b = new


def items_replaced(xs: list[oa.Array]) -> None:
    for i in range(len(xs)):
        xs[i] = eat(oa.move(xs[i]))
    for i, x in enumerate(xs):
        xs[i] = eat(oa.move(x))


def entries_replaced(bag: dict[str, oa.Array]) -> None:
    for k in bag:
        bag[k] = eat(oa.move(bag[k]))
    bag["w"] = eat(oa.move(bag["w"]))


def rebound(x: oa.Array) -> oa.Array:
    x = oa.copy(x)
    return eat(oa.move(x))


def moved_first(h: oa.Moved[oa.Array]) -> oa.Array:
    x = h.take()
    x = eat(oa.move(x))
    return x


def functional(lay: Layer) -> Layer:
    return replace(lay, w=eat(lay.w))


def in_place(x: oa.Array) -> None:
    x += 1.0
    x[0] = 5.0


def generic(xs: list[T]) -> T:
    return xs[0]


def raises_else(lay: Layer) -> None:
    new = eat(oa.move(lay.w))
    if new.shape != (2,):
        raise ValueError
    lay.w = new


class Tank:
    scale = 2.0

    def __init__(self) -> None:
        self.level = oa.ones(2)
        self.parts = [oa.ones(1), oa.zeros(1)]

    def replaced(self) -> None:
        self.level = eat(oa.move(self.level))
        for i in range(2):
            self.parts[i] = eat(oa.move(self.parts[i]))

    def static_lost(self) -> oa.Array:
        return eat(oa.move(self.level))  # E: move-borrowed

    def static_lost_on_one_path(self, flag: bool) -> None:
        if flag:
            eat(oa.move(self.level))  # E: move-borrowed
        else:
            self.level = eat(oa.move(self.level))

    def static_read_between(self) -> None:
        new = eat(oa.move(self.level))
        oa.sum(self.level)  # E: use-after-move
        self.level = new

    def static_helper_between(self) -> None:
        new = eat(oa.move(self.level))
        self.show()  # E: use-after-move
        self.level = new

    def show(self) -> float:
        return float(oa.sum(self.level))

    def give(self) -> oa.Moved[oa.Array]:
        old, self.level = self.level, oa.zeros(2)
        return oa.move(old)

    def swallowed(self) -> None:
        try:
            self.level = eat(oa.move(self.level))
        finally:
            self.level = oa.ones(2)

    @classmethod
    def build(cls) -> "Tank":
        tank = cls()
        eat(oa.move(tank.level))
        tank.level = oa.zeros(2)
        return tank

    @staticmethod
    def static_of_static(x: oa.Array) -> oa.Array:
        return eat(oa.move(x))  # E: move-borrowed


def ok_tank() -> None:
    tank = Tank.build()
    tank.replaced()
    tank.give().take()
    tank.swallowed()
    tank.show()


def fails_dead_field_after_method() -> None:
    tank = Tank()
    eat(oa.move(tank.level))
    tank.replaced()  # E: use-after-move


def fails_owned_bare_fresh() -> None:
    absorb(oa.ones(2))  # E: needs-move


def fails_owned_bare_name() -> None:
    x = oa.ones(2)
    absorb(x)  # E: needs-move


def fails_owned_bare_expression() -> None:
    x = oa.ones(2)
    absorb(x + 1.0)  # E: needs-move


def fails_owned_bare_keyword() -> None:
    absorb(v=oa.ones(2))  # E: needs-move


def fails_owned_bare_result() -> None:
    absorb(eat(oa.ones(2)))  # E: needs-move


def fails_owned_parameter_passed_bare(x: oa.Array | None = None) -> None:
    y = oa.ones(2) if x is None else x
    absorb(y)  # E: needs-move


def ok_owned() -> None:
    x = oa.ones(2)
    h = oa.move(oa.zeros(2))
    absorb(oa.move(x))
    absorb(h)
    absorb(v=oa.move(oa.ones(2)))
    absorb(oa.ones(2).move())


def fails_owned_needs_move_then_alive() -> None:
    x = oa.ones(2)
    try:
        absorb(x)  # E: needs-move
    except oa.MoveRequiredError:
        pass
    absorb(oa.move(x))
    oa.sum(x)  # E: use-after-move


def fails_handle_to_borrowed() -> None:
    x = oa.ones(2)
    look(oa.move(x))  # E: move-borrowed


def fails_handle_to_mut() -> None:
    x = oa.ones(2)
    bump(oa.move(x))  # E: move-borrowed


def fails_handle_name_to_borrowed() -> None:
    h = oa.move(oa.ones(2))
    look(h)  # E: move-borrowed


def ok_borrowed_and_mut() -> None:
    x = oa.ones(2)
    look(x)
    bump(x)
    bump(x)
    look(x)
    pour(x, oa.ones(2))
    level(x, oa.ones(2))
    mixed(x, oa.ones(2))
    oa.sum(x)


def fails_mut_dead() -> None:
    x = oa.ones(2)
    eat(oa.move(x))
    bump(x)  # E: use-after-move


def fails_mut_twice_alias() -> None:
    x = oa.ones(2)
    y = x
    level(x, y)  # E: mutate-borrowed


def fails_mut_and_borrowed() -> None:
    x = oa.ones(2)
    pour(x, x)  # E: mutate-borrowed


def fails_mut_and_lent() -> None:
    x = oa.ones(2)
    mixed(x, x)  # E: mutate-borrowed


def fails_mut_keywords() -> None:
    x = oa.ones(2)
    level(b=x, a=x)  # E: mutate-borrowed


def fails_mut_tree_and_part() -> None:
    tree = {"w": oa.ones(2)}
    settle(tree, tree["w"])  # E: mutate-borrowed


def ok_mut_of_parts() -> None:
    lay = Layer(oa.ones(2), oa.zeros(2))
    level(lay.w, lay.b)
    pour(lay.w, lay.b)
    xs = [oa.ones(2), oa.zeros(2)]
    level(xs[0], xs[1])
    settle({"w": lay.w}, lay.b)


def fails_mut_same_part() -> None:
    lay = Layer(oa.ones(2), oa.zeros(2))
    level(lay.w, lay.w)  # E: mutate-borrowed


def fails_mut_of_shared_parts() -> None:
    x = oa.ones(2)
    lay = Layer(x, oa.zeros(2))
    level(lay.w, x)  # E: mutate-borrowed


def ok_mut_slice_is_new() -> None:
    x = oa.ones(4)
    pour(x, x[:4])
    oa.sum(x)


def static_borrowed_updated(x: oa.Borrowed[oa.Array]) -> None:
    x += 1.0  # E: mutate-borrowed


def static_borrowed_item_updated(x: oa.Borrowed[oa.Array]) -> None:
    x[0] = 1.0  # E: mutate-borrowed


def static_borrowed_alias_updated(x: oa.Borrowed[oa.Array]) -> None:
    y = x
    y[0] = 1.0  # E: mutate-borrowed


def static_borrowed_part_updated(lay: oa.Borrowed[Layer]) -> None:
    lay.w += 1.0  # E: mutate-borrowed


def static_borrowed_part_moved(lay: oa.Borrowed[Layer]) -> None:
    lay.w = eat(oa.move(lay.w))  # E: move-borrowed|mutate-borrowed


def static_borrowed_to_mut(x: oa.Borrowed[oa.Array]) -> None:
    bump(x)  # E: mutate-borrowed


def ok_borrowed_copied(x: oa.Array | None = None) -> None:
    def inner(v: oa.Borrowed[oa.Array]) -> oa.Array:
        v = oa.copy(v)
        v += 1.0
        return eat(oa.move(v))

    inner(oa.ones(2))


@oa.jit
def static_mut_moved(x: oa.Mut[oa.Array]) -> None:
    eat(oa.move(x))  # E: move-borrowed


@oa.jit
def static_borrowed_moved(x: oa.Borrowed[oa.Array]) -> oa.Array:
    return eat(oa.move(x))  # E: move-borrowed


@oa.jit
def neutral_may_be_owned(x: oa.Array) -> oa.Array:
    x = eat(oa.move(x))
    x += 1.0
    return x


@oa.jit
def owned_may_do_anything(x: oa.Owned[oa.Array]) -> oa.Array:
    x += 1.0
    x[0] = 3.0
    return eat(oa.move(x))


@oa.jit
def static_dead_in_trace(x: oa.Owned[oa.Array]) -> oa.Array:
    y = eat(oa.move(x))
    return y + x  # E: use-after-move


def ok_compiled_bodies() -> None:
    neutral_may_be_owned(oa.move(oa.ones(2)))
    owned_may_do_anything(oa.move(oa.ones(2)))


def static_owned_on_plain_function(x: oa.Owned[oa.Array]) -> oa.Array:  # E: needs-move
    return x * 2.0


def body(v: oa.Array) -> oa.Array:
    return eat(oa.move(v))


def ok_loop_body_owns_its_carry() -> None:
    x = oa.ones(2)
    x = oa.fixed_point(body, 3, oa.move(x))
    oa.sum(x)


def apply(f: Callable[[oa.Moved[oa.Array]], oa.Array], h: oa.Moved[oa.Array]) -> oa.Array:
    return f(h)


def take_it(h: oa.Moved[oa.Array]) -> oa.Array:
    return h.take()


def ok_handle_through_callable() -> None:
    apply(take_it, oa.move(oa.ones(2)))


def fails_handle_through_callable_twice() -> None:
    h = oa.move(oa.ones(2))
    apply(take_it, h)
    apply(take_it, h)  # E: use-after-move


class Model:
    @oa.jit
    def step(self, x: oa.Owned[oa.Array], lr: float = 0.1) -> oa.Array:
        return x * lr

    @oa.jit
    def read(self, x: oa.Array) -> oa.Array:
        return x + 1.0


