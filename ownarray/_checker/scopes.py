"""Names of a module: its scopes, its variables, and where each variable gets its values."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from ownarray._checker.places import Var

COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LAZY_CALLEES: Final = frozenset(
    {"iter", "map", "filter", "zip", "enumerate", "chain", "islice", "cycle", "takewhile"}
    | {"dropwhile", "starmap", "tee", "accumulate", "peekable", "Thread", "partial"}
)
"""Callees that keep an iterator for later; all others are taken to use it up in the call."""
Path: TypeAlias = "tuple[int | str, ...]"
RETURNED: Final = "return"
"""The name, which no program can use, of what a function returns."""
REST: Final = "*"
"""The step to the list that a starred target gets."""
VALUE: Final = "[]"
"""The step to some value of a mapping."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One way in which a variable gets a value.

    ``kind`` is ``value``, ``item`` (an element of it), ``entered`` (what ``with`` gives), ``type``
    (an annotation), ``instance`` (of a class, by a pattern), ``def``, ``import``, ``param`` or
    ``other``; ``path`` are the steps of an unpacking: positions, attributes, or `REST`.
    """

    kind: str
    node: ast.AST | None
    scope: Scope
    path: Path = ()
    text: str = ""


@dataclass(slots=True, eq=False)
class Variable:
    """A variable: a number that places use, its name, and the scope that owns it."""

    var: Var
    name: str
    scope: Scope
    definitions: list[Definition] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Scope:
    """A module, class, function or comprehension."""

    node: ast.AST
    parent: Scope | None
    owner: Scope | None = None
    """The scope of the function, or module, in whose flow these variables live."""
    names: dict[str, Variable] = field(default_factory=dict)
    elsewhere: dict[str, str] = field(default_factory=dict)
    """Names declared ``global`` or ``nonlocal``."""
    yields: bool = False
    """Whether this is the body of a generator."""

    @property
    def is_class(self) -> bool:
        """Whether this is a class body, whose names nested functions do not see."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def flow(self) -> Scope:
        """The scope in whose flow this one's variables live."""
        return self.owner or self

    def find(self, name: str) -> Variable | None:
        """Return what a name means here, or None for a builtin."""
        scope: Scope | None = self
        first = True
        while scope is not None:
            declared = scope.elsewhere.get(name) if first or not scope.is_class else None
            if declared == "global":
                while scope.parent is not None:
                    scope = scope.parent
                return scope.names.get(name)
            if name in scope.names and (first or not scope.is_class):
                return scope.names[name]
            first = first and isinstance(scope.node, COMPREHENSIONS) and _at_class(scope)
            scope = scope.parent
        return None


def _at_class(scope: Scope) -> bool:
    return scope.parent is not None and scope.parent.is_class


class Table:
    """All scopes and variables of one module."""

    def __init__(self, tree: ast.Module) -> None:
        self.scopes: dict[ast.AST, Scope] = {}
        self.variables: list[Variable] = []
        self.lazy: set[ast.GeneratorExp] = set()
        self.eager: set[ast.GeneratorExp] = set()
        self.stores: dict[str, list[Definition]] = {}
        """Values stored to an attribute, ``self.x = v``, by the attribute's name and class."""
        self.used_as: list[tuple[ast.Call, Scope]] = []
        """Every call, for what it tells of functions that are passed to it."""
        self.module = self._open(tree, None)
        _Collector(self, self.module).many(tree.body)

    def _open(self, node: ast.AST, parent: Scope | None, owner: Scope | None = None) -> Scope:
        scope = Scope(node, parent, owner)
        self.scopes[node] = scope
        return scope

    def declare(self, scope: Scope, name: str) -> Variable:
        """Return the variable of a name that is bound in scope."""
        declared = scope.elsewhere.get(name)
        if declared == "global":
            scope = self.module
        elif declared == "nonlocal":
            found = scope.parent.find(name) if scope.parent else None
            if found is not None:
                return found
        if name not in scope.names:
            scope.names[name] = self.fresh(name, scope)
        return scope.names[name]

    def fresh(self, name: str, scope: Scope) -> Variable:
        """Return a new variable that no name of the program means."""
        variable = Variable(len(self.variables), name, scope)
        self.variables.append(variable)
        return variable


class _Collector:
    """Walks one scope and opens the ones inside."""

    def __init__(self, table: Table, scope: Scope) -> None:
        self._t = table
        self._s = scope

    def many(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            self._visit(node)

    def _bind(self, name: str, definition: Definition) -> None:
        self._t.declare(self._s, name).definitions.append(definition)

    def _visit(self, node: ast.AST) -> None:
        method = _VISIT.get(type(node))
        if method is None:
            self._children(node)
        else:
            method(self, node)

    def _children(self, node: ast.AST) -> None:
        for name in node._fields:
            child = getattr(node, name, None)
            if isinstance(child, list):
                for one in child:
                    if isinstance(one, ast.AST):
                        self._visit(one)
            elif isinstance(child, ast.AST) and type(child) not in _LEAVES:
                self._visit(child)

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> None:
        self._s.yields = True
        self._children(node)

    def _target(self, target: ast.AST, kind: str, value: ast.AST | None, path: Path) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, Definition(kind, value, self._s, path))
        elif isinstance(target, ast.Tuple | ast.List):
            for element, step in _steps(target.elts):
                self._target(element, kind, value, (*path, step))
        else:
            if isinstance(target, ast.Attribute):
                key = target.attr
                self._t.stores.setdefault(key, []).append(Definition(kind, value, self._s, path))
            self._visit(target)

    def _assign(self, node: ast.Assign) -> None:
        self._visit(node.value)
        for target in node.targets:
            self._target(target, "value", node.value, ())

    def _ann_assign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._visit(node.value)
        if isinstance(node.target, ast.Name):
            self._bind(node.target.id, Definition("type", node.annotation, self._s))
        else:
            self._target(node.target, "type", node.annotation, ())

    def _aug_assign(self, node: ast.AugAssign) -> None:
        self._visit(node.value)
        if isinstance(node.target, ast.Name):
            self._t.declare(self._s, node.target.id)
        else:
            self._visit(node.target)

    def _walrus(self, node: ast.NamedExpr) -> None:
        self._visit(node.value)
        scope = self._s
        while isinstance(scope.node, COMPREHENSIONS) and scope.parent is not None:
            scope = scope.parent
        variable = self._t.declare(scope, node.target.id)
        variable.definitions.append(Definition("value", node.value, self._s))

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        self._visit(node.iter)
        self._target(node.target, "item", node.iter, ())
        self.many(node.body)
        self.many(node.orelse)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self._visit(item.context_expr)
            if item.optional_vars is not None:
                self._target(item.optional_vars, "entered", item.context_expr, ())
        self.many(node.body)

    def _handler(self, node: ast.ExceptHandler) -> None:
        if node.type is not None:
            self._visit(node.type)
        if node.name:
            self._bind(node.name, Definition("other", None, self._s))
        self.many(node.body)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name.split(".")[0]
            text = alias.name if alias.asname else top
            self._bind(alias.asname or top, Definition("import", node, self._s, text=text))

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            text = f"{module}.{alias.name}"
            name = alias.asname or alias.name
            if name == "*":
                self._t.declare(self._s, "*").definitions.append(
                    Definition("import", node, self._s, text=module)
                )
            else:
                self._bind(name, Definition("import", node, self._s, text=text))

    def _elsewhere(self, node: ast.Global | ast.Nonlocal) -> None:
        kind = "global" if isinstance(node, ast.Global) else "nonlocal"
        for name in node.names:
            self._s.elsewhere[name] = kind
            if kind == "global":
                self._t.declare(self._s, name)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self._visit(decorator)
        self._defaults(node.args)
        self._bind(node.name, Definition("def", node, self._s))
        inner = self._t._open(node, self._s)
        collector = _Collector(self._t, inner)
        collector.parameters(node.args)
        for child in _declarations(node.body):
            collector._elsewhere(child)
        collector.many(node.body)

    def _lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)
        inner = self._t._open(node, self._s)
        collector = _Collector(self._t, inner)
        collector.parameters(node.args)
        collector._visit(node.body)

    def _defaults(self, args: ast.arguments) -> None:
        for default in (*args.defaults, *args.kw_defaults):
            if default is not None:
                self._visit(default)

    def parameters(self, args: ast.arguments) -> None:
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        for arg in (*every, *(a for a in (args.vararg, args.kwarg) if a)):
            self._bind(arg.arg, Definition("param", arg, self._s))

    def _class(self, node: ast.ClassDef) -> None:
        for expr in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
            self._visit(expr)
        self._bind(node.name, Definition("def", node, self._s))
        inner = self._t._open(node, self._s, self._s.flow)
        _Collector(self._t, inner).many(node.body)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> None:
        lazy = isinstance(node, ast.GeneratorExp) and node not in self._t.eager
        if lazy:
            self._t.lazy.add(node)  # type: ignore[arg-type]
        self._visit(node.generators[0].iter)
        inner = self._t._open(node, self._s, None if lazy else self._s.flow)
        collector = _Collector(self._t, inner)
        for i, generator in enumerate(node.generators):
            if i:
                collector._visit(generator.iter)
            where = self._s if i == 0 else inner
            collector._comp_target(generator.target, generator.iter, where)
            for test in generator.ifs:
                collector._visit(test)
        for child in ("elt", "key", "value"):
            if (expr := getattr(node, child, None)) is not None:
                collector._visit(expr)

    def _comp_target(self, target: ast.expr, iterable: ast.expr, where: Scope) -> None:
        for name, path in _paths(target, ()):
            definition = Definition("item", iterable, where, path)
            self._t.declare(self._s, name).definitions.append(definition)

    def _call(self, node: ast.Call) -> None:
        self._t.used_as.append((node, self._s))
        name = node.func.attr if isinstance(node.func, ast.Attribute) else None
        name = node.func.id if isinstance(node.func, ast.Name) else name
        if name not in LAZY_CALLEES:
            for arg in node.args:
                if isinstance(arg, ast.GeneratorExp):
                    self._t.eager.add(arg)
                elif isinstance(arg, ast.Starred) and isinstance(arg.value, ast.GeneratorExp):
                    self._t.eager.add(arg.value)
        self._children(node)

    def _match(self, node: ast.Match) -> None:
        self._visit(node.subject)
        for case in node.cases:
            self._pattern(case.pattern, Definition("value", node.subject, self._s))
            if case.guard is not None:
                self._visit(case.guard)
            self.many(case.body)

    def _pattern(self, node: ast.pattern, subject: Definition) -> None:  # noqa: C901, PLR0912  (one branch for each kind)
        """Bind the names of a pattern, whose subject is given like a variable's value."""
        inner: list[tuple[ast.pattern, Definition]] = []
        match node:
            case ast.MatchAs(pattern=pattern, name=name):
                inner += [(pattern, subject)] if pattern is not None else []
                if name is not None and isinstance(pattern, ast.MatchClass):
                    self._bind(name, Definition("instance", pattern.cls, self._s))
                elif name is not None:
                    self._bind(name, subject)
            case ast.MatchStar(name=name) if name is not None:
                self._bind(name, subject)
            case ast.MatchSequence(patterns=patterns):
                star = 0
                for i, one in enumerate(patterns):
                    step: int | str = i - star
                    if isinstance(one, ast.MatchStar):
                        step, star = REST, len(patterns)
                    inner.append((one, _part(subject, step)))
            case ast.MatchMapping(keys=keys, patterns=patterns, rest=rest):
                for key in keys:
                    self._visit(key)
                inner += [(one, _part(subject, VALUE)) for one in patterns]
                if rest is not None:
                    self._bind(rest, subject)
            case ast.MatchClass(cls=cls, patterns=patterns, kwd_attrs=attrs, kwd_patterns=named):
                self._visit(cls)
                whole = Definition("instance", cls, self._s)
                inner += [(one, _part(whole, i)) for i, one in enumerate(patterns)]
                pairs = zip(named, attrs, strict=True)
                inner += [(one, _part(whole, f".{attr}")) for one, attr in pairs]
            case ast.MatchOr(patterns=patterns):
                inner += [(one, subject) for one in patterns]
            case ast.MatchValue(value=value):
                self._visit(value)
        for one, definition in inner:
            self._pattern(one, definition)

    def _return(self, node: ast.Return) -> None:
        if node.value is not None:
            self._visit(node.value)
            self._bind(RETURNED, Definition("value", node.value, self._s))

    def _leaf(self, node: ast.AST) -> None:
        """Constants, names read and the like bind nothing."""

    def _name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._t.declare(self._s, node.id)


def _paths(target: ast.AST, path: Path) -> list[tuple[str, Path]]:
    if isinstance(target, ast.Name):
        return [(target.id, path)]
    if isinstance(target, ast.Tuple | ast.List):
        return [p for e, step in _steps(target.elts) for p in _paths(e, (*path, step))]
    return []


def _steps(elements: list[ast.expr]) -> list[tuple[ast.expr, int | str]]:
    """Return the targets of an unpacking, each with its position: from the end after a star."""
    found: list[tuple[ast.expr, int | str]] = []
    star = 0
    for i, element in enumerate(elements):
        if isinstance(element, ast.Starred):
            found.append((element.value, REST))
            star = len(elements)
        else:
            found.append((element, i - star))
    return found


def _part(whole: Definition, step: int | str) -> Definition:
    return replace(whole, path=(*whole.path, step))


def _declarations(body: list[ast.stmt]) -> list[ast.Global | ast.Nonlocal]:
    """Return the global and nonlocal statements of a body, which hold for all of it."""
    found: list[ast.Global | ast.Nonlocal] = []
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Global | ast.Nonlocal):
            found.append(node)
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case) and not isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ):
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                todo.extend(getattr(node, name, ()))
    return found


_LEAVES: Final = frozenset(
    {ast.Load, ast.Store, ast.Del, ast.Constant, ast.And, ast.Or, ast.Not, ast.USub, ast.UAdd}
    | {ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult}
    | {ast.BitOr, ast.BitAnd, ast.BitXor, ast.LShift, ast.RShift, ast.Invert}
)
_VISIT: Final[dict[type, Callable[[_Collector, Any], None]]] = {
    ast.Yield: _Collector._yield,
    ast.YieldFrom: _Collector._yield,
    ast.Assign: _Collector._assign,
    ast.AnnAssign: _Collector._ann_assign,
    ast.AugAssign: _Collector._aug_assign,
    ast.NamedExpr: _Collector._walrus,
    ast.For: _Collector._for,
    ast.AsyncFor: _Collector._for,
    ast.With: _Collector._with,
    ast.AsyncWith: _Collector._with,
    ast.ExceptHandler: _Collector._handler,
    ast.Import: _Collector._import,
    ast.ImportFrom: _Collector._import_from,
    ast.Global: _Collector._elsewhere,
    ast.Nonlocal: _Collector._elsewhere,
    ast.FunctionDef: _Collector._function,
    ast.AsyncFunctionDef: _Collector._function,
    ast.Lambda: _Collector._lambda,
    ast.ClassDef: _Collector._class,
    ast.ListComp: _Collector._comprehension,
    ast.SetComp: _Collector._comprehension,
    ast.DictComp: _Collector._comprehension,
    ast.GeneratorExp: _Collector._comprehension,
    ast.Call: _Collector._call,
    ast.Match: _Collector._match,
    ast.Return: _Collector._return,
    ast.Constant: _Collector._leaf,
    ast.Name: _Collector._name,
}
