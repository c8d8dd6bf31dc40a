"""`railblocks cache`: what is in it, emptied, filled; and Ctrl-C while something is compiled."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from railblocks.engine.program.store import Store


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBLOCKS_CACHE", str(tmp_path / "own"))
    return tmp_path / "own"


def test_it_tells_folder_entries_and_size(folder, call, own_cache):
    assert call("cache", "--warm", "mass.yaml", "--quiet").code == 0
    facts = json.loads(call("cache", "--json").out)
    files = [path for path in own_cache.iterdir() if path.is_file()]
    assert facts["folder"] == str(own_cache)
    assert facts["bytes"] == sum(path.stat().st_size for path in files)
    assert facts["entries"]["programs"] == 1
    assert facts["entries"]["kernels"] == len(list(own_cache.glob("k_*.ll"))) > 3
    assert facts["shipped_kernels"] == 0
    printed = call("cache").out
    assert "programs" in printed
    assert "1 " in printed


def test_a_warm_diagram_needs_nothing_more(folder, call, own_cache, monkeypatch):
    call("cache", "--warm", "mass.yaml")
    monkeypatch.setattr("railblocks.engine.program.parts.lowered", None)
    monkeypatch.setattr("railblocks.engine.program.linker._optimised", None)
    assert call("run", "mass.yaml").code == 0


def test_it_is_emptied(folder, call, own_cache):
    Store(own_cache).data("k_1.ll", lambda: b"kernel")
    done = call("cache", "--clear", "--json")
    assert json.loads(done.out)["deleted"] == 1
    assert json.loads(done.out)["bytes"] == 0
    assert list(own_cache.iterdir()) == []


def test_a_bad_diagram_is_told_and_the_others_are_compiled(folder, call):
    (folder / "bad.yaml").write_text("diagram: 1\nblocks: {a: {type: math.gian}}\n")
    done = call("cache", "--warm", "bad.yaml", "mass.yaml", "--json")
    assert done.code == 2
    assert "bad.yaml:2" in done.err
    assert json.loads(done.out)["compiled"] == 1


def test_values_without_diagrams_are_refused(call):
    done = call("cache", "--set", "a.b=1")
    assert done.code == 2
    assert "--warm" in done.err


def test_a_folder_that_is_refused_is_told(call, own_cache):
    own_cache.mkdir()
    own_cache.chmod(0o777)
    done = call("cache")
    assert "other users may write" in done.err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")
def test_ctrl_c_while_compiling_ends_all_and_leaves_a_cache_that_works(folder, own_cache):
    """A diagram with many kernels in two processes; the next run finishes the work."""
    blocks = "\n".join(
        f"  e{i}: {{type: math.expression, expression: sin({i + 2}*u)^2}}" for i in range(40)
    )
    wires = "\n".join(f"  - s -> e{i}.u" for i in range(40))
    (folder / "many.yaml").write_text(
        f"diagram: 1\nblocks:\n  s: {{type: sources.sine}}\n{blocks}\nwires:\n{wires}\n"
        "solver: {stop: 1 s}\nlog: {signals: [e3.y]}\n"
    )
    environment = {**os.environ, "RAILBLOCKS_PROCESSES": "2"}
    command = [sys.executable, "-m", "railblocks.engine.cli", "run", "many.yaml"]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stderr=subprocess.PIPE, start_new_session=True
    )
    limit = time.monotonic() + 60
    while not list(own_cache.glob("k_*.ll")) and time.monotonic() < limit:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    assert process.wait(20) == 130
    assert b"Traceback" not in process.stderr.read()
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # no process of its group is left
    kept = set(own_cache.glob("k_*.ll"))
    before = {path: path.stat().st_ino for path in kept}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path: path.stat().st_ino for path in kept} == before
