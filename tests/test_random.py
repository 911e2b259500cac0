"""oa.random: the laws, the state of a generator, and what compiled functions do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import stats

import ownarray as oa
from ownarray import TraceError
from ownarray._ops.philox import draw

if TYPE_CHECKING:
    from collections.abc import Callable

N = 4000
# name, parameters, the law in SciPy
CONTINUOUS: list[tuple[str, tuple[float, ...], Any]] = [
    ("random", (), stats.uniform()),
    ("standard_normal", (), stats.norm()),
    ("standard_exponential", (), stats.expon()),
    ("uniform", (2.0, 5.0), stats.uniform(2, 3)),
    ("normal", (1.0, 2.0), stats.norm(1, 2)),
    ("lognormal", (0.5, 0.7), stats.lognorm(0.7, scale=np.exp(0.5))),
    ("exponential", (2.0,), stats.expon(scale=2)),
    ("standard_gamma", (0.3,), stats.gamma(0.3)),
    ("gamma", (2.5, 2.0), stats.gamma(2.5, scale=2)),
    ("beta", (0.5, 3.0), stats.beta(0.5, 3)),
    ("chisquare", (3.0,), stats.chi2(3)),
    ("noncentral_chisquare", (3.0, 2.0), stats.ncx2(3, 2)),
    ("f", (3.0, 7.0), stats.f(3, 7)),
    ("noncentral_f", (3.0, 7.0, 2.0), stats.ncf(3, 7, 2)),
    ("standard_t", (4.0,), stats.t(4)),
    ("laplace", (1.0, 2.0), stats.laplace(1, 2)),
    ("logistic", (1.0, 2.0), stats.logistic(1, 2)),
    ("gumbel", (1.0, 2.0), stats.gumbel_r(1, 2)),
    ("standard_cauchy", (), stats.cauchy()),
    ("triangular", (0.0, 0.3, 2.0), stats.triang(0.15, 0, 2)),
    ("rayleigh", (2.0,), stats.rayleigh(scale=2)),
    ("weibull", (1.5,), stats.weibull_min(1.5)),
    ("pareto", (3.0,), stats.lomax(3)),
    ("power", (2.5,), stats.powerlaw(2.5)),
    ("wald", (2.0, 3.0), stats.invgauss(2 / 3, scale=3)),
    ("vonmises", (0.0, 2.0), stats.vonmises(2)),
]
DISCRETE: list[tuple[str, tuple[float, ...], Any]] = [
    ("poisson", (3.0,), stats.poisson(3)),
    ("poisson", (50.0,), stats.poisson(50)),
    ("binomial", (10, 0.3), stats.binom(10, 0.3)),
    ("binomial", (100, 0.7), stats.binom(100, 0.7)),
    ("binomial", (1000, 0.2), stats.binom(1000, 0.2)),
    ("geometric", (0.3,), stats.geom(0.3)),
    ("negative_binomial", (5, 0.4), stats.nbinom(5, 0.4)),
    ("logseries", (0.7,), stats.logser(0.7)),
    ("zipf", (2.5,), stats.zipf(2.5)),
    ("integers", (1, 7), stats.randint(1, 7)),
]


def _name(value: object) -> str:
    """Return a name that is the same in every process: without an object's address."""
    return type(value).__name__ if " at 0x" in str(value) else str(value)


def _draws(name: str, parameters: tuple[float, ...], **options: Any) -> Any:
    rng = oa.random.default_rng(2026)
    return np.asarray(getattr(rng, name)(*parameters, size=N, **options))


@pytest.mark.parametrize(("name", "parameters", "law"), CONTINUOUS, ids=_name)
def test_continuous_laws(name: str, parameters: tuple[float, ...], law: Any) -> None:
    x = _draws(name, parameters)
    assert (x.shape, x.dtype) == ((N,), np.float64)
    assert stats.kstest(x, law.cdf).pvalue > 1e-3


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
def test_single_precision(name: str) -> None:
    x = _draws(name, (), dtype=np.float32)
    assert x.dtype == np.float32
    law = next(law for found, _, law in CONTINUOUS if found == name)
    assert stats.kstest(x, law.cdf).pvalue > 1e-3


@pytest.mark.parametrize(("name", "parameters", "law"), DISCRETE, ids=_name)
def test_discrete_laws(name: str, parameters: tuple[float, ...], law: Any) -> None:
    x = _draws(name, parameters)
    assert x.dtype == np.int64
    values = np.arange(x.min(), min(x.max(), x.min() + 200) + 1)
    seen = np.array([(x == k).sum() for k in values])
    wanted = law.pmf(values) * N
    common = wanted > 8
    distance = float(((seen - wanted)[common] ** 2 / wanted[common]).sum())
    assert stats.chi2(common.sum() - 1).sf(distance) > 1e-3


def test_parameters_broadcast() -> None:
    rng = oa.random.default_rng(0)
    x = np.asarray(rng.gamma([0.1, 0.5, 1.0, 5.0], size=(N, 4)))
    np.testing.assert_allclose(x.mean(0), [0.1, 0.5, 1.0, 5.0], rtol=0.15)
    x = np.asarray(rng.poisson(oa.asarray([0.5, 9.0, 11.0, 1000.0]), size=(N, 4)))
    np.testing.assert_allclose(x.mean(0), [0.5, 9.0, 11.0, 1000.0], rtol=0.1)
    assert rng.normal(oa.zeros((2, 1)), oa.ones(3)).shape == (2, 3)


def test_the_bits_are_those_of_numpys_philox() -> None:
    rng = oa.random.default_rng(5)
    numpys = np.random.Generator(np.random.Philox(key=np.asarray(rng.key), counter=0))
    np.testing.assert_array_equal(np.asarray(rng.random(100)), numpys.random(100))


def _many(rng: oa.Mut[oa.random.Generator]) -> list[oa.Array]:
    return [
        rng.normal(size=5),
        rng.gamma(2.0, size=4),
        rng.integers(0, [5, 10**12], size=(3, 2)),
        rng.integers(-3, 3, size=9, dtype=np.int8, endpoint=True),
        rng.poisson([2.0, 30.0]),
        rng.binomial(100, [0.01, 0.5]),
        rng.permutation(6),
        rng.permuted(oa.arange(6).reshape((2, 3)), axis=1),
        rng.choice(5, 3, replace=False),
        rng.choice(3, 4, p=[0.2, 0.3, 0.5]),
        rng.choice(3, 2, replace=False, p=[0.2, 0.3, 0.5]),
        rng.vonmises(0.1, 2.0, size=3),
        rng.multinomial(10, [0.2, 0.3, 0.5], size=2),
        rng.dirichlet([1.0, 2.0]),
        rng.multivariate_normal([0.0, 1.0], oa.eye(2), size=3),
        rng.random(3, np.float32),
    ]


@pytest.mark.slow
def test_compiled_draws_are_the_same() -> None:
    first, second = oa.random.default_rng(7), oa.random.default_rng(7)
    compiled = oa.jit(_many)
    for _ in range(2):
        for a, b in zip(_many(first), compiled(second), strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_allclose(
                np.asarray(a), np.asarray(b), rtol=1e-6 if a.dtype == "f4" else 1e-12
            )
    assert int(first.counter) == int(second.counter)


def test_a_seed_says_it_all() -> None:
    draws = [oa.random.default_rng(seed).random(4).tolist() for seed in (1, 1, 2, [1, 2])]
    assert draws[0] == draws[1]
    assert draws[0] != draws[2] != draws[3]
    rng = oa.random.default_rng()
    assert oa.random.default_rng(rng) is rng
    assert rng.random(3).tolist() != rng.random(3).tolist()


def test_children_differ() -> None:
    rng = oa.random.default_rng(0)
    draws = [child.random(2).tolist() for child in (*rng.spawn(2), *rng.spawn(1), rng)]
    assert len({tuple(d) for d in draws}) == 4


def test_whole_numbers_of_any_range() -> None:
    rng = oa.random.default_rng(3)
    x = np.asarray(rng.integers(0, 2**64 - 1, size=N, dtype=np.uint64, endpoint=True))
    assert x.max() > 2**63
    x = np.asarray(rng.integers(-(2**63), 2**63 - 1, size=N, endpoint=True))
    assert x.min() < -(2**62) < 2**62 < x.max()
    assert set(rng.integers(0, 2, size=100, dtype=bool).tolist()) == {True, False}
    assert rng.integers(5, 6).tolist() == 5
    assert rng.integers([1, 10], [2, 20]).shape == (2,)


@pytest.mark.parametrize("n", [3, 1000, 1024, 3 * 2**30, 2**32, 2**32 + 1, 3 * 2**62])
def test_whole_numbers_are_high_words_of_products(n: int) -> None:
    size = 20_001
    key = np.asarray(oa.random.default_rng(7).key)
    words = [int(word) for word in np.random.Philox(key=key).random_raw(size)]
    kept = [(word * n) % 2**64 >= 2**64 % n for word in words]
    wanted = [(word * n) >> 64 for word in words]

    def draw() -> oa.Array:
        return oa.random.default_rng(7).integers(0, n, size=size, dtype=np.uint64)

    found = np.asarray(draw())
    assert [int(x) for x, sure in zip(found, kept, strict=True) if sure] == [
        x for x, sure in zip(wanted, kept, strict=True) if sure
    ]
    assert np.max(found) < n
    assert np.array_equal(np.asarray(oa.jit(draw)()), found)


@pytest.mark.parametrize("kind", ["unit", "symmetric"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_compiled_floats_are_the_same_bits(dtype: type[np.floating[Any]], kind: Any) -> None:
    def draws(key: Any) -> Any:
        return draw(key, np.uint64(0), (20_001,), np.dtype(dtype), kind)

    key = oa.random.default_rng(7).key
    found = np.asarray(draws(key))
    assert found.dtype == dtype
    assert np.all(found != 0) or kind == "unit"
    assert np.array_equal(np.asarray(oa.jit(draws)(key)), found)


def test_choices() -> None:
    rng = oa.random.default_rng(4)
    x = oa.asarray(np.arange(20).reshape(4, 5))
    assert rng.choice(x, 3, axis=1).shape == (4, 3)
    counts = np.bincount(np.asarray(rng.choice(3, N, p=[0.5, 0.5, 0.0])), minlength=3)
    assert counts[2] == 0
    assert abs(counts[0] - N / 2) < 4 * np.sqrt(N)
    first = [int(rng.choice(3, 2, replace=False, p=[0.8, 0.1, 0.1])[0]) for _ in range(200)]
    assert first.count(0) > 130
    assert sorted(rng.permutation(oa.asarray([3, 1, 2])).tolist()) == [1, 2, 3]


def test_shuffling_is_in_place() -> None:
    rng = oa.random.default_rng(5)
    x = oa.arange(100)
    address = x._values().ctypes.data  # type: ignore[attr-defined]  # a concrete array
    before = x.tolist()
    rng.shuffle(x)
    assert x.tolist() != before
    assert sorted(x.tolist()) == before
    assert x._values().ctypes.data == address  # type: ignore[attr-defined]
    with np.testing.assert_raises(oa.BorrowError):
        view = np.asarray(x)
        rng.shuffle(x)
    del view


def test_a_generator_from_outside_is_refused() -> None:
    rng = oa.random.default_rng(0)
    with pytest.raises(TraceError, match=r"oa\.Mut\[oa\.random\.Generator\]"):
        oa.jit(lambda x: x + rng.random())(oa.zeros(2))
    with pytest.raises(TraceError, match="carry it through the loop"):
        oa.fori_loop(0, 3, lambda i, x: x + rng.random(), oa.zeros(2))


def test_a_generator_in_a_loop() -> None:
    def body(i: oa.Array, carry: tuple[Any, oa.Array]) -> tuple[Any, oa.Array]:
        rng, x = carry
        x[i] = rng.random()
        return rng, x

    carry: Any = (oa.move(oa.random.default_rng(1)), oa.move(oa.zeros(4)))
    rng, x = oa.fori_loop(0, 4, body, carry)
    assert len(set(x.tolist())) == 4
    expected = oa.random.default_rng(1)
    assert x.tolist() == [float(expected.random()) for _ in range(4)]
    assert int(rng.counter) == 4


def test_derivatives_pass_by_a_generator() -> None:
    rng = oa.random.default_rng(8)
    expected = oa.random.default_rng(8).normal(size=3)
    gradient = oa.grad(lambda w: (w * rng.normal(size=3)).sum())(oa.ones(3))
    np.testing.assert_allclose(np.asarray(gradient), np.asarray(expected))
    assert int(rng.counter) > 0


def _seeded(seed: Any) -> Any:
    return oa.random.default_rng(seed)


REFUSED: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda rng: rng.integers(5, 5), ValueError, "low >= high"),
    (lambda rng: rng.integers(0, 300, dtype=np.uint8), ValueError, "out of bounds"),
    (lambda rng: rng.integers(0, 3, dtype=np.float64), TypeError, "integer dtype"),
    (lambda rng: rng.integers(1.5), TypeError, "whole numbers"),
    (lambda rng: rng.normal(0, -1), ValueError, "scale < 0"),
    (lambda rng: rng.random(dtype=np.int32), TypeError, "float32 or float64"),
    (lambda rng: rng.random(-1), ValueError, "negative"),
    (lambda rng: rng.normal([1.0, 2.0], size=3), ValueError, "broadcast"),
    (lambda rng: rng.choice(3, 5, replace=False), ValueError, "larger sample"),
    (lambda rng: rng.choice(0), ValueError, "empty"),
    (lambda rng: rng.choice([1, 2], p=[0.5, 0.6]), ValueError, "sum to 1"),
    (lambda rng: rng.choice([1, 2], p=[1.0]), ValueError, "same size"),
    (lambda rng: rng.shuffle(np.arange(3)), TypeError, "oa.Array"),
    (lambda rng: rng.spawn(-1), ValueError, "negative"),
    (lambda rng: rng.multivariate_normal([0.0], np.eye(2)), ValueError, "shape"),
    (lambda _: _seeded(oa.ones(2)), TypeError, "seed"),
]


@pytest.mark.parametrize(("draw", "kind", "words"), REFUSED)
def test_refusals(draw: Callable[[Any], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        draw(oa.random.default_rng(0))


def test_sizes_and_seeds_that_are_none_name_the_function() -> None:
    rng = oa.random.default_rng(0)
    assert rng.integers(5, size=oa.asarray(3)).shape == (3,)  # type: ignore[arg-type]
    assert rng.integers(5, size=np.array([2, 3])).shape == (2, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="integers: expected an int or ints as size"):
        rng.integers(5, size="a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="default_rng: expected an int or ints as seed"):
        oa.random.default_rng(np.array(3))  # type: ignore[arg-type]
