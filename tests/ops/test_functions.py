"""NumPy's functions on primitives: the same results, computed at once and inside a trace."""

# ruff: noqa: E501  (tables with one case a line)

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._array.concrete import from_host
from ownarray._core.aval import aval_of
from ownarray._core.dtypes import BY_NAME
from ownarray._ops import accumulate, elementwise, matmul, reduction, searching, shapes, sorting
from ownarray._trace.record import record
from tests.ops.engines import Values, assert_close, run_program
from tests.ops.values import edge_values, ordinary_values

if TYPE_CHECKING:
    from collections.abc import Callable

NAN = float("nan")
ONE_ZERO: Any = (np.int64(1), np.int64(0))
SHIFTS: Any = np.array([1, 2])
X = np.array([[3.0, -1.0, 2.5], [0.5, 2.5, -7.0]])
INTS = np.array([[3, -1, 2], [5, 2, -7]], np.int32)
MASK = np.array([[True, False, True], [False, True, True]])

# (name, our function, NumPy's, arrays)
Pair = tuple[str, "Callable[..., Any]", "Callable[..., Any]", tuple[Values, ...]]

REDUCTIONS: tuple[Pair, ...] = tuple(
    (f"{name}-{dtype}-{options}", ours, theirs, (ordinary_values(BY_NAME[dtype], (2, 3, 4)),))
    for name in ("sum", "prod", "max", "min", "mean", "var", "std", "any", "all")
    for dtype in ("float32", "int16", "uint8", "bool", "complex64", "float16")
    for options in (
        {},
        {"axis": 1},
        {"axis": (0, -1), "keepdims": True},
        {"axis": (), "keepdims": False},
        {"axis": 0, "where": np.array([[True], [False], [True]])},
    )
    if not (name in ("max", "min") and "where" in options)
    for ours in [lambda x, n=name, o=options: getattr(reduction, n)(x, **o)]
    for theirs in [lambda x, n=name, o=options: getattr(np, n)(x, **o)]
)

FUNCTIONS: tuple[Pair, ...] = (
    ("max-where", lambda x: reduction.max(x, 1, initial=0, where=MASK), lambda x: x.max(1, initial=0, where=MASK), (X,)),
    ("min-empty", lambda x: reduction.min(x, 0, initial=4), lambda x: x.min(0, initial=4), (X[:0],)),
    ("sum-initial", lambda x: reduction.sum(x, 0, initial=2), lambda x: x.sum(0, initial=2), (INTS,)),
    ("sum-dtype", lambda x: reduction.sum(x, dtype="float32"), lambda x: x.sum(dtype="float32"), (INTS,)),
    ("count", reduction.count_nonzero, lambda x: np.asarray(np.count_nonzero(x)), (INTS,)),
    ("argmax-nan", reduction.argmax, np.argmax, (np.array([1.0, NAN, 3.0, NAN]),)),
    ("argmin-keep", lambda x: reduction.argmin(x, 1, keepdims=True), lambda x: x.argmin(1, keepdims=True), (X,)),
    ("cumsum", accumulate.cumsum, np.cumsum, (INTS,)),
    ("cumsum-axis", lambda x: accumulate.cumsum(x, 1), lambda x: x.cumsum(1), (X,)),
    ("cumsum-initial", lambda x: accumulate.cumsum(x, 0, include_initial=True), lambda x: np.vstack([np.zeros(3), x.cumsum(0)]), (X,)),
    ("cumprod", lambda x: accumulate.cumprod(x, 1), lambda x: x.cumprod(1), (INTS,)),
    ("cummax", lambda x: accumulate.cummax(x, 1), lambda x: np.maximum.accumulate(x, 1), (X,)),
    ("diff", accumulate.diff, np.diff, (X,)),
    ("diff-2", lambda x: accumulate.diff(x, 2, 1), lambda x: np.diff(x, 2, 1), (X,)),
    ("diff-ends", lambda x: accumulate.diff(x, prepend=0, append=9), lambda x: np.diff(x, prepend=0, append=9), (X,)),
    ("diff-bool", lambda x: accumulate.diff(x, axis=1), lambda x: np.diff(x, axis=1), (MASK,)),
    ("moveaxis", lambda x: shapes.moveaxis(x, (0, 1), (-1, 0)), lambda x: np.moveaxis(x, (0, 1), (-1, 0)), (np.arange(24).reshape(2, 3, 4),)),
    ("expand", lambda x: shapes.expand_dims(x, (0, -1)), lambda x: np.expand_dims(x, (0, -1)), (X,)),
    ("squeeze", lambda x: shapes.squeeze(x, 0), lambda x: np.squeeze(x, 0), (X[:1],)),
    ("concat", lambda x, y: shapes.concat([x, y], 1), lambda x, y: np.concatenate([x, y], 1), (X, INTS)),
    ("concat-flat", lambda x, y: shapes.concat([x, y], None), lambda x, y: np.concatenate([x, y], None), (X, INTS)),
    ("stack", lambda x, y: shapes.stack([x, y], -1), lambda x, y: np.stack([x, y], -1), (X, INTS)),
    ("flip", lambda x: shapes.flip(x, 1), lambda x: np.flip(x, 1), (X,)),
    ("roll", lambda x: shapes.roll(x, (1, -1), (0, 1)), lambda x: np.roll(x, (1, -1), (0, 1)), (X,)),
    ("roll-flat", lambda x: shapes.roll(x, 7), lambda x: np.roll(x, 7), (X,)),
    ("roll-numpy", lambda x: shapes.roll(x, *ONE_ZERO), lambda x: np.roll(x, 1, 0), (X,)),
    ("roll-arrays", lambda x: shapes.roll(x, SHIFTS, (0, 1)), lambda x: np.roll(x, (1, 2), (0, 1)), (X,)),
    ("roll-none", lambda x: shapes.roll(x, 0, 1), lambda x: np.roll(x, 0, 1), (X,)),
    ("tile", lambda x: shapes.tile(x, (2, 1, 3)), lambda x: np.tile(x, (2, 1, 3)), (X,)),
    ("tile-short", lambda x: shapes.tile(x, 2), lambda x: np.tile(x, 2), (X,)),
    ("broadcast", lambda x: shapes.broadcast_to(x, (2, 2, 3)), lambda x: np.broadcast_to(x, (2, 2, 3)).copy(), (X,)),
    ("sort", lambda x: sorting.sort(x, 0), lambda x: np.sort(x, 0), (X,)),
    ("sort-flat", lambda x: sorting.sort(x, None), lambda x: np.sort(x, None), (X,)),
    ("sort-nan", lambda x: sorting.sort(x, descending=True), lambda x: np.array([3.0, 1.0, NAN]), (np.array([1.0, NAN, 3.0]),)),
    ("argsort", lambda x: sorting.argsort(x, 1), lambda x: np.argsort(x, 1, kind="stable"), (INTS,)),
    ("argsort-down", lambda x: sorting.argsort(x, descending=True), lambda x: np.array([1, 3, 0, 2]), (np.array([1, 5, 0, 5]),)),
    ("lexsort", lambda x, y: sorting.lexsort([x, y]), lambda x, y: np.lexsort([x, y]), (np.array([3, 1, 2]), np.array([1, 1, 0]))),
    ("top_k", lambda x: sorting.top_k(x, 2)[1], lambda x: np.array([2, 0]), (np.array([1.0, NAN, 3.0]),)),
    ("search", searching.searchsorted, np.searchsorted, (np.array([1.0, 2.0, NAN]), np.array([[0.0, NAN], [2.0, 9.0]]))),
    ("search-right", lambda x, v: searching.searchsorted(x, v, side="right"), lambda x, v: np.searchsorted(x, v, "right"), (np.array([1, 2, 2, 5]), np.array([2, 5, 7]))),
    ("search-sorter", lambda x, v, s: searching.searchsorted(x, v, sorter=s), lambda x, v, s: np.searchsorted(x, v, sorter=s), (np.array([5, 1, 2]), np.array([2, 7]), np.array([1, 2, 0]))),
    ("tensordot", matmul.tensordot, np.tensordot, (X, X)),
    ("tensordot-axes", lambda x, y: matmul.tensordot(x, y, ((0,), (0,))), lambda x, y: np.tensordot(x, y, ((0,), (0,))), (X, INTS)),
    ("dot", matmul.dot, np.dot, (np.arange(24.0).reshape(2, 3, 4), np.arange(24.0).reshape(3, 4, 2))),
    ("vecdot", matmul.vecdot, lambda x, y: (x.conj() * y).sum(-1), (X * 1j, X[0] + 0j)),
    ("round", lambda x: elementwise.round(x, 1), lambda x: np.round(x, 1), (np.array([0.25, 1.35, -2.45]),)),
    ("round-tens", lambda x: elementwise.round(x, -1), lambda x: np.round(x, -1), (np.array([15, 24, -25]),)),
    ("round-complex", elementwise.round, np.round, (np.array([1.5 + 2.5j]),)),
    ("power-2", lambda x: elementwise.power(x, 2), lambda x: x**2, (X,)),
    ("power-half", lambda x: elementwise.power(x, 0.5), lambda x: x**0.5, (np.abs(X),)),
    ("power-int", lambda x: elementwise.power(x, 7), lambda x: x**7, (INTS,)),
    ("reciprocal", elementwise.reciprocal, np.reciprocal, (X,)),
    ("clip", lambda x: elementwise.clip(x, 0, None), lambda x: np.clip(x, 0, None), (X,)),
    ("angle", elementwise.angle, np.angle, (X + 1j,)),
    ("fmax", elementwise.fmax, np.fmax, (np.array([1.0, NAN, NAN]), np.array([NAN, 2.0, NAN]))),
    ("fmin", elementwise.fmin, np.fmin, (np.array([1.0, NAN, 3.0]), np.array([NAN, 2.0, 2.0]))),
    ("gcd", elementwise.gcd, np.gcd, (np.array([12, -18, 0]), np.array([8, 27, 0]))),
    ("lcm", elementwise.lcm, np.lcm, (np.array([12, -18, 0]), np.array([8, 27, 5]))),
    ("heaviside", elementwise.heaviside, np.heaviside, (np.array([-1.0, 0.0, 2.0, NAN]), np.full(4, 0.5))),
    ("sinc", elementwise.sinc, np.sinc, (np.array([0.0, 0.5, 1.0]),)),
    ("deg2rad", elementwise.deg2rad, np.deg2rad, (X,)),
    ("rad2deg", elementwise.rad2deg, np.rad2deg, (INTS.astype(np.float32),)),
    ("logaddexp2", elementwise.logaddexp2, np.logaddexp2, (X, X + 1)),
    ("where", lambda m, x: elementwise.where(m, x, 0), lambda m, x: np.where(m, x, 0), (MASK, INTS)),
    ("isnan-int", elementwise.isnan, np.isnan, (INTS,)),
    ("isfinite-int", elementwise.isfinite, np.isfinite, (INTS,)),
    ("logical", elementwise.logical_and, np.logical_and, (X, INTS)),
    ("floor-int", elementwise.floor, np.floor, (INTS,)),
    ("exp-int8", elementwise.exp, np.exp, (np.arange(3, dtype=np.int8),)),
    ("sin-int16", elementwise.sin, np.sin, (np.arange(3, dtype=np.int16),)),
    ("atan2-int", elementwise.atan2, np.arctan2, (INTS, INTS[::-1])),
)  # fmt: skip


def _check(pair: Pair, *, trace: bool) -> None:
    name, ours, theirs, arrays = pair
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of empty slices
        wanted = np.asarray(theirs(*arrays))
    if trace:
        recording = record(name, [aval_of(x) for x in arrays], lambda _, xs: [ours(*xs)])
        assert not recording.captured or all(isinstance(c, np.ndarray) for c in recording.captured)
        known = [np.asarray(value) for value in recording.captured]
        (got,) = run_program(recording.program, [*arrays, *known])
    else:
        got = np.array(ours(*[from_host(x) for x in arrays]))
    if got.dtype != wanted.dtype:
        assert "float16" in name, f"{name}: {got.dtype}, NumPy gives {wanted.dtype}"
    assert_close(got, wanted.astype(got.dtype), name, 20)


@pytest.mark.parametrize("pair", [*REDUCTIONS, *FUNCTIONS], ids=lambda p: p[0])
def test_functions_give_what_numpy_gives(pair: Pair) -> None:
    _check(pair, trace=False)


@pytest.mark.parametrize("pair", [*REDUCTIONS[::9], *FUNCTIONS], ids=lambda p: p[0])
def test_functions_in_a_trace_give_what_numpy_gives(pair: Pair) -> None:
    _check(pair, trace=True)


WRONG: tuple[tuple[Callable[[], object], type[Exception], str], ...] = (
    (lambda: reduction.max(np.ones((0, 3)), 0), ValueError, "zero-size array"),
    (lambda: reduction.argmax(np.ones(0)), ValueError, "empty sequence"),
    (lambda: reduction.sum(np.ones(3), 1), ValueError, "axis 1"),
    (lambda: reduction.sum(np.ones((3, 3)), (0, 0)), ValueError, "twice"),
    (lambda: reduction.max(np.ones(3), where=np.ones(3, bool)), ValueError, "initial"),
    (lambda: shapes.reshape(np.ones(6), (4, -1)), ValueError, "reshape"),
    (lambda: shapes.reshape(np.ones(6), (-1, -1)), ValueError, "reshape"),
    (lambda: shapes.squeeze(np.ones((2, 1)), 0), ValueError, "size 1"),
    (lambda: shapes.concat([np.ones(2), np.ones((2, 2))]), ValueError, "fit together"),
    (lambda: shapes.stack([np.ones(2), np.ones(3)]), ValueError, "one shape"),
    (lambda: shapes.broadcast_to(np.ones(3), (3, 2)), ValueError, "broadcast"),
    (lambda: elementwise.add(np.ones(3), np.ones(2)), ValueError, r"\(3,\) and \(2,\)"),
    (lambda: elementwise.add(np.ones(3), "a"), TypeError, "asarray"),
    (lambda: elementwise.add(np.ones(3), np.array(["a"])), TypeError, "supported are"),
    (lambda: elementwise.subtract(MASK, MASK), TypeError, "logical_xor"),
    (lambda: elementwise.negative(MASK), TypeError, "logical_not"),
    (lambda: elementwise.bitwise_and(X, 1), TypeError, "integers"),
    (lambda: elementwise.floor(X + 1j), TypeError, "real"),
    (lambda: elementwise.remainder(X + 1j, 2), TypeError, "no order"),
    (lambda: matmul.matmul(X, X), ValueError, "meet"),
    (lambda: matmul.matmul(X, 2), ValueError, "one axis"),
    (lambda: matmul.tensordot(X, X, 1), ValueError, "differ"),
    (lambda: searching.searchsorted(X, 1), ValueError, "one axis"),
    (lambda: searching.searchsorted(X[0], 1, side="middle"), ValueError, "side"),
    (lambda: sorting.top_k(X, 4), ValueError, "top_k"),
    (lambda: accumulate.diff(X, -1), ValueError, "negative"),
)


@pytest.mark.parametrize(("function", "error", "words"), WRONG, ids=range(len(WRONG)))
def test_wrong_operands_are_named(
    function: Callable[[], object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        function()


def test_casts_saturate() -> None:
    huge = np.array([1e30, -1e30, NAN, np.inf, -0.9, 254.7])
    assert np.array(from_host(huge).astype("uint8")).tolist() == [255, 0, 0, 255, 0, 254]
    assert np.array(from_host(huge).astype("int4")).astype(int).tolist() == [7, -8, 0, 7, 0, 7]
    assert np.array(from_host(huge).astype(bool)).tolist() == [True] * 6
    z = from_host(np.array([1 + 2j, 2j]))
    assert np.array(z.astype("int8")).tolist() == [1, 0]
    assert np.array(z.astype(bool)).tolist() == [True, True]


def test_division_of_integers_by_zero_gives_zero() -> None:
    for dtype in ("int8", "int64", "uint16"):
        x = from_host(edge_values(BY_NAME[dtype]))
        assert not np.array(x // 0).any()
        assert not np.array(x % 0).any()
    assert np.array(from_host(np.array([np.inf, -np.inf])) // 2).tolist() == [np.inf, -np.inf]
    low = from_host(np.array([-128], np.int8))
    assert np.array(low // -1).tolist() == [-128]


@pytest.mark.parametrize("n", [3, 50_000])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_sign_of_a_negative_zero_is_zero(n: int, dtype: str) -> None:
    x = oa.full(n, -0.0, dtype=dtype)
    assert not np.signbit(np.asarray(oa.sign(x))).any()
    assert not np.signbit(np.asarray(oa.jit(oa.sign)(x))).any()


@pytest.mark.parametrize("n", [3, 50_000])
def test_complex_expm1_keeps_the_signs_of_zeros(n: int) -> None:
    x = oa.full(n, complex(-0.0, -0.0))
    for y in (oa.expm1(x), oa.jit(oa.expm1)(x)):
        assert np.signbit(np.asarray(oa.real(y))).all()
        assert np.signbit(np.asarray(oa.imag(y))).all()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize(
    ("shape", "axis"), [((20_000,), None), ((300, 400), 0), ((300, 400), 1), ((20, 30, 40), (0, 2))]
)
def test_a_nan_wins_in_extrema_of_large_arrays(dtype: str, shape: Any, axis: Any) -> None:
    values = np.zeros(shape)
    values.flat[values.size // 3] = NAN
    x = oa.asarray(values).astype(dtype)
    for name in ("max", "min"):
        want = np.isnan(getattr(np, name)(values, axis=axis))
        function = getattr(oa, name)
        assert np.array_equal(np.asarray(oa.isnan(function(x, axis=axis))), want)
        compiled = oa.jit(lambda x, f=function: f(x, axis=axis))
        assert np.array_equal(np.asarray(oa.isnan(compiled(x))), want)


@pytest.mark.parametrize("dtype", ["float64", "bfloat16", "bool", "uint64", "complex64", "int4"])
@pytest.mark.parametrize(("shift", "axis"), [(1, 0), (-3, 1), (7, None), ((2, -5), (0, 1))])
def test_a_roll_of_large_arrays_in_a_program(dtype: str, shift: Any, axis: Any) -> None:
    values = np.random.default_rng(0).integers(0, 7, (100, 60))
    x = oa.asarray(values).astype(dtype)
    got = oa.jit(lambda x: oa.roll(x, shift, axis))(x)
    want = oa.asarray(np.roll(values, shift, axis)).astype(dtype)
    assert got.dtype == want.dtype
    assert oa.all(got == want)


def test_rolls_in_a_program_need_no_memory_of_their_own() -> None:
    def slope(x: oa.Array, axis: int) -> oa.Array:
        return (oa.roll(x, -1, axis) - oa.roll(x, 1, axis)) * 0.5

    step = oa.jit(lambda x: x - 0.1 * (x * slope(x, 0) + slope(x * x, 1)))
    x = oa.ShapedArray((256, 256), "float64")
    assert step.explain(x).bytes_temporary < x.nbytes // 4
    turned = oa.jit(oa.grad(lambda x: oa.sum(oa.roll(x, 3, 1) ** 2)))
    values = np.random.default_rng(0).normal(size=(80, 90))
    assert np.allclose(np.asarray(turned(oa.asarray(values))), 2 * values)
