"""The cache: content by name, written once, kept within bounds, never believed blindly."""

import os
import random
import stat
import subprocess
import sys
import time

import pytest
from railblocks.engine.program import store as stores
from railblocks.engine.program.store import Store, unwrapped, wrapped


def test_content_is_made_once_and_found_by_another_store(tmp_path):
    made = []

    def make():
        made.append(1)
        return b"content"

    assert Store(tmp_path).data("a.o", make) == b"content"
    assert Store(tmp_path).data("a.o", make) == b"content"
    assert made == [1]


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path):
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file")
    assert store.data("a.o", lambda: b"content") == b"content"
    assert store.find("a.o") == b"content"


def test_what_is_forgotten_is_made_again(tmp_path):
    store = Store(tmp_path)
    store.data("a.o", lambda: b"old")
    store.forget("a.o")
    store.forget("never.o")
    assert store.find("a.o") is None
    assert Store(tmp_path).data("a.o", lambda: b"new") == b"new"


def test_no_temporary_file_is_left_behind(tmp_path):
    Store(tmp_path).data("a.o", lambda: b"content")
    assert os.listdir(tmp_path) == ["a.o"]


def test_only_the_programs_that_were_used_last_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(stores, "KEPT_PROGRAMS", 2)
    for i, name in enumerate(("p_1.o", "p_2.o", "p_3.o")):
        Store(tmp_path).data(name, lambda: b"code")
        os.utime(tmp_path / name, (i, i))
    Store(tmp_path).find("p_2.o")
    Store(tmp_path).data("k_1.ll", lambda: b"kernel")
    os.utime(tmp_path / "cleaned", days_ago(1))
    Store(tmp_path).data("p_4.o", lambda: b"code")
    assert sorted(os.listdir(tmp_path)) == ["cleaned", "k_1.ll", "p_2.o", "p_4.o"]


def days_ago(days):
    return (time.time() - days * stores.DAY_S,) * 2


def test_what_nobody_used_for_long_is_removed(tmp_path):
    store = Store(tmp_path)
    for name in ("k_old.ll", "k_old.traits", "k_used.ll", "k_used.traits", "t_old.bin", "p_1.o"):
        store.data(name, lambda: b"content")
    (tmp_path / ".k_1.ll.1234.part").write_bytes(b"left by a killed process")
    (tmp_path / stores.CLAIMS).touch()
    for path in tmp_path.iterdir():
        os.utime(path, days_ago(stores.KEPT_DAYS + 1))
    Store(tmp_path).find("k_used.traits")
    Store(tmp_path).data("p_2.o", lambda: b"code")
    left = sorted(os.listdir(tmp_path))
    assert left == ["claims", "cleaned", "k_used.ll", "k_used.traits", "p_2.o"]


def test_the_folder_is_searched_once_an_hour(tmp_path):
    Store(tmp_path).data("p_1.o", lambda: b"code")
    Store(tmp_path).data("k_1.ll", lambda: b"kernel")
    os.utime(tmp_path / "k_1.ll", days_ago(stores.KEPT_DAYS + 1))
    Store(tmp_path).data("p_2.o", lambda: b"code")
    assert (tmp_path / "k_1.ll").exists()
    os.utime(tmp_path / "cleaned", days_ago(1.1 / 24))
    Store(tmp_path).data("p_3.o", lambda: b"code")
    assert not (tmp_path / "k_1.ll").exists()


def test_files_of_others_stay(tmp_path):
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("years of work")
    os.utime(thesis, days_ago(stores.KEPT_DAYS + 1))
    store = Store(tmp_path)
    store.data("p_1.o", lambda: b"code")
    store.clear()
    assert os.listdir(tmp_path) == ["thesis.txt"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("in the way")
    store = Store(tmp_path / "file" / "cache")
    assert not store.is_writable
    assert not store.is_writable
    (notice,) = store.notices
    assert "cannot be written" in notice
    assert "RAILBLOCKS_CACHE" in notice


def test_a_cleared_store_is_empty(tmp_path):
    store = Store(tmp_path)
    store.data("k_1.ll", lambda: b"content")
    assert store.clear() == 1
    assert store.find("k_1.ll") is None
    assert os.listdir(tmp_path) == []


def test_what_is_not_lasting_is_kept_in_memory_only(tmp_path):
    store = Store(tmp_path)
    store.keep("a", "text", lasting=False)
    assert store.find("a") == b"text"
    assert store.holds("a")
    assert os.listdir(tmp_path) == []


# --- damage ------------------------------------------------------------------------------------
CONTENT = bytes(range(256))


def flipped(data, bit):
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_every_flipped_bit_is_seen():
    file = wrapped("a.o", CONTENT)
    assert unwrapped("a.o", file) == CONTENT
    assert all(unwrapped("a.o", flipped(file, bit)) is None for bit in range(8 * len(file)))


def test_a_file_that_is_cut_short_or_longer_is_seen():
    file = wrapped("a.o", CONTENT)
    assert all(unwrapped("a.o", file[:size]) is None for size in range(len(file)))
    assert unwrapped("a.o", file + b"\0") is None


@pytest.mark.parametrize("content", [b"", b"x", CONTENT])
def test_a_file_under_a_wrong_name_is_seen(content):
    assert unwrapped("b.o", wrapped("a.o", content)) is None
    assert unwrapped("a.o", wrapped("a.o", content)) == content


def test_a_damaged_file_is_deleted_and_made_again(tmp_path):
    Store(tmp_path).data("a.o", lambda: CONTENT)
    (tmp_path / "a.o").write_bytes(b"")
    assert Store(tmp_path).find("a.o") is None
    assert os.listdir(tmp_path) == []
    assert Store(tmp_path).data("a.o", lambda: b"new") == b"new"
    assert Store(tmp_path).find("a.o") == b"new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_pipe_or_a_folder_in_place_of_a_file_is_no_obstacle(tmp_path):
    os.mkfifo(tmp_path / "a.o")
    (tmp_path / "b.o").mkdir()
    for name in ("a.o", "b.o"):
        store = Store(tmp_path)
        assert store.data(name, lambda: b"content") == b"content"
        assert store.find(name) == b"content"


RUN = """
import sys
import numpy as np
from railblocks.engine import Simulation, Registry, check, loads, standard_blocks
registry = standard_blocks().copy()
registry.add_path(sys.argv[1])
simulation = Simulation(check(loads('''
diagram: 1
blocks:
  s: {type: sources.sine, omega: 6 rad/s}
  b: {type: own.scripted}
  k: {type: own.limited}
  x: {type: continuous.integrator}
wires: [s -> b -> k -> x]
solver: {method: rk4, step: 0.01, stop: 1}
log: {signals: [x.y, b.y], every: 0.1}
'''), registry))
rows = np.concatenate(list(simulation.chunks()))
print(simulation.outcome, len(simulation.notices), rows.tobytes().hex())
"""
BLOCKS = '''
import json
from railblocks.engine import *

class Scripted(Block):
    """Twice its input, in Python."""
    id = "own.scripted"
    u = In("1", "input")
    y = Out("1", "output")
    @out("y")
    def twice(u):
        return 2.0 * float(json.loads(json.dumps(float(u))))

class Limited(Block):
    """Its input below 5."""
    id = "own.limited"
    u = In("1", "input")
    y = Out("1", "output")
    @out("y")
    def limit(u):
        if u > 5.0:
            raise ValueError("too much")
        return u
'''


def test_a_run_over_a_damaged_cache_has_the_same_bits(tmp_path):
    """Of each kind of entry one is emptied, cut, swapped with another, and changed in one bit."""
    (tmp_path / "own_blocks.py").write_text(BLOCKS)
    folder = tmp_path / "cache"
    environment = {**os.environ, "RAILBLOCKS_CACHE": str(folder)}

    def run():
        command = [sys.executable, "-c", RUN, str(tmp_path / "own_blocks.py")]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    clean = run()
    assert clean.startswith("done 1 ")
    whole = {path.name: path.read_bytes() for path in folder.glob("*.*")}
    kinds = {name.rpartition(".")[2] for name in whole}
    assert kinds == {"ll", "o", "traits"}
    chance = random.Random(13)

    def one_of(kind):
        return chance.choice(sorted(name for name in whole if name.endswith(kind)))

    damages = {
        "empty": lambda data: b"",
        "cut": lambda data: data[: chance.randrange(len(data))],
        "other": lambda data: chance.choice([d for d in whole.values() if d != data]),
        "bit": lambda data: flipped(data, chance.randrange(8 * len(data))),
    }
    for damage in damages.values():
        changed = {name: damage(whole[name]) for name in map(one_of, (".ll", ".o", ".traits"))}
        for name, data in changed.items():
            (folder / name).write_bytes(data)
        for path in folder.glob("*.o"):  # so that the lowered texts are needed again
            if path.name not in changed:
                path.unlink()
        assert run() == clean
        again = {path.name: path.read_bytes() for path in folder.glob("*.*")}
        assert again.keys() == whole.keys()
        assert all(unwrapped(name, data) is not None for name, data in again.items())


# --- whose folder it is ------------------------------------------------------------------------
def test_the_folder_is_private(tmp_path):
    Store(tmp_path / "a" / "cache").data("a.o", lambda: b"content")
    assert stat.S_IMODE((tmp_path / "a" / "cache").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a" / "cache" / "a.o").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_a_folder_that_others_may_write_is_refused_by_name(tmp_path, mode):
    Store(tmp_path / "cache").data("a.o", lambda: b"planted")
    (tmp_path / "cache").chmod(mode)
    store = Store(tmp_path / "cache")
    assert store.find("a.o") is None
    assert store.data("a.o", lambda: b"made here") == b"made here"
    assert store.find("a.o") == b"made here"
    assert store.notices[0].startswith(f"{tmp_path / 'cache'}: other users may write into the")
    assert "RAILBLOCKS_CACHE" in store.notices[0]
    assert unwrapped("a.o", (tmp_path / "cache" / "a.o").read_bytes()) == b"planted"


def test_a_folder_of_another_owner_is_refused_by_name(tmp_path, monkeypatch):
    Store(tmp_path / "cache").data("a.o", lambda: b"planted")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    store = Store(tmp_path / "cache")
    assert store.find("a.o") is None
    assert "belongs to another user" in store.notices[0]


def test_a_simulation_says_that_the_cache_is_refused(tmp_path):
    from railblocks.engine import Simulation, check, loads

    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    text = "{diagram: 1, blocks: {c: {type: sources.constant}}, solver: {stop: 1, method: euler, "
    text += "step: 0.1}, log: {signals: [c.y]}}"
    simulation = Simulation(check(loads(text)), store=Store(tmp_path / "cache"))
    list(simulation.chunks())
    assert simulation.outcome == "done"
    assert "other users may write" in simulation.notices[0]
    assert list((tmp_path / "cache").iterdir()) == []
