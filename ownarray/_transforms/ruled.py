"""Functions of trees as functions of flat operands, for functions that bring their own rule."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._array.moved import LEAF_KINDS, Moved
from ownarray._core.dtypes import WEAK
from ownarray._ops.structural import copy
from ownarray._trace.bind import Operand, is_array
from ownarray._transforms.staged import returned_leaves
from ownarray._tree import TreeDef, flatten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class RuledArguments:
    """The structure of one call's arguments, without their arrays; numbers stay what they are.

    Attributes
    ----------
    tree : TreeDef
        Of the tuple of arguments.
    """

    def __init__(self, tree: TreeDef, leaves: Sequence[Any]) -> None:
        self.tree = tree
        self._leaves = [leaf if type(leaf) in WEAK else None for leaf in leaves]

    def arguments(self, operands: Sequence[Operand]) -> tuple[Any, ...]:
        """Return the arguments with other arrays in place of the operands."""
        rest = iter(operands)
        leaves = [next(rest) if leaf is None else leaf for leaf in self._leaves]
        args: tuple[Any, ...] = self.tree.unflatten([_as_array(leaf) for leaf in leaves])
        return args

    def tangents(self, operands: Sequence[Operand]) -> tuple[Any, ...]:
        """Return tangents in the structure of the arguments; of numbers they are 0."""
        rest = iter(operands)
        leaves = [next(rest) if leaf is None else type(leaf)(0) for leaf in self._leaves]
        args: tuple[Any, ...] = self.tree.unflatten(leaves)
        return args

    def of_each(self, leaves: Sequence[Any]) -> list[Any]:
        """Return, of one value for each leaf, those that belong to operands."""
        return [value for value, leaf in zip(leaves, self._leaves, strict=True) if leaf is None]


def read_arguments(name: str, args: Sequence[Any]) -> tuple[RuledArguments, list[Operand]]:
    """Return the structure of arguments, and their arrays as operands; handles are spent."""
    leaves, tree = flatten(tuple(args), LEAF_KINDS, name)
    if any([isinstance(leaf, Moved) for leaf in leaves]):
        opened = [leaf.take() if isinstance(leaf, Moved) else leaf for leaf in leaves]
        leaves, tree = flatten(tree.unflatten(opened), LEAF_KINDS, name)
    operands: list[Operand] = [leaf for leaf in leaves if type(leaf) not in WEAK]
    return RuledArguments(tree, leaves), operands


def _as_array(leaf: Any) -> Any:
    return copy(leaf) if isinstance(leaf, np.ndarray | np.generic) else leaf


def positional(name: str, function: Callable[..., Any], args: Any, kwargs: Any) -> tuple[Any, ...]:
    """Return the arguments of a call by position.

    Raises
    ------
    TypeError
        If they do not fit, or one can be passed by keyword only.
    """
    if not kwargs:
        return tuple(args)
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    if bound.kwargs:
        raise TypeError(
            f"{name}: its rule takes arguments by position, but {', '.join(bound.kwargs)} can be"
            " passed by keyword only"
        )
    return bound.args


def flat_results(name: str, result: Any, given: Sequence[Operand]) -> tuple[list[Operand], TreeDef]:
    """Return the leaves of a result, none of them an argument or there twice, and its structure."""
    leaves, tree = returned_leaves(result, name)
    seen = {id(operand) for operand in given if is_array(operand)}
    found: list[Operand] = []
    for leaf in leaves:
        found.append(copy(leaf) if not is_array(leaf) or id(leaf) in seen else leaf)
        seen.add(id(leaf))
    return found, tree
