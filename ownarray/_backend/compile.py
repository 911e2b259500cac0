"""Text of a program in, executable out.

The alias bytes of an executable are held against the plan: XLA only promises that a donor *may* be
reused, and a program that would silently copy is a bug of ours, so it is an error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from ownarray._backend import executables
from ownarray._backend.buffers import result_aval, runner
from ownarray._backend.client import backend
from ownarray._backend.errors import raise_ours
from ownarray._backend.executables import compile_fresh, load_or_compile
from ownarray._errors import BackendError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxlib import _jax

    from ownarray._backend.buffers import Buffer, Run
    from ownarray._core.aval import ShapedArray

__all__ = ["Executable", "Stats", "compile_text"]


class Stats(NamedTuple):
    """XLA's own account of an executable's memory, in bytes."""

    argument: int
    output: int
    alias: int
    """What outputs take over from donors."""
    temp: int
    """What the run needs besides arguments and outputs."""
    peak: int
    """The most that is held at one time during a run."""


class Executable:
    """A compiled program.

    Attributes
    ----------
    run : callable
        ``run(buffers) -> list of buffers``; the fastest way to call it. The buffers must have the
        shapes and dtypes of the program's parameters: XLA checks the shapes only, and reads memory
        of a wrong dtype as if it were right. Donated buffers are deleted by the run (if a view of
        one was alive, which the caller has to rule out, XLA copies it and leaves it alone).
    stats : Stats
    text : str
        The program.

    Notes
    -----
    `run` raises `OutOfMemoryError` or `BackendError`. Whether memory was lost then is told by
    `lost`: a run that fails before it starts (a wrong number of buffers, a deleted one, one that is
    passed twice) deletes nothing.
    """

    __slots__ = ("_executable", "_is_loaded", "run", "stats", "text")

    def __init__(
        self,
        executable: _jax.LoadedExecutable,
        text: str,
        outs: Sequence[ShapedArray],
        *,
        is_loaded: bool,
    ) -> None:
        self._executable = executable
        self._is_loaded = is_loaded
        self.text = text
        self.stats = _stats(executable)
        results = [result_aval(out.shape, out.dtype) for out in outs]
        self.run: Run = runner(executable.execute_sharded, results, self._failed)

    def _failed(self, error: BaseException) -> NoReturn:
        raise_ours(error, "running a compiled program", self.text)

    @staticmethod
    def lost(buffers: Sequence[Buffer]) -> tuple[int, ...]:
        """Return the positions of arguments whose memory is gone.

        After a run that failed: empty if execution never began, else the donors. (An argument that
        was dead before counts too.)
        """
        return tuple(i for i, buf in enumerate(buffers) if buf.is_deleted())

    def alias_pairs(self) -> tuple[tuple[int, int], ...]:
        """Return (parameter, output) for each output that lives on in a parameter's memory."""
        header = self.optimized_text().partition("\n")[0]
        found = _ALIASES.search(header)
        if found is None:
            return ()
        pairs = _PAIR.findall(found.group(1))
        return tuple(sorted((int(donor), int(out or 0)) for out, donor in pairs))

    def optimized_text(self) -> str:
        """Return what XLA made of the program, for people."""
        return self._executable.hlo_modules()[0].to_string()

    def serialize(self) -> bytes:
        """Return the executable as bytes, which only this machine's jaxlib may load."""
        # jaxlib drops the machine code when it serializes what it loaded itself.
        executable = compile_fresh(self.text) if self._is_loaded else self._executable
        return backend().client.serialize_executable(executable)


# HloModule m, input_output_alias={ {0}: (1, {}, may-alias), {1}: (0, {}, may-alias) }, entry_...
_ALIASES: Final = re.compile(r"input_output_alias=\{ (.*?) \}, ")
_PAIR: Final = re.compile(r"\{(\d*)\}: \((\d+), \{\}")


def compile_text(
    text: str, outs: Sequence[ShapedArray], alias_bytes: int | None = None
) -> Executable:
    """Return the executable of a StableHLO program.

    Parameters
    ----------
    text : str
        A module with a public function ``main``; donors carry ``tf.aliasing_output``.
    outs : sequence of ShapedArray
        Shape and dtype of each output.
    alias_bytes : int, optional
        How many bytes of outputs the plan puts into donors' memory.

    Raises
    ------
    OutOfMemoryError
        The compiler had not enough memory.
    BackendError
        XLA rejected the program, or reuses other memory than the plan says: our bug.
    RuntimeError
        This is a forked child, where XLA cannot compile.
    """
    executable, is_loaded = load_or_compile(text)
    made = Executable(executable, text, outs, is_loaded=is_loaded)
    if alias_bytes is not None and made.stats.alias != alias_bytes:
        raise BackendError(
            f"XLA reuses {made.stats.alias} bytes of donated memory, the plan says {alias_bytes}",
            text,
        )
    return made


def deserialize(blob: bytes, text: str, outs: Sequence[ShapedArray]) -> Executable:
    """Return the executable of `Executable.serialize`; it runs code, so trust the bytes."""
    executable = executables.deserialize(blob)
    if executable is None:
        raise BackendError("jaxlib cannot load these bytes as an executable", text)
    return Executable(executable, text, outs, is_loaded=True)


def _stats(executable: _jax.LoadedExecutable) -> Stats:
    found = executable.get_compiled_memory_stats()
    return Stats(
        argument=found.argument_size_in_bytes,
        output=found.output_size_in_bytes,
        alias=found.alias_size_in_bytes,
        temp=found.temp_size_in_bytes,
        peak=found.peak_memory_in_bytes,
    )
