"""Every Python block of the documentation runs, page by page, and does what it says.

The words after "python" on a fence say how: none, it runs; ``raises=Name``, it must raise that;
``warns``, it must give a ResourceWarning; ``no-run``, it is only compiled (programs for the type
checker, or that need another package). The blocks of one page share their names, as a reader
would type them.
"""

import gc
import re
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```python(?P<how>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")


class Block(NamedTuple):
    """One fenced block."""

    how: str
    code: str
    line: int


def _blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(m["how"].strip(), m["code"], text.count("\n", 0, m.start("code")))
        for m in FENCE.finditer(text)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": f"docs_{page.stem}"}
    for block in _blocks(page):
        # Blank lines in front keep the line numbers of the page in every message.
        code = compile("\n" * block.line + block.code, str(page), "exec")
        if block.how == "no-run":
            continue
        if block.how.startswith("raises="):
            expected = block.how.removeprefix("raises=")
            assert _raised(code, names) == expected, f"line {block.line}"
        elif block.how == "warns":
            with pytest.warns(ResourceWarning):
                exec(code, names)
        else:
            assert not block.how, f"line {block.line}: {block.how!r} is no way to run"
            _run(code, names)


def _run(code: object, names: dict[str, object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(code, names)  # type: ignore[arg-type]


def _raised(code: object, names: dict[str, object]) -> str:
    raised = "nothing"
    with warnings.catch_warnings():
        # A refused call spends nothing, so the handle that was made for it drops with the error.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            exec(code, names)  # type: ignore[arg-type]
        except Exception as error:
            raised = type(error).__name__
        gc.collect()
    return raised


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for m in LINK.finditer(page.read_text(encoding="utf-8")):
        target = m["target"]
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), f"{target} is no file"
