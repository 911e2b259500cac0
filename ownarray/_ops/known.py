"""Values that must be known now, because the shape of a result depends on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ownarray._errors import TraceError
from ownarray._ops.promote import operand
from ownarray._ops.structural import copy
from ownarray._trace.bind import HostArray, Operand, is_array, operand_aval

if TYPE_CHECKING:
    from ownarray._ops.operators import Array


def known(name: str, x: object, cure: str) -> HostArray:
    """Return the values of an array for reading.

    Raises
    ------
    TraceError
        If it is a traced array; the message ends with the cure.
    """
    value = operand(name, x)
    found = known_or_none(value)
    if found is None:
        raise TraceError(
            f"{name}: the shape of the result depends on the values of a traced"
            f" {operand_aval(value)} array, which has none while a function is traced."
            f" Fix: {cure}"
        )
    return found


def known_or_none(value: Operand) -> HostArray | None:
    """Return the values of an array for reading; None if it is a traced array without values."""
    if not is_array(value):
        return np.asarray(value)
    try:
        return value._read()
    except TraceError:
        return None


def as_array(value: Operand) -> Array:
    """Return an operand that is an array already, or a copy of a NumPy value."""
    return value if is_array(value) else copy(value)
