"""What a lowering rule may use to write StableHLO: it sees no compiler and no text of others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._core.program import Program


@dataclass(frozen=True, slots=True)
class Value:
    """An SSA value of the text being written."""

    name: str
    aval: ShapedArray
    view: View | None = None
    """What of another value it is, where that is known."""


@dataclass(frozen=True, slots=True)
class View:
    """What makes a value a view of another, so that a lowering may read the other one instead.

    Attributes
    ----------
    kind : str
        ``convert`` is one that keeps every value as it is; a ``slice`` has steps of 1.
    of : Value
    numbers : tuple of int or Value
        Where a slice begins on each axis; the axes of a transpose in their new order.
    """

    kind: Literal["slice", "reshape", "transpose", "convert"]
    of: Value
    numbers: tuple[int | Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """A nested block of operations: the body of a reduction, a loop or a branch."""

    text: str


class Builder(Protocol):
    """Writes operations one after another."""

    @property
    def platform(self) -> str:
        """For which device the text is: "cpu", "gpu" or "tpu"."""
        ...

    def op(
        self,
        name: str,
        operands: Sequence[Value],
        out: ShapedArray,
        attrs: str = "",
        regions: Sequence[Region] = (),
    ) -> Value:
        """Write one operation with one result, for example ``op("stablehlo.add", [x, y], aval)``.

        ``attrs`` is the inside of the attribute dictionary: ``dimension = 0 : i64``.
        """
        ...

    def multi_op(
        self,
        name: str,
        operands: Sequence[Value],
        outs: Sequence[ShapedArray],
        attrs: str = "",
        regions: Sequence[Region] = (),
    ) -> list[Value]:
        """Write one operation with any number of results."""
        ...

    def constant(self, value: object, aval: ShapedArray) -> Value:
        """Write a constant: a scalar that fills the shape, or a NumPy array of the shape."""
        ...

    def region(
        self, avals: Sequence[ShapedArray], body: Callable[[Builder, list[Value]], Sequence[Value]]
    ) -> Region:
        """Write a nested block, ``body(builder, arguments) -> results``; it may use outer ones."""
        ...

    def inline(self, program: Program, values: Sequence[Value]) -> list[Value]:
        """Write the equations of a program here, on these values."""
        ...
