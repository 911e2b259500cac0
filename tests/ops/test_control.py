"""Lowering of loops and branches: what they compute, and that they touch no more than they must."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray._array  # noqa: F401  (installs the interpreter that computes at once)
from ownarray._backend import buffers
from ownarray._backend.compile import compile_text
from ownarray._core.aval import ShapedArray, aval_of
from ownarray._lower.text import lower
from ownarray._ops import arithmetic, compare, control, indexing
from ownarray._trace.record import Recording, record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._ops.operators import Array
    from ownarray._trace.bind import Operand

Values = np.ndarray[Any, np.dtype[Any]]
INDEX = ShapedArray((), np.dtype(np.int64))


def run(function: Callable[..., Sequence[Operand]], *arrays: Values) -> list[Values]:
    """Return what the program of a function computes."""
    recording = record("f", [aval_of(x) for x in arrays], lambda _, args: function(*args))
    program = recording.program
    inputs = [*arrays, *[np.asarray(x) for x in recording.captured]]
    executable = compile_text(lower(program), program.out_avals)
    results = executable.run([buffers.from_host(np.array(x), aval_of(x)) for x in inputs])
    return [
        np.array(buffers.host_memory(result, aval))
        for result, aval in zip(results, program.out_avals, strict=True)
    ]


def body_of(avals: Sequence[ShapedArray], body: Callable[..., Sequence[Operand]]) -> Recording:
    return record("body", avals, lambda _, args: body(*args))


def test_while_reads_what_it_captured() -> None:
    def f(x: Array, n: Array, w: Array) -> Sequence[Operand]:
        avals = [INDEX, x.aval]
        cond = body_of(avals, lambda i, _: [compare.lt(i, n)])
        body = body_of(avals, lambda i, y: [i + 1, y * 2.0 + w])
        return control.apply_while(cond, body, [np.int64(0), x])

    i, x = run(f, np.arange(5.0), np.int64(4), np.ones(5))  # type: ignore[arg-type]
    assert i == 4
    np.testing.assert_array_equal(x, np.arange(5.0) * 16 + 15)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("length", "unroll"), [(7, 1), (7, 2), (7, 3), (7, 9), (1, 1), (0, 1)])
def test_scan(length: int, unroll: int, *, reverse: bool) -> None:
    def f(x: Array, xs: Array, w: Array) -> Sequence[Operand]:
        row = ShapedArray((3,), x.aval.dtype)
        body = body_of([x.aval, row], lambda c, r: [c * w + r, c * r])
        return control.apply_scan(body, [x], [xs], length=length, reverse=reverse, unroll=unroll)

    xs = np.random.default_rng(0).normal(size=(length, 3))
    carry, ys = run(f, np.ones(3), xs, np.float64(0.5))  # type: ignore[arg-type]
    expected, stacked = np.ones(3), np.zeros((length, 3))
    for i in reversed(range(length)) if reverse else range(length):
        stacked[i] = expected * xs[i]
        expected = expected * 0.5 + xs[i]
    np.testing.assert_allclose(carry, expected, rtol=1e-14)
    np.testing.assert_allclose(ys, stacked, rtol=1e-14)


def test_branches_share_what_they_captured() -> None:
    def f(i: Array, x: Array, w: Array, v: Array) -> Sequence[Operand]:
        branches = [
            body_of([x.aval], lambda y: [y + w]),
            body_of([x.aval], lambda y: [y * v]),
            body_of([x.aval], lambda y: [y * v + w]),
        ]
        return control.apply_cond(i, branches, [x])

    x, w, v = np.arange(3.0), np.ones(3), np.full(3, 3.0)
    wanted = [x + w, x * v, x * v + w]
    for i, place in ((-5, 0), (0, 0), (1, 1), (2, 2), (7, 2)):
        (got,) = run(f, np.int32(i), x, w, v)  # type: ignore[arg-type]
        np.testing.assert_array_equal(got, wanted[place])


def test_wrong_bodies_are_refused() -> None:
    x = ShapedArray((3,), np.dtype(np.float64))
    narrow = body_of([x], lambda y: [y.astype("float32")])
    always = body_of([x], lambda _: [np.bool_(True)])
    with pytest.raises(TypeError, match="results of the body"):
        control.apply_while(always, narrow, [np.zeros(3)])
    with pytest.raises(TypeError, match="results of all branches"):
        control.apply_cond(np.int32(0), [narrow, body_of([x], lambda y: [y + 1.0])], [np.zeros(3)])
    with pytest.raises(ValueError, match="rows"):
        control.apply_scan(always, [], [np.zeros((2, 3))], length=3)


ROWS, COLUMNS = 1024, 1024

IN_PLACE = {
    "parameter",
    "get-tuple-element",
    "dynamic-update-slice",
    "fusion",
    "call",
    "scatter",
}

UPDATES: list[tuple[str, Callable[[Array, Array], Array]]] = [
    ("element", lambda x, i: indexing.set_item(x, (i, 3), x[i, 4] + 1.0)),
    ("row", lambda x, i: indexing.set_item(x, i, x[i] + 1.0)),
    ("window", lambda x, i: indexing.set_item(x, (i, slice(3, 5)), x[i, 5:7] + 1.0)),
    ("strided", lambda x, i: indexing.set_item(x, (i, slice(None, None, 7)), 1.0)),
    ("static", lambda x, _: indexing.set_item(x, (3, slice(2, 9)), x[5, 2:9] + 1.0)),
    ("sparse", lambda x, _: indexing.set_item(x, slice(None, None, 300), x[5] + 1.0)),
    ("sparse-columns", lambda x, _: indexing.set_item(x, np.s_[::300, ::200], 1.0)),
    ("array", lambda x, i: indexing.set_item(x, (i.reshape((1,)), slice(3, 5)), 1.0)),
    ("add", lambda x, i: indexing.combine_at(x, (i.reshape((1,)), 4), 1.0, "add")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "update"), UPDATES, ids=[name for name, _ in UPDATES])
def test_an_update_in_a_loop_touches_no_more_than_it_must(
    name: str, update: Callable[[Array, Array], Array]
) -> None:
    del name
    x = ShapedArray((ROWS, COLUMNS), np.dtype(np.float64))

    def f(x: Array) -> Sequence[Operand]:
        avals = [INDEX, x.aval]
        cond = body_of(avals, lambda i, _: [compare.lt(i, np.int64(100))])
        body = body_of(avals, lambda i, y: [arithmetic.add(i, np.int64(1)), update(y, i)])
        return control.apply_while(cond, body, [np.int64(0), x])[1:]

    program = record("f", [x], lambda _, args: f(*args)).program
    executable = compile_text(lower(program, [0]), program.out_avals, x.nbytes)
    assert executable.stats.temp < 128 * 1024
    # Whole matrices are carried and updated in place; no other operation makes one.
    whole = f"= f64[{ROWS},{COLUMNS}]"
    makers = {
        line.split(whole, 1)[1].split("(", 1)[0].split()[-1]
        for line in executable.optimized_text().splitlines()
        if whole in line
    }
    assert makers <= IN_PLACE
