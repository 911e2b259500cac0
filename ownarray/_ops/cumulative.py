"""Cumulative sums, products, extrema and sums of exponentials along an axis.

On the host each is NumPy's `accumulate`; `_ops.scans` has the lowering.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.dtypes import (
    BOOL,
    FLOAT,
    FLOAT32,
    INT32,
    NARROW_FLOAT,
    NUMERIC,
    SUB_BYTE,
    DType,
)
from ownarray._core.primitive import Missing, Primitive
from ownarray._lower.types import i64_array
from ownarray._ops.arithmetic import add, div, mul, number, sub
from ownarray._ops.assemble import concatenate, reverse
from ownarray._ops.compare import eq, gt, lower_extremum, lt, maximum, minimum, where
from ownarray._ops.entries import Span, whole
from ownarray._ops.powers import logaddexp, lower_logaddexp
from ownarray._ops.rules import BatchDims, Tangents, cast, deliver
from ownarray._ops.scans import Combine, scan
from ownarray._ops.slicing import take
from ownarray._ops.structural import nonzero_tangent
from ownarray._ops.transcendental import exp
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

Pair = tuple[Operand, Operand]
_HALF = NARROW_FLOAT | {np.dtype(np.float16)}


def _aval(x: ShapedArray, *, axis: int, backwards: bool, allowed: frozenset[DType]) -> ShapedArray:
    if x.dtype not in allowed:
        raise TypeError(f"a cumulative operation expects numbers, got {x}")
    if not 0 <= axis < x.ndim:
        raise ValueError(f"a cumulative operation along axis {axis}: {x} has no such axis")
    return x.strong()


def _wide(dtype: DType) -> DType:
    if dtype in _HALF:
        return FLOAT32
    return INT32 if dtype in SUB_BYTE else dtype


def _host(ufunc: np.ufunc) -> Callable[..., Any]:
    def host(x: HostArray, *, axis: int, backwards: bool, out: HostArray | None = None) -> Any:
        wide = _wide(x.dtype)
        if not backwards and wide == x.dtype:
            return ufunc.accumulate(x, axis=axis, dtype=wide, out=out)
        values = x.astype(wide) if wide != x.dtype else x
        if backwards:
            values = np.flip(values, axis)
        result = ufunc.accumulate(values, axis=axis, dtype=wide)
        if backwards:
            result = np.flip(result, axis)
        if out is None:
            return np.array(result, dtype=x.dtype, order="C")
        return deliver(result, out)

    return host


# Lowering.


def _lower(
    builder: Builder, out: ShapedArray, x: Value, *, axis: int, backwards: bool, combine: Combine
) -> Value:
    if out.size == 0:
        return x
    x = cast(builder, x, _wide(out.dtype))
    turn = f"dimensions = {i64_array((axis,))}"
    if backwards:
        x = builder.op("stablehlo.reverse", [x], x.aval, turn)
    x = scan(builder, x, axis, combine)
    if backwards:
        x = builder.op("stablehlo.reverse", [x], x.aval, turn)
    return cast(builder, x, out.dtype)


def _op(name: str) -> Combine:
    return lambda builder, x, y: builder.op(name, [x, y], x.aval)


def _extremum(op: str, direction: str) -> Combine:
    return lambda builder, x, y: lower_extremum(
        builder, x.aval, x, y, op=f"stablehlo.{op}", direction=direction
    )


# Derivatives: values are scanned together with their tangents.


def _part(x: Operand, axis: int, start: int, size: int) -> Operand:
    spans = [whole(n) for n in operand_aval(x).shape]
    spans[axis] = Span(start, 1, size)
    return take(x, tuple(spans))


def _scan_pairs(
    x: Operand, t: Operand, axis: int, combine: Callable[[Pair, Pair], Pair], *, backwards: bool
) -> Operand:
    """Return the tangents of a scan, by doubling the distance of what is combined."""
    if backwards:
        x, t = reverse(x, (axis,)), reverse(t, (axis,))
    n = operand_aval(x).shape[axis]
    distance = 1
    while distance < n:
        keep, rest = distance, n - distance
        before = _part(x, axis, 0, rest), _part(t, axis, 0, rest)
        here = _part(x, axis, keep, rest), _part(t, axis, keep, rest)
        x_tail, t_tail = combine(before, here)
        x = concatenate([_part(x, axis, 0, keep), x_tail], axis)
        t = concatenate([_part(t, axis, 0, keep), t_tail], axis)
        distance *= 2
    return reverse(t, (axis,)) if backwards else t


def _product_pair(before: Pair, here: Pair) -> Pair:
    (x, t), (y, u) = before, here
    return mul(x, y), add(mul(t, y), mul(x, u))


def _maximum_pair(before: Pair, here: Pair) -> Pair:
    (x, t), (y, u) = before, here
    return maximum(x, y), where(gt(y, x), u, t)


def _minimum_pair(before: Pair, here: Pair) -> Pair:
    (x, t), (y, u) = before, here
    return minimum(x, y), where(lt(y, x), u, t)


def _logsumexp_pair(before: Pair, here: Pair) -> Pair:
    (x, t), (y, u) = before, here
    one = number(1, x)
    share = where(eq(x, y), number(0.5, x), div(one, add(one, exp(sub(x, y)))))
    return logaddexp(x, y), add(mul(t, sub(one, share)), mul(u, share))


def _cumulative(
    name: str,
    ufunc: np.ufunc,
    combine: Combine,
    pair: Callable[[Pair, Pair], Pair],
    allowed: frozenset[DType],
) -> Primitive:
    def jvp(
        primals: Sequence[Operand], tangents: Tangents, ans: Operand, *, axis: int, backwards: bool
    ) -> Operand:
        t = nonzero_tangent(tangents)
        return _scan_pairs(primals[0], t, axis, pair, backwards=backwards)

    def batch(
        args: Sequence[Operand], bdims: BatchDims, *, axis: int, backwards: bool
    ) -> tuple[Array, int]:
        return _batch(primitive, args, bdims, axis=axis, backwards=backwards)

    primitive = Primitive(
        name=name,
        is_kept=True,
        prefers_host=True,
        aval=partial(_aval, allowed=allowed),
        host=_host(ufunc),
        lower=partial(_lower, combine=combine),
        jvp=jvp,
        transpose=Missing("not linear"),
        batch=batch,
    )
    return primitive


def _batch(
    primitive: Primitive,
    args: Sequence[Operand],
    bdims: BatchDims,
    *,
    axis: int,
    backwards: bool,
) -> tuple[Array, int]:
    bdim = bdims[0]
    assert bdim is not None
    return bind(primitive, args[0], axis=axis + (axis >= bdim), backwards=backwards), bdim


def cumsum(x: Operand, axis: int, *, backwards: bool = False) -> Array:
    """Apply `cumsum_p`, without promotion."""
    return bind(cumsum_p, x, axis=axis, backwards=backwards)


cumsum_p: Primitive = Primitive(
    name="cumsum",
    is_kept=True,
    prefers_host=True,
    aval=partial(_aval, allowed=NUMERIC),
    host=_host(np.add),
    lower=partial(_lower, combine=_op("stablehlo.add")),
    jvp=lambda primals, tangents, ans, **params: cumsum(tangents[0], **params),
    transpose=lambda ct, x, *, axis, backwards: [cumsum(ct, axis, backwards=not backwards)],
    batch=lambda args, bdims, **params: _batch(cumsum_p, args, bdims, **params),
)
cumprod_p = _cumulative("cumprod", np.multiply, _op("stablehlo.multiply"), _product_pair, NUMERIC)
cummax_p = _cumulative(
    "cummax", np.maximum, _extremum("maximum", "GE"), _maximum_pair, NUMERIC | {BOOL}
)
cummin_p = _cumulative(
    "cummin", np.minimum, _extremum("minimum", "LE"), _minimum_pair, NUMERIC | {BOOL}
)
cumlogsumexp_p = _cumulative("cumlogsumexp", np.logaddexp, lower_logaddexp, _logsumexp_pair, FLOAT)
