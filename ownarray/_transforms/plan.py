"""From a staged function to an executable: who gives memory to whom, and what that comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ownarray._array.order import lives_on
from ownarray._core.program import Var
from ownarray._errors import Code
from ownarray._ownership import AliasPlan, Effect, Path, plan_aliases
from ownarray._tree import path_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._transforms.build import Build
    from ownarray._transforms.signature import Call
    from ownarray._transforms.staged import Staged


def derive_aliases(call: Call, staged: Staged) -> AliasPlan:
    """Return the alias plan of a call.

    Leaves that the function updates are pinned, and those consumed ones that come out again, as
    they are or updated in place. The others find a partner.
    """
    avals = staged.program.out_avals
    donors = [
        (number, leaf.key.aval.strong())
        for number, leaf in enumerate(call.leaves)
        if leaf.key.effect is Effect.CONSUME
    ]
    consumed = {number for number, _ in donors}
    pinned = {out: number for out, number in lives_on(staged.program).items() if number in consumed}
    pinned |= {staged.n_returned + i: number for i, number in enumerate(staged.updated)}
    return plan_aliases(
        donors,
        [aval.strong() for aval in avals],
        pinned=pinned,
        donor_paths=_wishes(call, [number for number, _ in donors]),
        out_paths=staged.out_paths,
    )


def _wishes(call: Call, numbers: Sequence[int]) -> list[list[Path]]:
    """Return the output paths at which each consumed leaf would like to live on, best first.

    ``params, opt = step(move(params), move(opt))`` pairs by argument number, ``params =
    step(move(params))`` by the path inside the argument.
    """
    places = [
        [(f"[{argument}]", *inside), inside]
        for argument, tree in enumerate(call.key.trees)
        for inside in tree.paths()
    ]
    return [places[number] for number in numbers]


def require_all(call: Call, staged: Staged, plan: AliasPlan, name: str) -> None:
    """Raise DonationError if a consumed leaf found no output (``require_alias=True``)."""
    if not plan.freed:
        return
    number = plan.freed[0]
    avals = staged.program.out_avals[: staged.n_returned]
    tried = ", ".join(
        f"{path_text(path, 'result')}: {aval}"
        for path, aval in zip(staged.out_paths, avals, strict=True)
    )
    raise Code.UNUSED_DONATION.exception(
        f"{call.path(number)} ({call.leaves[number].key.aval}) of {name}"
        f" [outputs: {tried or 'none'}]"
    )


@dataclass(frozen=True, slots=True)
class Row:
    """What becomes of one consumed or updated leaf."""

    source: str
    """Its path in the arguments."""
    aval: ShapedArray
    target: str | None
    """The path of the output that it was paired with; None if it is freed."""
    is_reused: bool
    """Whether that output is written into its memory. XLA cannot do some without a whole copy; then
    the output of a large leaf takes other memory, and this one serves the next call."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a compiled call does with memory; made by ``f.explain(...)``.

    Attributes
    ----------
    function : str
    rows : tuple of Row
        Every consumed or updated leaf, and where its memory goes.
    copied : tuple of str
        Outputs that hold a copy of an updated leaf, because that is also returned.
    bytes_reused, bytes_freed, bytes_copied : int
        Bytes of the leaves that live on in an output, that are freed, that are copied.
    bytes_temporary, bytes_output : int
        XLA's own statistics: scratch memory while the call runs, and the results.

    Examples
    --------
    >>> import ownarray as oa
    >>> @oa.jit
    ... def step(x: oa.Owned[oa.Array]) -> oa.Array:
    ...     return x * 2.0
    >>> step.explain(oa.ShapedArray((1024,), "float32")).bytes_reused
    4096
    """

    function: str
    rows: tuple[Row, ...]
    copied: tuple[str, ...]
    bytes_reused: int
    bytes_freed: int
    bytes_copied: int
    bytes_temporary: int
    bytes_output: int

    def __repr__(self) -> str:
        lines = [f"Plan of {self.function}"]
        width = max((len(row.source) for row in self.rows), default=0)
        lines += [f"  {row.source:{width}} {row.aval} -> {_fate(row)}" for row in self.rows]
        lines += [f"  {path} is a copy of an updated argument" for path in self.copied]
        if not self.rows:
            lines.append("  nothing is consumed or updated")
        lines.append(
            f"  reused {_human(self.bytes_reused)}, freed {_human(self.bytes_freed)}, copied"
            f" {_human(self.bytes_copied)}, temporary {_human(self.bytes_temporary)}, output"
            f" {_human(self.bytes_output)}"
        )
        return "\n".join(lines)


def _fate(row: Row) -> str:
    if row.target is None:
        return "freed"
    return row.target if row.is_reused else f"{row.target}, in other memory (else a hidden copy)"


_UNITS: Final = ("B", "kB", "MB", "GB", "TB")


def _human(n_bytes: float) -> str:
    for unit in _UNITS:
        if n_bytes < 1000 or unit == _UNITS[-1]:
            return f"{n_bytes:.4g} {unit}"
        n_bytes /= 1000
    raise AssertionError


def make_plan(name: str, call: Call, staged: Staged, build: Build) -> Plan:
    """Return what a call does with memory, for people."""
    plan = build.plan
    target = {donor: out for out, donor in enumerate(plan.donor_of) if donor is not None}
    reused = set(target)
    target.update(build.relocated)
    numbers = sorted({*target, *plan.freed})
    rows = []
    for number in numbers:
        out = target.get(number)
        rows.append(
            Row(
                call.path(number),
                call.leaves[number].key.aval.strong(),
                None if out is None else _out_name(call, staged, out),
                number in reused,
            )
        )
    copied = _copied_outputs(staged)
    avals = staged.program.out_avals
    stats = build.executable.stats
    return Plan(
        name,
        tuple(rows),
        tuple([path_text(staged.out_paths[out], "result") for out in copied]),
        sum(row.aval.nbytes for row in rows if row.is_reused),
        sum(row.aval.nbytes for row in rows if not row.is_reused),
        sum(avals[out].nbytes for out in copied),
        stats.temp,
        stats.output,
    )


def _out_name(call: Call, staged: Staged, out: int) -> str:
    if out < staged.n_returned:
        return path_text(staged.out_paths[out], "result")
    return f"{call.path(staged.updated[out - staged.n_returned])} (in place)"


def _copied_outputs(staged: Staged) -> Sequence[int]:
    """Return the returned outputs that are the new value of an updated leaf, too."""
    updated = set(staged.program.outs[staged.n_returned :])
    return [
        out
        for out, atom in enumerate(staged.program.outs[: staged.n_returned])
        if isinstance(atom, Var) and atom in updated
    ]
