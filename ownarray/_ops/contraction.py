"""Products over named axes: einsum, and NumPy's older products of vectors and matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import opt_einsum

from ownarray._core.dtypes import BOOL
from ownarray._ops import elementwise, matmul, rearrange, reduction, shapes
from ownarray._ops.arithmetic import mul
from ownarray._ops.known import as_array
from ownarray._ops.matmul import dot_general
from ownarray._ops.promote import arithmetic, operand
from ownarray._ops.rules import normal_axis
from ownarray._ops.selection import take
from ownarray._ops.structural import copy, permute, reshape_to, sum_axes
from ownarray._trace.bind import Operand, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._ops.operators import Array


# Einsum: pairs of operands in the order that opt_einsum finds best.


def einsum(subscripts: str, *operands: object) -> Array:
    """Return the sum of products over named axes."""
    if not isinstance(subscripts, str):
        raise TypeError(f"einsum: expected subscripts such as 'ij,jk->ik', got {subscripts!r}")
    if not operands:
        raise ValueError("einsum: expected at least one array")
    values: list[Operand] = arithmetic("einsum", *operands)
    given = [operand_aval(value).shape for value in values]
    try:
        _, steps = opt_einsum.contract_path(subscripts, *given, shapes=True, einsum_call=True)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"einsum: {subscripts!r} does not fit arrays of shapes"
            f" {', '.join(map(str, given))}: {error}"
        ) from None
    for places, _, text, *_ in steps:
        parts = [values.pop(place) for place in places]
        values.append(_step(text, parts))
    result = values[0]
    is_given = any(result is value for value in operands)
    return copy(result) if is_given else as_array(result)


def _step(text: str, parts: Sequence[Operand]) -> Operand:
    """Return one step of a contraction: of one operand, of a pair, or of several in turn."""
    inputs, output = text.split("->")
    names = inputs.split(",")
    if len(parts) == 1:
        return _alone(parts[0], names[0], output)
    value, have = parts[0], names[0]
    for i in range(1, len(parts)):
        later = set("".join(names[i + 1 :])) | set(output)
        is_last = i == len(parts) - 1
        wanted = output if is_last else "".join(sorted((set(have) | set(names[i])) & later))
        value, have = _pair(value, have, parts[i], names[i], wanted), wanted
    return value


def _alone(x: Operand, names: str, output: str) -> Operand:
    x, names = _without_repeats(x, names)
    x, names = _summed(x, names, set(output))
    return _in_order(x, names, output)


def _without_repeats(x: Operand, names: str) -> tuple[Operand, str]:
    """Return the diagonal along every name that stands twice."""
    for name in dict.fromkeys(names):
        while names.count(name) > 1:
            first = names.index(name)
            second = names.index(name, first + 1)
            x = rearrange.diagonal(x, 0, first, second)
            names = names[:first] + names[first + 1 : second] + names[second + 1 :] + name
    return x, names


def _summed(x: Operand, names: str, kept: set[str]) -> tuple[Operand, str]:
    """Return the sum over names that are not kept."""
    axes = tuple([axis for axis, name in enumerate(names) if name not in kept])
    if not axes:
        return x, names
    names = "".join([name for name in names if name in kept])
    if operand_aval(x).dtype == BOOL:
        return reduction.any(x, axes), names
    return sum_axes(x, axes), names


def _in_order(x: Operand, names: str, output: str) -> Operand:
    if names == output:
        return x
    return permute(x, tuple([names.index(name) for name in output]))


def _pair(x: Operand, x_names: str, y: Operand, y_names: str, output: str) -> Operand:
    """Return the product of two operands, summed over the names that are not in the output."""
    x, x_names = _without_repeats(x, x_names)
    y, y_names = _without_repeats(y, y_names)
    x, x_names = _without_ones(x, x_names, y, y_names)
    y, y_names = _without_ones(y, y_names, x, x_names)
    x, x_names = _summed(x, x_names, set(output) | set(y_names))
    y, y_names = _summed(y, y_names, set(output) | set(x_names))
    both = [name for name in x_names if name in y_names]
    batch = [name for name in both if name in output]
    contract = [name for name in both if name not in output]

    def axes(names: str, wanted: Sequence[str]) -> tuple[int, ...]:
        return tuple([names.index(name) for name in wanted])

    product = dot_general(
        x,
        y,
        (axes(x_names, contract), axes(y_names, contract)),
        (axes(x_names, batch), axes(y_names, batch)),
    )
    rest = [name for name in x_names + y_names if name not in both]
    return _in_order(product, "".join([*batch, *rest]), output)


def _without_ones(x: Operand, names: str, y: Operand, y_names: str) -> tuple[Operand, str]:
    """Return x without axes of size 1 along which y has more elements: they broadcast."""
    shape = operand_aval(x).shape
    other = dict(zip(y_names, operand_aval(y).shape, strict=True))
    gone = [i for i, name in enumerate(names) if shape[i] == 1 and other.get(name, 1) != 1]
    if not gone:
        return x, names
    kept = [i for i in range(len(names)) if i not in gone]
    x = reshape_to(x, tuple([shape[i] for i in kept]))
    return x, "".join([names[i] for i in kept])


# NumPy's products.


def outer(x: object, y: object) -> Array:
    """Return the products of each element of x with each of y."""
    first, second = arithmetic("outer", x, y)
    column = reshape_to(first, (operand_aval(first).size, 1))
    return mul(column, reshape_to(second, (operand_aval(second).size,)))


def inner(x: object, y: object) -> Array:
    """Return the products over the last axes."""
    first, second = arithmetic("inner", x, y)
    a, b = operand_aval(first), operand_aval(second)
    if not a.ndim or not b.ndim:
        return mul(first, second)
    return matmul.tensordot(first, second, ((a.ndim - 1,), (b.ndim - 1,)))


def vdot(x: object, y: object) -> Array:
    """Return the dot product of all elements, those of x conjugated."""
    first, second = arithmetic("vdot", x, y)
    sizes = operand_aval(first).size, operand_aval(second).size
    if sizes[0] != sizes[1]:
        raise ValueError(f"vdot: {operand_aval(first)} and {operand_aval(second)} differ in size")
    return matmul.vecdot(shapes.ravel(first), shapes.ravel(second))


def kron(x: object, y: object) -> Array:
    """Return the Kronecker product: blocks of y, one for each element of x."""
    first, second = arithmetic("kron", x, y)
    ndim = max(operand_aval(first).ndim, operand_aval(second).ndim)
    a, b = ((*[1] * (ndim - len(s)), *s) for s in (operand_aval(v).shape for v in (first, second)))
    wide_a = tuple([n for size in a for n in (size, 1)])
    wide_b = tuple([n for size in b for n in (1, size)])
    product = mul(reshape_to(first, wide_a), reshape_to(second, wide_b))
    return reshape_to(product, tuple([n * m for n, m in zip(a, b, strict=True)]))


def trace(
    x: object, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: object = None
) -> Array:
    """Return the sums along the diagonals of the planes of two axes."""
    return reduction.sum(rearrange.diagonal(x, offset, axis1, axis2), -1, dtype)


def cross(x: object, y: object, axis: int = -1) -> Array:
    """Return the vector products of vectors of three elements along an axis."""
    first, second = arithmetic("cross", x, y)
    sides = []
    for value in (first, second):
        aval = operand_aval(value)
        if not aval.ndim or aval.shape[normal_axis("cross", axis, aval.ndim)] != 3:
            raise ValueError(f"cross: expected three elements along axis {axis}, got {aval}")
        sides.append([take(value, i, axis) for i in range(3)])
    a, b = sides
    parts = [
        elementwise.subtract(elementwise.multiply(a[i], b[j]), elementwise.multiply(a[j], b[i]))
        for i, j in ((1, 2), (2, 0), (0, 1))
    ]
    ndim = len(parts[0].shape)
    return shapes.stack(parts, normal_axis("cross", axis, ndim + 1))


def multi_dot(arrays: Sequence[object]) -> Array:
    """Return the product of several matrices, in the cheapest order."""
    values = [operand("multi_dot", x) for x in arrays]
    if len(values) < 2:
        raise ValueError(f"multi_dot: expected at least two arrays, got {len(values)}")
    names = [opt_einsum.get_symbol(i) for i in range(len(values) + 1)]
    ndims = [operand_aval(value).ndim for value in values]
    if any([n not in (1, 2) for n in ndims]) or any([n != 2 for n in ndims[1:-1]]):
        raise ValueError("multi_dot: expected matrices; only the first and last may be vectors")
    inputs = [names[i] + names[i + 1] for i in range(len(values))]
    output = names[0] + names[-1]
    if ndims[0] == 1:
        inputs[0], output = names[1], output[1:]
    if ndims[-1] == 1:
        inputs[-1], output = names[-2], output[:-1]
    return einsum(f"{','.join(inputs)}->{output}", *values)


def convolve(x: object, kernel: object, mode: str = "full") -> Array:
    """Return the discrete convolution of two vectors."""
    return _slide("convolve", x, kernel, mode, reverse=True)


def correlate(x: object, kernel: object, mode: str = "valid") -> Array:
    """Return the cross-correlation of two vectors, the second one conjugated."""
    first, second = arithmetic("correlate", x, kernel)
    return _slide("correlate", first, elementwise.conj(second), mode, reverse=False)


def _slide(name: str, x: object, kernel: object, mode: str, *, reverse: bool) -> Array:
    """Return the products of a vector's windows with another, as shifted sums."""
    first, second = arithmetic(name, x, kernel)
    n, m = operand_aval(first).size, operand_aval(second).size
    if operand_aval(first).ndim != 1 or operand_aval(second).ndim != 1 or not n or not m:
        raise ValueError(
            f"{name}: expected two vectors that are not empty, got {operand_aval(first)} and"
            f" {operand_aval(second)}"
        )
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"{name}: expected mode 'full', 'same' or 'valid', got {mode!r}")
    if reverse and m > n:
        first, second, n, m = second, first, m, n
    low = high = m - 1
    if mode == "same":
        length = max(n, m)
        start = (min(n, m) - 1) // 2 if reverse else (min(n, m)) // 2
    elif mode == "valid":
        length, start = max(n, m) - min(n, m) + 1, min(n, m) - 1
    else:
        length, start = n + m - 1, 0
    padded = rearrange.pad(first, [(low, high)])
    window = start + np.arange(length)[:, None] + np.arange(m)[None, :]
    side = shapes.flip(second) if reverse else second
    return matmul.matmul(take(padded, window, 0), side)
