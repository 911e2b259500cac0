"""Functions over all dtypes and over shapes without axes, without elements, and to be broadcast."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ownarray as oa

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
ALL = ("bool", *INTEGERS, *FLOATS, *COMPLEX)
SHAPES = ((), (0,), (1,), (2, 0, 3), (2, 1, 3))

UNARY = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bitwise_invert",
    "ceil",
    "conj",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log10",
    "log1p",
    "log2",
    "logical_not",
    "negative",
    "positive",
    "real",
    "reciprocal",
    "rint",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
]
BINARY = [
    "add",
    "atan2",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "copysign",
    "divide",
    "equal",
    "floor_divide",
    "fmod",
    "gcd",
    "greater",
    "hypot",
    "less",
    "logaddexp",
    "logical_and",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "not_equal",
    "pow",
    "remainder",
    "subtract",
]
REDUCING = ("sum", "prod", "mean", "max", "min", "any", "all", "var", "std", "count_nonzero")

# NumPy's answers that this library does not give: conj of truth values as int8, not bool.
OTHERWISE = {("conj", "bool")}


def _values(dtype: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return np.asarray(rng.uniform(size=shape) < 0.5)
    values = rng.integers(1, 4, shape)
    if dtype in COMPLEX:
        return np.asarray(values + 1j * rng.integers(0, 3, shape)).astype(dtype)
    return np.asarray(values / 4 if dtype in FLOATS else values).astype(dtype)


def _tolerance(dtype: np.dtype[Any]) -> float:
    if dtype.kind in "biu":
        return 0.0
    bits = np.finfo(dtype).eps
    return float(bits) * 8


def _assert_same(name: str, got: oa.Array, want: Any) -> None:
    want = np.asarray(want)
    assert got.dtype == want.dtype, name
    assert got.shape == want.shape
    tolerance = _tolerance(want.dtype)
    np.testing.assert_allclose(np.asarray(got), want, rtol=tolerance, atol=tolerance)


def _numpy(name: str, *values: Any) -> Any:
    """Return NumPy's answer, or None if it has none for these dtypes."""
    with np.errstate(all="ignore"):
        try:
            return getattr(np, name)(*values)
        except TypeError:
            return None


@pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, dtype) for name in UNARY for dtype in ALL if (name, dtype) not in OTHERWISE],
)
def test_unary(name: str, dtype: str) -> None:
    for shape in SHAPES:
        x = _values(dtype, shape)
        want = _numpy(name, x)
        function = getattr(oa, name)
        if want is None:
            with pytest.raises(TypeError, match=name[:3]):
                function(oa.asarray(x))
            return
        _assert_same(name, function(oa.asarray(x)), want)
        _assert_same(name, function(oa.move(oa.asarray(x))), want)


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str, dtype: str) -> None:
    for shape, other in [((), ()), ((0,), (1,)), ((2, 1, 3), (4, 1)), ((3,), ())]:
        x, y = _values(dtype, shape), _values(dtype, other, 1)
        want = _numpy(name, x, y)
        function = getattr(oa, name)
        if want is None:
            with pytest.raises(TypeError, match=name[:3]):
                function(oa.asarray(x), oa.asarray(y))
            return
        _assert_same(name, function(oa.asarray(x), oa.asarray(y)), want)
        _assert_same(name, function(oa.move(oa.asarray(x)), oa.move(oa.asarray(y))), want)


@pytest.mark.parametrize("scalar", [True, 2, 2.0, 2j], ids=repr)
@pytest.mark.parametrize("dtype", ALL)
def test_python_scalars_are_weak(dtype: str, scalar: complex) -> None:
    x = _values(dtype, (3,))
    for name in ("add", "multiply", "divide", "maximum", "pow", "equal"):
        want = _numpy(name, x, scalar)
        if want is not None:
            _assert_same(name, getattr(oa, name)(oa.asarray(x), scalar), want)
        want = _numpy(name, scalar, x)
        if want is not None:
            _assert_same(name, getattr(oa, name)(scalar, oa.asarray(x)), want)


@pytest.mark.parametrize("left", ALL)
def test_promotion(left: str) -> None:
    for right in ALL:
        x, y = _values(left, (2,)), _values(right, (2,), 1)
        _assert_same("add", oa.add(oa.asarray(x), y), np.add(x, y))
        _assert_same("where", oa.where(x == y, oa.asarray(x), y), np.where(x == y, x, y))
        _assert_same("concat", oa.concat([oa.asarray(x), oa.asarray(y)]), np.concatenate([x, y]))
        assert oa.result_type(oa.asarray(x), oa.asarray(y)) == np.result_type(x, y)
        assert oa.can_cast(x.dtype, y.dtype) == np.can_cast(x.dtype, y.dtype)


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", REDUCING)
def test_reductions(name: str, dtype: str) -> None:
    for shape, axis in [((), None), ((3,), 0), ((2, 3), (0, 1)), ((2, 3), 1), ((2, 0), 0)]:
        x = _values(dtype, shape)
        with np.errstate(all="ignore"):
            want = getattr(np, name)(x, axis=axis)
        if dtype == "bool" and name in ("var", "std"):
            want = getattr(np, name)(x.astype(float), axis=axis)
        _assert_same(name, getattr(oa, name)(oa.asarray(x), axis=axis), want)


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_empty_reductions_without_a_neutral_element(name: str) -> None:
    for shape, axis in [((0,), None), ((2, 0), 1)]:
        with pytest.raises(ValueError, match=name):
            getattr(oa, name)(oa.zeros(shape), axis=axis)


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_narrow_floats(dtype: str) -> None:
    kind = np.dtype(getattr(ml_dtypes, dtype))
    wide = np.array([0.25, 0.5, 1.5, 2.0], np.float32)
    x = oa.asarray(wide.astype(kind))
    for name in ("exp", "sqrt", "negative", "square", "floor"):
        got = getattr(oa, name)(x)
        assert got.dtype == kind
        want = getattr(np, name)(wide).astype(kind)
        np.testing.assert_array_equal(np.array(got).astype(np.float32), want.astype(np.float32))
    assert oa.add(x, x).dtype == kind
    assert oa.add(x, 1.0).dtype == kind
    assert float(oa.sum(x)) == float(wide.sum().astype(kind))
    assert float(oa.max(x)) == 2.0
    assert oa.sort(oa.move(oa.flip(x))).tolist() == wide.tolist()
    assert oa.unique_values(x).tolist() == wide.tolist()
    assert oa.mean(x).dtype == kind


@pytest.mark.parametrize("dtype", ["int4", "uint4"])
def test_half_bytes(dtype: str) -> None:
    x = oa.asarray([1, 2, 3], dtype=dtype)
    assert oa.add(x, x).tolist() == [2, 4, 6]
    assert oa.sum(x).dtype == (oa.int64 if dtype == "int4" else oa.uint64)
    assert oa.sort(oa.flip(x)).tolist() == [1, 2, 3]
    assert oa.iinfo(x).max == (7 if dtype == "int4" else 15)


# Kinds and limits.


def test_kinds() -> None:
    assert oa.isdtype(oa.float32, "real floating")
    assert oa.isdtype(oa.bfloat16, "real floating")
    assert oa.isdtype(oa.uint8, ("signed integer", "unsigned integer"))
    assert oa.isdtype(oa.complex64, "numeric")
    assert not oa.isdtype(oa.bool, "numeric")
    assert oa.isdtype(oa.int8, oa.int8)
    assert not oa.isdtype(oa.int8, "bool")
    with pytest.raises(ValueError, match="is no kind"):
        oa.isdtype(oa.int8, "whole")


@pytest.mark.parametrize("dtype", [*FLOATS, *COMPLEX])
def test_float_limits(dtype: str) -> None:
    got, want = oa.finfo(dtype), np.finfo(dtype)
    assert (got.bits, got.max, got.min) == (want.bits, float(want.max), float(want.min))
    assert (got.eps, got.smallest_normal) == (float(want.eps), float(want.smallest_normal))
    with pytest.raises(TypeError, match="finfo"):
        oa.finfo("int8")


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_limits(dtype: str) -> None:
    got, want = oa.iinfo(dtype), np.iinfo(dtype)
    assert (got.bits, got.max, got.min) == (want.bits, want.max, want.min)
    with pytest.raises(TypeError, match="iinfo"):
        oa.iinfo("float32")


def test_result_type() -> None:
    assert oa.result_type(oa.int8, 1) == oa.int8
    assert oa.result_type(oa.int8, 1.0) == oa.float64
    assert oa.result_type(oa.float32, 1j) == oa.complex64
    assert oa.result_type("int32", oa.ones(2, dtype="float32")) == oa.float64
    with pytest.raises(ValueError, match="result_type"):
        oa.result_type()


def test_information() -> None:
    info = oa.__array_namespace_info__()
    assert info.default_device() in info.devices()
    assert oa.ones(1).__array_namespace__(api_version=oa.__array_api_version__) is oa
    assert info.default_dtypes()["real floating"] == oa.float64
    assert set(info.dtypes(kind="bool")) == {"bool"}
    assert "float32" in info.dtypes()
    assert oa.ones(2).__array_namespace__() is oa
    with pytest.raises(ValueError, match="device"):
        info.dtypes(device="gpu")
