"""`jax` is a peer, not a dependency: nothing here imports it, also not through jaxlib."""

import subprocess
import sys
import textwrap

# A finder that stands first records every attempt, whether jax is installed or not.
WATCH = """
import importlib.abc, sys

class Watch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "jax" or name.startswith("jax."):
            seen.append(name)
        return None

seen = []
sys.meta_path.insert(0, Watch())
"""
VERDICT = """
assert not seen, seen
assert "jax" not in sys.modules
"""


def run_watched(program: str) -> None:
    """Run a program in a fresh process; fail if it imports jax or tries to."""
    source = WATCH + textwrap.dedent(program) + VERDICT
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_importing_everything_never_imports_jax() -> None:
    run_watched("""
        import ownarray as oa
        for name in dir(oa):
            getattr(oa, name)
    """)
