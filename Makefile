# make run: the roller rig of conti2012, from a fresh clone. make test: all tests. Both do all set-up.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
SHOWN := simulator.error.y[0] simulator.error.y[1] simulator.control.speed_error.y[0] \
  simulator.control.speed_error.y[1] rig.G_y simulator.estimation.estimator.T_hat[0] \
  simulator.train.model_force.y[0]

.PHONY: setup wheel qt edit run test test-slow fuzz bench bits bench-editor endurance check format types docs clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $(READY)

# An installable package, with all kernels of the library lowered.
wheel: $(READY)
	@mkdir -p build
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build .

run: $(READY)
	@mkdir -p build
	$(BIN)/railblocks run diagrams/conti2012/scenario_1.yaml -o build/scenario_1.h5
	$(BIN)/railblocks plot build/scenario_1.h5 $(SHOWN) -o build/scenario_1.png
	@printf '%s\n' '' 'Picture: build/scenario_1.png (diagrams/conti2012/scenario_1.yaml). To try next:' \
	  '  . $(BIN)/activate                              lets this shell find railblocks' \
	  '  railblocks run diagrams/dc_motor.yaml --plot      a smaller diagram: dc_motor.png' \
	  '  make edit FILE=diagrams/dc_motor.yaml             the same in the editor' \
	  '  docs/getting_started.md                           a diagram and a block of your own'

# Qt loads these from the system; what runs without a window needs the first six only.
QT := libglib2.0-0 libgl1 libegl1 libxkbcommon0 libfontconfig1 libdbus-1-3
QT += libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0

qt:
	@if command -v dpkg >/dev/null && ! dpkg -s $(QT) >/dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ]; then apt-get install -y --no-install-recommends $(QT) || \
	    (apt-get update && apt-get install -y --no-install-recommends $(QT)); \
	  else echo "Qt may need: sudo apt install $(QT)"; fi; fi

edit: $(READY) qt
	$(BIN)/railblocks edit $(FILE)

test: $(READY) qt
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-slow: $(READY) qt
	$(BIN)/python -m pytest -n 2 -m slow

# Damaged diagrams, files, caches and settings, kills and two writers; seeded. WRITE= keeps the page.
SEED ?= 1
WRITE ?= docs/reliability.md
fuzz: $(READY)
	$(BIN)/python tests/fuzz --seed $(SEED) $(if $(WRITE),--write $(WRITE))

bench: $(READY)
	@mkdir -p build
	$(BIN)/python tests/benchmarks

# All results as digests; AGAINST=FILE compares with those of before a change.
bits: $(READY)
	$(BIN)/python tests/benchmarks/result_bits.py $(if $(AGAINST),--against $(AGAINST))

bench-editor: $(READY) qt
	$(BIN)/python tests/benchmarks/editor_speed.py

# An hour of editing (1200 gestures) and 1000 runs: memory must stay flat.
GESTURES ?= 1200
RUNS ?= 1000
endurance: $(READY) qt
	$(BIN)/python tests/benchmarks/editor_endurance.py $(GESTURES) $(RUNS)

types: $(READY)
	@mkdir -p .ns/railblocks
	@for part in engine blocks diagrams gui; do ln -sfn ../../$$part .ns/railblocks/$$part; done
	@ln -sfn ../../engine/public/__init__.py .ns/railblocks/__init__.py
	MYPYPATH=.ns $(BIN)/python -m mypy -p railblocks

check: $(READY) types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY) qt
	@mkdir -p build
	$(BIN)/python -m docs.generate
	$(BIN)/python -m docs.layers
	$(BIN)/python -m docs.pictures
	$(BIN)/python -m docs.screenshots
	$(BIN)/railblocks graph diagrams/dc_motor.yaml -o docs/images/dc_motor.svg
	$(BIN)/railblocks run diagrams/dc_motor.yaml -o build/dc_motor.h5 --plot docs/images/dc_motor.png --quiet
	$(BIN)/railblocks graph diagrams/conti2012/scenario_1.yaml --inside simulator -o docs/images/conti2012.svg
	$(BIN)/railblocks graph diagrams/toumi2019/braking.yaml --inside train -o docs/images/toumi2019.svg
	$(BIN)/railblocks show simulator.estimation.filter_1 --in diagrams/conti2012/scenario_2_filtered.yaml \
	  --set phase="10 deg" --range 5 100 --plot docs/images/filter_bands.png

clean:
	rm -rf build .ns .pytest_cache .mypy_cache .ruff_cache .hypothesis
