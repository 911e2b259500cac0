"""Sample applications of every primitive of arithmetic, shapes, reductions, products and order.

For each one: operands at which it is smooth, parameters, the operands in which it is linear.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ownarray._core.dtypes import BY_NAME, FLOAT64, INT64
from ownarray._ops import (
    arithmetic,
    assemble,
    bits,
    compare,
    convert,
    cumulative,
    iota,
    mantissas,
    matmul,
    powers,
    reducers,
    rounding,
    searching,
    sorting,
    special,
    structural,
    transcendental,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ownarray._core.primitive import Primitive

Values = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Sample:
    """One application: float64 operands in general; ``linear`` are positions."""

    primitive: Primitive
    arrays: tuple[Values, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    linear: tuple[tuple[int, ...], ...] = ()
    """Sets of operands in which it is linear at once."""

    def __str__(self) -> str:
        shapes = "x".join(str(list(x.shape)) for x in self.arrays)
        return f"{self.primitive.name}-{shapes}-{self.arrays[0].dtype if self.arrays else ''}"


_RNG = np.random.default_rng(7)


def _some(*shape: int, low: float = 0.3, high: float = 2.0) -> Values:
    return _RNG.uniform(low, high, shape)


def _signed(*shape: int) -> Values:
    return _some(*shape) * np.where(_RNG.random(shape) < 0.5, -1.0, 1.0)


def _complex(*shape: int) -> Values:
    return _signed(*shape) + 1j * _signed(*shape)


def _ints(*shape: int) -> Values:
    return _RNG.integers(-9, 9, shape)


def _apart(*shape: int) -> Values:
    """Return values that differ well, in no order."""
    values = np.arange(float(np.prod(shape))) * 0.37 + 0.5
    return np.asarray(_RNG.permutation(values).reshape(shape))


def _unary(module: Any, *names: str) -> list[Sample]:
    return [Sample(getattr(module, f"{name}_p"), (_some(3, 4),)) for name in names]


_HOLOMORPHIC = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
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
]

_ENDS = ("asin", "acos", "atanh", "acosh")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_BINARY_BITS = ("and", "or", "xor", "shift_left", "shift_right", "gcd")
_STEPS = ("floor", "ceil", "round", "trunc", "isfinite", "isinf", "isnan", "signbit")

SMOOTH = [
    Sample(arithmetic.add_p, (_signed(3, 4), _signed(3, 4)), linear=((0,), (1,), (0, 1))),
    Sample(arithmetic.add_p, (_signed(3, 1), _signed(4)), linear=((0,), (1,), (0, 1))),
    Sample(arithmetic.add_p, (_complex(), _complex(2, 1, 3)), linear=((0,), (1,), (0, 1))),
    Sample(arithmetic.sub_p, (_signed(3, 4), _signed(1, 4)), linear=((0,), (1,), (0, 1))),
    Sample(arithmetic.mul_p, (_signed(3, 4), _signed(3, 1)), linear=((0,), (1,))),
    Sample(arithmetic.mul_p, (_complex(4), _complex(3, 4)), linear=((0,), (1,))),
    Sample(arithmetic.div_p, (_signed(3, 4), _signed(4)), linear=((0,),)),
    Sample(arithmetic.div_p, (_complex(3, 1), _complex(1, 4)), linear=((0,),)),
    Sample(arithmetic.neg_p, (_signed(3, 4),), linear=((0,),)),
    Sample(arithmetic.real_p, (_complex(3),), linear=((0,),)),
    Sample(arithmetic.imag_p, (_complex(3),), linear=((0,),)),
    Sample(arithmetic.conj_p, (_complex(3),), linear=((0,),)),
    Sample(arithmetic.complex_p, (_signed(3, 1), _signed(4)), linear=((0,), (1,), (0, 1))),
    Sample(assemble.concatenate_p, (_signed(2, 3), _signed(2, 1)), {"axis": 1}, ((0, 1), (1,))),
    Sample(assemble.reverse_p, (_signed(2, 3),), {"axes": (1,)}, ((0,),)),
    Sample(
        assemble.pad_p,
        (_signed(3, 4), _signed()),
        {"config": ((1, 2, 1), (-1, 0, 0))},
        ((0, 1), (0,), (1,)),
    ),
    Sample(assemble.pad_p, (_signed(4), _signed()), {"config": ((-2, 3, 2),)}, ((0, 1),)),
    Sample(
        compare.select_p,
        (_RNG.random((3, 4)) < 0.5, _signed(3, 4), _signed(4)),
        linear=((1,), (2,), (1, 2)),
    ),
    Sample(compare.max_p, (_apart(3, 4), _apart(3, 4) + 0.11)),
    Sample(compare.min_p, (_apart(3, 4), _apart(4) + 0.11)),
    Sample(convert.convert_p, (_signed(3),), {"dtype": BY_NAME["complex128"]}, ((0,),)),
    Sample(convert.convert_p, (_complex(3),), {"dtype": FLOAT64}, ((0,),)),
    Sample(structural.copy_p, (_signed(3),), linear=((0,),)),
    Sample(structural.reshape_p, (_signed(3, 4),), {"shape": (2, 6)}, ((0,),)),
    Sample(structural.transpose_p, (_signed(2, 3, 4),), {"axes": (2, 0, 1)}, ((0,),)),
    Sample(structural.broadcast_p, (_signed(4, 1),), {"shape": (3, 2, 4), "dims": (2, 0)}, ((0,),)),
    Sample(structural.broadcast_p, (_signed(),), {"shape": (2, 3), "dims": ()}, ((0,),)),
    Sample(structural.reduce_sum_p, (_signed(2, 3, 4),), {"axes": (0, 2)}, ((0,),)),
    Sample(reducers.reduce_prod_p, (_signed(2, 3, 4),), {"axes": (0, 2)}),
    Sample(reducers.reduce_prod_p, (np.array([2.0, 0.0, 3.0, -1.5, 0.5]),), {"axes": (0,)}),
    Sample(reducers.reduce_max_p, (_apart(3, 4),), {"axes": (1,)}),
    Sample(reducers.reduce_min_p, (_apart(3, 4),), {"axes": (0, 1)}),
    Sample(cumulative.cumsum_p, (_signed(3, 5),), {"axis": 1, "backwards": False}, ((0,),)),
    Sample(cumulative.cumsum_p, (_signed(5),), {"axis": 0, "backwards": True}, ((0,),)),
    Sample(cumulative.cumprod_p, (_signed(3, 5),), {"axis": 1, "backwards": False}),
    Sample(cumulative.cumprod_p, (np.array([2.0, 0.0, 3.0]),), {"axis": 0, "backwards": True}),
    Sample(cumulative.cummax_p, (_apart(3, 5),), {"axis": 1, "backwards": False}),
    Sample(cumulative.cummin_p, (_apart(6),), {"axis": 0, "backwards": True}),
    Sample(cumulative.cumlogsumexp_p, (_signed(3, 5),), {"axis": 0, "backwards": False}),
    Sample(
        matmul.dot_general_p,
        (_signed(3, 4), _signed(4, 2)),
        {"contract": ((1,), (0,)), "batch": ((), ()), "dtype": FLOAT64},
        ((0,), (1,)),
    ),
    Sample(
        matmul.dot_general_p,
        (_signed(4, 2, 3, 5), _signed(5, 3, 6, 4)),
        {"contract": ((2, 3), (1, 0)), "batch": ((0,), (3,)), "dtype": FLOAT64},
        ((0,), (1,)),
    ),
    Sample(
        matmul.dot_general_p,
        (_complex(3), _complex(2)),
        {"contract": ((), ()), "batch": ((), ()), "dtype": BY_NAME["complex128"]},
        ((0,), (1,)),
    ),
    Sample(powers.power_p, (_some(3, 4), _signed(4))),
    Sample(powers.power_p, (np.array([1.5, 2.0, 3.0]), np.array([2.0, 0.0, -3.0]))),
    Sample(powers.power_p, (_complex(3), _complex(3))),
    Sample(powers.integer_pow_p, (_signed(3, 4),), {"n": 3}),
    Sample(powers.integer_pow_p, (_signed(3),), {"n": -2}),
    Sample(powers.integer_pow_p, (_complex(3),), {"n": 1}),
    Sample(powers.atan2_p, (_signed(3, 1), _signed(4))),
    Sample(powers.hypot_p, (_signed(3), _signed(3))),
    Sample(powers.logaddexp_p, (_signed(3, 1), _signed(4))),
    Sample(rounding.abs_p, (_signed(3),)),
    Sample(rounding.abs_p, (_complex(3),)),
    Sample(rounding.sign_p, (_signed(3),)),
    Sample(rounding.sign_p, (_complex(3),)),
    Sample(rounding.remainder_p, (_some(3) + 5, _signed(3))),
    Sample(rounding.fmod_p, (_some(3) + 5, _signed(3))),
    Sample(mantissas.ldexp_p, (_signed(3, 4), np.arange(4) - 2)),
    Sample(rounding.copysign_p, (_signed(3), _signed(3))),
    Sample(
        sorting.sort_p,
        (_apart(3, 4), _signed(3, 4)),
        {"axis": 1, "num_keys": 1, "descending": True, "stable": True},
    ),
    Sample(
        sorting.sort_p,
        (_apart(5),),
        {"axis": 0, "num_keys": 1, "descending": False, "stable": True},
    ),
    *_unary(transcendental, *[name for name in _HOLOMORPHIC if name not in _ENDS]),
    *[Sample(getattr(transcendental, f"{name}_p"), (_some(4, high=0.9),)) for name in _ENDS[:3]],
    Sample(transcendental.acosh_p, (_some(4) + 1.1,)),
    Sample(transcendental.cbrt_p, (_signed(4),)),
    *[Sample(getattr(transcendental, f"{n}_p"), (_complex(4),)) for n in _HOLOMORPHIC],
    *_unary(special, "erf", "erfc", "lgamma", "digamma"),
    Sample(special.erf_inv_p, (_some(4, high=0.9),)),
    Sample(special.polygamma_p, (_some(4),), {"n": 2}),
]
"""Where derivatives are tested."""

OTHERS = [
    *[Sample(getattr(compare, f"{n}_p"), (_ints(3, 4), _ints(4))) for n in _COMPARISONS],
    *[Sample(getattr(bits, f"{n}_p"), (_ints(3, 1), _ints(4))) for n in _BINARY_BITS],
    Sample(bits.not_p, (_ints(3),)),
    Sample(convert.bitcast_p, (_signed(3),), {"dtype": INT64}),
    Sample(reducers.reduce_and_p, (_signed(3, 4) > 0,), {"axes": (0,)}),
    Sample(reducers.reduce_or_p, (_signed(3, 4) > 0,), {"axes": (1,)}),
    Sample(reducers.argmax_p, (_apart(3, 4),), {"axis": 1}),
    Sample(reducers.argmin_p, (_apart(3, 4),), {"axis": 0}),
    *[Sample(getattr(rounding, f"{n}_p"), (_signed(3, 4),)) for n in _STEPS],
    Sample(rounding.floor_divide_p, (_signed(3, 4), _signed(4))),
    Sample(rounding.nextafter_p, (_signed(3, 4), _signed(4))),
    Sample(searching.searchsorted_p, (np.sort(_signed(6)), _signed(2, 3)), {"side": "left"}),
    Sample(searching.searchsorted_p, (np.sort(_ints(6)), _ints(5)), {"side": "right"}),
    Sample(sorting.argsort_p, (_apart(3, 4),), {"axis": 1, "descending": True, "stable": True}),
    Sample(iota.iota_p, (), {"shape": (2, 3), "axis": 1, "dtype": INT64}),
]
"""The others: steps, truth values, places."""
