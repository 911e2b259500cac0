"""Where values go: assignment, unpacking, loop targets, patterns."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple

from ownarray._checker import events as ev
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.context import Context
from ownarray._checker.places import ANY, ITEMS, Place, Var
from ownarray._errors import Code

if TYPE_CHECKING:
    from ownarray._checker.scopes import Scope


class Before(NamedTuple):
    """What was known of the items of a container when a loop over them began."""

    dead: Place
    held: Var


class Targets(Context):
    """Assigns values to targets."""

    def assign(
        self,
        target: ast.expr,
        source: Place | None,
        ty: m.Ty | None = None,
        since: Var | None = None,
    ) -> None:
        """Give a target what a place holds, or something new; ``ty`` is its type, if known.

        ``since`` holds what each item did when the loop began of which this is the target.
        """
        match target:
            case ast.Name(id=name):
                variable = self.module.table.declare(self.scope_of(name), name)
                self.graph.add(ev.Bind(self.variable(variable), source, since=since))
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                self._unpack(elts, source, ty)
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

    def _unpack(self, elts: list[ast.expr], source: Place | None, ty: m.Ty | None) -> None:
        star = next((i for i, e in enumerate(elts) if isinstance(e, ast.Starred)), None)
        parts: list[Place | None] = []
        for i in range(len(elts)):
            if source is None:
                parts.append(None)
            elif star is not None and i >= star:
                last = len(elts) - i
                rest = f"[{i}:]" if last == 1 else f"[{i}:{1 - last}]"
                parts.append((*source, rest if i == star else self.item_step(f"[{-last}]", ty)))
            else:
                parts.append((*source, self.item_step(f"[{i}]", ty)))
        held: list[Place | None] = []
        for element, part in zip(elts, parts, strict=True):
            if part is None:
                held.append(None)
                continue
            temp = self.temp()
            if isinstance(element, ast.Starred):
                self.graph.add(ev.Bind(temp[0]))
                self.graph.add(ev.Attach((*temp, ITEMS), part, certain=False))
            else:
                others = tuple(other[0] for other in held if other is not None)
                self.graph.add(ev.Bind(temp[0], part, apart=others))
            held.append(temp)
        for element, temp_ in zip(elts, held, strict=True):
            self.assign(element, temp_)

    def _store(self, target: ast.expr, base: ast.expr, step: str, source: Place | None) -> None:
        owner = self.value(base)
        if owner is None:
            return
        ty = self.type(base)
        setter = ty.cls.setters.get(step[1:]) if isinstance(ty, m.Object) else None
        if setter is not None and setter.node is not None:
            self.set_property(target, owner, setter, source)
            return
        place: Place = (*owner, step)
        self.use(owner, base, whole=False)
        self.graph.add(ev.Update(owner, self.pos(base), self.text(base), store=True))
        self.graph.add(ev.Store(place, source))
        for name, steps in self.attribute_steps.items():
            if name == place:
                self.graph.add(ev.Blur(frozenset(steps)))

    @abstractmethod
    def set_property(
        self, node: ast.expr, owner: Place, setter: m.FunctionInfo, source: Place | None
    ) -> None:
        """Assign to a property: its setter runs."""

    def _store_item(
        self, target: ast.Subscript, base: ast.expr, key: ast.expr, source: Place | None
    ) -> None:
        ty = self.type(base)
        owner = self.value(base)
        if not isinstance(key, ast.Constant | ast.Name):
            self.read(key)
        if m.is_array(ty):
            self.update(base, owner)
        elif owner is not None and not isinstance(ty, m.NumPy):
            self.use(owner, base, whole=False)
            self.graph.add(ev.Update(owner, self.pos(base), self.text(base), store=True))
            if isinstance(key, ast.Slice):
                self._store_slice(owner, key, source)
                self.graph.may_raise()
                return
            step = self.item_step(self.steps(key), ty)
            if step == ANY and source is not None:
                self.graph.add(ev.Store((*owner, step), None))
                self.graph.add(ev.Attach((*owner, step), source, certain=False))
            else:
                self.graph.add(ev.Store((*owner, step), source))
        self.graph.may_raise()

    def _store_slice(self, owner: Place, key: ast.Slice, source: Place | None) -> None:
        """``xs[:] = ys`` replaces all items, other slices some of them."""
        if key.lower is None and key.upper is None and key.step is None:
            self.graph.add(ev.Clear(owner))
        else:
            self.graph.add(ev.Store((*owner, ANY), None))
            self.graph.add(ev.Shift(owner, 0, None))
        if source is not None:
            self.graph.add(ev.Attach((*owner, ITEMS), (*source, ITEMS), certain=False))

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
    def begin(self, source: Place | None) -> Before | None:
        """Remember what is known of what is iterated over when a loop begins."""
        dead = self.as_before(source)
        if source is None or dead is None:
            return None
        held = self.temp()[0]
        self.graph.add(ev.Bind(held, (*source, ITEMS)))
        return Before(dead, held)

    def as_before(self, source: Place | None) -> Place | None:
        """Remember what is dead of what is iterated over when a loop begins."""
        if source is None:
            return None
        before = self.temp()
        self.graph.add(ev.Bind(before[0]))
        self.graph.add(ev.Inherit(before, (*source, ITEMS)))
        return before

    def each(
        self,
        target: ast.expr,
        iterable: ast.expr,
        source: Place | None,
        before: Before | None = None,
        step: str = ITEMS,
    ) -> None:
        """Bind a loop target to an item, or to the one at ``step`` of what is iterated over."""
        if source is None:
            self.assign(target, None)
            return
        if isinstance(iterable, ast.Call):
            name = self.full_name(iterable.func)
            items = isinstance(iterable.func, ast.Attribute) and iterable.func.attr == "items"
            if (name == "builtins.enumerate" and iterable.args) or (
                items and not isinstance(target, ast.Name)
            ):
                if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
                    self.assign(target, None)
                    return
                key, target = target.elts
                self.assign(key, None)
                step = self.steps(key) if isinstance(key, ast.Name) else ITEMS
        if before is None:
            self.assign(target, (*source, step))
            return
        if isinstance(target, ast.Name):
            self.assign(target, (*source, step), since=before.held)
        else:
            item = self.temp()
            self.graph.add(ev.Bind(item[0], (*source, step), since=before.held))
            self.assign(target, item)
        for named, path in names_in(target):
            place = self.name_place(named)
            if place is not None:
                self.graph.add(ev.Inherit(place, (*before.dead, *path)))


def names_in(target: ast.expr, path: Place = ()) -> list[tuple[ast.Name, Place]]:
    """Return the names of a target, each with the steps that lead to its value."""
    if isinstance(target, ast.Name):
        return [(target, path)]
    if isinstance(target, ast.Tuple | ast.List):
        pairs = enumerate(target.elts)
        return [pair for i, e in pairs for pair in names_in(e, (*path, f"[{i}]"))]
    return []
