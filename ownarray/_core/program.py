"""Programs as data: typed equations in first-order form, each variable bound once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from ownarray._core.aval import ShapedArray

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np

    from ownarray._core.dtypes import DType
    from ownarray._core.primitive import Primitive
    from ownarray._source import Site


class Var:
    """A variable; equal to itself only."""

    __slots__ = ("aval",)

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval

    def __repr__(self) -> str:
        return f"Var({self.aval})"


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A known scalar in a program.

    Attributes
    ----------
    value : NumPy scalar
        Filled into the whole shape of the aval.
    aval : ShapedArray
    """

    value: np.generic
    aval: ShapedArray


Atom = Var | Literal


@dataclass(frozen=True, slots=True, eq=False)
class Eqn:
    """One application of a primitive."""

    primitive: Primitive
    inputs: tuple[Atom, ...]
    params: Mapping[str, Any]
    outs: tuple[Var, ...]
    site: Site | None = None
    """Where the user's program asked for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A traced function.

    Attributes
    ----------
    params : tuple of Var
        Its parameters, captured arrays behind the declared ones.
    eqns : tuple of Eqn
        In an order in which every variable is bound before it is read.
    outs : tuple of Var or Literal
        Its results.
    """

    params: tuple[Var, ...]
    eqns: tuple[Eqn, ...]
    outs: tuple[Atom, ...]

    @property
    def in_avals(self) -> tuple[ShapedArray, ...]:
        """The avals of the parameters."""
        return tuple([var.aval for var in self.params])

    @property
    def out_avals(self) -> tuple[ShapedArray, ...]:
        """The avals of the results."""
        return tuple([atom.aval for atom in self.outs])

    def __str__(self) -> str:
        return pretty(self)


def literal(value: complex, dtype: DType) -> Literal:
    """Return a scalar of a dtype as a literal."""
    return Literal(dtype.type(value), ShapedArray((), dtype))


def subprograms(params: Mapping[str, Any]) -> list[Program]:
    """Return the programs among an equation's parameters: bodies of loops and branches."""
    found: list[Program] = []
    for value in params.values():
        if isinstance(value, Program):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(item for item in value if isinstance(item, Program))
    return found


def without_dead_code(program: Program) -> Program:
    """Return the program without the equations that no result needs."""
    needed = {atom for atom in program.outs if isinstance(atom, Var)}
    kept: list[Eqn] = []
    for eqn in reversed(program.eqns):
        if needed.isdisjoint(eqn.outs):
            continue
        kept.append(eqn)
        needed.update(atom for atom in eqn.inputs if isinstance(atom, Var))
    return Program(program.params, tuple(reversed(kept)), program.outs)


def used_params(program: Program) -> list[bool]:
    """Return for each parameter whether an equation or a result reads it."""
    read: set[Atom] = set(program.outs)
    for eqn in program.eqns:
        read.update(eqn.inputs)
    return [var in read for var in program.params]


def _names() -> Iterator[str]:
    for length in count(1):
        for letters in product(ascii_lowercase, repeat=length):
            yield "".join(letters)


def pretty(program: Program, indent: str = "") -> str:
    """Return a program as text: one line an equation, with the user's line behind it."""
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
