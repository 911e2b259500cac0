"""The interpreters of derivatives and batching by themselves, on flat functions and programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import ownarray._array  # noqa: F401  (installs the interpreter that computes at once)
from ownarray._core.aval import ShapedArray
from ownarray._core.check import ProgramError, check_program
from ownarray._core.dtypes import FLOAT64
from ownarray._core.primitive import Missing, Primitive
from ownarray._core.program import Program, Var
from ownarray._errors import TraceError
from ownarray._ops.arithmetic import add, mul
from ownarray._ops.structural import copy, sum_axes
from ownarray._ops.transcendental import exp
from ownarray._passes.batch import batch
from ownarray._passes.jvp import jvp
from ownarray._passes.linearize import linearize
from ownarray._passes.transpose import backward
from ownarray._trace.bind import Operand, bind
from ownarray._trace.record import evaluate, record

Flat = Callable[[Sequence[Any]], list[Any]]
VECTOR = ShapedArray((3,), FLOAT64)


def array(*values: float) -> Any:
    return copy(np.array(values))


def same(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.array(found), wanted)


def product(arrays: Sequence[Any]) -> list[Operand]:
    x, y = arrays
    return [mul(exp(x), y), y, add(x, x)]


def test_jvp_carries_tangents_beside_values() -> None:
    x, y, t = array(1.0, 2.0, 3.0), array(4.0, 5.0, 6.0), array(1.0, 0.0, -1.0)
    outs, tangents = jvp("f", product, [x, y], [t, None], [VECTOR, VECTOR])
    same(outs[0], np.exp([1.0, 2.0, 3.0]) * [4.0, 5.0, 6.0])
    same(tangents[0], np.exp([1.0, 2.0, 3.0]) * [4.0, 0.0, -6.0])
    assert tangents[1] is None
    same(tangents[2], [2.0, 0.0, -2.0])


def test_a_linearized_function_is_a_program_of_tangents_and_residuals() -> None:
    x, y = array(1.0, 2.0, 3.0), array(4.0, 5.0, 6.0)
    found = linearize("f", product, [x, y], [VECTOR, VECTOR], [True, False])
    check_program(found.program)
    assert found.is_live == [True, False, True]
    assert {eqn.primitive.name for eqn in found.program.eqns} == {"mul", "add"}
    assert len(found.program.params) == 1 + len(found.residuals)
    t = array(1.0, 0.0, -1.0)
    first, last = evaluate(found.program, [t, *found.residuals])
    same(first, np.exp([1.0, 2.0, 3.0]) * [4.0, 0.0, -6.0])
    same(last, [2.0, 0.0, -2.0])


def test_what_no_result_needs_is_no_residual() -> None:
    def f(arrays: Sequence[Any]) -> list[Operand]:
        (x,) = arrays
        mul(exp(x), x)
        return [add(x, x)]

    found = linearize("f", f, [array(1.0)], [ShapedArray((1,), FLOAT64)], [True])
    assert found.residuals == []
    assert len(found.program.eqns) == 1


def test_residuals_are_values_as_they_were() -> None:
    def body(_: object, tracers: list[Any]) -> Sequence[Operand]:
        (x,) = tracers
        found = linearize("f", lambda a: [exp(a[0])], [x], [VECTOR], [True])
        (y,) = found.outs
        x += 1.0
        y *= 2.0  # type: ignore[operator,assignment]  # a traced array, which has operators
        return evaluate(found.program, [x * 0.0 + 1.0, *found.residuals])

    program = record("outer", [VECTOR], body).program
    same(evaluate(program, [array(0.0, 1.0, 2.0)])[0], np.exp([0.0, 1.0, 2.0]))


def test_backward_sums_cotangents_and_empties_the_residuals() -> None:
    x, y = array(1.0, 2.0, 3.0), array(4.0, 5.0, 6.0)
    found = linearize("f", product, [x, y], [VECTOR, VECTOR], [True, True])
    is_linear = [i < 2 for i in range(len(found.program.params))]
    one = array(1.0, 1.0, 1.0)
    cts = backward(found.program, is_linear, found.residuals, [one, one, one])
    assert found.residuals == []
    same(cts[0], np.exp([1.0, 2.0, 3.0]) * [4.0, 5.0, 6.0] + 2.0)
    same(cts[1], np.exp([1.0, 2.0, 3.0]) + 1.0)


def test_backward_of_zero_is_zero() -> None:
    x = array(1.0, 2.0, 3.0)
    found = linearize("f", lambda a: [exp(a[0])], [x], [VECTOR], [True])
    assert backward(found.program, [True, False], found.residuals, [None]) == [None]


def test_backward_computes_what_is_not_linear_first() -> None:
    def body(_: object, tracers: list[Any]) -> Sequence[Operand]:
        t, x = tracers
        return [mul(t, exp(x))]

    program = record("f", [VECTOR, VECTOR], body).program
    (ct,) = backward(program, [True, False], [array(0.0, 1.0, 2.0)], [array(1.0, 1.0, 1.0)])
    same(ct, np.exp([0.0, 1.0, 2.0]))


def test_batch_leaves_shared_values_alone() -> None:
    x, y = copy(np.arange(6.0).reshape(2, 3)), array(1.0, 2.0, 3.0)

    def f(arrays: Sequence[Any]) -> list[Operand]:
        a, b = arrays
        assert a.aval == b.aval == VECTOR
        return [mul(a, b), exp(b), sum_axes(a, (0,))]

    whole, shared, sums = batch("f", f, [x, y], [0, None], 2)
    assert (whole.bdim, shared.bdim, sums.bdim) == (0, None, 0)
    same(whole.value, np.arange(6.0).reshape(2, 3) * [1.0, 2.0, 3.0])
    same(shared.value, np.exp([1.0, 2.0, 3.0]))
    same(sums.value, [3.0, 12.0])


def broken(**rules: Any) -> Primitive:
    """Return an identity of which some rules are wrong or missing."""
    good: dict[str, Any] = {
        "aval": lambda x: x,
        "host": lambda x, out=None: np.array(x),
        "lower": lambda builder, out, x: x,
        "jvp": lambda primals, tangents, ans: tangents[0],
        "transpose": lambda ct, x: [ct],
        "batch": lambda args, bdims: (args[0], bdims[0]),
    }
    return Primitive(name="broken", **(good | rules))


def test_rules_that_give_the_wrong_shape_are_noticed() -> None:
    x = array(1.0, 2.0, 3.0)
    scalar = sum_axes(x, (0,))
    wrong = broken(jvp=lambda primals, tangents, ans: scalar)
    with pytest.raises(ProgramError, match=r"the jvp rule of broken gave f64\[\], wanted f64\[3\]"):
        jvp("f", lambda a: [bind(wrong, a[0])], [x], [x], [VECTOR])
    linear: Primitive = broken(
        jvp=lambda primals, tangents, ans: bind(linear, tangents[0]),
        transpose=lambda ct, x: [scalar],
    )
    found = linearize("f", lambda a: [bind(linear, a[0])], [x], [VECTOR], [True])
    with pytest.raises(ProgramError, match=r"the transpose rule of broken gave"):
        backward(found.program, [True], found.residuals, [x])
    wrong = broken(batch=lambda args, bdims: (scalar.reshape(1), 0))
    with pytest.raises(ProgramError, match=r"the batch rule of broken gave"):
        batch("f", lambda a: [bind(wrong, a[0])], [x], [0], 3)


def test_missing_rules_say_why() -> None:
    x = array(1.0, 2.0, 3.0)
    missing = broken(jvp=Missing("nobody knows it"))
    with pytest.raises(NotImplementedError, match="broken has no jvp rule: nobody knows it"):
        jvp("f", lambda a: [bind(missing, a[0])], [x], [x], [VECTOR])
    # Where nothing is differentiated, no rule is asked.
    outs, _ = jvp("f", lambda a: [bind(missing, a[0])], [x], [None], [VECTOR])
    same(outs[0], [1.0, 2.0, 3.0])


@pytest.mark.parametrize("transform", ["jvp", "batch"])
def test_traced_arrays_that_escape_are_errors(transform: str) -> None:
    kept: list[Any] = []

    def f(arrays: Sequence[Any]) -> list[Operand]:
        kept.append(arrays[0])
        return [exp(arrays[0])]

    x = array(1.0, 2.0, 3.0)
    if transform == "jvp":
        jvp("f", f, [x], [x], [VECTOR])
    else:
        batch("f", f, [x], [0], 3)
    with pytest.raises(TraceError, match="escaped from f"):
        exp(kept[0])


def test_residual_variables_are_the_last_parameters() -> None:
    found = linearize(
        "f", lambda a: [exp(a[0])], [array(1.0)], [ShapedArray((1,), FLOAT64)], [True]
    )
    program: Program = found.program
    assert all(isinstance(var, Var) for var in program.params)
    assert program.in_avals == (ShapedArray((1,), FLOAT64),) * 2
