"""Files of blocks: which are loaded, and what is wrong with those that are not."""

import os
import sys

import pytest
from railblocks.engine import Block, DiagramError, Out, Registry, out

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
