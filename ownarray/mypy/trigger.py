"""When a module is judged: once all its types are known, and before mypy drops its tree.

mypy 2.4 and later ask plugins for indirect dependencies at that moment. Earlier ones, and the
daemon, do not: there a probe, a function of one call that mypy puts off to the end, comes back to
us when everything else was checked.
"""

from __future__ import annotations

import ast
import gc
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy.checker import TypeChecker
from mypy.nodes import GDEF, Block, CallExpr, ExpressionStmt, FuncDef, MypyFile, NameExpr
from mypy.plugin import CheckerPluginInterface, Plugin
from mypy.types import CallableType, NoneType

from ownarray._checker.module import Module
from ownarray.mypy.oracle import MypyOracle
from ownarray.mypy.report import Reporter

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy.options import Options

    from ownarray.mypy.calls import Lookup

_PROBE: Final = "ownarray.release_memory"
_OWN: Final = "ownarray"
_MOST_ROUNDS: Final = 3


class Trigger:
    """Remembers the type checkers of modules where ownership matters, and judges them."""

    def __init__(self, options: Options) -> None:
        self._at_end = (
            hasattr(Plugin, "get_additional_indirect_deps") and not options.fine_grained_incremental
        )
        self._checkers: dict[str, TypeChecker] = {}
        self._probes: dict[str, tuple[CallExpr, FuncDef, int]] = {}

    def seen(self, api: CheckerPluginInterface, lookup: Lookup) -> None:
        """Ownership matters in the module that is being checked."""
        if not isinstance(api, TypeChecker):
            return
        name = api.tree.fullname
        if name == _OWN or name.startswith(f"{_OWN}."):
            return  # the library itself is not its own user
        if self._at_end:
            self._checkers[name] = api
            return
        probe = self._probes.get(name)
        if probe is None:
            self._put_off(api, lookup)
        elif self._is_probe(api):
            self._come_back(api, probe)
        elif not any(deferred.node is probe[1] for deferred in api.deferred_nodes):
            api.defer_node(probe[1], None)  # mypy dropped it with its first look at the top level

    def module_done(self, tree: MypyFile) -> None:
        """All is known of a module."""
        checker = self._checkers.pop(tree.fullname, None)
        if checker is not None:
            judge(checker, replace=False)

    # ------------------------------------------------------------------------- the probe
    def _put_off(self, api: TypeChecker, lookup: Lookup) -> None:
        symbol = lookup(_PROBE)
        if symbol is None or symbol.node is None:
            return
        name = NameExpr(_PROBE)
        name.node, name.fullname, name.kind = symbol.node, _PROBE, GDEF
        call = CallExpr(name, [], [], [])
        fallback = api.named_type("builtins.function")
        probe = FuncDef(
            "__ownarray_probe__",
            [],
            Block([ExpressionStmt(call)]),
            CallableType([], [], [], NoneType(), fallback),
        )
        probe._fullname = f"{api.tree.fullname}.__ownarray_probe__"
        self._probes[api.tree.fullname] = (call, probe, 0)
        api.defer_node(probe, None)

    def _is_probe(self, api: TypeChecker) -> bool:
        probe = self._probes[api.tree.fullname][1]
        return any(item is probe for item in api.scope.stack)

    def _come_back(self, api: TypeChecker, probe: tuple[CallExpr, FuncDef, int]) -> None:
        call, function, rounds = probe
        name = api.tree.fullname
        others = [deferred for deferred in api.deferred_nodes if deferred.node is not function]
        if others and rounds < _MOST_ROUNDS:  # others are not done yet
            self._probes[name] = (call, function, rounds + 1)
            api.defer_node(function, None)
            return
        del self._probes[name]
        judge(api, replace=True)


def judge(checker: TypeChecker, *, replace: bool) -> None:
    """Judge one module with mypy's types; a fault of the checker is an error that names it."""
    collects = gc.isenabled()
    gc.disable()  # mypy's memory is large, and what is made here is needed to the end
    try:
        lines = _source(checker)
        source = "\n".join(lines)
        tree = ast.parse(source, checker.path)
        oracle = MypyOracle(
            checker._type_maps[0],
            tree,
            lines,
            checker.tree.fullname,
        )
        module = Module(tree, source, checker.path, oracle)
        oracle.attach(module.types)
        reports = module.check()
        Reporter(checker).all(reports, oracle, replace=replace)
    except Exception as error:
        if checker.options.show_traceback:
            traceback.print_exc(file=sys.stderr)
        Reporter(checker).crash(error)
    finally:
        if collects:
            gc.enable()


def _source(checker: TypeChecker) -> list[str]:
    """Return the lines that mypy read."""
    path = checker.path
    for original, shadow in checker.options.shadow_file or ():
        if Path(original).resolve() == Path(path).resolve():
            path = shadow
    read: Callable[[str], list[str] | None] | None = checker.errors.read_source
    lines = read(path) if read is not None else None
    if lines is None:
        raise FileNotFoundError(f"the source of {path} cannot be read")
    return [line.removesuffix("\n") for line in lines]
