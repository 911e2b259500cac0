"""Updates that are computed in the window that they replace, and touch nothing else.

An update of most of an array is lowered to one pass over the whole of it: a stencil, whose window
is made of shifted windows of the same array, needs that form. It cannot be written over what it
reads. Where a window is made of itself, and of what is in memory already, XLA computes it where it
is; `read_before_written` has put there what else is read of the array.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ownarray._array.equations import (
    PARTS,
    UPDATED_BYTES,
    is_element_wise,
    is_kept,
    is_small_part,
    reads_same_part,
    source_of,
)
from ownarray._core.program import Eqn, Program, Var

if TYPE_CHECKING:
    from collections.abc import Sequence


def computed_in_window(program: Program, takers: Sequence[Var | None]) -> Program:
    """Return a program whose updates of parts are computed in their windows where that serves.

    Parameters
    ----------
    program : Program
        In its order: see `read_before_written`.
    takers : sequence of Var or None
        For each result, the parameter whose memory it would take if all were given away.
    """
    reading = _Reading(program)
    eqns = list(program.eqns)
    for out, taker in zip(program.outs, takers, strict=True):
        for number in reading.updates(out, taker):
            eqns[number] = reading.in_window(number)
    if all([new is old for new, old in zip(eqns, program.eqns, strict=True)]):
        return program
    return replace(program, eqns=tuple(eqns))


class _Reading:
    """Who reads what in a program."""

    def __init__(self, program: Program) -> None:
        self.eqns = program.eqns
        self.made_by: dict[object, int] = {}
        self.readers: dict[object, list[int]] = {}
        for number, eqn in enumerate(program.eqns):
            self.made_by.update(dict.fromkeys(eqn.outs, number))
            for atom in set(eqn.inputs):
                self.readers.setdefault(atom, []).append(number)

    def updates(self, out: object, taker: Var | None) -> list[int]:
        """Return the updates on the way from a result to its donor, if all is in one memory."""
        found: list[int] = []
        while isinstance(out, Var) and out is not taker and out.aval.nbytes >= UPDATED_BYTES:
            number = self.made_by.get(out)
            if number is None:
                return []
            eqn = self.eqns[number]
            if eqn.primitive.name == "update_slice":
                found.append(number)
            out = eqn.inputs[eqn.outs.index(out)] if _waits(eqn) else source_of(eqn, out)
        return found if out is taker and taker is not None else []

    def in_window(self, number: int) -> Eqn:
        """Return an update as it is to be computed."""
        writer = self.eqns[number]
        if not self._is_of_window(number) or not self._is_in_memory(writer.outs[0]):
            return writer
        return replace(writer, params={**writer.params, "in_window": True})

    def _is_in_memory(self, var: Var) -> bool:
        """Return whether an updated array is not for what XLA would merge the update with."""
        eqns = [self.eqns[number] for number in self.readers.get(var, [])]
        return all(
            is_kept(eqn) or eqn.primitive.name in PARTS or source_of(eqn, eqn.outs[0]) is var
            for eqn in eqns
        )

    def _is_of_window(self, number: int) -> bool:
        """Return whether the new values are made of the window that they replace, place by place.

        And of what is in memory, or is put there by XLA, as small parts are.
        """
        writer = self.eqns[number]
        old, value = writer.inputs[:2]
        # What is made of the window, and what is made of the array in any other way.
        mine, others = set[object](), {old}
        for eqn in self.eqns[min(self.readers[old]) : number]:
            if is_kept(eqn):
                continue
            out = eqn.outs[0]
            if old in eqn.inputs:
                if reads_same_part(eqn, writer):
                    mine.add(out)
                elif not is_small_part(eqn, old):
                    others.add(out)
            elif not others.isdisjoint(eqn.inputs):
                others.add(out)
            elif not mine.isdisjoint(eqn.inputs):
                (mine if _keeps_places(eqn) else others).add(out)
        return value not in others


def _waits(eqn: Eqn) -> bool:
    """Return whether an equation gives each operand back in its own memory."""
    return eqn.primitive.name == "after"


def _keeps_places(eqn: Eqn) -> bool:
    """Return whether an equation makes each element of those at the same place."""
    out = eqn.outs[0]
    shapes = [atom.aval.shape for atom in eqn.inputs if isinstance(atom, Var) and atom.aval.ndim]
    return (
        eqn.primitive.name not in PARTS
        and is_element_wise(eqn, out)
        and all(shape == out.aval.shape for shape in shapes)
    )
