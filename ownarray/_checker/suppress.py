"""``# type: ignore`` comments: reports that the user has answered."""

from __future__ import annotations

import io
import re
import tokenize
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ownarray._checker.report import Report

_COMMENT: Final = re.compile(r"#\s*type:\s*ignore(?:\[([^\]]*)\])?")
_MARK: Final = re.compile(r"#\s*type:\s*ignore")


def unanswered(reports: list[Report], source: str) -> list[Report]:
    """Return the reports that no comment on one of their lines ignores."""
    if not reports or not _MARK.search(source):
        return reports
    ignored = _comments(source)
    if ignored.get(0) is not None:
        return [r for r in reports if not _matches(ignored[0], r.slug)]
    return [
        r
        for r in reports
        if not any(
            _matches(ignored.get(line), r.slug)
            for line in range(r.pos.line, max(r.pos.line, r.pos.end_line) + 1)
        )
    ]


def _matches(codes: set[str] | None, slug: str) -> bool:
    return codes is not None and (not codes or slug in codes)


def _comments(source: str) -> dict[int, set[str]]:
    """Return the codes that each line ignores (none: all); line 0 stands for the file."""
    found: dict[int, set[str]] = {}
    code_seen = False
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            match = _COMMENT.search(token.string)
            if match is not None:
                codes = {c.strip() for c in (match[1] or "").split(",") if c.strip()}
                whole_file = not code_seen and token.line.lstrip().startswith("#")
                found[0 if whole_file else token.start[0]] = codes
        elif token.type not in _BLANK:
            code_seen = True
    return found


_BLANK: Final = frozenset({tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.INDENT})
