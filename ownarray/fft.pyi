"""The typed surface of ownarray.fft."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from ownarray import Array, Moved

_Like: TypeAlias = (
    Array | Moved[Array] | np.ndarray[Any, Any] | np.generic | bool | int | float | complex
)
_Norm: TypeAlias = Literal["backward", "ortho", "forward"]

def fft(x: _Like, /, n: int | None = None, axis: int = -1, norm: _Norm | None = None) -> Array: ...
def fftfreq(
    n: int, /, d: float = 1.0, *, dtype: DTypeLike | None = None, device: object = None
) -> Array: ...
def fftshift(x: _Like, /, axes: int | Sequence[int] | None = None) -> Array: ...
def hfft(x: _Like, /, n: int | None = None, axis: int = -1, norm: _Norm | None = None) -> Array: ...
def ifft(x: _Like, /, n: int | None = None, axis: int = -1, norm: _Norm | None = None) -> Array: ...
def ifftshift(x: _Like, /, axes: int | Sequence[int] | None = None) -> Array: ...
def ihfft(
    x: _Like, /, n: int | None = None, axis: int = -1, norm: _Norm | None = None
) -> Array: ...
def irfft(
    x: _Like, /, n: int | None = None, axis: int = -1, norm: _Norm | None = None
) -> Array: ...
def rfft(x: _Like, /, n: int | None = None, axis: int = -1, norm: _Norm | None = None) -> Array: ...
def rfftfreq(
    n: int, /, d: float = 1.0, *, dtype: DTypeLike | None = None, device: object = None
) -> Array: ...
def fft2(
    x: _Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: _Norm | None = None,
) -> Array: ...
def fftn(
    x: _Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: _Norm | None = None,
) -> Array: ...
def ifft2(
    x: _Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: _Norm | None = None,
) -> Array: ...
def ifftn(
    x: _Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: _Norm | None = None,
) -> Array: ...
def irfft2(
    x: _Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: _Norm | None = None,
) -> Array: ...
def irfftn(
    x: _Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: _Norm | None = None,
) -> Array: ...
def rfft2(
    x: _Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: _Norm | None = None,
) -> Array: ...
def rfftn(
    x: _Like,
    /,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: _Norm | None = None,
) -> Array: ...
