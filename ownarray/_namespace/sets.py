"""Sets of elements. How many there are depends on values, so most of these cannot be traced."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ownarray._array.consume import often
from ownarray._ops import selection, sets

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


class UniqueAllResult(NamedTuple):
    """What `unique_all` returns.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.unique_all(oa.asarray([2, 1, 2])).indices.tolist()
    [1, 0]
    """

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What `unique_counts` returns.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.unique_counts(oa.asarray([2, 1, 2])).counts.tolist()
    [1, 2]
    """

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What `unique_inverse` returns.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.unique_inverse(oa.asarray([2, 1, 2])).values.tolist()
    [1, 2]
    """

    values: Array
    inverse_indices: Array


@often
def unique_values(x: Like, /) -> Array:
    """Return the distinct elements; every NaN is distinct.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    Array of one axis and the dtype of x, sorted; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If the array is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.unique_values(oa.asarray([2, 1, 2])).tolist()
    [1, 2]
    """
    return sets.unique_values("unique_values", x)


@often
def unique(
    x: Like,
    /,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    *,
    equal_nan: bool = True,
) -> Array | tuple[Array, ...]:
    """Return the distinct elements, as NumPy: all NaN count as one.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    return_index, return_inverse, return_counts : bool, default False
        What else is returned: where each stands first, which one each element of x is, how many
        there are of each.
    equal_nan : bool, default True
        Whether all NaN count as one.

    Returns
    -------
    Array of one axis and the dtype of x, sorted; owned. With more, a tuple that begins with it.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If the array is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.unique(oa.asarray([2, 1, 2])).tolist()
    [1, 2]
    """
    if not (return_index or return_inverse or return_counts):
        return sets.unique_values("unique", x, equal_nan=equal_nan)
    found = sets.unique("unique", x, equal_nan=equal_nan)
    more = (
        (return_index, found.indices),
        (return_inverse, found.inverse),
        (return_counts, found.counts),
    )
    return (found.values, *[part for is_wanted, part in more if is_wanted])


@often
def unique_all(x: Like, /) -> UniqueAllResult:
    """Return the distinct elements, where each stands first, which one each is, how many.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    UniqueAllResult of Array: values, indices, inverse_indices, counts; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If the array is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.unique_all(oa.asarray([2, 1, 2])).counts.tolist()
    [1, 2]
    """
    found = sets.unique("unique_all", x)
    return UniqueAllResult(found.values, found.indices, found.inverse, found.counts)


@often
def unique_counts(x: Like, /) -> UniqueCountsResult:
    """Return the distinct elements and how many of each there are.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    UniqueCountsResult of Array: values, counts; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If the array is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> values, counts = oa.unique_counts(oa.asarray([2, 1, 2]))
    >>> values.tolist(), counts.tolist()
    ([1, 2], [1, 2])
    """
    found = sets.unique("unique_counts", x)
    return UniqueCountsResult(found.values, found.counts)


@often
def unique_inverse(x: Like, /) -> UniqueInverseResult:
    """Return the distinct elements and which one each element is.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle

    Returns
    -------
    UniqueInverseResult of Array: values, inverse_indices in the shape of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If the array is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.unique_inverse(oa.asarray([2, 1, 2])).inverse_indices.tolist()
    [1, 0, 1]
    """
    found = sets.unique("unique_inverse", x)
    return UniqueInverseResult(found.values, found.inverse)


@often
def union1d(x1: Like, x2: Like, /) -> Array:
    """Return the elements of either array, distinct and sorted.

    Parameters
    ----------
    x1, x2 : Array; lent, or consumed if a handle

    Returns
    -------
    Array of one axis and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If an array is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.union1d(oa.asarray([1, 2, 2]), oa.asarray([2, 3])).tolist()
    [1, 2, 3]
    """
    return sets.combine("union1d", x1, x2)


@often
def intersect1d(x1: Like, x2: Like, /) -> Array:
    """Return the elements that both arrays have, distinct and sorted.

    Parameters
    ----------
    x1, x2 : Array; lent, or consumed if a handle

    Returns
    -------
    Array of one axis and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If an array is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.intersect1d(oa.asarray([1, 2, 2]), oa.asarray([2, 3])).tolist()
    [2]
    """
    return sets.combine("intersect1d", x1, x2)


@often
def setdiff1d(x1: Like, x2: Like, /) -> Array:
    """Return the elements of the first array that the second has not, distinct and sorted.

    Parameters
    ----------
    x1, x2 : Array; lent, or consumed if a handle

    Returns
    -------
    Array of one axis and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If an array is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.setdiff1d(oa.asarray([1, 2, 2]), oa.asarray([2, 3])).tolist()
    [1]
    """
    return sets.combine("setdiff1d", x1, x2)


@often
def setxor1d(x1: Like, x2: Like, /) -> Array:
    """Return the elements that only one of two arrays has, distinct and sorted.

    Parameters
    ----------
    x1, x2 : Array; lent, or consumed if a handle

    Returns
    -------
    Array of one axis and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    TraceError
        If an array is traced: the shape of the result depends on its values.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.setxor1d(oa.asarray([1, 2, 2]), oa.asarray([2, 3])).tolist()
    [1, 3]
    """
    return sets.combine("setxor1d", x1, x2)


@often
def isin(x1: Like, x2: Like, /, *, invert: bool = False) -> Array:
    """Return where elements of one array are among those of another.

    Parameters
    ----------
    x1, x2 : Array; lent, or consumed if a handle
    invert : bool, default False
        Return where they are not.

    Returns
    -------
    Array of bool, of the shape of x1; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.isin(oa.asarray([1, 5]), oa.asarray([1, 2])).tolist()
    [True, False]
    """
    return selection.isin(x1, x2, invert=invert)
