"""Numbers on the command line that nobody means: a line that says what was expected, and exit 2."""

import pytest
from railblocks.engine.cli import main

TEXT = """diagram: 1
parameters: {n: 3}
blocks:
  c: {type: sources.constant}
  x: {type: continuous.first_order_lag, T: 1 s}
  d: {type: discrete.delay, every: 0.1 s, n: n}
wires: [c -> x -> d]
solver: {stop: 1 s}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.yaml").write_text(TEXT)
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        *(["run", "d.yaml", "--interpret", f"--{option}={value}"]
          for option in ("stop", "step", "rtol", "atol", "seed")
          for value in (".inf", ".nan", "1e999", "-1", "9" * 5000, "x", "", "[1, 2]", "inf")),
        *(["check", "d.yaml", "--set", f"{path}={value}"]
          for path in ("n", "d.n", "d.every", "log.every", "solver.seed")
          for value in (".inf", ".nan", "1e308", "-1", "9" * 5000, "10^300")),
        *(["show", "continuous.first_order_lag", "--plot", "a.png", "--range", *pair]
          for pair in (("nan", "1"), ("0", "1"), ("-1", "1"), ("inf", "1"), ("2", "1"), ("1", "1"),
                       ("1e308", "1e309"), ("x", "1"))),
        *(["calibrate", "d.yaml", "--parameter", "x.T", "--measured", "m.csv", "--signal", "x.y=y",
           f"--runs={value}"] for value in ("0", "-1", "1.5", "inf", "9" * 5000)),
        *(["compare", "m.csv", "m.csv", f"--from={value}"] for value in ("nan", "inf", "x", "3 m")),
    ],
)  # fmt: skip
def test_the_exit_code_is_2_with_a_line_that_says_what_was_expected(arguments, folder, capsys):
    (folder / "m.csv").write_text("t,y\n0,0\n1,0.5\n2,0.8\n")
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert "Traceback" not in message
    assert message.count("\n") <= 2
    assert len(message) < 1000


def test_a_value_of_a_file_is_named_with_line_and_column(folder, capsys):
    (folder / "d.yaml").write_text(TEXT.replace("n: n", "n: 1e8"))
    assert main(["check", "d.yaml"]) == 2
    assert capsys.readouterr().err.startswith("d.yaml:6:46: d.n = 100000000 is the number of ")
