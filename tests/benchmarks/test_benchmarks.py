"""The benchmarks measure what they say: memory, agreement of results, tables."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.case import Once, Steps, Topic, Variant
from benchmarks.memory import peak_memory, resident
from benchmarks.report import seconds, text, write_reports
from benchmarks.session import Row, Session
from benchmarks.topics import TOPICS, find_topic

MEBIBYTE = 1 << 20
Values = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
PROCESSES = {"checker"}  # measured in a process of their own that runs mypy: slow


def test_the_peak_of_memory_that_is_freed_again_is_seen() -> None:
    with peak_memory() as peak:
        before = resident()
        block = np.ones(64 * MEBIBYTE, np.uint8)
        del block
    assert 60 * MEBIBYTE < peak.n_bytes - before < 90 * MEBIBYTE


def test_the_peak_starts_anew() -> None:
    np.ones(64 * MEBIBYTE, np.uint8)
    with peak_memory() as peak:
        before = resident()
    assert peak.n_bytes - before < 30 * MEBIBYTE


def test_a_copying_step_needs_a_second_state() -> None:
    def make() -> Values:
        return np.ones(8 * MEBIBYTE)

    case: Steps[Values] = Steps(
        make=make,
        step=lambda x: x + 1.0,
        n_bytes=64 * MEBIBYTE,
        probe=lambda x: [float(x[0])],
        n_steps=3,
    )
    measured = case.measure()
    assert measured.memory is not None
    assert 1.9 < measured.memory < 2.2
    assert measured.probe == [5.0]


def test_a_call_that_measures_itself_is_believed() -> None:
    assert Once(call=lambda: 0.25).measure().seconds == 0.25


def test_topics_have_names_of_their_own() -> None:
    assert len({topic.name for topic in TOPICS}) == len(TOPICS)
    with pytest.raises(ValueError, match="no topic 'nonsense'"):
        find_topic("nonsense")


OWN = [
    (topic, name)
    for topic in TOPICS
    for name, variant in topic.variants.items()
    if variant.needs == "ownarray" and topic.name not in PROCESSES
]


@pytest.mark.slow
@pytest.mark.parametrize(("topic", "name"), OWN, ids=lambda part: getattr(part, "name", part))
def test_own_variants_run_and_agree_with_numpy(topic: Topic, name: str) -> None:
    measured = topic.variants[name].build(True).measure()
    assert measured.seconds > 0
    numpy = [v for v in topic.variants.values() if v.needs == "numpy"]
    if numpy and measured.probe:
        expected = numpy[0].build(True).measure().probe
        assert measured.probe == pytest.approx(expected, rel=2e-3, abs=2e-3)


def _row(**changes: object) -> Row:
    fields: dict[str, object] = {
        "topic": "adam",
        "variant": "ownarray move",
        "seconds": [0.001, 0.002, 0.003],
        "ratio": 1.0,
        "memory": 1.01,
        "memory_method": "kernel",
        "agrees": True,
        "versions": {},
    }
    return Row(**(fields | changes))  # type: ignore[arg-type]


def test_tables_say_what_was_found_and_what_failed(tmp_path: Path) -> None:
    rows = [_row(), _row(variant="NumPy copying", seconds=[], problem="no memory")]
    rows.append(_row(variant="jax donated", agrees=False))
    table = text(find_topic("adam"), rows)
    assert "2 ms" in table
    assert "1.010" in table
    assert "no memory" in table
    assert "OTHER VALUES" in table
    data, page = write_reports(tmp_path, [find_topic("adam")], rows)
    assert json.loads(data.read_text())["rows"][0]["seconds"] == [0.001, 0.002, 0.003]
    assert "| NumPy copying | failed |" in page.read_text()


def test_a_row_without_measurements_has_no_median() -> None:
    assert math.isnan(_row(seconds=[]).median)
    assert _row().median == 0.002


@pytest.mark.parametrize(
    ("value", "shown"), [(2.0, "2 s"), (0.0123, "12.3 ms"), (4.5e-6, "4.5 us"), (3e-8, "30 ns")]
)
def test_times_have_a_unit(value: float, shown: str) -> None:
    assert seconds(value) == shown


@pytest.mark.slow
def test_a_session_measures_in_fresh_processes_and_leaves_out_what_is_not_installed() -> None:
    topic = find_topic("chain")
    peers = {"jax": "/nowhere/python", "torch": "/nowhere/python"}
    ((_, rows),) = Session(quick=True, n_rounds=2, peers=peers).run([topic])
    assert [row.variant for row in rows] == [
        "ownarray move",
        "ownarray copy",
        "NumPy in place",
        "NumPy copying",
    ]
    assert all(len(row.seconds) == 2 and row.agrees and not row.problem for row in rows)
    assert rows[0].ratio == 1.0


def test_a_failing_variant_is_a_row_with_its_problem() -> None:
    # The worker finds no such variant in the process that it starts.
    def never(_: bool) -> Once:
        raise AssertionError

    topic = Topic(name="chain", title="", variants={"none": Variant(needs="numpy", build=never)})
    ((_, (row,)),) = Session(quick=True, n_rounds=1, peers={}).run([topic])
    assert not row.seconds
    assert "none" in row.problem
