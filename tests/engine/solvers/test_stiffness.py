"""Runs that look stiff say so at the end; others do not, and nothing of their results changes."""

import numpy as np
import pytest
from railblocks.engine import Simulation, check, load, loads
from railblocks.engine.memory import layout as sections

VAN_DER_POL = """diagram: 1
blocks:
  x: {{type: continuous.integrator, x_0: 2}}
  v: {{type: continuous.integrator}}
  f: {{type: math.expression, expression: '{mu} * (1 - x*x) * v - x'}}
wires: [v -> x, x -> f.x, v -> f.v, f -> v]
solver: {{method: {method}, stop: {stop}}}
"""


def run(text, compiled=True, look=True):
    simulation = Simulation(check(loads(text) if isinstance(text, str) else text), compiled)
    if not look:
        simulation.w[sections.EDGE] = 0.0
    rows = np.concatenate(list(simulation.chunks()))
    return rows, simulation


def stiff_notices(simulation):
    return [text for text in simulation.notices if "looks stiff" in text]


@pytest.mark.parametrize("method", ["ode45", "ode23", "ode853"])
def test_van_der_pol_at_1000_looks_stiff_to_explicit_methods(method):
    """Eigenvalue -3000 along the slow branch, while x takes 800 s to move by 1."""
    _, simulation = run(VAN_DER_POL.format(mu=1000, method=method, stop=20))
    (notice,) = stiff_notices(simulation)
    assert f"steps of {method}; try `solver: {{method: radau5}}`" in notice


@pytest.mark.parametrize("method", ["ode45", "ode23", "ode853"])
@pytest.mark.parametrize("mu", [0, 1, 5, 10])
def test_oscillations_do_not_look_stiff(mu, method):
    _, simulation = run(VAN_DER_POL.format(mu=mu, method=method, stop=100))
    assert simulation.statistics.steps > 100
    assert not stiff_notices(simulation)


@pytest.mark.parametrize("method", ["radau5", "rk4, step: 1e-4"])
def test_methods_that_choose_no_step_by_stability_say_nothing(method):
    _, simulation = run(VAN_DER_POL.format(mu=1000, method=method, stop=1))
    assert not stiff_notices(simulation)


RATES = """diagram: 1
blocks:
  u: {{type: sources.sine, omega: 1 rad/s}}
  a: {{type: continuous.first_order_lag, T: 1e-4 s}}
  z: {{type: discrete.unit_delay, every: {} s}}
wires: [u -> a -> z]
solver: {{stop: 2}}
log: {{every: 0.1}}
"""


def test_a_fast_lag_behind_a_slow_sine_looks_stiff_unless_samples_limit_the_steps():
    """Stability allows steps of 3.3e-4 s; samples every 2e-4 s are more often than that."""
    assert stiff_notices(run(RATES.format(0.5))[1])
    assert not stiff_notices(run(RATES.format(2e-4))[1])


def test_a_bouncing_ball_with_many_events_does_not_look_stiff():
    text = """diagram: 1
blocks:
  wave: {type: sources.sine, omega: 50 rad/s}
  edge: {type: nonlinear.relay}
  x: {type: continuous.integrator}
wires: [wave -> edge -> x]
solver: {stop: 20}
"""
    _, simulation = run(text)
    assert simulation.statistics.events > 200
    assert not stiff_notices(simulation)


@pytest.mark.parametrize("text", [VAN_DER_POL.format(mu=100, method="ode45", stop=20)])
def test_looking_changes_no_bit_of_the_results(text):
    rows, simulation = run(text)
    assert simulation.w[sections.STIFF_PROBES] > 10
    assert np.array_equal(rows, run(text, look=False)[0])


def test_probes_are_equal_compiled_and_interpreted():
    text = VAN_DER_POL.format(mu=1000, method="ode45", stop=0.5)
    fast, slow = run(text)[1].w, run(text, compiled=False)[1].w
    assert fast[sections.PROBES] == slow[sections.PROBES] > 25
    assert fast[sections.STIFF_PROBES] == slow[sections.STIFF_PROBES] > 25


@pytest.mark.parametrize(
    "name",
    [
        "dc_motor",
        "vishnu/double_pendulum",
        pytest.param("conti2012/scenario_1", marks=pytest.mark.slow),
    ],
)
def test_shipped_diagrams_do_not_look_stiff(name, request):
    diagram = load(request.config.rootpath / "diagrams" / f"{name}.yaml")
    if name.startswith("conti"):
        diagram = diagram.with_values({"solver.stop": "1 s"})
    _, simulation = run(diagram)
    assert simulation.w[sections.PROBES] > 25
    assert not stiff_notices(simulation)
