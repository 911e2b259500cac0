"""Functions that bring their own derivative: applied as they are, differentiated by their rule.

Where a program is recorded, such a function is one equation that holds its program, and the rule
for whoever differentiates that program later.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ownarray._core.primitive import Linear, Missing, Primitive
from ownarray._errors import TraceError
from ownarray._ops.bodies import filled, in_front, zeros
from ownarray._ops.gather_scatter import batch_size
from ownarray._ops.structural import sum_axes
from ownarray._passes.batch import Batched, BatchTrace, batch
from ownarray._passes.jvp import Duals, JVPTrace
from ownarray._passes.transpose import backward
from ownarray._trace.bind import (
    AbstractArray,
    Operand,
    Trace,
    bind_multiple,
    current_trace,
    operand_aval,
)
from ownarray._trace.record import Recording, RecordTrace, evaluate, record

if TYPE_CHECKING:
    from ownarray._core.aval import ShapedArray
    from ownarray._core.builder import Builder, Value
    from ownarray._core.program import Program
    from ownarray._ops.operators import Array
    from ownarray._ops.rules import BatchDims

Flat = Callable[[Sequence[Operand]], Sequence[Operand]]
"""A function of flat operands."""


class Custom(ABC):
    """A function of flat operands with a derivative of its own."""

    name: str

    @abstractmethod
    def value(self, operands: Sequence[Operand]) -> Sequence[Operand]:
        """Return the results."""

    @abstractmethod
    def push(
        self, linear: Trace | None, primals: list[Operand], tangents: list[Operand | None]
    ) -> Duals:
        """Return the results and their tangents; ``linear`` as in `Primitive.differentiate`."""

    @abstractmethod
    def batched(
        self, operands: Sequence[Operand], bdims: BatchDims, size: int
    ) -> tuple[Custom, Sequence[Operand]]:
        """Return the function of whole batches, and operands that it takes besides.

        Its results have the batch axis in front.
        """

    def recorded(self, recording: Recording, n_operands: int) -> Custom:
        """Return the function as a recording: the values that it captured are operands, too."""
        return _Recorded(self, recording.program, n_operands)


class _Recorded(Custom):
    """A recorded function whose rule takes the declared operands only."""

    def __init__(self, custom: Custom, program: Program, n_operands: int) -> None:
        self.name = custom.name
        self.custom = custom
        self.program = program
        self.n_operands = n_operands

    def value(self, operands: Sequence[Operand]) -> Sequence[Operand]:
        """Evaluate the program."""
        return evaluate(self.program, operands)

    def push(
        self, linear: Trace | None, primals: list[Operand], tangents: list[Operand | None]
    ) -> Duals:
        """Use the rule; it reads what the function captured by itself."""
        n = self.n_operands
        if any([tangent is not None for tangent in tangents[n:]]):
            raise captured_error(self.name)
        return self.custom.push(linear, primals[:n], tangents[:n])

    def batched(
        self, operands: Sequence[Operand], bdims: BatchDims, size: int
    ) -> tuple[Custom, Sequence[Operand]]:
        """Batch the rule; it reads what the function captured by itself."""
        n = self.n_operands
        custom, more = self.custom.batched(operands[:n], bdims[:n], size)
        return _WithCaptured(custom, n, len(operands)), more


class _WithCaptured(Custom):
    """A function that is given operands in the middle which it does not take."""

    def __init__(self, custom: Custom, n_before: int, n_after: int) -> None:
        self.name = custom.name
        self.custom = custom
        self.unused = slice(n_before, n_after)

    def _taken(self, values: Sequence[Any]) -> list[Any]:
        return [*values[: self.unused.start], *values[self.unused.stop :]]

    def value(self, operands: Sequence[Operand]) -> Sequence[Operand]:
        """Apply the function to the operands that it takes."""
        return self.custom.value(self._taken(operands))

    def push(
        self, linear: Trace | None, primals: list[Operand], tangents: list[Operand | None]
    ) -> Duals:
        """Use the rule of the function."""
        return self.custom.push(linear, self._taken(primals), self._taken(tangents))

    def batched(
        self, operands: Sequence[Operand], bdims: BatchDims, size: int
    ) -> tuple[Custom, Sequence[Operand]]:
        """Batch the function."""
        custom, more = self.custom.batched(self._taken(operands), self._taken(bdims), size)
        return _WithCaptured(custom, self.unused.start, self.unused.stop), more


def captured_error(name: str) -> TraceError:
    """Return the error for a function with a rule that reads a value which is differentiated."""
    return TraceError(
        f"{name}: the function or its rule reads an outer value that is differentiated, so its"
        " derivative would be lost. Fix: pass that value as an argument"
    )


def apply_custom(custom: Custom, operands: Sequence[Operand]) -> Sequence[Operand]:
    """Apply a function, so that whoever differentiates it uses its rule."""
    trace = current_trace()
    for operand in operands:
        if isinstance(operand, AbstractArray) and operand._trace.depth > trace.depth:
            trace = operand._trace
    if isinstance(trace, JVPTrace):
        return trace.apply_pair(
            operands,
            lambda primals: apply_custom(custom, primals),
            lambda primals, tangents: _checked(trace, custom, primals, tangents),
        )
    if isinstance(trace, BatchTrace):
        size = trace.size
        return trace.apply_whole(
            operands, lambda values, bdims: _apply_batched(custom, values, bdims, size)
        )
    if isinstance(trace, RecordTrace):
        avals = [operand_aval(operand) for operand in operands]
        recording = record(custom.name, avals, lambda _, tracers: custom.value(tracers))
        known = custom.recorded(recording, len(operands))
        return bind_multiple(
            custom_p, *operands, *recording.captured, program=recording.program, custom=known
        )
    return custom.value(operands)


def _checked(
    trace: JVPTrace, custom: Custom, primals: list[Operand], tangents: list[Operand | None]
) -> Duals:
    outs, found = custom.push(trace.linear, primals, tangents)
    if any([isinstance(out, AbstractArray) and out._trace is trace for out in [*outs, *found]]):
        raise captured_error(custom.name)
    return outs, found


def _apply_batched(
    custom: Custom, values: Sequence[Operand], bdims: BatchDims, size: int
) -> list[Batched]:
    if all([bdim is None for bdim in bdims]):
        return [Batched(out, None) for out in apply_custom(custom, values)]
    whole, more = custom.batched(values, bdims, size)
    return [Batched(out, 0) for out in apply_custom(whole, [*values, *more])]


def _custom_aval(*avals: ShapedArray, program: Program, custom: Custom) -> list[ShapedArray]:
    return [aval.strong() for aval in program.out_avals]


def _custom_lower(
    builder: Builder, outs: Sequence[ShapedArray], *values: Value, program: Program, custom: Custom
) -> list[Value]:
    return builder.inline(program, values)


def _custom_transpose(
    cts: Sequence[Operand | None], *args: Operand | Linear, program: Program, custom: Custom
) -> list[Operand | None]:
    is_linear = [isinstance(arg, Linear) for arg in args]
    known: list[Operand] = [arg for arg in args if not isinstance(arg, Linear)]
    found = iter(backward(program, is_linear, known, cts))
    return [next(found) if linear else None for linear in is_linear]


def _custom_batch(
    args: Sequence[Operand], bdims: BatchDims, *, program: Program, custom: Custom
) -> tuple[list[Operand], list[int | None]]:
    found = _apply_batched(custom, args, bdims, batch_size(args, bdims))
    return [each.value for each in found], [each.bdim for each in found]


custom_p = Primitive(
    name="custom",
    multiple=True,
    aval=_custom_aval,
    host=Missing("it is applied part by part"),
    lower=_custom_lower,
    jvp=Missing("values and tangents are computed together: see differentiate"),
    transpose=_custom_transpose,
    batch=_custom_batch,
    differentiate=lambda linear, primals, tangents, *, program, custom: custom.push(
        linear, primals, tangents
    ),
)


# A linear map that is known by its transpose: in programs that are transposed before they run.

Pull = Callable[[list[Operand], list[Operand]], Sequence[Operand | None]]
"""Residuals and cotangents of results to cotangents of arguments."""
Push = Callable[[Sequence[Operand], Sequence[Operand]], Sequence[Operand]]
"""Residuals and tangents of arguments to tangents of results."""


def apply_pull(
    name: str,
    residuals: Sequence[Operand],
    tangents: Sequence[Operand],
    out_avals: Sequence[ShapedArray],
    *,
    pull: Pull,
    push: Push | None,
) -> list[Array]:
    """Return the tangents of results, by a rule that knows how to pull cotangents back."""
    return bind_multiple(
        pull_p,
        *residuals,
        *tangents,
        name=name,
        n_residuals=len(residuals),
        out_avals=tuple(out_avals),
        pull=pull,
        push=push,
    )


def _pushed(name: str, push: Push | None) -> Push:
    if push is None:
        raise TypeError(
            f"{name}: it has a custom_vjp rule, which serves reverse derivatives only. Fix: use"
            " custom_jvp, which serves both, or grad, vjp and jacrev"
        )
    return push


def _pull_lower(
    builder: Builder,
    outs: Sequence[ShapedArray],
    *values: Value,
    name: str,
    n_residuals: int,
    push: Push | None,
    **_: Any,
) -> list[Value]:
    forward = _pushed(name, push)
    recording = record(
        name,
        [value.aval for value in values],
        lambda _, tracers: forward(tracers[:n_residuals], tracers[n_residuals:]),
    )
    constants = [builder.constant(value, operand_aval(value)) for value in recording.captured]
    return builder.inline(recording.program, [*values, *constants])


def _pull_transpose(
    cts: Sequence[Operand | None],
    *args: Operand | Linear,
    n_residuals: int,
    out_avals: Sequence[ShapedArray],
    pull: Pull,
    **_: Any,
) -> list[Operand | None]:
    residuals: list[Operand] = [arg for arg in args[:n_residuals] if not isinstance(arg, Linear)]
    found = pull(residuals, filled(cts, out_avals))
    return [
        *[None] * n_residuals,
        *[
            ct if isinstance(arg, Linear) else None
            for arg, ct in zip(args[n_residuals:], found, strict=True)
        ],
    ]


def _pull_batch(
    args: Sequence[Operand],
    bdims: BatchDims,
    *,
    name: str,
    n_residuals: int,
    push: Push | None,
    **_: Any,
) -> tuple[list[Operand], list[int]]:
    size = batch_size(args, bdims)
    forward = _pushed(name, push)
    found = batch(
        name, lambda inner: forward(inner[:n_residuals], inner[n_residuals:]), args, bdims, size
    )
    return [in_front(each, size) for each in found], [0] * len(found)


pull_p = Primitive(
    name="pull",
    multiple=True,
    aval=lambda *avals, out_avals, **params: list(out_avals),
    host=Missing("it is transposed, or runs as one compiled program"),
    lower=_pull_lower,
    jvp=Missing(
        "linear maps that are known by their transpose are differentiated where they arise"
    ),
    transpose=_pull_transpose,
    batch=_pull_batch,
)


# Functions of whole batches.


def batched_flat(
    name: str, function: Flat, bdims: BatchDims, size: int
) -> Callable[[Sequence[Operand]], list[Operand]]:
    """Return a function of whole batches, whose results have the batch axis in front."""

    def whole(operands: Sequence[Operand]) -> list[Operand]:
        found = batch(name, function, operands, bdims, size)
        return [in_front(each, size) for each in found]

    return whole


def sum_shared(cts: Sequence[Operand | None], bdims: BatchDims) -> list[Operand | None]:
    """Sum cotangents, with the batch axis in front, of arguments that all examples share."""
    return [
        ct if ct is None or bdim is not None else sum_axes(ct, (0,))
        for ct, bdim in zip(cts, bdims, strict=True)
    ]


def zeros_like(operand: Operand) -> Array:
    """Return zeros of an operand's shape and dtype."""
    return zeros(operand_aval(operand).strong())
