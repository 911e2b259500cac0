"""Control flow: branches, loops, ``try`` and ``with``."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import TYPE_CHECKING

from ownarray._checker import events as ev
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.graph import nothing
from ownarray._checker.matching import Matching
from ownarray._checker.places import ITEMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ownarray._checker.places import Place, Var


class ControlFlow(Matching):
    """Turns statements that have others in them into control flow."""

    @abstractmethod
    def assigned(self, value: ast.expr) -> Place | None:
        """Evaluate what is assigned; return its place if it has one."""

    def do_break(self, node: ast.Break) -> None:
        """Leave the loop."""
        self.forget()
        self.graph.leave_loop(again=False)

    def do_continue(self, node: ast.Continue) -> None:
        """Go on with the next round."""
        self.forget()
        self.graph.leave_loop(again=True)

    def forget(self) -> None:
        """Temporaries go before ``finally`` runs."""
        if self.temporaries:
            self.graph.add(ev.Forget(tuple(self.temporaries)))
            self.temporaries = []

    def do_if(self, node: ast.If) -> None:
        """Go one of two ways."""
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

    def do_while(self, node: ast.While) -> None:
        """Go round as long as the test may hold."""
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
        self.forget()
        self.temporaries = outer

    def do_for(self, node: ast.For | ast.AsyncFor) -> None:
        """Bind the target to each item in turn."""
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

    def do_try(self, node: ast.Try) -> None:
        """Let errors come to handlers, and every way out through ``finally``."""

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

    def do_with(self, node: ast.With | ast.AsyncWith) -> None:
        """Enter and leave context managers, which may swallow errors."""
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
                return self.assigned(expr.args[0])
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
