"""A primitive is one frozen record in one place: every rule it has, and why it lacks the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from ownarray._core.aval import ShapedArray

    Host = np.ndarray[tuple[int, ...], np.dtype[np.generic]]


@dataclass(frozen=True, slots=True)
class Missing:
    """A rule that a primitive does not have, with the reason; using it raises with that reason."""

    why: str


@dataclass(frozen=True, slots=True)
class Linear:
    """In a transpose rule: an argument in which the operation is linear, known by its aval only."""

    aval: ShapedArray


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Primitive:
    """One operation of programs.

    Operands are positional arrays, everything static is a keyword parameter. With ``multiple`` the
    aval, host, lowering, jvp and batch rules give sequences, one entry for each result.

    Attributes
    ----------
    name : str
    multiple : bool
        Whether it has a list of results rather than one.
    prefers_host : bool
        Whether NumPy or SciPy is the better kernel on the CPU at every size.
    fills_out : bool
        With ``multiple``, whether the host rule writes its results into the memories in ``out``
        (None where a result has none) and returns those; the others are called without.
    is_light : bool
        Whether each element of the result is made of those at the same place (or of one element, or
        of the place), in about the time of reading them from memory.
    is_kept : bool
        Whether XLA writes its result to memory, once, and does not compute it anew in each reader;
        so it does with all results of operations that have several.
    is_moving : bool
        Whether elements change their places.
    aval : callable
        ``aval(*avals, **params) -> aval``: shape and dtype of the result; TypeError and ValueError
        for operands that do not fit.
    host : callable or Missing
        ``host(*arrays, out=None, **params) -> array``: NumPy's own computation; the result is fresh
        memory, or ``out`` where it is given (an operand may be ``out``). Never a view.
    lower : callable
        ``lower(builder, out, *values, **params) -> value``: StableHLO; ``out`` is the aval.
    jvp : callable or Missing
        ``jvp(primals, tangents, ans, **params) -> tangent``; a tangent is None where it is zero.
    transpose : callable or Missing
        ``transpose(ct, *args, **params) -> cotangents``, one for each argument (None for those that
        are not `Linear`); for operations that are linear in some arguments.
    batch : callable or Missing
        ``batch(args, bdims, **params) -> (out, bdim)``; a bdim is None where there is no batch
        axis.
    differentiate : callable, optional
        For primitives that hold programs or functions, whose values and tangents are computed
        together; it is used instead of ``jvp``:
        ``differentiate(linear, primals, tangents, **params) -> (outs, tangents)``. ``linear`` is
        the trace that the tangents belong to while a function is linearized, else None.
    """

    name: str
    multiple: bool = False
    prefers_host: bool = False
    fills_out: bool = False
    is_light: bool = False
    is_kept: bool = False
    is_moving: bool = False
    aval: Callable[..., Any]
    host: Callable[..., Any] | Missing
    lower: Callable[..., Any]
    jvp: Callable[..., Any] | Missing
    transpose: Callable[..., Any] | Missing
    batch: Callable[..., Any] | Missing
    differentiate: Callable[..., Any] | None = None

    def __repr__(self) -> str:
        return f"{self.name}_p"

    def out_avals(self, avals: Sequence[ShapedArray], params: dict[str, Any]) -> list[ShapedArray]:
        """Return the avals of the results, always as a list."""
        result = self.aval(*avals, **params)
        return list(result) if self.multiple else [result]


def rule(primitive: Primitive, name: str) -> Callable[..., Any]:
    """Return a rule of a primitive.

    Raises
    ------
    NotImplementedError
        If the rule is missing, with the written reason.
    """
    found: Callable[..., Any] | Missing = getattr(primitive, name)
    if isinstance(found, Missing):
        raise NotImplementedError(f"{primitive.name} has no {name} rule: {found.why}")
    return found
