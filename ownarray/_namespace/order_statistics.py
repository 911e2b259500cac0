"""Statistics of order: medians and quantiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import often
from ownarray._ops import quantiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, Axis, Like


@often
def median(x: Like, /, axis: Axis = None, *, keepdims: bool = False) -> Array:
    """Return the middle element in sorted order, or the mean of the middle two.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of the shape of x without the reduced axes, in a float; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.median(oa.asarray([3.0, 1.0, 2.0])).tolist()
    2.0
    """
    return quantiles.median(x, axis, keepdims=keepdims)


@often
def quantile(
    x: Like,
    q: Like | Sequence[float],
    /,
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
) -> Array:
    """Return the values below which parts of the elements lie.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    q : number, sequence or Array of numbers from 0 to 1; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    method : {"linear", "lower", "higher", "midpoint", "nearest"}, default "linear"
        What stands between two elements.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of the shape of q, then of x without the reduced axes, in a float; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If a part is not from 0 to 1, or there is no such method.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.quantile(oa.asarray([1.0, 2.0, 3.0, 4.0]), 0.25).tolist()
    1.75
    """
    return quantiles.quantile(x, q, axis, method=method, keepdims=keepdims, name="quantile")


@often
def percentile(
    x: Like,
    q: Like | Sequence[float],
    /,
    axis: Axis = None,
    *,
    method: str = "linear",
    keepdims: bool = False,
) -> Array:
    """Return the values below which parts of the elements lie.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    q : number, sequence or Array of numbers from 0 to 100; lent, or consumed if a handle
    axis : int or tuple of int, optional
        The axes to reduce; default: all.
    method : {"linear", "lower", "higher", "midpoint", "nearest"}, default "linear"
        What stands between two elements.
    keepdims : bool, default False
        Keep the reduced axes with size 1.

    Returns
    -------
    Array of the shape of q, then of x without the reduced axes, in a float; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If a part is not from 0 to 100, or there is no such method.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.percentile(oa.asarray([1.0, 2.0, 3.0, 4.0]), 25.0).tolist()
    1.75
    """
    return quantiles.quantile(
        x, quantiles.hundredths(q), axis, method=method, keepdims=keepdims, name="percentile"
    )
