"""LAPACK on both engines: SciPy's routines on the host, the same ones as calls in programs.

LAPACK's matrices are column-major. A row-major matrix in memory is its transpose in column-major
order; where a factorisation of the transpose gives that of the matrix (Cholesky, triangular
systems, singular values) LAPACK works on row-major memory as it is. Else the layouts of a call say
column-major, and XLA transposes.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.dtypes import BY_NAME, COMPLEX, COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, DType
from ownarray._ops import emit
from ownarray._ops.rules import compare, fit, full, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ownarray._core.builder import Builder, Value
    from ownarray._trace.bind import HostArray

INT32: Final = BY_NAME["int32"]
PREFIX: Final = MappingProxyType({FLOAT32: "s", FLOAT64: "d", COMPLEX64: "c", COMPLEX128: "z"})
MATRIX_DTYPES: Final = frozenset(PREFIX)
UPPER, LOWER = ord("U"), ord("L")


def check_matrices(name: str, x: ShapedArray, *, square: bool = False) -> None:
    """Check that an operand is a stack of (square) matrices.

    Raises
    ------
    TypeError
        If LAPACK has no routines for the dtype.
    ValueError
        If there are no matrices, or they are not square.
    """
    if x.ndim < 2:
        raise ValueError(f"{name}: expected matrices (two axes at least), got {x}")
    if square and x.shape[-1] != x.shape[-2]:
        raise ValueError(f"{name}: expected square matrices, got {x}")
    if x.dtype not in MATRIX_DTYPES:
        raise TypeError(f"{name}: expected float32, float64 or complex numbers, got {x}")


# The host.


def routine(name: str, dtype: DType) -> Callable[..., Any]:
    """Return SciPy's LAPACK routine for a dtype."""
    from scipy.linalg import lapack  # noqa: PLC0415  (slow to import, and seldom needed)

    found: Callable[..., Any] = getattr(lapack, PREFIX[dtype] + name)
    return found


def each(*stacks: HostArray) -> Iterator[tuple[HostArray, ...]]:
    """Return the matrices of several stacks, one of each at a time, as views."""
    flat = [stack.reshape(-1, *stack.shape[-2:]) for stack in stacks]
    return zip(*flat, strict=True)


# Programs.


def turn(builder: Builder, x: Value) -> Value:
    """Return the same memory with the shape of the transposed matrices."""
    return emit.reshape(builder, x, turned_shape(x.aval.shape))


def turned_shape(shape: Shape) -> Shape:
    """Return the shape of transposed matrices."""
    return (*shape[:-2], shape[-1], shape[-2])


def _layout(ndim: int, *, column_major: bool) -> str:
    if not ndim:
        return "dense<> : tensor<0xindex>"
    axes = list(reversed(range(ndim)))
    if column_major:
        axes[0], axes[1] = axes[1], axes[0]
    return f"dense<{axes}> : tensor<{ndim}xindex>"


def lapack_call(
    builder: Builder,
    name: str,
    operands: Sequence[Value],
    outs: Sequence[ShapedArray],
    *,
    n_batch: int,
    config: str = "",
    aliases: Sequence[tuple[int, int]] = (),
    turned: bool = False,
) -> list[Value]:
    """Write the call of a LAPACK routine, ``lapack_<name>_ffi``, on stacks of matrices.

    With ``turned`` the operands and results have the shapes of the transposed matrices, and their
    memory is row-major: that of the matrices themselves (see `turn`).
    """

    def layouts(avals: Sequence[ShapedArray]) -> str:
        parts = [
            _layout(aval.ndim, column_major=not turned and aval.ndim == n_batch + 2)
            for aval in avals
        ]
        return f"[{', '.join(parts)}]"

    pairs = ", ".join(
        "#stablehlo.output_operand_alias<output_tuple_indices = "
        f"[{out if len(outs) > 1 else ''}], operand_index = {operand}, operand_tuple_indices = []>"
        for out, operand in aliases
    )
    attrs = (
        f'call_target_name = "lapack_{name}_ffi", api_version = 4 : i32, '
        f"backend_config = {{{config}}}, operand_layouts = {layouts([v.aval for v in operands])}, "
        f"result_layouts = {layouts(outs)}, output_operand_aliases = [{pairs}]"
    )
    return builder.multi_op("stablehlo.custom_call", operands, outs, attrs)


def flags(**values: int) -> str:
    """Return routine parameters: letters as numbers of eight bits."""
    return ", ".join(f"{name} = {value} : ui8" for name, value in values.items())


def nan_where_failed(builder: Builder, x: Value, info: Value) -> Value:
    """Return x, with NaN in each matrix (or vector) of which the routine says that it failed."""
    failed = compare(builder, info, full(builder, 0, info), "NE")
    mask = emit.place(builder, failed, x.aval.shape, range(failed.aval.ndim))
    nan = complex(math.nan, math.nan) if x.aval.dtype in COMPLEX else math.nan
    return select(builder, mask, full(builder, nan, x), x)


def lower_triangle(builder: Builder, x: Value, *, upper: bool = False) -> Value:
    """Return x with zeros above (or with ``upper`` below) the diagonal."""
    n_rows, n_cols = x.aval.shape[-2:]
    square = ShapedArray((n_rows, n_cols), INT32)
    rows, cols = emit.iota(builder, square, 0), emit.iota(builder, square, 1)
    mask = compare(builder, rows, cols, "LE" if upper else "GE")
    return select(builder, fit(builder, mask, x.aval.shape), x, full(builder, 0, x))


def identity(builder: Builder, aval: ShapedArray) -> Value:
    """Return matrices with 1 on the diagonal."""
    square = ShapedArray(aval.shape[-2:], INT32)
    rows, cols = emit.iota(builder, square, 0), emit.iota(builder, square, 1)
    mask = fit(builder, compare(builder, rows, cols, "EQ"), aval.shape)
    return select(builder, mask, full(builder, 1, aval), full(builder, 0, aval))


def full_zeros(builder: Builder, aval: ShapedArray) -> Value:
    """Return zeros."""
    return full(builder, 0, aval)


def batch_of(aval: ShapedArray) -> Shape:
    """Return the axes of a stack of matrices that count the matrices."""
    return aval.shape[:-2]


def failed_matrix(out: HostArray) -> None:
    """Fill a result with NaN: what both engines give where a routine fails."""
    out[...] = np.nan
