"""Types of ownership's own calls: handles, compiled functions, and how they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from mypy.expandtype import expand_type
from mypy.nodes import (
    Decorator,
    Expression,
    FuncDef,
    IntExpr,
    ListExpr,
    OverloadedFuncDef,
    StrExpr,
    SymbolNode,
    SymbolTableNode,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.nodes import (
    TypeAlias as AliasNode,
)
from mypy.plugins.functools import partial_new_callback
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    LiteralType,
    Parameters,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    TypeVarType,
    UnionType,
    flatten_nested_unions,
    get_proper_type,
)

from ownarray.mypy import names

if TYPE_CHECKING:
    from mypy.plugin import (
        AttributeContext,
        FunctionContext,
        FunctionSigContext,
        MethodContext,
        MethodSigContext,
    )

    _Context: TypeAlias = FunctionContext | MethodContext | FunctionSigContext | MethodSigContext

Lookup: TypeAlias = Callable[[str], SymbolTableNode | None]


def marker(type_: Type | None) -> str | None:
    """Return the full name of the outermost marker of a type."""
    if isinstance(type_, TypeAliasType) and type_.alias is not None:
        full = type_.alias.fullname
        return full if full in names.MARKERS else None
    return None


def mentions_handles(node: SymbolNode | None) -> bool:
    """Return whether a function takes or returns handles."""
    if isinstance(node, Decorator):
        node = node.var
    if not isinstance(node, FuncDef | Var | OverloadedFuncDef) or node.type is None:
        return False
    proper = get_proper_type(node.type)
    items = proper.items if isinstance(proper, FunctionLike) else []
    return any(_is_handle(t) for item in items for t in (*item.arg_types, item.ret_type))


def _is_handle(type_: Type) -> bool:
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return any(_is_handle(item) for item in proper.items)
    return isinstance(proper, Instance) and proper.type.fullname == names.MOVED


# ------------------------------------------------------------------------------- parameters
def _opened(returned: Type, context: FunctionContext | MethodContext) -> Type:
    """Let each parameter of a compiled function take handles, wherever the function is passed on.

    What more a call may pass (NumPy arrays, handles as leaves) is said where it is called: here
    it would keep functions of one signature, but other modes, from being of one type.
    """
    parameters = get_proper_type(returned.args[0]) if isinstance(returned, Instance) else None
    if not isinstance(returned, Instance) or not isinstance(parameters, Parameters):
        return returned
    types = [_or_handle(t, context) for t in parameters.arg_types]
    return returned.copy_modified(
        args=[parameters.copy_modified(arg_types=types), *returned.args[1:]]
    )


def _or_handle(type_: Type, context: _Context) -> Type:
    """Return what may stand for a parameter: its type, and handles of that."""
    handles = _handles(type_, context)
    return UnionType([type_, *handles]) if handles else type_


def _handles(type_: Type, context: _Context) -> list[Type]:
    """Return the handles that a parameter takes: of the whole, as it is declared."""
    if marker(type_) is not None and isinstance(type_, TypeAliasType):
        return [_moved(context, type_.args[0])]
    proper = get_proper_type(type_)
    wholes = flatten_nested_unions(proper.items) if isinstance(proper, UnionType) else [type_]
    return [_moved(context, t) for t in wholes if holds_arrays(t)]


def declared(type_: Type) -> Type:
    """Return the type that a function declares for a parameter, without the handles of it."""
    if not isinstance(type_, UnionType):
        return type_
    found = [get_proper_type(item) for item in type_.items]
    kept = [t for t in type_.items if not (_is_handle(t) and _inner(t) in found)]
    return UnionType.make_union(kept) if len(kept) < len(found) else type_


def _inner(type_: Type) -> Type | None:
    proper = get_proper_type(type_)
    return get_proper_type(proper.args[0]) if isinstance(proper, Instance) else None


# ------------------------------------------------------------------------------- handles
def handle_of_argument(context: FunctionContext) -> Type:
    """Return ``Moved[T]`` for ``move(x: T)``: the stub says Any, for checkers without plugins."""
    given = context.arg_types[0][0] if context.arg_types and context.arg_types[0] else None
    return context.default_return_type if given is None else _moved(context, given)


def handle_of_receiver(context: MethodContext) -> Type:
    """Return ``Moved[T]`` for ``x.move()``."""
    return _moved(context, context.type)


def _moved(context: _Context, inner: Type) -> Type:
    return context.api.named_generic_type(names.MOVED, [inner])


# ------------------------------------------------------------------------------- static methods
def static_compiled(symbol: SymbolTableNode | None, fullname: str) -> bool:
    """Return whether an attribute is a compiled function under ``@staticmethod``."""
    node = symbol.node if symbol is not None else None
    return isinstance(node, Decorator) and node.func.is_static and _is_jitted(node.var.type)


def unbound(context: AttributeContext, symbol: SymbolTableNode | None) -> Type:
    """Return the type of a static compiled function: no object is its first argument."""
    node = symbol.node if symbol is not None else None
    type_ = node.var.type if isinstance(node, Decorator) else None
    return context.default_attr_type if type_ is None else type_


def _is_jitted(type_: Type | None) -> bool:
    proper = get_proper_type(type_) if type_ is not None else None
    return isinstance(proper, Instance) and proper.type.fullname == names.JITTED


# ------------------------------------------------------------------------------- jit
def compiling(context: FunctionSigContext | MethodSigContext) -> FunctionLike:
    """Return the signature of ``jit(f, ...)`` for this f.

    What the result is assigned to must not decide what f takes: it takes handles, and f does not.
    """
    plain = context.default_signature
    if not plain.arg_types or len(context.args[0]) != 1:
        return plain
    given = get_proper_type(context.api.get_expression_type(context.args[0][0]))
    if not isinstance(given, CallableType) or given.variables or given.is_type_obj():
        return plain
    taken = Parameters(given.arg_types, given.arg_kinds, given.arg_names)
    return _solved(plain, plain.arg_types[0], taken, given.ret_type) or plain


def compiled(context: FunctionContext, lookup: Lookup) -> Type:
    """Return the type of a compiled function: it takes handles, and marks what it donates."""
    returned = get_proper_type(context.default_return_type)
    donated = _donated(context)
    if not isinstance(returned, Instance):
        return returned
    if returned.type.fullname == names.JIT_FACTORY:
        if not donated:
            return returned
        fallback = context.api.named_generic_type("builtins.tuple", [_any()])
        return returned.copy_modified(args=[TupleType([*donated], fallback)])
    return _opened(_donating(returned, donated, lookup), context)


def compiled_by_factory(context: MethodContext, lookup: Lookup) -> Type:
    """Return the type of ``jit(donate_argnums=...)(f)``, as of ``jit(f, ...)``."""
    factory = get_proper_type(context.type)
    returned = get_proper_type(context.default_return_type)
    if not isinstance(factory, Instance) or not isinstance(returned, Instance):
        return returned
    kept = get_proper_type(factory.args[0]) if factory.args else None
    items = kept.items if isinstance(kept, TupleType) else []
    donated = [t for item in items if isinstance(t := get_proper_type(item), LiteralType)]
    return _opened(_donating(returned, donated, lookup), context)


def _any() -> AnyType:
    return AnyType(TypeOfAny.special_form)


def _donated(context: FunctionContext) -> list[LiteralType]:
    """Return the constants of donate_argnums and donate_argnames."""
    found: list[LiteralType] = []
    for name, arguments in zip(context.callee_arg_names, context.args, strict=True):
        if name in names.DONATE_OPTIONS:
            for argument in arguments:
                found += _literals(argument, context)
    return found


def _literals(node: Expression, context: FunctionContext) -> list[LiteralType]:
    match node:
        case TupleExpr(items=items) | ListExpr(items=items):
            return [literal for item in items for literal in _literals(item, context)]
        case IntExpr(value=value):
            return [LiteralType(value, context.api.named_generic_type("builtins.int", []))]
        case StrExpr(value=value):
            return [LiteralType(value, context.api.named_generic_type("builtins.str", []))]
        case UnaryExpr(op="-", expr=IntExpr(value=value)):
            return [LiteralType(-value, context.api.named_generic_type("builtins.int", []))]
        case _:
            return []


def _donating(returned: Instance, donated: list[LiteralType], lookup: Lookup) -> Type:
    symbol = lookup(names.DONATED)
    if not donated or returned.type.fullname != names.JITTED or symbol is None:
        return returned
    parameters = get_proper_type(returned.args[0])
    alias = symbol.node
    if not isinstance(parameters, Parameters) or not isinstance(alias, AliasNode):
        return returned
    count = len(parameters.arg_types)
    wanted = {
        d.value + count if isinstance(d.value, int) and d.value < 0 else d.value for d in donated
    }
    types = [
        TypeAliasType(alias, [t]) if (i in wanted or n in wanted) and marker(t) is None else t
        for i, (t, n) in enumerate(zip(parameters.arg_types, parameters.arg_names, strict=True))
    ]
    changed = parameters.copy_modified(arg_types=types)
    return returned.copy_modified(args=[changed, returned.args[1]])


# ------------------------------------------------------------------------------- signatures
def signature(context: MethodSigContext) -> FunctionLike:
    """Return how a compiled function is called: handles, and NumPy arrays where it only reads.

    A bare array for ``Owned`` and a handle for ``Borrowed`` or ``Mut`` pass here: the checker
    reports them with its own codes.
    """
    return _Widen(context).callable(context.default_signature)


def partial(context: FunctionContext) -> Type:
    """Let ``functools.partial(f, ...)`` of a compiled function take handles, as f does."""
    wide = _widened(context, context.arg_types[0][0]) if context.arg_types[0] else None
    if wide is not None:
        context = context._replace(arg_types=[[wide], *context.arg_types[1:]])
    return partial_new_callback(context)


def called_later(context: FunctionSigContext | MethodSigContext) -> FunctionLike:
    """Let ``pool.submit(f, ...)`` of a compiled function take what f takes."""
    plain = context.default_signature
    for i, type_ in enumerate(plain.arg_types):
        if not context.args[i]:
            continue
        given = context.api.get_expression_type(context.args[i][0])
        wide = _widened(context, given)
        if wide is None:
            continue
        taken = Parameters(wide.arg_types, wide.arg_kinds, wide.arg_names)
        known = _solved(plain, type_, taken, wide.ret_type)
        if known is None:
            continue
        types = [given if n == i else t for n, t in enumerate(known.arg_types)]
        return known.copy_modified(arg_types=types)
    return plain


def _solved(
    plain: CallableType, callee: Type, taken: Parameters, returns: Type
) -> CallableType | None:
    """Return a signature where ``Callable[P, R]`` of one parameter is known; None if it is none."""
    callee = get_proper_type(callee)
    spec = callee.param_spec() if isinstance(callee, CallableType) else None
    returned = get_proper_type(callee.ret_type) if isinstance(callee, CallableType) else None
    if spec is None or not isinstance(returned, TypeVarType):
        return None
    left = [v for v in plain.variables if v.id not in {spec.id, returned.id}]
    return expand_type(plain.copy_modified(variables=left), {spec.id: taken, returned.id: returns})


def _widened(
    context: FunctionContext | FunctionSigContext | MethodSigContext, type_: Type
) -> CallableType | None:
    """Return how a compiled function is called, if a type is one."""
    fun = get_proper_type(type_)
    if not isinstance(fun, Instance) or fun.type.fullname != names.JITTED:
        return None
    parameters = get_proper_type(fun.args[0])
    if not isinstance(parameters, Parameters):
        return None
    plain = CallableType(
        parameters.arg_types,
        parameters.arg_kinds,
        parameters.arg_names,
        fun.args[1],
        context.api.named_generic_type("builtins.function", []),
    )
    return _Widen(context).callable(plain)


class _Widen:
    """Widens parameter types to what a call may pass."""

    def __init__(self, context: FunctionContext | FunctionSigContext | MethodSigContext) -> None:
        self._context = context

    def callable(self, plain: CallableType) -> CallableType:
        types = [self._parameter(t) for t in plain.arg_types]
        return plain.copy_modified(arg_types=types, name=None)

    def _parameter(self, type_: Type) -> Type:
        type_ = declared(type_)
        mark = marker(type_)
        if mark is not None and isinstance(type_, TypeAliasType):
            lent = names.MARKERS[mark] == "BORROWED"
            wide = self._leaves(type_.args[0], lent=lent, handles=False)
        elif holds_arrays(type_):
            wide = self._leaves(type_, lent=True, handles=True)
        else:
            return type_
        return UnionType.make_union([wide, *_handles(type_, self._context)])

    def _leaves(self, type_: Type, *, lent: bool, handles: bool, depth: int = 0) -> Type:
        """Let leaves of displays be handles, and NumPy arrays where they are lent."""
        proper = get_proper_type(type_)
        if depth > _DEEPEST:
            return type_

        def again(inner: Type) -> Type:
            return self._leaves(inner, lent=lent, handles=handles, depth=depth + 1)

        match proper:
            case UnionType(items=items):
                return UnionType.make_union([again(item) for item in items])
            case TupleType(items=items) if not proper.partial_fallback.type.is_named_tuple:
                return proper.copy_modified(items=[again(item) for item in items])
            case Instance() if proper.type.fullname == names.ARRAY:
                wide = [type_]
                if handles and depth:
                    wide.append(_moved(self._context, type_))
                return UnionType.make_union([*wide, *(self._foreign() if lent else [])])
            case Instance(args=args) if proper.type.fullname in _READ_ONLY and holds_arrays(proper):
                name = _READ_ONLY[proper.type.fullname]
                return self._named(name, [*args[:-1], again(args[-1])]) or type_
            case _:
                return type_

    def _named(self, full: str, args: list[Type]) -> Type | None:
        try:
            return self._context.api.named_generic_type(full, args)
        except (KeyError, AssertionError):  # the module is not part of this run
            return None

    def _foreign(self) -> list[Type]:
        array = self._named(names.NDARRAY, [_any(), _any()])
        scalar = self._named(names.NUMPY_SCALAR, [_any()])
        return [t for t in (array, scalar) if t is not None]


_DEEPEST = 6
_READ_ONLY = {
    "builtins.dict": "typing.Mapping",
    "typing.Mapping": "typing.Mapping",
    "builtins.list": "typing.Sequence",
    "typing.Sequence": "typing.Sequence",
    "builtins.tuple": "builtins.tuple",
}
"""Containers, and the covariant types that let a display hold handles as well."""


def holds_arrays(type_: Type, depth: int = 0) -> bool:
    """Return whether a value of a type is an array or a tree of some."""
    proper: ProperType = get_proper_type(type_)
    if depth > _DEEPEST:
        return False
    match proper:
        case UnionType(items=items) | TupleType(items=items):
            return any(holds_arrays(item, depth + 1) for item in items)
        case Instance(args=args, type=info):
            if info.fullname == names.ARRAY:
                return True
            if info.fullname in _READ_ONLY:
                return any(holds_arrays(arg, depth + 1) for arg in args)
            if "dataclass" in info.metadata:
                return any(
                    isinstance(symbol.node, Var)
                    and symbol.node.type is not None
                    and holds_arrays(symbol.node.type, depth + 1)
                    for symbol in info.names.values()
                )
            return False
        case _:
            return False
