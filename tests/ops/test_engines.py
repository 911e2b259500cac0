"""Host rule and compiled lowering give the same values: for every dtype, shape and edge."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from ownarray._core.dtypes import COMPLEX
from ownarray._core.primitive import Missing
from ownarray._ops.table import PRIMITIVES
from tests.ops.cases import BINARY, PRIMITIVE, SPELLED_OUT, UNARY, cases_of
from tests.ops.engines import Case, Values, assert_close, run_host, run_xla

# With an infinite or NaN part, NumPy and XLA follow different appendices of the C standard here.
_COMPLEX_EDGES_DIFFER = {
    "expm1",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "atan",
    "atanh",
    "abs",
    "sign",
    "div",
    "power",
    "integer_pow",
}
# Near a zero of the function its relative error grows; sums of mixed signs cancel.
_LOOSE = {"lgamma": 10, "cumsum": 4, "reduce_sum": 4, "cumlogsumexp": 4, "digamma": 4}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*UNARY, *BINARY, *SPELLED_OUT])
def test_both_engines_agree(name: str) -> None:
    cases = cases_of(name)
    assert cases
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing leaks out of a host rule
        by_host = [run_host(case) for case in cases]
    by_xla = run_xla(cases)
    for case, host, compiled in zip(cases, by_host, by_xla, strict=True):
        finite = _finite_places(case)
        for a, b in zip(compiled, host, strict=True):
            if finite is None:
                assert_close(a, b, case, _LOOSE.get(name, 1))
            else:
                same = finite & np.isfinite(b)
                assert_close(a[same], b[same], case)


def _finite_places(case: Case) -> Values | None:
    """Return where all operands are finite, if the engines may differ elsewhere."""
    if case.primitive.name not in _COMPLEX_EDGES_DIFFER or case.arrays[0].dtype not in COMPLEX:
        return None
    finite = np.array(True)
    for x in case.arrays:
        finite = finite & np.isfinite(x)
    return np.asarray(finite)


def test_every_primitive_is_tested() -> None:
    """The table of cases is complete; indexing, loops and the like have tests of their own."""
    others = {
        "slice",
        "update_slice",
        "gather",
        "scatter",
        "while",
        "scan",
        "cond",
    }
    names = {*UNARY, *BINARY, *SPELLED_OUT}
    assert names <= PRIMITIVE.keys()
    own_files = {p.name for p in PRIMITIVES if p.name in names}
    assert own_files == names
    assert not names & others


@pytest.mark.parametrize("name", [*UNARY, *BINARY, *SPELLED_OUT])
def test_the_host_rule_writes_where_it_is_told(name: str) -> None:
    """Into fresh memory, and into the memory of an operand of the result's shape and dtype."""
    for case in cases_of(name)[::7]:
        host = case.primitive.host
        assert not isinstance(host, Missing)
        if case.primitive.multiple:
            continue
        (wanted,) = run_host(case)
        with np.errstate(all="ignore"):
            out = np.empty_like(wanted)
            got = host(*case.arrays, out=out, **case.params)
            assert got is out
            assert out.tobytes() == wanted.tobytes(), case
            for i, x in enumerate(case.arrays):
                if x.shape != wanted.shape or x.dtype != wanted.dtype:
                    continue
                arrays = list(case.arrays)
                arrays[i] = np.array(x)
                host(*arrays, out=arrays[i], **case.params)
                assert arrays[i].tobytes() == wanted.tobytes(), f"{case}: in place of operand {i}"
