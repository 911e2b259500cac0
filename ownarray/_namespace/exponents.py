"""Element-wise functions: exponentials, logarithms and their kin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import binary, unary
from ownarray._ops import mathematical

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, Like


@unary
def exp(x: Like, /) -> Array:
    """Return e to the power of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.exp(oa.asarray([0.0, 1.0])).tolist()
    [1.0, 2.718281828]
    """
    return mathematical.exp(x)


@unary
def exp2(x: Like, /) -> Array:
    """Return 2 to the power of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.exp2(oa.asarray([0.0, 3.0])).tolist()
    [1.0, 8.0]
    """
    return mathematical.exp2(x)


@unary
def expm1(x: Like, /) -> Array:
    """Return exp(x) - 1, exact also near 0.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.expm1(oa.asarray([0.0, 1e-10])).tolist()
    [0.0, 1.00000000005e-10]
    """
    return mathematical.expm1(x)


@unary
def log(x: Like, /) -> Array:
    """Return the natural logarithm of x.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.log(oa.asarray([1.0])).tolist()
    [0.0]
    """
    return mathematical.log(x)


@unary
def log1p(x: Like, /) -> Array:
    """Return log(1 + x), exact also near 0.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.log1p(oa.asarray([0.0, 1e-10])).tolist()
    [0.0, 9.9999999995e-11]
    """
    return mathematical.log1p(x)


@unary
def log2(x: Like, /) -> Array:
    """Return the logarithm of x to base 2.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.log2(oa.asarray([8.0])).tolist()
    [3.0]
    """
    return mathematical.log2(x)


@unary
def log10(x: Like, /) -> Array:
    """Return the logarithm of x to base 10.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: x was moved before, or the handle was spent before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.log10(oa.asarray([1000.0])).tolist()
    [3.0]
    """
    return mathematical.log10(x)


@binary
def logaddexp(x1: Like, x2: Like, /) -> Array:
    """Return log(exp(x1) + exp(x2)), without overflow on the way.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the broadcast shape and the common float; owned, in the memory of a consumed operand
        of that shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.logaddexp(oa.asarray([0.0]), 0.0).tolist()
    [0.693147181]
    """
    return mathematical.logaddexp(x1, x2)


@binary
def logaddexp2(x1: Like, x2: Like, /) -> Array:
    """Return log2(2**x1 + 2**x2), without overflow on the way.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the broadcast shape and the common float; owned, in the memory of a consumed operand
        of that shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.logaddexp2(oa.asarray([0.0]), 0.0).tolist()
    [1.0]
    """
    return mathematical.logaddexp2(x1, x2)


@binary
def hypot(x1: Like, x2: Like, /) -> Array:
    """Return sqrt(x1**2 + x2**2), without overflow on the way.

    Parameters
    ----------
    x1, x2 : Array of real numbers, or number; lent, or consumed if a handle
        Integers are computed in the float that holds them.

    Returns
    -------
    Array of the broadcast shape and the common float; owned, in the memory of a consumed operand
        of that shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an operand was moved before, or a handle was spent before.
    ValueError
        If the shapes do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.hypot(oa.asarray([3.0]), 4.0).tolist()
    [5.0]
    """
    return mathematical.hypot(x1, x2)
