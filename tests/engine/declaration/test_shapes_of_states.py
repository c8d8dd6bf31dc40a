"""States that each element has to itself."""

import numpy as np
import pytest
from railblocks.engine import (
    EACH,
    Block,
    DiagramBuilder,
    DiagramError,
    Discrete,
    In,
    Out,
    Param,
    Sample,
    State,
    check,
    der,
    out,
    standard_blocks,
    update,
)
from railblocks.engine.runs.simulation import Simulation


class Weighted(Block):
    """Two memories of each element.

    y = x_1 + 10 x_2                                                       (1)
    """

    id = "test.weighted"
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "output", shape=EACH)
    x_0 = Param("?u", "start of both memories", shape=EACH, default=0.0)
    x = Discrete("?u", "inputs of the last two samples", shape=(EACH, 2), start="x_0")
    v = State("?u*s", "integrals of once and twice the input", shape=(EACH, 2))
    every = Sample()

    @out("y")
    def read(x):
        return x[0] + 10.0 * x[1]

    @update("x")
    def push(u, x, next_x):
        next_x[1] = x[0]
        next_x[0] = u

    @der("v")
    def move(u, der_v):
        der_v[0], der_v[1] = u, 2.0 * u


def simulation(x_0, compiled):
    registry = standard_blocks().copy()
    registry.add(Weighted)
    builder = DiagramBuilder("states").add("u", "sources.constant", value=[1.0, 2.0, 3.0])
    builder.add("it", "test.weighted", every=1.0, x_0=x_0).connect("u", "it")
    builder.solver(stop=1.0).log("it.y", every=1.0)
    return Simulation(check(builder.build(), registry), compiled)


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("x_0", [0.5, [0.5, 0.25, 0.125]])
def test_each_element_has_its_own_states_and_start_values(x_0, compiled):
    run = simulation(x_0, compiled)
    rows = np.concatenate(list(run.chunks()))
    start = np.broadcast_to(x_0, 3)
    assert np.array_equal(rows[0, 1:], 11.0 * start)
    assert np.array_equal(rows[-1, 1:], [1.0, 2.0, 3.0] + 10.0 * start)
    ref = run.checked.schedule.slots.states["it", "v"]
    assert ref.shape == (3, 2)


def test_only_states_have_such_shapes():
    with pytest.raises(DiagramError, match=r"shape of 'u' is .*; states also \(EACH, 'n'\)"):

        class Wrong(Block):
            """A port with a vector for each element.

            y = u                                                          (1)
            """

            u = In("1", "input", shape=(EACH, 2))
            y = Out("1", "output", shape=EACH)
