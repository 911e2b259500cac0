"""The markers ``Owned``, ``Borrowed`` and ``Mut``, and how they are read off a function.

Only the outermost marker of an annotation is resolved, never the inner type: that may be imported
under ``TYPE_CHECKING`` only, or be defined later.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, get_args, get_origin

from ownarray._ownership import Mode

if sys.version_info >= (3, 14):
    from annotationlib import Format

if sys.version_info >= (3, 14):
    from annotationlib import Format

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")

Owned = Annotated[T, Mode.OWNED]
"""``Owned[T]``: the parameter takes a handle, always; its memory is given to the call."""
Borrowed = Annotated[T, Mode.BORROWED]
"""``Borrowed[T]``: the parameter is read only; the caller keeps it."""
Mut = Annotated[T, Mode.MUT]
"""``Mut[T]``: the parameter is updated in place; the caller keeps it."""

MARKERS: Final[Mapping[str, Mode]] = MappingProxyType(
    {"Owned": Mode.OWNED, "Borrowed": Mode.BORROWED, "Mut": Mode.MUT}
)
"""The public name of each marker."""


def parameter_modes(function: Callable[..., Any]) -> dict[str, Mode]:
    """Return the mode of each parameter that has a marker.

    Parameters
    ----------
    function : callable
        Its annotations may be strings, as under ``from __future__ import annotations``.

    Returns
    -------
    dict of parameter name to Mode

    Raises
    ------
    TypeError
        If a marker cannot be resolved, or two markers stand on one parameter.
    """
    target = _annotated(function)
    scope = _names(target)
    called = getattr(target, "__qualname__", type(function).__name__)
    modes = {}
    for name, annotation in _annotations(target).items():
        if name == "return":
            continue
        found = _modes_of(annotation, scope, f"{called}: parameter {name!r}")
        if len(set(found)) > 1:
            raise TypeError(
                f"{called}: parameter {name!r} has several markers"
                f" ({', '.join(mode.name.title() for mode in found)}); keep one"
            )
        if found:
            modes[name] = found[0]
    return modes


def _annotated(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what carries the annotations: behind a partial, or an object's ``__call__``."""
    while isinstance(function, functools.partial):
        function = function.func
    if hasattr(function, "__annotations__") and not isinstance(function, type):
        return function
    return type(function).__call__


def _annotations(function: Callable[..., Any]) -> dict[str, object]:
    """Return the annotations unevaluated where Python defers them."""
    if sys.version_info >= (3, 14):
        return dict(inspect.get_annotations(function, format=Format.FORWARDREF))
    return dict(inspect.get_annotations(function))


def _names(function: Callable[..., Any]) -> dict[str, object]:
    """Return the names that the function's annotations may use: builtins, globals, closure."""
    inner = inspect.unwrap(function)
    names: dict[str, object] = dict(getattr(inner, "__globals__", {}))
    closure = getattr(inner, "__closure__", None) or ()
    code = getattr(inner, "__code__", None)
    for name, cell in zip(code.co_freevars if code else (), closure, strict=False):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # a variable that has no value yet
            continue
    return names


def _modes_of(annotation: object, scope: Mapping[str, object], where: str) -> tuple[Mode, ...]:
    if isinstance(annotation, str):
        return _modes_of_text(annotation, scope, where)
    text = getattr(annotation, "__forward_arg__", None)
    if isinstance(text, str):
        return _modes_of_text(text, scope, where)
    if get_origin(annotation) is Annotated:
        return tuple(item for item in get_args(annotation)[1:] if isinstance(item, Mode))
    return ()


def _modes_of_text(text: str, scope: Mapping[str, object], where: str) -> tuple[Mode, ...]:
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return ()
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _modes_of_text(node.value, scope, where)
    head = node.value if isinstance(node, ast.Subscript) else node
    if not isinstance(head, ast.Name | ast.Attribute):
        return ()
    value = _lookup(head, scope)
    last = head.id if isinstance(head, ast.Name) else head.attr
    if value is None:
        if last in MARKERS:
            raise TypeError(
                f"{where}: the marker in {text!r} cannot be resolved; import it at run time"
                f" (not under TYPE_CHECKING), for example: import ownarray as oa, oa.{last}[...]"
            )
        return ()
    outer = _modes_of(value, scope, where)
    if not outer or not isinstance(node, ast.Subscript):
        return outer
    return outer + _modes_of_text(ast.unparse(node.slice), scope, where)


def _lookup(head: ast.expr, scope: Mapping[str, object]) -> object | None:
    if isinstance(head, ast.Name):
        return scope.get(head.id)
    if isinstance(head, ast.Attribute):
        base = _lookup(head.value, scope)
        return None if base is None else getattr(base, head.attr, None)
    return None
