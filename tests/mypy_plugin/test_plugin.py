"""How the plugin behaves in mypy: caches, changed dependencies, comments, neighbours, faults."""

import subprocess
import sys
from pathlib import Path

import pytest

from ownarray.mypy import digest
from tests.mypy_plugin.run import ROOT, config, errors, mypy

pytestmark = pytest.mark.slow

LIBRARY = """\
import ownarray as oa


@oa.jit
def step(v: {mode}) -> oa.Array:
    return v * 2.0


def spend(h: oa.Moved[oa.Array]) -> float:
    return float(oa.sum(h.take()))
"""
USER = """\
import ownarray as oa
from library import spend, step


def one() -> None:
    x = oa.ones(3)
    step(oa.move(x))
    oa.sum(x)


def two() -> None:
    x = oa.ones(3)
    step(x)


class Owner:
    def three(self) -> None:
        x = oa.ones(3)
        spend(oa.move(x))
        oa.sum(x)


z = oa.ones(2)
spend(oa.move(z))
oa.sum(z)
"""
FOUND = {8: {"use-after-move"}, 20: {"use-after-move"}, 25: {"use-after-move"}}


def project(folder: Path, mode: str = "oa.Array") -> tuple[str, ...]:
    (folder / "library.py").write_text(LIBRARY.format(mode=mode), encoding="utf-8")
    (folder / "user.py").write_text(USER, encoding="utf-8")
    return "--config-file", str(config(folder)), "library.py", "user.py"


def test_cold_warm_and_changed_dependency(tmp_path: Path) -> None:
    arguments = project(tmp_path)
    assert errors(mypy(tmp_path, *arguments)) == {"user.py": FOUND}
    assert errors(mypy(tmp_path, *arguments)) == {"user.py": FOUND}
    project(tmp_path, "oa.Owned[oa.Array]")
    assert errors(mypy(tmp_path, *arguments)) == {"user.py": {**FOUND, 13: {"needs-move"}}}


def test_daemon_with_changed_dependency(tmp_path: Path) -> None:
    arguments = project(tmp_path)
    daemon = ("mypy.dmypy", "--status-file", str(tmp_path / "status.json"))
    try:
        for _ in range(2):
            said = mypy(tmp_path, "run", "--", *arguments, program=daemon)
            assert errors(said) == {"user.py": FOUND}
        project(tmp_path, "oa.Owned[oa.Array]")
        said = mypy(tmp_path, "run", "--", *arguments, program=daemon)
        assert errors(said) == {"user.py": {**FOUND, 13: {"needs-move"}}}
        project(tmp_path)
        said = mypy(tmp_path, "run", "--", *arguments, program=daemon)
        assert errors(said) == {"user.py": FOUND}
    finally:
        subprocess.run(
            [sys.executable, "-m", *daemon, "stop"], check=False, capture_output=True, timeout=60
        )


def test_messages_notes_and_ignores(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(
        "import ownarray as oa\n"
        "x = oa.ones(3)\n"
        "y = x\n"
        "oa.exp(oa.move(y))\n"
        "print('é', x)\n"
        "print(x)  # type: ignore[use-after-move]\n"
        "print(x.shape)  # type: ignore[use-after-move]\n",
        encoding="utf-8",
    )
    said = mypy(tmp_path, "--config-file", str(config(tmp_path)), "user.py")
    assert errors(said) == {"user.py": {5: {"use-after-move"}, 7: {"unused-ignore"}}}
    text = next(one["text"] for one in said if one["line"] == "5" and one["kind"] == "error")
    assert text == (
        "use-after-move: x was moved at user.py:4 as y. Fix: use the result of the call that it"
        " was moved to, or move a copy: oa.copy(...)."
    )
    notes = [(one["line"], one["text"]) for one in said if one["kind"] == "note"]
    assert notes == [("4", "y was moved here")]


def test_signatures_of_compiled_functions(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(
        """\
import numpy as np
import ownarray as oa


@oa.jit
def f(x: oa.Array, pair: tuple[oa.Array, oa.Array], *, lr: float = 0.1) -> oa.Array:
    return x * lr


@oa.jit
def g(x: oa.Owned[oa.Array], tree: dict[str, oa.Array]) -> oa.Array:
    return x


class Model:
    @oa.jit
    def step(self, x: oa.Array, n: int = 1) -> oa.Array:
        return x


a, b = oa.ones(1), oa.ones(1)
f(np.ones(3), (oa.move(a), b), lr=0.2)
g(oa.move(oa.ones(1)), {"w": oa.move(oa.ones(1)), "b": b})
Model().step(oa.move(oa.ones(1)), n=2)
reveal_type(f(b, (b, b)))
f(b, (b, b), rate=1.0)
f("text", (b, b))
g(np.ones(3), {"w": b})
Model().step(b, n="two")
f()
""",
        encoding="utf-8",
    )
    said = mypy(tmp_path, "--config-file", str(config(tmp_path)), "user.py")
    assert errors(said) == {
        "user.py": {
            26: {"call-arg"},
            27: {"arg-type"},
            28: {"arg-type"},
            29: {"arg-type"},
            30: {"call-arg"},
        }
    }
    assert any('"ownarray.Array"' in one["text"] for one in said if one["line"] == "25")


def test_partial_static_and_carries(tmp_path: Path) -> None:
    (tmp_path / "typed.py").write_text(
        """\
import functools
import ownarray as oa


@oa.jit
def step(x: oa.Array, y: oa.Array) -> oa.Array:
    return x + y


class Model:
    @staticmethod
    @oa.jit
    def double(x: oa.Array) -> oa.Array:
        return x * 2.0


def swap(i: oa.Array, carry: tuple[oa.Array, oa.Array]) -> tuple[oa.Array, oa.Array]:
    x, y = carry
    return y, x


def fresh() -> oa.Array:
    return oa.ones(2)


later = functools.partial(step, oa.move(fresh()))
later(fresh())
functools.partial(step, y=fresh())(oa.move(fresh()))
functools.partial(step, "text")
Model.double(oa.move(fresh()))
Model().double(fresh())
Model().double(fresh(), fresh())
pair = oa.fori_loop(0, 3, swap, (oa.move(fresh()), oa.move(fresh())))
pair[0].take()
oa.while_loop(lambda c: c[0][0] < 3, lambda c: (c[0] + 1.0, c[1]), (oa.move(fresh()), fresh()))
oa.fixed_point(lambda c: {"x": c["x"] * 0.5}, 3, {"x": oa.move(fresh())})["x"] + 1.0
rows = oa.ones((3, 2))
oa.scan(lambda c, x: ((c[0] + x, c[1]), x), (oa.move(fresh()), fresh()), rows, reverse=True)
oa.fori_loop(0, 3, swap, (oa.move(fresh()), "text"))
""",
        encoding="utf-8",
    )
    found = errors(mypy(tmp_path, "--config-file", str(config(tmp_path)), "typed.py"))
    assert found["typed.py"] == {
        29: {"arg-type"},
        32: {"call-arg"},
        34: {"call-arg"},
        39: {"arg-type"},
    }


def test_called_later_and_branches(tmp_path: Path) -> None:
    (tmp_path / "later.py").write_text(
        """\
import asyncio
from concurrent.futures import ThreadPoolExecutor

import ownarray as oa


@oa.jit
def scaled(x: oa.Array, n: int = 1) -> oa.Array:
    return x * n


def first(x: oa.Array, n: int) -> oa.Array:
    return x


async def main(pool: ThreadPoolExecutor) -> None:
    x = oa.ones(2)
    reveal_type(pool.submit(scaled, oa.move(x)).result())
    pool.submit(scaled, x, n=2)
    pool.submit(scaled, "text")
    reveal_type(await asyncio.to_thread(scaled, oa.move(oa.ones(2)), n=3))


a, b = oa.ones(2), oa.ones(2)
reveal_type(oa.cond(True, lambda u, v: u + v, lambda u, v: u - v, oa.move(a), b))
oa.cond(True, first, first, oa.move(oa.ones(2)), 3)
oa.cond(True, first, first, b)
oa.cond(b[0] > 0, scaled, scaled, b)
operands = (b, 2)
oa.cond(True, first, first, *operands)
""",
        encoding="utf-8",
    )
    said = mypy(tmp_path, "--config-file", str(config(tmp_path)), "later.py")
    assert errors(said)["later.py"] == {
        19: {"use-after-move"},
        20: {"arg-type"},
        27: {"arg-type"},
    }
    revealed = [one["text"] for one in said if one["text"].startswith("Revealed")]
    assert revealed == ['Revealed type is "ownarray.Array"'] * 3


def test_a_compiled_function_stands_where_handles_are_given(tmp_path: Path) -> None:
    (tmp_path / "passed.py").write_text(
        """\
import asyncio
import contextvars
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import ownarray as oa

T = TypeVar("T")


@oa.jit
def eat(x: oa.Owned[oa.Array]) -> oa.Array:
    return x + 1


@oa.jit
def read(x: oa.Array) -> oa.Array:
    return x + 1


@oa.jit(static_argnames="n")
def maybe(x: oa.Owned[oa.Array | None], n: int) -> int:
    return n


@dataclass
class Net:
    w: oa.Array

    @oa.jit
    def step(self, x: oa.Owned[oa.Array]) -> oa.Array:
        return x + self.w


class Spends(Protocol):
    def __call__(self, x: oa.Moved[oa.Array]) -> oa.Array: ...


def twice(fun: Callable[[T], T], x: T) -> T:
    return fun(fun(x))


def give(fun: Callable[[oa.Moved[oa.Array]], oa.Array]) -> oa.Array:
    return fun(oa.move(oa.ones(2)))


many: list[Callable[[oa.Moved[oa.Array]], oa.Array]] = [eat, read, Net(oa.ones(2)).step]
named: dict[str, Callable[[oa.Moved[oa.Array]], oa.Array]] = {"eat": eat}
spends: Spends = eat
lent: list[Callable[[oa.Array], oa.Array]] = [eat, read]
typed: list[oa.Jitted[[oa.Owned[oa.Array]], oa.Array]] = [eat]
free = [eat, read]
give(eat)
give(maybe)
reveal_type(twice(read, oa.ones(2)))


def use() -> None:
    a = oa.ones(2)
    many[0](oa.move(a))
    print(a)
    b = oa.ones(2)
    named["eat"](b)
    typed[0](b)
    free[0](oa.move(b))
    maybe(b, 1)
    c = oa.ones(2)
    eat(c)


async def main() -> None:
    loop = asyncio.get_running_loop()
    a = oa.ones(2)
    reveal_type(await loop.run_in_executor(None, eat, oa.move(a)))
    loop.call_soon(eat, oa.move(oa.ones(2)))
    contextvars.copy_context().run(eat, oa.move(oa.ones(2)))
    loop.call_soon(eat, "text")
    print(a)
""",
        encoding="utf-8",
    )
    said = mypy(tmp_path, "--config-file", str(config(tmp_path)), "passed.py")
    assert errors(said)["passed.py"] == {
        55: {"arg-type"},
        62: {"use-after-move"},
        64: {"arg-type"},
        65: {"needs-move"},
        67: {"needs-move", "use-after-move"},
        69: {"needs-move"},
        78: {"arg-type"},
        79: {"use-after-move"},
    }
    revealed = [one["text"] for one in said if one["text"].startswith("Revealed")]
    assert revealed == ['Revealed type is "ownarray.Array"'] * 2


def test_what_is_assigned_to_does_not_decide_what_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "assigned.py").write_text(
        """\
from collections.abc import Callable

import ownarray as oa


def one(x: oa.Array) -> oa.Array:
    return x


def two(x: oa.Array) -> oa.Array:
    return x + 1


class Trainer:
    def __init__(self) -> None:
        self.state = oa.ones(2)
        self.update = oa.jit(one, donate_argnums=(0,))
        self.other = oa.jit(donate_argnums=(0,))(one)

    def run(self) -> None:
        self.state = self.update(self.state)
        self.state = self.other(self.state)
        self.update = oa.jit(two)


f = oa.jit(one)
f = oa.jit(two)
g = oa.jit(static_argnums=())(one)
g = oa.jit(static_argnums=())(two)
many: list[Callable[[oa.Moved[oa.Array]], oa.Array]] = [oa.jit(one), f, g]
typed: dict[str, oa.Jitted[[oa.Array], oa.Array]] = {"one": oa.jit(one), "f": f}
plain: Callable[[oa.Array], oa.Array] = oa.jit(lambda x: x + 1)
wrong: Callable[[str], oa.Array] = oa.jit(one)
""",
        encoding="utf-8",
    )
    said = mypy(tmp_path, "--config-file", str(config(tmp_path)), "assigned.py")
    assert errors(said)["assigned.py"] == {33: {"assignment"}}


def test_numbers_of_a_carry_are_arrays(tmp_path: Path) -> None:
    (tmp_path / "carried.py").write_text(
        """\
import ownarray as oa


def more(c: tuple[oa.Array, oa.Array]) -> oa.Array:
    return c[1] < 3


def step(c: tuple[oa.Array, oa.Array]) -> tuple[oa.Array, oa.Array]:
    return c[0], c[1] + 1


def typed(i: oa.Array, c: tuple[oa.Array, int]) -> tuple[oa.Array, int]:
    return c


def wrong(i: oa.Array, c: tuple[oa.Array, str]) -> tuple[oa.Array, str]:
    return c


def added(total: oa.Array, x: oa.Array) -> tuple[oa.Array, oa.Array]:
    return total + x, total


x = oa.ones(2)
reveal_type(oa.while_loop(more, step, oa.move((x + 1, 0))))
reveal_type(oa.while_loop(more, step, (oa.move(x + 1), 0)))
reveal_type(oa.fori_loop(0, 3, lambda i, c: (c[0], c[1] + i), (x, 0.0)))
reveal_type(oa.scan(added, 0.0, x))
oa.fori_loop(0, 3, typed, (x, 0))
oa.fori_loop(0, 3, wrong, (x, 0))
reveal_type(oa.fori_loop(0, 3, lambda i, c: c, {1: 0}))
""",
        encoding="utf-8",
    )
    said = mypy(tmp_path, "--config-file", str(config(tmp_path)), "carried.py")
    assert errors(said)["carried.py"] == {30: {"arg-type"}}
    revealed = [one["text"] for one in said if one["text"].startswith("Revealed")]
    pair = 'Revealed type is "tuple[ownarray.Array, ownarray.Array]"'
    assert revealed == [pair] * 4 + ['Revealed type is "dict[int, ownarray.Array]"']


def test_several_workers(tmp_path: Path) -> None:
    from mypy.options import Options

    if not hasattr(Options(), "num_workers"):
        pytest.skip("this mypy has no option -n")
    names = project(tmp_path)
    plain = mypy(tmp_path, "--config-file", str(config(tmp_path)), "--no-incremental", *names)
    assert errors(plain)
    for _ in range(2):  # with and without a cache
        said = mypy(tmp_path, "--config-file", str(config(tmp_path)), "-n", "2", *names)
        assert errors(said) == errors(plain)


def test_beside_other_plugins(tmp_path: Path) -> None:
    pytest.importorskip("pydantic")
    arguments = project(tmp_path)
    plugins = "pydantic.mypy, ownarray.mypy, numpy.typing.mypy_plugin"
    config(tmp_path, plugins=plugins)
    found = errors(mypy(tmp_path, *arguments, "--no-incremental"))
    assert found["user.py"] == FOUND


def test_a_fault_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "import ownarray.mypy.trigger as trigger\n"
        "from ownarray.mypy import plugin as plugin\n"
        "def fail(*args, **kwargs):\n"
        "    raise ZeroDivisionError('on purpose')\n"
        "trigger.Module = fail\n",
        encoding="utf-8",
    )
    arguments = project(tmp_path)
    config(tmp_path, plugins=str(tmp_path / "broken.py"))
    said = mypy(tmp_path, *arguments)
    found = errors(said)
    assert found["user.py"] == {1: {"checker-crash"}}
    assert any("user.py" in one["text"] and "on purpose" in one["text"] for one in said)


def test_module_without_ownership_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("x: int = 1\nprint(x)\n", encoding="utf-8")
    assert mypy(tmp_path, "--config-file", str(config(tmp_path)), "plain.py") == []


def test_import_is_light() -> None:
    code = (
        "import sys, ownarray.mypy;"
        "print([m for m in ('numpy', 'jaxlib', 'jax') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


def test_private_names_of_mypy_are_there() -> None:
    from mypy.checker import TypeChecker
    from mypy.errors import ErrorInfo, Errors
    from mypy.options import Options

    from ownarray.mypy import names

    made = Errors(Options())
    assert hasattr(made, "_watchers")
    assert hasattr(made, "error_info_map")
    assert hasattr(made, "read_source")
    assert {"defer_node", "deferred_nodes", "_type_maps"} <= set(dir(TypeChecker))
    assert {"code", "target"} <= set(dir(ErrorInfo))
    assert names.MOVES


def test_the_cache_goes_when_the_checker_changes(tmp_path: Path) -> None:
    (tmp_path / "_checker").mkdir()
    rule = tmp_path / "_checker" / "rule.py"
    rule.write_text("one", encoding="utf-8")
    before = digest(tmp_path)
    assert digest(tmp_path) == before
    rule.write_text("two", encoding="utf-8")
    assert digest(tmp_path) != before
