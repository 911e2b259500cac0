"""What the checker knows of values, functions and classes: as little as ownership needs.

`None` stands for a type that is not known; every rule then takes the reading that accuses nobody.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ownarray._ownership import Mode

if TYPE_CHECKING:
    from ownarray._checker.scopes import Scope

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Ty:
    """A type: one of the classes below."""


@dataclass(frozen=True, slots=True)
class Array(Ty):
    """An `ownarray.Array`."""


@dataclass(frozen=True, slots=True)
class HandleOf(Ty):
    """An `ownarray.Moved`."""

    inner: Ty | None


@dataclass(frozen=True, slots=True)
class Scalar(Ty):
    """A value that owns no array: numbers, text, None, NumPy's own."""


@dataclass(frozen=True, slots=True)
class NumPy(Ty):
    """A NumPy array, which may be a view."""


@dataclass(frozen=True, slots=True)
class Sequence(Ty):
    """A list, deque, set, tuple or iterator of any length; ``slices`` are new ones of its kind."""

    item: Ty | None


@dataclass(frozen=True, slots=True)
class Tuple(Ty):
    """A tuple of known length."""

    items: tuple[Ty | None, ...]


@dataclass(frozen=True, slots=True)
class Mapping(Ty):
    """A dict."""

    value: Ty | None


@dataclass(frozen=True, slots=True)
class Object(Ty):
    """An instance of a class."""

    cls: ClassInfo


@dataclass(frozen=True, slots=True)
class ClassObject(Ty):
    """A class itself."""

    cls: ClassInfo


@dataclass(frozen=True, slots=True)
class Function(Ty):
    """A function; ``bound`` if the first parameter is given already."""

    info: FunctionInfo
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Name(Ty):
    """Something of a library, or a builtin, by its full name."""

    full: str


@dataclass(frozen=True, slots=True)
class Either(Ty):
    """A value of one of several types."""

    items: tuple[Ty | None, ...]


@dataclass(frozen=True, slots=True)
class Nothing(Ty):
    """The type of a variable in its own definition, which says nothing new of it."""


NOTHING: Final = Nothing()
ARRAY: Final = Array()
SCALAR: Final = Scalar()
NUMPY: Final = NumPy()


@dataclass(slots=True)
class Param:
    """One parameter of a function."""

    name: str
    kind: str
    """``pos`` (positional only), ``any``, ``star``, ``key`` (keyword only) or ``double``."""
    mode: Mode = Mode.NEUTRAL
    ty: Ty | None = None
    marked: bool = False


@dataclass(slots=True, eq=False)
class FunctionInfo:
    """A function: its parameters, and its body where it is of this module."""

    name: str
    params: list[Param]
    node: FunctionNode | None = None
    scope: Scope | None = None
    compiled: bool = False
    """Calls go through a trace: parameter modes hold, and results are always new arrays."""
    traced: bool = False
    """The body is traced, by whatever name it is called: what is lent may turn out to be owned."""
    generator: bool = False
    coroutine: bool = False
    static: bool = False
    class_method: bool = False
    is_property: bool = False
    context_manager: bool = False
    decorated: bool = False
    """By something unknown: what a call does is then not the body's doing alone."""
    never_returns: bool = False
    returns: Ty | None = None
    owner: ClassInfo | None = None


@dataclass(slots=True, eq=False)
class ClassInfo:
    """A class: its fields in order where its constructor is made from them."""

    name: str
    node: ast.ClassDef | None = None
    scope: Scope | None = None
    fields: list[str] = field(default_factory=list)
    built_from_fields: bool = False
    """A dataclass or named tuple: the constructor stores its arguments."""
    is_tuple: bool = False
    methods: dict[str, FunctionInfo] = field(default_factory=dict)
    setters: dict[str, FunctionInfo] = field(default_factory=dict)
    """What runs when a property is assigned to."""
    field_types: dict[str, Ty | None] = field(default_factory=dict)
    members: tuple[str, ...] | None = None
    """The members of an enumeration."""
    bases: list[ClassInfo] = field(default_factory=list)
    swallows: bool = False
    """As a context manager it may swallow exceptions."""
    known: bool = True

    def method(self, name: str) -> FunctionInfo | None:
        """Return a method of this class or its bases."""
        if name in self.methods:
            return self.methods[name]
        return next((m for base in self.bases if (m := base.method(name)) is not None), None)


_DEEPEST: Final = 4


def may_hold_handle(ty: Ty | None, depth: int = 0) -> bool:
    """Return whether a value of this type may be a handle or have one in it."""
    if depth > _DEEPEST:
        return True
    match ty:
        case Array() | Scalar() | NumPy():
            return False
        case Sequence(inner) | Mapping(inner):
            return may_hold_handle(inner, depth + 1)
        case Tuple(items) | Either(items):
            return any(may_hold_handle(item, depth + 1) for item in items)
        case Object(cls):
            if not cls.known or not cls.field_types:
                return True
            return any(
                item is None or (not isinstance(item, Object) and may_hold_handle(item, depth + 1))
                for item in cls.field_types.values()
            )
        case _:
            return True


def is_handle(ty: Ty | None) -> bool:
    """Return whether a value of this type is a handle for sure."""
    return isinstance(ty, HandleOf)


def is_array(ty: Ty | None) -> bool:
    """Return whether what works with arrays only finds one in a value of this type.

    The type of a variable is that of all its values: ``x = None`` somewhere leaves x an array here.
    """
    if isinstance(ty, Either):
        return ARRAY in ty.items and all(isinstance(item, Array | Scalar) for item in ty.items)
    return isinstance(ty, Array)


def owns_arrays(ty: Ty | None, depth: int = 0) -> bool:
    """Return whether a value of this type is known to be, or to hold, arrays and no handle."""
    if depth > _DEEPEST:
        return False
    match ty:
        case Array():
            return True
        case Sequence(inner) | Mapping(inner):
            return owns_arrays(inner, depth + 1)
        case Tuple(items):
            return any(owns_arrays(item, depth + 1) for item in items) and not any(
                isinstance(item, HandleOf) for item in items
            )
        case Either(items):
            rest = [item for item in items if not isinstance(item, Scalar)]
            return bool(rest) and all(owns_arrays(item, depth + 1) for item in rest)
        case Object(cls):
            return depth < 3 and any(owns_arrays(t, depth + 1) for t in cls.field_types.values())
        case _:
            return False


def joined(types: list[Ty | None]) -> Ty | None:
    """Return the type of a value that has one of these types."""
    some: list[Ty | None] = []
    for ty in types:
        for one in ty.items if isinstance(ty, Either) else (ty,):
            if one not in some and one != NOTHING:
                some.append(one)
    if not some:
        return NOTHING if NOTHING in types else None
    if None in some:
        return None
    if all(isinstance(one, Sequence) for one in some):
        return Sequence(joined([one.item for one in some if isinstance(one, Sequence)]))
    if all(isinstance(one, Mapping) for one in some):
        return Mapping(joined([one.value for one in some if isinstance(one, Mapping)]))
    tuples = [one.items for one in some if isinstance(one, Tuple)]
    if len(tuples) == len(some) > 1 and len({len(items) for items in tuples}) == 1:
        return Tuple(tuple(joined(list(column)) for column in zip(*tuples, strict=True)))
    return some[0] if len(some) == 1 else Either(tuple(some))
