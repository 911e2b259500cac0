"""Bodies of the library's loops and branches: they see arrays where the call gives handles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy.expandtype import expand_type
from mypy.nodes import ARG_POS, CallExpr
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from ownarray.mypy import names
from ownarray.mypy.calls import holds_arrays

if TYPE_CHECKING:
    from mypy.plugin import FunctionSigContext


def carry(context: FunctionSigContext) -> FunctionLike:
    """Return the signature of a loop whose carry has handles in a display, or Python's numbers."""
    plain = context.default_signature
    array = None if _takes_numbers(context) else context.api.named_generic_type(names.ARRAY, [])
    changed: dict[str, Type] = {}
    for name, type_, given in zip(plain.arg_names, plain.arg_types, context.args, strict=True):
        variable = _carried(type_)
        if name not in _CARRIES or variable is None or len(given) != 1:
            continue
        actual = context.api.get_expression_type(given[0])
        inner = _in_loop(actual, array if name != "xs" else None)
        if inner is not None:
            changed[name or ""] = UnionType.make_union([actual, type_])
            plain = _bound(plain, variable, inner)
    types = [
        changed.get(name or "", type_)
        for name, type_ in zip(plain.arg_names, plain.arg_types, strict=True)
    ]
    return plain.copy_modified(arg_types=types)


def branches(context: FunctionSigContext) -> FunctionLike:
    """Return the signature of ``cond``: its branches get arrays where operands are handles."""
    plain = context.default_signature
    call = context.context
    if not isinstance(call, CallExpr) or any(kind != ARG_POS for kind in call.arg_kinds):
        return plain
    given = [context.api.get_expression_type(arg) for arg in call.args[_OPERANDS:]]
    inner = [_in_branch(context, type_) for type_ in given]
    functions = [
        taker.copy_modified(
            arg_types=inner,
            arg_kinds=[ARG_POS] * len(inner),
            arg_names=[None] * len(inner),
            is_ellipsis_args=False,
        )
        for type_ in plain.arg_types[1:_OPERANDS]
        if isinstance(taker := get_proper_type(type_), CallableType)
    ]
    if len(functions) != 2 or len(call.args) < _OPERANDS:
        return plain
    types: list[Type] = [plain.arg_types[0], *functions, *given]
    kinds = [ARG_POS] * len(types)
    return plain.copy_modified(arg_types=types, arg_kinds=kinds, arg_names=[None] * len(types))


def _in_branch(context: FunctionSigContext, type_: Type) -> Type:
    """Return what a branch gets of an operand; numbers may be arrays there."""
    proper = get_proper_type(type_)
    if isinstance(proper, Instance) and proper.type.fullname == names.MOVED:
        return proper.args[0]
    if isinstance(proper, Instance) and proper.type.fullname == names.NDARRAY:
        return context.api.named_generic_type(names.ARRAY, [])
    opened = _without_handles(type_)
    if opened is not None:
        return opened
    return type_ if holds_arrays(type_) else AnyType(TypeOfAny.special_form)


def _carried(type_: Type) -> TypeVarType | None:
    """Return the type variable of a carry, be it given as such or as a handle."""
    proper = get_proper_type(type_)
    if isinstance(proper, Instance) and proper.type.fullname == names.MOVED:
        proper = get_proper_type(proper.args[0])
    return proper if isinstance(proper, TypeVarType) else None


def _in_loop(actual: Type, array: Type | None) -> Type | None:
    """Return what the body sees of a carry; None if that is what the call gives."""
    proper = get_proper_type(actual)
    whole = isinstance(proper, Instance) and proper.type.fullname == names.MOVED
    given = proper.args[0] if whole and isinstance(proper, Instance) else actual
    opened = None if whole else _without_handles(given)
    if array is None:
        return opened
    inner = _numbers_to(array, opened or given)
    return opened if inner is None else inner


def _takes_numbers(context: FunctionSigContext) -> bool:
    """Return whether a body says that it takes Python's numbers: then so it is typed."""
    for name, given in zip(context.default_signature.arg_names, context.args, strict=True):
        if name in _BODIES and len(given) == 1:
            body = get_proper_type(context.api.get_expression_type(given[0]))
            types = body.arg_types if isinstance(body, CallableType) else []
            if any(_numbers_to(t, t) is not None for t in types):
                return True
    return False


def _numbers_to(array: Type, type_: Type, depth: int = 0) -> Type | None:
    """Return a type with Python's numbers made arrays, as a trace does; None if there are none."""
    proper = get_proper_type(type_)
    if isinstance(proper, Instance) and proper.type.fullname in _NUMBERS:
        return array
    if depth > _DEEPEST:
        return None
    inside: list[Type] = []
    if isinstance(proper, TupleType) and not proper.partial_fallback.type.is_named_tuple:
        inside = proper.items
    elif isinstance(proper, Instance) and proper.type.fullname in _DISPLAYS:
        inside = list(proper.args)
    changed = [_numbers_to(array, item, depth + 1) for item in inside]
    if isinstance(proper, Instance) and proper.type.fullname == "builtins.dict":
        changed[0] = None  # keys stay what they are
    if not any(changed):
        return None
    types = [new or old for new, old in zip(changed, inside, strict=True)]
    if isinstance(proper, TupleType):
        return proper.copy_modified(items=types)
    return proper.copy_modified(args=types) if isinstance(proper, Instance) else None


def _bound(plain: CallableType, variable: TypeVarType, to: Type) -> CallableType:
    """Return a signature with one of its variables replaced."""
    left = [v for v in plain.variables if v.id != variable.id]
    return expand_type(plain.copy_modified(variables=left), {variable.id: to})


def _without_handles(type_: Type, depth: int = 0) -> Type | None:
    """Return the type with handles inside of displays opened; None if there are none."""
    proper = get_proper_type(type_)
    if depth > _DEEPEST:
        return None
    match proper:
        case Instance(args=args) if proper.type.fullname == names.MOVED:
            return args[0] if depth else None
        case Instance(args=args) if proper.type.fullname in _DISPLAYS:
            opened = [_without_handles(arg, depth + 1) for arg in args]
            if any(opened):
                return proper.copy_modified(
                    args=[new or old for new, old in zip(opened, args, strict=True)]
                )
        case TupleType(items=items):
            opened = [_without_handles(item, depth + 1) for item in items]
            if any(opened):
                return proper.copy_modified(
                    items=[new or old for new, old in zip(opened, items, strict=True)]
                )
        case UnionType(items=items) if depth:
            opened = [_without_handles(item, depth) for item in items]
            if any(opened):
                return UnionType.make_union(
                    [new or old for new, old in zip(opened, items, strict=True)]
                )
        case _:
            pass
    return None


_NUMBERS = frozenset(f"builtins.{name}" for name in ("bool", "int", "float", "complex"))
_BODIES = frozenset({"body", "cond", "f", "fun"})
_CARRIES = frozenset({"init", "x", "xs"})
_DISPLAYS = frozenset({"builtins.list", "builtins.dict", "builtins.tuple"})
_DEEPEST = 6
_OPERANDS = 3
"""Arguments of `cond` before its operands."""
