"""The text of every primitive's lowering is kept, so that a change of it is seen."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import pytest

from ownarray._core.program import pretty
from ownarray._lower.text import lower
from tests.ops.engines import Case, program_of
from tests.ops.samples import OTHERS, SMOOTH, Sample

if TYPE_CHECKING:
    from collections.abc import Callable

_BY_NAME: dict[str, list[Sample]] = {
    name: list(group)
    for name, group in groupby(
        sorted([*SMOOTH, *OTHERS], key=lambda s: s.primitive.name), lambda s: s.primitive.name
    )
}


@pytest.mark.parametrize("name", sorted(_BY_NAME))
def test_lowering(name: str, golden: Callable[[str, str], None]) -> None:
    texts = []
    for sample in _BY_NAME[name]:
        program = program_of(Case(sample.primitive, sample.arrays, sample.params))
        head = "\n".join(f"// {line}" for line in pretty(program).splitlines())
        texts.append(f"{head}\n{lower(program)}")
    golden(name, "\n".join(texts))
