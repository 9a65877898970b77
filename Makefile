# Each target first installs the course into .venv, once: until a list changes.
#   make lab     open the course                  make test   compare and test everything
#   make run     execute, normalise the notebooks make lint   ruff, check and format
#   make seeds   every trained claim, other seeds make bench  speed and memory as ratios
#   make html    the lessons as static pages      make reset  a lesson as it was, NB=03
#   make class   student, solved and nbgrader editions, in build/class
# make lab ARGS="--no-browser --port 8899" passes arguments on to JupyterLab;
# make lab TORCH=cuda installs anew, on Linux with the PyTorch that can use a GPU;
# make run NB=03 and make seeds NB=03 take the notebooks with 03 in their name.

BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PY := $(BIN)/python
STAMP := .venv/installed$(addprefix -,$(TORCH))
# the first Python that is new enough and can make a virtual environment
SUITS := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
	$$p -c "$(SUITS)" 2>/dev/null && echo $$p && break; done)
# JupyterLab refuses to run as root unless told that it is meant (containers)
AS_ROOT := $(if $(filter 0,$(shell id -u 2>/dev/null)),--allow-root)

.PHONY: lab test run lint bench seeds html class reset

lab: $(STAMP)
	$(PY) -m jupyterlab --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb \
		--LabApp.workspaces_dir="$(CURDIR)/.venv/share/jupyter/lab/workspaces" \
		--ServerApp.root_dir="$(CURDIR)" $(AS_ROOT) $(ARGS)

test: $(STAMP)
	$(PY) -m pytest --nbval notebooks -q -n 2 --dist loadfile
	$(PY) -m pytest tests -q -n 2 --dist worksteal

run: $(STAMP)
	$(PY) -m tools.run $(NB)

lint: $(STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

bench: $(STAMP)
	$(PY) benchmarks/bench_attention.py
	$(PY) benchmarks/bench_streaming.py
	$(PY) benchmarks/bench_plots.py
	$(PY) benchmarks/bench_import.py

seeds: $(STAMP)
	$(PY) -m tools.seeds $(NB)

html: $(STAMP)
	$(PY) -m tools.html --output build/html $(NB)

class: $(STAMP)
	$(PY) -m tools.kit --output build/class $(NB)

# nothing to install: putting a lesson back must work in any state
reset:
	@$(or $(PYTHON),python3) tools/reset.py $(NB)

$(STAMP): requirements.txt requirements-pretrained.txt pyproject.toml tools/install.py
	@$(or $(PYTHON),python3) tools/install.py
