from __future__ import annotations

import pytest
from jaxlib._jax import JaxRuntimeError

from ownarray._backend import errors
from ownarray._errors import BackendError, OutOfMemoryError


@pytest.mark.parametrize(
    "error",
    [
        JaxRuntimeError("RESOURCE_EXHAUSTED: Out of memory allocating 8 bytes."),
        RuntimeError("std::bad_alloc"),
        MemoryError(),
    ],
)
def test_a_lack_of_memory_is_told_with_the_cure(error: Exception) -> None:
    found = errors.translate(error, "running a compiled program")
    assert isinstance(found, OutOfMemoryError)
    assert str(found).startswith("running a compiled program: not enough memory")
    assert "oa.release_memory()" in str(found)


def test_anything_else_is_our_bug_and_shows_the_program() -> None:
    caught = JaxRuntimeError("INTERNAL: no idea\nsecond line")
    with pytest.raises(BackendError, match="compiling: INTERNAL: no idea") as raised:
        errors.raise_ours(caught, "compiling", "module {}")
    assert raised.value.program == "module {}"
    assert raised.value.__cause__ is caught


def test_what_a_kernel_raised_is_found_by_its_number() -> None:
    failure = ValueError("inside")
    message = errors.keep_kernel_failure("kernel", failure)
    with pytest.raises(BackendError, match="a host kernel raised ValueError: inside") as raised:
        errors.raise_ours(JaxRuntimeError(f"INTERNAL: {message}"), "running")
    assert raised.value.__cause__ is failure
    with pytest.raises(BackendError, match="kernel: ValueError"):  # told once
        errors.raise_ours(JaxRuntimeError(f"INTERNAL: {message}"), "running")


def test_failures_that_nobody_asks_for_are_forgotten() -> None:
    for _ in range(3 * errors._MAX_KEPT):
        errors.keep_kernel_failure("kernel", ValueError())
    assert len(errors._failures.kept) <= errors._MAX_KEPT
    errors._failures.kept.clear()


def test_the_first_line_that_says_something() -> None:
    assert errors.first_line("\n  \n one \ntwo") == "one"
    assert errors.first_line("") == ""
