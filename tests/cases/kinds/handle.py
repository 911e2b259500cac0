"""Handles are spent once."""

from dataclasses import dataclass

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@oa.jit
def absorb(v: oa.Owned[oa.Array]) -> oa.Array:
    return v * 2.0


@oa.jit
def weigh(v: tuple[oa.Array, oa.Array]) -> oa.Array:
    return v[0] + v[1]


def take_in(h: oa.Moved[oa.Array]) -> oa.Array:
    return h.take()


def fails_passed_twice() -> None:
    h = oa.move(oa.ones(3))
    eat(h)
    eat(h)  # E: use-after-move


def fails_passed_then_taken() -> None:
    h = oa.move(oa.ones(3))
    eat(h)
    h.take()  # E: use-after-move


def fails_taken_then_passed() -> None:
    h = oa.move(oa.ones(3))
    h.take()
    absorb(h)  # E: use-after-move


def fails_two_names_of_one_handle() -> None:
    h = oa.move(oa.ones(3))
    g = h
    eat(h)
    eat(g)  # E: use-after-move


def fails_taken_in_helper() -> None:
    h = oa.move(oa.ones(3))
    take_in(h)
    take_in(h)  # E: use-after-move


def fails_twice_in_one_call() -> None:
    h = oa.move(oa.ones(3))
    oa.add(h, h)  # E: use-after-move


def fails_name_stays_dead_after_take() -> None:
    x = oa.ones(3)
    y = oa.move(x).take()
    oa.sum(y)
    oa.sum(x)  # E: use-after-move


def ok_take_gives_new_owner() -> None:
    x = oa.ones(3)
    h = oa.move(x)
    y = h.take()
    y += 1.0
    eat(oa.move(y))


def ok_handle_rebound() -> None:
    h = oa.move(oa.ones(3))
    eat(h)
    h = oa.move(oa.ones(2))
    eat(h)


def ok_handle_metadata() -> None:
    h = oa.move(oa.ones(3))
    print(h.shape, h.dtype)
    eat(h)
    print(repr(h))


def fails_maybe_spent() -> None:
    h = oa.move(oa.ones(3))
    if h.shape == (3,):
        eat(h)
    eat(h)  # E: use-after-move


def ok_each_branch_spends() -> None:
    h = oa.move(oa.ones(3))
    if h.shape == (3,):
        eat(h)
    else:
        h.take()


def ok_handles_in_list() -> None:
    hs = [oa.move(oa.ones(2)) for _ in range(3)]
    for h in hs:
        eat(h)


def ok_popped_handles() -> None:
    hs = [oa.move(oa.ones(2)), oa.move(oa.ones(2))]
    while hs:
        eat(hs.pop())


def fails_list_drained_twice() -> None:
    hs = [oa.move(oa.ones(2)) for _ in range(3)]
    for h in hs:
        eat(h)
    for h in hs:  # E?: use-after-move
        eat(h)  # E?: use-after-move


def ok_handle_inside_display() -> None:
    a, b = oa.ones(2), oa.ones(2)
    weigh((oa.move(a), b))
    oa.sum(b)


def fails_name_after_display() -> None:
    a, b = oa.ones(2), oa.ones(2)
    weigh((oa.move(a), b))
    oa.sum(a)  # E: use-after-move


def fails_handle_in_tuple_twice() -> None:
    pair = (oa.move(oa.ones(2)), oa.move(oa.ones(2)))
    eat(pair[0])
    eat(pair[0])  # E: use-after-move


def fails_unpacked_handle_twice() -> None:
    first, second = oa.move(oa.ones(2)), oa.move(oa.ones(2))
    eat(first)
    eat(second)
    eat(first)  # E: use-after-move


def ok_handle_in_dict() -> None:
    box = {"w": oa.move(oa.ones(2))}
    eat(box["w"])
    box["w"] = oa.move(oa.ones(2))
    eat(box["w"])


def fails_handle_in_dict_twice() -> None:
    box = {"w": oa.move(oa.ones(2))}
    eat(box["w"])
    eat(box["w"])  # E: use-after-move


@dataclass
class Parcel:
    load: oa.Moved[oa.Array]


def fails_handle_field_twice() -> None:
    p = Parcel(oa.move(oa.ones(2)))
    eat(p.load)
    eat(p.load)  # E: use-after-move


def ok_handle_field_refilled() -> None:
    p = Parcel(oa.move(oa.ones(2)))
    eat(p.load)
    p.load = oa.move(oa.zeros(2))
    eat(p.load)


def drain(hs: list[oa.Moved[oa.Array]]) -> float:
    return sum(float(oa.sum(h.take())) for h in hs)


def ok_handles_of_a_parameter() -> None:
    drain([oa.move(oa.ones(1)), oa.move(oa.ones(1))])


def ok_reclaim() -> None:
    x = oa.ones(3)
    h = oa.move(x)
    x = oa.reclaim(x)
    oa.sum(x)
    del h


def fails_reclaim_voids_handle() -> None:
    x = oa.ones(3)
    h = oa.move(x)
    x = oa.reclaim(x)
    eat(h)  # E: use-after-move


def ok_failed_call_keeps_handle() -> None:
    def bad(v: oa.Array) -> oa.Array:
        raise ValueError

    h = oa.move(oa.ones(3))
    try:
        y = oa.jit(bad)(h)
    except ValueError:
        y = h.take()
    oa.sum(y)


def ok_handle_or_none() -> None:
    h: oa.Moved[oa.Array] | None = None
    for n in range(3):
        if h is not None:
            eat(h)
        h = oa.move(oa.ones(n + 1))
    if h is not None:
        eat(h)


def fails_handle_while() -> None:
    h = oa.move(oa.ones(3))
    n = 0
    while n < 2:
        h.take()  # E: use-after-move
        n += 1


def static_returned_twice() -> None:
    def twice(h: oa.Moved[oa.Array]) -> tuple[oa.Array, oa.Array]:
        return h.take(), h.take()  # E: use-after-move

    print(twice)


def ok_swap_handles() -> None:
    a, b = oa.move(oa.ones(2)), oa.move(oa.zeros(2))
    a, b = b, a
    eat(a)
    eat(b)


def fails_swapped_handle() -> None:
    a, b = oa.move(oa.ones(2)), oa.move(oa.zeros(2))
    eat(a)
    a, b = b, a  # E: use-after-move
    eat(a)
    eat(b)  # E: use-after-move


class Owner:
    def __init__(self) -> None:
        self.h: oa.Moved[oa.Array] | None = oa.move(oa.ones(2))

    def release(self) -> oa.Array | None:
        h, self.h = self.h, None
        return None if h is None else h.take()


def ok_handle_given_out_of_self() -> None:
    o = Owner()
    o.release()
    o.release()


def fails_take_after_reown() -> None:
    x = oa.ones(3)
    h = oa.move(x)
    y = h.take()
    eat(oa.move(y))
    oa.sum(y)  # E: use-after-move


def ok_conditional_handle() -> None:
    x, y = oa.ones(2), oa.zeros(2)
    flag = len(x) == 2
    h = oa.move(x) if flag else oa.move(y)
    eat(h)
