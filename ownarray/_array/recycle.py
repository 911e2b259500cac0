"""Fresh results in dead memory: what an undonated run costs most is the pages of new memory.

A large result that takes no donor's memory is written into one more donor: a dead buffer of its
kind from the pool, or else new memory in huge pages. Smaller ones are left to XLA, whose allocator
keeps them at hand. The results are the same bits; only where they stand differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.doubled import compile_program
from ownarray._array.order import read_before_written
from ownarray._backend import buffers, pool
from ownarray._backend.compile import compile_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._backend.buffers import Buffer, Run
    from ownarray._backend.compile import Executable
    from ownarray._core.aval import ShapedArray
    from ownarray._core.program import Program


def compile_recycling(
    program: Program,
    donor_of: Sequence[int | None],
    outs: tuple[ShapedArray, ...],
    compiled: Callable[[str, tuple[ShapedArray, ...], int], Executable] = compile_text,
) -> tuple[Executable, Run]:
    """Return the executable of a program and its run, in which large fresh results get memory.

    Where XLA would compute such a result elsewhere first and copy it, the memory is for nothing,
    and the program is compiled without.
    """
    fresh = large_fresh(outs, donor_of)
    program = read_before_written(program, donor_of)
    made = _compile(program, donor_of, outs, fresh, compiled)
    if fresh and made.stats.temp >= min(outs[number].nbytes for number in fresh):
        plain = _compile(program, donor_of, outs, [], compiled)
        if plain.stats.temp < made.stats.temp:
            made, fresh = plain, []
    return made, recycling_run(made.run, [outs[number] for number in fresh])


def _compile(
    program: Program,
    donor_of: Sequence[int | None],
    outs: tuple[ShapedArray, ...],
    fresh: Sequence[int],
    compiled: Callable[[str, tuple[ShapedArray, ...], int], Executable],
) -> Executable:
    reused = sum(
        aval.nbytes
        for number, (aval, donor) in enumerate(zip(outs, donor_of, strict=True))
        if donor is not None or number in fresh
    )
    spare = {number: position for position, number in enumerate(fresh)}
    return compile_program(program, donor_of, reused, outs=outs, spare=spare, compiled=compiled)


def large_fresh(outs: Sequence[ShapedArray], donor_of: Sequence[int | None]) -> list[int]:
    """Return the numbers of the results that are worth memory of our own choice."""
    return [
        number
        for number, (aval, donor) in enumerate(zip(outs, donor_of, strict=True))
        if donor is None and aval.nbytes >= pool.MIN_BYTES
    ]


def recycling_run(run: Run, fresh: Sequence[ShapedArray]) -> Run:
    """Return the run of a program that takes memory for its large fresh results.

    Parameters
    ----------
    run : callable
        The program's run; its last parameters are donors for the fresh results.
    fresh : sequence of ShapedArray
        Those results.
    """
    if not fresh:
        return run
    counts = [fresh.count(aval) for aval in fresh]

    def run_with_memory(inputs: Sequence[Buffer]) -> list[Buffer]:
        memory = [_memory(aval, n) for aval, n in zip(fresh, counts, strict=True)]
        return run([*inputs, *memory])

    return run_with_memory


def _memory(aval: ShapedArray, n_wanted: int) -> Buffer:
    dead = pool.take(aval, n_wanted=n_wanted)
    return buffers.empty(aval.shape, aval.dtype) if dead is None else dead
