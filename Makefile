# `make play` and `make test` are the two commands to know; `make help` lists the rest.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PORT   ?= 8470

.PHONY: help play test run bench figures setup lint types format lock clean
.DEFAULT_GOAL := help

help: ## list the commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

play: setup ## play in the browser: a Discord of our own, the real bot, no account
	@$(BIN)/python -m bot playground --port $(PORT)

test: setup ## run the whole test suite
	@$(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder

run: setup ## run the bot against Discord; settings come from .env
	@$(BIN)/python -m bot run

bench: setup ## measure and print the figures that are promised
	@$(BIN)/python -m benchmarks

figures: setup ## hold the rules against the literature: 20,000 matches a row, side by side
	@FIGURES_GAMES=20000 $(BIN)/python -m pytest -q -s -o faulthandler_timeout=0 tests/engine/test_figures.py

setup: $(READY) ## make .venv and install what the lock file names

$(READY): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "warbot needs Python 3.11 or newer; name one that you have: make $(or $(MAKECMDGOALS),setup) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "This Python has no venv module; on Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

lint: setup ## ruff: rules and formatting
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: setup ## pyright
	@$(BIN)/pyright

format: setup ## let ruff rewrite what it can
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

lock: ## pin the newest versions that pyproject.toml allows (needs uv)
	uv pip compile -q --upgrade --universal --generate-hashes --no-emit-index-url --python-version 3.11 --extra dev --custom-compile-command "make lock" -o requirements-dev.lock pyproject.toml
	uv pip compile -q --universal --generate-hashes --no-emit-index-url --python-version 3.11 -c requirements-dev.lock --custom-compile-command "make lock" -o requirements.lock pyproject.toml

clean: ## remove .venv and what the tools leave behind
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis build *.egg-info
