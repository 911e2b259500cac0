"""Random programs: lent, moved and copied arguments give the same bits, at once and compiled."""

from __future__ import annotations

import os
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import ownarray as oa

N_PROGRAMS = int(os.environ.get("OWNARRAY_PROGRAMS", "6"))
"""How many programs are tried: few here, thousands by hand."""


def _shift(a: Any, b: Any) -> Any:
    c = a + 0.0
    c[1:] = b[:-1]
    return c, b


def _reverse_into(a: Any, b: Any) -> Any:
    a[...] = a[::-1] - b
    return a, b


def _loop(a: Any, b: Any) -> Any:
    def body(i: Any, carry: Any) -> Any:
        u, v = carry
        u[1:-1] = 0.25 * (u[:-2] + v[2:])
        return v, u

    return oa.fori_loop(0, 3, body, (oa.move(a), oa.move(b)))


def _scatter(a: Any, b: Any) -> Any:
    a[oa.asarray([0, 3, 1])] = b[:3]
    return a, b


def _updated(a: Any, b: Any) -> Any:
    a += b
    b *= 0.5
    return a, b


def _branch(a: Any, b: Any) -> Any:
    return oa.cond(a[0] > b[0], lambda u, v: (v, u), lambda u, v: (u - v, v), a, b)


STEPS: dict[str, Any] = {
    "swap": lambda a, b: (b, a),
    "add": lambda a, b: (a + b, b),
    "elementwise": lambda a, b: (oa.sin(a) * b, oa.tanh(b)),
    "in moved memory": lambda a, b: (oa.exp(-oa.abs(oa.move(a))), b),
    "shift": _shift,
    "reverse": _reverse_into,
    "sort": lambda a, b: (oa.sort(a), b),
    "cumulative": lambda a, b: (a, oa.cumulative_sum(b)),
    "reduce": lambda a, b: (a - oa.mean(a), b + oa.max(b)),
    "outer": lambda a, b: (a, oa.sum(oa.reshape(a, (-1, 1)) * oa.reshape(b, (1, -1)), axis=0)),
    "where": lambda a, b: (oa.where(a > b, a, b), b),
    "loop": _loop,
    "scatter": _scatter,
    "update": _updated,
    "branch": _branch,
    "self": lambda a, b: (a, a + b[::-1]),
}


def bits(result: Any) -> list[bytes]:
    return [np.array(x).tobytes() for x in result]


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, True])
@settings(max_examples=N_PROGRAMS)
@given(
    names=st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=5),
    n=st.sampled_from([5, 48, 2500]),
    dtype=st.sampled_from(["float64", "float32"]),
    seed=st.integers(0, 3),
)
def test_who_owns_an_argument_changes_no_bit(
    compiled: bool, names: list[str], n: int, dtype: str, seed: int
) -> None:
    if n > 1000:
        names = [name for name in names if name != "outer"]

    def program(a: Any, b: Any) -> Any:
        for name in names:
            a, b = STEPS[name](a, b)
        return a, b

    def own(a: Any, b: Any) -> Any:
        return program(a + 0.0, b + 0.0)

    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((2, n)).astype(dtype)

    if not compiled:
        # At once, a program is free to write into what it owns.
        def call(a: Any, b: Any) -> list[bytes]:
            return bits(program(a, b))

        first = call(oa.asarray(x), oa.asarray(y))
        taken = [oa.move(oa.asarray(v)).take() for v in (x, y)]
        assert call(*taken) == first
        assert call(oa.copy(oa.asarray(x)), oa.copy(oa.asarray(y))) == first
        return

    f = oa.jit(own)
    a, b = oa.asarray(x), oa.asarray(y)
    lent = bits(f(a, b))
    assert bits(f(oa.move(oa.copy(a)), b)) == lent
    assert bits(f(a, oa.move(oa.copy(b)))) == lent
    assert bits(f(x, y)) == lent
    assert a.tolist() == x.tolist()
    assert bits(f(oa.move(a), oa.move(b))) == lent
    owned = oa.jit(program)
    assert bits(owned(oa.move(oa.asarray(x)), oa.move(oa.asarray(y)))) == lent
