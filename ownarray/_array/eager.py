"""The interpreter that computes at once: small arrays through NumPy, large ones through XLA.

Which engine computes depends on the primitive, the shapes and the dtypes only, never on who owns
an operand, so a lent, a moved and a copied operand give the same bits.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._array.cell import Signature, signature
from ownarray._array.concrete import ConcreteArray, from_buffer, from_memory
from ownarray._array.running import running
from ownarray._array.traced import TracedArray
from ownarray._backend import buffers, ffi
from ownarray._backend.compile import Executable, compile_text
from ownarray._core.aval import ShapedArray, aval_of
from ownarray._core.primitive import Missing, Primitive
from ownarray._core.program import Eqn, Program, Var, subprograms
from ownarray._lower.text import lower
from ownarray._ops.host_calls import PREFIX
from ownarray._ops.kernels import KERNELS
from ownarray._ops.quiet import quietly
from ownarray._ownership import AliasPlan, plan_aliases
from ownarray._trace.bind import HostArray, Operand, Trace, install, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._ops.operators import Array

MAX_PLANS: Final = 4096
"""How many operations (primitive, avals, parameters) are remembered."""
MAX_EXECUTABLES: Final = 512
"""How many executables of eager operations are remembered."""


class _Plan:
    """How one operation on operands of certain avals is computed."""

    __slots__ = ("avals", "executables", "outs", "params", "primitive", "uses_host")

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
        self.executables: dict[tuple[int, ...], tuple[Executable, AliasPlan]] = {}

    def executable(self, donors: tuple[int, ...]) -> tuple[Executable, AliasPlan]:
        """Return the compiled operation in which these operands give their memory."""
        found = self.executables.get(donors)
        if found is None:
            params = tuple([Var(aval) for aval in self.avals])
            outs = tuple([Var(out.aval) for out in self.outs])
            program = Program(params, (Eqn(self.primitive, params, self.params, outs),), outs)
            plan = plan_aliases(
                [(i, self.avals[i]) for i in donors], [out.aval for out in self.outs]
            )
            reused = sum(
                out.aval.nbytes
                for out, donor in zip(self.outs, plan.donor_of, strict=True)
                if donor is not None
            )
            text = lower(program, plan.donor_of)
            executable = compile_once(text, tuple([out.aval for out in self.outs]), reused)
            found = self.executables[donors] = (executable, plan)
        return found


@lru_cache(maxsize=MAX_EXECUTABLES)
def compile_once(text: str, outs: tuple[ShapedArray, ...], alias_bytes: int) -> Executable:
    """Return the executable of a text; loops are traced anew each time, but compiled once."""
    return compile_text(text, outs, alias_bytes)


class EagerTrace(Trace):
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
        if plan.uses_host:
            return _on_host(plan, operands)
        return _on_xla(plan, operands)

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


def _host_value(operand: Operand) -> HostArray | np.generic:
    return operand._values() if isinstance(operand, ConcreteArray) else operand  # type: ignore[return-value]


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
    values = [_host_value(operand) for operand in operands]
    host: Any = plan.primitive.host
    if plan.primitive.multiple:
        results = quietly(host, *values, **plan.params)
        return [_made(result, sig) for result, sig in zip(results, plan.outs, strict=True)]
    sig = plan.outs[0]
    for place, operand in enumerate(operands):
        if isinstance(operand, ConcreteArray) and operand.is_spare and operand.aval == sig.aval:
            donor = _spare_operand(operands, place)
            if donor is not None:
                # First of all the donor lets go: a second read of it would see the result.
                memory, taken = donor._values(), _take_over(donor)
                host(*values, out=memory, **plan.params)
                return [taken]
    if sig.is_small:
        return [_made(quietly(host, *values, **plan.params), sig)]
    fresh = from_buffer(_fresh_memory(sig.aval), sig)
    quietly(host, *values, out=fresh._values(), **plan.params)
    return [fresh]


def _fresh_memory(aval: ShapedArray) -> buffers.Buffer:
    # Reading memory that nobody has written costs no pages, so only the buffer's own are touched.
    return buffers.from_host(np.empty(aval.shape, aval.dtype), aval)


def _take_over(donor: ConcreteArray) -> ConcreteArray:
    """Return a new owner of a spare array's memory."""
    if donor._buf is not None:
        made = from_buffer(donor._buf, donor._sig)
        made._host = donor._host
    else:
        made = from_memory(donor._values(), donor._sig)
    donor._drop_memory()
    return made


def _made(result: Any, sig: Signature) -> ConcreteArray:
    if type(result) is not np.ndarray:
        result = np.asarray(result)
    if result.dtype != sig.aval.dtype:
        result = result.astype(sig.aval.dtype)
    if sig.is_small:
        return from_memory(result, sig)
    return from_buffer(buffers.from_host(result, sig.aval), sig)


def _on_xla(plan: _Plan, operands: Sequence[Operand]) -> list[Array]:
    donors = tuple(
        [
            i
            for i, operand in enumerate(operands)
            if isinstance(operand, ConcreteArray)
            and operand.is_spare
            and _spare_operand(operands, i) is not None
        ]
    )
    executable, alias = plan.executable(donors)
    inputs = [
        operand._buffer() if isinstance(operand, ConcreteArray) else _constant(operand)
        for operand in operands
    ]
    running[id(inputs)] = operands
    try:
        results = executable.run(inputs)
    finally:
        del running[id(inputs)]
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
