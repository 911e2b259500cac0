"""Watching one call of a function on small arrays, so that the same call can be done again at once.

A function of the library reads its arguments, promotes, checks, and applies primitives. On eight
floats that costs many times what the primitives cost, and for arguments of the same shapes, dtypes
and static values it always ends in the same primitives. A tape notes them: which host rule was
called, with which operands and parameters, and in whose memory it wrote.

A tape is good for nothing (`is_whole` is False) if the function did anything else that could
depend on values: it read an array on the host, used an array that it was not given, or ran XLA.
"""

from __future__ import annotations

import os
from functools import partial
from threading import get_ident
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ownarray._core.dtypes import BOOL, INEXACT, INT64, WEAK
from ownarray._ops.rules import Host

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.dtypes import DType
    from ownarray._core.primitive import Primitive


class Step(NamedTuple):
    """One host rule: where its operands stand in the memory of a run, and what it gives."""

    host: Callable[..., Any]
    """The rule, with its parameters."""
    refs: Sequence[int]
    dtypes: Sequence[DType]
    """Of its results."""
    is_multiple: bool


class Tape:
    """What one running call has done so far.

    Parameters
    ----------
    given : sequence
        Its arrays and handles; with ``by_kind`` its two operands, of which one may be a number
        whose value is an operand of the steps and nothing else.
    by_kind : bool, default False
    """

    def __init__(self, given: Sequence[object], *, by_kind: bool = False) -> None:
        self.n_given = len(given)
        self.is_whole = True
        self.constants: list[Any] = []
        """What the steps read besides arrays, in the order in which it was met."""
        self._steps: list[Step] = []
        self._n_places = self.n_given
        # The identity of an array is its name here, so all that were named are kept.
        self._kept: list[object] = list(given)
        self._places = {id(array): place for place, array in enumerate(given)}
        self._origin: dict[int, int] = {}
        """The argument in whose memory a result lies, by their places."""
        self._numbers = {
            place: value for place, value in enumerate(given) if by_kind and type(value) in WEAK
        }
        self.convert: Callable[[Any], Any] = _unread
        """Makes the number the operand that it is."""

    def stands_for(self, name: object, array: object) -> None:
        """Note that an array is another name for what was given."""
        place = self._places.get(id(array))
        if place is not None:
            self._name(name, place)

    def add(
        self,
        primitive: Primitive,
        params: dict[str, Any],
        operands: Sequence[object],
        results: Sequence[Any],
        donor: int | None,
    ) -> None:
        """Note that a primitive's host rule was run; `donor` is the operand that it wrote into."""
        if all([isinstance(operand, np.generic) for operand in operands]):
            for result in results:  # the same each time
                self.constants.append(result._host[()])
                self._name(result, -len(self.constants))
            return
        refs = [self._ref(place, operand) for place, operand in enumerate(operands)]
        dtypes = [result.aval.dtype for result in results]
        host = host_of(primitive, operands[0], params)
        self._steps.append(Step(host, refs, dtypes, primitive.multiple))
        if donor is not None:
            self._origin[self._n_places] = self._origin.get(refs[donor], refs[donor])
        for result in results:
            self._name(result, self._n_places)
            self._n_places += 1

    def _name(self, array: object, place: int) -> None:
        self._kept.append(array)
        self._places[id(array)] = place

    def _ref(self, position: int, operand: object) -> int:
        """Return the place of an operand; constants are counted down from -1."""
        if isinstance(operand, np.generic | np.ndarray):
            if position in self._numbers and self._is_number(position, operand):
                return position
            self.constants.append(operand)
            return -len(self.constants)
        place = self._places.get(id(operand))
        if place is None:
            self.is_whole = False
            return 0
        return place

    def _is_number(self, position: int, operand: Any) -> bool:
        """Return whether an operand is the number that was given, in a dtype."""
        convert: Callable[[Any], Any] = type(operand)
        number = self._numbers[position]
        other: Any = self._kept[1 - position]
        if type(number) is int and operand.dtype in INEXACT and other.dtype not in INEXACT:
            # Beside integers it has to be one that fits, also where both become floats.
            integer = INT64 if other.dtype == BOOL else other.dtype
            convert = partial(_through, integer.type, convert)
        try:
            is_same = convert(number).tobytes() == operand.tobytes()
        except OverflowError:  # a function that takes those that do not fit too
            return False
        if self.convert is not _unread or not is_same:
            return False
        self.convert = convert
        return True

    # ------------------------------------------------------------------ what came of it

    def finish(self, results: Sequence[object]) -> tuple[Sequence[Step], Sequence[int]] | None:
        """Return the steps and where the results stand; None if they are not the whole call."""
        if not self.is_whole or (self._numbers and self.convert is _unread):
            return None
        places = {self._places.get(id(array), 0): array for array in results}
        if len(places) < len(results) or any([place < self.n_given for place in places]):
            return None
        steps = [
            step._replace(refs=[self._final(ref) for ref in step.refs]) for step in self._steps
        ]
        return steps, [self._final(place) for place in places]

    def heir(self, result: object) -> int | None:
        """Return the argument in whose memory the result of the last step lies, if it does."""
        place = self._places.get(id(result))
        origin = self._origin.get(place, -1) if place == self._n_places - 1 else -1
        return origin if 0 <= origin < self.n_given else None  # else that of a step before

    def _final(self, place: int) -> int:
        """Return where a place stands once all constants are known: behind what is given."""
        if place < 0:
            return self.n_given - 1 - place
        return place if place < self.n_given else place + len(self.constants)


def _unread(value: Any) -> Any:
    raise AssertionError("unreachable: no step reads a number")


def _through(integer: Callable[[Any], Any], convert: Callable[[Any], Any], number: Any) -> Any:
    return convert(integer(number))


def host_of(primitive: Primitive, first: Any, params: dict[str, Any]) -> Callable[..., Any]:
    """Return a primitive's host rule with its parameters; NumPy's own function where that is it."""
    rule: Any = primitive.host
    plain: Callable[..., Any] | None = None
    if isinstance(rule, Host):
        plain = rule.plain(first.dtype, **params)
    return plain or (partial(rule, **params) if params else rule)


# Process state: the tape of each thread in which a call is being watched.
taping: Final[dict[int, Tape]] = {}
if hasattr(os, "register_at_fork"):  # a forked child has none of the other threads
    os.register_at_fork(after_in_child=taping.clear)


def current_tape() -> Tape | None:
    """Return the tape of the call that this thread watches."""
    return taping.get(get_ident())


def spoil() -> None:
    """Note that the watched call read values: another time it may do something else."""
    tape = taping.get(get_ident())
    if tape is not None:
        tape.is_whole = False
