"""Fresh results in dead memory: what an undonated run costs most is the pages of new memory.

A large result that takes no donor's memory is written into one more donor: a dead buffer of its
kind from the pool, or else new memory in huge pages. Smaller ones are left to XLA, whose allocator
keeps them at hand. The results are the same bits; only where they stand differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._backend import buffers, pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._backend.buffers import Buffer, Run
    from ownarray._core.aval import ShapedArray


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
