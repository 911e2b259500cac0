"""Products of one large operand and few rows of another: the large one is read where it lies.

XLA's dots on the CPU want their operands dense, batch axes in front and the axes that meet at one
end. A part of a key-value cache is none of that, so it is copied whole, for one multiplication of
each of its elements. Here such a product is written as what it is, one pass over memory:

- *rows*, if the axes that meet are the last ones in memory: products and their sums in one loop.
- *columns* else: a loop that adds a few places at a time to an accumulator that stays in the cache.
  It cuts them out of the array that the operand is a part of, so the part is never copied.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BOOL, FLOAT, FLOAT32, NARROW_FLOAT, SUB_BYTE, DType
from ownarray._ops import emit
from ownarray._ops.host_calls import has_host_calls
from ownarray._ops.rules import cast, compare
from ownarray._ops.views import is_cut, part_of, unturned

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.views import Part

Axes = tuple[int, ...]
Dims = tuple[Axes, Axes]

MIN_BYTES: Final = 1 << 22
"""Smaller operands stay in the processor's caches, where a copy is cheap."""
MAX_ROWS: Final = 8
"""With more rows in the small operand arithmetic takes longer than a copy."""
_MIN_DENSE: Final = 16 << 20
_MAX_DENSE_ROWS: Final = 4
"""The same for columns of an operand that XLA takes without a copy."""
_MIN_SUMS: Final = 256
"""Fewer sums along rows leave the processor waiting for each addition."""
_MIN_WIDTH: Final = 16
"""Columns that stand closer in memory fill no vector."""
_PIECE: Final = 32
_MAX_PIECES: Final = 8
_ACCUMULATOR: Final = 1 << 19
_UNROLL: Final = 8
_MIN_ROUNDS: Final = 8
"""A loop of few rounds is unrolled by XLA, which then copies what it cut out of the array."""


@dataclass(frozen=True, slots=True)
class _Product:
    """Sums of ``big * small`` over axes of the large operand that stand side by side.

    Attributes
    ----------
    big, small : Value
        The small operand has the axes that it shares with the large one in the order of those, and
        one axis for its own rows if it has several.
    places : tuple of int
        Where in the full shape the axes of ``small`` stand.
    meeting : range
        The axes of the large operand that are summed over.
    n_rows : int
        They stand in the full shape before the summed axes of rows, behind the one of columns.
    dtype : dtype
        In which it is summed.
    """

    big: Value
    small: Value
    places: Axes
    meeting: range
    by_rows: bool
    n_rows: int
    dtype: DType

    @property
    def rows_at(self) -> int:
        """Before which axis of the large operand the axis of rows stands."""
        return self.meeting.start if self.by_rows else self.meeting.stop

    def products(self, builder: Builder, big: Value, small: Value) -> Value:
        """Return the products of some places of both operands, in the full shape."""
        shape, axes = big.aval.shape, list(range(big.aval.ndim))
        if self.n_rows > 1:
            at = self.rows_at
            shape = (*shape[:at], self.n_rows, *shape[at:])
            axes = [axis + (axis >= at) for axis in axes]
        left = emit.place(builder, cast(builder, big, self.dtype), shape, axes)
        right = emit.place(builder, cast(builder, small, self.dtype), shape, self.places)
        return emit.binary(builder, "multiply", left, right)


def lower_streamed(
    builder: Builder, out: ShapedArray, x: Value, y: Value, *, contract: Dims, batch: Dims
) -> Value | None:
    """Return the product of two operands as `dot_general_p` defines it; None if XLA's is as good.

    Its dtype is the one in which it was summed.
    """
    if not has_host_calls(builder) or out.dtype == BOOL or out.dtype in SUB_BYTE:
        return None
    is_first = x.aval.nbytes >= y.aval.nbytes
    big, small = (x, y) if is_first else (y, x)
    if not is_first:
        contract, batch = contract[::-1], batch[::-1]
    if big.aval.nbytes < MIN_BYTES:
        return None
    big, order = unturned(big)
    met = {order[a]: b for a, b in zip(*contract, strict=True)}
    shared = met | {order[a]: b for a, b in zip(*batch, strict=True)}
    rows = [a for a in range(small.aval.ndim) if a not in shared.values()]
    product = _product(builder, out.dtype, (big, small), met, shared)
    if product is None:
        return None
    leading = [order[a] for a in batch[0]]
    if _is_dense(big, leading, product) and (
        product.by_rows or product.n_rows > _MAX_DENSE_ROWS or big.aval.nbytes < _MIN_DENSE
    ):
        return None
    result = (_by_rows if product.by_rows else _by_columns)(builder, product)
    start, stop = product.meeting.start, product.meeting.stop
    n_own, n_big = len(rows), big.aval.ndim
    shape = big.aval.shape
    sizes = [*shape[:start], *[small.aval.shape[a] for a in rows], *shape[stop:]]
    result = emit.reshape(builder, result, tuple(sizes))
    own = list(range(start, start + n_own))
    place = [a if a < start else a - len(product.meeting) + n_own for a in range(n_big)]
    free = [place[order[a]] for a in range(n_big) if order[a] not in shared]
    first = [place[order[a]] for a in batch[0]]
    return emit.transpose(builder, result, [*first, *(free + own if is_first else own + free)])


def _product(
    builder: Builder,
    dtype: DType,
    operands: tuple[Value, Value],
    met: Mapping[int, int],
    shared: Mapping[int, int],
) -> _Product | None:
    """Return the product of a large and a small operand if it is one to be streamed.

    ``met`` and ``shared`` tell for axes of the large operand which one of the small they meet.
    """
    big, small = operands
    rows = [a for a in range(small.aval.ndim) if a not in shared.values()]
    shape = big.aval.shape
    n_rows = math.prod([small.aval.shape[a] for a in rows])
    meeting = range(min(met, default=0), max(met, default=-1) + 1)
    n_met = math.prod(shape[meeting.start : meeting.stop])
    if len(meeting) != len(met) or n_met < 2 or not 1 <= n_rows <= MAX_ROWS:
        return None
    width = math.prod(shape[meeting.stop :])
    by_rows = width == 1
    if by_rows:
        if math.prod(shape[: meeting.start]) * n_rows < _MIN_SUMS:
            return None
    elif width < _MIN_WIDTH or len(meeting) > 1:
        return None
    at = meeting.start if by_rows else meeting.stop
    several = [n_rows] if n_rows > 1 else []
    before, behind = [a for a in sorted(shared) if a < at], [a for a in sorted(shared) if a >= at]
    axes = [*[shared[a] for a in before], *rows, *[shared[a] for a in behind]]
    sizes = [*[shape[a] for a in before], *several, *[shape[a] for a in behind]]
    places = [*before, *[at for _ in several], *[a + len(several) for a in behind]]
    turned = emit.reshape(builder, emit.transpose(builder, small, axes), tuple(sizes))
    wide = FLOAT32 if dtype in FLOAT and dtype.itemsize < FLOAT32.itemsize else dtype
    return _Product(big, turned, tuple(places), meeting, by_rows, n_rows, wide)


def _is_dense(big: Value, batch: Sequence[int], product: _Product) -> bool:
    """Return whether XLA's dots take the large operand as it is."""
    n = len(batch)
    meeting = product.meeting
    return (
        product.dtype == big.aval.dtype
        and list(batch) == list(range(n))
        and (meeting.start == n or meeting.stop == big.aval.ndim)
        and not is_cut(big)
    )


def _by_rows(builder: Builder, product: _Product) -> Value:
    """Sum along the last axes: several pieces of them in one reduction.

    XLA takes a reduction of one value to pieces itself, for which it writes the products to memory
    first; one of several values it leaves in the loop that computes them. That waits for each
    addition, so long rows are more pieces.
    """
    terms = product.products(builder, product.big, product.small)
    kept = terms.aval.shape[: terms.aval.ndim - product.big.aval.ndim + product.meeting.start]
    n = math.prod(terms.aval.shape[len(kept) :])
    terms = emit.reshape(builder, terms, (*kept, n))

    def cut(start: int, size: int) -> Value:
        corner = (*[0 for _ in kept], start)
        return emit.static_slice(builder, terms, corner, (*kept, size), [1] * len(corner))

    n_pieces = min(max(n // _PIECE, 2), _MAX_PIECES)
    size = n // n_pieces
    pieces = [cut(i * size, size) for i in range(n_pieces)]
    sums = emit.reduce_several(builder, pieces, [len(kept)], "add", 0)
    sums += [emit.reshape(builder, cut(i, 1), kept) for i in range(n_pieces * size, n)]
    while len(sums) > 1:  # by pairs
        pairs = zip(sums[::2], sums[1::2], strict=False)
        sums = [*[emit.binary(builder, "add", *pair) for pair in pairs], *sums[len(sums) & ~1 :]]
    return sums[0]


def _by_columns(builder: Builder, product: _Product) -> Value:
    """Sum along an axis that is not the last: blocks of places, then what is left over."""
    axis = product.meeting.start
    shape = product.big.aval.shape
    n = shape[axis]
    row = math.prod(shape) // n * product.n_rows * product.dtype.itemsize
    block = max(1, min(_ACCUMULATOR // row, n // (_UNROLL * _MIN_ROUNDS)))
    unroll = min(_UNROLL, n)
    n_rounds = n // (block * unroll)
    part = part_of(builder, _readable(builder, product.big), axis)
    total = _accumulated(builder, product, part, (0, n_rounds, block, unroll))
    done = n_rounds * block * unroll
    if done < n:
        rest = _accumulated(builder, product, part, (done, n - done, 1, 1))
        total = emit.binary(builder, "add", total, rest)
    return total


def _readable(builder: Builder, x: Value) -> Value:
    """Return a value in a dtype that XLA reads in a loop: it converts whole arrays of bfloat16."""
    if x.aval.dtype not in NARROW_FLOAT:
        return x
    bits = ShapedArray(x.aval.shape, np.dtype(f"u{x.aval.dtype.itemsize}"))
    return builder.op("stablehlo.bitcast_convert", [x], bits)


def _accumulated(
    builder: Builder, product: _Product, part: Part, run: tuple[int, int, int, int]
) -> Value:
    """Return the sum over places from ``start`` on: ``(start, rounds, places a block, blocks)``."""
    start, n_rounds, size, unroll = run
    axis = product.meeting.start
    at = product.places.index(axis)
    shape = product.big.aval.shape
    kept = [*shape[:axis], size, *([product.n_rows] if product.n_rows > 1 else [])]
    accumulator = ShapedArray((*kept, *shape[axis + 1 :]), product.dtype)
    first = [
        emit.number(builder, 0),
        builder.constant(0, accumulator),
        product.small,
        *part.values,
    ]
    avals = [value.aval for value in first]

    def goes_on(b: Builder, args: list[Value]) -> list[Value]:
        return [compare(b, args[0], emit.number(b, n_rounds), "LT")]

    def add(b: Builder, args: list[Value]) -> list[Value]:
        index, total, small, *values = args
        place = emit.binary(b, "multiply", index, emit.number(b, size * unroll))
        terms: Value | None = None
        for i in range(unroll):
            here = emit.binary(b, "add", place, emit.number(b, start + i * size))
            starts = [emit.number(b, 0) for _ in small.aval.shape]
            starts[at] = here
            sizes = list(small.aval.shape)
            sizes[at] = size
            few = emit.dynamic_slice(b, small, starts, tuple(sizes))
            many = part.on(values).rows(b, axis, here, size)
            if product.big.aval.dtype in NARROW_FLOAT:
                kind = ShapedArray(many.aval.shape, product.big.aval.dtype)
                many = b.op("stablehlo.bitcast_convert", [many], kind)
            term = product.products(b, many, few)
            terms = term if terms is None else emit.binary(b, "add", terms, term)
        assert terms is not None
        after = emit.binary(b, "add", index, emit.number(b, 1))
        return [after, emit.binary(b, "add", total, terms), small, *values]

    regions = [builder.region(avals, goes_on), builder.region(avals, add)]
    total = builder.multi_op("stablehlo.while", first, avals, "", regions)[1]
    return emit.reduce(builder, total, [axis], "add", 0)
