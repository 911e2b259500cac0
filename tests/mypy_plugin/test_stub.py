"""The typed surface and the runtime agree: mypy's stubtest, with the exceptions that are listed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mypy_plugin.run import ROOT

CONFIG = """\
[mypy]
mypy_path = stubs
ignore_missing_imports = True
ignore_errors = True
"""


@pytest.mark.slow
def test_stub_says_what_the_runtime_does(tmp_path: Path) -> None:
    config = tmp_path / "mypy.ini"
    config.write_text(CONFIG, encoding="utf-8")
    allowed = Path(__file__).with_name("stubtest_allowlist.txt")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy.stubtest", "ownarray", "--concise"),
            *("--mypy-config-file", str(config), "--allowlist", str(allowed)),
            *("--ignore-unused-allowlist", "--ignore-missing-stub"),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=230,
    )
    assert done.returncode == 0, done.stdout + done.stderr
