"""Gradients: arguments, trees, errors, and Python's own control flow on values."""

# mypy: disable-error-code="no-any-return,arg-type"

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import ownarray as oa


def same(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.array(found), wanted, rtol=1e-12)


def square_sum(x: oa.Array, y: oa.Array) -> oa.Array:
    return oa.sum(x * x * y)


X, Y = np.array([1.0, 2.0]), np.array([3.0, 5.0])


def test_argnums_and_argnames() -> None:
    x, y = oa.asarray(X), oa.asarray(Y)
    same(oa.grad(square_sum)(x, y), 2 * X * Y)
    same(oa.grad(square_sum, 1)(x, y), X * X)
    same(oa.grad(square_sum, -1)(x, y), X * X)
    both = oa.grad(square_sum, (1, 0))(x, y)
    assert isinstance(both, tuple)
    same(both[0], X * X)
    same(both[1], 2 * X * Y)
    same(oa.grad(square_sum, argnames="y")(x, y=y), X * X)
    (only,) = oa.grad(square_sum, argnames=("y",))(x, y)
    same(only, X * X)
    (only,) = oa.grad(square_sum, (0,))(x, y)
    same(only, 2 * X * Y)
    first, named = oa.grad(square_sum, 0, argnames="y")(x, y=y)
    same(first, 2 * X * Y)
    same(named, X * X)


def test_wrong_argnums_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="argnums names argument 2, but it takes 2"):
        oa.grad(square_sum, 2)
    with pytest.raises(ValueError, match="argnames names 'z'"):
        oa.grad(square_sum, argnames="z")
    with pytest.raises(ValueError, match="twice"):
        oa.grad(square_sum, (0, 0))
    with pytest.raises(TypeError, match="expected a function"):
        oa.grad(3)


@dataclasses.dataclass
class Layer:
    w: oa.Array
    b: oa.Array


def test_trees_and_aux() -> None:
    def loss(p: dict[str, Any], scale: float) -> Any:
        out = p["layer"].w * p["k"][0] + p["layer"].b
        return oa.sum(out * out) * scale, {"out": out, "n": 3}

    p = {"layer": Layer(oa.asarray(X), oa.asarray(2.0)), "k": (oa.asarray(3.0), None)}
    (value, aux), g = oa.value_and_grad(loss, has_aux=True)(p, 0.5)
    out = X * 3.0 + 2.0
    same(value, 0.5 * np.sum(out * out))
    same(aux["out"], out)
    assert int(aux["n"]) == 3
    assert isinstance(g["layer"], Layer)
    same(g["layer"].w, out * 3.0)
    same(g["layer"].b, np.sum(out))
    same(g["k"][0], np.sum(out * X))
    assert g["k"][1] is None
    again, aux = oa.grad(loss, has_aux=True)(p, 0.5)
    same(again["layer"].w, out * 3.0)
    same(aux["out"], out)
    with pytest.raises(TypeError, match="returns a pair"):
        oa.grad(lambda x: x, has_aux=True)(1.0)


def test_values_may_steer_python_outside_of_compiled_functions() -> None:
    def f(x: oa.Array) -> oa.Array:
        while x < 100.0:
            x = x * x if float(x) > 3.0 else x * 2.0
        return x

    same(oa.grad(f)(3.0), 64 * 3.0**3)  # of ((2 * x) ** 2) ** 2
    same(oa.grad(oa.grad(f))(3.0), 192 * 3.0**2)
    with pytest.raises(oa.TraceError, match=r"oa\.cond"):
        oa.jit(oa.grad(f))(3.0)


def test_arguments_that_are_no_arrays_pass_through() -> None:
    class Config:
        power = 3

    def f(x: oa.Array, config: Config, name: str, flag: bool = False) -> oa.Array:
        assert name == "cube"
        assert flag is True
        return x**config.power

    same(oa.grad(f)(2.0, Config(), "cube", flag=True), 12.0)
    with pytest.raises(TypeError, match="config is no tree of arrays"):
        oa.grad(f, argnames="config")(2.0, Config(), "cube")


def test_in_place_updates_are_differentiated() -> None:
    def f(x: oa.Array) -> oa.Array:
        y = x * 2.0
        y[0] = y[1] * y[2]
        y += x
        y[1:] *= y[0]
        return oa.sum(y * y)

    def plain(x: np.ndarray) -> Any:
        y = x * 2.0
        y[0] = y[1] * y[2]
        y += x
        y[1:] *= y[0]
        return np.sum(y * y)

    x = np.array([0.3, -0.7, 1.1])
    h = 1e-6
    wanted = [(plain(x + h * e) - plain(x - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(np.array(oa.grad(f)(oa.asarray(x))), wanted, rtol=1e-8)
    np.testing.assert_allclose(np.array(oa.jit(oa.grad(f))(oa.asarray(x))), wanted, rtol=1e-8)


def test_results_that_have_no_gradient_are_refused() -> None:
    with pytest.raises(TypeError, match=r"shape \(\)\), got f64\[2\].*jacrev"):
        oa.grad(lambda x: x)(oa.asarray(X))
    with pytest.raises(TypeError, match="got i64"):
        oa.grad(oa.argmax)(oa.asarray(X))
    with pytest.raises(TypeError, match="must return one number"):
        oa.grad(lambda x: (x, x))(1.0)
    with pytest.raises(TypeError, match="c128"):
        oa.grad(lambda x: x * 1j)(1.0)


def test_arguments_that_have_no_derivative_are_refused() -> None:
    with pytest.raises(TypeError, match=r"x \(i64\[\]\) has no derivative.*3.0 for 3"):
        oa.grad(lambda x: x * 2.0)(3)
    with pytest.raises(TypeError, match=r"p\['n'\] \(i64\[2\]\)"):
        oa.grad(lambda p: oa.sum(p["n"] * 2.0))({"n": oa.asarray([1, 2])})


def test_what_the_result_does_not_depend_on_has_a_gradient_of_zero() -> None:
    def f(x: oa.Array, y: oa.Array) -> oa.Array:
        return oa.sum(oa.floor(x)) + oa.sum(oa.astype(oa.sign(y), oa.int64)) * 1.0

    x, y = oa.grad(f, (0, 1))(oa.asarray(X), oa.asarray(np.float32(Y)))
    same(x, [0.0, 0.0])
    same(y, [0.0, 0.0])
    assert y.dtype == np.float32


def test_numbers_stay_weak_in_the_function() -> None:
    f = oa.grad(lambda x, y: oa.sum(x * y), (0, 1))
    x, y = f(2.0, oa.asarray(np.float32(X)))
    assert (x.dtype, y.dtype) == (np.float64, np.float32)
    same(x, 3.0)
    same(y, [2.0, 2.0])


def test_complex_gradients_are_conjugate_directions_of_ascent() -> None:
    z = 1.0 + 2.0j
    same(oa.grad(lambda z: oa.real(z * oa.conj(z)))(z), 2 * np.conj(z))
    same(oa.grad(oa.abs)(z), np.conj(z) / abs(z))


def test_derivatives_of_derivatives() -> None:
    f: Any = oa.sin
    wanted: list[Any] = [np.sin, np.cos, lambda x: -np.sin(x), lambda x: -np.cos(x), np.sin]
    for order in range(5):
        same(f(oa.asarray(0.7)), wanted[order](0.7))
        f = oa.grad(f)


def test_an_outer_derivative_does_not_mix_with_an_inner_one() -> None:
    same(oa.grad(lambda x: x * oa.grad(lambda y: x + y)(1.0))(1.0), 1.0)
    same(oa.grad(lambda x: x * oa.jvp(lambda y: x * y, (1.0,), (1.0,))[1])(3.0), 6.0)


def test_compiled_functions_are_differentiated() -> None:
    f = oa.jit(lambda x: oa.sum(x * x * x))
    same(oa.grad(f)(oa.asarray(X)), 3 * X * X)
    same(oa.jit(oa.grad(f))(oa.asarray(X)), 3 * X * X)
    same(oa.hessian(f)(oa.asarray(X)), np.diag(6 * X))


def test_methods_keep_their_object() -> None:
    class Model:
        scale = 3.0

        @oa.grad
        def loss(self: Any, x: oa.Array) -> oa.Array:
            return x * self.scale

    with pytest.raises(TypeError, match="self is no tree of arrays"):
        Model().loss(2.0)
    model = Model()
    same(oa.grad(lambda x: x * model.scale)(2.0), 3.0)


def test_a_traced_array_that_escapes_is_an_error() -> None:
    kept: list[oa.Array] = []

    def f(x: oa.Array) -> oa.Array:
        kept.append(x * 2.0)
        return x

    oa.grad(f)(1.0)
    with pytest.raises(oa.TraceError, match="escaped"):
        _ = kept[0] + 1.0


def test_jvp_and_linearize() -> None:
    f = lambda x, y: {"p": x * y, "i": oa.argmax(x)}  # noqa: E731
    x, y = oa.asarray(X), oa.asarray(Y)
    out, tangent = oa.jvp(f, (x, y), (oa.ones(2), oa.zeros(2)))
    same(out["p"], X * Y)
    same(tangent["p"], Y)
    same(tangent["i"], 0.0)
    out, push = oa.linearize(f, x, y)
    same(push(oa.ones(2), oa.zeros(2))["p"], Y)
    same(push(oa.zeros(2), oa.ones(2))["p"], X)
    same(oa.jit(lambda x, y: oa.linearize(f, x, y)[1](x, y)["p"])(x, y), 2 * X * Y)
    with pytest.raises(TypeError, match="2 primals and 1 tangents"):
        oa.jvp(f, (x, y), (x,))
    with pytest.raises(ValueError, match=r"tangents of y: expected shape \(2,\)"):
        oa.jvp(f, (x, y), (x, oa.ones(3)))
    with pytest.raises(TypeError, match="expected dtype float64"):
        oa.jvp(f, (x, y), (x, oa.asarray(np.float32(Y))))
    with pytest.raises(TypeError, match="expected the structure"):
        oa.jvp(f, (x, y), (x, (y,)))


def test_vjp() -> None:
    x, y = oa.asarray(X), oa.asarray(Y)
    out, pull = oa.vjp(lambda x, y: (x * y, oa.sum(x)), x, y)
    same(out[0], X * Y)
    ct = (oa.asarray([1.0, 10.0]), 2.0)
    for _ in range(2):
        gx, gy = pull(ct)
        same(gx, np.array([1.0, 10.0]) * Y + 2.0)
        same(gy, np.array([1.0, 10.0]) * X)
    with pytest.raises(TypeError, match="expected the structure"):
        pull(x)
    out, pull, aux = oa.vjp(lambda x: (x * x, "name"), x, has_aux=True)
    assert aux == "name"
    same(pull(oa.ones(2))[0], 2 * X)
    same(oa.jit(lambda x: oa.vjp(lambda x: x * x, x)[1](x)[0])(x), 2 * X * X)


def test_a_pullback_uses_values_as_they_were() -> None:
    @oa.jit
    def f(x: oa.Owned[oa.Array]) -> tuple[oa.Array, oa.Array]:
        y, pull = oa.vjp(oa.exp, x)
        x += 100.0
        y += 100.0
        return pull(oa.ones(2))[0], y

    ct, y = f(oa.move(oa.asarray(X)))
    same(ct, np.exp(X))
    same(y, np.exp(X) + 100.0)


def test_jacobians_and_hessians() -> None:
    def f(p: dict[str, oa.Array], z: oa.Array) -> dict[str, oa.Array]:
        return {"o": p["a"] * p["b"] * z, "s": oa.sum(p["a"])}

    p = {"a": oa.asarray(X), "b": oa.asarray(3.0)}
    for transform in (oa.jacfwd, oa.jacrev):
        for each in (transform(f), oa.jit(transform(f))):
            j = each(p, oa.asarray(Y))
            same(j["o"]["a"], np.diag(3.0 * Y))
            same(j["o"]["b"], X * Y)
            same(j["s"]["a"], [1.0, 1.0])
            same(j["s"]["b"], 0.0)
        with pytest.raises(TypeError, match="complex"):
            transform(lambda x: x)(1j)
        with pytest.raises(TypeError, match=r"returns i64"):
            transform(oa.argmax)(oa.asarray(X))
    h = oa.hessian(lambda x, y: oa.sum(x * x * y), (0, 1))(oa.asarray(X), oa.asarray(Y))
    same(h[0][0], np.diag(2 * Y))
    same(h[0][1], np.diag(2 * X))
    same(h[1][1], np.zeros((2, 2)))
    matrix = np.arange(6.0).reshape(2, 3)
    j = oa.jacrev(lambda x: oa.matmul(matrix, x))(oa.ones((3, 2)))
    same(j, np.einsum("ik,jl->ijkl", matrix, np.eye(2)))


def test_stop_gradient() -> None:
    same(oa.grad(lambda x: x * oa.stop_gradient({"x": x})["x"])(3.0), 3.0)
    x = oa.ones(2)
    y = oa.stop_gradient(x)
    y += 1.0
    same(x, [1.0, 1.0])
    same(oa.stop_gradient(oa.move(x)), [1.0, 1.0])
    assert x.is_moved
