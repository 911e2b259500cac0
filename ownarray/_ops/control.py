"""Loops and branches: primitives that hold programs.

The arrays that a body reads from outside are its constants. They stand first, among the operands
and in the body's own parameters; the loop reads them where they are, so they are neither carried
nor copied. What is carried is updated in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from ownarray._core.aval import ShapedArray
from ownarray._core.builder import Builder, Value
from ownarray._core.dtypes import BOOL, INT32, INT64
from ownarray._core.primitive import Missing, Primitive
from ownarray._core.program import Program, Var
from ownarray._ops import emit
from ownarray._ops.branch_rules import branch_batch, branch_differentiate, branch_transpose
from ownarray._ops.host_calls import host_call
from ownarray._ops.rules import compare
from ownarray._ops.scan_rules import scan_batch, scan_differentiate, scan_transpose
from ownarray._ops.while_rules import while_batch, while_differentiate
from ownarray._trace.bind import Operand, bind_multiple, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array
    from ownarray._trace.record import Captured, Recording

_Step: TypeAlias = Callable[[Builder, Value, Sequence[Value]], list[Value]]
_TOGETHER: Final = Missing("values and tangents are computed together: see differentiate")
_COMPILED: Final = Missing("loops and branches over arrays run as one compiled program")


def _same(name: str, what: str, wanted: Sequence[ShapedArray], got: Sequence[ShapedArray]) -> None:
    if [aval.strong() for aval in wanted] != [aval.strong() for aval in got]:
        raise TypeError(f"{name}: expected {what} of {list(wanted)}, got {list(got)}")


# While: repeat a body as long as a condition holds.


def _while_aval(
    *avals: ShapedArray, cond: Program, body: Program, n_cond: int, n_body: int
) -> list[ShapedArray]:
    carry = avals[n_cond + n_body :]
    _same("while", "a condition", [*avals[:n_cond], *carry], cond.in_avals)
    _same("while", "a body", [*avals[n_cond : n_cond + n_body], *carry], body.in_avals)
    _same("while", "results of the body", carry, body.out_avals)
    _same("while", "a scalar truth value", [ShapedArray((), BOOL)], cond.out_avals)
    return [aval.strong() for aval in carry]


def _while_lower(
    builder: Builder,
    outs: Sequence[ShapedArray],
    *values: Value,
    cond: Program,
    body: Program,
    n_cond: int,
    n_body: int,
) -> list[Value]:
    cond_constants = values[:n_cond]
    body_constants = values[n_cond : n_cond + n_body]
    carry = values[n_cond + n_body :]
    regions = [
        builder.region(outs, lambda b, args: b.inline(cond, [*cond_constants, *args])),
        builder.region(outs, lambda b, args: b.inline(body, [*body_constants, *args])),
    ]
    return builder.multi_op("stablehlo.while", carry, outs, "", regions)


while_p: Primitive = Primitive(
    name="while",
    multiple=True,
    aval=_while_aval,
    host=_COMPILED,
    lower=_while_lower,
    jvp=_TOGETHER,
    transpose=Missing(
        "in reverse, the values of every round are needed, and how many rounds there will be is not"
        " known. Fix: use fori_loop with int bounds or scan, or forward mode (jvp, jacfwd)"
    ),
    batch=lambda args, bdims, **params: while_batch(while_p, args, bdims, **params),
    differentiate=lambda linear, primals, tangents, **params: while_differentiate(
        while_p, linear, primals, tangents, **params
    ),
)


# Scan: a body along the first axis of arrays, a known number of times.


def _scan_aval(
    *avals: ShapedArray,
    body: Program,
    n_constants: int,
    n_carry: int,
    length: int,
    reverse: bool,
    unroll: int,
    doubled: Sequence[int] = (),
) -> list[ShapedArray]:
    n_loop = n_constants + n_carry
    carry = avals[n_constants:n_loop]
    for x in avals[n_loop:]:
        if x.shape[:1] != (length,):
            raise ValueError(f"scan: expected arrays of {length} rows, got {x}")
    rows = [ShapedArray(x.shape[1:], x.dtype) for x in avals[n_loop:]]
    _same("scan", "a body", [*avals[:n_loop], *rows], body.in_avals)
    _same("scan", "a carry from the body", carry, body.out_avals[:n_carry])
    stacked = [ShapedArray((length, *y.shape), y.dtype) for y in body.out_avals[n_carry:]]
    return [*[aval.strong() for aval in carry], *stacked]


def _row(builder: Builder, x: Value, index: Value) -> Value:
    """Return row ``x[index]``."""
    starts = [index, *[emit.number(builder, 0) for _ in x.aval.shape[1:]]]
    row = emit.dynamic_slice(builder, x, starts, (1, *x.aval.shape[1:]))
    return emit.reshape(builder, row, x.aval.shape[1:])


def _set_row(builder: Builder, x: Value, row: Value, index: Value) -> Value:
    starts = [index, *[emit.number(builder, 0) for _ in x.aval.shape[1:]]]
    return emit.dynamic_update(builder, x, emit.reshape(builder, row, (1, *row.aval.shape)), starts)


def _scan_lower(
    builder: Builder,
    outs: Sequence[ShapedArray],
    *values: Value,
    body: Program,
    n_constants: int,
    n_carry: int,
    length: int,
    reverse: bool,
    unroll: int,
    doubled: Sequence[int] = (),
) -> list[Value]:
    """Write a loop; carried arrays that are ``doubled`` have a second buffer.

    XLA cannot write some values over what they are computed from, and copies that first, in every
    round. With two steps a round the first one writes into the second buffer and the second step
    back into the first. Only compiling tells where this saves something.
    """
    constants, n_loop = values[:n_constants], n_constants + n_carry
    xs = values[n_loop:]
    stacks = [builder.constant(0, out) for out in outs[n_carry:]]

    def step(b: Builder, index: Value, state: Sequence[Value]) -> list[Value]:
        if reverse:
            index = emit.binary(b, "subtract", emit.number(b, length - 1), index)
        rows = [_row(b, x, index) for x in xs]
        results = b.inline(body, [*constants, *state[:n_carry], *rows])
        written = [
            _set_row(b, stack, y, index)
            for stack, y in zip(state[n_carry:], results[n_carry:], strict=True)
        ]
        return [*results[:n_carry], *written]

    state = [*values[n_constants:n_loop], *stacks]
    if doubled:
        unroll = 2
    unroll = max(1, min(unroll, length))
    n_rounds = length // unroll
    if n_rounds > 1:
        state = _counted(builder, n_rounds, unroll, state, step, doubled=doubled)
        done = n_rounds * unroll
    else:
        done = 0
    for i in range(done, length):
        state = step(builder, emit.number(builder, i), state)
    return state


def _counted(
    builder: Builder,
    n_rounds: int,
    unroll: int,
    state: Sequence[Value],
    step: _Step,
    *,
    doubled: Sequence[int],
) -> list[Value]:
    """Run a step ``n_rounds * unroll`` times in a loop."""
    counter = ShapedArray((), INT64)
    buffers = [host_call(builder, "nothing", [], [state[i].aval])[0] for i in doubled]
    first = [emit.number(builder, 0), *state, *buffers]
    avals = [counter, *[value.aval for value in first[1:]]]

    def goes_on(b: Builder, args: list[Value]) -> list[Value]:
        return [compare(b, args[0], emit.number(b, n_rounds * unroll), "LT")]

    def several(b: Builder, args: list[Value]) -> list[Value]:
        index, inner = args[0], args[1 : 1 + len(state)]
        between = inner
        for _ in range(unroll):
            between, inner = inner, step(b, index, inner)
            index = emit.binary(b, "add", index, emit.number(b, 1))
        return [index, *inner, *[between[i] for i in doubled]]

    regions = [builder.region(avals, goes_on), builder.region(avals, several)]
    results = builder.multi_op("stablehlo.while", first, avals, "", regions)[1:]
    state, buffers = results[: len(state)], results[len(state) :]
    for i, buffer in zip(doubled, buffers, strict=True):
        # A use of the second buffer behind the loop: else XLA would drop it from the loop.
        operands = [state[i], buffer]
        state[i] = host_call(builder, "nothing", operands, [state[i].aval], [(0, 0)])[0]
    return state


scan_p: Primitive = Primitive(
    name="scan",
    multiple=True,
    aval=_scan_aval,
    host=_COMPILED,
    lower=_scan_lower,
    jvp=_TOGETHER,
    transpose=lambda cts, *args, **params: scan_transpose(scan_p, cts, *args, **params),
    batch=lambda args, bdims, **params: scan_batch(scan_p, args, bdims, **params),
    differentiate=lambda linear, primals, tangents, **params: scan_differentiate(
        scan_p, linear, primals, tangents, **params
    ),
)


# Cond: one of several branches.


def _cond_aval(
    index: ShapedArray, *avals: ShapedArray, branches: tuple[Program, ...]
) -> list[ShapedArray]:
    _same("cond", "an index", [ShapedArray((), INT32)], [index])
    for branch in branches:
        _same("cond", "a branch", avals, branch.in_avals)
        _same("cond", "results of all branches", branches[0].out_avals, branch.out_avals)
    return [aval.strong() for aval in branches[0].out_avals]


def _cond_lower(
    builder: Builder,
    outs: Sequence[ShapedArray],
    index: Value,
    *values: Value,
    branches: tuple[Program, ...],
) -> list[Value]:
    if len(branches) == 1:
        return builder.inline(branches[0], values)
    low, high = emit.number(builder, 0, INT32), emit.number(builder, len(branches) - 1, INT32)
    index = builder.op("stablehlo.clamp", [low, index, high], index.aval)
    regions = [
        builder.region([], partial(_inlined, program=branch, values=values)) for branch in branches
    ]
    return builder.multi_op("stablehlo.case", [index], outs, "", regions)


def _inlined(
    builder: Builder, args: list[Value], *, program: Program, values: Sequence[Value]
) -> list[Value]:
    return builder.inline(program, values)


cond_p: Primitive = Primitive(
    name="cond",
    multiple=True,
    aval=_cond_aval,
    host=_COMPILED,
    lower=_cond_lower,
    jvp=_TOGETHER,
    transpose=lambda cts, *args, branches: branch_transpose(cond_p, cts, *args, branches=branches),
    batch=lambda args, bdims, *, branches: branch_batch(cond_p, args, bdims, branches=branches),
    differentiate=lambda linear, primals, tangents, *, branches: branch_differentiate(
        cond_p, linear, primals, tangents, branches=branches
    ),
)


# Applying them to recordings.


def constants_first(recording: Recording, n_declared: int) -> Program:
    """Return a recorded program with its captured arrays in front of the declared parameters."""
    params = recording.program.params
    return replace(recording.program, params=(*params[n_declared:], *params[:n_declared]))


def apply_while(cond: Recording, body: Recording, init: Sequence[Operand]) -> list[Array]:
    """Return the carry once ``cond(*carry)`` does not hold any more; ``body(*carry) -> carry``."""
    return bind_multiple(
        while_p,
        *cond.captured,
        *body.captured,
        *init,
        cond=constants_first(cond, len(init)),
        body=constants_first(body, len(init)),
        n_cond=len(cond.captured),
        n_body=len(body.captured),
    )


def apply_scan(
    body: Recording,
    init: Sequence[Operand],
    xs: Sequence[Operand],
    *,
    length: int,
    reverse: bool = False,
    unroll: int = 1,
) -> list[Array]:
    """Return the last carry and the stacked results of ``body(*carry, *rows) -> (*carry, *ys)``."""
    return bind_multiple(
        scan_p,
        *body.captured,
        *init,
        *xs,
        body=constants_first(body, len(init) + len(xs)),
        n_constants=len(body.captured),
        n_carry=len(init),
        length=length,
        reverse=reverse,
        unroll=unroll,
    )


def apply_cond(
    index: Operand, branches: Sequence[Recording], operands: Sequence[Operand]
) -> list[Array]:
    """Return the results of branch number ``index`` (int32; moved inside where out of range)."""
    captured: dict[int, Captured] = {}
    for branch in branches:
        captured.update({id(array): array for array in branch.captured})
    programs = tuple([_with_constants(branch, captured, len(operands)) for branch in branches])
    return bind_multiple(cond_p, index, *captured.values(), *operands, branches=programs)


def _with_constants(branch: Recording, captured: dict[int, Captured], n_declared: int) -> Program:
    """Return a branch's program with parameters for the arrays that any branch captured."""
    params = branch.program.params
    own = dict(zip(map(id, branch.captured), params[n_declared:], strict=True))
    shared = [own.get(key) or Var(operand_aval(array)) for key, array in captured.items()]
    return replace(branch.program, params=(*shared, *params[:n_declared]))
