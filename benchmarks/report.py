"""Tables of what was measured: text on the terminal, Markdown and JSON in files."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.case import Topic
from benchmarks.session import Row

HEADINGS = ("variant", "time", "spread", "x first", "memory / state", "")


def write_reports(folder: Path, topics: Sequence[Topic], rows: Sequence[Row]) -> list[Path]:
    """Write results.json and results.md into a folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    data = folder / "results.json"
    data.write_text(
        json.dumps({"machine": machine(), "rows": [asdict(row) for row in rows]}, indent=1) + "\n"
    )
    page = folder / "results.md"
    page.write_text(f"{_machine_line()}\n\n" + "\n".join(markdown(t, rows) for t in topics))
    return [data, page]


def markdown(topic: Topic, rows: Sequence[Row]) -> str:
    """Return a topic's table in Markdown."""
    lines = [f"### {topic.title}", ""]
    if topic.note:
        lines += [topic.note, ""]
    lines += ["| " + " | ".join(HEADINGS) + " |", "|---|" + "---:|" * 4 + "---|"]
    lines += ["| " + " | ".join(cells) + " |" for cells in _table(topic, rows)]
    return "\n".join(lines) + "\n"


def text(topic: Topic, rows: Sequence[Row]) -> str:
    """Return a topic's table for a terminal."""
    table = [HEADINGS, *_table(topic, rows)]
    widths = [max(len(line[k]) for line in table) for k in range(len(HEADINGS))]
    lines = [topic.title]
    for cells in table:
        first, *rest = cells
        padded = [first.ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  " + "  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def machine() -> dict[str, str]:
    """Say what was measured on."""
    return {
        "cores": str(os.cpu_count()),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _machine_line() -> str:
    known = machine()
    return f"{known['processor']}, {known['cores']} cores, {known['system']}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def _table(topic: Topic, rows: Sequence[Row]) -> list[tuple[str, ...]]:
    return [_cells(row) for row in rows if row.topic == topic.name]


def _cells(row: Row) -> tuple[str, ...]:
    if not row.seconds:
        return (row.variant, "failed", "", "", "", row.problem)
    spread = f"{seconds(min(row.seconds))} to {seconds(max(row.seconds))}"
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    memory = "" if row.memory is None else f"{row.memory:.3f}"
    remarks = [] if row.agrees else ["OTHER VALUES than the first variant"]
    if row.memory_method == "sampled":
        remarks.append("memory sampled")
    if row.problem:
        remarks.append(f"some runs failed: {row.problem}")
    return (row.variant, seconds(row.median), spread, ratio, memory, "; ".join(remarks))


def seconds(value: float) -> str:
    """Return a time with a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
