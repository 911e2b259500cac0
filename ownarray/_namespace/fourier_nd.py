"""Discrete Fourier transforms along several axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ownarray._array.consume import once
from ownarray._ops import fft as transforms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.fourier import Norm
    from ownarray._namespace.types import Array, Like


@once
def fftn(
    x: Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm | None = None,
) -> Array:
    """Return the transform of complex points along several axes.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    s : sequence of int, optional
        The number of points along each of the axes: x is cut off or filled with zeros.
    axes : sequence of int, optional
        Default: the last ones, as many as s has; all of them without s.
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers; owned, in x's memory if x was consumed and
        has its shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no point, or norm is none of these.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.fftn(oa.ones((2, 2))).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return transforms.fftn(x, s, axes, norm)


@once
def ifftn(
    x: Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm | None = None,
) -> Array:
    """Return the inverse transform of complex points along several axes.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    s : sequence of int, optional
        The number of points along each of the axes: x is cut off or filled with zeros.
    axes : sequence of int, optional
        Default: the last ones, as many as s has; all of them without s.
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers; owned, in x's memory if x was consumed and
        has its shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no point, or norm is none of these.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.ifftn(oa.ones((2, 2))).tolist()
    [[(1+0j), 0j], [0j, 0j]]
    """
    return transforms.ifftn(x, s, axes, norm)


@once
def rfftn(
    x: Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm | None = None,
) -> Array:
    """Return the half spectrum of real points along several axes, the last one halved.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    s : sequence of int, optional
        The number of points along each of the axes: x is cut off or filled with zeros.
    axes : sequence of int, optional
        Default: the last ones, as many as s has; all of them without s.
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no point, or norm is none of these.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.rfftn(oa.ones((2, 2))).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return transforms.rfftn(x, s, axes, norm)


@once
def irfftn(
    x: Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm | None = None,
) -> Array:
    """Return the real points of a half spectrum along several axes.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    s : sequence of int, optional
        The number of points along each of the axes: x is cut off or filled with zeros.
    axes : sequence of int, optional
        Default: the last ones, as many as s has; all of them without s.
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of real numbers; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no point, or norm is none of these.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.irfftn(oa.ones((2, 2))).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    return transforms.irfftn(x, s, axes, norm)


@once
def fft2(
    x: Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Norm | None = None,
) -> Array:
    """Return the transform of complex points along two axes.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    s : sequence of int, optional
        The number of points along each of the axes: x is cut off or filled with zeros.
    axes : sequence of int, default (-2, -1)
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers; owned, in x's memory if x was consumed and
        has its shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no point, or norm is none of these.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.fft2(oa.ones((2, 2))).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return transforms.fftn(x, s, axes, norm)


@once
def ifft2(
    x: Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Norm | None = None,
) -> Array:
    """Return the inverse transform of complex points along two axes.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    s : sequence of int, optional
        The number of points along each of the axes: x is cut off or filled with zeros.
    axes : sequence of int, default (-2, -1)
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers; owned, in x's memory if x was consumed and
        has its shape and dtype

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no point, or norm is none of these.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.ifft2(oa.ones((2, 2))).tolist()
    [[(1+0j), 0j], [0j, 0j]]
    """
    return transforms.ifftn(x, s, axes, norm)


@once
def rfft2(
    x: Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Norm | None = None,
) -> Array:
    """Return the half spectrum of real points along two axes, the last one halved.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    s : sequence of int, optional
        The number of points along each of the axes: x is cut off or filled with zeros.
    axes : sequence of int, default (-2, -1)
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no point, or norm is none of these.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.rfft2(oa.ones((2, 2))).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return transforms.rfftn(x, s, axes, norm)


@once
def irfft2(
    x: Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: Norm | None = None,
) -> Array:
    """Return the real points of a half spectrum along two axes.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    s : sequence of int, optional
        The number of points along each of the axes: x is cut off or filled with zeros.
    axes : sequence of int, default (-2, -1)
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of real numbers; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    ValueError
        If there is no point, or norm is none of these.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.irfft2(oa.ones((2, 2))).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    return transforms.irfftn(x, s, axes, norm)
