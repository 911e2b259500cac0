"""Functions whose arguments are no arrays, and what functions of series and blocks refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_tapers(name: str, n: int) -> None:
    assert np.array_equal(np.asarray(getattr(oa, name)(n)), getattr(np, name)(n))


def test_kaiser() -> None:
    assert np.array_equal(np.asarray(oa.kaiser(6, 8.6)), np.kaiser(6, 8.6))


@pytest.mark.parametrize("name", ["tril_indices", "triu_indices"])
@pytest.mark.parametrize("args", [(4,), (4, 1), (3, -1, 5), (0,)])
def test_triangles(name: str, args: tuple[int, ...]) -> None:
    for ours, theirs in zip(getattr(oa, name)(*args), getattr(np, name)(*args), strict=True):
        assert np.array_equal(np.asarray(ours), theirs)


def test_index_arrays_are_arrays_of_their_own() -> None:
    rows, cols = oa.diag_indices(3)
    x = oa.zeros((3, 3))
    x[rows, cols] = 1.0
    rows += 1
    assert cols.tolist() == [0, 1, 2]
    assert x.tolist() == np.eye(3).tolist()


def test_index_arrays_in_a_compiled_function() -> None:
    @oa.jit
    def upper(x: oa.Array) -> oa.Array:
        return x[oa.triu_indices(3, 1)] + oa.hanning(3)

    x = np.arange(9.0).reshape(3, 3)
    assert np.allclose(np.asarray(upper(oa.asarray(x))), x[np.triu_indices(3, 1)] + np.hanning(3))


def test_open_meshes_take_lists_and_masks() -> None:
    x = np.arange(12).reshape(3, 4)
    mask = np.array([True, False, True])
    ours = oa.asarray(x)[oa.ix_(oa.asarray(mask), [0, 3])]
    assert np.array_equal(np.asarray(ours), x[np.ix_(mask, np.array([0, 3]))])


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_blocks_of_any_depth(depth: int) -> None:
    part: Any = np.ones((2, 2))
    other: Any = oa.ones((2, 2))
    for _ in range(depth):
        part, other = [part, part], [other, other]
    assert np.array_equal(np.asarray(oa.block(other)), np.block(part))


def test_places_in_row_major_order() -> None:
    assert oa.ravel_multi_index(([1, 2], 3), (4, 5)).tolist() == [8, 13]


def test_a_function_along_an_axis_takes_options() -> None:
    x = oa.arange(6.0).reshape(2, 3)

    def scaled(row: oa.Array, by: float, *, shift: float = 0.0) -> oa.Array:
        return row * by + shift

    found = oa.apply_along_axis(scaled, 1, x, 2.0, shift=1.0)
    assert found.tolist() == (np.arange(6.0).reshape(2, 3) * 2 + 1).tolist()


def test_exponents_beyond_the_range() -> None:
    x = oa.asarray([1.0, -3.0, 0.0, np.inf, np.nan, 1e-300, 1e300])
    for f in (oa.ldexp, oa.jit(oa.ldexp)):
        for power in (1100, 2000, -2000, 2**40, -(2**40)):
            with np.errstate(all="ignore"):
                wanted = np.ldexp(np.asarray(x), max(min(power, 10000), -10000))
            assert np.array_equal(np.asarray(f(x, power)), wanted, equal_nan=True)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: oa.partition(x, 3), ValueError, "partition: kth=3"),
        (lambda x: oa.argpartition(x, [0, -4]), ValueError, "argpartition: kth=-4"),
        (lambda x: oa.partition(x, 0, axis=1), np.exceptions.AxisError, "partition"),
        (lambda x: oa.ldexp(x, 1.5), TypeError, "ldexp: expected integers"),
        (lambda x: oa.vsplit(x, 1), ValueError, "vsplit: expected an array of 2 axes"),
        (lambda x: oa.dsplit(x, 1), ValueError, "dsplit"),
        (lambda x: oa.block([[x], x]), ValueError, "block: expected lists nested"),
        (lambda x: oa.block([]), ValueError, "block"),
        (lambda x: oa.ravel_multi_index((x,), (3,)), TypeError, "ravel_multi_index"),
        (lambda x: oa.ravel_multi_index(([5],), (3,)), ValueError, "ravel_multi_index"),
        (lambda x: oa.ravel_multi_index((1, 2), (3,)), ValueError, "ravel_multi_index"),
        (lambda x: oa.ix_(oa.ones((2, 2))), ValueError, "ix_"),
        (lambda x: oa.vander(oa.ones((2, 2))), ValueError, "vander"),
        (lambda x: oa.polyfit(x, x, -1), ValueError, "polyfit"),
        (lambda x: oa.polyfit(x, oa.ones(4), 1), ValueError, "polyfit"),
        (lambda x: oa.ediff1d(oa.asarray([1, 2]), to_end=0.5), TypeError, "ediff1d"),
        (lambda x: oa.matvec(x, x), ValueError, "matvec"),
        (lambda x: oa.apply_along_axis(oa.sum, 1, x), np.exceptions.AxisError, "apply_along_axis"),
        (lambda x: oa.fmod(x, 1j), TypeError, "fmod"),
    ],
)
def test_refusals_name_the_function(
    call: Callable[[oa.Array], Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        call(oa.ones(3))


def test_small_memory_is_in_row_major_order() -> None:
    """Whatever order NumPy's operands have."""
    turned = np.asfortranarray(np.ones((3, 4)))
    for x in (
        oa.exp(turned),
        oa.ones(4) + turned,
        oa.argwhere(oa.ones((3, 4))),
        oa.copy(oa.asarray(turned)),
        oa.sort(turned),
    ):
        assert np.asarray(x).flags.c_contiguous


def test_a_shift_that_is_no_number_names_the_function() -> None:
    with pytest.raises(TypeError, match="roll: expected an int or ints as shift"):
        oa.roll(oa.ones(3), "a")  # type: ignore[arg-type]
