"""What the library says of itself to code that is written for any array library."""

from __future__ import annotations

from typing import Final

from ownarray._core.dtypes import BY_NAME, COMPLEX128, FLOAT64, INT64, DType
from ownarray._namespace.types import check_device
from ownarray._ops.kinds import is_kind

__array_api_version__: Final = "2025.12"

_STANDARD: Final = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


class NamespaceInfo:
    """What `__array_namespace_info__` returns: the standard's inspection functions.

    Examples
    --------
    >>> import ownarray as oa
    >>> info = oa.__array_namespace_info__()
    >>> info.devices(), info.default_device()
    (('cpu',), 'cpu')
    """

    __slots__ = ()

    def capabilities(self) -> dict[str, bool | int | None]:
        """Return what arrays can do: masks as indices, results whose shape depends on values."""
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": 64,
        }

    def default_device(self) -> str:
        """Return the device of new arrays."""
        return "cpu"

    def devices(self) -> tuple[str, ...]:
        """Return all devices."""
        return ("cpu",)

    def default_dtypes(self, *, device: object = None) -> dict[str, DType]:
        """Return the dtypes that Python's numbers and indices become."""
        check_device("default_dtypes", device)
        return {
            "real floating": FLOAT64,
            "complex floating": COMPLEX128,
            "integral": INT64,
            "indexing": INT64,
        }

    def dtypes(
        self, *, device: object = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, DType]:
        """Return the standard's dtypes, all or of a kind, by name."""
        check_device("dtypes", device)
        found = {name: BY_NAME[name] for name in _STANDARD}
        if kind is None:
            return found
        kinds = kind if isinstance(kind, tuple) else (kind,)
        return {
            name: dtype
            for name, dtype in found.items()
            if any([is_kind(dtype, one) for one in kinds])
        }


def __array_namespace_info__() -> NamespaceInfo:  # noqa: N807  (the standard's name)
    """Return the inspection functions of the array API standard.

    Returns
    -------
    NamespaceInfo

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.__array_namespace_info__().default_dtypes()["integral"]
    dtype('int64')
    """
    return NamespaceInfo()
