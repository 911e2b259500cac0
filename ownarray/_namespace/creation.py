"""New arrays: of given values, of other libraries, filled with one value."""

from __future__ import annotations

from typing import Any

import numpy as np

from ownarray._array import born
from ownarray._array.consume import once
from ownarray._core.dtypes import FLOAT64, WEAK, DType, canonical
from ownarray._namespace.types import (
    Array,
    DTypeLike,
    Like,
    ShapeLike,
    as_shape,
    check_device,
    dtype_or,
)
from ownarray._ops import shapes
from ownarray._ops.convert import cast_to
from ownarray._ops.promote import as_dtype, operand
from ownarray._trace.bind import is_array, operand_aval


@once
def asarray(
    obj: Any, /, dtype: DTypeLike | None = None, *, device: object = None, copy: bool | None = None
) -> Array:
    """Return an object as an array.

    Parameters
    ----------
    obj : Array, NumPy array, number, nested lists, DLPack object or buffer; lent, or consumed if a
        handle
        An Array of the wanted dtype is returned as it is, not copied; everything else is copied in.
    dtype : dtype, optional
        Default: the dtype of obj; of Python numbers bool, int64, float64 or complex128.
    device : None or "cpu"
    copy : bool, optional
        True always copies. False never does: NumPy and DLPack memory is shared, read-only, in an
        array that cannot be moved or updated.

    Returns
    -------
    Array of the shape of obj; owned, unless ``copy=False`` shares memory of another library

    Raises
    ------
    TypeError
        If obj holds no numbers.
    ValueError
        If nested lists are ragged, or ``copy=False`` cannot be.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.asarray([[1, 2], [3, 4]], dtype=oa.float32)
    Array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    check_device("asarray", device)
    kind = None if dtype is None else canonical(dtype, "asarray")
    return born.array(obj, kind, copy=copy, name="asarray")


@once
def array(obj: Any, /, dtype: DTypeLike | None = None, *, copy: bool = True) -> Array:
    """Return a new array with the values of an object, as `asarray` but copying by default.

    Parameters
    ----------
    obj : Array, NumPy array, number, nested lists, DLPack object or buffer; lent, or consumed if a
        handle
    dtype : dtype, optional
    copy : bool, default True
        False copies only where it must, as ``asarray(copy=None)``.

    Returns
    -------
    Array of the shape of obj; owned

    Raises
    ------
    TypeError
        If obj holds no numbers.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.array([1.0, 2.0])
    Array([1., 2.], dtype=float64)
    """
    kind = None if dtype is None else canonical(dtype, "array")
    return born.array(obj, kind, copy=True if copy else None, name="array")


def from_dlpack(x: Any, /, *, device: object = None, copy: bool | None = None) -> Array:
    """Return an array with the values of another library's array, through DLPack.

    Parameters
    ----------
    x : object with ``__dlpack__``; lent
    device : None or "cpu"
    copy : bool, optional
        False shares the memory, read-only, in an array that cannot be moved or updated. Else the
        values are copied.

    Returns
    -------
    Array of the shape and dtype of x; owned, unless ``copy=False``

    Raises
    ------
    TypeError
        If x is no DLPack producer.
    BufferError
        If its memory is on another device.

    Examples
    --------
    >>> import numpy as np
    >>> import ownarray as oa
    >>> oa.from_dlpack(np.asarray([1.0, 2.0]))
    Array([1., 2.], dtype=float64)
    """
    check_device("from_dlpack", device)
    return born.of_dlpack(x, copy=copy)


def zeros(shape: ShapeLike, dtype: DTypeLike | None = None, *, device: object = None) -> Array:
    """Return an array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, default float64
    device : None or "cpu"

    Returns
    -------
    Array of the shape and dtype; owned

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.zeros(3)
    Array([0., 0., 0.], dtype=float64)
    """
    return _filled("zeros", shape, 0, dtype, device)


def ones(shape: ShapeLike, dtype: DTypeLike | None = None, *, device: object = None) -> Array:
    """Return an array of ones.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, default float64
    device : None or "cpu"

    Returns
    -------
    Array of the shape and dtype; owned

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ones((2, 2), dtype=oa.int32)
    Array([[1, 1],
           [1, 1]], dtype=int32)
    """
    return _filled("ones", shape, 1, dtype, device)


def empty(shape: ShapeLike, dtype: DTypeLike | None = None, *, device: object = None) -> Array:
    """Return an array whose values do not matter; they are zeros.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, default float64
    device : None or "cpu"

    Returns
    -------
    Array of the shape and dtype; owned

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.empty((2, 3)).shape
    (2, 3)
    """
    return _filled("empty", shape, 0, dtype, device)


def _filled(
    name: str, shape: ShapeLike, value: int, dtype: DTypeLike | None, device: object
) -> Array:
    check_device(name, device)
    kind = dtype_or(name, dtype, FLOAT64)
    return born.filled(as_shape(name, shape), kind.type(value))


@once
def full(
    shape: ShapeLike, fill_value: Like, dtype: DTypeLike | None = None, *, device: object = None
) -> Array:
    """Return an array filled with one value.

    Parameters
    ----------
    shape : int or tuple of int
    fill_value : number, or Array that broadcasts to the shape; lent, or consumed if a handle
    dtype : dtype, optional
        Default: the dtype of the value; bool, int64, float64 or complex128 for Python numbers.
    device : None or "cpu"

    Returns
    -------
    Array of the shape and dtype; owned

    Raises
    ------
    OverflowError
        If a Python integer does not fit the dtype.
    ValueError
        If an array does not broadcast to the shape.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.full((2,), 7)
    Array([7, 7], dtype=int64)
    """
    check_device("full", device)
    return _full("full", shape, fill_value, dtype)


def _full(name: str, shape: ShapeLike, value: Any, dtype: DTypeLike | None) -> Array:
    sizes = as_shape(name, shape)
    default = WEAK.get(type(value)) or operand_aval(operand(name, value)).dtype
    kind = dtype_or(name, dtype, default)
    if is_array(value) or isinstance(value, np.ndarray):
        return shapes.broadcast_to(cast_to(operand(name, value), kind), sizes)
    number = as_dtype(name, value, kind)
    assert isinstance(number, np.generic)
    return born.filled(sizes, number)


@once
def zeros_like(x: Like, /, dtype: DTypeLike | None = None, *, device: object = None) -> Array:
    """Return zeros of the shape and dtype of an array.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
        Only its shape and dtype are read, so a dead array serves too.
    dtype : dtype, optional
    device : None or "cpu"

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.zeros_like(oa.ones(2, dtype=oa.int8))
    Array([0, 0], dtype=int8)
    """
    return _like("zeros_like", x, 0, dtype, device)


@once
def ones_like(x: Like, /, dtype: DTypeLike | None = None, *, device: object = None) -> Array:
    """Return ones of the shape and dtype of an array.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
        Only its shape and dtype are read, so a dead array serves too.
    dtype : dtype, optional
    device : None or "cpu"

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ones_like(oa.zeros(2))
    Array([1., 1.], dtype=float64)
    """
    return _like("ones_like", x, 1, dtype, device)


@once
def empty_like(x: Like, /, dtype: DTypeLike | None = None, *, device: object = None) -> Array:
    """Return an array of the shape and dtype of another; its values do not matter.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
        Only its shape and dtype are read, so a dead array serves too.
    dtype : dtype, optional
    device : None or "cpu"

    Returns
    -------
    Array of the shape of x; owned, in x's memory if x was consumed and has this dtype

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.empty_like(oa.ones((2, 3))).shape
    (2, 3)
    """
    return _like("empty_like", x, 0, dtype, device)


def _like(name: str, x: Any, value: int, dtype: DTypeLike | None, device: object) -> Array:
    check_device(name, device)
    kind = dtype_or(name, dtype, _dtype_of(name, x))
    return born.filled_like(operand(name, x), kind.type(value))


def _dtype_of(name: str, x: Any) -> DType:
    """Return the dtype of an array-like; a dead array still has it."""
    return canonical(operand_aval(operand(name, x)).dtype, name)


@once
def full_like(
    x: Like, /, fill_value: Like, dtype: DTypeLike | None = None, *, device: object = None
) -> Array:
    """Return an array of the shape and dtype of another, filled with one value.

    Parameters
    ----------
    x : Array; lent, or consumed if a handle
        Only its shape and dtype are read, so a dead array serves too.
    fill_value : number, or Array that broadcasts to the shape; lent, or consumed if a handle
    dtype : dtype, optional
    device : None or "cpu"

    Returns
    -------
    Array of the shape of x; owned

    Raises
    ------
    OverflowError
        If a Python integer does not fit the dtype.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.full_like(oa.zeros(2), 0.5)
    Array([0.5, 0.5], dtype=float64)
    """
    check_device("full_like", device)
    kind = dtype_or("full_like", dtype, _dtype_of("full_like", x))
    shape = operand_aval(operand("full_like", x)).shape
    return _full("full_like", shape, fill_value, kind)
