"""oa.fft against NumPy: at once and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ownarray as oa

Values = np.ndarray[Any, np.dtype[Any]]
_RNG = np.random.default_rng(0)
REAL = _RNG.normal(size=(4, 5, 6))
COMPLEX = REAL + 1j * _RNG.normal(size=REAL.shape)
MANY = _RNG.normal(size=(2, 3, 4, 2, 3))
DTYPES = ("float64", "float32", "complex128", "complex64", "int32")
ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fftn", "ifftn", "rfftn", "irfftn")
ONLY_REAL = {"rfft", "ihfft", "rfftn", "rfft2"}


def _close(got: Any, wanted: Values) -> None:
    found = np.asarray(got)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    tolerance = 2e-5 if wanted.dtype in (np.float32, np.complex64) else 1e-12
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


def _one() -> list[tuple[str, Values, tuple[Any, ...]]]:
    cases: list[tuple[str, Values, tuple[Any, ...]]] = []
    for name in ONE:
        for dtype in DTYPES:
            if name in ONLY_REAL and dtype.startswith("complex"):
                continue
            x = (COMPLEX if dtype.startswith("complex") else REAL).astype(dtype)
            cases += [
                (name, x, (n, 1 if n == 3 else -1, norm))
                for n in (None, 3, 7)
                for norm in (None, "ortho", "forward")
            ]
    return cases


def _several() -> list[tuple[str, Values, tuple[Any, ...]]]:
    cases: list[tuple[str, Values, tuple[Any, ...]]] = []
    for name in SEVERAL:
        x = REAL if name in ONLY_REAL else COMPLEX
        for s, axes in (
            (None, None),
            ((4, 7, 3), (0, 1, 2)),
            ((5, 4), (0, 2)),
            (None, (2, 0)),
            ((3, 9), (1, -1)),
        ):
            cases.append((name, x, (s, axes, "ortho")))
        wide = MANY if name in ONLY_REAL else MANY + 1j * MANY[::-1]
        cases += [(name, wide, (None, axes)) for axes in ((0, 1, 2, 3, 4), (4, 1, 0, 2))]
    for name in ("fft2", "ifft2", "rfft2", "irfft2"):
        cases.append((name, REAL if name in ONLY_REAL else COMPLEX, ()))
    return cases


CASES = [*_one(), *_several()]
IDS = [f"{i}-{case[0]}-{case[1].dtype}" for i, case in enumerate(CASES)]


@pytest.mark.parametrize(("name", "x", "arguments"), CASES, ids=IDS)
def test_at_once(name: str, x: Values, arguments: tuple[Any, ...]) -> None:
    _close(getattr(oa.fft, name)(oa.asarray(x), *arguments), getattr(np.fft, name)(x, *arguments))


@pytest.mark.slow
def test_compiled() -> None:
    """One program for all cases, so that it is compiled once."""

    def all_of_them(xs: list[Any]) -> list[Any]:
        return [
            getattr(oa.fft, name)(x, *arguments)
            for (name, _, arguments), x in zip(CASES, xs, strict=True)
        ]

    results = oa.jit(all_of_them)([oa.asarray(x) for _, x, _ in CASES])
    for (name, x, arguments), result in zip(CASES, results, strict=True):
        _close(result, getattr(np.fft, name)(x, *arguments))


def test_frequencies_and_shifts() -> None:
    for n in (1, 2, 5, 8):
        _close(oa.fft.fftfreq(n, d=0.1), np.fft.fftfreq(n, 0.1))
        _close(oa.fft.rfftfreq(n, d=0.1), np.fft.rfftfreq(n, 0.1))
    for axes in (None, 0, (1, 2)):
        _close(oa.fft.fftshift(oa.asarray(REAL), axes), np.fft.fftshift(REAL, axes))
        _close(oa.fft.ifftshift(oa.asarray(REAL), axes), np.fft.ifftshift(REAL, axes))


def test_refusals() -> None:
    x = oa.asarray(COMPLEX)
    with pytest.raises(TypeError, match="real"):
        oa.fft.rfft(x)
    with pytest.raises(ValueError, match="data points"):
        oa.fft.fft(x, 0)
    with pytest.raises(ValueError, match="norm"):
        oa.fft.fft(x, norm="other")  # type: ignore[arg-type]
    with pytest.raises(np.exceptions.AxisError):
        oa.fft.fft(x, axis=3)


def test_a_moved_array_holds_its_transform() -> None:
    x = oa.asarray(COMPLEX)
    address = x._values().ctypes.data  # type: ignore[attr-defined]  # a concrete array
    y = oa.fft.fftn(oa.move(x))
    assert y._values().ctypes.data == address  # type: ignore[attr-defined]
    np.testing.assert_array_equal(np.asarray(y), np.asarray(oa.fft.fftn(oa.asarray(COMPLEX))))
