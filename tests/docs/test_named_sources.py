"""Files of sources that pages, docstrings and comments name: they are there."""

import re

import pytest
from pages import ROOT

FOLDERS = ("engine", "blocks", "diagrams", "gui", "tests", "docs")
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
TEXTS = [*SOURCES, *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "decisions").glob("*.md")]
NAMED = re.compile(r"`((?:[a-z_0-9]+/)*[a-z_0-9]+\.py)`")
EXAMPLES = {"utils.py", "my_blocks.py", "paper.py"}
"""Names that stand for files of users, or of any paper."""


def missing(text):
    """Names of Python files in backquotes that no source has as the end of its path."""
    named = set(NAMED.findall(text)) - EXAMPLES
    return {name for name in named if not any(p.as_posix().endswith(f"/{name}") for p in SOURCES)}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_named_source_is_there(path):
    assert missing(path.read_text()) == set()


def test_a_name_that_is_not_there_is_seen():
    name = "no_such_folder/no_such_file.py"
    assert missing(f"`{name}`, `analysis/checking.py`") == {name}
