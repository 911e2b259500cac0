"""What the checker adds to a run of mypy, on generated programs full of moves."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.case import Case, Once, Topic, Variant

ROOT = Path(__file__).resolve().parent.parent
HEADER = """import ownarray as oa


@oa.jit
def step(x: oa.Owned[oa.Array], y: oa.Array) -> oa.Array:
    return x + y


"""
BODY = """def work_{k}(n: int, a: oa.Array, b: oa.Array) -> oa.Array:
    x, y = oa.copy(a), oa.copy(b)
    for i in range(n):
        if i % 3 == 0:
            x = step(oa.move(x), y)
        elif i % 3 == 1:
            y, x = step(oa.move(y), x), oa.zeros(3)
        else:
            try:
                x = step(oa.move(x), y)
            except ValueError:
                x = oa.ones(3)
        while float(x[0]) < i:
            x += 1.0
    return step(oa.move(x), y)


"""


def _program(quick: bool) -> Path:
    folder = Path(tempfile.mkdtemp())
    n_functions = 10 if quick else 220
    source = HEADER + "".join(BODY.format(k=k) for k in range(n_functions))
    (folder / "program.py").write_text(source)
    return folder


def _config(folder: Path, plugin: bool) -> Path:
    lines = ["[mypy]", "strict = True", f"mypy_path = {ROOT}:{ROOT / 'stubs'}"]
    if plugin:
        lines.append("plugins = ownarray.mypy")
    path = folder / "mypy.ini"
    path.write_text("\n".join(lines) + "\n")
    return path


def _mypy(*, plugin: bool) -> Variant:
    def build(quick: bool) -> Case:
        folder = _program(quick)
        command = [sys.executable, "-m", "mypy", "--config-file", str(_config(folder, plugin))]
        command += ["--cache-dir", str(folder / "cache"), str(folder / "program.py")]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)  # warm: the libraries

        def call() -> float:
            program = folder / "program.py"
            program.write_text(program.read_text() + "# changed\n")
            start = time.perf_counter()
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            spent = time.perf_counter() - start
            if done.returncode:
                raise RuntimeError(f"mypy: {done.stdout[-500:]}{done.stderr[-500:]}")
            return spent

        return Once(call=call)

    return Variant(needs="mypy", build=build)


def _check(quick: bool) -> Case:
    folder = _program(quick)
    command = [sys.executable, "-m", "ownarray", "check", str(folder / "program.py")]

    def call() -> None:
        subprocess.run(command, cwd=ROOT, capture_output=True, check=True)

    return Once(call=call)


TOPICS = (
    Topic(
        name="checker",
        title="Checking 3,500 dense lines after an edit",
        variants={
            "mypy alone": _mypy(plugin=False),
            "mypy with ownarray.mypy": _mypy(plugin=True),
            "python -m ownarray check": Variant(needs="ownarray", build=_check),
        },
        note="mypy's cache of the libraries is warm; the checked file has changed.",
    ),
)
