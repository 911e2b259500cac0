"""Identities with a meaning for derivatives or the compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._core.primitive import Missing, Primitive
from ownarray._ops.structural import copy_p
from ownarray._trace.bind import AbstractArray, Operand, bind, bind_multiple, current_trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array


stop_gradient_p = Primitive(
    name="stop_gradient",
    aval=lambda x: x,
    host=copy_p.host,
    lower=copy_p.lower,
    jvp=lambda primals, tangents, ans: None,
    transpose=Missing("it has no tangent, so nothing is to be transposed"),
    batch=lambda args, bdims: (stop_gradient(args[0]), bdims[0]),
)


def stop_gradient(x: Operand) -> Array:
    """Return a copy of x that counts as a constant in derivatives."""
    return bind(stop_gradient_p, x)


def _lower_barrier(builder: Builder, outs: Sequence[ShapedArray], *values: Value) -> list[Value]:
    return builder.multi_op("stablehlo.optimization_barrier", values, outs)


barrier_p: Primitive = Primitive(
    name="barrier",
    multiple=True,
    aval=lambda *avals: list(avals),
    host=Missing("it only means something to the compiler"),
    lower=_lower_barrier,
    jvp=lambda primals, tangents, outs: tangents,
    transpose=lambda cts, *args: cts,
    batch=lambda args, bdims: (bind_multiple(barrier_p, *args), bdims),
)


after_p: Primitive = Primitive(
    name="after",
    multiple=True,
    aval=lambda *avals: list(avals),
    host=Missing("it only means something to the compiler"),
    lower=lambda builder, outs, *values: builder.multi_op("ownarray.after", values, outs),
    jvp=Missing("it is put in when all derivatives have been taken"),
    transpose=Missing("it is put in when all derivatives have been taken"),
    batch=Missing("it is put in when all programs have been batched"),
)
"""The operands, once all of them are in memory (`_array/order.py`). The backend writes it as
XLA's version has it: no StableHLO operation says this on all."""


def barrier(operands: Sequence[Operand]) -> list[Operand]:
    """Return the same values, so that the compiler does not merge what is computed from them.

    Computing the same from the values before the barrier stays a computation of its own. Outside of
    traces nothing is merged, and this is the identity.
    """
    depths = [x._trace.depth for x in operands if isinstance(x, AbstractArray)]
    if max([current_trace().depth, *depths]) == 0 or not operands:
        return list(operands)
    return list(bind_multiple(barrier_p, *operands))
