from __future__ import annotations

import mmap
import sys
from typing import TYPE_CHECKING

import numpy as np

from ownarray._backend import pages

if TYPE_CHECKING:
    import pytest


def test_advice_changes_no_values() -> None:
    values = np.arange(1 << 22, dtype=np.uint8)
    before = values.copy()
    for start, n_bytes in ((0, values.nbytes), (1, values.nbytes - 1), (7, 5), (0, 0)):
        pages.advise_huge_pages(values.ctypes.data + start, n_bytes)
    assert np.array_equal(values, before)


def test_advice_is_given_for_whole_pages_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[int, int]] = []

    def madvise(start: int, n_bytes: int, advice: int) -> int:
        given.append((start, n_bytes))
        return -1  # refusing it is no error

    monkeypatch.setattr(pages, "_madvise", lambda: madvise)
    page = mmap.PAGESIZE
    pages.advise_huge_pages(10 * page + 1, 3 * page)
    pages.advise_huge_pages(10 * page + 1, page)
    assert given == [(11 * page, 2 * page)]


def test_other_systems_have_no_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    pages._madvise.cache_clear()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert pages._madvise() is None
    pages._madvise.cache_clear()
