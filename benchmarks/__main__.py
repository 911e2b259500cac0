"""``python -m benchmarks``: measure, print tables, write JSON and Markdown."""

import argparse
from pathlib import Path

from benchmarks.report import text, write_reports
from benchmarks.session import Row, Session
from benchmarks.topics import TOPICS, find_topic


def main() -> None:
    """Read the command line and run."""
    options = _options()
    topics = [find_topic(name) for name in options.topics] or list(TOPICS)
    peers = dict(peer.split("=", 1) for peer in options.peer)
    session = Session(quick=options.quick, n_rounds=options.rounds, peers=peers)
    rows: list[Row] = []
    written: list[Path] = []
    for n_done, (topic, found) in enumerate(session.run(topics), 1):
        rows += found
        print(text(topic, rows), flush=True)
        written = write_reports(options.out, topics[:n_done], rows)  # a long run may be cut short
    for path in written:
        print(f"wrote {path}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "topics",
        nargs="*",
        metavar="TOPIC",
        help=f"what to measure (default: all of {', '.join(topic.name for topic in TOPICS)})",
    )
    parser.add_argument("--quick", action="store_true", help="small sizes: does everything run?")
    parser.add_argument("--rounds", type=int, default=3, help="interleaved rounds (default 3)")
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        metavar="PACKAGE=PYTHON",
        help="take jax, torch or numba from that interpreter, for example jax=/opt/jax/bin/python",
    )
    parser.add_argument("--out", type=Path, default=Path("out/benchmarks"), help="results folder")
    return parser.parse_args()


if __name__ == "__main__":
    main()
