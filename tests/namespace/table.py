"""The public functions in one table: on what each is tried, and whether it reuses memory.

A row calls the function of one name in a namespace, ownarray's or NumPy's, on the same inputs.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Values = np.ndarray[Any, Any]

SMALL = (3, 4)
SQUARE = (4, 4)
LARGE_SQUARE = (144, 144)
LARGE = (160, 128)  # above the size up to which eager operations run through NumPy, also for bool


def _random(kind: str, shape: tuple[int, ...], seed: int) -> Values:
    rng = np.random.default_rng(seed)
    made: dict[str, Callable[[], Values]] = {
        "f": lambda: rng.uniform(-2, 2, shape),
        "h": lambda: rng.uniform(-2, 2, shape).astype(np.float32),
        "p": lambda: rng.uniform(0.1, 3, shape),
        "u": lambda: rng.uniform(-0.9, 0.9, shape),
        "g": lambda: rng.uniform(1.1, 3, shape),
        "a": lambda: np.where(rng.uniform(size=shape) < 0.2, np.nan, rng.uniform(-2, 2, shape)),
        "i": lambda: rng.integers(-5, 6, shape),
        "n": lambda: rng.integers(0, 6, shape),
        "s": lambda: rng.integers(-100, 100, shape).astype(np.int16),
        "b": lambda: rng.uniform(size=shape) < 0.5,
        "c": lambda: rng.uniform(-2, 2, shape) + 1j * rng.uniform(-2, 2, shape),
    }
    return made[kind]()


_TURNING = frozenset(
    [
        "permute_dims",
        "transpose",
        "matrix_transpose",
        "swapaxes",
        "moveaxis",
        "flip",
        "rot90",
        "roll",
        "reshape",
        "ravel",
        "sort",
        "take",
        "take_along_axis",
        "matmul",
        "dot",
        "inner",
        "tensordot",
        "einsum",
        "kron",
        "cumsum",
        "cumprod",
        "tile",
        "repeat",
        "pad",
        "concat",
        "stack",
        "unstack",
        "where",
        "tril",
        "triu",
        "diff",
        "gradient",
        "cross",
        "interp",
        "clip",
    ]
)


class Row(NamedTuple):
    """A function on inputs of some kinds."""

    name: str
    kinds: str
    """One letter for each array, see `_random`."""
    call: Callable[..., Any]
    """``call(function, *arrays)``."""
    reuses: bool
    """Whether the result stands in the memory of a consumed first array."""
    traceable: bool

    @property
    def id(self) -> str:
        """The name of the test."""
        return f"{self.name}-{self.kinds}"

    @property
    def turns(self) -> bool:
        """Whether elements change their places."""
        return self.name in _TURNING

    def inputs(self, shape: tuple[int, ...]) -> list[Values]:
        """Return NumPy values for each array."""
        return [_random(kind, shape, seed) for seed, kind in enumerate(self.kinds)]


def _row(
    name: str,
    kinds: str,
    call: Callable[..., Any] | None = None,
    *,
    reuses: bool = False,
    traceable: bool = True,
) -> list[Row]:
    plain = call or (lambda function, *arrays: function(*arrays))
    return [Row(name, one, plain, reuses, traceable) for one in kinds.split()]


def _with(*positional: Any, **options: Any) -> Callable[..., Any]:
    return lambda function, *arrays: function(*arrays, *positional, **options)


def _rows() -> list[Row]:
    return [
        *_unary(),
        *_binary(),
        *_reductions(),
        *_shapes(),
        *_orders(),
        *_products(),
        *_calculus(),
    ]


def _unary() -> list[Row]:
    rows: list[Row] = []
    for name in ("negative", "positive", "square"):
        rows += _row(name, "f h i c", reuses=True)
    rows += _row("abs", "f h i", reuses=True) + _row("abs", "c")
    rows += _row("sign", "f i", reuses=True)
    for name in ("ceil", "floor", "trunc"):
        rows += _row(name, "f h i", reuses=True)
    rows += _row("round", "f h", reuses=True) + _row("round", "f", _with(1))
    rows += _row("rint", "f", reuses=True) + _row("rint", "i")
    for name in (
        "exp",
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "atan",
        "expm1",
        "exp2",
    ):
        rows += _row(name, "f h", reuses=True) + _row(name, "i s")
    for name in ("exp", "sin", "cos", "sinh", "cosh", "tanh", "sqrt", "log"):
        rows += _row(name, "c", reuses=True)
    for name in ("log", "log2", "log10", "log1p", "sqrt", "cbrt"):
        rows += _row(name, "p", reuses=True)
    for name in ("asin", "acos", "atanh"):
        rows += _row(name, "u", reuses=True)
    rows += _row("acosh", "g", reuses=True) + _row("reciprocal", "p", reuses=True)
    rows += _row("deg2rad", "f", reuses=True) + _row("rad2deg", "f", reuses=True)
    rows += _row("fabs", "f", reuses=True) + _row("sinc", "f")
    for name in ("real", "imag", "conj"):
        rows += _row(name, "c f") if name != "conj" else _row(name, "c f", reuses=True)
    rows += _row("angle", "c f")
    for name in ("isfinite", "isinf", "isnan"):
        rows += _row(name, "f c i a")
    for name in ("signbit", "isposinf", "isneginf"):
        rows += _row(name, "f")
    rows += _row("logical_not", "b", reuses=True) + _row("logical_not", "f")
    rows += _row("bitwise_invert", "i b", reuses=True)
    rows += _row("frexp", "f h i") + _row("modf", "f h i")
    return rows + _row("nan_to_num", "a f")


def _binary() -> list[Row]:
    rows: list[Row] = []
    for name in ("add", "multiply", "maximum", "minimum"):
        rows += _row(name, "ff hh ii bb sf fi", reuses=False)
        rows += _row(
            name, "ff hh ii bb cc" if name in ("add", "multiply") else "ff ii", reuses=True
        )
    rows += _row("subtract", "ff ii cc", reuses=True) + _row("divide", "ff cc", reuses=True)
    rows += _row("divide", "ip")
    rows += _row("pow", "pf", reuses=True) + _row("pow", "in fn")
    for name in ("floor_divide", "remainder", "fmod"):
        rows += _row(name, "fp", reuses=True) + _row(name, "fp hh")
    rows += _row("divmod", "fp") + _row("fmod", "ii")
    rows += _row("ldexp", "fi hn") + _row("float_power", "pf in")
    for name in (
        "atan2",
        "hypot",
        "copysign",
        "logaddexp",
        "logaddexp2",
        "nextafter",
        "heaviside",
        "fmax",
        "fmin",
    ):
        rows += _row(name, "ff" if name not in ("fmax", "fmin") else "ff aa", reuses=False)
    for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
        rows += _row(name, "ii bb", reuses=True)
    for name in ("bitwise_left_shift", "bitwise_right_shift"):
        rows += _row(name, "nn", reuses=True)
    rows += _row("gcd", "ii") + _row("lcm", "ii")
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        rows += _row(name, "ff ii fi")
    rows += _row("equal", "bb", reuses=True)
    for name in ("logical_and", "logical_or", "logical_xor"):
        rows += _row(name, "bb", reuses=True) + _row(name, "fi")
    rows += _row("where", "bff") + _row(
        "clip", "fff f", lambda f, x, *b: f(x, *b or (-1.0, 1.0)), reuses=True
    )
    rows += _row("isclose", "ff ii") + _row("allclose", "ff") + _row("array_equal", "ff")
    rows += _row("array_equiv", "ff") + _row("array_equiv", "f", lambda f, x: f(x, x[:1]))
    return rows


def _reductions() -> list[Row]:
    rows: list[Row] = []
    for name in ("sum", "prod", "mean", "std", "var", "max", "min", "any", "all"):
        rows += _row(name, "f i b" if name not in ("std", "var") else "f i c")
        rows += _row(name, "f", _with(axis=0)) + _row(name, "f", _with(axis=(0, 1), keepdims=True))
    rows += _row("sum", "i", _with(dtype=np.float32)) + _row("sum", "h s c")
    rows += _row("sum", "fb", lambda f, x, m: f(x, axis=1, where=m, initial=2.0))
    rows += _row("max", "fb", lambda f, x, m: f(x, axis=1, where=m, initial=-9.0))
    rows += _row("mean", "fb", lambda f, x, m: f(x, where=m))
    rows += _row("var", "f", _with(ddof=1, axis=-1)) + _row("std", "f", _with(correction=1))
    rows += _row("argmax", "f i b") + _row("argmin", "f", _with(axis=0, keepdims=True))
    rows += _row("count_nonzero", "i b") + _row("count_nonzero", "i", _with(axis=1))
    rows += _row("ptp", "f i") + _row("ptp", "f", _with(axis=0))
    for name in (
        "nansum",
        "nanprod",
        "nanmean",
        "nanstd",
        "nanvar",
        "nanmax",
        "nanmin",
        "nanmedian",
    ):
        rows += _row(name, "a i") + _row(name, "a", _with(axis=1, keepdims=True))
    rows += _row("nanargmax", "a", _with(axis=0)) + _row("nanargmin", "a")
    rows += _row("median", "f i") + _row("median", "f", _with(axis=0, keepdims=True))
    for name, scale in (("quantile", 1.0), ("percentile", 100.0), ("nanquantile", 1.0)):
        rows += _row(name, "f", _with(0.3 * scale))
        rows += _row(name, "f", _with([0.0, 0.25 * scale, scale], axis=1))
    rows += _row("quantile", "f", _with([0.1, 0.6], axis=0, method="nearest"))
    rows += _row("quantile", "f", _with(0.4, axis=1, method="lower", keepdims=True))
    rows += _row("quantile", "f", _with(0.4, method="midpoint"))
    rows += _row("nanpercentile", "a", _with([10.0, 90.0], axis=1))
    rows += _row("average", "fp", lambda f, x, w: f(x, axis=1, weights=w))
    rows += _row("average", "f") + _row("cov", "f") + _row("corrcoef", "f")
    rows += _row("histogram", "f") + _row("histogram", "f", _with(bins=[-1.0, 0.0, 2.0]))
    rows += _row("histogram", "fp", lambda f, x, w: f(x, 5, (-1.0, 1.5), weights=w, density=True))
    for name in ("cumsum", "cumprod"):
        rows += _row(name, "f i", _with(axis=1), reuses=True) + _row(name, "f b s")
    rows += _row("cumulative_sum", "f", _with(axis=0, include_initial=True))
    rows += _row("cumulative_prod", "f", _with(axis=0), reuses=True)
    rows += _row("nancumsum", "a", _with(axis=0)) + _row("nancumprod", "a")
    rows += _row("diff", "f i") + _row("diff", "f", _with(n=2, axis=0))
    return rows


def _shapes() -> list[Row]:
    rows: list[Row] = []
    rows += _row("reshape", "f", _with((2, -1))) + _row("ravel", "f")
    rows += _row("permute_dims", "f", _with((1, 0))) + _row("transpose", "f i")
    rows += _row("matrix_transpose", "f") + _row("swapaxes", "f", _with(0, 1))
    rows += _row("moveaxis", "f", _with(0, -1)) + _row("squeeze", "f")
    rows += _row("expand_dims", "f", _with(axis=1)) + _row(
        "broadcast_to", "f", (lambda f, x: f(x, (2, *x.shape)))
    )
    rows += _row("broadcast_arrays", "ff") + _row("flip", "f i") + _row("flip", "f", _with(axis=0))
    rows += _row("rot90", "f") + _row("rot90", "f", _with(3))
    rows += _row("roll", "f", _with(2)) + _row("roll", "f", _with((1, -1), axis=(0, 1)))
    for n in (1, 2, 3):
        rows += _row(f"atleast_{n}d", "f")
    rows += _row("diag", "f", _with(1)) + _row("diagonal", "f", _with(-1))
    rows += _row("diag", "f", lambda f, x: f(x[0], -1))
    rows += _row("tril", "f i", reuses=True) + _row("triu", "f", _with(k=1), reuses=True)
    rows += _row("concat", "ff fi", lambda f, *xs: f(xs, axis=1))
    rows += _row("concat", "ff", lambda f, *xs: f(list(xs), axis=None))
    rows += _row("stack", "ff", lambda f, *xs: f(xs, axis=-1))
    for name in ("hstack", "vstack", "dstack", "column_stack"):
        rows += _row(name, "ff", lambda f, *xs: f(list(xs)))
    rows += _row("split", "f", _with(2, axis=1)) + _row("array_split", "f", _with(3, axis=0))
    rows += _row("vsplit", "f", _with([1])) + _row("hsplit", "f", _with(2))
    rows += _row("dsplit", "f", lambda f, x: f(x[None], [2]))
    rows += _row("block", "fi", lambda f, x, y: f([x, y])) + _row("block", "f")
    rows += _row("resize", "f", _with((5, 7))) + _row("resize", "f", _with(3))
    rows += _row("diagflat", "f", lambda f, x: f(x[0], 1)) + _row(
        "diagflat", "f", lambda f, x: f(x[:2])
    )
    rows += _row("split", "f", _with([1, 3], axis=1)) + _row("unstack", "f", _with(axis=0))
    rows += _row("tile", "f", _with((2, 1))) + _row("repeat", "f", _with(3))
    rows += _row("repeat", "f", _with(2, axis=1))
    rows += _row("pad", "f", _with(2)) + _row(
        "pad", "f", _with(((1, 0), (0, 2)), constant_values=7)
    )
    for mode in ("edge", "wrap", "reflect", "symmetric"):
        rows += _row("pad", "f", _with(((2, 5), (1, 0)), mode=mode))
    rows += _row("append", "ff") + _row("append", "ff", _with(axis=0))
    rows += _row("delete", "f", _with(1, axis=0)) + _row("insert", "f", _with(1, 5.0, axis=1))
    rows += (
        _row("zeros_like", "f i", reuses=True)
        + _row("ones_like", "h", reuses=True)
        + _row("full_like", "f", _with(3))
    )
    rows += _row("meshgrid", "ff", lambda f, x, y: f(x[0], y[1]))
    rows += _row("meshgrid", "ff", lambda f, x, y: f(x[0], y[1], indexing="ij"))
    return rows


def _orders() -> list[Row]:
    rows: list[Row] = []
    rows += _row("sort", "f i b", reuses=True) + _row("sort", "a", _with(axis=0), reuses=True)
    rows += _row("argsort", "f", _with(stable=True)) + _row("lexsort", "nn", lambda f, *xs: f(xs))
    rows += _row("searchsorted", "ff", lambda f, x, y: f(_sorted_row(x), y, side="right"))
    rows += _row("digitize", "ff", lambda f, x, y: f(x, _sorted_row(y)))
    rows += _row("take", "f", _with(np.array([2, 0, -1]), axis=1)) + _row(
        "take", "f", _with([3, 1])
    )
    rows += _row("take_along_axis", "fn", lambda f, x, i: f(x, i % 3, axis=1))
    rows += _row("partition", "f", lambda f, x: f(x, 1)[..., 1])
    rows += _row("partition", "f", lambda f, x: f(x, [0, -1], axis=None)[[0, -1]])
    rows += _row("argpartition", "f", lambda f, x: f(x, 1, axis=0)[1])
    rows += _row("ravel_multi_index", "nn", lambda f, x, y: f((x, y), (6, 9)))
    rows += _row("ix_", "nn", lambda f, x, y: f(x[0], y[0]))
    rows += _row("apply_along_axis", "f", lambda f, x: f(lambda v: v * v[0], 0, x))
    rows += _row("apply_along_axis", "f", lambda f, x: f(lambda v: v.sum(), 1, x))
    rows += _row("apply_along_axis", "f", lambda f, x: f(lambda v, w: v[:, None] * w, 1, x, x[0]))
    rows += _row("isin", "nn", lambda f, x, y: f(x, y[0]))
    rows += _row("interp", "ff", lambda f, x, y: f(x, np.linspace(-1, 1, 7), np.arange(7.0)))
    for name in ("unique", "unique_counts", "unique_inverse"):
        rows += _row(name, "n", traceable=False)
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        rows += _row(name, "ns", traceable=False)
    rows += _row("nonzero", "i b", traceable=False) + _row("argwhere", "b", traceable=False)
    rows += _row("flatnonzero", "i", traceable=False)
    rows += _row("compress", "fb", lambda f, x, m: f(m[:, 0], x, axis=0), traceable=False)
    rows += _row("bincount", "n", lambda f, x: f(x[0]), traceable=False)
    rows += _row("bincount", "nf", lambda f, x, w: f(x[0], w[0]), traceable=False)
    rows += _row("select", "bbff", lambda f, m, n, x, y: f([m, n], [x, y], 5.0))
    return rows


def _sorted_row(x: Any) -> Any:
    """Return the first row of an array, sorted, by the methods that every array library has."""
    return np.sort(x[0]) if isinstance(x, np.ndarray) else _ownarray_sort(x[0])


def _ownarray_sort(x: Any) -> Any:
    import ownarray as oa

    return oa.sort(x)


def _products() -> list[Row]:
    rows: list[Row] = []
    rows += _row("matmul", "ff ii", _by_transpose) + _row("dot", "ff", _by_transpose)
    rows += _row("inner", "ff ii")
    rows += _row("matmul", "ff", lambda f, x, y: f(x, y[0])) + _row("vecdot", "ff cc")
    rows += _row("vdot", "ff cc") + _row("tensordot", "ff", lambda f, x, y: f(x, y.T, axes=1))
    rows += _row("tensordot", "ff", _with(axes=((0, 1), (0, 1))))
    rows += _row("outer", "ff", lambda f, x, y: f(x[0], y[0]))
    rows += _row("kron", "ff", lambda f, x, y: f(x[:2, :3], y[:2]))
    rows += _row("cross", "ff", lambda f, x, y: f(x[:, :3], y[:, :3])) + _row("trace", "f i")
    rows += _row("einsum", "ff", lambda f, x, y: f("ij,kj->ik", x, y))
    rows += _row("einsum", "f", lambda f, x: f("ij->j", x)) + _row(
        "einsum", "f", lambda f, x: f("ij->ji", x)
    )
    rows += _row("einsum", "fff", lambda f, x, y, z: f("ij,ij,ik->k", x, y, z))
    rows += _row("einsum", "f", lambda f, x: f("ii->i", x[:3, :3]))
    rows += _row("einsum", "ff", lambda f, x, y: f("...j,...j->...", x, y))
    rows += _row("vecmat", "ff cc", lambda f, x, y: f(x[:, 0], y))
    rows += _row("matvec", "ff cc", lambda f, x, y: f(x, y[0]))
    for mode in ("full", "same", "valid"):
        rows += _row("convolve", "ff", lambda f, x, y, m=mode: f(x[0], y[1][:3], m))
        rows += _row("correlate", "ff", lambda f, x, y, m=mode: f(x[0], y[1][:3], m))
    return rows


def _calculus() -> list[Row]:
    rows: list[Row] = []
    uneven = np.array([0.0, 0.5, 2.0])
    rows += _row("gradient", "f i") + _row("gradient", "f", _with(0.5, 2.0, edge_order=2))
    rows += _row("gradient", "f", lambda f, x: f(x[:3], uneven, axis=0))
    rows += _row("gradient", "f", lambda f, x: f(x[:3], uneven, axis=0, edge_order=2))
    rows += _row("trapezoid", "f i") + _row("trapezoid", "ff", lambda f, y, x: f(y, x, axis=0))
    rows += _row("trapezoid", "f", lambda f, y: f(y[:3], uneven, axis=0))
    rows += _row("polyval", "ff", lambda f, p, x: f(p[0][:4], x))
    rows += _row("ediff1d", "f i") + _row("ediff1d", "f", _with(to_end=[1.0, 2.0], to_begin=0))
    rows += _row("unwrap", "f", _with(period=1.5)) + _row("unwrap", "f", _with(2.5, 0, period=3.0))
    rows += _row("unwrap", "i", _with(period=4)) + _row("unwrap", "i", _with(axis=0, period=5))
    rows += _row("vander", "f i", lambda f, x: f(x[0])) + _row(
        "vander", "f", lambda f, x: f(x[0], 3, increasing=True)
    )
    rows += _row("polyfit", "ff", lambda f, x, y: f(x[0], y[0], 2))
    rows += _row("polyfit", "ffp", lambda f, x, y, w: f(x[0], y.T, 1, w=w[0]))
    rows += _row("isreal", "c f") + _row("iscomplex", "c f")
    rows += _row("fliplr", "f") + _row("flipud", "f")
    rows += _row("logspace", "ff", lambda f, x, y: f(x[0], y[0], 4, base=2.0, endpoint=False))
    rows += _row("geomspace", "pp", lambda f, x, y: f(x[0], y[0], 5))
    return rows + _row("extract", "bf", traceable=False)


def _by_transpose(function: Any, x: Any, y: Any) -> Any:
    return function(x, y.T)


ROWS = _rows()
