"""The interpreter that computes at once: small arrays through NumPy, large ones through XLA.

Which engine computes depends on the primitive, the shapes and the dtypes only, never on who owns
an operand, so a lent, a moved and a copied operand give the same bits.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from threading import get_ident
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._array.cell import Signature, signature
from ownarray._array.concrete import ConcreteArray, from_buffer, from_memory
from ownarray._array.recycle import compile_recycling
from ownarray._array.routes import Routes
from ownarray._array.running import note_readers, running
from ownarray._array.taping import taping
from ownarray._array.traced import TracedArray
from ownarray._backend import buffers, ffi
from ownarray._backend.compile import Executable, compile_text
from ownarray._core.aval import ShapedArray, aval_of
from ownarray._core.primitive import Missing, Primitive
from ownarray._core.program import Eqn, Program, Var, subprograms
from ownarray._ops.host_calls import PREFIX
from ownarray._ops.kernels import KERNELS
from ownarray._ops.quiet import quietly
from ownarray._ownership import AliasPlan, plan_aliases
from ownarray._trace.bind import HostArray, Operand, install, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._backend.buffers import Run
    from ownarray._ops.operators import Array

MAX_PLANS: Final = 4096
"""How many operations (primitive, avals, parameters) are remembered."""
MAX_EXECUTABLES: Final = 512
"""How many executables of eager operations are remembered."""


class _Plan:
    """How one operation on operands of certain avals is computed."""

    __slots__ = ("avals", "outs", "params", "primitive", "runs", "uses_host")

    def __init__(
        self, primitive: Primitive, avals: Sequence[ShapedArray], params: dict[str, Any]
    ) -> None:
        self.primitive = primitive
        self.avals = tuple([aval.strong() for aval in avals])
        self.params = params
        self.outs = tuple(
            [signature(aval.strong()) for aval in primitive.out_avals(self.avals, params)]
        )
        small = all(signature(aval).is_small for aval in self.avals)
        small = small and all(out.is_small for out in self.outs)
        has_host = not isinstance(primitive.host, Missing)
        self.uses_host = has_host and (small or primitive.prefers_host)
        self.runs: dict[object, tuple[Run, AliasPlan]] = {}

    def compiled(self, donors: tuple[int, ...]) -> tuple[Run, AliasPlan]:
        """Return the compiled operation in which these operands give their memory."""
        found = self.runs.get(donors)
        if found is None:
            params = [Var(aval) for aval in self.avals]
            found = self.runs[donors] = self._compile(donors, params, params)
        return found

    def compiled_in_place(self) -> Run:
        """Return the compiled operation on one array at all places, which gives its memory."""
        found = self.runs.get(None)
        if found is None:
            param = Var(self.avals[0])
            found = self.runs[None] = self._compile((0,), [param], [param] * len(self.avals))
        return found[0]

    def _compile(
        self, donors: tuple[int, ...], given: Sequence[Var], operands: Sequence[Var]
    ) -> tuple[Run, AliasPlan]:
        params = tuple(given)
        outs = tuple([Var(out.aval) for out in self.outs])
        eqn = Eqn(self.primitive, tuple(operands), self.params, outs)
        program = Program(params, (eqn,), outs)
        avals = tuple([out.aval for out in self.outs])
        plan = plan_aliases([(i, self.avals[i]) for i in donors], avals)
        _, run = compile_recycling(program, plan.donor_of, avals, compile_once)
        return run, plan


@lru_cache(maxsize=MAX_EXECUTABLES)
def compile_once(text: str, outs: tuple[ShapedArray, ...], alias_bytes: int) -> Executable:
    """Return the executable of a text; loops are traced anew each time, but compiled once."""
    return compile_text(text, outs, alias_bytes)


class EagerTrace(Routes):
    """Computes at once."""

    def __init__(self) -> None:
        self.depth = 0
        self.scope = ConcreteArray._scope
        self._plans: OrderedDict[object, _Plan] = OrderedDict()

    def apply(
        self, primitive: Primitive, operands: Sequence[Operand], params: dict[str, Any]
    ) -> list[Array]:
        """Compute one primitive."""
        plan = self._plan(primitive, operands, params)
        if taping and get_ident() in taping:
            return _watched(plan, operands)
        return _on_host(plan, operands) if plan.uses_host else _on_xla(plan, operands)

    def _plan(
        self, primitive: Primitive, operands: Sequence[Operand], params: dict[str, Any]
    ) -> _Plan:
        avals = [operand_aval(operand) for operand in operands]
        if subprograms(params):  # a body is another one each time
            return _Plan(primitive, avals, params)
        try:
            key = (primitive, *avals, *params.values())
            found = self._plans.get(key)
        except TypeError:  # a parameter that cannot be hashed
            return _Plan(primitive, avals, params)
        if found is None:
            found = self._plans[key] = _Plan(primitive, avals, params)
            if len(self._plans) > MAX_PLANS:
                self._plans.popitem(last=False)
        return found


def _watched(plan: _Plan, operands: Sequence[Operand]) -> list[Array]:
    """Compute a primitive and note it on the tape of the call that is being watched."""
    ident = get_ident()
    tape = taping.pop(ident)  # what is read in here is the primitive's own business
    try:
        results = _on_host(plan, operands) if plan.uses_host else _on_xla(plan, operands)
    finally:
        taping[ident] = tape
    donors = [
        i for i, x in enumerate(operands) if isinstance(x, ConcreteArray) and not x._has_memory()
    ]
    is_simple = plan.uses_host and all([out.is_small for out in plan.outs])
    if not is_simple or (donors and plan.primitive.multiple):
        tape.is_whole = False
    tape.add(plan.primitive, plan.params, operands, results, donors[0] if donors else None)
    return results


def _host_value(operand: Operand) -> HostArray | np.generic:
    if isinstance(operand, ConcreteArray):
        return operand._values()
    # What NumPy computes has the order of its operands, and memory here is in row-major order.
    return np.asarray(operand, order="C") if isinstance(operand, np.ndarray) else operand  # type: ignore[return-value]


def _spare_operand(operands: Sequence[Operand], place: int) -> ConcreteArray | None:
    """Return the operand at a place, if its memory may be written and stands nowhere else."""
    candidate = operands[place]
    if not isinstance(candidate, ConcreteArray) or not candidate.is_spare:
        return None
    for i, other in enumerate(operands):
        if i != place and isinstance(other, ConcreteArray) and _same_memory(candidate, other):
            return None
    return candidate


def _same_memory(left: ConcreteArray, right: ConcreteArray) -> bool:
    if left is right:
        return True
    same_buf = left._buf is not None and left._buf is right._buf
    return same_buf or (left._host is not None and left._host is right._host)


def _on_host(plan: _Plan, operands: Sequence[Operand]) -> list[Array]:
    key = note_readers(operands)
    try:
        return _computed_on_host(plan, operands)
    finally:
        running.pop(key, None)


def _computed_on_host(plan: _Plan, operands: Sequence[Operand]) -> list[Array]:
    values = [_host_value(operand) for operand in operands]
    host: Any = plan.primitive.host
    if plan.primitive.multiple:
        return _several_on_host(plan, operands, values)
    sig = plan.outs[0]
    for place, operand in enumerate(operands):
        if isinstance(operand, ConcreteArray) and operand.is_spare and operand.aval == sig.aval:
            donor = _spare_operand(operands, place)
            if donor is not None:
                # First of all the donor lets go: a second read of it would see the result.
                memory, taken = donor._values(), donor._reborn()
                try:
                    quietly(host, *values, out=memory, **plan.params)
                except Exception:  # NumPy refuses before it writes
                    donor._adopt(taken)
                    raise
                return [taken]
    if sig.is_small:
        return [_made(quietly(host, *values, **plan.params), sig)]
    fresh = from_buffer(buffers.empty(sig.aval.shape, sig.aval.dtype), sig)
    quietly(host, *values, out=fresh._values(), **plan.params)
    return [fresh]


def _several_on_host(
    plan: _Plan, operands: Sequence[Operand], values: Sequence[Any]
) -> list[Array]:
    host: Any = plan.primitive.host
    if not plan.primitive.fills_out:
        results = quietly(host, *values, **plan.params)
        return [_made(result, sig) for result, sig in zip(results, plan.outs, strict=True)]
    taken: dict[int, tuple[ConcreteArray, ConcreteArray]] = {}
    made: list[ConcreteArray | None] = []
    for sig in plan.outs:
        donor = _donor_of(sig, operands)
        if donor is not None:
            taken[len(made)] = donor, donor._reborn()
            made.append(taken[len(made)][1])
        else:
            fresh = None if sig.is_small else buffers.empty(sig.aval.shape, sig.aval.dtype)
            made.append(None if fresh is None else from_buffer(fresh, sig))
    memory = [None if array is None else array._values() for array in made]
    try:
        results = quietly(host, *values, out=memory, **plan.params)
    except Exception:  # NumPy refuses before it writes
        for donor, owner in taken.values():
            donor._adopt(owner)
        raise
    return [
        _made(result, sig) if array is None else array
        for array, result, sig in zip(made, results, plan.outs, strict=True)
    ]


def _donor_of(sig: Signature, operands: Sequence[Operand]) -> ConcreteArray | None:
    """Return a spare operand of a result's shape and dtype; one that was taken has no memory."""
    for place, operand in enumerate(operands):
        if isinstance(operand, ConcreteArray) and operand.is_spare and operand.aval == sig.aval:
            donor = _spare_operand(operands, place)
            if donor is not None and donor._has_memory():
                return donor
    return None


def _made(result: Any, sig: Signature) -> ConcreteArray:
    if type(result) is not np.ndarray:
        result = np.asarray(result)
    if result.dtype != sig.aval.dtype:
        result = result.astype(sig.aval.dtype)
    if sig.is_small:
        return from_memory(result, sig)
    return from_buffer(buffers.from_host(result, sig.aval), sig)


def _is_one_array(plan: _Plan, operands: Sequence[Operand]) -> bool:
    """Return whether all operands are names of one array, whose memory the result may take.

    That is ``x += x``: each element is read at the place where it is written.
    """
    if len(operands) < 2 or not plan.primitive.is_light or plan.outs[0].aval != plan.avals[0]:
        return False
    first = operands[0]
    return (
        isinstance(first, ConcreteArray)
        and first.is_spare
        and first._buf is not None
        and all([isinstance(x, ConcreteArray) and x._buf is first._buf for x in operands])
    )


def _on_one_array(plan: _Plan, operands: Sequence[Operand]) -> list[Array]:
    first = operands[0]
    assert isinstance(first, ConcreteArray)
    run = plan.compiled_in_place()
    key = note_readers(operands)
    try:
        (made,) = run([first._buffer()])
    finally:
        running.pop(key, None)
    first._drop_memory()
    return [from_buffer(made, plan.outs[0])]


def _on_xla(plan: _Plan, operands: Sequence[Operand]) -> list[Array]:
    if _is_one_array(plan, operands):
        return _on_one_array(plan, operands)
    donors = tuple(
        [
            i
            for i, operand in enumerate(operands)
            if isinstance(operand, ConcreteArray)
            and operand.is_spare
            and _spare_operand(operands, i) is not None
        ]
    )
    run, alias = plan.compiled(donors)
    key = note_readers(operands)
    try:
        inputs = [
            operand._buffer() if isinstance(operand, ConcreteArray) else _constant(operand)
            for operand in operands
        ]
        results = run(inputs)
    finally:
        running.pop(key, None)
    for i in donors:
        operand = operands[i]
        if isinstance(operand, ConcreteArray) and i not in alias.freed:
            operand._drop_memory()
    return [from_buffer(buf, sig) for buf, sig in zip(results, plan.outs, strict=True)]


def _constant(operand: Operand) -> buffers.Buffer:
    values = np.asarray(operand)
    return buffers.from_host(values, aval_of(values))


eager_trace: Final = EagerTrace()
ConcreteArray._trace = eager_trace
install(eager_trace, TracedArray)
ffi.add_resolver(PREFIX, KERNELS.get)
