"""Compiling a staged function: hold XLA to the alias plan, avoid its hidden copies, recycle.

XLA cannot write some results over the argument that they are computed from (a stencil, a shift): it
makes a whole copy first and says nothing. For large leaves it is as frugal and several times faster
to write such a result into other memory, and to give the donor's memory to the next call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ownarray._array.recycle import compile_recycling
from ownarray._ownership import AliasPlan, Effect
from ownarray._transforms.again import computed_again

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._backend.buffers import Run
    from ownarray._backend.compile import Executable
    from ownarray._core.aval import ShapedArray
    from ownarray._transforms.signature import Call
    from ownarray._transforms.staged import Staged

RELOCATED_BYTES: Final = 16 << 20
"""A pair of at least this size is taken apart if XLA would otherwise copy the whole leaf."""


@dataclass(frozen=True, slots=True)
class Build:
    """A compiled function.

    Attributes
    ----------
    plan : AliasPlan
        As it was compiled; donors of relocated results stand among the freed.
    relocated : dict of donor to result
        Pairs of the derived plan that were taken apart.
    executable : Executable
    run : callable
        Runs it on buffers.
    """

    plan: AliasPlan
    relocated: dict[int, int]
    executable: Executable
    run: Run


def build(call: Call, staged: Staged, plan: AliasPlan, *, may_relocate: bool) -> Build:
    """Compile a staged function for a plan.

    Parameters
    ----------
    may_relocate : bool
        Whether large pairs may be taken apart; ``require_alias=True`` forbids it.
    """
    made = Build(plan, {}, *_compile(staged, plan))
    return _without_hidden_copies(call, staged, made) if may_relocate else made


def _compile(staged: Staged, plan: AliasPlan) -> tuple[Executable, Run]:
    """Lower and compile; large results without a donor get memory of our choice."""
    outs = tuple([aval.strong() for aval in staged.program.out_avals])
    return compile_recycling(computed_again(staged.program), plan.donor_of, outs)


def _without_hidden_copies(call: Call, staged: Staged, made: Build) -> Build:
    """Take large pairs apart, all or the first one that helps, if that saves XLA's copies."""
    large = [
        (result, donor)
        for result, donor in enumerate(made.plan.donor_of)
        if donor is not None
        and call.leaves[donor].key.effect is Effect.CONSUME
        and call.leaves[donor].key.aval.nbytes >= RELOCATED_BYTES
    ]
    sizes = {donor: call.leaves[donor].key.aval.nbytes for _, donor in large}
    if not large or made.executable.stats.temp < min(sizes.values()):
        return made
    if not _copies_whole(made.executable, [call.leaves[donor].key.aval for _, donor in large]):
        return made
    attempts = [large] if len(large) == 1 else [large, *[[pair] for pair in large]]
    for pairs in attempts:
        tried = _relocated(staged, made.plan, pairs)
        spent = tried.executable.stats.temp + sum(sizes[donor] for _, donor in pairs)
        if spent <= made.executable.stats.temp + RELOCATED_BYTES // 16:
            return tried
    return made


def _copies_whole(executable: Executable, avals: Sequence[ShapedArray]) -> bool:
    """Return whether what XLA made holds a copy of the shape of one of these leaves.

    Other temporary memory of that size (gradients, say) would not be saved by other memory for the
    result: it would only be called differently.
    """
    shapes = "|".join({re.escape(f"[{','.join(map(str, aval.shape))}]") for aval in avals})
    pattern = rf"({shapes})\S* (fusion\(.*calls=%\S*)?copy\b"
    return re.search(pattern, executable.optimized_text()) is not None


def _relocated(staged: Staged, plan: AliasPlan, pairs: Sequence[tuple[int, int]]) -> Build:
    apart = dict(pairs)
    donor_of = tuple(
        [None if result in apart else donor for result, donor in enumerate(plan.donor_of)]
    )
    freed = tuple(sorted([*plan.freed, *apart.values()]))
    new = AliasPlan(donor_of, freed)
    relocated = {donor: result for result, donor in pairs}
    return Build(new, relocated, *_compile(staged, new))
