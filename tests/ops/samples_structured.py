"""Sample applications of indexing, Fourier transforms, linear algebra and random words."""

from __future__ import annotations

import numpy as np

from ownarray._core.dtypes import FLOAT32, FLOAT64
from ownarray._ops import (
    below,
    factor,
    fft,
    gather_scatter,
    philox,
    slicing,
    spectral,
    systems,
    triangular,
)
from ownarray._ops.entries import ARRAY, PICK, AnyEntries, Entries, Mark, Span, Window, whole
from tests.ops.samples import Sample, Values

_RNG = np.random.default_rng(11)


def _some(*shape: int) -> Values:
    return _RNG.normal(size=shape)


def _complex(*shape: int) -> Values:
    return _some(*shape) + 1j * _some(*shape)


def _definite(*shape: int) -> Values:
    x = _some(*shape)
    n = shape[-1]
    return np.asarray(x @ np.swapaxes(x, -1, -2) + (3 + n) * np.eye(n))


def _hermitian(n: int) -> Values:
    x = _complex(n, n)
    return np.asarray(x @ x.conj().T + (3 + n) * np.eye(n))


def _regular(*shape: int) -> Values:
    return np.asarray(_some(*shape) + 3 * np.eye(shape[-2], shape[-1]))


_BASIC: list[tuple[Entries, tuple[int, ...]]] = [
    ((Span(1, 2, 2), 3, Span(4, -1, 3)), ()),
    ((None, whole(4), Span(0, 0 + 1, 2), 0), ()),
    ((PICK, whole(5), Span(1, 1, 2)), (1,)),
    ((PICK, whole(5), PICK), (0, 2)),
    ((Window(2, drop=False), Span(3, -2, 2), PICK), (1, 0)),
    ((Window(2, drop=False), whole(5), Window(3, drop=False)), (0, 1)),
]
_I = np.array([0, 1, 1])
_J = np.array([[1], [0]])
_ARRAYS: list[tuple[AnyEntries, tuple[Values, ...]]] = [
    ((ARRAY, whole(5), whole(6)), (_I,)),
    ((whole(4), ARRAY, whole(6)), (_I,)),
    ((ARRAY, whole(5), ARRAY), (_I, _J)),
    ((Span(2, -1, 2), ARRAY, ARRAY), (_I, _J)),
    ((None, ARRAY, 2, Span(1, 2, 2)), (_J,)),
    ((whole(4), Mark.TRUE, ARRAY, whole(6)), (_I,)),
    ((whole(4), ARRAY, Mark.GAP, ARRAY), (_I, _I[::-1].copy())),
]


def _part_of(
    entries: Entries | AnyEntries, operands: tuple[Values, ...] | tuple[int, ...]
) -> Values:
    arrays = tuple([np.asarray(x) for x in operands])
    x = np.zeros((4, 5, 6))
    if any(isinstance(entry, Window) for entry in entries):
        entries_ = tuple(entries)
        return np.asarray(slicing.slice_p.host(x, *arrays, entries=entries_))  # type: ignore[operator]
    if arrays or Mark.TRUE in entries:
        return np.asarray(gather_scatter.gather_p.host(x, *arrays, entries=entries))  # type: ignore[operator]
    return np.asarray(slicing.slice_p.host(x, entries=entries))  # type: ignore[operator]


def _basic() -> list[Sample]:
    samples = []
    for entries, picks in _BASIC:
        operands = tuple([np.asarray(p) for p in picks])
        part = _part_of(entries, picks)
        params = {"entries": entries}
        samples.append(Sample(slicing.slice_p, (_some(4, 5, 6), *operands), params, ((0,),)))
        for value in (_some(*part.shape), _some(*part.shape[-1:]), _some()):
            arrays = (_some(4, 5, 6), value, *operands)
            samples.append(Sample(slicing.update_slice_p, arrays, params, ((0, 1), (0,), (1,))))
    return samples


def _by_arrays() -> list[Sample]:
    samples = []
    for entries, indices in _ARRAYS:
        part = _part_of(entries, indices)
        params = {"entries": entries}
        samples.append(Sample(gather_scatter.gather_p, (_some(4, 5, 6), *indices), params, ((0,),)))
        for value in (_some(*part.shape), _some(*part.shape[-1:])):
            arrays = (_some(4, 5, 6), value, *indices)
            both = ((0, 1), (0,), (1,))
            for mode, linear in (("set", both), ("add", both), ("multiply", ((0,),))):
                samples.append(
                    Sample(gather_scatter.scatter_p, arrays, {**params, "mode": mode}, linear)
                )
            samples += [
                Sample(gather_scatter.scatter_p, arrays, {**params, "mode": mode})
                for mode in ("minimum", "maximum")
            ]
    return samples


def _transforms() -> list[Sample]:
    samples = []
    for n in (5, 6):
        for axes in ((1,), (0, 1)):
            for kind in ("FFT", "IFFT"):
                params = {"kind": kind, "axes": axes, "n": n}
                samples.append(Sample(fft.fft_p, (_complex(3, n),), params, ((0,),)))
            params = {"kind": "RFFT", "axes": axes, "n": n}
            samples.append(Sample(fft.fft_p, (_some(3, n),), params, ((0,),)))
            params = {"kind": "IRFFT", "axes": axes, "n": n}
            samples.append(Sample(fft.fft_p, (_complex(3, n // 2 + 1),), params, ((0,),)))
    return samples


def _systems() -> list[Sample]:
    samples = []
    for a, b in ((_regular(3, 3), _some(3, 2)), (_regular(2, 3, 3), _some(2, 3, 1))):
        for trans in "NTC":
            for lower in (True, False):
                params = {"lower": lower, "trans": trans, "unit_diagonal": trans == "T"}
                samples.append(Sample(triangular.triangular_solve_p, (a, b), params, ((1,),)))
        samples.append(Sample(systems.solve_p, (a, b), {}, ((1,),)))
        samples.append(Sample(systems.inv_p, (a,)))
    a, b = _regular(3, 3) + 1j * _some(3, 3), _complex(3, 2)
    return samples + [
        Sample(
            triangular.triangular_solve_p,
            (a, b),
            {"lower": True, "trans": trans, "unit_diagonal": False},
            ((1,),),
        )
        for trans in "NTC"
    ]


def _factors() -> list[Sample]:
    samples = [Sample(factor.cholesky_p, (x,)) for x in (_definite(3, 3), _definite(2, 3, 3))]
    samples.append(Sample(factor.cholesky_p, (_hermitian(3),)))
    samples += [
        Sample(factor.lu_p, (_regular(*shape),)) for shape in ((3, 3), (4, 2), (2, 4), (2, 3, 3))
    ]
    samples += [
        Sample(factor.qr_p, (_regular(*shape),), {"full_matrices": full})
        for shape, full in (((3, 3), True), ((4, 2), False), ((2, 3, 3), False))
    ]
    samples.append(
        Sample(factor.qr_p, (_regular(3, 3) + 1j * _some(3, 3),), {"full_matrices": False})
    )
    return samples


def _spectra() -> list[Sample]:
    samples = [
        Sample(spectral.eigh_p, (_definite(3, 3),), {"lower": lower, "vectors": vectors})
        for lower in (True, False)
        for vectors in (True, False)
    ]
    samples.append(Sample(spectral.eigh_p, (_hermitian(3),), {"lower": True, "vectors": False}))
    for shape in ((3, 3), (4, 2), (2, 3), (2, 3, 3)):
        for vectors in (True, False):
            params = {"full_matrices": False, "vectors": vectors}
            samples.append(Sample(spectral.svd_p, (_regular(*shape),), params))
    samples.append(
        Sample(spectral.svd_p, (_complex(3, 2),), {"full_matrices": False, "vectors": False})
    )
    for x in (_some(3, 3), _complex(3, 3)):
        samples += [Sample(spectral.eig_p, (x,), {"vectors": vectors}) for vectors in (True, False)]
    return samples


SMOOTH = [
    *_basic(),
    *_by_arrays(),
    *_transforms(),
    *_systems(),
    *_factors(),
    *_spectra(),
]

_KEY = np.array([3, 2**60 + 1], np.uint64)
_WORDS = (_KEY, np.uint64(5), np.uint64(1))


def _draws() -> list[Sample]:
    key, counter, attempt = (np.asarray(x) for x in _WORDS)
    samples = []
    for shape in ((), (5,), (2, 3)):
        for dtype, kind in (
            (philox.UINT64, "bits"),
            (FLOAT32, "unit"),
            (FLOAT64, "unit"),
            (FLOAT32, "symmetric"),
            (FLOAT64, "symmetric"),
        ):
            params = {"shape": shape, "dtype": dtype, "kind": kind, "stream": 1}
            samples.append(Sample(philox.random_p, (key, counter, attempt), params))
        for bound in (0, 6, 2**63, 2**64 - 1):
            arrays = (key, counter, np.asarray(bound, np.uint64))
            samples.append(Sample(below.random_below_p, arrays, {"shape": shape}))
    arrays = (key, counter, np.array([[1], [10**6]], np.uint64))
    samples.append(Sample(below.random_below_p, arrays, {"shape": (2, 4)}))
    return samples


OTHERS = _draws()
