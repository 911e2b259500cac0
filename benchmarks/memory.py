"""Resident memory of this process: now, and at its peak since a chosen moment.

On Linux the kernel keeps the peak (``VmHWM``) and resets it on request, so no short peak is
missed. Elsewhere, or where the reset is not permitted, a thread samples the resident size every
millisecond: a lower bound, and named so.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_RESET_PEAK = "5"  # proc(5): 5 resets the peak resident set size
_SAMPLE_SECONDS = 0.001


def resident() -> int:
    """Return the resident bytes of this process."""
    if _STATUS.exists():
        return _status("VmRSS")
    return _sampled()


class Peak:
    """What `peak_memory` found: its highest resident size and how that was measured."""

    def __init__(self, method: str) -> None:
        self.n_bytes = 0
        self.method = method


@contextmanager
def peak_memory() -> Iterator[Peak]:
    """Measure the highest resident size while the block runs."""
    if _reset_peak():
        peak = Peak("kernel")
        yield peak
        peak.n_bytes = _status("VmHWM")
    else:
        peak = Peak("sampled")
        with _sampler(peak):
            yield peak


def _reset_peak() -> bool:
    try:
        _CLEAR.write_text(_RESET_PEAK)
    except OSError:
        return False
    return True


def _status(field: str) -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"{_STATUS} has no {field}")


def _sampled() -> int:
    import psutil  # only where /proc is not: part of the `bench` extra

    return int(psutil.Process().memory_info().rss)


@contextmanager
def _sampler(peak: Peak) -> Iterator[None]:
    stop = threading.Event()

    def sample() -> None:
        while not stop.wait(_SAMPLE_SECONDS):
            peak.n_bytes = max(peak.n_bytes, resident())

    peak.n_bytes = resident()
    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        peak.n_bytes = max(peak.n_bytes, resident())
