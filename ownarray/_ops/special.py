"""The error function and the gamma function with their kin; SciPy computes them on the host."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.dtypes import FLOAT
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops.arithmetic import mul, neg, number
from ownarray._ops.rules import compare, copysign_value, elementwise_aval, full, select
from ownarray._ops.structural import elementwise_batch
from ownarray._ops.transcendental import exp, op, unary, wide_lower
from ownarray._trace.bind import HostArray, Operand, bind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array
    from ownarray._ops.rules import Tangents


def _positive_infinity(x: HostArray) -> HostArray:
    return np.where(np.isinf(x), np.inf, x).astype(x.dtype)


def _scipy(name: str, fix: Callable[[HostArray], HostArray] | None = None) -> Any:
    """Return the host rule by a function of SciPy, which is loaded when it is first needed."""

    def host(x: HostArray, *, out: HostArray | None = None) -> Any:
        if fix is not None:
            x = fix(x)
        from scipy import special  # noqa: PLC0415  (slow to import, and seldom needed)

        function = getattr(special, name)
        if x.dtype.kind == "f" and x.dtype.itemsize >= 4:
            return function(x, out=out)
        result = function(x.astype(np.float32))
        if out is None:
            return result.astype(x.dtype)
        out[...] = result
        return out

    return host


def _bell(x: Operand, factor: float) -> Array:
    return mul(number(factor, x), exp(neg(mul(x, x))))


def _digamma_lower(builder: Builder, x: Value) -> Value:
    """Write digamma; at zero it is infinite, to the side that the sign of the zero says."""
    value = builder.op("chlo.digamma", [x], x.aval)
    away = builder.op("stablehlo.negate", [x], x.aval)
    pole = copysign_value(builder, full(builder, math.inf, x), away)
    return select(builder, compare(builder, x, full(builder, 0, x), "EQ"), pole, value)


erf_p: Primitive = unary(
    "erf",
    host=_scipy("erf"),
    lower=op("chlo.erf"),
    derivative=lambda t, x, ans: mul(t, _bell(x, 2 / math.sqrt(math.pi))),
    allowed=FLOAT,
)
erfc_p: Primitive = unary(
    "erfc",
    host=_scipy("erfc"),
    lower=op("chlo.erfc"),
    derivative=lambda t, x, ans: mul(t, _bell(x, -2 / math.sqrt(math.pi))),
    allowed=FLOAT,
)
erf_inv_p: Primitive = unary(
    "erf_inv",
    host=_scipy("erfinv"),
    lower=op("chlo.erf_inv"),
    derivative=lambda t, x, ans: mul(t, mul(number(math.sqrt(math.pi) / 2, x), exp(mul(ans, ans)))),
    allowed=FLOAT,
)
lgamma_p: Primitive = unary(
    "lgamma",
    host=_scipy("gammaln", _positive_infinity),
    lower=op("chlo.lgamma"),
    derivative=lambda t, x, ans: mul(t, bind(digamma_p, x)),
    allowed=FLOAT,
)
digamma_p: Primitive = unary(
    "digamma",
    host=_scipy("digamma"),
    lower=_digamma_lower,
    derivative=lambda t, x, ans: mul(t, polygamma(x, 1)),
    allowed=FLOAT,
)


# The derivatives of digamma.


def _polygamma_host(x: HostArray, *, n: int, out: HostArray | None = None) -> Any:
    from scipy import special  # noqa: PLC0415  (slow to import, and seldom needed)

    result = np.asarray(special.polygamma(n, x.astype(np.float64))).astype(x.dtype)
    if out is None:
        return result
    out[...] = result
    return out


def _polygamma_lower(builder: Builder, x: Value, *, n: int) -> Value:
    return builder.op("chlo.polygamma", [full(builder, n, x), x], x.aval)


def _polygamma_jvp(
    primals: Sequence[Operand], tangents: Tangents, ans: Operand, *, n: int
) -> Array:
    t = tangents[0]
    assert t is not None
    return mul(t, polygamma(primals[0], n + 1))


polygamma_p: Primitive = Primitive(
    name="polygamma",
    aval=lambda x, *, n: elementwise_aval(x, name="polygamma", allowed=FLOAT),
    host=_polygamma_host,
    lower=partial(wide_lower, write=_polygamma_lower),
    jvp=_polygamma_jvp,
    transpose=Missing("not linear"),
    batch=lambda args, bdims, *, n: elementwise_batch(polygamma_p, args, bdims, n=n),
)


def polygamma(x: Operand, n: int) -> Array:
    """Return the n-th derivative of digamma, n at least 1."""
    return bind(polygamma_p, x, n=n)
