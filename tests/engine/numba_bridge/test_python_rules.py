"""Blocks from outside, compiled: exceptions where Python has them, and numbers as in C."""

import math

import numpy as np
import pytest
from railblocks.engine import Simulation, SimulationError, check, loads, standard_blocks

FILE = '''
import numpy as np
from railblocks.engine import Block, In, Out, out

def helper(u):
    if u < 0.0:
        z = 1.0
    return z

class Own(Block):
    """One line of its own."""

    id = "own.line"
    u = In("1", "number")
    y = Out("1", "number")

    @out("y")
    def compute(u):
        {line}
'''
DIAGRAM = """
diagram: 1
blocks: {c: {type: sources.constant, value: 3}, b: {type: own.line}}
wires: [c -> b]
solver: {stop: 1}
log: {signals: [b.y], every: 0.5}
"""
LOOP = "for i in range(int(u - u)):\n            "
RAISING = {
    "return 7 // int(u - u)": "ZeroDivisionError",
    "return 7 % int(u - u)": "ZeroDivisionError",
    "return divmod(7, int(u - u))[0]": "ZeroDivisionError",
    "k = 7; k //= int(u - u); return k": "ZeroDivisionError",
    "return helper(u)": "UnboundLocalError",
    LOOP + "z = u\n        return z": "UnboundLocalError",
    LOOP + "pass\n        return i": "UnboundLocalError",
}


def simulation_of(tmp_path, line, compiled):
    path = tmp_path / "own_blocks.py"
    path.write_text(FILE.format(line=line))
    registry = standard_blocks().copy()
    registry.add_path(path)
    return Simulation(check(loads(DIAGRAM), registry), compiled)


@pytest.mark.parametrize("line", RAISING)
def test_what_raises_in_python_raises_compiled(tmp_path, line):
    messages = []
    for compiled in (True, False):
        with pytest.raises(SimulationError) as caught:
            list(simulation_of(tmp_path, line, compiled).chunks())
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert RAISING[line] in messages[0]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("return float(7 // int(u))", 2.0),
        ("return float(-7 % int(u))", 2.0),
        ("return 1.0 / u", 1.0 / 3.0),
        ("v = np.zeros(4).reshape((2, 2)); return u + v[0, 0]", 3.0),
        ("z = 0.0\n        for i in range(int(u)):\n            z += i\n        return z", 3.0),
    ],
)
def test_sound_lines_stay_compiled(tmp_path, line, value):
    simulation = simulation_of(tmp_path, line, True)
    assert simulation.notices == ()
    rows = np.concatenate(list(simulation.chunks()))
    assert rows[:, 1].tolist() == [value] * 3


@pytest.mark.parametrize("compiled", [True, False])
def test_quotients_of_signals_by_zero_are_as_in_c(tmp_path, compiled):
    line = "return 1.0 if 1.0 / (u - u) == math.inf else 0.0"
    path = tmp_path / "own_blocks.py"
    path.write_text("import math\n" + FILE.format(line=line))
    registry = standard_blocks().copy()
    registry.add_path(path)
    rows = np.concatenate(list(Simulation(check(loads(DIAGRAM), registry), compiled).chunks()))
    assert rows[:, 1].tolist() == [1.0] * 3


def test_a_name_that_may_be_unassigned_is_told_and_runs_in_python(tmp_path):
    simulation = simulation_of(
        tmp_path, "\n        if u > 0:\n            z = u\n        return z", True
    )
    assert "'z' may be read before it is assigned; give it a value first" in simulation.notices[0]
    rows = np.concatenate(list(simulation.chunks()))
    assert math.isclose(rows[-1, 1], 3.0)
