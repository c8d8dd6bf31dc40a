"""A folder of its own for every test, with a diagram in it."""

import json
from types import SimpleNamespace

import pytest
from railblocks.engine.cli import run_command

MASS = """\
diagram: 1
title: Mass on a spring
parameters: {k: 4 N/m}
blocks:
  body:   {type: mechanics.mass, m: 1 kg, x_0: 1 m}
  spring: {type: math.gain, k: -k}
wires:
  - body.x -> spring
  - spring -> body.F
solver: {stop: 2 s, rtol: 1e-9, atol: 1e-12}
log: {signals: [body.x, body.v], every: 10 ms}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with mass.yaml."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mass.yaml").write_text(MASS)
    return tmp_path


@pytest.fixture
def call(capsys):
    """Runs a command: its exit code, what it printed, and its JSON if it is some."""

    def run(*arguments):
        code = run_command([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return SimpleNamespace(
            code=code,
            out=captured.out,
            err=captured.err,
            data=lambda: json.loads(captured.out),
        )

    return run
