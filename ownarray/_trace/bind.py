"""Applying a primitive: the operands and the current trace say which interpreter does it.

There are few interpreters: computing at once (the default), recording a program, and those of
derivatives and batching. Each is a `Trace`; each nested one is deeper than those around it, and
the deepest one among the current trace and the operands' traces takes the operation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import count
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

import numpy as np

from ownarray._core.aval import ShapedArray, aval_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from typing_extensions import TypeIs

    from ownarray._core.dtypes import DType
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array


T = TypeVar("T")
P = ParamSpec("P")
S = TypeVar("S", bound="AbstractArray")


class Scope:
    """One running body: of a compiled function, a loop, a branch; or the program outside of all.

    A body may update and move only what was born in its own scope.
    """

    __slots__ = ()


class AbstractArray:
    """What every operand has: an aval, the trace it belongs to, and the scope it was born in."""

    __slots__ = ()

    aval: ShapedArray
    _trace: Trace
    _scope: Scope

    def _check_readable(self) -> None:
        """Raise UseAfterMoveError (or another ownership error) if its values may not be read."""
        raise NotImplementedError

    def _last(self) -> Array:
        """Return this array for its last read, which may write its result into the same memory."""
        raise NotImplementedError

    def _spare(self) -> Array:
        """Return for its last read an array that nobody outside of the library has seen yet."""
        raise NotImplementedError


HostArray = np.ndarray[tuple[int, ...], np.dtype[np.generic]]
Operand = AbstractArray | np.generic | HostArray
"""An array, a scalar that is known while tracing, or a NumPy array (lent: copied in)."""


class Trace(ABC):
    """An interpreter of primitives.

    Attributes
    ----------
    depth : int
        0 for computing at once; for every other, more than that of the traces around it (`deeper`).
    scope : Scope
        The body that runs now.
    name : str
        The function that is traced, for messages.
    is_open : bool
        Whether the function still runs; its traced values end with it.
    """

    depth: int
    scope: Scope
    name: str = ""
    is_open: bool = True

    @abstractmethod
    def apply(
        self, primitive: Primitive, operands: Sequence[Operand], params: dict[str, Any]
    ) -> list[Array]:
        """Apply a primitive and return all its results."""

    def primal(self, payload: object) -> Array | None:
        """Return the value that a traced array stands for, where this trace knows it."""
        return None

    # How operators and methods call functions; computing at once has a shorter way for some.

    def unary(self, function: Callable[[Any], T], x: Any) -> T:
        """Return ``function(x)``."""
        return function(x)

    def binary(self, function: Callable[[Any, Any], T], x: Any, y: Any) -> T:
        """Return ``function(x, y)``, where a number's value does not choose what is done."""
        return function(x, y)

    def in_place(self, function: Callable[[Any, Any], Any], x: Any, other: Any) -> bool:
        """Return whether x was updated to ``function(x, other)`` here."""
        return False

    def call(
        self,
        function: Callable[..., Any],
        args: Sequence[Any],
        options: Mapping[str, Any],
        ordinary: Callable[..., Any] | None = None,
    ) -> Any:
        """Return ``function(*args, **options)``, computed by ``ordinary`` where that is given."""
        return (ordinary or function)(*args, **options)


class TracerFactory(Protocol):
    """Makes the stand-in for a value in a trace."""

    def __call__(self, trace: Trace, aval: ShapedArray, payload: object) -> Array: ...


class _Installed:
    """What the array package installs once, when it is imported: it stands on a higher floor."""

    __slots__ = ("eager", "tracer")

    eager: Trace
    tracer: TracerFactory


# Process state: the interpreter that computes at once and the class of traced arrays, set once; and
# the trace that runs in this thread or task.
_installed: Final = _Installed()
_open: Final[ContextVar[Trace | None]] = ContextVar("ownarray.open_trace", default=None)

open_trace: Final = _open.get
"""``open_trace()``: the trace that runs, or None while operations are computed at once."""


def install(eager: Trace, tracer: TracerFactory) -> None:
    """Set the interpreter that computes at once and the class of traced arrays."""
    _installed.eager = eager
    _installed.tracer = tracer


# Process state: traces are numbered in the order of their birth, so one that is born inside another
# is deeper, also while a rule runs under the other's parent.
_births: Final = count(1)


def deeper() -> int:
    """Return the depth of a new trace: deeper than every other that is alive."""
    return next(_births)


def current_trace() -> Trace:
    """Return the interpreter for operations whose operands ask for none deeper."""
    return open_trace() or _installed.eager


class use_trace:  # noqa: N801  # a context manager, named as functions that make one are
    """Make a trace the current one, in a body that `under` surrounds.

    An interrupt at the entry of ``__exit__`` leaves it in place until `under` ends. (A generator
    would put back what was before when it is collected: perhaps after `under` has.)
    """

    __slots__ = ("_before", "_inside")

    def __init__(self, trace: Trace) -> None:
        self._inside = None if trace is _installed.eager else trace
        self._before = _open.get()

    def __enter__(self) -> None:
        _open.set(self._inside)

    def __exit__(self, *_: object) -> None:
        _open.set(self._before)


def under(trace: Trace, function: Callable[[], T]) -> T:
    """Return ``function()``, run with a trace as the current one.

    An interrupt may come at the entry of a context manager's exit and leave its trace in place, so
    where a trace begins, nothing but a call of C stands between the body and what was before.
    """
    before = _open.get()
    inside = None if trace is _installed.eager else trace
    try:
        _open.set(inside)
        return function()
    finally:
        _open.set(before)


@contextmanager
def new_scope(trace: Trace) -> Iterator[Scope]:
    """Begin a body inside a trace; what was born outside of it may be read only."""
    outer = trace.scope
    trace.scope = Scope()
    try:
        yield trace.scope
    finally:
        trace.scope = outer


def make_tracer(trace: Trace, aval: ShapedArray, payload: object) -> Array:
    """Return a traced array: an aval, and what its trace needs to know of the value."""
    return _installed.tracer(trace, aval, payload)


def is_array(value: object) -> TypeIs[Array]:
    """Return whether a value is an array, concrete or traced."""
    return isinstance(value, AbstractArray)


def operand_aval(operand: Operand) -> ShapedArray:
    """Return shape and dtype of an operand."""
    return operand.aval if isinstance(operand, AbstractArray) else aval_of(operand)


def _deepest(operands: Sequence[Operand]) -> Trace:
    trace = current_trace()
    for operand in operands:
        if isinstance(operand, AbstractArray):
            operand._check_readable()
            if operand._trace.depth > trace.depth:
                trace = operand._trace
    return trace


def method(function: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Let the interpreter of an array call one of its methods."""

    @wraps(function)
    def call(self: S, *args: P.args, **options: P.kwargs) -> T:
        return self._trace.call(function, (self, *args), options)  # type: ignore[no-any-return]

    return call  # type: ignore[return-value]  # it has the name `self` too


def bind(primitive: Primitive, *operands: Operand, **params: Any) -> Array:
    """Apply a primitive that has one result."""
    return _deepest(operands).apply(primitive, operands, params)[0]


def bind_multiple(primitive: Primitive, *operands: Operand, **params: Any) -> list[Array]:
    """Apply a primitive that has several results."""
    return _deepest(operands).apply(primitive, operands, params)


def scalar(value: complex, dtype: DType) -> np.generic:
    """Return a Python scalar as an operand of a dtype."""
    return dtype.type(value)
