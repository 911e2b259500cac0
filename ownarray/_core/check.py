"""The checker of programs, run on what tracing and every pass has built."""

from __future__ import annotations

from ownarray._core.program import Atom, Program, Var, subprograms


class ProgramError(AssertionError):
    """A program breaks its own rules: a bug in ownarray."""


def check_program(program: Program) -> Program:
    """Return the program, if it is sound.

    Each variable must be bound once, before it is read, and each equation's results must have the
    avals that the primitive's own rule gives.

    Raises
    ------
    ProgramError
        Naming the equation.
    """
    bound: set[Var] = set()
    for var in program.params:
        _bind(var, bound, "the parameters")
    for number, eqn in enumerate(program.eqns):
        where = f"equation {number} ({eqn.primitive.name})"
        for atom in eqn.inputs:
            _read(atom, bound, where)
        for inner in subprograms(eqn.params):
            check_program(inner)
        expected = eqn.primitive.out_avals([atom.aval for atom in eqn.inputs], dict(eqn.params))
        got = [var.aval for var in eqn.outs]
        if [aval.strong() for aval in expected] != [aval.strong() for aval in got]:
            raise ProgramError(f"{where}: the results are {got}, but its rule gives {expected}")
        for var in eqn.outs:
            _bind(var, bound, where)
    for atom in program.outs:
        _read(atom, bound, "the results")
    return program


def _bind(var: Var, bound: set[Var], where: str) -> None:
    if var in bound:
        raise ProgramError(f"{where}: {var} is bound twice")
    bound.add(var)


def _read(atom: Atom, bound: set[Var], where: str) -> None:
    if isinstance(atom, Var) and atom not in bound:
        raise ProgramError(f"{where}: {atom} is read before it is bound")
