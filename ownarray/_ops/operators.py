"""The class of all arrays: Python's operators and NumPy's methods.

What an array is made of (owned memory, or a value in a trace) is decided on a higher floor, by
the classes that inherit this one; here is what they have in common.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, SupportsIndex, TypeVar

import numpy as np

from ownarray._core.dtypes import WEAK, DType, canonical
from ownarray._ops import (
    accumulate,
    elementwise,
    indexing,
    logic,
    matmul,
    rearrange,
    reduction,
    searching,
    shapes,
    sorting,
)
from ownarray._ops.convert import convert
from ownarray._ops.promote import is_operand
from ownarray._ops.rules import normal_axis
from ownarray._ops.structural import copy
from ownarray._trace.bind import AbstractArray, method

if TYPE_CHECKING:
    from types import ModuleType

    from ownarray._trace.bind import HostArray

Axis = int | Sequence[int] | None
R = TypeVar("R")


class Array(AbstractArray):
    """An array: the base of concrete and of traced ones.

    It has NumPy's operators and methods; results are new arrays, never views. ``x += v`` and
    ``x[i] = v`` update this array's own memory, and every name of this object sees it.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.ones((2, 3))
    >>> (x + 1).sum(axis=0).tolist()
    [4.0, 4.0, 4.0]
    """

    __slots__ = ()

    # NumPy must leave `numpy_array + x` to this class.
    __array_priority__ = 1000

    def __init__(self) -> None:
        raise TypeError(
            "Array: arrays are made by functions, for example oa.asarray(values) or oa.zeros(shape)"
        )

    # What the classes on a higher floor decide.

    @abstractmethod
    def _update(self, function: Callable[..., Array], *others: Any) -> None:
        """Replace the values by ``function(self, *others)``, in the memory that this array owns.

        What is read meanwhile stands among the others, for it may be this array or hold it.

        Raises
        ------
        ValueError
            If the shape would change.
        TypeError
            If the result's dtype does not cast to this array's by NumPy's "same_kind" rule.
        BorrowError
            If the array may not be written here.
        """

    @abstractmethod
    def _read_by(self, function: Callable[[HostArray], R]) -> R:
        """Return what a function makes of the values, which nobody gives away meanwhile."""

    def _read(self) -> HostArray:
        """Return a copy of the values on the host."""
        return self._read_by(np.ndarray.copy)

    @abstractmethod
    def _item(self) -> Any:
        """Return the value of an array of one element as a Python scalar."""

    @abstractmethod
    def move(self) -> Any:
        """Give the array away and return the handle to it."""

    @abstractmethod
    def tolist(self) -> Any:
        """Return the values as nested lists of Python scalars."""

    @abstractmethod
    def tobytes(self) -> bytes:
        """Return the values as bytes, in row-major order."""

    @abstractmethod
    def __array__(
        self, dtype: np.dtype[Any] | None = None, copy: bool | None = None
    ) -> np.ndarray[Any, Any]:
        """Return a read-only NumPy view, or a copy."""

    @abstractmethod
    def __dlpack__(self, **options: Any) -> Any:
        """Return a DLPack capsule."""

    @abstractmethod
    def __dlpack_device__(self) -> tuple[int, int]:
        """Return DLPack's name of the device."""

    @abstractmethod
    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType:
        """Return the module whose functions take this array."""

    @property
    @abstractmethod
    def device(self) -> object:
        """The device that holds it."""

    @abstractmethod
    def to_device(self, device: object, /, *, stream: object = None) -> Array:
        """Return a copy on a device."""

    # Shape and dtype.

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each axis."""
        return self.aval.shape

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self.aval.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.aval.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.aval.size

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.aval.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.aval.nbytes

    @property
    def T(self) -> Array:  # noqa: N802  (NumPy's name)
        """The array with its axes reversed: a new one, not a view."""
        return self._trace.unary(shapes.transpose, self)

    @property
    def mT(self) -> Array:  # noqa: N802  (NumPy's name)
        """The array with its last two axes exchanged: a new one, not a view."""
        return self._trace.unary(shapes.matrix_transpose, self)

    @property
    def real(self) -> Array:
        """The real part: a new array, not a view."""
        return self._trace.unary(elementwise.real, self)

    @property
    def imag(self) -> Array:
        """The imaginary part: a new array, not a view."""
        return self._trace.unary(elementwise.imag, self)

    # Arithmetic.

    def _with(self, function: Callable[[object, object], Array], other: object) -> Array:
        """Return ``function(self, other)``; Python asks the other operand if it is no number."""
        return self._trace.binary(function, self, other) if is_operand(other) else NotImplemented

    def _after(self, function: Callable[[object, object], Array], other: object) -> Array:
        """Return ``function(other, self)``; Python gives up if the other operand is no number."""
        return self._trace.binary(function, other, self) if is_operand(other) else NotImplemented

    def __add__(self, other: object) -> Array:
        return self._with(elementwise.add, other)

    def __radd__(self, other: object) -> Array:
        return self._after(elementwise.add, other)

    def __iadd__(self, other: object) -> Self:
        return self._in_place(elementwise.add, other)

    def __sub__(self, other: object) -> Array:
        return self._with(elementwise.subtract, other)

    def __rsub__(self, other: object) -> Array:
        return self._after(elementwise.subtract, other)

    def __isub__(self, other: object) -> Self:
        return self._in_place(elementwise.subtract, other)

    def __mul__(self, other: object) -> Array:
        return self._with(elementwise.multiply, other)

    def __rmul__(self, other: object) -> Array:
        return self._after(elementwise.multiply, other)

    def __imul__(self, other: object) -> Self:
        return self._in_place(elementwise.multiply, other)

    def __truediv__(self, other: object) -> Array:
        return self._with(elementwise.divide, other)

    def __rtruediv__(self, other: object) -> Array:
        return self._after(elementwise.divide, other)

    def __itruediv__(self, other: object) -> Self:
        return self._in_place(elementwise.divide, other)

    def __floordiv__(self, other: object) -> Array:
        return self._with(elementwise.floor_divide, other)

    def __rfloordiv__(self, other: object) -> Array:
        return self._after(elementwise.floor_divide, other)

    def __ifloordiv__(self, other: object) -> Self:
        return self._in_place(elementwise.floor_divide, other)

    def __mod__(self, other: object) -> Array:
        return self._with(elementwise.remainder, other)

    def __rmod__(self, other: object) -> Array:
        return self._after(elementwise.remainder, other)

    def __imod__(self, other: object) -> Self:
        return self._in_place(elementwise.remainder, other)

    def __pow__(self, other: object) -> Array:
        if not is_operand(other):
            return NotImplemented
        result: Array = self._trace.call(elementwise.power, (self, other), {})
        return result

    def __rpow__(self, other: object) -> Array:
        return elementwise.power(other, self) if is_operand(other) else NotImplemented

    def __ipow__(self, other: object) -> Self:
        # The value of a number chooses how its power is computed: no route is for all of them.
        update = self._updated if type(other) in WEAK else self._in_place
        return update(elementwise.power, other)

    def __divmod__(self, other: object) -> tuple[Array, Array]:
        return elementwise.divmod(self, other) if is_operand(other) else NotImplemented

    def __rdivmod__(self, other: object) -> tuple[Array, Array]:
        return elementwise.divmod(other, self) if is_operand(other) else NotImplemented

    def __matmul__(self, other: object) -> Array:
        return self._with(matmul.matmul, other)

    def __rmatmul__(self, other: object) -> Array:
        return self._after(matmul.matmul, other)

    def __imatmul__(self, other: object) -> Self:
        return self._in_place(matmul.matmul, other)

    def __neg__(self) -> Array:
        return self._trace.unary(elementwise.negative, self)

    def __pos__(self) -> Array:
        return self._trace.unary(elementwise.positive, self)

    def __abs__(self) -> Array:
        return self._trace.unary(elementwise.abs, self)

    def __round__(self, decimals: int = 0) -> Array:
        return elementwise.round(self, decimals)

    # Bits.

    def __and__(self, other: object) -> Array:
        return self._with(logic.bitwise_and, other)

    def __rand__(self, other: object) -> Array:
        return self._after(logic.bitwise_and, other)

    def __iand__(self, other: object) -> Self:
        return self._in_place(logic.bitwise_and, other)

    def __or__(self, other: object) -> Array:
        return self._with(logic.bitwise_or, other)

    def __ror__(self, other: object) -> Array:
        return self._after(logic.bitwise_or, other)

    def __ior__(self, other: object) -> Self:
        return self._in_place(logic.bitwise_or, other)

    def __xor__(self, other: object) -> Array:
        return self._with(logic.bitwise_xor, other)

    def __rxor__(self, other: object) -> Array:
        return self._after(logic.bitwise_xor, other)

    def __ixor__(self, other: object) -> Self:
        return self._in_place(logic.bitwise_xor, other)

    def __lshift__(self, other: object) -> Array:
        return self._with(logic.bitwise_left_shift, other)

    def __rlshift__(self, other: object) -> Array:
        return self._after(logic.bitwise_left_shift, other)

    def __ilshift__(self, other: object) -> Self:
        return self._in_place(logic.bitwise_left_shift, other)

    def __rshift__(self, other: object) -> Array:
        return self._with(logic.bitwise_right_shift, other)

    def __rrshift__(self, other: object) -> Array:
        return self._after(logic.bitwise_right_shift, other)

    def __irshift__(self, other: object) -> Self:
        return self._in_place(logic.bitwise_right_shift, other)

    def __invert__(self) -> Array:
        return self._trace.unary(logic.bitwise_invert, self)

    def _in_place(self, function: Callable[[object, object], Array], other: object) -> Self:
        """Update this array's memory with ``function(self, other)``."""
        if self._trace.in_place(function, self, other):
            return self
        return self._updated(function, other)

    def _updated(self, function: Callable[[object, object], Array], other: object) -> Self:
        if not is_operand(other):
            return NotImplemented  # type: ignore[no-any-return]  # Python asks the other operand
        self._update(lambda x, y: function(x._last(), y), other)
        return self

    # Comparison. Arrays compare element by element, so they have no hash.

    def __eq__(self, other: object) -> Array:  # type: ignore[override]
        return self._with(logic.equal, other)

    def __ne__(self, other: object) -> Array:  # type: ignore[override]
        return self._with(logic.not_equal, other)

    def __lt__(self, other: object) -> Array:
        return self._with(logic.less, other)

    def __le__(self, other: object) -> Array:
        return self._with(logic.less_equal, other)

    def __gt__(self, other: object) -> Array:
        return self._with(logic.greater, other)

    def __ge__(self, other: object) -> Array:
        return self._with(logic.greater_equal, other)

    __hash__ = None  # type: ignore[assignment]

    # Python's scalars and containers.

    def __bool__(self) -> bool:
        self._require_one("bool", ValueError, "reduce it first, with any() or all()")
        return bool(self._item())

    def __int__(self) -> int:
        self._require_one("int", TypeError, "take one element, or tolist()")
        return int(self._item())

    def __float__(self) -> float:
        self._require_one("float", TypeError, "take one element, or tolist()")
        return float(self._item())

    def __complex__(self) -> complex:
        self._require_one("complex", TypeError, "take one element, or tolist()")
        return complex(self._item())

    def __index__(self) -> int:
        if self.aval.shape or self.aval.dtype.kind not in "iu":
            raise TypeError(f"only integer scalar arrays are an index; got {self.aval}")
        return int(self._item())

    def _require_one(self, kind: str, error: type[Exception], fix: str) -> None:
        if self.aval.size != 1:
            raise error(
                f"{kind}(): only an array of one element is a scalar; got {self.aval}. Fix: {fix}"
            )

    def __len__(self) -> int:
        if not self.aval.shape:
            raise TypeError("len(): an array without axes has no length")
        return self.aval.shape[0]

    def __iter__(self) -> Iterator[Array]:
        if not self.aval.shape:
            raise TypeError("iteration over an array without axes")
        return iter([self[i] for i in range(self.aval.shape[0])])

    def __getitem__(self, index: object) -> Array:
        return indexing.get_item(self, index)

    def __setitem__(self, index: object, value: object) -> None:
        self._update(indexing.set_item, index, value)

    def __contains__(self, value: object) -> bool:
        return bool(reduction.any(self == value))

    # Methods.

    def block_until_ready(self) -> Self:
        """Return self: results are there when a call returns."""
        self._check_readable()
        return self

    @method
    def copy(self) -> Array:
        """Return the same values in memory of their own."""
        return copy(self)

    @method
    def astype(self, dtype: object, /, *, copy: bool = True) -> Array:
        """Return the values cast to a dtype; ``copy=False`` returns self where it has it."""
        kind = canonical(dtype, "astype")
        if kind == self.aval.dtype and not copy:
            return self
        return convert(self, kind)

    @method
    def reshape(self, *shape: SupportsIndex | Sequence[SupportsIndex]) -> Array:
        """Return the elements in row-major order in another shape; one size may be -1."""
        return shapes.reshape(self, _unpacked(shape))

    @method
    def ravel(self) -> Array:
        """Return the elements in row-major order along one axis."""
        return shapes.ravel(self)

    @method
    def flatten(self) -> Array:
        """Return the elements in row-major order along one axis."""
        return shapes.ravel(self)

    @method
    def transpose(self, *axes: SupportsIndex | Sequence[SupportsIndex] | None) -> Array:
        """Return the array with its axes reversed, or in the order given."""
        if not axes or axes == (None,):
            return shapes.transpose(self)
        return shapes.transpose(self, _unpacked(axes))

    @method
    def squeeze(self, axis: Axis = None) -> Array:
        """Return the array without axes of size 1."""
        return shapes.squeeze(self, axis)

    @method
    def swapaxes(self, first: int, second: int) -> Array:
        """Return the array with two axes exchanged."""
        return shapes.swapaxes(self, first, second)

    @method
    def sum(
        self,
        axis: Axis = None,
        dtype: object = None,
        *,
        keepdims: bool = False,
        initial: object = None,
        where: object = True,
        out: None = None,
    ) -> Array:
        """Return the sum over axes."""
        _no_out("sum", out)
        return reduction.sum(self, axis, dtype, keepdims=keepdims, initial=initial, where=where)

    @method
    def prod(
        self,
        axis: Axis = None,
        dtype: object = None,
        *,
        keepdims: bool = False,
        initial: object = None,
        where: object = True,
        out: None = None,
    ) -> Array:
        """Return the product over axes."""
        _no_out("prod", out)
        return reduction.prod(self, axis, dtype, keepdims=keepdims, initial=initial, where=where)

    @method
    def max(
        self,
        axis: Axis = None,
        *,
        keepdims: bool = False,
        initial: object = None,
        where: object = True,
        out: None = None,
    ) -> Array:
        """Return the greatest element over axes."""
        _no_out("max", out)
        return reduction.max(self, axis, keepdims=keepdims, initial=initial, where=where)

    @method
    def min(
        self,
        axis: Axis = None,
        *,
        keepdims: bool = False,
        initial: object = None,
        where: object = True,
        out: None = None,
    ) -> Array:
        """Return the least element over axes."""
        _no_out("min", out)
        return reduction.min(self, axis, keepdims=keepdims, initial=initial, where=where)

    @method
    def mean(
        self,
        axis: Axis = None,
        dtype: object = None,
        *,
        keepdims: bool = False,
        where: object = True,
        out: None = None,
    ) -> Array:
        """Return the mean over axes."""
        _no_out("mean", out)
        return reduction.mean(self, axis, dtype, keepdims=keepdims, where=where)

    @method
    def var(
        self,
        axis: Axis = None,
        dtype: object = None,
        *,
        ddof: float = 0.0,
        correction: float | None = None,
        keepdims: bool = False,
        where: object = True,
        out: None = None,
    ) -> Array:
        """Return the variance over axes; ``ddof`` and ``correction`` are one thing."""
        _no_out("var", out)
        less = ddof if correction is None else correction
        return reduction.var(self, axis, dtype, correction=less, keepdims=keepdims, where=where)

    @method
    def std(
        self,
        axis: Axis = None,
        dtype: object = None,
        *,
        ddof: float = 0.0,
        correction: float | None = None,
        keepdims: bool = False,
        where: object = True,
        out: None = None,
    ) -> Array:
        """Return the standard deviation over axes; ``ddof`` and ``correction`` are one thing."""
        _no_out("std", out)
        less = ddof if correction is None else correction
        return reduction.std(self, axis, dtype, correction=less, keepdims=keepdims, where=where)

    @method
    def any(
        self, axis: Axis = None, *, keepdims: bool = False, where: object = True, out: None = None
    ) -> Array:
        """Return whether an element over axes is not zero."""
        _no_out("any", out)
        return reduction.any(self, axis, keepdims=keepdims, where=where)

    @method
    def all(
        self, axis: Axis = None, *, keepdims: bool = False, where: object = True, out: None = None
    ) -> Array:
        """Return whether no element over axes is zero."""
        _no_out("all", out)
        return reduction.all(self, axis, keepdims=keepdims, where=where)

    @method
    def argmax(self, axis: int | None = None, *, keepdims: bool = False) -> Array:
        """Return the place of the first greatest element."""
        return reduction.argmax(self, axis, keepdims=keepdims)

    @method
    def argmin(self, axis: int | None = None, *, keepdims: bool = False) -> Array:
        """Return the place of the first least element."""
        return reduction.argmin(self, axis, keepdims=keepdims)

    @method
    def cumsum(self, axis: int | None = None, dtype: object = None) -> Array:
        """Return the sums of the elements up to each place along an axis."""
        return accumulate.cumsum(self, axis, dtype)

    @method
    def cumprod(self, axis: int | None = None, dtype: object = None) -> Array:
        """Return the products of the elements up to each place along an axis."""
        return accumulate.cumprod(self, axis, dtype)

    @method
    def dot(self, other: object, /) -> Array:
        """Return NumPy's dot product: over the last axis of this array."""
        return matmul.dot(self, other)

    @method
    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
        """Return the sum along a diagonal."""
        return reduction.sum(rearrange.diagonal(self, offset, axis1, axis2), -1)

    @method
    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
        """Return a diagonal as the last axis: a new array, not a view."""
        return rearrange.diagonal(self, offset, axis1, axis2)

    @method
    def clip(self, min: object = None, max: object = None) -> Array:
        """Return the values, but no less than ``min`` and no more than ``max``."""
        return elementwise.clip(self, min, max)

    @method
    def round(self, decimals: int = 0) -> Array:
        """Return the values rounded to some decimals, halves to the even side."""
        return elementwise.round(self, decimals)

    @method
    def conj(self) -> Array:
        """Return the complex conjugate."""
        return elementwise.conj(self)

    @method
    def conjugate(self) -> Array:
        """Return the complex conjugate."""
        return elementwise.conj(self)

    @method
    def take(self, indices: object, axis: int | None = None) -> Array:
        """Return the elements at indices along an axis; None flattens first."""
        if axis is None:
            return shapes.ravel(self)[indices]
        place = normal_axis("take", axis, self.ndim)
        return self[(*[slice(None)] * place, indices)]

    @method
    def repeat(self, repeats: object, axis: int | None = None) -> Array:
        """Return each element repeated."""
        return rearrange.repeat(self, repeats, axis)

    def nonzero(self) -> tuple[Array, ...]:
        """Return the places of the elements that are not zero; needs their values."""
        return searching.nonzero(self)

    @method
    def argsort(
        self, axis: int | None = -1, *, descending: bool = False, stable: bool = True
    ) -> Array:
        """Return the places of the elements in sorted order."""
        return sorting.argsort(self, axis, descending=descending, stable=stable)

    @method
    def searchsorted(self, values: object, *, side: str = "left", sorter: object = None) -> Array:
        """Return where values would go in this sorted array."""
        return searching.searchsorted(self, values, side=side, sorter=sorter)

    # In place, as NumPy has it.

    def sort(self, axis: int = -1, *, stable: bool = True) -> None:
        """Sort this array's own memory along an axis."""
        self._update(lambda x: sorting.sort(x, axis, stable=stable))

    def fill(self, value: object) -> None:
        """Set every element of this array's own memory."""
        self._update(indexing.set_item, Ellipsis, value)

    def item(self, *index: SupportsIndex) -> Any:
        """Return one element as a Python scalar: the only one, or the one at an index."""
        if not index:
            self._require_one("item", ValueError, "say which one, or take tolist()")
            return self._item()
        place = tuple([i.__index__() for i in index])
        if len(place) == 1 and self.ndim != 1:
            return shapes.ravel(self)[place[0]]._item()
        return self[place]._item()


def _no_out(name: str, out: object) -> None:
    """Refuse NumPy's ``out=``, which its own functions pass on as None."""
    if out is not None:
        raise TypeError(
            f"{name}: results are new arrays, there is no out=. Fix: x[...] = the result, or give"
            " memory away for it with oa.move(...)"
        )


def _unpacked(
    sizes: tuple[SupportsIndex | Sequence[SupportsIndex] | None, ...],
) -> Sequence[SupportsIndex]:
    """Return sizes given one by one or as one sequence."""
    if len(sizes) == 1 and isinstance(sizes[0], Sequence):
        return sizes[0]
    return sizes  # type: ignore[return-value]
