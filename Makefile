# The two commands of the README are `make reproduce` and `make test`; each makes the environment it needs.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: reproduce test test-slow kill-test fuzz lint format bench clean

reproduce: .venv/.installed
	$(BIN)/ishango reproduce --quick

test: .venv/.installed-dev
	$(BIN)/python -m tests.kernels
	$(BIN)/python -m pytest -n auto

test-slow: .venv/.installed-dev
	$(BIN)/python -m pytest -n auto -m slow

kill-test: .venv/.installed-dev
	$(BIN)/python -m tests.kills

fuzz: .venv/.installed-dev
	$(BIN)/python -m tests.fuzz

lint: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports

format: .venv/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.installed-dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -m venv .venv

# A stamp is written only after a successful install, so that an interrupted one is taken up again.
.venv/.installed: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	touch $@

# What checks that everybody can use the page is a script for browsers; its tests say so where npm is not there.
AXE := axe-core@4.10.3

.venv/.installed-dev: .venv/.installed
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev,torch,parquet,cldf]'
	! command -v npm >/dev/null || npm install --silent --no-save --no-audit --no-fund --prefix .venv/npm $(AXE)
	touch $@
