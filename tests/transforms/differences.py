"""Derivatives by finite differences, and scalars made of results, to hold derivatives against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Values = np.ndarray[Any, np.dtype[Any]]


def direction(x: Values, seed: int) -> Values:
    """Return a random direction for values."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(-1.0, 1.0, x.shape)
    return np.asarray(t + 1j * rng.uniform(-1.0, 1.0, x.shape) if x.dtype.kind == "c" else t)


def slope(
    function: Callable[..., Values],
    args: Sequence[Values],
    along: Sequence[Values],
    h: float = 1e-3,
) -> Values:
    """Return the derivative along a direction: a central difference of sixth order."""

    def at(k: int) -> Values:
        return function(*[x + k * h * t for x, t in zip(args, along, strict=True)])

    total: Any = 0.0
    for k, weight in ((1, 45.0), (2, -9.0), (3, 1.0)):
        total = total + weight * (at(k) - at(-k))
    return np.asarray(total / (60.0 * h))


def pairing(ct: Values, t: Values) -> float:
    """Return the real pairing of a cotangent with a tangent, without conjugation."""
    return float(np.real(np.sum(ct * t)))
