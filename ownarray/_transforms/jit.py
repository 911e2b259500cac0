"""Compiled functions: read the call, find or make its program, give memory away, run, wrap.

    call -> signature -> cached? -> claim, execute, wrap
                            | no
                            v
            stage (trace) -> derive aliases -> lower -> compile

A call that fails before the executable runs spends nothing. Once it runs, what it consumes or
updates is lost if it fails.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, TypeVar, overload

from ownarray._array.brief import brief
from ownarray._array.traced import TracedArray
from ownarray._core.dtypes import WEAK
from ownarray._trace.bind import Operand, open_trace, scalar
from ownarray._trace.record import evaluate
from ownarray._transforms.applied import body_of
from ownarray._transforms.build import Build, build
from ownarray._transforms.passing import Passing
from ownarray._transforms.plan import (
    Plan,
    derive_aliases,
    make_plan,
    require_all,
)
from ownarray._transforms.run import Compiled, run_call
from ownarray._transforms.shortcut import Shortcut, read_short
from ownarray._transforms.signature import Call, CallKey, FunctionSignature, read_call
from ownarray._transforms.staged import Staged, stage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._ownership import AliasPlan

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

MAX_PROGRAMS: Final = 256
"""How many kinds of calls one compiled function remembers."""


class Jitted(Generic[P, R_co]):
    """A compiled function; made by `jit`.

    Examples
    --------
    >>> import ownarray as oa
    >>> double = oa.jit(lambda x: x * 2.0)
    >>> double(oa.ones(2)).tolist()
    [2.0, 2.0]
    """

    def __init__(
        self, function: Callable[P, R_co], signature: FunctionSignature, require_alias: bool
    ) -> None:
        functools.update_wrapper(self, function)
        self._function = body_of(function)
        self._signature = signature
        self._require_alias = require_alias
        self._may_be_short = not signature.static
        self._staged: OrderedDict[CallKey, Staged] = OrderedDict()
        self._built: OrderedDict[CallKey, Build] = OrderedDict()
        self._shortcuts: OrderedDict[tuple[object, ...], Shortcut] = OrderedDict()
        self._compiled: OrderedDict[CallKey, Compiled] = OrderedDict()

    def __repr__(self) -> str:
        return f"<compiled function {self._signature.name}>"

    @overload
    def __get__(self, obj: None, owner: Any) -> Jitted[P, R_co]: ...
    @overload
    def __get__(self, obj: object, owner: Any) -> Callable[..., R_co]: ...
    def __get__(self, obj: object, owner: Any = None) -> Any:
        """Bind to an object, as functions in classes do."""
        return self if obj is None else functools.partial(self, obj)  # type: ignore[arg-type]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the compiled function."""
        short_arguments = None
        if not kwargs and self._may_be_short and open_trace() is None:
            short_arguments = read_short(args)
            if short_arguments is not None:
                key, leaves, handles = short_arguments
                short = self._shortcuts.get(key)
                if short is not None:
                    result = short(leaves, handles)
                    if result is not NotImplemented:
                        return result  # type: ignore[no-any-return]
        call = read_call(self._signature, args, kwargs)
        if open_trace() is not None:
            return self._inline(call)  # type: ignore[no-any-return]
        compiled = self._compiled.get(call.key)
        if compiled is None:
            compiled = self._compile(call)
        if short_arguments is not None:
            key = short_arguments[0]
            made = Shortcut.of(call, compiled, args, key, self._signature.name)
            if made is not None:
                _remember(self._shortcuts, key, made)
        return run_call(call, compiled, self._signature.name)  # type: ignore[no-any-return]

    def explain(self, *args: Any, **kwargs: Any) -> Plan:
        """Compile for these arguments and return what the call would do with memory.

        Parameters
        ----------
        *args, **kwargs
            As for a call; `ShapedArray` may stand for arrays, and bare arrays for handles. Lent:
            nothing is spent.

        Returns
        -------
        Plan
        """
        call = read_call(self._signature, args, kwargs, abstract=True)
        staged = self._stage(call)
        aliases = derive_aliases(call, staged)
        return make_plan(self._signature.name, call, staged, self._build(call, staged, aliases))

    def _stage(self, call: Call) -> Staged:
        found = self._staged.get(call.key)
        if found is None:
            found = stage(self._function, self._signature, call)
            if not any(isinstance(array, TracedArray) for array in found.captured):
                _remember(self._staged, call.key, found)
        return found

    def _compile(self, call: Call) -> Compiled:
        staged = self._stage(call)
        plan = derive_aliases(call, staged)
        if self._require_alias:
            require_all(call, staged, plan, self._signature.name)
        small = brief(staged.program, plan.donor_of)
        if small is None:
            build = self._build(call, staged, plan)
            made = Compiled(staged, build, build.plan)
        else:
            made = Compiled(staged, small, plan)
        _remember(self._compiled, call.key, made)
        return made

    def _build(self, call: Call, staged: Staged, aliases: AliasPlan) -> Build:
        """Lower and compile, once for a call and for those who ask what it would do."""
        found = self._built.get(call.key)
        if found is None:
            found = build(call, staged, aliases, may_relocate=not self._require_alias)
            if call.key in self._staged:  # else it captured arrays of a trace
                _remember(self._built, call.key, found)
        return found

    def _inline(self, call: Call) -> Any:
        """Apply the function's equations inside the trace that runs now."""
        staged = self._stage(call)
        passing = Passing(call, staged.captured, self._signature.name)
        passing.begin()
        try:
            results = self._evaluate(call, staged)
            passing.end()
        except BaseException:
            passing.undo()
            raise
        return self._settle(call, staged, results)

    def _inside(self, *args: Any, **kwargs: Any) -> Any:
        """Run as the body of a transform, which has read the call and given its rights."""
        call = read_call(self._signature, args, kwargs, abstract=True)
        staged = self._stage(call)
        return self._settle(call, staged, self._evaluate(call, staged))

    def _evaluate(self, call: Call, staged: Staged) -> list[Operand]:
        leaves = [_operand(leaf.value) for leaf in call.leaves]
        return evaluate(staged.program, [*leaves, *staged.captured])

    def _settle(self, call: Call, staged: Staged, results: list[Operand]) -> Any:
        new_values = results[staged.n_returned :]
        for number, new in zip(staged.updated, new_values, strict=True):
            call.leaves[number].value._update(lambda _, new=new: new)
        return staged.out_tree.unflatten([_strong(leaf) for leaf in results[: staged.n_returned]])


K = TypeVar("K")
V = TypeVar("V")


def _remember(cache: OrderedDict[K, V], key: K, value: V) -> None:
    cache[key] = value
    if len(cache) > MAX_PROGRAMS:
        cache.popitem(last=False)


def _operand(value: Any) -> Operand:
    return scalar(value, WEAK[type(value)]) if type(value) in WEAK else value


def _strong(value: Operand) -> Any:
    """Return a result as a caller gets it: no longer weak."""
    if isinstance(value, TracedArray):
        return TracedArray(value._trace, value.aval.strong(), value.payload)
    return value


def jit(
    function: Callable[..., Any] | None = None,
    /,
    *,
    donate_argnums: int | Sequence[int] = (),
    donate_argnames: str | Sequence[str] = (),
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Sequence[str] = (),
    require_alias: bool = False,
) -> Any:
    """Compile a function; memory is given, lent and updated as its annotations say.

    Parameters
    ----------
    function : callable
        Its parameters may be marked ``Owned[T]``, ``Borrowed[T]`` or ``Mut[T]``; unmarked ones lend
        arrays and consume handles. Its result is a tree of arrays.
    donate_argnums, donate_argnames : int, str or sequences of them, optional
        Parameters at which bare arrays are consumed. Numbers count the function's arguments.
    static_argnums, static_argnames : int, str or sequences of them, optional
        Parameters that are part of the program: hashable, and compiled for each value.
    require_alias : bool, default False
        Whether a consumed leaf that no output can take is an error.

    Returns
    -------
    Jitted
        The compiled function; without ``function``, a decorator.

    Raises
    ------
    ValueError
        If a number or name picks out no parameter.
    TypeError
        If a marker cannot be resolved.

    Notes
    -----
    A call raises MoveRequiredError (needs-move), BorrowError (move-borrowed, mutate-borrowed),
    UseAfterMoveError (use-after-move), and with ``require_alias`` DonationError
    (unused-donation). A call that fails before it runs spends nothing.

    Examples
    --------
    >>> import ownarray as oa
    >>> @oa.jit
    ... def step(x: oa.Owned[oa.Array], rate: float) -> oa.Array:
    ...     return x - rate * x
    >>> x = oa.ones(3)
    >>> x = step(oa.move(x), 0.5)
    >>> x.tolist()
    [0.5, 0.5, 0.5]
    """

    def compile_later(function: Callable[..., Any]) -> Jitted[..., Any]:
        if isinstance(function, classmethod | staticmethod) or not callable(function):
            raise TypeError(
                f"jit: expected a function, got {type(function).__name__}; put @classmethod and"
                " @staticmethod above @oa.jit"
            )
        signature = FunctionSignature(
            function,
            donate_argnums=donate_argnums,
            donate_argnames=donate_argnames,
            static_argnums=static_argnums,
            static_argnames=static_argnames,
        )
        return Jitted(function, signature, require_alias)

    return compile_later if function is None else compile_later(function)
