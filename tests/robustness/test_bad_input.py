"""Input that is wrong or odd: a clear error that names what is wrong, and arguments stay usable."""

from __future__ import annotations

import dataclasses
import enum
from collections import OrderedDict, defaultdict
from typing import Any, NamedTuple

import numpy as np
import pytest

import ownarray

# What is passed here is wrong on purpose, so mypy is not asked.
oa: Any = ownarray
# ruff: noqa: PLW0108  # a table of calls reads best if all of its rows look alike


@ownarray.jit
def double(x: Any) -> Any:
    return x * 2.0


@ownarray.jit
def total(t: Any) -> Any:
    return oa.sum(t["x"]) + t["n"]


@ownarray.jit
def identity(t: Any) -> Any:
    return t


untyped: Any = double
Case = tuple[Any, type[BaseException] | tuple[type[BaseException], ...], str | None]
VECTOR = np.arange(3.0)

FUNCTIONS: list[Case] = [
    # wrong types
    (lambda h: oa.add(h, "x"), TypeError, "add"),
    (lambda h: oa.add(h, None), TypeError, "add"),
    (lambda h: oa.add(h, {1, 2}), TypeError, "add"),
    (lambda h: oa.exp([1.0, h]), TypeError, "exp"),
    (lambda h: oa.sum(h, axis="a"), TypeError, "axis"),
    (lambda h: oa.sum(h, axis=1.5), TypeError, "axis"),
    (lambda h: oa.reshape(h, "a"), TypeError, None),
    (lambda h: oa.zeros("a"), TypeError, "zeros|shape"),
    (lambda h: oa.zeros(-1), ValueError, "zeros|negative"),
    (lambda h: oa.zeros((2, -3)), ValueError, "zeros|negative"),
    (lambda h: oa.zeros(2.5), TypeError, "zeros|shape|int"),
    (lambda h: oa.zeros((2**40, 2**40)), ValueError, "too large"),
    (lambda h: oa.pad(h, 2**62), ValueError, "too large"),
    (lambda h: oa.broadcast_to(h, (2**62, 3)), ValueError, "too large"),
    (lambda h: oa.jit(lambda x: oa.broadcast_to(x, (2**62, 3)))(h), ValueError, "too large"),
    (lambda h: oa.zeros(3, dtype="nope"), TypeError, "nope"),
    (lambda h: oa.zeros(3, dtype=object), TypeError, "object"),
    (lambda h: oa.asarray("abc"), TypeError, "asarray"),
    (lambda h: oa.asarray(None), TypeError, "asarray"),
    (lambda h: oa.asarray([1, "a"]), TypeError, "asarray"),
    (lambda h: oa.asarray([[1, 2], [3]]), ValueError, "asarray"),
    (lambda h: oa.asarray({1: 2}), TypeError, "asarray"),
    (lambda h: oa.asarray(i for i in range(3)), TypeError, "asarray"),
    (lambda h: oa.asarray(np.array(["a"])), TypeError, "asarray"),
    (lambda h: oa.asarray(np.array([None, 1])), TypeError, "asarray"),
    (lambda h: oa.asarray(np.zeros(2, dtype=[("a", "f8")])), TypeError, "asarray"),
    (lambda h: oa.asarray(np.array(["2020-01-01"], dtype="datetime64[D]")), TypeError, "asarray"),
    (lambda h: oa.asarray(np.zeros(2, dtype=np.longdouble)), TypeError, "asarray"),
    (lambda h: oa.asarray(10**30), OverflowError, "1000|int64|fit"),
    (lambda h: oa.asarray([10**30]), (TypeError, OverflowError), "64"),
    (lambda h: oa.asarray(300, dtype="int8"), OverflowError, "300"),
    # shapes, axes, indices
    (lambda h: oa.add(h, oa.ones(4)), ValueError, r"add.*\(3,\).*\(4,\)"),
    (lambda h: oa.sum(h, axis=3), (ValueError, IndexError), "sum.*3|axis 3"),
    (lambda h: oa.sum(h, axis=(0, 0)), ValueError, "sum|axis|repeated"),
    (lambda h: oa.reshape(h, (2, 2)), ValueError, r"reshape.*\(2, 2\).*f64\[3\]"),
    (lambda h: oa.reshape(h, (-1, -1)), ValueError, "reshape|-1"),
    (lambda h: oa.concat([h, oa.ones((2, 2))]), ValueError, "concat"),
    (lambda h: oa.concat([]), ValueError, "concat"),
    (lambda h: oa.stack([h, oa.ones(4)]), ValueError, "stack"),
    (lambda h: oa.matmul(h, oa.ones(4)), ValueError, "matmul"),
    (lambda h: oa.take(h, oa.asarray([7])), IndexError, "7|range"),
    (lambda h: oa.take(h, oa.asarray([0.5])), (TypeError, IndexError), "take|int"),
    (lambda h: oa.max(oa.zeros((0,))), ValueError, "max"),
    (lambda h: oa.argmin(oa.zeros((0, 2)), axis=0), ValueError, "argmin"),
    (lambda h: oa.permute_dims(h, (1,)), (ValueError, IndexError), "permute_dims|axis|ax"),
    # numbers
    (lambda h: oa.bitwise_and(h, 1), TypeError, "bitwise_and"),
    (lambda h: oa.add(oa.zeros(2, dtype="int8"), 300), OverflowError, "300"),
    (lambda h: oa.add(oa.zeros(2, dtype="uint8"), -1), OverflowError, "-1"),
    (lambda h: oa.zeros(2, dtype="int32") + 2**40, OverflowError, "1099511627776"),
    # compiled functions
    (lambda h: untyped(), TypeError, "double.*x"),
    (lambda h: untyped(h, 1), TypeError, "double"),
    (lambda h: untyped(h, y=1), TypeError, "double.*y"),
    (lambda h: double((h, object())), TypeError, r"double: x\[1\].*object"),
    (lambda h: double({"a": [h, {1}]}), TypeError, r"double: x\['a'\]\[1\].*set"),
    (lambda h: double(i for i in range(3)), TypeError, "double: x.*generator"),
    (lambda h: double(np.array(["a"])), TypeError, "double|dtype|<U1"),
    (lambda h: double(np.array([None])), TypeError, "double|dtype|object"),
    (lambda h: double(np.zeros(2, dtype=[("a", "f8")])), TypeError, "dtype|double"),
    (lambda h: double(2**64), OverflowError, "double: x"),
    (lambda h: total({"x": h, "n": 10**20}), OverflowError, "total: t"),
    (lambda h: double("text"), TypeError, None),
    (lambda h: double(None), TypeError, None),
    (lambda h: oa.jit(lambda x: iter([1]))(h), TypeError, "result.*list_iterator"),
    (lambda h: oa.jit(lambda x: object())(h), TypeError, "result.*object"),
    (lambda h: oa.jit(lambda x: x[5])(h), IndexError, "5"),
    (lambda h: oa.jit(lambda x: x + oa.ones(7))(h), ValueError, "add"),
    (lambda h: oa.jit(lambda x: 1 / 0)(h), ZeroDivisionError, None),
    (lambda h: oa.jit(lambda x: x.nope)(h), AttributeError, "nope"),
    (lambda h: oa.jit("text"), TypeError, "jit"),
    (lambda h: oa.jit(double, donate_argnums="x"), (TypeError, ValueError), "donate_argnums"),
    (lambda h: oa.jit(double, static_argnums=[0.5]), TypeError, "static_argnums"),
    # moving
    (lambda h: oa.move(), TypeError, "move"),
    (lambda h: oa.move([h]), TypeError, "handle already"),
    (lambda h: oa.move({"a": np.ones(2)}), TypeError, "NumPy"),
    (lambda h: oa.move([oa.ones(2), object()]), TypeError, r"\[1\].*object"),
    (lambda h: oa.move([1, oa.ones(2), {3}]), TypeError, r"\[2\].*set"),
    (lambda h: oa.reclaim(h), TypeError, "take"),
    (lambda h: oa.reclaim([object()]), TypeError, r"\[0\].*object"),
    (lambda h: oa.register(3), TypeError, "register"),
    (lambda h: oa.register(dict, fields=("a",)), ValueError, "tree already"),
]


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_bad_input_is_named_and_handles_stay_good(number: int) -> None:
    call, kind, words = FUNCTIONS[number]
    h = oa.move(oa.arange(3.0))
    with pytest.raises(kind, match=words) as caught:
        call(h)
    assert "jaxlib" not in str(caught.value)
    assert not isinstance(caught.value, oa.BackendError)
    assert h.take().tolist() == [0.0, 1.0, 2.0]


UPDATES: list[Case] = [
    (lambda x: x.__iadd__(oa.ones(4)), ValueError, "broadcast|shape"),
    (lambda x: x.__iadd__(oa.ones((2, 3))), ValueError, r"\(2, 3\)"),
    (lambda x: x.__iadd__(1j), TypeError, "complex"),
    (lambda x: exec("x += 'a'", {"x": x}), TypeError, None),
    (lambda x: x.__setitem__(5, 1.0), IndexError, "5"),
    (lambda x: x.__setitem__("a", 1.0), (TypeError, IndexError), "index|ind"),
    (lambda x: x.__setitem__(0.5, 1.0), (TypeError, IndexError), "index|ind"),
    (lambda x: x.__setitem__((0, 0), 1.0), IndexError, "ind|axes|axis"),
    (lambda x: x.__setitem__(slice(0, 2), oa.ones(3)), ValueError, "broadcast|shape"),
    (lambda x: x.__setitem__(oa.asarray([0, 9]), 1.0), IndexError, "9|range"),
    (lambda x: x.__setitem__(0, "a"), (TypeError, ValueError), None),
    (lambda x: x.__setitem__(0, None), (TypeError, ValueError), None),
    (lambda x: x.__setitem__(oa.ones(4) > 0, 1.0), IndexError, "4|mask|bool"),
    (lambda x: x[slice(None, None, 0)], ValueError, "zero|step"),
    (lambda x: x[1, 2], IndexError, "ind|axes|axis"),
    (lambda x: x[...][...][7], IndexError, "7"),
    (lambda x: x @ oa.ones(4), ValueError, "matmul"),
    (lambda x: bool(x), (TypeError, ValueError), "one element|ambiguous"),
    (lambda x: float(x), (TypeError, ValueError), "one element"),
    (lambda x: hash(x), TypeError, "unhashable"),
    (lambda x: x + object(), TypeError, None),
    (lambda x: x + {1: 2}, TypeError, None),
    (lambda x: x.reshape(2, 2), ValueError, "reshape"),
    (lambda x: x.astype("nope"), TypeError, "nope"),
    (lambda x: len(x.sum()), TypeError, "len|axes|0-d|unsized"),
    (lambda x: list(x.sum()), TypeError, "iter|0-d|axes"),
    (lambda x: setattr(x, "shape", (3, 1)), (AttributeError, TypeError), None),
    (lambda x: setattr(x, "anything", 1), AttributeError, None),
]


ONLY_SHORT = {4, 9, 15}


@pytest.mark.parametrize("n", [3, 5000])
@pytest.mark.parametrize("number", range(len(UPDATES)))
def test_bad_updates_and_indices_leave_the_array_as_it_was(number: int, n: int) -> None:
    call, kind, words = UPDATES[number]
    x = oa.arange(float(n))
    if n > 3 and number in ONLY_SHORT:
        pytest.skip("that index is there in a long array")
    with pytest.raises(kind, match=words if n == 3 else None):
        call(x)
    assert x.state is oa.State.OWNED
    assert x.tolist() == list(range(n))
    x += 1.0
    assert float(x[0]) == 1.0


def test_recursive_and_deep_trees() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises((TypeError, ValueError, RecursionError)):
        double(loop)
    with pytest.raises((TypeError, ValueError, RecursionError)):
        oa.move(loop)
    deep: Any = oa.ones(2)
    for _ in range(100):
        deep = [deep]
    out = identity(oa.move(deep))
    for _ in range(100):
        out = out[0]
    assert out.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("tree", [[], {}, (), None, [None], {"a": ()}], ids=str)
def test_empty_trees_go_through(tree: Any) -> None:
    assert identity(tree) == tree
    if tree is None:
        with pytest.raises(TypeError, match="move"):
            oa.move(tree)
    else:
        assert oa.move(tree).take() == tree
        assert oa.copy(tree) == tree


def test_handles_stand_in_lists_dicts_and_tuples_but_not_in_handles() -> None:
    a, b = oa.ones(2), oa.ones(2)
    out = identity({"a": [oa.move(a)], "b": (oa.move(b), 1.0)})
    assert out["a"][0].tolist() == [1.0, 1.0]
    assert a.is_moved
    assert b.is_moved
    h = oa.move(oa.ones(2))
    with pytest.raises(oa.UseAfterMoveError):
        identity([h, h])
    assert h.take().tolist() == [1.0, 1.0]


NUMPY_INPUT: dict[str, Any] = {
    "byte-swapped": np.arange(6.0).astype(">f8"),
    "reversed": np.arange(6.0)[::-1],
    "strided": np.arange(12.0)[::2],
    "Fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "broadcast": np.broadcast_to(np.float64(2), (2, 3)),
    "read-only": np.frombuffer(np.arange(6.0).tobytes()),
    "0-d": np.array(3.5),
    "zero-size": np.zeros((0, 3)),
    "misaligned": np.frombuffer(b"x" + np.arange(6.0).tobytes(), dtype=np.uint8)[1:].view("f8"),
    "masked": np.ma.masked_array(np.arange(3.0)),
    "scalar": np.float32(2.5),
    "bool scalar": np.True_,
    "memmap": np.arange(6.0).view(np.memmap),
}


@pytest.mark.parametrize("name", NUMPY_INPUT)
def test_odd_numpy_input_has_its_values(name: str) -> None:
    values = NUMPY_INPUT[name]
    want = np.asarray(values)
    x = oa.asarray(values)
    assert x.shape == want.shape
    assert x.dtype == want.dtype.newbyteorder("=")
    assert np.array_equal(np.asarray(x), want)
    assert np.array_equal(np.asarray(oa.asarray(values) + values), want + want)
    assert np.array_equal(np.asarray(double(values)), want * 2.0)
    x += x if want.dtype.kind != "b" else True
    assert np.array_equal(np.asarray(NUMPY_INPUT[name]), want)


class Color(enum.Enum):
    RED = 1


class Number(enum.IntEnum):
    ONE = 1


class Kind(enum.StrEnum):
    A = "a"


class Pair(NamedTuple):
    left: Any
    right: Any = 5.0


class Wide(Pair):
    """A namedtuple's subclass."""


@dataclasses.dataclass(frozen=True)
class Frozen:
    w: Any
    name: str = dataclasses.field(default="f", metadata={"static": True})


@dataclasses.dataclass(slots=True)
class Slotted:
    w: Any
    v: Any = 1.0


@dataclasses.dataclass
class Base:
    w: Any


@dataclasses.dataclass
class Derived(Base):
    v: Any = None


@dataclasses.dataclass(init=False)
class Uninitialised:
    w: Any

    def __init__(self, n: int) -> None:
        self.w = oa.ones(n)


@dataclasses.dataclass
class Strict:
    w: Any

    def __post_init__(self) -> None:
        if not isinstance(self.w, oa.Array):
            raise TypeError("w must be an array")


TREES: dict[str, Any] = {
    "namedtuple": lambda a: Pair(a),
    "namedtuple's subclass": lambda a: Wide(a, 2.0),
    "frozen": lambda a: Frozen(a),
    "slots": lambda a: Slotted(a),
    "inherited": lambda a: Derived(a, None),
    "init=False": lambda a: Uninitialised(2),
    "checks in __post_init__": lambda a: Strict(a),
    "OrderedDict": lambda a: OrderedDict(z=a, b=1.0),
    "defaultdict": lambda a: defaultdict(list, z=a),
    "dict of several key types": lambda a: {1: a, "x": 2.0, None: 3.0},
    "enums": lambda a: [a, Color.RED, Number.ONE, Kind.A],
    "static": lambda a: [a, "text", b"bytes", int, len, ..., range(3), None],
}


@pytest.mark.parametrize("name", TREES)
def test_every_kind_of_tree_is_moved_copied_and_passed(name: str) -> None:
    def arrays(tree: Any) -> list[ownarray.Array]:
        found: list[ownarray.Array] = []

        def look(node: Any) -> None:
            if isinstance(node, oa.Array):
                found.append(node)
            elif isinstance(node, dict):
                list(map(look, node.values()))
            elif isinstance(node, list | tuple):
                list(map(look, node))
            elif dataclasses.is_dataclass(node) and not isinstance(node, type):
                list(map(look, [getattr(node, f.name) for f in dataclasses.fields(node)]))

        look(tree)
        return found

    tree = TREES[name](oa.ones(2))
    taken = oa.move(tree).take()
    assert type(taken) is type(tree)
    assert all(x.is_moved for x in arrays(tree))
    copied = oa.copy(taken)
    assert type(copied) is type(tree)
    out = identity(oa.move(taken))
    assert type(out) is type(tree)
    assert all(x.is_moved for x in arrays(taken))
    assert arrays(out)[0].tolist() == [1.0, 1.0]
    assert arrays(copied)[0].tolist() == [1.0, 1.0]


class SubDict(dict):  # type: ignore[type-arg]
    """Not known as a tree."""


class SubTuple(tuple):  # type: ignore[type-arg]
    """Not known as a tree."""

    __slots__ = ()


class SubList(list):  # type: ignore[type-arg]
    """Not known as a tree."""


@pytest.mark.parametrize("kind", [SubDict, SubTuple, SubList])
def test_subclasses_of_containers_must_be_registered(kind: type) -> None:
    tree: Any = SubDict(a=oa.ones(2)) if kind is SubDict else kind([oa.ones(2)])
    for use in (identity, oa.move, oa.copy):
        with pytest.raises(TypeError, match=f"{kind.__name__}.*oa.register"):
            use(tree)


def test_numbers_that_are_odd() -> None:
    nan, inf = float("nan"), float("inf")
    assert np.isnan(float(double(nan)))
    assert float(double(-inf)) == -inf
    assert str(float(double(-0.0))) == "-0.0"
    x = oa.ones(2)
    x *= nan
    assert np.isnan(np.asarray(x)).all()
    assert float(oa.jit(lambda x, s: x * s)(oa.ones(()), inf)) == inf
    assert oa.jit(lambda x, n: x + n)(oa.zeros(1, dtype="int64"), 2**63 - 1).tolist() == [2**63 - 1]
    assert double(np.iinfo(np.int64).min).dtype == np.float64

    class MyFloat(float):
        """Not exactly a float, so it is no weak scalar."""

    with pytest.raises(TypeError, match="MyFloat"):
        double(MyFloat(1.0))


def test_an_unflatten_that_fails_loses_nothing_when_a_handle_is_taken() -> None:
    class Moody:
        is_bad = False

        def __init__(self, w: Any) -> None:
            self.w = w

    def build(_: object, children: Any) -> Moody:
        if Moody.is_bad:
            raise ValueError("not today")
        return Moody(*children)

    oa.register(Moody, lambda m: ((m.w,), None), build)
    tree = Moody(oa.ones(2))
    h = oa.move(tree)
    Moody.is_bad = True
    with pytest.raises(ValueError, match="not today"):
        h.take()
    with pytest.raises(ValueError, match="not today"):
        identity(h)
    Moody.is_bad = False
    assert h.take().w.tolist() == [1.0, 1.0]
