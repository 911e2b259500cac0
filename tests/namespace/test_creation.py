"""Where arrays come from: values, dtypes, memory, and what inside a compiled function differs."""

import array as standard_array
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ownarray as oa

LARGE = 30_000


def assert_is(got: oa.Array, want: Any) -> None:
    want = np.asarray(want)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    np.testing.assert_array_equal(np.asarray(got), want)


# Filled.


def _name(value: object) -> str:
    """Return a name that is the same in every process: without an object's address."""
    return type(value).__name__ if " at 0x" in repr(value) else repr(value)


@pytest.mark.parametrize("shape", [(), 3, (2, 0), (2, 3), LARGE, (200, 150)])
@pytest.mark.parametrize("dtype", [None, "bool", "int8", "float32", "complex128", "bfloat16"])
def test_filled(shape: Any, dtype: str | None) -> None:
    kind = oa.float64 if dtype is None else oa.asarray(0, dtype=dtype).dtype
    assert_is(oa.zeros(shape, dtype=dtype), np.zeros(shape, kind))
    assert_is(oa.ones(shape, dtype=dtype), np.ones(shape, kind))
    assert_is(oa.full(shape, 1, dtype=kind), np.full(shape, 1, kind))
    assert oa.empty(shape, dtype=dtype).dtype == kind


@pytest.mark.parametrize("value", [True, 3, 2.5, 1j, np.float32(1.5), np.int8(3)])
@pytest.mark.parametrize("size", [3, LARGE])
def test_full_takes_the_dtype_of_its_value(value: Any, size: int) -> None:
    assert_is(oa.full(size, value), np.full(size, value))


def test_full_of_an_array_broadcasts() -> None:
    assert_is(oa.full((2, 3), oa.arange(3)), [[0, 1, 2]] * 2)
    assert_is(oa.full((2,), oa.move(oa.asarray(4.0))), [4.0, 4.0])


def test_large_arrays_are_owned_and_their_own() -> None:
    x, y = oa.ones(LARGE), oa.ones(LARGE)
    x += 1.0
    assert float(oa.max(y)) == 1.0
    x = oa.negative(oa.move(x))
    assert float(oa.max(x)) == -2.0


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: oa.zeros(-1), ValueError),
        (lambda: oa.zeros((2, -3)), ValueError),
        (lambda: oa.ones(2.5), TypeError),  # type: ignore[arg-type]
        (lambda: oa.ones("ab"), TypeError),  # type: ignore[arg-type]
        (lambda: oa.zeros(2, dtype="no such"), TypeError),
        (lambda: oa.zeros(2, dtype=object), TypeError),
        (lambda: oa.zeros(2, dtype="datetime64[s]"), TypeError),
        (lambda: oa.full(2, 300, dtype="uint8"), OverflowError),
        (lambda: oa.full(2, "a"), TypeError),  # type: ignore[arg-type]
        (lambda: oa.zeros(2, device="gpu"), ValueError),
    ],
)
def test_filled_refuses(call: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error, match=r"zeros|ones|full|int"):
        call()


# Ranges.


@pytest.mark.parametrize(
    "arguments",
    [
        (5,),
        (0,),
        (2, 10, 3),
        (10, 2, -3),
        (1, 1),
        (0.5, 4.5, 0.7),
        (0, 1, 0.1),
        (5.0,),
        (0, LARGE),
        (0.0, LARGE, 0.5),
        (-1e6, 1e6, 13.7),
    ],
)
def test_arange(arguments: tuple[Any, ...]) -> None:
    assert_is(oa.arange(*arguments), np.arange(*arguments))


@pytest.mark.parametrize("dtype", ["int16", "float32", "float64", "uint8"])
def test_arange_of_a_dtype(dtype: str) -> None:
    assert_is(oa.arange(3, 20, 4, dtype=dtype), np.arange(3, 20, 4, dtype=dtype))


def test_arange_refuses() -> None:
    with pytest.raises(ValueError, match="arange: expected a step other than 0"):
        oa.arange(0, 5, 0)
    with pytest.raises(ValueError, match="has no size"):
        oa.arange(0, oa.inf)
    with pytest.raises(TypeError, match="arange: expected an array or a number"):
        oa.arange("5")  # type: ignore[arg-type]
    with pytest.raises(oa.TraceError):
        oa.jit(lambda n: oa.arange(n) + 1)(oa.asarray(3))


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize(
    "arguments",
    [(0, 1, 5), (1.5, -2.5, 7), (3, 3, 4), (0, 1, 1), (0, 1, 0), (0, 10, LARGE), (0, 1j, 5)],
)
def test_linspace(arguments: tuple[Any, ...], *, endpoint: bool) -> None:
    start, stop, num = arguments
    got = oa.linspace(start, stop, num, endpoint=endpoint)
    want = np.asarray(np.linspace(start, stop, num, endpoint=endpoint))
    assert got.dtype == want.dtype
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-15, atol=1e-15)


def test_linspace_of_a_dtype_and_between_arrays() -> None:
    assert_is(oa.linspace(0, 9, 4, dtype="int32"), np.linspace(0, 9, 4, dtype="int32"))
    assert_is(oa.linspace(-3.5, 3, 5, dtype="int64"), np.linspace(-3.5, 3, 5, dtype="int64"))
    start, stop = np.array([0.0, 1.0]), np.array([1.0, 5.0])
    got = oa.linspace(oa.asarray(start), stop, 5)
    np.testing.assert_allclose(np.asarray(got), np.linspace(start, stop, 5), rtol=1e-15)
    with pytest.raises(ValueError, match="linspace: expected a number of elements"):
        oa.linspace(0, 1, -1)


@pytest.mark.parametrize("shape", [(3, None), (2, 4), (4, 2), (0, 3), (200, 180)])
@pytest.mark.parametrize("k", [-5, -1, 0, 2, 7])
def test_matrices(shape: tuple[int, int | None], k: int) -> None:
    assert_is(oa.eye(*shape, k=k), np.eye(*shape, k=k))
    assert_is(oa.tri(*shape, k=k), np.tri(*shape, k=k))
    x = np.arange(12.0).reshape(3, 4)
    assert_is(oa.tril(oa.asarray(x), k=k), np.tril(x, k))
    assert_is(oa.triu(x, k=k), np.triu(x, k))


# Import.


@pytest.mark.parametrize(
    "value",
    [
        3,
        2.5,
        True,
        1 + 2j,
        [],
        [1, 2],
        [[1.0, 2], [3, 4]],
        [True, False],
        (1, (2.5)),
        [[1j]],
        np.float32(2),
        np.arange(4)[::2],
        np.arange(6).reshape(2, 3).T,
        np.zeros((0, 3)),
        np.arange(3, dtype=">i4"),
        standard_array.array("d", [1.0, 2.0]),
        memoryview(b"abc"),
        bytearray(b"abc"),
        range(4),
    ],
    ids=_name,
)
def test_asarray(value: Any) -> None:
    want = np.asarray(value)
    want = want.astype(want.dtype.newbyteorder("="))
    got = oa.asarray(value)
    assert_is(got, want)
    assert got.state is oa.State.OWNED


@pytest.mark.parametrize(
    ("value", "dtype", "want"),
    [
        ([1.7, -1.7, np.nan, 1e30], "int64", [1, -1, 0, 2**63 - 1]),
        ([300.0, -5.0], "uint8", [255, 0]),
        ([0, 2], "bool", [False, True]),
        ([1, 2], "float32", [1.0, 2.0]),
        (2, "float64", 2.0),
        (np.arange(3), "complex64", [0, 1, 2]),
    ],
)
def test_asarray_of_a_dtype(value: Any, dtype: str, want: Any) -> None:
    assert_is(oa.asarray(value, dtype=dtype), np.asarray(want, dtype=dtype))


def test_asarray_of_narrow_floats() -> None:
    x = np.array([1.5, 2.5], ml_dtypes.bfloat16)
    assert oa.asarray(x).dtype == oa.bfloat16
    assert oa.asarray(x).tolist() == [1.5, 2.5]


def test_asarray_copies_numpy_unless_told() -> None:
    x = np.ones(3)
    copied = oa.asarray(x)
    shared = oa.asarray(x, copy=False)
    x[0] = 5.0
    assert copied.tolist() == [1.0, 1.0, 1.0]
    assert shared.tolist() == [5.0, 1.0, 1.0]
    assert shared.state is oa.State.FOREIGN
    assert (shared + 1).tolist() == [6.0, 2.0, 2.0]
    with pytest.raises(oa.BorrowError):
        shared += 1
    with pytest.raises(oa.BorrowError):
        oa.move(shared)


def test_asarray_of_an_array_is_that_array() -> None:
    x = oa.ones(3)
    assert oa.asarray(x) is x
    assert oa.asarray(x, dtype=oa.float64) is x
    assert oa.asarray(x, copy=False) is x
    assert oa.asarray(x, copy=True) is not x
    assert oa.array(x) is not x
    assert oa.asarray(x, dtype=oa.float32).dtype == oa.float32
    with pytest.raises(ValueError, match="without a copy"):
        oa.asarray(x, dtype=oa.float32, copy=False)
    h = oa.move(x)
    with pytest.raises(oa.UseAfterMoveError):
        oa.asarray(x)
    assert oa.asarray(h).tolist() == [1.0, 1.0, 1.0]


def test_arrays_in_lists() -> None:
    x = oa.arange(2)
    assert_is(oa.asarray([x, x + 2]), [[0, 1], [2, 3]])
    assert_is(oa.asarray([[x[0], 5], [1.5, x[1]]]), [[0.0, 5.0], [1.5, 1.0]])
    h = oa.move(oa.arange(2))
    with pytest.raises(oa.UseAfterMoveError):
        oa.asarray([h, h])
    assert_is(oa.asarray([h, x]), [[0, 1], [0, 1]])


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("abc", TypeError),
        (b"abc", TypeError),
        (None, TypeError),
        (object(), TypeError),
        ([1, "a"], TypeError),
        ([None], TypeError),
        ({"a": 1}, TypeError),
        ([[1, 2], [3]], ValueError),
        (np.array(["a"]), TypeError),
        (np.array([1], "datetime64[s]"), TypeError),
        (2**70, OverflowError),
        ([2**70], TypeError),
        (np.longdouble(1), TypeError),
    ],
    ids=_name,
)
def test_asarray_refuses(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        oa.asarray(value)


def test_copy_false_needs_memory() -> None:
    for value in (1.0, [1, 2]):
        with pytest.raises(ValueError, match="no memory to share"):
            oa.asarray(value, copy=False)
    with pytest.raises(ValueError, match="without a copy"):
        oa.asarray(np.ones(2), dtype="float32", copy=False)


def test_from_dlpack() -> None:
    x = np.arange(4.0)
    copied, shared = oa.from_dlpack(x), oa.from_dlpack(x, copy=False)
    x[0] = 9.0
    assert copied.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert shared.tolist() == [9.0, 1.0, 2.0, 3.0]
    assert shared.state is oa.State.FOREIGN
    with pytest.raises(TypeError, match="from_dlpack"):
        oa.from_dlpack([1.0])
    y = oa.ones(3)
    assert oa.from_dlpack(y).tolist() == [1.0, 1.0, 1.0]


# Inside compiled functions.


TABLE = np.arange(3.0)


def _made(x: oa.Array) -> list[oa.Array]:
    return [
        oa.zeros((2, 2)),
        oa.full(3, 7),
        oa.arange(2, 11, 3),
        oa.arange(0.0, 1.0, 0.25),
        oa.linspace(0, 1, 5),
        oa.eye(2, 3, k=1),
        oa.tri(3, k=-1),
        oa.tril(oa.ones((3, 3)) * x),
        oa.asarray([1, 2]),
        oa.asarray(2.5),
        oa.asarray(TABLE),
        oa.asarray([x, x]),
        oa.zeros_like(x),
        oa.full_like(x, 3),
        oa.linspace(x, 2.0, 3),
        *oa.meshgrid(oa.arange(2), oa.arange(3)),
    ]


def test_creation_is_traced() -> None:
    def body(x: oa.Array) -> list[oa.Array]:
        made = _made(x)
        for one in made:
            assert repr(one).startswith("TracedArray")
        return made

    x = oa.asarray(2.0)
    for got, want in zip(oa.jit(body)(x), _made(x), strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-15, atol=1e-15)


def test_sharing_is_refused_inside_a_trace() -> None:
    def body(x: oa.Array) -> oa.Array:
        return x + oa.asarray(TABLE, copy=False)

    with pytest.raises(ValueError, match="copied in"):
        oa.jit(body)(oa.ones(3))
