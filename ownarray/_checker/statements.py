"""Statements: how control flows between them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar

from ownarray._checker import events as ev
from ownarray._checker import model as m
from ownarray._checker.containers import is_plain_display
from ownarray._checker.control import ControlFlow
from ownarray._checker.graph import nothing
from ownarray._checker.places import ANY, ITEMS
from ownarray._checker.summary import RESULT

if TYPE_CHECKING:
    from collections.abc import Callable

    from ownarray._checker.places import Place


class Statements(ControlFlow):
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
        place = self.assigned(node.value)
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

    def assigned(self, value: ast.expr) -> Place | None:
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
            self.assign(node.target, self.assigned(node.value), self.type(node.value))
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
        if isinstance(target, ast.Subscript) and m.is_array(self.type(target.value)):
            self.update(target.value, owner)
        elif place is not None:
            ty = self.type(target)
            if m.is_array(ty) or (ty is None and self.module.uses_library):
                self.update(target, place, known_array=m.is_array(ty))
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
        if isinstance(target, ast.Subscript) and not m.is_array(self.type(target.value)):
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
            self.forget()
        self.graph.leave()

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
        ast.Break: ControlFlow.do_break,
        ast.Continue: ControlFlow.do_continue,
        ast.If: ControlFlow.do_if,
        ast.While: ControlFlow.do_while,
        ast.For: ControlFlow.do_for,
        ast.AsyncFor: ControlFlow.do_for,
        ast.Try: ControlFlow.do_try,
        ast.TryStar: ControlFlow.do_try,
        ast.With: ControlFlow.do_with,
        ast.AsyncWith: ControlFlow.do_with,
        ast.Match: ControlFlow.match,
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.ClassDef: _class,
    }
