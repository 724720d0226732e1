# make run: the console on the sample model, or the same without a display.
# make test: every test. Neither needs the network a second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# A window needs more of Qt's libraries than drawing does.
DISPLAYED := $(if $(DISPLAY)$(WAYLAND_DISPLAY),yes)
NEEDS = $(if $(DISPLAYED),--window)

# The path of an AppImage runtime: see resources/help/install.md.
RUNTIME ?=

# Those that take minutes; those of passes, stages and whole models, which take hours and share what they keep.
BENCHMARKS := startup ui_stall canvas plots tables build_pool tune_throughput allocation allocation_live long_run open_scale
PASS_BENCHMARKS := sharing transfer droplet plan ios latency reach

.PHONY: help run demo test test-long lint bench bench-passes package translations clean system
.DEFAULT_GOAL := help

help:
	@echo "make run     open the console on the sample model (without a display: tune it here)"
	@echo "make test    run all tests but the longest"
	@echo "make test-long   run the longest tests"
	@echo "make lint    check style and types"
	@echo "make bench   run the benchmarks that take minutes"
	@echo "make bench-passes   run those of passes, stages and whole models, which take hours"
	@echo "make package make a folder, a .deb and an AppImage of the program, in dist"
	@echo "make translations   gather the texts of the window anew; see CONTRIBUTING.md"
	@echo "make demo    tune, export and draw the sample model without a display"
	@echo "make clean   remove what was built, but not $(VENV)"

ifeq ($(DISPLAYED),yes)
run: $(STAMP)
	$(BIN)/tunewright gui squeezenet
else
run: demo
endif

demo: $(STAMP)
	$(BIN)/tunewright demo --output build/demo

# The journey needs a display of its own; without the rights to install one it is skipped.
test: NEEDS += $(if $(filter 0,$(shell id -u)),--journey)
test: $(STAMP)
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n 3 --dist worksteal --durations=25

# Those that the CI has no time for.
test-long: $(STAMP)
	QT_QPA_PLATFORM=offscreen TUNEWRIGHT_LONG=1 $(BIN)/python -m pytest -n 2 -m long

lint: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(STAMP)
	@for name in $(BENCHMARKS); do $(BIN)/python -m tests.benchmarks.$$name || exit 1; echo; done

bench-passes: $(STAMP)
	@for name in $(PASS_BENCHMARKS); do \
		$(BIN)/python -m tests.benchmarks.$$name --keep build/passes || exit 1; echo; \
	done

translations: $(STAMP)
	$(BIN)/python -m app.process.translations

package: NEEDS += --package
package: $(VENV)/.package
	$(BIN)/pyinstaller --noconfirm --log-level ERROR --distpath dist --workpath build/pyinstaller \
		packaging/tunewright.spec
	$(BIN)/python packaging/linux.py deb
	$(BIN)/python packaging/linux.py appimage $(if $(RUNTIME),--runtime '$(RUNTIME)')

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

# As root, install the Debian packages that are missing; else name them and stop.
system:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python"; exit 1; }
	@missing="$$($(PYTHON) -m app.doctor.system_packages $(NEEDS))"; \
	[ -x $(BIN)/pip ] || $(PYTHON) -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing: $$missing"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends $$missing; \
	else \
		echo "These Debian packages are missing: $$missing"; \
		echo "Install them as root: apt-get install $$missing"; \
		exit 1; \
	fi

$(STAMP): pyproject.toml constraints.txt | system
	@echo "Installing the Python packages into $(VENV): about 300 MB, once."
	@$(PYTHON) -m venv $(VENV)
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
		$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

$(VENV)/.package: $(STAMP)
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
		$(BIN)/python -m pip install --quiet --editable '.[package]'
	@touch $@
