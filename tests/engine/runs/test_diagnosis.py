"""A run that cannot go on says block, port, time and inputs."""

import numpy as np
import pytest
from railblocks.engine import Simulation, SimulationError, check, loads


def failure(text, compiled=True):
    simulation = Simulation(check(loads("diagram: 1\n" + text)), compiled)
    with pytest.raises(SimulationError) as caught:
        for _ in simulation.chunks():
            pass
    assert simulation.outcome == "failed"
    return str(caught.value)


@pytest.mark.parametrize("compiled", [True, False])
def test_nan_in_a_derivative_names_block_port_time_and_inputs(compiled):
    message = failure(
        """
blocks:
  c: {type: sources.constant, value: -1}
  x: {type: continuous.integrator, x_0: 1}
  s: {type: math.sqrt}
  y: {type: continuous.integrator}
wires: [c -> x -> s -> y]
solver: {stop: 3}
log: {signals: [y.y]}
""",
        compiled,
    )
    assert message.startswith("t = 1")
    assert "s.y became nan (u=-" in message
    assert "railblocks show math.sqrt" in message


def test_nan_in_a_logged_output_stops_at_that_row():
    message = failure(
        """
blocks:
  t: {type: sources.clock}
  l: {type: math.logarithm}
wires: [t -> l]
solver: {stop: 1}
log: {signals: [l.y], every: 0.1}
""".replace("t: {type: sources.clock}", "t: {type: sources.ramp, slope: 1}")
    )
    assert message.startswith("t = 0 s: l.y became -inf (u=0")


@pytest.mark.parametrize("method", ["ode45", "rk4"])
def test_a_singularity_names_the_state_that_runs_away(method):
    """x' = x^2 from 1 is infinite at t = 1."""
    step = ", step: 0.001" if method == "rk4" else ""
    message = failure(
        f"""
blocks:
  x: {{type: continuous.integrator, x_0: 1}}
  p: {{type: math.product}}
wires: [x -> p.u1, x.y -> p.u2, p -> x]
solver: {{stop: 3, method: {method}{step}}}
log: {{signals: [x.y], every: 1}}
"""
    )
    assert "x.x" in message or "p.y became" in message
    time = float(message.split()[2])
    assert time == pytest.approx(1.0, abs=0.01)


def test_rows_before_a_failure_are_delivered():
    simulation = Simulation(
        check(
            loads(
                """
diagram: 1
blocks:
  c: {type: sources.constant, value: -1}
  x: {type: continuous.integrator, x_0: 1}
  s: {type: math.sqrt}
  y: {type: continuous.integrator}
wires: [c -> x -> s -> y]
solver: {stop: 3}
log: {signals: [x.y], every: 0.1}
"""
            )
        )
    )
    rows = []
    while not simulation.outcome:
        rows.append(simulation.advance())
    assert simulation.outcome == "failed"
    times = np.concatenate(rows)[:, 0]
    assert times[-1] == pytest.approx(1.0, abs=0.11)


@pytest.mark.parametrize("method", ["ode45", "ode23", "ode853", "radau5"])
def test_a_derivative_that_is_nan_from_the_start_is_told_at_once(method):
    message = failure(
        f"""
blocks:
  c: {{type: sources.constant, value: -1}}
  s: {{type: math.sqrt}}
  x: {{type: continuous.integrator}}
wires: [c -> s -> x]
solver: {{stop: 3, method: {method}}}
log: {{signals: [x.y], every: 0.5}}
"""
    )
    assert message.startswith("t = 0 s: s.y became nan (u=-1)")


@pytest.mark.parametrize("method", ["ode45", "radau5"])
def test_a_stiff_solver_does_not_advise_itself(method):
    """x' = x^2 from 1 is infinite at t = 1."""
    text = f"""diagram: 1
blocks:
  x: {{type: continuous.integrator, x_0: 1}}
  f: {{type: math.product}}
wires: [x.y -> f.u1, x.y -> f.u2, f.y -> x.u]
solver: {{method: {method}, stop: 2, min_step: 1e-9}}
log: {{every: 1}}
"""
    with pytest.raises(SimulationError, match=r"x\.x changes fastest") as caught:
        list(Simulation(check(loads(text)), compiled=False).chunks())
    assert ("radau5" in str(caught.value)) == (method == "ode45")
