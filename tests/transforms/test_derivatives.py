"""Every differentiable function in all modes to second order, against finite differences."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
from tests.transforms.derivative_cases import CASES, Case, Values, weighted_sum
from tests.transforms.differences import direction, pairing, slope

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST = [case for case in CASES if case.order >= 1]
SECOND = [case for case in CASES if case.order >= 2]


def scalar_of(case: Case) -> Callable[..., Any]:
    """Return the function followed by a weighted sum."""
    return weighted_sum(oa, case)


def as_arrays(case: Case) -> list[Any]:
    """Return the operands as arrays."""
    return [oa.asarray(x) for x in case.args]


def value_of(function: Callable[..., Any]) -> Callable[..., Values]:
    """Return the function from NumPy values to NumPy values."""
    return lambda *values: np.array(function(*[oa.asarray(x) for x in values]))


@pytest.mark.parametrize("case", FIRST, ids=str)
def test_first_order(case: Case) -> None:
    function, args = scalar_of(case), as_arrays(case)
    along = [direction(x, i) for i, x in enumerate(case.args)]
    wanted = float(slope(value_of(function), case.args, along))
    _, forward = oa.jvp(function, args, [oa.asarray(t) for t in along])
    assert float(forward) == pytest.approx(wanted, rel=1e-6, abs=1e-8)
    places = tuple(range(len(args)))
    gradients = [np.array(g) for g in oa.grad(function, places)(*args)]
    reverse = sum(pairing(g, t) for g, t in zip(gradients, along, strict=True))
    assert reverse == pytest.approx(float(forward), rel=1e-9, abs=1e-11)
    for compiled, eager in zip(oa.jit(oa.grad(function, places))(*args), gradients, strict=True):
        np.testing.assert_allclose(np.array(compiled), eager, rtol=1e-9, atol=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("case", SECOND, ids=str)
def test_second_order(case: Case) -> None:
    function, args = scalar_of(case), as_arrays(case)
    along = [oa.asarray(direction(x, i)) for i, x in enumerate(case.args)]
    across = [direction(x, 10 + i) for i, x in enumerate(case.args)]
    places = tuple(range(len(args)))

    def forward(*arrays: Any) -> Any:
        return oa.jvp(function, arrays, along)[1]

    def reverse(*arrays: Any) -> Any:
        gradients = oa.grad(function, places)(*arrays)
        return sum(oa.sum(oa.real(g * t)) for g, t in zip(gradients, along, strict=True))

    wanted = float(slope(value_of(forward), case.args, across))
    directions = [oa.asarray(t) for t in across]
    modes = {
        "forward over forward": oa.jvp(forward, args, directions)[1],
        "forward over reverse": oa.jvp(reverse, args, directions)[1],
        "reverse over forward": _pulled(forward, args, across),
        "reverse over reverse": _pulled(reverse, args, across),
    }
    got = {name: float(value) for name, value in modes.items()}
    assert got == pytest.approx(dict.fromkeys(modes, wanted), rel=2e-6, abs=1e-7)
    first = got["forward over reverse"]
    assert got == pytest.approx(dict.fromkeys(modes, first), rel=1e-8, abs=1e-10)


def _pulled(function: Callable[..., Any], args: list[Any], across: list[Values]) -> float:
    gradients = oa.grad(function, tuple(range(len(args))))(*args)
    return sum(pairing(np.array(g), t) for g, t in zip(gradients, across, strict=True))


@pytest.mark.parametrize("case", FIRST, ids=str)
def test_batches_of_gradients(case: Case) -> None:
    function = scalar_of(case)
    places = tuple(range(len(case.args)))
    batches = [np.stack([x, x * 0.99, x * 1.01]) for x in case.args]
    gradient = oa.grad(function, places)
    whole = oa.vmap(gradient)(*[oa.asarray(x) for x in batches])

    def total(*arrays: Any) -> Any:
        return oa.sum(oa.vmap(function)(*arrays))

    outside = oa.grad(total, places)(*[oa.asarray(x) for x in batches])
    for row in range(3):
        each = gradient(*[oa.asarray(x[row]) for x in batches])
        for found, again, wanted in zip(whole, outside, each, strict=True):
            np.testing.assert_allclose(
                np.array(found)[row], np.array(wanted), rtol=1e-8, atol=1e-10
            )
            np.testing.assert_allclose(
                np.array(again)[row], np.array(wanted), rtol=1e-8, atol=1e-10
            )


STORED = np.load(Path(__file__).parent / "jax_gradients.npz")


@pytest.mark.parametrize("case", [case for case in FIRST if case.is_in_jax], ids=str)
def test_gradients_are_those_of_jax(case: Case) -> None:
    """JAX gave these values for the same functions; ``make_jax_gradients.py`` makes them anew."""
    gradients = oa.grad(scalar_of(case), tuple(range(len(case.args))))(*as_arrays(case))
    for number, gradient in enumerate(gradients):
        wanted = STORED[f"{case.name}/{number}"]
        np.testing.assert_allclose(np.array(gradient), wanted, rtol=1e-10, atol=1e-12)
