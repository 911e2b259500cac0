"""The export list ``ownarray/__init__.pyi`` and the package agree; every public name is told."""

import ast
import doctest
import inspect
import types
from collections.abc import Sequence
from pathlib import Path

import pytest

import ownarray as oa

STUB = Path(oa.__file__).with_suffix(".pyi")
KINDS = {
    "posonlyargs": inspect.Parameter.POSITIONAL_ONLY,
    "args": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "kwonlyargs": inspect.Parameter.KEYWORD_ONLY,
}


def _statement_names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [] if ast.unparse(node.annotation) == "TypeAlias" else [node.target.id]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.Import | ast.ImportFrom):  # `as` the same name re-exports it
        return [alias.name for alias in node.names if alias.name == alias.asname]
    return []


TREE = ast.parse(STUB.read_text(encoding="utf-8"))
NAMES = {name for node in TREE.body for name in _statement_names(node)}
PUBLIC = sorted(name for name in NAMES if not name.startswith("_"))
FUNCTIONS = {
    node.name: node
    for node in TREE.body
    if isinstance(node, ast.FunctionDef) and not node.decorator_list
}


def _told() -> list[str]:
    """Name what can have a docstring of its own: not constants, dtypes and markers."""
    values = {name: getattr(oa, name, None) for name in PUBLIC}  # absent: another test's business
    kinds = (type, types.FunctionType, types.ModuleType)
    return [name for name, v in values.items() if isinstance(v, kinds) or callable(v)]


def test_dir_is_the_export_list() -> None:
    assert sorted(name for name in dir(oa) if not name.startswith("_")) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_is_there(name: str) -> None:
    getattr(oa, name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        oa.no_such_name  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() & set(PUBLIC)))
def test_signature_is_the_stubs(name: str) -> None:
    wanted = FUNCTIONS[name].args
    found = inspect.signature(getattr(oa, name)).parameters.values()
    stub = [(a.arg, kind) for field, kind in KINDS.items() for a in getattr(wanted, field)]
    plain = [
        (p.name, p.kind)
        for p in found
        if p.kind not in {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    ]
    # A parameter's name matters only where it can be given by name.
    assert _by_position(plain) == _by_position(stub)
    n_defaults = len(wanted.defaults) + sum(d is not None for d in wanted.kw_defaults)
    assert sum(p.default is not inspect.Parameter.empty for p in found) == n_defaults


def _by_position(parameters: Sequence[tuple[str, inspect._ParameterKind]]) -> list[object]:
    return [
        kind if kind is inspect.Parameter.POSITIONAL_ONLY else (name, kind)
        for name, kind in parameters
    ]


@pytest.mark.parametrize("name", _told())
def test_every_name_has_a_docstring_with_an_example(name: str) -> None:
    value = getattr(oa, name)
    text = inspect.getdoc(value) or ""
    assert text, f"oa.{name} has no docstring"
    if isinstance(value, types.ModuleType):
        return  # its functions have the examples
    examples = doctest.DocTestParser().get_examples(text)
    assert examples, f"oa.{name} has no example"
    assert not any(doctest.SKIP in example.options for example in examples)
