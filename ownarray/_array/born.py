"""Where new arrays come from: numbers, NumPy values, other libraries, and values by their place.

Outside of traces small arrays are born as NumPy memory and large ones in XLA's, without a NumPy
array of that size on the way. Inside a trace the same functions give traced arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._array.cell import signature_of
from ownarray._array.concrete import (
    ConcreteArray,
    Temporary,
    foreign,
    from_buffer,
    from_host,
    from_memory,
)
from ownarray._array.moved import Moved
from ownarray._backend import buffers, views
from ownarray._core.aval import Shape, ShapedArray
from ownarray._core.dtypes import SHORT, WEAK, DType, canonical
from ownarray._ops import ranges, shapes, structural
from ownarray._ops.convert import cast_host, convert
from ownarray._ops.operators import Array
from ownarray._ops.promote import as_dtype, operand, weak_scalar
from ownarray._ops.quiet import quietly
from ownarray._trace.bind import HostArray, Operand, current_trace, is_array, operand_aval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NESTED: Final = (list, tuple)


def is_eager() -> bool:
    """Return whether new arrays have values, because no function is being traced."""
    return current_trace() is ConcreteArray._trace


# ------------------------------------------------------------------ values by their place


def filled(shape: Shape, value: np.generic) -> Array:
    """Return an array whose elements all are one number."""
    if not is_eager():
        return structural.broadcast_to(value, shape)
    sig = signature_of(shape, value.dtype)
    if sig.is_small:
        memory = np.empty(shape, value.dtype)
        memory.fill(value)
        return from_memory(memory, sig)
    # The buffer's memory is written once, from one number that stands everywhere.
    return from_buffer(buffers.from_host(np.broadcast_to(value, shape), sig.aval), sig)


def filled_like(x: Operand, value: np.generic) -> Array:
    """Return an array of the shape of another, in its memory if that was given away for it."""
    aval = operand_aval(x)
    if isinstance(x, Temporary) and is_eager() and aval.dtype == value.dtype:
        x._values().fill(value)
        return x
    return filled(aval.shape, value)


def _written(aval: ShapedArray, write: Callable[[HostArray], None]) -> Array:
    """Return an array that begins as zeros and is written by the host, in its own memory."""
    made = filled(aval.shape, aval.dtype.type(0))
    assert isinstance(made, ConcreteArray)
    quietly(write, made._values())
    return made


def in_range(start: Any, step: Any, n: int, dtype: DType) -> Array:
    """Return the n numbers ``start + i * step``."""
    if not is_eager():
        return ranges.traced_range(start, step, n, dtype)
    return _written(ShapedArray((n,), dtype), lambda out: ranges.write_range(out, start, step))


def linspace(start: Any, stop: Any, num: int, dtype: DType, *, endpoint: bool) -> Array:
    """Return evenly spaced numbers; between arrays along a new first axis."""
    plain = not is_array(start) and not is_array(stop) and np.ndim(start) == np.ndim(stop) == 0
    if not is_eager() or not plain:
        return ranges.linspace(start, stop, num, dtype, endpoint=endpoint)
    return _written(
        ShapedArray((num,), dtype),
        lambda out: ranges.write_linspace(out, start, stop, endpoint=endpoint),
    )


def eye(n_rows: int, n_cols: int, k: int, dtype: DType) -> Array:
    """Return a matrix with ones on a diagonal."""
    if not is_eager():
        return convert(ranges.diagonal_mask(n_rows, n_cols, k), dtype)
    return _written(ShapedArray((n_rows, n_cols), dtype), lambda out: ranges.write_diagonal(out, k))


def tri(n_rows: int, n_cols: int, k: int, dtype: DType) -> Array:
    """Return a matrix with ones at and below a diagonal."""
    if not is_eager():
        return convert(ranges.triangle(n_rows, n_cols, k), dtype)
    aval = ShapedArray((n_rows, n_cols), dtype)
    return _written(aval, lambda out: ranges.write_triangle(out, k))


# ------------------------------------------------------------------ import


def array(obj: object, dtype: DType | None, *, copy: bool | None, name: str) -> Array:
    """Return an object as an array.

    Parameters
    ----------
    obj : object
        An array is returned as it is where its dtype is wanted and no copy.
    dtype : dtype or None
    copy : bool or None
        False gives a foreign array that shares memory with obj; None copies if it must.
    name : str
        The function, for messages.

    Raises
    ------
    TypeError
        If the object holds no numbers.
    ValueError
        If the object cannot be shared and ``copy`` is False, or nested lists are ragged.
    """
    if is_array(obj):
        return _of_array(obj, dtype, copy=copy, name=name)
    if isinstance(obj, np.ndarray):
        return _of_numpy(obj, dtype, copy=copy, name=name)
    if type(obj) in WEAK or isinstance(obj, np.generic):
        return _of_scalar(obj, dtype, copy=copy, name=name)
    if isinstance(obj, Moved):
        raise TypeError(f"{name}: {obj!r} stands inside a list. Fix: own it again with take()")
    if isinstance(obj, _NESTED):
        _refuse_sharing(obj, copy, name)
        if _holds_array(obj):
            return _of_arrays(obj, dtype, name)
        return _of_numpy(_numbers(obj, dtype, name), dtype, copy=None, name=name)
    if hasattr(obj, "__dlpack__") and hasattr(obj, "__dlpack_device__"):
        return _of_numpy(views.import_dlpack(obj), dtype, copy=copy, name=name)
    return _of_numpy(_from_buffer(obj, name), dtype, copy=copy, name=name)


def of_dlpack(obj: object, *, copy: bool | None) -> Array:
    """Return an array with the values of another library's array."""
    if is_array(obj):
        return structural.copy(obj) if copy else obj
    return _of_numpy(views.import_dlpack(obj), None, copy=copy, name="from_dlpack")


def _of_array(obj: Array, dtype: DType | None, *, copy: bool | None, name: str) -> Array:
    obj._check_readable()
    if dtype is None or dtype == obj.aval.dtype:
        return structural.copy(obj) if copy else obj
    if copy is False:
        raise ValueError(f"{name}: {obj.aval} cannot become {dtype} without a copy (copy=False)")
    return convert(obj, dtype)


def _of_numpy(values: HostArray, dtype: DType | None, *, copy: bool | None, name: str) -> Array:
    if values.dtype.kind in "OSUMm":
        raise TypeError(f"{name}: expected numbers, got NumPy's dtype {values.dtype}")
    kind = canonical(values.dtype, name)
    wanted = kind if dtype is None else dtype
    if copy is False:
        if wanted != values.dtype or not is_eager():
            raise ValueError(
                f"{name}: a NumPy array of {values.dtype} cannot become {wanted} without a copy"
                " (copy=False)"
                if wanted != values.dtype
                else f"{name}: inside a compiled function values are always copied in (copy=False)"
            )
        view = values.view()
        view.flags.writeable = False
        return foreign(view)
    if wanted != kind:
        values = quietly(cast_host, values.astype(kind, copy=False), dtype=wanted)
    if not is_eager():
        return structural.copy(values)
    return from_host(values)


def _of_scalar(obj: Any, dtype: DType | None, *, copy: bool | None, name: str) -> Array:
    _refuse_sharing(obj, copy, name)
    if dtype is not None:
        value = as_dtype(name, obj, dtype)
    elif isinstance(obj, np.generic):
        value = obj.astype(canonical(obj.dtype, name))
    else:
        try:
            value = weak_scalar(obj, WEAK[type(obj)])
        except OverflowError:
            raise OverflowError(f"{name}: {obj} does not fit into {WEAK[type(obj)]}") from None
    if is_eager():
        return from_host(np.asarray(value), owned=True)
    return structural.copy(value)


def _refuse_sharing(obj: object, copy: bool | None, name: str) -> None:
    if copy is False:
        raise ValueError(f"{name}: a {type(obj).__name__} has no memory to share (copy=False)")


def _holds_array(parts: Sequence[Any]) -> bool:
    """Return whether an array or a handle stands in nested lists; fast for many numbers."""
    kinds = set(map(type, parts))
    if any([issubclass(kind, Array | Moved) for kind in kinds]):
        return True
    if kinds.isdisjoint(_NESTED):
        return False
    return any([_holds_array(part) for part in parts if isinstance(part, _NESTED)])


def _of_arrays(parts: Sequence[object], dtype: DType | None, name: str) -> Array:
    """Return nested lists in which arrays stand as one array."""
    stacked = shapes.stack([array(part, None, copy=None, name=name) for part in parts])
    return stacked if dtype is None or stacked.aval.dtype == dtype else convert(stacked, dtype)


def _numbers(obj: object, dtype: DType | None, name: str) -> HostArray:
    """Return nested lists of numbers as NumPy values."""
    try:
        values: HostArray = np.asarray(obj)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if values.dtype.kind == "O":
        raise TypeError(
            f"{name}: expected numbers within 64 bits, got other objects in a {type(obj).__name__}"
        )
    if dtype is not None and values.size and values.dtype.kind in "iu" and dtype.kind in "iu":
        return np.asarray(obj, dtype=dtype)  # raises OverflowError for numbers that do not fit
    return values


def _from_buffer(obj: object, name: str) -> HostArray:
    """Return the values of an object with a buffer or NumPy's array protocol."""
    if isinstance(obj, str | bytes) or obj is None:
        raise TypeError(f"{name}: expected an array, numbers or lists of them, got {obj!r}")
    values: HostArray = np.asarray(obj)
    if values.dtype.kind not in "OSUMm" or values.dtype in SHORT:
        return values
    raise TypeError(
        f"{name}: expected an array, numbers or lists of them, got a {type(obj).__name__}"
    )


def cast(x: object, dtype: DType, *, copy: bool) -> Array:
    """Return values in a dtype, in memory of their own unless x has it and ``copy`` is False."""
    value = operand("astype", x)
    if operand_aval(value).dtype != dtype:
        return convert(value, dtype)
    return structural.copy(value) if copy or not is_array(value) else value
