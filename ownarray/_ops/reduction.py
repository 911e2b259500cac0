"""Reductions of arrays, and the statistics composed of them, with NumPy's rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import (
    BOOL,
    COMPLEX,
    FLOAT32,
    INT64,
    NARROW_FLOAT,
    DType,
    canonical,
)
from ownarray._ops import elementwise, logic, reducers
from ownarray._ops.arithmetic import conj, div, mul, real, sub
from ownarray._ops.compare import where as choose
from ownarray._ops.convert import cast_to, convert
from ownarray._ops.promote import as_dtype, operand, real_default, sum_dtype
from ownarray._ops.rules import normal_axes, sizes_product
from ownarray._ops.structural import broadcast_to, reduce_sum_p, reshape_to
from ownarray._ops.transcendental import sqrt
from ownarray._trace.bind import Operand, bind, operand_aval

if TYPE_CHECKING:
    from ownarray._core.aval import ShapedArray
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array

Axis = int | Sequence[int] | None
_HALF = NARROW_FLOAT | {np.dtype(np.float16)}


def _shape(aval: ShapedArray, axes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that keeps reduced axes as 1."""
    return tuple([1 if axis in axes else n for axis, n in enumerate(aval.shape)])


def _reduce(
    primitive: Primitive,
    name: str,
    x: Operand,
    axis: Axis,
    *,
    keepdims: bool,
    initial: object = None,
    where: object = True,
    neutral: object = None,
) -> Array:
    """Reduce x, elements that ``where`` leaves out replaced by the neutral one."""
    if where is not True:
        if neutral is None:
            if initial is None:
                raise ValueError(
                    f"{name}: to leave out elements (where=), give a value to start from (initial=)"
                )
            neutral = initial
        aval = operand_aval(x)
        mask = as_dtype(name, where, BOOL)
        x = choose(mask, x, as_dtype(name, neutral, aval.dtype))
    aval = operand_aval(x)
    axes = normal_axes(name, axis, aval.ndim)
    if initial is not None and sizes_product(aval.shape, axes) == 0:
        kept = _shape(aval, axes)
        result: Array = broadcast_to(
            as_dtype(name, initial, aval.dtype),
            kept if keepdims else tuple([n for a, n in enumerate(aval.shape) if a not in axes]),
        )
        return result
    result = bind(primitive, x, axes=axes)
    if keepdims:
        result = reshape_to(result, _shape(aval, axes))
    return result


def sum(
    x: object,
    axis: Axis = None,
    dtype: object = None,
    *,
    keepdims: bool = False,
    initial: object = None,
    where: object = True,
) -> Array:
    """Return the sum over axes; integers are summed in 64 bits."""
    value = operand("sum", x)
    kind = sum_dtype(operand_aval(value).dtype) if dtype is None else canonical(dtype, "sum")
    if kind == BOOL:
        return any(value, axis, keepdims=keepdims, where=where)
    result = _reduce(
        reduce_sum_p,
        "sum",
        cast_to(value, kind),
        axis,
        keepdims=keepdims,
        where=where,
        neutral=0,
    )
    return result if initial is None else elementwise.add(result, as_dtype("sum", initial, kind))


def prod(
    x: object,
    axis: Axis = None,
    dtype: object = None,
    *,
    keepdims: bool = False,
    initial: object = None,
    where: object = True,
) -> Array:
    """Return the product over axes; integers are multiplied in 64 bits."""
    value = operand("prod", x)
    kind = sum_dtype(operand_aval(value).dtype) if dtype is None else canonical(dtype, "prod")
    if kind == BOOL:
        return all(value, axis, keepdims=keepdims, where=where)
    result = _reduce(
        reducers.reduce_prod_p,
        "prod",
        cast_to(value, kind),
        axis,
        keepdims=keepdims,
        where=where,
        neutral=1,
    )
    if initial is None:
        return result
    return elementwise.multiply(result, as_dtype("prod", initial, kind))


def max(
    x: object,
    axis: Axis = None,
    *,
    keepdims: bool = False,
    initial: object = None,
    where: object = True,
) -> Array:
    """Return the greatest element over axes; NaN if there is one."""
    value = operand("max", x)
    result = _reduce(
        reducers.reduce_max_p,
        "max",
        value,
        axis,
        keepdims=keepdims,
        initial=initial,
        where=where,
    )
    if initial is None:
        return result
    return logic.maximum(result, as_dtype("max", initial, operand_aval(value).dtype))


def min(
    x: object,
    axis: Axis = None,
    *,
    keepdims: bool = False,
    initial: object = None,
    where: object = True,
) -> Array:
    """Return the least element over axes; NaN if there is one."""
    value = operand("min", x)
    result = _reduce(
        reducers.reduce_min_p,
        "min",
        value,
        axis,
        keepdims=keepdims,
        initial=initial,
        where=where,
    )
    if initial is None:
        return result
    return logic.minimum(result, as_dtype("min", initial, operand_aval(value).dtype))


def any(x: object, axis: Axis = None, *, keepdims: bool = False, where: object = True) -> Array:
    """Return whether an element over axes is not zero."""
    value = as_dtype("any", operand("any", x), BOOL)
    return _reduce(
        reducers.reduce_or_p,
        "any",
        value,
        axis,
        keepdims=keepdims,
        where=where,
        neutral=False,
    )


def all(x: object, axis: Axis = None, *, keepdims: bool = False, where: object = True) -> Array:
    """Return whether no element over axes is zero."""
    value = as_dtype("all", operand("all", x), BOOL)
    return _reduce(
        reducers.reduce_and_p,
        "all",
        value,
        axis,
        keepdims=keepdims,
        where=where,
        neutral=True,
    )


def count_nonzero(x: object, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Return how many elements over axes are not zero."""
    mask = as_dtype("count_nonzero", operand("count_nonzero", x), BOOL)
    return sum(mask, axis, INT64, keepdims=keepdims)


# Statistics.


def _counts(
    name: str, aval: ShapedArray, axis: Axis, where: object, dtype: DType, *, keepdims: bool
) -> Operand:
    """Return how many elements are counted, in a real dtype."""
    axes = normal_axes(name, axis, aval.ndim)
    if where is True:
        return dtype.type(sizes_product(aval.shape, axes))
    mask = broadcast_to(as_dtype(name, where, BOOL), aval.shape)
    return convert(sum(mask, axes, INT64, keepdims=keepdims), dtype)


def mean(
    x: object,
    axis: Axis = None,
    dtype: object = None,
    *,
    keepdims: bool = False,
    where: object = True,
) -> Array:
    """Return the arithmetic mean over axes; of integers as float64."""
    value = operand("mean", x)
    aval = operand_aval(value)
    kind = real_default(aval.dtype) if dtype is None else canonical(dtype, "mean")
    wide = FLOAT32 if kind in _HALF else kind
    total = sum(cast_to(value, wide), axis, keepdims=keepdims, where=where)
    count = _counts("mean", aval, axis, where, wide, keepdims=keepdims)
    return _fresh(elementwise.divide(total, count), kind)


def var(
    x: object,
    axis: Axis = None,
    dtype: object = None,
    *,
    correction: float = 0.0,
    keepdims: bool = False,
    where: object = True,
) -> Array:
    """Return the variance over axes, divided by the number of elements less ``correction``."""
    value = operand("var", x)
    aval = operand_aval(value)
    kind = real_default(aval.dtype) if dtype is None else canonical(dtype, "var")
    wide = FLOAT32 if kind in _HALF else kind
    value = cast_to(value, wide)
    center = mean(value, axis, keepdims=True, where=where)
    away = sub(value, center)
    square = real(mul(away, conj(away))) if wide in COMPLEX else mul(away, away)
    total = sum(square, axis, keepdims=keepdims, where=where)
    part = total.aval.dtype
    count = _counts("var", aval, axis, where, part, keepdims=keepdims)
    degrees = logic.maximum(elementwise.subtract(count, correction), 0)
    return _fresh(div(total, degrees), part if kind in COMPLEX else kind)


def std(
    x: object,
    axis: Axis = None,
    dtype: object = None,
    *,
    correction: float = 0.0,
    keepdims: bool = False,
    where: object = True,
) -> Array:
    """Return the standard deviation over axes, the square root of the variance."""
    return sqrt(var(x, axis, dtype, correction=correction, keepdims=keepdims, where=where))


def _fresh(x: Array, dtype: DType) -> Array:
    return x if x.aval.dtype == dtype else convert(x, dtype)


# Places of extrema.


def _arg(primitive: Primitive, name: str, x: object, axis: int | None, *, keepdims: bool) -> Array:
    value = operand(name, x)
    aval = operand_aval(value)
    if axis is None:
        flat = reshape_to(value, (aval.size,)) if aval.ndim != 1 else value
        result = bind(primitive, flat, axis=0)
        return reshape_to(result, (1,) * aval.ndim) if keepdims else result
    (place,) = normal_axes(name, axis, aval.ndim)
    result = bind(primitive, value, axis=place)
    return reshape_to(result, _shape(aval, (place,))) if keepdims else result


def argmax(x: object, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """Return the place of the first greatest element."""
    return _arg(reducers.argmax_p, "argmax", x, axis, keepdims=keepdims)


def argmin(x: object, axis: int | None = None, *, keepdims: bool = False) -> Array:
    """Return the place of the first least element."""
    return _arg(reducers.argmin_p, "argmin", x, axis, keepdims=keepdims)
