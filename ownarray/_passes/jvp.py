"""Forward derivatives: each value travels with its tangent.

The interpreter is the current trace while a function runs, so what is born in the function is its
tracer and may be updated in place. Values are computed under the trace around it, tangents by the
primitives' ``jvp`` rules, also under that trace: the operands decide which interpreter takes each
operation of a rule, so derivatives of derivatives need nothing more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ownarray._core.check import ProgramError
from ownarray._core.dtypes import INEXACT
from ownarray._core.primitive import Primitive, rule
from ownarray._errors import TraceError
from ownarray._trace.bind import (
    AbstractArray,
    Operand,
    Scope,
    Trace,
    bind_multiple,
    current_trace,
    deeper,
    is_array,
    make_tracer,
    operand_aval,
    under,
    use_trace,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._ops.operators import Array


class Dual(NamedTuple):
    """A value and its tangent; None is a tangent of zero."""

    primal: Operand
    tangent: Operand | None


Duals = tuple[list[Operand], list[Operand | None]]


class JVPTrace(Trace):
    """Computes values and tangents.

    Attributes
    ----------
    parent : Trace
        Where values are computed.
    linear : Trace or None
        The trace that the tangents belong to while a function is linearized: then operations on
        tangents are recorded there, and whatever they need of values is computed now.
    """

    def __init__(self, name: str, linear: Trace | None = None) -> None:
        self.name = name
        self.parent = current_trace()
        self.linear = linear
        self.depth = deeper()
        self.scope = Scope()
        self.is_open = True

    def tracer(self, aval: ShapedArray, primal: Operand, tangent: Operand | None) -> Array:
        """Return a traced array for a value and its tangent."""
        return make_tracer(self, aval, Dual(primal, tangent))

    def dual(self, operand: Operand) -> Dual:
        """Return what stands for an operand here; what comes from outside has no tangent."""
        if isinstance(operand, AbstractArray) and operand._trace is self:
            return cast("Dual", operand.payload)  # type: ignore[attr-defined]  # a tracer of ours
        return Dual(operand, None)

    def primal(self, payload: object) -> Array | None:
        """Return the value that a traced array stands for."""
        value = cast("Dual", payload).primal
        return value if is_array(value) else None

    def apply(
        self, primitive: Primitive, operands: Sequence[Operand], params: dict[str, Any]
    ) -> list[Array]:
        """Apply a primitive to values, and its rule to tangents where there are some."""
        primals, tangents = self.split(operands)
        if all([tangent is None for tangent in tangents]):
            with use_trace(self.parent):
                outs = bind_multiple(primitive, *primals, **params)
            found: list[Operand | None] = [None] * len(outs)
        else:
            with use_trace(self.parent):
                if primitive.differentiate is not None:
                    outs, found = primitive.differentiate(self.linear, primals, tangents, **params)
                else:
                    outs = bind_multiple(primitive, *primals, **params)
                    found = tangents_of(primitive, primals, tangents, outs, params)
        avals = [operand_aval(out) for out in outs]
        if any([operand.aval.weak for operand in operands if isinstance(operand, AbstractArray)]):
            # A value that was computed at once does not know that it stands for a Python number.
            avals = primitive.out_avals([operand_aval(operand) for operand in operands], params)
        return [self.tracer(*each) for each in zip(avals, outs, found, strict=True)]

    def split(self, operands: Sequence[Operand]) -> Duals:
        """Return the values and the tangents of operands."""
        if not self.is_open:
            raise TraceError(
                f"a traced array escaped from {self.name}, which has returned."
                " Fix: return it from the function instead of storing it outside"
            )
        primals: list[Operand] = []
        tangents: list[Operand | None] = []
        for operand in operands:
            primal, tangent = self.dual(operand)
            primals.append(primal)
            tangents.append(tangent)
        return primals, tangents

    def apply_pair(
        self,
        operands: Sequence[Operand],
        value: Callable[[list[Operand]], Sequence[Operand]],
        pushed: Callable[[list[Operand], list[Operand | None]], Duals],
    ) -> list[Array]:
        """Apply a function whose derivative is known: ``pushed`` computes values and tangents."""
        primals, tangents = self.split(operands)
        with use_trace(self.parent):
            if all([tangent is None for tangent in tangents]):
                outs = list(value(primals))
                found: list[Operand | None] = [None] * len(outs)
            else:
                outs, found = pushed(primals, tangents)
        avals = [operand_aval(out) for out in outs]
        return [self.tracer(*each) for each in zip(avals, outs, found, strict=True)]


def tangents_of(
    primitive: Primitive,
    primals: list[Operand],
    tangents: list[Operand | None],
    outs: Sequence[Operand],
    params: dict[str, Any],
) -> list[Operand | None]:
    """Return the tangents of results; integers and truth values have none."""
    if all([operand_aval(out).dtype not in INEXACT for out in outs]):
        return [None] * len(outs)
    jvp_rule = rule(primitive, "jvp")
    if primitive.multiple:
        found: list[Operand | None] = list(jvp_rule(primals, tangents, outs, **params))
    else:
        found = [jvp_rule(primals, tangents, outs[0], **params)]
    for out, tangent in zip(outs, found, strict=True):
        if tangent is not None:
            check_fits(primitive, "jvp", operand_aval(out), tangent)
    return found


def check_fits(primitive: Primitive, name: str, aval: ShapedArray, found: Operand) -> None:
    """Raise unless what a rule gave has the shape and dtype of the value that it belongs to."""
    got = operand_aval(found)
    if got.shape != aval.shape or got.dtype != aval.dtype:
        raise ProgramError(f"the {name} rule of {primitive.name} gave {got}, wanted {aval}")


def jvp(
    name: str,
    function: Callable[[list[Array]], Sequence[Operand]],
    primals: Sequence[Operand],
    tangents: Sequence[Operand | None],
    avals: Sequence[ShapedArray],
) -> Duals:
    """Apply a function to values with tangents.

    Parameters
    ----------
    name : str
        For messages.
    function : callable
        From flat arrays to flat results.
    primals, tangents : sequences of operands
        A tangent of None is zero.
    avals : sequence of ShapedArray
        How the function sees its arguments (weak, where they stand for Python scalars).

    Returns
    -------
    values, tangents
    """
    trace = JVPTrace(name)
    outs = run_body(
        trace,
        function,
        [trace.tracer(*each) for each in zip(avals, primals, tangents, strict=True)],
    )
    return [out.primal for out in outs], [out.tangent for out in outs]


def run_body(
    trace: JVPTrace,
    function: Callable[[list[Array]], Sequence[Operand]],
    tracers: list[Array],
) -> list[Dual]:
    """Run a function under a trace, and return its results' values and tangents."""

    def run() -> list[Dual]:
        results = function(tracers)
        for result in results:
            if isinstance(result, AbstractArray):
                result._check_readable()
        return [trace.dual(result) for result in results]

    try:
        return under(trace, run)
    finally:
        trace.is_open = False
