"""Derivatives keep the ownership of what they differentiate."""

# mypy: disable-error-code="no-any-return,arg-type,attr-defined"

from __future__ import annotations

import gc
import itertools
from typing import Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._passes.linearize import linearize
from ownarray._passes.transpose import backward

Params = dict[str, oa.Array]


def params() -> Params:
    return {"w": oa.asarray([1.0, 2.0]), "b": oa.asarray(3.0)}


def loss(p: Params, x: oa.Array) -> oa.Array:
    return oa.sum((p["w"] * x + p["b"]) ** 2)


X = np.array([0.5, 1.5])


def test_lent_arguments_survive() -> None:
    p, x = params(), oa.asarray(X)
    oa.grad(loss)(p, x)
    assert p["w"].state is oa.State.OWNED
    p["w"] += 1.0
    oa.move(x).take()


def test_moved_arguments_die_and_results_are_the_same() -> None:
    x = oa.asarray(X)
    p, q = params(), params()
    value, lent = oa.value_and_grad(loss)(p, x)
    moved_value, moved = oa.value_and_grad(loss)(oa.move(q), x)
    assert q["w"].is_moved
    assert q["b"].is_moved
    assert float(value) == float(moved_value)
    for name in lent:
        assert np.array_equal(np.array(lent[name]), np.array(moved[name]))
    with pytest.raises(oa.UseAfterMoveError):
        loss(q, x)


def test_a_handle_is_good_again_if_the_function_fails() -> None:
    def wrong(p: Params) -> oa.Array:
        raise KeyError("no such thing")

    p = params()
    h = oa.move(p)
    with pytest.raises(KeyError):
        oa.grad(wrong)(h)
    again = h.take()
    assert again["w"].tolist() == [1.0, 2.0]


def test_a_consumed_argument_may_be_updated_and_a_lent_one_not() -> None:
    def f(x: oa.Array) -> oa.Array:
        x *= 2.0
        return oa.sum(x * x)

    x = oa.asarray(X)
    with pytest.raises(oa.BorrowError):
        oa.grad(f)(x)
    np.testing.assert_allclose(np.array(oa.grad(f)(oa.move(x))), 8 * X)


def test_declared_modes_are_kept() -> None:
    def f(p: oa.Owned[oa.Array], x: oa.Borrowed[oa.Array]) -> oa.Array:
        p *= x
        return oa.sum(p * p)

    g = oa.grad(f)
    x = oa.asarray(X)
    with pytest.raises(oa.MoveRequiredError):
        g(oa.asarray(X), x)
    p, h = oa.move(oa.asarray(X)), oa.move(oa.asarray(X))
    with pytest.raises(oa.BorrowError):
        g(p, h)
    p.take(), h.take()
    np.testing.assert_allclose(np.array(g(oa.move(oa.asarray(X)), x)), 2 * X**3)
    compiled = oa.jit(g)
    with pytest.raises(oa.MoveRequiredError):
        compiled(oa.asarray(X), x)
    np.testing.assert_allclose(np.array(compiled(oa.move(oa.asarray(X)), x)), 2 * X**3)
    assert compiled.explain(oa.asarray(X), x).bytes_reused == 16


def test_a_compiled_function_that_owns_can_be_differentiated() -> None:
    @oa.jit
    def f(p: oa.Owned[oa.Array]) -> oa.Array:
        p *= 3.0
        return oa.sum(p * p)

    x = oa.asarray(X)
    np.testing.assert_allclose(np.array(oa.grad(f)(oa.move(x))), 18 * X)
    assert x.is_moved
    with pytest.raises(oa.MoveRequiredError):
        oa.grad(f)(oa.asarray(X))


def test_mut_is_refused_in_argnums_and_updated_elsewhere() -> None:
    def f(p: oa.Array, seen: oa.Mut[dict[str, oa.Array]]) -> oa.Array:
        seen["n"] += 1
        seen["last"] = p * 2.0
        return oa.sum(p * p)

    with pytest.raises(TypeError, match="'seen' is declared Mut"):
        oa.grad(f, 1)
    seen = {"n": oa.asarray(0), "last": oa.zeros(2)}
    last = seen["last"]
    np.testing.assert_allclose(np.array(oa.grad(f)(oa.asarray(X), seen)), 2 * X)
    assert int(seen["n"]) == 1
    assert last.tolist() == (2 * X).tolist()
    oa.jit(oa.grad(f))(oa.asarray(X), seen)
    assert int(seen["n"]) == 2


def test_each_gradient_is_an_owner_of_its_own() -> None:
    gx, gy = oa.grad(lambda x, y: oa.sum(x + y), (0, 1))(oa.asarray(X), oa.asarray(X))
    gx += 1.0
    assert gy.tolist() == [1.0, 1.0]
    oa.move((gx, gy)).take()
    ct = oa.ones(2)
    _, pull = oa.vjp(lambda x: x.copy(), oa.asarray(X))
    (found,) = pull(ct)
    found += 1.0
    assert ct.tolist() == [1.0, 1.0]


def test_results_are_no_second_owner_of_arguments() -> None:
    x, w = oa.asarray(X), oa.asarray([7.0, 8.0])
    (_, aux), _ = oa.value_and_grad(lambda x: (oa.sum(x), (x, w, x)), has_aux=True)(x)
    for part in aux:
        part += 1.0
    assert x.tolist() == X.tolist()
    assert w.tolist() == [7.0, 8.0]
    assert aux[0].tolist() == (X + 1.0).tolist()


def test_a_pullback_borrows_what_it_reads() -> None:
    x = oa.asarray(X)
    y, pull = oa.vjp(oa.exp, x)
    with pytest.raises(oa.BorrowError, match="test_grad_ownership"):
        y += 1.0
    del pull
    y += 1.0
    y, pull = oa.vjp(lambda x: x * x, oa.move(x))
    y += 1.0
    np.testing.assert_allclose(np.array(pull(oa.ones(2))[0]), 2 * X)


def test_what_a_body_captures_it_may_not_update() -> None:
    w = oa.asarray(X)

    def f(x: oa.Array) -> oa.Array:
        nonlocal w
        w += 1.0
        return oa.sum(w * x)

    with pytest.raises(oa.BorrowError):
        oa.grad(f)(oa.asarray(X))


def test_residuals_are_freed_at_their_last_use() -> None:
    n = 1 << 14
    counts: list[int] = []

    @oa.custom_vjp
    def probe(x: oa.Array) -> oa.Array:
        return x * 1.0

    def backwards(_: None, ct: oa.Array) -> tuple[oa.Array]:
        counts.append(_live(n))
        return (ct * 1.0,)

    probe.defvjp(lambda x: (probe(x), None), backwards)

    def f(x: oa.Array) -> oa.Array:
        for _ in range(4):
            x = probe(oa.sin(x))
        return oa.sum(x)

    oa.grad(f)(oa.ones(n))
    # On the way back each sine has read its cosine, which then is gone.
    assert [a - b for a, b in itertools.pairwise(counts)] == [1, 1, 1]


def test_a_program_run_backwards_empties_its_list_of_residuals() -> None:
    n = 1 << 14
    x: Any = oa.ones(n)
    ct: Any = oa.ones(n)

    def twice(arrays: Any) -> Any:
        return [oa.sin(oa.sin(arrays[0]))]

    found = linearize("f", twice, [x], [x.aval], [True])
    program, residuals = found.program, found.residuals
    assert len(residuals) == 2
    del found
    (result,) = backward(program, [True, False, False], residuals, [ct])
    assert residuals == []
    assert result is not None
    assert _live(n) == 3


def _live(n: int) -> int:
    """Return how many arrays of n elements there are."""
    gc.collect()
    return sum(
        1 for array in gc.get_objects() if isinstance(array, oa.Array) and array.shape == (n,)
    )


def test_a_donated_training_step_is_one_copy() -> None:
    def step(
        p: oa.Owned[Params], m: oa.Owned[Params], x: oa.Array
    ) -> tuple[Params, Params, oa.Array]:
        value, g = oa.value_and_grad(loss)(p, x)
        m = {k: 0.9 * m[k] + g[k] for k in m}
        return {k: p[k] - 0.1 * m[k] for k in p}, m, value

    n = 1 << 14
    p = {"w": oa.ones(n), "b": oa.asarray(1.0)}
    m = {"w": oa.zeros(n), "b": oa.asarray(0.0)}
    x = oa.ones(n)
    compiled = oa.jit(step, require_alias=True)
    plan = compiled.explain(p, m, x)
    state = sum(a.nbytes for a in [*p.values(), *m.values()])
    assert plan.bytes_reused == state
    assert plan.bytes_freed == 0
    wanted_p, wanted_m, wanted = step(
        {k: a.copy() for k, a in p.items()}, {k: a.copy() for k, a in m.items()}, x
    )
    new_p, new_m, value = compiled(oa.move(p), oa.move(m), x)
    assert p["w"].is_moved
    np.testing.assert_allclose(float(value), float(wanted))
    for found, expected in ((new_p, wanted_p), (new_m, wanted_m)):
        for name in found:
            np.testing.assert_allclose(np.array(found[name]), np.array(expected[name]))
