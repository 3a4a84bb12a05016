# make play    set everything up and open the page on localhost; EXTRAS=web,learn brings PyTorch, with which people
#              can train networks in the page
# make test    set everything up and run the tests
# make check   lint, types, import rules, the layout, that every language says what the code says, and the workflows
# make words   bring the catalogues of all languages up to date with the code, for a person to translate what is new
# make sanitize  a part of the tests of games and agents, on a core with address and undefined-behaviour sanitizers
# make accessibility  axe-core on every page at three widths, light and dark, in every language; needs npm
# make fuzz    thousands of generated submissions, replies and course files; CASES=20000 SEED=7 for others
# make reasons  check what agents say about their actions in 20 times as many positions as the tests; TIMES=100 for more
# make puzzles  prove every puzzle of the package again; the tests prove a few
# make hostile  every attack on the sandbox, with its layers switched off one at a time; needs root
# make kills   kill parts of a tournament, a course and a page a hundred times, and compare with undisturbed runs; then a
#              league and its final, then Ray
# make bench   speed side by side with peers, as ratios
# make pictures  draw the pictures of README and docs again
# make docs    build the site into build/site, without a warning; make docs-serve shows it while it is written
# make package  sdist and wheels into dist, installed and tried in empty environments of every Python from 3.11 that is here
# make screenshots  every page at three widths, light and dark, in every language, into build/screenshots
PYTHON ?= python3
PORT ?= 8080
EXTRAS ?= web
CASES ?= 3000
SEED ?= 0
TIMES ?= 20
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
SOURCES := pyproject.toml constraints.txt CMakeLists.txt $(wildcard core/*.hpp core/*/*)
BUILD_NEEDS := nanobind scikit-build-core
SANITIZED := build/sanitize

# The tests start Python hundreds of times; without bytecode each start compiles the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test check words sanitize accessibility fuzz reasons puzzles hostile kills bench pictures docs docs-serve package screenshots clean

play: $(VENV)/.play
	@[ "$(EXTRAS)" = web ] || $(PIP) install -c constraints.txt --no-build-isolation -e '.[$(EXTRAS)]'
	$(BIN)/ludoteca serve --port $(PORT)

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist loadfile

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.architecture
	$(BIN)/python -m tools.words check
	$(BIN)/zizmor --quiet --offline --config .github/zizmor.yml .github/workflows

words: $(VENV)/.dev
	$(BIN)/python -m tools.words update $(LANGUAGES)

accessibility: $(VENV)/.dev node_modules/axe-core
	LUDOTECA_AXE=all $(BIN)/python -m pytest -q tests/web/pages/test_axe.py

node_modules/axe-core:
	npm install --no-save --no-package-lock --no-audit --no-fund axe-core

fuzz: $(VENV)/.dev
	LUDOTECA_FUZZ=$(CASES) LUDOTECA_FUZZ_SEED=$(SEED) $(BIN)/python -m pytest -q tests/fuzz

reasons: $(VENV)/.dev
	LUDOTECA_REASONS=$(TIMES) $(BIN)/python -m pytest -q tests/agents -k "test_facts and true"

puzzles: $(VENV)/.dev
	$(BIN)/ludoteca puzzles check

hostile: $(VENV)/.dev
	LUDOTECA_HOSTILE=1 $(BIN)/python -m pytest -q tests/players/sandbox

kills: $(VENV)/.dev
	$(BIN)/python -m tools.kills $(KILLS)
	$(BIN)/python -m tools.kills.league
	$(BIN)/python -m tools.kills.final
	$(BIN)/python -m tools.kills --only ray

bench: $(VENV)/.dev
	$(BIN)/python -m bench
	$(BIN)/python -m tests.bench.references speed

pictures: $(VENV)/.dev
	$(BIN)/python docs/boards.py

docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

docs-serve: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --watch src

package: $(VENV)/.dev
	$(BIN)/python -m tools.package

screenshots: $(VENV)/.dev
	$(BIN)/python -m tools.screenshots

clean:
	rm -rf $(VENV) build

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit("Ludoteca needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 play" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

# The build's own needs live in the same environment, so that a changed header rebuilds in seconds.
$(VENV)/.play: $(VENV)/.made $(SOURCES)
	@echo "Building Ludoteca in $(VENV) (the first time takes a minute or two) …"
	$(PIP) install -c constraints.txt $(BUILD_NEEDS)
	$(PIP) install -c constraints.txt --no-build-isolation -e '.[web]'
	@touch $@

$(VENV)/.dev: $(VENV)/.play
	$(PIP) install -c constraints.txt --no-build-isolation -e '.[dev,learn]'
	@touch $@

# A second environment that borrows the packages of the first, but not its build of our core. Students' files play in
# sandboxes, whose limits leave no room for what a sanitizer needs. pytest captures no file descriptors, since a finding
# is reported there and then ends the process.
sanitize: $(VENV)/.dev
	$(PYTHON) -m venv --clear --without-pip $(SANITIZED)/venv
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])' \
	    > $$($(SANITIZED)/venv/bin/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/borrowed.pth
	$(PIP) --python $(SANITIZED)/venv/bin/python install --no-deps --no-build-isolation \
	    -C cmake.define.LUDOTECA_SANITIZE=ON -C build-dir=$(SANITIZED)/build .
	LD_PRELOAD="$$($${CXX:-g++} -print-file-name=libasan.so) $$($${CXX:-g++} -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 LUDOTECA_SANITIZED=1 \
	    $(SANITIZED)/venv/bin/python -m pytest -p no:cacheprovider --capture=sys -n auto --dist loadfile -m 'not no_sanitize' \
	    tests/games tests/agents --ignore=tests/agents/files
