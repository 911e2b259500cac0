"""Functions that transforms make: they keep the modes of the function that they transform.

A transformed function reads its call as a compiled one does: handles are consumed, Mut arguments
are locked and updated, all others are lent. Then the transform runs the function on stand-ins that
have the same rights. Arguments that are no trees of arrays are passed on as they are.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, ParamSpec, TypeVar

from ownarray._array.concrete import ConcreteArray, Temporary
from ownarray._array.traced import TracedArray
from ownarray._core.dtypes import WEAK
from ownarray._ops.structural import copy
from ownarray._ownership import RIGHTS, Effect, Mode, Rights, State
from ownarray._trace.bind import Operand, current_trace, is_array
from ownarray._transforms.passing import Passing, is_gone
from ownarray._transforms.signature import (
    Call,
    CallKey,
    FunctionSignature,
    Leaf,
    Parameter,
    Static,
    read_argument,
)
from ownarray._transforms.staged import as_operand, returned_leaves, updated_leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._array.moved import Moved
    from ownarray._core.aval import ShapedArray
    from ownarray._tree import TreeDef

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)


class Input(NamedTuple):
    """One leaf of the arguments, as the transform gets it."""

    value: Operand
    aval: ShapedArray
    """How the function sees it: weak, where it stands for a Python number."""
    rights: Rights
    is_number: bool
    """Whether it is a Python number, which is passed on as it is unless the transform needs it."""


class Application:
    """One application of a function under a transform.

    Attributes
    ----------
    name : str
    n_positional : int
        How many arguments were passed by position.
    call : Call
    inputs : list of Input
        The leaves of the arguments. `forget` empties the list.
    out_tree : TreeDef
        The structure of the result, once the function has run.
    updated : list of int
        The leaves of Mut arguments that the function has changed.
    """

    out_tree: TreeDef

    def __init__(
        self,
        function: Callable[..., Any],
        signature: FunctionSignature,
        call: Call,
        inputs: list[Input],
        *,
        n_positional: int,
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = signature.name
        self.n_positional = n_positional
        self.call = call
        self.inputs = inputs
        self.updated: list[int] = []
        self._function = function
        self._signature = signature
        self._forget = forget

    @property
    def n_returned(self) -> int:
        """How many leaves the result has; the new values of updated leaves follow them."""
        return self.out_tree.n_leaves

    def operands(self, is_wanted: Sequence[bool]) -> list[Operand]:
        """Return the values of all leaves; numbers that are wanted as arrays."""
        return [
            copy(each.value) if each.is_number and wanted else each.value
            for each, wanted in zip(self.inputs, is_wanted, strict=True)
        ]

    def leaves_of(self, names: Sequence[str]) -> list[range]:
        """Return the numbers of the leaves of some parameters."""
        first, argument, found = 0, 0, {}
        for parameter in self.call.parameters:
            if not parameter.is_static:
                n = self.call.key.trees[argument].n_leaves
                found[parameter.name] = range(first, first + n)
                first, argument = first + n, argument + 1
            elif parameter.name in names:
                raise TypeError(
                    f"{self.name}: {parameter.name} is no tree of arrays, so nothing can be"
                    " differentiated with respect to it"
                )
        for name in names:
            if name not in found:
                raise TypeError(f"{self.name}: argument {name} is not given in this call")
        return [found[name] for name in names]

    def tree_of(self, name: str) -> TreeDef:
        """Return the structure of an argument."""
        dynamic = [p.name for p in self.call.parameters if not p.is_static]
        return self.call.key.trees[dynamic.index(name)]

    def forget(self) -> None:
        """Let the arguments go: from here on, who reads them last frees what was consumed."""
        self._forget()
        self.inputs.clear()

    def run(self, tracers: Sequence[Any], *, is_wanted: Sequence[bool]) -> list[Operand]:
        """Run the function on stand-ins for all leaves, under the current trace.

        Numbers that are not wanted stay numbers. The results are the leaves of what the function
        returns, then the new values of Mut leaves; no two of them are one value, and none is one of
        the arguments unless it was consumed.
        """
        before = [
            leaf.value if each.is_number and not wanted else tracer
            for leaf, each, tracer, wanted in zip(
                self.call.leaves, self.inputs, tracers, is_wanted, strict=True
            )
        ]
        values = self.call.values_with(
            [
                value.with_rights(each.rights) if isinstance(value, TracedArray) else value
                for value, each in zip(before, self.inputs, strict=True)
            ]
        )
        result = self._signature.call(self._function, self.call.parameters, values)
        outs, self.out_tree = returned_leaves(result, self.name)
        for number, new in updated_leaves(self._signature, self.call, values, before):
            self.updated.append(number)
            outs.append(new)
        kept = [
            value.payload
            for value, each in zip(before, self.inputs, strict=True)
            if isinstance(value, TracedArray) and each.rights is not Rights.OWN
        ]
        return _distinct(outs, kept)


def _distinct(outs: Sequence[Operand], kept: Sequence[object]) -> list[Operand]:
    """Return results as values of the current trace that are neither kept nor twice there."""
    trace = current_trace()
    seen = {id(payload) for payload in kept}
    found: list[Operand] = []
    for out in outs:
        if not isinstance(out, TracedArray) or out._trace is not trace or id(out.payload) in seen:
            found.append(copy(out))
        else:
            seen.add(id(out.payload))
            found.append(out)
    return found


class Transformed(Generic[P, R_co]):
    """A function made by a transform such as `grad` or `vmap`.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.grad(lambda x: x * x)(3.0).item()
    6.0
    """

    def __init__(
        self,
        transform: str,
        function: Callable[..., Any],
        signature: FunctionSignature,
        run: Callable[[Application], tuple[Any, list[Operand]]],
    ) -> None:
        functools.update_wrapper(self, function)
        self._transform = transform
        self._function = body_of(function)
        self._signature = signature
        self._run = run

    def __repr__(self) -> str:
        return f"<{self._transform} of {self._signature.name}>"

    def __get__(self, obj: object, owner: Any = None) -> Any:
        """Bind to an object, as functions in classes do."""
        return self if obj is None else functools.partial(self, obj)  # type: ignore[arg-type]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the transformed function; arguments are passed as the function's modes say."""
        call = _read(self._signature, args, kwargs)
        passing = Passing(call, (), self._signature.name)
        passing.begin()
        forgotten: list[bool] = []

        def forget() -> None:
            forgotten.append(True)
            for array in passing.consumed:
                if isinstance(array, ConcreteArray):
                    array._drop_memory()

        inputs: list[Input] = []
        try:
            inputs += [_input(leaf) for leaf in call.leaves]
            application = Application(
                self._function,
                self._signature,
                call,
                inputs,
                n_positional=len(args),
                forget=forget,
            )
            result, updates = self._run(application)
            application.forget()
            passing.end()
        except BaseException as error:
            concrete = [each.value for each in inputs if isinstance(each.value, ConcreteArray)]
            written = any([is_gone(value) for value in concrete])
            if passing.consumed and (forgotten or written):
                passing.lose(error)
            else:
                passing.undo()
            raise
        _write_back(call, application.updated, updates)
        return result  # type: ignore[no-any-return]

    def _inside(self, *args: Any, **kwargs: Any) -> Any:
        """Run as the body of another transform or a compiled function, which has read the call."""
        call = _read(self._signature, args, kwargs, inside=True)
        inputs = [_inner_input(leaf) for leaf in call.leaves]
        application = Application(
            self._function, self._signature, call, inputs, n_positional=len(args)
        )
        result, updates = self._run(application)
        _write_back(call, application.updated, updates)
        return result


def body_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what a transform runs: the inside of a function that reads its calls by itself."""
    inside: Callable[..., Any] = getattr(function, "_inside", function)
    return inside


def _read(signature: FunctionSignature, args: Any, kwargs: Any, *, inside: bool = False) -> Call:
    """Read a call; what is no tree of arrays is passed on as it is."""
    parameters: list[Parameter] = []
    statics: list[Static] = []
    trees: list[TreeDef] = []
    leaves: list[Leaf] = []
    handles: list[Moved[Any]] = []
    for parameter, value in zip(*signature.bind(args, kwargs), strict=True):
        where = f"{signature.name}: {parameter.name}"
        try:
            tree, found, opened = read_argument(
                value, parameter.mode, where, len(trees), abstract=inside
            )
        except TypeError:
            if parameter.mode is not Mode.NEUTRAL:
                raise
            parameters.append(replace(parameter, is_static=True))
            statics.append(Static(value, type(value)))
            continue
        parameters.append(parameter)
        trees.append(tree)
        leaves += found
        handles += opened
    names = tuple([parameter.name for parameter in parameters])
    keys = tuple([leaf.key for leaf in leaves])
    key = CallKey(names, tuple(statics), tuple(trees), keys)
    return Call(parameters, key, leaves, handles)


def _input(leaf: Leaf) -> Input:
    """Return how a leaf is passed on: with the rights that its effect gives."""
    effect, value = leaf.key.effect, leaf.value
    if effect in (Effect.CONSUME, Effect.UPDATE) and isinstance(value, ConcreteArray):
        mine = Temporary.around(value)
        mine._set_state(State.OWNED)
        value = mine
    elif effect is Effect.CONSUME:
        value = value._reborn()
    return _made_input(value, leaf, RIGHTS[effect])


def _inner_input(leaf: Leaf) -> Input:
    """Return how a leaf is passed on inside another body: with the rights that it has there."""
    value = leaf.value
    rights = Rights.READ
    if isinstance(value, TracedArray) and value._is_mine():
        rights = value._rights
    return _made_input(value, leaf, rights)


def _made_input(value: Any, leaf: Leaf, rights: Rights) -> Input:
    if is_array(value):
        # The owner of a traced array may update it later: what is used here is its value now.
        mine = value.with_rights(Rights.OWN) if isinstance(value, TracedArray) else value
        return Input(mine, leaf.key.aval, rights, is_number=False)
    if type(value) in WEAK:
        return Input(as_operand(value), leaf.key.aval, rights, is_number=True)
    return Input(copy(value), leaf.key.aval, rights, is_number=False)


def _write_back(call: Call, numbers: Sequence[int], values: Sequence[Operand]) -> None:
    done = 0
    try:
        for number, new in zip(numbers, values, strict=True):
            call.leaves[number].value._update(lambda _, new=new: new)
            done += 1
    except BaseException as error:
        if done:
            error.add_note(f"{done} of {len(numbers)} Mut arrays hold their new values already")
        raise


def public(values: Sequence[Operand], lent: Sequence[object] = ()) -> list[Any]:
    """Return values as the caller gets them: each its own owner, none weak, none of them lent."""
    seen = {id(value) for value in lent}
    found: list[Any] = []
    for value in values:
        if isinstance(value, TracedArray):
            found.append(TracedArray(value._trace, value.aval.strong(), value.payload))
        elif not is_array(value) or id(value) in seen:
            found.append(copy(value))
        else:
            seen.add(id(value))
            found.append(value._reborn() if isinstance(value, Temporary) else value)
    return found
