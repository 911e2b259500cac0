"""What the demonstrations share: fresh processes, a table, both reports of a use after a move."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import ownarray as oa
from benchmarks.memory import peak_memory, resident

ROOT = Path(__file__).resolve().parent.parent
OUT = Path("out")
WRONG_PROGRAM = Path("examples/wrong/forgotten_name.py")
MODES = ("move", "copy")
MEBIBYTE = 1 << 20

T = TypeVar("T")


@dataclass(frozen=True)
class Outcome:
    """What one run measured."""

    seconds_per_step: float
    state_bytes: int
    peak_over_state: float
    quality: float
    memory_method: str


def measure_memory(make: Callable[[], T], run: Callable[[T], object]) -> tuple[float, str]:
    """Make a state and run on it; return the peak of resident bytes over what was there before.

    Call it when the functions are compiled, so that what compilation keeps is not counted.
    """
    before = resident()
    state = make()
    with peak_memory() as peak:
        run(state)
    return peak.n_bytes - before, peak.method


def report(outcome: Outcome) -> None:
    """Hand an outcome to the process that started this one."""
    print(json.dumps(asdict(outcome)))


def run_both(module: str, *options: str) -> dict[str, Outcome]:
    """Run the module once with move and once with copy semantics, each in a fresh process."""
    found = {}
    for mode in MODES:
        command = [sys.executable, "-m", module, "--worker", mode, *options]
        environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        found[mode] = Outcome(**json.loads(done.stdout.splitlines()[-1]))
    return found


def print_table(found: dict[str, Outcome], quality: str) -> None:
    """Print what both runs took."""
    print(f"\n{'':16}{'time per step':>15}{'peak memory':>14}{'over state':>12}{quality:>18}")
    for mode, outcome in found.items():
        peak = outcome.peak_over_state * outcome.state_bytes / MEBIBYTE
        print(
            f"{mode + ' semantics':16}{outcome.seconds_per_step * 1e3:12.1f} ms"
            f"{peak:11.0f} MB{outcome.peak_over_state:11.2f}x{outcome.quality:18.4g}"
        )
    print(f"(the state is {found['move'].state_bytes / MEBIBYTE:.0f} MB)\n")


def show_use_after_move(use: Callable[[], object]) -> None:
    """Run a use of a dead name and print what the library says."""
    print("A use after the move, at run time:")
    try:
        use()
    except oa.UseAfterMoveError as error:
        print(f"  UseAfterMoveError: {error}\n")
    else:
        raise AssertionError("a use after a move went unnoticed")


def show_checker() -> None:
    """Let mypy judge a small wrong program before it runs."""
    print(f"mypy, before anything runs, on {WRONG_PROGRAM}:")
    command = [sys.executable, "-m", "mypy", "--config-file", "examples/wrong/mypy.ini"]
    done = subprocess.run(
        [*command, str(WRONG_PROGRAM)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 1 or "use-after-move" not in done.stdout:
        raise AssertionError(f"mypy did not report it: {done.stdout}{done.stderr}")
    print("".join(f"  {line}\n" for line in done.stdout.splitlines()))
