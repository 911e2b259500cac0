"""Out of memory: an error of its own, and arguments that are whole or say that they are lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ownarray as oa
from tests.robustness.state import check_array, check_handle, check_nothing_left, in_xla

TOO_LARGE = 1 << 45
"""Elements: more bytes than any machine addresses."""


CREATIONS: dict[str, Any] = {
    "zeros": lambda: oa.zeros(TOO_LARGE),
    "full": lambda: oa.full(TOO_LARGE, 1, dtype="int8"),
    "arange": lambda: oa.arange(TOO_LARGE),
    "asarray": lambda: oa.asarray(np.broadcast_to(np.float64(1), (TOO_LARGE,))),
    "operators": lambda: oa.ones((1 << 20, 1)) * oa.ones((1, 1 << 26)),
    "repeat": lambda: oa.repeat(oa.ones(3), TOO_LARGE),
    "scan": lambda: oa.scan(lambda c, _: (c, c), oa.ones(1 << 15), None, length=1 << 33),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CREATIONS)
def test_what_does_not_fit_is_an_out_of_memory_error(name: str) -> None:
    with pytest.raises(oa.OutOfMemoryError, match="memory") as caught:
        CREATIONS[name]()
    assert isinstance(caught.value, MemoryError)
    assert "release_memory" in str(caught.value)
    check_nothing_left()


def with_result(x: oa.Array, y: oa.Array) -> tuple[oa.Array, oa.Array]:
    return x + 1.0, oa.broadcast_to(y, (TOO_LARGE,)) + 0.0


@pytest.mark.slow
@pytest.mark.parametrize("xla", [False, True])
def test_a_call_that_runs_out_of_memory(xla: bool) -> None:
    x, y = oa.ones(3), oa.ones(1)
    x = in_xla(x) if xla else x
    h = oa.move(x)
    with pytest.raises(oa.OutOfMemoryError) as caught:
        oa.jit(with_result)(h, y)
    check_nothing_left()
    check_array(y, [np.ones(1)])
    if not check_handle(h, [(x, np.ones(3))]):
        assert any("lost" in note for note in caught.value.__notes__)


@pytest.mark.slow
def test_a_mut_argument_survives_or_says_that_it_is_lost() -> None:
    @oa.jit
    def grow(x: oa.Mut[oa.Array], y: oa.Array) -> oa.Array:
        x += 1.0
        return oa.broadcast_to(y, (TOO_LARGE,)) + 0.0

    x = oa.ones(3)
    with pytest.raises(oa.OutOfMemoryError):
        grow(x, oa.ones(1))
    check_nothing_left()
    check_array(x, [np.ones(3), np.full(3, 2.0)])


@pytest.mark.slow
def test_an_eager_call_that_runs_out_of_memory_spends_nothing() -> None:
    x = oa.ones((1 << 20, 1))
    h = oa.move(x)
    with pytest.raises(oa.OutOfMemoryError):
        oa.multiply(h, oa.ones((1, 1 << 26)))
    y = h.take()
    with pytest.raises(oa.OutOfMemoryError):
        y += oa.zeros((1 << 20, 1 << 26))
    assert float(y[3, 0]) == 1.0
