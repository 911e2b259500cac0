"""Reverse derivatives: a linear program evaluated backwards, from cotangents to cotangents.

Each equation's ``transpose`` rule says what a cotangent of its result means for its arguments. The
values that rules need (residuals) are dropped at their last use: the first equation that reads one
is the last to be visited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ownarray._core.primitive import Linear, rule
from ownarray._core.program import Atom, Eqn, Literal, Program, Var
from ownarray._passes.jvp import check_fits
from ownarray._trace.bind import Operand, bind_multiple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._ops.operators import Array


def add_cotangents(x: Operand | None, y: Operand | None) -> Operand | None:
    """Return the sum; None is zero."""
    if x is None or y is None:
        return y if x is None else x
    return cast("Array", x) + cast("Array", y)  # NumPy's operands leave the sum to the array


def backward(
    program: Program,
    is_linear: Sequence[bool],
    values: list[Operand],
    cotangents: Sequence[Operand | None],
) -> list[Operand | None]:
    """Return the cotangents of a program's linear parameters.

    Parameters
    ----------
    program : Program
        Linear in some of its parameters.
    is_linear : sequence of bool
        For each parameter whether it is one of them.
    values : list of operands
        The values of the others; the list is emptied, so that each can be freed at its last use.
    cotangents : sequence of operands or None
        One for each result of the program; None is zero.

    Returns
    -------
    list of operands or None
        One for each linear parameter.
    """
    known: dict[Var, Operand] = {}
    waiting = iter(values)
    for var, linear in zip(program.params, is_linear, strict=True):
        if not linear:
            known[var] = next(waiting)
    del waiting
    values.clear()
    eqns = _linear_equations(program, is_linear, known)
    last = _last_reads(eqns, known)
    found: dict[Var, Operand] = {}
    for out, ct in zip(program.outs, cotangents, strict=True):
        _give(found, out, ct)
    for number in reversed(range(len(eqns))):
        eqn = eqns[number]
        cts = [found.pop(var, None) for var in eqn.outs]
        if any([ct is not None for ct in cts]):
            for atom, ct in zip(eqn.inputs, _transposed(eqn, cts, known), strict=True):
                _give(found, atom, ct)
        del cts
        for var in last.get(number, ()):
            del known[var]
    return [found.get(var) for var, linear in zip(program.params, is_linear, strict=True) if linear]


def _linear_equations(
    program: Program, is_linear: Sequence[bool], known: dict[Var, Operand]
) -> list[Eqn]:
    """Return the equations that are to be transposed; the others are evaluated into ``known``."""
    unknown: set[Atom] = {
        var for var, linear in zip(program.params, is_linear, strict=True) if linear
    }
    eqns: list[Eqn] = []
    for eqn in program.eqns:
        if unknown.isdisjoint(eqn.inputs):
            operands = [_value(atom, known) for atom in eqn.inputs]
            known.update(
                zip(
                    eqn.outs,
                    bind_multiple(eqn.primitive, *operands, **eqn.params),
                    strict=True,
                )
            )
        else:
            unknown.update(eqn.outs)
            eqns.append(eqn)
    return eqns


def _last_reads(eqns: Sequence[Eqn], known: dict[Var, Operand]) -> dict[int, list[Var]]:
    """Return after which equation, going backwards, each value is needed no more."""
    reads: dict[int, list[Var]] = {}
    seen: set[Var] = set()
    for number, eqn in enumerate(eqns):
        for atom in eqn.inputs:
            if isinstance(atom, Var) and atom in known and atom not in seen:
                seen.add(atom)
                reads.setdefault(number, []).append(atom)
    return reads


def _value(atom: Atom, known: dict[Var, Operand]) -> Operand:
    return atom.value if isinstance(atom, Literal) else known[atom]


def _transposed(
    eqn: Eqn, cts: list[Operand | None], known: dict[Var, Operand]
) -> Sequence[Operand | None]:
    """Return what an equation's transpose rule gives for each of its arguments."""
    args: list[Any] = [
        Linear(atom.aval) if isinstance(atom, Var) and atom not in known else _value(atom, known)
        for atom in eqn.inputs
    ]
    transpose = rule(eqn.primitive, "transpose")
    ct = cts if eqn.primitive.multiple else cts[0]
    result: Sequence[Operand | None] = transpose(ct, *args, **eqn.params)
    for arg, found in zip(args, result, strict=True):
        if found is not None and isinstance(arg, Linear):
            check_fits(eqn.primitive, "transpose", arg.aval, found)
    return result


def _give(found: dict[Var, Operand], atom: Atom, ct: Operand | None) -> None:
    """Add a cotangent to those of a variable."""
    if ct is None or not isinstance(atom, Var):
        return
    total = add_cotangents(found.get(atom), ct)
    assert total is not None
    found[atom] = total
