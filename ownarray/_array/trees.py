"""Whole trees of arrays: owning again what was never spent, copying, and untying repeats."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from ownarray._array.cell import transitions
from ownarray._array.concrete import from_host
from ownarray._array.moved import LEAF_KINDS, Moved, Owner, give_back
from ownarray._ops import structural
from ownarray._ownership import State
from ownarray._trace.bind import is_array
from ownarray._tree import flatten

T = TypeVar("T")


def reclaim(tree: T, /) -> T:
    """Own again, through dead names, what was moved and never spent; its handle becomes void.

    Parameters
    ----------
    tree : array or pytree of arrays
        Dead arrays whose handle nobody spent; living arrays stay as they are.

    Returns
    -------
    tree
        New owners of the same memory in place of the dead arrays.

    Raises
    ------
    UseAfterMoveError
        use-after-move: the memory of an array was given on already; nothing is reclaimed.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.ones(2)
    >>> h = oa.move(x)
    >>> x = oa.reclaim(x)
    >>> x.is_moved
    False
    """
    leaves, treedef = flatten(tree, LEAF_KINDS, "")
    for leaf in leaves:
        if isinstance(leaf, Moved):
            raise TypeError(f"reclaim: {leaf!r} is a handle; own what it holds with take()")
    dead: dict[int, Owner] = {}
    born: dict[int, Owner] = {}
    try:
        with transitions.lock:
            for leaf in leaves:
                if isinstance(leaf, Owner):
                    leaf._check_reclaimable()
            dead = {
                id(leaf): leaf
                for leaf in leaves
                if isinstance(leaf, Owner) and leaf._ownership_state() is State.MOVED
            }
            for leaf in dead.values():
                leaf._set_state(State.SPENT)
        for key, leaf in dead.items():
            born[key] = leaf._reborn()
        return treedef.unflatten([born.get(id(leaf), leaf) for leaf in leaves])  # type: ignore[no-any-return]
    except BaseException:
        give_back(dead.values(), born.values())
        with transitions.lock:
            for leaf in dead.values():
                leaf._set_state(State.MOVED)
        raise


def copy(tree: T, /) -> T:
    """Return a copy of an array, or of a tree with all its arrays.

    Parameters
    ----------
    tree : array or pytree of arrays; lent

    Returns
    -------
    tree
        Of the same structure; every array is a new owner of its own memory.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.ones(2)
    >>> y = oa.copy(x)
    >>> y += 1.0
    >>> x.tolist(), y.tolist()
    ([1.0, 1.0], [2.0, 2.0])
    """
    leaves, treedef = flatten(tree, LEAF_KINDS, "")
    return treedef.unflatten([_copied(leaf) for leaf in leaves])  # type: ignore[no-any-return]


def _copied(leaf: Any) -> Any:
    if is_array(leaf):
        return structural.copy(leaf)
    if isinstance(leaf, Moved):
        leaf.__copy__()
    return from_host(leaf) if isinstance(leaf, np.ndarray) else leaf


def dealias(tree: T, /) -> T:
    """Return the tree with every repeated array replaced by a copy of its own.

    This unties tied weights: what was one array at two paths becomes two.

    Parameters
    ----------
    tree : pytree of arrays; lent

    Returns
    -------
    tree
        The first occurrence of each array is that array itself.

    Examples
    --------
    >>> import ownarray as oa
    >>> x = oa.ones(2)
    >>> first, second = oa.dealias((x, x))
    >>> first is x, second is x
    (True, False)
    """
    leaves, treedef = flatten(tree, LEAF_KINDS, "")
    seen: set[int] = set()
    result = []
    for leaf in leaves:
        repeated = isinstance(leaf, Owner) and id(leaf) in seen
        result.append(_copied(leaf) if repeated else leaf)
        seen.add(id(leaf))
    return treedef.unflatten(result)  # type: ignore[no-any-return]
