"""Products that read a large operand where it lies: right for every order of axes, no copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ownarray as oa
from ownarray._ops import matmul, streamed
from ownarray._ops.slicing import window

if TYPE_CHECKING:
    from collections.abc import Callable

    Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

EQUATIONS = {
    "rows": ("ij,j->i", (40, 33), (33,)),
    "rows, second": ("j,ij->i", (33,), (40, 33)),
    "rows of two axes": ("ijk,jk->i", (40, 3, 11), (3, 11)),
    "columns": ("i,ij->j", (40,), (40, 33)),
    "columns left over": ("i,ij->j", (41,), (41, 32)),
    "several rows": ("ij,mj->im", (40, 33), (3, 33)),
    "several columns": ("mi,ij->mj", (3, 40), (40, 33)),
    "scores": ("bhd,bnhd->bhn", (2, 3, 16), (2, 24, 3, 16)),
    "values": ("bhn,bnhd->bhd", (2, 3, 24), (2, 24, 3, 16)),
    "grouped scores": ("bhgd,bnhd->bhgn", (2, 3, 4, 16), (2, 24, 3, 16)),
    "grouped values": ("bhgn,bnhd->bhgd", (2, 3, 4, 24), (2, 24, 3, 16)),
    "two kinds of rows": ("xcd,nd->xcn", (2, 3, 16), (24, 16)),
    "nothing free": ("bnk,bnk->bn", (2, 24, 16), (2, 24, 16)),
    "batch behind": ("nb,nb->b", (24, 40), (24, 40)),
}
DTYPES = {
    "float32": 2e-6,
    "float64": 1e-14,
    "float16": 2e-3,
    "bfloat16": 1e-2,
    "complex64": 2e-6,
    "int32": 0.0,
}


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Make small operands count as large, and return which products were streamed."""
    for name in ("MIN_BYTES", "_MIN_DENSE", "_MIN_SUMS", "_MIN_WIDTH"):
        monkeypatch.setattr(streamed, name, 1)
    monkeypatch.setattr(streamed, "_is_dense", lambda *args: False)
    found: list[bool] = []

    def spy(*args: Any, **kwargs: Any) -> Any:
        result = streamed.lower_streamed(*args, **kwargs)
        found.append(result is not None)
        return result

    monkeypatch.setattr(matmul, "lower_streamed", spy)
    return found


def _values(shape: tuple[int, ...], seed: int) -> Floats:
    return np.random.default_rng(seed).integers(-8, 9, shape).astype(np.float64) / 4


def _close(found: oa.Array, wanted: Any, tolerance: float) -> None:
    got = np.asarray(found.astype(oa.complex128))
    assert np.max(np.abs(got - wanted)) <= tolerance * max(1.0, np.max(np.abs(wanted)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", EQUATIONS)
def test_streamed_products_are_right(streams: list[bool], name: str, dtype: str) -> None:
    equation, *shapes = EQUATIONS[name]
    scale = 4 if dtype == "int32" else 1
    values = [scale * _values(shape, seed) for seed, shape in enumerate(shapes)]
    arrays = [oa.asarray(value).astype(dtype) for value in values]
    found = oa.jit(lambda x, y: oa.einsum(equation, x, y))(*arrays)
    assert streams == [True]
    assert found.dtype == arrays[0].dtype
    _close(found, np.einsum(equation, *values), DTYPES[dtype])


VIEWS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, int], Any]]] = {
    "slice": (lambda x, i: x[:, 1], lambda x, i: x[:, 1]),
    "moving slice": (lambda x, i: x[:, i], lambda x, i: x[:, i]),
    "slice of slice": (lambda x, i: x[1:, 1:][:, i - 1], lambda x, i: x[1:, 1:][:, i - 1]),
    "slice along the sum": (lambda x, i: x[:, 1, 3:19], lambda x, i: x[:, 1, 3:19]),
    "turned": (lambda x, i: x[:, 1].swapaxes(1, 2), lambda x, i: x[:, 1].swapaxes(1, 2)),
    "strided": (lambda x, i: x[:, 1, ::2], lambda x, i: x[:, 1, ::2]),
    "merged": (
        lambda x, i: x.reshape(4, 72, 32)[:, 24:48],
        lambda x, i: x.reshape(4, 72, 32)[:, 24:48],
    ),
}


@pytest.mark.parametrize("equation", ["bn,bnk->bk", "bk,bnk->bn"])
@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_parts_are_read_in_place(streams: list[bool], name: str, equation: str, dtype: str) -> None:
    whole, (view, expected) = _values((4, 3, 24, 32), 0), VIEWS[name]
    part = expected(whole, 2)
    small = _values((part.shape[0], part.shape[1 if "bn," in equation else 2]), 1)

    @oa.jit
    def product(x: oa.Array, i: int, y: oa.Array) -> oa.Array:
        return oa.einsum(equation, y, view(x, i).astype("float32"))

    found = product(oa.asarray(whole).astype(dtype), 2, oa.asarray(small).astype("float32"))
    assert streams == [True]
    _close(found, np.einsum(equation, small, part), 2e-6)


def test_a_moving_part_out_of_range_is_moved_inside(streams: list[bool]) -> None:
    whole, small = _values((48, 32), 0), _values((24,), 1)
    product = oa.jit(lambda x, i, y: y @ window(x, i, 24))
    found = product(oa.asarray(whole), oa.asarray(40), oa.asarray(small))
    assert streams == [True]
    _close(found, small @ whole[24:], 1e-14)


def test_derivatives_and_batches_of_streamed_products(streams: list[bool]) -> None:
    weights, keys = _values((2, 3, 24), 0), _values((2, 24, 3, 16), 1)

    def loss(w: Any, k: Any) -> Any:
        return oa.sum(oa.einsum("bhn,bnhd->bhd", w, k) ** 2)

    arrays = oa.asarray(weights), oa.asarray(keys)
    found = oa.jit(oa.grad(loss, argnums=(0, 1)))(*arrays)
    out = 2 * np.einsum("bhn,bnhd->bhd", weights, keys)
    assert any(streams)
    _close(found[0], np.einsum("bhd,bnhd->bhn", out, keys), 1e-13)
    _close(found[1], np.einsum("bhd,bhn->bnhd", out, weights), 1e-13)
    many = oa.jit(oa.vmap(lambda w, k: oa.einsum("hn,nhd->hd", w, k)))(*arrays)
    _close(many, out / 2, 1e-13)


def _decoder(places: int) -> tuple[Any, oa.Array, oa.Array]:
    """Return a step that writes a token into a cache and attends over it; a cache; a token."""

    def decode(cache: Any, token: Any, place: Any) -> Any:
        cache[:, :, place] = token
        keys, values = (cache[:, i].reshape(2, places, 8, 32) for i in range(2))
        query = token[:, 0].reshape(2, 8, 32)
        scores = oa.einsum("lhd,lnhd->lhn", query, keys)
        scores = oa.where(oa.arange(places) <= place, scores, -1e30)
        weights = oa.exp(scores - oa.max(scores, axis=-1, keepdims=True))
        weights = weights / oa.sum(weights, axis=-1, keepdims=True)
        return cache, oa.einsum("lhn,lnhd->lhd", weights, values)

    rng = np.random.default_rng(0)
    cache = rng.standard_normal((2, 2, places, 256)).astype(np.float32)
    return decode, oa.asarray(cache), oa.asarray(cache[:, :, 0])


def test_attention_over_a_cache_copies_no_part_of_it() -> None:
    decode, cache, token = _decoder(4096)

    @oa.jit
    def owned(cache: oa.Owned[oa.Array], token: oa.Array, place: int) -> tuple[oa.Array, oa.Array]:
        return decode(cache, token, place)  # type: ignore[no-any-return]

    plan = owned.explain(cache, token, 7)
    assert plan.bytes_reused == cache.nbytes
    assert plan.bytes_temporary < cache.nbytes // 8


def test_moved_lent_and_copied_calls_give_the_same_bits() -> None:
    decode, cache, token = _decoder(2048)

    @oa.jit
    def owned(cache: oa.Owned[oa.Array], token: oa.Array, place: int) -> tuple[oa.Array, oa.Array]:
        return decode(cache, token, place)  # type: ignore[no-any-return]

    @oa.jit
    def lent(cache: oa.Array, token: oa.Array, place: int) -> tuple[oa.Array, oa.Array]:
        return decode(oa.copy(cache), token, place)  # type: ignore[no-any-return]

    results = [
        lent(cache, token, 7),
        owned(oa.move(oa.copy(cache)), token, 7),
        owned(oa.move(cache), token, 7),
    ]
    for found in results[1:]:
        for got, wanted in zip(found, results[0], strict=True):
            assert np.array_equal(np.asarray(got), np.asarray(wanted))


def test_reading_a_cache_before_it_is_written_copies_nothing() -> None:
    @oa.jit
    def step(cache: oa.Owned[oa.Array], weights: oa.Array) -> tuple[oa.Array, oa.Array]:
        out = oa.einsum("hn,nhd->hd", weights, cache[1].reshape(4096, 8, 32))
        cache[:, 5] = out.reshape(256)
        return cache, out

    cache = oa.ShapedArray((2, 4096, 256), "float32")
    plan = step.explain(cache, oa.ShapedArray((8, 4096), "float32"))
    assert plan.bytes_temporary < cache.nbytes // 4


def test_a_part_is_read_before_another_write() -> None:
    """The write does not follow from the product, so only a barrier orders them."""

    @oa.jit
    def step(
        cache: oa.Owned[oa.Array], weights: oa.Array, token: oa.Array
    ) -> tuple[oa.Array, oa.Array]:
        out = oa.einsum("hn,nhd->hd", weights, cache[1].reshape(16384, 8, 32))
        cache[:, 5] = token
        return cache, out

    specs = [oa.ShapedArray(shape, "float32") for shape in ((2, 16384, 256), (8, 16384), (2, 256))]
    plan = step.explain(*specs)
    assert plan.bytes_reused == specs[0].nbytes
    assert plan.bytes_temporary < specs[0].nbytes // 8
