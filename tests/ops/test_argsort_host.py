"""The stable order of values by their digits: NumPy's, for every dtype and arrangement."""

from typing import Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._ops.argsort_host import stable_order

Values = np.ndarray[Any, np.dtype[Any]]
N = 5000


def _numbers(dtype: str) -> Values:
    """Return numbers of all sizes, many of them twice."""
    rng = np.random.default_rng(0)
    kind = np.dtype(dtype)
    if kind.kind == "f":
        with np.errstate(over="ignore"):
            values = (rng.standard_normal(N) * np.exp(rng.standard_normal(N) * 3)).astype(kind)
        values[::7], values[1::9], values[2::9] = np.nan, -0.0, 0.0
        values[3::11], values[4::50], values[5::50] = -np.nan, np.inf, -np.inf
    else:
        info = np.iinfo(kind)
        values = rng.integers(info.min, info.max, N, dtype=kind, endpoint=True)
        values[::50], values[1::50] = info.min, info.max
    values[N // 2 :] = values[: N - N // 2][::-1]
    return values


DTYPES = (
    *("float16", "float32", "float64", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_order_is_stable(dtype: str) -> None:
    x = _numbers(dtype)
    assert np.array_equal(stable_order(x, 0), np.argsort(x, kind="stable"))


@pytest.mark.parametrize(
    "x",
    [
        np.zeros(N),
        np.full(N, np.nan),
        np.arange(N)[::-1] * 1.0,
        np.arange(N) // 3,
        np.random.default_rng(1).integers(0, 100, N),
        1.0 + np.random.default_rng(1).integers(0, 9, N) * 2.0**-52,
        np.random.default_rng(1).integers(2**63, 2**64 - 1, N, dtype=np.uint64),
        np.random.default_rng(1).random(N) > 0.5,
        np.random.default_rng(1).random(N) + 1j,
    ],
    ids=["equal", "NaN", "falling", "rising", "few", "close", "large", "truth", "complex"],
)
def test_special_arrangements(x: Values) -> None:
    before = x.copy()
    assert np.array_equal(stable_order(x, 0), np.argsort(x, kind="stable"))
    assert x.tobytes() == before.tobytes()


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_each_row_has_its_own_order(axis: int) -> None:
    shape = [2, 3, 2]
    shape[axis] = N
    x = np.resize(_numbers("float32"), shape)
    out = np.empty(x.shape, np.int64)
    assert stable_order(x, axis, out) is out
    assert np.array_equal(out, np.argsort(x, axis=axis, kind="stable"))


@pytest.mark.parametrize("descending", [False, True])
def test_both_engines_agree(descending: bool) -> None:
    x = oa.asarray(_numbers("float64"))
    compiled = oa.jit(lambda v: oa.argsort(v, descending=descending))(x)
    assert np.array_equal(np.array(compiled), np.array(oa.argsort(x, descending=descending)))


def test_an_order_may_be_written_over_its_values() -> None:
    x = _numbers("int64")
    wanted = np.argsort(x, kind="stable")
    y = oa.argsort(oa.move(oa.asarray(x)))
    assert np.array_equal(np.array(y), wanted)
