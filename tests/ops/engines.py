"""Running one primitive on either engine: its host rule, and its lowering compiled by XLA."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._backend import buffers
from ownarray._backend.compile import compile_text
from ownarray._core.aval import aval_of
from ownarray._core.primitive import Missing, Primitive
from ownarray._core.program import Eqn, Program, Var
from ownarray._lower.text import lower
from ownarray._ops.quiet import quietly

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Values = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Case:
    """One application of a primitive to values."""

    primitive: Primitive
    arrays: tuple[Values, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    expected: Any = None
    """What NumPy gives, where the host rule is not NumPy's function itself."""

    def __str__(self) -> str:
        shown = ", ".join(str(aval_of(x)) for x in self.arrays)
        return f"{self.primitive.name}({shown}) {dict(self.params) or ''}"


def program_of(case: Case) -> Program:
    """Return the program of one equation."""
    params = tuple(Var(aval_of(x)) for x in case.arrays)
    avals = case.primitive.out_avals([var.aval for var in params], dict(case.params))
    outs = tuple(Var(aval) for aval in avals)
    return Program(params, (Eqn(case.primitive, params, case.params, outs),), outs)


def run_host(case: Case) -> list[Values]:
    """Return the results of the host rule, checked to be fresh and of the rule's aval."""
    host = case.primitive.host
    assert not isinstance(host, Missing)
    results = quietly(host, *case.arrays, **case.params)
    if not case.primitive.multiple:
        results = [results]
    avals = program_of(case).out_avals
    arrays = [np.asarray(result) for result in results]
    for result, aval in zip(arrays, avals, strict=True):
        assert aval_of(result) == aval, f"{case}: host gave {aval_of(result)}, not {aval}"
        for x in case.arrays:
            assert not np.may_share_memory(result, x), f"{case}: the host rule returned a view"
    return arrays


def run_program(program: Program, arrays: Sequence[Values]) -> list[Values]:
    """Return the results of a program, compiled by XLA."""
    executable = compile_text(lower(program), program.out_avals)
    results = executable.run(
        [buffers.from_host(np.array(x, order="C"), aval_of(x)) for x in arrays]
    )
    return [
        np.array(buffers.host_memory(result, aval))
        for result, aval in zip(results, program.out_avals, strict=True)
    ]


def run_xla(cases: Sequence[Case]) -> list[list[Values]]:
    """Return the results of many lowerings, compiled as one program."""
    programs = [program_of(case) for case in cases]
    whole = Program(
        tuple(var for p in programs for var in p.params),
        tuple(eqn for p in programs for eqn in p.eqns),
        tuple(out for p in programs for out in p.outs),
    )
    values = run_program(whole, [x for case in cases for x in case.arrays])
    split: list[list[Values]] = []
    for program in programs:
        split.append(values[: len(program.outs)])
        values = values[len(program.outs) :]
    return split


TOLERANCE = {
    "float64": 4e-14,
    "float32": 4e-6,
    "float16": 4e-3,
    "bfloat16": 3e-2,
    "float8_e4m3fn": 0.26,
    "float8_e5m2": 0.51,
    "complex64": 2e-5,
    "complex128": 2e-13,
}
"""Relative; exact for the others."""


def assert_close(got: Values, wanted: Values, what: object, scale: float = 1.0) -> None:
    """Compare values: integers exactly, NaN and infinities by place, others by tolerance."""
    assert got.shape == wanted.shape, f"{what}: shape {got.shape}, not {wanted.shape}"
    assert got.dtype == wanted.dtype, f"{what}: dtype {got.dtype}, not {wanted.dtype}"
    tolerance = TOLERANCE.get(got.dtype.name)
    if tolerance is None:
        np.testing.assert_array_equal(got, wanted, err_msg=str(what))
        return
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    tiny = float(np.finfo(np.float32 if got.dtype.itemsize < 4 else got.dtype).tiny)
    if got.dtype.name.startswith("float8"):
        tiny = 0.02
    with np.errstate(invalid="ignore"):  # widening a signalling NaN
        left, right = got.astype(wide), wanted.astype(wide)
    np.testing.assert_allclose(
        left,
        right,
        rtol=tolerance * scale,
        atol=max(tiny, tolerance * (scale - 1) / 4),
        err_msg=str(what),
    )
