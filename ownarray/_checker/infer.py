"""Light types from the text alone: annotations, imports, definitions, and values of names.

With a type checker at hand its types are asked first (`Oracle`); where neither knows, the answer
is None and the rules accuse nobody.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.context import constant_index
from ownarray._checker.declare import Declarations
from ownarray._checker.scopes import REST, RETURNED, VALUE

if TYPE_CHECKING:
    from collections.abc import Callable

    from ownarray._checker.oracle import Oracle, Resolve
    from ownarray._checker.scopes import Definition, Path, Scope, Table, Variable


class Types:
    """Types of the expressions of one module."""

    def __init__(self, table: Table, oracle: Oracle, resolve: Resolve | None = None) -> None:
        self.table = table
        self.oracle = oracle
        self._resolve = resolve
        self.declared = Declarations(table, self)
        self.memo: dict[ast.AST, m.Ty | None] = {}
        self._variables: dict[Variable, m.Ty | None] = {}
        self._open: set[Variable] = set()
        self._running: set[ast.AST] = set()
        """Expressions whose type is being found out."""
        self._taint: set[Variable | ast.AST] = set()
        """Open variables and running expressions that something being computed depends on."""
        self._provisional = 0
        self._kinds: Final[dict[type, Callable[..., m.Ty | None]]] = {
            ast.Constant: self._constant,
            ast.JoinedStr: self._constant,
            ast.Compare: self._compare,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.BinOp: self._operator,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._bool,
            ast.IfExp: self._conditional,
            ast.NamedExpr: self._walrus,
            ast.Subscript: self._subscript,
            ast.Tuple: self._tuple,
            ast.List: self._list,
            ast.Set: self._list,
            ast.Dict: self._dict,
            ast.ListComp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._dict_comprehension,
            ast.Lambda: self._lambda,
            ast.Await: self._await,
            ast.Starred: self._starred,
        }
        self.declared.mark_traced()

    def of(self, node: ast.expr, scope: Scope) -> m.Ty | None:
        """Return the type of an expression."""
        if node in self.memo:
            return self.memo[node]
        if node in self._running:
            self._taint.add(node)
            return m.NOTHING
        outer, self._taint = self._taint, set()
        self._running.add(node)
        kind = self._kinds.get(type(node))
        ty = kind(node, scope) if kind is not None else None
        if ty is None or (isinstance(ty, m.Name) and not ty.full.startswith(_SURE)):
            better = self.oracle.type_of(node)
            if better is not None and (ty is None or not _is_plain(better)):
                ty = better
        elif isinstance(ty, m.Either | m.Sequence | m.Mapping | m.Tuple):
            better = self.oracle.type_of(node)
            if better is not None and not isinstance(better, m.Name):
                ty = better
        self._running.discard(node)
        self._taint.discard(node)
        if not self._taint:  # else it depends on what is being found out
            self.memo[node] = ty
        self._taint |= outer
        return ty

    def full_name(self, node: ast.expr, scope: Scope) -> str | None:
        """Return the full name of what an expression means, if it is a library's or a builtin."""
        ty = self.of(node, scope)
        return ty.full if isinstance(ty, m.Name) else None

    def of_variable(self, variable: Variable) -> m.Ty | None:
        """Return the type of a variable, whatever it holds at times."""
        if variable in self._variables:
            return self._variables[variable]
        if len(variable.definitions) == 1 and variable.definitions[0].kind == "def":
            return self._defined(variable.definitions[0])  # it may well mention itself
        if variable in self._open:
            self._taint.add(variable)
            return m.NOTHING
        if len(self._open) > _DEEPEST or self._provisional > _MOST_PROVISIONAL:
            return None
        outer, self._taint = self._taint, set()
        self._open.add(variable)
        types = [self._defined(d) for d in variable.definitions]
        annotated = [
            ty
            for d, ty in zip(variable.definitions, types, strict=True)
            if d.kind == "type" and ty is not None
        ]
        found = annotated[0] if annotated else m.joined(types)
        self._open.discard(variable)
        self._taint.discard(variable)
        if self._taint:
            self._taint |= outer
            self._provisional += 1
            return found
        self._taint = outer
        self._variables[variable] = None if found == m.NOTHING else found
        return self._variables[variable]

    def item_of(self, ty: m.Ty | None) -> m.Ty | None:
        """Return the type of what iterating gives."""
        match ty:
            case m.Sequence(item):
                return item
            case m.Tuple(items):
                return m.joined(list(items))
            case m.Array():
                return m.ARRAY
            case m.NumPy() | m.Scalar():
                return m.SCALAR
            case m.Mapping():
                return m.SCALAR
            case m.Nothing():
                return ty
            case _:
                return None

    def part(self, ty: m.Ty | None, path: Path) -> m.Ty | None:
        """Return the type of a part that an unpacking or a pattern gives."""
        for i in path:
            if i == REST:
                ty = m.Sequence(self.item_of(ty))
            elif i == VALUE:
                ty = ty.value if isinstance(ty, m.Mapping) else None
            elif isinstance(i, str):
                ty = self.attribute(ty, i[1:])
            elif isinstance(ty, m.Tuple) and -len(ty.items) <= i < len(ty.items):
                ty = ty.items[i]
            elif isinstance(ty, m.Object) and ty.cls.fields:
                fields = ty.cls.fields
                known_field = -len(fields) <= i < len(fields)
                ty = self.attribute(ty, fields[i]) if known_field else None
            else:
                ty = self.item_of(ty)
        return ty

    # ------------------------------------------------------------------------- definitions
    def _defined(self, d: Definition) -> m.Ty | None:
        if d.kind == "import":
            return self._named(d.text)
        if d.kind == "def":
            return self.declared.defined(d.node, d.scope)
        if d.kind == "param" and isinstance(d.node, ast.arg):
            return self.declared.parameter(d.node, d.scope)
        if not isinstance(d.node, ast.expr):
            return None
        if d.kind == "type":
            return self.declared.annotation(d.node, d.scope).ty
        if d.kind == "value":
            return self.part(self.of(d.node, d.scope), d.path)
        if d.kind == "item":
            return self.part(self._iterated(d.node, d.scope), d.path)
        if d.kind == "instance":
            return self.part(self.declared.annotation(d.node, d.scope).ty, d.path)
        if d.kind == "entered":
            return self._entered(d.node, d.scope)
        return None

    def _named(self, full: str) -> m.Ty:
        """Return what a full name means: something of another file of the project, or the name."""
        if self._resolve is not None and not full.startswith(_SURE):
            found = self._resolve(full)
            if found is not None:
                return found
        return m.Name(full)

    def _iterated(self, node: ast.expr, scope: Scope) -> m.Ty | None:
        if isinstance(node, ast.Call):
            name = self.full_name(node.func, scope)
            if name == "builtins.enumerate" and node.args:
                return m.Tuple((m.SCALAR, self.item_of(self.of(node.args[0], scope))))
            if name == "builtins.zip":
                return m.Tuple(tuple(self.item_of(self.of(a, scope)) for a in node.args))
            if name == "builtins.range":
                return m.SCALAR
            if isinstance(node.func, ast.Attribute) and not node.args:
                base = self.of(node.func.value, scope)
                if isinstance(base, m.Mapping):
                    if node.func.attr == "items":
                        return m.Tuple((m.SCALAR, base.value))
                    return base.value if node.func.attr == "values" else m.SCALAR
        return self.item_of(self.of(node, scope))

    def _entered(self, node: ast.expr, scope: Scope) -> m.Ty | None:
        if isinstance(node, ast.Call) and node.args:
            name = self.full_name(node.func, scope)
            if name in known.GIVES_ITSELF:
                return self.of(node.args[0], scope)
        ty = self.of(node, scope)
        enter = ty.cls.method("__enter__") if isinstance(ty, m.Object) else None
        return enter.returns or ty if enter is not None else None

    # ------------------------------------------------------------------------- expressions
    def _constant(self, node: ast.expr, scope: Scope) -> m.Ty | None:
        return m.SCALAR

    def _compare(self, node: ast.Compare, scope: Scope) -> m.Ty | None:
        sides = [self.of(x, scope) for x in (node.left, *node.comparators)]
        return m.ARRAY if any(isinstance(s, m.Array) for s in sides) else m.SCALAR

    def _name(self, node: ast.Name, scope: Scope) -> m.Ty | None:
        variable = scope.find(node.id)
        if variable is not None:
            return self.of_variable(variable)
        if not hasattr(_BUILTINS, node.id):
            star = self.table.module.names.get("*")
            for definition in reversed(star.definitions if star is not None else []):
                found = self._named(f"{definition.text}.{node.id}")
                if not isinstance(found, m.Name) or definition.text == known.LIBRARY:
                    return found
        return m.Name(f"builtins.{node.id}")

    def _attribute(self, node: ast.Attribute, scope: Scope) -> m.Ty | None:
        return self.attribute(self.of(node.value, scope), node.attr)

    def attribute(self, base: m.Ty | None, name: str) -> m.Ty | None:
        """Return the type of an attribute."""
        match base:
            case m.Name(full):
                return self._named(f"{full}.{name}")
            case m.Array():
                if name in known.NEW_ARRAYS:
                    return m.ARRAY
                return m.SCALAR if name in known.ARRAY_ATTRIBUTES else None
            case m.Object(cls):
                return self.declared.member(cls, name)
            case m.ClassObject(cls):
                method = cls.method(name)
                return m.Function(method, method.class_method) if method is not None else None
            case m.Scalar() | m.Nothing():
                return base
            case _:
                return None

    def _operator(self, node: ast.BinOp, scope: Scope) -> m.Ty | None:
        left, right = self.of(node.left, scope), self.of(node.right, scope)
        for side in (left, right):
            if isinstance(side, m.Array):
                return m.ARRAY
        if isinstance(left, m.NumPy) or isinstance(right, m.NumPy):
            return m.NUMPY
        if isinstance(left, m.Nothing) or isinstance(right, m.Nothing):
            return m.NOTHING
        if isinstance(left, m.Scalar) and isinstance(right, m.Scalar):
            return m.SCALAR
        if isinstance(left, m.Sequence) and isinstance(node.op, ast.Add | ast.Mult):
            return left
        return None

    def _unary(self, node: ast.UnaryOp, scope: Scope) -> m.Ty | None:
        return m.SCALAR if isinstance(node.op, ast.Not) else self.of(node.operand, scope)

    def _bool(self, node: ast.BoolOp, scope: Scope) -> m.Ty | None:
        return m.joined([self.of(v, scope) for v in node.values])

    def _conditional(self, node: ast.IfExp, scope: Scope) -> m.Ty | None:
        return m.joined([self.of(node.body, scope), self.of(node.orelse, scope)])

    def _walrus(self, node: ast.NamedExpr, scope: Scope) -> m.Ty | None:
        return self.of(node.value, scope)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> m.Ty | None:
        base = self.of(node.value, scope)
        match base:
            case m.Array() | m.NumPy() | m.Scalar() | m.Nothing() | m.ClassObject():
                return base
            case m.Sequence(item):
                return base if isinstance(node.slice, ast.Slice) else item
            case m.Mapping(value):
                return value
            case m.Tuple(items):
                index = constant_index(node.slice)
                if isinstance(node.slice, ast.Slice):
                    return m.Sequence(m.joined(list(items)))
                if index is not None and -len(items) <= index < len(items):
                    return items[index]
                return m.joined(list(items))
            case _:
                return None

    def _tuple(self, node: ast.Tuple, scope: Scope) -> m.Ty | None:
        if any(isinstance(e, ast.Starred) for e in node.elts):
            return m.Sequence(None)
        return m.Tuple(tuple(self.of(e, scope) for e in node.elts))

    def _list(self, node: ast.List | ast.Set, scope: Scope) -> m.Ty | None:
        items = [
            self.item_of(self.of(e.value, scope))
            if isinstance(e, ast.Starred)
            else self.of(e, scope)
            for e in node.elts
        ]
        return m.Sequence(m.joined(items))

    def _dict(self, node: ast.Dict, scope: Scope) -> m.Ty | None:
        return m.Mapping(
            m.joined(
                [
                    self.of(v, scope) if k is not None else self.item_of(self.of(v, scope))
                    for k, v in zip(node.keys, node.values, strict=True)
                ]
            )
        )

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope
    ) -> m.Ty:
        return m.Sequence(self.of(node.elt, self.table.scopes[node]))

    def _dict_comprehension(self, node: ast.DictComp, scope: Scope) -> m.Ty:
        return m.Mapping(self.of(node.value, self.table.scopes[node]))

    def _lambda(self, node: ast.Lambda, scope: Scope) -> m.Ty:
        return m.Function(self.declared.function(node, scope))

    def _await(self, node: ast.Await, scope: Scope) -> m.Ty | None:
        if isinstance(node.value, ast.Call):
            callee = self.of(node.value.func, scope)
            if isinstance(callee, m.Function) and callee.info.coroutine:
                return callee.info.returns
        return self.of(node.value, scope)

    def _starred(self, node: ast.Starred, scope: Scope) -> m.Ty | None:
        return None

    # ------------------------------------------------------------------------------- calls
    def _call(self, node: ast.Call, scope: Scope) -> m.Ty | None:
        callee = self.of(node.func, scope)
        match callee:
            case m.Name(full):
                return self._library_call(node, full, scope)
            case m.Function(info):
                if info.context_manager or info.never_returns or info.coroutine:
                    return None
                if info.generator:
                    return m.Sequence(self.item_of(info.returns))
                return self._returned(info, node)
            case m.ClassObject(cls):
                return m.Object(cls)
            case _:
                return self._method_call(node, scope)

    def _returned(self, info: m.FunctionInfo, node: ast.Call) -> m.Ty | None:
        """Return the type of a call: as declared, as mypy knows, or of what is returned."""
        if info.returns is not None:
            return info.returns
        known_type = self.oracle.type_of(node)
        if known_type is not None or info.decorated or not isinstance(info.node, ast.FunctionDef):
            return known_type
        scope = self.table.scopes.get(info.node)
        result = scope.names.get(RETURNED) if scope is not None else None
        return None if result is None or info.node.returns is not None else self.of_variable(result)

    def _library_call(self, node: ast.Call, full: str, scope: Scope) -> m.Ty | None:  # noqa: C901, PLR0912  (one branch for each kind)
        args = node.args
        first = args[0] if args and not isinstance(args[0], ast.Starred) else None
        if full in known.MOVES:
            return m.HandleOf(self.of(first, scope) if first else None)
        if full == known.JIT:
            return self.declared.compiled(node, scope)
        if full in known.SAME_TYPE or full in known.COPIERS:
            ty = self.of(first, scope) if first else None
            return ty.inner if isinstance(ty, m.HandleOf) else ty
        if full in known.LOOPS:
            return self._loop(node, full, scope)
        if full.startswith(f"{known.LIBRARY}."):
            own = full.count(".") == 1 and full not in known.NOT_ARRAYS | known.TRANSFORMS
            return m.ARRAY if own and full[len(known.LIBRARY) + 1].islower() else None
        if full in known.SAME_OBJECT and args:
            return self.of(args[-1], scope)
        if full in known.REPLACE and first:
            return self.of(first, scope)
        if full in known.LISTED:
            return m.Sequence(self.item_of(self.of(first, scope)) if first else None)
        if full in known.SOME_OF:
            item = self.item_of(self.of(first, scope)) if first else None
            several = len(args) > 1 and full in known.ONE_OF
            return m.joined([self.of(arg, scope) for arg in args]) if several else item
        if full in {"builtins.dict"}:
            ty = self.of(first, scope) if first else None
            return ty if isinstance(ty, m.Mapping) else m.Mapping(None)
        if full in known.WRAPPERS and first:
            return None
        if full == "builtins.memoryview":
            return m.NUMPY
        if full in _SCALAR_CALLS:
            return m.SCALAR
        return m.NUMPY if full.startswith("numpy.") else None

    def _loop(self, node: ast.Call, full: str, scope: Scope) -> m.Ty | None:
        place = {"ownarray.fixed_point": 2, "ownarray.fori_loop": 3, "ownarray.while_loop": 2}
        at = place.get(full)
        if at is None or len(node.args) <= at:
            return None
        ty = self.of(node.args[at], scope)
        return ty.inner if isinstance(ty, m.HandleOf) else ty

    def _method_call(self, node: ast.Call, scope: Scope) -> m.Ty | None:  # noqa: C901  (one branch for each kind)
        if not isinstance(node.func, ast.Attribute):
            return None
        base, name = self.of(node.func.value, scope), node.func.attr
        match base:
            case m.Array():
                if name == "move":
                    return m.HandleOf(m.ARRAY)
                return m.SCALAR if name in {"item", "tolist"} else m.ARRAY
            case m.HandleOf(inner):
                return inner if name == "take" else None
            case m.Sequence(item):
                if name in known.TAKES_OUT:
                    return item
                return base if name == "copy" else None
            case m.Mapping(value):
                if name in {"pop", "get", "setdefault"}:
                    return value
                return base if name == "copy" else m.Sequence(value) if name == "values" else None
            case m.Object(cls):
                return base if name == "_replace" and cls.is_tuple else None
            case m.Scalar() | m.Nothing():
                return base
            case m.NumPy():
                return m.NUMPY
            case _:
                return None


_DEEPEST: Final = 40
_MOST_PROVISIONAL: Final = 4000
"""How often a type may be found that holds only for now; more would cost too much time."""
_SURE: Final = (f"{known.LIBRARY}.", "builtins.", "numpy.", "functools.", "typing.")
_SCALAR_CALLS: Final = frozenset(
    f"builtins.{n}" for n in ("float", "int", "len", "bool", "str", "repr", "range")
)
_BUILTINS: Final = __import__("builtins")


def _is_plain(ty: m.Ty) -> bool:
    """Return whether this is a function that says nothing of ownership: its name may say more."""
    if not isinstance(ty, m.Function):
        return False
    info = ty.info
    marked = any(p.marked or isinstance(p.ty, m.HandleOf) for p in info.params)
    return not (info.compiled or marked or isinstance(info.returns, m.HandleOf))
