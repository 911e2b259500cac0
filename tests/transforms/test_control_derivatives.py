"""Derivatives and batches of loops and branches, against the same written out in Python."""

# mypy: disable-error-code="no-any-return,arg-type"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._trace.record import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from ownarray._core.program import Program

pytestmark = pytest.mark.slow  # each loop is compiled, at once as in traces

RNG = np.random.default_rng(3)
X = RNG.normal(size=(4, 3))
W = RNG.normal(size=(3, 3))


def recurrent(x: Any, w: Any) -> Any:
    """Carry, constants, rows and stacked results, with a carry that begins without tangent."""

    def body(c: Any, row: Any) -> Any:
        c = {"h": oa.tanh(c["h"] @ w + row), "n": c["n"] + 1}
        return c, (oa.sum(c["h"] * c["n"]), c["h"])

    c, (sums, rows) = oa.scan(body, {"h": oa.zeros(3), "n": oa.asarray(0)}, x)
    return oa.sum(sums) * oa.sum(c["h"]) + oa.sum(rows[1:] * rows[:-1])


def recurrent_in_python(x: Any, w: Any) -> Any:
    h: Any = oa.zeros(3)
    rows, total = [], oa.asarray(0.0)
    for i in range(4):
        h = oa.tanh(h @ w + x[i])
        total = total + oa.sum(h * (i + 1))
        rows.append(h)
    pairs = sum(oa.sum(a * b) for a, b in zip(rows[1:], rows[:-1], strict=True))
    return total * oa.sum(h) + pairs


def reversed_scan(x: Any, w: Any) -> Any:
    c, ys = oa.scan(lambda c, r: (c @ w + r, c * r), oa.sum(x, axis=0), x, reverse=True, unroll=2)
    return oa.sum(c) + oa.sum(ys * ys)


def reversed_in_python(x: Any, w: Any) -> Any:
    c: Any = oa.sum(x, axis=0)
    total: Any = 0.0
    for i in reversed(range(4)):
        y = c * x[i]
        total = total + oa.sum(y * y)
        c = c @ w + x[i]
    return oa.sum(c) + total


def counted(x: Any, w: Any) -> Any:
    def body(i: Any, c: Any) -> Any:
        c = c @ w
        c[0] = c[1] * i  # in place, in the loop's own carry
        return c + x[i]

    return oa.sum(oa.fori_loop(1, 4, body, x[0]) ** 2)


def counted_in_python(x: Any, w: Any) -> Any:
    c = x[0]
    for i in range(1, 4):
        c = c @ w
        c[0] = c[1] * i
        c = c + x[i]
    return oa.sum(c**2)


def branching(x: Any, w: Any) -> Any:
    def positive(x: Any) -> Any:
        return oa.exp(x) @ w, oa.sum(x)

    def negative(x: Any) -> Any:
        return x * x * x, oa.sum(w * w) * oa.sum(x)

    total: Any = 0.0
    for i in range(4):
        a, b = oa.cond(oa.sum(x[i]) > 0, positive, negative, x[i])
        total = total + oa.sum(a) * b
    return total


def branching_in_python(x: Any, w: Any) -> Any:
    total: Any = 0.0
    for i in range(4):
        row = x[i]
        if float(np.sum(X[i])) > 0:
            total = total + oa.sum(oa.exp(row) @ w) * oa.sum(row)
        else:
            total = total + oa.sum(row * row * row) * oa.sum(w * w) * oa.sum(row)
    return total


def nested(x: Any, w: Any) -> Any:
    def outer(c: Any, row: Any) -> Any:
        inner = oa.fori_loop(0, 2, lambda i, a: oa.sin(a @ w), c + row)
        c = oa.cond(oa.sum(row) > 0, lambda a: a * row, lambda a: a - row, inner)
        return c, oa.sum(c)

    c, ys = oa.scan(outer, oa.ones(3), x)
    return oa.sum(c) * oa.sum(ys)


def nested_in_python(x: Any, w: Any) -> Any:
    c: Any = oa.ones(3)
    total: Any = 0.0
    for i in range(4):
        a = c + x[i]
        for _ in range(2):
            a = oa.sin(a @ w)
        c = a * x[i] if float(np.sum(X[i])) > 0 else a - x[i]
        total = total + oa.sum(c)
    return oa.sum(c) * total


PAIRS = {
    "scan": (recurrent, recurrent_in_python),
    "reversed scan": (reversed_scan, reversed_in_python),
    "fori_loop": (counted, counted_in_python),
    "cond": (branching, branching_in_python),
    "nested": (nested, nested_in_python),
}
MODES: dict[str, Callable[..., Any]] = {
    "value": lambda f: f,
    "grad": lambda f: oa.grad(f, (0, 1)),
    "compiled": lambda f: oa.jit(oa.grad(f, (0, 1))),
    "forward": lambda f: oa.jacfwd(f, (0, 1)),
    "pushed": lambda f: lambda x, w: oa.linearize(f, x, w)[1](x, w),
    "hessian": lambda f: oa.jit(oa.hessian(f, 1)),
    "reverse twice": lambda f: oa.jit(oa.jacrev(oa.jacrev(f, 1), 0)),
}


def leaves(tree: Any) -> list[Any]:
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, tuple) else [tree]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PAIRS)
def test_loops_and_branches_are_what_python_does(name: str, mode: str) -> None:
    x, w = oa.asarray(X), oa.asarray(W)
    fast, plain = PAIRS[name]
    found, wanted = MODES[mode](fast)(x, w), MODES[mode](plain)(x, w)
    for a, b in zip(leaves(found), leaves(wanted), strict=True):
        np.testing.assert_allclose(np.array(a), np.array(b), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("name", ["scan", "reversed scan", "fori_loop", "nested"])
def test_batches_of_loops(name: str) -> None:
    function = PAIRS[name][0]
    xs, ws = np.stack([X, 0.5 * X]), np.stack([W, 2.0 * W])
    gradient = oa.grad(function, (0, 1))
    if name == "nested":  # the branch is chosen by the sign, which both examples share
        xs = np.stack([X, 2.0 * X])
    for in_axes in ((0, 0), (0, None), (None, 0)):
        args = [
            oa.asarray(a if axis == 0 else a[0]) for a, axis in zip((xs, ws), in_axes, strict=True)
        ]
        found = oa.vmap(gradient, in_axes=in_axes)(*args)
        values = oa.vmap(function, in_axes=in_axes)(*args)
        for i in range(2):
            each = [
                oa.asarray(a[i] if axis == 0 else a[0])
                for a, axis in zip((xs, ws), in_axes, strict=True)
            ]
            np.testing.assert_allclose(np.array(values[i]), np.array(function(*each)), rtol=1e-10)
            for a, b in zip(found, gradient(*each), strict=True):
                np.testing.assert_allclose(np.array(a)[i], np.array(b), rtol=1e-9, atol=1e-11)


def test_examples_that_choose_differently() -> None:
    f = lambda x: oa.cond(x[0] > 0, lambda x: oa.sum(oa.log(x)), lambda x: oa.sum(x * x), x)  # noqa: E731
    x = np.array([[1.0, 2.0], [-1.0, 2.0]])
    wanted = [[1.0, 0.5], [-2.0, 4.0]]
    np.testing.assert_allclose(np.array(oa.vmap(oa.grad(f))(oa.asarray(x))), wanted)
    whole = oa.grad(lambda x: oa.sum(oa.vmap(f)(x)))(oa.asarray(np.abs(x)))
    np.testing.assert_allclose(np.array(whole), 1.0 / np.abs(x))


def test_while_loops_in_forward_mode_and_batches() -> None:
    f = lambda x: oa.while_loop(lambda c: c < 100.0, lambda c: c * x, x)  # noqa: E731
    value, tangent = oa.jvp(f, (3.0,), (1.0,))
    assert (float(value), float(tangent)) == (3.0**5, 5 * 3.0**4)
    assert float(oa.jacfwd(oa.jacfwd(f))(oa.asarray(3.0))) == 20 * 3.0**3
    assert float(oa.linearize(f, 3.0)[1](2.0)) == 10 * 3.0**4
    x = oa.asarray([2.0, 3.0, 50.0])
    assert oa.vmap(f)(x).tolist() == [128.0, 243.0, 2500.0]
    assert oa.vmap(oa.jacfwd(f))(x).tolist() == [448.0, 405.0, 100.0]
    shared = oa.vmap(
        lambda x, n: oa.while_loop(lambda c: c[1] < n, lambda c: (c[0] * x, c[1] + 1), (x, 0))[0],
        in_axes=(0, None),
    )
    assert shared(x, 2).tolist() == [8.0, 27.0, 125000.0]


def test_while_loops_in_reverse_say_what_to_do() -> None:
    def f(x: Any) -> Any:
        return oa.while_loop(lambda c: c < 100.0, lambda c: c * x, x)

    reverse: list[Callable[..., Any]] = [oa.grad, lambda f: oa.jit(oa.grad(f)), oa.jacrev]
    for transform in reverse:
        with pytest.raises(NotImplementedError, match="Fix: use fori_loop with int bounds or scan"):
            transform(f)(oa.asarray(3.0))
    # A loop that the result does not depend on smoothly is no obstacle.
    g = lambda x: x * oa.stop_gradient(f(x))  # noqa: E731
    assert float(oa.grad(g)(3.0)) == 243.0


def test_fixed_point_with_a_number_of_rounds_has_a_gradient() -> None:
    f = lambda a: oa.sum(oa.fixed_point(lambda x: (x + a / x) / 2.0, 20, oa.ones(2)))  # noqa: E731
    np.testing.assert_allclose(np.array(oa.grad(f)(oa.asarray([4.0, 9.0]))), [0.25, 1.0 / 6.0])


def n_stacked(program: Program, length: int) -> int:
    """Return how many values of all scans of a program are stacked along the steps."""
    scans = [eqn for eqn in program.eqns if eqn.primitive.name == "scan"]
    return sum(
        1
        for eqn in scans
        for var in eqn.outs[eqn.params["n_carry"] :]
        if var.aval.shape[:1] == (length,)
    )


def test_values_that_do_not_change_are_not_stacked() -> None:
    def f(tracers: list[Any]) -> Any:
        x, w = tracers
        loss = lambda x, w: oa.sum(oa.fori_loop(0, 7, lambda i, c: oa.sin(c @ oa.exp(w)), x))  # noqa: E731
        return oa.grad(loss, (0, 1))(x, w)

    avals = [oa.ShapedArray((3,), "float64"), oa.ShapedArray((3, 3), "float64")]
    program = record("f", avals, lambda _, tracers: list(f(tracers))).program
    # Of each step the carry, and what the sine needs; not w, nor its exponential.
    assert n_stacked(program, 7) == 2


def test_a_training_loop_inside_a_compiled_function() -> None:
    def train(w: oa.Owned[oa.Array], x: oa.Array) -> oa.Array:
        loss = lambda w: oa.sum((x @ w - 1.0) ** 2)  # noqa: E731
        return oa.fori_loop(0, 50, lambda i, w: w - 0.02 * oa.grad(loss)(w), w)

    w = oa.asarray(W[0])
    compiled = oa.jit(train)
    assert compiled.explain(w, oa.asarray(X)).bytes_reused == w.nbytes
    found = np.array(compiled(oa.move(w), oa.asarray(X)))
    wanted = W[0].copy()
    for _ in range(50):
        wanted -= 0.02 * 2 * X.T @ (X @ wanted - 1.0)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
