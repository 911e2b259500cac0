"""A short run of the fuzzer with fixed seeds; ``python -m tests.checker.fuzz`` is the long one."""

from pathlib import Path

import pytest

from tests.checker.fuzz import missed


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # dropped handles are the programs' business
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("first", [0, 1000])
def test_no_failing_line_is_missed(first: int, tmp_path: Path) -> None:
    failing, wrong = missed(tmp_path / "fuzzed.py", first, 12, rounds=8)
    assert failing > 10
    assert wrong == []
