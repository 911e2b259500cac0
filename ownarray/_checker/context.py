"""What every part of the translation from syntax to events shares."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from ownarray._checker import events as ev
from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.graph import Graph
from ownarray._checker.places import ANY, ITEMS, Place, Pos, Var, number

if TYPE_CHECKING:
    from ownarray._checker.module import Module
    from ownarray._checker.scopes import Scope, Variable


class Context(ABC):
    """The graph under construction for one function, and the scope that is being read."""

    def __init__(self, module: Module, scope: Scope) -> None:
        self.module = module
        self.types = module.types
        self.scope = scope
        self.flow = scope.flow
        self.graph = Graph()
        self.steps_of: dict[Var, set[str]] = {}
        self.attribute_steps: dict[Place, set[str]] = {}
        self.all_keys: set[str] = set()
        """Keys that mean each item of a container in turn."""
        self.mentioned: set[Var] = set()
        """Variables of enclosing scopes that are used here."""
        self.temporaries: list[Var] = []
        self.snapshots = False
        """Whether a name may be re-bound within the statement, so that values must be held."""

    # ---------------------------------------------------------------------------- to be given
    @abstractmethod
    def value(self, node: ast.expr) -> Place | None:
        """Evaluate an expression; return the place of its value, or None if it is new."""

    # ---------------------------------------------------------------------------- helpers
    def pos(self, node: ast.expr | ast.stmt | ast.pattern) -> Pos:
        """Return where a node stands."""
        return Pos(
            node.lineno,
            node.col_offset,
            node.end_lineno or node.lineno,
            node.end_col_offset or node.col_offset,
        )

    def text(self, node: ast.expr) -> str:
        """Return the source text of an expression, as messages show it."""
        return self.module.text(node)

    def type(self, node: ast.expr) -> m.Ty | None:
        """Return the type of an expression."""
        memo = self.types.memo
        return memo[node] if node in memo else self.types.of(node, self.scope)

    def full_name(self, node: ast.expr) -> str | None:
        """Return the full name of a library's object or a builtin."""
        return self.types.full_name(node, self.scope)

    def temp(self, name: str = "") -> Place:
        """Return a new place that lives until the end of the statement."""
        variable = self.module.table.fresh(name, self.flow)
        self.temporaries.append(variable.var)
        return (variable.var,)

    def variable(self, variable: Variable) -> Var:
        """Return a variable's number, and note it if it lives in an enclosing flow."""
        if variable.scope.flow is not self.flow:
            self.mentioned.add(variable.var)
        return variable.var

    def use(self, place: Place | None, node: ast.expr, *, whole: bool = True) -> None:
        """Mention a place, or pass it on."""
        if place is not None:
            self.graph.add(ev.Use(place, self.pos(node), whole, runs=whole))

    def hold(self, place: Place | None, node: ast.expr) -> None:
        """Mention a place only to hold it by another name or in a container."""
        if place is not None:
            self.graph.add(ev.Use(place, self.pos(node), runs=False))

    def read(self, node: ast.expr, *, whole: bool = True) -> Place | None:
        """Evaluate an expression and use it at once."""
        place = self.value(node)
        self.use(place, node, whole=whole)
        return place

    def steps(self, node: ast.expr) -> str:
        """Return the step that a subscript means: the same text for the same unchanged key."""
        text = _key(node)
        if text is None:
            return ANY
        step = f"[{text}]"
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name):
                variable = self.scope.find(inner.id)
                if variable is not None:
                    self.steps_of.setdefault(variable.var, set()).add(step)
            elif isinstance(inner, ast.Attribute):
                place = self.name_place(inner)
                if place is None:
                    return ANY
                self.attribute_steps.setdefault(place, set()).add(step)
        return step

    def slice_step(self, node: ast.Slice) -> str:
        """Return the step for the items of a slice, whose bounds are constants or names."""
        texts = []
        for bound in (node.lower, node.upper):
            text = "" if bound is None else _key(bound)
            if text is None or not isinstance(bound, ast.Name | ast.Constant | ast.UnaryOp | None):
                return ITEMS
            texts.append(text)
        every = None if node.step is None else constant_index(node.step)
        if every is not None and every < 2:
            return ITEMS if every < 0 else self.slice_step(ast.Slice(node.lower, node.upper))
        if every is not None:
            texts.append(f"{every}")
        if texts[0] in {"", "0"} and texts[1:] == [""]:
            return ITEMS
        step = f"[{':'.join(texts)}]"
        for bound in (node.lower, node.upper):
            for inner in ast.walk(bound) if bound is not None else ():
                if isinstance(inner, ast.Name):
                    variable = self.scope.find(inner.id)
                    if variable is None:
                        return ITEMS
                    self.steps_of.setdefault(variable.var, set()).add(step)
        return step

    def own_method(self, ty: m.Ty | None, name: str) -> m.FunctionInfo | None:
        """Return a method of a class of this module."""
        info = ty.cls.method(name) if isinstance(ty, m.Object) else None
        return info if info is not None and info.node is not None else None

    def item_step(self, step: str, ty: m.Ty | None) -> str:
        """Return the one step of an item: a named tuple's field, a key from a tuple's start."""
        at = number(step)
        if at is None:
            return step
        if isinstance(ty, m.Tuple) and at < 0:
            return f"[{at + len(ty.items)}]"
        if isinstance(ty, m.Object) and ty.cls.is_tuple:
            fields = ty.cls.fields
            return f".{fields[at]}" if -len(fields) <= at < len(fields) else step
        return step

    def name_place(self, node: ast.expr) -> Place | None:
        """Return the place of a plain dotted name."""
        if isinstance(node, ast.Name):
            variable = self.scope.find(node.id)
            return None if variable is None else (self.variable(variable),)
        if isinstance(node, ast.Attribute):
            base = self.name_place(node.value)
            return None if base is None else (*base, f".{node.attr}")
        return None

    def is_alias(self, node: ast.expr) -> bool:
        """Return whether a value that has a place is the object there, and not a new one.

        ``u[i]`` of an unknown ``u`` may be an item of a list, or a slice of an array, which is a
        new array: then nobody is accused.
        """
        if isinstance(node, ast.Subscript):
            base = self.type(node.value)
            if base is None or isinstance(base, m.Either):
                key = node.slice
                return isinstance(key, ast.Constant) and isinstance(key.value, str)
        if isinstance(node, ast.IfExp):
            return self.is_alias(node.body) or self.is_alias(node.orelse)
        return True

    def holds_no_array(self, ty: m.Ty | None) -> bool:
        """Return whether a value of this type can never matter."""
        return isinstance(ty, m.Scalar) or (
            isinstance(ty, m.Name) and ty.full.split(".")[0] in _LIBRARIES
        )


_LIBRARIES = frozenset({known.LIBRARY, "builtins", "numpy", "typing", "math", "functools", "os"})


def _key(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=value):
            return repr(value)
        case ast.Name(id=name):
            return name
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _key(operand)
            return None if inner is None else f"-{inner}"
        case ast.BinOp(left=left, op=op, right=right):
            one, two = _key(left), _key(right)
            sign = _SIGNS.get(type(op))
            return None if one is None or two is None or sign is None else f"{one} {sign} {two}"
        case ast.Attribute(value=value, attr=attr):
            inner = _key(value)
            return None if inner is None else f"{inner}.{attr}"
        case ast.Tuple(elts=elts):
            parts = [_key(e) for e in elts]
            return None if None in parts else ", ".join(p for p in parts if p is not None)
        case _:
            return None


_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}


def constant_index(node: ast.expr) -> int | None:
    """Return the value of a constant integer index."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = constant_index(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None
