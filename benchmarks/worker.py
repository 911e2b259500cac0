"""Measures one variant in this fresh process and prints one line of JSON.

It imports nothing but the standard library and what the variant asks for, so that it also runs
under another interpreter, where a peer is installed and ownarray is not.
"""

import json
import platform
import sys
from importlib import metadata

from benchmarks.topics import find_topic

MARK = "MEASURED "


def main(topic: str, variant: str, size: str) -> None:
    """Measure and print."""
    chosen = find_topic(topic).variants[variant]
    measured = chosen.build(size == "quick").measure()
    record = measured.to_dict() | {"versions": _versions(chosen.needs)}
    print(MARK + json.dumps(record))


def _versions(needs: str) -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in {needs, "numpy", "jaxlib"}:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
