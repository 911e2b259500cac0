"""The short way of a compiled call: it answers only for arguments that are as they were."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._array.running import running
from ownarray._ownership import State
from ownarray._transforms import jit as jit_module
from ownarray._transforms.shortcut import ShortArguments, read_short


@pytest.fixture
def double() -> Any:
    return oa.jit(lambda x: x * 2.0)


def test_calls_of_one_kind_share_an_entry(double: Any) -> None:
    for _ in range(3):
        assert double(oa.ones(3)).tolist() == [2.0] * 3
        assert double(oa.move(oa.ones(3))).tolist() == [2.0] * 3
    assert len(double._shortcuts) == 2


def test_no_entry_is_made_under_the_key_of_an_array_that_is_updated(
    double: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update by another thread may end between the reading of the key and the making.

    The entry would then answer for every array that is being updated.
    """
    x = oa.ones(3)

    def read_meanwhile(args: tuple[Any, ...]) -> ShortArguments | None:
        x._sig = x._sig.family[State.EXCLUSIVE]  # type: ignore[attr-defined]
        try:
            return read_short(args)
        finally:
            x._sig = x._sig.family[State.OWNED]  # type: ignore[attr-defined]

    monkeypatch.setattr(jit_module, "read_short", read_meanwhile)
    assert double(x).tolist() == [2.0] * 3
    assert not double._shortcuts


def test_no_entry_is_made_for_a_dead_array(double: Any) -> None:
    x = oa.ones(3)
    y = oa.move(x).take()
    with pytest.raises(oa.UseAfterMoveError):
        double(x)
    assert not double._shortcuts
    assert double(y).tolist() == [2.0] * 3


def test_arguments_of_a_partial_are_each_calls_own(double: Any) -> None:
    """All calls of one partial pass the same tuple, so it cannot name a call that runs."""
    noted: list[int] = []

    class Noting(dict[int, Any]):
        def __setitem__(self, key: int, value: Any) -> None:
            noted.append(key)
            kept.append(value)  # so that no identity comes twice
            super().__setitem__(key, value)

    kept: list[Any] = []
    x = oa.ones(3)
    call = partial(double, x)
    call()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ownarray._transforms.shortcut.running", Noting(running))
        call()
        call()
    assert len(noted) == len(set(noted)) == 2
    assert not running


def test_one_handle_twice_takes_the_ordinary_way_and_is_refused() -> None:
    add: Any = oa.jit(lambda x, y: x + y)
    add(oa.move(oa.ones(3)), oa.move(oa.ones(3)))
    h = oa.move(oa.ones(3))
    with pytest.raises(oa.OwnershipError):
        add(h, h)
    assert h.take().tolist() == [1.0] * 3


def test_a_tree_moved_whole_is_one_part_of_the_key() -> None:
    step: Any = oa.jit(lambda s, rate: {"w": s["w"] * rate, "b": [s["b"][0] + 1.0]})
    state: Any = {"w": oa.ones(2), "b": [oa.zeros(3)]}
    for _ in range(4):
        state = step(oa.move(state), 0.5)
    assert len(step._shortcuts) == 1
    np.testing.assert_array_equal(state["w"], 0.5**4)
    np.testing.assert_array_equal(state["b"][0], 4.0)


def test_a_tree_of_another_structure_is_another_kind() -> None:
    f: Any = oa.jit(lambda tree: tree[0] + 1.0)
    f(oa.move([oa.ones(2), oa.ones(2)]))
    f(oa.move((oa.ones(2), oa.ones(2))))
    f([oa.ones(2), oa.ones(2)])
    f([oa.ones(2), 3.0])
    assert len(f._shortcuts) == 4
    dead = oa.ones(2)
    oa.move(dead).take()
    tree: Any = [dead, oa.ones(2)]
    with pytest.raises(oa.UseAfterMoveError):
        f(tree)
    assert len(f._shortcuts) == 4
