"""Running a compiled call: pass the arguments, execute, adopt updates, wrap the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ownarray._array.cell import signature, transitions
from ownarray._array.concrete import ConcreteArray, from_buffer
from ownarray._array.moved import Moved
from ownarray._array.running import running
from ownarray._backend import buffers
from ownarray._ownership import AliasPlan, Effect, State
from ownarray._transforms.passing import Passing, input_buffer, mark_lost
from ownarray._tree import LEAF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._backend.buffers import Buffer
    from ownarray._backend.compile import Executable
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


class FlatCall:
    """The short way of a call whose arguments are all single arrays and handles of single arrays.

    The key of such a call is the tuple of their signatures, so every array is known to be alive and
    of the right shape and dtype. Handles are claimed here; whatever is not as expected takes the
    ordinary way, which knows how to complain.
    """

    __slots__ = ("compiled", "consumed", "freed", "name", "out", "run", "sigs")

    def __init__(self, compiled: Compiled, consumed: tuple[int, ...], name: str) -> None:
        self.compiled = compiled
        self.run = compiled.run
        self.consumed = consumed
        self.freed = compiled.freed
        self.out = compiled.staged.out_tree
        self.sigs = tuple(compiled.outs)
        self.name = name

    @classmethod
    def of(cls, call: Call, compiled: Compiled, args: Sequence[Any], name: str) -> FlatCall | None:
        """Return the short way for calls like this one, or None if there is none."""
        flat = (
            len(call.leaves) == len(args)
            and not compiled.staged.captured
            and all(leaf.key.effect in (Effect.LEND, Effect.CONSUME) for leaf in call.leaves)
            and all(isinstance(arg, ConcreteArray | Moved) for arg in args)
        )
        if not flat:
            return None
        consumed = tuple([i for i, arg in enumerate(args) if isinstance(arg, Moved)])
        return cls(compiled, consumed, name)

    def __call__(self, args: tuple[Any, ...]) -> Any:
        """Run the call; NotImplemented if it has to take the ordinary way, with nothing changed."""
        consumed = self.consumed
        arrays: Sequence[ConcreteArray] = args
        if consumed:
            claimed = self._claim(args)
            if claimed is None:
                return NotImplemented
            arrays = claimed
        running[id(arrays)] = arrays
        inputs: list[Any] = []
        try:
            inputs = [array._buf for array in arrays]
            try:
                results = self.run(inputs)
            except Exception:
                if not any(buf is None for buf in inputs):
                    raise
                # An array whose memory is still NumPy's: rare, so it is not asked for each time.
                inputs = [array._buffer() for array in arrays]
                results = self.run(inputs)
        except BaseException as error:
            self._fail(args, arrays, inputs, error)
            raise
        finally:
            del running[id(arrays)]
        for i in consumed:
            array = arrays[i]
            array._host = array._buf = None
        for i in self.freed:
            buffers.delete(inputs[i])
        if self.out is LEAF:
            return from_buffer(results[0], self.sigs[0])
        wrapped = [from_buffer(buf, sig) for buf, sig in zip(results, self.sigs, strict=True)]
        return self.out.unflatten(wrapped)

    def _claim(self, args: tuple[Any, ...]) -> list[Any] | None:
        """Spend the handles; None, with nothing spent, if one is not good."""
        arrays = list(args)
        with transitions.lock:
            for done, i in enumerate(self.consumed):
                handle = args[i]
                array = handle._leaves[0]
                sig = array._sig
                if handle._spent or sig.state is not State.MOVED:
                    self._unclaim(args, self.consumed[:done])
                    return None
                handle._spent = self.name
                array._sig = sig.family[State.SPENT]
                arrays[i] = array
        return arrays

    def _unclaim(self, args: tuple[Any, ...], places: Sequence[int]) -> None:
        """Make handles good again, under the lock."""
        for i in places:
            args[i]._spent = ""
            args[i]._leaves[0]._set_state(State.MOVED)

    def _fail(
        self,
        args: tuple[Any, ...],
        arrays: Sequence[ConcreteArray],
        inputs: Sequence[Any],
        error: BaseException,
    ) -> None:
        """Put everything back, or mark as lost what the executable had begun to overwrite."""
        donors = [inputs[i] for i in self.compiled.donors] if inputs else []
        with transitions.lock:
            if not any(buf is not None and buffers.is_deleted(buf) for buf in donors):
                self._unclaim(args, self.consumed)
                return
            mark_lost([arrays[i] for i in self.consumed], error, self.name)
