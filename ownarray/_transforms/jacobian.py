"""Matrices of derivatives: a basis pushed forward or pulled back, all of it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec

from ownarray._core.dtypes import FLOAT, INT64
from ownarray._ops.compare import eq
from ownarray._ops.convert import convert
from ownarray._ops.iota import iota
from ownarray._ops.structural import permute, reshape_to
from ownarray._passes.batch import batch
from ownarray._passes.jvp import jvp
from ownarray._trace.bind import Operand, operand_aval
from ownarray._transforms.applied import Application, Transformed, public
from ownarray._transforms.chosen import Chosen, Names, Nums, choose, signature_of
from ownarray._transforms.grad import differentiate, pull_back, zeros
from ownarray._transforms.vmap import with_batch_axis

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ownarray._core.aval import ShapedArray
    from ownarray._tree import TreeDef

P = ParamSpec("P")


def _basis(avals: Sequence[ShapedArray]) -> list[Operand]:
    """Return for each aval one direction for each element of all avals, along a new first axis."""
    n = sum([aval.size for aval in avals])
    found: list[Operand] = []
    start = 0
    for aval in avals:
        row = iota((n, aval.size), 0, INT64)
        column = iota((n, aval.size), 1, INT64)
        mask = eq(row, column if start == 0 else column + start)
        found.append(reshape_to(convert(mask, aval.dtype), (n, *aval.shape)))
        start += aval.size
    return found


def _blocks(x: Operand, avals: Sequence[ShapedArray]) -> list[Operand]:
    """Take the first axis of x apart into the shapes of avals."""
    rest = operand_aval(x).shape[1:]
    found: list[Operand] = []
    start = 0
    for aval in avals:
        part: Any = x
        found.append(reshape_to(part[start : start + aval.size], (*aval.shape, *rest)))
        start += aval.size
    return found


def _in_axes_last(x: Operand, n_in: int) -> Operand:
    """Move the first axes, those of the argument, behind all others."""
    ndim = operand_aval(x).ndim
    return permute(x, (*range(n_in, ndim), *range(n_in))) if 0 < n_in < ndim else x


def _refuse_complex(transform: str, name: str, avals: Sequence[ShapedArray]) -> None:
    for aval in avals:
        if aval.dtype not in FLOAT:
            raise TypeError(
                f"{transform}: {name} returns {aval}; a matrix of derivatives is made of real"
                " floating-point results only"
            )


def _forward(application: Application, chosen: Chosen) -> tuple[Any, list[Operand]]:
    is_wanted = chosen.mask(application, may_be_complex=False)
    primals = application.operands(is_wanted)
    seen = [each.aval for each in application.inputs]
    avals = [
        operand_aval(primal).strong()
        for primal, wanted in zip(primals, is_wanted, strict=True)
        if wanted
    ]
    n = sum([aval.size for aval in avals])

    def push(directions: Sequence[Operand]) -> list[Operand]:
        given = iter(directions)
        tangents = [next(given) if wanted else None for wanted in is_wanted]
        outs, found = jvp(
            application.name,
            lambda tracers: application.run(tracers, is_wanted=is_wanted),
            primals,
            tangents,
            seen,
        )
        _refuse_complex(
            chosen.transform,
            application.name,
            [operand_aval(out) for out in outs[: application.n_returned]],
        )
        n_returned = application.n_returned
        filled = [
            zeros(operand_aval(out)) if tangent is None else tangent
            for out, tangent in zip(outs[:n_returned], found[:n_returned], strict=True)
        ]
        return [*filled, *outs[n_returned:]]

    found = batch(application.name, push, _basis(avals), [0] * len(avals), n)
    n_returned = application.n_returned
    columns = [with_batch_axis(each, 0, n) for each in found[:n_returned]]
    updates = [each.value for each in found[n_returned:]]
    table = [
        [
            _in_axes_last(block, aval.ndim)
            for block, aval in zip(_blocks(column, avals), avals, strict=True)
        ]
        for column in columns
    ]
    return _nested(application, chosen, application.out_tree, table), updates


def _reverse(application: Application, chosen: Chosen) -> tuple[Any, list[Operand]]:
    is_wanted = chosen.mask(application, may_be_complex=False)
    found = differentiate(application, is_wanted, has_aux=False)
    out_avals = [operand_aval(out).strong() for out in found.outs]
    _refuse_complex(chosen.transform, application.name, out_avals)
    n = sum([aval.size for aval in out_avals])

    def pull(cts: Sequence[Operand]) -> list[Operand]:
        live = [ct for ct, is_live in zip(cts, found.is_live, strict=True) if is_live]
        return pull_back(found.program, list(found.residuals), live, found.avals)

    rows = [
        with_batch_axis(each, 0, n)
        for each in batch(application.name, pull, _basis(out_avals), [0] * len(out_avals), n)
    ]
    by_argument = [_blocks(row, out_avals) for row in rows]
    table = [list(blocks) for blocks in zip(*by_argument, strict=True)]
    return _nested(application, chosen, found.out_tree, table), found.updates


def _nested(
    application: Application,
    chosen: Chosen,
    out_tree: TreeDef,
    table: Sequence[Sequence[Operand]],
) -> Any:
    """Return a tree like the result, of trees like the arguments."""
    return out_tree.unflatten([chosen.trees(application, public(row)) for row in table])


def jacfwd(
    fun: Callable[P, Any], /, argnums: Nums = None, *, argnames: Names = ()
) -> Transformed[P, Any]:
    """Return a function that computes all derivatives of a function, in forward mode.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of real arrays.
    argnums, argnames : int, str or sequences of them, optional
        The parameters to differentiate with respect to; the first, if none is given.

    Returns
    -------
    callable
        Takes what ``fun`` takes. Returns a tree like the result, whose leaves are trees like the
        argument; each leaf has the axes of the result, then those of the argument.

    Raises
    ------
    TypeError
        If an argument or result is not of a real floating-point dtype.

    Notes
    -----
    One pass for all elements of the argument at once: better than `jacrev` where the result has
    more elements than the argument.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.jacfwd(lambda x: x * x)(oa.asarray([1.0, 2.0])).tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    return _transformed("jacfwd", fun, argnums, argnames, _forward)


def jacrev(
    fun: Callable[P, Any], /, argnums: Nums = None, *, argnames: Names = ()
) -> Transformed[P, Any]:
    """Return a function that computes all derivatives of a function, in reverse mode.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of real arrays.
    argnums, argnames : int, str or sequences of them, optional
        The parameters to differentiate with respect to; the first, if none is given.

    Returns
    -------
    callable
        As of `jacfwd`.

    Raises
    ------
    TypeError
        If an argument or result is not of a real floating-point dtype.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.jacrev(lambda x: x * x)(oa.asarray([1.0, 2.0])).tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    return _transformed("jacrev", fun, argnums, argnames, _reverse)


def hessian(
    fun: Callable[P, Any], /, argnums: Nums = None, *, argnames: Names = ()
) -> Transformed[P, Any]:
    """Return a function that computes the second derivatives of a function.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of real arrays.
    argnums, argnames : int, str or sequences of them, optional
        The parameters to differentiate with respect to; the first, if none is given.

    Returns
    -------
    callable
        Takes what ``fun`` takes. Each leaf has the axes of the result, then those of the argument
        twice; it is ``jacfwd(jacrev(fun))``.

    Raises
    ------
    TypeError
        If an argument or result is not of a real floating-point dtype.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.hessian(lambda x: oa.sum(x * x * x))(oa.asarray([1.0, 2.0])).tolist()
    [[6.0, 0.0], [0.0, 12.0]]
    """
    return jacfwd(jacrev(fun, argnums, argnames=argnames), argnums, argnames=argnames)


def _transformed(
    transform: str,
    fun: Callable[..., Any],
    argnums: Nums,
    argnames: Names,
    run: Callable[[Application, Chosen], tuple[Any, list[Operand]]],
) -> Transformed[Any, Any]:
    signature = signature_of(transform, fun)
    chosen = choose(transform, signature, argnums, argnames)
    return Transformed(transform, fun, signature, lambda application: run(application, chosen))
