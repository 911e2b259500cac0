"""Random programs for the fuzzer: everything in them follows from a seed."""

import random
import re
from typing import Final

HEAD: Final = """\
import contextlib
import copy
import dataclasses
import functools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

import numpy as np

import ownarray as oa
from ownarray import move as m

mv = oa.move


@oa.jit
def eat(x: oa.Array) -> oa.Array:
    return x * 1.0


@dataclass
class Pair:
    x: oa.Array
    y: oa.Array

    def total(self) -> float:
        return use(self.x) + use(self.y)

    def renew(self) -> None:
        self.x = eat(oa.move(self.x))

    def give(self) -> oa.Array:
        return self.y

    @property
    def first(self) -> oa.Array:
        return self.x


class Row(NamedTuple):
    x: oa.Array
    y: oa.Array


@dataclass
class Box:
    pair: Pair
    items: list[oa.Array]


class Quiet:
    def __enter__(self) -> "Quiet":
        return self

    def __exit__(self, *error: object) -> bool:
        return True


@oa.jit
def join(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


@oa.jit
def absorb(a: oa.Owned[oa.Array]) -> oa.Array:
    return a + 1.0


@oa.jit
def look(a: oa.Borrowed[oa.Array]) -> oa.Array:
    return a + 1.0


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


@oa.jit(donate_argnames="b")
def named(a: oa.Array, b: oa.Array) -> oa.Array:
    return a + b


def spend(handle: oa.Moved[oa.Array]) -> oa.Array:
    return handle.take()


def same(x: oa.Array) -> oa.Array:
    return x


def either(x: oa.Array, y: oa.Array) -> oa.Array:
    return x if cond() else y


def star(*args: oa.Array) -> oa.Array:
    return args[0]


def keyed(**kwargs: oa.Array) -> oa.Array:
    return kwargs["x"]


def put(items: list[oa.Array], x: oa.Array) -> None:
    items.append(x)


def top(items: list[oa.Array]) -> oa.Array:
    return items[-1]


def deco(f: Callable[[], None]) -> Callable[[], None]:
    return f


def stop() -> NoReturn:
    raise ValueError


def new() -> oa.Array:
    tick()
    return oa.ones(2)


def use(x: oa.Array) -> float:
    tick()
    return float(x[0])


def use_all(xs: list[oa.Array]) -> float:
    return sum(use(x) for x in xs)


def drive(coroutine) -> None:
    with contextlib.suppress(StopIteration):
        coroutine.send(None)


"""
SETUP: Final = (
    "global GG; GG = new()",
    "a = new(); b = new(); c = new()",
    "d = {'k': new(), 'j': new()}; o = Pair(new(), new()); q = Pair(new(), new())",
    "xs = [new()]; ys = [new(), new()]; t = (new(), new()); n = Row(new(), new())",
    "h = oa.move(new()); k = oa.move(new()); w = None; hs = [oa.move(new())]",
    "box = Box(Pair(new(), new()), [new()]); dq = deque([new()])",
    "f = lambda: 0.0; g = iter(())",
)
TYPES: Final = (
    "a: oa.Array; b: oa.Array; c: oa.Array",
    "d: dict[str, oa.Array]; o: Pair; q: Pair; t: tuple[oa.Array, oa.Array]; n: Row",
    "xs: list[oa.Array]; ys: list[oa.Array]; hs: list[oa.Moved[oa.Array]]",
    "h: oa.Moved[oa.Array]; k: oa.Moved[oa.Array]; box: Box; dq: deque[oa.Array]",
)
"""Every other program says the types of its variables."""
VALUES: Final = (
    *("{v}", "{v}", "{v}", "new()", "new()", "oa.copy({v})", "{v} + 1.0", "eat(oa.move({v}))"),
    *("oa.exp(oa.move({v}))", "join({v}, oa.move({u}))", "join(oa.move({v}), {u})"),
    *("same({v})", "either({v}, {u})", "star({v}, {u})", "keyed(x={v})", "star(*[{v}])"),
    *("d['k']", "o.x", "o.first", "o.give()", "q.y", "n.x", "t[0]", "t[-1]", "box.pair.x", "GG"),
    *("top(ys)", "({v} if {c} else {u})", "(None or {v})", "{h}.take()", "spend({h})"),
    *("absorb(oa.move({v}))", "absorb(m({v}))", "look({v})", "{v}.move().take()", "push({v}, {u})"),
    *("named({v}, b={u})", "[{v}, {u}][0]", "{{'z': {v}}}['z']", "max([{v}], key=use)"),
    *("Pair({v}, {u}).x", "next(iter([{v}]))", "d.get('k', {v})", "copy.copy(o).x"),
)
SIMPLE: Final = (
    *("use({v})", "use({v})", "use({v})", "{v} = {e}", "{v} = {e}", "{v} = {e}"),
    *("{v} = eat(oa.move({v}))", "eat(oa.move({v}))", "eat(mv({v}))", "eat({v}.move())"),
    *("{v} = {u}", "{v} = {u}", "{v}, {u} = {u}, {v}", "{v}, {u} = eat(oa.move({u})), {v}"),
    *("{v} = {u} = {e}", "{v}, {u} = t", "{v}, *ys = [{u}, {v}]", "*ys, {v} = [{u}, new()]"),
    *("{v} += 1.0", "{v}[0] = {u}[0]", "{v}[0] += 1.0", "del {v}", "use(({v} := {e}))"),
    *("{h} = oa.move({v})", "{h} = {v}.move()", "{v} = eat({h})", "{v} = {h}.take()"),
    *(
        "h, k = k, h",
        "hs.append({h})",
        "eat(hs.pop())",
        "{h} = oa.move({v}); {v} = oa.reclaim({v})",
        "spend({h})",
    ),
    *("oa.move([{v}, {u}]).take()", "for r in hs: eat(r)", "hs = [oa.move({v})]"),
    # dictionaries, objects, tuples
    *("d['k'] = eat(oa.move(d['k']))", "use(d['k'])", "eat(oa.move(d['k']))", "d['k'] = {e}"),
    *("d = oa.move(d).take()", "d = {{**d, 'k': {e}}}", "use_all(list(d.values()))"),
    *("d.update(k={v})", "d.update({{'j': {v}}})", "{v} = d.pop('k')", "d.setdefault('j', {v})"),
    *("for key in d: use(d[key])", "for key, z in d.items(): d[key] = eat(oa.move(z))"),
    *("for z in d.values(): eat(oa.move(z))", "del d['j']", "d = dict(d)", "d['j'] = d['k']"),
    *("use(o.x)", "eat(oa.move(o.x))", "o.x = eat(oa.move(o.x))", "o = Pair({e}, {e})"),
    *("o.x = {e}", "oa.move(o)", "q = o", "use(q.x)", "o.total()", "o.renew()", "q.renew()"),
    *("o = dataclasses.replace(o, x={e})", "q = copy.copy(o)", "o.x, o.y = o.y, o.x"),
    *("eat(oa.move(t[0]))", "use(t[1])", "t = ({v}, {e})", "n = Row({v}, new())", "use(n[0])"),
    *("eat(oa.move(n.x))", "n = n._replace(y={v})", "{v}, {u} = n", "eat(oa.move(box.pair.x))"),
    *("box.pair = o", "box.items.append({v})", "use_all(box.items)", "box.pair.total()"),
    *(
        "box.items = xs",
        "eat(oa.move(box.items[0]))",
        "GG = {e}",
        "GG = eat(oa.move(GG))",
        "use(GG)",
    ),
    # lists
    *("xs.append({v})", "xs.append({v})", "xs = [{v}]", "xs = [{v}, {u}]", "use_all(xs)"),
    *("xs.insert(0, {v})", "{v} = xs.pop()", "{v} = xs.pop(0)", "{v} = xs[-1]", "{v} = xs[0]"),
    *("xs[0] = {v}", "xs[-1] = {e}", "use(xs[0])", "use(xs[-1])", "eat(oa.move(xs[0]))"),
    *(
        "eat(oa.move(xs[-1]))",
        "xs.reverse()",
        "xs += [{v}]",
        "xs = xs + ys[:3]",
        "ys = xs",
        "xs = ys",
    ),
    *(
        "ys = xs[:]",
        "ys = list(xs)",
        "ys = xs[1:]",
        "len(xs) > 9 or xs.extend(ys)",
        "xs.clear()",
        "del xs[0]",
    ),
    *("xs = [{v}] * 2", "put(xs, {v})", "put(ys, {v})", "oa.move(xs)", "use_all(ys)"),
    *("xs[0], d['k'] = d['k'], xs[0]", "xs[0], xs[-1] = xs[-1], xs[0]", "xs = [*ys, {v}]"),
    *("xs = [eat(oa.move(z)) for z in xs]", "xs = [z for z in ys]", "for z in xs: use(z)"),
    *(
        "for z in xs: eat(oa.move(z))",
        "for z in ys[:3]: xs.append(z)",
        "for z in xs[1:]: eat(oa.move(z))",
    ),
    *("for i, z in enumerate(xs): xs[i] = eat(oa.move(z))", "while xs: eat(oa.move(xs.pop()))"),
    *("for i in range(len(xs)): eat(oa.move(xs[i]))", "for i in range(len(xs)): use(xs[i])"),
    *("for z, y in zip(xs, ys): join(oa.move(z), y)", "xs = [same(z) for z in ys]"),
    *("dq.append({v})", "{v} = dq.popleft()", "eat(oa.move(dq.popleft()))", "use_all(list(dq))"),
    # compiled functions, views
    *("bump({v})", "level({v}, {u})", "level(o.x, o.y)", "bump(xs[0])", "push({v}, {u})"),
    *("named({v}, b={u})", "join({e}, {e})", "look({v})", "absorb({v})", "look(oa.move({v}))"),
    *("w = np.asarray({v})", "w = np.asarray({v})[:1]", "w = None", "w = np.asarray(o.x)", "del w"),
    *("{v}[0:2][0] = 1.0", "print(repr({v}), {v}.shape)", "use({v}) if {c} else use({u})"),
    # functions
    *(
        "f = lambda: use({v})",
        "f = lambda x={v}: use(x)",
        "f()",
        "f()",
        "f = functools.partial(use, {v})",
    ),
    *("g = (use(z) for z in xs)", "g = (use({v}) for _ in range(1))", "g = map(use, xs)", "sum(g)"),
    "{c} and use(eat(oa.move({v})))",
    "{c} or eat(oa.move({v}))",
    "assert use({v}) is not None",
)
MANY_WAYS: Final = (
    "maybe_raise()",
    "maybe_raise()",
    "assert cond(), use({v})",
    "if cond(): stop()",
)
BLOCKS: Final = (
    "match [{v}, {u}]:\n    case [p, *r]:\n        eat(oa.move(p)); use(r[0])",
    "match o:\n    case Pair(x=p):\n        eat(oa.move(p))",
    "match o:\n    case Pair(p, r):\n        use(p); xs.append(r)",
    "match d:\n    case {{'k': p, **r}}:\n        use(p); d = r",
    "match {v}:\n    case p:\n        {u} = p",
    "with contextlib.nullcontext({v}) as p:\n    eat(oa.move(p))",
    "with Quiet():\n    {v} = eat(oa.move({v}))",
    "class K:\n    x = {v}\n    y = eat(oa.move({u}))\nuse(K.x)",
    "try:\n    eat({h})\nexcept ValueError:\n    {v} = {h}.take()",
)
FUNCTIONS: Final = (
    "def {f}():\n    use({v})\n{f}()",
    "def {f}():\n    use({v})\nf = {f}",
    "def {f}():\n    nonlocal {v}; {v} = eat(oa.move({v}))\n{f}()",
    "def {f}(x={v}):\n    return use(x)\n{f}()",
    "def {f}(x):\n    return x\n{v} = {f}({u})",
    "def {f}():\n    return {v}\n{u} = {f}()",
    "def {f}():\n    o.x = eat(oa.move(o.x))\n{f}()",
    "def {f}():\n    xs.append({v})\n{f}()",
    "def {f}():\n    def inner():\n        use({v})\n    return inner\nf = {f}()",
    "@deco\ndef {f}():\n    use({v})\n{f}()",
    "def {f}():\n    yield use({v})\ng = {f}()",
    "def {f}(x):\n    use(x)\n    yield x\nfor z in {f}({v}):\n    eat(oa.move(z))",
    "async def {f}(x):\n    use(x); use({v})\ndrive({f}({u}))",
    "async def {f}():\n    nonlocal {v}; {v} = eat(oa.move({v}))\ndrive({f}())",
)


CHANCY: Final = re.compile(r"Quiet|either|\{c\}|\[1:\]|\[:3\]|\[\*|get\(|while ")
"""What a checker must take to go several ways, even if it does not."""


class Generator:
    """Writes one function; ``straight`` if nothing in it depends on chance at run time."""

    def __init__(self, seed: int, *, straight: bool = False) -> None:
        self._random = random.Random(seed)
        self._typed = seed % 2 == 0
        self._straight = straight
        self._lines: list[str] = []
        self._functions = 0

    def function(self, name: str) -> list[str]:
        """Return the lines of a function."""
        setup = (*(TYPES if self._typed else ()), *SETUP)
        self._lines = [f"def {name}() -> None:", *(f"    {line}" for line in setup)]
        for _ in range(self._random.randrange(4, 10)):
            self._statement(1, 3, loop=False)
        return [*self._lines, "    use(a); use(b)", ""]

    def _write(self, indent: int, text: str) -> None:
        self._lines += ["    " * indent + line for line in text.split("\n")]

    def _fill(self, template: str) -> str:
        text = self._named(template)
        while "\0" in text:
            text = text.replace("\0", self._named(self._choice(VALUES)), 1)
        return text

    def _choice(self, templates: tuple[str, ...]) -> str:
        template = self._random.choice(templates)
        while self._straight and CHANCY.search(template):
            template = self._random.choice(templates)
        return template

    def _named(self, template: str) -> str:
        v, u = self._random.sample("abc", 2)
        kinds = {"v": v, "u": u, "h": self._random.choice("hk"), "c": "cond()", "e": "\0"}
        return template.format(f=f"g{self._functions}", **kinds)

    def _simple(self, indent: int, *, loop: bool) -> None:
        chance = self._random.random()
        self._functions += 1
        if chance < 0.07:
            self._write(indent, self._fill(self._choice(FUNCTIONS)))
        elif chance < 0.12:
            self._write(indent, self._fill(self._choice(BLOCKS)))
        elif chance < 0.18 and not self._straight:
            self._write(indent, self._fill(self._random.choice(MANY_WAYS)))
        elif chance < 0.22 and loop:
            self._write(indent, self._random.choice(["break", "continue", "break"]))
        else:
            self._write(indent, self._fill(self._choice(SIMPLE)))

    def _block(self, indent: int, depth: int, *, loop: bool) -> None:
        for _ in range(self._random.randrange(1, 4)):
            self._statement(indent, depth, loop=loop)

    def _statement(self, indent: int, depth: int, *, loop: bool) -> None:
        if depth <= 0 or self._straight or self._random.random() < 0.65:
            self._simple(indent, loop=loop)
            return
        kind = self._random.choice(
            ["if", "else", "for", "for", "while", "true", "except", "all", "finally", "with"]
        )
        heads = {
            "for": "for _ in range(number()):",
            "while": "while cond():",
            "true": "while True:",
            "if": "if cond():",
            "else": "if cond():",
            "with": "with contextlib.suppress(ValueError):",
        }
        self._write(indent, heads.get(kind, "try:"))
        loops = kind in {"for", "while", "true"}
        if kind == "true":
            self._write(indent + 1, "if cond(): break")
        self._block(indent + 1, depth - 1, loop=loop or loops)
        tails = {"else": ["else:"], "finally": ["finally:"], "except": ["except ValueError:"]}
        tails["all"] = ["except ValueError:", "else:", "finally:"]
        if kind in {"for", "while"} and self._random.random() < 0.3:
            tails[kind] = ["else:"]
        for tail in tails.get(kind, []):
            self._write(indent, tail)
            self._block(indent + 1, depth - 1, loop=loop and tail != "finally:")


def source(first: int, count: int, *, straight: bool = False) -> tuple[str, dict[int, range]]:
    """Return a module of random functions, and the lines of each."""
    lines = HEAD.splitlines()
    spans = {}
    for seed in range(first, first + count):
        start = len(lines) + 1
        lines += Generator(seed, straight=straight).function(f"program_{seed}")
        spans[seed] = range(start, len(lines) + 1)
    return "\n".join(lines) + "\n", spans
