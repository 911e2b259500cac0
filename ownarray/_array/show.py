"""How arrays are shown: like NumPy's while they live, by shape and place of the move once dead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._ownership import State

if TYPE_CHECKING:
    from ownarray._core.aval import ShapedArray
    from ownarray._trace.bind import HostArray

_DEAD = {
    State.EXCLUSIVE: "being updated by a running call",
    State.MOVED: "moved",
    State.SPENT: "moved",
    State.LOST: "lost in a failed call",
}


def show(values: HostArray, state: State) -> str:
    """Return the repr of a live array."""
    text = np.array2string(values, separator=", ", prefix="Array(")
    note = "" if state is State.OWNED else f", state={state.name}"
    if values.size == 0 and values.ndim > 1:
        note = f", shape={values.shape}{note}"
    return f"Array({text}, dtype={values.dtype.name}{note})"


def show_dead(aval: ShapedArray, state: State, at: object) -> str:
    """Return the repr of an array whose values cannot be read."""
    where = f" at {at}" if at is not None else ""
    return f"Array(shape={aval.shape}, dtype={aval.dtype.name}, {_DEAD[state]}{where})"
