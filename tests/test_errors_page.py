"""The page of errors: one heading for each slug, its program fails as it says, its fix does not."""

from __future__ import annotations

import gc
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import ownarray as oa
from ownarray._checker import cli
from ownarray._errors import SLUGS, Code

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).resolve().parent.parent / "docs" / "errors.md"
_FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"\S*program\.py:")


class Section(NamedTuple):
    """One heading: the wrong program, the right one, and what is said of the wrong one."""

    wrong: str
    right: str
    at_run_time: str
    by_mypy: str


def sections() -> dict[str, Section]:
    """Return the sections of slugs by heading."""
    found = {}
    for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, _, text = part.partition("\n")
        blocks = _FENCE.findall(text)
        programs = [block for kind, block in blocks if kind == "python"]
        if programs:
            said = [block.strip() for kind, block in blocks if kind == "text"]
            by_mypy = re.findall(r"^mypy: (.*)$", text, re.MULTILINE)
            found[heading] = Section(programs[0], programs[-1], "".join(said), by_mypy[0])
    return found


SECTIONS = sections()


def test_every_slug_is_a_heading_and_every_heading_a_slug() -> None:
    assert sorted(SECTIONS) == sorted(SLUGS)


@pytest.fixture(autouse=True)
def _quiet_handles() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield
        gc.collect()  # tracebacks keep handles


def run(program: str, folder: Path) -> None:
    exec(compile(program, str(folder / "program.py"), "exec"), {"__name__": "program"})


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "lost-write"])
def test_the_wrong_program_raises_class_slug_and_words(slug: str, tmp_path: Path) -> None:
    with pytest.raises(oa.OwnershipError) as caught:
        run(SECTIONS[slug].wrong, tmp_path)
    assert caught.value.slug == slug
    assert type(caught.value) in {code.value.error for code in Code if code.slug == slug}
    assert f"raises={type(caught.value).__name__}\n{SECTIONS[slug].wrong}" in PAGE.read_text()
    assert _PLACE.sub("program.py:", str(caught.value)) == SECTIONS[slug].at_run_time


@pytest.mark.parametrize("slug", SLUGS)
def test_the_fix_works_and_the_checker_agrees(
    slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(SECTIONS[slug].right, tmp_path)
    path = tmp_path / "program.py"
    path.write_text(SECTIONS[slug].right, encoding="utf-8")
    assert cli.main(["check", str(path)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("slug", SLUGS)
def test_the_checker_says_what_the_page_says(
    slug: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program.py"
    path.write_text(SECTIONS[slug].wrong, encoding="utf-8")
    status = cli.main(["check", str(path)])
    said = capsys.readouterr().out
    promised = SECTIONS[slug].by_mypy.strip("`")
    if promised.startswith("error:"):
        assert status == 1
        start = promised.partition(" Fix:")[0].removeprefix("error: ")
        assert start in _PLACE.sub("program.py:", said)
        assert f"[{slug}]" in said
    else:
        assert "not seen" in promised
