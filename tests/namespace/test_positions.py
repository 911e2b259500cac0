"""Arguments that NumPy takes by position are taken by position, in NumPy's order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa

if TYPE_CHECKING:
    from collections.abc import Callable

X = np.array([[3.0, 1.0, 2.0], [0.5, 5.0, 4.0]])
INDICES = np.array([[2, 0, 1], [1, 0, 2]])
CASES: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("zeros", ((2, 3), np.float32)),
    ("ones", (3, np.int8)),
    ("full", ((2, 3), 7, np.int16)),
    ("zeros_like", (X, np.int32)),
    ("ones_like", (X, np.float16)),
    ("full_like", (X, 3, np.int64)),
    ("asarray", ([1, 2], np.float32)),
    ("eye", (3, 4, 1, np.float32)),
    ("tri", (3, 4, 1, np.float32)),
    ("tril", (X, 1)),
    ("triu", (X, -1)),
    ("linspace", (0.0, 1.0, 4, False)),
    ("logspace", (0.0, 2.0, 4, False, 2.0)),
    ("geomspace", (1.0, 8.0, 4, False, np.float32)),
    ("concatenate", ([X, X], 1)),
    ("stack", ([X, X], 1)),
    ("append", (X, X, 1)),
    ("delete", (X, 1, 1)),
    ("insert", (X, 1, 9.0, 1)),
    ("repeat", (X, 2, 1)),
    ("take", (X, [0, 2], 1)),
    ("take_along_axis", (X, INDICES, 1)),
    ("flip", (X, 1)),
    ("roll", (X, 1, 1)),
    ("compress", (np.array([True, False, True]), X, 1)),
    ("trapezoid", (X, None, 0.5, 0)),
    ("rot90", (X, 1, (1, 0))),
    ("diff", (X, 2, 1)),
    ("trace", (X, 1)),
    ("tensordot", (X, X, 2)),
    ("digitize", (np.array([1.0, 2.0]), np.array([1.0, 2.0]), True)),
    ("searchsorted", (np.array([1.0, 2.0]), np.array([1.0, 2.0]), "right")),
    ("isclose", (np.array([np.nan]), np.array([np.nan]), 1e-5, 1e-8, True)),
    ("allclose", (np.array([np.nan]), np.array([np.nan]), 1e-5, 1e-8, True)),
    ("array_equal", (np.array([np.nan]), np.array([np.nan]), True)),
    ("linalg.norm", (X, None, 1, True)),
    ("fft.fftfreq", (8, 0.5)),
    ("fft.rfftfreq", (8, 0.5)),
)
LISTS = (("split", (X, 3, 1)), ("array_split", (X, 2, 1)), ("histogram", (X, 4, None, True)))


def _name(part: object) -> str:
    return part if isinstance(part, str) else ""


def _find(library: object, name: str) -> Callable[..., Any]:
    for part in name.split("."):
        library = getattr(library, part)
    assert callable(library)
    return library


def _ours(value: Any) -> Any:
    if isinstance(value, list) and isinstance(value[0], np.ndarray):
        return [oa.asarray(x) for x in value]
    return oa.asarray(value) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize(("name", "args"), CASES, ids=_name)
def test_arguments_by_position(name: str, args: tuple[Any, ...]) -> None:
    expected = np.asarray(_find(np, name)(*args))
    found = np.asarray(_find(oa, name)(*[_ours(arg) for arg in args]))
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize(("name", "args"), LISTS, ids=_name)
def test_arguments_by_position_of_several_results(name: str, args: tuple[Any, ...]) -> None:
    expected = _find(np, name)(*args)
    found = _find(oa, name)(*[_ours(arg) for arg in args])
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.asarray(a), b)
