"""The field operations, and the parts of complex numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BOOL, COMPLEX, INEXACT, NUMERIC
from ownarray._core.primitive import Linear, Primitive
from ownarray._ops.convert import COMPLEX_OF, REAL_OF
from ownarray._ops.rules import (
    BatchDims,
    Tangents,
    deliver,
    elementwise_aval,
    fit,
    lower_op,
    through_int8,
)
from ownarray._ops.structural import elementwise_batch, to_shape, unbroadcast
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval, scalar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

Batched = tuple["Array", int]


def number(value: complex, like: Operand) -> np.generic:
    """Return a number in the dtype of an operand."""
    return scalar(value, operand_aval(like).dtype)


# add, sub: linear in both.


def add(x: Operand, y: Operand) -> Array:
    """Apply `add_p`."""
    return bind(add_p, x, y)


def sub(x: Operand, y: Operand) -> Array:
    """Apply `sub_p`."""
    return bind(sub_p, x, y)


def neg(x: Operand) -> Array:
    """Apply `neg_p`."""
    return bind(neg_p, x)


def mul(x: Operand, y: Operand) -> Array:
    """Apply `mul_p`."""
    return bind(mul_p, x, y)


def div(x: Operand, y: Operand) -> Array:
    """Apply `div_p`."""
    return bind(div_p, x, y)


def add_tangents(x: Operand | None, y: Operand | None, ans: Operand) -> Operand | None:
    """Return the sum of two tangents in the answer's shape; None is zero."""
    if x is None or y is None:
        found = y if x is None else x
        return None if found is None else to_shape(found, ans)
    return to_shape(add(x, y), ans)


def _add_transpose(ct: Operand, x: Operand | Linear, y: Operand | Linear) -> list[Operand | None]:
    return [unbroadcast(ct, a.aval) if isinstance(a, Linear) else None for a in (x, y)]


def _add_batch(args: Sequence[Operand], bdims: BatchDims) -> Batched:
    return elementwise_batch(add_p, args, bdims)


add_p: Primitive = Primitive(
    name="add",
    is_light=True,
    aval=partial(elementwise_aval, name="add", allowed=NUMERIC | {BOOL}),
    host=np.add,
    lower=partial(lower_op, op="stablehlo.add"),
    jvp=lambda primals, tangents, ans: add_tangents(tangents[0], tangents[1], ans),
    transpose=_add_transpose,
    batch=_add_batch,
)


def _sub_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    x, y = tangents
    if x is not None and y is not None:
        return to_shape(sub(x, y), ans)
    return add_tangents(x, None if y is None else neg(y), ans)


def _sub_transpose(ct: Operand, x: Operand | Linear, y: Operand | Linear) -> list[Operand | None]:
    return [
        unbroadcast(ct, x.aval) if isinstance(x, Linear) else None,
        unbroadcast(neg(ct), y.aval) if isinstance(y, Linear) else None,
    ]


sub_p: Primitive = Primitive(
    name="sub",
    is_light=True,
    aval=partial(elementwise_aval, name="sub", allowed=NUMERIC),
    host=np.subtract,
    lower=partial(lower_op, op="stablehlo.subtract"),
    jvp=_sub_jvp,
    transpose=_sub_transpose,
    batch=lambda args, bdims: elementwise_batch(sub_p, args, bdims),
)

neg_p: Primitive = Primitive(
    name="neg",
    is_light=True,
    aval=partial(elementwise_aval, name="neg", allowed=NUMERIC),
    host=through_int8(np.negative),
    lower=partial(lower_op, op="stablehlo.negate"),
    jvp=lambda primals, tangents, ans: neg(tangents[0]),
    transpose=lambda ct, x: [neg(ct)],
    batch=lambda args, bdims: elementwise_batch(neg_p, args, bdims),
)


# mul: linear in each; div: linear in the numerator.


def _mul_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    (x, y), (tx, ty) = primals, tangents
    return add_tangents(None if tx is None else mul(tx, y), None if ty is None else mul(x, ty), ans)


def _mul_transpose(ct: Operand, x: Any, y: Any) -> list[Operand | None]:
    return [
        unbroadcast(mul(ct, y), x.aval) if isinstance(x, Linear) else None,
        unbroadcast(mul(ct, x), y.aval) if isinstance(y, Linear) else None,
    ]


mul_p: Primitive = Primitive(
    name="mul",
    is_light=True,
    aval=partial(elementwise_aval, name="mul", allowed=NUMERIC | {BOOL}),
    host=np.multiply,
    lower=partial(lower_op, op="stablehlo.multiply"),
    jvp=_mul_jvp,
    transpose=_mul_transpose,
    batch=lambda args, bdims: elementwise_batch(mul_p, args, bdims),
)


def _div_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    (_, y), (tx, ty) = primals, tangents
    return add_tangents(
        None if tx is None else div(tx, y),
        None if ty is None else neg(mul(ty, div(ans, y))),
        ans,
    )


def _div_transpose(ct: Operand, x: Linear, y: Operand) -> list[Operand | None]:
    return [unbroadcast(div(ct, y), x.aval), None]


div_p: Primitive = Primitive(
    name="div",
    is_light=True,
    aval=partial(elementwise_aval, name="div", allowed=INEXACT),
    host=np.true_divide,
    lower=partial(lower_op, op="stablehlo.divide"),
    jvp=_div_jvp,
    transpose=_div_transpose,
    batch=lambda args, bdims: elementwise_batch(div_p, args, bdims),
)


# Parts of complex numbers. The transpose pairs a cotangent with a tangent without conjugation.


def real(x: Operand) -> Array:
    """Apply `real_p`, for complex x."""
    return bind(real_p, x)


def imag(x: Operand) -> Array:
    """Apply `imag_p`, for complex x."""
    return bind(imag_p, x)


def conj(x: Operand) -> Array:
    """Apply `conj_p`, for complex x."""
    return bind(conj_p, x)


def make_complex(x: Operand, y: Operand) -> Array:
    """Apply `complex_p`: x + iy of real x and y."""
    return bind(complex_p, x, y)


def _part_aval(x: ShapedArray, *, name: str) -> ShapedArray:
    if x.dtype not in COMPLEX:
        raise TypeError(f"{name}: expected complex numbers, got {x}")
    return ShapedArray(x.shape, REAL_OF[x.dtype], x.weak)


def _real_host(x: HostArray, *, out: HostArray | None = None) -> HostArray:
    return np.array(x.real) if out is None else deliver(x.real, out)


def _imag_host(x: HostArray, *, out: HostArray | None = None) -> HostArray:
    return np.array(x.imag) if out is None else deliver(x.imag, out)


real_p: Primitive = Primitive(
    name="real",
    aval=partial(_part_aval, name="real"),
    host=_real_host,
    lower=partial(lower_op, op="stablehlo.real"),
    jvp=lambda primals, tangents, ans: real(tangents[0]),
    transpose=lambda ct, x: [make_complex(ct, number(0, ct))],
    batch=lambda args, bdims: elementwise_batch(real_p, args, bdims),
)

imag_p: Primitive = Primitive(
    name="imag",
    aval=partial(_part_aval, name="imag"),
    host=_imag_host,
    lower=partial(lower_op, op="stablehlo.imag"),
    jvp=lambda primals, tangents, ans: imag(tangents[0]),
    transpose=lambda ct, x: [make_complex(number(0, ct), neg(ct))],
    batch=lambda args, bdims: elementwise_batch(imag_p, args, bdims),
)


def _conj_lower(builder: Builder, out: ShapedArray, x: Value) -> Value:
    part = ShapedArray(out.shape, REAL_OF[out.dtype])
    re, im = builder.op("stablehlo.real", [x], part), builder.op("stablehlo.imag", [x], part)
    return builder.op("stablehlo.complex", [re, builder.op("stablehlo.negate", [im], part)], out)


conj_p: Primitive = Primitive(
    name="conj",
    aval=partial(elementwise_aval, name="conj", allowed=COMPLEX),
    host=np.conjugate,
    lower=_conj_lower,
    jvp=lambda primals, tangents, ans: conj(tangents[0]),
    transpose=lambda ct, x: [conj(ct)],
    batch=lambda args, bdims: elementwise_batch(conj_p, args, bdims),
)


def _complex_aval(x: ShapedArray, y: ShapedArray) -> ShapedArray:
    found = elementwise_aval(x, y, name="complex", allowed=frozenset(COMPLEX_OF))
    return ShapedArray(found.shape, COMPLEX_OF[found.dtype], found.weak)


def _complex_host(x: HostArray, y: HostArray, *, out: HostArray | None = None) -> HostArray:
    if out is None:
        out = np.empty(np.broadcast_shapes(x.shape, y.shape), COMPLEX_OF[x.dtype])
    out.real = x  # of another dtype than x, so it shares no memory with it
    out.imag = y
    return out


def _complex_lower(builder: Builder, out: ShapedArray, x: Value, y: Value) -> Value:
    parts = [fit(builder, x, out.shape), fit(builder, y, out.shape)]
    return builder.op("stablehlo.complex", parts, out)


def _complex_jvp(primals: Sequence[Operand], tangents: Tangents, ans: Operand) -> Operand | None:
    x, y = tangents
    if x is None and y is None:
        return None
    zero = scalar(0, REAL_OF[operand_aval(ans).dtype])
    return to_shape(make_complex(zero if x is None else x, zero if y is None else y), ans)


def _complex_transpose(ct: Operand, x: Any, y: Any) -> list[Operand | None]:
    return [
        unbroadcast(real(ct), x.aval) if isinstance(x, Linear) else None,
        unbroadcast(neg(imag(ct)), y.aval) if isinstance(y, Linear) else None,
    ]


complex_p: Primitive = Primitive(
    name="complex",
    aval=_complex_aval,
    host=_complex_host,
    lower=_complex_lower,
    jvp=_complex_jvp,
    transpose=_complex_transpose,
    batch=lambda args, bdims: elementwise_batch(complex_p, args, bdims),
)


# Sums of tangents for operations whose derivative is a product.


def scaled(tangent: Operand | None, factor: Operand, ans: Operand) -> Operand | None:
    """Return the tangent times a factor, in the answer's shape."""
    return None if tangent is None else to_shape(mul(tangent, factor), ans)
