# `make book` builds the site, `make test` passes the tests; both set up what they need first.
# The first on the path that every pinned package has its wheels for.
FITS   := import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c '$(FITS)' 2>/dev/null && echo $$python && break; done)
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
SITE   := _build/html
WATCH  := _build/watch
PORT   ?= 8000
NEWER  ?= python3.13
# In the order of the tests, which begins with what takes longest.
ON_TWO := -n 2 --dist loadgroup --no-loadscope-reorder

.PHONY: book pdf serve watch check test test-python test-colab test-latest status state-map mutants \
	notebooks format font cards constraints clean
.DELETE_ON_ERROR:

book: $(READY)  ## build the bilingual site, strictly
	@$(BIN)/jupyter-book build . --all -W -n --keep-going --quiet
	@echo "The book is built. Open $(SITE)/index.html, or run: make serve"

pdf: book  ## make the book as a PDF per language and the site as a zip, offered on its first page and covers
	@$(BIN)/python -m workshop.take_along.downloads $(SITE)

serve: book  ## build the site and serve it
	@echo "The book is at http://localhost:$(PORT)/ (Ctrl+C stops)"
	@$(BIN)/python -m http.server --bind localhost --directory $(SITE) $(PORT)

watch: $(READY)  ## rebuild the site and reload the page whenever a file is saved
	@PYTHONPATH=$(CURDIR) $(BIN)/sphinx-autobuild --host localhost --port $(PORT) \
		--pre-build "$(MAKE) --no-print-directory notebooks $(WATCH)/conf.py" \
		$(foreach made,.* _build *.ipynb *.unfinished *.pyc* book/chapters/*/figures/*.json *.png,--ignore '$(made)') \
		-q -n -c $(WATCH) . $(WATCH)/html

$(WATCH)/conf.py: _config.yml $(READY)
	@mkdir -p $(@D)
	@cp $< $(@D)
	@ln -sfn ../../book ../../workshop $(@D)
	@$(BIN)/jupyter-book config sphinx --config $(@D)/_config.yml . > /dev/null

check: $(READY)  ## check sources, prose and links, and that notebooks are those of their chapters
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --diff --quiet . || { echo "format as shown: make format does it in Python" \
		"files; in a notebook, change its chapter"; exit 1; }
	@$(BIN)/python -m workshop.chapter.check

test: check  ## run every test: sources, prose, outputs, exercises, site
	@$(BIN)/pytest $(ON_TWO)

# Pages and what a browser does with them are the same on every Python.
test-python: $(READY)  ## run the tests of what Python itself may change: code, outputs, records
	@$(BIN)/pytest $(ON_TWO) -k "not browser" book \
		$(addprefix workshop/,chapter runs recorded_figure live_box)

test-colab test-latest: test-%: .venv-%/.ready  ## run the notebooks on Colab's or the newest versions
	@.venv-$*/bin/pytest $(ON_TWO) --environment $* $(RECORD) book \
		$(if $(RECORD),,workshop/state_map/test_run.py)

status: $(READY)  ## run the notebooks in every environment and record it for the status page
	@$(BIN)/pytest $(ON_TWO) --record book
	@$(MAKE) --no-print-directory test-colab test-latest RECORD=--record
	@$(MAKE) --no-print-directory state-map

state-map: $(READY) .venv-colab/.ready .venv-latest/.ready  ## run the state map in every environment
	@$(BIN)/python -m workshop.state_map.run pinned
	@.venv-colab/bin/python -m workshop.state_map.run colab
	@.venv-latest/bin/python -m workshop.state_map.run latest
	@git --no-pager diff --stat book/last_runs/state_map

mutants: $(READY)  ## plant faults in the chapters and print which the tests catch
	@$(BIN)/python -m tests.altered_numbers
	@$(BIN)/python -m tests.mutants

notebooks: $(READY)  ## write the notebooks of changed chapters (ALL=1 runs every chapter)
	@$(BIN)/python -m workshop.chapter.write $(if $(ALL),--all) $(CHAPTERS)

format: $(READY)  ## format Python files
	@$(BIN)/ruff format --exclude "*.ipynb" .

font: $(READY)  ## make the fonts anew from their npm packages
	@$(BIN)/python -m workshop.site.fonts $(PACKAGES)

cards: $(READY)  ## draw the cards that social networks show
	@$(BIN)/python -m workshop.site.link_cards

constraints:  ## pin anew what requirements.txt brings along, before it is installed
	@[ -x $(BIN)/uv ] || $(MAKE) --no-print-directory $(READY)
	@grep -v '^-c' requirements.txt | $(BIN)/uv pip compile - --universal --python-version 3.11 \
		--no-header --no-annotate --quiet --upgrade -o constraints.txt

clean:  ## remove what was built, keep the set-up
	@rm -rf _build

# $(1) is the Python to set up with, $(2) names the requirements.
define SET_UP
	@$(or $(1),python3) -c '$(FITS)' 2>/dev/null || { echo "error: $(or $(1),python3) is no Python 3.11 to 3.14 with" \
		"its venv; install one (on Debian and Ubuntu: apt install python3-venv) or name it: PYTHON=…"; \
		exit 1; }
	@echo "Setting up $(@D) (once, some minutes)"
	@$(1) -m venv --clear $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check --only-binary :all: -r $(2)
	@touch $@
endef

$(READY): requirements.txt constraints.txt
	$(call SET_UP,$(PYTHON),$<)

.venv-colab/.ready: requirements-colab.txt
	$(call SET_UP,$(NEWER),$<)

.venv-latest/.ready: requirements.txt
	@mkdir -p _build
	@sed -E '/^pytest==/b; /^(-c|jupyter-book|sphinx-autobuild|check-jsonschema|uv)/d; s/==.*//' $< \
		> _build/latest.txt
	$(call SET_UP,$(NEWER),_build/latest.txt)
