"""Windows that are made of themselves are computed where they are; by XLA's own statistics."""

# mypy: disable-error-code="no-any-return,arg-type"

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._array.order import read_before_written
from ownarray._trace.record import record

N = 512
SIZE = N * N * 8


def start() -> Any:
    return np.random.default_rng(0).standard_normal((N, N)) + 30.0 * np.eye(N)


def outer(x: Any, y: Any) -> Any:
    return x[:, None] * y


def eliminate(x: Any) -> Any:
    x[1:, 1:] -= outer(x[1:, 0], x[0, 1:])
    return x


def eliminate_thrice(x: Any) -> Any:
    for k in range(3):
        x[k + 1 :, k] /= x[k, k]
        x[k + 1 :, k + 1 :] -= outer(x[k + 1 :, k], x[k, k + 1 :])
    return x


def two_pivots(x: Any) -> Any:
    x[2:, 2:] -= outer(x[2:, 0], x[0, 2:])
    x[2:, 2:] -= outer(x[2:, 1], x[1, 2:])
    return x


def most(x: Any) -> Any:
    x[2:500, 3:] *= 2.0
    return x


def clear(x: Any) -> Any:
    x[:, 1:] = 0.0
    return x


def several(x: Any) -> Any:
    x[:256, :256] *= 2.0
    x[256:, 256:] += 1.0
    x[10:-10, 10:-10] *= 0.5
    x[:256, 256:] -= 3.0
    x[:, 1:] += x[:, 1:] * 0.25
    return x


def of_its_mean(x: Any) -> Any:
    x[1:] -= x[1:].sum(axis=0) / N
    return x


BODIES = (eliminate, eliminate_thrice, two_pivots, most, clear, several)


def planned(f: Any) -> Any:
    handle = oa.move(oa.zeros((N, N)))
    plan = f.explain(handle)
    handle.take()
    return plan


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_updates_of_most_of_an_array_touch_their_windows(body: Any) -> None:
    f = oa.jit(body)
    moved = f(oa.move(oa.asarray(start())))
    np.testing.assert_allclose(moved, body(start()), rtol=1e-12, atol=1e-12)
    plan = planned(f)
    assert plan.bytes_reused == SIZE
    assert plan.bytes_temporary < SIZE // 8


@pytest.mark.parametrize("body", [*BODIES, of_its_mean], ids=lambda body: body.__name__)
def test_what_is_lent_gives_the_same_bits(body: Any) -> None:
    x = oa.asarray(start())
    f = oa.jit(body)
    moved = f(oa.move(oa.copy(x)))
    np.testing.assert_array_equal(oa.jit(lambda x: body(x.copy()))(x), moved)
    np.testing.assert_array_equal(f(oa.move(oa.asarray(start()))), moved)
    np.testing.assert_array_equal(x, start())


def step_eliminate(k: Any, x: Any) -> Any:
    return eliminate(x)


def step_lu(k: Any, x: Any) -> Any:
    rows = oa.arange(N)
    column = oa.where(rows > k, x[:, k] / x[k, k], 0.0)
    row = oa.where(rows > k, x[k], 0.0)
    x[:, k] = oa.where(rows > k, column, x[:, k])
    x -= oa.outer(column, row)
    return x


def step_cholesky(k: Any, x: Any) -> Any:
    rows = oa.arange(N)
    root = oa.sqrt(x[k, k])
    column = oa.where(rows > k, x[:, k] / root, 0.0)
    x[:, k] = oa.where(rows == k, root, column)
    x -= oa.outer(column, column)
    return x


def step_rows(k: Any, x: Any) -> Any:
    x[k] = (1.0 - x[k] @ x) / x[k, k]
    return x


@pytest.mark.parametrize("body", [step_eliminate, step_lu, step_cholesky, step_rows])
def test_factorizations_by_hand_copy_nothing_whole(body: Any) -> None:
    f = oa.jit(lambda x: oa.fori_loop(0, 4, body, x))
    moved = f(oa.move(oa.asarray(start())))
    x = oa.asarray(start())
    np.testing.assert_array_equal(oa.jit(lambda x: oa.fori_loop(0, 4, body, x))(x), moved)
    for k in range(4):
        x = body(oa.asarray(k), x)
    np.testing.assert_allclose(moved, x, rtol=1e-11, atol=1e-11)
    plan = planned(f)
    assert plan.bytes_reused == SIZE
    assert plan.bytes_temporary < SIZE // 8


def test_a_product_is_added_to_a_block() -> None:
    def body(c: Any, a: Any, b: Any) -> Any:
        c[64:192, 32:160] += a @ b
        return c

    f = oa.jit(body)
    a, b = oa.ones((128, 16)), oa.ones((16, 128))
    wanted = start()
    wanted[64:192, 32:160] += 16.0
    np.testing.assert_allclose(f(oa.move(oa.asarray(start())), a, b), wanted, rtol=1e-12)
    handle = oa.move(oa.zeros((N, N)))
    plan = f.explain(handle, a, b)
    handle.take()
    assert plan.bytes_temporary <= 128 * 128 * 8 + SIZE // 64


def marked(body: Any) -> list[bool]:
    avals = [oa.ShapedArray((N, N), "float64")]
    program = record("f", avals, lambda _, tracers: [body(tracers[0])]).program
    ordered = read_before_written(program, (0,))
    return [
        eqn.params.get("in_window", False)
        for eqn in ordered.eqns
        if eqn.primitive.name == "update_slice"
    ]


def stencil(x: Any) -> Any:
    x[1:-1, 1:-1] = (x[:-2, 1:-1] + x[2:, 1:-1]) * 0.5
    return x


def of_a_stencil(x: Any) -> Any:
    x[1:] = x[1:] - x[:-1]
    return x


def mirrored(x: Any) -> Any:
    x[1:] = x[1:][:, ::-1] * 2.0
    return x


def merged(x: Any) -> Any:
    x[1:] = 0.0
    x *= 2.0
    return x


def of_another(x: Any) -> Any:
    y = x * 2.0
    y[1:] += 1.0
    return y


@pytest.mark.parametrize(
    "body", [stencil, of_a_stencil, mirrored, merged, of_another], ids=lambda body: body.__name__
)
def test_other_updates_stay_one_pass(body: Any) -> None:
    assert marked(body) == [False]
    moved = oa.jit(body)(oa.move(oa.asarray(start())))
    np.testing.assert_array_equal(moved, body(oa.asarray(start())))


def test_updates_in_windows_are_marked() -> None:
    assert marked(eliminate) == [True]
    assert marked(several) == [True] * 5
