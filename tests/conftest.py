"""Settings and fixtures that every test shares."""

import os

import hypothesis
import pytest

# Programs that are wrong on purpose: tests/cases is imported by its own test, one file a process.
collect_ignore = ["cases", "golden"]

# XLA's start-up lines would mix with the output of tests that read a subprocess.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

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
