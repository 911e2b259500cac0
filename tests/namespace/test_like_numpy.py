"""What programs written for NumPy ask for: options, methods and edge values that NumPy has."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ownarray as oa


def test_unique_gives_what_else_is_asked_for() -> None:
    x = np.array([[3, 1], [3, 2]])
    got = oa.unique(oa.asarray(x), return_index=True, return_inverse=True, return_counts=True)
    want = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    for a, b in zip(got, want, strict=True):
        assert np.array_equal(np.asarray(a), b)
    values, counts = oa.unique(oa.asarray(x), return_counts=True)
    assert (values.tolist(), counts.tolist()) == ([1, 2, 3], [1, 1, 2])


def test_where_of_a_condition_alone() -> None:
    rows, columns = oa.where(oa.asarray([[0, 1], [2, 0]]))
    assert (rows.tolist(), columns.tolist()) == ([0, 1], [1, 0])
    with pytest.raises(TypeError, match="two choices"):
        oa.where(oa.ones(3), 1.0)  # type: ignore[call-overload]  # wrong on purpose


@pytest.mark.parametrize("n", [3, 20_000])
def test_tobytes(n: int) -> None:
    values = np.arange(2.0 * n).reshape(2, n)
    assert oa.asarray(values).tobytes() == values.tobytes()
    assert oa.asarray(values).T.tobytes() == values.T.tobytes()
    with pytest.raises(oa.TraceError):
        oa.jit(lambda x: x.tobytes())(oa.ones(3))


@pytest.mark.parametrize("axis", [0, None])
def test_a_nanquantile_of_nothing_is_nan(axis: int | None) -> None:
    x = oa.empty((0, 4))
    for q in (0.5, [0.1, 0.9]):
        got = np.asarray(oa.nanquantile(x, q, axis=axis))
        with np.errstate(all="ignore"), pytest.warns(RuntimeWarning):
            want = np.nanmedian(np.empty((0, 4)), axis=axis)
        assert got.shape == np.shape(q) + np.shape(want)
        assert np.isnan(got).all()


def test_derivatives_of_sinc_at_zero() -> None:
    first = oa.grad(oa.sinc)
    fourth = oa.grad(oa.grad(oa.grad(first)))
    zero = oa.asarray(0.0)
    assert float(first(zero)) == 0.0
    assert math.isclose(float(oa.grad(first)(zero)), -(math.pi**2) / 3)
    assert math.isclose(float(fourth(zero)), math.pi**4 / 5)
