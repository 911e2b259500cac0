"""Batching: a function of one example, applied to many at once.

Each traced array stands for a value with a batch axis, or for one that all examples share. The
primitives' ``batch`` rules run under the trace around this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ownarray._core.aval import ShapedArray
from ownarray._core.check import ProgramError
from ownarray._core.primitive import Primitive, rule
from ownarray._errors import TraceError
from ownarray._passes.linearize import snapshot
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

    from ownarray._ops.operators import Array


class Batched(NamedTuple):
    """A value and its batch axis; None if all examples share the value."""

    value: Operand
    bdim: int | None


class BatchTrace(Trace):
    """Computes all examples of a batch at once."""

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.size = size
        self.parent = current_trace()
        self.depth = deeper()
        self.scope = Scope()
        self.is_open = True

    def tracer(self, value: Operand, bdim: int | None) -> Array:
        """Return a traced array for one example of a value."""
        aval = operand_aval(value)
        if bdim is not None:
            shape = (*aval.shape[:bdim], *aval.shape[bdim + 1 :])
            aval = ShapedArray(shape, aval.dtype, aval.weak)
        return make_tracer(self, aval, Batched(value, bdim))

    def batched(self, operand: Operand) -> Batched:
        """Return what stands for an operand here; what comes from outside has no batch axis."""
        if isinstance(operand, AbstractArray) and operand._trace is self:
            return cast("Batched", operand.payload)  # type: ignore[attr-defined]  # ours
        return Batched(operand, None)

    def primal(self, payload: object) -> Array | None:
        """Return the value that a traced array stands for, if all examples share it."""
        value, bdim = cast("Batched", payload)
        return value if bdim is None and is_array(value) else None

    def apply(
        self, primitive: Primitive, operands: Sequence[Operand], params: dict[str, Any]
    ) -> list[Array]:
        """Apply a primitive to whole batches."""
        values, bdims = self.split(operands)
        with use_trace(self.parent):
            if all([bdim is None for bdim in bdims]):
                outs = bind_multiple(primitive, *values, **params)
                return [self.tracer(out, None) for out in outs]
            result, found = rule(primitive, "batch")(values, bdims, **params)
        results = list(result) if primitive.multiple else [result]
        out_bdims = list(found) if primitive.multiple else [found]
        for out, bdim in zip(results, out_bdims, strict=True):
            if bdim is not None and operand_aval(out).shape[bdim] != self.size:
                raise ProgramError(
                    f"the batch rule of {primitive.name} gave {operand_aval(out)} with axis {bdim}"
                    f" for the batch, which has {self.size} examples"
                )
        return [self.tracer(out, bdim) for out, bdim in zip(results, out_bdims, strict=True)]

    def split(self, operands: Sequence[Operand]) -> tuple[list[Operand], list[int | None]]:
        """Return the values and the batch axes of operands."""
        if not self.is_open:
            raise TraceError(
                f"a traced array escaped from {self.name}, which has returned."
                " Fix: return it from the function instead of storing it outside"
            )
        pairs = [self.batched(operand) for operand in operands]
        return [pair.value for pair in pairs], [pair.bdim for pair in pairs]

    def apply_whole(
        self,
        operands: Sequence[Operand],
        function: Callable[[list[Operand], list[int | None]], Sequence[Batched]],
    ) -> list[Array]:
        """Apply a function of whole batches."""
        values, bdims = self.split(operands)
        with use_trace(self.parent):
            return [self.tracer(*each) for each in function(values, bdims)]


def batch(
    name: str,
    function: Callable[[list[Array]], Sequence[Operand]],
    values: Sequence[Operand],
    bdims: Sequence[int | None],
    size: int,
) -> list[Batched]:
    """Apply a function of one example to a batch.

    Parameters
    ----------
    name : str
        For messages.
    function : callable
        From flat arrays to flat results.
    values : sequence of operands
    bdims : sequence of int or None
        The batch axis of each value, not negative; None if all examples share it.
    size : int
        How many examples there are.

    Returns
    -------
    list of Batched
        The results, with the batch axis where the rules left it.
    """
    trace = BatchTrace(name, size)

    def run() -> list[Batched]:
        tracers = [trace.tracer(*pair) for pair in zip(values, bdims, strict=True)]
        results = function(tracers)
        for result in results:
            if isinstance(result, AbstractArray):
                result._check_readable()
        return [trace.batched(result) for result in results]

    try:
        found = under(trace, run)
    finally:
        trace.is_open = False
    return [Batched(snapshot(value), bdim) for value, bdim in found]
