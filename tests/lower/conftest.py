"""Golden files: what the tests of lowering compare their text with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "lower"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with a golden file; ``pytest --update-golden`` writes it instead."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / f"{name}.mlir"
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.exists(), f"there is no {path}; run pytest --update-golden and look at it"
        assert text == path.read_text(encoding="utf-8"), f"differs from {path.name}"

    return check
