"""The mypy plugin: every use after a move is an error, on its line.

Set ``plugins = ownarray.mypy`` in mypy's configuration. The plugin gives calls of compiled
functions their signatures, and judges each module with the checker that ``python -m ownarray
check`` uses too, with mypy's types. Neither numpy nor jaxlib is imported.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy.plugin import (
    AttributeContext,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
    Plugin,
)

from ownarray.mypy import calls, loops, names
from ownarray.mypy.trigger import Trigger

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy.nodes import MypyFile
    from mypy.options import Options
    from mypy.types import FunctionLike, Type


def digest(package: Path) -> str:
    """Return a digest of all files that verdicts depend on."""
    found = hashlib.sha256()
    for path in sorted(
        p for where in ("mypy", "_checker", ".") for p in (package / where).glob("*.py")
    ):
        found.update(path.read_bytes())
    return found.hexdigest()


__version__: Final = digest(Path(__file__).parent.parent)
"""mypy keeps what it said of a file as long as this stays the same."""


class OwnershipPlugin(Plugin):
    """Dispatches mypy's hooks."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._trigger = Trigger(options)
        self._watched: dict[str, bool] = {}
        self._static: dict[str, bool] = {}

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Refine ``move`` and ``jit``; note modules where ownership matters."""
        if fullname in names.MOVES:
            return self._move
        if fullname == names.PARTIAL:
            return calls.partial
        if fullname == names.JIT:
            return self._jit
        if fullname.startswith(names.PACKAGE) or self._takes_handles(fullname):
            return self._function
        return None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Refine ``x.move()`` and ``jit(...)(f)``; note modules where ownership matters."""
        if fullname == names.METHOD_MOVE:
            return self._method_move
        if fullname == names.JIT_FACTORY_CALL:
            return self._factory
        return self._method if fullname.startswith(names.PACKAGE) else None

    def get_method_signature_hook(
        self, fullname: str
    ) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Give a call of a compiled function the signature that its modes make."""
        if fullname in names.CALLERS:
            return calls.called_later
        if fullname == names.JIT_FACTORY_CALL:
            return calls.compiling
        return self._compiled_call if fullname == names.JITTED_CALL else None

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """Let the bodies of loops see arrays where the carry has handles."""
        if fullname in names.CALLERS:
            return calls.called_later
        if fullname == names.JIT:
            return calls.compiling
        if fullname == names.COND:
            return loops.branches
        return loops.carry if fullname in names.LOOPS else None

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Keep static compiled functions from being bound to their objects."""
        found = self._static.get(fullname)
        if found is None:
            found = calls.static_compiled(self.lookup_fully_qualified(fullname), fullname)
            if not self.options.fine_grained_incremental:
                self._static[fullname] = found
        if not found:
            return None
        symbol = self.lookup_fully_qualified(fullname)
        return lambda context: calls.unbound(context, symbol)

    def get_additional_indirect_deps(self, file: MypyFile) -> set[str]:
        """Judge a module: all its types are known, and its tree is still there."""
        self._trigger.module_done(file)
        return set()

    # ------------------------------------------------------------------------- hooks
    def _function(self, context: FunctionContext) -> Type:
        self._trigger.seen(context.api, self.lookup_fully_qualified)
        return context.default_return_type

    def _method(self, context: MethodContext) -> Type:
        self._trigger.seen(context.api, self.lookup_fully_qualified)
        return context.default_return_type

    def _move(self, context: FunctionContext) -> Type:
        self._trigger.seen(context.api, self.lookup_fully_qualified)
        return calls.handle_of_argument(context)

    def _method_move(self, context: MethodContext) -> Type:
        self._trigger.seen(context.api, self.lookup_fully_qualified)
        return calls.handle_of_receiver(context)

    def _jit(self, context: FunctionContext) -> Type:
        self._trigger.seen(context.api, self.lookup_fully_qualified)
        return calls.compiled(context, self.lookup_fully_qualified)

    def _factory(self, context: MethodContext) -> Type:
        self._trigger.seen(context.api, self.lookup_fully_qualified)
        return calls.compiled_by_factory(context, self.lookup_fully_qualified)

    def _compiled_call(self, context: MethodSigContext) -> FunctionLike:
        self._trigger.seen(context.api, self.lookup_fully_qualified)
        return calls.signature(context)

    def _takes_handles(self, fullname: str) -> bool:
        """Return whether a function of somebody takes or returns handles."""
        if fullname.startswith(("builtins.", "typing.")) or not self._modules:
            return False
        found = self._watched.get(fullname)
        if found is None:
            symbol = self.lookup_fully_qualified(fullname)
            found = symbol is not None and calls.mentions_handles(symbol.node)
            if not self.options.fine_grained_incremental:  # there, definitions may change
                self._watched[fullname] = found
        return found


def plugin(version: str) -> type[Plugin]:
    """Return the plugin; mypy's entry point."""
    return OwnershipPlugin
