"""Running a compiled call: pass the arguments, execute, adopt what was updated, wrap the results."""

from __future__ import annotations

from typing import Any

from ownarray._array.cell import signature
from ownarray._array.concrete import ConcreteArray, from_buffer
from ownarray._backend import buffers
from ownarray._backend.buffers import Buffer
from ownarray._backend.compile import Executable
from ownarray._ownership import AliasPlan
from ownarray._transforms.passing import Passing, input_buffer
from ownarray._transforms.signature import Call
from ownarray._transforms.staged import Staged


class Compiled:
    """An executable and what a call needs to run it."""

    __slots__ = ("donors", "executable", "freed", "outs", "run", "staged")

    def __init__(self, staged: Staged, plan: AliasPlan, executable: Executable) -> None:
        self.executable = executable
        self.run = executable.run
        self.staged = staged
        self.outs = [signature(aval.strong()) for aval in staged.program.out_avals]
        self.donors = tuple([donor for donor in plan.donor_of if donor is not None])
        self.freed = plan.freed


def run_call(call: Call, compiled: Compiled, name: str) -> Any:
    """Run a call and return its result."""
    staged = compiled.staged
    passing = Passing(call, staged.captured, name)
    passing.begin()
    inputs: list[Buffer] = []
    try:
        inputs = [input_buffer(leaf.value) for leaf in call.leaves]
        inputs += [input_buffer(array) for array in staged.captured]
        results = compiled.run(inputs)
        for number, new in zip(staged.updated, results[staged.n_returned :], strict=True):
            array: ConcreteArray = call.leaves[number].value
            array._drop_memory()
            array._buf = new
    except BaseException as error:
        passing.fail(error, [inputs[donor] for donor in compiled.donors] if inputs else [])
        raise
    passing.end()
    for consumed in passing.consumed:
        if isinstance(consumed, ConcreteArray):
            consumed._drop_memory()
    for donor in compiled.freed:
        buffers.delete(inputs[donor])
    wrapped = [
        from_buffer(buf, sig)
        for buf, sig in zip(results[: staged.n_returned], compiled.outs, strict=False)
    ]
    return staged.out_tree.unflatten(wrapped)
