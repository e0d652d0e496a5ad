# Each target makes .venv/ on first use; nothing but Python 3.11 or newer is needed.

PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready
BIN := $(VENV)/bin
CORPUS := tests/corpus/elementwise

.PHONY: run test test-all bench lint docs clean

run: $(READY)
	$(BIN)/headrace run $(CORPUS)/add.mlir --device spyre --check=levels

test: $(READY)
	$(BIN)/python -m pytest -n 2 -m "not all"

test-all: $(READY)
	$(BIN)/python -m pytest -n 2

bench: $(READY)
	$(BIN)/python -m benchmarks

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/basedpyright headrace
	$(BIN)/lint-imports
	$(BIN)/python -m tools.docs --check

docs: $(READY)
	$(BIN)/python -m tools.docs

clean:
	rm -rf $(VENV)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "headrace needs Python 3.11 or newer; set PYTHON=..." >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	$(BIN)/python -m compileall -q headrace
	touch $(READY)
