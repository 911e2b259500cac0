"""mypy with the plugin, in a process of its own, and what it says."""

import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
_LINE = re.compile(
    r"(?P<path>.+?\.pyi?):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<kind>error|note): (?P<text>.*?)"
    r"(?:  \[(?P<code>[\w-]+)\])?$"
)
CONFIG = """\
[mypy]
strict = True
plugins = {plugins}
mypy_path = {root}
show_column_numbers = True

[mypy-ownarray.*]
ignore_errors = True
"""


def config(folder: Path, *, plugins: str = "ownarray.mypy") -> Path:
    """Write a configuration into folder and return it."""
    path = folder / "mypy.ini"
    path.write_text(CONFIG.format(plugins=plugins, root=ROOT), encoding="utf-8")
    return path


def mypy(folder: Path, *arguments: str, program: Sequence[str] = ("mypy",)) -> list[dict[str, str]]:
    """Run mypy in folder and return its errors and notes."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MYPY_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", *program, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=220,
    )
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    found = [_LINE.match(line) for line in done.stdout.splitlines()]
    return [m.groupdict(default="") for m in found if m is not None]


def errors(said: Sequence[dict[str, str]]) -> dict[str, dict[int, set[str]]]:
    """Return the codes of errors by file name and line."""
    found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in said:
        if one["kind"] == "error":
            found[Path(one["path"]).name][int(one["line"])].add(one["code"])
    return found
