# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check large lint types contracts pages docs bench peers suites cheats faults fuzz lock \
	audit-dependencies coverage clean

$(VENV)/ready: pyproject.toml requirements-dev.lock scripts/proctor
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Proctor needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Installing Proctor and its tools into $(VENV); the first time this takes about a minute."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(VENV)/ready
	$(BIN)/proctor demo

test: $(VENV)/ready
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not heavy and not large"

# All that the build runs: what reads the text, two at a time, then the tests, then the heavy ones.
check: $(VENV)/ready
	@$(MAKE) --no-print-directory --jobs 2 --output-sync docs lint types contracts
	@$(MAKE) --no-print-directory test
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "heavy and not large"

# What the build leaves out: the full size of what tests show at a tenth, and what takes long.
large: $(VENV)/ready
	$(BIN)/python -m pytest -q -m large

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/interrogate -q src

types: $(VENV)/ready
	$(BIN)/mypy

contracts: $(VENV)/ready
	$(BIN)/lint-imports

# The pages of docs/ that are made from the code.
pages: $(VENV)/ready
	$(BIN)/python scripts/pages.py
	$(BIN)/python -m tests.faults --page > docs/faults.md

# The documentation as a site in build/site; a link or an anchor that leads nowhere ends it.
docs: $(VENV)/ready
	$(BIN)/zensical build --strict

# Every cheat and every honest run: verdict, rules, milliseconds.
cheats: $(VENV)/ready
	$(BIN)/python -m tests.cheats

# Every fault, brought about for real: what is lost, what is said, the exit code.
faults: $(VENV)/ready
	$(BIN)/python -m tests.faults

# Inputs that nobody wrote, and shell lines against real shells, for an hour or SECONDS.
fuzz: $(VENV)/ready
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),3600)

# Ratios against the bars that the project sets itself; minutes, not a test.
bench: $(VENV)/ready
	$(BIN)/python bench/bench.py

# The tools that promise the same, put through one battery; the package registry, a quarter of an hour.
peers: $(VENV)/ready
	$(BIN)/python -m bench.peers

# Other people's test suites, bare and witnessed; ten minutes and the registries.
suites: $(VENV)/ready
	$(BIN)/python bench/suites.py

# What the build installs, with the hash of every file, for each platform and Python from 3.11 on.
lock:
	@$(PYTHON) -m venv $(VENV)-lock
	@$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check "uv>=0.9,<1"
	$(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
		--no-emit-index-url --no-header --no-annotate --group dev --group docs pyproject.toml --output-file requirements-dev.lock

# Known holes of what is installed; needs the advisory service.
audit-dependencies: $(VENV)/ready
	scripts/audit-dependencies

coverage: $(VENV)/ready
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -m "not heavy and not large"
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .coverage* dist
