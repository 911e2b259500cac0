"""Every marked program, judged by mypy: all in one run."""

from pathlib import Path

import pytest

from tests.checker.marks import KINDS, PROGRAMS, differences
from tests.mypy_plugin.run import config, errors, mypy

# What mypy says of a program's own types is not this test's matter.
OTHERS = {"no-untyped-call", "unused-ignore"}


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[int, set[str]]]:
    folder = tmp_path_factory.mktemp("cases")
    path = config(folder)
    files = map(str, PROGRAMS + KINDS)
    return errors(mypy(folder, "--config-file", str(path), "--show-traceback", *files))


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS + KINDS, ids=lambda p: p.stem)
def test_judged(path: Path, reported: dict[str, dict[int, set[str]]]) -> None:
    of_file = {
        line: codes - OTHERS
        for line, codes in reported.get(path.name, {}).items()
        if codes - OTHERS
    }
    assert differences(path, of_file) == []
