"""What an equation means for the memory of its operands."""

from __future__ import annotations

from typing import Any, Final

from ownarray._core.program import Atom, Eqn, Var

UPDATED_BYTES: Final = 1 << 16
"""Updates of smaller arrays are left alone: copying those costs less than what waits for it.

Updates of a part are not fused with what reads the other parts."""
SMALL_SHARE: Final = 8
"""A result of at most this share of the array is worth being written to memory of its own."""
UPDATES: Final = frozenset({"update_slice", "scatter"})
PARTS: Final = frozenset({"slice", "gather"})


def carried_places(eqn: Eqn) -> range | None:
    """Return which operands of a loop are carried, result k in the memory of the k-th of them."""
    params: Any = eqn.params
    if eqn.primitive.name == "while":
        return range(params["n_cond"] + params["n_body"], len(eqn.inputs))
    if eqn.primitive.name == "scan":
        n_constants = params["n_constants"]
        return range(n_constants, n_constants + params["n_carry"])
    return None


def is_kept(eqn: Eqn) -> bool:
    """Return whether a result is written to memory, and not computed anew in each reader."""
    return eqn.primitive.is_kept or eqn.primitive.multiple


def is_element_wise(reader: Eqn, old: Var) -> bool:
    """Return whether an equation makes each element of the one at the same place."""
    if reader.primitive.is_moving or is_kept(reader):
        return False
    return reader.outs[0].aval.shape == old.aval.shape


def is_small_part(reader: Eqn, old: Atom) -> bool:
    """Return whether an equation reads a small part of an array."""
    small = old.aval.nbytes // SMALL_SHARE
    return reader.primitive.name in PARTS and reader.outs[0].aval.nbytes <= small


def reads_same_part(reader: Eqn, writer: Eqn) -> bool:
    """Return whether one equation reads the part that the other replaces."""
    return (
        reader.primitive.name in PARTS
        and reader.inputs[1:] == writer.inputs[2:]
        and reader.params.get("entries") == writer.params.get("entries")
    )


def source_of(eqn: Eqn, out: Atom) -> Var | None:
    """Return the operand in whose memory an equation makes its result by leaving most as it is."""
    carried = carried_places(eqn)
    if eqn.primitive.name in UPDATES:
        source = eqn.inputs[0]
    elif carried is not None:
        number = next(i for i, var in enumerate(eqn.outs) if var is out)
        if number >= len(carried):
            return None
        source = eqn.inputs[carried[number]]
    else:
        return None
    return source if isinstance(source, Var) else None
