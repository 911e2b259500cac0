"""Random orders and choices: sorting by random words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import FLOAT64, INT64
from ownarray._ops import accumulate, elementwise, laws, reduction
from ownarray._ops.entries import ARRAY, AnyEntries, Span, whole
from ownarray._ops.gather_scatter import gather
from ownarray._ops.iota import iota
from ownarray._ops.promote import as_dtype, operand
from ownarray._ops.rules import normal_axis
from ownarray._ops.sampling import Size, Source, floats, integers, shape_for, words
from ownarray._ops.searching import searchsorted
from ownarray._ops.slicing import take
from ownarray._ops.sorting import argsort, take_along
from ownarray._ops.structural import copy, reshape_to
from ownarray._trace.bind import Operand, is_array, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array


def order(source: Source, n: int) -> Array:
    """Return the numbers below n in random order.

    Two equal words, which would leave their places in order, come once in 2**64 / n**2 draws.
    """
    return argsort(words(source, (n,)))


def rearranged(x: Operand, places: Operand, axis: int) -> Array:
    """Return the parts of x along an axis that an index array says."""
    shape = operand_aval(x).shape
    place = normal_axis("rearranged", axis, len(shape))
    entries: AnyEntries = tuple([ARRAY if i == place else whole(n) for i, n in enumerate(shape)])
    return gather(x, entries, places)


def _elements(name: str, x: object) -> Operand:
    if isinstance(x, list | tuple):
        x = np.asarray(x)
    value = operand(name, x)
    if operand_aval(value).ndim:
        return value
    number = value._read() if is_array(value) else np.asarray(value)
    if number.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected an array or a whole number, got {x!r}")
    if int(number[()]) < 0:
        raise ValueError(f"{name}: expected a number that is not negative, got {x!r}")
    return iota((int(number[()]),), 0, INT64)


def permutation(source: Source, x: object, axis: int) -> Array:
    """Return x with the parts along an axis in random order."""
    value = _elements("permutation", x)
    shape = operand_aval(value).shape
    place = normal_axis("permutation", axis, len(shape))
    return rearranged(value, order(source, shape[place]), place)


def permuted(source: Source, x: object, axis: int | None) -> Array:
    """Return x with each line along an axis in a random order of its own."""
    value = _elements("permuted", x)
    shape = operand_aval(value).shape
    if axis is None:
        flat = reshape_to(value, (math.prod(shape),))
        return reshape_to(rearranged(flat, order(source, math.prod(shape)), 0), shape)
    place = normal_axis("permuted", axis, len(shape))
    return take_along(value, argsort(words(source, shape), place), place)


def choice(source: Source, a: object, size: Size, *, replace: bool, p: object, axis: int) -> Array:
    """Return elements chosen at random."""
    value = _elements("choice", a)
    shape = operand_aval(value).shape
    place = normal_axis("choice", axis, len(shape))
    n, wanted = shape[place], shape_for("choice", size)
    count = math.prod(wanted)
    if not n and count:
        raise ValueError("a cannot be empty unless no samples are taken")
    weights = None if p is None else _weights(p, n)
    if replace:
        places = _with_replacement(source, n, wanted, weights)
    elif count > n:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    else:
        places = reshape_to(_first(_ranked(source, n, weights), count), wanted)
    return rearranged(value, places, place)


def _weights(p: object, n: int) -> Operand:
    weights = as_dtype(
        "choice", operand("choice", np.asarray(p) if isinstance(p, list | tuple) else p), FLOAT64
    )
    if operand_aval(weights).shape != (n,):
        raise ValueError("'a' and 'p' must have same size")
    if is_array(weights) and weights._trace.depth:
        return weights
    values = np.asarray(weights._read() if is_array(weights) else weights, np.float64)
    if (values < 0).any():
        raise ValueError("probabilities are not non-negative")
    if abs(values.sum() - 1) > 1e-8:
        raise ValueError("probabilities do not sum to 1")
    return weights


def _with_replacement(
    source: Source, n: int, shape: tuple[int, ...], weights: Operand | None
) -> Array:
    if weights is None:
        return integers(source, 0, max(n, 1), shape, INT64, endpoint=False)
    total = accumulate.cumsum(weights)
    u = floats(source, shape) * reduction.max(total)
    return elementwise.minimum(searchsorted(total, u, side="right"), np.int64(n - 1))


def _ranked(source: Source, n: int, weights: Operand | None) -> Array:
    """Return all places, in the order in which they are drawn without replacement."""
    if weights is None:
        return order(source, n)
    # The largest of log(p) + a Gumbel number is a draw by p; the next ones are those that follow.
    keys = elementwise.log(weights) + laws.gumbel(source, (n,))
    return argsort(keys, descending=True)


def _first(x: Array, n: int) -> Array:
    return copy(x) if x.aval.shape == (n,) else take(x, (Span(0, 1, n),))
