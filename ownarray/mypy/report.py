"""The checker's reports as mypy's errors, on the right lines and in the right targets."""

from __future__ import annotations

from bisect import bisect_right
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final

from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    ClassDef,
    Decorator,
    FuncDef,
    MypyFile,
    OverloadedFuncDef,
    Statement,
    TypeInfo,
)
from mypy.scope import Scope

from ownarray._errors import SLUGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mypy.checker import TypeChecker

    from ownarray._checker.report import Report
    from ownarray.mypy.oracle import MypyOracle

CODES: Final = {slug: ErrorCode(slug, f"Ownership: {slug}", "Ownership") for slug in SLUGS}
CRASH: Final = ErrorCode("checker-crash", "The ownership checker failed", "Ownership")


class Owner:
    """A top-level function or method: what mypy re-checks as one."""

    __slots__ = ("classes", "first", "function", "last")

    def __init__(
        self, function: FuncDef | OverloadedFuncDef, node: Statement, classes: tuple[TypeInfo, ...]
    ) -> None:
        self.function = function
        self.classes = classes
        self.first = node.line
        self.last = max(node.end_line or node.line, function.end_line or 0)


def owners(tree: MypyFile) -> list[Owner]:
    """Return the functions of a module that mypy re-checks as one, in order."""
    return sorted(_owners(tree.defs, ()), key=lambda owner: owner.first)


def _owners(defs: Sequence[Statement], classes: tuple[TypeInfo, ...]) -> Iterator[Owner]:
    for node in defs:
        if isinstance(node, ClassDef):
            yield from _owners(node.defs.body, (*classes, node.info))
        elif isinstance(node, FuncDef | OverloadedFuncDef):
            yield Owner(node, node, classes)
        elif isinstance(node, Decorator):
            yield Owner(node.func, node, classes)


class Reporter:
    """Hands reports of one module to mypy."""

    def __init__(self, checker: TypeChecker) -> None:
        self._checker = checker
        self._errors = checker.errors
        self._tree = checker.tree
        self._owners = owners(checker.tree)
        self._starts = [owner.first for owner in self._owners]

    def all(self, reports: Sequence[Report], oracle: MypyOracle, *, replace: bool) -> None:
        """Report; ``replace`` what was said before about targets that were checked again."""
        fresh: dict[int, bool] = {}
        with self._file() as scope:
            if replace:
                for i in range(-1, len(self._owners)):
                    fresh[i] = self._was_checked(i, oracle)
                    if fresh[i]:
                        self._forget(i, scope)
            for report in reports:
                at = self._owner_at(report.pos.line)
                if fresh.get(at, True):
                    with self._target(at, scope):
                        self._one(report, oracle)

    def crash(self, error: BaseException) -> None:
        """Say that the checker failed, and on which file: never be silent."""
        with self._file() as scope, self._target(-1, scope):
            self._errors.report(
                1,
                0,
                f"checker-crash: the ownership checker failed on {self._checker.path}:"
                f" {type(error).__name__}: {error}. Fix: please report it; nothing in this file"
                " was judged",
                code=CRASH,
            )

    # ------------------------------------------------------------------------- one report
    def _one(self, report: Report, oracle: MypyOracle) -> None:
        pos = report.pos
        span = range(pos.line, max(pos.line, pos.end_line) + 1)
        code = CODES[report.slug]
        parent = self._errors.report(
            pos.line,
            oracle.shown(pos.line, pos.col),
            report.message,
            code=code,
            origin_span=span,
            end_line=pos.end_line,
            end_column=oracle.shown(pos.end_line, pos.end_col),
        )
        for note in report.notes:
            self._errors.report(
                note.pos.line,
                oracle.shown(note.pos.line, note.pos.col),
                note.text,
                code=code,
                severity="note",
                origin_span=span,
                end_line=note.pos.end_line,
                end_column=oracle.shown(note.pos.end_line, note.pos.end_col),
                parent_error=parent,
            )

    # ------------------------------------------------------------------------- targets
    @contextmanager
    def _file(self) -> Iterator[Scope]:
        """Let errors be of this file, and nobody filter them."""
        errors, checker = self._errors, self._checker
        saved = (errors.file, errors.target_module, errors.options, errors.scope)
        watchers = errors._watchers
        scope = Scope()
        errors._watchers = []
        try:
            errors.set_file(checker.path, self._tree.fullname, checker.options, scope)
            yield scope
        finally:
            errors._watchers = watchers
            file, module, options, old = saved
            if options is not None:
                errors.set_file(file, module, options, old)

    def _owner_at(self, line: int) -> int:
        i = bisect_right(self._starts, line) - 1
        return i if i >= 0 and line <= self._owners[i].last else -1

    def _was_checked(self, i: int, oracle: MypyOracle) -> bool:
        if i < 0:
            return True
        return oracle.covers(self._owners[i].first, self._owners[i].last)

    @contextmanager
    def _target(self, i: int, scope: Scope) -> Iterator[None]:
        with ExitStack() as stack:
            stack.enter_context(scope.module_scope(self._tree.fullname))
            if i >= 0:
                for info in self._owners[i].classes:
                    stack.enter_context(scope.class_scope(info))
                function = self._owners[i].function
                if isinstance(function, FuncDef):
                    stack.enter_context(scope.function_scope(function))
            yield

    def _forget(self, i: int, scope: Scope) -> None:
        """Drop what an earlier run said about a target."""
        kept = self._errors.error_info_map.get(self._checker.path)
        if not kept:
            return
        with self._target(i, scope):
            target = scope.current_target()
        ours = {*CODES.values(), CRASH}
        kept[:] = [info for info in kept if not (info.code in ours and info.target == target)]
