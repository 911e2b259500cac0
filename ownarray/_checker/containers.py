"""Containers and iterators: what is put in stays the same object, and comes out again."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import TypeGuard

from ownarray._checker import events as ev
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.context import constant_index
from ownarray._checker.places import ANY, HELD, ITEMS, Place, number
from ownarray._checker.targets import Targets

NOT_HERE: tuple[bool, Place | None] = (False, None)


class Containers(Targets):
    """Calls of containers' constructors and methods, of builtins, and of transforms."""

    @abstractmethod
    def spend(self, place: Place, node: ast.expr) -> None:
        """Pass a value on: handles in it are spent."""

    def read_all(self, node: ast.Call) -> list[tuple[ast.expr, Place | None]]:
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

    def arguments_then(
        self, node: ast.Call, place: Place | None, base: ast.expr, *, whole: bool = True
    ) -> list[tuple[ast.expr, Place | None]]:
        """Evaluate arguments after the receiver; then use all."""
        found = self.read_all(node)
        self.use(place, base, whole=whole)
        return found

    # ------------------------------------------------------------------------- containers
    def container_call(self, node: ast.Call, full: str) -> tuple[bool, Place | None]:  # noqa: C901, PLR0912  (one branch for each kind)
        if full in known.SAME_ITEMS:
            return True, self._new_container(node, share=True)
        if full in known.SOME_ITEMS:
            return True, self._new_container(node, share=False)
        if full == "builtins.next" and node.args:
            return True, self._next(node)
        if full in known.ONE_ITEM and node.args:
            found = self.read_all(node)
            return True, self._one(found[-1 if full == "functools.reduce" else 0][1])
        if full in known.ONE_OF and node.args:
            found = self.read_all(node)
            places = [place for _, place in found[: len(node.args)]]
            if len(places) == 1 and places[0] is not None:
                places = [(*places[0], ANY)]
            places += [
                place
                for keyword, (_, place) in zip(node.keywords, found[len(node.args) :], strict=True)
                if keyword.arg == "default"
            ]
            return True, self._any_of(places)
        if full in known.TASKS and node.args:
            return True, self._any_of([place for _, place in self.read_all(node)])
        if full in known.WRAPPERS and node.args:
            return True, self._partial(node)
        if full in known.ATTRIBUTES and len(node.args) > 1:
            attr = node.args[1]
            if isinstance(attr, ast.Constant) and isinstance(attr.value, str):
                return True, self._attribute_call(node, full, attr.value)
        if full in known.FIELDS and len(node.args) == 1:
            return True, self._fields(node)
        if full in known.REPEATS and node.args:
            return True, self._repeat(node, full)
        if full in known.ZIPS | {"builtins.enumerate", "builtins.map"}:
            return True, self._lazy(node, full)
        if full.startswith("builtins.") or full in known.KEEPS_HANDLES:
            return self._builtin(node, full)
        if full in known.TRACING:
            return True, self._transform(node, full)
        return NOT_HERE

    def _builtin(self, node: ast.Call, full: str) -> tuple[bool, Place | None]:
        """Call a builtin: it keeps nothing."""
        found = self.read_all(node)
        if full not in known.KEEPS_HANDLES:
            for arg, place in found:
                if place is not None:
                    self.spend(place, arg)
        return True, None

    def _transform(self, node: ast.Call, full: str) -> Place | None:
        """Call what traces functions: a loop runs them now, others give a function that does."""
        found = self.read_all(node)
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
        found = self.read_all(node)
        places = [(arg, place) for arg, place in found if place is not None]
        if not places:
            return None
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        for arg, place in places:
            named = any(arg is keyword.value for keyword in node.keywords)
            if named or isinstance(self.type(arg), m.Array | m.Scalar | m.Function | m.Name):
                continue
            if share and len(places) == 1:
                self.graph.add(ev.ShareParts(result, place))
            else:
                self.graph.add(ev.Attach((*result, ITEMS), (*place, ITEMS), certain=False))
        for keyword in node.keywords:
            value = next((p for a, p in places if a is keyword.value), None)
            if (
                keyword.arg
                and value is not None
                and not isinstance(self.type(keyword.value), m.Function | m.Name)
            ):
                self.graph.add(ev.Attach((*result, f"[{keyword.arg!r}]"), value))
        return result

    def _attribute_call(self, node: ast.Call, full: str, name: str) -> Place | None:
        """``getattr(p, "w")`` and its like with a constant name are ``p.w``."""
        target = ast.Attribute(node.args[0], name, ast.Load())
        ast.copy_location(target, node)
        if full == "builtins.setattr" and len(node.args) == 3:
            self.assign(target, self.read(node.args[2]))
            return None
        if full == "builtins.delattr":
            place = self.value(node.args[0])
            if place is not None:
                self.graph.add(ev.Delete((*place, f".{name}")))
            return None
        place = self.value(target)
        if len(node.args) < 3:
            return place
        return self._any_of([place, self.value(node.args[2])])

    def _fields(self, node: ast.Call) -> Place | None:
        """``vars(p)`` is a dict of the fields of p."""
        place, ty = self.read(node.args[0]), self.type(node.args[0])
        if place is None or not isinstance(ty, m.Object):
            return None
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        for name in ty.cls.field_types:
            self.graph.add(ev.Attach((*result, f"[{name!r}]"), (*place, f".{name}")))
        return result

    def _repeat(self, node: ast.Call, full: str) -> Place | None:
        """Make what gives one object, or the items of a container, several times."""
        found = self.read_all(node)
        place = found[1 if full == "builtins.dict.fromkeys" and len(found) > 1 else 0][1]
        if place is None:
            return None
        result = self.temp()
        item: Place = (*result, ITEMS)
        self.graph.add(ev.Bind(result[0]))
        if full == "itertools.pairwise":
            for step in ("[0]", "[1]"):
                self.graph.add(ev.Attach((*item, step), (*place, ITEMS), certain=False))
        else:
            source = (*place, ITEMS) if full == "itertools.cycle" else place
            self.graph.add(ev.Attach(item, source, certain=False))
        self.graph.add(ev.Twins(item))
        return result

    def _one(self, place: Place | None) -> Place | None:
        if place is None:
            return None
        result = self.temp()
        self.graph.add(ev.Bind(result[0], (*place, ANY)))
        return result

    def _next(self, node: ast.Call) -> Place | None:
        """``next(it)``: what came out before is not in there any more."""
        place = self.value(node.args[0])
        if place is not None:
            pos = self.pos(node.args[0])
            self.graph.add(ev.Use(place, pos, whole=False))
            for needed in (HELD, ".source"):
                self.graph.add(ev.Use((*place, needed), pos, runs=False))
        default = [self.read(arg) for arg in node.args[1:]]
        self.graph.may_raise()
        found = self._one(place)
        if place is not None:
            self.graph.add(ev.Delete((*place, ANY)))
        return self._any_of([found, *default]) if default else found

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
        found = self.read_all(node)
        if self.full_name(node.args[0]) in known.MOVES and len(node.args) > 1:
            return None
        result = self.temp(self.text(node))
        self.graph.add(ev.Bind(result[0]))
        for i, (_, place) in enumerate(found):
            if place is not None:
                self.graph.add(ev.Attach((*result, f".partial{i}"), place))
        return result

    def _lazy(self, node: ast.Call, full: str) -> Place | None:
        """Make an iterator over arguments: they are read when it is."""
        found = self.read_all(node)
        result = self.temp()
        self.graph.add(ev.Bind(result[0]))
        if full == "builtins.map" and self._map(node, found):
            return result
        for i, (_, place) in enumerate(found):
            if place is None:
                continue
            item: Place = (*result, ITEMS)
            if full in known.ZIPS:
                item = (*item, f"[{i}]")
            elif full == "builtins.enumerate":
                item = (*item, "[1]")
            self.graph.add(ev.Attach(item, (*place, ITEMS), certain=False))
            self.graph.add(ev.Attach((*result, ".source"), place, certain=False))
        if full == "itertools.product":
            self.graph.add(ev.Twins((*result, ITEMS)))
        return result

    def _map(self, node: ast.Call, found: list[tuple[ast.expr, Place | None]]) -> bool:
        """``map(oa.move, xs)`` gives each item away; return whether it is one."""
        if not node.args or self.full_name(node.args[0]) not in known.MOVES:
            return False
        for arg, place in found[1:]:
            if place is not None:
                self.graph.add(ev.Move((*place, ITEMS), self.pos(arg), self.text(arg)))
        return True

    def container_method(  # noqa: C901, PLR0912  (one branch for each kind)
        self, node: ast.Call, func: ast.Attribute, ty: m.Ty | None
    ) -> Place | None:
        place, name = self.value(func.value), func.attr
        reaches_items = name in known.LISTS | known.COPIES | {"sort", "index", "count"}
        found = self.arguments_then(node, place, func.value, whole=reaches_items and name != "keys")
        if place is None:
            return None
        if name in known.ADDS_ITEM | known.ADDS_LAST | known.ADDS_ITEMS:
            self._add_items(node, place, name, found)
            if name != "setdefault":
                return None
        if name in known.TAKES_OUT:
            return self._take_out(node, place, name, ty)
        if name in known.LOOKS_UP and node.args:
            return self._look_up(place, node.args[0], found[1:])
        if name in known.FORGETS:
            self.graph.add(ev.Clear(place))
            return None
        if name in known.REORDERS:
            self.graph.add(ev.Shift(place, 0, None))
            return None
        if name in known.COPIES or name in known.LISTS:
            result = self.temp()
            self.graph.add(ev.Bind(result[0]))
            if name in known.COPIES:
                self.graph.add(ev.ShareParts(result, place))
            else:
                item: Place = (*result, ITEMS, "[1]") if name == "items" else (*result, ITEMS)
                self.graph.add(ev.Attach(item, (*place, ITEMS), certain=False))
            return result
        if name in {"send", "throw"}:
            return None
        for arg, given in found:
            if given is not None:
                self.spend(given, arg)
        return None

    def _add_items(  # noqa: C901, PLR0912  (one branch for each kind)
        self, node: ast.Call, place: Place, name: str, found: list[tuple[ast.expr, Place | None]]
    ) -> None:
        if not found:
            return
        if name in known.ADDS_ITEMS:
            for keyword, (_, given) in zip(node.keywords, found[len(node.args) :], strict=False):
                if keyword.arg:
                    self.graph.add(ev.Store((*place, f"[{keyword.arg!r}]"), given))
            if name == "extend" and node.args and is_plain_display(node.args[0]):
                self.append_each(place, node.args[0], found[0][1])
                return
            if node.args:
                self._update_items(place, node.args[0], found[0][1])
            if name != "update":
                self.graph.add(ev.Shift(place, 0 if name == "extendleft" else None, None))
            return
        arg, given = found[-1]
        if name in known.ADDS_FIRST:
            at = 0 if name == "appendleft" else constant_index(node.args[0]) if node.args else None
            if at is None or at < 0:
                self.graph.add(ev.Shift(place, 0, None))
            else:
                self.graph.add(ev.Shift(place, at, 1))
        else:
            at = None
        if given is not None and not self.is_alias(arg):
            given = None
        if name == "append":
            self.graph.add(ev.Append(place, given))
            return
        if given is None:
            return
        if name == "setdefault" and len(node.args) == 2:
            self.graph.add(ev.Attach((*place, self.steps(node.args[0])), given, certain=False))
        else:
            step = ITEMS if at is None or at < 0 else f"[{at}]"
            self.graph.add(ev.Attach((*place, step), given, certain=step != ITEMS))

    def append_each(self, place: Place, display: ast.List | ast.Tuple, given: Place | None) -> None:
        """Put the items of a display at the end of a list, one after another."""
        for i, element in enumerate(display.elts):
            item = None if given is None or not self.is_alias(element) else (*given, f"[{i}]")
            self.graph.add(ev.Append(place, item))

    def _update_items(self, place: Place, arg: ast.expr, given: Place | None) -> None:
        """``d.update({"k": v})`` replaces; other updates may."""
        if isinstance(arg, ast.Dict) and all(isinstance(k, ast.Constant) for k in arg.keys):
            for key in arg.keys:
                if key is not None:
                    step = self.steps(key)
                    source = None if given is None else (*given, step)
                    self.graph.add(ev.Store((*place, step), source))
        elif given is not None:
            self.graph.add(ev.Attach((*place, ITEMS), (*given, ITEMS), certain=False))

    def _take_out(self, node: ast.Call, place: Place, name: str, ty: m.Ty | None) -> Place | None:
        """``xs.pop()``: the item leaves the container."""
        mapping = isinstance(ty, m.Mapping) or (
            bool(node.args)
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        )
        result = self.temp()
        if not node.args and name == "pop":
            self.graph.add(ev.Pop(result[0], place))
            return result
        step = self.steps(node.args[0]) if node.args else "[0]" if name == "popleft" else ANY
        self.graph.add(ev.Bind(result[0], (*place, step), unknown_part=True))
        self.remove_item((*place, step), mapping=mapping)
        return result

    def remove_item(self, item: Place, *, mapping: bool) -> None:
        """Take an item out of a container; in a list, the later ones get other keys."""
        at = number(item[-1])
        known_key = mapping or (at is not None and at >= 0)
        self.graph.add(ev.Delete(item, rest=not known_key))
        if not mapping:
            if at is None or at < 0:
                self.graph.add(ev.Shift(item[:-1], 0, None))
            else:
                self.graph.add(ev.Shift(item[:-1], at + 1, -1))

    def _look_up(
        self, place: Place, key: ast.expr, default: list[tuple[ast.expr, Place | None]]
    ) -> Place | None:
        result = self.temp()
        self.graph.add(ev.Bind(result[0], (*place, self.steps(key))))
        for _, given in default:
            if given is not None:
                self.graph.add(ev.Attach(result, given, certain=False))
        return result


def is_plain_display(node: ast.expr) -> TypeGuard[ast.List | ast.Tuple]:
    """Return whether an expression is a list or tuple whose items are all written down."""
    return isinstance(node, ast.List | ast.Tuple) and not any(
        isinstance(element, ast.Starred) for element in node.elts
    )
