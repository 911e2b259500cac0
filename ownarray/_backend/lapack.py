"""jaxlib's LAPACK routines inside compiled programs.

`ensure_lapack` makes the 61 targets known to XLA; it loads scipy's LAPACK (0.1 to 0.3 s), so it
runs only when the first program that calls one is compiled (`compile_text` sees to that).

The other functions write the calls: text only, for one operation each. All take leading batch axes,
float32, float64, complex64 and complex128. LAPACK wants matrices column by column, so the layouts
say so; XLA transposes where it must, and not at all between two such calls. Matrices that LAPACK
overwrites share the operand's memory (``output_operand_aliases``); XLA copies the operand before
if it is used again or was not donated, in the program's own layout, so a donated row-major operand
costs a transposition into temporary memory.

Results are named ``%r#0`` ... if ``result`` is ``%r``; a call with one result is ``%r`` itself.
LAPACK's ``info`` has the batch shape and int32: 0 is success, > 0 a failure that the routine's
manual describes (not positive definite, singular, not converged), for which results are undefined.
"""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from jaxlib import xla_client

from ownarray._backend.client import backend
from ownarray._core.dtypes import COMPLEX, INT32, MLIR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ownarray._core.dtypes import DType

    Shape = tuple[int, ...]

__all__ = [
    "ensure_lapack",
    "ensure_lapack_for",
    "geev",
    "geqrf",
    "gesdd",
    "getrf",
    "orgqr",
    "potrf",
    "syevd",
    "trsm",
]


@lru_cache(maxsize=1)
def ensure_lapack() -> None:
    """Make LAPACK's routines known to XLA, once."""
    from jaxlib.cpu import _lapack  # noqa: PLC0415  # loads scipy: when it is needed, not before

    backend()
    for name, target in _lapack.registrations().items():
        version = int(name.endswith("_ffi"))
        xla_client.register_custom_call_target(name, target, platform="cpu", api_version=version)
    _lapack.initialize()


def ensure_lapack_for(text: str) -> None:
    """Make LAPACK's routines known if a program calls one; before loading it from disk too."""
    if "lapack_" in text:
        ensure_lapack()


# ---------------------------------------------------------------------------------------- the calls


def potrf(result: str, a: str, shape: Shape, dtype: DType, *, lower: bool = True) -> str:
    """Cholesky factor of a Hermitian matrix of (..., n, n): results (factor, info).

    The other triangle of the factor keeps what the operand had there. In place of ``a``, without
    any transposition: row by row, LAPACK sees the conjugate matrix and writes its upper factor,
    which read row by row again is our lower one.
    """
    matrix = _vector(shape, dtype)
    outs = [matrix, _vector(shape[:-2], INT32)]
    config = {"uplo": "U" if lower else "L"}
    return _call(result, "potrf", dtype, [(a, matrix)], outs, config=config, aliases=[(0, 0)])


def getrf(result: str, a: str, shape: Shape, dtype: DType) -> str:
    """LU factors of (..., m, n): results (l and u in one, pivots, info).

    Pivots are (..., min(m, n)), int32, counted from 1: row i was swapped with row ``pivots[i]``,
    one after the other. In place of ``a``.
    """
    batch, k = shape[:-2], min(shape[-2:])
    matrix = _matrix(shape, dtype)
    outs = [matrix, _vector((*batch, k), INT32), _vector(batch, INT32)]
    return _call(result, "getrf", dtype, [(a, matrix)], outs, aliases=[(0, 0)])


def geqrf(result: str, a: str, shape: Shape, dtype: DType) -> str:
    """QR factors of (..., m, n): results (r above reflectors, tau of (..., min(m, n))).

    In place of ``a``.
    """
    matrix = _matrix(shape, dtype)
    outs = [matrix, _vector((*shape[:-2], min(shape[-2:])), dtype)]
    return _call(result, "geqrf", dtype, [(a, matrix)], outs, aliases=[(0, 0)])


def orgqr(result: str, a: str, tau: str, shape: Shape, dtype: DType, *, n_tau: int) -> str:
    """Q of (..., m, n), n <= m, from `geqrf`'s reflectors and tau of (..., n_tau): one result.

    For the full square q, pad the reflectors with columns to (..., m, m). In place of ``a``.
    """
    matrix = _matrix(shape, dtype)
    operands = [(a, matrix), (tau, _vector((*shape[:-2], n_tau), dtype))]
    name = "ungqr" if dtype in COMPLEX else "orgqr"
    return _call(result, name, dtype, operands, [matrix], aliases=[(0, 0)])


def syevd(
    result: str, a: str, shape: Shape, dtype: DType, *, vectors: bool = True, lower: bool = True
) -> str:
    """Eigenvalues of a Hermitian matrix of (..., n, n): results (vectors, values, info).

    Values are real, (..., n), ascending; vectors are columns (destroyed if not asked for). Only one
    triangle is read. In place of ``a``.
    """
    batch, n = shape[:-2], shape[-1]
    matrix = _matrix(shape, dtype)
    outs = [matrix, _vector((*batch, n), _real(dtype)), _vector(batch, INT32)]
    config = {"mode": "V" if vectors else "N", "uplo": "L" if lower else "U"}
    name = "heevd" if dtype in COMPLEX else "syevd"
    return _call(result, name, dtype, [(a, matrix)], outs, config=config, aliases=[(0, 0)])


def gesdd(result: str, a: str, shape: Shape, dtype: DType, *, mode: str = "S") -> str:
    """Singular values of (..., m, n): results (destroyed a, s, u, vh, info).

    Mode ``A`` gives u of (m, m) and vh of (n, n), ``S`` u of (m, k) and vh of (k, n) with
    k = min(m, n), ``N`` values only (u and vh have the shapes of ``A``, and undefined values).
    In place of ``a``.
    """
    batch, (m, n) = shape[:-2], shape[-2:]
    k = min(m, n)
    n_u, n_v = (k, k) if mode == "S" else (m, n)
    matrix = _matrix(shape, dtype)
    outs = [
        matrix,
        _vector((*batch, k), _real(dtype)),
        _matrix((*batch, m, n_u), dtype),
        _matrix((*batch, n_v, n), dtype),
        _vector(batch, INT32),
    ]
    return _call(
        result, "gesdd", dtype, [(a, matrix)], outs, config={"mode": mode}, aliases=[(0, 0)]
    )


def trsm(
    result: str,
    a: str,
    b: str,
    b_shape: Shape,
    dtype: DType,
    *,
    left: bool = True,
    lower: bool = True,
    transpose: str = "N",
    unit_diagonal: bool = False,
) -> str:
    """Solution x of op(a) x = b (or x op(a) = b) for triangular a: one result, in place of ``b``.

    ``transpose`` is ``N``, ``T`` or ``C`` (conjugate). a is (..., k, k) with k the last but one
    size of b, or the last one if it stands on the right.
    """
    k = b_shape[-2] if left else b_shape[-1]
    matrix = _matrix(b_shape, dtype)
    operands = [(a, _matrix((*b_shape[:-2], k, k), dtype)), (b, matrix)]
    config = {
        "diag": "U" if unit_diagonal else "N",
        "side": "L" if left else "R",
        "trans_x": transpose,
        "uplo": "L" if lower else "U",
    }
    return _call(result, "trsm", dtype, operands, [matrix], config=config, aliases=[(0, 1)])


def geev(
    result: str, a: str, shape: Shape, dtype: DType, *, left: bool = False, right: bool = True
) -> str:
    """Eigenvalues of a general matrix of (..., n, n).

    Results are (values, left vectors, right vectors, info) for complex dtypes and (real parts,
    imaginary parts, left, right, info) for real ones, whose vectors are complex all the same.
    Vectors are columns (undefined where not asked for). ``a`` stays as it is.
    """
    batch, n = shape[:-2], shape[-1]
    values = _vector((*batch, n), dtype)
    vectors = _matrix(shape, dtype if dtype in COMPLEX else _complex(dtype))
    n_values = 1 if dtype in COMPLEX else 2
    outs = [values] * n_values + [vectors, vectors, _vector(batch, INT32)]
    config = {"compute_left": "V" if left else "N", "compute_right": "V" if right else "N"}
    return _call(result, "geev", dtype, [(a, _matrix(shape, dtype))], outs, config=config)


# ------------------------------------------------------------------------------------------ writing


class _Typed(NamedTuple):
    """A type and the layout in which LAPACK wants it, both as text."""

    kind: str
    layout: str


_PREFIX: Final = {
    np.dtype(np.float32): "s",
    np.dtype(np.float64): "d",
    np.dtype(np.complex64): "c",
    np.dtype(np.complex128): "z",
}


_NO_CONFIG: Final[Mapping[str, str]] = MappingProxyType({})


def _call(
    result: str,
    routine: str,
    dtype: DType,
    operands: Sequence[tuple[str, _Typed]],
    outs: Sequence[_Typed],
    *,
    config: Mapping[str, str] = _NO_CONFIG,
    aliases: Sequence[tuple[int, int]] = (),
) -> str:
    prefix = _PREFIX.get(dtype)
    if prefix is None:
        raise TypeError(
            f"{routine}: LAPACK works on float32, float64, complex64 and complex128, got {dtype}"
        )
    one = len(outs) == 1
    pairs = ", ".join(
        "#stablehlo.output_operand_alias<output_tuple_indices = "
        f"[{'' if one else out}], operand_index = {operand}, operand_tuple_indices = []>"
        for out, operand in aliases
    )
    settings = ", ".join(f"{key} = {ord(value)} : ui8" for key, value in sorted(config.items()))
    kinds = ", ".join(out.kind for out in outs)
    return (
        f"{result}{'' if one else f':{len(outs)}'} = stablehlo.custom_call"
        f" @lapack_{prefix}{routine}_ffi({', '.join(name for name, _ in operands)})"
        f" {{api_version = 4 : i32, backend_config = {{{settings}}},"
        f" operand_layouts = [{', '.join(typed.layout for _, typed in operands)}],"
        f" output_operand_aliases = [{pairs}],"
        f" result_layouts = [{', '.join(out.layout for out in outs)}]}}"
        f" : ({', '.join(typed.kind for _, typed in operands)}) -> {kinds if one else f'({kinds})'}"
    )


def _matrix(shape: Shape, dtype: DType) -> _Typed:
    n = len(shape)
    return _typed(shape, dtype, [n - 2, n - 1, *range(n - 3, -1, -1)])


def _vector(shape: Shape, dtype: DType) -> _Typed:
    return _typed(shape, dtype, list(range(len(shape) - 1, -1, -1)))


def _typed(shape: Shape, dtype: DType, minor_to_major: list[int]) -> _Typed:
    kind = f"tensor<{''.join(f'{n}x' for n in shape)}{MLIR[dtype]}>"
    order = f"[{', '.join(map(str, minor_to_major))}]" if shape else ""
    return _Typed(kind, f"dense<{order}> : tensor<{len(shape)}xindex>")


def _real(dtype: DType) -> DType:
    return np.empty(0, dtype).real.dtype


def _complex(dtype: DType) -> DType:
    return np.result_type(dtype, np.complex64)
