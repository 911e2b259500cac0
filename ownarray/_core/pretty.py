"""Programs as text for people: one line an equation, with the user's line behind it."""

from __future__ import annotations

from itertools import count, product
from string import ascii_lowercase
from typing import TYPE_CHECKING

from ownarray._core.program import Atom, Program, Var

if TYPE_CHECKING:
    from collections.abc import Iterator


def _names() -> Iterator[str]:
    for length in count(1):
        for letters in product(ascii_lowercase, repeat=length):
            yield "".join(letters)


def pretty(program: Program, indent: str = "") -> str:
    """Return a program's text."""
    fresh = _names()
    names: dict[Var, str] = {}

    def show(atom: Atom) -> str:
        if isinstance(atom, Var):
            return names.get(atom, "?")
        return f"{atom.value!s}:{atom.aval}"

    def bind(var: Var) -> str:
        names[var] = next(fresh)
        return f"{names[var]}:{var.aval}"

    lines = [f"{indent}{{ lambda {' '.join(map(bind, program.params))} ."]
    for eqn in program.eqns:
        inputs = " ".join(map(show, eqn.inputs))
        params = " ".join(
            f"{key}=\n{pretty(value, indent + '      ')}"
            if isinstance(value, Program)
            else f"{key}={value}"
            for key, value in eqn.params.items()
        )
        outs = " ".join(map(bind, eqn.outs))
        at = f"  # {eqn.site}" if eqn.site else ""
        lines.append(f"{indent}    {outs} = {eqn.primitive.name}[{params}] {inputs}{at}")
    lines.append(f"{indent}  in ({', '.join(map(show, program.outs))}) }}")
    return "\n".join(lines)
