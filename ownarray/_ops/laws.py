"""The laws that are functions of simpler ones: most of NumPy's Generator."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ownarray._core.dtypes import FLOAT64, INT64
from ownarray._ops import elementwise, linalg, reduction, shapes
from ownarray._ops.bits import and_p
from ownarray._ops.compare import where
from ownarray._ops.convert import convert
from ownarray._ops.philox import n_blocks, n_words
from ownarray._ops.promote import as_dtype
from ownarray._ops.rearrange import split
from ownarray._ops.sampling import (
    FIRST,
    Attempt,
    Source,
    binomial,
    exponential,
    floats,
    gamma,
    normal,
    poisson,
    until_accepted,
)
from ownarray._trace.bind import Operand, bind, operand_aval

if TYPE_CHECKING:
    from ownarray._core.aval import Shape
    from ownarray._ops.operators import Array

_HALF, _ONE, _TWO, _ZERO = np.float64(0.5), np.float64(1), np.float64(2), np.float64(0)


def uniform(source: Source, low: Operand, high: Operand, size: Shape) -> Array:
    """Return draws between two ends."""
    return elementwise.add(low, elementwise.subtract(high, low) * floats(source, size))


def laplace(source: Source, size: Shape) -> Array:
    """Return draws from the standard Laplace law."""
    s = floats(source, size, kind="symmetric")
    return -elementwise.sign(s) * elementwise.log1p(-elementwise.abs(s))


def logistic(source: Source, size: Shape) -> Array:
    """Return draws from the standard logistic law."""
    s = floats(source, size, kind="symmetric")
    return elementwise.log1p(s) - elementwise.log1p(-s)


def gumbel(source: Source, size: Shape) -> Array:
    """Return draws from the standard Gumbel law."""
    s = floats(source, size, kind="symmetric")
    return -elementwise.log(-elementwise.log((s + _ONE) * _HALF))


def cauchy(source: Source, size: Shape) -> Array:
    """Return draws from the standard Cauchy law."""
    return elementwise.tan(floats(source, size, kind="symmetric") * np.float64(math.pi / 2))


def triangular(source: Source, left: Operand, mode: Operand, right: Operand, size: Shape) -> Array:
    """Return draws from triangular laws."""
    u = floats(source, size)
    width, rise = elementwise.subtract(right, left), elementwise.subtract(mode, left)
    fall = elementwise.subtract(right, mode)
    low = left + elementwise.sqrt(u * width * rise)
    high = right - elementwise.sqrt((_ONE - u) * width * fall)
    return where(elementwise.less_equal(u * width, rise), low, high)


def beta(source: Source, a: Operand, b: Operand, size: Shape) -> Array:
    """Return draws from beta laws."""
    first, second = gamma(source, a, size), gamma(source, b, size)
    return first / (first + second)


def chisquare(source: Source, df: Operand, size: Shape) -> Array:
    """Return draws from chi-squared laws."""
    return gamma(source, elementwise.multiply(df, _HALF), size) * _TWO


def noncentral_chisquare(source: Source, df: Operand, nonc: Operand, size: Shape) -> Array:
    """Return draws from noncentral chi-squared laws."""
    jumps = poisson(source, elementwise.multiply(nonc, _HALF), size)
    return chisquare(source, elementwise.add(df, _TWO * convert(jumps, FLOAT64)), size)


def student_t(source: Source, df: Operand, size: Shape) -> Array:
    """Return draws from Student's laws."""
    top = normal(source, size)
    return top / elementwise.sqrt(chisquare(source, df, size) / df)


def fisher(source: Source, dfnum: Operand, dfden: Operand, size: Shape) -> Array:
    """Return draws from Fisher's laws."""
    top = chisquare(source, dfnum, size) / dfnum
    return top / (chisquare(source, dfden, size) / dfden)


def noncentral_fisher(
    source: Source, dfnum: Operand, dfden: Operand, nonc: Operand, size: Shape
) -> Array:
    """Return draws from noncentral Fisher's laws."""
    top = noncentral_chisquare(source, dfnum, nonc, size) / dfnum
    return top / (chisquare(source, dfden, size) / dfden)


def geometric(source: Source, p: Operand, size: Shape) -> Array:
    """Return draws from geometric laws: the number of trials up to the first success."""
    wait = exponential(source, size)
    count = elementwise.ceil(wait / -elementwise.log1p(elementwise.negative(p)))
    return convert(elementwise.maximum(count, _ONE), INT64)


def negative_binomial(source: Source, n: Operand, p: Operand, size: Shape) -> Array:
    """Return draws from negative binomial laws."""
    odds = elementwise.divide(elementwise.subtract(_ONE, p), p)
    return poisson(source, gamma(source, n, size) * odds, size)


def logseries(source: Source, p: Operand, size: Shape) -> Array:
    """Return draws from logarithmic series laws.

    References
    ----------
    .. [1] Kemp, "Efficient generation of logarithmically distributed pseudo-random variables",
       Applied Statistics 30 (1981).
    """
    v = _ONE - floats(source, size)
    u = _ONE - floats(source, size)
    q = -elementwise.expm1(u * elementwise.log1p(elementwise.negative(p)))
    far = elementwise.floor(_ONE + elementwise.log(v) / elementwise.log(q))
    near = where(elementwise.greater_equal(v, q), _ONE, _TWO)
    k = where(elementwise.less_equal(v, q * q), far, near)
    k = where(elementwise.greater_equal(v, p), _ONE, elementwise.maximum(k, _ONE))
    return convert(k, INT64)


def wald(source: Source, mean: Operand, scale: Operand, size: Shape) -> Array:
    """Return draws from inverse Gaussian laws.

    References
    ----------
    .. [1] Michael, Schucany, Haas, "Generating random variates using transformations with multiple
       roots", The American Statistician 30 (1976).
    """
    y = normal(source, size)
    y = elementwise.multiply(mean, y * y)
    ratio = elementwise.divide(mean, elementwise.multiply(scale, _TWO))
    four = elementwise.multiply(scale, np.float64(4))
    x = elementwise.add(mean, ratio * (y - elementwise.sqrt(four * y + y * y)))
    u = floats(source, size)
    other = elementwise.multiply(mean, mean) / x
    return where(elementwise.less_equal(u * elementwise.add(mean, x), mean), x, other)


def von_mises(source: Source, mu: Operand, kappa: Operand, size: Shape) -> Array:
    """Return draws from laws on the circle.

    References
    ----------
    .. [1] Best and Fisher, "Efficient simulation of the von Mises distribution", Applied
       Statistics 28 (1979).
    """
    # Below this the law is uniform to the last digit, and the formulas divide by kappa.
    k = elementwise.maximum(kappa, np.float64(1e-6))
    tau = _ONE + elementwise.sqrt(_ONE + np.float64(4) * k * k)
    rho = (tau - elementwise.sqrt(_TWO * tau)) / (_TWO * k)
    r = (_ONE + rho * rho) / (_TWO * rho)
    place = source.take_blocks(n_blocks(n_words(size, FLOAT64)))

    def propose(attempt: Operand) -> Attempt:
        turn = place.floats(size, FLOAT64, "symmetric", attempt=attempt, stream=0)
        z = elementwise.cos(turn * np.float64(math.pi))
        f = (_ONE + r * z) / (r + z)
        c = k * (r - f)
        v = _ONE - place.floats(size, FLOAT64, "unit", attempt=attempt, stream=1)
        quick = elementwise.greater(c * (_TWO - c), v)
        slow = elementwise.greater_equal(elementwise.log(c / v) + _ONE - c, _ZERO)
        return Attempt(f, elementwise.logical_or(quick, slow))

    f = elementwise.clip(until_accepted(size, FLOAT64, propose), -1, 1)
    side = place.floats(size, FLOAT64, "symmetric", attempt=FIRST, stream=2)
    angle = elementwise.add(mu, elementwise.sign(side) * elementwise.acos(f))
    whole = np.float64(2 * math.pi)
    return angle - whole * elementwise.round(angle / whole)


def zipf(source: Source, a: Operand, size: Shape) -> Array:
    """Return draws from Zipf laws.

    References
    ----------
    .. [1] Devroye, "Non-uniform random variate generation", Springer 1986, section X.6.
    """
    less = elementwise.subtract(a, _ONE)
    b = elementwise.power(_TWO, less)
    place = source.take_blocks(n_blocks(n_words(size, FLOAT64)))
    limit = np.float64(2**62)

    def propose(attempt: Operand) -> Attempt:
        u = _ONE - place.floats(size, FLOAT64, "unit", attempt=attempt, stream=0)
        v = place.floats(size, FLOAT64, "unit", attempt=attempt, stream=1)
        x = elementwise.floor(elementwise.power(u, -_ONE / less))
        t = elementwise.power(_ONE + _ONE / x, less)
        fits = bind(and_p, elementwise.less_equal(x, limit), elementwise.greater_equal(x, _ONE))
        good = elementwise.less_equal(v * x * (t - _ONE) / (b - _ONE), t / b)
        return Attempt(x, bind(and_p, fits, good))

    return convert(until_accepted(size, FLOAT64, propose), INT64)


def dirichlet(source: Source, alpha: Operand, size: Shape) -> Array:
    """Return draws from Dirichlet laws along a new last axis."""
    n = operand_aval(alpha).shape[-1]
    parts = gamma(source, alpha, (*size, n))
    return parts / reduction.sum(parts, axis=-1, keepdims=True)


def multinomial(source: Source, n: Operand, p: Operand, size: Shape) -> Array:
    """Return how often each of several outcomes came, along a new last axis."""
    count = operand_aval(p).shape[-1]
    probabilities = [shapes.squeeze(part, -1) for part in split(p, count, -1)]
    left = as_dtype("multinomial", n, FLOAT64)
    rest: Operand = np.float64(1)
    drawn: list[Array] = []
    for i, part in enumerate(probabilities):
        if i == count - 1:
            drawn.append(elementwise.add(left, np.zeros(size)))
            break
        share = elementwise.clip(part / rest, 0, 1)
        k = convert(binomial(source, left, share, size), FLOAT64)
        drawn.append(k)
        left = elementwise.subtract(left, k)
        rest = elementwise.maximum(rest - part, np.float64(1e-300))
    return convert(shapes.stack(drawn, -1), INT64)


def multivariate_normal(source: Source, mean: Operand, cov: Operand, size: Shape) -> Array:
    """Return draws from normal laws of vectors."""
    n = operand_aval(mean).shape[-1]
    values, vectors = linalg.eigh(cov)
    roots = elementwise.sqrt(elementwise.maximum(values, _ZERO))
    z = normal(source, (*size, n)) * roots
    return elementwise.add(mean, z @ linalg.matrix_transpose(vectors))
