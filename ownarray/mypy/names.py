"""Full names that the plugin watches; each must resolve in ``ownarray/__init__.pyi``."""

from __future__ import annotations

from typing import Final

PACKAGE: Final = "ownarray."
ARRAY: Final = "ownarray.Array"
MOVED: Final = "ownarray.Moved"
JITTED: Final = "ownarray.Jitted"
JIT_FACTORY: Final = "ownarray._JitFactory"
DONATED: Final = "ownarray._Donated"

MOVES: Final = frozenset({"ownarray.move", "ownarray.jax_move"})
METHOD_MOVE: Final = "ownarray.Array.move"
JIT: Final = "ownarray.jit"
JITTED_CALL: Final = "ownarray.Jitted.__call__"
JIT_FACTORY_CALL: Final = "ownarray._JitFactory.__call__"
MARKERS: Final = {
    "ownarray.Owned": "OWNED",
    "ownarray.Borrowed": "BORROWED",
    "ownarray.Mut": "MUT",
    DONATED: "DONATED",
}
"""Each marker's full name, and the name of its mode."""
LOOPS: Final = frozenset(
    f"ownarray.{name}" for name in ("fixed_point", "fori_loop", "while_loop", "scan")
)
"""Functions with a carry, whose handles the body sees as arrays."""
COND: Final = "ownarray.cond"
PARTIAL: Final = "functools.partial"
CALLERS: Final = frozenset(
    f"concurrent.futures.{name}.submit"
    for name in ("_base.Executor", "thread.ThreadPoolExecutor", "process.ProcessPoolExecutor")
) | {"asyncio.threads.to_thread"}
"""Functions that call what they are given with the arguments that follow."""
DONATE_OPTIONS: Final = frozenset({"donate_argnums", "donate_argnames"})

# Of other packages; they need not be there.
NDARRAY: Final = "numpy.ndarray"
NUMPY_SCALAR: Final = "numpy.generic"
