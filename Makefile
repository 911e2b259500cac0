# Two commands, on a machine with only Python, pip and make:
#   make demo    denoise a photo and train a network, each in one copy of memory
#   make test    lint, types and all tests
# PYTHON chooses the interpreter; each command makes its own virtual environment below VENVS.

PYTHON ?= python3
VENVS ?= .venv
JOBS ?= 2
PYTEST_ARGS ?=

# One environment per interpreter version, so that two versions can be tested side by side.
TAG := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
ifeq ($(TAG),)
$(error $(PYTHON) does not run; choose a Python >= 3.11 with make PYTHON=...)
endif
ifneq ($(shell $(PYTHON) -c 'import sys; print(sys.version_info >= (3, 11))'),True)
$(error $(PYTHON) is Python $(TAG); ownarray needs Python >= 3.11, choose one with make PYTHON=...)
endif
DEMO := $(VENVS)/demo-$(TAG)
TEST := $(VENVS)/test-$(TAG)
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint types pytest bench bench-quick clean help

help:
	@sed -n '2,4p' Makefile

demo: $(DEMO)/installed
	$(DEMO)/bin/python -m examples.denoise_photo
	$(DEMO)/bin/python -m examples.train_digits

test: lint types pytest

lint: $(TEST)/installed
	$(TEST)/bin/ruff check .
	$(TEST)/bin/ruff format --check .
	$(TEST)/bin/codespell

types: $(TEST)/installed
	$(TEST)/bin/python -m mypy

pytest: $(TEST)/installed
	$(TEST)/bin/python -m pytest -n $(JOBS) $(PYTEST_ARGS)

bench: $(TEST)/installed
	$(TEST)/bin/python $(PIP_INSTALL) -e '.[bench]'
	$(TEST)/bin/python -m benchmarks

bench-quick: $(TEST)/installed
	$(TEST)/bin/python -m benchmarks --quick

$(DEMO)/installed: pyproject.toml
	$(PYTHON) -m venv $(DEMO)
	@echo "installing what the demonstration needs into $(DEMO)"
	$(DEMO)/bin/python $(PIP_INSTALL) -e '.[demo]'
	@touch $@

$(TEST)/installed: pyproject.toml
	$(PYTHON) -m venv $(TEST)
	@echo "installing what the tests need into $(TEST)"
	$(TEST)/bin/python $(PIP_INSTALL) -e '.[dev]'
	@touch $@

clean:
	rm -rf $(VENVS) out .mypy_cache .pytest_cache .ruff_cache .hypothesis
