"""The export list ``ownarray/__init__.pyi`` and the package agree; every public name is told."""

import ast
import doctest
import inspect
import sys
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


# What has a docstring of its own: constants, dtypes and markers have none.
TOLD = sorted(
    {node.name for node in TREE.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    & set(PUBLIC)
)


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


@pytest.mark.parametrize("name", TOLD)
def test_every_name_has_a_docstring_with_an_example(name: str) -> None:
    text = inspect.getdoc(getattr(oa, name)) or ""
    assert text, f"oa.{name} has no docstring"
    examples = doctest.DocTestParser().get_examples(text)
    assert examples, f"oa.{name} has no example"
    assert not any(doctest.SKIP in example.options for example in examples)


CLASSES = [node for node in TREE.body if isinstance(node, ast.ClassDef) and node.name in PUBLIC]


@pytest.mark.parametrize("node", CLASSES, ids=lambda node: str(node.name))
def test_classes_have_the_stubs_members(node: ast.ClassDef) -> None:
    # `oa.Array` is the base of arrays with values and of traced ones; a user has the former.
    cls = type(oa.zeros(1)) if node.name == "Array" else getattr(oa, node.name)
    members = {name for statement in node.body for name in _statement_names(statement)}
    known = set(getattr(cls, "__annotations__", {}))
    if sys.version_info < (3, 12):
        known.add("__buffer__")  # only Python's own classes can export memory before
    assert [name for name in sorted(members - known) if not hasattr(cls, name)] == []
