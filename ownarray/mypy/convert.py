"""mypy's types as the checker's few."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from mypy.nodes import (
    ARG_NAMED,
    ARG_NAMED_OPT,
    ARG_STAR,
    ARG_STAR2,
    Decorator,
    FuncDef,
    TypeInfo,
    Var,
)
from mypy.types import (
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    Parameters,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    UnionType,
    get_proper_type,
)

from ownarray._checker import model as m
from ownarray._ownership import Mode
from ownarray.mypy import calls, names

if TYPE_CHECKING:
    from ownarray._checker.infer import Types

_SCALARS: Final = frozenset(
    f"builtins.{n}" for n in ("int", "float", "bool", "str", "bytes", "complex", "range", "slice")
) | {"numpy.dtype", "numpy.generic", "types.EllipsisType", "types.NoneType"}
_DEEPEST: Final = 5


class Converter:
    """Converts types of one module; its own classes are those that the checker read itself."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._types: Types | None = None
        self._classes: dict[str, m.ClassInfo] = {}

    def attach(self, types: Types) -> None:
        """Use the checker's own reading of this module's classes."""
        self._types = types

    def type(self, type_: Type, depth: int = 0) -> m.Ty | None:
        """Return the checker's type, or None where it has no use for mypy's."""
        proper = get_proper_type(type_)
        if depth > _DEEPEST:
            return None
        match proper:
            case Instance():
                return self._instance(proper, depth)
            case NoneType():
                return m.SCALAR
            case LiteralType(fallback=fallback):
                return self._instance(fallback, depth)
            case UnionType(items=items):
                return m.joined([self.type(item, depth + 1) for item in items])
            case TupleType(items=items):
                if proper.partial_fallback.type.is_named_tuple:
                    return self._instance(proper.partial_fallback, depth)
                return m.Tuple(tuple(self.type(item, depth + 1) for item in items))
            case TypedDictType():
                values = [self.type(item, depth + 1) for item in proper.items.values()]
                return m.Mapping(m.joined(values))
            case CallableType():
                return self._callable(proper)
            case _:
                return None

    def _instance(self, proper: Instance, depth: int) -> m.Ty | None:
        info, args = proper.type, proper.args
        full = info.fullname
        if full == names.ARRAY:
            return m.ARRAY
        if full == names.MOVED:
            return m.HandleOf(self.type(args[0], depth + 1) if args else None)
        if full == names.JITTED:
            return self._compiled(proper)
        if full in {names.NDARRAY, "builtins.memoryview"}:
            return m.NUMPY
        if full in _SCALARS or info.has_base("numpy.generic") or info.is_enum:
            return self._class_of(info) if info.is_enum else m.SCALAR
        if full.startswith("builtins.") and full.rpartition(".")[2] in {"int", "str", "bool"}:
            return m.SCALAR
        return self._container(proper, depth) or self._class_of(info)

    def _container(self, proper: Instance, depth: int) -> m.Ty | None:
        info, args = proper.type, proper.args
        if not args or not info.module_name.startswith(
            ("builtins", "typing", "collections", "queue")
        ):
            return None
        if info.has_base("typing.Mapping") or info.fullname == "typing.Mapping":
            return m.Mapping(self.type(args[-1], depth + 1))
        if info.has_base("typing.Iterable") or info.fullname in {"typing.Iterable", "queue.Queue"}:
            return m.Sequence(self.type(args[0], depth + 1))
        return None

    # ------------------------------------------------------------------------- classes
    def _class_of(self, info: TypeInfo) -> m.Ty | None:
        full = info.fullname
        if full in {"builtins.object", "builtins.function"}:
            return None
        if full not in self._classes:
            own = self._own_class(full)
            if own is not None:
                self._classes[full] = own
            else:
                self._classes[full] = built = m.ClassInfo(info.name)
                self._fill(built, info)
        return m.Object(self._classes[full])

    def _own_class(self, full: str) -> m.ClassInfo | None:
        """Return the checker's reading of a class at the top of this module."""
        prefix, _, name = full.rpartition(".")
        if self._types is None or prefix != self._module:
            return None
        variable = self._types.table.module.names.get(name)
        for definition in variable.definitions if variable is not None else ():
            if isinstance(definition.node, ast.ClassDef):
                return self._types.declared.klass(definition.node, definition.scope)
        return None

    def _fill(self, built: m.ClassInfo, info: TypeInfo) -> None:
        built.is_tuple = info.is_named_tuple
        built.built_from_fields = built.is_tuple or "dataclass" in info.metadata
        if info.is_enum:
            built.members = tuple(info.enum_members)
        for base in reversed(info.mro[:-1]):
            for name, symbol in base.names.items():
                node = symbol.node
                if isinstance(node, Var) and node.type is not None and not name.startswith("__"):
                    self._field(built, name, node)
                elif isinstance(node, Decorator) and node.var.is_property:
                    built.methods[name] = m.FunctionInfo(name, [], is_property=True)
                elif isinstance(node, FuncDef | Decorator):
                    built.methods.setdefault(name, m.FunctionInfo(name, []))
        built.methods.pop("__init__", None) if built.built_from_fields else None

    def _field(self, built: m.ClassInfo, name: str, node: Var) -> None:
        if node.is_property:
            built.methods[name] = m.FunctionInfo(name, [], is_property=True)
            return
        if name not in built.fields and not node.is_classvar:
            built.fields.append(name)
        if node.type is not None:
            built.field_types[name] = None
            built.field_types[name] = self.type(node.type, 2)

    # ------------------------------------------------------------------------- functions
    def _callable(self, proper: CallableType) -> m.Ty | None:
        if proper.is_type_obj():
            made = get_proper_type(proper.ret_type)
            if isinstance(made, TupleType):
                made = made.partial_fallback
            if not isinstance(made, Instance):
                return None
            found = self._class_of(made.type)
            return m.ClassObject(found.cls) if isinstance(found, m.Object) else None
        params = self._params(proper)
        relevant = any(p.mode is not Mode.NEUTRAL or isinstance(p.ty, m.HandleOf) for p in params)
        if not relevant and not isinstance(get_proper_type(proper.ret_type), Instance):
            return None
        info = m.FunctionInfo(proper.name or "", params, returns=self.type(proper.ret_type, 2))
        return m.Function(info)

    def _compiled(self, proper: Instance) -> m.Ty | None:
        parameters = get_proper_type(proper.args[0])
        if not isinstance(parameters, Parameters):
            return None
        types = [calls.declared(type_) for type_ in parameters.arg_types]
        params = self._params(parameters.copy_modified(arg_types=types))
        info = m.FunctionInfo("", params, compiled=True, returns=self.type(proper.args[1], 2))
        return m.Function(info)

    def _params(self, parameters: CallableType | Parameters) -> list[m.Param]:
        found = []
        for type_, kind, name in zip(
            parameters.arg_types, parameters.arg_kinds, parameters.arg_names, strict=True
        ):
            mark = calls.marker(type_)
            mode = Mode[names.MARKERS[mark]] if mark is not None else Mode.NEUTRAL
            found.append(
                m.Param(
                    name or "",
                    _KINDS.get(kind, "any" if name else "pos"),
                    mode,
                    self.type(type_, 3),
                    mark is not None,
                )
            )
        return found


_KINDS: Final = {
    ARG_STAR: "star",
    ARG_STAR2: "double",
    ARG_NAMED: "key",
    ARG_NAMED_OPT: "key",
}
Proper = ProperType
