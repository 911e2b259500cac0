"""Arrays that are owned: memory is given away with ``move`` and used once, safely.

Names are loaded when they are first used, so ``import ownarray.mypy`` and the errors need neither
NumPy nor jaxlib. `__init__.pyi` is the list of what is public.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

_EXPORTS: Final[dict[str, tuple[str, ...]]] = {
    "_errors": (
        "BackendError",
        "BorrowError",
        "DonationError",
        "MoveRequiredError",
        "OutOfMemoryError",
        "OwnershipError",
        "SharedArrayError",
        "TraceError",
        "UseAfterMoveError",
    ),
    "_ownership": ("State",),
    "_annotations": ("Borrowed", "Mut", "Owned"),
    "_tree": ("register",),
    "_core.aval": ("ShapedArray",),
    "_ops.operators": ("Array",),
    "_array.moved": ("Moved", "move"),
    "_array.trees": ("copy", "dealias", "reclaim"),
    "_array.live": ("LiveArray", "live_arrays", "track_sites"),
    "_transforms.jit": ("Jitted", "jit"),
    "_transforms.plan": ("Plan",),
    "_transforms.loops": ("fixed_point", "fori_loop", "while_loop"),
    "_transforms.scan": ("scan",),
    "_transforms.branches": ("cond",),
    "_transforms.grad": ("grad", "value_and_grad"),
    "_transforms.pushed": ("jvp", "linearize", "vjp"),
    "_transforms.jacobian": ("hessian", "jacfwd", "jacrev"),
    "_transforms.vmap": ("vmap",),
    "_namespace.arithmetic": (
        "add",
        "cbrt",
        "divide",
        "floor_divide",
        "fmax",
        "fmin",
        "gcd",
        "lcm",
        "maximum",
        "minimum",
        "multiply",
        "negative",
        "positive",
        "pow",
        "reciprocal",
        "remainder",
        "sqrt",
        "square",
        "subtract",
    ),
    "_namespace.bits": (
        "bitwise_and",
        "bitwise_invert",
        "bitwise_left_shift",
        "bitwise_or",
        "bitwise_right_shift",
        "bitwise_xor",
    ),
    "_namespace.comparison": (
        "equal",
        "greater",
        "greater_equal",
        "isfinite",
        "isinf",
        "isnan",
        "less",
        "less_equal",
        "logical_and",
        "logical_not",
        "logical_or",
        "logical_xor",
        "not_equal",
        "signbit",
    ),
    "_namespace.constants": (
        "bfloat16",
        "bool",
        "complex128",
        "complex64",
        "e",
        "float16",
        "float32",
        "float64",
        "float8_e4m3fn",
        "float8_e5m2",
        "inf",
        "int16",
        "int32",
        "int4",
        "int64",
        "int8",
        "nan",
        "newaxis",
        "pi",
        "uint16",
        "uint32",
        "uint4",
        "uint64",
        "uint8",
    ),
    "_namespace.creation": (
        "arange",
        "array",
        "asarray",
        "empty",
        "empty_like",
        "eye",
        "from_dlpack",
        "full",
        "full_like",
        "identity",
        "linspace",
        "meshgrid",
        "ones",
        "ones_like",
        "tri",
        "tril",
        "triu",
        "zeros",
        "zeros_like",
    ),
    "_namespace.exponents": (
        "exp",
        "exp2",
        "expm1",
        "hypot",
        "log",
        "log10",
        "log1p",
        "log2",
        "logaddexp",
        "logaddexp2",
    ),
    "_namespace.linear_algebra": (
        "matmul",
        "matrix_transpose",
    ),
    "_namespace.parts": (
        "abs",
        "ceil",
        "conj",
        "copysign",
        "floor",
        "heaviside",
        "imag",
        "nextafter",
        "real",
        "rint",
        "sign",
        "trunc",
    ),
    "_namespace.searching": (
        "clip",
        "where",
    ),
    "_namespace.statistical": (
        "all",
        "any",
        "argmax",
        "argmin",
        "count_nonzero",
        "max",
        "mean",
        "min",
        "prod",
        "std",
        "sum",
        "var",
    ),
    "_namespace.trigonometry": (
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cos",
        "cosh",
        "deg2rad",
        "rad2deg",
        "sin",
        "sinh",
        "tan",
        "tanh",
    ),
}
"""The public names by the module that defines them."""

_RENAMED: Final = {
    "jax_move": ("_array.moved", "move"),
    "absolute": ("_namespace.parts", "abs"),
    "amax": ("_namespace.statistical", "max"),
    "amin": ("_namespace.statistical", "min"),
    "arccos": ("_namespace.trigonometry", "acos"),
    "arccosh": ("_namespace.trigonometry", "acosh"),
    "arcsin": ("_namespace.trigonometry", "asin"),
    "arcsinh": ("_namespace.trigonometry", "asinh"),
    "arctan": ("_namespace.trigonometry", "atan"),
    "arctan2": ("_namespace.trigonometry", "atan2"),
    "arctanh": ("_namespace.trigonometry", "atanh"),
    "bitwise_not": ("_namespace.bits", "bitwise_invert"),
    "conjugate": ("_namespace.parts", "conj"),
    "degrees": ("_namespace.trigonometry", "rad2deg"),
    "invert": ("_namespace.bits", "bitwise_invert"),
    "left_shift": ("_namespace.bits", "bitwise_left_shift"),
    "mod": ("_namespace.arithmetic", "remainder"),
    "power": ("_namespace.arithmetic", "pow"),
    "radians": ("_namespace.trigonometry", "deg2rad"),
    "right_shift": ("_namespace.bits", "bitwise_right_shift"),
    "true_divide": ("_namespace.arithmetic", "divide"),
}
"""Second names of the same object."""

_SUBMODULES: Final = ("fft", "linalg", "random")

_HOME: Final = {
    **{name: (module, name) for module, names in _EXPORTS.items() for name in names},
    **_RENAMED,
}

__all__ = sorted([*_HOME, *_SUBMODULES])  # noqa: PLE0605  (a test holds it against __init__.pyi)

try:
    __version__ = version("ownarray")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+unknown"


def __getattr__(name: str) -> object:
    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # The eager interpreter installs itself when the array package is loaded.
    if home[0].startswith(("_array", "_transforms", "_namespace", "_ops")):
        import_module(f"{__name__}._array.eager")
    value = getattr(import_module(f"{__name__}.{home[0]}"), home[1])
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
