"""Reading before writing: what overwrites an array waits until all others have read it.

A result is written into the memory of the argument that it replaces, and an update into the memory
of what it updates. XLA may do that before something else has read the old values, unless one
follows from the other; so it copies the array first, whole. In a training step that is each weight
matrix: its update does not wait for the product that carries the cotangent on to the layer below.
In a queue or an exchange of rows it is the whole state for one element, in a loop each time round.
`after_p` says that it does wait: the same values, in an order that needs no copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ownarray._array.equations import (
    SMALL_SHARE,
    UPDATED_BYTES,
    UPDATES,
    carried_places,
    is_element_wise,
    is_kept,
    is_small_part,
    reads_same_part,
    source_of,
)
from ownarray._array.in_window import computed_in_window
from ownarray._core.program import Atom, Eqn, Program, Var
from ownarray._ops.barrier import after_p
from ownarray._ownership import plan_aliases

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LARGE_BYTES: Final = 1 << 20
"""Below this size a copy costs less than what waiting may keep the compiler from fusing."""


def read_before_written(
    program: Program, donor_of: Sequence[int | None], *, is_body: bool = False
) -> Program:
    """Return a program in which writers wait for the readers of what they overwrite.

    Parameters
    ----------
    program : Program
    donor_of : sequence of int or None
        For each result, the parameter in whose memory it is written.
    is_body : bool
        Whether this is the body of a loop.

    Notes
    -----
    Waiting for a part, or for an update, decides what XLA merges, and where it merges a product
    and a sum it rounds once. So both wait as if all parameters were given away, whether they are
    or not: what a call returns must not depend on what it consumes. Waiting for what is in memory
    anyway decides nothing, so it is done for donors only.
    """
    program = _with_bodies(program)
    reading = _Reading(program)
    waits: dict[int, list[_Wait]] = {}
    takers = _takers(program, donor_of, is_body)
    chains = [
        list(reading.steps(out, param)) for out, param in zip(program.outs, takers, strict=True)
    ]
    steps = [step for chain in chains for step in chain]
    found = [(step, reading.wait_for_parts(step), True) for step in steps]
    for out, donor, taker, chain in zip(program.outs, donor_of, takers, chains, strict=True):
        param = None if donor is None else program.params[donor]
        if param is not None and param.aval.nbytes >= LARGE_BYTES:
            walked = chain if param is taker else reading.steps(out, param)
            step = next((step for step in walked if not step.is_update), None)
            if step is not None:
                found.append((step, reading.wait_for_kept(step), False))
    for step, place, are_parts in found:
        if place is not None:
            waits.setdefault(place[0], []).append(_Wait(step.old, place[1], are_parts))
    is_free = bool(waits) or not is_body
    for chain in chains:
        for number, var in reading.unsettled(chain, is_free=is_free):
            waits.setdefault(number, []).insert(0, _Wait(var, [], False))
    return computed_in_window(_waiting(program, waits) if waits else program, takers)


def _takers(program: Program, donor_of: Sequence[int | None], is_body: bool) -> list[Var | None]:
    """Return for each result the parameter whose memory it would take if all were given away."""
    if not is_body:
        avals = [(number, param.aval) for number, param in enumerate(program.params)]
        donor_of = plan_aliases(avals, [out.aval for out in program.outs]).donor_of
    return [None if donor is None else program.params[donor] for donor in donor_of]


def lives_on(program: Program) -> dict[int, int]:
    """Return for results that are a parameter, or that parameter updated in place, which it is.

    A result that was given the memory of another parameter would have to be copied there.
    """
    made_by = {var: eqn for eqn in program.eqns for var in eqn.outs}
    left = {param: number for number, param in enumerate(program.params)}
    found: dict[int, int] = {}
    for out, result in enumerate(program.outs):
        var: Atom | None = result
        while isinstance(var, Var) and var in made_by:
            var = source_of(made_by[var], var)
        if isinstance(var, Var) and var in left:
            found[out] = left.pop(var)
    return found


# ------------------------------------------------------------------------------------------ bodies


def _with_bodies(program: Program) -> Program:
    """Return the program with the bodies of its loops in order; the same if nothing changes."""
    eqns = tuple([_with_body(eqn) for eqn in program.eqns])
    if all([new is old for new, old in zip(eqns, program.eqns, strict=True)]):
        return program
    return Program(program.params, eqns, program.outs)


def _with_body(eqn: Eqn) -> Eqn:
    carried = carried_places(eqn)
    if carried is None:
        return eqn
    body: Program = eqn.params["body"]
    first = carried.start - _n_before_body(eqn)
    numbers = range(len(carried))
    donor_of = [first + i if i in numbers else None for i in range(len(body.outs))]
    ordered = read_before_written(body, donor_of, is_body=True)
    if ordered is body:
        return eqn
    return Eqn(eqn.primitive, eqn.inputs, {**eqn.params, "body": ordered}, eqn.outs, eqn.site)


def _n_before_body(eqn: Eqn) -> int:
    """Return how many operands of a loop are not its body's."""
    return eqn.params["n_cond"] if eqn.primitive.name == "while" else 0


# ----------------------------------------------------------------------------------------- readers


class _Step(NamedTuple):
    """An array that is overwritten."""

    old: Var
    new: Var
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

    def steps(self, out: Atom, param: Var | None) -> Iterator[_Step]:
        """Yield what is overwritten on the way from a result back to its donor."""
        while isinstance(out, Var) and out is not param and out.aval.nbytes >= UPDATED_BYTES:
            writer = self.made_by.get(out)
            if writer is None:
                return
            source = source_of(self.program.eqns[writer], out)
            is_update = source is not None
            if source is None and param is not None and param.aval.nbytes >= LARGE_BYTES:
                source = self._updated_before(out, param) or param
            if source is None:
                return
            yield _Step(source, out, writer, is_update=is_update)
            out = source

    def _updated_before(self, out: Var, param: Var) -> Var | None:
        """Return what a result is made of place by place, if it is a parameter with updates."""
        pending: list[Atom] = [out]
        seen = set[Atom]()
        while pending:
            var = pending.pop()
            writer = self.made_by.get(var)
            if writer is None or not isinstance(var, Var) or var in seen:
                continue
            seen.add(var)
            eqn = self.program.eqns[writer]
            if source_of(eqn, var) is not None:
                if self._leads_to(var, param):
                    return var
            elif is_element_wise(eqn, out):
                pending += [x for x in eqn.inputs if x.aval.strong() == out.aval.strong()]
        return None

    def _leads_to(self, var: Var, param: Var) -> bool:
        """Return whether an array is a parameter with updates in its own memory."""
        found: Var | None = var
        while found is not None and found in self.made_by:
            found = source_of(self.program.eqns[self.made_by[found]], found)
        return found is param

    def unsettled(self, chain: Sequence[_Step], *, is_free: bool) -> Iterator[tuple[int, Var]]:
        """Yield updated arrays that others read before they are overwritten, and from where on.

        XLA may do the update once more in each reader, in a copy. In a loop it seldom does so where
        the places are not known, and a wait may cost more than the step.
        """
        overwriter: _Step | None = None
        eqns = self.program.eqns
        for step in chain:
            readers = self.readers.get(step.new, [])
            is_whole = overwriter is not None and self._is_whole(overwriter, step)
            if overwriter is not None and not is_whole:
                readers = [r for r in readers if r != overwriter.writer]
            if readers and eqns[step.writer].primitive.name in UPDATES:
                are_known = any([len(eqns[r].inputs) == 1 for r in readers])
                if is_free or are_known or is_whole or overwriter is None:
                    yield self.readers[step.new][0], step.new
            overwriter = step

    def _is_whole(self, overwriter: _Step, step: _Step) -> bool:
        """Return whether all of an array is overwritten after a small part of it was.

        XLA does the small update inside the large one then, which is not written over what either
        of them reads.
        """
        update = self.program.eqns[step.writer]
        if overwriter.is_update or update.primitive.name not in UPDATES:
            return False
        return update.inputs[1].aval.nbytes <= step.old.aval.nbytes // SMALL_SHARE

    def wait_for_kept(self, step: _Step) -> tuple[int, list[Var]] | None:
        """Return from which equation on to wait, and for which results; None if none need to."""
        needed, others = self._needed(step)
        if not others or self._is_read_late(step, others):
            return None
        seen = 0
        for other in others:
            seen |= self.before[other]
        mine = self.readers.get(step.old, [])
        late = [r for r in mine if needed >> r & 1 and not seen >> r & 1]
        if not late:
            return None
        found = [self._done(step, other, late[0]) for other in others]
        results = [var for var in found if var is not None]
        return (late[0], results) if results else None

    def wait_for_parts(self, step: _Step) -> tuple[int, list[Var]] | None:
        """Return the same for parts that were taken out of what is overwritten."""
        needed, others = self._needed(step)
        mine = self.readers.get(step.old, [])
        if self._is_read_late(step, others):
            return None
        if step.is_update:
            return self._wait_for(step, self._first_of_update(step, mine, others, needed))
        return self._wait_for(
            step, {r for r in mine if is_small_part(self.program.eqns[r], step.old)}
        )

    def _needed(self, step: _Step) -> tuple[int, list[int]]:
        """Return what a writer follows from, and who else reads what it overwrites."""
        needed = self.before[step.writer] | 1 << step.writer
        return needed, [r for r in self.readers.get(step.old, []) if not needed >> r & 1]

    def _is_read_late(self, step: _Step, others: Sequence[int]) -> bool:
        """Return whether something reads the old values with the new: there is no order then."""
        return any([self.before[r] >> step.writer & 1 for r in others])

    def _first_of_update(
        self, step: _Step, readers: Sequence[int], others: Sequence[int], needed: int
    ) -> set[int]:
        """Return the readers that have to be done before an update.

        It is done in place together with what it is computed from, as long as that reads the same
        part and is for nobody else.
        """
        eqns = self.program.eqns
        apart = {
            r
            for r in readers
            if r != step.writer and not reads_same_part(eqns[r], eqns[step.writer])
        }
        first = {r for r in readers if r in others or self._escapes(r, step.writer, needed)}
        return first | apart if first else first

    def _wait_for(self, step: _Step, first: set[int]) -> tuple[int, list[Var]] | None:
        """Return how to wait for readers whose results are worth memory of their own."""
        if not first or max(first) >= step.writer:
            return None
        readers = self.readers[step.old]
        late = [r for r in readers if r > max(first)]
        if not step.is_update:
            if not late or len(late) + len(first) < len(readers):
                return None
            if not all([is_element_wise(self.program.eqns[r], step.old) for r in late]):
                return None  # it is not written in place anyway
        first = {r for r in readers if r not in late}
        for limit in (max(first) + 1, late[0]):
            made = [self._made_of(step, reader, limit) for reader in sorted(first)]
            results = [var for found in made if found is not None for var in found]
            if None not in made:  # one reader more or less does not save the copy
                return limit, list(dict.fromkeys(results))
        return None

    def _made_of(self, step: _Step, reader: int, limit: int) -> list[Var] | None:
        """Return what is in memory before an equation once a reader has read; None if nothing is.

        A part that was only taken out is worth being written to memory, if it is small; what was
        computed from it before is computed from there then (`_waiting`). Other results may not be
        written between: a multiplication and an addition in one pass round once, and the result of
        a call must not depend on what it consumes.
        """
        eqns, small = self.program.eqns, step.old.aval.nbytes // SMALL_SHARE
        found: list[Var] = []
        pending, seen = [reader], {reader}
        is_part = is_small_part(self.program.eqns[reader], step.old)
        if is_part:
            found.append(eqns[reader].outs[0])
        while pending:
            number = pending.pop()
            eqn = eqns[number]
            if is_kept(eqn):
                found += eqn.outs
                continue
            for out in eqn.outs:
                after = self.readers.get(out, [])
                crosses = out in self.outs or any([r >= limit for r in after])
                if crosses and not (is_part and _is_cheap(eqn, small)):
                    return None
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
                    if after not in seen and not is_kept(self.program.eqns[after]):
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
            if is_kept(eqn) or out.aval.nbytes <= small:
                return out
            after = self.readers.get(out, ())
            if len(after) != 1:
                return None
            number = after[0]
        return None


def _is_cheap(eqn: Eqn, small: int) -> bool:
    """Return whether an equation may be done again: it makes little of what was taken out."""
    is_update = eqn.primitive.name in UPDATES
    return not is_update and not is_kept(eqn) and eqn.outs[0].aval.nbytes <= small


# ------------------------------------------------------------------------------------------ waiting


class _Wait(NamedTuple):
    """What is read behind a wait, and the results that it waits for."""

    old: Var
    results: Sequence[Var]
    are_parts: bool
    """Whether those are parts of `old`. They are then read behind the wait too, and what was made
    of them before is made again there: so nothing behind it reads the array as it was."""


def _waiting(program: Program, waits: Mapping[int, Sequence[_Wait]]) -> Program:
    """Return the program in which, from an equation on, arrays are read after others were."""
    instead: dict[Var, Var] = {}
    eqns: list[Eqn] = []

    def now(atom: Atom) -> Atom:
        return instead.get(atom, atom) if isinstance(atom, Var) else atom

    def put(eqn: Eqn, changed: Sequence[Var] = ()) -> None:
        """Write an equation; these of its results take the place of what has their names."""
        new = {var: Var(var.aval) for var in changed if var in eqn.outs}
        outs = tuple([new.get(var, var) for var in eqn.outs])
        inputs = tuple([now(atom) for atom in eqn.inputs])
        eqns.append(Eqn(eqn.primitive, inputs, eqn.params, outs, eqn.site))
        instead.update(new)

    for number, eqn in enumerate(program.eqns):
        for wait in waits.get(number, ()):
            waited = (wait.old, *wait.results)
            outs = waited if wait.are_parts else (wait.old, *[Var(v.aval) for v in wait.results])
            put(Eqn(after_p, waited, {}, outs, eqn.site), waited)
            made = set(wait.results)
            for earlier in program.eqns[:number] if wait.are_parts else ():
                is_made = not made.isdisjoint(earlier.inputs) and made.isdisjoint(earlier.outs)
                if is_made and _is_cheap(earlier, wait.old.aval.nbytes // SMALL_SHARE):
                    put(earlier, earlier.outs)
                    made.update(earlier.outs)
        put(eqn)
    return Program(program.params, tuple(eqns), tuple([now(atom) for atom in program.outs]))
