"""Differences and sums that stand for derivatives and integrals; polynomials; uneven spacings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import COMPLEX, INEXACT, DType
from ownarray._ops import elementwise, mathematical, reduction
from ownarray._ops.arithmetic import add, div, mul, number, sub
from ownarray._ops.assemble import concatenate
from ownarray._ops.compare import where
from ownarray._ops.convert import cast_to
from ownarray._ops.entries import Span, whole
from ownarray._ops.known import as_array
from ownarray._ops.promote import arithmetic, as_dtype, operand, real_default
from ownarray._ops.ranges import linspace
from ownarray._ops.rules import normal_axes, normal_axis
from ownarray._ops.slicing import take
from ownarray._ops.structural import broadcast_to, reshape_to
from ownarray._trace.bind import Operand, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._ops.operators import Array


def _part(x: Operand, axis: int, start: int, stop: int) -> Array:
    """Return a part of x along an axis."""
    spans = [whole(n) for n in operand_aval(x).shape]
    spans[axis] = Span(start, 1, stop - start)
    return take(x, tuple(spans))


def _along(x: Operand, axis: int, ndim: int) -> Operand:
    """Return a vector as it stands along one of several axes."""
    n = operand_aval(x).size
    return reshape_to(x, tuple([n if a == axis else 1 for a in range(ndim)]))


# Derivatives.


def gradient(
    x: object,
    *spacings: object,
    axis: int | Sequence[int] | None = None,
    edge_order: int = 1,
) -> list[Array]:
    """Return central differences along each axis, one-sided ones at the ends."""
    value = operand("gradient", x)
    aval = operand_aval(value)
    axes = normal_axes("gradient", axis, aval.ndim)
    value = cast_to(value, real_default(aval.dtype))
    if edge_order not in (1, 2):
        raise ValueError(f"gradient: expected edge_order 1 or 2, got {edge_order}")
    given = list(spacings) if len(spacings) > 1 else list(spacings or [1.0]) * len(axes)
    if len(given) != len(axes):
        raise ValueError(f"gradient: {len(given)} spacings do not fit {len(axes)} axes")
    return [
        _derivative(value, place, spacing, edge_order)
        for place, spacing in zip(axes, given, strict=True)
    ]


def _derivative(x: Operand, axis: int, spacing: object, edge_order: int) -> Array:
    aval = operand_aval(x)
    n = aval.shape[axis]
    if n < edge_order + 1:
        raise ValueError(
            f"gradient: expected {edge_order + 1} elements at least along axis {axis}, got {aval}"
        )
    steps = _steps(spacing, n, axis, aval.ndim, aval.dtype)
    first, last = _part(x, axis, 0, n - 1), _part(x, axis, 1, n)
    rises = sub(last, first)
    if operand_aval(steps).ndim == 0:
        slopes = div(rises, steps)
        inner = (
            [
                div(
                    add(_part(slopes, axis, 0, n - 2), _part(slopes, axis, 1, n - 1)),
                    number(2, slopes),
                )
            ]
            if n > 2
            else []
        )
        ends = _part(slopes, axis, 0, 1), _part(slopes, axis, n - 2, n - 1)
        if edge_order == 2:
            ends = _curved(slopes, axis, n)
        return concatenate([ends[0], *inner, ends[1]], axis)
    return _uneven(rises, steps, axis, n, edge_order)


def _curved(slopes: Array, axis: int, n: int) -> tuple[Array, Array]:
    """Return slopes at the ends of a parabola through three points."""
    half = number(0.5, slopes)

    def end(near: int, far: int) -> Array:
        close, other = _part(slopes, axis, near, near + 1), _part(slopes, axis, far, far + 1)
        return sub(mul(number(1.5, slopes), close), mul(half, other))

    return end(0, 1), end(n - 2, n - 3)


def _uneven(rises: Array, steps: Operand, axis: int, n: int, edge_order: int) -> Array:
    """Return derivatives between points of uneven distances."""
    slopes = div(rises, steps)
    if n == 2:
        return concatenate([slopes, slopes], axis)
    before, after = _part(steps, axis, 0, n - 2), _part(steps, axis, 1, n - 1)
    left, right = _part(slopes, axis, 0, n - 2), _part(slopes, axis, 1, n - 1)
    both = add(before, after)
    inner = add(div(mul(after, left), both), div(mul(before, right), both))
    ends = _part(slopes, axis, 0, 1), _part(slopes, axis, n - 2, n - 1)
    if edge_order == 2:
        ends = _tilted(slopes, steps, axis, 0, 1), _tilted(slopes, steps, axis, n - 2, n - 3)
    return concatenate([ends[0], inner, ends[1]], axis)


def _tilted(slopes: Array, steps: Operand, axis: int, near: int, far: int) -> Array:
    """Return the slope at the end of a parabola through three points of uneven distances."""
    h, k = _part(steps, axis, near, near + 1), _part(steps, axis, far, far + 1)
    a, b = _part(slopes, axis, near, near + 1), _part(slopes, axis, far, far + 1)
    share = div(h, add(h, k))
    return add(a, mul(share, sub(a, b)))


def _steps(spacing: object, n: int, axis: int, ndim: int, dtype: DType) -> Operand:
    """Return the distances between points: one for all, or one for each pair."""
    value = as_dtype("gradient", operand("gradient", spacing), dtype)
    aval = operand_aval(value)
    if not aval.ndim:
        return value
    if aval.shape != (n,):
        raise ValueError(f"gradient: coordinates {aval} do not fit {n} points along axis {axis}")
    return _along(sub(_part(value, 0, 1, n), _part(value, 0, 0, n - 1)), axis, ndim)


# Integrals.


def trapezoid(y: object, x: object = None, dx: object = 1.0, axis: int = -1) -> Array:
    """Return the integral of straight lines between points."""
    value = operand("trapezoid", y)
    aval = operand_aval(value)
    place = normal_axis("trapezoid", axis, aval.ndim)
    n = aval.shape[place]
    kind = real_default(aval.dtype)
    value = cast_to(value, kind)
    if x is None:
        steps: Operand = as_dtype("trapezoid", dx, kind)
    else:
        points = as_dtype("trapezoid", operand("trapezoid", x), kind)
        shape = operand_aval(points).shape
        if len(shape) == 1:
            if shape != (n,):
                raise ValueError(f"trapezoid: points of shape {shape} do not fit {aval}")
            points = _along(points, place, aval.ndim)
        elif shape != aval.shape:
            raise ValueError(f"trapezoid: points of shape {shape} do not fit {aval}")
        if n < 2:
            steps = number(0, points)
        else:
            steps = sub(_part(points, place, 1, n), _part(points, place, 0, n - 1))
    if n < 2:
        return reduction.sum(mul(value, number(0, value)), place)
    heights = add(_part(value, place, 1, n), _part(value, place, 0, n - 1))
    return reduction.sum(div(mul(steps, heights), number(2, heights)), place)


# Polynomials.


def polyval(coefficients: object, x: object) -> Array:
    """Return the values of a polynomial, the highest power's coefficient first."""
    factors, at = arithmetic("polyval", coefficients, x)
    aval = operand_aval(factors)
    if aval.ndim != 1:
        raise ValueError(f"polyval: expected coefficients along one axis, got {aval}")
    zero = number(0, at)
    result: Operand = broadcast_to(zero, operand_aval(at).shape)
    for i in range(aval.size):
        result = add(mul(result, at), take(factors, (i,)))
    return as_array(result)


# Numbers of equal ratios.


def logspace(
    start: object, stop: object, num: int, dtype: DType, *, endpoint: bool, base: object
) -> Array:
    """Return powers of a base, their exponents evenly spaced."""
    kind = dtype if dtype in INEXACT else np.dtype(np.float64)
    exponents = linspace(start, stop, num, kind, endpoint=endpoint)
    return as_array(cast_to(elementwise.power(base, exponents), dtype))


def geomspace(start: object, stop: object, num: int, dtype: DType, *, endpoint: bool) -> Array:
    """Return numbers of equal ratios between two of one sign."""
    kind = np.result_type(dtype if dtype in INEXACT else np.float64, np.float64)
    if kind in COMPLEX:
        raise TypeError("geomspace: expected real numbers")
    first, last = as_dtype("geomspace", start, kind), as_dtype("geomspace", stop, kind)
    low, high = (mathematical.log(elementwise.abs(end)) for end in (first, last))
    sizes = mathematical.exp(linspace(low, high, num, kind, endpoint=endpoint))
    result: Operand = mul(elementwise.sign(first), sizes)
    # The ends are exact.
    index = np.arange(num).reshape((num, *[1] * (operand_aval(result).ndim - 1)))
    result = where(index == 0, first, result) if num else result
    if endpoint and num > 1:
        result = where(index == num - 1, last, result)
    return as_array(cast_to(result, dtype))
