"""``match``: patterns bind parts of the subject, and may cover all that it can be."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import TYPE_CHECKING

from ownarray._checker import events as ev
from ownarray._checker import model as m
from ownarray._checker.expressions import Expressions
from ownarray._checker.places import ITEMS

if TYPE_CHECKING:
    from ownarray._checker.places import Place


class Matching(Expressions):
    """Turns ``match`` into events and control flow."""

    @abstractmethod
    def block(self, statements: list[ast.stmt]) -> None:
        """Do statements one after another."""

    def match(self, node: ast.Match) -> None:
        place = self.read(node.subject)
        ty = self.type(node.subject)
        if place is not None and not self.is_alias(node.subject):
            place = None
        self._cases(node.cases, 0, place, ty)

    def _cases(
        self, cases: list[ast.match_case], at: int, place: Place | None, ty: m.Ty | None
    ) -> None:
        if at == len(cases):
            return
        case = cases[at]

        def guarded() -> None:
            if case.guard is None:
                self.block(case.body)
            else:
                self.read(case.guard)
                self.graph.branch(
                    lambda: self.block(case.body), lambda: self._cases(cases, at + 1, place, ty)
                )

        def taken() -> None:
            self.pattern(case.pattern, place, ty)
            guarded()

        if _matches_all(case.pattern) or (
            case.guard is None and at == len(cases) - 1 and self._exhausts(cases, ty)
        ):
            taken()
        else:
            self.graph.branch(taken, lambda: self._cases(cases, at + 1, place, ty))

    def _exhausts(self, cases: list[ast.match_case], ty: m.Ty | None) -> bool:
        """Return whether the cases cover an enumeration, a union of classes, or True and False."""
        seen: set[object] = set()
        for case in cases:
            if case.guard is None:
                seen |= _covered(case.pattern)
        if {True, False} <= seen:
            return True
        if isinstance(ty, m.Object) and ty.cls.members:
            return {f".{name}" for name in ty.cls.members} <= seen
        if isinstance(ty, m.Either):
            names = {i.cls.name if isinstance(i, m.Object) else "" for i in ty.items}
            names.discard("") if None in seen else None
            return names <= seen
        return isinstance(ty, m.Object) and ty.cls.name in seen

    # ------------------------------------------------------------------------- patterns
    def pattern(self, node: ast.pattern, subject: Place | None, ty: m.Ty | None) -> None:  # noqa: C901, PLR0912  (one branch for each kind)
        """Bind the names of a pattern to parts of the subject."""
        match node:
            case ast.MatchValue(value=value):
                self.read(value)
            case ast.MatchAs(pattern=inner, name=name):
                if inner is not None:
                    self.pattern(inner, subject, ty)
                if name is not None:
                    self._capture(name, subject)
            case ast.MatchSequence(patterns=patterns):
                star = next(
                    (i for i, p in enumerate(patterns) if isinstance(p, ast.MatchStar)), None
                )
                for i, inner in enumerate(patterns):
                    if isinstance(inner, ast.MatchStar):
                        self._rest(inner.name, _step(subject, f"[{i}:]"))
                        continue
                    at = i if star is None or i < star else i - len(patterns)
                    self.pattern(inner, _step(subject, self.item_step(f"[{at}]", ty)), None)
            case ast.MatchMapping(keys=keys, patterns=patterns, rest=rest):
                for key, inner in zip(keys, patterns, strict=True):
                    self.pattern(inner, _step(subject, self.steps(key)), None)
                if rest is not None:
                    place = None
                    if subject is not None:
                        place = self.temp()
                        self.graph.add(ev.Bind(place[0]))
                        given = frozenset(self.steps(key) for key in keys)
                        self.graph.add(ev.ShareParts(place, subject, given))
                    self._capture(rest, place)
            case ast.MatchClass(cls=cls, patterns=patterns, kwd_attrs=attrs, kwd_patterns=named):
                found = self.type(cls)
                fields = found.cls.fields if isinstance(found, m.ClassObject) else []
                for i, inner in enumerate(patterns):
                    step = f".{fields[i]}" if i < len(fields) else None
                    self.pattern(inner, _step(subject, step) if step else None, None)
                for attr, inner in zip(attrs, named, strict=True):
                    self.pattern(inner, _step(subject, f".{attr}"), None)
            case ast.MatchOr(patterns=patterns):
                self.graph.branch(*(lambda p=p: self.pattern(p, subject, ty) for p in patterns))

    def _rest(self, name: str | None, items: Place | None) -> None:
        """Bind the name of ``*rest`` to a new list of the items."""
        if name is None:
            return
        place = self.temp()
        self.graph.add(ev.Bind(place[0]))
        if items is not None:
            self.graph.add(ev.Attach((*place, ITEMS), items, certain=False))
        self._capture(name, place)

    def _capture(self, name: str, subject: Place | None) -> None:
        variable = self.module.table.declare(self.scope_of(name), name)
        self.graph.add(ev.Bind(self.variable(variable), subject))


def _step(place: Place | None, step: str) -> Place | None:
    return None if place is None else (*place, step)


def _matches_all(node: ast.pattern) -> bool:
    if isinstance(node, ast.MatchAs):
        return node.pattern is None or _matches_all(node.pattern)
    return isinstance(node, ast.MatchOr) and any(_matches_all(p) for p in node.patterns)


def _covered(node: ast.pattern) -> set[object]:
    match node:
        case ast.MatchSingleton(value=value):
            return {value}
        case ast.MatchValue(value=ast.Attribute(attr=attr)):
            return {f".{attr}"}
        case ast.MatchClass(cls=ast.Name(id=name)):
            irrefutable = all(_matches_all(p) for p in (*node.patterns, *node.kwd_patterns))
            return {name} if irrefutable else set()
        case ast.MatchOr(patterns=patterns):
            return set().union(*(_covered(p) for p in patterns))
        case ast.MatchAs(pattern=inner) if inner is not None:
            return _covered(inner)
        case _:
            return set()
