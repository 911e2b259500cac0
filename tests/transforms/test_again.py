"""Results behind reductions of columns are computed again, in the memory of their operand."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
import ownarray._array
from ownarray._trace.record import record
from ownarray._transforms.again import computed_again

if TYPE_CHECKING:
    from collections.abc import Callable

    from ownarray._core.program import Program

assert ownarray._array is not None
SHAPE = (4096, 1024)  # of float32: 16 MB


def standardized(x: Any) -> Any:
    return (x - oa.mean(x, axis=0)) / oa.std(x, axis=0)


def between_0_and_1(x: Any) -> Any:
    low = oa.min(x, axis=0)
    return (x - low) / (oa.max(x, axis=0) - low)


def softmax_of_columns(x: Any) -> Any:
    powers = oa.exp(x - oa.max(x, axis=0))
    return powers / oa.sum(powers, axis=0)


COLUMNS: dict[str, Callable[[Any], Any]] = {
    f.__name__: f for f in (standardized, between_0_and_1, softmax_of_columns)
}


def recorded(body: Callable[[Any], Any], shape: tuple[int, ...] = SHAPE) -> Program:
    aval: Any = oa.ShapedArray(shape, "float32")
    return record("f", [aval], lambda _, tracers: [body(tracers[0])]).program


@pytest.mark.parametrize("name", COLUMNS)
def test_a_large_result_lives_in_the_memory_of_its_operand(name: str) -> None:
    @oa.jit(require_alias=True)
    def owned(x: oa.Owned[oa.Array]) -> oa.Array:
        return COLUMNS[name](x)

    values = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)
    x = oa.asarray(values)
    plan = owned.explain(x)
    assert plan.bytes_reused == x.nbytes
    assert plan.bytes_temporary < x.nbytes // 8  # extrema of blocks, no second buffer
    lent = np.asarray(oa.jit(COLUMNS[name])(x))
    np.testing.assert_allclose(lent, _numpys(name, values), rtol=1e-4, atol=1e-5)
    assert np.array_equal(np.asarray(owned(oa.move(oa.copy(x)))), lent)
    assert np.array_equal(np.asarray(owned(oa.move(x))), lent)


def _numpys(name: str, x: np.ndarray[Any, np.dtype[np.float32]]) -> Any:
    if name == "standardized":
        return (x - x.mean(axis=0)) / x.std(axis=0)
    if name == "between_0_and_1":
        return (x - x.min(axis=0)) / (x.max(axis=0) - x.min(axis=0))
    powers = np.exp(x - x.max(axis=0))
    return powers / powers.sum(axis=0)


@pytest.mark.parametrize("name", COLUMNS)
def test_it_waits_for_the_reductions(name: str) -> None:
    program = computed_again(recorded(COLUMNS[name]))
    names = [eqn.primitive.name for eqn in program.eqns]
    behind = names[names.index("barrier") :]
    assert not any(each.startswith("reduce") for each in behind)


def test_other_programs_are_left_alone() -> None:
    bodies: list[Callable[[Any], Any]] = [
        lambda x: x - oa.mean(x, axis=1, keepdims=True),
        lambda x: x * 2.0,
        lambda x: oa.mean(x, axis=0),
        lambda x: oa.cumsum(x, axis=0) - oa.mean(x, axis=0),
        lambda x: (x - oa.mean(x, axis=0)).T,
    ]
    for body in bodies:
        program = recorded(body)
        assert computed_again(program) is program
    small = recorded(standardized, (64, 64))
    assert computed_again(small) is small
