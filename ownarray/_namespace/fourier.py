"""Discrete Fourier transforms along one axis, their frequencies, and the order of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from ownarray._array.consume import once
from ownarray._namespace.types import check_device
from ownarray._ops import fft as transforms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._namespace.types import Array, DTypeLike, Like

Norm: TypeAlias = Literal["backward", "ortho", "forward"]


@once
def fft(x: Like, /, n: int | None = None, axis: int = -1, norm: Norm | None = None) -> Array:
    """Return the transform of complex points.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    n : int, optional
        The number of points: x is cut off or filled with zeros. Default: all of x.
    axis : int, default -1
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers, n along the axis; owned, in x's memory if x was consumed and
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
    >>> oa.fft.fft(oa.asarray([1.0, 0.0, 0.0, 0.0])).tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    return transforms.fft(x, n, axis, norm)


@once
def ifft(x: Like, /, n: int | None = None, axis: int = -1, norm: Norm | None = None) -> Array:
    """Return the inverse transform of complex points.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    n : int, optional
        The number of points: x is cut off or filled with zeros. Default: all of x.
    axis : int, default -1
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers, n along the axis; owned, in x's memory if x was consumed and
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
    >>> oa.fft.ifft(oa.asarray([4.0, 0.0, 0.0, 0.0])).tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    return transforms.ifft(x, n, axis, norm)


@once
def rfft(x: Like, /, n: int | None = None, axis: int = -1, norm: Norm | None = None) -> Array:
    """Return the half spectrum of real points.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    n : int, optional
        The number of points: x is cut off or filled with zeros. Default: all of x.
    axis : int, default -1
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers, n // 2 + 1 along the axis; owned

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
    >>> oa.fft.rfft(oa.asarray([1.0, 1.0, 1.0, 1.0])).tolist()
    [(4+0j), 0j, 0j]
    """
    return transforms.rfft(x, n, axis, norm)


@once
def irfft(x: Like, /, n: int | None = None, axis: int = -1, norm: Norm | None = None) -> Array:
    """Return the real points of a half spectrum.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    n : int, optional
        The number of points: x is cut off or filled with zeros. Default: twice
        the number of intervals in x.
    axis : int, default -1
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of real numbers, n along the axis; owned

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
    >>> oa.fft.irfft(oa.asarray([4.0, 0.0, 0.0])).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return transforms.irfft(x, n, axis, norm)


@once
def hfft(x: Like, /, n: int | None = None, axis: int = -1, norm: Norm | None = None) -> Array:
    """Return the real spectrum of points with Hermitian symmetry, of which half are given.

    Parameters
    ----------
    x : Array of numbers; lent, or consumed if a handle
    n : int, optional
        The number of points: x is cut off or filled with zeros. Default: twice
        the number of intervals in x.
    axis : int, default -1
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of real numbers, n along the axis; owned

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
    >>> oa.fft.hfft(oa.asarray([1.0, 0.0, 0.0])).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return transforms.hfft(x, n, axis, norm)


@once
def ihfft(x: Like, /, n: int | None = None, axis: int = -1, norm: Norm | None = None) -> Array:
    """Return half of the points with Hermitian symmetry of a real spectrum.

    Parameters
    ----------
    x : Array of real numbers; lent, or consumed if a handle
    n : int, optional
        The number of points: x is cut off or filled with zeros. Default: all of x.
    axis : int, default -1
    norm : "backward", "ortho" or "forward", optional
        Which direction is divided by the number of points (or both by its root). Default: the
        inverse.

    Returns
    -------
    Array of complex numbers, n // 2 + 1 along the axis; owned

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
    >>> oa.fft.ihfft(oa.asarray([4.0, 0.0, 0.0, 0.0])).shape
    (3,)
    """
    return transforms.ihfft(x, n, axis, norm)


def fftfreq(
    n: int, /, d: float = 1.0, *, dtype: DTypeLike | None = None, device: object = None
) -> Array:
    """Return the frequencies of `fft`: 0, the positive ones, the negative ones.

    Parameters
    ----------
    n : int
        The number of points.
    d : float, default 1.0
        The distance of two points.
    dtype : dtype, optional
        Default: float64.
    device : None or "cpu"

    Returns
    -------
    Array of shape (n,); owned

    Raises
    ------
    ValueError
        If there is no point.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.fftfreq(4).tolist()
    [0.0, 0.25, -0.5, -0.25]
    """
    check_device("fftfreq", device)
    return transforms.fftfreq(n, d, dtype)


def rfftfreq(
    n: int, /, d: float = 1.0, *, dtype: DTypeLike | None = None, device: object = None
) -> Array:
    """Return the frequencies of `rfft`, none of them negative.

    Parameters
    ----------
    n : int
        The number of points.
    d : float, default 1.0
        The distance of two points.
    dtype : dtype, optional
        Default: float64.
    device : None or "cpu"

    Returns
    -------
    Array of shape (n // 2 + 1,); owned

    Raises
    ------
    ValueError
        If there is no point.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.rfftfreq(4).tolist()
    [0.0, 0.25, 0.5]
    """
    check_device("rfftfreq", device)
    return transforms.rfftfreq(n, d, dtype)


@once
def fftshift(x: Like, /, axes: int | Sequence[int] | None = None) -> Array:
    """Return x with the zero frequency moved to the middle.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axes : int or sequence of int, optional
        Default: all of them.

    Returns
    -------
    Array of the shape and dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.fftshift(oa.asarray([0, 1, -2, -1])).tolist()
    [-2, -1, 0, 1]
    """
    return transforms.fftshift(x, axes)


@once
def ifftshift(x: Like, /, axes: int | Sequence[int] | None = None) -> Array:
    """Undo `fftshift`.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
    axes : int or sequence of int, optional
        Default: all of them.

    Returns
    -------
    Array of the shape and dtype of x; owned

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fft.ifftshift(oa.asarray([-2, -1, 0, 1])).tolist()
    [0, 1, -2, -1]
    """
    return transforms.ifftshift(x, axes)
