"""Computing again what reductions of columns were made of, so that no other memory is needed.

Standardized columns need all of an array before any of the result is written. XLA computes them in
memory as large as the operand, and slowly. Computed once more behind a barrier, from the operand
and from the sums, the result is element by element: it may stand where the operand was, which
takes a third to three quarters of the time. (Rows are another matter: for those XLA has kernels
that read each once.) It depends on the program alone and never on ownership, so moved and lent
calls give the same bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ownarray._core.program import Atom, Eqn, Program, Var, without_dead_code
from ownarray._ops.barrier import barrier_p

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGE_BYTES: Final = 16 << 20
"""Smaller results fit into memory that is at hand anyway."""
_REDUCTIONS: Final = frozenset({"reduce_sum", "reduce_max", "reduce_min", "reduce_prod"})


def computed_again(program: Program) -> Program:
    """Return a program that computes its large result behind its reductions, from its operands.

    Only programs of one result, which has the shape and dtype of a parameter, that do nothing but
    reduce columns and compute element by element; others are returned as they are.
    """
    result = program.outs[0] if len(program.outs) == 1 else None
    if not isinstance(result, Var) or result.aval.nbytes < LARGE_BYTES:
        return program
    if not all(eqn.primitive.is_light or _of_columns(eqn) for eqn in program.eqns):
        return program
    last, sources = _behind(program, result)
    like = result.aval.strong()
    is_in_place = any(var in program.params and var.aval.strong() == like for var in sources)
    if not is_in_place or all(var in program.params for var in sources):
        return program
    behind = tuple([Var(var.aval) for var in sources])
    instead: dict[Atom, Var] = dict(zip(sources, behind, strict=True))
    eqns = [*program.eqns, Eqn(barrier_p, tuple(sources), {}, behind, last[-1].site)]
    for eqn in last:
        outs = tuple([Var(var.aval) for var in eqn.outs])
        inputs = tuple([instead.get(atom, atom) for atom in eqn.inputs])
        eqns.append(Eqn(eqn.primitive, inputs, eqn.params, outs, eqn.site))
        instead.update(zip(eqn.outs, outs, strict=True))
    return without_dead_code(Program(program.params, tuple(eqns), (instead[result],)))


def _of_columns(eqn: Eqn) -> bool:
    """Return whether an equation reduces axes of which none is the last in memory."""
    if eqn.primitive.name not in _REDUCTIONS:
        return False
    return eqn.inputs[0].aval.ndim - 1 not in eqn.params["axes"]


def _behind(program: Program, result: Var) -> tuple[Sequence[Eqn], Sequence[Var]]:
    """Return the equations that lead from parameters and reductions to a result, and those."""
    needed, found = {result}, list[Eqn]()
    sources: list[Var] = []
    for eqn in reversed(program.eqns):
        if needed.isdisjoint(eqn.outs):
            continue
        if eqn.primitive.name in _REDUCTIONS:
            sources.append(eqn.outs[0])
        else:
            found.append(eqn)
            needed.update([atom for atom in eqn.inputs if isinstance(atom, Var)])
    sources += [var for var in program.params if var in needed]
    return found[::-1], sources[::-1]
