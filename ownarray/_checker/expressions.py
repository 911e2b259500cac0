"""Expressions: their evaluation order, and whether a value is an object that has a place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, ClassVar

from ownarray._checker import events as ev
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.calls import Calls
from ownarray._checker.containers import is_plain_display
from ownarray._checker.graph import nothing
from ownarray._checker.places import ANY, ITEMS, Place

if TYPE_CHECKING:
    from collections.abc import Callable

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Expressions(Calls):
    """Turns expressions into events."""

    def value(self, node: ast.expr) -> Place | None:
        """Evaluate an expression; return the place of its value, or None if it is new."""
        kind = self._KINDS.get(type(node))
        if kind is None:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self.read(child)
            return None
        return kind(self, node)

    # ------------------------------------------------------------------------- places
    def _constant(self, node: ast.expr) -> Place | None:
        return None

    def _name(self, node: ast.Name) -> Place | None:
        variable = self.scope.find(node.id)
        if variable is None or self.holds_no_array(self.type(node)):
            return None
        place: Place = (self.variable(variable),)
        if self.snapshots and not isinstance(self.type(node), m.Function):
            return self._snapshot(place)
        return place

    def _snapshot(self, place: Place) -> Place:
        """Hold the object itself: the name may be re-bound before the value is used."""
        temp = self.temp(self.module.names.show(place))
        self.graph.add(ev.Bind(temp[0], place))
        return temp

    def _attribute(self, node: ast.Attribute) -> Place | None:  # noqa: C901  (one branch for each kind)
        base_type = self.type(node.value)
        if isinstance(base_type, m.Name) and self.holds_no_array(base_type):
            return None
        base = self.value(node.value)
        if isinstance(base_type, m.Array | m.HandleOf):
            if node.attr not in known.METADATA:
                self.use(base, node.value, whole=False)
            return None
        if isinstance(base_type, m.NumPy):
            return self._of_view(node, base)
        if base is None:
            return None
        if not isinstance(base_type, m.Object) and node.attr in known.METADATA - {"state"}:
            return None
        if isinstance(base_type, m.Object):
            method = base_type.cls.method(node.attr)
            if method is not None and method.is_property:
                return self._property(node, base, method)
            if method is not None:
                return self._bound_method(node, base)
        if self.holds_no_array(self.type(node)):
            self.use((*base, f".{node.attr}"), node)
            return None
        return (*base, f".{node.attr}")

    def _property(self, node: ast.Attribute, base: Place, info: m.FunctionInfo) -> Place | None:
        self.use(base, node.value)
        self.graph.may_raise()
        return self._result(node, info, base, [], None)

    def _bound_method(self, node: ast.Attribute, base: Place) -> Place:
        result = self.temp(self.text(node))
        self.graph.add(ev.Bind(result[0]))
        self.graph.add(ev.Attach((*result, ".__self__"), base))
        return result

    def _of_view(self, node: ast.Attribute, base: Place | None) -> Place | None:
        self.use(base, node.value)
        if base is None or node.attr not in known.VIEW_OF_VIEW:
            return None
        view = self.temp()
        self.graph.add(ev.Bind(view[0]))
        self.graph.add(ev.View(view, base, self.pos(node), derived=True))
        return view

    def _subscript(self, node: ast.Subscript) -> Place | None:
        base_type = self.type(node.value)
        base = self.value(node.value)
        plain = isinstance(node.slice, ast.Constant | ast.Name)
        if not plain or isinstance(self.type(node.slice), m.Array):
            self.read(node.slice)
        if isinstance(base_type, m.Array):
            self.use(base, node.value, whole=False)
            self.graph.may_raise()
            return None
        self.graph.may_raise()
        if base is None:
            return None
        if isinstance(base_type, m.NumPy):
            self.use(base, node.value)
            view = self.temp()
            self.graph.add(ev.Bind(view[0]))
            self.graph.add(ev.View(view, base, self.pos(node), derived=True))
            return view
        own = self.own_method(base_type, "__getitem__")
        if own is not None:
            self.use(base, node.value)
            return self._result(node, own, base, [], None)
        if isinstance(node.slice, ast.Slice):
            return self._list_slice(node, base, base_type)
        return (*base, self.item_step(self.steps(node.slice), base_type))

    def _list_slice(self, node: ast.Subscript, base: Place, ty: m.Ty | None) -> Place | None:
        self.use(base, node.value, whole=False)
        if not isinstance(ty, m.Sequence | m.Tuple) or not isinstance(node.slice, ast.Slice):
            return None
        seen = self.slice_step(node.slice)
        if not node.slice.upper:
            self.hold((*base, seen), node)
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        if node.slice.lower is None and node.slice.upper is None and node.slice.step is None:
            self.graph.add(ev.ShareParts(result, base))
        else:
            self.graph.add(ev.Attach((*result, ITEMS), (*base, seen), certain=False))
        return result

    # ------------------------------------------------------------------------- displays
    def _display(self, node: ast.Tuple | ast.List | ast.Set) -> Place | None:
        held: list[tuple[int, ast.expr, Place]] = []
        for i, element in enumerate(node.elts):
            if isinstance(element, ast.Starred):
                place = self.read(element.value)
                i = -1 if i else -2
                element = element.value
            else:
                place = self.value(element)
            if place is not None:
                held.append((i, element, place))
        if not held:
            return None
        shifted = any(isinstance(e, ast.Starred) for e in node.elts)
        result = self.temp(self.text(node) if len(node.elts) < 4 else "")
        self.graph.add(ev.Bind(result[0]))
        for i, element, place in held:
            if i < 0:
                if i == -2:
                    self.graph.add(ev.ShareParts(result, place))
                else:
                    self.graph.add(ev.Attach((*result, ITEMS), (*place, ITEMS), certain=False))
                continue
            self.hold(place, element)
            if self.is_alias(element):
                step = ITEMS if shifted or isinstance(node, ast.Set) else f"[{i}]"
                self.graph.add(ev.Attach((*result, step), place, certain=not shifted))
        return result

    def _dict(self, node: ast.Dict) -> Place | None:
        held: list[tuple[str, ast.expr, Place]] = []
        first: Place | None = None
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                place = self.value(value)
                if place is not None:
                    first = place
                    given = self._constant_keys(node)
                    self.graph.add(ev.Use(place, self.pos(value), whole=False))
                    self.graph.add(ev.ShareParts(result, place, given))
                continue
            self.read(key)
            place = self.value(value)
            if place is not None:
                held.append((self.steps(key), value, place))
        if first is not None:
            self.use(result, node)
        for step, value, place in held:
            self.hold(place, value)
            if self.is_alias(value):
                self.graph.add(ev.Attach((*result, step), place, certain=step != ANY))
        return result if held or first is not None else None

    def _constant_keys(self, node: ast.Dict) -> frozenset[str]:
        """Return the keys that the display gives itself after a ``**``."""
        return frozenset(self.steps(k) for k in node.keys if isinstance(k, ast.Constant))

    # ------------------------------------------------------------------------- operators
    def _operator(self, node: ast.BinOp) -> Place | None:
        left, right = self.value(node.left), self.value(node.right)
        joins = isinstance(self.type(node), m.Sequence | m.Mapping | m.Tuple)
        for place, inner in ((left, node.left), (right, node.right)):
            self.hold(place, inner) if joins else self.use(place, inner)
        self.graph.may_raise()
        for side, inner in ((left, node.left), (right, node.right)):
            if side is not None:
                ty = self.type(inner)
                if isinstance(ty, m.HandleOf):
                    self.spend(side, inner)
        return self._joined_lists(node, left, right) if joins else None

    def _joined_lists(
        self, node: ast.BinOp, left: Place | None, right: Place | None
    ) -> Place | None:
        """Make ``xs + ys`` or ``xs * 2``."""
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        adds = isinstance(node.op, ast.Add)
        if adds and left is not None and isinstance(self.type(node.left), m.Sequence):
            self.graph.add(ev.ShareParts(result, left))
            left = None
        if adds and is_plain_display(node.right) and left is None:
            self.append_each(result, node.right, right)
            right = None
        for side in (left, right):
            if side is not None:
                self.graph.add(ev.Attach((*result, ITEMS), (*side, ITEMS), certain=False))
        if isinstance(node.op, ast.Mult):
            self.graph.add(ev.Twins((*result, ITEMS)))
        return result

    def _compare(self, node: ast.Compare) -> Place | None:
        sides = [node.left, *node.comparators]
        if all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            for side in sides:
                self.value(side)
            return None
        places = [self.value(side) for side in sides]
        for side, place in zip(sides, places, strict=True):
            self.use(place, side)
        self.graph.may_raise()
        return None

    def _bool(self, node: ast.BoolOp) -> Place | None:
        result = self.temp()
        self._chain(node.values, result)
        return result if any(self._has_place(v) for v in node.values) else None

    def _chain(self, values: list[ast.expr], result: Place) -> None:
        place = self.value(values[0])
        self.use(place, values[0])
        self.graph.add(ev.Bind(result[0], place))
        if len(values) > 1:
            self.graph.branch(lambda: self._chain(values[1:], result), nothing)

    def _has_place(self, node: ast.expr) -> bool:
        return not isinstance(node, ast.Constant | ast.BinOp | ast.UnaryOp | ast.Compare)

    def _conditional(self, node: ast.IfExp) -> Place | None:
        self.read(node.test)
        result = self.temp()

        def arm(inner: ast.expr) -> None:
            place = self.value(inner)
            self.hold(place, inner)
            self.graph.add(ev.Bind(result[0], place if self.is_alias(inner) else None))

        self.graph.branch(lambda: arm(node.body), lambda: arm(node.orelse))
        return result if self._has_place(node.body) or self._has_place(node.orelse) else None

    def _walrus(self, node: ast.NamedExpr) -> Place | None:
        place = self.value(node.value)
        self.hold(place, node.value)
        self.assign(node.target, place if self.is_alias(node.value) else None)
        return self._name(node.target)

    def _await(self, node: ast.Await | ast.YieldFrom) -> Place | None:
        place = self.read(node.value)
        self.graph.may_raise()
        if place is None:
            return None
        if isinstance(node, ast.YieldFrom):
            self.graph.add(ev.Yielded((*place, ITEMS)))
            return place
        result = self.temp()
        self.graph.add(ev.Bind(result[0], place))
        self.graph.add(ev.Awaited(result[0]))
        return result

    def _yield(self, node: ast.Yield) -> Place | None:
        if node.value is not None:
            place = self.read(node.value)
            if place is not None and self.is_alias(node.value):
                self.graph.add(ev.Yielded(place))
        self.graph.may_raise()
        return None

    def _formatted(self, node: ast.FormattedValue) -> Place | None:
        place = self.value(node.value)
        if node.conversion != ord("r"):
            self.use(place, node.value)
        if node.format_spec is not None:
            self.value(node.format_spec)
        return None

    def _joined(self, node: ast.JoinedStr) -> Place | None:
        for part in node.values:
            self.value(part)
        return None

    # ------------------------------------------------------------------------- functions
    def _lambda(self, node: ast.Lambda) -> Place | None:
        held = self.defaults(node.args)
        self.module.announce(node, self.scope)
        place = self.function_value(node, "lambda")
        for i, default in enumerate(held):
            self.graph.add(ev.Attach((*place, f".default{i}"), default))
        return place

    def function_value(self, key: ast.AST, name: str) -> Place:
        """Return a place that holds a function."""
        result = self.temp(name)
        self.graph.add(ev.Bind(result[0]))
        self.graph.add(ev.Function(result, key))
        return result

    def defaults(self, args: ast.arguments) -> list[Place]:
        """Evaluate default values; the function goes on holding them."""
        given = [d for d in (*args.defaults, *args.kw_defaults) if d is not None]
        return [place for d in given if (place := self.read(d)) is not None]

    def _comprehension(self, node: Comprehension) -> Place | None:
        if isinstance(node, ast.GeneratorExp) and node in self.module.table.lazy:
            return self._generator(node)
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        source = self.iterable(node.generators[0].iter)
        outer, self.scope = self.scope, self.module.table.scopes[node]
        held = self._rounds(node, 0, source, result)
        self.scope = outer
        return result if held else None

    def _rounds(self, node: Comprehension, depth: int, source: Place | None, result: Place) -> bool:
        generator = node.generators[depth]
        held = False
        before = self.begin(source)

        def body() -> None:
            nonlocal held
            self.each(generator.target, generator.iter, source, before)
            self._tests(generator.ifs, inner)

        def done() -> None:
            target = generator.target
            key = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else None
            place = self.name_place(key) if isinstance(key, ast.Name) else None
            if place is not None and (steps := self.steps_of.get(place[0])):
                self.graph.add(ev.Blur(frozenset(steps), ITEMS))

        def inner() -> None:
            nonlocal held
            if depth + 1 < len(node.generators):
                following = self.iterable(node.generators[depth + 1].iter)
                held = self._rounds(node, depth + 1, following, result)
            else:
                held = self._element(node, result)

        self.graph.loop(nothing, body, done)
        return held

    def _tests(self, tests: list[ast.expr], then: Callable[[], None]) -> None:
        if not tests:
            then()
            return
        self.read(tests[0])
        self.graph.branch(lambda: self._tests(tests[1:], then), nothing)

    def _element(self, node: Comprehension, result: Place) -> bool:
        step = ITEMS
        if isinstance(node, ast.DictComp):
            self.read(node.key)
            value = node.value
        else:
            value = node.elt
        place = self.value(value)
        self.hold(place, value)
        if place is None or not self.is_alias(value):
            return False
        self.graph.add(ev.Attach((*result, step), place, certain=False))
        return True

    def _generator(self, node: ast.GeneratorExp) -> Place:
        """Make a lazy generator: only the outermost iterable is evaluated now."""
        source = self.read(node.generators[0].iter)
        self.module.announce(node, self.scope)
        result = self.function_value(node, "the generator")
        if source is not None:
            self.graph.add(ev.Attach((*result, ".source"), source, certain=False))
        return result

    # ------------------------------------------------------------------------- iteration
    def iterable(self, node: ast.expr) -> Place | None:
        """Evaluate what is iterated over; return the place whose items come out."""
        if isinstance(node, ast.Call) and len(node.args) >= 1 and not node.keywords:
            name = self.full_name(node.func)
            if name in {"builtins.enumerate", "builtins.reversed", "builtins.iter"}:
                place = self.iterable(node.args[0])
                for arg in node.args[1:]:
                    self.read(arg)
                return place
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            base_type = self.type(node.func.value)
            if node.func.attr in known.LISTS and isinstance(base_type, m.Mapping | None):
                return self.read(node.func.value)
        place = self.read(node)
        ty = self.type(node)
        if isinstance(ty, m.Array | m.NumPy | m.Scalar | m.Mapping):
            return None
        own = self.own_method(ty, "__iter__")
        if own is not None and place is not None:
            return self._result(node, own, place, [], None)
        return place if self.is_alias(node) else None

    _KINDS: ClassVar[dict[type, Callable[..., Place | None]]] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.Call: Calls.call,
        ast.BinOp: _operator,
        ast.Compare: _compare,
        ast.BoolOp: _bool,
        ast.IfExp: _conditional,
        ast.NamedExpr: _walrus,
        ast.Await: _await,
        ast.YieldFrom: _await,
        ast.Yield: _yield,
        ast.Tuple: _display,
        ast.List: _display,
        ast.Set: _display,
        ast.Dict: _dict,
        ast.Lambda: _lambda,
        ast.ListComp: _comprehension,
        ast.SetComp: _comprehension,
        ast.DictComp: _comprehension,
        ast.GeneratorExp: _comprehension,
        ast.JoinedStr: _joined,
        ast.FormattedValue: _formatted,
    }
