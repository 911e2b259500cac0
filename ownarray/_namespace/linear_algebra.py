"""Products of vectors and matrices in the main namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ownarray._array.consume import often, once
from ownarray._ops import contraction, shapes
from ownarray._ops import matmul as products

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, DTypeLike, Like


@once
def matmul(x1: Like, x2: Like, /) -> Array:
    """Return the matrix product.

    Parameters
    ----------
    x1 : Array of shape (..., m, k) or (k,), numbers; lent, or consumed if a handle
    x2 : Array of shape (..., k, n) or (k,), numbers; lent, or consumed if a handle
        Stacks of matrices broadcast.

    Returns
    -------
    Array of shape (..., m, n), without the axes of vectors, and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If an operand has no axis, or the axes that meet differ in size.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.matmul(oa.asarray([[1, 2], [3, 4]]), oa.asarray([1, 1])).tolist()
    [3, 7]
    """
    return products.matmul(x1, x2)


@once
def dot(x1: Like, x2: Like, /) -> Array:
    """Return the products over the last axis of x1 and the last but one of x2.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the axes that meet differ in size.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.dot(oa.asarray([1, 2]), oa.asarray([3, 4])).tolist()
    11
    """
    return products.dot(x1, x2)


@often
def vecdot(x1: Like, x2: Like, /, *, axis: int = -1) -> Array:
    """Return the dot products along an axis, x1 conjugated.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle
        Their other axes broadcast.
    axis : int, default -1

    Returns
    -------
    Array of the broadcast shape without the axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the axes differ in size.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.vecdot(oa.asarray([[1, 2], [3, 4]]), oa.asarray([1, 1])).tolist()
    [3, 7]
    """
    return products.vecdot(x1, x2, axis)


@often
def vdot(x1: Like, x2: Like, /) -> Array:
    """Return the dot product of all elements, those of x1 conjugated.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array without axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the sizes differ.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.vdot(oa.asarray([1, 2]), oa.asarray([3, 4])).tolist()
    11
    """
    return contraction.vdot(x1, x2)


@once
def tensordot(
    x1: Like, x2: Like, /, axes: int | tuple[int | Sequence[int], int | Sequence[int]] = 2
) -> Array:
    """Return the products over several axes.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle
    axes : int or pair of sequences of int, default 2
        How many axes, the last of x1 and the first of x2; or which of each.

    Returns
    -------
    Array of the other axes of x1, then of x2; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the axes that meet differ in size.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.tensordot(oa.ones((2, 3)), oa.ones((3, 2)), axes=1).tolist()
    [[3.0, 3.0], [3.0, 3.0]]
    """
    return products.tensordot(x1, x2, axes)


@often
def einsum(subscripts: str, /, *operands: Like) -> Array:
    """Return the sum of products over named axes.

    Parameters
    ----------
    subscripts : str
        The names of each operand's axes, and of the result's: ``"ij,jk->ik"``. ``...`` stands for
        axes without names.
    *operands : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the named axes and the common dtype; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the names do not fit the shapes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.einsum("ij,ij->i", oa.ones((2, 3)), oa.ones((2, 3))).tolist()
    [3.0, 3.0]
    """
    return contraction.einsum(subscripts, *operands)


@once
def outer(x1: Like, x2: Like, /) -> Array:
    """Return the products of each element of x1 with each of x2.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of shape (x1.size, x2.size); owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.outer(oa.asarray([1, 2]), oa.asarray([3, 4])).tolist()
    [[3, 4], [6, 8]]
    """
    return contraction.outer(x1, x2)


@once
def inner(x1: Like, x2: Like, /) -> Array:
    """Return the products over the last axes.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the other axes of x1, then of x2; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If the last axes differ in size.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.inner(oa.asarray([1, 2]), oa.asarray([3, 4])).tolist()
    11
    """
    return contraction.inner(x1, x2)


@once
def kron(x1: Like, x2: Like, /) -> Array:
    """Return the Kronecker product: blocks of x2, one for each element of x1.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle

    Returns
    -------
    Array of the product of the shapes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.kron(oa.asarray([1, 2]), oa.asarray([1, 1])).tolist()
    [1, 1, 2, 2]
    """
    return contraction.kron(x1, x2)


@often
def cross(x1: Like, x2: Like, /, *, axis: int = -1) -> Array:
    """Return the vector products of vectors of three elements.

    Parameters
    ----------
    x1, x2 : Array of numbers; lent, or consumed if a handle
        Their other axes broadcast.
    axis : int, default -1

    Returns
    -------
    Array of the broadcast shape; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there are not three elements along the axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.cross(oa.asarray([1, 0, 0]), oa.asarray([0, 1, 0])).tolist()
    [0, 0, 1]
    """
    return contraction.cross(x1, x2, axis)


@once
def trace(
    x: Like, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike | None = None
) -> Array:
    """Return the sums along diagonals.

    Parameters
    ----------
    x : Array of two axes at least; lent, or consumed if a handle
    offset : int, default 0
        The diagonal: above the main one if positive, below it if negative.
    axis1, axis2 : int, default 0 and 1
    dtype : dtype, optional
        Default: that of x; integers widen to 64 bits.

    Returns
    -------
    Array of the other axes; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x has fewer than two axes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.trace(oa.asarray([[1, 2], [3, 4]])).tolist()
    5
    """
    return contraction.trace(x, offset, axis1, axis2, dtype)


@once
def matrix_transpose(x: Like, /) -> Array:
    """Return matrices with rows and columns exchanged.

    Parameters
    ----------
    x : Array of shape (..., m, n); lent, or consumed if a handle

    Returns
    -------
    Array of shape (..., n, m) and the dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If x has fewer than two axes.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.matrix_transpose(oa.asarray([[1, 2], [3, 4]])).tolist()
    [[1, 3], [2, 4]]
    """
    return shapes.matrix_transpose(x)


@often
def convolve(x1: Like, x2: Like, /, mode: Literal["full", "same", "valid"] = "full") -> Array:
    """Return the discrete convolution of two vectors.

    Parameters
    ----------
    x1, x2 : Array of numbers, of one axis; lent, or consumed if a handle
    mode : {"full", "same", "valid"}, default "full"
        All overlaps, as many as the longer vector has elements, or complete ones only.

    Returns
    -------
    Array of one axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If an operand is empty or no vector.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.convolve(oa.asarray([1, 2, 3]), oa.asarray([0, 1])).tolist()
    [0, 1, 2, 3]
    """
    return contraction.convolve(x1, x2, mode)


@often
def correlate(x1: Like, x2: Like, /, mode: Literal["full", "same", "valid"] = "valid") -> Array:
    """Return the cross-correlation of two vectors.

    Parameters
    ----------
    x1, x2 : Array of numbers, of one axis; lent, or consumed if a handle
    mode : {"full", "same", "valid"}, default "valid"
        All overlaps, as many as the longer vector has elements, or complete ones only.

    Returns
    -------
    Array of one axis; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If an operand is empty or no vector.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.correlate(oa.asarray([1, 2, 3]), oa.asarray([0, 1])).tolist()
    [2, 3]
    """
    return contraction.correlate(x1, x2, mode)
