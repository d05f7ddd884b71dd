# `make book` builds the site, `make test` passes the tests; both set up what they need first.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
SITE   := _build/html
PORT   ?= 8000
NEWER  ?= python3.13

.PHONY: book pdf serve test test-colab test-latest status mutants speed notebooks format font \
	cards constraints clean
.DELETE_ON_ERROR:

book: $(READY)  ## build the bilingual site, strictly
	@$(BIN)/jupyter-book build . --all -W -n --keep-going --quiet
	@echo "The book is built. Open $(SITE)/index.html, or run: make serve"

pdf: book  ## make the book as a PDF per language and the site as a zip, offered on its first page
	@$(BIN)/python -m workshop.take_along.downloads $(SITE)

serve: book  ## build the site and serve it
	@echo "The book is at http://localhost:$(PORT)/ (Ctrl+C stops)"
	@$(BIN)/python -m http.server --bind localhost --directory $(SITE) $(PORT)

test: $(READY)  ## run every test: sources, prose, outputs, exercises, site
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --diff --quiet . || { echo "format as shown: make format does it in Python" \
		"files; in a notebook, change its chapter"; exit 1; }
	@$(BIN)/pytest -n 2 --dist loadgroup

test-colab test-latest: test-%: .venv-%/.ready  ## run the notebooks on Colab's or the newest versions
	@.venv-$*/bin/pytest -n 2 --dist loadgroup --environment $* $(RECORD) book

status: $(READY)  ## run the notebooks in every environment and record it for the status page
	@$(BIN)/pytest -n 2 --dist loadgroup --record book
	@$(MAKE) --no-print-directory test-colab test-latest RECORD=--record

mutants: $(READY)  ## plant faults in the chapters and print which the tests catch
	@$(BIN)/python -m tests.mutants
	@$(BIN)/pytest --quiet tests/test_guard_coverage.py

speed: $(READY)  ## time the notebooks beside the least that running every cell can take
	@$(BIN)/python -m workshop.runs.speed

notebooks: $(READY)  ## write the notebooks of changed chapters (ALL=1 runs every chapter)
	@$(BIN)/python -m workshop.chapter.write $(if $(ALL),--all) $(CHAPTERS)

format: $(READY)  ## format Python files
	@$(BIN)/ruff format --exclude "*.ipynb" .

font: $(READY)  ## make the Hangul font anew from its npm package
	@$(BIN)/python -m workshop.once.subset_font $(PACKAGE)

cards: $(READY)  ## draw the cards that social networks show
	@$(BIN)/python -m workshop.once.draw_cards

constraints: $(READY)  ## pin anew what requirements.txt brings along
	@$(BIN)/pip install --quiet uv
	@grep -v '^-c' requirements.txt | $(BIN)/uv pip compile - --universal --python-version 3.11 \
		--no-header --no-annotate --quiet --upgrade -o constraints.txt

clean:  ## remove what was built, keep the set-up
	@rm -rf _build

.venv-latest/requirements.txt: requirements.txt
	@mkdir -p $(@D)
	@sed -n '/^pytest==/{p;d}; /jupyter-book/d; s/==.*//p' $< > $@

.venv-colab/.ready: requirements-colab.txt
.venv-latest/.ready: .venv-latest/requirements.txt
.venv-colab/.ready .venv-latest/.ready:
	@$(NEWER) -c '' 2>/dev/null || { echo "error: $(NEWER) is needed here and was not found;" \
		"install it, or name another: make $(MAKECMDGOALS) NEWER=python3.12"; exit 1; }
	@echo "Setting up $(@D)"
	@$(NEWER) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(READY): requirements.txt constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else \
		f"error: Python 3.11 to 3.13 is needed, $(PYTHON) is {v[0]}.{v[1]}; run: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	@echo "Setting up $(VENV) (once, a minute or two)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@
