"""Pages of blocks: equations keep their lines, words flow."""

from railblocks.engine import standard_blocks
from railblocks.gui.panels.documentation import declaration_page


def test_equations_keep_their_lines_and_words_flow():
    page = declaration_page(standard_blocks().get("discrete.pid").declaration)
    equations = page[page.index("<pre") : page.index("</pre>")]
    assert "(1)\n" in equations
    assert "    (1)" not in equations
    words = page[page.index("</pre>") :]
    assert "<p>T is `every`." in words
