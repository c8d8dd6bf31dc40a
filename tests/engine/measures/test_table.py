"""The table of measures and the page that explains it."""

import re
from pathlib import Path

import pytest
from railblocks.engine.measures import KINDS
from railblocks.engine.measures.table import WINDOW

PAGE = (Path(__file__).parents[3] / "docs" / "measures.md").read_text(encoding="utf-8")
ROWS = {
    name: line
    for line in PAGE.splitlines()
    if line.startswith("| `")
    for name in re.findall(r"`(\w+)`", line.split("|")[1])
}


def test_the_page_has_every_measure_and_no_other():
    assert ROWS.keys() == KINDS.keys()


@pytest.mark.parametrize("name", KINDS)
def test_the_page_has_every_option_of_a_measure(name):
    same_as_above = {"crossing_time": "crossings", "frequency": "period"}
    row = ROWS[same_as_above.get(name, name)]
    missing = [option.name for option in KINDS[name].options if f"`{option.name}`" not in row]
    assert missing == []


@pytest.mark.parametrize("name", KINDS)
def test_an_option_has_one_name(name):
    names = [option.name for option in (*KINDS[name].options, *WINDOW)]
    assert len(names) == len(set(names))
