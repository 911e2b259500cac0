"""Functions, classes and annotations of a module, read off their definitions."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ownarray._annotations import MARKERS
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._ownership import Mode

if TYPE_CHECKING:
    from ownarray._checker.infer import Types
    from ownarray._checker.scopes import Scope, Table


class Annotated(NamedTuple):
    """What an annotation says."""

    ty: m.Ty | None
    mode: Mode = Mode.NEUTRAL
    marked: bool = False
    never: bool = False


class Declarations:
    """Reads definitions; asks `Types` for the meaning of names."""

    def __init__(self, table: Table, types: Types) -> None:
        self._table = table
        self._types = types
        self._functions: dict[ast.AST, m.FunctionInfo] = {}
        self._classes: dict[ast.ClassDef, m.ClassInfo] = {}

    # ------------------------------------------------------------------------- annotations
    def annotation(self, node: ast.expr | None, scope: Scope) -> Annotated:
        """Return the type and mode that an annotation gives."""
        match node:
            case None:
                return Annotated(None)
            case ast.Constant(value=str() as text):
                try:
                    inner = ast.parse(text.strip(), mode="eval").body
                except SyntaxError:
                    return Annotated(None)
                return self.annotation(inner, scope)
            case ast.Constant():
                return Annotated(m.SCALAR)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                both = [self.annotation(left, scope).ty, self.annotation(right, scope).ty]
                return Annotated(m.joined(both))
            case ast.Subscript():
                return self._generic(node, scope)
            case ast.Name() | ast.Attribute():
                return self._plain(node, scope)
            case _:
                return Annotated(None)

    def _plain(self, node: ast.expr, scope: Scope) -> Annotated:
        meaning = self._types.of(node, scope)
        if isinstance(meaning, m.ClassObject):
            return Annotated(m.Object(meaning.cls))
        if not isinstance(meaning, m.Name):
            return Annotated(None)
        full = meaning.full
        last = full.rpartition(".")[2]
        if full.startswith(f"{known.LIBRARY}."):
            if last in MARKERS:
                return Annotated(None, MARKERS[last], marked=True)
            if full == known.ARRAY_CLASS:
                return Annotated(m.ARRAY)
            return Annotated(m.HandleOf(None) if full == known.HANDLE_CLASS else None)
        if last in known.NEVER_TYPES:
            return Annotated(None, never=True)
        if full.startswith("numpy."):
            return Annotated(m.NUMPY if last in {"ndarray", "NDArray"} else None)
        if full.startswith("builtins.") and last in known.SCALARS:
            return Annotated(m.SCALAR)
        if last in known.SEQUENCES or full == "builtins.tuple":
            return Annotated(m.Sequence(None))
        return Annotated(m.Mapping(None) if last in known.MAPPINGS else None)

    def _generic(self, node: ast.Subscript, scope: Scope) -> Annotated:
        head = self._plain(node.value, scope)
        full = self._types.full_name(node.value, scope) or ""
        last = full.rpartition(".")[2]
        args = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        inner = [self.annotation(a, scope) for a in args]
        if head.marked:
            return Annotated(inner[0].ty, head.mode, marked=True)
        if full == known.HANDLE_CLASS:
            return Annotated(m.HandleOf(inner[0].ty))
        if last in {"tuple", "Tuple"}:
            if len(args) == 2 and isinstance(args[1], ast.Constant) and args[1].value is ...:
                return Annotated(m.Sequence(inner[0].ty))
            return Annotated(m.Tuple(tuple(i.ty for i in inner)))
        if last in known.SEQUENCES:
            return Annotated(m.Sequence(inner[0].ty))
        if last in known.MAPPINGS:
            return Annotated(m.Mapping(inner[-1].ty))
        if last in {"Optional", "Final", "ClassVar", "Annotated", "Required", "NotRequired"}:
            if last == "Optional":
                return Annotated(m.joined([inner[0].ty, m.SCALAR]))
            return inner[0]
        if last == "Union":
            return Annotated(m.joined([i.ty for i in inner]))
        return head

    # ------------------------------------------------------------------------- functions
    def defined(self, node: ast.AST | None, scope: Scope) -> m.Ty | None:
        """Return the type of the name that a definition binds."""
        if isinstance(node, ast.ClassDef):
            return m.ClassObject(self.klass(node, scope))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            info = self.function(node, scope)
            return None if info.decorated else m.Function(info)
        return None

    def parameter(self, node: ast.arg, scope: Scope) -> m.Ty | None:
        """Return the type of a parameter, in the scope of its function."""
        function = scope.node
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return None
        outer = scope.parent or scope
        ty = self.annotation(node.annotation, outer).ty
        args = function.args
        if args.vararg is node:
            return m.Sequence(ty)
        if args.kwarg is node:
            return m.Mapping(ty)
        if node.annotation is None and isinstance(outer.node, ast.ClassDef):
            every = [*args.posonlyargs, *args.args]
            info = self.function(function, outer)
            if every and every[0] is node and not info.static:
                cls = self.klass(outer.node, outer.parent or outer)
                return m.ClassObject(cls) if info.class_method else m.Object(cls)
        return ty

    def function(self, node: m.FunctionNode, scope: Scope) -> m.FunctionInfo:
        """Return what is known of a function that is defined in scope."""
        if node in self._functions:
            return self._functions[node]
        name = "lambda" if isinstance(node, ast.Lambda) else node.name
        info = m.FunctionInfo(name, [], node, scope)
        self._functions[node] = info
        info.params = self._params(node.args, scope)
        if isinstance(node, ast.Lambda):
            return info
        returns = self.annotation(node.returns, scope)
        info.returns, info.never_returns = returns.ty, returns.never
        info.coroutine = isinstance(node, ast.AsyncFunctionDef)
        info.generator = node in self._table.scopes and self._table.scopes[node].yields
        if isinstance(scope.node, ast.ClassDef):
            info.owner = self.klass(scope.node, scope.parent or scope)
        for decorator in node.decorator_list:
            self._decorate(info, decorator, scope)
        return info

    def _params(self, args: ast.arguments, scope: Scope) -> list[m.Param]:
        found = []
        for kind, group in (
            ("pos", args.posonlyargs),
            ("any", args.args),
            ("star", [args.vararg] if args.vararg else []),
            ("key", args.kwonlyargs),
            ("double", [args.kwarg] if args.kwarg else []),
        ):
            for arg in group:
                said = self.annotation(arg.annotation, scope)
                found.append(m.Param(arg.arg, kind, said.mode, said.ty, said.marked))
        return found

    def _decorate(self, info: m.FunctionInfo, node: ast.expr, scope: Scope) -> None:
        call = node if isinstance(node, ast.Call) else None
        name = self._types.full_name(call.func if call else node, scope) or ""
        if call is not None and name in known.WRAPPERS and call.args:
            name = self._types.full_name(call.args[0], scope) or ""
        if name == known.JIT:
            info.compiled = info.traced = True
            if call is not None:
                self._donate(info, call)
        elif name in known.TRANSFORMS:
            info.compiled = info.traced = True
        elif name == "builtins.staticmethod":
            info.static = True
        elif name == "builtins.classmethod":
            info.class_method = True
        elif name in known.PROPERTIES:
            info.is_property = True
        elif name in known.CONTEXT_MANAGERS:
            info.context_manager = True
        elif name not in known.TRANSPARENT and not name.endswith((".setter", ".getter")):
            info.decorated = True

    def _donate(self, info: m.FunctionInfo, call: ast.Call) -> None:
        """Mark what donate_argnums and donate_argnames name."""
        for keyword in call.keywords:
            if keyword.arg not in {"donate_argnums", "donate_argnames"}:
                continue
            for value in _constants(keyword.value):
                self._donate_one(info, value)

    def _donate_one(self, info: m.FunctionInfo, value: object) -> None:
        positional = [p for p in info.params if p.kind in {"pos", "any", "star"}]
        if type(value) is int and -len(positional) <= value < len(positional):
            chosen = [positional[value]]
        elif type(value) is int and positional and positional[-1].kind == "star":
            chosen = [positional[-1]]
        else:
            chosen = [p for p in info.params if p.name == value]
        for param in chosen:
            if not param.marked:
                param.mode = Mode.DONATED

    def compiled(self, call: ast.Call, scope: Scope) -> m.Ty | None:
        """Return the type of ``oa.jit(f, ...)``, or None for the decorator that it may make."""
        if not call.args:
            return None
        inner = self._types.of(call.args[0], scope)
        if not isinstance(inner, m.Function):
            return None
        params = [replace(p) for p in inner.info.params]
        info = replace(inner.info, params=params, compiled=True, generator=False)
        if inner.bound:
            info.params = params[1:]
        self._donate(info, call)
        return m.Function(info)

    def mark_traced(self) -> None:
        """Find the functions that are passed to what traces them."""
        for call, scope in self._table.used_as:
            func = call.func
            if not isinstance(func, ast.Attribute | ast.Name) or not call.args:
                continue
            last = func.attr if isinstance(func, ast.Attribute) else func.id
            if f"{known.LIBRARY}.{last}" not in known.TRACING and isinstance(func, ast.Attribute):
                continue
            if self._types.full_name(func, scope) not in known.TRACING:
                continue
            for arg in (*call.args, *(k.value for k in call.keywords)):
                if isinstance(arg, ast.Name | ast.Attribute | ast.Lambda):
                    ty = self._types.of(arg, scope)
                    if isinstance(ty, m.Function):
                        ty.info.traced = True

    # ------------------------------------------------------------------------- classes
    def klass(self, node: ast.ClassDef, scope: Scope) -> m.ClassInfo:
        """Return what is known of a class that is defined in scope."""
        if node in self._classes:
            return self._classes[node]
        inner = self._table.scopes.get(node)
        info = m.ClassInfo(node.name, node, inner)
        self._classes[node] = info
        names = [self._types.of(base, scope) for base in node.bases]
        for base in names:
            if isinstance(base, m.ClassObject):
                info.bases.append(base.cls)
                info.fields.extend(base.cls.fields)
                info.field_types.update(base.cls.field_types)
                info.built_from_fields = info.built_from_fields or base.cls.built_from_fields
            elif isinstance(base, m.Name):
                self._base(info, base.full)
            else:
                info.known = False
        for decorator in node.decorator_list:
            head = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = self._types.full_name(head, scope)
            info.built_from_fields = info.built_from_fields or name in known.DATACLASSES
        if inner is not None:
            self._members(info, node, inner)
        return info

    def _base(self, info: m.ClassInfo, full: str) -> None:
        if full in known.NAMED_TUPLES:
            info.built_from_fields = info.is_tuple = True
        elif full in known.ENUMS:
            info.members = ()
        elif full not in {"builtins.object", "typing.Protocol", "abc.ABC"}:
            info.known = False

    def _members(self, info: m.ClassInfo, node: ast.ClassDef, scope: Scope) -> None:
        members = []
        for stmt in node.body:
            if isinstance(stmt, ast.FunctionDef | ast.AsyncFunctionDef):
                decorators = [d.attr for d in stmt.decorator_list if isinstance(d, ast.Attribute)]
                kept = info.setters if "setter" in decorators else info.methods
                kept[stmt.name] = self.function(stmt, scope)
                if stmt.name in {"__exit__", "__aexit__"}:
                    info.swallows = _may_swallow(stmt)
            elif isinstance(stmt, ast.AnnAssign) and isinstance(stmt.target, ast.Name):
                said = self.annotation(stmt.annotation, scope)
                if stmt.target.id not in info.fields:
                    info.fields.append(stmt.target.id)
                info.field_types[stmt.target.id] = said.ty
            elif isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Name):
                members.append(stmt.targets[0].id)
        if info.members is not None:
            info.members = tuple(members)

    def member(self, cls: m.ClassInfo, name: str) -> m.Ty | None:
        """Return the type of an attribute of an instance."""
        if name in cls.field_types:
            return cls.field_types[name]
        method = cls.method(name)
        if method is not None:
            return method.returns if method.is_property else m.Function(method, not method.static)
        types = [
            ty
            for d in self._table.stores.get(name, ())
            if d.node is not None and self._belongs(d.scope, cls)
            for ty in [self._types._defined(d)]
        ]
        ty = m.joined(types)
        if types:
            cls.field_types[name] = ty
        return ty

    def _belongs(self, scope: Scope, cls: m.ClassInfo) -> bool:
        outer: Scope | None = scope
        while outer is not None:
            if outer.node is cls.node:
                return True
            outer = outer.parent
        return any(self._belongs(scope, base) for base in cls.bases)


def _constants(node: ast.expr) -> list[object]:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [c for e in node.elts for c in _constants(e)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return [-c for c in _constants(node.operand) if isinstance(c, int)]
    return [node.value] if isinstance(node, ast.Constant) else []


def _may_swallow(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether ``__exit__`` may return something true."""
    returns = function.returns
    if isinstance(returns, ast.Constant) and returns.value is None:
        return False
    if isinstance(returns, ast.Name) and returns.id == "bool":
        return True
    return any(
        isinstance(node, ast.Return)
        and node.value is not None
        and not (isinstance(node.value, ast.Constant) and not node.value.value)
        for node in ast.walk(function)
    )
