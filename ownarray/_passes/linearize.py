"""Linearizing: run a function once, and record the linear map from tangents to tangents.

Forward derivatives with tangents that are tracers of a second, recording trace, which is not the
current one. Operations on tangents are recorded there; everything else happens where the function
runs: at once, or in the program that is being traced. What the recording captures of it are the
residuals: all that the linear map needs to know of the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ownarray._core.program import Eqn, Program, Var, used_params, without_dead_code
from ownarray._passes.jvp import JVPTrace, run_body
from ownarray._trace.bind import (
    AbstractArray,
    Operand,
    deeper,
    make_tracer,
    operand_aval,
)
from ownarray._trace.record import Captured, RecordTrace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array


class LinearTrace(RecordTrace):
    """Records operations on tangents; the values that they need are captured as they are now."""

    def __init__(self, name: str, depth: int) -> None:
        super().__init__(name, depth)
        # What was captured is known by its identity, so it must live as long as this trace.
        self._originals: list[Captured] = []

    def apply(
        self, primitive: Primitive, operands: Sequence[Operand], params: dict[str, Any]
    ) -> list[Array]:
        """Record one equation; what runs later is a transposed or batched form of it."""
        avals = primitive.out_avals([operand_aval(operand) for operand in operands], params)
        inputs = tuple([self.atom(operand) for operand in operands])
        outs = tuple([Var(aval) for aval in avals])
        self.eqns.append(Eqn(primitive, inputs, params, outs))
        return [make_tracer(self, var.aval, var) for var in outs]

    def _capture(self, operand: Captured, aval: ShapedArray) -> Var:
        found = self.captured.get(id(operand))
        if found is None:
            self._originals.append(operand)
            found = self.captured[id(operand)] = (snapshot(operand), Var(aval))
        return found[1]


C = TypeVar("C", bound=Operand)


def snapshot(operand: C) -> C:
    """Return another name for what a traced array stands for now; its owner may update it later."""
    if isinstance(operand, AbstractArray) and operand._trace.depth:
        payload = operand.payload  # type: ignore[attr-defined]  # traced: it has one
        return cast("C", make_tracer(operand._trace, operand.aval, payload))
    return operand


@dataclass(slots=True, eq=False)
class Linearized:
    """The values of a function's results, and the linear map that its derivative is there.

    Attributes
    ----------
    outs : list of operands
        The values of the results.
    program : Program
        From the tangents of the arguments that were asked for, then the residuals, to the tangents
        of the results that are not zero.
    is_live : list of bool
        For each result, whether its tangent is a result of the program; all others are zero.
    residuals : list
        What the program needs to know of values.
    """

    outs: list[Operand]
    program: Program
    is_live: list[bool]
    residuals: list[Operand]


def linearize(
    name: str,
    function: Callable[[list[Array]], Sequence[Operand]],
    primals: Sequence[Operand],
    avals: Sequence[ShapedArray],
    is_wanted: Sequence[bool],
) -> Linearized:
    """Run a function and return its results and its derivative as a linear program.

    Parameters
    ----------
    name : str
        For messages.
    function : callable
        From flat arrays to flat results.
    primals : sequence of operands
    avals : sequence of ShapedArray
        How the function sees its arguments (weak, where they stand for Python scalars).
    is_wanted : sequence of bool
        Which arguments have tangents.
    """
    linear = LinearTrace(name, deeper())
    trace = JVPTrace(name, linear)
    tracers = [
        trace.tracer(aval, primal, linear.parameter(operand_aval(primal)) if wanted else None)
        for aval, primal, wanted in zip(avals, primals, is_wanted, strict=True)
    ]
    duals = run_body(trace, function, tracers)
    atoms = [None if dual.tangent is None else linear.atom(dual.tangent) for dual in duals]
    linear.is_open = False
    captured = list(linear.captured.values())
    params = (*linear.params, *[var for _, var in captured])
    live = tuple([atom for atom in atoms if atom is not None])
    program, residuals = _trimmed(
        Program(params, tuple(linear.eqns), live),
        len(linear.params),
        [value for value, _ in captured],
    )
    return Linearized(
        [snapshot(dual.primal) for dual in duals],
        program,
        [atom is not None for atom in atoms],
        residuals,
    )


def _trimmed(
    program: Program, n_tangents: int, residuals: list[Operand]
) -> tuple[Program, list[Operand]]:
    """Drop equations that no result needs, and the residuals that only they read."""
    program = without_dead_code(program)
    is_used = used_params(program)[n_tangents:]
    kept = [
        (var, value)
        for var, value, used in zip(program.params[n_tangents:], residuals, is_used, strict=True)
        if used
    ]
    params = (*program.params[:n_tangents], *[var for var, _ in kept])
    return Program(params, program.eqns, program.outs), [value for _, value in kept]
