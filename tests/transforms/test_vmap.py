"""Batching: axes, trees, shared values, Mut, nesting with derivatives."""

# mypy: disable-error-code="no-any-return,arg-type"

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ownarray as oa


def same(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.array(found), wanted, rtol=1e-12)


X = np.arange(12.0).reshape(3, 4)
Y = np.arange(1.0, 4.0)


def test_axes() -> None:
    x, y = oa.asarray(X), oa.asarray(Y)
    scale = lambda row, k: row * k  # noqa: E731
    same(oa.vmap(scale)(x, y), X * Y[:, None])
    same(oa.vmap(scale, in_axes=(1, None))(x, y), (X * Y[:, None]).T)
    same(oa.vmap(scale, in_axes=(1, None), out_axes=1)(x, y), X * Y[:, None])
    same(oa.vmap(scale, in_axes=(-1, None), out_axes=-1)(x, y), X * Y[:, None])
    same(oa.vmap(scale)(x, k=y), X * Y[:, None])
    same(oa.vmap(scale, in_axes=(0, None))(x, 2.0), X * 2.0)
    same(oa.jit(oa.vmap(scale))(x, y), X * Y[:, None])


def test_trees_of_axes() -> None:
    def f(p: dict[str, Any], x: oa.Array) -> Any:
        return {"out": p["w"] * x, "pair": (x, p["c"])}

    p = {"w": oa.asarray(X), "c": oa.asarray(5.0)}
    axes = ({"w": 0, "c": None}, 0)
    found = oa.vmap(f, in_axes=axes, out_axes={"out": 1, "pair": (0, None)})(p, oa.asarray(Y))
    same(found["out"], (X * Y[:, None]).T)
    same(found["pair"][0], Y)
    same(found["pair"][1], 5.0)
    shared = oa.vmap(lambda x: (x, 1.0))(oa.asarray(Y))
    same(shared[1], [1.0, 1.0, 1.0])


def test_wrong_axes() -> None:
    f = oa.vmap(lambda x, y: x + y)
    with pytest.raises(ValueError, match="x: 3, y: 4"):
        f(oa.ones(3), oa.ones(4))
    with pytest.raises(ValueError, match=r"y has 0 axes.*in_axes"):
        f(oa.ones(3), oa.asarray(1.0))
    with pytest.raises(ValueError, match=r"no argument.*has a batch axis"):
        oa.vmap(lambda x: x, in_axes=None)(oa.ones(3))
    with pytest.raises(ValueError, match=r"2 entries.*1 positional"):
        oa.vmap(lambda x: x, in_axes=(0, 0))(oa.ones(3))
    with pytest.raises(ValueError, match="does not fit the structure"):
        oa.vmap(lambda x: x, in_axes=({"a": 0},))({"b": oa.ones(3)})
    with pytest.raises(ValueError, match="differs between examples"):
        oa.vmap(lambda x: x, out_axes=None)(oa.ones(3))
    with pytest.raises(ValueError, match="no axis 2"):
        oa.vmap(lambda x: x, out_axes=2)(oa.ones(3))
    with pytest.raises(TypeError):
        oa.vmap(lambda x: x, in_axes=("a",))(oa.ones(3))


def test_nested() -> None:
    x = oa.asarray(np.arange(24.0).reshape(2, 3, 4))
    inner = lambda x, y: oa.sum(x * y)  # noqa: E731
    found = oa.vmap(oa.vmap(inner, in_axes=(0, None)), in_axes=(None, 0))(
        oa.asarray(X), oa.asarray(X)
    )
    same(found, X @ X.T)
    same(oa.vmap(oa.vmap(oa.sum, in_axes=1), in_axes=0)(x), np.arange(24.0).reshape(2, 3, 4).sum(1))


def test_derivatives_inside_and_outside() -> None:
    f = lambda x: oa.sum(x**3)  # noqa: E731
    x = oa.asarray(X)
    same(oa.vmap(oa.grad(f))(x), 3 * X * X)
    same(oa.grad(lambda x: oa.sum(oa.vmap(f)(x)))(x), 3 * X * X)
    same(oa.jit(oa.vmap(oa.grad(f)))(x), 3 * X * X)
    same(oa.vmap(oa.hessian(f))(x)[1], np.diag(6 * X[1]))
    per_example = oa.vmap(oa.grad(lambda w, x: oa.sum(w * x) ** 2), in_axes=(None, 0))
    same(per_example(oa.ones(4), x), 2 * X.sum(1, keepdims=True) * X)


def test_updates_in_place() -> None:
    def f(x: oa.Array, i: oa.Array) -> oa.Array:
        y = x * 1.0
        y[i] = 100.0
        y[0] += y[1]
        return y

    wanted = X.copy()
    wanted[[0, 1, 2], [3, 1, 0]] = 100.0
    wanted[:, 0] += wanted[:, 1]
    same(oa.vmap(f)(oa.asarray(X), oa.asarray([3, 1, 0])), wanted)
    with pytest.raises(oa.BorrowError):
        oa.vmap(lambda x: x.__iadd__(1.0))(oa.asarray(X))


def test_a_batched_mut_is_updated() -> None:
    def f(x: oa.Mut[oa.Array], k: oa.Array) -> oa.Array:
        x += k
        return x[0]

    x = oa.asarray(X)
    same(oa.vmap(f)(x, oa.asarray(Y)), X[:, 0] + Y)
    same(x, X + Y[:, None])
    x = oa.asarray(X)
    same(oa.vmap(f, in_axes=(1, 0))(x, oa.arange(4.0)), X[0] + np.arange(4.0))
    same(x, X + np.arange(4.0))
    same(oa.jit(oa.vmap(f))(x, oa.asarray(Y)), (X + np.arange(4.0))[:, 0] + Y)
    same(x, X + np.arange(4.0) + Y[:, None])
    with pytest.raises(ValueError, match="x is updated differently by each example"):
        oa.vmap(f, in_axes=(None, 0))(oa.asarray(Y), oa.asarray(Y))


def test_handles_are_consumed() -> None:
    def f(x: oa.Owned[oa.Array]) -> oa.Array:
        x *= 2.0
        return x

    x = oa.asarray(X)
    with pytest.raises(oa.MoveRequiredError):
        oa.vmap(f)(x)
    same(oa.vmap(f)(oa.move(x)), 2 * X)
    assert x.is_moved
    compiled = oa.jit(oa.vmap(f))
    assert compiled.explain(oa.asarray(X)).bytes_reused == X.nbytes
    y = oa.asarray(X)
    same(oa.vmap(lambda y: y)(oa.move(y)), X)


def test_results_are_no_second_owner() -> None:
    x = oa.asarray(X)
    y = oa.vmap(lambda x: x)(x)
    y += 1.0
    same(x, X)


def test_values_that_all_examples_share_may_steer_python() -> None:
    def f(x: oa.Array, k: oa.Array) -> oa.Array:
        return x * 2.0 if k > 0 else x

    same(oa.vmap(f, in_axes=(0, None))(oa.asarray(X), oa.asarray(1.0)), 2 * X)
    with pytest.raises(oa.TraceError):
        oa.vmap(f)(oa.asarray(X), oa.asarray(Y))
