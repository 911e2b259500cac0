"""Compiling programs with loops: a second buffer for what XLA would copy in every round.

A stencil cannot be written over what it is computed from, so XLA keeps a hidden copy of a carried
array and makes it anew in each round. A second buffer costs the same memory and no copies. Whether
XLA copies is seen from the temporaries of the compiled program alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ownarray._backend.compile import Executable, compile_text
from ownarray._core.program import Program, Var
from ownarray._lower.text import lower
from ownarray._ops.control import scan_p

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.program import Eqn

MIN_BYTES: Final = 1 << 20
"""Smaller arrays stay in the processor's caches, where a copy is cheap."""
_MIN_LENGTH: Final = 4
_SLACK: Final = 1 << 16


def compile_program(
    program: Program,
    donor_of: Sequence[int | None],
    reused: int,
    *,
    outs: tuple[ShapedArray, ...],
    spare: Mapping[int, int] | None = None,
    compiled: Callable[[str, tuple[ShapedArray, ...], int], Executable] = compile_text,
) -> Executable:
    """Return the executable of a program, with second buffers where they are for nothing.

    Parameters
    ----------
    program : Program
    donor_of : sequence of int or None
        For each result, the parameter in whose memory it is written.
    reused : int
        How many bytes of results that are.
    outs : tuple of ShapedArray
        The results.
    spare : mapping of result to position, optional
        As `lower` takes it.
    compiled : callable
        What compiles a text.
    """
    made = compiled(lower(program, donor_of, spare=spare), outs, reused)
    for attempt in _attempts(program, made.stats.temp):
        tried = compiled(lower(attempt, donor_of, spare=spare), outs, reused)
        if tried.stats.temp <= made.stats.temp + _SLACK:
            return tried
    return made


def _attempts(program: Program, temp: int) -> Iterator[Program]:
    """Yield programs to try: all large carried arrays doubled, then one at a time."""
    places = [
        (number, leaf)
        for number, eqn in enumerate(program.eqns)
        if eqn.primitive is scan_p
        for leaf in _leaves(eqn)
        if eqn.outs[leaf].aval.nbytes <= temp
    ]
    if not places:
        return
    yield _doubled(program, places)
    if len(places) > 1:
        for place in places:
            yield _doubled(program, [place])


def _leaves(eqn: Eqn) -> list[int]:
    """Return which carried arrays of a scan could have a second buffer."""
    params = eqn.params
    if params["length"] < _MIN_LENGTH or params["unroll"] != 1:
        return []
    body, first = params["body"], params["n_constants"]
    return [
        leaf
        for leaf, out in enumerate(body.outs[: params["n_carry"]])
        if isinstance(out, Var)
        and out is not body.params[first + leaf]
        and out.aval.nbytes >= MIN_BYTES
        and out.aval.dtype.kind in "biufc"
    ]


def _doubled(program: Program, places: Sequence[tuple[int, int]]) -> Program:
    eqns = list(program.eqns)
    for number in {number for number, _ in places}:
        leaves = tuple([leaf for owner, leaf in places if owner == number])
        eqn = eqns[number]
        eqns[number] = replace(eqn, params={**eqn.params, "doubled": leaves})
    return replace(program, eqns=tuple(eqns))
