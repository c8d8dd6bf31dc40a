"""Values that nobody means: refused with a reason, and the diagram stays."""

import pytest
from railblocks.engine import DiagramError, loads, standard_blocks
from railblocks.gui.model import values
from railblocks.gui.model.document import Document

TEXT = """diagram: 1
parameters: {n: 2}
blocks:
  c: {type: sources.constant}
  d: {type: discrete.delay, every: 0.1 s, n: 3}
  m: {type: routing.demux, n: 2}
  g: {type: sources.gaussian_noise, every: 0.1 s}
wires: [c -> d]
solver: {stop: 1 s}
"""
HOSTILE = (
    *(".inf", "-.inf", ".nan", "1e19", "1e308", "1.5", "-1", "9" * 250, "9" * 5000, "10^300"),
    *("[1, 2]", "x", "{}", "1e999"),
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize(
    ("block", "name"), [("d", "n"), ("m", "n"), ("g", "seed"), ("d", "every"), ("d", "offset")]
)
def test_a_block_keeps_its_value_and_the_reason_is_told(block, name, text):
    document = Document(loads(TEXT), standard_blocks())
    field = next(f for f in values.block_fields(document, (), block) if f.name == name)
    valid = {("every", "1e19"), ("every", "1.5"), ("offset", "1e19"), ("offset", "1.5")}
    if (name, text) in valid:
        values.set_block_value(document, (), block, field, text)
        return
    before = document.root
    with pytest.raises(DiagramError):
        values.set_block_value(document, (), block, field, text)
    assert document.root is before


@pytest.mark.parametrize("text", [".inf", ".nan", "-1", "9" * 5000, "x", "[1, 2]", "3 m"])
@pytest.mark.parametrize(
    ("part", "name"),
    [
        *(("solver", n) for n in ("stop", "rtol", "atol", "seed", "min_step")),
        *(("log", n) for n in ("every", "decimate")),
    ],
)
def test_a_setting_keeps_its_value_and_the_reason_is_told(part, name, text):
    document = Document(
        loads(TEXT.replace("  m: {type: routing.demux, n: 2}\n", "")), standard_blocks()
    )
    field = next(f for f in values.setting_fields(document, part) if f.name == name)
    before = document.root
    with pytest.raises(DiagramError):
        values.set_setting(document, part, field, text)
    assert document.root is before
