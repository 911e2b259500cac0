"""A short run of the fuzzer with fixed seeds; ``python -m tests.checker.fuzz`` is the long one."""

from pathlib import Path

import pytest

from tests.checker.fuzz import judge


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # dropped handles are the programs' business
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("first", [0, 1000])
def test_no_failing_line_is_missed(first: int, tmp_path: Path) -> None:
    verdict = judge(tmp_path / "fuzzed.py", first, 12, rounds=8)
    assert verdict.failing > 10
    assert verdict.missed == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_line_is_reported_for_nothing(tmp_path: Path) -> None:
    verdict = judge(tmp_path / "fuzzed.py", 0, 40, rounds=1, straight=True)
    assert verdict.failing > 10
    assert verdict.missed == []
    assert verdict.false == []
