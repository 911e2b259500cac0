"""The class of arrays behaves as NumPy's: operators, methods, promotion, errors."""

from __future__ import annotations

import operator
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._array.concrete import from_host
from ownarray._trace.bind import is_array

if TYPE_CHECKING:
    from collections.abc import Callable

Values = np.ndarray[Any, np.dtype[Any]]

DTYPES = ("bool", "int8", "int64", "uint8", "float32", "float64", "complex64")
BINARY = (
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.lshift,
    operator.rshift,
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
)
IN_PLACE = (
    operator.iadd,
    operator.isub,
    operator.imul,
    operator.itruediv,
    operator.ifloordiv,
    operator.imod,
    operator.ipow,
    operator.iand,
    operator.ior,
    operator.ixor,
    operator.ilshift,
    operator.irshift,
)
SCALARS = (True, 2, 2.5, 1 + 2j, np.float32(1.5), np.int16(3), np.bool_(True))


def _values(dtype: str, shape: tuple[int, ...] = (2, 3)) -> Values:
    size = int(np.prod(shape))
    numbers: Values = np.arange(1, size + 1) % 5
    if dtype == "complex64":
        numbers = numbers * (1 + 0.5j)
    return numbers.astype(dtype).reshape(shape)


def _outcome(function: Callable[..., Any], *args: Any) -> Any:
    """Return the result, or the kind of error."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
            return function(*args)
    except (TypeError, ValueError, OverflowError, IndexError) as error:
        return type(error)


def _same(got: Any, wanted: Any) -> None:
    if isinstance(wanted, type):
        assert isinstance(got, type), f"expected {wanted.__name__}, got {got}"
        assert issubclass(got, wanted) or issubclass(wanted, got)
        return
    assert not isinstance(got, type), f"{got.__name__} where NumPy gives {wanted}"
    assert is_array(got)
    found = np.array(got)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("function", BINARY, ids=lambda f: f.__name__)
@pytest.mark.parametrize("left", DTYPES)
def test_operators_of_two_arrays(function: Callable[..., Any], left: str) -> None:
    for right in DTYPES:
        if function is operator.pow and right.startswith("int"):
            continue
        x, y = _values(left), _values(right, (3,))
        wanted = _outcome(function, x, y)
        _same(_outcome(function, from_host(x), from_host(y)), wanted)
        _same(_outcome(function, from_host(x), y), wanted)
        _same(_outcome(function, x, from_host(y)), wanted)


@pytest.mark.parametrize("function", BINARY, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", DTYPES)
def test_operators_with_scalars(function: Callable[..., Any], dtype: str) -> None:
    x = _values(dtype)
    for scalar in SCALARS:
        if function is operator.pow and dtype == "bool" and type(scalar) is int:
            continue  # NumPy squares truth values in int8, but promotes those of other exponents
        _same(_outcome(function, from_host(x), scalar), _outcome(function, x, scalar))
        _same(_outcome(function, scalar, from_host(x)), _outcome(function, scalar, x))


@pytest.mark.parametrize("function", IN_PLACE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("dtype", DTYPES)
def test_in_place_operators(function: Callable[..., Any], dtype: str) -> None:
    for other in (*SCALARS, *[_values(right, (3,)) for right in DTYPES], _values(dtype, (4, 2, 3))):
        x = _values(dtype)
        array = from_host(x)
        alias = array
        wanted = _outcome(function, x, other)
        got = _outcome(function, array, other)
        if isinstance(wanted, type):  # where shape and dtype are both wrong, either is named
            assert isinstance(got, type)
            np.testing.assert_array_equal(np.array(array), _values(dtype))
        else:
            _same(got, wanted)
            assert got is alias


def test_unary_operators() -> None:
    for dtype in DTYPES:
        x = _values(dtype)
        for function in (operator.neg, operator.pos, abs, operator.invert):
            _same(_outcome(function, from_host(x)), _outcome(function, x))
    array = from_host(np.ones(3))
    assert +array is not array


def test_divmod_and_matmul() -> None:
    x, y = _values("float64"), _values("float64", (3,))
    got: Any
    for got, wanted in zip(divmod(from_host(x), y), divmod(x, y), strict=True):
        _same(got, wanted)
    for got, wanted in zip(divmod(7, from_host(y)), divmod(7, y), strict=True):
        _same(got, wanted)
    shapes = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((4, 2, 3), (3, 5))]
    shapes += [((3,), (4, 3, 2)), ((4, 1, 2, 3), (5, 3, 2)), ((2, 3), (2, 3)), ((), (3,))]
    for a, b in shapes:
        for dtype in DTYPES:
            left, right = _values(dtype, a), _values(dtype, b)
            wanted = _outcome(operator.matmul, left, right)
            _same(_outcome(operator.matmul, from_host(left), from_host(right)), _array(wanted))
            _same(_outcome(operator.matmul, left, from_host(right)), _array(wanted))


def _array(value: Any) -> Any:
    return value if isinstance(value, type) else np.asarray(value)


def test_foreign_types_are_left_to_them() -> None:
    class Other:
        def __radd__(self, other: object) -> str:
            return "theirs"

        def __matmul__(self, other: object) -> str:
            return "mine"

    x = from_host(np.ones(3))
    assert x + Other() == "theirs"
    assert Other() @ x == "mine"
    with pytest.raises(TypeError):
        x + "a"
    with pytest.raises(TypeError):
        x += [1, 2, 3]
    same: object = x == "a"
    assert same is False  # Python's answer where both sides decline
    with pytest.raises(TypeError):
        hash(x)


def test_integers_that_do_not_fit_are_refused() -> None:
    x = from_host(np.ones(3, np.int8))
    with pytest.raises(OverflowError):
        x + 300
    with pytest.raises(OverflowError):
        from_host(np.ones(3, np.uint8)) - (-1)
    with pytest.raises(ValueError, match="negative integer powers"):
        from_host(np.arange(3)) ** -1


def test_python_scalars_of_arrays() -> None:
    x = from_host(np.array([[3.5]]))
    assert (float(x), int(x), bool(x), complex(x)) == (3.5, 3, True, 3.5 + 0j)
    assert x.item() == 3.5
    assert [10, 20, 30][from_host(np.array(2))] == 30
    with pytest.raises(TypeError):
        operator.index(x)
    for convert in (bool, float, int, complex):
        with pytest.raises((ValueError, TypeError), match="one element"):
            convert(from_host(np.ones(2)))
    y = from_host(np.arange(6).reshape(2, 3))
    assert (len(y), y.item(1, 2), y.item(4), 5 in y, 9 in y) == (2, 5, 4, True, False)
    assert [row.tolist() for row in y] == [[0, 1, 2], [3, 4, 5]]
    for use in (len, iter):
        with pytest.raises(TypeError):
            use(from_host(np.array(1.0)))


METHODS: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("sum", (), {}),
    ("sum", (0,), {"keepdims": True}),
    ("sum", ((0, 1),), {"dtype": np.float32}),
    ("sum", (), {"initial": 3, "where": np.array([True, False, True])}),
    ("prod", (1,), {}),
    ("mean", (), {}),
    ("mean", (1,), {"keepdims": True}),
    ("mean", (), {"where": np.array([True, False, True])}),
    ("var", (), {"ddof": 1}),
    ("std", (0,), {}),
    ("min", (1,), {}),
    ("max", (), {"initial": 2}),
    ("any", (0,), {}),
    ("all", (), {"keepdims": True}),
    ("argmin", (1,), {}),
    ("argmax", (), {}),
    ("argmax", (0,), {"keepdims": True}),
    ("cumsum", (), {}),
    ("cumsum", (1,), {"dtype": np.float64}),
    ("cumprod", (0,), {}),
    ("reshape", (3, 2), {}),
    ("reshape", ((-1,),), {}),
    ("reshape", (6, -1), {}),
    ("transpose", (), {}),
    ("transpose", (1, 0), {}),
    ("ravel", (), {}),
    ("flatten", (), {}),
    ("squeeze", (), {}),
    ("swapaxes", (0, 1), {}),
    ("astype", (np.float32,), {}),
    ("clip", (1, 3), {}),
    ("round", (), {}),
    ("conj", (), {}),
    ("copy", (), {}),
    ("take", ([0, 2],), {"axis": 1}),
    ("take", ([5, -1],), {}),
    ("repeat", (2,), {}),
    ("repeat", ([1, 0, 2],), {"axis": 1}),
    ("diagonal", (), {}),
    ("diagonal", (1,), {}),
    ("trace", (), {}),
    ("argsort", (), {}),
    ("dot", (np.arange(3.0),), {}),
)


@pytest.mark.parametrize(
    ("name", "args", "options"), METHODS, ids=[f"{i}-{m[0]}" for i, m in enumerate(METHODS)]
)
@pytest.mark.parametrize("dtype", DTYPES)
def test_methods(name: str, args: tuple[Any, ...], options: dict[str, Any], dtype: str) -> None:
    x = _values(dtype)
    if name == "argsort":
        options = {**options, "kind": "stable"}
    wanted = _outcome(lambda: getattr(x, name)(*args, **options))
    options.pop("kind", None)
    got = _outcome(lambda: getattr(from_host(x), name)(*args, **options))
    if name in ("std", "var") and dtype == "complex64":
        wanted = np.asarray(wanted).astype(np.float32)
    _same(got, _array(wanted))


def test_properties() -> None:
    x = np.arange(6, dtype=np.complex64).reshape(2, 3) * (1 - 2j)
    array = from_host(x)
    for name in ("T", "mT", "real", "imag"):
        _same(getattr(array, name), np.ascontiguousarray(getattr(x, name)))
    for name in ("shape", "dtype", "ndim", "size", "nbytes", "itemsize"):
        assert getattr(array, name) == getattr(x, name)


def test_updates_of_own_memory() -> None:
    x = from_host(np.array([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]]))
    name = x
    x.sort()
    assert name.tolist() == [[1.0, 2.0, 3.0], [0.0, 4.0, 5.0]]
    x[0] = 9
    x.fill(7)
    assert name.tolist() == [[7.0] * 3] * 2
    x @= np.eye(3)
    assert name.tolist() == [[7.0] * 3] * 2


def test_results_are_owners_of_their_own() -> None:
    """Also where NumPy would return a view or the array itself."""
    x = from_host(np.arange(6.0).reshape(2, 3))
    for y in (
        x.reshape(2, 3),
        x.ravel(),
        x.T,
        x.astype(np.float64),
        x[...],
        x.real,
        x.squeeze(),
        x.clip(),
        x.round(),
        x.conj(),
        x.copy(),
        +x,
    ):
        assert y is not x
        y += 1
        assert x.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert x.astype(np.float64, copy=False) is x


def test_operators_in_a_trace_promote_weak_scalars() -> None:
    """A scalar argument of a compiled function gives way, as it does outside."""

    @oa.jit
    def scale(x: oa.Array, factor: float, shift: int) -> oa.Array:
        return x * (factor * 0.5 + 1.0) + shift

    x = oa.asarray(np.ones(3, np.float32))
    assert scale(x, 3.0, 1).dtype == np.float32
    assert scale(x, 3.0, 1).tolist() == [3.5] * 3
    assert scale(oa.asarray(np.ones(2, np.int8)), 3.0, 1).dtype == np.float64


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var", "std", "any", "all"])
def test_functions_of_numpy_that_call_methods(name: str) -> None:
    x = np.arange(6.0).reshape(2, 3)
    function = getattr(np, name)
    _same(function(from_host(x), axis=1), _array(function(x, axis=1)))
    with pytest.raises(TypeError, match=f"{name}: results are new arrays"):
        function(from_host(x), out=np.empty(()))


@pytest.mark.parametrize("kind", [int, float, complex])
def test_several_elements_are_no_number(kind: Any) -> None:
    with pytest.raises(TypeError, match="one element"):
        kind(from_host(np.arange(3.0)))


def test_a_shape_that_is_none_is_named() -> None:
    with pytest.raises(TypeError, match=r"reshape: expected a shape .* got 'a'"):
        from_host(np.arange(3.0)).reshape("a")  # type: ignore[arg-type]
