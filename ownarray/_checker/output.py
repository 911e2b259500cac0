"""Reports as text, JSON, SARIF and GitHub's annotations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ownarray._errors import SLUGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ownarray._checker.report import Report


class Finding(NamedTuple):
    """One error in one file; columns count characters from 1."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    slug: str
    message: str
    notes: tuple[tuple[int, int, str], ...] = ()


Json: TypeAlias = "str | int | bool | list[Json] | dict[str, Json] | None"
CRASH: Final = "checker-crash"
UNREADABLE: Final = "cannot-read"


def finding(path: str, lines: list[str], report: Report) -> Finding:
    """Return a report with columns as people count them."""

    def column(line: int, col: int) -> int:
        if not 1 <= line <= len(lines):
            return col + 1
        return len(lines[line - 1].encode()[:col].decode(errors="ignore")) + 1

    pos = report.pos
    notes = tuple((n.pos.line, column(n.pos.line, n.pos.col), n.text) for n in report.notes)
    return Finding(
        path,
        pos.line,
        column(pos.line, pos.col),
        pos.end_line,
        column(pos.end_line, pos.end_col),
        report.slug,
        report.message,
        notes,
    )


def text(findings: Iterable[Finding]) -> str:
    """Return one line for each finding and note, in the form of mypy."""
    lines = []
    for f in findings:
        lines.append(f"{f.path}:{f.line}:{f.column}: error: {f.message}  [{f.slug}]")
        lines += [f"{f.path}:{line}:{column}: note: {note}" for line, column, note in f.notes]
    return "\n".join(lines)


def as_json(findings: Iterable[Finding]) -> str:
    """Return a JSON array of findings."""
    return json.dumps([_json(f) for f in findings], indent=2)


def _json(f: Finding) -> dict[str, Json]:
    return {
        "path": f.path,
        "line": f.line,
        "column": f.column,
        "end_line": f.end_line,
        "end_column": f.end_column,
        "code": f.slug,
        "message": f.message,
        "notes": [{"line": line, "column": column, "message": m} for line, column, m in f.notes],
    }


def sarif(findings: Iterable[Finding]) -> str:
    """Return a SARIF 2.1.0 log."""
    rules: list[Json] = [
        {"id": slug, "helpUri": f"docs/errors.md#{slug}", "shortDescription": {"text": slug}}
        for slug in (*SLUGS, CRASH, UNREADABLE)
    ]
    log: dict[str, Json] = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "ownarray", "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(f) for f in findings],
            }
        ],
    }
    return json.dumps(log, indent=2)


def _result(f: Finding) -> Json:
    related: list[Json] = [
        {
            "message": {"text": note},
            "physicalLocation": _location(f.path, {"startLine": line, "startColumn": column}),
        }
        for line, column, note in f.notes
    ]
    region: dict[str, Json] = {
        "startLine": f.line,
        "startColumn": f.column,
        "endLine": f.end_line,
        "endColumn": f.end_column,
    }
    return {
        "ruleId": f.slug,
        "level": "error",
        "message": {"text": f.message},
        "locations": [{"physicalLocation": _location(f.path, region)}],
        "relatedLocations": related,
    }


def _location(path: str, region: dict[str, Json]) -> Json:
    return {"artifactLocation": {"uri": path.replace("\\", "/")}, "region": region}


def github(findings: Iterable[Finding]) -> str:
    """Return workflow commands that GitHub shows as annotations."""
    return "\n".join(
        f"::error file={_escape(f.path, ',:')},line={f.line},col={f.column},endLine={f.end_line},"
        f"endColumn={f.end_column},title={_escape(f.slug, ',:')}::{_escape(f.message)}"
        for f in findings
    )


def _escape(value: str, more: str = "") -> str:
    for char in "%\r\n" + more:
        value = value.replace(char, f"%{ord(char):02X}")
    return value


FORMATS: Final[Mapping[str, Callable[[Iterable[Finding]], str]]] = {
    "text": text,
    "json": as_json,
    "sarif": sarif,
    "github": github,
}
