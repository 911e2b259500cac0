"""Element-wise functions: mantissa and exponent, whole part and rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import mantissas

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@often
def ldexp(x1: Like, x2: Like, /) -> Array:
    """Return ``x1 * 2**x2``, exact wherever the dtype has that number.

    Parameters
    ----------
    x1 : Array of real numbers, or number; lent, or consumed if a handle
    x2 : Array of integers, or int; lent, or consumed if a handle

    Returns
    -------
    Array of the broadcast shape and the floating-point dtype of x1; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TypeError
        If the exponents are not integers.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ldexp(3.0, oa.asarray([0, 1, -1])).tolist()
    [3.0, 6.0, 1.5]
    """
    return mantissas.ldexp(x1, x2)


@often
def frexp(x: Like, /) -> tuple[Array, Array]:
    """Return a mantissa and a power of 2 that make x: ``x == mantissa * 2**exponent``.

    Parameters
    ----------
    x : Array of real numbers, or number; lent, or consumed if a handle

    Returns
    -------
    mantissa : Array of the shape and floating-point dtype of x; owned
        Of a size in [0.5, 1); zeros, infinities and NaN stay, with the exponent 0.
    exponent : Array of int32; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> mantissa, exponent = oa.frexp(oa.asarray([6.0, 0.0]))
    >>> mantissa.tolist(), exponent.tolist()
    ([0.75, 0.0], [3, 0])
    """
    return mantissas.frexp(x)


@often
def modf(x: Like, /) -> tuple[Array, Array]:
    """Return what stands behind the point, and what stands before it, both with the sign of x.

    Parameters
    ----------
    x : Array of real numbers, or number; lent, or consumed if a handle

    Returns
    -------
    fractional, integral : Array of the shape and floating-point dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> [part.tolist() for part in oa.modf(oa.asarray([2.5, -0.25]))]
    [[0.5, -0.25], [2.0, -0.0]]
    """
    return mantissas.modf(x)
