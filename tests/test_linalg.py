"""oa.linalg against NumPy: at once, compiled, and what it refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa

if TYPE_CHECKING:
    from collections.abc import Callable

Values = np.ndarray[Any, np.dtype[Any]]
_RNG = np.random.default_rng(0)

X = _RNG.normal(size=(4, 4))
STACK = _RNG.normal(size=(3, 4, 4))
DEFINITE = X @ X.T + np.eye(4)
TALL = _RNG.normal(size=(5, 3))
WIDE = TALL.T.copy()
COMPLEX = X + 1j * _RNG.normal(size=(4, 4))
WHOLE = np.arange(6).reshape(2, 3)
VECTOR = _RNG.normal(size=4)
TENSOR = _RNG.normal(size=(2, 3, 6))

la = oa.linalg


def _norm_of(order: Any, axis: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return (
        lambda x: [la.norm(x, order, axis), la.norm(x, order, axis, keepdims=True)],
        lambda x: [np.linalg.norm(x, order, axis), np.linalg.norm(x, order, axis, True)],
    )


CASES: list[tuple[str, Callable[..., Any], Callable[..., Any], tuple[Any, ...]]] = [
    ("cholesky", la.cholesky, np.linalg.cholesky, (DEFINITE,)),
    (
        "cholesky-upper",
        lambda x: la.cholesky(x, upper=True),
        lambda x: np.linalg.cholesky(x).T,
        (DEFINITE,),
    ),
    *[
        (f"{name}-{i}", getattr(la, name), getattr(np.linalg, name), (x,))
        for name in ("inv", "det", "slogdet", "pinv")
        for i, x in enumerate((X, STACK, COMPLEX, X.astype(np.float32)))
    ],
    ("det-whole", la.det, np.linalg.det, (np.arange(4).reshape(2, 2),)),
    ("slogdet-singular", la.slogdet, np.linalg.slogdet, (np.ones((2, 2)),)),
    *[
        (f"solve-{i}", la.solve, np.linalg.solve, (a, b))
        for i, (a, b) in enumerate(
            (
                (X, VECTOR),
                (X, X.T),
                (STACK, _RNG.normal(size=(4, 2))),
                (STACK, _RNG.normal(size=(3, 4, 2))),
                (COMPLEX, VECTOR),
                (WHOLE[:, :2] + np.eye(2, dtype=int), np.array([1, 2])),
            )
        )
    ],
    *[
        (f"{name}-{i}", getattr(la, name), getattr(np.linalg, name), (x,))
        for name in ("matrix_rank", "pinv", "svdvals")
        for i, x in enumerate((TALL, WIDE, np.ones((3, 3)), np.zeros((2, 2))))
    ],
    (
        "rank-hermitian",
        lambda x: la.matrix_rank(x, hermitian=True),
        lambda x: np.linalg.matrix_rank(x, hermitian=True),
        (DEFINITE,),
    ),
    (
        "pinv-hermitian",
        lambda x: la.pinv(x, hermitian=True),
        lambda x: np.linalg.pinv(x, hermitian=True),
        (DEFINITE,),
    ),
    *[
        (
            f"power{n}",
            lambda x, n=n: la.matrix_power(x, n),
            lambda x, n=n: np.linalg.matrix_power(x, n),
            (X,),
        )
        for n in (-3, -1, 0, 1, 2, 5)
    ],
    *[
        (f"norm-{order}-{axis}", *_norm_of(order, axis), (x,))
        for x in (TALL, COMPLEX, WHOLE)
        for order in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)
        for axis in ((0, 1), (1, 0))
    ],
    *[
        (f"norm-{order}-{axis}", *_norm_of(order, axis), (x,))
        for x in (TALL, COMPLEX, WHOLE + 1)
        for order in (None, 0, 1, 2, 3, 0.5, -1, -2.5, np.inf, -np.inf)
        for axis in (0, -1)
    ],
    ("norm-all", la.norm, np.linalg.norm, (STACK,)),
    (
        "matrix_norm",
        lambda x: la.matrix_norm(x, ord=2),
        lambda x: np.linalg.matrix_norm(x, ord=2),
        (STACK,),
    ),
    *[
        (f"cond-{p}", lambda x, p=p: la.cond(x, p), lambda x, p=p: np.linalg.cond(x, p), (STACK,))
        for p in (None, 1, -1, 2, -2, np.inf, -np.inf, "fro", "nuc")
    ],
    ("eigvalsh", la.eigvalsh, np.linalg.eigvalsh, (STACK,)),
    (
        "eigvalsh-U",
        lambda x: la.eigvalsh(x, "U"),
        lambda x: np.linalg.eigvalsh(x, "U"),
        (COMPLEX,),
    ),
    ("tensorinv", la.tensorinv, np.linalg.tensorinv, (TENSOR,)),
    ("tensorsolve", la.tensorsolve, np.linalg.tensorsolve, (TENSOR, TENSOR[:, :, 0])),
    ("multi_dot", lambda *xs: la.multi_dot(xs), lambda *xs: np.linalg.multi_dot(xs), (TALL, X[:3])),
    ("trace", la.trace, np.linalg.trace, (STACK,)),
    ("diagonal", la.diagonal, np.linalg.diagonal, (STACK,)),
    ("lstsq", lambda a, b: la.lstsq(a, b)[0], lambda a, b: np.linalg.lstsq(a, b)[0], (TALL, TALL)),
]


def _close(got: Any, wanted: Any) -> None:
    if isinstance(got, tuple | list):
        for a, b in zip(got, wanted, strict=True):
            _close(a, b)
        return
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape
    assert got.dtype.itemsize == wanted.dtype.itemsize
    tolerance = 1e-3 if wanted.dtype in (np.float32, np.complex64) else 1e-9
    np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    ("ours", "numpys", "arrays"),
    [case[1:] for case in CASES],
    ids=[f"{i}-{case[0]}" for i, case in enumerate(CASES)],
)
def test_at_once(
    ours: Callable[..., Any], numpys: Callable[..., Any], arrays: tuple[Values, ...]
) -> None:
    _close(ours(*[oa.asarray(x) for x in arrays]), numpys(*arrays))


@pytest.mark.slow
def test_compiled() -> None:
    """One program for all cases, so that it is compiled once."""

    def all_of_them(operands: list[tuple[Any, ...]]) -> list[Any]:
        return [case[1](*xs) for case, xs in zip(CASES, operands, strict=True)]

    results = oa.jit(all_of_them)([tuple(oa.asarray(x) for x in case[3]) for case in CASES])
    for case, result in zip(CASES, results, strict=True):
        _close(result, case[2](*case[3]))


@pytest.mark.parametrize("x", [X, STACK, TALL, WIDE, COMPLEX, X.astype(np.float32)], ids=str)
def test_factors_multiply_back(x: Values) -> None:
    tolerance = 1e-4 if x.dtype == np.float32 else 1e-10
    a = oa.asarray(x)
    for mode in ("reduced", "complete"):
        q, r = la.qr(a, mode)
        np.testing.assert_allclose(np.asarray(q @ r), x, atol=tolerance)
    for full in (True, False):
        u, s, vh = (np.asarray(part) for part in la.svd(a, full_matrices=full))
        n = s.shape[-1]
        whole = (u[..., :n] * s[..., None, :]) @ vh[..., :n, :]
        np.testing.assert_allclose(whole, x, atol=tolerance)
    if x.shape[-1] == x.shape[-2]:
        values, vectors = (np.asarray(part) for part in la.eig(a))
        np.testing.assert_allclose(x @ vectors, vectors * values[..., None, :], atol=10 * tolerance)


def test_least_squares() -> None:
    for a, b in ((TALL, TALL[:, 0]), (WIDE, WIDE), (np.ones((4, 2)), VECTOR)):
        for ours, theirs in zip(
            la.lstsq(oa.asarray(a), oa.asarray(b)), np.linalg.lstsq(a, b), strict=True
        ):
            np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), atol=1e-10)


SINGULAR = np.ones((2, 2))
UNKNOWN = np.full((2, 2), np.nan)
REFUSED: list[tuple[Callable[..., Any], tuple[Any, ...], type[Exception], str]] = [
    (la.inv, (SINGULAR,), la.LinAlgError, "Singular"),
    (la.solve, (SINGULAR, np.ones(2)), la.LinAlgError, "Singular"),
    (la.cholesky, (-np.eye(2),), la.LinAlgError, "positive definite"),
    (la.cholesky, (np.stack([np.eye(2), -np.eye(2)]),), la.LinAlgError, "positive definite"),
    (la.eigh, (UNKNOWN,), la.LinAlgError, "converge"),
    (la.eig, (UNKNOWN,), la.LinAlgError, "converge"),
    (la.svd, (UNKNOWN,), la.LinAlgError, "converge"),
    (la.inv, (np.ones((2, 3)),), ValueError, "square"),
    (la.inv, (np.ones(3),), ValueError, "two axes"),
    (la.inv, (np.ones((2, 2), np.float16),), TypeError, "float32"),
    (la.solve, (np.eye(2), np.ones(3)), ValueError, "fit"),
    (la.qr, (X, "full"), ValueError, "reduced"),
    (la.eigh, (X, "l2"), ValueError, "UPLO"),
    (la.matrix_norm, (X,), ValueError, "no norm"),
]


@pytest.mark.parametrize(("function", "arguments", "kind", "words"), REFUSED)
def test_refusals(
    function: Callable[..., Any], arguments: tuple[Any, ...], kind: type[Exception], words: str
) -> None:
    given = [oa.asarray(x) if isinstance(x, np.ndarray) else x for x in arguments]
    options = {"ord": 7} if function is la.matrix_norm else {}
    with pytest.raises(kind, match=words):
        function(*given, **options)
    for array, x in zip(given, arguments, strict=True):
        if isinstance(x, np.ndarray):
            np.testing.assert_array_equal(np.asarray(array), x)


def test_not_a_number_goes_through_as_in_numpy() -> None:
    x = np.array([[np.nan, 1.0], [1.0, 1.0]])
    assert np.isnan(np.asarray(la.inv(oa.asarray(x)))).all()
    assert np.isnan(np.asarray(la.solve(oa.asarray(x), oa.ones(2)))).all()


@pytest.mark.parametrize("name", ["inv", "cholesky"])
def test_large_moved_matrices_are_overwritten(name: str) -> None:
    values = np.eye(1500) + 0.01 * np.ones((1500, 1500))
    x = oa.asarray(values)
    expected = getattr(np.linalg, name)(values)
    address = x._values().ctypes.data  # type: ignore[attr-defined]  # a concrete array
    result = getattr(la, name)(oa.move(x))
    assert result._values().ctypes.data == address
    np.testing.assert_allclose(np.asarray(result), expected, atol=1e-12)


@pytest.mark.parametrize("n", [3, 300])
@pytest.mark.parametrize("name", ["inv", "cholesky", "solve", "det"])
def test_a_matrix_that_was_given_away_is_there_again_after_a_failure(name: str, n: int) -> None:
    x = oa.full((n, n), -1.0)
    h = oa.move(x)
    if name == "det":  # does not fail
        assert float(la.det(h)) == 0.0
        return
    args = (oa.ones(n),) if name == "solve" else ()
    with pytest.raises(la.LinAlgError):
        getattr(la, name)(h, *args)
    assert h.take().tolist() == np.full((n, n), -1.0).tolist()


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_large_inverses_in_programs_are_the_eager_ones(dtype: str) -> None:
    rng = np.random.default_rng(0)
    values = (rng.standard_normal((2, 80, 80)) + 9 * np.eye(80)).astype(dtype)
    inverse = oa.jit(oa.linalg.inv)
    wanted = np.array(oa.linalg.inv(oa.asarray(values)))
    assert np.array(inverse(oa.asarray(values))).tobytes() == wanted.tobytes()
    assert np.array(inverse(oa.move(oa.asarray(values)))).tobytes() == wanted.tobytes()
    np.testing.assert_allclose(
        wanted @ values, np.broadcast_to(np.eye(80), values.shape), atol=1e-4
    )


def test_large_systems_in_programs_with_row_swaps() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((3, 90, 90)), rng.standard_normal((3, 90, 2))
    x = oa.jit(oa.linalg.solve)(oa.asarray(a), oa.asarray(b))
    np.testing.assert_allclose(a @ np.array(x), b, atol=1e-9)
    sign, size = oa.jit(oa.linalg.slogdet)(oa.asarray(a))
    wanted = np.linalg.slogdet(a)
    np.testing.assert_allclose(np.array(sign), wanted[0])
    np.testing.assert_allclose(np.array(size), wanted[1])
    np.testing.assert_allclose(np.array(oa.linalg.det(oa.asarray(a[0]))), np.linalg.det(a[0]))


def test_a_singular_matrix_in_a_program_is_not_finite() -> None:
    x = oa.jit(oa.linalg.inv)(oa.zeros((70, 70)))
    assert not np.isfinite(np.array(x)).any()
