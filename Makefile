# LegalQA. `make` alone prints this help.
PYTHON ?= python3.11
VENV := .venv
PY := $(VENV)/bin/python
PORT ?= 8000
# Where torch's CPU build comes from: empty where pip already finds one; on other machines use
# `make setup TORCH_INDEX=https://download.pytorch.org/whl/cpu`, or pip takes a build with gigabytes of CUDA.
TORCH_INDEX ?=
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
LEGALQA_DATA ?= ../shared/data
# Two processes share the tests by file (tests/balance.py), each with a database of its own; much of a test is waiting for
# processes to start.
SIDE_BY_SIDE = -n 2 --no-loadscope-reorder
# Measuring has a folder of its own: a hundred thousand made-up chunks have no business beside people's documents.
MEASURE_VAR ?= $(CURDIR)/var/measure
MEASURE = DATABASE_URL= LEGALQA_DATA="$$(realpath -m "$(LEGALQA_DATA)")" LEGALQA_VAR="$(MEASURE_VAR)" $(PY)

.PHONY: help setup setup-dev demo stop check check-types check-rest test test-fast bench results clean lock schema soak baseline

help:  ## Print this help.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# torch comes first and without a hash: its file is another one on each index. All else must be the file whose hash is locked;
# the last of pip's lines adds nothing but what torch's build for graphics cards asks for, where pip took that one.
# pip compiles eighteen thousand files one after the other: COMPILE does it with every core.
PIP := $(VENV)/bin/pip install -q --no-compile
COMPILE = -$(PY) -m compileall -qq -j 0 $(VENV)/lib  # torch brings one file of a later Python

$(VENV)/.installed: pyproject.toml constraints.txt requirements/run.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-deps $(if $(TORCH_INDEX),--extra-index-url "$(TORCH_INDEX)") torch==2.13.0
	$(PIP) --no-deps --require-hashes -r requirements/run.txt
	$(PIP) -c constraints.txt -e .
	$(COMPILE)
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements/dev.txt
	$(PIP) --no-deps --require-hashes -r requirements/dev.txt
	$(COMPILE)
	touch $@

$(VENV)/.installed-bench: $(VENV)/.installed-dev
	$(VENV)/bin/pip install -q -c constraints.txt -e .[bench]
	touch $@

/usr/bin/chromium:
	$(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq chromium >/dev/null

# Scanned pages are read by it; without it everything else works, and the product says so.
/usr/bin/tesseract:
	@($(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq tesseract-ocr >/dev/null) \
		|| echo "tesseract-ocr could not be installed: scanned pages will not be read."

setup: $(VENV)/.installed /usr/bin/tesseract  ## Install everything that running needs into .venv.

setup-dev: $(VENV)/.installed-dev /usr/bin/chromium /usr/bin/tesseract  ## The same, with what tests and checks need.

demo: setup  ## Start LegalQA in the background with real law in it, and print a first cited answer.
	$(PY) manage.py demo --up --port $(PORT)

stop:  ## Stop what `make demo` started.
	$(PY) manage.py down

check: setup-dev  ## Lint, types, import contracts, sizes, migrations, schema.
	$(MAKE) --no-print-directory -j2 --output-sync=target check-types check-rest

check-types:
	$(VENV)/bin/mypy .

check-rest:
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/djangofmt --check templates
	$(VENV)/bin/lint-imports
	$(PY) -m pytest tests/test_architecture.py tests/test_vendored.py tests/test_docs.py tests/test_locks.py
	$(PY) manage.py makemigrations --check --dry-run
	schema=$$(mktemp) && $(PY) manage.py spectacular --validate --fail-on-warn --file $$schema && diff -u docs/openapi.yaml $$schema

test: setup-dev  ## Every test: real PostgreSQL, real encoder, real browser, killed processes.
	$(PY) -m pytest $(SIDE_BY_SIDE) --durations=12

test-fast: setup-dev  ## What needs no browser and no kills.
	$(PY) -m pytest $(SIDE_BY_SIDE) -m "not journey and not faults"

bench: $(VENV)/.installed-bench  ## Speed and memory beside named peers, on the sets under LEGALQA_DATA.
	$(MEASURE) manage.py migrate -v 0 && $(MEASURE) manage.py bench

results: $(VENV)/.installed-bench  ## Measure every figure of docs/results.md; ROWS="a b" for some, RESUME=1 to resume.
	$(MEASURE) manage.py migrate -v 0
	$(MEASURE) manage.py results $(if $(ROWS),--only $(ROWS)) $(if $(RESUME),--resume)

soak: setup-dev  ## Long tests: kills, works, races, backups, schema; resumes where it was stopped. SOAK="kills --runs 5".
	$(PY) -m tests.soak $(SOAK)

LOCK = $(VENV)/bin/uv pip compile -q --generate-hashes --no-annotate --custom-compile-command "make lock" \
	--no-emit-package torch --python-version 3.11 -c constraints.txt pyproject.toml

lock: $(VENV)/.installed  ## Write requirements/*.txt with hashes, after a change of pyproject.toml or constraints.txt.
	$(VENV)/bin/pip install -q -c constraints.txt uv
	$(LOCK) -o requirements/run.txt && $(LOCK) --extra dev -o requirements/dev.txt

schema: setup-dev  ## Write the OpenAPI schema that is checked in.
	$(PY) manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml

baseline: setup-dev  ## Write the tables that a first run starts from, after migrations were added or changed.
	$(PY) -m tests.baseline > /tmp/legalqa-baseline.sql && cp /tmp/legalqa-baseline.sql legalqa/common/database/schema.sql

clean:  ## Remove the environment; data under var/ stays.
	rm -rf $(VENV)
