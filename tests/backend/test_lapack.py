"""Each call, in each dtype, with and without batch axes, held against NumPy."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003  # in an annotation that is evaluated
from typing import Any

import numpy as np
import pytest

from ownarray._backend import buffers, lapack
from ownarray._backend.compile import Executable, compile_text
from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import DType
from tests.backend.helpers import tensor
from tests.backend.test_client import run

Host = np.ndarray[tuple[int, ...], np.dtype[Any]]  # one of DTYPES, and operators on them

Out = tuple[tuple[int, ...], str | DType]

DTYPES = ("float32", "float64", "complex64", "complex128")
BATCHES = ((), (2, 3))


@pytest.fixture(params=DTYPES)
def dtype(request: pytest.FixtureRequest) -> DType:
    name: str = request.param
    return np.dtype(name)


def random(shape: tuple[int, ...], dtype: DType) -> Host:
    rng = np.random.default_rng(0)
    values = rng.normal(size=shape)
    if dtype.kind == "c":
        values = values + 1j * rng.normal(size=shape)
    return values.astype(dtype)


def hermitian(shape: tuple[int, ...], dtype: DType) -> Host:
    a = random(shape, dtype)
    found: Host = (a @ adjoint(a) + shape[-1] * np.eye(shape[-1])).astype(dtype)
    return found


def adjoint(a: Host) -> Host:
    found: Host = np.swapaxes(a, -1, -2).conj()
    return found


def near(found: Host, expected: Host, dtype: DType) -> None:
    is_single = dtype in {np.dtype(np.float32), np.dtype(np.complex64)}
    tolerance = 2e-4 if is_single else 1e-10
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def execute(call: str, operands: list[Host], outs: list[Out]) -> list[Host]:
    made, arguments = program(call, operands, outs)
    return [np.array(buffers.host_memory(r)) for r in made.run(arguments)]


def program(
    call: str, operands: list[Host], outs: list[Out]
) -> tuple[Executable, list[buffers.Buffer]]:
    ins = [ShapedArray(x.shape, x.dtype) for x in operands]
    avals = [ShapedArray(shape, np.dtype(kind)) for shape, kind in outs]
    names = ", ".join(f"%a{i}: {tensor(aval)}" for i, aval in enumerate(ins))
    kinds = ", ".join(map(tensor, avals))
    results = ", ".join(f"%r#{i}" for i in range(len(outs))) if len(outs) > 1 else "%r"
    text = (
        f"module @m {{ func.func public @main({names}) -> ({kinds}) {{ {call}"
        f" return {results} : {kinds} }} }}"
    )
    return compile_text(text, avals, 0), [buffers.from_host(x) for x in operands]


def real(dtype: DType) -> DType:
    return np.dtype(np.float32) if dtype.name in {"float32", "complex64"} else np.dtype(np.float64)


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("lower", [True, False])
def test_potrf(dtype: DType, batch: tuple[int, ...], lower: bool) -> None:
    a = hermitian((*batch, 4, 4), dtype)
    call = lapack.potrf("%r", "%a0", a.shape, dtype, lower=lower)
    factor, info = execute(call, [a], [(a.shape, dtype), (batch, "int32")])
    expected = np.linalg.cholesky(a)
    near(np.tril(factor) if lower else adjoint(np.triu(factor)), expected, dtype)
    assert not info.any()


def test_potrf_tells_what_is_not_positive_definite() -> None:
    a = -np.eye(3)
    call = lapack.potrf("%r", "%a0", (3, 3), a.dtype)
    _, info = execute(call, [a], [((3, 3), "float64"), ((), "int32")])
    assert info == 1


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize(("m", "n"), [(4, 4), (5, 3), (3, 5)])
def test_getrf(dtype: DType, batch: tuple[int, ...], m: int, n: int) -> None:
    a, k = random((*batch, m, n), dtype), min(m, n)
    call = lapack.getrf("%r", "%a0", a.shape, dtype)
    lu, pivots, info = execute(
        call, [a], [(a.shape, dtype), ((*batch, k), "int32"), (batch, "int32")]
    )
    assert not info.any()
    low = np.tril(lu[..., :, :k], -1) + np.eye(m, k, dtype=dtype)
    product = low @ np.triu(lu[..., :k, :])
    swapped = a.copy().reshape(-1, m, n)
    for matrix, rows in zip(swapped, pivots.reshape(-1, k), strict=True):
        for i, row in enumerate(rows.astype(int)):
            matrix[[i, row - 1]] = matrix[[row - 1, i]]
    near(product.reshape(-1, m, n), swapped, dtype)


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize(("m", "n"), [(4, 4), (5, 3)])
def test_geqrf_and_orgqr(dtype: DType, batch: tuple[int, ...], m: int, n: int) -> None:
    a = random((*batch, m, n), dtype)
    call = lapack.geqrf("%r", "%a0", a.shape, dtype)
    packed, tau = execute(call, [a], [(a.shape, dtype), ((*batch, n), dtype)])
    call = lapack.orgqr("%r", "%a0", "%a1", a.shape, dtype, n_tau=n)
    (q,) = execute(call, [packed, tau], [(a.shape, dtype)])
    near(q @ np.triu(packed[..., :n, :]), a, dtype)
    near(adjoint(q) @ q, np.broadcast_to(np.eye(n), (*batch, n, n)), dtype)


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("lower", [True, False])
def test_syevd(dtype: DType, batch: tuple[int, ...], lower: bool) -> None:
    a = hermitian((*batch, 4, 4), dtype)
    outs: list[Out] = [
        (a.shape, dtype),
        ((*batch, 4), real(dtype)),
        (batch, "int32"),
    ]
    one_triangle = np.tril(a) if lower else np.triu(a)
    call = lapack.syevd("%r", "%a0", a.shape, dtype, lower=lower)
    v, w, info = execute(call, [one_triangle], outs)
    assert not info.any()
    near(a @ v, v * w[..., None, :], dtype)
    near(w, np.linalg.eigvalsh(a), dtype)
    call = lapack.syevd("%r", "%a0", a.shape, dtype, lower=lower, vectors=False)
    near(execute(call, [one_triangle], outs)[1], w, dtype)


@pytest.mark.parametrize("batch", BATCHES)
def test_gesdd(dtype: DType, batch: tuple[int, ...]) -> None:
    check_gesdd(dtype, batch, 5, 3, "S")


@pytest.mark.parametrize(("m", "n"), [(4, 4), (5, 3), (3, 5)])
@pytest.mark.parametrize("mode", ["A", "S", "N"])
def test_every_kind_of_gesdd(m: int, n: int, mode: str) -> None:
    check_gesdd(np.dtype(np.complex64), (2,), m, n, mode)


def check_gesdd(dtype: DType, batch: tuple[int, ...], m: int, n: int, mode: str) -> None:
    a, k = random((*batch, m, n), dtype), min(m, n)
    n_u, n_v = (k, k) if mode == "S" else (m, n)
    call = lapack.gesdd("%r", "%a0", a.shape, dtype, mode=mode)
    _, s, u, vh, info = execute(
        call,
        [a],
        [
            (a.shape, dtype),
            ((*batch, k), real(dtype)),
            ((*batch, m, n_u), dtype),
            ((*batch, n_v, n), dtype),
            (batch, "int32"),
        ],
    )
    assert not info.any()
    near(s, np.linalg.svd(a, compute_uv=False), dtype)
    if mode != "N":
        near((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, dtype)
        near(adjoint(u) @ u, np.broadcast_to(np.eye(n_u), (*batch, n_u, n_u)), dtype)
        near(vh @ adjoint(vh), np.broadcast_to(np.eye(n_v), (*batch, n_v, n_v)), dtype)


TRANSPOSED: dict[str, Callable[[Host], Host]] = {
    "N": lambda a: a,
    "T": lambda a: np.swapaxes(a, -1, -2),
    "C": adjoint,
}


@pytest.mark.parametrize("batch", BATCHES)
def test_trsm(dtype: DType, batch: tuple[int, ...]) -> None:
    check_trsm(dtype, batch, left=True, lower=True, transpose="N", unit=False)
    check_trsm(dtype, batch, left=False, lower=False, transpose="C", unit=True)


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("transpose", TRANSPOSED)
@pytest.mark.parametrize("unit", [True, False])
def test_every_kind_of_trsm(left: bool, lower: bool, transpose: str, unit: bool) -> None:
    dtype = np.dtype(np.complex64)
    check_trsm(dtype, (), left=left, lower=lower, transpose=transpose, unit=unit)


def check_trsm(
    dtype: DType, batch: tuple[int, ...], *, left: bool, lower: bool, transpose: str, unit: bool
) -> None:
    k = 4 if left else 3
    a = (random((*batch, k, k), dtype) + 4 * np.eye(k)).astype(dtype)
    b = random((*batch, 4, 3), dtype)
    call = lapack.trsm(
        "%r", "%a0", "%a1", b.shape, dtype,
        left=left, lower=lower, transpose=transpose, unit_diagonal=unit,
    )  # fmt: skip
    (x,) = execute(call, [a, b], [(b.shape, dtype)])
    triangle = np.tril(a) if lower else np.triu(a)
    if unit:
        triangle = np.where(np.eye(k, dtype=bool), np.ones((), dtype), triangle)
    op = TRANSPOSED[transpose](triangle)
    near(op @ x if left else x @ op, b, dtype)


@pytest.mark.parametrize("batch", BATCHES)
def test_geev(dtype: DType, batch: tuple[int, ...]) -> None:
    a = random((*batch, 4, 4), dtype)
    is_complex = dtype.kind == "c"
    vectors = dtype if is_complex else np.result_type(dtype, np.complex64)
    values: list[Out] = [((*batch, 4), dtype)]
    if not is_complex:
        values *= 2
    call = lapack.geev("%r", "%a0", a.shape, dtype, left=True)
    *parts, left, right, info = execute(
        call, [a], [*values, (a.shape, vectors), (a.shape, vectors), (batch, "int32")]
    )
    assert not info.any()
    w = parts[0] if is_complex else parts[0] + 1j * parts[1]
    near(a @ right, right * w[..., None, :], dtype)
    near(adjoint(left) @ a, w[..., :, None] * adjoint(left), dtype)


def test_other_dtypes_are_refused() -> None:
    with pytest.raises(TypeError, match=r"potrf: LAPACK works on float32.*got float16"):
        lapack.potrf("%r", "%a", (3, 3), np.dtype(np.float16))


def test_the_factor_lives_in_the_donated_matrix() -> None:
    n = 64
    a = hermitian((n, n), np.dtype(np.float64))
    kind = f"tensor<{n}x{n}xf64>"
    call = lapack.potrf("%r", "%a0", (n, n), a.dtype)
    text = (
        f"module @m {{ func.func public @main(%a0: {kind} {{tf.aliasing_output = 0 : i32}})"
        f" -> {kind} {{ {call} return %r#0 : {kind} }} }}"
    )
    made = compile_text(text, [ShapedArray((n, n), a.dtype)], 8 * n * n)
    buf = buffers.from_host(a)
    before = buffers.address(buf)
    (factor,) = made.run([buf])
    assert buffers.address(factor) == before
    assert made.stats.temp < 256  # no copy, no transposition
    near(np.tril(buffers.host_memory(factor)), np.linalg.cholesky(a), a.dtype)


WITH_LAPACK = """
    assert "scipy" not in sys.modules
    from tests.backend.test_lapack import program, hermitian, lapack
    a = hermitian((3, 3), np.dtype(np.float64))
    call = lapack.potrf("%r", "%a0", a.shape, a.dtype)
    made, arguments = program(call, [a], [(a.shape, a.dtype), ((), "int32")])
    found = buffers.host_memory(made.run(arguments)[0])
    assert np.allclose(np.tril(found), np.linalg.cholesky(a))
    print("loaded" if made._is_loaded else "compiled")
    """


@pytest.mark.slow
def test_it_is_loaded_late_and_from_disk_too(tmp_path: str) -> None:
    first, second = (run(WITH_LAPACK, OWNARRAY_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert (first.stdout, first.returncode) == ("compiled\n", 0), first.stderr
    assert (second.stdout, second.returncode) == ("loaded\n", 0), second.stderr
