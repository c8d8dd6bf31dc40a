"""Properties of all diagrams: compiled equals interpreted, and only what is wired matters."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from railblocks.engine import Simulation, SimulationError, check, loads
from random_diagrams import flat_text, nested_text, plans

FEW = settings(
    max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def run(text, compiled=True):
    simulation = Simulation(check(loads(text)), compiled)
    rows = []
    try:
        for part in simulation.chunks():
            rows.append(part)
    except SimulationError as error:
        return np.concatenate(rows) if rows else np.zeros((0, 1)), str(error)
    return np.concatenate(rows), ""


@FEW
@given(plans())
def test_compiled_equals_interpreted_to_the_last_bit(plan):
    compiled, message = run(flat_text(plan))
    plain, same = run(flat_text(plan), compiled=False)
    assert message == same
    assert np.array_equal(compiled, plain)


@FEW
@given(plans(), st.randoms())
def test_result_depends_neither_on_names_nor_on_order(plan, random):
    order = list(range(len(plan.blocks)))
    random.shuffle(order)
    names = {name: f"n{random.randrange(10**6)}_{name}" for name, *_ in plan.blocks}
    assert np.array_equal(run(flat_text(plan))[0], run(flat_text(plan, names, order))[0])


@FEW
@given(plans(), st.data())
def test_result_does_not_depend_on_subsystem_boundaries(plan, data):
    names = [name for name, *_ in plan.blocks]
    inside = data.draw(st.sets(st.sampled_from(names), min_size=1))
    assert np.array_equal(run(flat_text(plan))[0], run(nested_text(plan, inside))[0])
