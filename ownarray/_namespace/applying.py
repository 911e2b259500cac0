"""Functions of the user's, applied along axes and to places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ownarray._array.consume import often
from ownarray._namespace.types import as_shape
from ownarray._ops import rearrange, shapes
from ownarray._ops.known import as_array
from ownarray._ops.promote import operand
from ownarray._ops.rules import normal_axis
from ownarray._transforms.vmap import vmap

if TYPE_CHECKING:
    from collections.abc import Callable

    from ownarray._namespace.types import Like, ShapeLike
    from ownarray._ops.operators import Array


@often
def apply_along_axis(
    function: Callable[..., Any], axis: int, x: Like, /, *args: Any, **options: Any
) -> Array:
    """Return what a function makes of the one-dimensional parts of an array along an axis.

    Parameters
    ----------
    function : callable
        ``function(part, *args, **options)``: from an array of one axis to an array or number. It is
        traced once, for all parts together, as by `vmap`.
    axis : int
    x : Array; lent, or consumed if a handle
    *args, **options
        Passed on; shared by all parts.

    Returns
    -------
    Array; owned
        The axes of the function's result stand where the axis was.

    Raises
    ------
    UseAfterMoveError
        use-after-move: an array was moved before, or a handle was spent before.
    AxisError
        If there is no such axis.

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.apply_along_axis(oa.sort, 0, oa.asarray([[3, 1], [2, 4]])).tolist()
    [[2, 1], [3, 4]]
    """
    value = as_array(operand("apply_along_axis", x))
    place = normal_axis("apply_along_axis", axis, value.ndim)
    rest = (*value.shape[:place], *value.shape[place + 1 :])
    rows = shapes.reshape(shapes.moveaxis(value, place, -1), (-1, value.shape[place]))

    def on_part(part: Array) -> Array:
        return as_array(operand("apply_along_axis", function(part, *args, **options)))

    made = vmap(on_part)(rows)
    made = shapes.reshape(made, (*rest, *made.shape[1:]))
    n_made = made.ndim - len(rest)
    return shapes.moveaxis(
        made, tuple(range(len(rest), made.ndim)), tuple(range(place, place + n_made))
    )


def fromfunction(function: Callable[..., Any], /, shape: ShapeLike, **options: Any) -> Any:
    """Return what a function makes of the places along each axis of an array.

    Parameters
    ----------
    function : callable
        ``function(rows, columns, ..., **options)``: takes an array of int64 for each axis.
    shape : int or tuple of int
        The shape of those arrays.
    **options
        Passed on.

    Returns
    -------
    whatever the function returns

    Examples
    --------
    >>> import ownarray as oa
    >>> oa.fromfunction(lambda i, j: 10 * i + j, (2, 3)).tolist()
    [[0, 1, 2], [10, 11, 12]]
    """
    places = rearrange.indices(as_shape("fromfunction", shape))
    return function(*[places[axis] for axis in range(places.shape[0])], **options)
