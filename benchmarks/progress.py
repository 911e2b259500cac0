"""A progress bar on standard error: one line re-drawn on a terminal, one line in ten elsewhere."""

import sys
import time
from typing import TextIO

_WIDTH = 28
_QUIET_STEPS = 10  # lines in all where the output is no terminal


class Progress:
    """Shows how far a run of known length is."""

    def __init__(self, n_total: int, title: str, stream: TextIO | None = None) -> None:
        self._n_total = max(n_total, 1)
        self._title = title
        self._stream = sys.stderr if stream is None else stream
        self._n_done = 0
        self._start = time.perf_counter()
        self._shown = -1

    def advance(self, note: str = "") -> None:
        """Count one piece of work as done."""
        self._n_done += 1
        share = self._n_done / self._n_total
        if self._stream.isatty():
            self._stream.write(f"\r\x1b[K{self._line(share, note)}")
            if self._n_done >= self._n_total:
                self._stream.write("\n")
        elif int(share * _QUIET_STEPS) != self._shown:
            self._shown = int(share * _QUIET_STEPS)
            self._stream.write(self._line(share, note) + "\n")
        self._stream.flush()

    def _line(self, share: float, note: str) -> str:
        filled = round(share * _WIDTH)
        seconds = time.perf_counter() - self._start
        left = seconds / share - seconds
        bar = "#" * filled + "." * (_WIDTH - filled)
        return f"{self._title} [{bar}] {share:4.0%} {left:5.0f} s left  {note}"
