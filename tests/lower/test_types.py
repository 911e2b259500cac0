"""Types and constants as MLIR text."""

from __future__ import annotations

import numpy as np
import pytest

from ownarray._backend import buffers
from ownarray._backend.compile import compile_text
from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BY_NAME
from ownarray._lower.types import dense, i64_array, tensor
from tests.ops.cases import EVERY
from tests.ops.values import edge_values


def test_types() -> None:
    assert tensor(ShapedArray((2, 3), BY_NAME["float32"])) == "tensor<2x3xf32>"
    assert tensor(ShapedArray((), BY_NAME["uint8"])) == "tensor<ui8>"
    assert i64_array((0, 2)) == "array<i64: 0, 2>"
    assert i64_array([]) == "array<i64>"


@pytest.mark.parametrize("dtype", EVERY, ids=str)
def test_constants_keep_every_bit(dtype: np.dtype[np.generic]) -> None:
    """Scalars and arrays, NaN, infinities and signed zeros among them."""
    values = edge_values(dtype)
    avals = [ShapedArray(values.shape, dtype), ShapedArray((), dtype), ShapedArray((0, 2), dtype)]
    constants = [values, values[-1], np.zeros((0, 2), dtype)]
    lines = [
        f'%{i} = "stablehlo.constant"() {{value = {dense(value, aval)}}} : () -> {tensor(aval)}'
        for i, (value, aval) in enumerate(zip(constants, avals, strict=True))
    ]
    types = ", ".join(map(tensor, avals))
    body = "\n".join([*lines, f"return %0, %1, %2 : {types}"])
    text = f"module {{\nfunc.func public @main() -> ({types}) {{\n{body}\n}}\n}}"
    results = compile_text(text, avals).run([])
    for result, aval, value in zip(results, avals, constants, strict=True):
        got = np.array(buffers.host_memory(result, aval))
        assert got.tobytes() == np.asarray(value, dtype).tobytes()
