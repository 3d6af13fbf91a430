# Everything runs in .venv, which the first target called sets up. `make` alone lists the targets.
# Another interpreter: make clean, then make test PYTHON=python3.12

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

# Nobody else's environment may leak in. PIP_INDEX_URL and its kin stay, for houses with a mirror.
unexport VIRTUAL_ENV CONDA_PREFIX PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE
unexport PIP_TARGET PIP_PREFIX PIP_ROOT PIP_USER PIP_REQUIRE_HASHES PIP_REQUIREMENT PIP_CONSTRAINT
unexport UV_SYSTEM_PYTHON UV_PYTHON UV_TARGET UV_PREFIX UV_CONSTRAINT UV_OVERRIDE
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
endif

LOCK := $(BIN)/uv pip compile --quiet $(if $(UPGRADE),--upgrade) --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --custom-compile-command "make lock"
CHECKED := src tests $(wildcard benchmarks/*.py docs/*.py)
COUNTED := .counted
NPM := $(BIN)/python frontend/npm.py
FETCH := $(PYTHON) requirements/fetch.py
PAGE := src/pitbook/house/web/static/index.html
PAGE_SOURCES := $(shell find frontend/src frontend/public -type f ! -name schema.d.ts) \
	$(addprefix frontend/,index.html package.json vite.config.ts svelte.config.js)
MODULES := frontend/node_modules/.package-lock.json
# Half of what packages bring is hardly ever imported, and compiled when it is.
SELDOM := /(tests?|pip|setuptools|mypyc?|fontTools|libcst|textual|future)/|/ray/(rllib|data|tune|train|serve|llm|air|dashboard|autoscaler|workflow)/
BENCHMARKS := $(filter-out _%,$(notdir $(basename $(wildcard benchmarks/*.py))))

.DEFAULT_GOAL := help
.PHONY: help run page test test-fast test-slow coverage mutation planted check format bench audit docs figures lock notices clean
.PHONY: check-types check-lint check-page collected compiled test-python test-page

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(PAGE) ## open the house in ./pitbook-data at the address it prints; PORT=8711 takes another port
	@PITBOOK_MAKE=1 $(BIN)/pitbook serve --data pitbook-data $(if $(PORT),--port $(PORT))

page: $(PAGE) ## build the page, where its sources are newer than it

test: test-python test-page ## run the tests, but not the slow ones; too little covered fails too

test-python: $(INSTALLED) $(PAGE)
	@rm -rf $(COUNTED)
	@PITBOOK_COUNT=$(COUNTED) $(BIN)/pytest
	@$(BIN)/python -m tests.coverage_check $(COUNTED)

collected: $(INSTALLED) # The tests' own modules are compiled on the core that the page leaves free.
	@$(BIN)/pytest --collect-only -qq -n 0 >/dev/null 2>&1 || true

compiled: $(INSTALLED) # Once, before workers who meet a loop at the same moment compile it each.
	@$(BIN)/python -m tests.compile_kernels

test-page: $(MODULES)
	@$(NPM) run --silent test

test-fast: $(INSTALLED) ## what to run at every save: no browser, no database server, nothing long
	@$(BIN)/pytest -m "not slow and not long"

test-slow: $(INSTALLED) ## run the slow tests, for docs/reliability.md too; ONLY="tests/house/web tests/cli" runs some
	@PITBOOK_THOROUGH=1 PITBOOK_RELIABILITY=$(CURDIR)/docs/reliability.jsonl \
		$(BIN)/pytest -m "slow or random" --timeout 14400 $(ONLY)
	@$(BIN)/python docs/generate.py

coverage: $(INSTALLED) ## show the lines that the last make test did not reach
	@$(BIN)/python -m tests.coverage_check $(COUNTED) --list

mutation: $(INSTALLED) ## break the money's code in a thousand ways; tests must notice 9 in 10
	@rm -rf mutants
	@$(BIN)/mutmut run
	@$(BIN)/mutmut results
	@$(BIN)/mutmut export-cicd-stats >/dev/null
	@$(BIN)/python -c 'import json; found = json.load(open("mutants/mutmut-cicd-stats.json")); \
		print("killed", found["killed"], "of", found["total"]); \
		raise SystemExit(found["killed"] < 0.9 * found["total"])'

planted: $(INSTALLED) $(PAGE) ## plant forty faults, one at a time; tests must notice each; ID="x y" tries some
	@$(BIN)/python -m tests.planted $(ID)

check: $(INSTALLED) $(MODULES) ## lint, formatting, types, layers; of the page too
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-types check-lint check-page

check-types:
	@$(BIN)/mypy $(if $(CI),--cache-dir=/dev/null) $(CHECKED)

check-lint:
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/lint-imports --no-logo

check-page:
	@$(BIN)/python frontend/openapi.py >frontend/.openapi.json
	@$(NPM) run --silent types
	@$(NPM) run --silent check
	@$(NPM) run --silent lint

format: $(INSTALLED) ## format the code and repair what the linter can
	@$(BIN)/ruff check --fix --quiet || true
	@$(BIN)/ruff format

bench: $(INSTALLED) ## run every benchmark; fail if one does
	@failed=; for name in $(BENCHMARKS); do \
		echo "== $$name"; $(BIN)/python -m benchmarks.$$name || failed="$$failed $$name"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

audit: $(INSTALLED) ## ask PyPI and npm what is known against what is locked; 3 where that cannot be asked
	@$(BIN)/python requirements/audit.py

docs: $(INSTALLED) ## write the generated documents again
	@$(BIN)/python docs/generate.py

figures: $(INSTALLED) ## compute again the figures of the bundled sheets that the package ships
	@$(BIN)/python docs/precompute.py

lock: $(INSTALLED) ## lock what pyproject.toml asks for; UPGRADE=1 takes the newest
	@$(LOCK) requirements/bootstrap.in -o requirements/bootstrap.txt
	@$(LOCK) pyproject.toml --extra house --group dev -o requirements/lock.txt
	@$(LOCK) requirements/audit.in -o requirements/audit.txt

notices: $(INSTALLED) $(MODULES) ## write THIRD_PARTY_NOTICES.txt again, after make lock
	@$(BIN)/python requirements/notices.py

clean: ## remove .venv and what the tools left behind
	@rm -rf .venv dist build htmlcov mutants $(COUNTED) .hypothesis \
		.import_linter_cache .mypy_cache .pytest_cache .ruff_cache \
		frontend/node_modules frontend/.openapi.json frontend/src/api/schema.d.ts \
		frontend/src/words/schema.d.ts src/pitbook/house/web/static

# The stamp comes last: without it .venv is half made, and is made anew.
$(INSTALLED): requirements/bootstrap.txt requirements/lock.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Pitbook needs Python 3.11 or newer; \"$(PYTHON)\" is older or missing. Name one: make PYTHON=python3.11" >&2; \
		exit 1; }
	@echo "Setting up .venv"
	@[ -e $@ ] && $(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@rm -f $@
	@$(FETCH) "uv, which fetches the rest," $(BIN)/python -m pip install -q --disable-pip-version-check \
		--require-hashes -r requirements/bootstrap.txt
	@$(FETCH) "Python's packages" $(BIN)/uv pip sync --quiet --python $(BIN)/python \
		--require-hashes requirements/lock.txt
	@$(BIN)/python -m compileall -qq -j 0 -x '$(SELDOM)' .venv/lib || true # Some packages hold Python 2.
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

$(MODULES): frontend/package-lock.json frontend/package.json | $(INSTALLED)
	@echo "Fetching what the page is built with"
	@$(FETCH) "what the page is built with" $(NPM) ci --loglevel error
	@touch $@

$(PAGE): $(PAGE_SOURCES) $(MODULES)
	@echo "Building the page"
	@$(NPM) run --silent build -- --logLevel warn
	@touch $@
