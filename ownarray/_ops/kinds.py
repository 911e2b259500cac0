"""The standard's kinds of dtypes, and which dtypes each holds."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ownarray._core.dtypes import (
    BOOL,
    BY_NAME,
    COMPLEX,
    FLOAT,
    INTEGER,
    NUMERIC,
    SIGNED,
    UNSIGNED,
    DType,
    canonical,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Final[Mapping[str, frozenset[DType]]] = MappingProxyType(
    {
        "bool": frozenset({BOOL}),
        "signed integer": SIGNED,
        "unsigned integer": UNSIGNED,
        "integral": INTEGER,
        "real floating": FLOAT,
        "complex floating": COMPLEX,
        "numeric": NUMERIC,
    }
)


def is_kind(dtype: DType, kind: object) -> bool:
    """Return whether a dtype is of a kind, or is that dtype.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    if isinstance(kind, str):
        found = KINDS.get(kind)
        if found is not None:
            return dtype in found
        if kind not in BY_NAME:
            raise ValueError(f"isdtype: {kind!r} is no kind; there are {', '.join(KINDS)}")
    return dtype == canonical(kind, "isdtype")
