"""Reading a call: which parameter gets what, how each leaf is passed, and whether that is allowed.

The answer for one kind of call is a `CallKey`, under which the traced program is cached. Whatever
depends on the arguments' identities (one array at two places, dead arrays) is checked at each call.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ownarray._annotations import parameter_modes
from ownarray._array.moved import LEAF_KINDS, Moved
from ownarray._core.aval import ShapedArray, aval_of
from ownarray._core.dtypes import INT64, WEAK
from ownarray._errors import Code
from ownarray._ownership import EFFECT, Effect, Mode, Passed
from ownarray._trace.bind import is_array
from ownarray._tree import LEAF, LeafKinds, TreeDef, flatten, path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a compiled function."""

    name: str
    mode: Mode
    is_static: bool
    kind: inspect._ParameterKind
    """How Python passes it; arguments beyond the named ones have the kind that gathers them."""


@dataclass(frozen=True, slots=True)
class LeafKey:
    """What the program depends on of one leaf: what it is, and how it is passed."""

    aval: ShapedArray
    effect: Effect


@dataclass(frozen=True, slots=True)
class Leaf:
    """One leaf of one call."""

    value: Any
    """The array (dead, if it came in a handle), NumPy array or Python scalar."""
    key: LeafKey
    argument: int
    """The number of its argument."""


@dataclass(frozen=True, slots=True)
class Static:
    """A static argument in a key: compared with its type, since 1, 1.0 and True are equal."""

    value: Any
    kind: type


@dataclass(frozen=True, slots=True)
class CallKey:
    """What a traced program depends on."""

    names: tuple[str, ...]
    """Which parameters are passed."""
    statics: tuple[Static, ...]
    trees: tuple[TreeDef, ...]
    leaves: tuple[LeafKey, ...]


_BY_POSITION: Final = frozenset(
    {
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    }
)


class FunctionSignature:
    """The parameters of a function that is to be compiled, with their modes."""

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        donate_argnums: int | Sequence[int] = (),
        donate_argnames: str | Sequence[str] = (),
        static_argnums: int | Sequence[int] = (),
        static_argnames: str | Sequence[str] = (),
    ) -> None:
        self.name: str = getattr(function, "__qualname__", type(function).__name__)
        self.signature = inspect.signature(function)
        self._kinds = {p.name: p.kind for p in self.signature.parameters.values()}
        gathering = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        self._required = frozenset(
            [
                p.name
                for p in self.signature.parameters.values()
                if p.default is inspect.Parameter.empty and p.kind not in gathering
            ]
        )
        modes = parameter_modes(function)
        donated = self.named("donate_argnums", donate_argnums, "donate_argnames", donate_argnames)
        static = self.named("static_argnums", static_argnums, "static_argnames", static_argnames)
        self._donated_extra = donated - self._kinds.keys()
        self._static_extra = static - self._kinds.keys()
        self.modes = modes
        self.donated = donated
        self.static = static
        for name in donated & static:
            raise ValueError(f"{self.name}: {name!r} is both donated and static")
        for name in donated:
            if modes.get(name, Mode.OWNED) is not Mode.OWNED:
                raise ValueError(
                    f"{self.name}: {name!r} is donated, but declared {modes[name].name.title()}"
                )
        positional = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY
        self.is_plain = all(kind in positional for kind in self._kinds.values())
        self.plain = tuple([self._parameter(name, name) for name in self._kinds])

    def named(
        self, nums_name: str, nums: int | Sequence[int], names_name: str, names: str | Sequence[str]
    ) -> frozenset[str]:
        """Return the names of the parameters that numbers and names pick out."""
        found = set()
        ordered = list(self._kinds)
        var_positional = [
            n for n, k in self._kinds.items() if k is inspect.Parameter.VAR_POSITIONAL
        ]
        var_keyword = inspect.Parameter.VAR_KEYWORD in self._kinds.values()
        n_positional = sum(
            kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
            for kind in self._kinds.values()
        )
        for num in (nums,) if isinstance(nums, int) else tuple(nums):
            if type(num) is not int:
                raise TypeError(f"{self.name}: {nums_name} takes integers, got {num!r}")
            place = num + n_positional if num < 0 else num
            if 0 <= place < n_positional:
                found.add(ordered[place])
            elif var_positional and num >= n_positional:
                found.add(f"{var_positional[0]}[{num - n_positional}]")
            else:
                raise ValueError(
                    f"{self.name}: {nums_name} names argument {num}, but it takes {n_positional}"
                )
        for name in (names,) if isinstance(names, str) else tuple(names):
            if name not in self._kinds and not var_keyword:
                raise ValueError(
                    f"{self.name}: {names_name} names {name!r}, but its parameters are"
                    f" {', '.join(ordered) or 'none'}"
                )
            found.add(name)
        return frozenset(found)

    def _parameter(self, name: str, declared: str) -> Parameter:
        is_donated = name in self.donated or declared in self.donated
        mode = self.modes.get(declared, Mode.NEUTRAL)
        if is_donated and mode is Mode.NEUTRAL:
            mode = Mode.DONATED
        is_static = name in self.static or declared in self.static
        return Parameter(name, mode, is_static, self._kinds[declared])

    def bind(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Sequence[Parameter], Sequence[Any]]:
        """Return the parameters that a call passes and their values.

        What is not passed keeps its default, which is part of the function, not an argument.

        Raises
        ------
        TypeError
            If the arguments do not fit the signature.
        """
        if self.is_plain and not kwargs and len(args) == len(self.plain):
            return self.plain, args
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}: {error}") from None
        # Python 3.13.0 lets a missing one pass where further positional arguments are gathered.
        for name in self._required - bound.arguments.keys():
            raise TypeError(f"{self.name}: missing a required argument: {name!r}")
        parameters: list[Parameter] = []
        values: list[Any] = []
        for name, value in bound.arguments.items():
            kind = self._kinds[name]
            if kind is inspect.Parameter.VAR_POSITIONAL:
                parameters += [self._parameter(f"{name}[{i}]", name) for i in range(len(value))]
                values += value
            elif kind is inspect.Parameter.VAR_KEYWORD:
                parameters += [self._parameter(key, name) for key in sorted(value)]
                values += [value[key] for key in sorted(value)]
            else:
                parameters.append(self._parameter(name, name))
                values.append(value)
        return parameters, values

    def call(
        self, function: Callable[..., Any], parameters: Sequence[Parameter], values: Sequence[Any]
    ) -> Any:
        """Call the function with one value for each parameter of `bind`."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        order = iter(self._kinds)
        for parameter, value in zip(parameters, values, strict=True):
            # Behind a parameter that keeps its default only keywords can pass anything.
            is_next = not kwargs and next(order, None) == parameter.name
            by_position = is_next and parameter.kind in _BY_POSITION
            if by_position or parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                args.append(value)
            else:
                kwargs[parameter.name] = value
        return function(*args, **kwargs)


@dataclass(frozen=True, slots=True)
class Call:
    """One call, read."""

    parameters: Sequence[Parameter]
    key: CallKey
    leaves: Sequence[Leaf]
    handles: Sequence[Moved[Any]]

    def path(self, number: int) -> str:
        """Return how a leaf is written by the caller: ``params['w']``."""
        leaf = self.leaves[number]
        dynamic = [p for p in self.parameters if not p.is_static]
        first = sum(tree.n_leaves for tree in self.key.trees[: leaf.argument])
        paths = self.key.trees[leaf.argument].paths()
        return path_text(paths[number - first], dynamic[leaf.argument].name)

    def values_with(self, leaves: Iterable[Any]) -> list[Any]:
        """Return one value for each parameter, its trees built around other leaves."""
        stream = iter(leaves)
        statics = iter(self.key.statics)
        trees = iter(self.key.trees)
        values: list[Any] = []
        for parameter in self.parameters:
            if parameter.is_static:
                values.append(next(statics).value)
            else:
                tree = next(trees)
                values.append(tree.unflatten(list(islice(stream, tree.n_leaves))))
        return values


def read_call(
    signature: FunctionSignature,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    abstract: bool = False,
) -> Call:
    """Read a call.

    Parameters
    ----------
    abstract : bool
        Whether `ShapedArray` may stand for arrays and bare arrays for handles (``explain``).

    Raises
    ------
    TypeError
        If the arguments do not fit the signature, or a leaf is of no known type.
    OwnershipError
        If a leaf is passed in a way that its parameter's mode forbids.
    """
    parameters, values = signature.bind(args, kwargs)
    statics: list[Static] = []
    trees: list[TreeDef] = []
    leaves: list[Leaf] = []
    handles: list[Moved[Any]] = []
    for parameter, value in zip(parameters, values, strict=True):
        if parameter.is_static:
            statics.append(_static(signature.name, parameter.name, value))
            continue
        where = f"{signature.name}: {parameter.name}"
        tree, found, opened = read_argument(
            value, parameter.mode, where, len(trees), abstract=abstract
        )
        trees.append(tree)
        leaves += found
        handles += opened
    names = tuple([parameter.name for parameter in parameters])
    keys = tuple([leaf.key for leaf in leaves])
    key = CallKey(names, tuple(statics), tuple(trees), keys)
    return Call(parameters, key, leaves, handles)


def _static(function: str, name: str, value: Any) -> Static:
    try:
        hash(value)
    except TypeError as error:
        raise TypeError(
            f"{function}: the static argument {name!r} must be hashable, got {type(value).__name__}"
        ) from error
    return Static(value, type(value))


def read_argument(
    value: Any, mode: Mode, where: str, argument: int, *, abstract: bool
) -> tuple[TreeDef, list[Leaf], list[Moved[Any]]]:
    """Return the structure of an argument, its leaves, and the handles that stood in it.

    Raises
    ------
    TypeError
        If a leaf is of no known type.
    OwnershipError
        If a leaf is passed in a way that the mode forbids.
    """
    kinds = _KINDS_OR_AVAL if abstract else LEAF_KINDS
    raw, tree = flatten(value, kinds, where)
    handles = [leaf for leaf in raw if isinstance(leaf, Moved)]
    dead: frozenset[int] = frozenset()
    if handles:
        if mode is Mode.OWNED and tree is not LEAF:
            raise Code.NEEDS_MOVE.exception(where)
        dead = frozenset([id(leaf) for handle in handles for leaf in handle._leaves])
        for leaf in raw:
            if id(leaf) in dead:  # it stands beside its own handle
                leaf._check_readable()
        opened = [
            leaf._treedef.unflatten(leaf._leaves) if isinstance(leaf, Moved) else leaf
            for leaf in raw
        ]
        raw, tree = flatten(tree.unflatten(opened), kinds, where)
    leaves = []
    for number, leaf in enumerate(raw):
        passed = _passed(leaf, id(leaf) in dead)
        effect = EFFECT[mode, passed]
        if abstract and effect is Code.NEEDS_MOVE:
            effect = Effect.CONSUME
        if isinstance(effect, Code):
            raise effect.exception(path_text(tree.paths()[number], where))
        leaves.append(Leaf(leaf, LeafKey(_aval(leaf, where), effect), argument))
    return tree, leaves, handles


_KINDS_OR_AVAL: Final = LeafKinds(lambda kind: issubclass(kind, ShapedArray) or LEAF_KINDS[kind])


def _passed(leaf: Any, is_from_handle: bool) -> Passed:
    if is_array(leaf) or isinstance(leaf, ShapedArray):
        return Passed.HANDLE if is_from_handle else Passed.ARRAY
    return Passed.SCALAR if type(leaf) in WEAK else Passed.NUMPY


def _aval(leaf: Any, where: str) -> ShapedArray:
    if is_array(leaf):
        return leaf.aval
    if isinstance(leaf, ShapedArray):
        return leaf
    if isinstance(leaf, np.ndarray | np.generic):
        try:
            return aval_of(leaf)
        except TypeError as error:
            raise TypeError(f"{where}: {error}") from None
    if type(leaf) is int and not -(2**63) <= leaf < 2**63:
        raise OverflowError(
            f"{where}: {leaf} does not fit into {INT64}; pass it as a static argument"
        )
    return ShapedArray((), WEAK[type(leaf)], weak=type(leaf) is not bool)
