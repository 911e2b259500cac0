"""Consumed arguments are read by all before a result is written over them, so nothing is copied."""

# mypy: disable-error-code="no-any-return,arg-type"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
import ownarray._array
from ownarray._ops.arithmetic import mul, sub
from ownarray._ops.matmul import dot_general
from ownarray._ops.structural import sum_axes
from ownarray._trace.record import record
from ownarray._transforms.order import read_before_written

if TYPE_CHECKING:
    from ownarray._core.program import Atom, Program

N = 512  # a matrix of float32 is just large enough


def recorded(body: Any, n_params: int = 2) -> Program:
    avals = [oa.ShapedArray((N, N), "float32")] * n_params
    return record("f", avals, lambda _, tracers: body(*tracers)).program


def barriers(program: Program) -> list[tuple[int, ...]]:
    """Return for each barrier the numbers of the equations before it whose results it waits for."""
    made_by: dict[Atom, int] = {var: i for i, eqn in enumerate(program.eqns) for var in eqn.outs}
    return [
        tuple([made_by[var] for var in eqn.inputs[1:]])
        for eqn in program.eqns
        if eqn.primitive.name == "barrier"
    ]


def product(x: Any, y: Any) -> Any:
    return dot_general(x, y, ((1,), (0,)))


def test_an_update_waits_for_a_product_with_the_old_values() -> None:
    program = recorded(lambda w, x: (product(x, w), sub(w, x)))
    ordered = read_before_written(program, (None, 0))
    assert barriers(ordered) == [(0,)]
    assert ordered.eqns[-1].inputs[0] is ordered.eqns[1].outs[0]
    assert read_before_written(program, (None, None)) is program


def test_what_follows_anyway_needs_no_barrier() -> None:
    program = recorded(lambda w, x: (sub(w, product(x, w)),))
    assert read_before_written(program, (0,)) is program


def test_what_is_fused_is_not_torn_out() -> None:
    program = recorded(lambda w, x: (mul(w, x), sub(w, x)))
    assert read_before_written(program, (None, 0)) is program
    reduced = recorded(lambda w, x: (sum_axes(mul(w, w), (0, 1)), sub(w, x)))
    assert barriers(read_before_written(reduced, (None, 0))) == [(1,)]


def test_a_reader_behind_the_update_stays_where_it_is() -> None:
    program = recorded(lambda w, x: (sub(w, x), product(x, w)))
    assert read_before_written(program, (0, None)) is program


@pytest.mark.slow
def test_a_training_step_copies_no_weights() -> None:
    def step(p: oa.Owned[list[oa.Array]], x: oa.Array) -> list[oa.Array]:
        def loss(p: list[oa.Array]) -> oa.Array:
            y = x
            for w in p:
                y = oa.tanh(y @ w)
            return oa.sum(y * y)

        return [w - 0.1 * g for w, g in zip(p, oa.grad(loss)(p), strict=True)]

    rng = np.random.default_rng(0)
    values = [(rng.normal(size=(N, N)) / N**0.5).astype(np.float32) for _ in range(4)]
    x = oa.asarray(rng.normal(size=(8, N)).astype(np.float32))
    compiled = oa.jit(step, require_alias=True)
    plan = compiled.explain([oa.asarray(w) for w in values], x)
    assert plan.bytes_reused == 4 * 4 * N * N
    # Gradients may wait for each other, but there is no copy of a weight beside its gradient.
    assert plan.bytes_temporary <= 4.5 * 4 * N * N
    lent = step([oa.asarray(w) for w in values], x)
    moved = compiled(oa.move([oa.asarray(w) for w in values]), x)
    for a, b in zip(lent, moved, strict=True):
        np.testing.assert_allclose(np.array(a), np.array(b), rtol=2e-4, atol=1e-6)


@pytest.mark.slow
def test_large_weights_are_updated_where_they_are() -> None:
    def step(p: oa.Owned[list[oa.Array]], x: oa.Array) -> list[oa.Array]:
        loss = lambda p: oa.sum(oa.tanh(oa.tanh(x @ p[0]) @ p[1]))  # noqa: E731
        return [w - 0.1 * g for w, g in zip(p, oa.grad(loss)(p), strict=True)]

    k = 2048  # a matrix of 16 MB
    w: Any = oa.ShapedArray((k, k), "float32")
    x: Any = oa.ShapedArray((8, k), "float32")
    plan = oa.jit(step).explain([w, w], x)
    assert plan.bytes_reused == 2 * 4 * k * k
    assert plan.bytes_freed == 0
    assert plan.bytes_temporary < 2.5 * 4 * k * k
