"""Derivatives and batching of scans.

Forwards, tangents are carried beside the values. In reverse, a first scan computes the values and
stacks what the linear part needs of each step (values that do not change are not stacked); the
linear scan is transposed into one that runs the other way round, carries the cotangents, and sums
those of the constants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ownarray._core.aval import ShapedArray
from ownarray._core.primitive import Linear, Primitive
from ownarray._core.program import Program
from ownarray._ops.bodies import (
    Mask,
    batch_body,
    chosen,
    filled,
    in_front,
    is_inexact,
    jvp_body,
    known_beforehand,
    linear_body,
    parameter_number,
    part,
    reached,
    settled,
    spread,
    zeros,
)
from ownarray._ops.gather_scatter import batch_size
from ownarray._ops.structural import permute
from ownarray._passes.batch import Batched
from ownarray._passes.transpose import add_cotangents, backward
from ownarray._trace.bind import Operand, bind_multiple, operand_aval
from ownarray._trace.record import Recording, evaluate, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._ops.operators import Array
    from ownarray._ops.rules import BatchDims
    from ownarray._trace.bind import Trace

Tangents = list[Operand | None]


class Scan(NamedTuple):
    """The parameters of a scan."""

    body: Program
    n_constants: int
    n_carry: int
    length: int
    reverse: bool
    unroll: int

    @property
    def carry(self) -> slice:
        """Where the carry stands among the operands."""
        return slice(self.n_constants, self.n_constants + self.n_carry)

    def bind(
        self,
        primitive: Primitive,
        body: Program,
        constants: Sequence[Operand],
        carry: Sequence[Operand],
        xs: Sequence[Operand],
        *,
        reverse: bool | None = None,
    ) -> list[Array]:
        """Scan another body, whose parameters stand in the same order, as often."""
        return bind_multiple(
            primitive,
            *constants,
            *carry,
            *xs,
            body=body,
            n_constants=len(constants),
            n_carry=len(carry),
            length=self.length,
            reverse=self.reverse if reverse is None else reverse,
            unroll=self.unroll,
        )


def _ordered(program: Program, order: Sequence[int]) -> Program:
    """Return a program with its parameters in another order."""
    return Program(tuple([program.params[i] for i in order]), program.eqns, program.outs)


def scan_differentiate(
    primitive: Primitive,
    linear: Trace | None,
    primals: Sequence[Operand],
    tangents: Tangents,
    **params: Any,
) -> tuple[list[Operand], Tangents]:
    """Return the results of a scan and their tangents."""
    scan = Scan(**params)
    body = scan.body
    start = [t is not None for t in tangents]
    live = settled(body, scan.n_constants, start, scan.carry, smooth=True)
    live = [a and b for a, b in zip(live, is_inexact(body.in_avals), strict=True)]
    out_live = reached(body, live, smooth=True)
    out_live[: scan.n_carry] = live[scan.carry]
    out_live = [a and b for a, b in zip(out_live, is_inexact(body.out_avals), strict=True)]
    given: Tangents = [
        zeros(operand_aval(primal).strong()) if wanted and t is None else t
        for primal, t, wanted in zip(primals, tangents, live, strict=True)
    ]
    if linear is None:
        return _forward(primitive, scan, primals, given, live=live, out_live=out_live)
    return _linearized(primitive, scan, primals, given, live=live, out_live=out_live)


def _sections(scan: Scan, values: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Take operands, or what belongs to them, apart into constants, carry and rows."""
    carry = scan.carry
    return list(values[: carry.start]), list(values[carry]), list(values[carry.stop :])


def _forward(
    primitive: Primitive,
    scan: Scan,
    primals: Sequence[Operand],
    tangents: Tangents,
    *,
    live: Mask,
    out_live: Mask,
) -> tuple[list[Operand], Tangents]:
    recording = jvp_body("scan", scan.body, live, out_live)
    n, n_live = len(primals), sum(live)
    numbers: list[list[int]] = [[], [], []]
    tangent_number = iter(range(n, n + n_live))
    paired = [next(tangent_number) if wanted else None for wanted in live]
    own = _sections(scan, list(range(n)))
    theirs = _sections(scan, paired)
    for section, values, duals in zip(numbers, own, theirs, strict=True):
        section += [*values, *[number for number in duals if number is not None]]
    captured = list(range(n + n_live, len(recording.program.params)))
    constants, carry, xs = [*numbers[0], *captured], numbers[1], numbers[2]
    operands: list[Operand] = [*primals, *chosen(tangents, live), *recording.captured]
    n_carry, n_outs = scan.n_carry, len(scan.body.outs)
    n_carry_live = sum(out_live[:n_carry])
    order = [
        *range(n_carry),
        *range(n_outs, n_outs + n_carry_live),
        *range(n_carry, n_outs),
        *range(n_outs + n_carry_live, n_outs + sum(out_live)),
    ]
    program = recording.program
    body = Program(program.params, program.eqns, tuple([program.outs[i] for i in order]))
    results = scan.bind(
        primitive,
        _ordered(body, [*constants, *carry, *xs]),
        *[[operands[i] for i in section] for section in (constants, carry, xs)],
    )
    by_number = dict(zip(order, results, strict=True))
    outs: list[Operand] = [by_number[i] for i in range(n_outs)]
    return outs, spread([by_number[i] for i in range(n_outs, len(order))], out_live)


def _linearized(
    primitive: Primitive,
    scan: Scan,
    primals: Sequence[Operand],
    tangents: Tangents,
    *,
    live: Mask,
    out_live: Mask,
) -> tuple[list[Operand], Tangents]:
    parts = linear_body("scan", scan.body, live, out_live)
    forward, captured = parts.forward.program, list(parts.forward.captured)
    constants, carry, xs = _sections(scan, primals)
    n_outs, n_declared, n_loop = parts.n_results, len(primals), scan.carry.stop
    residuals = range(n_outs, len(forward.outs))
    known = [i < scan.n_constants or i >= n_declared for i in range(len(forward.params))]
    still = known_beforehand(forward, known, residuals)
    values: list[Operand] = [*primals, *captured]
    unchanged = dict(zip(still, evaluate(part(forward, still), values), strict=True))
    stacked: dict[int, Operand | None] = {}
    for number in residuals:
        if number not in unchanged:
            source = parameter_number(forward, number)
            stacked[number] = None if source is None or source < n_loop else primals[source]
    new = [number for number, value in stacked.items() if value is None]
    order = [*range(scan.n_constants), *range(n_declared, len(forward.params))]
    order += range(scan.n_constants, n_declared)
    results = scan.bind(
        primitive,
        _ordered(part(forward, [*range(n_outs), *new]), order),
        [*constants, *captured],
        carry,
        xs,
    )
    stacked.update(zip(new, results[n_outs:], strict=True))
    return list(results[:n_outs]), _linear_scan(
        primitive,
        scan,
        parts.linear,
        tangents,
        [(number in unchanged, unchanged.get(number, stacked.get(number))) for number in residuals],
        live=live,
        out_live=out_live,
    )


def _linear_scan(
    primitive: Primitive,
    scan: Scan,
    body: Recording,
    tangents: Tangents,
    residuals: Sequence[tuple[bool, Operand | None]],
    *,
    live: Mask,
    out_live: Mask,
) -> Tangents:
    """Scan the linear map of the tangents; the residuals that do not change are constants."""
    n = len(residuals)
    still = [i for i, (is_still, _) in enumerate(residuals) if is_still]
    moving = [i for i, (is_still, _) in enumerate(residuals) if not is_still]
    sections = [
        [number for number in section if number is not None]
        for section in _sections(scan, _numbered(live, n))
    ]
    first_captured = n + sum(live)
    operands: list[Any] = [value for _, value in residuals]
    operands += [*chosen(tangents, live), *body.captured]
    constants = [*still, *range(first_captured, len(operands)), *sections[0]]
    xs = [*moving, *sections[2]]
    results = scan.bind(
        primitive,
        _ordered(body.program, [*constants, *sections[1], *xs]),
        *[[operands[i] for i in section] for section in (constants, sections[1], xs)],
    )
    return spread(results, out_live)


def _numbered(mask: Mask, start: int) -> list[int | None]:
    """Return consecutive numbers at the places that a mask picks out."""
    number = start - 1
    found: list[int | None] = []
    for wanted in mask:
        number += wanted
        found.append(number if wanted else None)
    return found


def scan_transpose(
    primitive: Primitive, cts: Sequence[Operand | None], *args: Operand | Linear, **params: Any
) -> list[Operand | None]:
    """Return the cotangents of the linear operands; the carry is one of them as a whole."""
    scan = Scan(**params)
    is_linear = [isinstance(arg, Linear) for arg in args]
    is_linear[scan.carry] = [True] * scan.n_carry
    linear_constants = [i for i in range(scan.n_constants) if is_linear[i]]
    known_constants = [i for i in range(scan.n_constants) if not is_linear[i]]
    rows = range(scan.carry.stop, len(args))
    known_rows = [i for i in rows if not is_linear[i]]
    linear_rows = [i for i in rows if is_linear[i]]
    avals = scan.body.in_avals
    carry_avals, y_avals = scan.body.out_avals[: scan.n_carry], scan.body.out_avals[scan.n_carry :]
    ct_ys = list(cts[scan.n_carry :])
    live_ys = [ct is not None for ct in ct_ys]
    reached_rows: list[int] = []
    sizes = [len(known_constants), len(linear_constants), scan.n_carry, sum(live_ys)]

    def run(_: object, tracers: list[Array]) -> Sequence[Operand]:
        rest = iter(tracers)
        constants, sums, carry, ys = ([next(rest) for _ in range(n)] for n in sizes)
        values: dict[int, Operand] = dict(zip(known_constants, constants, strict=True))
        values.update(zip(known_rows, rest, strict=True))
        found = backward(
            scan.body,
            is_linear,
            [values[i] for i in sorted(values)],
            [*carry, *spread(ys, live_ys)],
        )
        by_number = dict(zip([i for i, yes in enumerate(is_linear) if yes], found, strict=True))
        reached_rows.extend([i for i in linear_rows if by_number[i] is not None])
        new_sums = [
            add_cotangents(total, by_number[i])
            for total, i in zip(sums, linear_constants, strict=True)
        ]
        new_carry = [by_number[scan.carry.start + i] for i in range(scan.n_carry)]
        return [
            *filled(new_sums, [avals[i] for i in linear_constants]),
            *filled(new_carry, carry_avals),
            *filled([by_number[i] for i in reached_rows], [avals[i] for i in reached_rows]),
        ]

    sum_avals = [avals[i].strong() for i in linear_constants]
    row_avals = [aval for aval, yes in zip(y_avals, live_ys, strict=True) if yes]
    recording = record(
        "scan",
        [
            *[avals[i] for i in known_constants],
            *sum_avals,
            *[aval.strong() for aval in carry_avals],
            *[aval.strong() for aval in row_avals],
            *[avals[i] for i in known_rows],
        ],
        run,
    )
    n = len(recording.program.params) - len(recording.captured)
    order = [*range(sizes[0]), *range(n, len(recording.program.params)), *range(sizes[0], n)]
    results = scan.bind(
        primitive,
        _ordered(recording.program, order),
        [*_operands(args, known_constants), *recording.captured],
        [*[zeros(aval) for aval in sum_avals], *filled(cts[: scan.n_carry], carry_avals)],
        [*chosen(ct_ys, live_ys), *_operands(args, known_rows)],
        reverse=not scan.reverse,
    )
    numbers = [*linear_constants, *range(scan.carry.start, scan.carry.stop), *reached_rows]
    by_number: dict[int, Operand] = dict(zip(numbers, results, strict=True))
    return [by_number.get(i) if isinstance(arg, Linear) else None for i, arg in enumerate(args)]


def _operands(args: Sequence[Operand | Linear], numbers: Sequence[int]) -> list[Operand]:
    return [arg for arg in (args[i] for i in numbers) if not isinstance(arg, Linear)]


def scan_batch(
    primitive: Primitive, args: Sequence[Operand], bdims: BatchDims, **params: Any
) -> tuple[list[Array], list[int | None]]:
    """Batching rule: the batch axis stands in front of the carry, and of each row."""
    scan = Scan(**params)
    body, carry = scan.body, scan.carry
    size = batch_size(args, bdims)
    start = [bdim is not None for bdim in bdims]
    batched = settled(body, scan.n_constants, start, carry, smooth=False)
    out_batched = reached(body, batched, smooth=False)
    out_batched[: scan.n_carry] = batched[carry]
    constants, state, rows = _sections(scan, list(zip(args, bdims, batched, strict=True)))
    moved_state = [in_front(Batched(x, bdim), size) if wanted else x for x, bdim, wanted in state]
    moved_rows = [x if bdim is None else _axis_to(x, bdim, 1) for x, bdim, _ in rows]
    inner = [bdim for _, bdim, _ in constants]
    inner += [0 if wanted else None for _, _, wanted in [*state, *rows]]
    avals = [operand_aval(x) for x, _, _ in constants]
    avals += [operand_aval(x).strong() for x in moved_state]
    avals += [ShapedArray(a.shape[1:], a.dtype) for a in map(operand_aval, moved_rows)]
    recording = batch_body("scan", body, inner, size, out_batched=out_batched, avals=avals)
    n, program = len(avals), recording.program
    order = [*range(scan.n_constants), *range(n, len(program.params)), *range(scan.n_constants, n)]
    results = scan.bind(
        primitive,
        _ordered(program, order),
        [*[x for x, _, _ in constants], *recording.captured],
        moved_state,
        moved_rows,
    )
    places = [0] * scan.n_carry + [1] * (len(results) - scan.n_carry)
    return results, [
        place if wanted else None for place, wanted in zip(places, out_batched, strict=True)
    ]


def _axis_to(x: Operand, axis: int, place: int) -> Operand:
    """Return x with one axis moved to another place."""
    if axis == place:
        return x
    order = [a for a in range(operand_aval(x).ndim) if a != axis]
    order.insert(place, axis)
    return permute(x, tuple(order))
