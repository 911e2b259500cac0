"""Cutting arrays along their first axes, putting blocks together, and index arrays."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from ownarray._array.consume import often
from ownarray._namespace.types import as_shape
from ownarray._ops import blocks, rearrange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, Like, ShapeLike


@often
def vsplit(x: Like, /, parts: int | Sequence[int]) -> list[Array]:
    """Return an array cut along its first axis: into equal parts, or at places.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    parts : int or sequence of int
        How many parts, or the places to cut before.

    Returns
    -------
    list of Array; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no such axis, or it does not divide so.

    Examples
    --------
    >>> import ownarray as oa
    >>> [part.tolist() for part in oa.vsplit(oa.arange(4).reshape(2, 2), 2)]
    [[[0, 1]], [[2, 3]]]
    """
    return rearrange.split(x, parts, blocks.axis_to_cut("vsplit", x), name="vsplit")


@often
def hsplit(x: Like, /, parts: int | Sequence[int]) -> list[Array]:
    """Return an array cut along its second axis: into equal parts, or at places.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    parts : int or sequence of int
        How many parts, or the places to cut before.

    Returns
    -------
    list of Array; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no such axis, or it does not divide so.

    Examples
    --------
    >>> import ownarray as oa
    >>> [part.tolist() for part in oa.hsplit(oa.arange(4), 2)]
    [[0, 1], [2, 3]]
    """
    return rearrange.split(x, parts, blocks.axis_to_cut("hsplit", x), name="hsplit")


@often
def dsplit(x: Like, /, parts: int | Sequence[int]) -> list[Array]:
    """Return an array cut along its third axis: into equal parts, or at places.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    parts : int or sequence of int
        How many parts, or the places to cut before.

    Returns
    -------
    list of Array; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no such axis, or it does not divide so.

    Examples
    --------
    >>> import ownarray as oa
    >>> [part.shape for part in oa.dsplit(oa.ones((2, 2, 4)), [1])]
    [(2, 2, 1), (2, 2, 3)]
    """
    return rearrange.split(x, parts, blocks.axis_to_cut("dsplit", x), name="dsplit")


@often
def block(arrays: Any, /) -> Array:
    """Return blocks in nested lists put together: the innermost lists along the last axis.

    Parameters
    ----------
    arrays : Array, or nested lists of Arrays or numbers; lent

    Returns
    -------
    Array of the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the lists are not nested to one depth, or the shapes do not fit.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.block([[oa.ones((1, 1)), oa.zeros((1, 2))], [oa.zeros((1, 3))]]).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return blocks.block(arrays)


@often
def resize(x: Like, /, new_shape: ShapeLike) -> Array:
    """Return an array of a shape, filled with the elements of x again and again.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    new_shape : int or tuple of int

    Returns
    -------
    Array of the new shape and the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.resize(oa.asarray([1, 2, 3]), (2, 2)).tolist()
    [[1, 2], [3, 1]]
    """
    return blocks.resize(x, as_shape("resize", new_shape))


@often
def diagflat(x: Like, /, k: int = 0) -> Array:
    """Return a matrix with all elements of x on a diagonal, and zeros.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    k : int, default 0
        The diagonal: above the main one, or below if negative.

    Returns
    -------
    Array of two axes and the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.diagflat(oa.asarray([[1, 2]])).tolist()
    [[1, 0], [0, 2]]
    """
    return blocks.diagflat(x, index(k))


@often
def ravel_multi_index(indices: Sequence[Like | Sequence[int]], /, shape: ShapeLike) -> Array:
    """Return places in row-major order of places along each axis.

    Parameters
    ----------
    indices : sequence of Arrays of int, or of int; lent, or consumed if handles
        One for each axis. In traces places are not checked.
    shape : tuple of int

    Returns
    -------
    Array of int64, of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there are more or fewer than axes, or a place is out of range.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ravel_multi_index((oa.asarray([1, 0]), oa.asarray([2, 1])), (2, 3)).tolist()
    [5, 1]
    """
    return blocks.ravel_multi_index(indices, as_shape("ravel_multi_index", shape))


def tril_indices(n: int, /, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the rows and columns of the elements of a matrix at and below a diagonal.

    Parameters
    ----------
    n : int
        The rows.
    k : int, default 0
        The diagonal: above the main one, or below if negative.
    m : int, optional
        The columns; default: n.

    Returns
    -------
    tuple of two Arrays of int64; owned

    Examples
    --------
    >>> import ownarray as oa
    >>> rows, cols = oa.tril_indices(2)
    >>> rows.tolist(), cols.tolist()
    ([0, 1, 1], [0, 0, 1])
    """
    return blocks.triangle_indices(index(n), index(k), index(n if m is None else m), upper=False)


def triu_indices(n: int, /, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Return the rows and columns of the elements of a matrix at and above a diagonal.

    Parameters
    ----------
    n : int
        The rows.
    k : int, default 0
        The diagonal: above the main one, or below if negative.
    m : int, optional
        The columns; default: n.

    Returns
    -------
    tuple of two Arrays of int64; owned

    Examples
    --------
    >>> import ownarray as oa
    >>> rows, cols = oa.triu_indices(2)
    >>> rows.tolist(), cols.tolist()
    ([0, 0, 1], [0, 1, 1])
    """
    return blocks.triangle_indices(index(n), index(k), index(n if m is None else m), upper=True)


def diag_indices(n: int, /, ndim: int = 2) -> tuple[Array, ...]:
    """Return the places of the main diagonal along each axis.

    Parameters
    ----------
    n : int
        The size of each axis.
    ndim : int, default 2

    Returns
    -------
    tuple of Arrays of int64; owned

    Examples
    --------
    >>> import ownarray as oa
    >>> [places.tolist() for places in oa.diag_indices(3)]
    [[0, 1, 2], [0, 1, 2]]
    """
    return blocks.diagonal_indices(index(n), index(ndim))


@often
def ix_(*indices: Like | Sequence[int]) -> tuple[Array, ...]:
    """Return index arrays that take every combination of places along the axes.

    Parameters
    ----------
    *indices : Array of integers or bool, of one axis, or sequence of int; lent, or consumed if a
        handle

    Returns
    -------
    tuple of Arrays; owned
        The k-th goes along axis k, of size 1 along the others.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If one has not one axis.
    TraceError
        If one is a traced array of bool.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.arange(9).reshape(3, 3)
    >>> x[oa.ix_([0, 2], [1, 2])].tolist()
    [[1, 2], [7, 8]]
    """
    return blocks.open_mesh(indices)
