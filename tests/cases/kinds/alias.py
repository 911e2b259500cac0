"""Two names of one object: a move through either kills both."""

import copy
from dataclasses import dataclass, field

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@dataclass
class Box:
    x: oa.Array


@dataclass
class Bag:
    xs: list[oa.Array] = field(default_factory=list)

    def put(self, x: oa.Array) -> None:
        self.xs.append(x)

    def first(self) -> oa.Array:
        return self.xs[0]


class Holder:
    def __init__(self, x: oa.Array, scale: float) -> None:
        self.x = x
        self.scale = scale

    def get(self) -> oa.Array:
        return self.x

    def set(self, x: oa.Array) -> None:
        self.x = x

    @property
    def value(self) -> oa.Array:
        return self.x


def same(x: oa.Array) -> oa.Array:
    return x


def either(x: oa.Array, y: oa.Array, flag: bool) -> oa.Array:
    return x if flag else y


def doubled(x: oa.Array) -> oa.Array:
    return x * 2.0


def pair(x: oa.Array) -> tuple[oa.Array, oa.Array]:
    return x, oa.zeros(2)


def fails_plain() -> None:
    x = oa.ones(2)
    y = x
    eat(oa.move(x))
    oa.sum(y)  # E: use-after-move


def fails_other_way() -> None:
    x = oa.ones(2)
    y = x
    eat(oa.move(y))
    oa.sum(x)  # E: use-after-move


def fails_chain() -> None:
    x = oa.ones(2)
    y = x
    z = y
    eat(oa.move(x))
    oa.sum(z)  # E: use-after-move


def ok_copy_is_new() -> None:
    x = oa.ones(2)
    y = oa.copy(x)
    z = copy.deepcopy(x)
    eat(oa.move(x))
    oa.add(y, z)


def ok_alias_then_rebound() -> None:
    x = oa.ones(2)
    y = x
    y = oa.zeros(2)
    eat(oa.move(x))
    oa.sum(y)


def ok_original_rebound() -> None:
    x = oa.ones(2)
    y = x
    x = oa.zeros(2)
    eat(oa.move(y))
    oa.sum(x)


def ok_alias_holds_after_rebind() -> None:
    x = oa.ones(2)
    y = x
    x = oa.zeros(2)
    eat(oa.move(x))
    oa.sum(y)


def fails_both_moved() -> None:
    x = oa.ones(2)
    y = x
    eat(oa.move(x))
    eat(oa.move(y))  # E: use-after-move


def fails_in_place_update_of_alias() -> None:
    x = oa.ones(2)
    y = x
    eat(oa.move(x))
    y += 1.0  # E: use-after-move


def fails_list_display() -> None:
    x = oa.ones(2)
    xs = [x, oa.zeros(2)]
    oa.move(xs)
    oa.sum(x)  # E: use-after-move


def fails_list_after_element() -> None:
    x = oa.ones(2)
    xs = [x, oa.zeros(2)]
    eat(oa.move(x))
    oa.move(xs)  # E: use-after-move


def fails_list_slot() -> None:
    x = oa.ones(2)
    xs = [x, oa.zeros(2)]
    eat(oa.move(xs[0]))
    oa.sum(x)  # E: use-after-move


def ok_other_list_slot() -> None:
    x = oa.ones(2)
    xs = [x, oa.zeros(2)]
    eat(oa.move(xs[1]))
    oa.sum(x)


def fails_dict_display() -> None:
    x = oa.ones(2)
    bag = {"x": x}
    eat(oa.move(bag["x"]))
    oa.sum(x)  # E: use-after-move


def fails_appended() -> None:
    x = oa.ones(2)
    xs: list[oa.Array] = []
    xs.append(x)
    oa.move(xs)
    oa.sum(x)  # E: use-after-move


def fails_appended_then_moved_by_name() -> None:
    x = oa.ones(2)
    xs: list[oa.Array] = []
    xs.append(x)
    eat(oa.move(x))
    oa.move(xs)  # E: use-after-move


def ok_appended_new() -> None:
    xs: list[oa.Array] = []
    x = oa.ones(2)
    for _ in range(3):
        xs.append(oa.copy(x))
        x = eat(oa.move(x))
    oa.move(xs)


def fails_appended_state() -> None:
    xs: list[oa.Array] = []
    x = oa.ones(2)
    for _ in range(3):
        xs.append(x)
        x = eat(oa.move(x))
    oa.move(xs)  # E: use-after-move


def fails_stored_in_dict() -> None:
    x = oa.ones(2)
    bag: dict[str, oa.Array] = {}
    bag["x"] = x
    eat(oa.move(x))
    oa.sum(bag["x"])  # E: use-after-move


def fails_stored_in_attribute() -> None:
    x, box = oa.ones(2), Box(oa.zeros(2))
    box.x = x
    eat(oa.move(box.x))
    oa.sum(x)  # E: use-after-move


def ok_attribute_replaced() -> None:
    x = oa.ones(2)
    box = Box(x)
    box.x = oa.zeros(2)
    eat(oa.move(box.x))
    oa.sum(x)


def fails_constructor_keeps() -> None:
    x = oa.ones(2)
    box = Box(x)
    eat(oa.move(x))
    oa.sum(box.x)  # E: use-after-move


def fails_own_init_keeps() -> None:
    x = oa.ones(2)
    h = Holder(x, 2.0)
    eat(oa.move(x))
    oa.sum(h.x)  # E: use-after-move


def fails_setter_keeps() -> None:
    x, h = oa.ones(2), Holder(oa.zeros(2), 1.0)
    h.set(x)
    eat(oa.move(x))
    oa.sum(h.x)  # E: use-after-move


def fails_getter_gives_it() -> None:
    h = Holder(oa.ones(2), 1.0)
    y = h.get()
    eat(oa.move(y))
    oa.sum(h.x)  # E: use-after-move


def fails_property_gives_it() -> None:
    h = Holder(oa.ones(2), 1.0)
    y = h.value
    eat(oa.move(y))
    oa.sum(h.x)  # E: use-after-move


def fails_bag_method() -> None:
    bag, x = Bag(), oa.ones(2)
    bag.put(x)
    eat(oa.move(x))
    oa.move(bag)  # E: use-after-move


def fails_bag_first() -> None:
    bag = Bag()
    bag.put(oa.ones(2))
    eat(oa.move(bag.first()))
    oa.move(bag)  # E: use-after-move


def fails_identity_function() -> None:
    x = oa.ones(2)
    y = same(x)
    eat(oa.move(y))
    oa.sum(x)  # E: use-after-move


def fails_one_of_two() -> None:
    x, y = oa.ones(2), oa.zeros(2)
    z = either(x, y, True)
    eat(oa.move(z))
    oa.sum(x)  # E: use-after-move


def ok_function_result_is_new() -> None:
    x = oa.ones(2)
    y = doubled(x)
    eat(oa.move(x))
    oa.sum(y)


def fails_tuple_result() -> None:
    x = oa.ones(2)
    y, z = pair(x)
    eat(oa.move(y))
    oa.sum(z)
    oa.sum(x)  # E: use-after-move


def ok_other_part_of_result() -> None:
    x = oa.ones(2)
    y, z = pair(x)
    eat(oa.move(z))
    oa.add(x, y)


def ok_compiled_identity_is_new() -> None:
    x = oa.ones(2)
    y = oa.jit(same)(x)
    eat(oa.move(y))
    oa.sum(x)


def fails_max_min_of() -> None:
    a, b = oa.ones(1), oa.zeros(1)
    big = max(a, b, key=lambda v: float(v[0]))
    eat(oa.move(big))
    oa.sum(a)  # E: use-after-move


def fails_next_of_iterator() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    x = next(iter(xs))
    eat(oa.move(x))
    oa.move(xs)  # E: use-after-move


def fails_sorted() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    ys = sorted(xs, key=lambda v: float(v[0]))
    eat(oa.move(ys[0]))
    oa.move(xs)  # E: use-after-move


def fails_reversed_loop() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    for x in reversed(xs):
        eat(oa.move(x))
    oa.move(xs)  # E: use-after-move


def fails_nested_display() -> None:
    x = oa.ones(1)
    tree = {"a": [x, oa.zeros(1)]}
    oa.move(tree)
    oa.sum(x)  # E: use-after-move


def fails_nested_display_part() -> None:
    x = oa.ones(1)
    tree = {"a": [x, oa.zeros(1)]}
    eat(oa.move(tree["a"][0]))
    oa.sum(x)  # E: use-after-move


def fails_walrus_alias() -> None:
    x = oa.ones(1)
    if (y := x) is not None:
        eat(oa.move(y))
    oa.sum(x)  # E: use-after-move


def fails_global_alias_in_class() -> None:
    class Config:
        x = oa.ones(1)

    y = Config.x
    eat(oa.move(y))
    oa.sum(Config.x)  # E: use-after-move


def fails_concatenated_lists() -> None:
    x = oa.ones(1)
    xs = [x] + [oa.zeros(1)]
    oa.move(xs)
    oa.sum(x)  # E: use-after-move


def fails_extended() -> None:
    x = oa.ones(1)
    xs = [oa.zeros(1)]
    xs += [x]
    oa.move(xs)
    oa.sum(x)  # E: use-after-move


def fails_extend_method() -> None:
    x = oa.ones(1)
    xs = [oa.zeros(1)]
    xs.extend([x])
    oa.move(xs)
    oa.sum(x)  # E: use-after-move


def fails_starred_display() -> None:
    x = oa.ones(1)
    xs = [x]
    ys = [oa.zeros(1), *xs]
    oa.move(ys)
    oa.sum(x)  # E: use-after-move


def fails_list_comprehension_keeps() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    ys = [x for x in xs if x is not None]
    oa.move(ys)
    oa.move(xs)  # E: use-after-move


def fails_for_over_display() -> None:
    a, b = oa.ones(1), oa.zeros(1)
    for z in (a, b):
        eat(oa.move(z))
    oa.sum(a)  # E: use-after-move


def ok_old_value_kept_elsewhere() -> None:
    box = Box(oa.ones(1))
    old = box.x
    box.x = oa.zeros(1)
    eat(oa.move(old))
    oa.sum(box.x)


def fails_uncertain_alias_still_counts(flag: bool = True) -> None:
    a, b = Box(oa.ones(1)), Box(oa.zeros(1))
    c = a if flag else b
    eat(oa.move(c.x))
    oa.sum(a.x)  # E: use-after-move


def ok_uncertain_alias_replaced(flag: bool = True) -> None:
    a, b = Box(oa.ones(1)), Box(oa.zeros(1))
    c = a if flag else b
    c.x = eat(oa.move(c.x))
    oa.add(a.x, b.x)


def fails_default_argument_holds() -> None:
    x = oa.ones(1)

    def f(v: oa.Array = x) -> float:
        return float(v[0])

    eat(oa.move(x))
    f()  # E: use-after-move


def ok_distinct_objects_of_comprehension() -> None:
    xs = [oa.full(1, float(n)) for n in range(3)]
    eat(oa.move(xs[0]))
    oa.add(xs[1], xs[2])


def fails_swap_then_old_name() -> None:
    a, b = oa.ones(1), oa.zeros(1)
    a, b = b, a
    eat(oa.move(b))
    oa.sum(a)
    oa.sum(b)  # E: use-after-move
