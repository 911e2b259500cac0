"""Program texts for the tests of the backend."""

from __future__ import annotations

import numpy as np

from ownarray._backend.compile import Executable, compile_text
from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import MLIR


def tensor(aval: ShapedArray) -> str:
    return f"tensor<{''.join(f'{n}x' for n in aval.shape)}{MLIR[aval.dtype]}>"


def f32(*shape: int) -> ShapedArray:
    return ShapedArray(shape, np.dtype(np.float32))


def add_text(aval: ShapedArray, *, donate: bool = True) -> str:
    """`a + b`, in a's memory if it is donated."""
    kind = tensor(aval)
    donor = " {tf.aliasing_output = 0 : i32}" if donate else ""
    op = "or" if aval.dtype == np.bool_ else "add"
    return (
        f"module @add {{ func.func public @main(%a: {kind}{donor}, %b: {kind}) -> {kind} {{"
        f" %r = stablehlo.{op} %a, %b : {kind} return %r : {kind} }} }}"
    )


def adder(aval: ShapedArray, *, donate: bool = True) -> Executable:
    alias = aval.nbytes if donate else 0
    return compile_text(add_text(aval, donate=donate), [aval], alias)
