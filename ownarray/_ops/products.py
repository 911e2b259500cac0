"""Products of stacks of matrices and vectors, and powers in float64."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import COMPLEX
from ownarray._ops import elementwise, matmul, shapes
from ownarray._ops.promote import as_dtype, common, operand
from ownarray._trace.bind import operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array


def matvec(x: object, y: object) -> Array:
    """Return the products of matrices and vectors."""
    return _product("matvec", x, y, axis=-1)


def vecmat(x: object, y: object) -> Array:
    """Return the products of vectors, conjugated, and matrices."""
    return _product("vecmat", x, y, axis=-2)


def _product(name: str, x: object, y: object, *, axis: int) -> Array:
    left, right = operand(name, x), operand(name, y)
    n_axes = (operand_aval(left).ndim, operand_aval(right).ndim)
    least = (2, 1) if axis == -1 else (1, 2)
    if n_axes[0] < least[0] or n_axes[1] < least[1]:
        raise ValueError(f"{name}: {operand_aval(left)} and {operand_aval(right)} have no product")
    if axis == -1:
        right = shapes.expand_dims(right, -1)
    else:
        if operand_aval(left).dtype in COMPLEX:
            left = elementwise.conj(left)
        left = shapes.expand_dims(left, -2)
    return shapes.squeeze(matmul.matmul(left, right), axis)


def float_power(x: object, y: object) -> Array:
    """Return x to the power of y, in float64 or complex128."""
    dtype, _ = common("float_power", x, y)
    kind = np.dtype(np.complex128 if dtype in COMPLEX else np.float64)
    return elementwise.power(as_dtype("float_power", x, kind), as_dtype("float_power", y, kind))
