"""The command: exit codes, formats, comments, names across files, faults."""

import json
from pathlib import Path

import pytest

from ownarray._checker import cli, project
from ownarray._checker.module import check_source

WRONG = """\
import ownarray as oa

x = oa.ones(3)
oa.exp(oa.move(x))
print("é", x)
"""
MESSAGE = (
    "use-after-move: x was moved at wrong.py:4. Fix: use the result of the call that it was moved"
    " to, or move a copy: oa.copy(...)."
)


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG, encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = cli.main(["check", *map(str, arguments)])
    return status, capsys.readouterr().out


def test_text(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = run(capsys, wrong)
    assert status == cli.FOUND
    assert said.splitlines() == [
        f"{wrong}:5:12: error: {MESSAGE}  [use-after-move]",
        f"{wrong}:4:16: note: x was moved here",
    ]


def test_json(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = run(capsys, wrong.parent, "--format", "json")
    assert status == cli.FOUND
    (found,) = json.loads(said)
    assert (found["line"], found["column"], found["end_column"]) == (5, 12, 13)
    assert found["code"] == "use-after-move"
    assert found["notes"] == [{"line": 4, "column": 16, "message": "x was moved here"}]


def test_sarif(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, said = run(capsys, wrong, "--format", "sarif")
    log = json.loads(said)
    (result,) = log["runs"][0]["results"]
    assert log["version"] == "2.1.0"
    assert result["ruleId"] == "use-after-move"
    assert result["ruleId"] in {rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 5
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 4


def test_github(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, said = run(capsys, wrong, "--format", "github")
    assert said.startswith("::error file=")
    assert ",line=5,col=12,endLine=5,endColumn=13,title=use-after-move::use-after-move: x" in said


def test_clean_excluded_and_missing(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (wrong.parent / "clean.py").write_text("import ownarray as oa\noa.ones(3)\n", encoding="utf-8")
    assert run(capsys, wrong.parent, "--exclude", "*wrong*") == (cli.CLEAN, "")
    with pytest.raises(SystemExit) as stopped:
        cli.main(["check", str(wrong.parent / "nowhere.py")])
    assert stopped.value.code == 2


@pytest.mark.parametrize(
    ("comment", "status"),
    [
        ("# type: ignore", cli.CLEAN),
        ("# type: ignore[use-after-move]", cli.CLEAN),
        ("# type: ignore[misc, use-after-move]", cli.CLEAN),
        ("# type: ignore[misc]", cli.FOUND),
        ("# 'type: ignore' is no answer", cli.FOUND),
    ],
)
def test_comments(
    wrong: Path, comment: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong.write_text(WRONG.rstrip("\n") + f"  {comment}\n", encoding="utf-8")
    assert run(capsys, wrong)[0] == status


def test_comment_for_the_file(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong.write_text("# type: ignore\n" + WRONG, encoding="utf-8")
    assert run(capsys, wrong)[0] == cli.CLEAN


def test_names_of_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("from .steps import step as advance\n", encoding="utf-8")
    (package / "steps.py").write_text(
        "import ownarray as oa\n\n\n"
        "@oa.jit(donate_argnums=0)\n"
        "def step(x: oa.Array) -> oa.Array:\n"
        "    return x\n\n\n"
        "@oa.jit\n"
        "def absorb(x: oa.Owned[oa.Array]) -> oa.Array:\n"
        "    return x\n",
        encoding="utf-8",
    )
    (package / "use.py").write_text(
        "import ownarray as oa\n"
        "from package.steps import absorb, step\n\n"
        "x = oa.ones(3)\n"
        "step(x)\n"
        "print(x)\n"
        "absorb(oa.ones(3))\n",
        encoding="utf-8",
    )
    status, said = run(capsys, tmp_path, "--format", "json")
    assert status == cli.FOUND
    assert [(f["line"], f["code"]) for f in json.loads(said)] == [
        (6, "use-after-move"),
        (7, "needs-move"),
    ]


def test_what_cannot_be_read_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.py").write_text("import ownarray\ndef f(:\n", encoding="utf-8")
    status, said = run(capsys, tmp_path)
    assert status == cli.FAILED
    assert "broken.py" in said
    assert "cannot-read" in said


def test_a_bad_encoding_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "unknown.py").write_text("# coding: nonsense\n", encoding="utf-8")
    (tmp_path / "bytes.py").write_bytes(b'x = "\xff"\n')
    status, said = run(capsys, tmp_path)
    assert status == cli.FAILED
    assert "unknown encoding" in said
    assert "can't decode byte 0xff" in said or "invalid" in said
    assert said.count("[cannot-read]") == 2
    assert "checker-crash" not in said


def test_a_fault_is_said(
    wrong: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(project, "Module", fail)
    status, said = run(capsys, wrong)
    assert status == cli.FAILED
    assert "wrong.py" in said
    assert "on purpose" in said


def test_returned_values_of_functions_without_annotations_have_types() -> None:
    text = (
        "import numpy as np\n"
        "import ownarray as oa\n"
        "def main():\n"
        "    b = oa.ones(2)\n"
        "    w = np.asarray(b)\n"
        "    def inner():\n"
        "        return b\n"
        "    c = inner()\n"
        "    c += 1.0\n"
        "    return w\n"
    )
    found = [(report.pos.line, report.slug) for report in check_source(text, "returned.py")]
    assert found == [(9, "mutate-borrowed")]


def test_a_name_of_several_types_is_moved_and_updated() -> None:
    text = """\
import numpy as np
import ownarray as oa

class Truck:
    def move(self):
        return self

def one():
    x = oa.ones(3)
    x.move()
    print(x)
    x = None

def two():
    x = oa.ones(3)
    x.move()
    print(x)
    x = {"x": oa.ones(3)}

def three(flag):
    x = oa.ones(3) if flag else Truck()
    x.move()
    print(x)

def four():
    x = oa.ones(3)
    v = np.asarray(x)
    x[0] = 1
    x[0] += 1
    x += 1
    print(v)
    x = None
"""
    found = [(report.pos.line, report.slug) for report in check_source(text, "x.py")]
    dead = [(line, "use-after-move") for line in (11, 17)]
    assert sorted(found) == dead + [(line, "mutate-borrowed") for line in (28, 29, 30)]
