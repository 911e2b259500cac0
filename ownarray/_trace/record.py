"""Recording a program: each primitive that is applied becomes an equation.

What a body reads from outside (an array, or a value of an outer trace) becomes a hidden parameter,
never a constant: it is read again, and checked to be alive, whenever the program runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray, aval_of
from ownarray._core.check import check_program
from ownarray._core.program import Atom, Eqn, Literal, Program, Var, without_dead_code
from ownarray._errors import TraceError
from ownarray._source import caller_site
from ownarray._trace.bind import (
    AbstractArray,
    HostArray,
    Operand,
    Scope,
    Trace,
    current_trace,
    deeper,
    make_tracer,
    operand_aval,
    under,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array


Captured = AbstractArray | HostArray


class RecordTrace(Trace):
    """Records equations.

    Attributes
    ----------
    name : str
        The function being traced, for messages.
    captured : dict
        By identity: each array read from outside, with the hidden parameter that stands for it.
        NumPy arrays are kept too: a call copies their values in, as for any lent NumPy array.
    """

    def __init__(self, name: str, depth: int) -> None:
        self.name = name
        self.depth = depth
        self.scope = Scope()
        self.is_open = True
        self.params: list[Var] = []
        self.eqns: list[Eqn] = []
        self.captured: dict[int, tuple[Captured, Var]] = {}

    def parameter(self, aval: ShapedArray) -> Array:
        """Return the stand-in for a declared parameter."""
        var = Var(aval)
        self.params.append(var)
        return make_tracer(self, aval, var)

    def apply(
        self, primitive: Primitive, operands: Sequence[Operand], params: dict[str, Any]
    ) -> list[Array]:
        """Record one equation."""
        avals = primitive.out_avals([operand_aval(operand) for operand in operands], params)
        inputs = tuple([self.atom(operand) for operand in operands])
        outs = tuple([Var(aval) for aval in avals])
        self.eqns.append(Eqn(primitive, inputs, params, outs, caller_site()))
        return [make_tracer(self, var.aval, var) for var in outs]

    def atom(self, operand: Operand) -> Atom:
        """Return what stands for an operand in this program; an outer array is captured."""
        if isinstance(operand, np.generic):
            return Literal(operand, aval_of(operand))
        if isinstance(operand, np.ndarray):
            return self._capture(operand, aval_of(operand))
        if not operand._trace.is_open:
            raise TraceError(
                f"a traced {operand.aval} array escaped from {operand._trace.name}, whose trace has"
                " ended. Fix: return it from the function instead of storing it outside"
            )
        if operand._trace is self:
            payload: Atom = operand.payload  # type: ignore[attr-defined]  # a tracer of this trace
            return payload
        if operand._trace.depth > self.depth:
            raise TraceError(
                f"a traced {operand.aval} array of an inner function was used in {self.name} after"
                " that function's trace ended. Fix: return it from the inner function"
            )
        return self._capture(operand, operand.aval)

    def _capture(self, operand: Captured, aval: ShapedArray) -> Var:
        found = self.captured.get(id(operand))
        if found is None:
            found = self.captured[id(operand)] = (operand, Var(aval))
        return found[1]


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """A program and the outer arrays that fill its hidden parameters, which stand last."""

    program: Program
    captured: tuple[Captured, ...]


def record(
    name: str,
    avals: Sequence[ShapedArray],
    body: Callable[[RecordTrace, list[Array]], Sequence[Operand]],
) -> Recording:
    """Trace a body into a program.

    Parameters
    ----------
    name : str
        For messages.
    avals : sequence of ShapedArray
        The declared parameters.
    body : callable
        ``body(trace, tracers) -> flat results``; runs with the trace as the current one.

    Returns
    -------
    Recording
    """
    trace = RecordTrace(name, deeper())

    def run() -> tuple[Atom, ...]:
        results = body(trace, [trace.parameter(aval) for aval in avals])
        for result in results:
            if isinstance(result, AbstractArray):
                result._check_readable()
        return tuple([trace.atom(result) for result in results])

    try:
        outs = under(trace, run)
    finally:
        trace.is_open = False
    hidden = tuple([var for _, var in trace.captured.values()])
    program = Program((*trace.params, *hidden), tuple(trace.eqns), outs)
    program = check_program(without_dead_code(program))
    return Recording(program, tuple([array for array, _ in trace.captured.values()]))


def evaluate(program: Program, operands: Sequence[Operand]) -> list[Operand]:
    """Apply a program's equations to operands, under whatever trace they ask for."""
    known: dict[Var, Operand] = dict(zip(program.params, operands, strict=True))
    trace = current_trace()

    def value(atom: Atom) -> Operand:
        return atom.value if isinstance(atom, Literal) else known[atom]

    for eqn in program.eqns:
        inputs = [value(atom) for atom in eqn.inputs]
        deepest = trace
        for operand in inputs:
            if isinstance(operand, AbstractArray) and operand._trace.depth > deepest.depth:
                deepest = operand._trace
        known.update(
            zip(eqn.outs, deepest.apply(eqn.primitive, inputs, dict(eqn.params)), strict=True)
        )
    return [value(atom) for atom in program.outs]
