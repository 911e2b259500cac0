"""The stable order of values, digit by digit of their bits.

NumPy's stable order of numbers of more than 16 bits merges pairs, and costs half as much again as
its unstable one; of 16 bits it counts digits, which is ten times as fast. So each value is mapped
to an unsigned integer of the same order, and those are ordered by their digits of 16 bits, the
last one first: each pass keeps the order of what is equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._ops.rules import deliver

if TYPE_CHECKING:
    from ownarray._trace.bind import HostArray

_MIN_PLACES: Final = 2048
"""Fewer values are ordered by NumPy itself."""
_DIGIT: Final = 16
_SAMPLE: Final = 512

Bits = np.ndarray[tuple[int, ...], np.dtype[np.unsignedinteger[Any]]]


def stable_order(x: HostArray, axis: int, out: HostArray | None = None) -> HostArray:
    """Return the places of values in ascending order, NaN last, equal ones in their own order."""
    if x.dtype.kind not in "iuf" or x.dtype.itemsize > 8 or x.shape[axis] < _MIN_PLACES:
        return deliver(np.argsort(x, axis=axis, kind="stable"), out)
    order = np.empty(x.shape, np.int64) if out is None else out
    rows, places = np.moveaxis(x, axis, -1), np.moveaxis(order, axis, -1)
    for row in np.ndindex(rows.shape[:-1]):
        _order(np.ascontiguousarray(rows[row]), places[row])
    return order


def _order(x: HostArray, out: HostArray) -> None:
    if _is_nearly_sorted(x):  # a merge of what is in order already has nothing to do
        out[...] = np.argsort(x, kind="stable")
        return
    bits: Any = ordered_bits(x)
    low = bits.min()
    bits -= low
    n_digits = -(-int(bits.max()).bit_length() // _DIGIT)
    order = np.argsort(bits.astype(np.uint16), kind="stable")
    for _ in range(1, n_digits):
        bits >>= bits.dtype.type(_DIGIT)
        order = order[np.argsort(bits.astype(np.uint16)[order], kind="stable")]
    out[...] = order


def _is_nearly_sorted(x: Any) -> bool:
    """Return whether most of some neighbours stand in order, or most of them do not."""
    step = max((x.size - 1) // _SAMPLE, 1)
    rises = x[: x.size - 1 : step] <= x[1::step]
    return bool(abs(2 * np.count_nonzero(rises) - rises.size) > 0.8 * rises.size)


def ordered_bits(x: Any) -> Bits:
    """Return unsigned integers of the order of x: all NaN are equal and last, and -0.0 is 0.0."""
    size = x.dtype.itemsize
    unsigned: Any = np.dtype(f"u{size}")
    if x.dtype.kind == "u":
        return x.copy()  # type: ignore[no-any-return]
    sign = unsigned.type(1 << (8 * size - 1))
    if x.dtype.kind == "i":
        return x.view(unsigned) ^ sign  # type: ignore[no-any-return]
    values = x + x.dtype.type(0)  # -0.0 + 0.0 is 0.0
    nans = np.isnan(values)
    if nans.any():
        values[nans] = np.nan
    # Of negative numbers all bits turn around, of the others the sign.
    turned = (values.view(f"i{size}") >> (8 * size - 1)).view(unsigned)
    turned |= sign
    turned ^= values.view(unsigned)
    return turned  # type: ignore[no-any-return]
