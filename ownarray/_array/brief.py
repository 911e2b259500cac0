"""Compiled functions so brief that NumPy has done them before a call of XLA begins.

Running an executable costs some 5 us and 1 us for each argument, whatever it computes; a function
of NumPy on eight floats costs 0.4 us. So a program of few steps on small arrays runs the host rules
of its primitives, as eager operations on such arrays do (docs/design/0003). Program and shapes
decide, never who owns an operand or where its memory was born: lent, moved and copied calls give
the same bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._array.running import BRIEF
from ownarray._array.taping import host_of
from ownarray._core.dtypes import INEXACT, SUB_BYTE
from ownarray._core.primitive import Missing, rule
from ownarray._core.program import Literal, Var
from ownarray._ops.quiet import quiet, quietly

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.program import Atom, Eqn, Program
    from ownarray._trace.bind import HostArray

# What things cost, in us, measured on arrays of eight floats (benchmarks/bench_calls.py).
_UFUNC: Final = 0.8
_OTHER_RULE: Final = 3.0
_XLA_CALL: Final = 5.0
_XLA_ARGUMENT: Final = 1.0

# With more operands than these, places are read from arrays. The host rules check them, as eager
# operations do; in a program reads take the nearest element and writes are dropped.
_WITHOUT_PLACES: Final = {"slice": 1, "update_slice": 2, "gather": 1}


class Brief:
    """A program as host rules on NumPy memory.

    First everything that reads only is computed, then results are written into the memory of their
    donors. So a rule that raises has spent nothing.

    Parameters
    ----------
    function : callable
        ``function(begun, *memory)``: see `run`.
    """

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Sequence[HostArray]]) -> None:
        self._function = function

    def run(self, memory: Sequence[HostArray], begun: list[bool]) -> Sequence[HostArray]:
        """Return the memory of the results.

        Parameters
        ----------
        memory : sequence of ndarray
            Of the parameters.
        begun : list
            Gets an entry when donors begin to be overwritten.
        """
        try:
            return quiet.run(self._function, begun, *memory)
        except RuntimeError as error:  # as in `quietly`, which would cost a call more
            if "cannot enter context" not in str(error):
                raise
        with np.errstate(all="ignore"):
            return self._function(begun, *memory)


def brief(program: Program, donor_of: Sequence[int | None]) -> Brief | None:
    """Return a program as host rules, if they cost less than a call of XLA.

    Parameters
    ----------
    program : Program
    donor_of : sequence of int or None
        For each result the parameter in whose memory it is to be written.
    """
    left = _XLA_CALL + _XLA_ARGUMENT * len(program.params)
    for eqn in program.eqns:
        left -= _cost(eqn)
        if left < 0:
            return None
    atoms: list[Atom] = [*program.params, *program.outs]
    atoms += [out for eqn in program.eqns for out in eqn.outs]
    avals = [atom.aval for atom in atoms]
    if any([aval.size > BRIEF or aval.dtype in SUB_BYTE for aval in avals]):
        return None  # int4 is packed in XLA's memory, so NumPy cannot write there
    return _Writer(program, donor_of).write()


def _cost(eqn: Eqn) -> float:
    """Return what an equation costs on the host, in us; infinity if it has to go through XLA."""
    primitive = eqn.primitive
    if isinstance(primitive.host, Missing) or primitive.multiple or not _looks_at_no_value(eqn):
        return float("inf")
    if not eqn.inputs:
        return 0.0  # a constant
    return _UFUNC if isinstance(_host(eqn), np.ufunc) else _OTHER_RULE


def _looks_at_no_value(eqn: Eqn) -> bool:
    """Return whether the host rule does the same for all values: it refuses none.

    Others may refuse some where a program must go on: a matrix that is singular, a place outside.
    """
    primitive = eqn.primitive
    n_operands = _WITHOUT_PLACES.get(primitive.name)
    if n_operands is not None:
        return len(eqn.inputs) <= n_operands
    is_float = eqn.inputs[0].aval.dtype in INEXACT if eqn.inputs else False
    is_function = is_float and isinstance(_host(eqn), np.ufunc)  # of whole numbers, some refuse
    return primitive.is_light or primitive.is_moving or is_function


class _Writer:
    """Writes a program as one function of Python: a loop over its steps would cost as much as they.

    Values have names: ``p0`` is a parameter, ``c0`` a constant, ``t0`` what a step gives.
    """

    def __init__(self, program: Program, donor_of: Sequence[int | None]) -> None:
        self._program = program
        self._donor_of = donor_of
        self._names: dict[Atom, str] = {var: f"p{i}" for i, var in enumerate(program.params)}
        self._namespace: dict[str, Any] = {"ndarray": np.ndarray, "asarray": np.asarray}
        self._steps: list[str] = []
        self._writes: list[str] = []

    def write(self) -> Brief:
        """Return the program as a function."""
        in_place = self._written_in_place()
        for eqn in self._program.eqns:
            if eqn not in in_place:
                self._step(eqn)
        for eqn, donor in in_place.items():
            self._names[eqn.outs[0]] = f"p{donor}"
            self._writes.append(self._call(eqn, f"out=p{donor}"))
        results: list[str] = []
        for atom, donor_or_none in zip(self._program.outs, self._donor_of, strict=True):
            results.append(self._result(atom, donor_or_none, results))
        params = "".join([f", p{i}" for i in range(len(self._program.params))])
        begins = ["begun.append(True)"] if self._writes else []
        body = [*self._steps, *begins, *self._writes, f"return [{', '.join(results)}]"]
        lines = [f"def function(begun{params}):", *body]
        exec("\n    ".join(lines), self._namespace)  # nothing of a user's stands in it
        return Brief(self._namespace["function"])

    def _name(self, kind: str, value: Any) -> str:
        """Return the name of something that the function uses."""
        name = f"{kind}{len(self._namespace)}"
        self._namespace[name] = value
        return name

    def _operand(self, atom: Atom) -> str:
        if isinstance(atom, Literal) and atom not in self._names:
            self._constant(atom, np.full(atom.aval.shape, atom.value, atom.aval.dtype))
        return self._names[atom]

    def _constant(self, atom: Atom, value: HostArray) -> None:
        self._names[atom] = self._name("c", value)

    def _call(self, eqn: Eqn, *more: str) -> str:
        operands = [self._operand(atom) for atom in eqn.inputs]
        return f"{self._name('h', _host(eqn))}({', '.join([*operands, *more])})"

    def _step(self, eqn: Eqn) -> None:
        """Compute a result into fresh memory; at once if it is a constant."""
        out = eqn.outs[0]
        operands = [self._operand(atom) for atom in eqn.inputs]
        if all([name.startswith("c") for name in operands]):
            values = [self._namespace[name] for name in operands]
            made = quietly(rule(eqn.primitive, "host"), *values, **eqn.params)
            self._constant(out, np.asarray(made, dtype=out.aval.dtype))
            return
        name = self._names[out] = f"t{len(self._steps)}"
        dtype = self._name("d", out.aval.dtype)
        self._steps.append(
            f"{name} = {self._call(eqn)}\n"
            f"    if type({name}) is not ndarray or {name}.dtype is not {dtype}:\n"
            f"        {name} = asarray({name}, {dtype})"
        )

    def _written_in_place(self) -> dict[Eqn, int]:
        """Return the equations whose function of NumPy can write into the memory of their donor.

        Nobody reads their result, and of all donors they read only their own; so they can run in
        any order once all else is computed.
        """
        program = self._program
        donors = {program.params[donor] for donor in self._donor_of if donor is not None}
        n_reads: dict[Atom, int] = {}
        for atom in [*program.outs, *[x for eqn in program.eqns for x in eqn.inputs]]:
            n_reads[atom] = n_reads.get(atom, 0) + 1
        made_by = {eqn.outs[0]: eqn for eqn in program.eqns if _reads(eqn)}
        found: dict[Eqn, int] = {}
        for atom, donor in zip(program.outs, self._donor_of, strict=True):
            eqn = made_by.get(atom) if isinstance(atom, Var) else None
            if eqn is None or donor is None or n_reads[atom] > 1:
                continue
            others = donors.intersection(eqn.inputs) - {program.params[donor]}
            if not others and isinstance(_host(eqn), np.ufunc):
                found[eqn] = donor
        return found

    def _result(self, atom: Atom, donor: int | None, taken: Sequence[str]) -> str:
        """Return the name of a result: its donor's memory, or memory of its own."""
        name = self._operand(atom)
        if donor is not None and name == f"p{donor}":
            return name
        is_fresh = name.startswith("t")
        if donor is not None:
            # What it is read from may be overwritten before.
            self._writes.append(f"p{donor}[...] = {name if is_fresh else self._copy(name)}")
            return f"p{donor}"
        return name if is_fresh and name not in taken else self._copy(name)

    def _copy(self, name: str) -> str:
        copy = f"t{len(self._steps)}"
        self._steps.append(f"{copy} = {name}.copy()")
        return copy


def _reads(eqn: Eqn) -> bool:
    """Return whether an equation reads more than numbers."""
    return any([isinstance(atom, Var) for atom in eqn.inputs])


def _host(eqn: Eqn) -> Callable[..., Any]:
    return host_of(eqn.primitive, eqn.inputs[0].aval, dict(eqn.params))
