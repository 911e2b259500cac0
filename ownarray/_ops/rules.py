"""Rules that many primitives share: avals, lowerings and batching of element-wise operations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.builder import Builder, Value, View
from ownarray._core.dtypes import (
    BOOL,
    BY_NAME,
    FLOAT,
    FLOAT32,
    FLOAT64,
    SUB_BYTE,
    UNSIGNED,
    DType,
    short,
)
from ownarray._lower.types import i64_array
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from ownarray._core.primitive import Primitive
    from ownarray._ops.operators import Array

Tangents = Sequence[Operand | None]
BatchDims = Sequence[int | None]


# Shapes.


def broadcast_shapes(name: str, shapes: Sequence[Shape]) -> Shape:
    """Return the shape that NumPy's broadcasting gives.

    Raises
    ------
    ValueError
        If the shapes do not fit.
    """
    first = shapes[0]
    if all([shape == first for shape in shapes]):
        return first
    ndim = max([len(shape) for shape in shapes])
    result = [1] * ndim
    for shape in shapes:
        for axis, n in enumerate(shape, ndim - len(shape)):
            if n != 1:
                if result[axis] not in (1, n):
                    shown = " and ".join([str(s) for s in shapes])
                    raise ValueError(f"{name}: the shapes {shown} do not broadcast")
                result[axis] = n
    return tuple(result)


def normal_axis(name: str, axis: int, ndim: int) -> int:
    """Return an axis counted from the front.

    Raises
    ------
    ValueError
        `numpy.exceptions.AxisError`, if there is no such axis.
    """
    try:
        number = axis.__index__()
    except AttributeError:
        raise TypeError(f"{name}: expected an int as axis, got {axis!r}") from None
    if not -ndim <= number < ndim:
        raise np.exceptions.AxisError(
            f"{name}: axis {number} is out of range for an array of {ndim} dimensions"
        )
    return number % ndim


def normal_axes(name: str, axis: int | Sequence[int] | None, ndim: int) -> tuple[int, ...]:
    """Return axes counted from the front, in order; None means all of them."""
    if axis is None:
        return tuple(range(ndim))
    if not isinstance(axis, tuple | list):
        return (normal_axis(name, axis, ndim),)  # type: ignore[arg-type]
    axes = tuple([normal_axis(name, a, ndim) for a in axis])
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: an axis stands twice in {tuple(axis)}")
    return axes


# Avals.


def elementwise_aval(
    *avals: ShapedArray, name: str, allowed: frozenset[DType], dtype: DType | None = None
) -> ShapedArray:
    """Aval rule: operands of one allowed dtype broadcast; the result has it too, or ``dtype``.

    An operand that stands for a Python scalar meets only its like here (promotion has seen to
    that), so the result stands for a Python scalar too.
    """
    first = avals[0]
    kind = first.dtype
    if kind not in allowed:
        wanted = ", ".join(sorted({short(d) for d in allowed}))
        raise TypeError(f"{name}: expected one of the dtypes {wanted}; got {first}")
    shape, weak = first.shape, first.weak
    for other in avals[1:]:
        if other.dtype != kind:
            raise TypeError(f"{name}: expected operands of one dtype, got {first} and {other}")
        if other.shape != shape:
            shape = broadcast_shapes(name, [aval.shape for aval in avals])
        weak = weak or other.weak
    if dtype is None:
        return (
            first if shape == first.shape and weak == first.weak else ShapedArray(shape, kind, weak)
        )
    return ShapedArray(shape, dtype)


# Lowering.


def fit(builder: Builder, value: Value, shape: Shape) -> Value:
    """Broadcast a value as NumPy does."""
    have = value.aval.shape
    if have == shape:
        return value
    dims = tuple(range(len(shape) - len(have), len(shape)))
    return builder.op(
        "stablehlo.broadcast_in_dim",
        [value],
        ShapedArray(shape, value.aval.dtype),
        f"broadcast_dimensions = {i64_array(dims)}",
    )


def lower_op(
    builder: Builder, out: ShapedArray, *values: Value, op: str, attrs: str = "", **_: Any
) -> Value:
    """Lower to one operation on operands that are broadcast first."""
    return builder.op(op, [fit(builder, value, out.shape) for value in values], out, attrs)


def cast(builder: Builder, value: Value, dtype: DType) -> Value:
    """Convert to a dtype with XLA's own rules."""
    if value.aval.dtype == dtype:
        return value
    result = builder.op("stablehlo.convert", [value], ShapedArray(value.aval.shape, dtype))
    is_exact = (
        value.aval.dtype in FLOAT and dtype in (FLOAT32, FLOAT64) and value.aval.dtype != FLOAT64
    )
    return replace(result, view=View("convert", value)) if is_exact else result


def compare(builder: Builder, x: Value, y: Value, direction: str) -> Value:
    """Compare two values of one shape and dtype."""
    kind = {"f": "FLOAT", "V": "FLOAT", "c": "FLOAT", "i": "SIGNED"}.get(
        x.aval.dtype.kind, "UNSIGNED"
    )
    if x.aval.dtype.name == "int4":
        kind = "SIGNED"
    elif x.aval.dtype.name == "uint4":
        kind = "UNSIGNED"
    return builder.op(
        "stablehlo.compare",
        [x, y],
        ShapedArray(x.aval.shape, BOOL),
        f"comparison_direction = #stablehlo<comparison_direction {direction}>, "
        f"compare_type = #stablehlo<comparison_type {kind}>",
    )


def select(builder: Builder, mask: Value, x: Value, y: Value) -> Value:
    """Choose between two values of one shape and dtype."""
    return builder.op("stablehlo.select", [mask, x, y], x.aval)


def full(builder: Builder, number: object, like: Value | ShapedArray) -> Value:
    """Return a constant that fills the shape of another value."""
    aval = like.aval if isinstance(like, Value) else like
    scalar = builder.constant(number, ShapedArray((), aval.dtype))
    return fit(builder, scalar, aval.shape)


def sign_bit(builder: Builder, x: Value) -> Value:
    """Return where the sign bit is set: of negative numbers, of -0.0 and of some NaNs."""
    if x.aval.dtype in UNSIGNED:
        return compare(builder, x, x, "NE")
    if x.aval.dtype in FLOAT:
        bits = BY_NAME[f"int{8 * x.aval.dtype.itemsize}"]
        x = builder.op("stablehlo.bitcast_convert", [x], ShapedArray(x.aval.shape, bits))
    return compare(builder, x, full(builder, 0, x), "LT")


def copysign_value(builder: Builder, x: Value, y: Value) -> Value:
    """Return x with the sign of y."""
    size = builder.op("stablehlo.abs", [x], x.aval)
    return select(
        builder, sign_bit(builder, y), builder.op("stablehlo.negate", [size], size.aval), size
    )


# Host.


def deliver(result: Any, out: HostArray | None) -> HostArray:
    """Return a fresh result, or write it to ``out`` and return that."""
    if out is None:
        return np.asarray(result)
    out[...] = result
    return out


class Host:
    """A host rule that is one function of NumPy for most dtypes, and says which.

    Parameters
    ----------
    rule : callable
        The host rule.
    plain : callable
        ``plain(dtype, **params)``: the function that the rule calls for operands of a dtype, with
        its parameters, or None if it does more.
    """

    __slots__ = ("plain", "rule")

    def __init__(self, rule: Callable[..., Any], plain: Callable[..., Any]) -> None:
        self.rule = rule
        self.plain = plain

    def __call__(self, *arrays: Any, **params: Any) -> Any:
        return self.rule(*arrays, **params)


def is_standard(dtype: DType) -> bool:
    """Return whether NumPy itself knows a dtype."""
    return dtype.isbuiltin == 1


def through_int8(ufunc: Any) -> Host:
    """Return a host rule that computes int4 in int8 and wraps around; NumPy has no loops for it."""

    def host(*arrays: Any, out: HostArray | None = None) -> Any:
        dtype = arrays[0].dtype
        if dtype.kind != "V" or dtype not in SUB_BYTE:
            return ufunc(*arrays, out=out)
        result = wrap_nibbles(ufunc(*[x.astype(np.int8) for x in arrays]), dtype)
        if out is None:
            return result
        out[...] = result
        return out

    return Host(host, lambda dtype: ufunc if is_standard(dtype) else None)


def wrap_nibbles(x: HostArray, dtype: DType) -> HostArray:
    """Return integers cast to int4 or uint4, of which the lowest four bits count."""
    low: Any = np.bitwise_and(x, x.dtype.type(15)).astype(np.int8)
    if not dtype.name.startswith("u"):
        low = np.where(low > 7, low - np.int8(16), low)
    result: HostArray = low.astype(dtype)
    return result


# Batching.


def move_front(x: Operand, bdim: int, move: Callable[[Operand, tuple[int, ...]], Array]) -> Operand:
    """Return x with its batch axis in front."""
    if bdim == 0:
        return x
    ndim = operand_aval(x).ndim
    return move(x, (bdim, *[axis for axis in range(ndim) if axis != bdim]))


def sizes_product(shape: Shape, axes: Sequence[int]) -> int:
    """Return how many elements stand along some axes."""
    return math.prod([shape[axis] for axis in axes])


def one(primitive: Primitive) -> Callable[..., Array]:
    """Return the function that applies a primitive, without any promotion: for rules."""

    def apply(*operands: Operand, **params: Any) -> Array:
        return bind(primitive, *operands, **params)

    return apply
