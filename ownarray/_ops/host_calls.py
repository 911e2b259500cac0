"""Calls of host kernels from compiled programs, where NumPy is the better kernel.

A kernel is ``kernel(*operands, *results)`` over NumPy views; results are written in place. Its name
starts with `PREFIX`; the array package tells the compiler where such names are found (`KERNELS` in
`_ops.kernels`). Only the CPU has them: a lowering asks `has_host_calls` and keeps a plain form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.builder import Builder, Value

PREFIX: Final = "ownarray_"


def nothing(*buffers: object) -> None:
    """Do nothing, as a kernel: its results are memory as it is, or the operand that lives there."""


def has_host_calls(builder: Builder) -> bool:
    """Return whether programs for this device can call the host's kernels."""
    return builder.platform == "cpu"


def host_call(
    builder: Builder,
    kernel: str,
    operands: Sequence[Value],
    outs: Sequence[ShapedArray],
    aliases: Sequence[tuple[int, int]] = (),
) -> list[Value]:
    """Write the call of a kernel; ``aliases`` are pairs of a result and the operand it lives in."""
    pairs = ", ".join(
        "#stablehlo.output_operand_alias<output_tuple_indices = "
        f"[{out if len(outs) > 1 else ''}], operand_index = {operand}, operand_tuple_indices = []>"
        for out, operand in aliases
    )
    attrs = (
        f'call_target_name = "{PREFIX}{kernel}", api_version = 4 : i32, backend_config = {{}}, '
        f"output_operand_aliases = [{pairs}]"
    )
    return builder.multi_op("stablehlo.custom_call", operands, outs, attrs)
