# `make evolve` and `make test` are all that a fresh machine with Python, git and make
# needs; the rest is for people who work on the project.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
SCALE ?= small
WORKSPACE ?= workspace$(if $(filter full,$(SCALE)),-full)
ROUNDS ?=
BRIEFS ?=
PORT ?= 4200

BIN := .venv/bin
READY := .venv/.ready
TEST := $(BIN)/python -m pytest -rs -q
# vendors' switches for their own commands; ours set them by themselves
SWITCHES = $$(grep -v '^\#' tasks/switches.env)

.PHONY: help setup evolve test test-samples test-browser check lint types contracts \
	format serve mlflow repro constraints clean-evolve

help: ## list what there is
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(READY) ## make the virtual environment .venv (again when its files changed)

$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "no Python >= 3.11 found: install one, or run make PYTHON=/path/to/python" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@# uv takes half the time of pip; without bytecode every import would be twice as slow
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv \
	&& UV_COMPILE_BYTECODE=1 $(BIN)/uv pip install --quiet \
		--python $(BIN)/python --constraint constraints.txt --editable '.[dev]' \
	|| $(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint constraints.txt --editable '.[dev]'
	$(BIN)/python -m flows.server template
	touch $@

evolve: $(READY) ## rounds in a row, in workspace/; again: the next rounds; SCALE=full
	@$(BIN)/skillbank init --scale $(SCALE) $(WORKSPACE) >/dev/null
	$(BIN)/skillbank evolve --workspace $(WORKSPACE) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(BRIEFS),--briefs $(BRIEFS))

clean-evolve: ## forget workspace/ (SCALE=full: workspace-full/) and start over
	rm -rf $(WORKSPACE)

serve: $(READY) ## Prefect's UI with the weekly deployment
	@$(BIN)/skillbank init $(WORKSPACE) >/dev/null
	$(BIN)/skillbank serve --workspace $(WORKSPACE) --port $(PORT)

mlflow: $(READY) ## MLflow's UI over the rounds of workspace/
	env $(SWITCHES) $(BIN)/mlflow server --host 127.0.0.1 --port $(PORT) --workers 1 \
		--backend-store-uri sqlite:///$(WORKSPACE)/state/mlflow.db

repro: $(READY) ## DVC's stages on the seed bank; `dvc metrics diff` compares
	PATH="$(CURDIR)/$(BIN):$$PATH" dvc repro

test: $(READY) ## all tests but those of the next two targets
	$(TEST) -n 2 -m "not browser and not samples"

test-samples: $(READY) ## tests on real files, in the folder that SKILLBANK_SAMPLES names
	$(TEST) -n 2 -m samples || test $$? -eq 5

test-browser: $(READY) ## tests that look at a page in Chromium
	$(TEST) -m browser || test $$? -eq 5

check: lint types contracts test ## everything that must hold before a commit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

contracts: $(READY)
	$(BIN)/lint-imports --no-logo

format: $(READY) ## lay the code out as `make check` wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

constraints: $(READY) ## pin anew what the ranges of pyproject.toml allow
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-header \
		--no-emit-index-url --no-annotate --extra dev pyproject.toml -o constraints.txt
