# boardctl: everything a newcomer, a builder or CI runs. Needs Python 3.11+ (with venv) and make.
#
#   make demo     the simulated table in the browser (http://127.0.0.1:8080)
#   make test     all tests that take less than three minutes

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
PIP = PYTHONWARNINGS=ignore BOARDCTL_PURE=1 $(BIN)/pip install -q --disable-pip-version-check
DEMO ?=
PYTEST ?=
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo test lint format test-slow test-long test-compiled test-crash test-api test-machine bundle docs clean

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The source tree runs the plain Python core: a compiled one beside an edited core.py would be
# stale without a word. `pip install .` (what a Pi gets) compiles it; `make test-slow` tests both.
$(VENV)/.demo: pyproject.toml setup.py
	@test -n "$(PYTHON)" || { echo "boardctl needs Python 3.11 or newer with venv (Debian: apt install python3-venv)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	$(PIP) -e .
	@touch $@

$(VENV)/.test: $(VENV)/.demo
	$(PIP) -e '.[test]'
	@touch $@

$(VENV)/.dev: $(VENV)/.test
	$(PIP) -e '.[test,dev]'
	@touch $@

demo: $(VENV)/.demo ## play on a simulated board in the browser (DEMO='--variant linnaeus --port 0')
	$(BIN)/boardctl demo $(DEMO)

test: $(VENV)/.test ## run the tests (PYTEST='-k recogniser')
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not slow and not long and not machine" $(PYTEST)

lint: $(VENV)/.dev ## ruff, mypy --strict, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests
	MYPYPATH=benchmarks $(BIN)/mypy benchmarks scripts
	$(BIN)/lint-imports

format: $(VENV)/.dev ## let ruff format the code
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format .

test-slow: $(VENV)/.test ## the tests that take some minutes
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m slow --timeout 900 $(PYTEST)

test-long: $(VENV)/.test ## the marks over thousands of games, a day of play (an hour and more)
	$(BIN)/pytest -n $(WORKERS) -m long --timeout 14400 $(PYTEST)

# In a copy, so that no compiled core is left beside the source.
test-compiled: $(VENV)/.dev ## compile the rules core and run its tests, the deep counts included
	rm -rf build/compiled && mkdir -p build/compiled
	tar -c --exclude=__pycache__ boardctl engine hardware tests pyproject.toml setup.py README.md LICENSE | \
		tar -x -C build/compiled
	test ! -d ../shared || ln -sfn $(abspath ../shared) build/shared
	cd build/compiled && $(abspath $(BIN))/python setup.py -q build_ext --inplace
	cd build/compiled && $(abspath $(BIN))/python -c "import engine, sys; sys.exit(not engine.COMPILED)"
	cd build/compiled && $(abspath $(BIN))/pytest -n $(WORKERS) -m "not long" --timeout 900 \
		tests/unit/engine tests/property/test_engine*

test-crash: $(VENV)/.test ## cut the power at a thousand random moments (ROUNDS=50)
	$(BIN)/python -m tests.crash.drill --rounds $(or $(ROUNDS),1000) --tables $(or $(TABLES),4)

# In an environment of its own: its pytest plug-in would load into every other run.
MINUTES ?= 10
test-api: $(VENV)/.test ## send requests made from the OpenAPI document, with and without token (MINUTES=10)
	test -x .venv-api/bin/schemathesis || { $(PYTHON) -m venv .venv-api && \
		.venv-api/bin/pip install -q --disable-pip-version-check 'schemathesis>=4.10'; }
	$(BIN)/python scripts/fuzz_api.py --minutes $(MINUTES) --schemathesis .venv-api/bin/schemathesis

test-machine: $(VENV)/.test ## boot User-Mode Linux with systemd and run the shipped units in it
	$(BIN)/pytest -v -m machine $(PYTEST)

bundle: $(VENV)/.demo ## a folder of wheels and the installer, for a Pi without internet (dist/bundle)
	PYTHON=$(BIN)/python scripts/bundle.sh

clean: ## remove what was built
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
