"""Consumed arguments are read by all before a result is written over them, so nothing is copied."""

# mypy: disable-error-code="no-any-return,arg-type"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ownarray as oa
import ownarray._array
from ownarray._array.order import read_before_written
from ownarray._ops.arithmetic import mul, sub
from ownarray._ops.matmul import dot_general
from ownarray._ops.structural import sum_axes
from ownarray._trace.record import record

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
        if eqn.primitive.name == "after"
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


# ---------------------------------------------------------------------------- updates of a part

ROWS, WIDTH = 2048, 64  # a megabyte
SIZE = ROWS * WIDTH * 8


def exchange(x: Any) -> Any:
    a, b = x[3].copy(), x[7].copy()
    x[3] = b
    x[7] = a
    return x


def rotate(x: Any) -> Any:
    a = x[3].copy()
    x[3] = x[4]
    x[4] = x[5]
    x[5] = a
    return x


def pop(x: Any) -> Any:
    a = x[3].copy()
    x[3] = 0.0
    return x, a


def several_reads(x: Any) -> Any:
    a = x[0].copy()
    x[0] = 1.0
    b = x[1] * 2.0
    x[1] = 2.0
    x[2] = a + b
    return x, b


def pop_several(x: Any) -> Any:
    a = x[[1, 5, 9]] * 1.0
    x[[1, 5, 9]] = 0.0
    return x, a


def sums_between(x: Any) -> Any:
    x[0] = 0.5
    m = x.max(axis=0)
    x[1] = m
    x[2] = x[1]
    return x, m


def neighbours(x: Any) -> Any:
    for k in range(4):
        x[k + 1] = x[k] * 0.5 + x[k + 2]
    return x


def columns(x: Any) -> Any:
    x[:, 1] = x[:, 0]
    x[:, 2] = x[:, 1] + x[:, 0]
    return x


def same_row_twice(x: Any) -> Any:
    x[3] += x[4]
    x[3] *= 2.0
    x[3] += x[5]
    return x


def head(x: Any) -> Any:
    a = x[:100].copy()
    x *= 2.0
    return x, a


def outer(x: Any) -> Any:
    x += x[:, :1] + x[0]
    return x


def clear_largest(x: Any) -> Any:
    k = x[:, 0].argmax()
    v = x[k].copy()
    x[k] = 0.0
    return x, v


def read_after(x: Any) -> Any:
    x[5] = x[6] * 0.5
    a = x[5] * 2.0
    return x, a


LINES = (exchange, rotate, pop, several_reads, pop_several, sums_between, neighbours, columns)
MORE = (same_row_twice, head, outer, clear_largest, read_after)


def start() -> np.ndarray[Any, Any]:
    return np.random.default_rng(0).standard_normal((ROWS, WIDTH))


def planned(f: Any) -> Any:
    handle = oa.move(oa.zeros((ROWS, WIDTH)))
    plan = f.explain(handle)
    handle.take()
    return plan


def check_equal(found: Any, wanted: Any) -> None:
    found, wanted = (each if isinstance(each, tuple) else (each,) for each in (found, wanted))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("body", [*LINES, *MORE], ids=lambda body: body.__name__)
def test_programs_that_read_and_write_parts_copy_nothing_whole(body: Any) -> None:
    f = oa.jit(body)
    wanted = body(start())
    check_equal(body(oa.asarray(start())), wanted)
    check_equal(f(oa.move(oa.asarray(start()))), wanted)
    plan = planned(f)
    assert plan.bytes_reused == SIZE
    assert plan.bytes_temporary < SIZE // 4


@pytest.mark.parametrize(
    "body",
    [
        lambda x: oa.zeros_like(x) + x[0],
        lambda x: oa.broadcast_to(x[3], x.shape),
        lambda x: (oa.zeros_like(x) + x[0] + x[:, :1], x[1] * 2.0),
        oa.zeros_like,
        lambda x: x,
        lambda x: (x, x[0]),
        lambda x: (x + 1.0, x + 2.0),
        lambda x: (x * 2.0, x[::-1] + x),
    ],
    ids=[
        "row",
        "one row",
        "row and column",
        "nothing",
        "same",
        "same and row",
        "twice",
        "mirrored",
    ],
)
def test_donors_of_which_little_is_read(body: Any) -> None:
    x = oa.asarray(start())
    lent = oa.jit(lambda y: body(y * 1.0))(x)
    check_equal(body(x * 1.0), lent)
    check_equal(oa.jit(body)(oa.move(x)), lent)


def step_exchange(i: Any, x: Any) -> Any:
    a, b = x[i].copy(), x[i + 1].copy()
    x[i] = b
    x[i + 1] = a
    return x


def step_rotate(i: Any, x: Any) -> Any:
    a = x[i].copy()
    x[i] = x[i + 1]
    x[i + 1] = x[i + 2]
    x[i + 2] = a
    return x


def step_recurrence(i: Any, x: Any) -> Any:
    t = x[i + 1] * 1.0
    x[i + 2] = x[i] + t
    x[i] = t * 0.5
    return x


def step_ring(i: Any, x: Any) -> Any:
    x[i % 4] = x[(i + 1) % 4] * 0.5
    x[5] += x[i % 4]
    return x


@pytest.mark.parametrize("body", [step_exchange, step_rotate, step_recurrence, step_ring])
def test_loops_that_read_and_write_parts_copy_nothing_whole(body: Any) -> None:
    n = 20
    f = oa.jit(lambda x: oa.fori_loop(0, n, body, x))
    g = oa.jit(
        lambda x: oa.while_loop(
            lambda s: s[0] < n, lambda s: (s[0] + 1, body(s[0], s[1])), (oa.asarray(0), x)
        )[1]
    )
    wanted = start()
    for i in range(n):
        wanted = body(i, wanted)
    for compiled in (f, g):
        np.testing.assert_array_equal(compiled(oa.move(oa.asarray(start()))), wanted)
        plan = planned(compiled)
        assert plan.bytes_temporary < SIZE // 4


def test_a_queue_in_a_scan_copies_nothing_whole() -> None:
    def take(state: Any, i: Any) -> Any:
        queue, total = state
        v = queue[i].copy()
        queue[i] = v + total
        total += oa.sum(v)
        return (queue, total), v

    def run(x: Any) -> Any:
        return oa.scan(take, (x, oa.asarray(0.0)), oa.arange(20))

    f = oa.jit(run)
    (queue, _), taken = f(oa.move(oa.asarray(start())))
    values = start()
    np.testing.assert_array_equal(taken, values[:20])
    np.testing.assert_array_equal(queue[20:], values[20:])
    plan = planned(f)
    assert plan.bytes_temporary < SIZE // 4


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["read", "write", "add", "copy", "exchange", "sum", "all", "put"]),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=8,
)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(OPERATIONS)
def test_any_order_of_reads_and_writes_is_numpys(operations: list[tuple[str, int, int]]) -> None:
    def body(x: Any) -> Any:
        kept = []
        for kind, i, j in operations:
            if kind == "read":
                kept.append(x[i] * 2.0)
            elif kind == "write":
                x[i] = x[j]
            elif kind == "add":
                x[i] += x[j]
            elif kind == "copy":
                kept.append(x[i : i + 2].copy())
            elif kind == "exchange":
                a, b = x[i].copy(), x[j].copy()
                x[i] = b
                x[j] = a
            elif kind == "sum":
                kept.append(x[:, i].copy())
            elif kind == "all":
                x *= 0.5
            else:
                x[[i, j]] = 0.25
        return (x, *kept)

    f = oa.jit(body)
    wanted = body(start())
    check_equal(body(oa.asarray(start())), wanted)
    check_equal(f(oa.move(oa.asarray(start()))), wanted)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(OPERATIONS)
def test_what_a_call_consumes_does_not_change_a_bit(operations: list[tuple[str, int, int]]) -> None:
    """Products and sums that round once together do so whether memory is reused or not."""

    def body(x: Any) -> Any:
        kept = []
        for kind, i, j in operations:
            if kind == "read":
                kept.append(x[i] * 0.3 + x[j])
            elif kind in ("write", "add"):
                x[i] += x[j] * 0.7
            elif kind == "exchange":
                a, b = x[i] * 0.6 + x[j] * 0.8, x[j] * 0.6 - x[i] * 0.8
                x[i] = a
                x[j] = b
            elif kind == "sum":
                kept.append(oa.sum(x[:, i] * x[:, j]))
            else:
                x = x + x[i] * 1.1
        return (x, *kept)

    for f in (oa.jit(lambda x: body(x * 1.0)), oa.jit(lambda x: body(x + x[0] * 0.9))):
        x = oa.asarray(start())
        lent = f(x)
        check_equal(lent, f(oa.copy(x)))
        check_equal(lent, f(oa.move(x)))


# ------------------------------------------------------------------------------- who takes whose


def exchanged(s: oa.Owned[tuple[oa.Array, oa.Array]]) -> Any:
    return s[1], s[0]


def exchanged_and_updated(s: oa.Owned[tuple[oa.Array, oa.Array]]) -> Any:
    a, b = s
    a[0] = 1.0
    b[1] += 2.0
    return b, a


def stepped(s: oa.Owned[tuple[oa.Array, oa.Array]]) -> Any:
    now, after = s
    after[1:-1] = 0.5 * (now[2:] + now[:-2])
    return after, now


@pytest.mark.parametrize("body", [exchanged, exchanged_and_updated, stepped])
def test_what_comes_out_again_keeps_its_memory_at_another_place(body: Any) -> None:
    """Paired by place, both arrays would be copied whole."""
    f = oa.jit(body)
    kind = oa.ShapedArray((ROWS, WIDTH), "float64")
    plan = f.explain((kind, kind))
    assert [(row.source, row.target) for row in plan.rows] == [
        ("s[0]", "result[1]"), ("s[1]", "result[0]"),
    ]  # fmt: skip
    assert (plan.bytes_reused, plan.bytes_temporary) == (2 * SIZE, 0)
    values = start(), start() + 1.0
    wanted = body((values[0].copy(), values[1].copy()))
    found = f(oa.move((oa.asarray(values[0]), oa.asarray(values[1]))))
    check_equal(found, wanted)
