"""Arrays that are owned: memory is given away with ``move`` and used once, safely.

Names are loaded when they are first used, so ``import ownarray.mypy`` and the errors need neither
NumPy nor jaxlib. `__init__.pyi` is the list of what is public.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

_EXPORTS: Final[dict[str, tuple[str, ...]]] = {
    "_errors": (
        "BackendError",
        "BorrowError",
        "DonationError",
        "MoveRequiredError",
        "OutOfMemoryError",
        "OwnershipError",
        "SharedArrayError",
        "TraceError",
        "UseAfterMoveError",
    ),
    "_ownership": ("State",),
    "_annotations": ("Borrowed", "Mut", "Owned"),
    "_tree": ("register",),
    "_core.aval": ("ShapedArray",),
    "_ops.operators": ("Array",),
    "_array.moved": ("Moved", "move"),
    "_array.trees": ("copy", "dealias", "reclaim"),
    "_array.live": ("LiveArray", "live_arrays", "track_sites"),
    "_transforms.jit": ("Jitted", "jit"),
    "_transforms.plan": ("Plan",),
    "_transforms.loops": ("cond", "fixed_point", "fori_loop", "scan", "while_loop"),
}
"""The public names by the module that defines them."""

_RENAMED: Final = {"jax_move": ("_array.moved", "move")}
"""Second names of the same object."""

_SUBMODULES: Final = ("fft", "linalg", "random")

_HOME: Final = {
    **{name: (module, name) for module, names in _EXPORTS.items() for name in names},
    **_RENAMED,
}

__all__ = sorted([*_HOME, *_SUBMODULES])  # noqa: PLE0605  (a test holds it against __init__.pyi)

try:
    __version__ = version("ownarray")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+unknown"


def __getattr__(name: str) -> object:
    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # The eager interpreter installs itself when the array package is loaded.
    if home[0].startswith(("_array", "_transforms", "_namespace", "_ops")):
        import_module(f"{__name__}._array.eager")
    value = getattr(import_module(f"{__name__}.{home[0]}"), home[1])
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
