"""jaxlib's LAPACK routines inside compiled programs.

`ensure_lapack` makes the 61 targets known to XLA; it loads scipy's LAPACK (0.1 to 0.3 s), so it
runs only when the first program that calls one is compiled or loaded. The calls themselves are
written by the primitives that need them.
"""

from __future__ import annotations

from functools import lru_cache

from jaxlib import xla_client

from ownarray._backend.client import backend

__all__ = ["ensure_lapack", "ensure_lapack_for"]


@lru_cache(maxsize=1)
def ensure_lapack() -> None:
    """Make LAPACK's routines known to XLA, once."""
    from jaxlib.cpu import _lapack  # noqa: PLC0415  # loads scipy: when it is needed, not before

    backend()
    for name, target in _lapack.registrations().items():
        version = int(name.endswith("_ffi"))
        xla_client.register_custom_call_target(name, target, platform="cpu", api_version=version)
    _lapack.initialize()


def ensure_lapack_for(text: str) -> None:
    """Make LAPACK's routines known if a program calls one; before loading it from disk too."""
    if "lapack_" in text:
        ensure_lapack()
