"""Pytrees: taking nested containers apart into leaves and building them again.

Containers are tuple, list, dict, namedtuples, dataclasses (rebuilt without ``__init__``) and
registered classes. None, str, bytes, enums, types and callables are structure, kept in the treedef
and compared by value. What counts as a leaf is the caller's business: `flatten` is told by a
table of types, because this floor knows no arrays. Anything else is a TypeError naming its path.
"""

from __future__ import annotations

import dataclasses
import enum
from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

T = TypeVar("T")
Path = tuple[str, ...]
"""The way from the root to a leaf, one rendered step each: ``("['w']", "[0]", ".bias")``."""


class TreeDef:
    """The structure of a tree without its leaves; interned, so equal structures are one object."""

    __slots__ = ("__weakref__", "aux", "children", "is_flat", "n_leaves", "type")

    def __init__(self, kind: type, aux: Hashable, children: tuple[TreeDef, ...]) -> None:
        self.type = kind
        self.aux = aux
        self.children = children
        self.n_leaves: int = 1 if kind is _Leaf else sum([child.n_leaves for child in children])
        self.is_flat = bool(children) and all([child is LEAF for child in children])
        """Whether this is one container of leaves."""

    @property
    def is_bare(self) -> bool:
        """Whether there is no container: one leaf, or one value of structure."""
        return self.type is _Leaf or self.type is _Static

    @property
    def steps(self) -> tuple[str, ...]:
        """One rendered path step for each child."""
        if self.is_bare:
            return ()
        return tuple(_container(self.type).steps(self.type, self.aux, len(self.children)))

    def __repr__(self) -> str:
        return f"TreeDef({self.unflatten(['*'] * self.n_leaves)!r})"

    def unflatten(self, leaves: Iterable[object]) -> Any:
        """Build the tree again around other leaves."""
        if self.is_flat:
            return _container(self.type).build(self.type, self.aux, list(leaves))
        return self._build(iter(leaves))

    def _build(self, leaves: Iterator[object]) -> Any:
        if self.type is _Leaf:
            return next(leaves)
        if self.type is _Static:
            return self.aux
        built = [next(leaves) if child is LEAF else child._build(leaves) for child in self.children]
        return _container(self.type).build(self.type, self.aux, built)

    def paths(self) -> list[Path]:
        """Return the path of each leaf."""
        found: list[Path] = []
        self._collect((), found)
        return found

    def _collect(self, prefix: Path, found: list[Path]) -> None:
        if self.type is _Leaf:
            found.append(prefix)
        elif self.type is not _Static:
            for step, child in zip(self.steps, self.children, strict=True):
                child._collect((*prefix, step), found)


def path_text(path: Path, root: str = "") -> str:
    """Return a path as a user would write it, for example ``params['w'][0]``."""
    return root + "".join(path)


class _Leaf:
    """The type that stands in a treedef where a leaf was."""


class _Static:
    """The type that stands in a treedef where a value is part of the structure."""


LEAF: Final = TreeDef(_Leaf, None, ())

# Process state: interned structures; each lives as long as somebody holds it.
_interned: Final[WeakValueDictionary[tuple[object, ...], TreeDef]] = WeakValueDictionary()


def _treedef(kind: type, aux: Hashable, children: tuple[TreeDef, ...]) -> TreeDef:
    """Return the one structure of that kind."""
    # 1 == 1.0 == True, but as structure they are not the same.
    key = (kind, type(aux), aux, children)
    found = _interned.get(key)
    if found is None:
        found = _interned.setdefault(key, TreeDef(kind, aux, children))
    return found


@dataclass(frozen=True, slots=True)
class _Container:
    """How one type of container is taken apart and built again."""

    split: Callable[[Any], tuple[Sequence[object], Hashable]]
    """Container to (children, aux data)."""
    build: Callable[[type, Any, list[Any]], Any]
    """Type, aux data and children to container."""
    steps: Callable[[type, Any, int], Sequence[str]]
    """Type, aux data and number of children to one path step for each child."""


def _numbered(kind: type, aux: object, n: int) -> list[str]:
    return [f"[{i}]" for i in range(n)]


def _ordered(keys: Iterable[Any]) -> list[Any]:
    keys = list(keys)
    try:
        keys.sort()
    except TypeError:  # keys of several types
        keys.sort(key=lambda key: (type(key).__name__, repr(key)))
    return keys


def _split_dict(node: dict[Any, object]) -> tuple[Sequence[object], Hashable]:
    keys = _ordered(node)
    factory = node.default_factory if isinstance(node, defaultdict) else None
    return [node[key] for key in keys], (tuple(node), tuple(keys), factory)


def _build_dict(kind: type, aux: Any, children: list[Any]) -> Any:
    own_order, keys, factory = aux
    if own_order != keys:
        by_key = dict(zip(keys, children, strict=True))
        keys, children = own_order, [by_key[key] for key in own_order]
    pairs = zip(keys, children, strict=True)
    return defaultdict(factory, pairs) if kind is defaultdict else kind(pairs)


def _data_fields(kind: type) -> tuple[list[str], list[str]]:
    """Return the names of a dataclass's tree fields and of its static fields."""
    fields = dataclasses.fields(kind)
    static = [field.name for field in fields if field.metadata.get("static")]
    return [field.name for field in fields if field.name not in static], static


def _split_dataclass(node: Any) -> tuple[Sequence[object], Hashable]:
    data, static = _data_fields(type(node))
    aux = tuple([(name, getattr(node, name)) for name in static])
    return [getattr(node, name) for name in data], aux


def _build_dataclass(kind: type, aux: Any, children: list[Any]) -> Any:
    # __init__ may check, convert or compute; the fields are restored as they were.
    node: object = object.__new__(kind)
    data, _ = _data_fields(kind)
    for name, value in [*zip(data, children, strict=True), *aux]:
        object.__setattr__(node, name, value)
    return node


_SEQUENCE: Final = _Container(
    split=lambda node: (node, None),
    build=lambda kind, _, children: kind(children),
    steps=_numbered,
)
_DICT: Final = _Container(
    split=_split_dict,
    build=_build_dict,
    steps=lambda kind, aux, n: [f"[{key!r}]" for key in aux[1]],
)
_NAMEDTUPLE: Final = _Container(
    split=lambda node: (tuple(node), None),
    build=lambda kind, _, children: kind(*children),
    steps=lambda kind, aux, n: [f".{name}" for name in kind._fields],  # type: ignore[attr-defined]
)
_DATACLASS: Final = _Container(
    split=_split_dataclass,
    build=_build_dataclass,
    steps=lambda kind, aux, n: [f".{name}" for name in _data_fields(kind)[0]],
)

# Process state: classes register themselves once, at import (see `register`).
_CONTAINERS: Final[dict[type, _Container]] = {
    tuple: _SEQUENCE,
    list: _SEQUENCE,
    dict: _DICT,
    OrderedDict: _DICT,
    defaultdict: _DICT,
}


def _container(kind: type) -> _Container:
    found = _find_container(kind)
    if found is None:
        raise AssertionError(f"{kind.__name__} is no container")
    return found


def _find_container(kind: type) -> _Container | None:
    found = _CONTAINERS.get(kind)
    if found is not None:
        return found
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _NAMEDTUPLE
    return _DATACLASS if dataclasses.is_dataclass(kind) else None


def register(
    cls: type[T],
    /,
    flatten: Callable[[T], tuple[Sequence[object], Hashable]] | None = None,
    unflatten: Callable[[Any, Sequence[Any]], T] | None = None,
    *,
    fields: Sequence[str] = (),
    static: Sequence[str] = (),
) -> type[T]:
    """Make instances of a class trees, so that they can be moved and passed to functions.

    Parameters
    ----------
    cls : type
        Exactly this class; subclasses are registered by themselves.
    flatten : callable, optional
        Instance to (children, aux data); the aux data must be hashable and comparable.
    unflatten : callable, optional
        (aux data, children) to instance. It must not look into the children. Without the two
        functions the class's own ``tree_flatten`` and ``tree_unflatten`` are taken.
    fields, static : sequences of str, optional
        Instead of two functions: the attributes that hold trees, and those that are structure.
        The instance is then rebuilt without ``__init__``. A dataclass needs neither: all its fields
        are parts, except those with ``metadata={"static": True}``, which are structure.

    Returns
    -------
    type
        The class, so that this works as a decorator.

    Raises
    ------
    TypeError
        If the arguments do not say how to take the class apart.
    ValueError
        If the class is registered already.

    Examples
    --------
    >>> import ownarray as oa
    >>> class Pair:
    ...     def __init__(self, left, right):
    ...         self.left, self.right = left, right
    >>> _ = oa.register(Pair, fields=("left", "right"))
    >>> old = Pair(oa.ones(2), oa.zeros(2))
    >>> new = oa.move(old).take()
    >>> old.left.is_moved, new.left.is_moved
    (True, False)
    """
    if not isinstance(cls, type):
        raise TypeError(f"register: expected a class, got {type(cls).__name__}")
    if cls in _CONTAINERS:
        raise ValueError(f"register: {cls.__name__} is a tree already")
    if flatten is not None and unflatten is not None and not fields and not static:
        _CONTAINERS[cls] = _custom(flatten, unflatten)
    elif flatten is None and unflatten is None and (fields or static):
        _CONTAINERS[cls] = _by_fields(tuple(fields), tuple(static))
    elif flatten is None and unflatten is None and hasattr(cls, "tree_flatten"):
        _CONTAINERS[cls] = _custom(cls.tree_flatten, cls.tree_unflatten)  # type: ignore[attr-defined]
    elif flatten is None and unflatten is None and _find_container(cls) is not None:
        pass  # a dataclass or a named tuple is a tree as it is
    else:
        raise TypeError(
            f"register: say how to take {cls.__name__} apart: flatten and unflatten, or fields (and"
            " static), or methods tree_flatten and tree_unflatten"
        )
    return cls


def _custom(
    flatten: Callable[[Any], tuple[Sequence[object], Hashable]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
) -> _Container:
    def split(node: Any) -> tuple[Sequence[object], Hashable]:
        children, aux = flatten(node)
        return list(children), aux

    return _Container(split, lambda _, aux, children: unflatten(aux, children), _numbered)


def _by_fields(fields: tuple[str, ...], static: tuple[str, ...]) -> _Container:
    def split(node: Any) -> tuple[Sequence[object], Hashable]:
        aux = tuple([getattr(node, name) for name in static])
        return [getattr(node, name) for name in fields], aux

    def build(kind: type, aux: Any, children: list[Any]) -> Any:
        node: object = object.__new__(kind)
        names = (*fields, *static)
        for name, value in zip(names, [*children, *aux], strict=True):
            object.__setattr__(node, name, value)
        return node

    return _Container(split, build, lambda kind, aux, n: [f".{name}" for name in fields])


_STATIC_TYPES: Final = frozenset({type(None), str, bytes, type(Ellipsis), slice, range})


def _is_static(value: object) -> bool:
    return (
        type(value) in _STATIC_TYPES
        or isinstance(value, str | bytes | enum.Enum | type)
        or callable(value)
    )


class LeafKinds(dict[type, bool]):
    """Which types are leaves.

    Parameters
    ----------
    is_leaf : callable
        Whether values of a type are leaves; asked once for each type.
    """

    __slots__ = ("_is_leaf",)

    def __init__(self, is_leaf: Callable[[type], bool]) -> None:
        super().__init__()
        self._is_leaf = is_leaf

    def __missing__(self, kind: type) -> bool:
        if len(self) >= _MAX_KINDS:  # types that were made and dropped
            self.clear()
        answer = self[kind] = self._is_leaf(kind)
        return answer


_MAX_KINDS: Final = 1024


def flatten(tree: object, kinds: LeafKinds, name: str) -> tuple[list[Any], TreeDef]:
    """Return the leaves of a tree, in order, and its structure.

    Parameters
    ----------
    tree : object
    kinds : LeafKinds
        Which types are leaves; asked before anything else.
    name : str
        What the tree is called in error messages, for example the parameter's name.

    Raises
    ------
    TypeError
        If a value is neither leaf, container nor structure; it is named by its path.
    """
    leaves: list[Any] = []
    try:
        return leaves, _flatten(tree, kinds, leaves)
    except _RefusedError as error:
        path = path_text(tuple(reversed(error.path)), name)
        raise TypeError(f"{path}: {error.why}") from error.__cause__


class _RefusedError(Exception):
    """A value that is no tree; its path is gathered on the way out, so that success costs none."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why
        self.path: list[str] = []


def _flatten(node: object, kinds: LeafKinds, leaves: list[Any]) -> TreeDef:
    kind = type(node)
    if kinds[kind]:
        leaves.append(node)
        return LEAF
    container = _find_container(kind)
    if container is None:
        return _static(node, kind)
    children, aux = container.split(node)
    if children and all([kinds[each] for each in set(map(type, children))]):
        leaves += children
        return _treedef(kind, _hashable(aux), (LEAF,) * len(children))
    found: list[TreeDef] = []
    for child in children:
        try:
            found.append(_flatten(child, kinds, leaves))
        except _RefusedError as error:
            error.path.append(container.steps(kind, aux, len(children))[len(found)])
            raise
    return _treedef(kind, _hashable(aux), tuple(found))


def _static(node: object, kind: type) -> TreeDef:
    if _is_static(node):
        return _treedef(_Static, _hashable(node), ())
    raise _RefusedError(
        f"{kind.__module__}.{kind.__qualname__} is neither an array, a Python number nor a tree of"
        " them. Make it a dataclass, call oa.register on its class, or pass it as a static argument"
        " (static_argnames=...)"
    )


def _hashable(aux: Any) -> Hashable:
    try:
        hash(aux)
    except TypeError as error:
        raise _RefusedError(
            f"structure must be hashable, got {type(aux).__name__}: {error}"
        ) from error
    return aux  # type: ignore[no-any-return]  # hash() has just accepted it
