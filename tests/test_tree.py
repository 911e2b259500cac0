"""Trees: what is taken apart is built again, and what cannot be is named by its path."""

from __future__ import annotations

import dataclasses
import enum
from collections import OrderedDict, defaultdict
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ownarray._tree import LeafKinds, flatten, path_text, register

NUMBERS = LeafKinds(lambda kind: issubclass(kind, int) and not issubclass(kind, enum.Enum))


class Point(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass
class Layer:
    w: Any
    name: str = dataclasses.field(default="dense", metadata={"static": True})

    def __post_init__(self) -> None:
        if not isinstance(self.w, int):
            raise TypeError("built with __init__")


class Color(enum.Enum):
    RED = 1


TREES = st.recursive(
    st.integers() | st.none() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3)
        | st.tuples(inner, inner).map(lambda pair: Point(*pair))
    ),
    max_leaves=12,
)


@given(TREES)
def test_unflatten_undoes_flatten(tree: object) -> None:
    leaves, treedef = flatten(tree, NUMBERS, "t")
    again = treedef.unflatten(leaves)
    assert again == tree
    assert type(again) is type(tree)
    assert flatten(again, NUMBERS, "t")[1] == treedef
    assert hash(flatten(again, NUMBERS, "t")[1]) == hash(treedef)


@given(TREES)
def test_paths_lead_to_the_leaves(tree: object) -> None:
    leaves, treedef = flatten(tree, NUMBERS, "t")
    reached = [eval(path_text(path, "tree"), {"tree": tree}) for path in treedef.paths()]
    assert reached == leaves


def test_dicts_are_flattened_in_sorted_order_and_keep_their_own() -> None:
    leaves, treedef = flatten({"b": 1, "a": 2}, NUMBERS, "t")
    assert leaves == [2, 1]
    assert list(treedef.unflatten(leaves)) == ["b", "a"]


def test_dict_types_are_kept() -> None:
    ordered = OrderedDict(b=1, a=2)
    assert type(flatten(ordered, NUMBERS, "t")[1].unflatten([1, 2])) is OrderedDict
    counts = defaultdict(int, {"a": 1})
    again = flatten(counts, NUMBERS, "t")[1].unflatten([1])
    assert type(again) is defaultdict
    assert again.default_factory is int


def test_dataclasses_are_rebuilt_without_init() -> None:
    leaves, treedef = flatten(Layer(3), NUMBERS, "t")
    assert leaves == [3]
    assert treedef.unflatten(["anything"]).w == "anything"
    assert treedef.unflatten(["anything"]).name == "dense"


def test_static_values_are_part_of_the_structure() -> None:
    with_none = flatten((1, None), NUMBERS, "t")[1]
    assert with_none != flatten((1, "x"), NUMBERS, "t")[1]
    assert with_none == flatten((2, None), NUMBERS, "t")[1]
    leaves, treedef = flatten([Color.RED, len, int, b"x", 1], NUMBERS, "t")
    assert leaves == [1]
    assert treedef.unflatten([5]) == [Color.RED, len, int, b"x", 5]


def test_what_cannot_be_taken_apart_is_named_by_its_path() -> None:
    with pytest.raises(TypeError, match=r"params\['w'\]\[1\].*set"):
        flatten({"w": [1, {1, 2}]}, NUMBERS, "params")


def test_a_registered_class_is_a_tree() -> None:
    class Pair:
        def __init__(self, left: object, right: object) -> None:
            self.left, self.right = left, right

    register(Pair, lambda p: ((p.left, p.right), None), lambda _, kids: Pair(*kids))
    leaves, treedef = flatten(Pair(1, (2, 3)), NUMBERS, "t")
    assert leaves == [1, 2, 3]
    assert treedef.unflatten([4, 5, 6]).right == (5, 6)
    with pytest.raises(ValueError, match="already"):
        register(Pair, fields=("left", "right"))
    with pytest.raises(TypeError, match="class"):
        register(3, fields=("x",))  # type: ignore[arg-type]  # wrong on purpose


def test_a_dataclass_is_registered_as_it_is() -> None:
    @register
    @dataclasses.dataclass
    class Shard:
        weights: list[int]
        rank: int = dataclasses.field(default=0, metadata={"static": True})

    leaves, treedef = flatten(Shard([1, 2], 7), NUMBERS, "t")
    assert leaves == [1, 2]
    assert treedef.unflatten(leaves) == Shard([1, 2], 7)


def test_registering_needs_a_way_to_take_apart() -> None:
    class Lonely:
        pass

    with pytest.raises(TypeError, match="fields"):
        register(Lonely)


def test_a_class_may_bring_its_own_methods() -> None:
    @register
    class Box:
        def __init__(self, item: object) -> None:
            self.item = item

        def tree_flatten(self) -> tuple[list[object], None]:
            return [self.item], None

        @classmethod
        def tree_unflatten(cls, aux: None, children: list[object]) -> Box:
            return cls(*children)

    leaves, treedef = flatten(Box(4), NUMBERS, "t")
    assert leaves == [4]
    assert treedef.unflatten([5]).item == 5
