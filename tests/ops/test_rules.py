"""Derivative and batching rules, each by what it means: differences, pairings, slices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ownarray._array  # noqa: F401  (installs the interpreter that computes at once)
from ownarray._core.aval import aval_of
from ownarray._core.primitive import Linear, Missing, rule
from ownarray._ops.powers import power_p
from ownarray._ops.table import PRIMITIVES
from ownarray._trace.bind import Operand, bind, bind_multiple
from tests.ops.samples import OTHERS, SMOOTH, Sample, Values

_INEXACT = "fc"


def _apply(sample: Sample, arrays: list[Any]) -> list[Values]:
    if sample.primitive.multiple:
        results = bind_multiple(sample.primitive, *arrays, **sample.params)
    else:
        results = [bind(sample.primitive, *arrays, **sample.params)]
    return [np.array(result) for result in results]


def _values(x: Operand) -> Values:
    return np.array(x)


def _direction(x: Values, seed: int) -> Values:
    rng = np.random.default_rng(seed)
    t = rng.normal(size=x.shape)
    return np.asarray(t + 1j * rng.normal(size=x.shape) if x.dtype.kind == "c" else t)


@pytest.mark.parametrize("sample", SMOOTH, ids=str)
def test_jvp_is_the_limit_of_differences(sample: Sample) -> None:
    ans = _apply(sample, list(sample.arrays))
    places = [i for i, x in enumerate(sample.arrays) if x.dtype.kind in _INEXACT]
    for moving in [*[[i] for i in places], places]:
        tangents: list[Values | None] = [None] * len(sample.arrays)
        for i in moving:
            tangents[i] = _direction(sample.arrays[i], i)
        got = rule(sample.primitive, "jvp")(
            list(sample.arrays),
            tangents,
            ans if sample.primitive.multiple else ans[0],
            **sample.params,
        )
        for found, wanted in zip(
            got if sample.primitive.multiple else [got], _slope(sample, tangents), strict=True
        ):
            if found is None:
                np.testing.assert_allclose(wanted, 0, atol=1e-8)
                continue
            assert _values(found).shape == wanted.shape
            np.testing.assert_allclose(_values(found), wanted, rtol=2e-6, atol=2e-8)


def _slope(sample: Sample, tangents: list[Values | None]) -> list[Values]:
    """Return the central difference along tangents, of fourth order."""

    def moved(h: float) -> list[Values]:
        arrays = [
            x if t is None else x + h * t for x, t in zip(sample.arrays, tangents, strict=True)
        ]
        return _apply(sample, arrays)

    h = 2e-4
    steps = [moved(k * h) for k in (-2, -1, 1, 2)]
    return [
        np.asarray((a - 8 * b + 8 * c - d) / (12 * h)) for a, b, c, d in zip(*steps, strict=True)
    ]


@pytest.mark.parametrize(
    ("sample", "linear"),
    [pytest.param(s, places, id=f"{s}-{places}") for s in SMOOTH for places in s.linear],
)
def test_transpose_pairs_with_the_operation(sample: Sample, linear: tuple[int, ...]) -> None:
    arrays = [_direction(x, i) if i in linear else x for i, x in enumerate(sample.arrays)]
    # Terms that are constant in the linear operands (the other summand) do not count.
    at_zero = [np.zeros_like(x) if i in linear else x for i, x in enumerate(arrays)]
    (ans,), (rest,) = _apply(sample, arrays), _apply(sample, at_zero)
    ct = _direction(ans, 99)
    args = [Linear(aval_of(x)) if i in linear else x for i, x in enumerate(arrays)]
    cts = rule(sample.primitive, "transpose")(ct, *args, **sample.params)
    cts += [None] * (len(args) - len(cts))
    total: Any = 0.0
    for i, x in enumerate(arrays):
        if i not in linear:
            assert cts[i] is None
            continue
        found = _values(cts[i])
        assert (found.shape, found.dtype) == (x.shape, x.dtype)
        total = total + np.sum(found * x)
    # Real parts: an operation between real and complex numbers is linear over the reals.
    np.testing.assert_allclose(np.real(total), np.real(np.sum(ct * (ans - rest))), rtol=1e-9)


def test_powers_have_slopes_where_logarithms_have_none() -> None:
    x, y, t = np.array([-1.5, 0.0, 0.0, 2.0]), np.array([2.0, 3.0, 0.0, 0.0]), np.ones(4)
    got = rule(power_p, "jvp")([x, y], [t, None], x**y)
    np.testing.assert_allclose(_values(got), [-3.0, 0.0, 0.0, 0.0])


_BATCHED = [s for s in [*SMOOTH, *OTHERS] if s.arrays]


@pytest.mark.parametrize("sample", _BATCHED, ids=str)
def test_batching_is_a_loop_over_slices(sample: Sample) -> None:
    n = 3
    count = len(sample.arrays)
    subsets = [{i} for i in range(count)] + [set(range(count))]
    for subset in subsets:
        for last in (False, True):
            args: list[Values] = []
            bdims: list[int | None] = []
            for i, x in enumerate(sample.arrays):
                if i not in subset:
                    args.append(x)
                    bdims.append(None)
                    continue
                place = x.ndim if last else 0
                args.append(np.stack([_variant(x, k) for k in range(n)], axis=place))
                bdims.append(place)
            _check_batch(sample, args, bdims, n)


def _variant(x: Values, k: int) -> Values:
    """Return other values of the same kind; sorted ones stay sorted."""
    if x.dtype == bool:
        return np.roll(x, k)
    step = np.asarray(0.01 * k if x.dtype.kind in _INEXACT else k)
    return np.asarray(x + step.astype(x.dtype))


def _check_batch(sample: Sample, args: list[Values], bdims: list[int | None], n: int) -> None:
    outs, places = rule(sample.primitive, "batch")(args, bdims, **sample.params)
    if not sample.primitive.multiple:
        outs, places = [outs], [places]
    for k in range(n):
        slices = [
            x if b is None else np.take(x, k, axis=b) for x, b in zip(args, bdims, strict=True)
        ]
        for out, place, wanted in zip(outs, places, _apply(sample, slices), strict=True):
            got = np.take(_values(out), k, axis=place)
            assert got.dtype == wanted.dtype
            np.testing.assert_allclose(got, wanted, rtol=1e-12)


def test_samples_cover_the_rules() -> None:
    """Every primitive of these files that has a rule has a sample."""
    files = {s.primitive.name for s in [*SMOOTH, *OTHERS]}
    smooth = {s.primitive.name for s in SMOOTH}
    for primitive in PRIMITIVES:
        if primitive.name in files and not isinstance(primitive.jvp, Missing):
            flat = primitive.name in _FLAT
            assert primitive.name in smooth or flat, f"{primitive.name} has no smooth sample"


_FLAT = {"floor", "ceil", "round", "trunc", "floor_divide", "nextafter"}


@pytest.mark.parametrize("name", sorted(_FLAT))
def test_steps_have_no_tangent(name: str) -> None:
    primitive = next(p for p in PRIMITIVES if p.name == name)
    x = np.ones(2)
    count = 2 if name in ("floor_divide", "nextafter") else 1
    assert rule(primitive, "jvp")([x] * count, [x] * count, x) is None
