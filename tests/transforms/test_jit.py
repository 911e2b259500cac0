"""Compiled functions: modes, donation, aliasing by address, captured arrays, nesting, failures."""

# What is judged here at run time is wrong, or looks inside, on purpose.
# mypy: disable-error-code="arg-type,call-arg,call-overload,no-any-return,attr-defined"

from __future__ import annotations

import dataclasses
import functools
import gc
import weakref
from typing import Any, NamedTuple

import numpy as np
import pytest

import ownarray as oa

SIZES = [8, 1 << 14]


def array(size: int = 8, dtype: str = "float32") -> oa.Array:
    return oa.asarray(np.arange(size).astype(dtype))


def address(x: oa.Array) -> int:
    view = np.asarray(x)
    return int(view.__array_interface__["data"][0])


def in_xla(x: oa.Array) -> oa.Array:
    """Return the array once its memory is XLA's, where it stays."""
    oa.jit(lambda x: x.sum())(x)
    return x


@oa.jit
def double(x: oa.Array) -> oa.Array:
    return x * 2.0


@oa.jit
def owned_step(x: oa.Owned[oa.Array], y: oa.Array) -> oa.Array:
    return x + y


@oa.jit
def look(x: oa.Borrowed[oa.Array]) -> oa.Array:
    return x + 1.0


@oa.jit
def bump(x: oa.Mut[oa.Array]) -> None:
    x += 1.0


@pytest.mark.parametrize("size", SIZES)
def test_a_consumed_argument_lives_on_in_the_result(size: int) -> None:
    x = in_xla(array(size))
    at = address(x)
    y = double(oa.move(x))
    assert address(y) == at
    assert x.is_moved
    assert np.array_equal(np.asarray(y), np.arange(size, dtype=np.float32) * 2)


@pytest.mark.parametrize("size", SIZES)
def test_a_lent_argument_survives_and_the_bits_are_equal(size: int) -> None:
    x = array(size)
    lent = double(x)
    copied = double(oa.move(oa.copy(x)))
    moved = double(oa.move(x))
    assert np.asarray(lent).tobytes() == np.asarray(moved).tobytes()
    assert np.asarray(lent).tobytes() == np.asarray(copied).tobytes()


def test_owned_takes_handles_only() -> None:
    x, y = array(), array()
    with pytest.raises(oa.MoveRequiredError, match=r"needs-move.*owned_step: x"):
        owned_step(x, y)
    with pytest.raises(TypeError):
        owned_step(oa.ones(8), y)
    with pytest.raises(oa.MoveRequiredError, match="NumPy"):
        owned_step(np.ones(8), y)
    assert owned_step(oa.move(x), y).tolist()[1] == 2.0
    assert not y.is_moved


def test_owned_takes_one_handle_for_the_whole_tree() -> None:
    @oa.jit
    def step(p: oa.Owned[dict[str, oa.Array]]) -> dict[str, oa.Array]:
        return {key: value + 1 for key, value in p.items()}

    tree = {"a": array(), "b": array()}
    handles = {"a": oa.move(tree["a"]), "b": oa.move(tree["b"])}
    with pytest.raises(oa.MoveRequiredError):
        step(handles)
    tree = oa.reclaim(tree)
    new = step(oa.move(tree))
    assert new["b"].tolist()[0] == 1.0


def test_a_neutral_parameter_takes_handles_anywhere_in_its_tree() -> None:
    total = oa.jit(lambda t: t[0] + t[1]["b"])
    a, b = array(), array()
    assert total((oa.move(a), {"b": b})).tolist()[1] == 2.0
    assert a.is_moved
    assert not b.is_moved


def test_borrowed_refuses_handles_and_keeps_them_good() -> None:
    h = oa.move(array())
    with pytest.raises(oa.BorrowError, match=r"move-borrowed.*look: x"):
        look(h)
    assert look(h.take()).tolist()[0] == 1.0


def test_mut_updates_the_callers_object_in_its_memory() -> None:
    for size in SIZES:
        x = in_xla(array(size))
        at, other = address(x), x
        bump(x)
        assert address(x) == at
        assert other.tolist()[:2] == [1.0, 2.0]
        assert x.state is oa.State.OWNED


def test_mut_refuses_what_is_not_exclusive() -> None:
    @oa.jit
    def two(x: oa.Mut[oa.Array], y: oa.Borrowed[oa.Array]) -> None:
        x += y

    x = array()
    with pytest.raises(oa.BorrowError, match=r"mutate-borrowed.*second place"):
        two(x, x)
    view = np.asarray(x)
    with pytest.raises(oa.BorrowError, match=r"mutate-borrowed.*test_jit"):
        bump(x)
    del view
    h = oa.move(array())
    with pytest.raises(oa.BorrowError, match="handle"):
        bump(h)
    h.take()
    with pytest.raises(TypeError, match="NumPy"):
        bump(np.ones(3))
    two(x, array())
    assert x.tolist()[1] == 2.0


@dataclasses.dataclass
class Layer:
    w: oa.Array
    b: oa.Array


class Pair(NamedTuple):
    left: oa.Array
    right: oa.Array


def test_leaves_of_a_mut_tree_may_be_rebound() -> None:
    @oa.jit
    def train(layer: oa.Mut[Layer], extra: oa.Mut[dict[str, Any]]) -> oa.Array:
        layer.w = layer.w * 2.0
        layer.b[0] = 7.0
        extra["n"][1] += 1.0
        extra["n"], extra["m"] = extra["m"], extra["n"]
        return layer.w

    layer = Layer(array(4), array(4))
    extra = {"n": array(4), "m": oa.zeros(4, dtype="float32")}
    first, second = extra["n"], extra["m"]
    w, out = layer.w, train(layer, extra)
    assert w is layer.w
    assert w.tolist() == out.tolist() == [0.0, 2.0, 4.0, 6.0]
    assert layer.b.tolist() == [7.0, 1.0, 2.0, 3.0]
    assert first.tolist() == [0.0] * 4
    assert second.tolist() == [0.0, 2.0, 2.0, 3.0]
    assert "is a copy" in repr(train.explain(layer, extra))


def test_a_mut_tree_keeps_structure_shape_and_dtype() -> None:
    def change_shape(t: oa.Mut[dict[str, Any]]) -> None:
        t["a"] = t["a"][:2]

    def change_dtype(t: oa.Mut[dict[str, Any]]) -> None:
        t["a"] = t["a"].astype("float64")

    def add_key(t: oa.Mut[dict[str, Any]]) -> None:
        t["c"] = t["a"]

    for function, words in (
        (change_shape, r"\['a'\].*f32\[8\].*f32\[2\]"),
        (change_dtype, r"\['a'\].*f32\[8\].*f64\[8\]"),
        (add_key, "structure"),
    ):
        tree = {"a": array()}
        with pytest.raises(TypeError, match=words):
            oa.jit(function)(tree)
        assert tree["a"].tolist()[1] == 1.0


def test_the_body_may_not_update_or_move_what_it_borrows() -> None:
    def update(x: oa.Array) -> oa.Array:
        x += 1.0
        return x

    def give(x: oa.Array) -> oa.Array:
        return double(oa.move(x))

    x = array()
    with pytest.raises(oa.BorrowError, match="mutate-borrowed"):
        oa.jit(update)(x)
    with pytest.raises(oa.BorrowError, match="move-borrowed"):
        oa.jit(give)(x)
    assert oa.jit(update)(oa.move(oa.copy(x))).tolist()[0] == 1.0
    assert oa.jit(give)(oa.move(oa.copy(x))).tolist()[1] == 2.0
    assert x.tolist()[1] == 1.0


def test_the_rules_of_dead_names_hold_inside_a_trace() -> None:
    def use_after(x: oa.Owned[oa.Array]) -> oa.Array:
        y = double(oa.move(x))
        return x + y

    h = oa.move(array())
    with pytest.raises(oa.UseAfterMoveError, match=r"test_jit.py"):
        oa.jit(use_after)(h)
    assert h.take().tolist()[1] == 1.0


# ------------------------------------------------------------------------------------- donation


@pytest.mark.parametrize(
    "options",
    [{"donate_argnums": 0}, {"donate_argnums": (-2,)}, {"donate_argnames": "x"}],
    ids=str,
)
def test_donated_arguments_are_consumed_bare_also_by_keyword(options: Any) -> None:
    step = oa.jit(lambda x, y: x + y, **options)
    x, y = in_xla(array()), array()
    at = address(x)
    assert address(step(x, y)) == at
    assert x.is_moved
    x = array()
    step(y=y, x=x)
    assert x.is_moved
    assert not y.is_moved
    with pytest.raises(oa.UseAfterMoveError):
        step(x, y)
    step(oa.move(array()), y)


def test_a_decorator_with_arguments() -> None:
    @oa.jit(donate_argnums=(0,))
    def push(state: oa.Array) -> oa.Array:
        return state + 1.0

    x = array()
    push(x)
    assert x.is_moved


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"donate_argnums": 2}, "donate_argnums names argument 2, but it takes 2"),
        ({"donate_argnums": -3}, "donate_argnums"),
        ({"donate_argnames": "z"}, "'z'.*x, y"),
        ({"static_argnames": ("q",)}, "'q'"),
        ({"donate_argnums": 0, "static_argnums": 0}, "both"),
    ],
    ids=str,
)
def test_unknown_arguments_are_a_value_error(options: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        oa.jit(lambda x, y: x, **options)


def test_one_array_donated_twice_is_refused() -> None:
    step = oa.jit(lambda x, y: (x + 1, y + 1), donate_argnums=(0, 1))
    x = array()
    with pytest.raises(oa.SharedArrayError):
        step(x, x)
    with pytest.raises(oa.UseAfterMoveError):
        oa.jit(lambda x, y: x + y, donate_argnums=0)(x, x)
    assert x.tolist()[1] == 1.0


# ------------------------------------------------------------------------------------- aliasing


def test_swap_in_moved_memory() -> None:
    swap = oa.jit(lambda a, b: (b, a))
    a, b = in_xla(array(1 << 14)), in_xla(oa.ones(1 << 14, dtype="float32"))
    held = {address(a), address(b)}
    left, right = swap(oa.move(a), oa.move(b))
    assert float(left[5]) == 1.0
    assert float(right[5]) == 5.0
    assert {address(left), address(right)} == held


def test_shift_sort_transpose_and_self_transpose_in_moved_memory() -> None:
    n = 64
    x = oa.asarray(np.random.default_rng(0).random((n, n)).astype(np.float32))
    v = np.array(x)

    def shift(x: oa.Array) -> oa.Array:
        x[1:] = x[:-1]
        return x

    def symmetric(x: oa.Array) -> oa.Array:
        x += x.T
        return x

    want = v.copy()
    want[1:] = v[:-1]
    cases = [(shift, want), (oa.sort, np.sort(v)), (lambda x: x.T, v.T)]
    cases.append((symmetric, v + v.T))
    for function, expected in cases:
        got = oa.jit(function)(oa.move(oa.copy(x)))
        assert np.array_equal(np.asarray(got), expected)


def test_two_results_never_share_memory() -> None:
    for function in (lambda x: (x, x), lambda x: (x + 1, x + 1), lambda x: (x, x + 0)):
        a, b = oa.jit(function)(oa.move(array(1 << 14)))
        assert address(a) != address(b)
        b += 1.0
        assert float(a[3]) != float(b[3])


def test_an_identity_of_a_lent_argument_is_a_copy() -> None:
    x = in_xla(array(1 << 14))
    for function in (lambda x: x, lambda x: x.reshape(x.shape), lambda x: x[...]):
        y = oa.jit(function)(x)
        assert address(y) != address(x)


def test_consumption_does_not_depend_on_reuse() -> None:
    x = array()
    total = oa.jit(lambda x: x.sum())(oa.move(x))
    assert float(total) == 28.0
    assert x.is_moved
    assert not any(entry.shape == (8,) and entry.state.is_dead for entry in oa.live_arrays())


def test_an_unread_donor_lends_its_memory() -> None:
    fill = oa.jit(lambda x, out: x * 3.0)
    x, out = in_xla(array(1 << 14)), in_xla(array(1 << 14))
    at = address(out)
    assert address(fill(x, oa.move(out))) == at


def test_require_alias_names_what_found_no_partner() -> None:
    total = oa.jit(lambda p, q: {"sum": p["w"].sum(), "q": q + 1}, require_alias=True)
    p, q = {"w": array()}, array(4)
    with pytest.raises(oa.DonationError, match=r"p\['w'\] \(f32\[8\]\).*result\['sum'\]: f32\[\]"):
        total(h := oa.move(p), q)
    p = h.take()
    assert total(p, oa.move(q))["q"].tolist() == [1.0, 2.0, 3.0, 4.0]


def test_explain_spends_nothing_and_counts_bytes() -> None:
    @oa.jit
    def step(
        p: oa.Owned[dict[str, oa.Array]], batch: oa.Array, rate: float
    ) -> tuple[dict[str, oa.Array], oa.Array]:
        return {key: value - rate * batch for key, value in p.items()}, batch.sum()

    p, batch = {"w": array(), "v": array()}, array()
    plan = step.explain(p, batch, 0.1)
    assert {(row.source, row.target) for row in plan.rows} == {
        ("p['v']", "result[0]['v']"),
        ("p['w']", "result[0]['w']"),
    }
    assert plan.bytes_reused == 64
    assert "p['w'] f32[8] -> result[0]['w']" in repr(plan)
    assert not p["w"].is_moved
    abstract = oa.ShapedArray((8,), "float32")
    assert step.explain({"w": abstract, "v": abstract}, abstract, 0.1) == plan
    h = oa.move(p)
    assert step.explain(h, batch, 0.1) == plan
    h.take()


def test_explain_of_a_donated_leaf_without_partner() -> None:
    total = oa.jit(lambda x: x.sum(), donate_argnums=0)
    plan = total.explain(array())
    assert plan.rows[0].target is None
    assert plan.bytes_freed == 32


# ------------------------------------------------------------------------------------- arguments


def test_python_scalars_are_weak_and_their_type_is_in_the_key() -> None:
    traced: list[str] = []

    @oa.jit
    def scale(x: oa.Array, s: Any) -> oa.Array:
        traced.append(str(type(s)))
        return x * s

    x = array()
    assert scale(x, 2).dtype == np.float32
    assert scale(x, 2.0).dtype == np.float32
    assert scale(x, 3.0).tolist()[1] == 3.0
    assert scale(x, True).dtype == np.float32
    assert scale(x, 1j).dtype == np.complex64
    assert len(traced) == 4
    assert scale(x, np.float64(2)).dtype == np.float64
    ints = oa.asarray(np.arange(3))
    assert scale(ints, 1).dtype == np.int64
    assert scale(ints, 1.0).dtype == np.float64
    for value in (0.0, -0.0):
        assert np.signbit(float(scale(oa.ones(1), value)[0])) == np.signbit(value)
    with pytest.raises(OverflowError, match="scale: s"):
        scale(x, 2**63)


def test_keywords_defaults_and_variable_arguments() -> None:
    @oa.jit
    def f(a: oa.Array, /, b: oa.Array, *rest: oa.Array, c: float = 2.0, **more: oa.Array) -> Any:
        return a + b * c + sum(rest, 0.0) + sum(more.values(), 0.0)

    x = oa.ones(2)
    assert f(x, x).tolist() == [3.0, 3.0]
    assert f(x, b=x, c=1.0).tolist() == [2.0, 2.0]
    assert f(x, x, x, x, d=x, e=x).tolist() == [7.0, 7.0]
    y = oa.ones(2)
    assert f(x, x, oa.move(y), z=x).tolist() == [5.0, 5.0]
    assert y.is_moved
    with pytest.raises(TypeError, match=r"f: .*missing"):
        f(x)
    with pytest.raises(TypeError, match="f: "):
        f(a=x, b=x)


def test_the_names_of_keywords_are_in_the_key() -> None:
    f = oa.jit(lambda x, **named: x + sum(10.0 * len(key) * v for key, v in named.items()))
    x = oa.zeros(1)
    assert f(x, a=1.0).tolist() == [10.0]
    assert f(x, bbb=1.0).tolist() == [30.0]
    g = oa.jit(lambda x, b=1.0, c=2.0: x + 10 * b + c)
    assert g(x, b=2.0).tolist() == [22.0]
    assert g(x, c=2.0).tolist() == [12.0]


def test_defaults_that_are_not_passed_are_part_of_the_function() -> None:
    assert oa.jit(oa.sort)(oa.asarray(np.array([2, 1]))).tolist() == [1, 2]
    f = oa.jit(lambda x, n=3: x * n if n > 2 else x)
    assert f(oa.ones(1)).tolist() == [3.0]


def test_static_arguments_are_part_of_the_program() -> None:
    @oa.jit(static_argnames=("n", "kind"))
    def f(x: oa.Array, n: int, kind: str = "add") -> oa.Array:
        for _ in range(n):
            x = x + 1 if kind == "add" else x * 2
        return x

    x = oa.ones(2)
    assert f(x, 3).tolist() == [4.0, 4.0]
    assert f(x, n=2, kind="mul").tolist() == [4.0, 4.0]
    with pytest.raises(TypeError, match="static argument 'n' must be hashable, got list"):
        f(x, [1])


def test_static_one_true_and_one_point_zero_differ() -> None:
    kind = oa.jit(lambda x, s: x + (1 if type(s) is bool else 2), static_argnums=1)
    x = oa.zeros(1)
    assert [kind(x, s).tolist()[0] for s in (True, 1, 1.0)] == [1.0, 2.0, 2.0]


def test_trees_of_every_kind_go_in_and_out() -> None:
    @oa.jit
    def f(t: Any) -> Any:
        return {
            "pair": Pair(t.w + 1, t.b),
            "layer": Layer(t.w, t.b * 2),
            "none": None,
            "text": "x",
            "number": 3,
        }

    out = f(Layer(oa.ones(2), oa.zeros(2)))
    assert isinstance(out["pair"], Pair)
    assert isinstance(out["layer"], Layer)
    assert out["none"] is None
    assert out["text"] == "x"
    assert int(out["number"]) == 3


def test_what_is_no_array_is_named_by_its_path() -> None:
    with pytest.raises(TypeError, match=r"double: x\['a'\]\[0\].*set"):
        double({"a": [{1}]})
    with pytest.raises(TypeError, match=r"the result\[0\].*set"):
        oa.jit(lambda x: [{1}])(array())


def test_numpy_arguments_are_copied_in_for_each_call() -> None:
    n = np.arange(3.0)
    assert double(n).tolist() == [0.0, 2.0, 4.0]
    n[0] = 5.0
    assert double(n).tolist() == [10.0, 2.0, 4.0]
    assert oa.jit(lambda x: x)(n.astype(">f8")[::-1]).tolist() == [2.0, 1.0, 5.0]


class Model:
    def __init__(self) -> None:
        self.scale = 2.0

    @oa.jit
    def apply(self, x: oa.Owned[oa.Array]) -> oa.Array:
        return x * self.scale

    @classmethod
    def build(cls) -> Model:
        return cls()

    @staticmethod
    @oa.jit
    def twice(x: oa.Array) -> oa.Array:
        return x * 2


def test_methods() -> None:
    h = oa.move(array())
    with pytest.raises(TypeError, match="self"):
        Model().apply(h)
    assert Model.twice(h).tolist()[1] == 2.0


@dataclasses.dataclass
class Scaler:
    scale: oa.Array

    @oa.jit
    def apply(self, x: oa.Owned[oa.Array]) -> oa.Array:
        return x * self.scale

    @oa.jit
    def grow(self: oa.Mut[Scaler]) -> None:
        self.scale = self.scale * 2.0


def test_methods_of_trees() -> None:
    model = Scaler(oa.ones(8, dtype="float32"))
    assert model.apply(oa.move(array())).tolist()[1] == 1.0
    model.grow()
    assert model.scale.tolist()[0] == 2.0
    assert Model.twice(array()).tolist()[1] == 2.0


def test_partials_and_callables() -> None:
    assert oa.jit(functools.partial(lambda x, y: x + y, 1.0))(array()).tolist()[0] == 1.0

    class Adder:
        def __call__(self, x: oa.Owned[oa.Array]) -> oa.Array:
            return x + 5.0

    step = oa.jit(Adder())
    with pytest.raises(oa.MoveRequiredError):
        step(array())
    assert step(oa.move(array())).tolist()[0] == 5.0
    with pytest.raises(TypeError, match="function"):
        oa.jit(3)


# ------------------------------------------------------------------------------------- captures


def test_a_captured_array_is_read_at_each_call() -> None:
    w = array()
    f = oa.jit(lambda x: x + w)
    x = oa.zeros(8, dtype="float32")
    assert f(x).tolist()[1] == 1.0
    w += 1.0
    assert f(x).tolist()[1] == 2.0
    h = oa.move(w)
    with pytest.raises(oa.UseAfterMoveError, match=r"test_jit.py"):
        f(x)
    h.take()


def test_a_captured_array_that_the_call_consumes_or_updates_is_refused() -> None:
    w = array()
    f = oa.jit(lambda x: x + w)
    f(array())
    h = oa.move(w)
    with pytest.raises(oa.BorrowError, match="captures"):
        f(h)
    w = h.take()

    @oa.jit
    def g(x: oa.Mut[oa.Array]) -> None:
        x += w

    with pytest.raises(oa.BorrowError, match="mutate-borrowed"):
        g(w)
    g(array())


def test_the_body_may_not_write_a_captured_array() -> None:
    w = array()

    def f(x: oa.Array) -> oa.Array:
        w[0] = 1.0
        return x

    with pytest.raises(oa.BorrowError, match="mutate-borrowed"):
        oa.jit(f)(array())

    def g(x: oa.Array) -> oa.Array:
        return double(oa.move(w)) + x

    with pytest.raises(oa.BorrowError, match="move-borrowed"):
        oa.jit(g)(array())


def test_dropping_a_function_frees_what_it_captured() -> None:
    def make() -> tuple[Any, Any]:
        w = oa.ones(1 << 16)
        return oa.jit(lambda x: x + w), weakref.ref(w)

    f, gone = make()
    f(oa.ones(1 << 16))
    assert gone() is not None
    del f
    gc.collect()
    assert gone() is None


def test_captured_numpy_arrays_are_read_at_each_call() -> None:
    n = np.ones(3)
    f = oa.jit(lambda x: x + n)
    assert f(oa.zeros(3)).tolist() == [1.0] * 3
    n[0] = 5.0
    assert f(oa.zeros(3)).tolist() == [5.0, 1.0, 1.0]


# ------------------------------------------------------------------------------------- nesting


def test_nested_calls_are_inlined_and_keep_their_rules() -> None:
    @oa.jit
    def outer(x: oa.Owned[oa.Array], y: oa.Array) -> oa.Array:
        z = owned_step(oa.move(x), y)
        bump(z)
        return double(oa.move(z))

    assert outer(oa.move(array()), array()).tolist()[:2] == [2.0, 6.0]

    @oa.jit
    def wrong(x: oa.Owned[oa.Array], y: oa.Array) -> oa.Array:
        return owned_step(x, y)

    h = oa.move(array())
    with pytest.raises(oa.MoveRequiredError):
        wrong(h, array())
    h.take()

    @oa.jit
    def lends(x: oa.Array) -> oa.Array:
        bump(x)
        return x

    with pytest.raises(oa.BorrowError):
        lends(array())


def test_a_nested_function_may_not_write_what_it_captures_from_outside() -> None:
    @oa.jit
    def outer(x: oa.Owned[oa.Array]) -> oa.Array:
        @oa.jit
        def inner(y: oa.Array) -> oa.Array:
            x[0] = 5.0
            return y

        return inner(x)

    h = oa.move(array())
    with pytest.raises(oa.BorrowError):
        outer(h)
    h.take()


# ------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: x if x[0] > 0 else -x, "oa.where or oa.cond"),
        (lambda x: x + float(x[0]), "Python value"),
        (np.asarray, "NumPy array"),
        (lambda x: x.tolist(), "list"),
        (lambda x: range(x.astype(int).sum()), "Python value"),
    ],
    ids=range(5),
)
def test_values_are_not_there_while_tracing(function: Any, words: str) -> None:
    h = oa.move(array())
    with pytest.raises(oa.TraceError, match=rf"{words}|test_jit"):
        oa.jit(function)(h)
    assert h.take().tolist()[1] == 1.0


def test_a_tracer_that_escapes_is_a_trace_error() -> None:
    kept: list[oa.Array] = []

    @oa.jit
    def f(x: oa.Array) -> oa.Array:
        kept.append(x + 1)
        return x

    f(array())
    with pytest.raises(oa.TraceError, match=r"escaped.*f"):
        kept[0] + 1
    with pytest.raises(oa.TraceError, match="escaped"):
        oa.jit(lambda x: x + kept[0])(array())


def test_a_call_that_fails_before_it_runs_spends_nothing() -> None:
    def explode(x: oa.Array, y: oa.Array) -> oa.Array:
        raise ZeroDivisionError

    x, y = array(), array(4)
    h = oa.move(x)
    for function, error in (
        (explode, ZeroDivisionError),
        (lambda a, b: a + b, ValueError),
        (lambda a, b: a.nothing, AttributeError),
        (lambda a: a, TypeError),
    ):
        with pytest.raises(error):
            oa.jit(function)(h, y)
    assert h.take().tolist()[1] == 1.0
    dead = array()
    g = oa.move(dead)
    h = oa.move(y)
    with pytest.raises(oa.UseAfterMoveError):
        oa.jit(lambda a, b: (a, b))(h, dead)
    assert h.take().tolist()[1] == 1.0
    g.take()


def test_a_dead_array_beside_its_own_handle_is_refused() -> None:
    f: Any = oa.jit(lambda pair: pair[0] + pair[1])
    for pair in (lambda a: (oa.move(a), a), lambda a: (a, oa.move(a))):
        a: Any = oa.ones(3)
        both = list(pair(a))
        with pytest.raises(oa.UseAfterMoveError, match="use-after-move"):
            f(both)
        handle = next(each for each in both if isinstance(each, oa.Moved))
        assert handle.take().tolist() == [1.0] * 3


def test_one_handle_at_two_places_is_refused_and_good_afterwards() -> None:
    h = oa.move(array())
    with pytest.raises(oa.UseAfterMoveError):
        oa.jit(lambda a, b: a + b)(h, h)
    assert h.take().tolist()[1] == 1.0


def test_markers_that_cannot_be_resolved_are_errors_at_decoration() -> None:
    def f(x: Owned[oa.Array]) -> oa.Array:  # type: ignore[name-defined] # noqa: F821
        return x

    with pytest.raises(TypeError, match="cannot be resolved"):
        oa.jit(f)

    def g(x: oa.Owned[NotThere]) -> oa.Array:  # type: ignore[name-defined] # noqa: F821
        return x

    assert oa.jit(g)(oa.move(array())).tolist()[1] == 1.0


def test_the_cache_is_bounded_and_hits() -> None:
    traced: list[int] = []

    @oa.jit
    def f(x: oa.Array) -> oa.Array:
        traced.append(x.size)
        return x + 1

    for n in (3, 4, 3, 4):
        f(oa.ones(n))
        f(oa.move(oa.ones(n)))
    assert len(traced) == 4


def test_a_dead_array_is_refused_at_every_call() -> None:
    x = array()
    h, other = oa.move(x), oa.move(array())
    for _ in range(3):
        with pytest.raises(oa.UseAfterMoveError):
            double(x)
        with pytest.raises(oa.UseAfterMoveError):
            owned_step(other, x)
    assert h.take().tolist()[1] == 1.0
    assert other.take().tolist()[1] == 1.0


@pytest.mark.parametrize("t", [3, 2.5])
def test_what_is_computed_from_numbers_alone_leaves_the_dtype_as_it_is(t: float) -> None:
    """As in Python, where an int becomes a float on the way: a training step stays float32."""

    @oa.jit
    def step(x: oa.Owned[oa.Array], t: float) -> oa.Array:
        return x / (1 - 0.9**t) - 0.1 * t + x * (1 / t) + t**0.5

    x = oa.ones(3, dtype="float32")
    expected = x / (1 - 0.9**t) - 0.1 * t + x * (1 / t) + t**0.5
    assert step.explain(x, t).bytes_reused == 12
    result = step(oa.move(x), t)
    assert result.dtype == expected.dtype == np.float32
    np.testing.assert_allclose(np.array(result), np.array(expected), rtol=1e-6)


@pytest.mark.parametrize("n", [3, 20_000])
def test_places_in_arrays_are_clamped_at_every_size(n: int) -> None:
    x = oa.arange(float(n))
    far = oa.asarray([n + 5, 0])
    read = oa.jit(lambda x, places: x[places])
    assert float(read(x, n + 5)) == n - 1
    assert read(x, far).tolist() == [n - 1, 0.0]
    assert oa.jit(oa.take)(x, far).tolist() == [n - 1, 0.0]

    @oa.jit
    def marked(x: oa.Mut[oa.Array], places: oa.Array) -> None:
        x[places] = -1.0

    marked(x, far)
    assert (float(x[0]), float(x[-1])) == (-1.0, n - 1)
