"""Statements: how control flows between them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar

from ownarray._checker import events as ev
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.containers import is_plain_display
from ownarray._checker.graph import nothing
from ownarray._checker.matching import Matching
from ownarray._checker.places import ANY, ITEMS
from ownarray._checker.summary import RESULT

if TYPE_CHECKING:
    from collections.abc import Callable

    from ownarray._checker.places import Place, Var


class Statements(Matching):
    """Turns statements into events and control flow."""

    def block(self, statements: list[ast.stmt]) -> None:
        """Do statements one after another."""
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Do one statement; its temporary values are gone afterwards."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            pass  # judged even where control does not come
        elif self.graph.here is None:
            self._declare_only(node)
            return
        elif self.types.oracle.is_unreachable(node, self.flow.node):
            self.graph.here = None
            return
        kind = self._KINDS_OF_STATEMENTS.get(type(node))
        if kind is None:
            return
        outer, self.temporaries = self.temporaries, []
        self.snapshots = self.module.has_walrus(node)
        kind(self, node)
        if self.temporaries:
            self.graph.add(ev.Forget(tuple(self.temporaries)))
        self.temporaries = outer

    def _declare_only(self, node: ast.stmt) -> None:
        """Functions in dead code are judged all the same."""
        for child in ast.walk(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                scope = self.module.table.scopes[child].parent
                if scope is not None:
                    self.module.announce(child, scope)

    def result(self, place: Place | None) -> None:
        """Return the value of a lambda."""
        self.graph.add(ev.Bind(RESULT, place))

    def generator_body(self, node: ast.GeneratorExp) -> None:
        """Do the rounds of a generator that runs later; its first iterable was evaluated before."""
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        self._rounds(node, 0, None, result)

    # ------------------------------------------------------------------------- simple ones
    def _expression(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):  # what is not kept is not used
            self.value(node.value)
        else:
            self.read(node.value)

    def _assign(self, node: ast.Assign) -> None:
        first = node.targets[0]
        if (
            len(node.targets) == 1
            and isinstance(first, ast.Tuple | ast.List)
            and isinstance(node.value, ast.Tuple | ast.List)
            and len(first.elts) == len(node.value.elts)
            and not any(isinstance(e, ast.Starred) for e in (*first.elts, *node.value.elts))
        ):
            self._assign_in_parallel(first.elts, node.value.elts)
            return
        place = self._assigned(node.value)
        if isinstance(first, ast.Tuple | ast.List) and isinstance(self.type(node.value), m.Array):
            place = None  # the rows of an array are new arrays
        if place is None and len(node.targets) > 1:  # several names for one new object
            place = self.temp(self.text(node.value))
            self.graph.add(ev.Bind(place[0]))
        elif (
            place is not None
            and isinstance(first, ast.Tuple | ast.List)
            and isinstance(node.value, ast.Tuple | ast.List)
            and not any(isinstance(e, ast.Starred) for e in node.value.elts)
        ):
            self.graph.add(ev.Sized(place, len(node.value.elts)))
        for target in node.targets:
            self.assign(target, place, self.type(node.value))
            self._sized(target, node.value)

    def _sized(self, target: ast.expr, value: ast.expr) -> None:
        """Remember how many items a display has: later ones are put after them."""
        if (
            isinstance(target, ast.Name)
            and isinstance(value, ast.List)
            and not any(isinstance(e, ast.Starred) for e in value.elts)
        ):
            place = self.name_place(target)
            if place is not None:
                self.graph.add(ev.Sized(place, len(value.elts)))

    def _assigned(self, value: ast.expr) -> Place | None:
        place = self.value(value)
        self.hold(place, value)
        return place if self.is_alias(value) else None

    def _assign_in_parallel(self, targets: list[ast.expr], values: list[ast.expr]) -> None:
        held: list[Place | None] = []
        for value in values:
            place = self.value(value)
            if place is None or not self.is_alias(value):
                self.hold(place, value)
                held.append(None)
                continue
            temp = self.temp(self.text(value))
            self.graph.add(ev.Bind(temp[0], place))
            held.append(temp)
        for value, temp_ in zip(values, held, strict=True):
            self.hold(temp_, value)
        for target, temp_ in zip(targets, held, strict=True):
            self.assign(target, temp_)

    def _ann_assign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self._assigned(node.value), self.type(node.value))
            self._sized(node.target, node.value)

    def _aug_assign(self, node: ast.AugAssign) -> None:
        target = node.target
        owner = (
            self.value(target.value) if isinstance(target, ast.Attribute | ast.Subscript) else None
        )
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Constant):
            self.read(target.slice)
        place = self._augmented(target, owner)
        right = self.value(node.value)
        self.use(right, node.value)
        self.graph.may_raise()
        if isinstance(target, ast.Subscript) and isinstance(self.type(target.value), m.Array):
            self.update(target.value, owner)
        elif place is not None:
            ty = self.type(target)
            if isinstance(ty, m.Array) or (ty is None and self.module.uses_library):
                self.update(target, place, known_array=isinstance(ty, m.Array))
            else:
                self.use(place, target, whole=False)
            self._extend(target, node, place, right)
        elif owner is not None:
            self.use(owner, target, whole=False)

    def _augmented(self, target: ast.expr, owner: Place | None) -> Place | None:
        if isinstance(target, ast.Name):
            variable = self.scope.find(target.id)
            if variable is None or self.holds_no_array(self.type(target)):
                if variable is not None:  # a number: keys that are made of it change
                    self.graph.add(ev.Bind(self.variable(variable), None))
                return None
            return (self.variable(variable),)
        if owner is None:
            return None
        if isinstance(target, ast.Attribute):
            place: Place = (*owner, f".{target.attr}")
            for name, steps in self.attribute_steps.items():
                if name == place:
                    self.graph.add(ev.Blur(frozenset(steps)))
            return place
        if isinstance(target, ast.Subscript) and not isinstance(self.type(target.value), m.Array):
            return (*owner, self.steps(target.slice))
        return None

    def _extend(
        self, target: ast.expr, node: ast.AugAssign, place: Place, right: Place | None
    ) -> None:
        """``xs += ys`` puts the items of ys into xs."""
        if isinstance(self.type(target), m.Sequence) and is_plain_display(node.value):
            self.append_each(place, node.value, right)
            return
        if right is not None and isinstance(self.type(target), m.Sequence):
            self.graph.add(ev.Attach((*place, ITEMS), (*right, ITEMS), certain=False))
        if isinstance(self.type(target), m.Sequence | None):
            self.graph.add(ev.Shift(place, None, None))

    def _return(self, node: ast.Return) -> None:
        if node.value is not None:
            place = self.read(node.value)
            place = place if self.is_alias(node.value) else None
            self.graph.add(ev.Bind(RESULT, place))
            self._forget()
        self.graph.leave()

    def _forget(self) -> None:
        """Temporaries go before ``finally`` runs."""
        if self.temporaries:
            self.graph.add(ev.Forget(tuple(self.temporaries)))
            self.temporaries = []

    def _raise(self, node: ast.Raise) -> None:
        for part in (node.exc, node.cause):
            if part is not None:
                self.read(part)
        self.graph.fail()

    def _assert(self, node: ast.Assert) -> None:
        self.read(node.test)
        if isinstance(node.test, ast.Constant) and not node.test.value:
            self.graph.fail()
            return

        def failed() -> None:
            if node.msg is not None:
                self.read(node.msg)
            self.graph.fail()

        self.graph.branch(failed, nothing)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            for one in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                self._delete_one(one)

    def _delete_one(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id=name):
                variable = self.scope.find(name)
                if variable is not None:
                    self.graph.add(ev.Delete((self.variable(variable),)))
            case ast.Attribute(value=base, attr=attr):
                place = self.value(base)
                if place is not None:
                    self.graph.add(ev.Delete((*place, f".{attr}")))
            case ast.Subscript(value=base, slice=key):
                place = self.value(base)
                if not isinstance(key, ast.Constant | ast.Name):
                    self.read(key)
                if place is not None:
                    mapping = isinstance(self.type(base), m.Mapping) or (
                        isinstance(key, ast.Constant) and isinstance(key.value, str)
                    )
                    if isinstance(key, ast.Slice) and key.lower is key.upper is key.step is None:
                        self.graph.add(ev.Clear(place))
                        return
                    step = ANY if isinstance(key, ast.Slice) else self.steps(key)
                    self.remove_item((*place, step), mapping=mapping)

    # ------------------------------------------------------------------------- control flow
    def _break(self, node: ast.Break) -> None:
        self._forget()
        self.graph.leave_loop(again=False)

    def _continue(self, node: ast.Continue) -> None:
        self._forget()
        self.graph.leave_loop(again=True)

    def _if(self, node: ast.If) -> None:
        known_value = self._constant_test(node.test)
        if known_value is not None:
            self.block(node.body if known_value else node.orelse)
            return
        self.read(node.test)
        self.graph.branch(lambda: self.block(node.body), lambda: self.block(node.orelse))

    def _constant_test(self, node: ast.expr) -> bool | None:
        if isinstance(node, ast.Constant):
            return bool(node.value)
        named = isinstance(node, ast.Name | ast.Attribute)
        if named and self.full_name(node) in known.TYPE_CHECKING:
            return False
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._constant_test(node.operand)
            return None if inner is None else not inner
        return None

    def _while(self, node: ast.While) -> None:
        constant = self._constant_test(node.test)
        if constant is False:
            self.block(node.orelse)
            return
        self.graph.loop(
            lambda: self._head(node.test),
            lambda: self.block(node.body),
            lambda: self.block(node.orelse),
            endless=constant is True,
        )

    def _head(self, test: ast.expr) -> None:
        """Evaluate a loop's test; what it made is gone before the body runs."""
        outer, self.temporaries = self.temporaries, []
        self.read(test)
        self._forget()
        self.temporaries = outer

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        each = self._zipped(node) or self._single(node)
        key = self._key_of_all(node)
        container = self._keyed_by(node.iter) if key is not None else None
        before = self.as_before(container)

        def body() -> None:
            each()
            if container is not None and before is not None and key is not None:
                step = f"[{self.module.table.variables[key].name}]"
                self.steps_of.setdefault(key, set()).add(step)
                self.graph.add(ev.Inherit((*container, step), before))
            self.block(node.body)

        def orelse() -> None:
            if key is not None and (steps := self.steps_of.get(key)):
                self.graph.add(ev.EachKey(frozenset(steps)))
            self.block(node.orelse)

        self.graph.loop(self.graph.may_raise, body, orelse)

    def _keyed_by(self, node: ast.expr) -> Place | None:
        """Return the container whose keys ``range(len(xs))`` and the like give."""
        while isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in {"items", "keys"}:
                node = node.func.value
            elif node.args:
                node = node.args[0]
            else:
                return None
        return self.name_place(node)

    def _key_of_all(self, node: ast.For | ast.AsyncFor) -> Var | None:
        """Return the variable of a loop that is each key of a container in turn."""
        target, call = node.target, node.iter
        if isinstance(target, ast.Tuple) and target.elts:
            target = target.elts[0]
        variable = self.scope.find(target.id) if isinstance(target, ast.Name) else None
        if variable is None:
            return None
        every = isinstance(self.type(call), m.Mapping)
        if isinstance(call, ast.Call):
            name = self.full_name(call.func)
            bounds = [a for a in call.args if isinstance(a, ast.Call)]
            every = every or name == "builtins.enumerate"
            every = every or (
                name == "builtins.range"
                and len(bounds) == len(call.args) == 1
                and self.full_name(bounds[0].func) in known.LENGTH
            )
            every = every or (
                isinstance(call.func, ast.Attribute) and call.func.attr in {"items", "keys"}
            )
        if every:
            step = f"[{variable.name}]"
            self.all_keys.add(step)
        return self.variable(variable) if every else None

    def _single(self, node: ast.For | ast.AsyncFor) -> Callable[[], None]:
        source = self.iterable(node.iter)
        before = self.begin(source)
        return lambda: self.each(node.target, node.iter, source, before)

    def _zipped(self, node: ast.For | ast.AsyncFor) -> Callable[[], None] | None:
        """``for a, b in zip(xs, ys)``: each name is an item of its own."""
        call, target = node.iter, node.target
        key: ast.Name | None = None
        match (target, call):
            case (
                ast.Tuple(elts=[ast.Name() as key, ast.Tuple() as target]),
                ast.Call(args=[inner, *rest]),
            ) if self.full_name(call.func) == "builtins.enumerate":
                call = inner
            case _:
                rest = []
        if (
            not isinstance(call, ast.Call)
            or not isinstance(target, ast.Tuple)
            or self.full_name(call.func) != "builtins.zip"
            or len(call.args) != len(target.elts)
            or any(isinstance(e, ast.Starred) for e in (*call.args, *target.elts))
        ):
            return None
        sources = [self.iterable(arg) for arg in call.args]
        earlier = [self.begin(source) for source in sources]
        for value in (*(keyword.value for keyword in call.keywords), *rest):
            self.read(value)
        pairs = list(zip(target.elts, call.args, sources, earlier, strict=True))

        def each() -> None:
            step = ITEMS
            if key is not None:
                self.assign(key, None)
                step = self.steps(key)
            for element, arg, source, before in pairs:
                self.each(element, arg, source, before, step)

        return each

    def _try(self, node: ast.Try) -> None:
        def handler(one: ast.ExceptHandler) -> Callable[[], None]:
            def run() -> None:
                if one.type is not None:
                    self.read(one.type)
                if one.name is not None:
                    variable = self.module.table.declare(self.scope_of(one.name), one.name)
                    self.graph.add(ev.Bind(self.variable(variable)))
                self.block(one.body)

            return run

        final = (lambda: self.block(node.finalbody)) if node.finalbody else None
        self.graph.attempt(
            lambda: self.block(node.body),
            [handler(one) for one in node.handlers],
            lambda: self.block(node.orelse),
            final,
        )

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        self._enter(node, 0)

    def _enter(self, node: ast.With | ast.AsyncWith, at: int) -> None:
        if at == len(node.items):
            self.block(node.body)
            return
        item = node.items[at]
        place = self._entered(item)
        self.graph.may_raise()
        if item.optional_vars is not None:
            self.assign(item.optional_vars, place)
        if self._swallows(item.context_expr):
            self.graph.attempt(lambda: self._enter(node, at + 1), [nothing], nothing, None)
        else:
            self._enter(node, at + 1)
        if self._is_buffer(item.context_expr) and isinstance(item.optional_vars, ast.Name):
            held = self.value(item.optional_vars)
            if held is not None:
                self.graph.add(ev.EndViews(held))

    def _entered(self, item: ast.withitem) -> Place | None:
        """Evaluate a context manager; return the place of what ``as`` gets."""
        expr = item.context_expr
        if isinstance(expr, ast.Call):
            name = self.full_name(expr.func)
            if name in known.GIVES_ITSELF and len(expr.args) == 1:
                return self._assigned(expr.args[0])
        place, ty = self.read(expr), self.type(expr)
        own = self.own_method(ty, "__enter__") or self.own_method(ty, "__aenter__")
        if own is not None and place is not None:
            return self._result(expr, own, place, [], None)
        callee = self.type(expr.func) if isinstance(expr, ast.Call) else None
        if isinstance(callee, m.Function) and callee.info.context_manager and place is not None:
            return (*place, ITEMS)
        return place if self._is_buffer(expr) else None

    def _is_buffer(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self.full_name(node.func) == "builtins.memoryview"

    def _swallows(self, node: ast.expr) -> bool:
        callee = node.func if isinstance(node, ast.Call) else node
        if self.full_name(callee) in known.SWALLOWING:
            return True
        ty = self.type(node)
        if isinstance(ty, m.Object) and ty.cls.node is not None:
            return ty.cls.swallows
        return bool(self.types.oracle.swallows(node))

    # ------------------------------------------------------------------------- definitions
    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.read(decorator)
        held = self.defaults(node.args)
        self.module.announce(node, self.scope)
        variable = self.module.table.declare(self.scope_of(node.name), node.name)
        place: Place = (self.variable(variable),)
        self.graph.add(ev.Bind(place[0]))
        self.graph.add(ev.Function(place, node))
        for i, default in enumerate(held):
            self.graph.add(ev.Attach((*place, f".default{i}"), default))

    def _class(self, node: ast.ClassDef) -> None:
        for expr in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
            self.read(expr)
        outer, self.scope = self.scope, self.module.table.scopes[node]
        self.block(node.body)
        inner, self.scope = self.scope, outer
        variable = self.module.table.declare(self.scope_of(node.name), node.name)
        var = self.variable(variable)
        self.graph.add(ev.Bind(var))
        for name, member in inner.names.items():
            if any(d.kind in {"value", "type"} for d in member.definitions):
                self.graph.add(ev.Attach((var, f".{name}"), (member.var,)))

    def _nothing(self, node: ast.stmt) -> None:
        """Import, pass, global, nonlocal: nothing flows."""

    _KINDS_OF_STATEMENTS: ClassVar[dict[type, Callable[..., None]]] = {
        ast.Expr: _expression,
        ast.Assign: _assign,
        ast.AnnAssign: _ann_assign,
        ast.AugAssign: _aug_assign,
        ast.Return: _return,
        ast.Raise: _raise,
        ast.Assert: _assert,
        ast.Delete: _delete,
        ast.Break: _break,
        ast.Continue: _continue,
        ast.If: _if,
        ast.While: _while,
        ast.For: _for,
        ast.AsyncFor: _for,
        ast.Try: _try,
        ast.TryStar: _try,
        ast.With: _with,
        ast.AsyncWith: _with,
        ast.Match: Matching.match,
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.ClassDef: _class,
    }
