"""Kernels that come with the package: used if they fit, never if they are old or damaged."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from railblocks.engine.numba_bridge.runtime import text_key
from railblocks.engine.program import parts, shipped
from railblocks.engine.program.parts import Part
from railblocks.engine.program.shipped import FILE, INDEX, Shipped, write_shipped
from railblocks.engine.program.store import Store
from railblocks.engine.schedule.calls import Kernel


def doubled(u):
    return 2.0 * u


def refusing(u):
    if u < 0.0:
        raise ValueError("below 0")
    return u


def changed(u):
    return 2.5 * u


def part_of(function):
    return Part.of_kernel(Kernel(function, (0,), (float,), (float,)))


@pytest.fixture
def file(tmp_path):
    """A file with one kernel."""
    part, store = part_of(doubled), Store(tmp_path / "made", Shipped())
    traits = part.traits(store).as_text()
    path = tmp_path / "kernels.zip"
    write_shipped(path, {part.symbol: (part.code(store), traits)})
    return path


def rewritten(path, **entries):
    """The same archive with other contents of some members."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (members | entries).items():
            archive.writestr(name, content)


def test_a_kernel_of_the_package_is_not_lowered(tmp_path, file, monkeypatch):
    monkeypatch.setattr(parts, "lowered", None)
    store = Store(tmp_path / "cache", Shipped(file))
    part = part_of(doubled)
    assert part.is_kept(store)
    assert not part.traits(store).refusal
    assert f"@{part.symbol}(" in part.code(store)
    assert store.notices == ()


def test_a_changed_function_finds_nothing_there(tmp_path, file):
    store = Store(tmp_path / "cache", Shipped(file))
    old, new = part_of(doubled), part_of(changed)
    assert not new.is_kept(store)
    assert new.symbol != old.symbol
    assert "2.500000e+00" in new.code(store)


def test_a_changed_block_of_the_library_is_lowered_anew(tmp_path):
    """The same library file with another constant has another symbol for the changed block only."""
    from railblocks.blocks.math import arithmetic

    text = Path(arithmetic.__file__).read_text()
    assert text.count("return k * u") == 1
    symbols = []
    for source in (text, text.replace("return k * u", "return k * u + 1.0")):
        scope = {"__name__": "railblocks.blocks.math.arithmetic"}
        exec(compile(source, arithmetic.__file__, "exec"), scope)
        kernels = {}
        for name in ("Gain", "Bias"):
            (equation,) = scope[name].declaration.of_kind("out")
            count = len(equation.arguments)
            kernel = Kernel(equation.function, (0,) * count, (float,) * count, (float,))
            kernels[name] = Part.of_kernel(kernel).symbol
        symbols.append(kernels)
    before, after = symbols
    assert before["Gain"] != after["Gain"]
    assert before["Bias"] == after["Bias"]


def test_the_same_kernels_give_the_same_file(tmp_path, file):
    part, store = part_of(doubled), Store(tmp_path / "made", Shipped())
    again = tmp_path / "again.zip"
    write_shipped(again, {part.symbol: (part.code(store), part.traits(store).as_text())})
    assert again.read_bytes() == file.read_bytes()


def test_the_text_names_no_processor_and_no_folder(tmp_path):
    part, store = part_of(refusing), Store(tmp_path / "made", Shipped())
    assert part.traits(store).raises
    assert "target-cpu" not in part.code(store)
    assert str(Path(__file__).parent) not in part.code(store)


@pytest.mark.parametrize("key", ["made_for", "format"])
def test_a_file_for_something_else_is_not_used(tmp_path, file, key):
    with zipfile.ZipFile(file) as archive:
        index = json.loads(archive.read(INDEX))
    index[key] = "Python 3.1, LLVM 1, vax"
    rewritten(file, **{INDEX: json.dumps(index)})
    store = Store(tmp_path / "cache", Shipped(file))
    assert not part_of(doubled).is_kept(store)
    (notice,) = store.notices
    assert str(file) in notice
    assert text_key() in notice


def test_a_damaged_kernel_is_seen_and_lowered_anew(tmp_path, file):
    part = part_of(doubled)
    rewritten(file, **{part.symbol: "define void @nothing() { ret void }"})
    store = Store(tmp_path / "cache", Shipped(file))
    assert f"@{part.symbol}(" in part.code(store)
    assert "damaged" in store.notices[0]


def test_a_file_cut_short_anywhere_is_no_obstacle(tmp_path, file):
    whole, part = file.read_bytes(), part_of(doubled)
    text = part.code(Store(tmp_path / "made", Shipped()))
    for size in range(0, len(whole), 7):
        file.write_bytes(whole[:size])
        cut = Shipped(file)
        assert cut.text(part.symbol) in (None, text)
        assert "damaged" in cut.notice, size


def test_flipped_bits_are_seen(tmp_path, file):
    whole, part = file.read_bytes(), part_of(doubled)
    text = part.code(Store(tmp_path / "made", Shipped()))
    for byte in range(0, len(whole), 5):
        content = bytearray(whole)
        content[byte] ^= 0x10
        file.write_bytes(content)
        assert Shipped(file).text(part.symbol) in (None, text), byte


def test_a_missing_file_is_told_of_an_installation_and_not_of_a_clone(tmp_path):
    installed = tmp_path / "site-packages" / "railblocks" / "engine" / "program" / "kernels.zip"
    assert "is missing" in Shipped(installed).notice
    assert not FILE.exists(), "a clone has no such file"
    assert Shipped(FILE).notice == ""


RUN = """
import sys
sys.modules["numba"] = None
from pathlib import Path
from railblocks.engine import Simulation, check, loads
from railblocks.engine.program import shipped
from railblocks.engine.program.store import Store
text = "diagram: 1\\nblocks: {a: {type: sources.constant, value: 2}}\\nsolver: {stop: 1}"
simulation = Simulation(
    check(loads(text)), store=Store(Path(sys.argv[1]), shipped.Shipped(Path(sys.argv[2])))
)
list(simulation.chunks())
print(simulation.outcome, simulation.time)
"""


def test_a_diagram_runs_from_the_file_without_numba(tmp_path):
    from railblocks.engine import check, loads
    from railblocks.engine.program.compiler import parts_of

    text = "diagram: 1\nblocks: {a: {type: sources.constant, value: 2}}\nsolver: {stop: 1}"
    checked = check(loads(text))
    kernels, solver = parts_of(checked.schedule.program, checked.settings.solver)
    store = Store()
    needed = [*kernels.values(), *solver.values()]
    path = tmp_path / "kernels.zip"
    write_shipped(path, {p.symbol: (p.code(store), p.traits(store).as_text()) for p in needed})
    command = [sys.executable, "-c", RUN, str(tmp_path / "cache"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["done", "1.0"]
    assert shipped.shipped_kernels().notice == ""
