"""Values that count as constants in derivatives."""

from __future__ import annotations

from typing import TypeVar

from ownarray._array.moved import LEAF_KINDS, Moved
from ownarray._core.dtypes import WEAK
from ownarray._ops import barrier
from ownarray._tree import flatten

T = TypeVar("T")


def stop_gradient(x: T | Moved[T], /) -> T:
    """Return a tree whose arrays count as constants in derivatives.

    Parameters
    ----------
    x : array or pytree of arrays; lent, or consumed where they are handles

    Returns
    -------
    tree
        Of the same structure and values; owned.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was used before.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.grad(lambda x: x * oa.stop_gradient(x))(3.0).item()
    3.0
    """
    leaves, tree = flatten(x, LEAF_KINDS, "stop_gradient")
    if any([isinstance(leaf, Moved) for leaf in leaves]):
        opened = [leaf.take() if isinstance(leaf, Moved) else leaf for leaf in leaves]
        leaves, tree = flatten(tree.unflatten(opened), LEAF_KINDS, "stop_gradient")
    return tree.unflatten(  # type: ignore[no-any-return]
        [leaf if type(leaf) in WEAK else barrier.stop_gradient(leaf) for leaf in leaves]
    )
