"""Values for each element that are not as many as the elements: refused where they stand."""

import numpy as np
import pytest
from railblocks.engine import EACH, DiagramError, check, loads, standard_blocks
from railblocks.engine.shipping.driven import write_example_files
from test_hostile_values import flow

PLACES = [
    (kind.declaration.id, name)
    for kind in standard_blocks()
    for name, param in kind.declaration.params.items()
    if param.shape == EACH and param.type is float
    if any(port.shape == EACH for port in kind.declaration.inputs.values())
]


def text_of(block, name, elements):
    """The block with two values for `name`, all its inputs driven by vectors of three."""
    kind = standard_blocks().get(block)
    lists = {k for k, param in kind.declaration.params.items() if param.shape != EACH}
    values = {k: flow(v) for k, v in kind.example.items() if k in lists or np.ndim(v) == 0}
    default = kind.example.get(name, kind.declaration.params[name].default)
    number = float(default) if isinstance(default, int | float) else 1.0
    values[name] = flow([number] * elements)
    lines = ["diagram: 1", "blocks:", "  c: {type: sources.constant, value: [1, 2, 3]}"]
    lines += ["  t: {type: sources.boolean_constant, value: true}", "  b:", f"    type: {block}"]
    lines += [f"    {k}: {v}" for k, v in values.items()]
    wires = []
    for port in kind.declaration.inputs.values():
        names = [f"{port.name}1", f"{port.name}2"] if port.many else [port.name]
        source = "t" if port.type is bool else "c" if port.shape == EACH else "c.y[0]"
        wires += [f"  - {source} -> b.{n}" for n in names]
    return "\n".join([*lines, "wires:", *wires, ""])


def misfits(text):
    """Places and messages about numbers of elements."""
    try:
        check(loads(text))
    except DiagramError as error:
        return [p for p in error.problems if "works on" in p.message]
    return []


@pytest.mark.parametrize("elements", [1, 2, 4])
@pytest.mark.parametrize(("block", "name"), PLACES)
def test_other_numbers_of_values_than_elements_are_refused(
    block, name, elements, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)
    text = text_of(block, name, elements)
    problems = misfits(text)
    assert problems, text
    if elements < 3:
        line = next(i for i, t in enumerate(text.splitlines(), 1) if t.startswith(f"    {name}: "))
        assert problems[0].position.line == line
        assert f"b.{name} has {elements} elements but b works on 3" in problems[0].message


@pytest.mark.parametrize(("block", "name"), PLACES)
def test_as_many_values_as_elements_are_taken(block, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_example_files(tmp_path)
    assert not misfits(text_of(block, name, 3))
