"""Executables on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def load(text: str, options: bytes) -> bytes | None:
    return None


def store(text: str, options: bytes, serialize: Callable[[], bytes]) -> None:
    return None
