"""Running a compiled call: pass the arguments, execute, adopt updates, wrap the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ownarray._array.brief import Brief
from ownarray._array.cell import signature
from ownarray._array.concrete import ConcreteArray, from_buffers, from_memories
from ownarray._backend import buffers, pool
from ownarray._transforms.passing import Passing, input_buffer, input_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._ownership import AliasPlan
    from ownarray._transforms.build import Build
    from ownarray._transforms.signature import Call
    from ownarray._transforms.staged import Staged


class Compiled:
    """A staged function, ready to run: as an executable, or on the host if it is brief."""

    __slots__ = ("brief", "donor_of", "freed", "outs", "run", "staged")

    def __init__(self, staged: Staged, made: Build | Brief, plan: AliasPlan) -> None:
        self.staged = staged
        self.outs = [signature(aval.strong()) for aval in staged.program.out_avals]
        self.donor_of = plan.donor_of
        self.brief = made if isinstance(made, Brief) else None
        self.run = None if isinstance(made, Brief) else made.run
        # Large donors go with the last owner of their memory, perhaps to another life.
        avals = staged.program.in_avals
        self.freed = tuple([i for i in plan.freed if avals[i].nbytes < pool.MIN_BYTES])


def run_call(call: Call, compiled: Compiled, name: str) -> Any:
    """Run a call and return its result."""
    staged = compiled.staged
    passing = Passing(call, staged.captured, name)
    values = [*[leaf.value for leaf in call.leaves], *staged.captured]
    begun: list[bool] = []  # gets an entry when NumPy begins to overwrite donors
    passing.begin()
    # Until the result is whole an interrupt may come, so everything stands inside.
    try:
        results = _on_host(compiled, values, begun) if compiled.brief else _on_xla(compiled, values)
        for number, new in zip(staged.updated, results[staged.n_returned :], strict=True):
            array: ConcreteArray = call.leaves[number].value
            array._adopt(new)
        for consumed in passing.consumed:
            if isinstance(consumed, ConcreteArray):
                consumed._drop_memory()
        result = staged.out_tree.unflatten(results[: staged.n_returned])
        passing.end()
    except BaseException as error:
        try:
            if begun:
                drop_written([values[donor] for donor in compiled.donor_of if donor is not None])
            passing.fail(error)
        except BaseException:  # an interrupt while something else failed
            passing.fail(error)
            raise
        raise
    return result


def _on_xla(compiled: Compiled, values: Sequence[Any]) -> list[ConcreteArray]:
    assert compiled.run is not None
    inputs = [input_buffer(value) for value in values]
    results = compiled.run(inputs)
    for donor in compiled.freed:
        buffers.delete(inputs[donor])
    return from_buffers(results, compiled.outs)


def _on_host(compiled: Compiled, values: Sequence[Any], begun: list[bool]) -> list[ConcreteArray]:
    assert compiled.brief is not None
    donors = [None if donor is None else values[donor] for donor in compiled.donor_of]
    results = compiled.brief.run([input_memory(value) for value in values], begun)
    return from_memories(results, compiled.outs, donors)


def drop_written(donors: Sequence[ConcreteArray]) -> None:
    """Forget memory that was being overwritten when an interrupt came; so `is_gone` sees it."""
    for donor in donors:
        donor._drop_memory()
