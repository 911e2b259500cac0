"""Executables on disk, so that a program is compiled once on a machine and not once in a process.

Loading an executable runs its code. So an entry is read only from a directory that belongs to this
user and that nobody else may write to, only if the file is this user's, and only if the digest in
front of the payload fits payload and key. Anything else is treated as absent, never as an error:
the cache may be full, read-only, damaged or gone, and programs are then compiled.

The key is everything that decides about the code: the text without its source locations, compile
options, ``XLA_FLAGS``, jaxlib's version, the platform and the CPU's features. Several processes may
use the directory at once: entries are written beside it and renamed into place.

Environment variables: ``OWNARRAY_CACHE=0`` switches the cache off, ``OWNARRAY_CACHE_DIR`` names
another directory than the system's for caches.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ownarray._backend.client import cpu_features, jaxlib_version, platform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["LOCAL_PREFIX", "MAX_BYTES", "directory", "key_of", "load", "store", "strip_locations"]

MAX_BYTES: Final = 512 << 20
"""When the entries exceed this, those unused for longest are removed."""

LOCAL_PREFIX: Final = "ownarray_local_"
"""Kernels of this name mean something in this process only; programs with them stay out."""

_MAGIC: Final = b"ownarray-executable-1\n"
_N_HEADER: Final = len(_MAGIC) + sha256().digest_size
_STORES_PER_SCAN: Final = 32
_STALE_SECONDS: Final = 3600.0
_TEMPORARY: Final = ".new-"
_HAS_OWNERS: Final = hasattr(os, "geteuid")  # not on Windows, where the profile's ACL protects
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_BINARY: Final = getattr(os, "O_BINARY", 0)


def load(text: str, options: bytes) -> bytes | None:
    """Return the serialized executable of a program, or None if there is none to trust."""
    folder = _folder() if _is_storable(text) else None
    if folder is None:
        return None
    key = key_of(text, options)
    try:
        blob = _read(folder / key.hex())
    except OSError:
        return None
    payload = blob[_N_HEADER:]
    if blob[:_N_HEADER] != _header(key, payload):
        return None
    with contextlib.suppress(OSError):
        os.utime(folder / key.hex())  # used just now: the last to be removed
    return payload


def store(text: str, options: bytes, serialize: Callable[[], bytes]) -> None:
    """Keep an executable for the next process; failures are nobody's business.

    Parameters
    ----------
    text, options : str, bytes
        What the executable was compiled from.
    serialize : callable
        Makes the bytes, if they are wanted.
    """
    folder = _folder() if _is_storable(text) else None
    if folder is None:
        return
    key, payload = key_of(text, options), serialize()
    with contextlib.suppress(OSError):
        _write(folder, key.hex(), _header(key, payload) + payload)
        _scans.note(folder)


def key_of(text: str, options: bytes) -> bytes:
    """Return the name of a program's executable on this machine."""
    parts = (
        _MAGIC,
        strip_locations(text).encode(),
        options,
        os.environ.get("XLA_FLAGS", "").encode(),
        jaxlib_version().encode(),
        platform().encode(),
        cpu_features().encode(),
    )
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


# How our own lowering writes them; five times faster than the general form.
_OUR_LOCATION: Final = re.compile(r' loc\("[^"\\\n]*":\d+:\d+\)')
# Strings are matched first, so that a "loc(" inside one stays; locations nest to any depth that
# occurs: loc("f"("a.py":1:2)), loc(callsite("g" at "a.py":1:2)), loc(fused["a", "b"]).
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_NEST_0: Final = rf'(?:{_STRING}|[^()"])*'
_NEST_1: Final = rf'(?:{_STRING}|[^()"]|\({_NEST_0}\))*'
_NEST_2: Final = rf'(?:{_STRING}|[^()"]|\({_NEST_1}\))*'
_LOCATION: Final = re.compile(
    rf"({_STRING})|(?:^#loc\w* = |(?<=\s))loc\({_NEST_2}\)\s*?(?=[\s,){{}}]|$)", re.MULTILINE
)


def strip_locations(text: str) -> str:
    """Return the program without source locations, which do not decide about its code."""
    text = _OUR_LOCATION.sub("", text)
    return _LOCATION.sub(lambda match: match[1] or "", text) if "loc(" in text else text


def _is_storable(text: str) -> bool:
    return os.environ.get("OWNARRAY_CACHE", "1") != "0" and LOCAL_PREFIX not in text


def _header(key: bytes, payload: bytes) -> bytes:
    return _MAGIC + sha256(key + payload).digest()


# --------------------------------------------------------------------------------------- directory


def directory() -> Path:
    """Return where executables are kept; it need not exist."""
    chosen = os.environ.get("OWNARRAY_CACHE_DIR")
    if chosen:
        return Path(chosen) / "executables"
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "ownarray" / "executables"


def _folder() -> Path | None:
    """Return the directory if it can be trusted, made if it was not there."""
    try:
        folder = directory()
        try:
            found = folder.lstat()
        except FileNotFoundError:
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
    except (OSError, RuntimeError):  # RuntimeError: there is no home directory
        return None
    if not stat.S_ISDIR(found.st_mode) or not _is_mine(found):
        return None
    return folder


def _is_mine(found: os.stat_result) -> bool:
    """Whether the file is this user's, and nobody else may write to it."""
    return not _HAS_OWNERS or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def _read(path: Path) -> bytes:
    """Return a file's bytes, if it is a plain file of this user."""
    handle = os.open(path, os.O_RDONLY | _NO_FOLLOW | _BINARY)
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or not _is_mine(found):
            return b""
        return file.read()


def _write(folder: Path, name: str, blob: bytes) -> None:
    """Write a file so that other processes see all of it or nothing."""
    temporary = folder / f"{_TEMPORARY}{os.urandom(8).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
    handle = os.open(temporary, flags, 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(blob)
        temporary.replace(folder / name)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


# ---------------------------------------------------------------------------------------- clean-up


class _Scans:
    """When the directory was last measured: at the first store of a process and then rarely."""

    __slots__ = ("n_stores",)

    def __init__(self) -> None:
        self.n_stores = 0

    def note(self, folder: Path) -> None:
        """Count one store, and clean up if it is time."""
        self.n_stores += 1
        if self.n_stores % _STORES_PER_SCAN == 1:
            clean_up(folder, MAX_BYTES)


# Process state: a counter that only spares work; being off by some does no harm.
_scans: Final = _Scans()


def clean_up(folder: Path, max_bytes: int) -> None:
    """Remove what was unused for longest until the entries fit, and left-over temporary files."""
    entries = sorted(_entries(folder), reverse=True)
    total = 0
    for used_at, n_bytes, path in entries:
        total += n_bytes
        is_stale = path.name.startswith(_TEMPORARY) and time.time() - used_at > _STALE_SECONDS
        if total > max_bytes or is_stale:
            with contextlib.suppress(OSError):
                path.unlink()


def _entries(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """Yield (last use, bytes, path) of every file."""
    with os.scandir(folder) as found:
        for entry in found:
            with contextlib.suppress(OSError):  # another process may have removed it
                info = entry.stat(follow_symlinks=False)
                yield info.st_mtime, info.st_size, Path(entry.path)
