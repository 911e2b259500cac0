"""A route: the host rules of a call on small arrays, and running them on the memory of arrays.

`_array.routes` finds routes. On a route that spends handles a failure leaves them good, unless
their memory was being written; that is the rule of `_array.consume`, without its lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ownarray._array.cell import Signature, transitions
from ownarray._array.concrete import ConcreteArray, births, from_memory
from ownarray._array.moved import Moved
from ownarray._array.running import note_readers, running
from ownarray._ops.quiet import quiet
from ownarray._ownership import State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._array.taping import Step
    from ownarray._core.dtypes import DType
    from ownarray._trace.bind import HostArray

# An attribute of an enum costs more than the rest of a check.
_MOVED: Final = State.MOVED
_SHARED: Final = State.SHARED


class Route(NamedTuple):
    """What a call with a certain key does."""

    host: Callable[..., Any]
    """From the memory of what was given to the memory of the results."""
    outs: Sequence[Signature]
    dtype: DType
    """Of the first result."""
    kind: Callable[[list[ConcreteArray]], Any] | None
    """Makes the tuple or list of results; None where there is one result."""
    is_direct: bool
    """Whether ``host`` is one host rule on what was given, in order."""
    is_brief: bool
    """Whether ``host`` is one step for other threads: a loop of NumPy that keeps the lock."""
    number: Callable[[Any], Any]
    """Makes a Python number the operand that it is."""
    handles: Sequence[int]
    """Which of the arguments are handles."""
    heir: int | None
    """The handle in whose memory the result lies."""


def run_steps(
    steps: Sequence[Step],
    constants: Sequence[Any],
    places: Sequence[int],
    *given: Any,
    out: HostArray | None = None,
) -> Any:
    """Run steps on the memory of what was given; return one result, or the list of them.

    The last step writes into ``out``; all others into fresh memory, so that a step that raises
    leaves what was given as it was.
    """
    memory = [*given, *constants]
    last = steps[-1] if out is not None else None
    for step in steps:
        host, refs, dtypes, is_multiple = step
        values = [memory[ref] for ref in refs]
        made = host(*values, out=out) if step is last else host(*values)
        if is_multiple:
            memory.extend(map(_in_dtype, made, dtypes))
        else:
            memory.append(_in_dtype(made, dtypes[0]))
    return memory[places[0]] if len(places) == 1 else [memory[place] for place in places]


def _in_dtype(made: Any, dtype: DType) -> HostArray:
    if type(made) is not np.ndarray:
        made = np.asarray(made)
    result: HostArray = made
    return result if result.dtype == dtype else result.astype(dtype)


_new = ConcreteArray.__new__


def memory_of(array: ConcreteArray) -> HostArray:
    host = array._host
    return array._values() if host is None else host


def arrays_of(route: Route, results: Any) -> Any:
    """Return the arrays around the memory of results."""
    outs = route.outs
    if route.kind is None:
        if type(results) is not np.ndarray or results.dtype is not route.dtype:
            results = _in_dtype(results, route.dtype)
        if births.n_trackers:
            return from_memory(results, outs[0])
        made = _new(ConcreteArray)  # from_memory, written out
        made._sig, made._host, made._note, made._buf, made._born = (
            outs[0],
            results,
            None,
            None,
            None,
        )
        return made
    return route.kind(list(map(from_memory, [results] if len(outs) == 1 else results, outs)))


def take_route(route: Route, given: Sequence[Any], by: str) -> Any:
    """Return the results of a route; None if it cannot be taken now."""
    if route.handles:
        return _spend(route, given, by)
    try:
        results = run_noted(route.host, given)
    except Exception:  # the ordinary way says it
        return None
    return arrays_of(route, results)


def run_noted(host: Callable[..., Any], given: Sequence[Any]) -> Any:
    """Return what a host rule makes of arrays, which nobody gives away meanwhile.

    Raises
    ------
    OwnershipError
        Somebody has just done so.
    """
    running[id(given)] = given
    try:
        for each in given:
            if each._sig.state > _SHARED:
                each._check_readable()
        return quiet.run(host, *map(memory_of, given))
    finally:
        running.pop(id(given), None)


def spend_one(route: Route, handle: Moved[Any], name: str) -> Any:
    """Return the result of a route on one handle and nothing else: `_spend`, written out."""
    by = f"oa.{name}"  # tells, by identity, what this call has claimed
    dead = handle._leaves[0]
    written: Moved[Any] | None = None
    try:
        with transitions.lock:
            if handle._spent or dead._sig.state is not _MOVED:
                return None
            handle._spent = by
            dead._sig = dead._sig.spent
        memory = dead._host
        if memory is None:
            memory = dead._values()
        if route.heir is None:
            made = arrays_of(route, quiet.run(route.host, memory))
        else:
            written = handle
            made = arrays_of(route, quiet.run(route.host, memory, out=memory))
            made._buf, made._born = dead._buf, dead._born
        dead._host = dead._buf = dead._born = None
    except Exception:  # NumPy refuses before it writes, and the ordinary way says why
        _give_back([handle], by, None)
        return None
    except BaseException:  # an interrupt may come at any time
        _give_back([handle], by, written)
        raise
    return made


def _spend(route: Route, given: Sequence[Any], name: str) -> Any:
    """Return the results of a route that spends handles; None if it cannot be taken now."""
    handles: list[Moved[Any]] = [given[place] for place in route.handles]
    heir = None if route.heir is None else given[route.heir]
    by = f"oa.{name}"  # tells, by identity, what this call has claimed
    written: Moved[Any] | None = None
    lent = [x for x in given if type(x) is ConcreteArray]
    try:
        if lent:
            note_readers(lent)
        if not _claim(handles, by):
            return None
        memory = [memory_of(x._leaves[0] if type(x) is Moved else x) for x in given]
        if heir is None:
            made = arrays_of(route, quiet.run(route.host, *memory))
        else:
            last = heir._leaves[0]
            written = heir
            made = arrays_of(route, quiet.run(route.host, *memory, out=memory_of(last)))
            made._buf, made._born = last._buf, last._born
        with transitions.lock:
            for handle in handles:
                handle._leaves[0]._drop_memory()
    except Exception:  # NumPy refuses before it writes, and the ordinary way says why
        _give_back(handles, by, None)
        return None
    except BaseException:  # an interrupt may come at any time
        _give_back(handles, by, written)
        raise
    finally:
        running.pop(id(lent), None)
    return made


def _claim(handles: Sequence[Moved[Any]], by: str) -> bool:
    """Spend all handles, or none if one cannot be."""
    with transitions.lock:
        for handle in handles:
            if handle._spent or handle._leaves[0]._sig.state is not _MOVED:
                return False
        if len(handles) > 1 and len(set(map(id, handles))) < len(handles):
            return False
        for handle in handles:
            handle._spent = by
            dead = handle._leaves[0]
            dead._sig = dead._sig.spent
    return True


def _give_back(handles: Sequence[Moved[Any]], by: str, written: Moved[Any] | None) -> None:
    """Make handles good again that a call had claimed; what it had written into is lost."""
    with transitions.lock:
        for handle in handles:
            dead = handle._leaves[0]
            if handle._spent is not by:
                continue
            if handle is written or not dead._has_memory():
                dead._set_state(State.LOST)
                dead._drop_memory()
            else:
                handle._restore()
