"""Moving, taking, reclaiming: every rule of the contract that needs no compiled function."""

# What is judged here at run time is wrong, or looks inside, on purpose.
# mypy: disable-error-code="comparison-overlap,attr-defined,index"

from __future__ import annotations

import copy
import gc
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import ownarray as oa


def array(*values: float) -> oa.Array:
    return oa.asarray(np.array(values or (1.0, 2.0, 3.0)))


def test_a_moved_array_is_dead_under_every_name() -> None:
    x = array()
    other, kept = x, [x]
    h = oa.move(x)
    for name in (x, other, kept[0]):
        assert name.is_moved
        assert name.state is oa.State.MOVED
        with pytest.raises(oa.UseAfterMoveError, match=r"f64\[3\].*test_move.py:\d+.*oa.copy"):
            name + 1.0
    h.take()


def test_the_three_ways_to_move_are_one() -> None:
    assert oa.jax_move is oa.move
    x = array()
    h = x.move()
    assert isinstance(h, oa.Moved)
    assert x.is_moved
    h.take()


def test_a_dead_array_still_tells_what_it_was() -> None:
    x = oa.zeros((2, 3), dtype="float32")
    h = oa.move(x)
    assert (x.shape, x.dtype, x.ndim, x.size) == ((2, 3), np.float32, 2, 6)
    assert "moved at" in repr(x)
    assert "test_move.py" in str(x)
    h.take()


USES: list[Any] = [
    lambda x: x + 1,
    lambda x: 1 - x,
    lambda x: -x,
    lambda x: x[0],
    lambda x: x.__setitem__(0, 1.0),
    lambda x: x.__iadd__(1.0),
    float,
    bool,
    list,
    lambda x: x.tolist(),
    np.asarray,
    np.array,
    oa.sum,
    oa.copy,
    lambda x: oa.asarray(x) + 0,
    lambda x: x == x,
    lambda x: x.sum(),
    lambda x: x.reshape(1),
    np.from_dlpack,
    lambda x: np.ones(1) + x,
    copy.copy,
    copy.deepcopy,
    pickle.dumps,
    oa.move,
]


@pytest.mark.parametrize("use", USES, ids=range(len(USES)))
def test_every_use_of_values_is_refused(use: Any) -> None:
    x = array(1.0)
    h = oa.move(x)
    with pytest.raises(oa.UseAfterMoveError, match="use-after-move"):
        use(x)
    assert h.take().tolist() == [1.0]


def test_take_gives_new_owners_and_the_old_name_stays_dead() -> None:
    x = array()
    y = oa.move(x).take()
    assert y is not x
    assert y.tolist() == [1.0, 2.0, 3.0]
    assert x.is_moved
    assert x.state is oa.State.SPENT


def test_taking_keeps_the_memory() -> None:
    x = oa.zeros(1 << 16)
    at = np.asarray(x).__array_interface__["data"][0]
    y = oa.move(x).take()
    assert np.asarray(y).__array_interface__["data"][0] == at


def test_a_handle_is_spent_once() -> None:
    h = oa.move(array())
    h.take()
    with pytest.raises(oa.UseAfterMoveError, match="spent once"):
        h.take()
    with pytest.raises(oa.UseAfterMoveError):
        oa.exp(h)


def test_moving_a_handle_is_a_type_error_and_spends_nothing() -> None:
    h = oa.move(array())
    with pytest.raises(TypeError, match="handle already"):
        oa.move(h)
    with pytest.raises(TypeError, match="handle already"):
        oa.move((h, 1.0))
    h.take()


NOT_AN_ARRAY: list[Any] = [
    lambda h: h + 1,
    lambda h: 1 + h,
    lambda h: h[0],
    lambda h: h @ h,
    lambda h: -h,
    lambda h: h < 1,
    float,
    int,
    bool,
    len,
    iter,
    np.asarray,
    lambda h: h.__setitem__(0, 1.0),
    copy.copy,
    copy.deepcopy,
    pickle.dumps,
]


@pytest.mark.parametrize("use", NOT_AN_ARRAY, ids=range(len(NOT_AN_ARRAY)))
def test_a_handle_is_no_array(use: Any) -> None:
    h = oa.move(array())
    with pytest.raises(TypeError, match="handle"):
        use(h)
    assert h.take().tolist() == [1.0, 2.0, 3.0]


def test_a_handle_beside_an_array_is_refused_with_the_cure() -> None:
    x, h = array(), oa.move(array())
    with pytest.raises(TypeError, match="take"):
        x + h
    h.take()


def test_a_handle_tells_shape_and_dtype_of_one_array() -> None:
    h = oa.move(array())
    assert h.shape == (3,)
    assert h.dtype == np.float64
    assert "unspent" in repr(h)
    h.take()
    assert "spent" in repr(h)
    tree = oa.move((array(), array()))
    with pytest.raises(AttributeError, match="one array"):
        _ = tree.shape
    tree.take()


def test_a_tree_is_moved_whole() -> None:
    tree = {"w": array(), "b": (array(), 3)}
    taken = oa.move(tree).take()
    assert tree["w"].is_moved
    assert taken["b"][1] == 3
    assert taken["w"].tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(oa.UseAfterMoveError, match=r"\['b'\]\[0\]"):
        tree["b"][0] + 1


def test_one_array_at_two_paths_is_refused_and_nothing_is_consumed() -> None:
    x, y = array(), array()
    with pytest.raises(oa.SharedArrayError, match=r"\['a'\].*\['b'\]\[0\]"):
        oa.move({"a": x, "b": [x], "c": y})
    assert not x.is_moved
    assert not y.is_moved
    first, second = oa.dealias((x, x))
    assert first is x
    second += 1.0
    assert x.tolist() == [1.0, 2.0, 3.0]


def test_a_tree_with_a_dead_array_moves_nothing() -> None:
    x, y = array(), array()
    h = oa.move(y)
    with pytest.raises(oa.UseAfterMoveError):
        oa.move([x, y])
    assert not x.is_moved
    h.take()


@pytest.mark.parametrize("thing", [3, 2.5, None, "x", np.ones(3)], ids=str)
def test_what_cannot_be_moved(thing: Any) -> None:
    with pytest.raises(TypeError):
        oa.move(thing)


def test_what_was_never_spent_can_be_reclaimed_through_dead_names() -> None:
    x = array()
    h = oa.move(x)
    y = oa.reclaim(x)
    assert y.tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(oa.UseAfterMoveError):
        h.take()
    with pytest.raises(oa.UseAfterMoveError):
        oa.reclaim(x)


def test_reclaiming_a_tree_keeps_what_lives_and_refuses_what_is_spent() -> None:
    x, y, z = array(1.0), array(2.0), array(3.0)
    h = oa.move(x)
    a, b = oa.reclaim((x, y))
    assert b is y
    assert a.tolist() == [1.0]
    oa.move(z).take()
    g = oa.move(y)
    with pytest.raises(oa.UseAfterMoveError):
        oa.reclaim((y, z))
    assert g.take().tolist() == [2.0]
    with pytest.raises(TypeError, match="take"):
        oa.reclaim(h)


def test_an_argument_that_raises_leaves_the_state_reclaimable() -> None:
    step = oa.jit(lambda x, y: x + y)
    p = array()
    with pytest.warns(ResourceWarning, match="unspent"), pytest.raises(StopIteration):
        step(oa.move(p), next(iter(())))
    p = oa.reclaim(p)
    assert p.tolist() == [1.0, 2.0, 3.0]


def test_dropping_an_unspent_handle_warns_once_spent_ones_do_not() -> None:
    x = array()
    with pytest.warns(ResourceWarning, match="reclaim"):
        oa.move(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        oa.move(array()).take()
        h = oa.move(oa.reclaim(x))
        _ = oa.exp(h)
        del h
        gc.collect()


def test_live_arrays_pickle_and_copy() -> None:
    for dtype in ("float64", "int8", "bool", "complex64", "bfloat16"):
        x = oa.asarray(np.array([[1, 0], [1, 1]])).astype(dtype)
        for y in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), oa.copy(x)):
            assert y.dtype == x.dtype
            assert y.tolist() == x.tolist()
            assert not y.is_moved
        h = oa.move(pickle.loads(pickle.dumps(x)))
        assert h.take().shape == (2, 2)


def test_arrays_and_handles_are_not_made_by_their_classes() -> None:
    with pytest.raises(TypeError, match=r"oa.move"):
        oa.Moved()
    with pytest.raises(TypeError, match="asarray"):
        oa.Array()


def test_a_call_that_fails_while_it_is_traced_warns_of_no_handle_in_it() -> None:
    @oa.jit
    def step(x: oa.Owned[oa.Array]) -> oa.Array:
        return oa.exp(oa.fori_loop(0, 3, lambda i, c: c[:-1], oa.move(x)))

    handle = oa.move(oa.ones(4))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(TypeError, match="changed the carry"):
            step(handle)
        gc.collect()
    assert handle.take().tolist() == [1.0] * 4
