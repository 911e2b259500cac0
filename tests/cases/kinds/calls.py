"""What a callee gives away and replaces: its other names die."""

from dataclasses import dataclass

import ownarray as oa


@oa.jit
def eat(v: oa.Array) -> oa.Array:
    return v * 2.0


@dataclass
class Box:
    x: oa.Array


class Trainer:
    def __init__(self) -> None:
        self.state = oa.ones(2)
        self.count = 0

    def update(self) -> float:
        self.state = eat(oa.move(self.state))
        self.count += 1
        return float(oa.sum(self.state))

    def run(self) -> float:
        total = 0.0
        for _ in range(2):
            total += self.update()
        return total

    def reset(self) -> None:
        self.state = oa.zeros(2)


def renew(box: Box) -> None:
    box.x = eat(oa.move(box.x))


def renew_all(bag: dict[str, oa.Array]) -> None:
    for k in bag:
        bag[k] = eat(oa.move(bag[k]))


def refill_then_move(box: Box) -> None:
    box.x = oa.ones(2)
    box.x = eat(oa.move(box.x))


def ok_methods() -> None:
    t = Trainer()
    t.update()
    t.run()
    t.reset()
    oa.sum(t.state)


def fails_other_name_of_state() -> None:
    t = Trainer()
    old = t.state
    t.update()
    oa.sum(t.state)
    oa.sum(old)  # E: use-after-move


def fails_other_name_through_two_methods() -> None:
    t = Trainer()
    old = t.state
    t.run()
    oa.sum(old)  # E: use-after-move


def ok_reset_kills_nothing() -> None:
    t = Trainer()
    old = t.state
    t.reset()
    oa.sum(old)


def fails_other_name_of_field() -> None:
    x = oa.ones(2)
    box = Box(x)
    renew(box)
    oa.sum(box.x)
    oa.sum(x)  # E: use-after-move


def ok_refilled_first() -> None:
    x = oa.ones(2)
    box = Box(x)
    refill_then_move(box)
    oa.sum(x)


def fails_closure_rebinds_other_name() -> None:
    x = oa.ones(2)
    y = x

    def step() -> None:
        nonlocal x
        x = eat(oa.move(x))

    step()
    oa.sum(x)
    oa.sum(y)  # E: use-after-move


def ok_closure_called_in_loop() -> None:
    x = oa.ones(2)

    def step() -> None:
        nonlocal x
        x = eat(oa.move(x))

    for _ in range(3):
        step()
    oa.sum(x)
