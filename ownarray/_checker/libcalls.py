"""Calls of the library itself, of builtins and of containers' methods."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ownarray._checker import events as ev
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.containers import NOT_HERE, Containers

if TYPE_CHECKING:
    from ownarray._checker.places import Place


class LibraryCalls(Containers):
    """The calls whose meaning is known by name."""

    def library_call(self, node: ast.Call, full: str) -> tuple[bool, Place | None]:  # noqa: C901  (one branch for each kind)
        """Evaluate a call of a known function; return whether it was one."""
        args = node.args
        plain = bool(args) and not isinstance(args[0], ast.Starred)
        if full in known.MOVES and plain:
            return True, self.move(node, args[0])
        if full == known.RECLAIM and plain:
            return True, self._reclaim(args[0])
        if full in known.NO_USE:
            for arg in args:
                self.value(arg)
            return True, None
        if full in known.LENGTH and plain:
            self.read(args[0], whole=False)
            return True, None
        if full in known.SAME_OBJECT and args:
            return True, self.value(args[-1] if full.endswith("cast") else args[0])
        if full == known.AS_ARRAY and len(args) == 1 and self._is_same_array(node):
            return True, self.value(args[0])
        if full in known.VIEWS and plain:
            return True, self._view(node, args[0])
        if full in known.REPLACE and plain:
            return True, self._replace(node, args[0])
        if full in known.NEVER_RETURN:
            self.read_all(node)
            self.graph.fail()
            return True, None
        return self.container_call(node, full)

    def _is_same_array(self, node: ast.Call) -> bool:
        """``asarray(x)`` of an array is that array, unless an option may copy."""
        options = {keyword.arg for keyword in node.keywords}
        return isinstance(self.type(node.args[0]), m.Array) and not options & known.COPYING_OPTIONS

    # ------------------------------------------------------------------------- ownership
    def move(self, node: ast.Call, arg: ast.expr) -> Place:
        """Evaluate ``move(arg)``: its value dies here, and a handle is made."""
        place = self.value(arg)
        if place is not None:
            self.graph.add(ev.Move(place, self.pos(arg), self.text(arg)))
        handle = self.temp(self.text(node))
        self.graph.add(ev.Bind(handle[0]))
        self.graph.add(ev.Handle(handle, self.pos(arg)))
        return handle

    def _reclaim(self, arg: ast.expr) -> Place | None:
        place = self.value(arg)
        if place is not None:
            self.graph.add(ev.Reclaim(place, self.pos(arg), self.text(arg)))
        return None

    def _view(self, node: ast.Call, arg: ast.expr) -> Place | None:
        place = self.value(arg)
        if place is None:
            self._read_rest(node)
            return None
        self._read_rest(node)
        self.use(place, arg)
        ty = self.type(arg)
        options = {keyword.arg for keyword in node.keywords}
        if isinstance(ty, m.Scalar) or options & known.COPYING_OPTIONS or len(node.args) > 1:
            return None
        view = self.temp()
        self.graph.add(ev.Bind(view[0]))
        if m.is_array(ty) or (ty is None and self.module.uses_library):
            self.graph.add(ev.View(view, place, self.pos(arg)))
        elif isinstance(ty, m.NumPy):
            self.graph.add(ev.View(view, place, self.pos(arg), derived=True))
        return view

    def _read_rest(self, node: ast.Call) -> None:
        for arg in (*node.args[1:], *(k.value for k in node.keywords)):
            self.read(arg.value if isinstance(arg, ast.Starred) else arg)

    def _replace(self, node: ast.Call, arg: ast.expr) -> Place | None:
        """Evaluate ``replace(p, w=...)``: a copy of p but for the fields that are given."""
        place = self.value(arg)
        given = {k.arg: self.value(k.value) for k in node.keywords if k.arg is not None}
        for keyword in node.keywords:
            if keyword.arg is None:
                self.read(keyword.value)
            else:
                self.use(given[keyword.arg], keyword.value)
        self.graph.may_raise()
        if place is None:
            return None
        return self._copy_but(place, arg, {f".{name}": p for name, p in given.items()})

    def _copy_but(
        self, place: Place, node: ast.expr, given: dict[str, Place | None]
    ) -> Place | None:
        """Make a shallow copy with some parts replaced: only the other parts are used."""
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        self.graph.add(ev.Use(place, self.pos(node), whole=False))
        self.graph.add(ev.ShareParts(result, place, frozenset(given)))
        self.use(result, node)
        for step, source in given.items():
            if source is not None:
                self.graph.add(ev.Attach((*result, step), source))
        return result

    # ------------------------------------------------------------------------- methods
    def method_call(self, node: ast.Call, func: ast.Attribute) -> tuple[bool, Place | None]:
        """Evaluate a call of a method that is known by its name."""
        ty, name = self.type(func.value), func.attr
        bare = not node.args and not node.keywords
        if name == "move" and bare and self._moves(ty):
            return True, self.move(node, func.value)
        if name == "take" and bare and not isinstance(ty, m.Array | m.NumPy | m.Object):
            return True, self._take(func.value, ty)
        if isinstance(ty, m.Array):
            return True, self._array_method(node, func)
        if isinstance(ty, m.NumPy):
            return True, self._view_method(node, func)
        if isinstance(ty, m.Object) and ty.cls.method(name) is not None:
            return NOT_HERE
        if name == "_replace" and not node.args:
            return True, self._replace_tuple(node, func.value)
        if isinstance(ty, m.Sequence | m.Mapping | m.Tuple) or (
            isinstance(ty, m.Either | None) and name in _CONTAINER_METHODS
        ):
            return True, self.container_method(node, func, ty)
        if name == "release":
            place = self.read(func.value)
            if place is not None:
                self.graph.add(ev.EndViews(place))
            return True, None
        return NOT_HERE

    def _moves(self, ty: m.Ty | None) -> bool:
        if isinstance(ty, m.Either):
            own = any(self.own_method(item, "move") for item in ty.items)
            return m.ARRAY in ty.items and not own
        return isinstance(ty, m.Array) or (ty is None and self.module.uses_library)

    def _take(self, base: ast.expr, ty: m.Ty | None) -> Place | None:
        place = self.value(base)
        if place is not None:
            known_handle = m.is_handle(ty)
            self.graph.may_raise()
            self.graph.add(ev.Spend(place, self.pos(base), self.text(base), known_handle))
            if not known_handle:
                self.use(place, base)
        return None

    def _array_method(self, node: ast.Call, func: ast.Attribute) -> Place | None:
        place = self.value(func.value)
        if func.attr in {"__array__", "__dlpack__", "__buffer__"} and place is not None:
            self.read_all(node)
            self.use(place, func.value)
            view = self.temp()
            self.graph.add(ev.Bind(view[0]))
            self.graph.add(ev.View(view, place, self.pos(func.value)))
            return view
        found = self.arguments_then(node, place, func.value)
        for arg, given in found:
            if given is not None:
                self.spend(given, arg)
        return None

    def _view_method(self, node: ast.Call, func: ast.Attribute) -> Place | None:
        place = self.value(func.value)
        self.arguments_then(node, place, func.value)
        if place is not None and func.attr == "release":
            self.graph.add(ev.EndViews(place))
        if place is None or func.attr not in known.VIEW_OF_VIEW:
            return None
        view = self.temp()
        self.graph.add(ev.Bind(view[0]))
        self.graph.add(ev.View(view, place, self.pos(func.value), derived=True))
        return view

    def _replace_tuple(self, node: ast.Call, base: ast.expr) -> Place | None:
        return self._replace(node, base)


_CONTAINER_METHODS = (
    known.ADDS_ITEM
    | known.ADDS_LAST
    | known.ADDS_ITEMS
    | known.TAKES_OUT
    | known.LISTS
    | known.FORGETS
    | {"copy", "get", "keys"}
) - {"push", "put"}
