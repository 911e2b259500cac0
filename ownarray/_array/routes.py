"""Doing again at once what a function did with small arrays of the same signatures.

The key of a call is the function, the signature of each array and handle, and every other argument
by type and value. The second call with a key is watched (`taping`); if it ran nothing but host
rules, these are its route, and the next call with that key runs them on the memory of its arrays:
the same rules with the same operands, hence the same bits. Whatever is not so simple takes the
ordinary way, and so does a call in which a rule raises: the ordinary way says why.

Functions of two operands (`Routes.binary`) that do the same for all numbers of a Python type have
one route for all of them.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from threading import get_ident
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from ownarray._array.cell import HandleSignature, signature
from ownarray._array.concrete import ConcreteArray, Temporary
from ownarray._array.moved import Moved
from ownarray._array.route import (
    Route,
    arrays_of,
    memory_of,
    run_steps,
    spend_one,
    take_route,
)
from ownarray._array.running import (
    BRIEF,
    HAS_GIL,
    note_readers,
    running,
    update_alone,
)
from ownarray._array.taping import Tape, taping
from ownarray._core.dtypes import WEAK
from ownarray._ops.quiet import quiet, quietly
from ownarray._ownership import State
from ownarray._trace.bind import Trace, open_trace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


R = TypeVar("R")

MAX_ROUTES: Final = 4096
"""How many calls (function, signatures, static arguments) are remembered."""

_PLAIN: Final = frozenset({bool, int, str, type(None), type, EllipsisType})
_SEQUENCES: Final = frozenset({list, tuple})
_ARRAYS: Final = frozenset({ConcreteArray, Moved})
_MAX_PARTS: Final = 64
"""Sequences of more parts have no key."""
# An attribute of an enum costs more than the rest of a check.
_OWNED: Final = State.OWNED


# Process state: the routes of all calls; None where there is none. They hold signatures and static
# arguments, no arrays.
_routes: Final[dict[object, Route | None]] = {}
_seen: Final[set[object]] = set()


def forget() -> None:
    """Forget all routes."""
    _routes.clear()
    _seen.clear()


# ------------------------------------------------------------------ learning a route


def _is_worth_watching(key: object) -> bool:
    """Return whether a call with this key has come before and has no route yet."""
    if key in _routes:
        return False
    if key in _seen:
        return True
    if len(_seen) >= MAX_ROUTES:
        _seen.clear()
    _seen.add(key)
    return False


def _apart(args: Sequence[Any], given: list[Any]) -> list[Any]:
    """Return arguments in which each array has another name; those and handles join ``given``."""
    named: list[Any] = []
    for value in args:
        kind = type(value)
        if kind is list or kind is tuple:
            named.append(kind(_apart(value, given)))
            continue
        named.append(Temporary.around(value) if kind is ConcreteArray else value)
        if kind is ConcreteArray or kind is Moved:
            given.append(named[-1])
    return named


def _watch(
    key: object,
    tape: Tape,
    given: Sequence[Any],
    ordinary: Callable[[], R],
    originals: Sequence[Any] = (),
) -> R:
    """Return the result of a call, and remember what it did.

    Who moves or updates one of the originals of other names looks for them, not for those.
    """
    ident = get_ident()
    note = note_readers(originals) if originals else None
    try:
        taping[ident] = tape
        result = ordinary()
    finally:
        taping.pop(ident, None)
        if note is not None:
            running.pop(note, None)
    if len(_routes) >= MAX_ROUTES:
        _routes.clear()
    _routes[key] = _route(tape, given, result)
    return result


def _watch_call(
    key: object,
    run: Callable[..., Any],
    args: Sequence[Any],
    options: Mapping[str, Any],
    given: list[Any],
) -> Any:
    """Return the result of a call with any arguments, and remember what it did."""
    originals: list[Any] = []
    if len(set(map(id, given))) < len(given):  # a tape tells them by their identity
        originals = [value for value in given if type(value) is ConcreteArray]
        given = []
        args = _apart(args, given)
        _key(run, (), options, given)
    return _watch(key, Tape(given), given, partial(run, *args, **options), originals)


def _route(tape: Tape, given: Sequence[Any], result: Any) -> Route | None:
    """Return the route that a tape and the result of its call give, if there is one."""
    kind: Any = None if isinstance(result, ConcreteArray) else type(result)
    if kind is not None and not issubclass(kind, list | tuple):
        return None
    made = [result] if kind is None else list(result)
    found = tape.finish(made)
    if found is None or not made:
        return None
    steps, places = found
    first = steps[0]
    is_direct = len(steps) == 1 and not first.is_multiple and first.refs == [*range(len(given))]
    outs = [signature(array.aval) for array in made]
    sizes = [*outs, *[value for value in given if isinstance(value, ConcreteArray)]]
    return Route(
        first.host if is_direct else partial(run_steps, steps, tape.constants, places),
        outs,
        made[0].aval.dtype,
        getattr(kind, "_make", kind),
        is_direct,
        is_direct and _is_brief(first.host, sizes),
        tape.convert,
        [place for place, value in enumerate(given) if type(value) is Moved],
        tape.heir(result),
    )


# ------------------------------------------------------------------ keys


def _has_arrays(args: Sequence[Any], options: Mapping[str, Any]) -> bool:
    """Return whether there is an array or a handle: without one there is nothing to spare.

    Long sequences are not looked into: reading them costs more than a route spares.
    """
    for value in args if not options else (*args, *options.values()):
        kind = type(value)
        if kind is ConcreteArray or kind is Moved:
            return True
        if (
            kind in _SEQUENCES
            and len(value) <= _MAX_PARTS
            and not _ARRAYS.isdisjoint(map(type, value))
        ):
            return True
    return False


def _part(value: Any, given: list[Any]) -> Any:
    """Return what stands for an argument in a key, or None; arrays and handles join ``given``."""
    kind = type(value)
    if kind is ConcreteArray:
        given.append(value)
        return value._sig
    if kind in _PLAIN or isinstance(value, np.dtype):
        return kind, value
    if kind is float or kind is complex:
        return kind, repr(value)  # 0.0 and -0.0 are equal, NaN is not
    if kind is Moved:
        given.append(value)
        return value._sig if type(value._sig) is HandleSignature else None
    if kind in _SEQUENCES and len(value) <= _MAX_PARTS:
        parts = [_part(part, given) for part in value]
        return None if None in parts else (kind, *parts)
    return None


def _key(
    function: object, args: Sequence[Any], options: Mapping[str, Any], given: list[Any]
) -> tuple[Any, ...] | None:
    """Return the key of a call, or None if it has none."""
    parts = [_part(value, given) for value in args]
    for name, value in options.items():
        parts += (name, _part(value, given))
    return None if None in parts else (function, *parts)


def _run_into(route: Route, x: ConcreteArray, other: Any) -> None:
    """Run a rule on an array and another value, in the array's memory."""
    memory = memory_of(x)
    if other is x:
        quietly(route.host, memory, memory, out=memory)
    elif type(other) is ConcreteArray:
        note = (other,)
        try:
            note_readers(note)
            quietly(route.host, memory, memory_of(other), out=memory)
        finally:
            running.pop(id(note), None)
    else:
        quietly(route.host, memory, route.number(other), out=memory)


def _is_brief(host: object, sigs: Sequence[Any]) -> bool:
    """Return whether a host rule on arrays of these signatures is one step for other threads."""
    return (
        HAS_GIL
        and type(host) is np.ufunc
        and host.signature is None
        and all([sig.aval.size <= BRIEF for sig in sigs])
    )


class Routes(Trace):
    """The interpreter that computes at once, where functions and operators are called."""

    def call(
        self,
        function: Callable[..., Any],
        args: Sequence[Any],
        options: Mapping[str, Any],
        ordinary: Callable[..., Any] | None = None,
    ) -> Any:
        """Return ``function(*args, **options)``, computed by ``ordinary`` where that is given."""
        if not options and len(args) == 1 and type(args[0]) is ConcreteArray:
            return self.unary(function, args[0])
        if not options and len(args) == 1 and type(args[0]) is Moved and not taping:
            (handle,) = args
            route = _routes.get((function, handle._sig))
            if route is not None and open_trace() is None:
                made = spend_one(route, handle, function.__name__)
                if made is not None:
                    return made
        run = ordinary or function
        if taping or not _has_arrays(args, options) or open_trace() is not None:
            return run(*args, **options)
        given: list[Any] = []
        key = _key(function, args, options, given)
        route = None if key is None else _routes.get(key)
        if route is not None:
            made = take_route(route, given, function.__name__)
            if made is not None:
                return made
        elif key is not None and _is_worth_watching(key):
            return _watch_call(key, run, args, options, given)
        return run(*args, **options)

    def unary(self, function: Callable[[Any], R], x: Any) -> R:
        """Return ``function(x)``."""
        if type(x) is ConcreteArray and not taping and open_trace() is None:
            key = function, x._sig
            route = _routes.get(key)
            if route is not None:
                host, run = x._host, quiet.run
                note = None if route.is_brief else (x,)
                try:
                    if host is None:
                        host = x._values()
                    if note is not None:
                        running[id(note)] = note
                    # Nothing stands between this look and a brief rule (docs/design/0005).
                    if x._sig is not key[1] or x._host is not host:
                        return function(x)
                    result = run(route.host, host)
                except Exception:  # the ordinary way says it
                    return function(x)
                finally:
                    if note is not None:
                        running.pop(id(note), None)
                return arrays_of(route, result)  # type: ignore[no-any-return]
            if _is_worth_watching(key):
                return _watch(key, Tape([x]), [x], partial(function, x))
        return function(x)

    def binary(self, function: Callable[[Any, Any], R], x: Any, y: Any) -> R:
        """Return ``function(x, y)``, where a number's value does not choose what is done."""
        x_kind, y_kind = type(x), type(y)
        key = (
            function,
            x._sig if x_kind is ConcreteArray else x_kind,
            y._sig if y_kind is ConcreteArray else y_kind,
        )
        route = _routes.get(key)
        if route is None or taping or open_trace() is not None:
            return self._first(function, x, y)
        note = None if route.is_brief else (x, y)
        try:
            left = x._host if x_kind is ConcreteArray else route.number(x)
            right = y._host if y_kind is ConcreteArray else route.number(y)
            if left is None:
                left = x._values()
            if right is None:
                right = y._values()
            run = quiet.run
            if note is not None:
                running[id(note)] = note
            # Nothing stands between this look and a brief rule (docs/design/0005).
            if (x_kind is ConcreteArray and (x._sig is not key[1] or x._host is not left)) or (
                y_kind is ConcreteArray and (y._sig is not key[2] or y._host is not right)
            ):
                return function(x, y)
            result = run(route.host, left, right)
        except Exception:  # the ordinary way says it
            return function(x, y)
        finally:
            if note is not None:
                running.pop(id(note), None)
        return arrays_of(route, result)  # type: ignore[no-any-return]

    def _first(self, function: Callable[[Any, Any], R], x: Any, y: Any) -> R:
        """Return ``function(x, y)``, for which there is no route yet."""
        x_kind, y_kind = type(x), type(y)
        if x_kind is ConcreteArray:
            simple = y_kind is ConcreteArray or y_kind in WEAK
        else:
            simple = x_kind in WEAK and y_kind is ConcreteArray
        if not simple or taping or open_trace() is not None:
            return function(x, y)
        parts = [value._sig if type(value) is ConcreteArray else type(value) for value in (x, y)]
        key = (function, *parts)
        if not _is_worth_watching(key):
            return function(x, y)
        originals = (x,) if x is y else ()
        if x is y:  # a tape tells operands by their identity
            y = Temporary.around(x)
        tape = Tape([x, y], by_kind=True)
        return _watch(key, tape, [x, y], partial(function, x, y), originals)

    def in_place(self, function: Callable[[Any, Any], Any], x: Any, other: Any) -> bool:
        """Compute ``function(x, other)`` in the memory of x, if both are simple."""
        if type(x) is not ConcreteArray or x._sig.state is not _OWNED or running or taping:
            return False
        kind = type(other)
        key = function, x._sig, other._sig if kind is ConcreteArray else kind
        route = _routes.get(key)
        if open_trace() is not None:
            return False
        if route is None:
            return key not in _routes and self._learn(function, x, other)
        sig = key[1]
        if not route.is_direct or route.outs[0] is not sig:
            return False
        if not route.is_brief:
            return update_alone(x, sig, _run_into, route, x, other)
        memory = memory_of(x)
        right = memory_of(other) if kind is ConcreteArray else route.number(other)
        run = quiet.run
        # Nothing stands between this look and the rule (docs/design/0005).
        if running or x._sig is not sig or x._host is not memory:
            return False
        if kind is ConcreteArray and (other._sig is not key[2] or other._host is not right):
            return False
        try:
            run(route.host, memory, right, out=memory)
        except RuntimeError:  # a signal handler or finaliser, in the middle of such a run
            return False
        return True

    def _learn(self, function: Callable[[Any, Any], Any], x: Any, other: Any) -> bool:
        """Find the route of ``function(x, other)`` for the next time; return False.

        That computes it once more, in memory of its own: only where it is small and has a route.
        """
        kind = type(other)
        if x._sig.is_small and (other._sig.is_small if kind is ConcreteArray else kind in WEAK):
            with suppress(Exception):  # the ordinary way says it
                self._first(function, x, other)
        return False
