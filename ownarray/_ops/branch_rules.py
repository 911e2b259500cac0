"""Derivatives and batching of branches.

What the linear part of a branch needs of its values is returned by the branch itself. Branches
share these places: a place is filled by the branch that runs, and holds zeros for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._core.primitive import Linear, Primitive
from ownarray._ops.arithmetic import number
from ownarray._ops.bodies import (
    LinearBody,
    Mask,
    batch_body,
    chosen,
    filled,
    in_front,
    is_inexact,
    jvp_body,
    linear_body,
    parameter_number,
    reached,
    spread,
    zeros,
)
from ownarray._ops.compare import gt, where
from ownarray._ops.gather_scatter import batch_size
from ownarray._ops.structural import copy, reshape_to
from ownarray._passes.batch import Batched
from ownarray._passes.transpose import backward
from ownarray._trace.bind import Operand, bind_multiple, operand_aval
from ownarray._trace.record import Recording, evaluate, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.program import Program
    from ownarray._ops.operators import Array
    from ownarray._ops.rules import BatchDims
    from ownarray._trace.bind import Trace

Tangents = list[Operand | None]


def _choose(
    primitive: Primitive,
    index: Operand,
    operands: Sequence[Operand],
    branches: Sequence[Recording],
) -> list[Array]:
    """Bind branches that take these operands; what each has captured is passed to all."""
    captured = [value for branch in branches for value in branch.captured]
    n = len(operands)

    def widened(number: int, branch: Recording) -> Program:
        before = sum([len(other.captured) for other in branches[:number]])
        avals = [*map(operand_aval, operands), *map(operand_aval, captured)]
        wide = record(
            "cond",
            avals,
            lambda _, tracers: evaluate(
                branch.program,
                [*tracers[:n], *tracers[n + before : n + before + len(branch.captured)]],
            ),
        )
        return wide.program

    programs = tuple(
        [
            widened(number, branch) if captured else branch.program
            for number, branch in enumerate(branches)
        ]
    )
    return bind_multiple(primitive, index, *operands, *captured, branches=programs)


def branch_differentiate(
    primitive: Primitive,
    linear: Trace | None,
    primals: Sequence[Operand],
    tangents: Tangents,
    *,
    branches: tuple[Program, ...],
) -> tuple[list[Operand], Tangents]:
    """Return the results of the branch that is chosen, and their tangents."""
    index, *values = primals
    live = [t is not None for t in tangents[1:]]
    given = chosen(tangents[1:], live)
    out_live = [
        any(each) for each in zip(*[reached(b, live, smooth=True) for b in branches], strict=True)
    ]
    out_live = [a and b for a, b in zip(out_live, is_inexact(branches[0].out_avals), strict=True)]
    if linear is None:
        recordings = [jvp_body("cond", branch, live, out_live) for branch in branches]
        results = _choose(primitive, index, [*values, *given], recordings)
        n = len(branches[0].outs)
        return list(results[:n]), spread(results[n:], out_live)
    parts = [linear_body("cond", branch, live, out_live) for branch in branches]
    return _linearized(primitive, index, values, given, parts, out_live=out_live)


def _linearized(
    primitive: Primitive,
    index: Operand,
    values: Sequence[Operand],
    tangents: Sequence[Operand],
    parts: Sequence[LinearBody],
    *,
    out_live: Mask,
) -> tuple[list[Operand], Tangents]:
    n_outs = parts[0].n_results
    sources, avals = _places(parts, len(values))
    forward = [_padded(part, places, avals) for part, places in zip(parts, sources, strict=True)]
    results = _choose(primitive, index, values, forward)
    residuals = [*values, *results[n_outs:]]
    linear = [
        _linear_branch(part.linear, places, residuals, tangents)
        for part, places in zip(parts, sources, strict=True)
    ]
    found = _choose(primitive, index, [*residuals, *tangents], linear)
    return list(results[:n_outs]), spread(found, out_live)


def _places(
    parts: Sequence[LinearBody], n_values: int
) -> tuple[list[list[int]], list[ShapedArray]]:
    """Return where each residual of each branch is found, and the avals of the shared places.

    Places below ``n_values`` are the operands themselves.
    """
    avals: list[ShapedArray] = []
    found: list[list[int]] = []
    for part in parts:
        program = part.forward.program
        taken: set[int] = set()
        places: list[int] = []
        for out in range(part.n_results, len(program.outs)):
            place = parameter_number(program, out)
            if place is None or place >= n_values:
                aval = program.out_avals[out].strong()
                free = [i for i, other in enumerate(avals) if other == aval and i not in taken]
                if not free:
                    free = [len(avals)]
                    avals.append(aval)
                taken.add(free[0])
                place = n_values + free[0]
            places.append(place)
        found.append(places)
    return found, avals


def _padded(part: LinearBody, places: Sequence[int], avals: Sequence[ShapedArray]) -> Recording:
    """Return a branch that fills its residuals into the shared places."""
    program, n_outs = part.forward.program, part.n_results
    n = len(program.params) - len(part.forward.captured)

    def run(_: object, tracers: list[Array]) -> Sequence[Operand]:
        results = evaluate(program, [*tracers, *part.forward.captured])
        by_place = dict(zip(places, results[n_outs:], strict=True))
        return [*results[:n_outs], *[by_place.get(n + i, zeros(a)) for i, a in enumerate(avals)]]

    return record("cond", program.in_avals[:n], run)


def _linear_branch(
    linear: Recording,
    places: Sequence[int],
    residuals: Sequence[Operand],
    tangents: Sequence[Operand],
) -> Recording:
    """Return a linear branch that takes its residuals from the operands and shared places."""
    n = len(residuals)
    return record(
        "cond",
        [*[operand_aval(x).strong() for x in residuals], *map(operand_aval, tangents)],
        lambda _, tracers: evaluate(
            linear.program, [*[tracers[i] for i in places], *tracers[n:], *linear.captured]
        ),
    )


def branch_transpose(
    primitive: Primitive,
    cts: Sequence[Operand | None],
    index: Operand,
    *args: Operand | Linear,
    branches: tuple[Program, ...],
) -> list[Operand | None]:
    """Return the cotangents of the operands, from the branch that was chosen."""
    is_linear = [isinstance(arg, Linear) for arg in args]
    known = [arg for arg in args if not isinstance(arg, Linear)]
    live_cts = [ct is not None for ct in cts]
    given = chosen(cts, live_cts)
    wanted = [
        aval.strong() for aval, yes in zip(branches[0].in_avals, is_linear, strict=True) if yes
    ]
    n = len(known)

    def transposed(branch: Program) -> Recording:
        def run(_: object, tracers: list[Array]) -> Sequence[Operand]:
            found = backward(branch, is_linear, list(tracers[:n]), spread(tracers[n:], live_cts))
            return filled(found, wanted)

        return record("cond", [*map(operand_aval, known), *map(operand_aval, given)], run)

    results = _choose(
        primitive, index, [*known, *given], [transposed(branch) for branch in branches]
    )
    return [None, *spread(results, is_linear)]


def branch_batch(
    primitive: Primitive,
    args: Sequence[Operand],
    bdims: BatchDims,
    *,
    branches: tuple[Program, ...],
) -> tuple[list[Array], list[int | None]]:
    """Batching rule; where examples choose differently, all branches run and one is selected."""
    size = batch_size(args, bdims)
    start = [bdim is not None for bdim in bdims[1:]]
    reach = [reached(branch, start, smooth=False) for branch in branches]
    out_batched = [any(each) or bdims[0] is not None for each in zip(*reach, strict=True)]
    avals = [operand_aval(x) for x in args[1:]]
    recordings = [
        batch_body("cond", branch, bdims[1:], size, out_batched=out_batched, avals=avals)
        for branch in branches
    ]
    places = [0 if yes else None for yes in out_batched]
    if bdims[0] is None:
        return _choose(primitive, args[0], args[1:], recordings), places
    index = in_front(Batched(args[0], bdims[0]), size)
    results = [
        evaluate(recording.program, [*args[1:], *recording.captured]) for recording in recordings
    ]
    return [_selected(index, each) for each in zip(*results, strict=True)], places


def _selected(index: Operand, values: Sequence[Operand]) -> Array:
    """Return for each example the value of the branch that it chooses."""
    found = values[0]
    for place, value in enumerate(values[1:], 1):
        ndim = operand_aval(value).ndim
        at = reshape_to(index, (operand_aval(index).shape[0], *[1] * (ndim - 1)))
        found = where(gt(at, number(place - 1, index)), value, found)
    return copy(found) if len(values) == 1 else found  # type: ignore[return-value]
