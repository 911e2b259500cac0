"""Sorting by NumPy: host rules, and the kernels that compiled programs call for large arrays.

XLA's sorts on the CPU take several times as long as NumPy's, which use vector instructions; only
for small arrays is a call out of the program the dearer one. Both engines run the same function, so
they agree on the order of what compares equal too.
"""

from __future__ import annotations

import math
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import INEXACT, NARROW_FLOAT, SUB_BYTE
from ownarray._ops import emit
from ownarray._ops.argsort_host import stable_order
from ownarray._ops.host_calls import has_host_calls, host_call
from ownarray._ops.rules import deliver

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._trace.bind import HostArray

# Host rules.


def sortable(x: HostArray) -> HostArray:
    """Return values that NumPy sorts by its own rules."""
    if x.dtype in SUB_BYTE:
        return x.astype(np.int8)
    return x.astype(np.float32) if x.dtype in NARROW_FLOAT else x


def _reversing(x: HostArray, out: HostArray | None = None) -> HostArray:
    """Return values whose ascending order is x's descending one, NaN last in both."""
    return np.negative(x, out=out) if x.dtype in INEXACT else np.invert(x, out=out)


def sort_host(
    *arrays: HostArray,
    axis: int,
    num_keys: int,
    descending: bool,
    stable: bool,
    out: Sequence[HostArray | None] | None = None,
) -> list[HostArray]:
    if len(arrays) == 1:
        memory = None if out is None else out[0]
        return [_sort_one(arrays[0], axis, memory, descending=descending, stable=stable)]
    keys = [sortable(x) for x in arrays[:num_keys]]
    if descending:
        keys = [_reversing(key) for key in keys]
    if num_keys == 1:
        order = stable_order(keys[0], axis)
    else:
        order = np.lexsort(keys[::-1], axis=axis)
    results = [np.take_along_axis(x, order, axis) for x in arrays]  # type: ignore[arg-type]
    if out is None:
        return results
    return [deliver(x, memory) for x, memory in zip(results, out, strict=True)]


def _sort_one(
    x: HostArray, axis: int, out: HostArray | None, *, descending: bool, stable: bool
) -> HostArray:
    values = sortable(x)
    kind: Literal["stable"] | None = None
    if stable and x.dtype.kind == "V":
        kind = "stable"  # equal elements look alike
    if values is not x:  # sorted as another dtype
        result = _reversing(values) if descending else values
        result.sort(axis=axis, kind=kind)
        result = (_reversing(result) if descending else result).astype(x.dtype)
        if out is None:
            return result
        out[...] = result
        return out
    result = np.empty_like(x, order="C") if out is None else out
    if descending:
        _reversing(x, result)
    elif result is not x:
        result[...] = x
    result.sort(axis=axis, kind=kind)
    return _reversing(result, result) if descending else result


def argsort_host(
    x: HostArray, *, axis: int, descending: bool, stable: bool, out: HostArray | None = None
) -> HostArray:
    """Return the order, which is stable in either case: it costs no more."""
    keys = sortable(x)
    if descending:
        keys = _reversing(keys)
    return stable_order(keys, axis, out)


# Kernels in compiled programs.

MIN_ELEMENTS: Final = 4096
"""Arrays of fewer elements are sorted by XLA: there the call costs more than it saves."""


def _sort_kernel(*buffers: HostArray, descending: bool, stable: bool) -> None:
    """Sort operands, given before as many results, by the first along axis 1."""
    n = len(buffers) // 2
    sources = [
        out if x.ctypes.data == out.ctypes.data else x
        for x, out in zip(buffers[:n], buffers[n:], strict=True)
    ]
    outs = buffers[n:]
    sort_host(*sources, axis=1, num_keys=1, descending=descending, stable=stable, out=outs)


def _argsort_kernel(x: HostArray, out: HostArray, *, descending: bool, stable: bool) -> None:
    argsort_host(x, axis=1, descending=descending, stable=stable, out=out)


def _name(kind: str, *, descending: bool, stable: bool) -> str:
    return f"{kind}{'_descending' if descending else ''}{'_stable' if stable else ''}"


SORT_KERNELS: Final[Mapping[str, Callable[..., object]]] = MappingProxyType(
    {
        _name(kind, descending=descending, stable=stable): partial(
            kernel, descending=descending, stable=stable
        )
        for kind, kernel in (("sort", _sort_kernel), ("argsort", _argsort_kernel))
        for descending in (False, True)
        for stable in (False, True)
    }
)


def calls_host(builder: Builder, values: Sequence[Value], axis: int, num_keys: int) -> bool:
    """Return whether a program had better call NumPy to sort these."""
    return (
        has_host_calls(builder)
        and num_keys == 1
        and values[0].aval.size >= MIN_ELEMENTS
        and values[0].aval.shape[axis] > 1
        and not any(value.aval.dtype in NARROW_FLOAT | SUB_BYTE for value in values)
    )


def call_sort(
    builder: Builder, values: Sequence[Value], axis: int, *, descending: bool, stable: bool
) -> list[Value]:
    """Write the call that sorts operands by the first, in their own memory where that is free."""
    name = _name("sort", descending=descending, stable=stable and len(values) > 1)
    operands = [_in_rows(builder, value, axis) for value in values]
    places = [(i, i) for i in range(len(values))]
    results = host_call(builder, name, operands, [x.aval for x in operands], places)
    return [emit.reshape(builder, y, values[0].aval.shape) for y in results]


def call_argsort(
    builder: Builder, out: ShapedArray, x: Value, axis: int, *, descending: bool, stable: bool
) -> Value:
    """Write the call that returns the places of elements in order."""
    operand = _in_rows(builder, x, axis)
    name = _name("argsort", descending=descending, stable=stable)
    aval = ShapedArray(operand.aval.shape, out.dtype)
    return emit.reshape(builder, host_call(builder, name, [operand], [aval])[0], out.shape)


def _in_rows(builder: Builder, x: Value, axis: int) -> Value:
    """Return the same memory with three axes, of which the middle one is sorted along."""
    shape = x.aval.shape
    sizes = (math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :]))
    return emit.reshape(builder, x, sizes)
