"""Functions with rules of the user's: ``custom_jvp`` and ``custom_vjp``."""

# mypy: disable-error-code="no-any-return,arg-type"

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ownarray as oa

X = np.array([1.0, 2.0])


def same(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.array(found), wanted, rtol=1e-12)


@oa.custom_jvp
def cube(x: oa.Array) -> oa.Array:
    return x**3


@cube.defjvp
def _(primals: Any, tangents: Any) -> Any:
    (x,), (t,) = primals, tangents
    return cube(x), t * 30.0 * x * x  # ten times too much: so it shows who is asked


@oa.custom_vjp
def times(p: dict[str, oa.Array], k: float | oa.Array) -> dict[str, oa.Array]:
    return {"out": p["x"] * k}


def _forward(p: dict[str, oa.Array], k: float | oa.Array) -> Any:
    return times(p, k), (p["x"], k)


def _backward(residuals: Any, ct: Any) -> Any:
    x, k = residuals
    return {"x": 10.0 * k * ct["out"]}, None if isinstance(k, float) else oa.sum(x * ct["out"])


times.defvjp(_forward, _backward)


def total(x: oa.Array, k: Any = 4.0) -> oa.Array:
    return oa.sum(times({"x": x}, k)["out"])


def test_a_jvp_rule_serves_all_modes() -> None:
    x = oa.asarray(X)
    f = lambda x: oa.sum(cube(x))  # noqa: E731
    wanted = 30.0 * X * X
    same(cube(x), X**3)
    same(oa.jvp(cube, (x,), (oa.ones(2),))[1], wanted)
    same(oa.grad(f)(x), wanted)
    same(oa.jit(oa.grad(f))(x), wanted)
    same(oa.grad(oa.jit(f))(x), wanted)
    same(oa.linearize(cube, x)[1](oa.ones(2)), wanted)
    same(oa.hessian(f)(x), np.diag(60.0 * X))
    same(oa.vmap(oa.grad(cube))(x), wanted)
    same(oa.grad(lambda x: oa.sum(oa.vmap(cube)(x)))(x), wanted)
    same(oa.grad(lambda x: oa.sum(oa.vmap(oa.jit(cube))(x)))(x), wanted)
    same(oa.grad(lambda x: oa.sum(oa.jit(oa.vmap(oa.vmap(cube)))(x)))(oa.ones((2, 2))), 30.0)


def test_vjp_rules_serve_reverse_modes() -> None:
    x = oa.asarray(X)
    same(total(x), 12.0)
    same(oa.grad(total)(x), 40.0)
    same(oa.jit(oa.grad(total))(x, 4.0), 40.0)
    same(oa.grad(oa.jit(total))(x, oa.asarray(4.0)), 40.0)
    same(oa.grad(total, 1)(x, oa.asarray(4.0)), 3.0)
    same(oa.vmap(oa.grad(total))(oa.asarray([X, X])), 40.0)
    same(oa.grad(lambda x: oa.sum(oa.vmap(total)(x)))(oa.asarray([X, X])), 40.0)
    shared = lambda k, x: oa.sum(oa.vmap(total, in_axes=(0, None))(x, k))  # noqa: E731
    same(oa.grad(shared)(oa.asarray(4.0), oa.asarray([X, X])), 6.0)
    same(oa.jacrev(oa.jacrev(lambda x: oa.sum(x * oa.grad(total)(x, oa.sum(x)))))(x).shape, (2, 2))
    with pytest.raises(TypeError, match=r"reverse derivatives only.*custom_jvp"):
        oa.jvp(total, (x,), (oa.ones(2),))


def test_rules_hold_in_loops_and_branches() -> None:
    x = oa.asarray(X)
    loop = lambda x: oa.sum(oa.fori_loop(0, 2, lambda i, c: times({"x": c}, 2.0)["out"], x))  # noqa: E731
    same(oa.grad(loop)(x), 400.0)
    same(oa.jit(oa.grad(loop))(x), 400.0)
    branch = lambda x: oa.sum(oa.cond(x[0] > 0, cube, lambda x: x, x))  # noqa: E731
    same(oa.grad(branch)(x), 30.0 * X * X)


def test_rules_are_checked() -> None:
    @oa.custom_jvp
    def f(x: oa.Array) -> oa.Array:
        return x

    with pytest.raises(TypeError, match="no rule yet"):
        f(oa.ones(2))
    f.defjvp(lambda primals, tangents: primals[0])
    with pytest.raises(TypeError, match="must return a pair"):
        oa.jvp(f, (oa.ones(2),), (oa.ones(2),))
    f.defjvp(lambda primals, tangents: (primals[0], oa.ones(3)))
    with pytest.raises(ValueError, match=r"expected shape \(2,\)"):
        oa.jvp(f, (oa.ones(2),), (oa.ones(2),))

    @oa.custom_vjp
    def g(x: oa.Array, y: oa.Array) -> oa.Array:
        return x * y

    with pytest.raises(TypeError, match="no rules yet"):
        g(oa.ones(2), oa.ones(2))
    g.defvjp(lambda x, y: (x * y, (x, y)), lambda residuals, ct: (ct,))
    with pytest.raises(TypeError, match="tuple of 2 cotangents"):
        oa.grad(lambda x: oa.sum(g(x, x)))(oa.ones(2))


def test_a_value_from_outside_that_is_differentiated_is_an_error() -> None:
    def f(w: oa.Array) -> oa.Array:
        @oa.custom_jvp
        def inner(x: oa.Array) -> oa.Array:
            return x * w

        inner.defjvp(lambda p, t: (inner(p[0]), t[0] * w))
        return oa.sum(inner(w * 2.0))

    with pytest.raises(oa.TraceError, match="pass that value as an argument"):
        oa.grad(f)(oa.ones(2))
    with pytest.raises(oa.TraceError, match="pass that value as an argument"):
        oa.grad(oa.jit(f))(oa.ones(2))


def test_results_are_no_second_owner() -> None:
    @oa.custom_jvp
    def identity(x: oa.Array) -> oa.Array:
        return x

    identity.defjvp(lambda p, t: (p[0], t[0]))
    x = oa.asarray(X)
    y = identity(x)
    y += 1.0
    same(x, X)
    z = oa.value_and_grad(lambda x: (oa.sum(x), identity(x)), has_aux=True)(x)[0][1]
    z += 1.0
    same(x, X)
    same(identity(oa.move(x)), X)
    assert x.is_moved
