"""Every marked program, judged by the command's front end and by running it."""

import asyncio
import importlib.util
import inspect
import sys
import traceback
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

import ownarray as oa
from ownarray._checker.module import check_source
from tests.checker.marks import KINDS, PROGRAMS, differences, marks


@pytest.mark.parametrize("path", PROGRAMS + KINDS, ids=lambda p: p.stem)
def test_checked(path: Path) -> None:
    reported: dict[int, set[str]] = defaultdict(set)
    for report in check_source(path.read_text(encoding="utf-8"), str(path)):
        reported[report.pos.line].add(report.slug)
    assert differences(path, reported) == []


def load(path: Path) -> ModuleType:
    name = f"ownership_program_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def lines_of(error: BaseException, path: Path) -> set[int]:
    """Return the lines of a program that an error passed; of a long expression, all lines."""
    found: set[int] = set()
    for frame in traceback.extract_tb(error.__traceback__):
        if Path(frame.filename) == path and frame.lineno is not None:
            found.update(range(frame.lineno, (frame.end_lineno or frame.lineno) + 1))
    return found


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_program_runs_as_it_says(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    says = path.read_text(encoding="utf-8").splitlines()[1].removeprefix("# RUNTIME: ")
    module = load(path)
    if says == "n/a":
        return
    if says == "ok":
        module.run()
        return
    names = says.removeprefix("raises ").split("|")
    with pytest.raises(tuple(getattr(oa, name) for name in names)) as caught:
        module.run()
    assert lines_of(caught.value, path) & marks(path).keys()


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("path", KINDS, ids=lambda p: p.stem)
@pytest.mark.slow
def test_kind_runs_as_it_says(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = load(path)
    wrong = []
    for name, function in list(vars(module).items()):
        if not name.startswith(("fails_", "ok_")):
            continue
        if "memoryview" in name and sys.version_info < (3, 12):
            continue  # classes written in Python have no buffers before 3.12
        error = None
        try:
            result = function()
            if inspect.iscoroutine(result):
                asyncio.run(result)
        except (oa.OwnershipError, ValueError, RuntimeError) as caught:
            error = caught
        owned = isinstance(error, oa.OwnershipError)
        if name.startswith("ok_") and owned:
            wrong.append(f"{name} raised {error}")
        elif name.startswith("fails_"):
            lines = lines_of(error, path) if error is not None and owned else set()
            if not lines & marks(path).keys():
                wrong.append(f"{name} did not fail on a marked line: {error!r} at {lines}")
    assert wrong == []
