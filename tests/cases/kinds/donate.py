"""donate_argnums and donate_argnames consume bare arrays, as in JAX."""

from functools import partial

import ownarray as oa


def step(state: oa.Array, force: oa.Array) -> oa.Array:
    return state + force


def keyed(state: oa.Array, *, grads: oa.Array) -> oa.Array:
    return state + grads


push = oa.jit(step, donate_argnums=0)
pull = oa.jit(step, donate_argnames="force")
both = oa.jit(step, donate_argnums=(0, 1))
last = oa.jit(step, donate_argnums=[-1])
named = oa.jit(keyed, donate_argnames=("grads",))


@oa.jit(donate_argnums=(0,))
def advance(state: oa.Array, force: oa.Array) -> oa.Array:
    return state + force


@partial(oa.jit, donate_argnums=(0,))
def advance_partial(state: oa.Array, force: oa.Array) -> oa.Array:
    return state + force


def fails_positional() -> None:
    s, f = oa.ones(2), oa.ones(2)
    push(s, f)
    oa.sum(f)
    oa.sum(s)  # E: use-after-move


def fails_by_keyword() -> None:
    s, f = oa.ones(2), oa.ones(2)
    push(force=f, state=s)
    oa.sum(f)
    oa.sum(s)  # E: use-after-move


def fails_argnames() -> None:
    s, f = oa.ones(2), oa.ones(2)
    pull(s, f)
    oa.sum(s)
    oa.sum(f)  # E: use-after-move


def fails_argnames_keyword_only() -> None:
    s, g = oa.ones(2), oa.ones(2)
    named(s, grads=g)
    oa.sum(s)
    oa.sum(g)  # E: use-after-move


def fails_both() -> None:
    s, f = oa.ones(2), oa.ones(2)
    both(s, f)
    oa.add(s, f)  # E: use-after-move


def fails_decorator() -> None:
    s, f = oa.ones(2), oa.ones(2)
    advance(s, f)
    oa.sum(s)  # E: use-after-move


def fails_partial_decorator() -> None:
    s, f = oa.ones(2), oa.ones(2)
    advance_partial(s, f)
    oa.sum(s)  # E: use-after-move


def fails_same_twice() -> None:
    s = oa.ones(2)
    both(s, s)  # E: use-after-move


def fails_donated_and_lent() -> None:
    s = oa.ones(2)
    push(s, s)  # E?: use-after-move


def fails_twice() -> None:
    s, f = oa.ones(2), oa.ones(2)
    push(s, f)
    push(s, f)  # E: use-after-move


def fails_alias() -> None:
    s, f = oa.ones(2), oa.ones(2)
    old = s
    s = push(s, f)
    oa.sum(old)  # E: use-after-move


def ok_rebound() -> None:
    s, f = oa.ones(2), oa.ones(2)
    for _ in range(3):
        s = push(s, f)
    oa.add(s, f)


def ok_handle_given() -> None:
    s, f = oa.ones(2), oa.ones(2)
    s = push(oa.move(s), f)
    oa.sum(s)


def ok_fresh() -> None:
    push(oa.ones(2), oa.zeros(2))


def static_parameter_donated(s: oa.Array, f: oa.Array) -> oa.Array:
    return push(s, f)  # E: move-borrowed


class Trainer:
    def __init__(self) -> None:
        self.state = oa.ones(2)
        self.update = oa.jit(step, donate_argnums=(0,))

    def run(self, f: oa.Array) -> None:
        self.state = self.update(self.state, f)

    def static_lost(self, f: oa.Array) -> oa.Array:
        return self.update(self.state, f)  # E: move-borrowed


def ok_trainer() -> None:
    t = Trainer()
    t.run(oa.ones(2))
    oa.sum(t.state)


def fails_local_jit() -> None:
    f = oa.jit(lambda v: v * 2.0, donate_argnums=0)
    x = oa.ones(2)
    f(x)
    oa.sum(x)  # E: use-after-move


def fails_tree_donated() -> None:
    f = oa.jit(lambda t: {"w": t["w"] * 2.0}, donate_argnums=0)
    tree = {"w": oa.ones(2)}
    f(tree)
    oa.sum(tree["w"])  # E: use-after-move


def fails_immediate_call() -> None:
    x = oa.ones(2)
    oa.jit(step, donate_argnums=0)(x, oa.ones(2))
    oa.sum(x)  # E: use-after-move


def fails_view_of_donated() -> None:
    import numpy as np

    x, f = oa.ones(2), oa.ones(2)
    v = np.asarray(x)
    push(x, f)  # E: moved-while-borrowed
    print(v)
