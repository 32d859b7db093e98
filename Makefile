# Two commands matter: `make golden` builds every golden, `make test` passes the tests. Each sets up what it needs in
# .venv; Python 3.11 to 3.13 with venv and pip is all that must be there. PYTHON=python3.12 picks another one.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out
JOBS ?= 2

.PHONY: golden test check lint types unit bench clean

golden: $(VENV)/.runtime
	$(BIN)/refnvn golden build -o $(OUT)/goldens --c-headers $(OUT)/include --jobs $(JOBS)

test: unit

check: lint types unit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

unit: $(VENV)/.dev
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q tests/layout
	$(BIN)/python -m pytest -q

bench: $(VENV)/.dev
	$(BIN)/pip install --quiet --editable '.[oracle]'
	$(BIN)/python benchmarks/layout.py
	$(BIN)/python benchmarks/command_times.py

$(VENV)/.runtime: pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else \
	  "refnvn needs Python 3.11 to 3.13, not %d.%d; name another with PYTHON=python3.12" % v)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.runtime
	$(BIN)/python -m pip install --quiet --editable '.[dev,notebooks]'
	touch $@

clean:
	rm -rf $(VENV) $(OUT) build dist *.egg-info
