"""Parts are distinct owners; the whole needs all of them."""

import dataclasses
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@dataclass
class Layer:
    w: oa.Array
    b: oa.Array

    def norm(self) -> float:
        return float(oa.sum(self.w))

    @property
    def total(self) -> float:
        return float(oa.sum(self.w))


class Point(NamedTuple):
    x: oa.Array
    y: oa.Array


@dataclass
class Net:
    one: Layer
    two: Layer
    rest: list[Layer]


def make() -> Layer:
    return Layer(oa.ones(2), oa.zeros(2))


def net() -> Net:
    return Net(make(), make(), [make(), make()])


def total(lay: Layer) -> float:
    return float(oa.sum(lay.b))


def fails_field_twice() -> None:
    lay = make()
    eat(oa.move(lay.w))
    oa.sum(lay.w)  # E: use-after-move


def ok_other_field() -> None:
    lay = make()
    eat(oa.move(lay.w))
    oa.sum(lay.b)


def ok_field_replaced() -> None:
    lay = make()
    lay.w = eat(oa.move(lay.w))
    total(lay)
    lay.norm()


def static_whole_passed() -> None:
    lay = make()
    eat(oa.move(lay.w))
    total(lay)  # E: use-after-move


def fails_method_of_partly_dead() -> None:
    lay = make()
    eat(oa.move(lay.w))
    lay.norm()  # E: use-after-move


def fails_property_of_partly_dead() -> None:
    lay = make()
    eat(oa.move(lay.w))
    lay.total  # E: use-after-move


def fails_move_whole_after_part() -> None:
    lay = make()
    eat(oa.move(lay.w))
    oa.move(lay)  # E: use-after-move


def fails_part_after_whole() -> None:
    lay = make()
    oa.move(lay)
    oa.sum(lay.w)  # E: use-after-move


def static_print_whole() -> None:
    lay = make()
    eat(oa.move(lay.w))
    print(lay)  # E: use-after-move


def fails_deep_part() -> None:
    n = net()
    eat(oa.move(n.one.w))
    oa.sum(n.one.w)  # E: use-after-move


def ok_deep_siblings() -> None:
    n = net()
    eat(oa.move(n.one.w))
    oa.sum(n.one.b)
    oa.sum(n.two.w)
    n.two.norm()


def fails_deep_whole() -> None:
    n = net()
    eat(oa.move(n.one.w))
    oa.move(n)  # E: use-after-move


def fails_middle_whole() -> None:
    n = net()
    eat(oa.move(n.one.w))
    n.one.norm()  # E: use-after-move


def fails_list_of_objects() -> None:
    n = net()
    eat(oa.move(n.rest[0].w))
    oa.sum(n.rest[1].w)
    oa.sum(n.rest[0].w)  # E: use-after-move


def ok_middle_replaced() -> None:
    n = net()
    eat(oa.move(n.one.w))
    n.one = make()
    oa.move(n)


def fails_tuple_slot() -> None:
    pair = (oa.ones(1), oa.zeros(1))
    eat(oa.move(pair[0]))
    oa.sum(pair[0])  # E: use-after-move


def fails_negative_index() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    eat(oa.move(xs[-1]))
    oa.sum(xs[0])
    oa.sum(xs[-1])  # E: use-after-move


def fails_same_variable_index() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    i = len(xs) - 1
    eat(oa.move(xs[i]))
    oa.sum(xs[i])  # E: use-after-move


def ok_index_changed() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    i = 0
    eat(oa.move(xs[i]))
    i += 1
    oa.sum(xs[i])


def fails_index_changed_then_whole() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    i = 0
    eat(oa.move(xs[i]))
    i = 1
    oa.sum(xs[i])
    oa.move(xs)  # E: use-after-move


def fails_index_expression() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    i = 0
    eat(oa.move(xs[i + 1]))
    oa.sum(xs[i])
    oa.sum(xs[i + 1])  # E: use-after-move


def fails_namedtuple_field() -> None:
    p = Point(oa.ones(1), oa.zeros(1))
    eat(oa.move(p.x))
    oa.sum(p.y)
    oa.sum(p.x)  # E: use-after-move


def static_namedtuple_by_index() -> None:
    p = Point(oa.ones(1), oa.zeros(1))
    eat(oa.move(p.x))
    oa.sum(p[0])  # E?: use-after-move


def ok_namedtuple_replaced() -> None:
    p = Point(oa.ones(1), oa.zeros(1))
    p = p._replace(x=eat(oa.move(p.x)))
    oa.move(p)


def ok_dataclass_replaced() -> None:
    lay = make()
    lay = dataclasses.replace(lay, w=eat(oa.move(lay.w)))
    oa.move(lay)


def fails_dataclass_replace_other() -> None:
    lay = make()
    eat(oa.move(lay.w))
    dataclasses.replace(lay, b=oa.ones(1)).norm()  # E: use-after-move


def fails_replace_shares_the_rest() -> None:
    lay = make()
    new = dataclasses.replace(lay, w=oa.ones(2))
    eat(oa.move(lay.b))
    oa.sum(new.w)
    oa.sum(new.b)  # E: use-after-move


def ok_replace_differs_there() -> None:
    lay = make()
    new = dataclasses.replace(lay, w=oa.ones(2))
    eat(oa.move(lay.w))
    oa.sum(new.w)


def ok_dict_display_replaces() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    bag = {**bag, "w": eat(oa.move(bag["w"]))}
    oa.move(bag)


def fails_dict_copy_shares() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    new = {**bag}
    eat(oa.move(bag["w"]))
    oa.sum(new["b"])
    oa.sum(new["w"])  # E: use-after-move


def ok_dict_copy_then_replaced() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    new = dict(bag)
    new["w"] = oa.zeros(1)
    eat(oa.move(bag["w"]))
    oa.sum(new["w"])
    oa.move(new)


def fails_list_copy_shares() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    ys = list(xs)
    eat(oa.move(ys[0]))
    oa.sum(xs[1])
    oa.sum(xs[0])  # E: use-after-move


def fails_list_slice_shares() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    ys = xs[:1]
    oa.move(ys)
    oa.move(xs)  # E: use-after-move


def ok_del_item() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    eat(oa.move(bag["w"]))
    del bag["w"]
    oa.move(bag)


def ok_pop_item() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    eat(oa.move(bag.pop("w")))
    oa.move(bag)


def ok_list_pop_first() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    eat(oa.move(xs[0]))
    xs.pop(0)
    oa.move(xs)


def ok_deque() -> None:
    xs = deque([oa.ones(1), oa.zeros(1)])
    eat(oa.move(xs.popleft()))
    xs.append(oa.ones(1))
    oa.sum(xs[0])


def ok_clear() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    eat(oa.move(xs[0]))
    xs.clear()
    xs.append(oa.ones(1))
    oa.move(xs)


def fails_item_of_nested_dict() -> None:
    tree = {"a": {"w": oa.ones(1)}, "b": {"w": oa.zeros(1)}}
    eat(oa.move(tree["a"]["w"]))
    oa.sum(tree["b"]["w"])
    oa.sum(tree["a"]["w"])  # E: use-after-move


def ok_metadata_of_dead_tree() -> None:
    bag = {"w": oa.ones(1)}
    oa.move(bag)
    assert bag["w"].is_moved
    print(bag["w"].shape)


def ok_same_field_of_two_objects() -> None:
    a, b = make(), make()
    eat(oa.move(a.w))
    oa.sum(b.w)


def fails_field_via_alias() -> None:
    a = make()
    b = a
    eat(oa.move(a.w))
    oa.sum(b.w)  # E: use-after-move


def ok_field_via_alias_replaced() -> None:
    a = make()
    b = a
    b.w = eat(oa.move(a.w))
    total(a)
    total(b)


def fails_unpack_then_tuple() -> None:
    pair = (oa.ones(1), oa.zeros(1))
    a, b = pair
    eat(oa.move(a))
    oa.sum(b)
    oa.move(pair)  # E: use-after-move


def fails_star_unpack() -> None:
    xs = [oa.ones(1), oa.zeros(1), oa.ones(1)]
    first, *rest = xs
    eat(oa.move(first))
    oa.move(rest)
    oa.sum(first)  # E: use-after-move


def fails_setdefault_get() -> None:
    bag = {"w": oa.ones(1)}
    w = bag.get("w")
    assert w is not None
    eat(oa.move(w))
    oa.sum(bag["w"])  # E: use-after-move


def ok_update_revives() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    eat(oa.move(bag["w"]))
    bag.update({"w": oa.ones(1)})
    oa.move(bag)


def ok_update_by_keyword() -> None:
    bag = {"w": oa.ones(1), "b": oa.zeros(1)}
    eat(oa.move(bag["w"]))
    bag.update(w=oa.ones(1))
    oa.move(bag)


def fails_two_level_alias() -> None:
    n = net()
    one = n.one
    w = one.w
    eat(oa.move(w))
    oa.sum(n.one.w)  # E: use-after-move


def ok_len_of_partly_moved() -> None:
    xs = [oa.ones(1), oa.zeros(1)]
    i = 0
    while i < len(xs):
        eat(oa.move(xs[i]))
        i += 1
