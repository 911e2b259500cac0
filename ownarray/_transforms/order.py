"""Reading before writing: the last use of a consumed argument waits until all others have read it.

A result is written into the memory of the argument that it replaces. XLA may compute that result
before something else has read the argument, unless one follows from the other; so it copies the
argument first, whole. In a training step that is each weight matrix: its update does not wait for
the product that carries the cotangent on to the layer below. A barrier on the argument says that
it does: the same values, in an order that needs no copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ownarray._core.program import Atom, Eqn, Program, Var
from ownarray._ops.barrier import barrier_p

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGE_BYTES: Final = 1 << 20
"""Below this size a copy costs less than what a barrier may keep the compiler from fusing."""


def read_before_written(program: Program, donor_of: Sequence[int | None]) -> Program:
    """Return a program in which late readers of donated parameters wait for the other readers.

    Parameters
    ----------
    program : Program
    donor_of : sequence of int or None
        For each result, the parameter in whose memory it is written.
    """
    pairs = [
        (program.params[donor], out)
        for out, donor in enumerate(donor_of)
        if donor is not None and program.params[donor].aval.nbytes >= LARGE_BYTES
    ]
    if not pairs:
        return program
    before, readers = _ancestors(program), _readers(program)
    made_by: dict[Atom, int] = {
        var: number for number, eqn in enumerate(program.eqns) for var in eqn.outs
    }
    waits: dict[int, list[tuple[Var, list[Var]]]] = {}
    for param, out in pairs:
        writer = made_by.get(program.outs[out])
        if writer is None:
            continue
        needed = before[writer] | 1 << writer
        mine = readers.get(param, ())
        others = [r for r in mine if not needed >> r & 1]
        seen = 0
        for other in others:
            seen |= before[other]
        late = [r for r in mine if needed >> r & 1 and not seen >> r & 1]
        if not others or not late:
            continue
        done = [_done(program, readers, other, late[0]) for other in others]
        results = [var for var in done if var is not None]
        if results:
            waits.setdefault(late[0], []).append((param, results))
    return _with_barriers(program, waits) if waits else program


def _done(program: Program, readers: dict[Var, list[int]], number: int, limit: int) -> Var | None:
    """Return a result that is in memory once an equation has read its operands.

    What is computed element by element is fused into its reader, and is not to be torn out.
    """
    while number < limit:
        eqn = program.eqns[number]
        if eqn.primitive.name.startswith(("dot_general", "reduce_")) or eqn.primitive.multiple:
            return eqn.outs[0]
        after = readers.get(eqn.outs[0], ())
        if len(after) != 1:
            return None
        number = after[0]
    return None


def _with_barriers(program: Program, waits: dict[int, list[tuple[Var, list[Var]]]]) -> Program:
    """Return the program in which, from an equation on, parameters are read behind barriers."""
    instead: dict[Atom, Var] = {}
    eqns: list[Eqn] = []
    for number, eqn in enumerate(program.eqns):
        for param, results in waits.get(number, ()):
            read = [param, *results]
            outs = tuple([Var(var.aval) for var in read])
            eqns.append(Eqn(barrier_p, tuple(read), {}, outs, eqn.site))
            instead[param] = outs[0]
        if instead and not instead.keys().isdisjoint(eqn.inputs):
            inputs = tuple([instead.get(atom, atom) for atom in eqn.inputs])
            eqn = Eqn(eqn.primitive, inputs, eqn.params, eqn.outs, eqn.site)
        eqns.append(eqn)
    return Program(program.params, tuple(eqns), program.outs)


def _ancestors(program: Program) -> list[int]:
    """Return for each equation, as a set of bits, the equations that it follows from."""
    of_var: dict[Var, int] = {}
    found: list[int] = []
    for number, eqn in enumerate(program.eqns):
        bits = 0
        for atom in eqn.inputs:
            if isinstance(atom, Var):
                bits |= of_var.get(atom, 0)
        found.append(bits)
        bits |= 1 << number
        for var in eqn.outs:
            of_var[var] = bits
    return found


def _readers(program: Program) -> dict[Var, list[int]]:
    """Return for each variable the equations that read it."""
    found: dict[Var, list[int]] = {}
    for number, eqn in enumerate(program.eqns):
        for atom in set(eqn.inputs):
            if isinstance(atom, Var):
                found.setdefault(atom, []).append(number)
    return found
