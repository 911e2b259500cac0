"""One of two branches, chosen by a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ownarray._core.dtypes import BOOL, INT32
from ownarray._ops import logic
from ownarray._ops.control import apply_cond
from ownarray._ops.convert import convert
from ownarray._trace.bind import Operand, operand_aval
from ownarray._trace.record import Recording, record
from ownarray._transforms.carry import OperandTree, called, spending_handles
from ownarray._transforms.staged import as_operand, returned_leaves
from ownarray._tree import TreeDef, path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

R = TypeVar("R")


def cond(
    pred: Any,
    true_fun: Callable[..., R],
    false_fun: Callable[..., R],
    /,
    *operands: Any,
) -> R:
    """Return ``true_fun(*operands)`` if pred holds, else ``false_fun(*operands)``.

    Both branches are traced; one of them runs.

    Parameters
    ----------
    pred : bool, or Array of shape (); lent
    true_fun, false_fun : callable
        Their results must be of one structure, one shape and dtype a leaf. They own what is passed
        in handles, and may only read the rest.
    *operands : pytrees of arrays; lent, or consumed if handles

    Returns
    -------
    pytree of arrays; owned, in the memory of consumed operands where shape and dtype allow

    Raises
    ------
    TypeError
        If the results differ in structure, shape or dtype, or pred is no single truth value.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.arange(3.0)
    >>> oa.cond(x[0] > 1, lambda x: x, lambda x: -x, x).tolist()
    [-0.0, -1.0, -2.0]
    """
    with spending_handles("cond") as spending:
        chosen = as_operand(spending.own_tree(pred))
        aval = operand_aval(chosen)
        if aval.shape != ():
            raise TypeError(f"cond: expected a pred of shape (), got {aval}")
        if aval.dtype != BOOL:
            chosen = logic.not_equal(chosen, 0)
        tree = OperandTree(spending.own_tree(operands), "cond")
        branches = [_branch(fun, tree) for fun in (false_fun, true_fun)]
        _check_branches(*branches)
        results = apply_cond(
            convert(chosen, INT32), [recording for recording, _ in branches], tree.operands
        )
        return branches[0][1].unflatten(results)  # type: ignore[no-any-return]


def _branch(fun: Callable[..., Any], tree: OperandTree) -> tuple[Recording, TreeDef]:
    name = called(fun, "cond")
    treedefs: list[TreeDef] = []

    def run(trace: object, tracers: list[Any]) -> Sequence[Operand]:
        names = [
            tracer.with_rights(rights) for tracer, rights in zip(tracers, tree.rights, strict=True)
        ]
        leaves, treedef = returned_leaves(fun(*tree.treedef.unflatten(names)), name)
        treedefs.append(treedef)
        return leaves

    return record(name, tree.avals, run), treedefs[0]


def _check_branches(first: tuple[Recording, TreeDef], second: tuple[Recording, TreeDef]) -> None:
    (left, left_tree), (right, right_tree) = first, second
    if left_tree != right_tree:
        raise TypeError(
            f"cond: the branches return different structures, {right_tree!r} and {left_tree!r}"
        )
    for path, ours, theirs in zip(
        left_tree.paths(), left.program.out_avals, right.program.out_avals, strict=True
    ):
        if ours.strong() != theirs.strong():
            raise TypeError(
                f"cond: the branches differ at result{path_text(path)}: {theirs.strong()} and"
                f" {ours.strong()}; cast or reshape one of them"
            )
