"""Where values go: assignment, unpacking, loop targets, patterns."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ownarray._checker import events as ev
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.context import Context
from ownarray._checker.places import ANY, Place
from ownarray._errors import Code

if TYPE_CHECKING:
    from ownarray._checker.scopes import Scope


class Targets(Context):
    """Assigns values to targets."""

    def assign(self, target: ast.expr, source: Place | None) -> None:
        """Give a target what a place holds, or something new."""
        match target:
            case ast.Name(id=name):
                variable = self.module.table.declare(self.scope_of(name), name)
                self.graph.add(ev.Bind(self.variable(variable), source))
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                self._unpack(elts, source)
            case ast.Starred(value=inner):
                self.assign(inner, source)
            case ast.Attribute(value=base, attr=attr):
                self._store(target, base, f".{attr}", source)
            case ast.Subscript(value=base, slice=key):
                self._store_item(target, base, key, source)

    def scope_of(self, name: str) -> Scope:
        """Return the scope in which a name is bound here."""
        variable = self.scope.find(name)
        if variable is not None and name not in self.scope.names:
            return variable.scope if name in self.scope.elsewhere else self._walrus_scope(name)
        return self.scope

    def _walrus_scope(self, name: str) -> Scope:
        variable = self.scope.find(name)
        return self.scope if variable is None else variable.scope

    def _unpack(self, elts: list[ast.expr], source: Place | None) -> None:
        star = next((i for i, e in enumerate(elts) if isinstance(e, ast.Starred)), None)
        parts: list[Place | None] = []
        for i in range(len(elts)):
            if source is None:
                parts.append(None)
            elif star is not None and i >= star:
                last = len(elts) - i
                parts.append((*source, f"[{i}:]" if i == star else f"[{-last}]"))
            else:
                parts.append((*source, f"[{i}]"))
        held: list[Place | None] = []
        for element, part in zip(elts, parts, strict=True):
            if part is None:
                held.append(None)
                continue
            temp = self.temp()
            if isinstance(element, ast.Starred):
                self.graph.add(ev.Bind(temp[0]))
                self.graph.add(ev.Attach((*temp, ANY), part, certain=False))
            else:
                self.graph.add(ev.Bind(temp[0], part))
            held.append(temp)
        for element, temp_ in zip(elts, held, strict=True):
            self.assign(element, temp_)

    def _store(self, target: ast.expr, base: ast.expr, step: str, source: Place | None) -> None:
        owner = self.value(base)
        if owner is None:
            return
        place: Place = (*owner, step)
        self.use(owner, base, whole=False)
        self.graph.add(ev.Update(owner, self.pos(base), self.text(base), store=True))
        self.graph.add(ev.Store(place, source))
        for name, steps in self.attribute_steps.items():
            if name == place:
                self.graph.add(ev.Blur(frozenset(steps)))

    def _store_item(
        self, target: ast.Subscript, base: ast.expr, key: ast.expr, source: Place | None
    ) -> None:
        ty = self.type(base)
        owner = self.value(base)
        if not isinstance(key, ast.Constant | ast.Name):
            self.read(key)
        if isinstance(ty, m.Array):
            self.update(base, owner)
        elif owner is not None and not isinstance(ty, m.NumPy):
            self.use(owner, base, whole=False)
            self.graph.add(ev.Update(owner, self.pos(base), self.text(base), store=True))
            step = ANY if isinstance(key, ast.Slice) else self.steps(key)
            if step == ANY and source is not None:
                self.graph.add(ev.Store((*owner, step), None))
                self.graph.add(ev.Attach((*owner, step), source, certain=False))
            else:
                self.graph.add(ev.Store((*owner, step), source))
        self.graph.may_raise()

    def update(self, base: ast.expr, owner: Place | None, *, known_array: bool = True) -> None:
        """Update an array in place; a write into a temporary is lost."""
        if owner is not None:
            self.graph.add(ev.Update(owner, self.pos(base), self.text(base), known=known_array))
        elif self._is_new_array(base):
            self.refuse_lost_write(base)

    def refuse_lost_write(self, base: ast.expr) -> None:
        """Report a write into an array that nobody holds."""
        self.graph.add(ev.Refuse(Code.LOST_WRITE, self.pos(base), self.text(base)))

    def _is_new_array(self, base: ast.expr) -> bool:
        match base:
            case ast.Subscript(value=inner):
                return isinstance(self.type(inner), m.Array)
            case ast.Attribute(value=inner, attr=attr):
                return attr in known.NEW_ARRAYS and isinstance(self.type(inner), m.Array)
            case ast.Call(func=func):
                if (self.full_name(func) or "").startswith(f"{known.LIBRARY}."):
                    return isinstance(self.type(base), m.Array)
                return isinstance(func, ast.Attribute) and isinstance(
                    self.type(func.value), m.Array
                )
            case _:
                return False

    # ------------------------------------------------------------------------- iteration
    def each(self, target: ast.expr, iterable: ast.expr, source: Place | None) -> None:
        """Bind a loop target to an item of what is iterated over."""
        if isinstance(iterable, ast.Call):
            name = self.full_name(iterable.func)
            if name == "builtins.enumerate" and iterable.args and source is not None:
                self._each_numbered(target, source)
                return
            items = isinstance(iterable.func, ast.Attribute) and iterable.func.attr == "items"
            if items and source is not None and not isinstance(target, ast.Name):
                self._each_numbered(target, source)
                return
        self.assign(target, None if source is None else (*source, ANY))

    def _each_numbered(self, target: ast.expr, source: Place) -> None:
        """Bind ``i, x`` to a key and the item under this very key."""
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            self.assign(target, None)
            return
        key, item = target.elts
        self.assign(key, None)
        self.assign(item, (*source, self.steps(key) if isinstance(key, ast.Name) else ANY))
