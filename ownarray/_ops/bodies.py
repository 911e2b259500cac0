"""What the derivative and batching rules of loops and branches share: programs made of bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ownarray._core.dtypes import INEXACT
from ownarray._core.program import Program, Var, without_dead_code
from ownarray._ops.structural import broadcast_to, to_front
from ownarray._passes.batch import Batched, batch
from ownarray._passes.jvp import jvp
from ownarray._passes.linearize import linearize
from ownarray._trace.bind import Operand, operand_aval
from ownarray._trace.record import Recording, evaluate, record

if TYPE_CHECKING:
    from ownarray._core.aval import ShapedArray
    from ownarray._ops.operators import Array

Mask = Sequence[bool]


def zeros(aval: ShapedArray) -> Array:
    """Return zeros of an aval."""
    return broadcast_to(aval.dtype.type(0), aval.shape)


def filled(values: Sequence[Operand | None], avals: Sequence[ShapedArray]) -> list[Operand]:
    """Return tangents or cotangents with zeros in place of None."""
    return [
        zeros(aval) if value is None else value for value, aval in zip(values, avals, strict=True)
    ]


def chosen(values: Sequence[Operand | None], mask: Mask) -> list[Operand]:
    """Return the values that a mask picks out, none of which is None."""
    found = [value for value, wanted in zip(values, mask, strict=True) if wanted]
    return [value for value in found if value is not None]


def spread(values: Sequence[Operand], mask: Mask) -> list[Operand | None]:
    """Return values at the places that a mask picks out, None at the others."""
    rest = iter(values)
    return [next(rest) if wanted else None for wanted in mask]


def is_inexact(avals: Sequence[ShapedArray]) -> list[bool]:
    """Return which avals can have tangents."""
    return [aval.dtype in INEXACT for aval in avals]


def reached(program: Program, start: Mask, *, smooth: bool) -> list[bool]:
    """Return which results may depend on some of the parameters.

    With ``smooth``, dependence through integers and truth values does not count.
    """
    found: set[object] = {var for var, wanted in zip(program.params, start, strict=True) if wanted}
    for eqn in program.eqns:
        if not found.isdisjoint(eqn.inputs):
            found.update([var for var in eqn.outs if not smooth or var.aval.dtype in INEXACT])
    return [atom in found for atom in program.outs]


def settled(
    program: Program, n_before: int, start: Mask, carry: slice, *, smooth: bool
) -> list[bool]:
    """Return which parameters of a loop's body are reached once it has run often enough.

    Parameters
    ----------
    program : Program
        Its first results are the new carry.
    n_before : int
        How many parameters stand before the carry.
    start : sequence of bool
        Which parameters are reached at the beginning.
    carry : slice
        Where the carry stands among the parameters.
    """
    mask = list(start)
    while True:
        outs = reached(program, mask, smooth=smooth)
        grown = [
            old or outs[number - n_before] if carry.start <= number < carry.stop else old
            for number, old in enumerate(mask)
        ]
        if grown == mask:
            return mask
        mask = grown


# Derivatives.


def jvp_body(name: str, program: Program, live: Mask, out_live: Mask) -> Recording:
    """Return ``(*values, *live tangents) -> (*values, *tangents that out_live asks for)``."""
    avals = program.in_avals
    n = len(avals)

    def run(_: object, tracers: list[Array]) -> Sequence[Operand]:
        outs, tangents = jvp(
            name,
            lambda inner: evaluate(program, inner),
            tracers[:n],
            spread(tracers[n:], live),
            avals,
        )
        known = filled(tangents, [operand_aval(out) for out in outs])
        return [*outs, *chosen(known, out_live)]

    tangent_avals = [aval for aval, wanted in zip(avals, live, strict=True) if wanted]
    return record(name, [*avals, *tangent_avals], run)


@dataclass(frozen=True, slots=True)
class LinearBody:
    """A body taken apart: the values, and the linear map of the tangents.

    Attributes
    ----------
    forward : Recording
        ``(*values) -> (*results, *residuals)``.
    linear : Recording
        ``(*residuals, *live tangents) -> tangents that were asked for``.
    """

    forward: Recording
    linear: Recording

    @property
    def n_residuals(self) -> int:
        """How many residuals there are."""
        return len(self.forward.program.outs) - self.n_results

    n_results: int


def linear_body(name: str, program: Program, live: Mask, out_live: Mask) -> LinearBody:
    """Take a body apart into its values and the linear map of its tangents."""
    avals = program.in_avals
    parts: list[Program] = []
    is_live: list[bool] = []
    residual_avals: list[ShapedArray] = []

    def forward(_: object, tracers: list[Array]) -> Sequence[Operand]:
        found = linearize(name, lambda inner: evaluate(program, inner), tracers, avals, live)
        parts.append(found.program)
        is_live.extend(found.is_live)
        residual_avals.extend([operand_aval(value).strong() for value in found.residuals])
        return [*found.outs, *found.residuals]

    first = record(name, avals, forward)
    n = len(residual_avals)

    def linear(_: object, tracers: list[Array]) -> Sequence[Operand]:
        results = evaluate(parts[0], [*tracers[n:], *tracers[:n]])
        tangents = filled(spread(results, is_live), program.out_avals)
        return chosen(tangents, out_live)

    tangent_avals = [aval for aval, wanted in zip(avals, live, strict=True) if wanted]
    second = record(name, [*residual_avals, *tangent_avals], linear)
    return LinearBody(first, second, len(program.outs))


def known_beforehand(program: Program, known: Mask, outs: Sequence[int]) -> list[int]:
    """Return which of some results depend on known parameters only."""
    varying = reached(program, [not each for each in known], smooth=False)
    return [number for number in outs if not varying[number]]


def part(program: Program, outs: Sequence[int]) -> Program:
    """Return the program of some of the results."""
    chosen_outs = tuple([program.outs[number] for number in outs])
    return without_dead_code(Program(program.params, program.eqns, chosen_outs))


def parameter_number(program: Program, out: int) -> int | None:
    """Return which parameter a result is, if it is one."""
    atom = program.outs[out]
    if isinstance(atom, Var) and atom in program.params:
        return program.params.index(atom)
    return None


# Batching.


def batch_body(
    name: str,
    program: Program,
    bdims: Sequence[int | None],
    size: int,
    *,
    out_batched: Mask,
    avals: Sequence[ShapedArray],
) -> Recording:
    """Return a body of whole batches; the results that ``out_batched`` asks for have it in front.

    Parameters
    ----------
    avals : sequence of ShapedArray
        Of the parameters, with their batch axes.
    """

    def run(_: object, tracers: list[Array]) -> Sequence[Operand]:
        found = batch(name, lambda inner: evaluate(program, inner), tracers, bdims, size)
        return [
            in_front(each, size) if wanted else each.value
            for each, wanted in zip(found, out_batched, strict=True)
        ]

    return record(name, avals, run)


def in_front(found: Batched, size: int) -> Operand:
    """Return a value with its batch axis in front, repeated if all examples share it."""
    value, bdim = found
    if bdim is None:
        return broadcast_to(value, (size, *operand_aval(value).shape))
    return to_front(value, bdim)
