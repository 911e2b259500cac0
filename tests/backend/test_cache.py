from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ownarray._backend import buffers, cache
from ownarray._backend.cache import key_of, strip_locations
from ownarray._backend.compile import compile_text
from tests.backend.helpers import add_text, f32

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = add_text(f32(3))
needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner here")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of this test's own."""
    monkeypatch.setenv("OWNARRAY_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("OWNARRAY_CACHE", "1")
    return tmp_path / "executables"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were compiled, not loaded."""
    from ownarray._backend import executables as module

    texts: list[str] = []
    real = module.compile_fresh

    def spy(text: str) -> object:
        texts.append(text)
        return real(text)

    monkeypatch.setattr(module, "compile_fresh", spy)
    return texts


def _run(text: str = TEXT) -> list[float]:
    a, b = (buffers.from_host(np.full(3, v, np.float32)) for v in (1, 2))
    before = buffers.address(a)
    (result,) = compile_text(text, [f32(3)], 12).run([a, b])
    assert buffers.address(result) == before
    found: list[float] = buffers.host_memory(result).tolist()
    return found


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def test_the_second_time_comes_from_disk(folder: Path, compiled: list[str]) -> None:
    assert _run() == [3.0] * 3
    (entry,) = _entries(folder)
    assert _run() == [3.0] * 3
    assert compiled == [TEXT]
    if hasattr(os, "geteuid"):
        assert folder.stat().st_mode & 0o777 == 0o700
        assert entry.stat().st_mode & 0o777 == 0o600


def test_locations_are_not_part_of_the_key(folder: Path, compiled: list[str]) -> None:
    _run()
    _run(TEXT.replace(": tensor<3xf32> return", ': tensor<3xf32> loc("a.py":1:2) return'))
    assert compiled == [TEXT]


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ('%0 = add %a, %b : t loc("a.py":1:2)\n', "%0 = add %a, %b : t\n"),
        ('%0 = add %a : t loc("f"("a(b).py":1:2))\n', "%0 = add %a : t \n"),
        ("%0 = add %a : t loc(#loc3)\n", "%0 = add %a : t \n"),
        ('x loc(callsite("g" at callsite("h" at "a.py":1:2)))', "x "),
        ('@main(%a: t loc("a"), %b: t) {', "@main(%a: t , %b: t) {"),
        ('{name = " loc("}', '{name = " loc("}'),
        ("@alloc(%x) @my_loc(%y)", "@alloc(%x) @my_loc(%y)"),
    ],
)
def test_stripping_locations(text: str, stripped: str) -> None:
    assert strip_locations(text) == stripped


def test_the_key_holds_all_that_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [key_of(TEXT, b""), key_of(TEXT + " ", b""), key_of(TEXT, b"o")]
    for name in ("jaxlib_version", "platform", "cpu_features"):
        with monkeypatch.context() as patch:
            patch.setattr(cache, name, lambda: "another")
            keys.append(key_of(TEXT, b""))
    monkeypatch.setenv("XLA_FLAGS", "--xla_cpu_enable_fast_math=true")
    keys.append(key_of(TEXT, b""))
    assert len(set(keys)) == len(keys)


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _flip_a_bit(path: Path) -> None:
    blob = bytearray(path.read_bytes())
    blob[-40] ^= 1
    path.write_bytes(blob)


def _garbage(path: Path) -> None:
    path.write_bytes(os.urandom(4096))


def _other_program(path: Path) -> None:
    """Another program's executable under this one's name."""
    name = path.read_bytes()
    other = add_text(f32(3)).replace("stablehlo.add", "stablehlo.multiply")
    compile_text(other, [f32(3)])
    (found,) = [p for p in path.parent.iterdir() if p.read_bytes() != name]
    path.write_bytes(found.read_bytes())
    found.unlink()


def _not_an_executable(path: Path) -> None:
    """A right digest in front of something that jaxlib cannot load."""
    payload = b"not an executable"
    path.write_bytes(cache._header(bytes.fromhex(path.name), payload) + payload)


@pytest.mark.parametrize(
    "damage",
    [_truncate, _empty, _flip_a_bit, _garbage, _other_program, _not_an_executable],
)
def test_damaged_and_foreign_entries_are_ignored(
    folder: Path, compiled: list[str], damage: Callable[[Path], None]
) -> None:
    _run()
    (entry,) = _entries(folder)
    damage(entry)
    compiled.clear()
    assert _run() == [3.0] * 3
    assert compiled == [TEXT]
    assert _run() == [3.0] * 3  # written anew
    assert compiled == [TEXT]


@needs_owners
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
def test_a_directory_that_others_may_write_is_refused(
    folder: Path, compiled: list[str], mode: int
) -> None:
    _run()
    folder.chmod(mode)
    _run()
    assert compiled == [TEXT, TEXT]


@needs_owners
def test_a_file_that_others_may_write_is_refused(folder: Path, compiled: list[str]) -> None:
    _run()
    (entry,) = _entries(folder)
    entry.chmod(0o666)
    assert cache.load(TEXT, b"") is None
    _run()
    assert compiled == [TEXT, TEXT]


@needs_owners
@pytest.mark.parametrize("what", ["directory", "entry"])
def test_files_of_another_user_are_refused(
    folder: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    _run()
    mine = os.geteuid()
    if what == "directory":
        monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    else:
        asked: list[int] = []

        def then_another() -> int:
            asked.append(1)
            return mine + (len(asked) > 1)

        monkeypatch.setattr(os, "geteuid", then_another)
    _run()
    assert compiled == [TEXT, TEXT]


@needs_owners
def test_links_are_not_followed(folder: Path, compiled: list[str], tmp_path: Path) -> None:
    _run()
    (entry,) = _entries(folder)
    moved = tmp_path / "elsewhere"
    entry.rename(moved)
    entry.symlink_to(moved)
    _run()
    assert compiled == [TEXT, TEXT]
    folder.rename(tmp_path / "real")
    folder.symlink_to(tmp_path / "real")
    _run()
    assert compiled == [TEXT, TEXT, TEXT]


def test_it_can_be_switched_off(
    folder: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OWNARRAY_CACHE", "0")
    _run()
    _run()
    assert compiled == [TEXT, TEXT]
    assert not folder.exists()


def test_a_place_that_cannot_be_written_does_no_harm(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("OWNARRAY_CACHE_DIR", str(tmp_path / "file"))
    _run()
    _run()
    assert compiled == [TEXT, TEXT]


def test_the_default_is_the_users_cache_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OWNARRAY_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    if sys.platform != "win32":
        assert cache.directory().as_posix() == "/x/ownarray/executables"
        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.setenv("HOME", "/home/me")
        assert cache.directory().is_relative_to("/home/me")


def test_what_is_unused_for_longest_goes_first(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    for age, name in enumerate(("new", "older", "oldest")):
        path = folder / name
        path.write_bytes(b"x" * 100)
        os.utime(path, (1e9 - age, 1e9 - age))
    fresh = folder / ".new-1"
    fresh.write_bytes(b"")
    stale = folder / ".new-2"
    stale.write_bytes(b"")
    os.utime(stale, (1e9, 1e9))
    cache.clean_up(folder, 250)
    assert {path.name for path in folder.iterdir()} == {"new", "older", ".new-1"}


def test_loading_makes_an_entry_young(folder: Path) -> None:
    _run()
    (entry,) = _entries(folder)
    os.utime(entry, (1e9, 1e9))
    _run()
    assert entry.stat().st_mtime > 1e9


def test_stores_keep_the_directory_small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 3000)
    for i in range(2 * cache._STORES_PER_SCAN):
        cache.store(f"{TEXT} {i}", b"", lambda: b"x" * 1000)
    assert len(_entries(folder)) <= cache._STORES_PER_SCAN + 3


def test_programs_with_kernels_of_this_process_stay_out(folder: Path) -> None:
    text = f"module {{ stablehlo.custom_call @{cache.LOCAL_PREFIX}1 }}"
    cache.store(text, b"", lambda: b"x")
    assert cache.load(text, b"") is None
    assert not folder.exists()


@pytest.mark.slow
def test_several_processes_write_and_read_at_once(folder: Path) -> None:
    work = """
        import numpy as np
        from ownarray._backend import buffers
        from ownarray._backend.compile import compile_text
        from tests.backend.helpers import add_text, f32
        for i in range(1, 6):
            one = np.ones(i, np.float32)
            for _ in range(4):
                text = add_text(f32(i))
                (r,) = compile_text(text, [f32(i)], 4 * i).run(
                    [buffers.from_host(one), buffers.from_host(one)])
                assert buffers.host_memory(r).tolist() == [2.0] * i
        """
    command = [sys.executable, "-c", textwrap.dedent(work)]
    processes = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    assert len(_entries(folder)) == 5
