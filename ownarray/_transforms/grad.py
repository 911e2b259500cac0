"""Gradients: linearize the function at its arguments, then run the linear program backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec

from ownarray._core.dtypes import FLOAT
from ownarray._core.program import Program
from ownarray._ops.structural import broadcast_to
from ownarray._passes.linearize import linearize
from ownarray._passes.transpose import backward
from ownarray._trace.bind import Operand, operand_aval
from ownarray._transforms.applied import Application, Transformed, public
from ownarray._transforms.chosen import Chosen, Names, Nums, choose, signature_of
from ownarray._tree import TreeDef, path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.aval import ShapedArray

P = ParamSpec("P")


def zeros(aval: ShapedArray) -> Operand:
    """Return zeros of an aval."""
    return broadcast_to(aval.dtype.type(0), aval.shape)


class Differentiable(NamedTuple):
    """A function's values at its arguments, and its derivative there as a linear program."""

    outs: list[Operand]
    """The leaves of the result."""
    aux: list[Operand]
    updates: list[Operand]
    out_tree: TreeDef
    aux_tree: TreeDef | None
    program: Program
    is_live: list[bool]
    """For each leaf of the result whether the program has a result for it."""
    residuals: list[Operand]
    avals: list[ShapedArray]
    """Of the arguments that are differentiated."""


def split_aux(name: str, tree: TreeDef, *, has_aux: bool) -> tuple[TreeDef, TreeDef | None]:
    """Return the structures of a result and of what comes with it."""
    if not has_aux:
        return tree, None
    if tree.type is not tuple or len(tree.children) != 2:
        raise TypeError(
            f"{name}: with has_aux=True the function returns a pair (result, aux), got {tree!r}"
        )
    return tree.children[0], tree.children[1]


def differentiate(
    application: Application, is_wanted: Sequence[bool], *, has_aux: bool
) -> Differentiable:
    """Run a function and return its derivative; the application forgets its arguments."""
    primals = application.operands(is_wanted)
    avals = [each.aval for each in application.inputs]
    wanted_avals = [
        operand_aval(primal) for primal, wanted in zip(primals, is_wanted, strict=True) if wanted
    ]
    found = linearize(
        application.name,
        lambda tracers: application.run(tracers, is_wanted=is_wanted),
        primals,
        avals,
        is_wanted,
    )
    del primals
    application.forget()
    out_tree, aux_tree = split_aux(application.name, application.out_tree, has_aux=has_aux)
    n, n_all = out_tree.n_leaves, application.n_returned
    live = iter(found.program.outs)
    atoms = [next(live) if is_live else None for is_live in found.is_live]
    program = Program(
        found.program.params,
        found.program.eqns,
        tuple([atom for atom in atoms[:n] if atom is not None]),
    )
    return Differentiable(
        found.outs[:n],
        found.outs[n:n_all],
        found.outs[n_all:],
        out_tree,
        aux_tree,
        program,
        found.is_live[:n],
        found.residuals,
        wanted_avals,
    )


def pull_back(
    program: Program,
    residuals: list[Operand],
    cotangents: Sequence[Operand | None],
    avals: Sequence[ShapedArray],
) -> list[Operand]:
    """Return the cotangents of the arguments; the list of residuals is emptied."""
    is_linear = [number < len(avals) for number in range(len(program.params))]
    found = backward(program, is_linear, residuals, cotangents)
    return [
        zeros(aval.strong()) if ct is None else ct for ct, aval in zip(found, avals, strict=True)
    ]


def _scalar(name: str, found: Differentiable) -> ShapedArray:
    """Return the aval of the one real number that is differentiated."""
    if len(found.outs) != 1:
        shown = ", ".join(
            [
                f"{path_text(path, 'result')} ({operand_aval(out)})"
                for path, out in zip(found.out_tree.paths(), found.outs, strict=True)
            ]
        )
        raise TypeError(
            f"grad: {name} must return one number, got {shown or 'no array'}."
            " Fix: return (value, rest) with has_aux=True, or use jacrev"
        )
    aval = operand_aval(found.outs[0])
    if aval.shape or aval.dtype not in FLOAT:
        raise TypeError(
            f"grad: {name} must return one real floating-point number (shape ()), got {aval}."
            " Fix: reduce it (oa.sum, oa.mean; oa.real of a complex number), or use jacrev or vjp"
        )
    return aval


def _run(
    application: Application, chosen: Chosen, *, has_aux: bool, has_value: bool
) -> tuple[Any, list[Operand]]:
    is_wanted = chosen.mask(application)
    lent = [each.value for each in application.inputs]
    found = differentiate(application, is_wanted, has_aux=has_aux)
    aval = _scalar(application.name, found)
    one = aval.dtype.type(1)
    cts = pull_back(found.program, found.residuals, [one] if found.is_live[0] else [], found.avals)
    values = public([*cts, *found.outs, *found.aux], lent)
    gradient = chosen.trees(application, values[: len(cts)])
    value = values[len(cts)]
    if found.aux_tree is None:
        return (value, gradient) if has_value else gradient, found.updates
    aux = found.aux_tree.unflatten(values[len(cts) + 1 :])
    return ((value, aux), gradient) if has_value else (gradient, aux), found.updates


def grad(
    fun: Callable[P, Any],
    /,
    argnums: Nums = None,
    *,
    argnames: Names = (),
    has_aux: bool = False,
) -> Transformed[P, Any]:
    """Return a function that computes the gradient of a function.

    Parameters
    ----------
    fun : callable
        Returns one real number, an array of shape ``()``.
    argnums, argnames : int, str or sequences of them, optional
        The parameters to differentiate with respect to; the first, if none is given. A sequence
        gives a tuple of gradients.
    has_aux : bool, default False
        Whether ``fun`` returns a pair of the number and a tree of other results.

    Returns
    -------
    callable
        Takes what ``fun`` takes, lent or consumed as the modes of ``fun`` say; returns the
        gradient, a tree like the argument with arrays that are owned by the caller; with
        ``has_aux`` the pair (gradient, aux).

    Raises
    ------
    TypeError
        If the result is not one real number, an argument is not of a floating-point dtype, or a
        chosen parameter is declared Mut.

    Notes
    -----
    Outside of compiled functions ``fun`` may use values for Python's own control flow. In-place
    updates inside ``fun`` are differentiated. Of a complex argument the gradient is the conjugate
    of the direction of steepest ascent, as in JAX.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.grad(lambda x: oa.sum(x * x))(oa.asarray([1.0, 2.0])).tolist()
    [2.0, 4.0]
    """
    return _transformed("grad", fun, argnums, argnames, has_aux=has_aux, has_value=False)


def value_and_grad(
    fun: Callable[P, Any],
    /,
    argnums: Nums = None,
    *,
    argnames: Names = (),
    has_aux: bool = False,
) -> Transformed[P, tuple[Any, Any]]:
    """Return a function that computes a function's value and its gradient.

    Parameters
    ----------
    fun : callable
        Returns one real number, an array of shape ``()``.
    argnums, argnames : int, str or sequences of them, optional
        The parameters to differentiate with respect to; the first, if none is given.
    has_aux : bool, default False
        Whether ``fun`` returns a pair of the number and a tree of other results.

    Returns
    -------
    callable
        Takes what ``fun`` takes; returns the pair (value, gradient), with ``has_aux``
        ((value, aux), gradient). A moved argument is dead, and its memory may hold its gradient.

    Raises
    ------
    TypeError
        As `grad` does.

    Examples
    --------
    >>> import ownarray as oa
    >>> def loss(p):
    ...     return oa.sum(p["w"] * p["w"])
    >>> p = {"w": oa.asarray([1.0, 2.0])}
    >>> value, g = oa.value_and_grad(loss)(oa.move(p))
    >>> value.item(), g["w"].tolist(), p["w"].is_moved
    (5.0, [2.0, 4.0], True)
    """
    return _transformed("value_and_grad", fun, argnums, argnames, has_aux=has_aux, has_value=True)


def _transformed(
    transform: str,
    fun: Callable[..., Any],
    argnums: Nums,
    argnames: Names,
    *,
    has_aux: bool,
    has_value: bool,
) -> Transformed[Any, Any]:
    signature = signature_of(transform, fun)
    chosen = choose(transform, signature, argnums, argnames)
    return Transformed(
        transform,
        fun,
        signature,
        lambda application: _run(application, chosen, has_aux=has_aux, has_value=has_value),
    )
