"""Pages of blocks: equations keep their lines, words flow."""

import re

import pytest
from railblocks.engine import standard_blocks
from railblocks.gui.panels.documentation import declaration_page


def parts(kind, tag):
    page = declaration_page(standard_blocks().get(kind).declaration)
    return re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, re.DOTALL)


def test_equations_keep_their_lines_and_words_flow():
    page = declaration_page(standard_blocks().get("discrete.pid").declaration)
    equations = page[page.index("<pre") : page.index("</pre>")]
    assert "(1)\n" in equations
    assert "    (1)" not in equations
    words = page[page.index("</pre>") :]
    assert "<p>T is `every`." in words


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("continuous.pid", "(4) and (5) lead v back"),
        ("rail.wsp", "at which the device lets go: without one, (1)"),
        ("logic.state_machine", "At every sample the first transition out"),
    ],
)
def test_words_that_name_an_equation_are_no_equation(kind, words):
    assert any(words in text for text in parts(kind, "p"))
    assert not any(words in text for text in parts(kind, "pre"))


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("rail.scale_down", "of the quantity   (1)"),
        ("rail.free_wheelset", "(m (1 + z"),
        ("rail.anti_skid", "C_m&#x27; = up C_crit in state 0"),
        ("logic.state_machine", "mode := to  if mode = from and when(inputs)   (1)"),
    ],
)
def test_equations_are_set_as_equations(kind, line):
    assert any(line in text for text in parts(kind, "pre"))


def test_every_numbered_equation_of_every_block_is_set_as_one():
    for block in standard_blocks():
        numbers = re.findall(r" {2,}(\(\d+\))$", block.declaration.doc, re.MULTILINE)
        page = declaration_page(block.declaration)
        equations = "".join(re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL))
        for number in numbers:
            assert f"   {number}" in equations, (block.declaration.id, number)
