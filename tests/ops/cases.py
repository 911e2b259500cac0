"""Applications of every primitive over dtypes, shapes and edge values, for tests of the engines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np

from ownarray._core.dtypes import BOOL, BY_NAME, DType
from ownarray._ops.table import PRIMITIVES
from tests.ops.engines import Case, program_of
from tests.ops.values import (
    COMPLEXES,
    FLOATS,
    INTEGERS,
    NIBBLES,
    TINY_FLOATS,
    TRUTH,
    Values,
    edge_values,
    ordinary_values,
    pairs,
)

PRIMITIVE = {p.name: p for p in PRIMITIVES}
EVERY = (*FLOATS, *TINY_FLOATS, *COMPLEXES, *INTEGERS, *NIBBLES, *TRUTH)
MAIN = tuple(
    BY_NAME[n] for n in ("float32", "bfloat16", "complex64", "int8", "uint32", "int4", "bool")
)
"""One dtype of each kind, where the rules do not look at the values."""

UNARY = [
    "neg",
    "abs",
    "sign",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "floor",
    "ceil",
    "round",
    "trunc",
    "isfinite",
    "isinf",
    "isnan",
    "signbit",
    "not",
    "erf",
    "erfc",
    "erf_inv",
    "lgamma",
    "digamma",
    "real",
    "imag",
    "conj",
]
BINARY = [
    "add",
    "sub",
    "mul",
    "div",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "max",
    "min",
    "and",
    "or",
    "xor",
    "shift_left",
    "shift_right",
    "gcd",
    "power",
    "atan2",
    "hypot",
    "logaddexp",
    "floor_divide",
    "remainder",
    "fmod",
    "copysign",
    "nextafter",
    "complex",
]
SPELLED_OUT = [
    "convert",
    "bitcast",
    "copy",
    "reshape",
    "transpose",
    "broadcast",
    "iota",
    "concatenate",
    "reverse",
    "pad",
    "select",
    "reduce_sum",
    "reduce_prod",
    "reduce_max",
    "reduce_min",
    "reduce_and",
    "reduce_or",
    "argmax",
    "argmin",
    "cumsum",
    "cumprod",
    "cummax",
    "cummin",
    "cumlogsumexp",
    "sort",
    "searchsorted",
    "argsort",
    "dot_general",
    "integer_pow",
    "polygamma",
    "ldexp",
]
SHAPES = ((), (0,), (1,), (2, 0, 3), (2, 3, 4))


def fits(case: Case) -> bool:
    """Return whether the aval rule takes these operands."""
    try:
        program_of(case)
    except (TypeError, ValueError):
        return False
    return True


def cases_of(name: str) -> list[Case]:
    """Return the applications of one primitive."""
    if name in UNARY:
        found = [(edge_values(d),) for d in EVERY] + [
            (ordinary_values(d, s),) for d in MAIN for s in SHAPES
        ]
        cases = [Case(PRIMITIVE[name], arrays) for arrays in found]
    elif name in BINARY:
        both: list[tuple[Values, ...]] = [pairs(edge_values(d)) for d in EVERY]
        both += [
            (ordinary_values(d, s), ordinary_values(d, s[-1:], 1)) for d in MAIN for s in SHAPES
        ]
        cases = [Case(PRIMITIVE[name], arrays) for arrays in both]
    else:
        spelled = globals()[f"_{name}"]()
        cases = [Case(PRIMITIVE[name], arrays, params) for arrays, params in spelled]
    return [case for case in cases if fits(case)]


Spelled = Iterator[tuple[tuple[Values, ...], dict[str, Any]]]


def _each(
    dtypes: Sequence[DType], shapes: Sequence[tuple[int, ...]], params: Sequence[dict[str, Any]]
) -> Spelled:
    for dtype in dtypes:
        for shape in shapes:
            for chosen in params:
                yield (ordinary_values(dtype, shape),), chosen


def _huge(dtype: DType) -> Values:
    values = [1e30, -1e30, 255.5, 256, 65535.7, 2.0**31, 2.0**63, -(2.0**63), 2.0**64]
    with np.errstate(over="ignore"):
        return np.array([*values, -0.7, 127.5, -128.9, 3e9]).astype(dtype)


def _convert() -> Spelled:
    for source in EVERY:
        for target in EVERY if source in MAIN else MAIN:
            yield (edge_values(source),), {"dtype": target}
    for source in FLOATS:
        for target in (*INTEGERS, *NIBBLES):
            yield (_huge(source),), {"dtype": target}


def _bitcast() -> Spelled:
    for source in EVERY:
        for target in EVERY:
            yield (edge_values(source),), {"dtype": target}


def _ldexp() -> Spelled:
    powers = (0, 1, -1, 7, 40, -40, 300, -300, 5000, -5000)
    for name, bits in (("float32", np.int32), ("float64", np.int64)):
        for power in powers:
            yield (edge_values(BY_NAME[name]), np.array(power, bits)), {}
        yield (ordinary_values(BY_NAME[name], (3, 4)), np.arange(4, dtype=bits)), {}


def _copy() -> Spelled:
    return _each(MAIN, SHAPES, [{}])


def _reshape() -> Spelled:
    return _each(MAIN, [(3, 4)], [{"shape": s} for s in ((12,), (2, 6), (1, 12, 1), (3, 4))])


def _transpose() -> Spelled:
    return _each(MAIN, [(2, 3, 4)], [{"axes": axes} for axes in permutations(range(3))])


def _broadcast() -> Spelled:
    for shape, dims in (
        ((), ()),
        ((4,), (2,)),
        ((1,), (2,)),
        ((3, 1), (1, 2)),
        ((4, 2), (2, 0)),
        ((2, 3, 4), (0, 1, 2)),
        ((3, 2), (1, 0)),
    ):
        yield from _each(MAIN, [shape], [{"shape": (2, 3, 4), "dims": dims}])


def _iota() -> Spelled:
    for dtype in EVERY:
        for shape, axis in (((5,), 0), ((2, 3), 1), ((2, 3), 0), ((0, 3), 1)):
            yield (), {"shape": shape, "axis": axis, "dtype": dtype}


def _concatenate() -> Spelled:
    for dtype in MAIN:
        for shapes, axis in (
            (((2, 3), (1, 3)), 0),
            (((2, 3), (2, 0), (2, 2)), 1),
            (((2, 3),), 1),
        ):
            yield tuple(ordinary_values(dtype, s) for s in shapes), {"axis": axis}


def _reverse() -> Spelled:
    return _each(MAIN, [(2, 3, 4), (0, 1, 2)], [{"axes": axes} for axes in ((), (0,), (1, 2))])


def _pad() -> Spelled:
    for dtype in MAIN:
        for config in (
            ((0, 0, 0), (0, 0, 0)),
            ((1, 2, 0), (0, 0, 1)),
            ((-1, 0, 0), (2, -2, 0)),
            ((-2, 3, 2), (-3, -1, 1)),
            ((-1, -1, 0), (-4, 0, 0)),
            ((-4, 1, 3), (1, -3, 2)),
        ):
            x = ordinary_values(dtype, (3, 4))
            yield (x, np.array(1, np.int8).astype(dtype)), {"config": config}


def _select() -> Spelled:
    for dtype in MAIN:
        for mask, x, y in (
            ((3, 4), (3, 4), (3, 4)),
            ((), (3, 4), (4,)),
            ((3, 1), (), (4,)),
            ((0,), (1,), ()),
        ):
            values = ordinary_values(dtype, x), ordinary_values(dtype, y, 1)
            yield (ordinary_values(BOOL, mask), *values), {}


def _reductions() -> Spelled:
    for dtype in EVERY:
        yield (edge_values(dtype),), {"axes": (0,)}
        even = edge_values(dtype)[:14]
        even = even[: len(even) // 2 * 2].reshape(2, -1)
        yield (even,), {"axes": (1,)}
    for shape, axes in (
        ((), ()),
        ((3, 4), ()),
        ((3, 4), (0,)),
        ((3, 4), (0, 1)),
        ((2, 3, 4), (0, 2)),
        ((0, 3), (0,)),
        ((0, 3), (1,)),
        ((2, 0), (1,)),
        ((300,), (0,)),
    ):
        yield from _each(MAIN, [shape], [{"axes": axes}])


_reduce_sum = _reduce_prod = _reduce_max = _reduce_min = _reduce_and = _reduce_or = _reductions


def _places() -> Spelled:
    for dtype in EVERY:
        for values in (edge_values(dtype), edge_values(dtype)[::-1].copy()):
            yield (values,), {"axis": 0}
    for dtype in FLOATS:
        for value in (-np.inf, np.inf, np.nan):
            yield (np.full(4, value).astype(dtype),), {"axis": 0}
    for shape, axis in (((3, 4), 0), ((3, 4), 1), ((0, 3), 0), ((0, 3), 1)):
        yield from _each(MAIN, [shape], [{"axis": axis}])


_argmax = _argmin = _places


def _cumulative() -> Spelled:
    for dtype in EVERY:
        yield (edge_values(dtype)[-9:],), {"axis": 0, "backwards": False}
    for shape, axis in (
        ((1,), 0),
        ((2,), 0),
        ((17,), 0),
        ((3, 4), 1),
        ((5, 2), 0),
        ((0, 3), 1),
        ((301,), 0),
    ):
        yield from _each(
            MAIN[:2], [shape], [{"axis": axis, "backwards": turn} for turn in (False, True)]
        )


_cumsum = _cumprod = _cummax = _cummin = _cumlogsumexp = _cumulative


def _sort() -> Spelled:
    def params(axis: int, num_keys: int, descending: bool) -> dict[str, Any]:
        order = {"descending": descending, "stable": True}
        return {"axis": axis, "num_keys": num_keys, **order}

    for dtype in EVERY:
        edges = edge_values(dtype)
        twice = np.concatenate([edges, edges])
        first, second = ordinary_values(BOOL, (9,)), ordinary_values(dtype, (9,), 1)
        for descending in (False, True):
            yield (edges,), params(0, 1, descending)
            yield (twice, np.arange(len(twice))), params(0, 1, descending)
            yield (first, second, np.arange(9)), params(0, 2, descending)
    for shape, axis in (((3, 4), 0), ((3, 4), 1), ((0, 3), 0), ((2, 0), 1)):
        yield from _each(MAIN, [shape], [params(axis, 1, True)])


def _argsort() -> Spelled:
    for dtype in EVERY:
        edges = edge_values(dtype)
        twice = np.concatenate([edges, edges])
        for descending in (False, True):
            yield (twice,), {"axis": 0, "descending": descending, "stable": True}
    yield from _each(MAIN, [(3, 4), (0, 3)], [{"axis": 0, "descending": False, "stable": True}])


def _searchsorted() -> Spelled:
    order = PRIMITIVE["sort"].host
    for dtype in (*MAIN, *FLOATS, *COMPLEXES):
        edges = edge_values(dtype)
        (ordered,) = order(edges, axis=0, num_keys=1, descending=False, stable=True)  # type: ignore[operator]
        for side in ("left", "right"):
            for size in (len(edges), *((1, 0) if dtype == INTEGERS[0] else ())):
                yield (ordered[:size], edges.reshape(1, -1)), {"side": side}


def _dot_general() -> Spelled:
    for dtype in MAIN:
        for x, y, contract, batch in (
            ((3, 4), (4, 2), ((1,), (0,)), ((), ())),
            ((4,), (4,), ((0,), (0,)), ((), ())),
            ((5, 3, 4), (5, 4, 2), ((2,), (1,)), ((0,), (0,))),
            ((3, 4), (2,), ((), ()), ((), ())),
            ((2, 3, 4), (4, 3, 5), ((1, 2), (1, 0)), ((), ())),
            ((0, 4), (4, 2), ((1,), (0,)), ((), ())),
            ((3, 0), (0, 2), ((1,), (0,)), ((), ())),
            ((4, 5, 2), (3, 5, 4), ((0,), (2,)), ((1,), (1,))),
        ):
            values = ordinary_values(dtype, x), ordinary_values(dtype, y, 1)
            yield values, {"contract": contract, "batch": batch, "dtype": dtype}


def _integer_pow() -> Spelled:
    for dtype in EVERY:
        for n in (0, 1, 5, -3):
            yield (edge_values(dtype),), {"n": n}


def _polygamma() -> Spelled:
    for dtype in FLOATS:
        for n in (1, 3):
            x = np.linspace(0.25, 9, 7).astype(dtype)
            yield (x,), {"n": n}
