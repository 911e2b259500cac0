"""Derivatives and batching of loops that run until a condition fails.

How many rounds there will be is not known beforehand, so what reverse derivatives need of each
round cannot be kept. Forward derivatives carry tangents beside the values; linearized, the loop
runs again with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ownarray._core.program import Program
from ownarray._ops.bodies import (
    Mask,
    batch_body,
    chosen,
    in_front,
    is_inexact,
    jvp_body,
    reached,
    settled,
    spread,
    zeros,
)
from ownarray._ops.compare import where
from ownarray._ops.gather_scatter import batch_size
from ownarray._ops.reducers import reduce_or_p
from ownarray._ops.structural import reshape_to
from ownarray._passes.batch import Batched
from ownarray._trace.bind import Operand, bind, bind_multiple, operand_aval
from ownarray._trace.record import Recording, evaluate, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array
    from ownarray._ops.rules import BatchDims
    from ownarray._trace.bind import Trace

Tangents = list[Operand | None]


class While(NamedTuple):
    """The parameters of a while loop."""

    cond: Program
    body: Program
    n_cond: int
    n_body: int

    def split(self, values: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
        """Take operands apart: constants of the condition, of the body, and the carry."""
        n = self.n_cond + self.n_body
        return list(values[: self.n_cond]), list(values[self.n_cond : n]), list(values[n:])


def _repeat(
    primitive: Primitive,
    cond: tuple[Program, Sequence[Operand]],
    body: tuple[Program, Sequence[Operand]],
    carry: Sequence[Operand],
) -> list[Array]:
    """Bind a loop; programs take their constants first, then the carry."""
    return bind_multiple(
        primitive,
        *cond[1],
        *body[1],
        *carry,
        cond=cond[0],
        body=body[0],
        n_cond=len(cond[1]),
        n_body=len(body[1]),
    )


def while_differentiate(
    primitive: Primitive,
    linear: Trace | None,
    primals: Sequence[Operand],
    tangents: Tangents,
    **params: Any,
) -> tuple[list[Operand], Tangents]:
    """Return the carry at the end and its tangents."""
    loop = While(**params)
    body, n_body = loop.body, loop.n_body
    cond_constants, constants, init = loop.split(primals)
    _, constant_tangents, init_tangents = loop.split(tangents)
    start = [t is not None for t in [*constant_tangents, *init_tangents]]
    carry = slice(n_body, len(start))
    live = settled(body, n_body, start, carry, smooth=True)
    live = [a and b for a, b in zip(live, is_inexact(body.in_avals), strict=True)]
    out_live = live[n_body:]
    if not any(live):
        return list(bind_multiple(primitive, *primals, **params)), [None] * len(init)
    filled_init = [
        zeros(operand_aval(x).strong()) if t is None else t
        for x, t, wanted in zip(init, init_tangents, out_live, strict=True)
        if wanted
    ]
    recording = jvp_body("while_loop", body, live, out_live)
    order = _grouped(n_body, len(init), live, len(recording.captured))
    program = recording.program
    step = Program(tuple([program.params[i] for i in order]), program.eqns, program.outs)
    given = chosen(constant_tangents, live[:n_body])
    results = _repeat(
        primitive,
        (_reading_first(loop.cond, loop.n_cond, filled_init), cond_constants),
        (step, [*constants, *given, *recording.captured]),
        [*init, *filled_init],
    )
    n = len(init)
    if linear is None:
        return list(results[:n]), spread(results[n:], out_live)
    outs = bind_multiple(primitive, *primals, **params)
    return list(outs), spread(results[n:], out_live)


def _grouped(n_body: int, n_carry: int, live: Mask, n_captured: int) -> list[int]:
    """Return the order that puts all constants of a differentiated body before its carry."""
    n = n_body + n_carry
    n_given, n_live = sum(live[:n_body]), sum(live)
    given = range(n, n + n_given)
    captured = range(n + n_live, n + n_live + n_captured)
    return [*range(n_body), *given, *captured, *range(n_body, n), *range(n + n_given, n + n_live)]


def _reading_first(cond: Program, n_cond: int, more: Sequence[Operand]) -> Program:
    """Return a condition that reads the first part of a longer carry."""
    avals = [*cond.in_avals, *[operand_aval(x).strong() for x in more]]
    n = len(cond.params)
    return record("while_loop", avals, lambda _, tracers: evaluate(cond, tracers[:n])).program


def while_batch(
    primitive: Primitive, args: Sequence[Operand], bdims: BatchDims, **params: Any
) -> tuple[list[Array], list[int | None]]:
    """Batching rule; where examples stop at different times, each keeps its values from then on."""
    loop = While(**params)
    size = batch_size(args, bdims)
    cond_pairs, body_pairs, init_pairs = loop.split(list(zip(args, bdims, strict=True)))
    start = [bdim is not None for _, bdim in [*body_pairs, *init_pairs]]
    carry = slice(loop.n_body, len(start))
    batched = settled(loop.body, loop.n_body, start, carry, smooth=False)[carry]
    cond_start = [bdim is not None for _, bdim in cond_pairs]
    (is_each,) = reached(loop.cond, [*cond_start, *batched], smooth=False)
    if is_each:
        batched = [True] * len(batched)
    init = [
        in_front(Batched(x, bdim), size) if yes else x
        for (x, bdim), yes in zip(init_pairs, batched, strict=True)
    ]
    state_bdims = [0 if yes else None for yes in batched]
    state_avals = [operand_aval(x).strong() for x in init]
    cond_avals = [*[operand_aval(x) for x, _ in cond_pairs], *state_avals]
    cond_bdims = [*[bdim for _, bdim in cond_pairs], *state_bdims]
    each = batch_body(
        "while_loop", loop.cond, cond_bdims, size, out_batched=[is_each], avals=cond_avals
    )
    body_avals = [*[operand_aval(x) for x, _ in body_pairs], *state_avals]
    body_bdims = [*[bdim for _, bdim in body_pairs], *state_bdims]
    step = batch_body(
        "while_loop", loop.body, body_bdims, size, out_batched=batched, avals=body_avals
    )
    cond_constants = [*[x for x, _ in cond_pairs], *each.captured]
    constants = [*[x for x, _ in body_pairs], *step.captured]
    condition = _constants_first(each, len(init))
    body = _constants_first(step, len(init))
    if is_each:
        body = _stopping(condition, body, len(cond_constants), len(constants))
        constants = [*cond_constants, *constants]
        condition = _any(condition)
    results = _repeat(primitive, (condition, cond_constants), (body, constants), init)
    return results, state_bdims


def _constants_first(recording: Recording, n_carry: int) -> Program:
    """Return a recorded program with its carry behind what it has captured."""
    params = recording.program.params
    n = len(params) - len(recording.captured) - n_carry
    order = (*params[:n], *params[n + n_carry :], *params[n : n + n_carry])
    return Program(order, recording.program.eqns, recording.program.outs)


def _any(cond: Program) -> Program:
    """Return the condition that holds as long as it holds for one example."""
    return record(
        "while_loop",
        cond.in_avals,
        lambda _, tracers: [bind(reduce_or_p, evaluate(cond, tracers)[0], axes=(0,))],
    ).program


def _stopping(cond: Program, body: Program, n_cond: int, n_body: int) -> Program:
    """Return a body that changes only the examples for which the condition holds."""
    avals: list[ShapedArray] = [*cond.in_avals[:n_cond], *body.in_avals]
    n = n_cond + n_body

    def run(_: object, tracers: list[Array]) -> Sequence[Operand]:
        (mask,) = evaluate(cond, [*tracers[:n_cond], *tracers[n:]])
        new = evaluate(body, tracers[n_cond:])
        return [_kept(mask, x, old) for x, old in zip(new, tracers[n:], strict=True)]

    return record("while_loop", avals, run).program


def _kept(mask: Operand, new: Operand, old: Operand) -> Array:
    ndim = operand_aval(new).ndim
    shape = (operand_aval(mask).shape[0], *[1] * (ndim - 1))
    return where(reshape_to(mask, shape), new, old)
