"""NumPy's functions on series: differences, angles without jumps, polynomials through points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import INT64, INTEGER
from ownarray._ops import accumulate, elementwise, linalg, logic, reduction, shapes
from ownarray._ops.known import as_array
from ownarray._ops.promote import as_dtype, common, floating, operand
from ownarray._ops.structural import broadcast_to
from ownarray._trace.bind import operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array
    from ownarray._trace.bind import Operand


def ediff1d(x: object, to_end: object, to_begin: object) -> Array:
    """Return the differences of neighbours in row-major order, with others around them."""
    flat = shapes.ravel(operand("ediff1d", x))
    parts: list[Array] = [accumulate.diff(flat)]
    for place, other in ((1, to_end), (0, to_begin)):
        if other is None:
            continue
        value = operand("ediff1d", np.asarray(other) if isinstance(other, list | tuple) else other)
        if not np.can_cast(operand_aval(value).dtype, flat.dtype, "same_kind"):
            raise TypeError(f"ediff1d: {operand_aval(value)} does not fit beside {flat.aval}")
        parts.insert(place, shapes.ravel(as_dtype("ediff1d", value, flat.dtype)))
    return shapes.concat(parts) if len(parts) > 1 else parts[0]


def unwrap(x: object, discont: float | None, axis: int, period: float) -> Array:
    """Return angles in which no neighbours differ by more than half a period."""
    value = as_array(operand("unwrap", x))
    steps = accumulate.diff(value, axis=axis)
    if value.dtype not in INTEGER or not isinstance(period, int):
        (steps,) = floating("unwrap", steps)  # type: ignore[assignment]
    half = period / 2
    limit = half if discont is None else max(discont, half)
    if steps.dtype in INTEGER:
        low, is_edge = -(int(period) // 2), int(period) % 2 == 0
    else:
        low, is_edge = -half, True  # type: ignore[assignment]
    turned = elementwise.add(elementwise.remainder(elementwise.subtract(steps, low), period), low)
    if is_edge:
        at_edge = logic.logical_and(logic.equal(turned, low), logic.greater(steps, 0))
        turned = logic.where(at_edge, -low, turned)
    change = elementwise.subtract(turned, steps)
    kept = logic.less(elementwise.abs(steps), limit)
    change = logic.where(kept, 0, change)
    place = axis % value.ndim
    first = tuple([slice(0, 1) if a == place else slice(None) for a in range(value.ndim)])
    rest = tuple([slice(1, None) if a == place else slice(None) for a in range(value.ndim)])
    total = elementwise.add(value[rest], accumulate.cumsum(change, axis))
    return shapes.concat(
        [as_array(as_dtype("unwrap", value[first], total.dtype)), total], axis=axis
    )


def vander(x: object, n: int | None, *, increasing: bool) -> Array:
    """Return a matrix whose columns are the powers of a vector."""
    value = operand("vander", np.asarray(x) if isinstance(x, list | tuple) else x)
    aval = operand_aval(value)
    if aval.ndim != 1:
        raise ValueError(f"vander: expected an array of one axis, got {aval}")
    dtype, _ = common("vander", value, np.int64(0)) if aval.dtype in INTEGER else (aval.dtype, None)
    value = as_dtype("vander", value, INT64 if aval.dtype == np.dtype(bool) else dtype)
    width = aval.shape[0] if n is None else n
    columns: list[Operand] = []
    for power in range(width):
        one = broadcast_to(operand_aval(value).dtype.type(1), aval.shape)
        columns.append(elementwise.multiply(columns[-1], value) if power else one)
    if not width:
        return broadcast_to(operand_aval(value).dtype.type(0), (aval.shape[0], 0))
    return shapes.stack(columns if increasing else columns[::-1], axis=1)


def polyfit(x: object, y: object, deg: int, rcond: float | None, weights: object) -> Array:
    """Return the coefficients of the polynomials that are nearest to points."""
    places, values = floating("polyfit", x, y)
    have, wanted = operand_aval(places), operand_aval(values)
    if deg < 0:
        raise ValueError(f"polyfit: the degree must not be negative, got {deg}")
    if have.ndim != 1 or not have.size or wanted.ndim not in (1, 2) or wanted.shape[0] != have.size:
        raise ValueError(f"polyfit: values {wanted} do not go with places {have}")
    left, right = vander(places, deg + 1, increasing=False), as_array(values)
    if weights is not None:
        (factors,) = floating("polyfit", weights)
        if operand_aval(factors).shape != have.shape:
            raise ValueError(f"polyfit: weights {operand_aval(factors)} do not go with {have}")
        left = elementwise.multiply(left, shapes.reshape(factors, (-1, 1)))
        column = shapes.reshape(factors, (-1, 1)) if wanted.ndim == 2 else factors
        right = elementwise.multiply(right, column)
    limit = have.size * linalg.epsilon(elementwise.real(places).dtype) if rcond is None else rcond
    scale = elementwise.sqrt(reduction.sum(elementwise.multiply(left, left), axis=0))
    found = linalg.lstsq(elementwise.divide(left, scale), right, limit)[0]
    return elementwise.divide(found, shapes.reshape(scale, (-1, 1)) if wanted.ndim == 2 else scale)
