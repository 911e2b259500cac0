"""Drawing random numbers from a source of words: the simple laws, and what all samplers need.

A `Source` gives keys and counters and moves on by as many blocks as a draw takes. What draws until
it accepts counts its attempts in the second word of the counter, so a source moves on by the same
number of blocks whatever happens, and a traced program is the same program each time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import numpy as np

from ownarray._core.dtypes import BOOL, FLOAT32, FLOAT64, INT64, DType
from ownarray._ops import elementwise, reduction
from ownarray._ops.below import draw_below
from ownarray._ops.bits import and_p, not_p
from ownarray._ops.compare import where
from ownarray._ops.control import apply_while
from ownarray._ops.convert import bitcast, convert, integer_range
from ownarray._ops.philox import UINT64, Kind, draw, n_blocks, n_words
from ownarray._ops.promote import as_dtype, operand
from ownarray._ops.rules import broadcast_shapes
from ownarray._ops.shapes import shape_of
from ownarray._ops.special import erf_inv_p
from ownarray._ops.structural import broadcast_to
from ownarray._trace.bind import Operand, bind, is_array, operand_aval
from ownarray._trace.record import record

if TYPE_CHECKING:
    from ownarray._core.aval import Shape
    from ownarray._ops.operators import Array

Size = int | Sequence[int] | None


class Source(Protocol):
    """Gives the place in a stream of random words, and moves on."""

    def take_blocks(self, n: int) -> Place:
        """Return the present place, and move on by a number of blocks."""
        ...


class Place(NamedTuple):
    """Where a draw begins."""

    key: Operand
    counter: Operand

    def floats(
        self, shape: Shape, dtype: DType, kind: Kind, *, attempt: Operand, stream: int
    ) -> Array:
        """Return floats of one attempt."""
        return draw(self.key, self.counter, shape, dtype, kind, attempt=attempt, stream=stream)


FIRST: Final = np.uint64(0)
"""The first attempt."""


def shape_for(name: str, size: Size, *parameters: Operand) -> Shape:
    """Return the shape of a draw: the size, or what the parameters broadcast to.

    Raises
    ------
    ValueError
        If the parameters do not broadcast to the size.
    """
    wanted = broadcast_shapes(name, [(), *[operand_aval(p).shape for p in parameters]])
    if size is None:
        return wanted
    shape = _sizes(name, size)
    if any(n < 0 for n in shape):
        raise ValueError(f"{name}: sizes must not be negative, got {size}")
    if wanted != shape and broadcast_shapes(name, [wanted, shape]) != shape:
        raise ValueError(f"{name}: parameters of shape {wanted} do not broadcast to size {shape}")
    return shape


def _sizes(name: str, size: Any) -> Shape:
    try:
        return shape_of(list(size) if getattr(size, "ndim", 0) else size)
    except TypeError:
        raise TypeError(f"{name}: expected an int or ints as size, got {size!r}") from None


def float_dtype(name: str, dtype: object) -> DType:
    """Return float32 or float64.

    Raises
    ------
    TypeError
        For other dtypes.
    """
    kind = np.dtype(dtype)  # type: ignore[call-overload]  # anything NumPy takes
    if kind not in (FLOAT32, FLOAT64):
        raise TypeError(f"{name}: expected float32 or float64, got {kind}")
    return FLOAT32 if kind == FLOAT32 else FLOAT64


def parameter(
    name: str, value: object, *, low: float | None = None, strict: bool = False
) -> Operand:
    """Return a parameter in float64; known ones are checked against their lower bound.

    Raises
    ------
    ValueError
        If a known value is too small.
    """
    if isinstance(value, list | tuple):
        value = np.asarray(value)
    given = as_dtype(name, operand(name, value), FLOAT64)
    if low is not None and not (is_array(given) and given._trace.depth):
        values: Any = given._read() if is_array(given) else np.asarray(given)
        wrong = values <= low if strict else values < low
        if np.any(wrong):
            raise ValueError(f"{name} {'<=' if strict else '<'} {low:g}")
    return given


def floats(source: Source, shape: Shape, dtype: DType = FLOAT64, kind: Kind = "unit") -> Array:
    """Return floats in [0, 1), or of the symmetric kind."""
    place = source.take_blocks(n_blocks(n_words(shape, dtype)))
    return place.floats(shape, dtype, kind, attempt=FIRST, stream=0)


def words(source: Source, shape: Shape) -> Array:
    """Return words of 64 bits."""
    place = source.take_blocks(n_blocks(math.prod(shape)))
    return draw(place.key, place.counter, shape)


def normal(source: Source, shape: Shape, dtype: DType = FLOAT64) -> Array:
    """Return draws from the standard normal law, by inverting it."""
    return normal_of(floats(source, shape, dtype, "symmetric"))


def normal_of(symmetric: Array) -> Array:
    """Return normal numbers from numbers in (-1, 1)."""
    root = symmetric.aval.dtype.type(math.sqrt(2))
    return bind(erf_inv_p, symmetric._last()) * root


def exponential(source: Source, shape: Shape, dtype: DType = FLOAT64) -> Array:
    """Return draws from the standard exponential law, by inverting it."""
    return -elementwise.log1p(-floats(source, shape, dtype))


# Whole numbers.


def integers(
    source: Source,
    low: object,
    high: object,
    size: Size,
    dtype: DType,
    *,
    endpoint: bool,
) -> Array:
    """Return whole numbers from low to high, all equally probable."""
    if high is None:
        low, high = 0, low
    known = [_known_integers(value) for value in (low, high)]
    if known[0] is not None and known[1] is not None:
        first, last = np.broadcast_arrays(known[0], known[1])
        last = np.asarray(last - (0 if endpoint else 1), object)
        _check_bounds(first, last, dtype)
        shape = shape_for("integers", size, np.zeros(first.shape, BOOL))
        span, start = _as_words(last - first), _as_words(first % 2**64)
    else:
        ends = [as_dtype("integers", operand("integers", value), INT64) for value in (low, high)]
        shape = shape_for("integers", size, *ends)
        start, stop = (bitcast(end, UINT64) for end in ends)
        span = stop - start if endpoint else stop - start - np.uint64(1)
    place = source.take_blocks(n_blocks(math.prod(shape)))
    drawn = draw_below(place.key, place.counter, span, shape)
    if is_array(start) or np.asarray(start).any():
        drawn = drawn + start
    return drawn if dtype == UINT64 else convert(drawn, dtype)


def _known_integers(value: object) -> np.ndarray[tuple[int, ...], np.dtype[np.object_]] | None:
    """Return values as Python integers of any size; None for traced arrays."""
    if is_array(value):
        if value._trace.depth:
            return None
        value = value._read()
    found = np.asarray(value)
    if found.dtype.kind not in "iub":
        whole = np.asarray(found, object)
        if not all(isinstance(v, int) or float(v).is_integer() for v in whole.flat):
            raise TypeError(f"integers: expected whole numbers as bounds, got {value!r}")
        return np.vectorize(int, otypes=[object])(whole) if whole.size else whole
    return found.astype(object)


def _check_bounds(first: object, last: object, dtype: DType) -> None:
    least, most = (0, 1) if dtype == BOOL else integer_range(dtype)
    firsts, lasts = np.asarray(first, object), np.asarray(last, object)
    if any(v < least for v in firsts.flat):
        raise ValueError(f"low is out of bounds for {dtype}")
    if any(v > most for v in lasts.flat):
        raise ValueError(f"high is out of bounds for {dtype}")
    if any(a > b for a, b in zip(firsts.flat, lasts.flat, strict=True)):
        raise ValueError("low >= high")


def _as_words(values: object) -> Operand:
    """Return Python integers as words; one alone as a scalar."""
    found = np.asarray(values, object).astype(np.uint64)
    return found[()] if found.ndim == 0 else found


# Drawing until accepted.


class Attempt(NamedTuple):
    """What one attempt proposes, and where it is accepted."""

    values: Array
    accepted: Array


def until_accepted(shape: Shape, dtype: DType, propose: Callable[[Operand], Attempt]) -> Array:
    """Return accepted proposals for each element; ``propose(attempt)`` draws for all.

    Where values are known the loop is Python's, so that small draws compile nothing.
    """
    first = propose(FIRST)
    result, open_ = first.values, bind(not_p, first.accepted)
    if not open_._trace.depth:
        attempt = 0
        while bool(reduction.any(open_)):
            attempt += 1
            result, open_ = _again(propose, np.uint64(attempt), result, open_)
        return result
    state: list[Operand] = [np.uint64(0), result, open_]
    avals = [operand_aval(value) for value in state]
    goes_on = record("random", avals, lambda _, args: [reduction.any(args[2])])

    def step(args: Sequence[Array]) -> list[Operand]:
        attempt = args[0] + np.uint64(1)
        return [attempt, *_again(propose, attempt, args[1], args[2])]

    body = record("random", avals, lambda _, args: step(args))
    return apply_while(goes_on, body, state)[1]


def _again(
    propose: Callable[[Operand], Attempt], attempt: Operand, result: Array, open_: Array
) -> tuple[Array, Array]:
    """Fill what is still open with another attempt."""
    values, accepted = propose(attempt)
    result = where(open_, values, result)
    return result, bind(and_p, open_, bind(not_p, accepted))


def gamma(source: Source, shape: Operand, size: Shape, dtype: DType = FLOAT64) -> Array:
    """Return draws from gamma laws of scale 1.

    References
    ----------
    .. [1] Marsaglia and Tsang, "A simple method for generating gamma variables", TOMS 26 (2000).
    """
    a = as_dtype("gamma", shape, dtype)
    one = dtype.type(1)
    is_small = elementwise.less(a, one)
    d = where(is_small, elementwise.add(a, one), a) - dtype.type(1 / 3)
    c = one / elementwise.sqrt(d * dtype.type(9))
    place = source.take_blocks(n_blocks(n_words(size, dtype)))

    def propose(attempt: Operand) -> Attempt:
        x = normal_of(place.floats(size, dtype, "symmetric", attempt=attempt, stream=0))
        u = one - place.floats(size, dtype, "unit", attempt=attempt, stream=1)
        v = one + c * x
        is_positive = elementwise.greater(v, dtype.type(0))
        v = elementwise.power(where(is_positive, v, one), 3)
        limit = dtype.type(0.5) * x * x + d * (one - v + elementwise.log(v))
        accepted = bind(and_p, is_positive, elementwise.less(elementwise.log(u), limit))
        return Attempt(d * v, accepted)

    result = until_accepted(size, dtype, propose)
    u = one - place.floats(size, dtype, "unit", attempt=FIRST, stream=2)
    boost = elementwise.power(u, one / where(is_small, a, one))
    return where(is_small, result * boost, result)


def poisson(source: Source, rate: Operand, size: Shape) -> Array:
    """Return draws from Poisson laws.

    References
    ----------
    .. [1] Hörmann, "The transformed rejection method for generating Poisson random variables",
       Insurance: Mathematics and Economics 12 (1993).
    """
    is_small = elementwise.less(rate, np.float64(10))
    few = where(is_small, rate, np.float64(0))
    many = where(is_small, np.float64(100), rate)
    place = source.take_blocks(n_blocks(n_words(size, FLOAT64)))
    u = place.floats(size, FLOAT64, "unit", attempt=FIRST, stream=2)
    small = _by_search(u, elementwise.exp(-few), lambda k: few / k)
    b = np.float64(0.931) + np.float64(2.53) * elementwise.sqrt(many)
    a = np.float64(-0.059) + np.float64(0.02483) * b
    inverse = np.float64(1.1239) + np.float64(1.1328) / (b - np.float64(3.4))
    sure = np.float64(0.9277) - np.float64(3.6224) / (b - np.float64(2))

    def propose(attempt: Operand) -> Attempt:
        k, v, us = _hat(place, size, attempt, a=a, b=b, c=many + np.float64(0.43))
        at = elementwise.log(v * inverse / (a / (us * us) + b))
        limit = k * elementwise.log(many) - many - elementwise.lgamma(k + np.float64(1))
        return Attempt(k, _accepted(k, v, us, sure, elementwise.less_equal(at, limit)))

    large = until_accepted(size, FLOAT64, propose)
    return convert(where(is_small, small, large), INT64)


def _hat(
    place: Place, size: Shape, attempt: Operand, *, a: Array, b: Array, c: Array
) -> tuple[Array, Array, Array]:
    """Return whole numbers under Hörmann's hat, the height, and the distance to the edge."""
    u = place.floats(size, FLOAT64, "unit", attempt=attempt, stream=0) - np.float64(0.5)
    v = np.float64(1) - place.floats(size, FLOAT64, "unit", attempt=attempt, stream=1)
    us = np.float64(0.5) - elementwise.abs(u)
    tiny = np.float64(1e-300)
    us = elementwise.maximum(us, tiny)
    return elementwise.floor((np.float64(2) * a / us + b) * u + c), v, us


def _accepted(k: Array, v: Array, us: Array, sure: Operand, below: Array) -> Array:
    """Return where a proposal is accepted: surely, or because it lies below the law itself."""
    quick = bind(
        and_p,
        elementwise.greater_equal(us, np.float64(0.07)),
        elementwise.less_equal(v, sure),
    )
    refused = elementwise.logical_or(
        elementwise.less(k, np.float64(0)),
        bind(
            and_p,
            elementwise.less(us, np.float64(0.013)),
            elementwise.greater(v, us),
        ),
    )
    slow = bind(and_p, bind(not_p, refused), below)
    return elementwise.logical_or(quick, slow)


def _by_search(u: Array, first: Operand, ratio: Callable[[Array], Operand]) -> Array:
    """Return whole numbers by adding up their probabilities until the sum is above u.

    ``ratio(k)`` is the probability of k over that of k - 1. The sum stops growing after at most a
    few hundred terms for the laws that are searched so.
    """
    shape = u.aval.shape
    zero = broadcast_to(np.float64(0), shape)
    p = broadcast_to(first, shape)

    def step(args: Sequence[Array]) -> list[Array]:
        k, p, total, open_ = args
        k = where(open_, k + np.float64(1), k)
        p = where(open_, p * ratio(elementwise.maximum(k, np.float64(1))), p)
        total = total + where(open_, p, np.float64(0))
        grows = elementwise.greater(p, np.float64(1e-300))
        return [
            k,
            p,
            total,
            bind(and_p, bind(and_p, open_, grows), elementwise.greater_equal(u, total)),
        ]

    state: list[Array] = [zero, p, p, elementwise.greater_equal(u, p)]
    if not any(value._trace.depth for value in state):
        while bool(reduction.any(state[3])):
            state = step(state)
        return state[0]
    avals = [value.aval for value in state]
    goes_on = record("random", avals, lambda _, args: [reduction.any(args[3])])
    body = record("random", avals, lambda _, args: step(args))
    return apply_while(goes_on, body, state)[0]


def binomial(source: Source, n: Operand, p: Operand, size: Shape) -> Array:
    """Return draws from binomial laws.

    References
    ----------
    .. [1] Hörmann, "The generation of binomial random variates", J. Stat. Comput. Simul. 46 (1993).
    """
    half, one, zero = np.float64(0.5), np.float64(1), np.float64(0)
    is_flipped = elementwise.greater(p, half)
    q = where(is_flipped, one - p, p)  # type: ignore[operator]  # one of both is an array
    mean = elementwise.multiply(n, q)
    is_small = elementwise.less(mean, np.float64(10))
    place = source.take_blocks(n_blocks(n_words(size, FLOAT64)))
    u = place.floats(size, FLOAT64, "unit", attempt=FIRST, stream=2)
    q_few = where(is_small, q, zero)
    odds = q_few / (one - q_few)
    first = elementwise.exp(elementwise.multiply(n, elementwise.log1p(-q_few)))
    small = _by_search(u, first, lambda k: elementwise.maximum(n - k + one, zero) * odds / k)  # type: ignore[operator]
    n_many, q_many = where(is_small, np.float64(100), n), where(is_small, half, q)
    spread = elementwise.sqrt(n_many * q_many * (one - q_many))
    b = np.float64(1.15) + np.float64(2.53) * spread
    a = np.float64(-0.0873) + np.float64(0.0248) * b + np.float64(0.01) * q_many
    alpha = (np.float64(2.83) + np.float64(5.1) / b) * spread
    sure = np.float64(0.92) - np.float64(4.2) / b
    mode = elementwise.floor((n_many + one) * q_many)
    log_odds = elementwise.log(q_many / (one - q_many))
    top = elementwise.lgamma(mode + one) + elementwise.lgamma(n_many - mode + one)

    def propose(attempt: Operand) -> Attempt:
        k, v, us = _hat(place, size, attempt, a=a, b=b, c=n_many * q_many + half)
        k_in = elementwise.minimum(elementwise.maximum(k, zero), n_many)
        at = elementwise.log(v * alpha / (a / (us * us) + b))
        law = top - elementwise.lgamma(k_in + one) - elementwise.lgamma(n_many - k_in + one)
        law = law + (k_in - mode) * log_odds
        within = elementwise.less_equal(k, n_many)
        below = bind(and_p, within, elementwise.less_equal(at, law))
        inside = bind(and_p, within, elementwise.greater_equal(k, zero))
        return Attempt(k, bind(and_p, inside, _accepted(k, v, us, sure, below)))

    large = until_accepted(size, FLOAT64, propose)
    count = where(is_small, small, large)
    return convert(where(is_flipped, n - count, count), INT64)
