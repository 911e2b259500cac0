"""Rematerialisation: what a function computed is computed again in reverse, instead of kept."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from ownarray._core.program import Eqn, Literal, Program, Var
from ownarray._ops.barrier import barrier
from ownarray._ops.bodies import batch_body, filled
from ownarray._ops.custom import Custom, apply_custom, apply_pull
from ownarray._passes.jvp import Duals, JVPTrace, jvp, tangents_of
from ownarray._passes.linearize import linearize
from ownarray._passes.transpose import backward
from ownarray._trace.bind import Operand, Trace, current_trace, is_array, operand_aval
from ownarray._trace.record import Recording, evaluate, record
from ownarray._transforms.applied import body_of
from ownarray._transforms.ruled import flat_results, positional, read_arguments

if TYPE_CHECKING:
    from ownarray._ops.rules import BatchDims
    from ownarray._tree import TreeDef

P = ParamSpec("P")
R = TypeVar("R")
Policy = Callable[[str], bool]


def checkpoint(
    fun: Callable[P, R], /, *, policy: Callable[[str], bool] | None = None
) -> Callable[P, R]:
    """Return the function, whose reverse derivative keeps its arguments only and computes again.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of arrays. It is traced where it is differentiated.
    policy : callable, optional
        ``policy(name of a primitive) -> bool``: whether the results of that primitive are kept.
        None keeps nothing; ``lambda name: True`` keeps everything.

    Returns
    -------
    callable
        Takes and returns what ``fun`` does.

    Notes
    -----
    Memory then grows with the number of checkpointed calls instead of with all that they compute,
    for the time of computing twice. In compiled programs a barrier keeps the compiler from merging
    both computations; before jaxlib 0.12 it has no effect in programs with loops.

    Examples
    --------
    >>> import ownarray as oa
    >>> layer = oa.checkpoint(lambda x: oa.sin(oa.sin(x)))
    >>> round(oa.grad(layer)(1.0).item(), 6)
    0.360039
    """
    if isinstance(fun, classmethod | staticmethod) or not callable(fun):
        raise TypeError(f"checkpoint: expected a function, got {type(fun).__name__}")
    body = body_of(fun)
    name = getattr(fun, "__qualname__", type(fun).__name__)

    @functools.wraps(fun)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        flat, given = read_arguments(name, positional(name, fun, args, kwargs))
        depths = [x._trace.depth for x in given if is_array(x)]
        if max([current_trace().depth, *depths]) == 0:
            return body(*flat.arguments(given))  # type: ignore[no-any-return]
        trees: list[TreeDef] = []

        def run(_: object, tracers: Sequence[Operand]) -> list[Operand]:
            outs, tree = flat_results(name, body(*flat.arguments(tracers)), tracers)
            trees.append(tree)
            return outs

        recording = record(name, [operand_aval(x) for x in given], run)
        operands = [*given, *recording.captured]
        outs = apply_custom(_Checkpointed(name, recording.program, policy), operands)
        return trees[0].unflatten(outs)  # type: ignore[no-any-return]

    return call


class _Checkpointed(Custom):
    """A recorded function that is computed again when it is differentiated in reverse."""

    def __init__(self, name: str, program: Program, policy: Policy | None) -> None:
        self.name = name
        self.program = program
        self._policy = policy

    def value(self, operands: Sequence[Operand]) -> list[Operand]:
        return evaluate(self.program, operands)

    def recorded(self, recording: Recording, n_operands: int) -> Custom:
        return _Checkpointed(self.name, recording.program, self._policy)

    def batched(
        self, operands: Sequence[Operand], bdims: BatchDims, size: int
    ) -> tuple[Custom, Sequence[Operand]]:
        avals = [operand_aval(x).strong() for x in operands]
        everywhere = [True] * len(self.program.outs)
        found = batch_body(
            self.name, self.program, bdims, size, out_batched=everywhere, avals=avals
        )
        return _Checkpointed(self.name, found.program, self._policy), found.captured

    def _is_kept(self, eqn: Eqn) -> bool:
        # A primitive that holds programs is computed again as a whole.
        return (
            self._policy is not None
            and eqn.primitive.differentiate is None
            and self._policy(eqn.primitive.name)
        )

    def push(
        self, linear: Trace | None, primals: list[Operand], tangents: list[Operand | None]
    ) -> Duals:
        avals = self.program.in_avals
        if linear is None:
            return jvp(self.name, self.value, primals, tangents, avals)
        is_wanted = [t is not None for t in tangents]
        n = len(primals)
        outs, kept = self._value_and_kept(primals)
        out_avals = [operand_aval(out).strong() for out in outs]

        def pull(residuals: list[Operand], cts: list[Operand]) -> list[Operand | None]:
            # Behind the cotangents: the compiler must not begin before they are there, either.
            n_residuals = len(residuals)
            values = barrier([*residuals, *cts])
            residuals.clear()
            values, cts = values[:n_residuals], values[n_residuals:]
            found = linearize(
                self.name,
                lambda inner: self._again(inner, values[n:]),
                values[:n],
                avals,
                is_wanted,
            )
            values.clear()
            is_linear = [i < sum(is_wanted) for i in range(len(found.program.params))]
            live = [ct for ct, yes in zip(cts, found.is_live, strict=True) if yes]
            return backward(found.program, is_linear, found.residuals, live)

        def push(residuals: Sequence[Operand], given: Sequence[Operand]) -> list[Operand]:
            rest = iter(given)
            known = [next(rest) if wanted else None for wanted in is_wanted]
            _, found = jvp(self.name, self.value, residuals[:n], known, avals)
            return filled(found, out_avals)

        given = [t for t in tangents if t is not None]
        pulled = apply_pull(self.name, [*primals, *kept], given, out_avals, pull=pull, push=push)
        return outs, list(pulled)

    def _value_and_kept(self, operands: Sequence[Operand]) -> tuple[list[Operand], list[Operand]]:
        """Return the results, and those of the equations that the policy keeps."""
        kept = tuple([var for eqn in self.program.eqns if self._is_kept(eqn) for var in eqn.outs])
        program = Program(self.program.params, self.program.eqns, (*self.program.outs, *kept))
        n = len(self.program.outs)
        results = evaluate(program, operands)
        return results[:n], results[n:]

    def _again(self, operands: Sequence[Operand], kept: Sequence[Operand]) -> list[Operand]:
        """Compute the results again, but for what was kept."""
        trace = current_trace()
        assert isinstance(trace, JVPTrace)
        rest = iter(kept)
        known: dict[Var, Operand] = dict(zip(self.program.params, operands, strict=True))
        for eqn in self.program.eqns:
            inputs = [a.value if isinstance(a, Literal) else known[a] for a in eqn.inputs]
            if self._is_kept(eqn):
                outs = _with_known(trace, eqn, inputs, [next(rest) for _ in eqn.outs])
            else:
                outs = trace.apply(eqn.primitive, inputs, dict(eqn.params))
            known.update(zip(eqn.outs, outs, strict=True))
        return [a.value if isinstance(a, Literal) else known[a] for a in self.program.outs]


def _with_known(
    trace: JVPTrace, eqn: Eqn, inputs: list[Operand], values: list[Operand]
) -> Sequence[Operand]:
    """Apply an equation whose results are known; its tangents are computed."""
    return trace.apply_pair(
        inputs,
        lambda _: values,
        lambda primals, tangents: (
            values,
            tangents_of(eqn.primitive, primals, tangents, values, dict(eqn.params)),
        ),
    )
