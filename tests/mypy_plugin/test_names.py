"""The names that the plugin and the checker watch are names of the library."""

import ast

from ownarray._checker import known
from ownarray.mypy import names
from tests.mypy_plugin.run import ROOT

STUB = ast.parse((ROOT / "ownarray" / "__init__.pyi").read_text(encoding="utf-8"))


def public() -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for node in STUB.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = node
            case ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = node
            case ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = node
            case _:
                pass
    return found


def resolves(full: str) -> bool:
    parts = full.split(".")[1:]
    node = public().get(parts[0])
    for part in parts[1:]:
        members = node.body if isinstance(node, ast.ClassDef) else []
        node = next((m for m in members if isinstance(m, ast.FunctionDef) and m.name == part), None)
    return node is not None


def test_names_of_the_plugin() -> None:
    watched = {
        *names.MOVES,
        *names.MARKERS,
        names.ARRAY,
        names.MOVED,
        names.JITTED,
        names.JIT_FACTORY,
        names.JIT,
        names.METHOD_MOVE,
        names.JITTED_CALL,
        names.JIT_FACTORY_CALL,
    }
    assert [full for full in sorted(watched) if not resolves(full)] == []


def test_names_of_the_checker() -> None:
    watched = {
        *known.MOVES,
        *known.SAME_TYPE,
        *known.TRACING,
        *known.NOT_ARRAYS,
        known.JIT,
        known.AS_ARRAY,
        known.ARRAY_CLASS,
        known.HANDLE_CLASS,
    }
    assert [full for full in sorted(watched) if not resolves(full)] == []
