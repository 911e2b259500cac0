"""Reading before writing: what overwrites an array waits until all others have read it.

A result is written into the memory of the argument that it replaces, and an update into the memory
of what it updates. XLA may do that before something else has read the old values, unless one
follows from the other; so it copies the array first, whole. In a training step that is each weight
matrix: its update does not wait for the product that carries the cotangent on to the layer below.
In a queue or an exchange of rows it is the whole state for one element, in a loop each time round.
`after_p` says that it does wait: the same values, in an order that needs no copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ownarray._core.program import Atom, Eqn, Program, Var
from ownarray._ops.barrier import after_p

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LARGE_BYTES: Final = 1 << 20
"""Below this size a copy costs less than what waiting may keep the compiler from fusing."""
UPDATED_BYTES: Final = 1 << 16
"""The same for updates of a part, which are not fused with what reads the other parts."""
SMALL_SHARE: Final = 8
"""A result of at most this share of the array is worth being written to memory of its own."""

_UPDATES: Final = frozenset({"update_slice", "scatter"})


def read_before_written(
    program: Program, donor_of: Sequence[int | None], *, settled: bool = False
) -> Program:
    """Return a program in which writers wait for the readers of what they overwrite.

    Parameters
    ----------
    program : Program
    donor_of : sequence of int or None
        For each result, the parameter in whose memory it is written.
    settled : bool
        Whether readers wait for each update too. XLA may else do the update once more in each of
        them, in a copy; or it may not, and then waiting is for nothing.
    """
    program = _with_bodies(program, settled)
    reading = _Reading(program)
    waits: dict[int, list[tuple[Var, list[Var]]]] = {}
    for out, donor in enumerate(donor_of):
        if donor is not None and program.params[donor].aval.nbytes >= UPDATED_BYTES:
            for step in reading.steps(program.params[donor], program.outs[out]):
                if settled and reading.is_intermediate(step):
                    waits.setdefault(reading.readers[step.old][0], []).insert(0, (step.old, []))
                wait = reading.wait(step)
                if wait is not None:
                    waits.setdefault(wait[0], []).append((step.old, wait[1]))
    return _waiting(program, waits) if waits else program


def n_waits(program: Program) -> int:
    """Return how many waits a program has, those in the bodies of its loops too."""
    bodies = [eqn.params["body"] for eqn in program.eqns if carried_places(eqn) is not None]
    here = [eqn for eqn in program.eqns if eqn.primitive is after_p]
    return len(here) + sum([n_waits(body) for body in bodies])


# ------------------------------------------------------------------------------------------ bodies


def _with_bodies(program: Program, settled: bool) -> Program:
    """Return the program with the bodies of its loops in order; the same if nothing changes."""
    eqns = tuple([_with_body(eqn, settled) for eqn in program.eqns])
    if all([new is old for new, old in zip(eqns, program.eqns, strict=True)]):
        return program
    return Program(program.params, eqns, program.outs)


def _with_body(eqn: Eqn, settled: bool) -> Eqn:
    carried = carried_places(eqn)
    if carried is None:
        return eqn
    body: Program = eqn.params["body"]
    first = carried.start - _n_before_body(eqn)
    numbers = range(len(carried))
    donor_of = [first + i if i in numbers else None for i in range(len(body.outs))]
    ordered = read_before_written(body, donor_of, settled=settled)
    if ordered is body:
        return eqn
    return Eqn(eqn.primitive, eqn.inputs, {**eqn.params, "body": ordered}, eqn.outs, eqn.site)


def _n_before_body(eqn: Eqn) -> int:
    """Return how many operands of a loop are not its body's."""
    return eqn.params["n_cond"] if eqn.primitive.name == "while" else 0


def carried_places(eqn: Eqn) -> range | None:
    """Return which operands of a loop are carried, result k in the memory of the k-th of them."""
    params: Any = eqn.params
    if eqn.primitive.name == "while":
        return range(params["n_cond"] + params["n_body"], len(eqn.inputs))
    if eqn.primitive.name == "scan":
        n_constants = params["n_constants"]
        return range(n_constants, n_constants + params["n_carry"])
    return None


# ----------------------------------------------------------------------------------------- readers


class _Step(NamedTuple):
    """An array that is overwritten."""

    old: Var
    writer: int
    """The equation that makes what takes its memory."""
    is_update: bool
    """Whether the writer writes a part and leaves the rest as it is, or carries it on."""


class _Reading:
    """Who reads what in a program, and who follows from whom."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.made_by: dict[Atom, int] = {}
        self.readers: dict[Var, list[int]] = {}
        # For each equation, as a set of bits, the equations that it follows from.
        self.before: list[int] = []
        self.outs = set(program.outs)
        of_var: dict[Atom, int] = {}
        for number, eqn in enumerate(program.eqns):
            bits = 0
            for atom in set(eqn.inputs):
                if isinstance(atom, Var):
                    bits |= of_var.get(atom, 0)
                    self.readers.setdefault(atom, []).append(number)
            self.before.append(bits)
            for var in eqn.outs:
                self.made_by[var] = number
                of_var[var] = bits | 1 << number

    def steps(self, param: Var, out: Atom) -> Iterator[_Step]:
        """Yield what is overwritten on the way from a result back to its donor."""
        while out is not param:
            writer = self.made_by.get(out)
            if writer is None:
                return
            eqn = self.program.eqns[writer]
            source = _source(eqn, out)
            if source is None:
                if param.aval.nbytes >= LARGE_BYTES:
                    yield _Step(param, writer, is_update=False)
                return
            yield _Step(source, writer, is_update=True)
            out = source

    def is_intermediate(self, step: _Step) -> bool:
        """Return whether others than its writer read the result of an earlier update."""
        return step.is_update and step.old in self.made_by and len(self.readers[step.old]) > 1

    def wait(self, step: _Step) -> tuple[int, list[Var]] | None:
        """Return from which equation on to wait, and for which results; None if none need to."""
        needed = self.before[step.writer] | 1 << step.writer
        mine = self.readers.get(step.old, [])
        others = [r for r in mine if not needed >> r & 1]
        if any([self.before[r] >> step.writer & 1 for r in others]):
            return None  # it reads the old values with the new ones: there is no such order
        if step.is_update:
            return self._wait_for_parts(step, mine, others, needed)
        seen = 0
        for other in others:
            seen |= self.before[other]
        late = [r for r in mine if needed >> r & 1 and not seen >> r & 1]
        if not others or not late:
            return None
        found = [self._done(step, other, late[0]) for other in others]
        results = [var for var in found if var is not None]
        return (late[0], results) if results else None

    def _wait_for_parts(
        self, step: _Step, readers: Sequence[int], others: Sequence[int], needed: int
    ) -> tuple[int, list[Var]] | None:
        """Return the same for an update.

        It is done in place together with what it is computed from, as long as that reads the same
        part and is for nobody else.
        """
        first = {r for r in readers if r in others or self._escapes(r, step.writer, needed)}
        if not first or max(first) > step.writer:
            return None
        eqns = self.program.eqns
        same = [r for r in readers if _reads_same_part(eqns[r], eqns[step.writer])]
        first.update([r for r in readers if r not in same and r != step.writer])
        late = [r for r in readers if r not in first and r > max(first)]
        first.update([r for r in readers if r not in late])
        results: dict[Var, None] = {}
        for reader in first:
            made = self._made_of(step, reader, late[0])
            if made is None:
                return None  # one reader more or less does not save the copy
            results.update(dict.fromkeys(made))
        return late[0], list(results)

    def _made_of(self, step: _Step, reader: int, limit: int) -> list[Var] | None:
        """Return what is made of a reader's result before an equation and read from there on.

        None if that is not worth being written to memory.
        """
        found: list[Var] = []
        pending, seen = [reader], {reader}
        while pending:
            eqn = self.program.eqns[pending.pop()]
            for out in eqn.outs:
                after = self.readers.get(out, [])
                if out in self.outs or any([r >= limit for r in after]) or _is_kept(eqn):
                    if not _is_kept(eqn) and out.aval.nbytes > step.old.aval.nbytes // SMALL_SHARE:
                        return None
                    found.append(out)
                if not _is_kept(eqn):
                    more = [r for r in after if r < limit and r not in seen]
                    seen.update(more)
                    pending += more
        return found

    def _escapes(self, reader: int, writer: int, needed: int) -> bool:
        """Return whether what a reader makes is also for others than the writer."""
        seen = {reader, writer}
        pending = [] if reader == writer else [reader]
        while pending:
            for out in self.program.eqns[pending.pop()].outs:
                if out in self.outs:
                    return True
                for after in self.readers.get(out, ()):
                    if not needed >> after & 1:
                        return True
                    if after not in seen and not _is_kept(self.program.eqns[after]):
                        seen.add(after)
                        pending.append(after)
        return False

    def _done(self, step: _Step, number: int, limit: int) -> Var | None:
        """Return a result that is in memory once an equation has read its operands.

        What is computed element by element is fused into its reader, and is not to be torn out,
        unless it is small.
        """
        small = step.old.aval.nbytes // SMALL_SHARE
        while number < limit:
            eqn = self.program.eqns[number]
            out = eqn.outs[0]
            if _is_kept(eqn) or out.aval.nbytes <= small:
                return out
            after = self.readers.get(out, ())
            if len(after) != 1:
                return None
            number = after[0]
        return None


def _is_kept(eqn: Eqn) -> bool:
    """Return whether a result is written to memory, and not computed anew in each reader."""
    return eqn.primitive.name.startswith(("dot_general", "reduce_")) or eqn.primitive.multiple


def _reads_same_part(reader: Eqn, writer: Eqn) -> bool:
    """Return whether one equation reads the part that the other replaces."""
    is_part = reader.primitive.name in ("slice", "gather")
    return (
        is_part
        and reader.inputs[1:] == writer.inputs[2:]
        and reader.params.get("entries") == writer.params.get("entries")
    )


def _source(eqn: Eqn, out: Atom) -> Var | None:
    """Return the operand in whose memory an equation makes its result by leaving most as it is."""
    carried = carried_places(eqn)
    if eqn.primitive.name in _UPDATES:
        source = eqn.inputs[0]
    elif carried is not None:
        number = next(i for i, var in enumerate(eqn.outs) if var is out)
        if number >= len(carried):
            return None
        source = eqn.inputs[carried[number]]
    else:
        return None
    return source if isinstance(source, Var) else None


# ------------------------------------------------------------------------------------------ waiting


def _waiting(program: Program, waits: dict[int, list[tuple[Var, list[Var]]]]) -> Program:
    """Return the program in which, from an equation on, arrays are read after others were.

    The results waited for are read behind the wait too: so they are not computed again after it.
    """
    instead: dict[Var, Var] = {}

    def now(atom: Atom) -> Atom:
        return instead.get(atom, atom) if isinstance(atom, Var) else atom

    eqns: list[Eqn] = []
    for number, eqn in enumerate(program.eqns):
        for old, results in waits.get(number, ()):
            waited = (old, *results)
            outs = tuple([Var(var.aval) for var in waited])
            eqns.append(Eqn(after_p, tuple([now(var) for var in waited]), {}, outs, eqn.site))
            instead.update(zip(waited, outs, strict=True))
        if instead and not instead.keys().isdisjoint(eqn.inputs):
            inputs = tuple([now(atom) for atom in eqn.inputs])
            eqn = Eqn(eqn.primitive, inputs, eqn.params, eqn.outs, eqn.site)
        eqns.append(eqn)
    return Program(program.params, tuple(eqns), tuple([now(atom) for atom in program.outs]))
