"""Random programs: lines that fail at run time must be lines that the checker reports.

python -m tests.checker.fuzz FIRST COUNT     a longer run, with what was missed
"""

import random
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import ownarray as oa
from ownarray._checker.module import check_source

HEAD: Final = """\
import contextlib
import dataclasses
from dataclasses import dataclass

import numpy as np

import ownarray as oa


@dataclass
class Pair:
    x: oa.Array
    y: oa.Array


@oa.jit
def eat(x: oa.Array) -> oa.Array:
    return x * 1.0


@oa.jit
def join(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


@oa.jit
def bump(v: oa.Mut[oa.Array]) -> None:
    v += 1.0


@oa.jit
def level(a: oa.Mut[oa.Array], b: oa.Mut[oa.Array]) -> None:
    a += 1.0
    b += 1.0


@oa.jit(donate_argnums=0)
def push(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


def same(x: oa.Array) -> oa.Array:
    return x


def new() -> oa.Array:
    tick()
    return oa.ones(2)


def use(x: oa.Array) -> float:
    tick()
    return float(x[0])


def use_all(xs: list[oa.Array]) -> None:
    for x in xs:
        use(x)


"""
SETUP: Final = (
    "a = new(); b = new(); c = new()",
    "d = {'k': new(), 'j': new()}; o = Pair(new(), new()); q = Pair(new(), new())",
    "xs = [new()]; t = (new(), new())",
    "h = oa.move(new()); k = oa.move(new()); w = None",
)
EXPRESSIONS: Final = (
    "{v}",
    "{v} + 1.0",
    "oa.exp(oa.move({v}))",
    "join({v}, oa.move({u}))",
    "join(oa.move({v}), {u})",
    "new()",
    "oa.copy({v})",
    "eat(oa.move({v}))",
    "({v} if cond() else {u})",
    "same({v})",
    "d['k']",
    "o.x",
)
STATEMENTS: Final = (
    *("use({v})", "use({v})", "{v} = {e}", "{v} = {e}", "{v} = eat(oa.move({v}))"),
    *("eat(oa.move({v}))", "{v} = {u}", "{h} = oa.move({v})", "{v} = eat({h})"),
    *("{v} = {h}.take()", "{v} += 1.0", "{v}[0] = {u}[0]", "{v}[0] += 1.0"),
    *("d['k'] = eat(oa.move(d['k']))", "use(d['k'])", "eat(oa.move(d['k']))", "d['k'] = {v}"),
    *(
        "d = oa.move(d).take()",
        "{v} = d['k']",
        "d = {{**d, 'k': {e}}}",
        "use_all(list(d.values()))",
    ),
    *("use(o.x)", "eat(oa.move(o.x))", "o.x = eat(oa.move(o.x))", "o = Pair(new(), {v})"),
    *("o.x = {v}", "{v} = o.y", "oa.move(o)", "q = o", "use(q.x)"),
    *("o = dataclasses.replace(o, x={e})", "xs.append({v})", "xs = [{v}]", "use_all(xs)"),
    *("xs = [eat(oa.move(z)) for z in xs]", "xs = list(xs)", "oa.move(xs)"),
    *(
        "cond() and use(eat(oa.move({v})))",
        "{v}, {u} = {u}, {v}",
        "{v}, {u} = eat(oa.move({u})), {v}",
    ),
    *("maybe_raise()", "maybe_raise()", "w = np.asarray({v})", "w = None", "bump({v})"),
    *("level({v}, {u})", "push({v}, {u})", "{v} = push({v}, {u})", "use(({v} := {e}))"),
    *("join({e}, {e})", "t = ({v}, new())", "{v}, {u} = t", "eat(oa.move(t[0]))", "use(t[1])"),
    *("for z in xs: use(z)", "for z in xs: eat(oa.move(z))"),
    "for i, z in enumerate(xs): xs[i] = eat(oa.move(z))",
)


class Stop(BaseException):
    """A program ran for long enough."""


class Generator:
    """Writes one function; everything follows from the seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._lines: list[str] = []
        self._functions = 0

    def function(self, name: str) -> list[str]:
        """Return the lines of a function."""
        self._lines = [f"def {name}() -> None:", *(f"    {line}" for line in SETUP)]
        for _ in range(self._random.randrange(4, 9)):
            self._statement(1, 3, loop=False)
        return [*self._lines, "    use(a); use(b)", ""]

    def _write(self, indent: int, text: str) -> None:
        self._lines.append("    " * indent + text)

    def _fill(self, template: str) -> str:
        v, u = self._random.sample("abc", 2)
        fields = {"v": v, "u": u, "h": self._random.choice("hk")}
        text = template.replace("{e}", "\0")
        text = text.format(**fields)
        while "\0" in text:
            v, u = self._random.sample("abc", 2)
            text = text.replace("\0", self._random.choice(EXPRESSIONS).format(v=v, u=u), 1)
        return text

    def _simple(self, indent: int, *, loop: bool) -> None:
        if self._random.random() < 0.05:
            self._closure(indent)
        elif loop and self._random.random() < 0.04:
            self._write(indent, self._random.choice(["break", "continue"]))
        else:
            self._write(indent, self._fill(self._random.choice(STATEMENTS)))

    def _closure(self, indent: int) -> None:
        self._functions += 1
        name = f"g{self._functions}"
        self._write(indent, f"def {name}():")
        if self._random.random() < 0.5:
            self._write(indent + 1, self._fill("use({v})"))
        else:
            v = self._random.choice("abc")
            self._write(indent + 1, f"nonlocal {v}; {v} = eat(oa.move({v}))")
        self._write(indent, f"{name}()")

    def _block(self, indent: int, depth: int, *, loop: bool) -> None:
        for _ in range(self._random.randrange(1, 4)):
            self._statement(indent, depth, loop=loop)

    def _statement(self, indent: int, depth: int, *, loop: bool) -> None:
        if depth <= 0 or self._random.random() < 0.6:
            self._simple(indent, loop=loop)
            return
        kind = self._random.choice(
            ["if", "else", "for", "while", "true", "except", "finally", "with"]
        )
        heads = {
            "for": "for _ in range(number()):",
            "while": "while cond():",
            "true": "while True:",
        }
        if kind in {"if", "else"}:
            self._write(indent, "if cond():")
        elif kind in heads:
            self._write(indent, heads[kind])
        elif kind == "with":
            self._write(indent, "with contextlib.suppress(ValueError):")
        else:
            self._write(indent, "try:")
        inside = loop or kind in heads
        self._block(indent + 1, depth - 1, loop=inside)
        if kind == "true":
            self._write(indent + 1, "if cond(): break")
        tail = {"else": "else:", "except": "except ValueError:", "finally": "finally:"}.get(kind)
        if tail:
            self._write(indent, tail)
            self._block(indent + 1, depth - 1, loop=loop and kind != "finally")


class Outcome(NamedTuple):
    """One line that failed at run time, and how."""

    program: int
    line: int
    slug: str
    text: str


def source(first: int, count: int) -> tuple[str, dict[int, int]]:
    """Return a module of random functions, and the first line of each."""
    lines = HEAD.splitlines()
    starts = {}
    for seed in range(first, first + count):
        starts[seed] = len(lines) + 1
        lines += Generator(seed).function(f"program_{seed}")
    return "\n".join(lines) + "\n", starts


def missed(path: Path, first: int, count: int, rounds: int) -> tuple[int, list[Outcome]]:
    """Return how many lines failed at run time, and those that the checker did not report."""
    text, starts = source(first, count)
    path.write_text(text, encoding="utf-8")
    failed = dict(_failures(text, str(path), starts, rounds))
    reported = {report.pos.line for report in check_source(text, str(path))}
    lines = text.splitlines()
    wrong = []
    for (seed, line), (slug, passed) in failed.items():
        if not passed & reported:
            wrong.append(Outcome(seed, line, slug, lines[line - 1].strip()))
    return len(failed), wrong


def _failures(
    text: str, path: str, starts: dict[int, int], rounds: int
) -> Iterator[tuple[tuple[int, int], tuple[str, set[int]]]]:
    """Run each program with several random choices; yield where ownership was broken."""
    choice = random.Random(0)
    steps = [0]

    def tick() -> None:
        steps[0] += 1
        if steps[0] > 250:
            raise Stop

    def cond() -> bool:
        tick()
        return choice.random() < 0.5

    def maybe_raise() -> None:
        tick()
        if choice.random() < 0.4:
            raise ValueError

    names: dict[str, Any] = {
        "tick": tick,
        "cond": cond,
        "maybe_raise": maybe_raise,
        "number": lambda: choice.randrange(3),
        "__name__": "fuzzed",
    }
    sys.modules["fuzzed"] = type(sys)("fuzzed")  # dataclasses look it up
    exec(compile(text, path, "exec"), names)
    for seed in starts:
        for i in range(rounds):
            choice.seed((seed << 16) + i)
            steps[0] = 0
            error = _run(names[f"program_{seed}"])
            if error is None or isinstance(error, oa.SharedArrayError):
                continue
            frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
            passed = {f.lineno for f in frames if f.lineno is not None}
            first = next(f.lineno for f in frames if f.name == f"program_{seed}")
            yield (seed, first or 0), (error.slug, passed)


def _run(program: Callable[[], None]) -> oa.OwnershipError | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            program()
    except oa.OwnershipError as error:
        return error
    except (Stop, ValueError, TypeError, LookupError, UnboundLocalError):
        return None
    return None


if __name__ == "__main__":
    total, wrong = missed(Path("fuzzed.py"), int(sys.argv[1]), int(sys.argv[2]), 25)
    print(f"{total} failing lines, {len(wrong)} missed", *wrong, sep="\n")
