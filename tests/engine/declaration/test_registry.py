"""Files of blocks: which are loaded, and what is wrong with those that are not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from railblocks.engine import Block, DiagramError, Out, Registry, out, standard_blocks

DIAGRAMS = Path(__file__).parents[3] / "diagrams"

FILE = '''
"""My blocks."""
from railblocks.engine import Block, In, Out, out

class Soft(Block):
    """Soft limiter."""

    u = In("1", "input")
    y = Out("1", "output")

    @out("y")
    def limit(u):
        return u / (1.0 + abs(u))
'''


def declared(name):
    """A block of the given id."""

    class Scripted(Block):
        """One."""

        id = name
        y = Out("1", "y")

        @out("y")
        def one():
            return 1.0

    return Scripted


def test_a_file_that_cannot_be_imported_is_told_with_its_line(tmp_path):
    path = tmp_path / "torn_blocks.py"
    path.write_text("x = 1\ny = x +\n")
    with pytest.raises(DiagramError, match=r"torn_blocks.py:2: cannot be imported: SyntaxError"):
        Registry().add_path(path)


def test_a_missing_file_of_blocks_is_told(tmp_path):
    with pytest.raises(DiagramError, match=r"no_such\.py: no such file"):
        Registry().add_path(tmp_path / "no_such.py")


def test_a_file_without_blocks_is_told(tmp_path):
    (tmp_path / "empty_blocks.py").write_text("x = 1\n")
    with pytest.raises(DiagramError, match="declares no block"):
        Registry().add_path(tmp_path / "empty_blocks.py")


def test_two_blocks_of_one_id_are_refused():
    registry = Registry()
    registry.add(declared("custom.scripted"))
    with pytest.raises(DiagramError, match=r"'custom\.scripted' is declared twice"):
        registry.add(declared("custom.scripted"))


def test_a_module_that_was_imported_is_taken_as_it_is(tmp_path, monkeypatch):
    import importlib

    (tmp_path / "imported_blocks.py").write_text(FILE)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("imported_blocks")
    registry = Registry()
    assert registry.add_path(tmp_path / "imported_blocks.py") == [module.Soft]
    assert registry.add_path(tmp_path / "imported_blocks.py") == [module.Soft]
    assert registry.ids() == ["imported_blocks.soft"]


def test_another_module_of_that_name_is_named_with_its_file(tmp_path):
    (tmp_path / "textwrap.py").write_text(FILE)
    with pytest.raises(DiagramError, match=r"'textwrap' is loaded already, from .*textwrap.py; re"):
        Registry().add_path(tmp_path / "textwrap.py")


@pytest.mark.parametrize("name", ["pipe.py", "zero.py", "blocks.csv", "blocks"])
def test_blocks_load_from_regular_python_files_only(tmp_path, name):
    path = tmp_path / name
    if name.startswith("pipe"):
        os.mkfifo(path)
    elif name.startswith("zero"):
        path.symlink_to("/dev/zero")
    else:
        path.write_text("x = 1\n")
    with pytest.raises(DiagramError, match=r"is not a (regular|Python) file"):
        Registry().add_path(path)


def test_interruption_while_a_block_file_loads_is_an_interruption(tmp_path):
    (tmp_path / "interrupted_blocks.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        Registry().add_path(tmp_path / "interrupted_blocks.py")
    assert "interrupted_blocks" not in sys.modules


# --- families that ship with railblocks --------------------------------------------------------
def modules_after(code):
    """The modules of blocks that a process has imported after some lines of Python."""
    lines = f"import sys\n{code}\nprint(*sorted(m for m in sys.modules if '.blocks' in m))"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    return [
        name.removeprefix("railblocks.blocks.") for name in done.stdout.splitlines()[-1].split()
    ]


def families_after(code):
    return {name.partition(".")[0] for name in modules_after(code)} - {"railblocks", "base"}


def test_a_dc_motor_imports_nothing_of_rail(tmp_path):
    """In a run by the command line, and from Python with a registry that is given."""
    path = str(DIAGRAMS / "dc_motor.yaml")
    command = ["run", path, "--output", str(tmp_path / "run.h5"), "--quiet"]
    families = families_after(f"from railblocks.engine.cli import main\nmain({command!r})")
    assert (tmp_path / "run.h5").exists()
    assert "math" in families
    assert "rail" not in families
    lines = "from railblocks.engine import Simulation, check, load, standard_blocks\n"
    lines += f"list(Simulation(check(load({path!r}), standard_blocks())).chunks())"
    assert "rail" not in families_after(lines)


def test_whether_a_registry_has_blocks_is_known_without_importing_them():
    lines = "from railblocks.engine import Registry, standard_blocks\n"
    assert families_after(lines + "assert standard_blocks()\nassert not Registry()") == set()


def test_a_family_is_imported_when_one_of_its_blocks_is_asked_for():
    lines = "from railblocks.engine import standard_blocks\nregistry = standard_blocks()\n"
    assert families_after(lines) == set()
    assert families_after(lines + "registry.get('math.gain')") == {"math"}
    assert families_after(lines + "registry.get('no_such.gain')") == set()
    assert "rail" in families_after(lines + "registry.ids()")


def test_a_block_of_a_family_with_a_table_imports_its_own_module():
    lines = "from railblocks.engine import standard_blocks\n"
    lines += "assert standard_blocks().get('rail.wsp').declaration.id == 'rail.wsp'\n"
    lines += "assert standard_blocks().get('rail.no_such') is None"
    rail = [name for name in modules_after(lines) if name.startswith("rail.")]
    assert "rail.brakes.wsp" in rail
    assert not [name for name in rail if name.startswith(("rail.contact", "rail.vehicle"))]


def test_tables_of_blocks_are_complete():
    from railblocks.blocks import rail

    homes = {
        block.declaration.id: block.__module__
        for block in standard_blocks()
        if block.declaration.id.startswith("rail.")
    }
    table = {f"rail.{name}": home for name, home in rail.BLOCK_MODULES.items()}
    assert table == {name: home.removeprefix(f"{rail.__name__}.") for name, home in homes.items()}
    assert list(table) == sorted(table)


def test_the_file_of_a_rail_block_can_be_guessed_from_its_id():
    """`NAME.py`, without `sampled_`, `_up` or `_down` for twins, or `block.py` of its room."""
    from railblocks.blocks import rail

    for name, home in rail.BLOCK_MODULES.items():
        room, file = home.split(".")
        twin = name.removeprefix("sampled_").removesuffix("_up").removesuffix("_down")
        assert file in (name, twin) or (file == "block" and name.startswith(room)), name


def test_the_id_of_a_block_begins_with_its_family():
    for block in standard_blocks():
        family = block.__module__.removeprefix("railblocks.blocks.").partition(".")[0]
        assert block.declaration.id.startswith(f"{family}.")


def test_a_copy_knows_every_block_and_keeps_its_own_to_itself():
    registry = standard_blocks()
    other = registry.copy()
    other.add(declared("custom.scripted"))
    assert set(other.ids()) == {*registry.ids(), "custom.scripted"}
    assert registry.get("custom.scripted") is None
    assert len(other) == len(registry) + 1
    assert [block.declaration.id for block in other] == other.ids()


@pytest.mark.parametrize("name", ["math.gain", "rail.wsp"])
def test_an_id_of_the_library_is_taken_before_its_family_is_imported(name):
    lines = f"""
from railblocks.engine import Block, DiagramError, Out, out, standard_blocks
class Second(Block):
    "Second of its id."
    id = {name!r}
    y = Out("1", "y")
    @out("y")
    def one():
        return 1.0
try:
    standard_blocks().copy().add(Second)
except DiagramError as error:
    assert "is declared twice" in str(error)
else:
    raise AssertionError
"""
    assert families_after(lines) == {name.partition(".")[0]}
