"""Functions that join arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import once
from ownarray._ops import rearrange, shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, Like


@once
def concat(arrays: Sequence[Like], /, axis: int | None = 0) -> Array:
    """Return arrays joined along an axis that they have.

    Parameters
    ----------
    arrays : sequence of Array; lent, or consumed where it holds handles
    axis : int, default 0
        None flattens the arrays first.

    Returns
    -------
    Array of the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no array, or the other axes differ.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.concat([oa.asarray([1, 2]), oa.asarray([3])]).tolist()
    [1, 2, 3]
    """
    return shapes.concat(arrays, axis)


@once
def stack(arrays: Sequence[Like], /, axis: int = 0) -> Array:
    """Return arrays of one shape side by side along a new axis.

    Parameters
    ----------
    arrays : sequence of Array; lent, or consumed where it holds handles
    axis : int, default 0
        Its place in the result.

    Returns
    -------
    Array of the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no array, or the shapes differ.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.stack([oa.asarray([1, 2]), oa.asarray([3, 4])], axis=1).tolist()
    [[1, 3], [2, 4]]
    """
    return shapes.stack(arrays, axis)


@once
def hstack(arrays: Sequence[Like], /) -> Array:
    """Return arrays joined along the second axis (vectors: the first).

    Parameters
    ----------
    arrays : sequence of Array; lent, or consumed where it holds handles

    Returns
    -------
    Array of the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no array, or the other axes differ.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.hstack([oa.asarray([1, 2]), oa.asarray([3, 4])]).tolist()
    [1, 2, 3, 4]
    """
    return rearrange.hstack(arrays)


@once
def vstack(arrays: Sequence[Like], /) -> Array:
    """Return arrays joined along the first axis, vectors as rows.

    Parameters
    ----------
    arrays : sequence of Array; lent, or consumed where it holds handles

    Returns
    -------
    Array of the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no array, or the other axes differ.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.vstack([oa.asarray([1, 2]), oa.asarray([3, 4])]).tolist()
    [[1, 2], [3, 4]]
    """
    return rearrange.stack_rows("vstack", arrays, 2, 0)


@once
def dstack(arrays: Sequence[Like], /) -> Array:
    """Return arrays joined along the third axis.

    Parameters
    ----------
    arrays : sequence of Array; lent, or consumed where it holds handles

    Returns
    -------
    Array of the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no array, or the other axes differ.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.dstack([oa.asarray([1, 2]), oa.asarray([3, 4])]).tolist()
    [[[1, 3], [2, 4]]]
    """
    return rearrange.stack_rows("dstack", arrays, 3, 2)


@once
def column_stack(arrays: Sequence[Like], /) -> Array:
    """Return matrices, and vectors as columns, joined along the second axis.

    Parameters
    ----------
    arrays : sequence of Array; lent, or consumed where it holds handles

    Returns
    -------
    Array of two axes and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no array, or the numbers of rows differ.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.column_stack([oa.asarray([1, 2]), oa.asarray([3, 4])]).tolist()
    [[1, 3], [2, 4]]
    """
    return rearrange.column_stack(arrays)


@once
def append(x: Like, values: Like, /, axis: int | None = None) -> Array:
    """Return an array with values behind it.

    Parameters
    ----------
    x, values : Array; lent, or consumed if a handle
    axis : int, optional
        Default: both are flattened first.

    Returns
    -------
    Array of the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the other axes differ.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.append(oa.asarray([1, 2]), 3).tolist()
    [1, 2, 3]
    """
    return rearrange.append(x, values, axis)
