"""Differences, angles without jumps, and polynomials through points."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import series

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@often
def ediff1d(x: Like, /, to_end: Like | None = None, to_begin: Like | None = None) -> Array:
    """Return the differences of neighbouring elements, in row-major order.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    to_end, to_begin : Array or number, optional; lent, or consumed if a handle
        What is put behind the differences, and before them.

    Returns
    -------
    Array of one axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TypeError
        If what is put there has a dtype that does not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ediff1d(oa.asarray([1, 2, 4]), to_end=9).tolist()
    [1, 2, 9]
    """
    return series.ediff1d(x, to_end, to_begin)


@often
def unwrap(
    x: Like, /, discont: float | None = None, axis: int = -1, *, period: float = 6.283185307179586
) -> Array:
    """Return angles without jumps: a period is added or taken where neighbours differ by more.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    discont : float, optional
        Only greater steps are changed; default and least: half a period.
    axis : int, default -1
    period : float, default 2 pi

    Returns
    -------
    Array of the shape of x; owned
        Integers stay integers if the period is an int.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.unwrap(oa.asarray([0, 1, 2, -1, 0]), period=4).tolist()
    [0, 1, 2, 3, 4]
    """
    return series.unwrap(x, discont, axis, period)


@often
def vander(x: Like, /, n: int | None = None, increasing: bool = False) -> Array:
    """Return a matrix whose columns are the powers of a vector.

    Parameters
    ----------
    x : Array of one axis; lent, or consumed if a handle
    n : int, optional
        The columns; default: as many as rows.
    increasing : bool, default False
        Whether the power 0 stands first.

    Returns
    -------
    Array of two axes and the dtype of x (int64 at least); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x has not one axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.vander(oa.asarray([2, 3]), 3).tolist()
    [[4, 2, 1], [9, 3, 1]]
    """
    return series.vander(x, None if n is None else index(n), increasing=increasing)


@often
def polyfit(
    x: Like, y: Like, /, deg: int, rcond: float | None = None, *, w: Like | None = None
) -> Array:
    """Return the polynomial of a degree that is nearest to points, by least squares.

    Parameters
    ----------
    x : Array of shape (m,); lent, or consumed if a handle
    y : Array of shape (m,) or (m, k); lent, or consumed if a handle
        One set of values for each polynomial.
    deg : int
    rcond : float, optional
        Smaller singular values, relative to the greatest, count as zero; default: m times the
        precision of the dtype.
    w : Array of shape (m,), optional; lent, or consumed if a handle
        What the distances are multiplied by.

    Returns
    -------
    Array of shape (deg + 1,) or (deg + 1, k); owned
        The coefficients, that of the highest power first, as `polyval` takes them.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the degree is negative, or the shapes do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.asarray([0.0, 1.0, 2.0, 3.0])
    >>> oa.round(oa.polyfit(x, x * x + 1.0, 2), 6).tolist()
    [1.0, 0.0, 1.0]
    """
    return series.polyfit(x, y, index(deg), rcond, w)
