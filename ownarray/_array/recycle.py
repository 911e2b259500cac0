"""Fresh results in dead memory: what an undonated run costs most is the pages of new memory.

Large results that take no donor's memory are written into dead buffers of their kind, where the
pool has some: the program is compiled a second time, with those buffers as extra donors, once that
pays. The results are the same bits; only where they stand differs.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from ownarray._backend import pool

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._backend.buffers import Buffer, Run
    from ownarray._backend.compile import Executable
    from ownarray._core.aval import ShapedArray


class RecyclingRun:
    """Runs an executable, with dead buffers for its large fresh results where there are some.

    Parameters
    ----------
    executable : Executable
        The program as it is.
    fresh : sequence of (int, ShapedArray)
        The large results that take no donor's memory, by number.
    compile_with : callable
        ``compile_with(fresh numbers) -> Executable`` in which those results are written into extra
        donors that stand behind the program's parameters, in this order.
    seconds : float
        How long the first compilation took. The second is made once the runs that could have been
        without fresh memory have taken as long.
    """

    __slots__ = (
        "_compile_with",
        "_fresh",
        "_numbers",
        "_plain",
        "_recycling",
        "_seconds",
    )

    def __init__(
        self,
        executable: Executable,
        fresh: Sequence[tuple[int, ShapedArray]],
        compile_with: Callable[[Sequence[int]], Executable],
        seconds: float,
    ) -> None:
        self._plain: Run = executable.run
        self._recycling: Run | None = None
        self._fresh = [aval for _, aval in fresh]
        self._numbers = [number for number, _ in fresh]
        self._compile_with = compile_with
        self._seconds = seconds

    def __call__(self, inputs: Sequence[Buffer]) -> list[Buffer]:
        """Run on buffers, as the executable itself does."""
        spare = self._take()
        if spare is None:
            return self._plain(inputs)
        if self._recycling is None:
            if self._seconds > 0.0:
                return self._plain_timed(inputs, spare)
            self._recycling = self._compile_with(self._numbers).run
        return self._recycling([*inputs, *spare])

    def _plain_timed(self, inputs: Sequence[Buffer], spare: Sequence[Buffer]) -> list[Buffer]:
        for buf in spare:
            pool.put_back(buf)
        began = perf_counter()
        results = self._plain(inputs)
        self._seconds -= perf_counter() - began
        return results

    def _take(self) -> list[Buffer] | None:
        """Return a dead buffer for each fresh result, or None if one is lacking."""
        spare: list[Buffer] = []
        for aval in self._fresh:
            buf = pool.take(aval, n_wanted=self._fresh.count(aval))
            if buf is None:
                for taken in spare:
                    pool.put_back(taken)
                return None
            spare.append(buf)
        return spare


def large_fresh(
    outs: Sequence[ShapedArray], donor_of: Sequence[int | None]
) -> list[tuple[int, ShapedArray]]:
    """Return the results that are worth a dead buffer."""
    return [
        (number, aval)
        for number, (aval, donor) in enumerate(zip(outs, donor_of, strict=True))
        if donor is None and aval.nbytes >= pool.MIN_BYTES
    ]
