"""NumPy's cumulative functions on arrays, and differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._core.dtypes import BOOL, canonical
from ownarray._ops import cumulative, elementwise, logic
from ownarray._ops.assemble import concatenate
from ownarray._ops.convert import cast_to
from ownarray._ops.entries import Span, whole
from ownarray._ops.promote import arithmetic, floating, operand, sum_dtype
from ownarray._ops.rules import normal_axis
from ownarray._ops.slicing import take
from ownarray._ops.structural import broadcast_to, copy, reshape_to
from ownarray._trace.bind import Operand, bind, operand_aval

if TYPE_CHECKING:
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array


def _along(name: str, x: Operand, axis: int | None) -> tuple[Operand, int]:
    """Return an array and the axis to walk along; None flattens it."""
    aval = operand_aval(x)
    if axis is None:
        return (x if aval.ndim == 1 else reshape_to(x, (aval.size,))), 0
    return x, normal_axis(name, axis, aval.ndim)


def _scan(primitive: Primitive, x: Operand, axis: int) -> Array:
    return bind(primitive, x, axis=axis, backwards=False)


def _with_initial(result: Array, axis: int, value: float) -> Array:
    """Return cumulative values with the neutral element in front."""
    shape = (*result.shape[:axis], 1, *result.shape[axis + 1 :])
    first = broadcast_to(result.dtype.type(value), shape)
    return concatenate([first, result], axis)


def cumsum(
    x: object, axis: int | None = None, dtype: object = None, *, include_initial: bool = False
) -> Array:
    """Return the sums up to each place along an axis; None flattens first."""
    value = operand("cumsum", x)
    kind = sum_dtype(operand_aval(value).dtype) if dtype is None else canonical(dtype, "cumsum")
    value, place = _along("cumsum", cast_to(value, kind), axis)
    result = _scan(cumulative.cumsum_p, value, place)
    return _with_initial(result, place, 0) if include_initial else result


def cumprod(
    x: object, axis: int | None = None, dtype: object = None, *, include_initial: bool = False
) -> Array:
    """Return the products up to each place along an axis; None flattens first."""
    value = operand("cumprod", x)
    kind = sum_dtype(operand_aval(value).dtype) if dtype is None else canonical(dtype, "cumprod")
    value, place = _along("cumprod", cast_to(value, kind), axis)
    result = _scan(cumulative.cumprod_p, value, place)
    return _with_initial(result, place, 1) if include_initial else result


def cummax(x: object, axis: int | None = None) -> Array:
    """Return the greatest element up to each place along an axis; None flattens first."""
    value, place = _along("cummax", operand("cummax", x), axis)
    return _scan(cumulative.cummax_p, value, place)


def cummin(x: object, axis: int | None = None) -> Array:
    """Return the least element up to each place along an axis; None flattens first."""
    value, place = _along("cummin", operand("cummin", x), axis)
    return _scan(cumulative.cummin_p, value, place)


def cumlogsumexp(x: object, axis: int | None = None) -> Array:
    """Return the logarithm of the sum of exponentials up to each place along an axis."""
    value, place = _along("cumlogsumexp", floating("cumlogsumexp", x)[0], axis)
    return _scan(cumulative.cumlogsumexp_p, value, place)


def diff(
    x: object, n: int = 1, axis: int = -1, *, prepend: object = None, append: object = None
) -> Array:
    """Return the n-th differences of neighbours along an axis."""
    if n < 0:
        raise ValueError(f"diff: the order must not be negative, got {n}")
    value = operand("diff", x)
    if not operand_aval(value).ndim:
        raise ValueError("diff: expected an array of one axis at least")
    place = normal_axis("diff", axis, operand_aval(value).ndim)
    value = _extended(value, place, prepend, append)
    for _ in range(n):
        size = max(operand_aval(value).shape[place] - 1, 0)
        upper, lower = _part(value, place, 1, size), _part(value, place, 0, size)
        is_truth = operand_aval(value).dtype == BOOL
        value = logic.not_equal(upper, lower) if is_truth else elementwise.subtract(upper, lower)
    return copy(value) if n == 0 else value  # type: ignore[return-value]


def _extended(x: Operand, axis: int, prepend: object, append: object) -> Operand:
    parts = [x]
    for end, value in ((0, prepend), (len(parts), append)):
        if value is None:
            continue
        part = operand("diff", value)
        if not operand_aval(part).ndim:
            shape = operand_aval(x).shape
            part = broadcast_to(part, (*shape[:axis], 1, *shape[axis + 1 :]))
        parts.insert(0 if end == 0 else len(parts), part)
    if len(parts) == 1:
        return x
    return concatenate(arithmetic("diff", *parts), axis)


def _part(x: Operand, axis: int, start: int, size: int) -> Array:
    spans = [whole(m) for m in operand_aval(x).shape]
    spans[axis] = Span(start if size else 0, 1, size)
    return take(x, tuple(spans))
