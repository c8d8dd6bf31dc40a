"""Inputs, parameters and states are read-only for the functions of blocks."""

import re
from pathlib import Path

import numpy as np
import pytest
from railblocks import blocks
from railblocks.engine import (
    DiagramError,
    Registry,
    Simulation,
    SimulationError,
    check,
    loads,
    standard_blocks,
)
from railblocks.engine.declaration import Block, In, Out, Param, out
from railblocks.engine.declaration.read_only import changed_name

FILE = '''
import numpy as np
from railblocks.engine import *

def helper(v):
    v[0] = 99.0

class Writer(Block):
    """Changes what it is given."""

    id = "bad.writer"
    u = In("1", "numbers", shape="n")
    p = Param("1", "numbers", shape="m", default=[3.0, 1.0, 2.0])
    y = Out("1", "number")

    @out("y")
    def change(u, p):
        {line}
        return u[0]
'''
DIAGRAM = """
diagram: 1
blocks: {c: {type: sources.constant, value: [5, 4, 6]}, b: {type: bad.writer},
         z: {type: math.gain, k: 1}}
wires: [c -> b, c -> z]
solver: {stop: 1}
log: {signals: [c.y, b.y, z.y], every: 0.5}
"""
SEEN = (
    "u[0] = 99.0",
    "u += 1.0",
    "u[1:] *= 2.0",
    "u.sort()",
    "p.sort()",
    "np.add(u, 1.0, out=u)",
    "u[0], k = 1.0, 2.0",
    "u.T[0] = 1.0",
    "u.fill(0.0)",
)
UNSEEN = (
    "helper(u)",
    "helper(p)",
    "helper(u[1:])",
    "v = u; v[0] = 99.0",
    "v = u[1:]; v[0] = 99.0",
    "v = u if p[0] > 0.0 else p; v[1] = 99.0",
    "np.add(u, 1.0, u)",
    "v = u.reshape(u.size); v += 1.0",
    "v = np.asarray(u); v[0] = 99.0",
)


def registry_with(tmp_path, line):
    path = tmp_path / "writer_blocks.py"
    path.write_text(FILE.format(line=line))
    registry = standard_blocks().copy()
    registry.add_path(path)
    return registry


@pytest.mark.parametrize("line", SEEN)
def test_a_change_that_can_be_seen_is_refused_at_declaration(tmp_path, line):
    with pytest.raises(DiagramError) as caught:
        registry_with(tmp_path, line)
    name = "p" if line.startswith("p") else "u"
    expected = (
        rf"writer_blocks\.py:\d+: block bad\.writer: function 'change' changes '{name}'; inputs, "
        rf"parameters and states are read-only: work on a copy, as in `{name} = {name}\.copy\(\)`"
    )
    assert re.search(expected, str(caught.value))


@pytest.mark.parametrize("line", UNSEEN)
def test_a_change_behind_a_name_is_refused_by_the_compiler(tmp_path, line):
    checked = check(loads(DIAGRAM), registry_with(tmp_path, line))
    with pytest.raises(DiagramError, match=r"b: function 'change' changes an array that") as caught:
        Simulation(checked)
    assert "writer_blocks.py:" in str(caught.value)


@pytest.mark.parametrize("line", UNSEEN)
def test_a_change_behind_a_name_ends_an_interpreted_run(tmp_path, line):
    simulation = Simulation(check(loads(DIAGRAM), registry_with(tmp_path, line)), compiled=False)
    with pytest.raises(SimulationError) as caught:
        list(simulation.chunks())
    message = str(caught.value)
    assert message.startswith("t = 0 s: b: ValueError: ")
    assert "read-only: work on a copy, as in `u = u.copy()`; raised by 'change'" in message


def test_a_change_in_a_function_that_stays_in_python_ends_the_run(tmp_path):
    line = "import json; json.dumps(1); helper(u)"
    simulation = Simulation(check(loads(DIAGRAM), registry_with(tmp_path, line)))
    assert len(simulation.notices) == 1
    with pytest.raises(SimulationError, match=r"b: ValueError: .* read-only; .* work on a copy"):
        list(simulation.chunks())


@pytest.mark.parametrize("line", ["u.flat[0] = 99.0", "v = u.flat; v[1] = 99.0"])
def test_what_numba_lets_pass_changes_only_a_copy(tmp_path, line):
    """numba writes through `flat` into read-only arrays; LLVM does not prove that it does not."""
    path = tmp_path / "writer_blocks.py"
    path.write_text(FILE.format(line=line.replace("u.flat[0]", "w = u.flat; w[0]")))
    registry = standard_blocks().copy()
    registry.add_path(path)
    rows = np.concatenate(list(Simulation(check(loads(DIAGRAM), registry)).chunks()))
    assert rows[:, 1:4].tolist() == [[5.0, 4.0, 6.0]] * 3
    assert rows[:, 5:].tolist() == [[5.0, 4.0, 6.0]] * 3


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("line", ["u.sort(); p = p + 1.0; p[0] = 7.0", "u += 1.0; u -= 2.0"])
def test_copies_may_be_changed(tmp_path, compiled, line):
    registry = registry_with(tmp_path, "u = u.copy(); " + line)
    rows = np.concatenate(list(Simulation(check(loads(DIAGRAM), registry), compiled).chunks()))
    assert rows[:, 1:5].tolist() == [[5.0, 4.0, 6.0, 4.0]] * 3


class Through(Block):
    """Its input, with scalars counted up on the way."""

    id = "good.through"
    u = In("1", "numbers", shape="n")
    k = Param("1", "number", default=1.0)
    y = Out("1", "numbers", shape="n")

    @out("y")
    def through(u, k, y):
        k += 1.0
        y[:] = u
        y[0] *= k


@pytest.mark.parametrize("compiled", [True, False])
def test_outputs_are_filled_and_scalars_are_free(compiled):
    registry = standard_blocks().copy()
    registry.add(Through)
    text = DIAGRAM.replace("bad.writer", "good.through")
    rows = np.concatenate(list(Simulation(check(loads(text), registry), compiled).chunks()))
    assert rows[-1, 1:].tolist() == [5.0, 4.0, 6.0, 10.0, 4.0, 6.0, 5.0, 4.0, 6.0]


class Returned(Block):
    """Returns an array where a number is declared."""

    id = "bad.returned"
    u = In("1", "numbers", shape="n")
    y = Out("1", "number")

    @out("y")
    def same(u):
        return u


@pytest.mark.parametrize("compiled", [True, False])
def test_an_array_in_place_of_a_number_is_an_error(compiled):
    registry = Registry()
    registry.add(Returned)
    for block in standard_blocks():
        registry.add(block)
    text = DIAGRAM.replace("bad.writer", "bad.returned")
    simulation = Simulation(check(loads(text), registry), compiled)
    with pytest.raises(SimulationError, match=r"b: TypeError: .* is returned, which is not a num"):
        list(simulation.chunks())


def test_no_shipped_block_changes_what_it_is_given():
    for block in standard_blocks():
        items = block.declaration.items
        for equation in block.declaration.equations:
            targets = {*equation.targets, *(f"der_{n}" for n in equation.targets)}
            arrays = {a for a in equation.arguments if a in items and items[a].dims} - targets
            assert changed_name(equation.function, arrays) is None, block.declaration.id


def test_no_shipped_function_writes_where_numba_does_not_look():
    """Arrays of shipped blocks are not copied, so none of them may use numba's way around."""
    sources = list(Path(blocks.__path__[0]).rglob("*.py"))
    for path in sources:
        assert not re.search(r"\.(flat|ctypes)\b", path.read_text()), path
