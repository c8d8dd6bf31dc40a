"""The command itself: quick, with a version, help, and the right exit codes."""

import re
import subprocess
import sys

import pytest
from railblocks.engine.cli import COMMANDS

CLI = [sys.executable, "-m", "railblocks.engine.cli"]
HEAVY = {"numpy", "numba", "scipy", "matplotlib", "h5py", "rich", "networkx", "yaml"}


def test_help_lists_every_command(call):
    done = call("--help")
    assert done.code == 0
    for command in COMMANDS:
        assert re.search(rf"^ +{command.NAME}\s", done.out, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.NAME)
def test_every_command_has_help(call, command):
    done = call(command.NAME, "--help")
    assert done.code == 0
    assert command.__doc__.strip().split("\n")[0] in done.out


def test_the_version_is_told(call):
    assert re.fullmatch(r"railblocks \d+\.\d+\.\d+\n", call("--version").out)


def test_starting_imports_nothing_heavy():
    code = "import sys, railblocks.engine.cli as c; c.parser(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [([], "COMMAND"), (["rnu"], "'rnu'"), (["run", "--stop"], "--stop: expected one argument")],
)
def test_mistakes_on_the_command_line_end_with_two(call, arguments, message):
    done = call(*arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_the_exit_code_reaches_the_shell(folder):
    done = subprocess.run([*CLI, "check", "none.yaml"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "none.yaml: there is no such file; check the path\n"


def test_a_closed_pipe_is_no_mistake():
    command = f"{' '.join(CLI)} list | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stderr == ""


def test_output_that_cannot_be_encoded_is_no_mistake(folder):
    environment = {"PYTHONIOENCODING": "ascii", "PATH": ""}
    done = subprocess.run([*CLI, "show", "math.sum"], env=environment, capture_output=True)
    assert done.returncode == 0
    (folder / "d.yaml").write_text("diagram: 1\ntitle: Größe\nblocks: {a: {type: sources.step}}\n")
    call = [*CLI, "run", "d.yaml", "--interpret"]
    done = subprocess.run(call, env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_every_message_with_a_file_starts_with_its_place(folder, call):
    (folder / "bad.yaml").write_text("diagram: 1\nblocks: {a: {typ: math.gain}}\n")
    assert re.match(r"bad\.yaml:2:\d+: ", call("check", "bad.yaml").err)
