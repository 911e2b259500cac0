"""What was compiled or remembered once serves the next call, and `explain`."""

import importlib

import numpy as np
import pytest

import ownarray as oa
from ownarray._transforms.build import Build

jit_module = importlib.import_module("ownarray._transforms.jit")


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[Build]:
    found: list[Build] = []
    build = jit_module.build

    def counting(*args: object, **kwargs: object) -> Build:
        made: Build = build(*args, **kwargs)
        found.append(made)
        return made

    monkeypatch.setattr(jit_module, "build", counting)
    return found


def test_a_call_runs_what_was_explained(builds: list[Build]) -> None:
    @oa.jit
    def step(x: oa.Owned[oa.Array], y: oa.Array, rate: float) -> oa.Array:
        return x * rate + y

    spec = oa.ShapedArray((5,), "float64")
    step.explain(spec, np.ones(5), 0.5)
    assert step(oa.move(oa.ones(5)), np.ones(5), 2.0).tolist() == [3.0] * 5
    assert len(builds) == 1


def test_what_was_called_is_explained_without_compiling(builds: list[Build]) -> None:
    double = oa.jit(lambda tree: {"a": tree["a"] * 2.0})
    double({"a": oa.ones(5)})
    double.explain({"a": oa.ShapedArray((5,), "float64")})
    assert len(builds) == 1


def test_explaining_does_not_hide_that_a_donor_is_left_over(builds: list[Build]) -> None:
    @oa.jit(require_alias=True)
    def total(x: oa.Owned[oa.Array]) -> oa.Array:
        return oa.sum(x)

    assert total.explain(oa.ShapedArray((5,), "float64")).bytes_freed == 40
    h = oa.move(oa.ones(5))
    with pytest.raises(oa.DonationError):
        total(h)
    assert h.take().tolist() == [1.0] * 5
    assert len(builds) == 1


def test_a_number_among_the_arguments_keeps_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    @oa.jit
    def write(x: oa.Owned[oa.Array], place: int) -> oa.Array:
        x[place] = 1.0
        return x

    x = write(oa.move(oa.zeros(3)), 0)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the ordinary way")

    monkeypatch.setattr(jit_module, "read_call", never)
    for place in (1, 2):
        x = write(oa.move(x), place)
    assert x.tolist() == [1.0, 1.0, 1.0]
