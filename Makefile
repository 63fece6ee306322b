SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
STACK ?= dev
BIN := .venv/bin
# Byte code pays: imports of the provider SDKs without it are 3 to 6 times slower.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help preview check test lint types golden bench clean

help: ## What can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nodepools needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --compile -r requirements.txt -e '.[dev]'
	$(BIN)/python -m compileall -q components
	@touch $@

preview: .venv/installed ## What `pulumi up` would register, without Pulumi CLI or account (STACK=dev)
	@$(BIN)/nodepools preview --stack $(STACK)

check: .venv/installed ## Every fault of every stack
	@$(BIN)/nodepools check --all

test: .venv/installed ## All tests
	@$(BIN)/python -m pytest --quiet

lint: .venv/installed ## ruff and the architecture contracts
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports --no-cache

types: .venv/installed ## pyright, strict
	@$(BIN)/pyright --warnings

golden: .venv/installed ## Rewrites the stored plans: review their diff as a change of contract
	@$(BIN)/python -m pytest --quiet tests/golden --rewrite-golden

bench: .venv/installed ## Speed, as ratios measured in one run
	@$(BIN)/python -m tests.bench

clean: ## Forgets what was installed
	rm -rf .venv
