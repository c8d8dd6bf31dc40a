"""Functions that read an output of their own block: it is computed first, and once."""

import math

import numpy as np
import pytest
from railblocks.engine import (
    Block,
    Derived,
    DiagramError,
    In,
    Out,
    Param,
    State,
    check,
    der,
    derive,
    loads,
    out,
    simulate,
    standard_blocks,
)


class Tank(Block):
    """Level behind a weir: the outflow is an output that the level's derivative reads."""

    id = "test.tank"
    q = In("m^3/s", "inflow")
    flow = Out("m^3/s", "outflow")
    heights = Out("m", "level and twice the level", shape=(2,))
    sum = Out("m", "sum of heights")
    h = State("m", "level", start=1.0)

    @der("h")
    def balance(q, flow):
        return q - flow

    @out("flow")
    def leave(h):
        return 0.5 * h

    @out("sum")
    def add(heights):
        return heights[0] + heights[1]

    @out("heights")
    def measure(h, heights):
        heights[0], heights[1] = h, 2.0 * h


class Mirror(Block):
    """An output that depends on an input only through another output."""

    id = "test.mirror"
    u = In("1", "input")
    y = Out("1", "twice the input")
    z = Out("1", "four times the input")
    c = Param("1", "offset", default=0.0)

    @out("z")
    def double(y, c):
        return 2.0 * y + c

    @out("y")
    def first(u):
        return 2.0 * u


REGISTRY = standard_blocks().copy()
for block in (Tank, Mirror):
    REGISTRY.add(block)
EMPTYING = """
diagram: 1
blocks:
  none: {type: sources.constant, value: 0 m^3/s}
  tank: {type: test.tank}
wires: [none -> tank]
solver: {stop: 2 s, rtol: 1.0e-9, atol: 1.0e-12}
log: {signals: [tank.flow, tank.sum], every: 0.5 s}
"""


@pytest.mark.parametrize("compiled", [True, False])
def test_a_derivative_reads_an_output(compiled):
    results = simulate(loads(EMPTYING), registry=REGISTRY, compiled=compiled)
    level = np.exp(-0.5 * results.time)
    assert np.allclose(results["tank.flow"], 0.5 * level, rtol=1e-8)
    assert np.allclose(results["tank.sum"], 3.0 * level, rtol=1e-8)


def test_feedthrough_goes_through_other_outputs():
    assert Mirror.declaration.feedthrough("z") == ("u",)
    assert Tank.declaration.feedthrough("flow") == ()


def test_a_loop_through_such_an_output_is_found():
    text = """
diagram: 1
blocks:
  a:   {type: test.mirror, c: 3}
  low: {type: math.gain, k: 0.1}
wires: [a.z -> low, low -> a]
solver: {stop: 1 s}
"""
    checked = check(loads(text), REGISTRY)
    assert len(checked.schedule.program.loops) == 1
    results = simulate(loads(text + "log: {signals: [a.z]}"), registry=REGISTRY)
    assert results["a.z"][-1] == pytest.approx(3.0 / (1.0 - 0.4))
    assert math.isfinite(results["a.z"][0])


def test_what_is_prepared_from_parameters_cannot_read_outputs():
    with pytest.raises(DiagramError, match="'y', which is not declared"):

        class Early(Block):
            """Wrong."""

            id = "test.early"
            y = Out("1", "output")
            c = Derived("1", "value")

            @derive("c")
            def prepare(y):
                return y

            @out("y")
            def give(c):
                return c
