"""Batching: a function of one example becomes a function of many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from ownarray._ops.structural import broadcast_to, permute
from ownarray._passes.batch import Batched, batch
from ownarray._trace.bind import Operand, operand_aval
from ownarray._transforms.applied import Application, Transformed, public
from ownarray._transforms.chosen import signature_of
from ownarray._tree import LEAF, LeafKinds, TreeDef, flatten, path_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

P = ParamSpec("P")
R = TypeVar("R")


_AXES: Final = LeafKinds(lambda kind: kind is type(None) or kind is int)


def _axes_for(axes: Any, tree: TreeDef, where: str) -> list[int | None]:
    """Return one axis for each leaf of a tree; ``axes`` is a tree that may end earlier.

    Raises
    ------
    ValueError
        If the structures differ.
    TypeError
        If an axis is neither int nor None.
    """
    leaves, prefix = flatten(axes, _AXES, where)
    found: list[int | None] = []
    _spread(prefix, tree, iter(leaves), found, where)
    return found


def _spread(
    prefix: TreeDef, tree: TreeDef, axes: Iterator[Any], found: list[int | None], where: str
) -> None:
    if prefix == LEAF:
        found += [next(axes)] * tree.n_leaves
        return
    if prefix.n_leaves == 0 and not prefix.children:  # a string, a type: no container of axes
        raise TypeError(f"{where}: an axis is an int or None, got {prefix!r}")
    if prefix.type is not tree.type or prefix.steps != tree.steps:
        raise ValueError(f"{where}: {prefix!r} does not fit the structure {tree!r}")
    for inner, child, step in zip(prefix.children, tree.children, tree.steps, strict=True):
        _spread(inner, child, axes, found, where + step)


def _argument_axes(application: Application, in_axes: Any) -> list[int | None]:
    """Return the batch axis of each leaf of the arguments, not negative."""
    call = application.call
    name = application.name
    dynamic = [parameter for parameter in call.parameters if not parameter.is_static]
    trees = dict(zip([parameter.name for parameter in dynamic], call.key.trees, strict=True))
    found: list[int | None] = []
    if isinstance(in_axes, tuple | list) and len(in_axes) != application.n_positional:
        raise ValueError(
            f"vmap: in_axes has {len(in_axes)} entries, but {name} is called with"
            f" {application.n_positional} positional arguments"
        )
    for number, parameter in enumerate(call.parameters):
        given = in_axes
        if isinstance(in_axes, tuple | list):
            given = in_axes[number] if number < len(in_axes) else 0
        if parameter.is_static:
            continue
        axes = _axes_for(given, trees[parameter.name], f"vmap: in_axes of {name}: {parameter.name}")
        found += axes
    return [
        None
        if axis is None or each.is_number or each.aval.weak
        else _normal(application, number, axis)
        for number, (axis, each) in enumerate(zip(found, application.inputs, strict=True))
    ]


def _normal(application: Application, number: int, axis: int) -> int:
    """Return the batch axis of a leaf, counted from the front."""
    ndim = operand_aval(application.inputs[number].value).ndim
    if not -ndim <= axis < ndim:
        raise ValueError(
            f"vmap: {application.call.path(number)} has {ndim} axes, so there is no batch axis"
            f" {axis}. Fix: give None in in_axes for what all examples share"
        )
    return axis % ndim


def _size(application: Application, bdims: Sequence[int | None]) -> int:
    """Return how many examples there are.

    Raises
    ------
    ValueError
        If no argument has a batch axis, or they differ in size.
    """
    sizes = {
        application.call.path(number): operand_aval(each.value).shape[bdim]
        for number, (each, bdim) in enumerate(zip(application.inputs, bdims, strict=True))
        if bdim is not None
    }
    if not sizes:
        raise ValueError(
            f"vmap: no argument of {application.name} has a batch axis. Fix: give in_axes an axis"
            " for at least one array"
        )
    if len(set(sizes.values())) > 1:
        shown = ", ".join([f"{path}: {n}" for path, n in sizes.items()])
        raise ValueError(f"vmap: the batch axes of {application.name} differ in size: {shown}")
    return next(iter(sizes.values()))


def with_batch_axis(found: Batched, axis: int, size: int) -> Operand:
    """Return a value with its batch axis at a place; repeated if all examples share it."""
    value, bdim = found
    shape = operand_aval(value).shape
    if bdim is None:
        value, bdim = broadcast_to(value, (size, *shape)), 0
    ndim = operand_aval(value).ndim
    axis %= ndim
    if axis == bdim:
        return value
    order = [a for a in range(ndim) if a != bdim]
    order.insert(axis, bdim)
    return permute(value, tuple(order))


def _result(found: Batched, axis: int | None, size: int, where: str) -> Operand:
    """Return a result as ``out_axes`` asks for it."""
    if axis is not None:
        ndim = operand_aval(found.value).ndim + (found.bdim is None)
        if not -ndim <= axis < ndim:
            raise ValueError(f"vmap: out_axes: {where} has {ndim} axes, so there is no axis {axis}")
        return with_batch_axis(found, axis, size)
    if found.bdim is not None:
        raise ValueError(
            f"vmap: {where} differs between examples, so out_axes cannot be None there"
        )
    return found.value


def _run(application: Application, in_axes: Any, out_axes: Any) -> tuple[Any, list[Operand]]:
    bdims = _argument_axes(application, in_axes)
    size = _size(application, bdims)
    values = [each.value for each in application.inputs]
    unwanted = [False] * len(values)
    found = batch(
        application.name,
        lambda tracers: application.run(tracers, is_wanted=unwanted),
        values,
        bdims,
        size,
    )
    tree, n = application.out_tree, application.n_returned
    where = f"the result of {application.name}"
    axes = _axes_for(out_axes, tree, f"vmap: out_axes of {application.name}")
    outs = [
        _result(out, axis, size, path_text(path, where))
        for out, axis, path in zip(found[:n], axes, tree.paths(), strict=True)
    ]
    updates = []
    for new, number in zip(found[n:], application.updated, strict=True):
        bdim = bdims[number]
        if bdim is None and new.bdim is not None:
            raise ValueError(
                f"vmap: {application.call.path(number)} is updated differently by each example, but"
                " all examples share it. Fix: give it a batch axis in in_axes"
            )
        updates.append(new.value if bdim is None else with_batch_axis(new, bdim, size))
    lent = list(values)
    del values
    return tree.unflatten(public(outs, lent)), updates


def vmap(fun: Callable[P, R], /, in_axes: Any = 0, out_axes: Any = 0) -> Transformed[P, R]:
    """Return a function that applies a function of one example to a batch of them.

    Parameters
    ----------
    fun : callable
        Takes and returns trees of arrays.
    in_axes : int, None or tuple of trees of them, default 0
        The axis along which each argument holds the examples; None for what they share. A tree may
        end earlier than the argument's: then an axis counts for all below.
    out_axes : int, None or tree of them, default 0
        The axis along which the results hold the examples; None where they do not differ.

    Returns
    -------
    callable
        Takes what ``fun`` takes, lent, consumed or updated in place as the modes of ``fun`` say.

    Raises
    ------
    ValueError
        If the batch axes do not exist or differ in size.

    Notes
    -----
    Python numbers are shared by all examples. Keyword arguments hold the examples along axis 0, if
    ``in_axes`` is a tuple.

    Examples
    --------
    >>> import ownarray as oa
    >>> dot = lambda x, y: oa.sum(x * y)
    >>> oa.vmap(dot, in_axes=(0, None))(oa.ones((3, 2)), oa.asarray([1.0, 2.0])).tolist()
    [3.0, 3.0, 3.0]
    """
    signature = signature_of("vmap", fun)
    return Transformed(
        "vmap", fun, signature, lambda application: _run(application, in_axes, out_axes)
    )
