"""Calls: who lends, who gives away, who only stores, and what the result may be."""

from __future__ import annotations

import ast
from typing import NamedTuple

from ownarray._checker import events as ev
from ownarray._checker import model as m
from ownarray._checker.libcalls import LibraryCalls
from ownarray._checker.places import HELD, ITEMS, Place, Var
from ownarray._checker.summary import RESULT, outside
from ownarray._ownership import EFFECT, Effect, Mode, Passed


class Argument(NamedTuple):
    """One argument of a call: its value's place, and the parameter that it goes to."""

    node: ast.expr
    place: Place | None
    param: m.Param | None
    keyword: str | None = None
    step: str = ITEMS
    """The key of the argument in ``*args`` or ``**kwargs``."""
    part: bool = False
    """Whether it comes out of a starred argument, which stands in the list as well."""


class Calls(LibraryCalls):
    """Turns calls into events."""

    def call(self, node: ast.Call) -> Place | None:
        """Evaluate a call."""
        callee = self.type(node.func)
        if isinstance(callee, m.Name):
            handled, place = self.library_call(node, callee.full)
            if handled:
                return place
        elif isinstance(node.func, ast.Attribute):
            handled, place = self.method_call(node, node.func)
            if handled:
                return place
        return self._plain_call(node, callee)

    # ------------------------------------------------------------------------- arguments
    def arguments(self, node: ast.Call, info: m.FunctionInfo | None, skip: int) -> list[Argument]:
        """Evaluate the arguments in order and match them with the parameters."""
        params = info.params[skip:] if info is not None else []
        by_order = [p for p in params if p.kind in {"pos", "any"}]
        star = next((p for p in params if p.kind == "star"), None)
        by_name = {p.name: p for p in params if p.kind in {"any", "key"}}
        double = next((p for p in params if p.kind == "double"), None)
        found: list[Argument] = []
        known_order = True
        for i, arg in enumerate(node.args):
            if isinstance(arg, ast.Starred):
                place = self.read(arg.value)
                found.append(Argument(arg.value, place, None))
                if known_order and place is not None:
                    found += self._unpacked(arg.value, place, by_order[i:], star)
                known_order = False
                continue
            param = by_order[i] if i < len(by_order) else star
            step = f"[{i - len(by_order)}]"
            value = self.value(arg)
            found.append(Argument(arg, value, param if known_order else None, step=step))
        for keyword in node.keywords:
            place = self.value(keyword.value)
            param = by_name.get(keyword.arg or "", double) if keyword.arg else None
            step = f"[{keyword.arg!r}]"
            found.append(Argument(keyword.value, place, param, keyword.arg, step))
            if keyword.arg is None and place is not None:
                found += [
                    Argument(keyword.value, (*place, f"[{p.name!r}]"), p, p.name, part=True)
                    for p in by_name.values()
                ]
        return found

    def _unpacked(
        self, node: ast.expr, place: Place, params: list[m.Param], star: m.Param | None
    ) -> list[Argument]:
        """Return the arguments that ``*place`` gives."""
        ty = self.type(node)
        size = len(ty.items) if isinstance(ty, m.Tuple) else len(params)
        given = [
            Argument(node, (*place, f"[{i}]"), p, part=True) for i, p in enumerate(params[:size])
        ]
        if star is not None and (size > len(params) or not isinstance(ty, m.Tuple)):
            given.append(Argument(node, (*place, ITEMS), star, part=True))
        return given

    def _plain_call(self, node: ast.Call, callee: m.Ty | None) -> Place | None:
        info, skip = None, 0
        if isinstance(callee, m.Function):
            info, skip = callee.info, int(callee.bound)
        elif isinstance(callee, m.ClassObject):
            info, skip = callee.cls.method("__init__"), 1
        function = self._callee(node.func, callee)
        arguments = self.arguments(node, info, skip)
        receiver = function if isinstance(node.func, ast.Attribute) else None
        if receiver is not None and isinstance(node.func, ast.Attribute):
            first = info.params[0] if skip and info is not None and info.params else None
            self._pass(receiver, node.func.value, info, first)
        for argument in arguments:
            self._pass(argument.place, argument.node, info, argument.param)
        self._modes(arguments, info)
        self.graph.may_raise()
        self._consume(arguments, info, callee)
        if function is not None and receiver is None:
            self.graph.add(ev.Call(function, self.pos(node.func)))
            self.graph.add(ev.Spend(function, self.pos(node.func), self.text(node.func)))
        if self._never_returns(node, info):
            self.graph.fail()
            return None
        if isinstance(callee, m.ClassObject):
            return self._construct(node, callee.cls, arguments)
        return self._result(node, info, receiver if skip else None, arguments, function)

    def _pass(
        self,
        place: Place | None,
        node: ast.expr,
        info: m.FunctionInfo | None,
        param: m.Param | None,
    ) -> None:
        """Use a value as the argument for a parameter."""
        if place is None:
            return
        by = None
        if (
            info is not None
            and isinstance(info.node, ast.FunctionDef)
            and not (info.compiled or info.decorated or info.generator or info.coroutine)
            and param is not None
            and param.kind in {"pos", "any", "key"}
        ):
            by = (info.node, outside(self.module.parameter_variables(info)[param.name]))
        self.graph.add(ev.Use(place, self.pos(node), by=by))

    def _callee(self, func: ast.expr, callee: m.Ty | None) -> Place | None:
        """Evaluate what is called: the receiver of a method, or the function's own place."""
        if isinstance(func, ast.Attribute):
            if isinstance(callee, m.Name | m.ClassObject):
                return None
            return self.value(func.value)
        if isinstance(callee, m.ClassObject | m.Name):
            return None
        return self.value(func)

    def _never_returns(self, node: ast.Call, info: m.FunctionInfo | None) -> bool:
        if info is not None and info.never_returns:
            return True
        return self.types.oracle.never_returns(node)

    # ------------------------------------------------------------------------- modes
    def _modes(self, arguments: list[Argument], info: m.FunctionInfo | None) -> None:
        """Report what the parameters' modes refuse."""
        if info is None:
            return
        for argument in arguments:
            mode = argument.param.mode if argument.param is not None else Mode.NEUTRAL
            if mode is Mode.OWNED and info.compiled:
                self._owned(argument)
            elif mode in {Mode.BORROWED, Mode.MUT}:
                self._borrowed(argument, mode)
        if info.compiled or any(a.param and a.param.mode is Mode.MUT for a in arguments):
            self._exclusive(arguments)

    def _owned(self, argument: Argument) -> None:
        ty = self.type(argument.node)
        answer = EFFECT[Mode.OWNED, Passed.ARRAY]
        if isinstance(answer, Effect) or not m.owns_arrays(ty):
            return
        pos, name = self.pos(argument.node), self.text(argument.node)
        if argument.place is None:
            self.graph.add(ev.Refuse(answer, pos, name))
        else:
            self.graph.add(ev.NeedsMove(argument.place, pos, name))

    def _borrowed(self, argument: Argument, mode: Mode) -> None:
        place, node = argument.place, argument.node
        if place is None:
            return
        pos, name = self.pos(node), self.text(node)
        self.graph.add(ev.NoHandle(place, pos, name))
        if mode is Mode.MUT:
            self.graph.add(ev.Update(place, pos, name))

    def _exclusive(self, arguments: list[Argument]) -> None:
        for i, argument in enumerate(arguments):
            if argument.param is None or argument.param.mode is not Mode.MUT:
                continue
            for j, other in enumerate(arguments):
                if i == j or argument.place is None or other.place is None:
                    continue
                later = max(i, j)
                if other.param is not None and other.param.mode is Mode.MUT and i > j:
                    continue  # said already
                node = arguments[later].node
                self.graph.add(
                    ev.Exclusive(argument.place, other.place, self.pos(node), self.text(node))
                )

    def _consume(
        self, arguments: list[Argument], info: m.FunctionInfo | None, callee: m.Ty | None
    ) -> None:
        stores = isinstance(callee, m.ClassObject) and callee.cls.built_from_fields
        for argument in arguments:
            place, node = argument.place, argument.node
            if place is None:
                continue
            donated = argument.param is not None and argument.param.mode is Mode.DONATED
            if donated and not m.is_handle(self.type(node)):
                self.graph.add(ev.Move(place, self.pos(node), self.text(node)))
                continue
            if not stores and not argument.part:  # the starred argument spends all it holds
                self.spend(place, node)
        if any(a.param is not None and a.param.mode is Mode.DONATED for a in arguments):
            for argument in arguments:  # the call reads what is lent when it has the donated ones
                if argument.param is None or argument.param.mode is not Mode.DONATED:
                    self.use(argument.place, argument.node)

    def spend(self, place: Place, node: ast.expr) -> None:
        """Pass a value on: handles in it are spent."""
        ty = self.type(node)
        if m.may_hold_handle(ty):
            known_handle = m.is_handle(ty)
            self.graph.add(ev.Spend(place, self.pos(node), self.text(node), known_handle))

    # ------------------------------------------------------------------------- results
    def _construct(
        self, node: ast.Call, cls: m.ClassInfo, arguments: list[Argument]
    ) -> Place | None:
        init = cls.method("__init__")
        if init is not None and (not cls.built_from_fields or "__init__" in cls.methods):
            if init.node is None:
                return None
            result = self.temp()
            self.graph.add(ev.Bind(result[0]))
            self._relate(node, init, result, arguments, None)
            return result
        if not cls.built_from_fields:
            return None
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        for i, argument in enumerate(arguments):
            if argument.place is None or not self.is_alias(argument.node):
                continue
            name = argument.keyword
            if name is None and i < len(cls.fields):
                name = cls.fields[i]
            if name is not None:
                self.graph.add(ev.Attach((*result, f".{name}"), argument.place))
        return result

    def _result(
        self,
        node: ast.expr,
        info: m.FunctionInfo | None,
        receiver: Place | None,
        arguments: list[Argument],
        function: Place | None,
    ) -> Place | None:
        if info is None or info.node is None or info.compiled or info.decorated:
            return None
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        if info.generator or info.coroutine:
            for argument in arguments:
                if argument.place is not None and not m.is_handle(self.type(argument.node)):
                    self.graph.add(ev.Attach((*result, HELD), argument.place, certain=False))
            if function is not None and receiver is None:
                self.graph.add(ev.Function(result, info.node))
        self._relate(node, info, receiver, arguments, result)
        return result

    def set_property(
        self, node: ast.expr, owner: Place, setter: m.FunctionInfo, source: Place | None
    ) -> None:
        self.use(owner, node, whole=False)
        self.graph.may_raise()
        value = Argument(node, source, setter.params[1]) if len(setter.params) > 1 else None
        self._relate(node, setter, owner, [value] if value is not None else [], None)

    def _relate(
        self,
        node: ast.expr,
        info: m.FunctionInfo,
        receiver: Place | None,
        arguments: list[Argument],
        result: Place | None,
    ) -> None:
        """Let a call of a function of this module relate its arguments and result."""
        if info.node is None:
            return
        variables = self.module.parameter_variables(info)
        places: list[tuple[Var, Place]] = []
        if receiver is not None and info.params:
            places.append((outside(variables[info.params[0].name]), receiver))
        rest: dict[str, Place] = {}
        for argument in arguments:
            param, place = argument.param, argument.place
            if param is None or place is None:
                continue
            if param.kind in {"pos", "any", "key"}:
                places.append((outside(variables[param.name]), place))
                continue
            if param.name not in rest:
                rest[param.name] = self.temp()
                self.graph.add(ev.Bind(rest[param.name][0]))
                places.append((outside(variables[param.name]), rest[param.name]))
            self.graph.add(ev.Attach((*rest[param.name], argument.step), place))
        if result is not None:
            places.append((RESULT, result))
        keys = tuple(
            (f"[{argument.param.name}]", self.steps(argument.node))
            for argument in arguments
            if argument.param is not None and isinstance(argument.node, ast.Constant | ast.Name)
        )
        self.graph.add(ev.Related(info.node, tuple(places), self.pos(node), keys))
