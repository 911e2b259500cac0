"""Rules of indexing, transforms, linear algebra and random words: engines, derivatives, batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ownarray._core.dtypes import BY_NAME
from ownarray._core.primitive import Missing
from ownarray._ops.quiet import quietly
from tests.ops import test_rules as rules
from tests.ops.engines import Case, assert_close, run_host, run_xla
from tests.ops.samples_structured import OTHERS, SMOOTH

if TYPE_CHECKING:
    from tests.ops.samples import Sample

_BY_NAME: dict[str, list[Sample]] = {}
for _sample in [*SMOOTH, *OTHERS]:
    _BY_NAME.setdefault(_sample.primitive.name, []).append(_sample)

# The sign of vectors, or their phase, is the routine's choice; both engines call the same routines
# on equal matrices, but not always in the same memory order.
_FREE_SIGNS = {"svd", "eigh", "eig", "qr"}
# How far rounding may differ, in units of the last places of one operation.
_LOOSE = {"inv": 50, "solve": 50, "lu": 20, "cholesky": 20, "triangular_solve": 50, "fft": 20}


def _ids(samples: list[Sample]) -> list[str]:
    return [f"{i}-{sample}" for i, sample in enumerate(samples)]


@pytest.mark.parametrize("sample", SMOOTH, ids=_ids(SMOOTH))
def test_jvp_is_the_limit_of_differences(sample: Sample) -> None:
    rules.test_jvp_is_the_limit_of_differences(sample)


_LINEAR = [(sample, places) for sample in SMOOTH for places in sample.linear]


@pytest.mark.parametrize(
    ("sample", "linear"), _LINEAR, ids=[f"{i}-{s}-{p}" for i, (s, p) in enumerate(_LINEAR)]
)
def test_transpose_pairs_with_the_operation(sample: Sample, linear: tuple[int, ...]) -> None:
    rules.test_transpose_pairs_with_the_operation(sample, linear)


_ALL = [*SMOOTH, *OTHERS]


@pytest.mark.parametrize("sample", _ALL, ids=_ids(_ALL))
def test_batching_is_a_loop_over_slices(sample: Sample) -> None:
    rules.test_batching_is_a_loop_over_slices(sample)


def _narrow(sample: Sample) -> Case:
    """Return the case in single precision."""
    arrays = tuple(
        [
            x.astype({"f": np.float32, "c": np.complex64}.get(x.dtype.kind, x.dtype))
            for x in sample.arrays
        ]
    )
    return Case(sample.primitive, arrays, sample.params)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(_BY_NAME))
def test_both_engines_agree(name: str) -> None:
    cases = [Case(s.primitive, s.arrays, s.params) for s in _BY_NAME[name]]
    cases += [_narrow(sample) for sample in _BY_NAME[name]]
    by_host = [run_host(case) for case in cases]
    by_xla = run_xla(cases)
    for case, host, compiled in zip(cases, by_host, by_xla, strict=True):
        single = any(x.dtype.name in ("float32", "complex64") for x in case.arrays)
        for a, b in zip(compiled, host, strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            if name in _FREE_SIGNS:
                a, b = np.abs(a), np.abs(b)
                np.testing.assert_allclose(a, b, rtol=0, atol=1e-4 if single else 1e-11)
            else:
                scale = _LOOSE.get(name, 1)
                if name in _LOOSE:
                    np.testing.assert_allclose(a, b, atol=1e-4 if single else 1e-12)
                else:
                    assert_close(a, b, case, scale)


_SINGLE = [s for s in _ALL if not s.primitive.multiple]


@pytest.mark.parametrize("sample", _SINGLE, ids=_ids(_SINGLE))
def test_the_host_rule_writes_where_it_is_told(sample: Sample) -> None:
    case = Case(sample.primitive, sample.arrays, sample.params)
    host = sample.primitive.host
    assert not isinstance(host, Missing)
    (wanted,) = run_host(case)
    out = np.empty_like(wanted)
    assert quietly(host, *case.arrays, out=out, **case.params) is out
    np.testing.assert_array_equal(out, wanted)
    for i, x in enumerate(case.arrays):
        if x.shape != wanted.shape or x.dtype != wanted.dtype:
            continue
        arrays = list(case.arrays)
        arrays[i] = np.array(x)
        quietly(host, *arrays, out=arrays[i], **case.params)
        np.testing.assert_array_equal(arrays[i], wanted, err_msg=f"in place of operand {i}")


@pytest.mark.slow
def test_scatter_combines_every_dtype() -> None:
    scatter = _BY_NAME["scatter"][0].primitive
    entries = _BY_NAME["scatter"][0].params["entries"]
    cases = []
    for name in ("bool", "int8", "uint32", "int64", "float16", "bfloat16", "float32", "complex64"):
        dtype = BY_NAME[name]
        x = np.arange(120).reshape(4, 5, 6).astype(dtype)
        value = (np.arange(90).reshape(3, 5, 6) % 7).astype(dtype)
        for mode in ("set", "add", "multiply", "minimum", "maximum"):
            if name == "complex64" and mode in ("minimum", "maximum"):
                continue
            params = {"entries": entries, "mode": mode}
            cases.append(Case(scatter, (x, value, np.array([0, 3, 0])), params))
    for case, compiled in zip(cases, run_xla(cases), strict=True):
        assert_close(compiled[0], run_host(case)[0], case)
