"""Functions to differentiate: one table for finite differences, all modes, and JAX's values.

Each case is written for a namespace ``n``, which is this library or ``jax.numpy``; operands are
float64 values at which the function is smooth. JAX's values are stored beside this file: new cases
go to the end of the list, since the operands are drawn in order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

Values = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Case:
    """A function of float64 (or complex128) arrays."""

    name: str
    function: Callable[..., Any]
    """``function(n, *arrays) -> array or tuple of arrays``."""
    args: tuple[Values, ...]
    order: int = 2
    """Up to which order it is differentiated."""
    is_in_jax: bool = True
    """Whether ``jax.numpy`` has all the functions under these names."""

    def __str__(self) -> str:
        return self.name


_RNG = np.random.default_rng(11)


def _real(*shape: int, low: float = -1.5, high: float = 1.5) -> Values:
    return np.asarray(_RNG.uniform(low, high, shape))


def _positive(*shape: int) -> Values:
    return _real(*shape, low=0.4, high=1.9)


def _inside(*shape: int) -> Values:
    return _real(*shape, low=-0.8, high=0.8)


def _complex(*shape: int) -> Values:
    return _real(*shape) + 1j * _real(*shape)


def _apart(*shape: int) -> Values:
    """Return values no two of which are near each other."""
    size = int(np.prod(shape))
    return np.asarray(_RNG.permutation(np.linspace(-1.7, 1.9, size)).reshape(shape))


def _spd(k: int) -> Values:
    a = _real(k, k)
    return a @ a.T + k * np.eye(k)


def _square(k: int) -> Values:
    return _real(k, k) + 2.0 * k * np.diag(1.0 + np.arange(k))


_MASK = np.array([True, False, True])
_INDEX = np.array([2, 0, 2, 1])
_WEIGHTS = np.linspace(0.5, 1.5, 12).reshape(3, 4)

_UNARY: dict[str, Callable[..., Values]] = {
    **dict.fromkeys(
        [
            "sin",
            "cos",
            "tan",
            "tanh",
            "sinh",
            "cosh",
            "exp",
            "expm1",
            "atan",
            "asinh",
            "square",
            "negative",
            "abs",
        ],
        _real,
    ),
    **dict.fromkeys(["log", "log2", "log10", "log1p", "sqrt", "reciprocal"], _positive),
    **dict.fromkeys(["asin", "acos", "atanh"], _inside),
    "acosh": lambda *shape: 1.5 + _positive(*shape),
}
_BINARY: dict[str, Callable[..., Values]] = {
    **dict.fromkeys(["add", "subtract", "multiply", "atan2", "hypot", "logaddexp"], _real),
    **dict.fromkeys(["divide", "pow"], _positive),
    **dict.fromkeys(["maximum", "minimum"], _real),
}


def _elementwise() -> list[Case]:
    def unary(name: str) -> Callable[..., Any]:
        return lambda n, x: getattr(n, name)(x)

    def binary(name: str) -> Callable[..., Any]:
        return lambda n, x, y: getattr(n, name)(x, y)

    found = [Case(name, unary(name), (make(2, 3),)) for name, make in _UNARY.items()]
    found += [Case(name, binary(name), (make(2, 3), make(3))) for name, make in _BINARY.items()]
    found += [
        Case("remainder", lambda n, x, y: n.remainder(x, y), (_positive(4) + 3.1, _positive(4)), 1),
        Case("copysign", lambda n, x, y: n.copysign(x, y), (_real(4), _real(4)), 1),
        Case("where", lambda n, x, y: n.where(x > 0, x * y, x * x * y), (_real(5), _real(5))),
        Case("clip", lambda n, x: n.clip(x, -0.5, 0.7) * x, (_real(7),)),
        Case("x**3", lambda n, x: x**3, (_real(4),)),
        Case("x**-2", lambda n, x: x**-2, (_positive(4),)),
        Case("2.5**x", lambda n, x: 2.5**x, (_real(4),)),
        Case("sign", lambda n, x: n.sign(x) * x, (_real(4),)),
        Case("astype", lambda n, x: n.astype(x, np.float32) * 2.0, (np.array([0.5, 1.25]),), 0),
    ]
    return found


_SHAPES = [
    Case("reshape", lambda n, x: n.reshape(x * x, (3, 2)), (_real(2, 3),)),
    Case("permute_dims", lambda n, x: n.permute_dims(x * x, (2, 0, 1)), (_real(2, 3, 2),)),
    Case("broadcast_to", lambda n, x: n.broadcast_to(x * x, (4, 2, 3)), (_real(2, 1),)),
    Case("concat", lambda n, x, y: n.concat([x * y, y * y, x], axis=1), (_real(2, 3), _real(2, 3))),
    Case("stack", lambda n, x, y: n.stack([x * y, y * y], axis=-1), (_real(2, 3), _real(2, 3))),
    Case("flip", lambda n, x: n.flip(x * x, axis=1), (_real(2, 3),)),
    Case("roll", lambda n, x: n.roll(x * x, 2, axis=1), (_real(2, 5),)),
    Case("tile", lambda n, x: n.tile(x * x, (2, 3)), (_real(2, 3),)),
    Case("repeat", lambda n, x: n.repeat(x * x, 3, axis=0), (_real(2, 3),)),
    Case("squeeze", lambda n, x: n.squeeze(x * x, axis=1), (_real(2, 1, 3),)),
    Case("expand_dims", lambda n, x: n.expand_dims(x * x, axis=1), (_real(2, 3),)),
    Case("moveaxis", lambda n, x: n.moveaxis(x * x, 0, 2), (_real(2, 3, 4),)),
    Case("tril", lambda n, x: n.tril(x * x), (_real(3, 3),)),
    Case("triu", lambda n, x: n.triu(x * x, k=1), (_real(3, 3),)),
    Case("pad", lambda n, x: n.pad(x * x, ((1, 2), (0, 1))), (_real(2, 3),)),
    Case("unstack", lambda n, x: sum(n.unstack(x * x)), (_real(3, 2),)),
    Case("meshgrid", lambda n, x, y: n.meshgrid(x * x, y)[0] * y[0], (_real(3), _real(2))),
]

_REDUCTIONS = [
    Case("sum", lambda n, x: n.sum(x * x, axis=(0, 2)), (_real(2, 3, 2),)),
    Case("sum keepdims", lambda n, x: x * n.sum(x * x, axis=0, keepdims=True), (_real(3, 2),)),
    Case("mean", lambda n, x: n.mean(x**3, axis=1), (_real(2, 3),)),
    Case("prod", lambda n, x: n.prod(x, axis=1), (_real(2, 4),)),
    Case("prod with a zero", lambda n, x: n.prod(x), (np.array([1.5, 0.0, 2.0]),)),
    Case("max", lambda n, x: n.max(x * x, axis=1), (_apart(2, 4),)),
    Case("min", lambda n, x: n.min(x * x * x), (_apart(2, 4),)),
    Case("var", lambda n, x: n.var(x, axis=0), (_real(4, 2),)),
    Case("std", lambda n, x: n.std(x, axis=0), (_real(4, 2),)),
    Case("cumulative_sum", lambda n, x: n.cumulative_sum(x * x, axis=1), (_real(2, 4),)),
    Case("cumulative_prod", lambda n, x: n.cumulative_prod(x, axis=1), (_real(2, 4),)),
    Case("sort", lambda n, x: n.sort(x * x * x, axis=0), (_apart(5, 2),)),
    Case("diff", lambda n, x: n.diff(x * x), (_real(5),)),
]


def _write(x: Any, index: Any, value: Any, n: Any) -> Any:
    if hasattr(x, "at"):
        return x.at[index].set(value)
    x = n.positive(x)
    x[index] = value
    return x


_INDEXING = [
    Case("x[1]", lambda n, x: (x * x)[1], (_real(3, 4),)),
    Case("x[::2, 1:3]", lambda n, x: (x * x)[::2, 1:3], (_real(3, 4),)),
    Case("x[::-1]", lambda n, x: (x * x)[::-1], (_real(3, 4),)),
    Case("x[index]", lambda n, x: (x * x)[_INDEX], (_real(3, 4),)),
    Case("x[index, :2]", lambda n, x: (x * x)[_INDEX, :2], (_real(3, 4),)),
    Case("x[:, index]", lambda n, x: (x * x)[:, _INDEX], (_real(2, 3),)),
    Case("take", lambda n, x: n.take(x * x, n.asarray(_INDEX), axis=0), (_real(3, 4),)),
    Case(
        "take_along_axis",
        lambda n, x: n.take_along_axis(x * x, n.asarray(_INDEX[:, None]), axis=0),
        (_real(3, 1),),
    ),
    Case("x[1] = v", lambda n, x, v: _write(x * x, 1, v * v, n), (_real(3, 4), _real(4))),
    Case(
        "x[::2, 1:3] = v",
        lambda n, x, v: _write(x * x, np.s_[::2, 1:3], v * v, n),
        (_real(3, 4), _real(2)),
    ),
    Case(
        "x[index] = v",
        lambda n, x, v: _write(x * x, _INDEX[1:], v * v, n),
        (_real(4, 2), _real(3, 2)),
    ),
    Case(
        "x[i] = f(x[j])",
        lambda n, x: _write(_write(x, 0, x[1] * x[2], n), 2, x[0] * 2.0, n) * x,
        (_real(4),),
    ),
]

_PRODUCTS = [
    Case("matmul", lambda n, x, y: n.matmul(x, y), (_real(2, 3), _real(3, 4))),
    Case("matmul batch", lambda n, x, y: n.matmul(x, y), (_real(2, 2, 3), _real(3, 2))),
    Case("matmul vector", lambda n, x, y: n.matmul(x, y), (_real(3), _real(3, 4))),
    Case("vecdot", lambda n, x, y: n.vecdot(x, y), (_real(2, 3), _real(2, 3))),
    Case("tensordot", lambda n, x, y: n.tensordot(x, y, axes=2), (_real(2, 3, 2), _real(3, 2, 2))),
    Case(
        "einsum",
        lambda n, x, y: n.einsum("bij,bjk->bik", x, y),
        (_real(2, 2, 3), _real(2, 3, 2)),
    ),
    Case("einsum trace", lambda n, x, y: n.einsum("ij,ji->", x, y), (_real(2, 3), _real(3, 2))),
]

_COMPLEX = [
    Case("real part", lambda n, z: n.real(z * z * z), (_complex(3),)),
    Case("imag part", lambda n, z: n.imag(z * z * z), (_complex(3),)),
    Case("conj", lambda n, z: n.real(n.conj(z) * z * z), (_complex(3),)),
    Case("abs complex", lambda n, z: n.abs(z), (_complex(3),)),
    Case("exp complex", lambda n, z: n.real(n.exp(z) / (z + 3.0)), (_complex(3),)),
    Case("sqrt complex", lambda n, z: n.imag(n.sqrt(z)), (_complex(3),)),
    Case("log complex", lambda n, z: n.real(n.log(z)), (_complex(3),)),
    Case(
        "matmul complex", lambda n, z, w: n.real(n.matmul(z, w)), (_complex(2, 3), _complex(3, 2))
    ),
    Case("through complex", lambda n, x: n.real(n.exp(1j * x) * x), (_real(3),)),
]


def _without_signs(n: Any, *parts: Any) -> Any:
    """Return factors whose columns' signs are free without signs."""
    return tuple([n.abs(part) for part in parts])


_LINALG = [
    Case("cholesky", lambda n, a: n.linalg.cholesky(a + a.T), (_spd(3),)),
    Case("solve", lambda n, a, b: n.linalg.solve(a, b), (_square(3), _real(3, 2))),
    Case("inv", lambda n, a: n.linalg.inv(a), (_square(3),)),
    Case("det", lambda n, a: n.linalg.det(a), (_square(3),)),
    Case("slogdet", lambda n, a: n.linalg.slogdet(a)[1], (_square(3),)),
    Case("qr", lambda n, a: tuple(n.linalg.qr(a)), (_real(4, 3),)),
    Case("svdvals", lambda n, a: n.linalg.svdvals(a), (_real(4, 3),)),
    Case(
        "svd",
        lambda n, a: _without_signs(n, *n.linalg.svd(a, full_matrices=False)),
        (_real(4, 3),),
    ),
    Case("eigvalsh", lambda n, a: n.linalg.eigvalsh(a + a.T), (_square(3),)),
    Case(
        "eigh",
        lambda n, a: _without_signs(n, *n.linalg.eigh(a + a.T)),
        (_square(3),),
    ),
    Case("norm", lambda n, a: n.linalg.vector_norm(a, axis=1), (_real(3, 4),)),
    Case("matrix_norm", lambda n, a: n.linalg.matrix_norm(a), (_real(3, 4),)),
    Case("pinv", lambda n, a: n.linalg.pinv(a), (_real(4, 3),)),
    Case("trace", lambda n, a: n.linalg.trace(a @ a), (_real(3, 3),)),
    Case("cross", lambda n, x, y: n.linalg.cross(x, y), (_real(2, 3), _real(2, 3))),
    Case("matrix_power", lambda n, a: n.linalg.matrix_power(a, 3), (_inside(3, 3),)),
]

_FFT = [
    Case("fft", lambda n, x: n.abs(n.fft.fft(x)) ** 2, (_real(5),)),
    Case("ifft", lambda n, z: n.real(n.fft.ifft(z * z)), (_complex(4),)),
    Case("rfft", lambda n, x: n.real(n.fft.rfft(x * x)), (_real(6),)),
    Case("irfft", lambda n, z: n.fft.irfft(z * z, n=6), (_complex(4),)),
    Case("irfft odd", lambda n, z: n.fft.irfft(z * z, n=7), (_complex(4),)),
    Case("fftn", lambda n, x: n.imag(n.fft.fftn(x * x)), (_real(3, 4),)),
    Case("rfftn", lambda n, x: n.imag(n.fft.rfftn(x * x)), (_real(3, 4),)),
    Case("fftshift", lambda n, x: n.fft.fftshift(x * x), (_real(5),)),
]


def _softmax(n: Any, x: Any) -> Any:
    e = n.exp(x - n.max(x, axis=-1, keepdims=True))
    return e / n.sum(e, axis=-1, keepdims=True)


_COMPOSITES = [
    Case("softmax", _softmax, (_apart(2, 4),)),
    Case(
        "layer norm",
        lambda n, x: (
            (x - n.mean(x, axis=-1, keepdims=True)) / n.sqrt(n.var(x, axis=-1, keepdims=True) + 0.1)
        ),
        (_real(2, 5),),
    ),
    Case(
        "attention",
        lambda n, q, k, v: n.matmul(_softmax(n, n.matmul(q, k.T) / 2.0), v),
        (_real(3, 4), _real(3, 4), _real(3, 4)),
    ),
    Case(
        "mlp",
        lambda n, x, w, v: n.tanh(n.matmul(n.tanh(n.matmul(x, w)), v)),
        (_real(2, 3), _real(3, 4), _real(4, 2)),
    ),
]

_MORE = [
    Case("cbrt", lambda n, x: n.cbrt(x), (_positive(4),)),
    Case("exp2", lambda n, x: n.exp2(x), (_real(4),)),
    Case("sinc", lambda n, x: n.sinc(x), (_real(4),)),
    Case("logaddexp2", lambda n, x, y: n.logaddexp2(x, y), (_real(4), _real(4))),
    Case("fmax", lambda n, x, y: n.fmax(x, y) * x, (_real(4), _real(4))),
    Case("deg2rad", lambda n, x: n.deg2rad(x) * x, (_real(4),)),
    Case("nan_to_num", lambda n, x: n.nan_to_num(x) * x, (_real(4),)),
    Case("angle", lambda n, z: n.angle(z), (_complex(4),)),
    Case("var complex", lambda n, z: n.var(z), (_complex(4),)),
    Case("cummax", lambda n, x: n.cummax(x * x, axis=0), (_apart(5, 2),), is_in_jax=False),
    Case("cummin", lambda n, x: n.cummin(x * x, axis=0), (_apart(5, 2),), is_in_jax=False),
    Case("cumsum", lambda n, x: n.cumsum(x * x), (_real(2, 3),)),
    Case("cumprod", lambda n, x: n.cumprod(x), (_real(5),)),
    Case("nansum", lambda n, x: n.nansum(x * x, axis=0), (_real(3, 2),)),
    Case("nanmean", lambda n, x: n.nanmean(x * x, axis=0), (_real(3, 2),)),
    Case("median", lambda n, x: n.median(x * x, axis=0), (_apart(5, 2),)),
    Case("quantile", lambda n, x: n.quantile(x * x, 0.3, axis=0), (_apart(5, 2),)),
    Case("average", lambda n, x, w: n.average(x, axis=0, weights=w), (_real(3, 2), _positive(3))),
    Case("ptp", lambda n, x: n.ptp(x * x, axis=0), (_apart(5, 2),)),
    Case("interp", lambda n, x, y: n.interp(x, np.arange(4.0), y), (_positive(3) + 0.01, _real(4))),
    Case("convolve", lambda n, x, y: n.convolve(x, y), (_real(5), _real(3))),
    Case("correlate", lambda n, x, y: n.correlate(x, y, mode="full"), (_real(5), _real(3))),
    Case("corrcoef", lambda n, x: n.corrcoef(x), (_real(3, 5),)),
    Case("cov", lambda n, x: n.cov(x), (_real(3, 5),)),
    Case("kron", lambda n, x, y: n.kron(x, y), (_real(2, 2), _real(3, 2))),
    Case("outer", lambda n, x, y: n.outer(x, y), (_real(2), _real(3))),
    Case("inner", lambda n, x, y: n.inner(x, y), (_real(2, 3), _real(4, 3))),
    Case("dot", lambda n, x, y: n.dot(x, y), (_real(2, 3), _real(3, 2))),
    Case("diag", lambda n, x: n.diag(x * x), (_real(3),)),
    Case("diagonal", lambda n, x: n.diagonal(x * x), (_real(3, 4),)),
    Case("rot90", lambda n, x: n.rot90(x * x), (_real(2, 3),)),
    Case("hstack", lambda n, x, y: n.hstack([x * x, y]), (_real(2, 3), _real(2, 1))),
    Case("split", lambda n, x: n.split(x * x, 2)[1], (_real(4, 3),)),
    Case("select", lambda n, x: n.select([x > 1, x > 0], [x * x, x**3], 2.0 * x), (_real(6),)),
    Case("append", lambda n, x, y: n.append(x * x, y), (_real(3), _real(2))),
    Case("argsort and take", lambda n, x: (x * x)[n.argsort(x)] * x, (_apart(5),)),
    Case("top_k", lambda n, x: n.top_k(x * x, 2)[0], (_apart(2, 5),), is_in_jax=False),
    Case("x[mask] = v", lambda n, x: _write(x * x, _MASK, 2.0, n) * x, (_real(3),)),
    Case("x[None, ..., 0]", lambda n, x: (x * x)[None, ..., 0], (_real(3, 4),)),
    Case("lstsq", lambda n, a, b: n.linalg.lstsq(a, b)[0], (_real(4, 3), _real(4, 2))),
    Case(
        "solve_triangular",
        lambda n, a, b: n.linalg.solve_triangular(n.tril(a), b, lower=True),
        (_square(3), _real(3, 2)),
        is_in_jax=False,
    ),
    Case("multi_dot", lambda n, *m: n.linalg.multi_dot(m), (_real(2, 3), _real(3, 4), _real(4, 2))),
    Case("norm nuc", lambda n, a: n.linalg.norm(a, ord="nuc"), (_real(3, 4),)),
    Case("norm 2", lambda n, a: n.linalg.norm(a, ord=2), (_real(3, 4),)),
    Case("vector_norm 3", lambda n, a: n.linalg.vector_norm(a, ord=3), (_positive(4),)),
    Case(
        "tensorsolve",
        lambda n, a, b: n.linalg.tensorsolve(a, b),
        (_square(4).reshape(2, 2, 4), _real(2, 2)),
    ),
    Case(
        "eigvals",
        lambda n, a: n.real(n.linalg.eigvals(a)),
        (np.triu(_square(3)) + 0.1 * _square(3),),
    ),
    Case(
        "cholesky complex",
        lambda n, z: n.real(n.linalg.cholesky(z @ n.conj(z.T) + 3 * np.eye(3))),
        (_complex(3, 3),),
    ),
    Case(
        "solve complex",
        lambda n, z, w: n.imag(n.linalg.solve(z + 4 * np.eye(3), w)),
        (_complex(3, 3), _complex(3)),
    ),
    Case(
        "eigvalsh complex",
        lambda n, z: n.linalg.eigvalsh(z + n.conj(z.T) + np.diag([0.0, 5.0, 9.0])),
        (_complex(3, 3),),
    ),
    Case("svdvals complex", lambda n, z: n.linalg.svdvals(z), (_complex(3, 2),)),
    Case("qr complex", lambda n, z: n.abs(n.linalg.qr(z)[1]), (_complex(3, 2),)),
    Case("det complex", lambda n, z: n.real(n.linalg.det(z)), (_complex(3, 3),)),
    Case("slogdet complex", lambda n, z: n.linalg.slogdet(z)[1], (_complex(3, 3),)),
    Case("svd full", lambda n, a: n.linalg.svd(a, full_matrices=False)[1], (_real(3, 3),)),
    Case("hfft", lambda n, z: n.fft.hfft(z * z), (_complex(4),)),
    Case("ihfft", lambda n, x: n.real(n.fft.ihfft(x * x)), (_real(5),)),
    Case("fft2", lambda n, x: n.abs(n.fft.fft2(x)) ** 2, (_real(3, 4),)),
    Case("irfft2", lambda n, z: n.fft.irfft2(z * z), (_complex(3, 3),)),
    Case("fft norm", lambda n, x: n.real(n.fft.fft(x * x, norm="ortho")), (_real(6),)),
]


def _parts() -> list[Case]:
    return [
        Case("fmod", lambda n, x, y: n.fmod(x, y), (-_positive(4) - 3.1, _positive(4)), 1),
        Case("ldexp", lambda n, x: n.ldexp(x * x, 3), (_real(4),)),
        Case("frexp", lambda n, x: n.frexp(x * x)[0], (_positive(4),)),
        Case("modf", lambda n, x: n.modf(3.0 * x)[0], (np.array([0.4, 0.9, 1.25]),), 1),
        Case("polyfit", lambda n, x, y: n.polyfit(x, y, 2), (_apart(6), _real(6)), 1),
    ]


def weighted_sum(n: Any, case: Case) -> Callable[..., Any]:
    """Return the case's function followed by a weighted sum, so that it has a gradient."""

    def function(*arrays: Any) -> Any:
        results = case.function(n, *arrays)
        total: Any = 0.0
        for number, result in enumerate(results if isinstance(results, tuple) else (results,)):
            weights = np.cos(1.0 + number + np.arange(result.size)).reshape(result.shape)
            total = total + n.sum(weights * result)
        return total

    return function


CASES: list[Case] = [
    *_elementwise(),
    *_SHAPES,
    *_REDUCTIONS,
    *_INDEXING,
    *_PRODUCTS,
    *_COMPLEX,
    *_LINALG,
    *_FFT,
    *_COMPOSITES,
    *_MORE,
    *_parts(),
]
