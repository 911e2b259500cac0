"""Running a compiled call: pass the arguments, execute, adopt updates, wrap the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ownarray._array.cell import signature
from ownarray._array.concrete import ConcreteArray, from_buffer, from_buffers
from ownarray._backend import buffers, pool
from ownarray._transforms.passing import Passing, input_buffer

if TYPE_CHECKING:
    from ownarray._transforms.build import Build
    from ownarray._transforms.signature import Call
    from ownarray._transforms.staged import Staged


class Compiled:
    """An executable and what a call needs to run it."""

    __slots__ = ("donors", "executable", "freed", "outs", "run", "staged")

    def __init__(self, staged: Staged, build: Build) -> None:
        plan = build.plan
        self.executable = build.executable
        self.run = build.run
        self.staged = staged
        self.outs = [signature(aval.strong()) for aval in staged.program.out_avals]
        self.donors = tuple([donor for donor in plan.donor_of if donor is not None])
        # Large donors go with the last owner of their memory, perhaps to another life.
        avals = staged.program.in_avals
        self.freed = tuple([i for i in plan.freed if avals[i].nbytes < pool.MIN_BYTES])


def run_call(call: Call, compiled: Compiled, name: str) -> Any:
    """Run a call and return its result."""
    staged = compiled.staged
    passing = Passing(call, staged.captured, name)
    passing.begin()
    # Until the result is whole an interrupt may come, so everything stands inside.
    try:
        inputs = [input_buffer(leaf.value) for leaf in call.leaves]
        inputs += [input_buffer(array) for array in staged.captured]
        results = compiled.run(inputs)
        for number, new in zip(staged.updated, results[staged.n_returned :], strict=True):
            array: ConcreteArray = call.leaves[number].value
            array._adopt(from_buffer(new, signature(array.aval)))
        for consumed in passing.consumed:
            if isinstance(consumed, ConcreteArray):
                consumed._drop_memory()
        for donor in compiled.freed:
            buffers.delete(inputs[donor])
        wrapped = from_buffers(results[: staged.n_returned], compiled.outs)
        result = staged.out_tree.unflatten(wrapped)
        passing.end()
    except BaseException as error:
        try:
            passing.fail(error)
        except BaseException:  # an interrupt while something else failed
            passing.fail(error)
            raise
        raise
    return result
