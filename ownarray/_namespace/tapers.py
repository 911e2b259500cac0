"""Tapers: what a piece of a signal is multiplied by before its Fourier transform."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

import numpy as np

from ownarray._array import born
from ownarray._core.dtypes import FLOAT64

if TYPE_CHECKING:
    from ownarray._namespace.types import Array
    from ownarray._trace.bind import HostArray


def _taper(values: HostArray) -> Array:
    return born.array(values, FLOAT64, copy=None, name="taper")


def bartlett(n: int, /) -> Array:
    """Return the taper of Bartlett: a triangle that ends in zeros.

    Parameters
    ----------
    n : int
        How many points; none if it is less than 1.

    Returns
    -------
    Array of float64, of one axis; owned
        The greatest is 1.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.bartlett(5).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return _taper(np.bartlett(index(n)))


def blackman(n: int, /) -> Array:
    """Return the taper of Blackman: a sum of three cosines.

    Parameters
    ----------
    n : int
        How many points; none if it is less than 1.

    Returns
    -------
    Array of float64, of one axis; owned
        The greatest is 1.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.round(oa.blackman(5), 2).tolist()
    [-0.0, 0.34, 1.0, 0.34, -0.0]
    """
    return _taper(np.blackman(index(n)))


def hamming(n: int, /) -> Array:
    """Return the taper of Hamming: a raised cosine on a step.

    Parameters
    ----------
    n : int
        How many points; none if it is less than 1.

    Returns
    -------
    Array of float64, of one axis; owned
        The greatest is 1.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.round(oa.hamming(5), 2).tolist()
    [0.08, 0.54, 1.0, 0.54, 0.08]
    """
    return _taper(np.hamming(index(n)))


def hanning(n: int, /) -> Array:
    """Return the taper of von Hann: a raised cosine that ends in zeros.

    Parameters
    ----------
    n : int
        How many points; none if it is less than 1.

    Returns
    -------
    Array of float64, of one axis; owned
        The greatest is 1.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.round(oa.hanning(5), 2).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return _taper(np.hanning(index(n)))


def kaiser(n: int, /, beta: float) -> Array:
    """Return the taper of Kaiser, whose width is chosen.

    Parameters
    ----------
    n : int
        How many points; none if it is less than 1.
    beta : float
        The greater, the narrower.

    Returns
    -------
    Array of float64, of one axis; owned
        The greatest is 1.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.round(oa.kaiser(5, 2.0), 2).tolist()
    [0.44, 0.83, 1.0, 0.83, 0.44]
    """
    return _taper(np.kaiser(index(n), float(beta)))
