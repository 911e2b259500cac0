"""What loops and branches share: trees as operands, handles to spend, carries that must fit."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ownarray._array.concrete import Temporary
from ownarray._array.consume import Spending
from ownarray._array.moved import LEAF_KINDS
from ownarray._array.traced import TracedArray
from ownarray._core.dtypes import INEXACT, INTEGER
from ownarray._ops.convert import convert
from ownarray._ownership import Rights
from ownarray._trace.bind import Operand, is_array, operand_aval
from ownarray._trace.record import Recording, record
from ownarray._transforms.staged import as_operand, returned_leaves
from ownarray._tree import flatten, path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ownarray._core.aval import ShapedArray


class OperandTree:
    """A tree that goes into a loop: its leaves as operands, and their strong avals."""

    def __init__(self, tree: object, name: str) -> None:
        leaves, self.treedef = flatten(tree, LEAF_KINDS, name)
        self.operands = [as_operand(leaf) for leaf in leaves]
        self.avals = [operand_aval(operand).strong() for operand in self.operands]
        self.rights = [_rights(leaf) for leaf in leaves]

    def paths(self) -> list[str]:
        """Return the path of each leaf, for messages."""
        return [path_text(path) for path in self.treedef.paths()]


def _rights(leaf: object) -> Rights:
    """Return what a branch may do with an operand: with what it consumed, anything."""
    if isinstance(leaf, TracedArray):
        return leaf._rights
    return Rights.READ if is_array(leaf) and not isinstance(leaf, Temporary) else Rights.OWN


@contextmanager
def spending_handles(name: str) -> Iterator[Spending]:
    """Claim handles for one loop: good again if it fails before it runs, spent once it has run."""
    spending = Spending(name, is_last=True)
    try:
        yield spending
        spending.settle()
    except BaseException as error:
        spending.undo(error)
        raise


def called(function: Callable[..., Any], where: str) -> str:
    """Return how a loop's function is called in messages; refuse what is none."""
    if not callable(function):
        raise TypeError(f"{where}: expected a function, got {type(function).__name__}")
    return f"{where}: {getattr(function, '__qualname__', type(function).__name__)}"


def record_carry(
    name: str,
    carry: OperandTree,
    avals: Sequence[ShapedArray],
    body: Callable[[list[Any]], Any],
) -> Recording:
    """Record a body whose result is a new carry; ``avals`` may begin with more than the carry."""

    def run(trace: object, tracers: list[Any]) -> Sequence[Operand]:
        return checked_carry(name, carry, body(tracers))

    return record(name, avals, run)


def checked_carry(name: str, carry: OperandTree, result: object) -> list[Operand]:
    """Return the leaves of a new carry, which must be of the old one's structure and avals."""
    leaves, treedef = returned_leaves(result, name)
    if treedef != carry.treedef:
        raise TypeError(
            f"{name} changed the structure of the carry from {carry.treedef!r} to {treedef!r};"
            " return what was passed in, with new leaves"
        )
    fitted = []
    for leaf, aval, path in zip(leaves, carry.avals, carry.paths(), strict=True):
        got = operand_aval(leaf)
        if got.shape == aval.shape and got.weak and got.dtype != aval.dtype:
            leaf = convert(leaf, aval.dtype) if _holds(aval, got) else leaf
        if operand_aval(leaf).strong() != aval:
            raise TypeError(
                f"{name} changed the carry{path} from {aval} to {got.strong()}; cast or reshape it,"
                " or start with a carry of that kind"
            )
        fitted.append(leaf)
    return fitted


def _holds(aval: ShapedArray, weak: ShapedArray) -> bool:
    """Return whether a Python number of a kind can be stored in a carry, as in ``x += 1``."""
    return aval.dtype in INEXACT or (weak.dtype in INTEGER and aval.dtype in INTEGER)
