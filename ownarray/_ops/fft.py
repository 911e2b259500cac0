"""Discrete Fourier transforms: one primitive of four kinds, and NumPy's functions on it."""

from __future__ import annotations

import math
import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.dtypes import COMPLEX, COMPLEX64, FLOAT32, FLOAT64, DType, canonical
from ownarray._core.primitive import Linear, Primitive
from ownarray._lower.types import i64_array
from ownarray._ops import emit
from ownarray._ops.arithmetic import conj, mul, real
from ownarray._ops.assemble import pad_with
from ownarray._ops.convert import COMPLEX_OF, REAL_OF
from ownarray._ops.entries import Span
from ownarray._ops.promote import as_dtype, inexact, operand
from ownarray._ops.rules import BatchDims, normal_axes, normal_axis
from ownarray._ops.shapes import roll
from ownarray._ops.slicing import take
from ownarray._ops.structural import copy, to_front
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

Kind: TypeAlias = Literal["FFT", "IFFT", "RFFT", "IRFFT"]
Axes: TypeAlias = tuple[int, ...]


def _fft_aval(x: ShapedArray, *, kind: Kind, axes: Axes, n: int) -> ShapedArray:
    wanted = frozenset({FLOAT32, FLOAT64}) if kind == "RFFT" else COMPLEX
    if x.dtype not in wanted:
        raise TypeError(f"fft: {kind} is of {'real' if kind == 'RFFT' else 'complex'}, got {x}")
    shape = list(x.shape)
    last = axes[-1]
    if any(shape[axis] == 0 for axis in axes) or n == 0:
        raise ValueError(f"fft: there must be at least one point along axes {axes} of {x}")
    if kind == "RFFT":
        shape[last] = n // 2 + 1
        return ShapedArray(tuple(shape), COMPLEX_OF[x.dtype])
    if kind == "IRFFT":
        if shape[last] != n // 2 + 1:
            raise ValueError(f"fft: {n} real points are of {n // 2 + 1} complex ones, got {x}")
        shape[last] = n
        return ShapedArray(tuple(shape), REAL_OF[x.dtype])
    return x.strong()


_THREADED: Final = 2**16
"""From how many elements on the host transforms lines in several threads (to the same bits)."""


def _fft_host(
    x: HostArray, *, kind: Kind, axes: Axes, n: int, out: HostArray | None = None
) -> HostArray:
    from scipy import fft as library  # noqa: PLC0415  (slow to import, and seldom needed)

    workers = os.cpu_count() if x.size >= _THREADED else 1
    if kind in ("FFT", "IFFT"):
        # Always in place: several axes at once are rounded differently out of place.
        function = library.fftn if kind == "FFT" else library.ifftn
        given = np.array(x) if out is None else out
        if given is out and out is not x:
            given[...] = x
        result = function(given, axes=axes, overwrite_x=True, workers=workers)
    elif kind == "RFFT":
        result = library.rfftn(x, axes=axes, workers=workers)
    else:
        sizes = [*[x.shape[axis] for axis in axes[:-1]], n]
        result = library.irfftn(x, sizes, axes=axes, workers=workers)
    if out is None:
        return np.asarray(result)
    if not np.may_share_memory(result, out):
        out[...] = result
    return out


_MAX_AXES: Final = 3
"""How many axes XLA transforms at once."""


def _fft_lower(
    builder: Builder, out: ShapedArray, x: Value, *, kind: Kind, axes: Axes, n: int
) -> Value:
    early, late = axes[:-_MAX_AXES], axes[-_MAX_AXES:]
    if not early:
        return _lower_few(builder, x, kind, axes, n)
    if kind == "RFFT":
        x = _lower_few(builder, x, "RFFT", late, n)
        return _fft_lower(builder, x.aval, x, kind="FFT", axes=early, n=x.aval.shape[early[-1]])
    inverse: Kind = "FFT" if kind == "FFT" else "IFFT"
    x = _fft_lower(builder, x.aval, x, kind=inverse, axes=early, n=x.aval.shape[early[-1]])
    return _lower_few(builder, x, kind, late, n)


def _lower_few(builder: Builder, x: Value, kind: Kind, axes: Axes, n: int) -> Value:
    ndim = x.aval.ndim
    order = [*[axis for axis in range(ndim) if axis not in axes], *axes]
    x = emit.transpose(builder, x, order)
    shape = list(x.aval.shape)
    dtype: DType = x.aval.dtype
    if kind == "RFFT":
        shape[-1], dtype = n // 2 + 1, COMPLEX_OF[dtype]
    elif kind == "IRFFT":
        shape[-1], dtype = n, REAL_OF[dtype]
    lengths = [*shape[ndim - len(axes) : -1], n]
    x = builder.op(
        "stablehlo.fft",
        [x],
        ShapedArray(tuple(shape), dtype),
        f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {i64_array(lengths)}",
    )
    return emit.transpose(builder, x, sorted(range(ndim), key=order.__getitem__))


# Derivatives: a discrete Fourier transform is a symmetric matrix.


def _fft_transpose(ct: Operand, x: Linear, *, kind: Kind, axes: Axes, n: int) -> list[Operand]:
    if kind in ("FFT", "IFFT"):
        return [_apply(ct, kind, axes, n)]
    last = axes[-1]
    shape = operand_aval(ct).shape
    if kind == "RFFT":
        return [real(_apply(_resize(ct, last, n), "FFT", axes, n))]
    # Each complex point but the first (and the middle one) stands for two of the whole spectrum.
    half = n // 2 + 1
    weights = np.full(half, 2 / math.prod([shape[axis] for axis in axes]), operand_aval(ct).dtype)
    weights[0] /= 2
    if n % 2 == 0:
        weights[-1] /= 2
    spectrum = conj(_apply(ct, "RFFT", axes, n))
    along = [half if axis == last else 1 for axis in range(len(shape))]
    factor = weights.reshape(along).astype(x.aval.dtype)
    return [mul(spectrum, factor)]


def _fft_batch(
    args: Sequence[Operand], bdims: BatchDims, *, kind: Kind, axes: Axes, n: int
) -> tuple[Array, int]:
    front = to_front(args[0], bdims[0])
    return _apply(front, kind, tuple([axis + 1 for axis in axes]), n), 0


fft_p = Primitive(
    name="fft",
    is_kept=True,
    prefers_host=True,
    aval=_fft_aval,
    host=_fft_host,
    lower=_fft_lower,
    jvp=lambda primals, tangents, ans, *, kind, axes, n: _apply(tangents[0], kind, axes, n),
    transpose=_fft_transpose,
    batch=_fft_batch,
)


def _apply(x: Operand, kind: Kind, axes: Axes, n: int) -> Array:
    """Apply `fft_p`: n is the number of (real) points along the last of the axes."""
    return bind(fft_p, x, kind=kind, axes=axes, n=n)


# NumPy's functions.

Norm: TypeAlias = Literal["backward", "ortho", "forward"] | None
_POWER: Final = MappingProxyType(
    {  # (norm, is inverse) -> the power of the number of points in the factor to apply
        ("backward", False): 0.0,
        ("backward", True): 0.0,
        ("ortho", False): -0.5,
        ("ortho", True): 0.5,
        ("forward", False): -1.0,
        ("forward", True): 1.0,
    }
)


def _resize(x: Operand, axis: int, n: int) -> Operand:
    """Return x cut off or filled with zeros to n points along an axis."""
    shape = operand_aval(x).shape
    if shape[axis] == n:
        return x
    if shape[axis] > n:
        return take(x, tuple([Span(0, 1, n if a == axis else m) for a, m in enumerate(shape)]))
    config = tuple([(0, n - m if a == axis else 0, 0) for a, m in enumerate(shape)])
    return pad_with(x, operand_aval(x).dtype.type(0), config)


def _plan(
    name: str, shape: Shape, s: Sequence[int] | None, axes: Sequence[int] | None
) -> tuple[list[int], Axes]:
    """Return the number of points along each axis, and the axes."""
    if axes is None:
        axes = range(len(shape)) if s is None else range(len(shape) - len(s), len(shape))
    places = tuple([normal_axis(name, axis, len(shape)) for axis in axes])
    if not places:
        raise ValueError(f"{name}: at least one axis must be transformed")
    sizes = [shape[axis] for axis in places] if s is None else [int(n) for n in s]
    if len(sizes) != len(places):
        raise ValueError(f"{name}: {len(sizes)} sizes were given for {len(places)} axes")
    sizes = [shape[axis] if n == -1 else n for n, axis in zip(sizes, places, strict=True)]
    if min(sizes) < 1:
        raise ValueError(f"{name}: invalid number of FFT data points ({min(sizes)}) specified")
    return sizes, places


def _scaled(name: str, x: Array, norm: Norm, n_points: int, *, inverse: bool) -> Array:
    power = _POWER.get((norm or "backward", inverse))
    if power is None:
        raise ValueError(f'{name}: norm must be "backward", "ortho" or "forward", got {norm!r}')
    if power == 0:
        return x
    return mul(x._last(), x.aval.dtype.type(float(n_points) ** power))


def _transform(
    name: str, x: object, s: Sequence[int] | None, axes: Sequence[int] | None, norm: Norm
) -> Array:
    """Return a transform of complex points."""
    value = operand(name, x)
    aval = operand_aval(value)
    kind: Kind = "IFFT" if name.startswith("i") else "FFT"
    sizes, places = _plan(name, aval.shape, s, axes)
    dtype = aval.dtype if aval.dtype in COMPLEX else COMPLEX_OF.get(inexact(aval.dtype), COMPLEX64)
    value = as_dtype(name, value, dtype)
    for axis, n in zip(places, sizes, strict=True):
        value = _resize(value, axis, n)
    if len(set(places)) != len(places):  # NumPy transforms an axis as often as it is named
        for axis, n in zip(places, sizes, strict=True):
            value = _apply(value, kind, (axis,), n)
        result: Array = value  # type: ignore[assignment]
    else:
        result = _apply(value, kind, places, sizes[-1])
    return _scaled(name, result, norm, math.prod(sizes), inverse=kind == "IFFT")


def _real_transform(
    name: str, x: object, s: Sequence[int] | None, axes: Sequence[int] | None, norm: Norm
) -> Array:
    """Return the half spectrum of real points."""
    value = operand(name, x)
    aval = operand_aval(value)
    if aval.dtype in COMPLEX:
        raise TypeError(f"{name}: expected real numbers, got {aval}")
    sizes, places = _plan(name, aval.shape, s, axes)
    dtype = FLOAT64 if inexact(aval.dtype) == FLOAT64 else FLOAT32
    value = as_dtype(name, value, dtype)
    for axis, n in zip(places, sizes, strict=True):
        value = _resize(value, axis, n)
    result = _apply(value, "RFFT", places, sizes[-1])
    return _scaled(name, result, norm, math.prod(sizes), inverse=False)


def _real_inverse(
    name: str, x: object, s: Sequence[int] | None, axes: Sequence[int] | None, norm: Norm
) -> Array:
    """Return the real points of a half spectrum."""
    value = operand(name, x)
    aval = operand_aval(value)
    if s is None:
        wanted, _ = _plan(name, aval.shape, None, axes)
        s = [*wanted[:-1], 2 * (wanted[-1] - 1)]
    sizes, places = _plan(name, aval.shape, s, axes)
    dtype = aval.dtype if aval.dtype in COMPLEX else COMPLEX_OF.get(inexact(aval.dtype), COMPLEX64)
    value = as_dtype(name, value, dtype)
    for axis, n in zip(places[:-1], sizes[:-1], strict=True):
        value = _resize(value, axis, n)
    value = _resize(value, places[-1], sizes[-1] // 2 + 1)
    result = _apply(value, "IRFFT", places, sizes[-1])
    return _scaled(name, result, norm, math.prod(sizes), inverse=True)


def _sizes(n: int | None) -> list[int] | None:
    return None if n is None else [n]


def fft(x: object, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Return the transform along one axis."""
    return _transform("fft", x, _sizes(n), [axis], norm)


def ifft(x: object, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Return the inverse transform along one axis."""
    return _transform("ifft", x, _sizes(n), [axis], norm)


def rfft(x: object, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Return the half spectrum of real points along one axis."""
    return _real_transform("rfft", x, _sizes(n), [axis], norm)


def irfft(x: object, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Return the real points of a half spectrum along one axis."""
    return _real_inverse("irfft", x, _sizes(n), [axis], norm)


def fftn(
    x: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = None,
) -> Array:
    """Return the transform along several axes."""
    return _transform("fftn", x, s, axes, norm)


def ifftn(
    x: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = None,
) -> Array:
    """Return the inverse transform along several axes."""
    return _transform("ifftn", x, s, axes, norm)


def rfftn(
    x: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = None,
) -> Array:
    """Return the half spectrum of real points along several axes, the last one halved."""
    return _real_transform("rfftn", x, s, axes, norm)


def irfftn(
    x: object,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: Norm = None,
) -> Array:
    """Return the real points of a half spectrum along several axes."""
    return _real_inverse("irfftn", x, s, axes, norm)


_SWAPPED: Final = MappingProxyType({"backward": "forward", "ortho": "ortho", "forward": "backward"})


def hfft(x: object, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Return the real spectrum of points with Hermitian symmetry."""
    swapped: Norm = _SWAPPED.get(norm or "backward", norm)  # type: ignore[assignment]
    value = operand("hfft", x)
    conjugate = conj(value) if operand_aval(value).dtype in COMPLEX else value
    return irfft(conjugate, n, axis, swapped)


def ihfft(x: object, n: int | None = None, axis: int = -1, norm: Norm = None) -> Array:
    """Return the points with Hermitian symmetry of a real spectrum."""
    swapped: Norm = _SWAPPED.get(norm or "backward", norm)  # type: ignore[assignment]
    return conj(rfft(x, n, axis, swapped))


def fftshift(x: object, axes: int | Sequence[int] | None = None) -> Array:
    """Return x with the zero frequency moved to the middle."""
    value = operand("fftshift", x)
    shape = operand_aval(value).shape
    places = normal_axes("fftshift", axes, len(shape))
    if not places:
        return copy(value)
    return roll(value, [shape[axis] // 2 for axis in places], places)


def ifftshift(x: object, axes: int | Sequence[int] | None = None) -> Array:
    """Undo `fftshift`."""
    value = operand("ifftshift", x)
    shape = operand_aval(value).shape
    places = normal_axes("ifftshift", axes, len(shape))
    if not places:
        return copy(value)
    return roll(value, [-(shape[axis] // 2) for axis in places], places)


def _frequencies(name: str, n: int, d: float, dtype: object, index: HostArray) -> Array:
    if n < 1:
        raise ValueError(f"{name}: the number of points must be positive, got {n}")
    kind = FLOAT64 if dtype is None else canonical(dtype, name)
    # By an operation, so that it is a fresh array in every trace.
    values: Any = index
    return mul((values / (n * d)).astype(kind), kind.type(1))


def fftfreq(n: int, d: float = 1.0, dtype: object = None) -> Array:
    """Return the frequencies of `fft`."""
    index = np.concatenate([np.arange((n - 1) // 2 + 1), np.arange(-(n // 2), 0)])
    return _frequencies("fftfreq", n, d, dtype, index)


def rfftfreq(n: int, d: float = 1.0, dtype: object = None) -> Array:
    """Return the frequencies of `rfft`."""
    return _frequencies("rfftfreq", n, d, dtype, np.arange(n // 2 + 1))
