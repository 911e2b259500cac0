"""Derivatives as functions at a point: ``jvp``, ``vjp`` and ``linearize``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ownarray._array.concrete import ConcreteArray
from ownarray._array.export import lend
from ownarray._array.moved import LEAF_KINDS, Moved
from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import INEXACT, WEAK
from ownarray._ops.convert import convert
from ownarray._ops.structural import copy
from ownarray._passes.jvp import jvp as push
from ownarray._trace.bind import Operand, is_array, operand_aval
from ownarray._trace.record import evaluate
from ownarray._transforms.applied import Application, Transformed, public
from ownarray._transforms.chosen import Chosen, signature_of
from ownarray._transforms.grad import Differentiable, differentiate, pull_back, zeros
from ownarray._tree import TreeDef, flatten, path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.program import Program

R = TypeVar("R")


def _all_positional(transform: str, application: Application) -> Chosen:
    names = [parameter.name for parameter in application.call.parameters]
    return Chosen(transform, tuple(names[: application.n_positional]), is_single=False)


# ------------------------------------------------------------------ tangents and cotangents


def fitting_leaves(
    name: str, tree: object, wanted: TreeDef, avals: Sequence[ShapedArray]
) -> list[Operand | None]:
    """Return the leaves of a tree of tangents or cotangents, which must fit values.

    Leaves for integers and truth values are None.

    Raises
    ------
    TypeError
        If the structure or a dtype differs.
    ValueError
        If a shape differs.
    """
    raw, found = flatten(tree, LEAF_KINDS, name)
    if any([isinstance(leaf, Moved) for leaf in raw]):
        opened = [leaf.take() if isinstance(leaf, Moved) else leaf for leaf in raw]
        raw, found = flatten(found.unflatten(opened), LEAF_KINDS, name)
    if found != wanted:
        raise TypeError(f"{name}: expected the structure {wanted!r}, got {found!r}")
    return [
        _fitting(path_text(path, name), leaf, aval)
        for path, leaf, aval in zip(wanted.paths(), raw, avals, strict=True)
    ]


def _fitting(where: str, leaf: Any, aval: ShapedArray) -> Operand | None:
    if aval.dtype not in INEXACT:
        return None
    if type(leaf) in WEAK:
        if aval.shape:
            raise ValueError(f"{where}: expected {aval}, got the number {leaf}")
        return copy(np.asarray(leaf).astype(aval.dtype)[()])
    got = operand_aval(leaf)
    if got.shape != aval.shape:
        raise ValueError(f"{where}: expected shape {aval.shape} ({aval}), got {got}")
    if got.dtype != aval.dtype:
        if not got.weak:
            raise TypeError(f"{where}: expected dtype {aval.dtype} ({aval}), got {got}")
        return convert(leaf, aval.dtype)
    return leaf if is_array(leaf) else copy(leaf)


# ------------------------------------------------------------------ jvp


def jvp(fun: Callable[..., R], /, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[R, R]:
    """Return a function's result and its directional derivative.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of arrays.
    primals : sequence
        The arguments; lent, or consumed where they are handles.
    tangents : sequence
        The direction: one tree for each argument, of its structure, shapes and dtypes.

    Returns
    -------
    result, tangent
        Two trees of one structure; the tangent of integers is zeros of float64.

    Raises
    ------
    TypeError
        If a tangent does not fit its argument.

    Examples
    --------
    >>> import ownarray as oa
    >>> y, t = oa.jvp(lambda x: x * x, (3.0,), (1.0,))
    >>> y.item(), t.item()
    (9.0, 6.0)
    """
    if not isinstance(primals, tuple | list) or not isinstance(tangents, tuple | list):
        raise TypeError("jvp: primals and tangents are tuples, one entry for each argument")
    if len(primals) != len(tangents):
        raise TypeError(f"jvp: there are {len(primals)} primals and {len(tangents)} tangents")

    def run(application: Application) -> tuple[Any, list[Operand]]:
        names = [parameter.name for parameter in application.call.parameters]
        given: list[Operand | None] = [None] * len(application.inputs)
        numbers = application.leaves_of(names[: application.n_positional])
        for name, leaves, tangent in zip(names, numbers, tangents, strict=False):
            avals = [operand_aval(application.inputs[number].value) for number in leaves]
            tree = application.tree_of(name)
            found = fitting_leaves(f"jvp: tangents of {name}", tangent, tree, avals)
            for number, leaf in zip(leaves, found, strict=True):
                given[number] = leaf
        return _pushed(application, given)

    transformed: Transformed[..., tuple[R, R]] = Transformed(
        "jvp", fun, signature_of("jvp", fun), run
    )
    return transformed(*primals)


def _pushed(application: Application, tangents: list[Operand | None]) -> tuple[Any, list[Operand]]:
    is_wanted = [tangent is not None for tangent in tangents]
    primals = application.operands(is_wanted)
    lent = [*primals, *tangents]
    outs, out_tangents = push(
        application.name,
        lambda tracers: application.run(tracers, is_wanted=is_wanted),
        primals,
        tangents,
        [each.aval for each in application.inputs],
    )
    n, tree = application.n_returned, application.out_tree
    filled = [
        _zero_tangent(operand_aval(out)) if tangent is None else tangent
        for out, tangent in zip(outs[:n], out_tangents[:n], strict=True)
    ]
    values = public([*outs[:n], *filled], lent)
    return (tree.unflatten(values[:n]), tree.unflatten(values[n:])), outs[n:]


def _zero_tangent(aval: ShapedArray) -> Operand:
    return zeros(aval if aval.dtype in INEXACT else ShapedArray(aval.shape, np.dtype(np.float64)))


# ------------------------------------------------------------------ at a point


class _Point:
    """A function's derivative at a point: a linear program, and the values that it reads.

    Values that the caller also sees stay borrowed as long as this object lives.
    """

    def __init__(self, transform: str, application: Application, *, has_aux: bool) -> None:
        chosen = _all_positional(transform, application)
        is_wanted = chosen.mask(application)
        self.name = f"{transform} of {application.name}"
        self.in_trees = [application.tree_of(name) for name in chosen.names]
        lent = [each.value for each in application.inputs]
        found: Differentiable = differentiate(application, is_wanted, has_aux=has_aux)
        self.program: Program = found.program
        self.is_live = found.is_live
        self.residuals = found.residuals
        self.in_avals = [aval.strong() for aval in found.avals]
        self.out_tree = found.out_tree
        self.out_avals = [operand_aval(out).strong() for out in found.outs]
        self.aux_tree = found.aux_tree
        self.updates = found.updates
        self.outs = public([*found.outs, *found.aux], lent)
        self.borrows = [lend(value) for value in self.residuals if type(value) is ConcreteArray]

    def results(self) -> tuple[Any, Any]:
        """Return the result and what comes with it; they are the caller's from now on."""
        n = self.out_tree.n_leaves
        outs, self.outs = self.outs, []
        aux = None if self.aux_tree is None else self.aux_tree.unflatten(outs[n:])
        return self.out_tree.unflatten(outs[:n]), aux


class Pushforward:
    """The derivative of a function at a point: tangents of arguments to tangents of results."""

    def __init__(self, point: _Point) -> None:
        self._point = point

    def __repr__(self) -> str:
        return f"<{self._point.name}>"

    def __call__(self, *tangents: Any) -> Any:
        """Return the tangents of the results; one tree for each argument is given."""
        point = self._point
        if len(tangents) != len(point.in_trees):
            raise TypeError(
                f"{point.name}: expected {len(point.in_trees)} tangents, got {len(tangents)}"
            )
        given: list[Operand] = []
        avals = iter(point.in_avals)
        for number, (tangent, tree) in enumerate(zip(tangents, point.in_trees, strict=True)):
            wanted = [next(avals) for _ in range(tree.n_leaves)]
            found = fitting_leaves(f"{point.name}: tangents[{number}]", tangent, tree, wanted)
            given += [leaf for leaf in found if leaf is not None]
        live = iter(evaluate(point.program, [*given, *point.residuals]))
        outs = [
            next(live) if is_live else _zero_tangent(aval)
            for is_live, aval in zip(point.is_live, point.out_avals, strict=True)
        ]
        return point.out_tree.unflatten(public(outs, [*given, *point.residuals]))


class Pullback:
    """The derivative of a function at a point, from cotangents of results to those of arguments."""

    def __init__(self, point: _Point) -> None:
        self._point = point

    def __repr__(self) -> str:
        return f"<{self._point.name}>"

    def __call__(self, cotangent: Any) -> tuple[Any, ...]:
        """Return the cotangents of the arguments, one tree for each."""
        point = self._point
        given = fitting_leaves(
            f"{point.name}: cotangent", cotangent, point.out_tree, point.out_avals
        )
        live = [ct for ct, is_live in zip(given, point.is_live, strict=True) if is_live]
        found = pull_back(point.program, list(point.residuals), live, point.in_avals)
        leaves = iter(public(found, [*given, *point.residuals]))
        return tuple(
            [
                tree.unflatten([next(leaves) for _ in range(tree.n_leaves)])
                for tree in point.in_trees
            ]
        )


def vjp(fun: Callable[..., Any], /, *primals: Any, has_aux: bool = False) -> Any:
    """Return a function's result, and the function that pulls cotangents back to its arguments.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of arrays.
    *primals
        The arguments; lent, or consumed where they are handles.
    has_aux : bool, default False
        Whether ``fun`` returns a pair of the result and a tree of other results.

    Returns
    -------
    result, pullback
        And ``aux`` as third with ``has_aux``. ``pullback(ct)`` takes a tree like the result and
        returns a tuple of trees like the arguments; it can be called several times.

    Raises
    ------
    TypeError
        If an argument is not of a floating-point dtype.

    Notes
    -----
    As long as the pullback lives it borrows the arguments and results that it reads: moving or
    updating them is a BorrowError. Move the arguments, or delete the pullback, to avoid that.

    Examples
    --------
    >>> import ownarray as oa
    >>> y, pullback = oa.vjp(lambda x: x * x, 3.0)
    >>> [ct.item() for ct in pullback(1.0)]
    [6.0]
    """

    def run(application: Application) -> tuple[Any, list[Operand]]:
        point = _Point("vjp", application, has_aux=has_aux)
        out, aux = point.results()
        pullback = Pullback(point)
        return ((out, pullback, aux) if has_aux else (out, pullback)), point.updates

    return Transformed("vjp", fun, signature_of("vjp", fun), run)(*primals)


def linearize(fun: Callable[..., R], /, *primals: Any) -> tuple[R, Callable[..., R]]:
    """Return a function's result, and its derivative there as a function of tangents.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of arrays.
    *primals
        The arguments; lent, or consumed where they are handles.

    Returns
    -------
    result, pushforward
        ``pushforward(*tangents)`` computes what `jvp` would, without computing ``fun`` again.

    Raises
    ------
    TypeError
        If an argument is not of a floating-point dtype.

    Notes
    -----
    As long as the pushforward lives it borrows the arguments and results that it reads.

    Examples
    --------
    >>> import ownarray as oa
    >>> y, push = oa.linearize(lambda x: x * x, 3.0)
    >>> push(1.0).item(), push(2.0).item()
    (6.0, 12.0)
    """

    def run(application: Application) -> tuple[Any, list[Operand]]:
        point = _Point("linearize", application, has_aux=False)
        out, _ = point.results()
        return (out, Pushforward(point)), point.updates

    transformed: Transformed[..., Any] = Transformed(
        "linearize", fun, signature_of("linearize", fun), run
    )
    found: tuple[R, Callable[..., R]] = transformed(*primals)
    return found
