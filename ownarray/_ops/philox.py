"""Random bits by counting: Philox 4x64 with ten rounds, the same on both engines.

A block of four words is a pure function of a key and a counter, so a generator's state is its key
and how many blocks it has used. NumPy's own `numpy.random.Philox` is the host's kernel. Counters
have four words here: the block's number, the attempt (for what draws until it accepts), the stream
(for what needs several independent draws at once), and 0.

References
----------
.. [1] Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

import math
import threading
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.dtypes import BY_NAME, FLOAT32, FLOAT64, DType
from ownarray._core.primitive import Missing, Primitive
from ownarray._ops import emit
from ownarray._ops.host_calls import has_host_calls, host_call
from ownarray._ops.rules import (
    BatchDims,
    broadcast_shapes,
    cast,
    compare,
    deliver,
    fit,
    full,
)
from ownarray._ops.structural import reshape_to, to_front
from ownarray._trace.bind import HostArray, Operand, bind, operand_aval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._ops.operators import Array

UINT64: Final = BY_NAME["uint64"]
UINT32: Final = BY_NAME["uint32"]
_MULTIPLIERS: Final = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
_WEYL: Final = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
_N_ROUNDS: Final = 10
_LANES: Final = 4

Kind: TypeAlias = Literal["bits", "unit", "symmetric"]
"""Words; floats in [0, 1); floats in (-1, 1), none of them 0, each as probable as its negative."""


def n_blocks(n_words: int) -> int:
    """Return how many blocks give so many words of 64 bits."""
    return -(-n_words // _LANES)


# The host.


class _Generator(threading.local):
    """A thread's NumPy generator; setting its state is far cheaper than making a new one."""

    def __init__(self) -> None:
        self.bits = np.random.Philox(0)
        self.laws = np.random.Generator(self.bits)


@lru_cache(maxsize=1)
def _generators() -> _Generator:
    """Return the generator of each thread, whose state is set before each use.

    Made when it is wanted: loading NumPy's random numbers takes a tenth of the first use's time.
    """
    return _Generator()


_EMPTY: Final = np.zeros(_LANES, np.uint64)
CHUNK: Final = 1 << 13
"""So many words at a time stay in the processor's cache."""


def generator_at(key: HostArray, counter: Any) -> _Generator:
    """Return this thread's generator at the place of a key and a counter."""
    generator = _generators()
    generator.bits.state = {
        "bit_generator": "Philox",
        "state": {"counter": np.array(counter, np.uint64), "key": np.array(key, np.uint64)},
        "buffer": _EMPTY,
        "buffer_pos": _LANES,
        "has_uint32": 0,
        "uinteger": 0,
    }
    return generator


def _words(key: HostArray, counter: Any, n: int) -> HostArray:
    """Return n words of one key, beginning at a counter."""
    words: HostArray = generator_at(key, counter).bits.random_raw(n)
    return words


def philox_kernel(key: HostArray, counter: HostArray, out: HostArray) -> None:
    """Fill rows of words, each by its own key and counter."""
    n = out.shape[-1]
    rows = out.reshape(-1, n)
    for row, row_key, row_counter in zip(
        rows, key.reshape(-1, 2), counter.reshape(-1, _LANES), strict=True
    ):
        bits = generator_at(row_key, row_counter).bits
        for start in range(0, n, CHUNK):
            piece = row[start : start + CHUNK]
            piece[...] = bits.random_raw(piece.size)


def draw_host(
    key: HostArray, counter: HostArray, attempt: HostArray, shape: Shape, stream: int
) -> HostArray:
    """Return words for a batch of keys and counters."""
    n = math.prod(shape)
    if np.ndim(key) == 1 and np.ndim(counter) == 0 and np.ndim(attempt) == 0:
        return _words(key, (counter, attempt, stream, 0), n).reshape(shape)
    batch = np.broadcast_shapes(key.shape[:-1], counter.shape, attempt.shape)
    words = np.empty((*batch, n), np.uint64)
    counters = np.zeros((*batch, _LANES), np.uint64)
    counters[..., 0], counters[..., 1], counters[..., 2] = counter, attempt, stream
    philox_kernel(np.broadcast_to(key, (*batch, 2)), counters, words)
    return words.reshape((*batch, *shape))


# Lowering.


def multiply_wide(builder: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    """Return the high and the low words of products of unsigned words."""
    half, low_mask = full(builder, 32, x), full(builder, 2**32 - 1, x)

    def op(name: str, a: Value, b: Value) -> Value:
        return emit.binary(builder, name, a, b)

    x_low, x_high = op("and", x, low_mask), op("shift_right_logical", x, half)
    y_low, y_high = op("and", y, low_mask), op("shift_right_logical", y, half)
    first, second = op("multiply", x_low, y_high), op("multiply", x_high, y_low)
    carry = op("shift_right_logical", op("multiply", x_low, y_low), half)
    middle = op("add", op("and", first, low_mask), op("and", second, low_mask))
    carry = op("shift_right_logical", op("add", carry, middle), half)
    high = op("multiply", x_high, y_high)
    for part in (first, second):
        high = op("add", high, op("shift_right_logical", part, half))
    return op("add", high, carry), op("multiply", x, y)


def _round(builder: Builder, state: Sequence[Value]) -> list[Value]:
    """Write one round: four words of the counter, two of the key, the number of the round."""
    c0, c1, c2, c3, k0, k1, number = state

    def op(name: str, a: Value, b: Value) -> Value:
        return emit.binary(builder, name, a, b)

    high0, low0 = multiply_wide(builder, c0, full(builder, _MULTIPLIERS[0], c0))
    high1, low1 = multiply_wide(builder, c2, full(builder, _MULTIPLIERS[1], c2))
    return [
        op("xor", op("xor", high1, c1), k0),
        low1,
        op("xor", op("xor", high0, c3), k1),
        low0,
        op("add", k0, full(builder, _WEYL[0], k0)),
        op("add", k1, full(builder, _WEYL[1], k1)),
        op("add", number, emit.number(builder, 1)),
    ]


def _plain_words(builder: Builder, key: Value, counter: Value, n: int) -> Value:
    """Return n words for each row of keys ``(..., 2)`` and counters ``(..., 4)``."""
    batch = key.aval.shape[:-1]
    n_rows = n_blocks(n)
    shape = (*batch, n_rows)
    axes = range(len(batch))

    def column(x: Value, i: int) -> Value:
        sizes = (*batch, 1)
        starts = [0] * len(batch) + [i]
        part = emit.static_slice(builder, x, starts, sizes, [1] * len(sizes))
        return emit.place(builder, emit.reshape(builder, part, batch), shape, axes)

    block = emit.iota(builder, ShapedArray(shape, UINT64), len(batch))
    first = emit.binary(builder, "add", column(counter, 0), full(builder, 1, block))
    state = [emit.binary(builder, "add", first, block), *[column(counter, i) for i in (1, 2, 3)]]
    state += [column(key, 0), column(key, 1), emit.number(builder, 0)]
    avals = [value.aval for value in state]
    regions = [
        builder.region(
            avals, lambda b, args: [compare(b, args[6], emit.number(b, _N_ROUNDS), "LT")]
        ),
        builder.region(avals, _round),
    ]
    words = builder.multi_op("stablehlo.while", state, avals, "", regions)[:_LANES]
    columns = [emit.reshape(builder, word, (*shape, 1)) for word in words]
    joined = emit.concatenate(builder, columns, len(shape), ())
    flat = emit.reshape(builder, joined, (*batch, n_rows * _LANES))
    starts = [0] * (len(batch) + 1)
    return emit.static_slice(builder, flat, starts, (*batch, n), [1] * (len(batch) + 1))


def lower_words(
    builder: Builder, batch: Shape, values: Sequence[Value], shape: Shape, stream: int
) -> Value:
    """Return words for a batch of keys, counters and attempts."""
    key, counter, attempt = values
    n = math.prod(shape)
    key = fit(builder, key, (*batch, 2))
    column = (*batch, 1)
    words = [fit(builder, counter, batch), fit(builder, attempt, batch)]
    words += [full(builder, number, words[0]) for number in (stream, 0)]
    columns = [emit.reshape(builder, word, column) for word in words]
    counter = emit.concatenate(builder, columns, len(batch), ())
    if has_host_calls(builder):
        row = ShapedArray((*batch, n), UINT64)
        result = host_call(builder, "philox", [key, counter], [row])[0]
    else:
        result = _plain_words(builder, key, counter, n)
    return emit.reshape(builder, result, (*batch, *shape))


# Words, and floats made of them.


def batch_shape(key: ShapedArray, counter: ShapedArray, attempt: ShapedArray) -> Shape:
    if key.shape[-1:] != (2,) or any(x.dtype != UINT64 for x in (key, counter, attempt)):
        raise TypeError(f"random: expected a key of two u64, got {key}, {counter}, {attempt}")
    return broadcast_shapes("random", [key.shape[:-1], counter.shape, attempt.shape])


_DIGITS: Final = MappingProxyType({FLOAT32: 24, FLOAT64: 53})


def n_words(shape: Shape, dtype: DType) -> int:
    """Return how many words of 64 bits an array of this shape and dtype takes."""
    n = math.prod(shape)
    return -(-n // 2) if dtype == FLOAT32 else n


def _random_aval(
    key: ShapedArray,
    counter: ShapedArray,
    attempt: ShapedArray,
    *,
    shape: Shape,
    dtype: DType,
    kind: Kind,
    stream: int,
) -> ShapedArray:
    if (kind == "bits") != (dtype == UINT64) or dtype not in (UINT64, FLOAT32, FLOAT64):
        raise TypeError(f"random: {kind} are not made in {dtype}")
    return ShapedArray((*batch_shape(key, counter, attempt), *shape), dtype)


def _random_host(
    key: HostArray,
    counter: HostArray,
    attempt: HostArray,
    *,
    shape: Shape,
    dtype: DType,
    kind: Kind,
    stream: int,
    out: HostArray | None = None,
) -> HostArray:
    n, digits = math.prod(shape), _DIGITS.get(dtype, 0)
    if kind == "bits":
        return deliver(draw_host(key, counter, attempt, shape, stream), out)
    if np.ndim(key) == 1 and np.ndim(counter) == 0 and np.ndim(attempt) == 0:
        # NumPy makes the same numbers in [0, 1) of the same words, in one pass.
        laws: Any = generator_at(key, (counter, attempt, stream, 0)).laws
        numbers: Any = laws.random(shape, dtype, out=out)
    else:
        words = draw_host(key, counter, attempt, (n_words(shape, dtype),), stream)
        bits: Any = words.view(np.uint32)[..., :n] if dtype == FLOAT32 else words
        bits = bits >> bits.dtype.type(bits.dtype.itemsize * 8 - digits)
        numbers = bits.astype(dtype)
        numbers *= dtype.type(2.0**-digits)
        numbers = deliver(numbers.reshape((*words.shape[:-1], *shape)), out)
    if kind == "symmetric":  # both steps are exact
        numbers -= dtype.type(0.5 - 2.0 ** (-digits - 1))
        numbers *= dtype.type(2)
    return numbers  # type: ignore[no-any-return]


def _random_lower(
    builder: Builder,
    out: ShapedArray,
    *values: Value,
    shape: Shape,
    dtype: DType,
    kind: Kind,
    stream: int,
) -> Value:
    batch = out.shape[: out.ndim - len(shape)]
    n = math.prod(shape)
    words = lower_words(builder, batch, values, (n_words(shape, dtype),), stream)
    if kind == "bits":
        return emit.reshape(builder, words, out.shape)
    digits = _DIGITS[dtype]
    bits, width = words, 64
    if dtype == FLOAT32:
        count = words.aval.shape[-1]
        pairs = ShapedArray((*words.aval.shape, 2), UINT32)
        bits = builder.op("stablehlo.bitcast_convert", [words], pairs)
        bits, width = emit.reshape(builder, bits, (*batch, 2 * count)), 32
        ndim = len(batch) + 1
        bits = emit.static_slice(builder, bits, [0] * ndim, (*batch, n), [1] * ndim)
    bits = emit.binary(builder, "shift_right_logical", bits, full(builder, width - digits, bits))
    numbers = cast(builder, bits, dtype)
    scale = 2.0**-digits
    if kind == "symmetric":
        shift = full(builder, 2.0 ** (digits - 1), numbers)
        numbers = emit.binary(builder, "subtract", numbers, shift)
        numbers = emit.binary(builder, "add", numbers, full(builder, 0.5, numbers))
        scale *= 2
    numbers = emit.binary(builder, "multiply", numbers, full(builder, scale, numbers))
    return emit.reshape(builder, numbers, out.shape)


def to_front_together(
    args: Sequence[Operand], bdims: BatchDims, ranks: Sequence[int]
) -> list[Operand]:
    """Return operands with batch axes in front of as many axes as the widest batch has."""
    own = [
        operand_aval(x).ndim - (bdim is not None) - rank
        for x, bdim, rank in zip(args, bdims, ranks, strict=True)
    ]
    wanted = max(own)
    moved: list[Operand] = []
    for x, bdim, have in zip(args, bdims, own, strict=True):
        if bdim is not None:
            x = to_front(x, bdim)
            n, *rest = operand_aval(x).shape
            if have < wanted:
                x = reshape_to(x, (n, *[1] * (wanted - have), *rest))
        moved.append(x)
    return moved


def _random_batch(args: Sequence[Operand], bdims: BatchDims, **params: Any) -> tuple[Array, int]:
    return bind(random_p, *to_front_together(args, bdims, (1, 0, 0)), **params), 0


_FIRST: Final = np.uint64(0)
NO_DERIVATIVE: Final = Missing("random bits do not depend smoothly on a key")

random_p = Primitive(
    name="random",
    prefers_host=True,
    aval=_random_aval,
    host=_random_host,
    lower=_random_lower,
    jvp=NO_DERIVATIVE,
    transpose=NO_DERIVATIVE,
    batch=_random_batch,
)


def draw(
    key: Operand,
    counter: Operand,
    shape: Shape,
    dtype: DType = UINT64,
    kind: Kind = "bits",
    *,
    attempt: Operand = _FIRST,
    stream: int = 0,
) -> Array:
    """Apply `random_p`: words, or floats made of them."""
    return bind(random_p, key, counter, attempt, shape=shape, dtype=dtype, kind=kind, stream=stream)
