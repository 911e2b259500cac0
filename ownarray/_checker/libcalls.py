"""Calls of the library itself, of builtins and of containers' methods."""

from __future__ import annotations

import ast
from abc import abstractmethod

from ownarray._checker import events as ev
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.places import ANY, Place
from ownarray._checker.targets import Targets

NOT_HERE: tuple[bool, Place | None] = (False, None)


class LibraryCalls(Targets):
    """The calls whose meaning is known by name."""

    @abstractmethod
    def spend(self, place: Place, node: ast.expr) -> None:
        """Pass a value on: handles in it are spent."""

    def library_call(self, node: ast.Call, full: str) -> tuple[bool, Place | None]:
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
            self._read_all(node)
            self.graph.fail()
            return True, None
        return self._container_call(node, full)

    def _is_same_array(self, node: ast.Call) -> bool:
        """``asarray(x)`` of an array is that array, unless an option may copy."""
        options = {keyword.arg for keyword in node.keywords}
        return isinstance(self.type(node.args[0]), m.Array) and not options & known.COPYING_OPTIONS

    def _read_all(self, node: ast.Call) -> list[tuple[ast.expr, Place | None]]:
        """Evaluate all arguments, then use them."""
        found: list[tuple[ast.expr, Place | None]] = []
        for arg in node.args:
            inner = arg.value if isinstance(arg, ast.Starred) else arg
            found.append((inner, self.value(inner)))
        found += [(keyword.value, self.value(keyword.value)) for keyword in node.keywords]
        for arg, place in found:
            self.use(place, arg)
        self.graph.may_raise()
        return found

    # ------------------------------------------------------------------------- ownership
    def move(self, node: ast.Call, arg: ast.expr) -> Place:
        """Evaluate ``move(arg)``: its value dies here, and a handle is made."""
        self.has_source = True
        place = self.value(arg)
        if place is not None:
            self.graph.add(ev.Move(place, self.pos(arg), self.text(arg)))
        handle = self.temp(self.text(node))
        self.graph.add(ev.Bind(handle[0]))
        self.graph.add(ev.Handle(handle, self.pos(arg)))
        return handle

    def _reclaim(self, arg: ast.expr) -> Place | None:
        self.has_source = True
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
        if isinstance(ty, m.Array) or (ty is None and self.module.uses_library):
            self.has_source = True
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

    # ------------------------------------------------------------------------- containers
    def _container_call(self, node: ast.Call, full: str) -> tuple[bool, Place | None]:
        if full in known.SAME_ITEMS:
            return True, self._new_container(node, share=True)
        if full in known.SOME_ITEMS:
            return True, self._new_container(node, share=False)
        if full in known.ONE_ITEM and node.args:
            found = self._read_all(node)
            return True, self._one(found[-1 if full == "functools.reduce" else 0][1])
        if full in known.ONE_OF and node.args:
            found = self._read_all(node)
            single = len(node.args) == 1
            return True, self._any_of([p if not single or p is None else (*p, ANY) for _, p in found])
        if full in known.WRAPPERS and node.args:
            return True, self._partial(node)
        if full in {"builtins.zip", "builtins.enumerate", "builtins.map"}:
            return True, self._lazy(node)
        if full.startswith("builtins.") or full in known.KEEPS_HANDLES:
            return self._builtin(node, full)
        if full in known.TRACING:
            return True, self._transform(node, full)
        return NOT_HERE

    def _builtin(self, node: ast.Call, full: str) -> tuple[bool, Place | None]:
        """A builtin keeps nothing; most would spend no handle."""
        found = self._read_all(node)
        if full not in known.KEEPS_HANDLES:
            for arg, place in found:
                if place is not None:
                    self.spend(place, arg)
        return True, None

    def _transform(self, node: ast.Call, full: str) -> Place | None:
        """A transform of functions gives one that runs them; a loop runs them now."""
        found = self._read_all(node)
        if full in known.LOOPS:
            for arg, place in found:
                if place is not None:
                    self.spend(place, arg)
            return None
        result = self.temp(self.text(node))
        self.graph.add(ev.Bind(result[0]))
        for arg, place in found:
            if place is not None and isinstance(self.type(arg), m.Function):
                self.graph.add(ev.Attach(result, place, certain=False))
        return result

    def _new_container(self, node: ast.Call, *, share: bool) -> Place | None:
        found = self._read_all(node)
        places = [(arg, place) for arg, place in found if place is not None]
        if not places:
            return None
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        for arg, place in places:
            ty = self.type(arg)
            if isinstance(ty, m.Array | m.Scalar):
                continue
            if share and len(places) == 1:
                self.graph.add(ev.ShareParts(result, place))
            else:
                self.graph.add(ev.Attach((*result, ANY), (*place, ANY), certain=False))
        for keyword in node.keywords:
            named = next((p for a, p in places if a is keyword.value), None)
            if keyword.arg and named is not None:
                self.graph.add(ev.Attach((*result, f"[{keyword.arg!r}]"), named))
        return result

    def _one(self, place: Place | None) -> Place | None:
        if place is None:
            return None
        result = self.temp()
        self.graph.add(ev.Bind(result[0], (*place, ANY)))
        return result

    def _any_of(self, places: list[Place | None]) -> Place | None:
        some = [p for p in places if p is not None]
        if not some:
            return None
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        for place in some:
            self.graph.add(ev.Attach(result, place, certain=False))
        return result

    def _partial(self, node: ast.Call) -> Place | None:
        found = self._read_all(node)
        if self.full_name(node.args[0]) in known.MOVES and len(node.args) > 1:
            return None
        result = self.temp(self.text(node))
        self.graph.add(ev.Bind(result[0]))
        for i, (_, place) in enumerate(found):
            if place is not None:
                at: Place = result if i == 0 else (*result, f"[partial {i}]")
                self.graph.add(ev.Attach(at, place, certain=i > 0))
        return result

    def _lazy(self, node: ast.Call) -> Place | None:
        """An iterator over arguments: they are read when it is."""
        found = self._read_all(node)
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        for _, place in found:
            if place is not None:
                self.graph.add(ev.Attach((*result, ANY), (*place, ANY), certain=False))
                self.graph.add(ev.Attach((*result, "[source]"), place, certain=False))
        if node.args and self.full_name(node.func) == "builtins.map":
            self._map(node, found)
        return result

    def _map(self, node: ast.Call, found: list[tuple[ast.expr, Place | None]]) -> None:
        if self.full_name(node.args[0]) in known.MOVES:
            for arg, place in found[1:]:
                if place is not None:
                    self.has_source = True
                    self.graph.add(ev.Move((*place, ANY), self.pos(arg), self.text(arg)))

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
            ty is None and name in _CONTAINER_METHODS
        ):
            return True, self._container_method(node, func, ty)
        if name == "release":
            place = self.read(func.value)
            if place is not None:
                self.graph.add(ev.EndViews(place))
            return True, None
        return NOT_HERE

    def _moves(self, ty: m.Ty | None) -> bool:
        return isinstance(ty, m.Array) or (ty is None and self.module.uses_library)

    def _take(self, base: ast.expr, ty: m.Ty | None) -> Place | None:
        place = self.value(base)
        if place is not None:
            known_handle = m.is_handle(ty)
            self.has_source = self.has_source or known_handle
            self.graph.may_raise()
            self.graph.add(ev.Spend(place, self.pos(base), self.text(base), known_handle))
            if not known_handle:
                self.use(place, base)
        return None

    def _array_method(self, node: ast.Call, func: ast.Attribute) -> Place | None:
        place = self.value(func.value)
        if func.attr in {"__array__", "__dlpack__", "__buffer__"} and place is not None:
            self._read_all(node)
            self.use(place, func.value)
            view = self.temp()
            self.has_source = True
            self.graph.add(ev.Bind(view[0]))
            self.graph.add(ev.View(view, place, self.pos(func.value)))
            return view
        found = self._arguments_then(node, place, func.value)
        for arg, given in found:
            if given is not None:
                self.spend(given, arg)
        return None

    def _arguments_then(
        self, node: ast.Call, place: Place | None, base: ast.expr, *, whole: bool = True
    ) -> list[tuple[ast.expr, Place | None]]:
        """Evaluate arguments after the receiver; then use all."""
        found = self._read_all(node)
        self.use(place, base, whole=whole)
        return found

    def _view_method(self, node: ast.Call, func: ast.Attribute) -> Place | None:
        place = self.value(func.value)
        self._arguments_then(node, place, func.value)
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

    def _container_method(
        self, node: ast.Call, func: ast.Attribute, ty: m.Ty | None
    ) -> Place | None:
        place, name = self.value(func.value), func.attr
        reaches_items = name in known.LISTS | known.COPIES | {"sort", "index", "count"}
        found = self._arguments_then(node, place, func.value, whole=reaches_items and name != "keys")
        if place is None:
            return None
        if name in known.ADDS_ITEM | known.ADDS_LAST | known.ADDS_ITEMS:
            self._add_items(node, place, name, found)
            if name != "setdefault":
                return None
        if name in known.TAKES_OUT:
            return self._take_out(node, place, name, ty)
        if name in known.LOOKS_UP and node.args:
            return self._look_up(place, node.args[0])
        if name in known.FORGETS:
            self.graph.add(ev.Delete((*place, ANY), rest=True))
            return None
        if name in known.COPIES or name in known.LISTS:
            result = self.temp()
            self.graph.add(ev.Bind(result[0]))
            if name in known.COPIES:
                self.graph.add(ev.ShareParts(result, place))
            else:
                self.graph.add(ev.Attach((*result, ANY), (*place, ANY), certain=False))
            return result
        if name == "send" or name == "throw":
            return None
        for arg, given in found:
            if given is not None:
                self.spend(given, arg)
        return None

    def _add_items(
        self, node: ast.Call, place: Place, name: str, found: list[tuple[ast.expr, Place | None]]
    ) -> None:
        if not found:
            return
        if name in known.ADDS_ITEMS:
            for keyword, (_, given) in zip(node.keywords, found[len(node.args) :], strict=False):
                if keyword.arg:
                    self.graph.add(ev.Store((*place, f"[{keyword.arg!r}]"), given))
            if node.args:
                self._update_items(place, node.args[0], found[0][1])
            return
        arg, given = found[-1]
        if given is None or not self.is_alias(arg):
            return
        if name == "setdefault" and len(node.args) == 2:
            self.graph.add(ev.Attach((*place, self.steps(node.args[0])), given, certain=False))
        else:
            self.graph.add(ev.Attach((*place, ANY), given, certain=False))

    def _update_items(self, place: Place, arg: ast.expr, given: Place | None) -> None:
        """``d.update({"k": v})`` replaces; other updates may."""
        if isinstance(arg, ast.Dict) and all(isinstance(k, ast.Constant) for k in arg.keys):
            for key in arg.keys:
                if key is not None:
                    step = self.steps(key)
                    source = None if given is None else (*given, step)
                    self.graph.add(ev.Store((*place, step), source))
        elif given is not None:
            self.graph.add(ev.Attach((*place, ANY), (*given, ANY), certain=False))

    def _take_out(
        self, node: ast.Call, place: Place, name: str, ty: m.Ty | None
    ) -> Place | None:
        """``xs.pop()``: the item leaves the container."""
        mapping = isinstance(ty, m.Mapping) or (
            bool(node.args) and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        )
        if node.args:
            step = self.steps(node.args[0])
        else:
            step = {"pop": "[-1]", "popleft": "[0]"}.get(name, ANY)
        result = self.temp()
        # The last item may be any of those that were put in by position.
        seen = ANY if not node.args and step == "[-1]" else step
        self.graph.add(ev.Bind(result[0], (*place, seen), unknown_part=True))
        shifts = not mapping and step != "[-1]"
        self.graph.add(ev.Delete((*place, step), rest=shifts))
        if step in {"[-1]", ANY}:
            self.graph.add(ev.Delete((*place, ANY)))
        return result

    def _look_up(self, place: Place, key: ast.expr) -> Place | None:
        result = self.temp()
        self.graph.add(ev.Bind(result[0], (*place, self.steps(key))))
        return result


_CONTAINER_METHODS = (
    known.ADDS_ITEM | known.ADDS_LAST | known.ADDS_ITEMS | known.TAKES_OUT | known.LISTS
    | known.FORGETS | {"copy", "get", "keys"}
) - {"push", "put"}
