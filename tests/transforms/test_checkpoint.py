"""Rematerialisation: the same derivatives, and that values are computed again."""

# mypy: disable-error-code="no-any-return,arg-type"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa

if TYPE_CHECKING:
    from collections.abc import Callable

RNG = np.random.default_rng(0)
W = oa.asarray(RNG.normal(size=(3, 3)))
X = oa.asarray(RNG.normal(size=3))


def layer(x: oa.Array) -> oa.Array:
    return oa.tanh(x @ W) * oa.sin(x)


def twice(f: Callable[[oa.Array], oa.Array]) -> Callable[[oa.Array], oa.Array]:
    return lambda x: oa.sum(f(f(x)))


POLICIES = {
    "nothing": None,
    "everything": lambda name: True,
    "products": lambda name: name == "dot_general",
}
MODES: dict[str, Callable[..., Any]] = {
    "grad": oa.grad,
    "compiled": lambda f: oa.jit(oa.grad(f)),
    "grad of compiled": lambda f: oa.grad(oa.jit(f)),
    "hessian": oa.hessian,
    "compiled hessian": lambda f: oa.jit(oa.hessian(f)),
    "reverse twice": lambda f: oa.jacrev(oa.jacrev(f)),
    "forward": oa.jacfwd,
    "batched": lambda f: lambda x: oa.vmap(oa.grad(f))(oa.stack([x, 2.0 * x])),
    "of a batch": lambda f: oa.grad(lambda x: oa.sum(oa.vmap(f)(oa.stack([x, 2.0 * x])))),
    "pushed": lambda f: lambda x: oa.linearize(f, x)[1](x),
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("mode", MODES)
def test_derivatives_are_the_same(mode: str, policy: str) -> None:
    again = oa.checkpoint(layer, policy=POLICIES[policy])
    found, wanted = MODES[mode](twice(again))(X), MODES[mode](twice(layer))(X)
    np.testing.assert_allclose(np.array(found), np.array(wanted), rtol=1e-10, atol=1e-12)


def test_what_it_reads_from_outside_is_differentiated() -> None:
    def f(w: Any, wrap: Callable[..., Any]) -> Any:
        return oa.sum(wrap(lambda x: oa.tanh(x @ w))(X))

    transforms: list[Callable[..., Any]] = [
        oa.grad,
        lambda g: oa.jit(oa.grad(g)),
        lambda g: oa.grad(oa.jit(g)),
    ]
    wanted = oa.grad(lambda w: f(w, lambda g: g))(W)
    for transform in transforms:
        found = transform(lambda w: f(w, oa.checkpoint))(W)
        np.testing.assert_allclose(np.array(found), np.array(wanted), rtol=1e-12)


def test_in_loops() -> None:
    def loop(f: Callable[[oa.Array], oa.Array]) -> Callable[[oa.Array], oa.Array]:
        return lambda x: oa.sum(oa.fori_loop(0, 4, lambda i, c: f(c), x))

    for mode in ("grad", "compiled", "compiled hessian"):
        found, wanted = MODES[mode](loop(oa.checkpoint(layer)))(X), MODES[mode](loop(layer))(X)
        np.testing.assert_allclose(np.array(found), np.array(wanted), rtol=1e-10)


def test_a_call_without_derivatives_is_the_function_itself() -> None:
    f = oa.checkpoint(lambda x, k: x * 2.0 if float(x) > 0 else x * k)
    assert float(f(oa.asarray(1.0), 3)) == 2.0
    assert float(f(oa.asarray(-1.0), k=3)) == -3.0


def n_kept(f: Callable[[oa.Array], oa.Array]) -> int:
    """Return how many matrices the compiled derivative keeps beside its results."""
    n = 128
    plan = oa.jit(oa.grad(f)).explain(oa.ShapedArray((n, n), "float64"))
    return round(plan.bytes_temporary / (8 * n * n))


def test_the_compiler_computes_again_instead_of_keeping() -> None:
    def block(x: oa.Array) -> oa.Array:
        for _ in range(4):
            x = oa.tanh(x @ x)
        return x

    def deep(f: Callable[[oa.Array], oa.Array]) -> Callable[[oa.Array], oa.Array]:
        def run(x: oa.Array) -> oa.Array:
            for _ in range(4):
                x = f(x)
            return oa.sum(x)

        return run

    assert n_kept(deep(oa.checkpoint(block))) < 0.6 * n_kept(deep(block))
    kept = oa.checkpoint(block, policy=lambda name: name == "dot_general")
    assert n_kept(deep(kept)) > 1.5 * n_kept(deep(oa.checkpoint(block)))
