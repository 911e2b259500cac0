"""The table of primitives is complete, and its records are."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import ownarray._ops
from ownarray._core.primitive import Missing, Primitive, rule
from ownarray._ops.table import PRIMITIVES


def _defined() -> set[Primitive]:
    """Return every primitive that a module of operations defines."""
    found: set[Primitive] = set()
    for info in pkgutil.iter_modules(ownarray._ops.__path__):
        module = importlib.import_module(f"ownarray._ops.{info.name}")
        found |= {value for value in vars(module).values() if isinstance(value, Primitive)}
    return found


def test_the_table_has_every_primitive_once() -> None:
    assert len(set(PRIMITIVES)) == len(PRIMITIVES)
    assert set(PRIMITIVES) == _defined()
    names = [p.name for p in PRIMITIVES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=lambda p: p.name)
def test_a_missing_rule_says_why(primitive: Primitive) -> None:
    for name in ("host", "jvp", "transpose", "batch"):
        found = getattr(primitive, name)
        if isinstance(found, Missing):
            assert len(found.why) > 5
            with pytest.raises(NotImplementedError, match=primitive.name):
                rule(primitive, name)
        else:
            assert callable(found)
