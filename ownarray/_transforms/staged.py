"""From one kind of call to its program: tracing with rights, and what the body did.

A staged function is independent of who calls it: at the top level it is compiled, inside another
trace its equations are inlined. Both keep the rules of its parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._array.cell import refusal
from ownarray._array.moved import LEAF_KINDS, Moved
from ownarray._array.traced import TracedArray
from ownarray._core.dtypes import WEAK
from ownarray._errors import Code, UseAfterMoveError
from ownarray._ownership import RIGHTS, Effect, Mode
from ownarray._trace.bind import Operand, is_array, scalar
from ownarray._trace.record import Captured, RecordTrace, record
from ownarray._tree import Path, TreeDef, flatten, path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.program import Program
    from ownarray._transforms.signature import Call, FunctionSignature


@dataclass(frozen=True, slots=True)
class Staged:
    """A traced function.

    Attributes
    ----------
    program : Program
        Parameters: the leaves of the call, then the captured arrays. Results: the leaves of what
        the function returns, then the new values of updated leaves.
    captured : tuple
        The outer arrays that fill the hidden parameters.
    out_tree : TreeDef
        The structure of the result.
    out_paths : tuple of Path
        The tree path of each returned leaf.
    updated : tuple of int
        The leaves (numbers in the call) that the body has updated, in the order of their results.
    """

    program: Program
    captured: tuple[Captured, ...]
    out_tree: TreeDef
    out_paths: tuple[Path, ...]
    updated: tuple[int, ...]

    @property
    def n_returned(self) -> int:
        """How many results are returned; the new values of updated leaves follow them."""
        return len(self.out_paths)


def stage(function: Callable[..., Any], signature: FunctionSignature, call: Call) -> Staged:
    """Trace a function for one kind of call.

    Raises
    ------
    TraceError
        If a value is needed while tracing.
    TypeError
        If it returns what is no array, or changes the structure of a Mut argument.
    """
    out_tree: list[TreeDef] = []
    updated: list[int] = []

    def body(trace: RecordTrace, tracers: list[Any]) -> Sequence[Operand]:
        names = [
            tracer.with_rights(RIGHTS[leaf.key.effect])
            for tracer, leaf in zip(tracers, call.leaves, strict=True)
        ]
        values = call.values_with(names)
        result = signature.call(function, call.parameters, values)
        leaves, tree = returned_leaves(result, signature.name)
        out_tree.append(tree)
        for number, new in updated_leaves(signature, call, values, tracers):
            updated.append(number)
            leaves.append(new)
        return leaves

    try:
        recording = record(signature.name, [leaf.key.aval for leaf in call.leaves], body)
    except UseAfterMoveError as error:
        _refuse_captured(error, call, signature.name)
        raise
    return Staged(
        recording.program,
        recording.captured,
        out_tree[0],
        tuple(out_tree[0].paths()),
        tuple(updated),
    )


def returned_leaves(result: Any, name: str) -> tuple[list[Operand], TreeDef]:
    """Return the leaves of a result as operands, and its structure."""
    leaves, tree = flatten(result, LEAF_KINDS, f"{name}: the result")
    if any(isinstance(leaf, Moved) for leaf in leaves):
        opened = [leaf.take() if isinstance(leaf, Moved) else leaf for leaf in leaves]
        leaves, tree = flatten(tree.unflatten(opened), LEAF_KINDS, f"{name}: the result")
    return [as_operand(leaf) for leaf in leaves], tree


def as_operand(leaf: Any) -> Operand:
    """Return a leaf of a result as an operand; Python scalars get their default dtype."""
    if is_array(leaf) or isinstance(leaf, np.ndarray | np.generic):
        return leaf
    return scalar(leaf, WEAK[type(leaf)])


def updated_leaves(
    signature: FunctionSignature,
    call: Call,
    values: Sequence[Any],
    tracers: Sequence[TracedArray],
) -> list[tuple[int, Operand]]:
    """Return the leaves of Mut arguments that the body has changed, with their new values."""
    found: list[tuple[int, Operand]] = []
    first = 0
    argument = 0
    for parameter, value in zip(call.parameters, values, strict=True):
        if parameter.is_static:
            continue
        tree = call.key.trees[argument]
        if parameter.mode is Mode.MUT:
            where = f"{signature.name}: {parameter.name}"
            after, new_tree = flatten(value, LEAF_KINDS, where)
            if new_tree != tree:
                raise TypeError(
                    f"{where}: a Mut argument keeps its structure, but the function changed it"
                    f" from {tree!r} to {new_tree!r}"
                )
            for i, (leaf, path) in enumerate(zip(after, tree.paths(), strict=True)):
                number = first + i
                new = _new_value(leaf, tracers[number], path_text(path, where))
                if new is not None:
                    found.append((number, new))
        first += tree.n_leaves
        argument += 1
    return found


def _new_value(leaf: Any, tracer: TracedArray, where: str) -> Operand | None:
    """Return the new value of a Mut leaf, or None if the body left it as it was."""
    if leaf is tracer:
        return None
    if isinstance(leaf, TracedArray) and leaf.payload is tracer.payload:
        return None
    if tracer.aval.weak:
        raise TypeError(f"{where}: a Python number cannot be updated in place; make it an array")
    aval: ShapedArray | None = leaf.aval if is_array(leaf) else None
    if aval is None or aval.strong() != tracer.aval.strong():
        got = aval if aval is not None else type(leaf).__name__
        raise TypeError(
            f"{where}: a leaf of a Mut argument keeps shape and dtype, wanted {tracer.aval},"
            f" got {got}. Fix: cast or reshape the new value, or return it instead"
        )
    operand: Operand = leaf
    return operand


def _refuse_captured(error: UseAfterMoveError, call: Call, name: str) -> None:
    """Raise BorrowError if the dead array that a body read is one that this call consumes."""
    for leaf in call.leaves:
        if id(leaf.value) == error.subject and leaf.key.effect is Effect.CONSUME:
            raise refusal(
                Code.MOVED_WHILE_BORROWED, leaf.key.aval, at=f"{name}, which captures it"
            ) from error
