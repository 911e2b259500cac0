"""One module: every function is translated and solved once, callees before their callers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from ownarray._checker import known
from ownarray._checker import model as m
from ownarray._checker.flow import Solver
from ownarray._checker.infer import Types
from ownarray._checker.judge import Problem
from ownarray._checker.oracle import NoOracle, Oracle, Resolve
from ownarray._checker.places import Pos, Var
from ownarray._checker.relevance import prune, references, relevant
from ownarray._checker.report import Names, Report, plain
from ownarray._checker.scopes import Scope, Table
from ownarray._checker.statements import Statements
from ownarray._checker.summary import Parameter, Summary
from ownarray._errors import Code
from ownarray._ownership import Mode, Rights

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


class Module:
    """The checker's state for one module."""

    def __init__(
        self,
        tree: ast.Module,
        source: str,
        path: str,
        oracle: Oracle,
        resolve: Resolve | None = None,
    ) -> None:
        self.tree = tree
        self.path = path
        self.table = Table(tree)
        self.types = Types(self.table, oracle, resolve)
        self.names = Names()
        self.uses_library: Final = known.LIBRARY in source or resolve is not None
        self._lines = source.splitlines()
        self._walrus = (
            [i for i, line in enumerate(self._lines, 1) if ":=" in line] if ":=" in source else []
        )
        self._counts_from_end = any(text in source for text in ("[-", ":-", ": -", "case"))
        self._reports: list[Report] = []
        self._announced: dict[ast.AST, Scope] = {}
        self._problems: dict[Hashable, Problem] = {}
        self._captured_by: dict[Hashable, set[Var]] = {}
        self._causes: set[Hashable] = set()
        """Functions that are, or may run, the cause of a report."""
        self._summaries: dict[Hashable, Summary] = {}
        self._running: set[Hashable] = set()

    def check(self) -> list[Report]:
        """Judge everything; return the reports in order."""
        self._translate(self.tree, self.table.module)
        while self._announced:
            node, _ = self._announced.popitem()
            self._translate(node, self.table.scopes[node])
        for variable in self.table.variables:
            self.names.of.setdefault(variable.var, variable.name)
        used = {key: references(problem) for key, problem in self._problems.items()}
        self._find_captured(used)
        self._causes = relevant(self._problems, used)
        for key in self._causes:
            self._summary(key)
        return sorted(self._reports, key=lambda r: (r.pos, r.slug))

    # ------------------------------------------------------------------------- for translators
    def announce(self, node: ast.AST, scope: Scope) -> None:
        """Note that a function is defined: it will be judged too."""
        if node not in self._problems:
            self._announced[node] = scope

    def parameter_variables(self, info: m.FunctionInfo) -> dict[str, Var]:
        """Return the variables of a function's parameters."""
        if info.node is None:
            return {}
        names = self.table.scopes[info.node].names
        return {p.name: names[p.name].var for p in info.params}

    def has_walrus(self, node: ast.stmt) -> bool:
        """Return whether a statement may re-bind a name within an expression."""
        last = node.end_lineno or node.lineno
        return bool(self._walrus) and any(node.lineno <= i <= last for i in self._walrus)

    def text(self, node: ast.expr) -> str:
        """Return an expression as the source has it."""
        if node.end_lineno == node.lineno and node.lineno <= len(self._lines):
            line = self._lines[node.lineno - 1]
            if line.isascii():
                return line[node.col_offset : node.end_col_offset]
        return ast.unparse(node)

    # ------------------------------------------------------------------------- solving
    def _summary(self, key: Hashable) -> Summary:
        found = self._summaries.get(key)
        if found is None:
            problem = self._problems.get(key)
            if key in self._running or problem is None:
                return Summary()  # a recursive call: what it does is being found out
            self._running.add(key)
            prune(problem, self._captured_by, self._causes)
            found = self._summaries[key] = Solver(problem).run()
            self._running.discard(key)
        return found

    def _translate(self, node: ast.AST, scope: Scope) -> None:
        translator = Statements(self, scope)
        parameters: list[Parameter] = []
        info = None
        match node:
            case ast.Module():
                translator.block(node.body)
            case ast.Lambda():
                info = self.types.declared.function(node, scope.parent or scope)
                parameters = self._parameters(info, scope)
                place = translator.read(node.body)
                translator.result(place if translator.is_alias(node.body) else None)
            case ast.GeneratorExp():
                translator.generator_body(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                info = self.types.declared.function(node, scope.parent or scope)
                parameters = self._parameters(info, scope)
                translator.block(node.body)
        translator.graph.leave()
        functions = self._functions(translator.mentioned)
        captured = translator.mentioned - functions.keys()
        self._problems[node] = Problem(
            graph=translator.graph,
            path=self.path,
            names=self.names,
            parameters=parameters,
            captured=captured,
            replaceable=self._replaceable(translator.scope, captured),
            functions=functions,
            steps_of={var: frozenset(steps) for var, steps in translator.steps_of.items()},
            summaries=self._summary,
            sink=self._reports.append,
            counts_from_end=self._counts_from_end,
            all_keys=frozenset(translator.all_keys),
            compiled=info is not None and info.traced,
        )
        if info is not None:
            self._check_declaration(info)

    def _find_captured(self, used: dict[Hashable, set[Hashable]]) -> None:
        """Find what each function captures, also through the functions that it runs."""
        self._captured_by = {key: set(p.captured) for key, p in self._problems.items()}
        changed = True
        while changed:
            changed = False
            for key, keys in used.items():
                mine = self._captured_by[key]
                flow = self._scope(key).flow
                for inner in keys:
                    for var in self._captured_by.get(inner, set()) - mine:
                        if self.table.variables[var].scope.flow is not flow:
                            mine.add(var)
                            changed = True
        for key, problem in self._problems.items():
            problem.captured.update(self._captured_by[key])
            problem.replaceable.update(self._replaceable(self._scope(key), problem.captured))

    def _scope(self, key: Hashable) -> Scope:
        if not isinstance(key, ast.AST):
            raise TypeError(f"a function's key is its node, not {key!r}")
        return self.table.scopes[key]

    def _replaceable(self, scope: Scope, captured: set[Var]) -> set[Var]:
        """Return the captured variables that a function declares global or nonlocal."""
        return {v for v in captured if self.table.variables[v].name in scope.elsewhere}

    def _functions(self, mentioned: set[Var]) -> dict[Var, Hashable]:
        """Return which captured variables hold functions of this module."""
        found: dict[Var, Hashable] = {}
        for var in mentioned:
            definitions = self.table.variables[var].definitions
            node = definitions[0].node if len(definitions) == 1 else None
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found[var] = node
        return found

    def _parameters(self, info: m.FunctionInfo, scope: Scope) -> list[Parameter]:
        found = []
        for param in info.params:
            var = scope.names[param.name].var
            handle = m.is_handle(param.ty)
            strict = param.mode in {Mode.BORROWED, Mode.MUT}
            rights: Rights | None = Rights.READ
            if param.mode is Mode.MUT:
                rights = Rights.UPDATE
            elif not strict and (
                info.traced
                or handle
                or param.mode in {Mode.OWNED, Mode.DONATED}
                or isinstance(param.ty, m.Scalar)
            ):
                rights = None
            found.append(Parameter(var, rights, strict, handle))
        return found

    def _check_declaration(self, info: m.FunctionInfo) -> None:
        """Owned on a function that is not compiled: nobody would take the handle."""
        if info.traced or info.compiled or info.decorated or not isinstance(info.node, ast.AST):
            return
        if isinstance(info.node, ast.Lambda):
            return
        args = info.node.args
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        for param in info.params:
            node = next((a for a in every if a.arg == param.name), None)
            if param.mode is Mode.OWNED and node is not None:
                pos = Pos(
                    node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0
                )
                self._reports.append(plain(Code.OWNED_ON_PLAIN, pos, param.name))


def check_source(
    source: str, path: str, oracle: Callable[[ast.Module], Oracle] | None = None
) -> list[Report]:
    """Judge the text of one module.

    Parameters
    ----------
    source : str
        The text.
    path : str
        Its file, for messages.
    oracle : callable, optional
        Gives what a type checker knows of the tree.

    Returns
    -------
    list of Report, in the order of the text
    """
    tree = ast.parse(source, path)
    return Module(tree, source, path, NoOracle() if oracle is None else oracle(tree)).check()
