"""From a program to the StableHLO text of one module, with its aliases and source lines."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from ownarray._core.builder import Builder, Region, Value
from ownarray._core.program import Literal, Program, Var
from ownarray._lower.types import dense, tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._source import Site


@dataclass(slots=True)
class _Writer:
    """Writes operations; nested writers share the counter and the current source line."""

    platform: str
    numbers: count[int]
    lines: list[str]
    locations: dict[tuple[int, int], str]
    """The text of each place in the user's program, by code object and instruction."""
    location: str = ""

    def op(
        self,
        name: str,
        operands: Sequence[Value],
        out: ShapedArray,
        attrs: str = "",
        regions: Sequence[Region] = (),
    ) -> Value:
        return self.multi_op(name, operands, [out], attrs, regions)[0]

    def multi_op(
        self,
        name: str,
        operands: Sequence[Value],
        outs: Sequence[ShapedArray],
        attrs: str = "",
        regions: Sequence[Region] = (),
    ) -> list[Value]:
        number = next(self.numbers)
        left = ""
        if outs:
            left = f"%{number} = " if len(outs) == 1 else f"%{number}:{len(outs)} = "
        inside = f"({', '.join(r.text for r in regions)}) " if regions else ""
        types = ", ".join([tensor(value.aval) for value in operands])
        results = ", ".join([tensor(aval) for aval in outs])
        names = ", ".join([value.name for value in operands])
        self.lines.append(
            f'{left}"{name}"({names}) {inside}{{{attrs}}} : ({types}) -> ({results}){self.location}'
        )
        if len(outs) == 1:
            return [Value(f"%{number}", outs[0])]
        return [Value(f"%{number}#{i}", aval) for i, aval in enumerate(outs)]

    def constant(self, value: object, aval: ShapedArray) -> Value:
        return self.op("stablehlo.constant", [], aval, f"value = {dense(value, aval)}")

    def region(
        self, avals: Sequence[ShapedArray], body: Callable[[Builder, list[Value]], Sequence[Value]]
    ) -> Region:
        inner = _Writer(self.platform, self.numbers, [], self.locations, self.location)
        arguments = [Value(f"%{next(self.numbers)}", aval) for aval in avals]
        results = body(inner, arguments)
        inner.multi_op("stablehlo.return", results, [])
        head = ", ".join(f"{value.name}: {tensor(value.aval)}" for value in arguments)
        label = f"^bb0({head}):\n" if arguments else ""
        return Region("{\n" + label + "\n".join(inner.lines) + "\n}")

    def inline(self, program: Program, values: Sequence[Value]) -> list[Value]:
        known: dict[Var, Value] = dict(zip(program.params, values, strict=True))
        outer = self.location

        def value(atom: Var | Literal) -> Value:
            if isinstance(atom, Var):
                return known[atom]
            return self.constant(atom.value, atom.aval)

        for eqn in program.eqns:
            self.location = self._location(eqn.site) if eqn.site else outer
            inputs = [value(atom) for atom in eqn.inputs]
            avals = [var.aval for var in eqn.outs]
            if eqn.primitive.multiple:
                results = eqn.primitive.lower(self, avals, *inputs, **eqn.params)
            else:
                results = [eqn.primitive.lower(self, avals[0], *inputs, **eqn.params)]
            known.update(zip(eqn.outs, results, strict=True))
        self.location = outer
        return [value(atom) for atom in program.outs]

    def _location(self, site: Site) -> str:
        key = (id(site.code), site.instruction)
        found = self.locations.get(key)
        if found is None:
            name = site.file.replace("\\", "\\\\").replace('"', '\\"')
            found = self.locations[key] = f' loc("{name}":{site.line}:0)'
        return found


def lower(
    program: Program,
    donor_of: Sequence[int | None] = (),
    *,
    platform: str = "cpu",
    spare: Mapping[int, int] | None = None,
) -> str:
    """Return the text of a program.

    Parameters
    ----------
    program : Program
    donor_of : sequence of int or None
        For each output, the parameter in whose memory it is written.
    platform : str
        For which device.
    spare : mapping of output to position, optional
        Outputs that are written into dead memory, passed as extra parameters behind the program's
        own, in this order (0 is the first extra parameter).

    Returns
    -------
    str
        A module whose function ``main`` has the program's parameters and results.
    """
    writer = _Writer(platform, count(), [], {})
    aliases = {donor: out for out, donor in enumerate(donor_of) if donor is not None}
    extra = sorted((spare or {}).items(), key=lambda pair: pair[1])
    for out, position in extra:
        aliases[len(program.params) + position] = out
    avals = [*program.in_avals, *[program.out_avals[out] for out, _ in extra]]
    values = [Value(f"%arg{i}", aval) for i, aval in enumerate(avals)]
    results = writer.inline(program, values[: len(program.params)])
    heads = []
    for i, value in enumerate(values):
        attrs = f" {{tf.aliasing_output = {aliases[i]} : i32}}" if i in aliases else ""
        heads.append(f"{value.name}: {tensor(value.aval)}{attrs}")
    types = ", ".join([tensor(value.aval) for value in results])
    names = ", ".join([value.name for value in results])
    end = f"return {names} : {types}" if results else "return"
    body = "\n".join([*writer.lines, end])
    head = f"func.func public @main({', '.join(heads)}) -> ({types})"
    return f"module @ownarray {{\n{head} {{\n{body}\n}}\n}}\n"
