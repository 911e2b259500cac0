"""Settings and fixtures that every test shares."""

import atexit
import os
import shutil
import tempfile

import hypothesis
import pytest

# Programs that are wrong on purpose: tests/cases is imported by its own test, one file a process.
collect_ignore = ["cases", "golden"]

# XLA's start-up lines would mix with the output of tests that read a subprocess.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

# Executables that earlier runs left on this machine's disk must not decide a test. The workers of
# pytest-xdist and the subprocesses of tests inherit the variable, so one run shares one folder.
if "OWNARRAY_CACHE_DIR" not in os.environ:
    os.environ["OWNARRAY_CACHE_DIR"] = tempfile.mkdtemp(prefix="ownarray-tests-")
    atexit.register(shutil.rmtree, os.environ["OWNARRAY_CACHE_DIR"], ignore_errors=True)

# No deadline: the first example of a property compiles, the others hit the cache.
hypothesis.settings.register_profile(
    "default", deadline=None, max_examples=50, print_blob=True, derandomize=True
)
hypothesis.settings.register_profile("long", deadline=None, max_examples=2000, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the files below tests/golden"
    )
