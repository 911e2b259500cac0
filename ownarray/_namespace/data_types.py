"""Functions of dtypes and shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from ownarray._core.dtypes import COMPLEX, INEXACT, INTEGER, WEAK, DType, canonical
from ownarray._ops.convert import REAL_OF, integer_range
from ownarray._ops.kinds import is_kind
from ownarray._ops.promote import common
from ownarray._ops.rules import broadcast_shapes as broadcast
from ownarray._trace.bind import is_array

if TYPE_CHECKING:
    from ownarray._namespace.types import Array, DTypeLike, Foreign


@dataclass(frozen=True, slots=True)
class FloatInfo:
    """The limits of a floating-point dtype.

    Attributes
    ----------
    bits : int
    eps : float
        The distance from 1 to the next number.
    max, min : float
        The greatest and the least number.
    smallest_normal : float
        The least positive number of full precision.
    dtype : dtype
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType

    @property
    def tiny(self) -> float:
        """Another name of ``smallest_normal``."""
        return self.smallest_normal


@dataclass(frozen=True, slots=True)
class IntegerInfo:
    """The limits of an integer dtype.

    Attributes
    ----------
    bits : int
    max, min : int
    dtype : dtype
    """

    bits: int
    max: int
    min: int
    dtype: DType


def _dtype(name: str, type_: Any) -> DType:
    """Return a dtype, or that of an array or scalar."""
    if is_array(type_) or isinstance(type_, np.ndarray | np.generic):
        return canonical(type_.dtype, name)
    return canonical(type_, name)


def finfo(type: DTypeLike | Array, /) -> FloatInfo:
    """Return the limits of a floating-point dtype; of a complex one, those of its parts.

    Parameters
    ----------
    type : dtype, or Array whose dtype is asked for; lent

    Returns
    -------
    FloatInfo

    Raises
    ------
    TypeError
        If the dtype is not floating-point.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.finfo(oa.float32).bits
    32
    """
    dtype = _dtype("finfo", type)
    if dtype not in INEXACT:
        raise TypeError(f"finfo: expected a floating-point dtype, got {dtype}")
    dtype = REAL_OF.get(dtype, dtype)
    limits = ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]
    return FloatInfo(
        limits.bits,
        float(limits.eps),
        float(limits.max),
        float(limits.min),
        float(limits.smallest_normal),
        dtype,
    )


def iinfo(type: DTypeLike | Array, /) -> IntegerInfo:
    """Return the limits of an integer dtype.

    Parameters
    ----------
    type : dtype, or Array whose dtype is asked for; lent

    Returns
    -------
    IntegerInfo

    Raises
    ------
    TypeError
        If the dtype is no integer one.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.iinfo(oa.int8).max
    127
    """
    dtype = _dtype("iinfo", type)
    if dtype not in INTEGER:
        raise TypeError(f"iinfo: expected an integer dtype, got {dtype}")
    low, high = integer_range(dtype)
    return IntegerInfo((high - low).bit_length(), high, low, dtype)


def can_cast(from_: DTypeLike | Array, to: DTypeLike, /) -> bool:
    """Return whether every value of a dtype is also a value of another.

    Parameters
    ----------
    from_ : dtype, or Array whose dtype is asked for; lent
    to : dtype

    Returns
    -------
    bool

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.can_cast(oa.int32, oa.int64), oa.can_cast(oa.int64, oa.int32)
    (True, False)
    """
    return bool(np.can_cast(_dtype("can_cast", from_), canonical(to, "can_cast"), "safe"))


def result_type(*arrays_and_dtypes: Array | complex | DTypeLike) -> DType:
    """Return the dtype that arithmetic gives for arrays, dtypes and Python scalars.

    Parameters
    ----------
    *arrays_and_dtypes : Array, dtype or Python scalar; lent
        Python scalars are weak: only their kind counts.

    Returns
    -------
    dtype

    Raises
    ------
    TypeError
        If they have no common dtype.
    ValueError
        If nothing is given.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.result_type(oa.ones(2, dtype=oa.float32), 1.0)
    dtype('float32')
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type: expected at least one array or dtype")
    operands: list[object] = []
    for value in arrays_and_dtypes:
        is_value = is_array(value) or isinstance(value, np.ndarray | np.generic)
        if is_value or type(value) in WEAK:
            operands.append(value)
        else:
            operands.append(np.empty(0, canonical(value, "result_type")))
    return common("result_type", *operands)[0]


def isdtype(dtype: DTypeLike, kind: DTypeLike | str | tuple[DTypeLike | str, ...]) -> bool:
    """Return whether a dtype is of a kind.

    Parameters
    ----------
    dtype : dtype
    kind : str, dtype, or tuple of them
        One of "bool", "signed integer", "unsigned integer", "integral", "real floating",
        "complex floating", "numeric"; a dtype is the kind of itself.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If there is no such kind.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.isdtype(oa.int8, "integral")
    True
    """
    found = canonical(dtype, "isdtype")
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return any([is_kind(found, one) for one in kinds])


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that arrays of these shapes broadcast to.

    Parameters
    ----------
    *shapes : tuple of int

    Returns
    -------
    tuple of int

    Raises
    ------
    ValueError
        If they do not broadcast.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    return broadcast("broadcast_shapes", [tuple(s) for s in shapes]) if shapes else ()


def iscomplexobj(x: Array, /) -> bool:
    """Return whether an array has a complex dtype.

    Parameters
    ----------
    x : Array; lent

    Returns
    -------
    bool

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.iscomplexobj(oa.ones(2))
    False
    """
    return _dtype("iscomplexobj", x) in COMPLEX


def isrealobj(x: Array, /) -> bool:
    """Return whether an array has no complex dtype.

    Parameters
    ----------
    x : Array; lent

    Returns
    -------
    bool

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.isrealobj(oa.ones(2))
    True
    """
    return not iscomplexobj(x)


def ndim(x: Array | Foreign, /) -> int:
    """Return the number of axes.

    Parameters
    ----------
    x : Array; lent

    Returns
    -------
    int

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.ndim(oa.ones((2, 3)))
    2
    """
    return len(shape(x))


def shape(x: Array | Foreign, /) -> tuple[int, ...]:
    """Return the size of each axis.

    Parameters
    ----------
    x : Array; lent

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.shape(oa.ones((2, 3)))
    (2, 3)
    """
    return x.aval.shape if is_array(x) else np.shape(x)
