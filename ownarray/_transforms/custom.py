"""Functions with derivative rules of the user's: ``custom_jvp`` and ``custom_vjp``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from ownarray._array.moved import LEAF_KINDS
from ownarray._core.dtypes import INEXACT
from ownarray._ops.custom import (
    Custom,
    apply_custom,
    apply_pull,
    batched_flat,
    sum_shared,
    zeros_like,
)
from ownarray._passes.batch import Batched
from ownarray._trace.bind import Operand, Trace, operand_aval
from ownarray._transforms.pushed import fitting_leaves
from ownarray._transforms.ruled import RuledArguments, flat_results, positional, read_arguments
from ownarray._transforms.vmap import with_batch_axis
from ownarray._tree import TreeDef, flatten

if TYPE_CHECKING:
    from ownarray._core.aval import ShapedArray
    from ownarray._ops.rules import BatchDims
    from ownarray._passes.jvp import Duals

P = ParamSpec("P")
R = TypeVar("R")
FlatPair = Callable[[Sequence[Operand], Sequence[Operand]], tuple[list[Operand], list[Operand]]]


def _check_function(transform: str, fun: object) -> None:
    if isinstance(fun, classmethod | staticmethod) or not callable(fun):
        raise TypeError(f"{transform}: expected a function, got {type(fun).__name__}")


def _name(fun: Callable[..., Any]) -> str:
    return getattr(fun, "__qualname__", type(fun).__name__)


class custom_jvp(Generic[P, R]):  # noqa: N801  (JAX's name)
    """A function whose derivative is given by a rule.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of arrays.

    Notes
    -----
    The rule serves forward and reverse derivatives, and derivatives of derivatives by being
    differentiated itself. Python numbers among the arguments are constants. Values that are
    differentiated must be arguments: neither the function nor the rule may read them from outside.

    Examples
    --------
    >>> import ownarray as oa
    >>> @oa.custom_jvp
    ... def log1pexp(x):
    ...     return oa.log1p(oa.exp(x))
    >>> @log1pexp.defjvp
    ... def rule(primals, tangents):
    ...     (x,), (t,) = primals, tangents
    ...     return log1pexp(x), t * (1.0 - 1.0 / (1.0 + oa.exp(x)))
    >>> oa.grad(log1pexp)(100.0).item()
    1.0
    """

    def __init__(self, fun: Callable[P, R], /) -> None:
        _check_function("custom_jvp", fun)
        functools.update_wrapper(self, fun)
        self._fun = fun
        self._rule: Callable[..., Any] | None = None

    def defjvp(self, rule: Callable[..., Any], /) -> Callable[..., Any]:
        """Set the rule.

        Parameters
        ----------
        rule : callable
            ``rule(primals, tangents) -> (result, tangent)``, of two tuples like the arguments; it
            is linear in the tangents, and the tangent is a tree like the result.

        Returns
        -------
        callable
            The rule, so that this works as a decorator.
        """
        _check_function("defjvp", rule)
        self._rule = rule
        return rule

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        name = _name(self._fun)
        if self._rule is None:
            raise TypeError(f"{name}: custom_jvp has no rule yet. Fix: give one with defjvp")
        flat, operands = read_arguments(name, positional(name, self._fun, args, kwargs))
        call = _JVPCall(name, self._fun, self._rule, flat)
        outs = apply_custom(call, operands)
        return call.out_tree.unflatten(outs)  # type: ignore[no-any-return]


class _JVPCall(Custom):
    """One call of a function with a forward rule."""

    out_tree: TreeDef

    def __init__(
        self, name: str, fun: Callable[..., Any], rule: Callable[..., Any], flat: RuledArguments
    ) -> None:
        self.name = name
        self._fun = fun
        self._rule = rule
        self._flat = flat

    def value(self, operands: Sequence[Operand]) -> list[Operand]:
        result = self._fun(*self._flat.arguments(operands))
        outs, self.out_tree = flat_results(self.name, result, operands)
        return outs

    def pair(
        self, primals: Sequence[Operand], tangents: Sequence[Operand]
    ) -> tuple[list[Operand], list[Operand]]:
        """Apply the rule."""
        where = f"the jvp rule of {self.name}"
        result = self._rule(self._flat.arguments(primals), self._flat.tangents(tangents))
        if not isinstance(result, tuple) or len(result) != 2:
            raise TypeError(f"{where} must return a pair (result, tangent), got {result!r}")
        outs, self.out_tree = flat_results(self.name, result[0], primals)
        avals = [operand_aval(out).strong() for out in outs]
        found = fitting_leaves(f"{where}: the tangent", result[1], self.out_tree, avals)
        return outs, [
            zeros_like(out) if t is None else t for t, out in zip(found, outs, strict=True)
        ]

    def push(
        self, linear: Trace | None, primals: list[Operand], tangents: list[Operand | None]
    ) -> Duals:
        return _push_pair(self.pair, primals, tangents)

    def batched(
        self, operands: Sequence[Operand], bdims: BatchDims, size: int
    ) -> tuple[Custom, Sequence[Operand]]:
        return _BatchedJVP(self.name, self.value, self.pair, bdims, size), ()


def _push_pair(pair: FlatPair, primals: list[Operand], tangents: list[Operand | None]) -> Duals:
    given = [zeros_like(x) if t is None else t for x, t in zip(primals, tangents, strict=True)]
    outs, found = pair(primals, given)
    return outs, [
        t if operand_aval(out).dtype in INEXACT else None
        for out, t in zip(outs, found, strict=True)
    ]


class _BatchedJVP(Custom):
    """A function of whole batches with a forward rule."""

    def __init__(
        self,
        name: str,
        value: Callable[[Sequence[Operand]], Sequence[Operand]],
        pair: FlatPair,
        bdims: BatchDims,
        size: int,
    ) -> None:
        self.name = name
        self._whole = batched_flat(name, value, bdims, size)
        self._pair = pair
        self._bdims = bdims
        self._size = size

    def value(self, operands: Sequence[Operand]) -> list[Operand]:
        return self._whole(operands)

    def pair(
        self, primals: Sequence[Operand], tangents: Sequence[Operand]
    ) -> tuple[list[Operand], list[Operand]]:
        """Apply the rule to all examples; tangents have the batch axes of their values."""
        n = len(primals)

        def both(operands: Sequence[Operand]) -> list[Operand]:
            outs, found = self._pair(operands[:n], operands[n:])
            return [*outs, *found]

        bdims = [*self._bdims, *self._bdims]
        results = batched_flat(self.name, both, bdims, self._size)([*primals, *tangents])
        half = len(results) // 2
        return results[:half], results[half:]

    def push(
        self, linear: Trace | None, primals: list[Operand], tangents: list[Operand | None]
    ) -> Duals:
        return _push_pair(self.pair, primals, tangents)

    def batched(
        self, operands: Sequence[Operand], bdims: BatchDims, size: int
    ) -> tuple[Custom, Sequence[Operand]]:
        return _BatchedJVP(self.name, self.value, self.pair, bdims, size), ()


# ------------------------------------------------------------------ reverse rules


class custom_vjp(Generic[P, R]):  # noqa: N801  (JAX's name)
    """A function whose reverse derivative is given by two rules.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of arrays.

    Notes
    -----
    Forward derivatives of such a function are a TypeError. Python numbers among the arguments are
    constants. Values that are differentiated must be arguments.

    Examples
    --------
    >>> import ownarray as oa
    >>> @oa.custom_vjp
    ... def clipped(x):
    ...     return x * x
    >>> def forward(x):
    ...     return clipped(x), x
    >>> def backward(x, ct):
    ...     return (oa.clip(2.0 * x * ct, -1.0, 1.0),)
    >>> clipped.defvjp(forward, backward)
    >>> oa.grad(clipped)(3.0).item()
    1.0
    """

    def __init__(self, fun: Callable[P, R], /) -> None:
        _check_function("custom_vjp", fun)
        functools.update_wrapper(self, fun)
        self._fun = fun
        self._rules: tuple[Callable[..., Any], Callable[..., Any]] | None = None

    def defvjp(self, fwd: Callable[P, Any], bwd: Callable[..., Any], /) -> None:
        """Set the rules.

        Parameters
        ----------
        fwd : callable
            Takes what the function takes; returns ``(result, residuals)``, where residuals are any
            tree of arrays.
        bwd : callable
            ``bwd(residuals, ct) -> cotangents``: a tuple with one tree for each argument, or None
            where it is zero.
        """
        _check_function("defvjp", fwd)
        _check_function("defvjp", bwd)
        self._rules = (fwd, bwd)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        name = _name(self._fun)
        if self._rules is None:
            raise TypeError(f"{name}: custom_vjp has no rules yet. Fix: give them with defvjp")
        flat, operands = read_arguments(name, positional(name, self._fun, args, kwargs))
        call = _VJPCall(name, self._fun, *self._rules, flat)
        outs = apply_custom(call, operands)
        return call.out_tree.unflatten(outs)  # type: ignore[no-any-return]


class _Reverse(Custom):
    """What functions with reverse rules share: forward with residuals, backward from them."""

    def forward(self, operands: Sequence[Operand]) -> tuple[list[Operand], list[Operand]]:
        """Return results and residuals."""
        raise NotImplementedError

    def backward(
        self, residuals: Sequence[Operand], cts: Sequence[Operand]
    ) -> Sequence[Operand | None]:
        """Return the cotangents of the operands."""
        raise NotImplementedError

    def push(
        self, linear: Trace | None, primals: list[Operand], tangents: list[Operand | None]
    ) -> Duals:
        outs, residuals = self.forward(primals)
        live = [t is not None for t in tangents]
        avals: list[ShapedArray] = [operand_aval(out).strong() for out in outs]

        def pull(kept: list[Operand], cts: list[Operand]) -> list[Operand | None]:
            found = self.backward(kept, cts)
            return [ct for ct, wanted in zip(found, live, strict=True) if wanted]

        given = [t for t in tangents if t is not None]
        found = apply_pull(self.name, residuals, given, avals, pull=pull, push=None)
        return outs, [
            t if aval.dtype in INEXACT else None for t, aval in zip(found, avals, strict=True)
        ]

    def batched(
        self, operands: Sequence[Operand], bdims: BatchDims, size: int
    ) -> tuple[Custom, Sequence[Operand]]:
        return _BatchedVJP(self, bdims, size), ()


class _VJPCall(_Reverse):
    """One call of a function with reverse rules."""

    out_tree: TreeDef
    _residual_tree: TreeDef

    def __init__(
        self,
        name: str,
        fun: Callable[..., Any],
        fwd: Callable[..., Any],
        bwd: Callable[..., Any],
        flat: RuledArguments,
    ) -> None:
        self.name = name
        self._fun = fun
        self._fwd = fwd
        self._bwd = bwd
        self._flat = flat

    def value(self, operands: Sequence[Operand]) -> list[Operand]:
        result = self._fun(*self._flat.arguments(operands))
        outs, self.out_tree = flat_results(self.name, result, operands)
        return outs

    def forward(self, operands: Sequence[Operand]) -> tuple[list[Operand], list[Operand]]:
        where = f"the forward rule of {self.name}"
        result = self._fwd(*self._flat.arguments(operands))
        if not isinstance(result, tuple) or len(result) != 2:
            raise TypeError(f"{where} must return a pair (result, residuals), got {result!r}")
        outs, self.out_tree = flat_results(self.name, result[0], operands)
        residuals, self._residual_tree = flat_results(where, result[1], ())
        return outs, residuals

    def backward(
        self, residuals: Sequence[Operand], cts: Sequence[Operand]
    ) -> Sequence[Operand | None]:
        where = f"the backward rule of {self.name}"
        result = self._bwd(self._residual_tree.unflatten(residuals), self.out_tree.unflatten(cts))
        trees = self._flat.tree.children
        if not isinstance(result, tuple) or len(result) != len(trees):
            raise TypeError(
                f"{where} must return a tuple of {len(trees)} cotangents, one for each argument,"
                f" got {result!r}"
            )
        found: list[Operand | None] = []
        for number, (ct, tree) in enumerate(zip(result, trees, strict=True)):
            if ct is None:
                found += [None] * tree.n_leaves
                continue
            leaves, got = flatten(ct, LEAF_KINDS, f"{where}: result[{number}]")
            if got != tree:
                raise TypeError(f"{where}: result[{number}] must be like {tree!r}, got {got!r}")
            found += leaves
        return [_operand(ct) for ct in self._flat.of_each(found)]


def _operand(ct: Any) -> Operand | None:
    (found,), _ = ([None], None) if ct is None else flat_results("ct", ct, ())
    return found


class _BatchedVJP(_Reverse):
    """A function of whole batches with reverse rules."""

    def __init__(self, inner: _Reverse, bdims: BatchDims, size: int) -> None:
        self.name = inner.name
        self._inner = inner
        self._bdims = bdims
        self._size = size
        self._whole = batched_flat(inner.name, inner.value, bdims, size)

    def value(self, operands: Sequence[Operand]) -> list[Operand]:
        return self._whole(operands)

    def forward(self, operands: Sequence[Operand]) -> tuple[list[Operand], list[Operand]]:
        n_outs: list[int] = []

        def both(inner: Sequence[Operand]) -> list[Operand]:
            outs, residuals = self._inner.forward(inner)
            n_outs.append(len(outs))
            return [*outs, *residuals]

        results = batched_flat(self.name, both, self._bdims, self._size)(operands)
        return results[: n_outs[0]], results[n_outs[0] :]

    def backward(
        self, residuals: Sequence[Operand], cts: Sequence[Operand]
    ) -> Sequence[Operand | None]:
        n = len(residuals)
        is_there: list[bool] = []

        def whole(operands: Sequence[Operand]) -> list[Operand]:
            found = self._inner.backward(operands[:n], operands[n:])
            is_there.extend([ct is not None for ct in found])
            return [ct for ct in found if ct is not None]

        zeros = [0] * (n + len(cts))
        results = iter(batched_flat(self.name, whole, zeros, self._size)([*residuals, *cts]))
        found = [next(results) if there else None for there in is_there]
        return [
            ct if ct is None or bdim is None else _axis(ct, bdim)
            for ct, bdim in zip(sum_shared(found, self._bdims), self._bdims, strict=True)
        ]


def _axis(ct: Operand, bdim: int) -> Operand:
    """Return a cotangent with its batch axis, which stands in front, where the argument has it."""
    return with_batch_axis(Batched(ct, 0), bdim, operand_aval(ct).shape[0])
