"""Norms of vectors and matrices, and condition numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from ownarray._core.dtypes import COMPLEX
from ownarray._ops import elementwise, reduction, shapes
from ownarray._ops.arithmetic import conj, div, mul
from ownarray._ops.convert import REAL_OF, convert
from ownarray._ops.entries import whole
from ownarray._ops.factor import scalar_like
from ownarray._ops.lapack import check_matrices
from ownarray._ops.linalg import matrices, svdvals
from ownarray._ops.promote import as_dtype, inexact, operand
from ownarray._ops.rules import normal_axes
from ownarray._ops.slicing import take
from ownarray._ops.systems import inv_now
from ownarray._ops.transcendental import sqrt
from ownarray._trace.bind import Operand, operand_aval

if TYPE_CHECKING:
    from ownarray._core.dtypes import DType
    from ownarray._ops.operators import Array

Order: TypeAlias = float | Literal["fro", "nuc"] | None
Axes: TypeAlias = int | Sequence[int] | None


def norm(x: object, ord: Order = None, axis: Axes = None, *, keepdims: bool = False) -> Array:
    """Return norms of vectors or matrices, as NumPy chooses between them."""
    value = operand("norm", x)
    ndim = operand_aval(value).ndim
    if axis is None:
        if ord is None:
            return vector_norm(value, axis=None, keepdims=keepdims)
        if ndim not in (1, 2):
            raise ValueError(f"norm: axis must be given for an array of {ndim} dimensions")
        axis = tuple(range(ndim))
    axes = normal_axes("norm", axis, ndim)
    if len(axes) == 1:
        return vector_norm(value, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) == 2:
        return _matrix_norm(value, axes, "fro" if ord is None else ord, keepdims=keepdims)
    raise ValueError(f"norm: a norm is over one or two axes, got {axis}")


def _floating(name: str, x: object) -> Operand:
    value = operand(name, x)
    return as_dtype(name, value, inexact(operand_aval(value).dtype))


def vector_norm(x: object, *, axis: Axes = None, keepdims: bool = False, ord: Order = 2) -> Array:
    """Return norms of vectors along axes; of all elements by default."""
    value = _floating("vector_norm", x)
    axes = normal_axes("vector_norm", axis, operand_aval(value).ndim)
    if isinstance(ord, str):
        raise ValueError(f"vector_norm: {ord!r} is a norm of matrices")
    order = 2.0 if ord is None else float(ord)
    if order == 0:
        zero = scalar_like(value, 0)
        counted = convert(elementwise.not_equal(value, zero), _real(value))
        return reduction.sum(counted, axis=axes, keepdims=keepdims)
    if order == 2:
        return sqrt(reduction.sum(_squares(value), axis=axes, keepdims=keepdims))
    size = elementwise.abs(value)
    if order == np.inf:
        return reduction.max(size, axis=axes, keepdims=keepdims)
    if order == -np.inf:
        return reduction.min(size, axis=axes, keepdims=keepdims)
    if order == 1:
        return reduction.sum(size, axis=axes, keepdims=keepdims)
    power = reduction.sum(elementwise.power(size, order), axis=axes, keepdims=keepdims)
    return elementwise.power(power, 1 / order)


def _real(x: Operand) -> DType:
    dtype = operand_aval(x).dtype
    return REAL_OF.get(dtype, dtype)


def _squares(x: Operand) -> Array:
    if operand_aval(x).dtype in COMPLEX:
        parts = elementwise.multiply(x, conj(x))
        return elementwise.real(parts)
    return mul(x, x)


_SUMS: Final = {1: (0, "max"), -1: (0, "min"), np.inf: (1, "max"), -np.inf: (1, "min")}
"""For norms by sums: over which of the two axes the sum goes, and what is taken of the sums."""


def matrix_norm(x: object, *, keepdims: bool = False, ord: Order = "fro") -> Array:
    """Return norms of matrices over the last two axes."""
    value = operand("matrix_norm", x)
    ndim = operand_aval(value).ndim
    if ndim < 2:
        raise ValueError(f"matrix_norm: expected matrices, got {operand_aval(value)}")
    order: Order = "fro" if ord is None else ord
    return _matrix_norm(value, (ndim - 2, ndim - 1), order, keepdims=keepdims)


def _matrix_norm(x: object, axes: tuple[int, ...], order: Order, *, keepdims: bool) -> Array:
    value = _floating("matrix_norm", x)
    if order == "fro":
        return sqrt(reduction.sum(_squares(value), axis=axes, keepdims=keepdims))
    if isinstance(order, str) and order != "nuc":
        raise ValueError(f"matrix_norm: there is no norm {order!r}")
    moved = shapes.moveaxis(value, axes, (-2, -1))
    if not isinstance(order, str) and order in _SUMS:
        over, extremum = _SUMS[order]
        sums = reduction.sum(elementwise.abs(moved), axis=over - 2)
        pick: Callable[..., Array] = reduction.max if extremum == "max" else reduction.min
        result = pick(sums, axis=-1)
    elif order in ("nuc", 2, -2):
        size = svdvals(moved)
        reduce: dict[Any, Callable[..., Array]] = {
            "nuc": reduction.sum,
            2: reduction.max,
            -2: reduction.min,
        }
        result = reduce[order](size, axis=-1)
    else:
        raise ValueError(f"matrix_norm: there is no norm of order {order}")
    if keepdims:
        result = shapes.expand_dims(result, sorted(axes))
    return result


def cond(x: object, p: Order = None) -> Array:
    """Return condition numbers."""
    value = matrices("cond", x)
    if p is None or p in (2, -2):
        size = svdvals(value)
        n = operand_aval(size).shape[-1]
        if not n:
            raise np.linalg.LinAlgError("cond is not defined on empty arrays")
        batch = [whole(m) for m in operand_aval(size).shape[:-1]]
        first, last = (take(size, (*batch, i)) for i in (0, n - 1))
        return div(last, first) if p == -2 else div(first, last)
    check_matrices("cond", operand_aval(value), square=True)
    inverse = inv_now(value)
    return mul(matrix_norm(value, ord=p), matrix_norm(inverse, ord=p))
