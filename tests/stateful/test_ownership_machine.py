"""Random histories of arrays and handles against a model in NumPy, with every error foreseen.

The model keeps for each array its values and whether it is alive, and for each handle whether it is
good. Each rule says beforehand what must happen: a value, or an error with a slug.
"""

from __future__ import annotations

import gc
import os
import pickle
import warnings
from dataclasses import dataclass, field
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import Bundle as HypothesisBundle
from hypothesis.stateful import (
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

import ownarray as oa
from ownarray._array.running import running
from tests.robustness.state import Values, in_xla

SIZES = {"small": 5, "large": 4096}


@oa.jit
def add(x: oa.Array, y: oa.Array) -> oa.Array:
    return x + y


@oa.jit
def grow(x: oa.Owned[oa.Array], rate: float) -> oa.Array:
    return x * rate


@oa.jit
def look(x: oa.Borrowed[oa.Array]) -> oa.Array:
    return x - 1.0


@oa.jit
def bump(x: oa.Mut[oa.Array], y: oa.Array) -> None:
    x += y


@oa.jit(donate_argnums=0)
def push(x: oa.Array, y: oa.Array) -> oa.Array:
    return x - y


@oa.jit
def swap(a: oa.Array, b: oa.Array) -> tuple[oa.Array, oa.Array]:
    return b, a


@oa.jit
def tree_step(tree: oa.Owned[list[oa.Array]]) -> list[oa.Array]:
    return [x + 0.5 for x in tree]


@oa.jit
def shift(x: oa.Array) -> oa.Array:
    y = x + 0.0
    y[1:] = x[:-1]
    return y


@oa.jit
def broken(x: oa.Array) -> oa.Array:
    return x if x[0] > 0 else -x


@dataclass
class Known:
    """What the model knows of one array."""

    array: oa.Array
    values: Values
    size: str
    is_alive: bool = True
    handle: Promise | None = None
    """The handle that holds it, if it was moved."""
    views: list[Any] = field(default_factory=list)

    @property
    def is_free(self) -> bool:
        """Whether it is alive and nobody borrows it."""
        return self.is_alive and not self.views


@dataclass
class Promise:
    """What the model knows of one handle."""

    handle: oa.Moved[Any]
    held: list[Known]
    is_good: bool = True


def fails(slug: str, call: Any) -> None:
    """Check that a call raises the ownership error of a slug."""
    with pytest.raises(oa.OwnershipError) as caught:
        call()
    assert caught.value.slug == slug, str(caught.value)


class Machine(RuleBasedStateMachine):
    """The rules."""

    arrays = HypothesisBundle("arrays")
    handles = HypothesisBundle("handles")

    def __init__(self) -> None:
        super().__init__()
        self.known: list[Known] = []
        self.promises: list[Promise] = []

    # ------------------------------------------------------------------ helpers

    def born(self, array: oa.Array, values: Values, size: str) -> Known:
        """Note a new array, which must own memory that no other one has."""
        assert isinstance(array, oa.Array)
        assert array.state is oa.State.OWNED
        assert array.tolist() == values.tolist()
        assert all(array is not other.array for other in self.known)
        known = Known(array, values, size)
        self.known.append(known)
        return known

    def dies(self, known: Known) -> None:
        known.is_alive = False
        known.handle = None

    def spend(self, promise: Promise) -> None:
        promise.is_good = False
        for known in promise.held:
            known.handle = None

    def partner(self, known: Known) -> Known | None:
        """Return another living array of the same size."""
        for other in self.known:
            if other is not known and other.is_alive and other.size == known.size:
                return other
        return None

    # ------------------------------------------------------------------ creation

    @initialize(target=arrays)
    def first(self) -> Any:
        """Begin with one array of each size."""
        made = [
            self.born(oa.arange(float(n)), np.arange(float(n)), size) for size, n in SIZES.items()
        ]
        return multiple(*made)

    @rule(
        target=arrays,
        size=st.sampled_from(sorted(SIZES)),
        start=st.integers(-3, 3),
        in_backend=st.booleans(),
    )
    def create(self, size: str, start: int, in_backend: bool) -> Known:
        values = np.arange(SIZES[size]) + float(start)
        array = oa.asarray(values)
        return self.born(in_xla(array) if in_backend else array, values, size)

    @rule(target=arrays, known=arrays, how=st.integers(0, 3))
    def copy(self, known: Known, how: int) -> Any:
        """Copy, or pickle."""
        copies: list[Any] = [
            oa.copy,
            lambda x: oa.asarray(x, copy=True),
            lambda x: pickle.loads(pickle.dumps(x)),
            lambda x: oa.dealias((x, x))[1],
        ]
        if not known.is_alive:
            fails("use-after-move", lambda: copies[how](known.array))
            return multiple()
        return self.born(copies[how](known.array), known.values.copy(), known.size)

    # ------------------------------------------------------------------ reading

    @rule(known=arrays)
    def read(self, known: Known) -> None:
        assert known.array.shape == known.values.shape
        if known.is_alive:
            assert known.array.tolist() == known.values.tolist()
            assert float(known.array[2]) == known.values[2]
        else:
            fails("use-after-move", lambda: known.array + 1.0)
            fails("use-after-move", lambda: known.array[0])
            assert "moved" in repr(known.array)

    @rule(target=arrays, known=arrays)
    def compute(self, known: Known) -> Any:
        if not known.is_alive:
            fails("use-after-move", lambda: oa.negative(known.array))
            return multiple()
        result = -known.array * 2.0 + known.array[::-1]
        return self.born(result, -known.values * 2.0 + known.values[::-1], known.size)

    # ------------------------------------------------------------------ borrows

    @rule(known=arrays, part=st.booleans())
    def view(self, known: Known, part: bool) -> None:
        if not known.is_alive:
            fails("use-after-move", lambda: np.asarray(known.array))
            return
        view = np.asarray(known.array)
        known.views.append(view[1:] if part else view)
        assert known.array.state is oa.State.SHARED

    @precondition(lambda self: any(known.views for known in self.known))
    @rule()
    def drop_views(self) -> None:
        for known in self.known:
            if known.views:
                known.views.clear()
                gc.collect()  # hypothesis' own frames may still show them
                assert known.array.state is oa.State.OWNED
                return

    # ------------------------------------------------------------------ in place

    @rule(known=arrays, kind=st.integers(0, 4))
    def update(self, known: Known, kind: int) -> None:
        def write(x: Any) -> None:
            if kind == 0:
                x += 1.0
            elif kind == 1:
                x[1:3] = 7.0
            elif kind == 2:
                x[x > 3.0] = 0.0
            elif kind == 3:
                x *= x
            else:
                x[0] -= x[-1]

        if not known.is_alive:
            fails("use-after-move", lambda: write(known.array))
        elif known.views:
            fails("mutate-borrowed", lambda: write(known.array))
        else:
            write(known.array)
            with np.errstate(all="ignore"):
                write(known.values)

    # ------------------------------------------------------------------ moving

    @rule(target=handles, known=arrays)
    def move(self, known: Known) -> Any:
        if not known.is_alive:
            fails("use-after-move", lambda: oa.move(known.array))
            return multiple()
        if known.views:
            fails("moved-while-borrowed", lambda: oa.move(known.array))
            return multiple()
        return self.promise(oa.move(known.array), [known])

    def promise(self, handle: oa.Moved[Any], held: list[Known]) -> Promise:
        made = Promise(handle, held)
        self.promises.append(made)
        for known in held:
            known.is_alive = False
            known.handle = made
        return made

    @rule(target=handles, first=arrays, second=arrays)
    def move_tree(self, first: Known, second: Known) -> Any:
        tree = [first.array, second.array]
        if first is second:
            fails("shared-array", lambda: oa.move(tree))
        elif not (first.is_alive and second.is_alive):
            if not any(known.is_alive and known.views for known in (first, second)):
                fails("use-after-move", lambda: oa.move(tree))
        elif first.views or second.views:
            fails("moved-while-borrowed", lambda: oa.move(tree))
        else:
            return self.promise(oa.move(tree), [first, second])
        return multiple()

    @rule(target=arrays, promise=handles)
    def take(self, promise: Promise) -> Any:
        if not promise.is_good:
            fails("use-after-move", promise.handle.take)
            return multiple()
        taken = promise.handle.take()
        taken = taken if isinstance(taken, list) else [taken]
        self.spend(promise)
        made = [
            self.born(array, known.values.copy(), known.size)
            for array, known in zip(taken, promise.held, strict=True)
        ]
        return multiple(*made)

    @rule(target=arrays, known=arrays)
    def reclaim(self, known: Known) -> Any:
        if known.is_alive:
            assert oa.reclaim(known.array) is known.array
            return multiple()
        if known.handle is None or not known.handle.is_good:
            # Moved beside another that was reclaimed alone: this one is still there.
            if known.handle is None:
                fails("use-after-move", lambda: oa.reclaim(known.array))
                return multiple()
        else:
            known.handle.is_good = False
        known.handle = None
        return self.born(oa.reclaim(known.array), known.values.copy(), known.size)

    @rule(promise=consumes(handles))
    def drop_handle(self, promise: Promise) -> None:
        promise.is_good = False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            promise.handle = None  # type: ignore[assignment]
            gc.collect()
        self.promises.remove(promise)

    # ------------------------------------------------------------------ calls

    @rule(target=arrays, known=arrays)
    def call_lent(self, known: Known) -> Any:
        other = self.partner(known)
        if not known.is_alive:
            fails("use-after-move", lambda: look(known.array))
            return multiple()
        made = [self.born(look(known.array), known.values - 1.0, known.size)]
        if other is not None:
            values = known.values + other.values
            made.append(self.born(add(known.array, other.array), values, known.size))
        return multiple(*made)

    @rule(target=arrays, promise=handles, how=st.integers(0, 4))
    def call_consumed(self, promise: Promise, how: int) -> Any:
        functions: list[Any] = [
            (lambda h: grow(h, 2.0), lambda v: v * 2.0),
            (shift, lambda v: np.concatenate([v[:1], v[:-1]])),
            (oa.negative, lambda v: -v),
            (lambda h: oa.fori_loop(0, 3, lambda i, x: x + i, h), lambda v: v + 0.0 + 1.0 + 2.0),
            (lambda h: oa.fixed_point(halve, 2, h), lambda v: v * 0.5 * 0.5),
        ]
        if len(promise.held) == 2:
            functions[how] = (tree_step, lambda v: v + 0.5)
        function, model = functions[how]
        if not promise.is_good:
            fails("use-after-move", lambda: function(promise.handle))
            return multiple()
        result = function(promise.handle)
        self.spend(promise)
        results = result if isinstance(result, list) else [result]
        with np.errstate(all="ignore"):
            made = [
                self.born(array, model(known.values), known.size)
                for array, known in zip(results, promise.held, strict=True)
            ]
        return multiple(*made)

    @rule(target=arrays, first=handles, second=handles)
    def call_swap(self, first: Promise, second: Promise) -> Any:
        if len(first.held) == 2 or len(second.held) == 2:
            return multiple()
        if first is second or not (first.is_good and second.is_good):
            fails("use-after-move", lambda: swap(first.handle, second.handle))
            return multiple()
        a, b = first.held[0], second.held[0]
        left, right = swap(first.handle, second.handle)
        self.spend(first)
        self.spend(second)
        return multiple(
            self.born(left, b.values.copy(), b.size), self.born(right, a.values.copy(), a.size)
        )

    @rule(known=arrays, twice=st.booleans())
    def call_mut(self, known: Known, twice: bool) -> None:
        other = known if twice else self.partner(known)
        if other is None:
            return
        if not known.is_alive:
            with pytest.raises(oa.OwnershipError):
                bump(known.array, other.array)
        elif twice or known.views:
            fails("mutate-borrowed", lambda: bump(known.array, other.array))
        else:
            bump(known.array, other.array)
            with np.errstate(all="ignore"):
                known.values += other.values

    @rule(target=arrays, known=arrays)
    def call_donated(self, known: Known) -> Any:
        other = self.partner(known)
        if other is None:
            return multiple()
        if not known.is_alive:
            fails("use-after-move", lambda: push(known.array, other.array))
        elif known.views:
            fails("moved-while-borrowed", lambda: push(known.array, other.array))
        else:
            result = push(known.array, other.array)
            self.dies(known)
            return self.born(result, known.values - other.values, known.size)
        return multiple()

    @rule(known=arrays, promise=handles)
    def call_that_fails(self, known: Known, promise: Promise) -> None:
        """Fail in several ways: whatever was good before must still be good, others see to that."""
        if not promise.is_good or len(promise.held) == 2:
            return
        wrong: Any = {1, 2}
        with pytest.raises(oa.TraceError):
            broken(promise.handle)
        fails("move-borrowed", lambda: look(promise.handle))
        with pytest.raises(ValueError, match="broadcast"):
            add(promise.handle, oa.ones(3))
        with pytest.raises(TypeError):
            add(promise.handle, wrong)
        with pytest.raises(TypeError):
            oa.add(promise.handle, wrong)
        if known.is_alive:
            fails("needs-move", lambda: grow(known.array, 1.0))
        elif known.size == promise.held[0].size:
            fails("use-after-move", lambda: add(promise.handle, known.array))

    # ------------------------------------------------------------------ always

    @invariant()
    def nothing_is_registered(self) -> None:
        assert not running

    @invariant()
    def states_are_as_the_model_says(self) -> None:
        for known in self.known:
            assert known.array.is_moved is not known.is_alive
            if known.is_alive:
                want = oa.State.SHARED if known.views else oa.State.OWNED
                assert known.array.state is want
                assert known.array.n_borrows == len(known.views)
                for view in known.views:
                    assert view[-1] == known.values[-1]

    def teardown(self) -> None:
        for known in self.known:
            if known.is_alive:
                assert known.array.tolist() == known.values.tolist()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            self.promises.clear()
            self.known.clear()
            gc.collect()


def halve(x: oa.Array) -> oa.Array:
    return x * 0.5


N_HISTORIES = int(os.environ.get("OWNARRAY_HISTORIES", "15"))
"""How many histories are tried: few here, thousands by hand."""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_random_histories() -> None:
    gc.collect()
    gc.freeze()  # a refused move collects garbage: let that be this test's own
    try:
        run_state_machine_as_test(
            Machine,
            settings=settings(
                max_examples=N_HISTORIES, stateful_step_count=40, deadline=None, derandomize=True
            ),
        )
    finally:
        gc.unfreeze()
