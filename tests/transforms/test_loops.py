"""Loops and branches: values, memory by address, lent carries, temporaries, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ownarray as oa

LARGE = 1 << 16


def address(x: oa.Array) -> int:
    return int(np.asarray(x).__array_interface__["data"][0])


def temporary_bytes(f: Any, *args: Any) -> int:
    """Return what XLA needs besides arguments and results."""
    return int(f.explain(*args).bytes_temporary)


# ------------------------------------------------------------------------------------- values


@pytest.mark.parametrize("compiled", [False, True])
def test_values_of_every_loop(compiled: bool) -> None:
    def all_loops(x: oa.Array, n: oa.Array) -> Any:
        return {
            "fixed_point": oa.fixed_point(lambda u: u * 0.5 + 1.0, 4, x),
            "fori": oa.fori_loop(2, 5, lambda i, u: u + i, x),
            "fori, traced bounds": oa.fori_loop(0, n, lambda i, u: u + i, x),
            "fori, no round": oa.fori_loop(5, 2, lambda i, u: u + i, x),
            "while": oa.while_loop(lambda u: oa.sum(u) < 40.0, lambda u: u * 2.0, x),
            "scan": oa.scan(lambda c, row: (c + row, c * row), oa.asarray(1.0), x),
            "scan, reversed": oa.scan(
                lambda c, row: (c + row, c * row), oa.asarray(1.0), x, reverse=True, unroll=3
            ),
            "cond": oa.cond(x[0] > 0, lambda u: u + 1.0, lambda u: u - 1.0, x),
        }

    f = oa.jit(all_loops) if compiled else all_loops
    v = np.arange(5.0)
    got: Any = f(oa.asarray(v), oa.asarray(3))
    half = v
    for _ in range(4):
        half = half * 0.5 + 1.0
    assert got["fixed_point"].tolist() == half.tolist()
    assert got["fori"].tolist() == (v + 9).tolist()
    assert got["fori, traced bounds"].tolist() == (v + 3).tolist()
    assert got["fori, no round"].tolist() == v.tolist()
    assert got["while"].tolist() == (v * 4).tolist()
    carry, ys = got["scan"]
    assert float(carry) == 11.0
    assert ys.tolist() == [0.0, 1.0, 4.0, 12.0, 28.0]
    carry, ys = got["scan, reversed"]
    assert float(carry) == 11.0
    assert ys.tolist() == [0.0, 10.0, 16.0, 15.0, 4.0]
    assert got["cond"].tolist() == (v - 1).tolist()


def test_carries_are_trees_and_keep_their_containers() -> None:
    state: Any = {"x": oa.arange(3.0), "n": (oa.asarray(0), None)}

    def body(i: oa.Array, s: Any) -> Any:
        s["x"][0] += 1.0
        return {"x": s["x"], "n": (s["n"][0] + i, None)}

    out: Any = oa.fori_loop(0, 4, body, state)
    assert out["x"].tolist() == [4.0, 1.0, 2.0]
    assert int(out["n"][0]) == 6
    assert out["n"][1] is None
    assert state["x"].tolist() == [0.0, 1.0, 2.0]


def test_a_tolerance_stops_early_and_nan_does_not() -> None:
    counts: Any = oa.fixed_point(lambda s: (s[0] * 0.5, s[1] + 0), 50, (oa.ones(2), 0.0), tol=0.01)
    assert counts[0].tolist() == [0.5**7] * 2
    bad: Any = oa.fixed_point(lambda x: x * float("nan"), 3, oa.ones(2), tol=0.1)
    assert np.isnan(np.asarray(bad)).all()
    still: Any = oa.fixed_point(lambda x: x + 1, 0, oa.zeros(2), tol=1.0)
    assert still.tolist() == [0.0, 0.0]


# ------------------------------------------------------------------------------------- memory


@pytest.mark.parametrize("n", [8, LARGE])
def test_a_lent_carry_survives_and_the_bits_are_those_of_a_moved_one(n: int) -> None:
    def body(u: oa.Array) -> oa.Array:
        u[1:-1] = 0.3 * (u[:-2] + u[2:])
        return u

    values = np.random.default_rng(0).standard_normal(n)
    x = oa.asarray(values)
    lent = oa.fixed_point(body, 5, x)
    assert x.state is oa.State.OWNED
    assert x.tolist() == values.tolist()
    moved = oa.fixed_point(body, 5, oa.move(x))
    assert x.is_moved
    assert np.asarray(lent).tobytes() == np.asarray(moved).tobytes()


def test_a_moved_carry_stays_in_its_memory() -> None:
    loops: list[Any] = [
        lambda h: oa.fixed_point(lambda u: u * 0.5, 3, h),
        lambda h: oa.fixed_point(lambda u: u * 0.5, 3, h, tol=1e-9),
        lambda h: oa.fori_loop(0, 3, lambda i, u: u + i, h),
        lambda h: oa.while_loop(lambda u: u[0] < 9.0, lambda u: u + 1.0, h),
        lambda h: oa.scan(lambda c, x: (c + x, None), h, oa.ones(4))[0],
        lambda h: oa.cond(True, lambda u: u + 1.0, lambda u: u, h),
    ]
    for loop in loops:
        for f in (loop, oa.jit(loop)):
            x = oa.ones(LARGE)
            at = address(x)
            y = f(oa.move(x))
            assert address(y) == at
            assert x.is_moved


UPDATES: dict[str, Any] = {
    "element": lambda i, u: u.__setitem__(i, 1.0),
    "slice": lambda i, u: u.__setitem__(slice(3, 9), 2.0),
    "row of a matrix": lambda i, u: u.__setitem__(i, u[i] * 2.0),
    "read, modify, write": lambda i, u: u.__setitem__(i, u[i] + u[i + 1]),
    "shifted": lambda i, u: u.__setitem__(slice(0, 4), u[1:5]),
    "scatter": lambda i, u: u.__setitem__(oa.asarray([1, 5, 7]), 3.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", UPDATES)
@pytest.mark.parametrize("shape", [(LARGE,), (1024, 64)], ids=str)
def test_an_update_in_a_loop_touches_what_it_writes(name: str, shape: tuple[int, ...]) -> None:
    """XLA needs no second copy of the carry: not for one round, so not for all."""

    def body(i: oa.Array, u: oa.Array) -> oa.Array:
        UPDATES[name](i, u)
        return u

    @oa.jit
    def run(u: oa.Owned[oa.Array]) -> oa.Array:
        return oa.fori_loop(0, 50, body, oa.move(u))

    u = oa.ones(shape)
    assert temporary_bytes(run, u) < u.nbytes // 8
    at = address(u)
    u = run(oa.move(u))
    assert address(u) == at


def test_a_scan_writes_its_rows_without_a_second_stack() -> None:
    @oa.jit
    def run(c: oa.Owned[oa.Array]) -> Any:
        return oa.scan(lambda c, _: (c * 0.5, c), oa.move(c), None, length=64)

    assert temporary_bytes(run, oa.ones(1024)) < 64 * 1024 * 8 // 4


# ------------------------------------------------------------------------------------- ownership


def test_a_body_owns_its_carry_and_may_only_read_the_rest() -> None:
    w = oa.ones(4)

    def writes_outside(u: oa.Array) -> oa.Array:
        w[0] = 5.0
        return u + w

    def moves_outside(u: oa.Array) -> oa.Array:
        return u + oa.exp(oa.move(w))

    for body in (writes_outside, moves_outside):
        for run in (
            lambda h, body=body: oa.fixed_point(body, 2, h),
            oa.jit(lambda h, body=body: oa.fixed_point(body, 2, h)),
        ):
            h = oa.move(oa.zeros(4))
            with pytest.raises(oa.BorrowError):
                run(h)  # type: ignore[no-untyped-call]  # a lambda with a default
            assert h.take().tolist() == [0.0] * 4
    assert w.tolist() == [1.0] * 4

    def moves_its_carry(u: oa.Array) -> oa.Array:
        return oa.exp(oa.move(u)) + w

    assert oa.fixed_point(moves_its_carry, 1, oa.zeros(4)).tolist() == [2.0] * 4


def test_a_condition_may_only_read_the_carry() -> None:
    def writing(u: oa.Array) -> oa.Array:
        u += 1.0
        return u[0] < 3.0

    with pytest.raises(oa.BorrowError, match="mutate-borrowed"):
        oa.while_loop(writing, lambda u: u + 1.0, oa.zeros(3))


def test_a_carry_that_was_consumed_in_the_body_is_dead_there() -> None:
    def body(u: oa.Array) -> oa.Array:
        v = oa.exp(oa.move(u))
        return u + v

    h = oa.move(oa.zeros(3))
    with pytest.raises(oa.UseAfterMoveError, match=r"test_loops.py:\d+"):
        oa.fixed_point(body, 2, h)
    h.take()


def test_a_captured_array_that_is_the_carry_too_is_refused() -> None:
    x = oa.ones(4)
    h = oa.move(x)
    with pytest.raises(oa.OwnershipError):
        oa.fixed_point(lambda u: u + x, 2, h)
    assert h.take().tolist() == [1.0] * 4


def test_a_branch_may_update_what_was_given_and_only_read_what_was_lent() -> None:
    def bump(u: oa.Array) -> oa.Array:
        u += 1.0
        return u

    x = oa.zeros(3)
    with pytest.raises(oa.BorrowError):
        oa.cond(True, bump, lambda u: u + 0.0, x)
    assert oa.cond(True, bump, lambda u: u + 0.0, oa.move(x)).tolist() == [1.0] * 3


# ------------------------------------------------------------------------------------- errors

# What is passed here is wrong on purpose, so mypy is not asked.
loops: Any = oa
Errors = type[BaseException] | tuple[type[BaseException], ...]


def scan_wrongly(x: Any) -> Any:
    return loops.scan(lambda c, row: c, oa.zeros(2), x)


ERRORS: list[tuple[Any, Errors, str]] = [
    (lambda x: loops.fixed_point(lambda u: u[:1], 2, x), TypeError, r"f64\[3\] to f64\[1\]"),
    (lambda x: loops.fixed_point(lambda u: u.astype("float32"), 2, x), TypeError, "f64.* to f32"),
    (lambda x: loops.fixed_point(lambda u: (u, u), 2, x), TypeError, "structure"),
    (lambda x: loops.fixed_point(lambda u: {1}, 2, x), TypeError, "set"),
    (lambda x: loops.fixed_point(lambda u: u, -1, x), ValueError, "n_iter.*-1"),
    (lambda x: loops.fixed_point(lambda u: u, 2.5, x), ValueError, "n_iter.*2.5"),
    (lambda x: loops.fixed_point(3, 2, x), TypeError, "fixed_point"),
    (lambda x: loops.fixed_point(lambda u: u, 2, x, tol="a"), (TypeError, ValueError), "tol"),
    (lambda x: loops.fori_loop(0.5, 3, lambda i, u: u, x), TypeError, "integers"),
    (lambda x: loops.fori_loop(0, oa.ones(2), lambda i, u: u, x), TypeError, "integers"),
    (lambda x: loops.while_loop(lambda u: u, lambda u: u, x), TypeError, "one bool"),
    (lambda x: loops.while_loop(lambda u: u[0], lambda u: u, x), TypeError, "one bool"),
    (lambda x: loops.scan(lambda c, r: (c, r), x, oa.asarray(1.0)), ValueError, "no axis"),
    (lambda x: loops.scan(lambda c, r: (c, r), x, (oa.ones(2), oa.ones(3))), ValueError, "length"),
    (lambda x: loops.scan(lambda c, r: (c, r), x, None), ValueError, "length must be given"),
    (lambda x: loops.scan(lambda c, r: (c, r), x, oa.ones(3), length=4), ValueError, "length"),
    (lambda x: loops.scan(lambda c, r: (c, r), x, oa.ones(3), unroll=0), ValueError, "unroll"),
    (scan_wrongly, TypeError, "pair"),
    (lambda x: loops.cond(x, lambda u: u, lambda u: u, x), TypeError, r"pred of shape \(\)"),
    (lambda x: loops.cond(True, lambda u: u, lambda u: (u, u), x), TypeError, "structures"),
    (lambda x: loops.cond(True, lambda u: u, lambda u: u[:1], x), TypeError, "differ at result"),
    (
        lambda x: loops.fori_loop(0, 2, lambda i, u: u if i else -u, x),
        oa.TraceError,
        "Python value",
    ),
]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_errors_name_what_was_wanted_and_spend_nothing(number: int, compiled: bool) -> None:
    loop, kind, words = ERRORS[number]
    f = oa.jit(loop) if compiled else loop
    h = oa.move(oa.arange(3.0))
    with pytest.raises(kind, match=words):
        f(h)
    assert h.take().tolist() == [0.0, 1.0, 2.0]


def test_the_index_between_python_ints_widens_nothing() -> None:
    x = oa.ones(3, dtype=oa.float32)
    assert oa.fori_loop(0, 3, lambda i, c: c + i, x).tolist() == [4.0] * 3
    compiled = oa.jit(lambda c: oa.fori_loop(0, 3, lambda i, c: c + i * 0.5, c))
    assert compiled(x).dtype == oa.float32
    slope = oa.grad(lambda c: oa.sum(oa.fori_loop(0, 3, lambda i, c: c * i + c, c)))
    assert slope(x).tolist() == [6.0] * 3
    with pytest.raises(TypeError, match="changed the carry from f32"):
        oa.fori_loop(0, oa.asarray(3), lambda i, c: c + i, x)


def test_whether_a_fixed_point_is_still_takes_little_memory() -> None:
    n = 512
    f = oa.jit(lambda x: oa.fixed_point(lambda x: x * 0.5 + 1.0, 10, x, tol=1e-3))
    # The old values beside the new ones, and a truth value for each element.
    assert f.explain(oa.zeros((n, n))).bytes_temporary <= 1.2 * 8 * n * n


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64"])
def test_a_fixed_point_compares_with_tol_itself(dtype: str) -> None:
    # 0.1 is no number of these dtypes: a step of the next larger one is above it.
    step = oa.asarray(0.1, dtype=dtype)
    is_above = float(oa.real(step)) > 0.1
    x = oa.fixed_point(lambda x: x * 0 + (step - x), 2, oa.zeros(2, dtype=dtype), tol=0.1)
    assert (float(oa.real(x[0])) == 0.0) == is_above
