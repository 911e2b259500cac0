"""``python -m ownarray check PATHS``: the checker without a type checker."""

from __future__ import annotations

import argparse
import fnmatch
import gc
import multiprocessing
import os
import sys
import tokenize
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ownarray._checker.output import CRASH, FORMATS, UNREADABLE, Finding, finding
from ownarray._checker.project import Project, Source
from ownarray._checker.suppress import unanswered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CLEAN: Final = 0
FOUND: Final = 1
FAILED: Final = 2
DEEPEST: Final = 16_000
"""Python's recursion limit while checking: expressions may be nested deep."""
WORTH_WORKERS: Final = 400_000
"""Characters of source above which starting processes pays."""
MANY_OBJECTS: Final = 1_000_000
"""New objects after which memory is searched for what is not needed any more."""
SKIPPED: Final = frozenset({"node_modules", "__pycache__", "venv", "build", "dist"})


def main(arguments: Sequence[str] | None = None) -> int:
    """Check files; return 0 if they are clean, 1 if errors were found, 2 if checking failed."""
    parser = argparse.ArgumentParser(
        prog="python -m ownarray",
        description="Rejects every use of an array after it was moved, before the program runs.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="check Python files, or all below folders")
    check.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    check.add_argument("--format", choices=sorted(FORMATS), default="text")
    check.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB", help="paths to leave out"
    )
    check.add_argument("--quiet", action="store_true", help="print findings only, no summary")
    options = parser.parse_args(arguments)
    missing = [path for path in options.paths if not path.exists()]
    if missing:
        parser.error(f"no such file or folder: {', '.join(map(str, missing))}")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    gc.freeze()
    gc.disable()  # what is made lives until its file is done, and holds no cycles worth a search
    try:
        findings, count = _check(list(_files(options.paths, options.exclude)))
    finally:
        gc.enable()
        sys.setrecursionlimit(limit)
    report = FORMATS[options.format](findings)
    if report:
        _print(report)
    if options.format == "text" and not options.quiet:
        print(_summary(findings, count), file=sys.stderr)
    if any(f.slug in {CRASH, UNREADABLE} for f in findings):
        return FAILED
    return FOUND if findings else CLEAN


def _print(report: str) -> None:
    """Print; a reader that has seen enough is no failure."""
    try:
        print(report, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _summary(findings: list[Finding], count: int) -> str:
    files = "1 file" if count == 1 else f"{count} files"
    if not findings:
        return f"ownarray: no errors in {files}"
    errors = "1 error" if len(findings) == 1 else f"{len(findings)} errors"
    return f"ownarray: {errors} in {len({f.path for f in findings})} of {files}"


def _files(paths: Sequence[Path], excluded: Sequence[str]) -> Iterator[Path]:
    seen: set[Path] = set()
    for path in paths:
        for file in [path] if path.is_file() else _below(path):
            shown = file.as_posix()
            if file not in seen and not any(fnmatch.fnmatch(shown, glob) for glob in excluded):
                seen.add(file)
                yield file


def _below(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and not entry.is_symlink():
            if entry.name not in SKIPPED and not entry.name.startswith("."):
                yield from _below(entry)
        elif entry.suffix in {".py", ".pyw"}:
            yield entry


def _check(files: Sequence[Path]) -> tuple[list[Finding], int]:
    findings: list[Finding] = []
    sources: list[Source] = []
    for path in files:
        try:
            sources.append(Source(path, _read(path)))
        except (OSError, SyntaxError, UnicodeDecodeError) as error:
            findings.append(_unreadable(path, error))
    project = Project(sources)
    relevant = [source for source in sources if project.concerns(source)]
    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, 8)
    size = sum(len(source.text) for source in relevant)
    if workers > 1 and size > WORTH_WORKERS and "fork" in multiprocessing.get_all_start_methods():
        findings += _in_parallel(project, relevant, workers)
    else:
        for source in relevant:
            findings += _judge(project, source)
    return sorted(findings), len(files)


def _in_parallel(project: Project, sources: Sequence[Source], workers: int) -> list[Finding]:
    """Judge files in forked processes, which have the whole project in memory already."""
    context = multiprocessing.get_context("fork")
    with context.Pool(workers, _inherit, (project,)) as pool:
        chunks = [list(sources[i :: workers * 4]) for i in range(workers * 4)]
        return [f for found in pool.map(_judge_all, chunks) for f in found]


def _inherit(project: Project) -> None:
    _judge_all.__dict__["project"] = project


def _judge_all(sources: Sequence[Source]) -> list[Finding]:
    project: Project = _judge_all.__dict__["project"]
    return [f for source in sources for f in _judge(project, source)]


def _judge(project: Project, source: Source) -> list[Finding]:
    """Judge one file; whatever goes wrong is said."""
    try:
        reports = unanswered(project.check(source), source.text)
    except SyntaxError as error:
        return [_unreadable(source.path, error)]
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return [_crash(source.path, error)]
    finally:
        if gc.get_count()[0] > MANY_OBJECTS:
            gc.collect()
    lines = source.text.splitlines()
    return [finding(str(source.path), lines, report) for report in reports]


def _read(path: Path) -> str:
    with tokenize.open(path) as file:
        return file.read()


def _crash(path: Path, error: Exception) -> Finding:
    message = (
        f"{CRASH}: {path} made the ownership checker fail; please report it: "
        f"{type(error).__name__}: {error}. Nothing in it was judged."
    )
    return Finding(str(path), 1, 1, 1, 1, CRASH, message)


def _unreadable(path: Path, error: Exception) -> Finding:
    """Say of a file what Python says of it: a missing file, a bad encoding, bad syntax."""
    line = error.lineno or 1 if isinstance(error, SyntaxError) else 1
    message = f"{UNREADABLE}: {path}: {error}. Nothing in it was judged."
    return Finding(str(path), line, 1, line, 1, UNREADABLE, message)
