"""Warnings: what fits by its unit but is probably meant otherwise, and what `check` tells."""

import pytest
from railblocks.engine import Simulation, check, loads
from railblocks.engine.analysis.advice import crossings_seen
from railblocks.engine.units.unit import mixes_cycles_and_angles, parse_unit


def warnings(block, parameters="{}"):
    text = f"diagram: 1\nparameters: {parameters}\nblocks:\n  b: {block}\n"
    messages = [problem.message for problem in check(loads(text)).warnings]
    return [message for message in messages if not message.startswith("nothing uses")]


def test_hertz_for_an_angular_frequency_get_a_warning():
    (message,) = warnings("{type: sources.sine, omega: 50 Hz}")
    assert message.startswith("b.omega = 50 Hz is taken as 50 rad/s, without a factor 2 pi")
    assert "2 * pi * f with f: 50 Hz" in message
    assert warnings("{type: sources.sine, omega: f}", "{f: 50 Hz}")
    assert warnings("{type: sources.sine, omega: [1 kHz, 2 kHz]}")


def test_an_angular_speed_for_a_frequency_gets_a_warning():
    (message,) = warnings("{type: sources.chirp, f_0: 60 rpm}")
    assert message.startswith("b.f_0 = 60 rpm is taken as 6.28318530718 Hz")
    assert "n / (2 * pi)" in message


@pytest.mark.parametrize(
    "value", ["50", "50 rad/s", "50 1/s", "3 rev/s", "60 rpm", "2 * pi * f", "w"]
)
def test_what_is_clear_gets_none(value):
    assert warnings(f"{{type: sources.sine, omega: {value}}}", "{f: 50 Hz, w: 3 rad/s}") == []


def test_a_frequency_in_hertz_gets_none():
    assert warnings("{type: sources.chirp, f_0: 1 kHz, f_1: 2 * f}", "{f: 50 Hz}") == []


def test_a_run_tells_the_warnings():
    text = "diagram: 1\nblocks: {b: {type: sources.sine, omega: 50 Hz}}\nsolver: {stop: 1}\n"
    simulation = Simulation(check(loads(text)), compiled=False)
    assert "without a factor 2 pi" in simulation.notices[0]


@pytest.mark.parametrize(
    ("one", "other", "mixed"),
    [
        ("Hz", "rpm", True),
        ("kHz", "rad/s", True),
        ("rev/s", "Hz", True),
        ("m^2/Hz", "m^2*s/rad", True),
        ("Hz", "1/s", False),
        ("rad/s", "rpm", False),
        ("Hz", "kHz", False),
        ("ohm", "V/A", False),
    ],
)
def test_units_of_cycles_and_angles_are_told_apart(one, other, mixed):
    assert mixes_cycles_and_angles(parse_unit(one), parse_unit(other)) is mixed
    assert mixes_cycles_and_angles(parse_unit(other), parse_unit(one)) is mixed


def crossings(more="", solver="stop: 2 s", wires=""):
    text = f"""diagram: 1
blocks:
  wave: {{type: sources.sine, omega: 300 rad/s}}
  high: {{type: logic.compare_to_constant, u2: 0.5}}
  step: {{type: sources.step, time: 1 s}}
{more}
wires: [wave -> high{wires}]
solver: {{{solver}}}
"""
    checked = check(loads(text))
    return crossings_seen(checked.schedule, checked.settings)


def test_comparisons_without_continuous_states_are_looked_at_in_quarters_of_steps():
    assert crossings() == (0.01, ["high"])
    assert crossings(solver="stop: 2 s, max_step: 1 ms") == (0.00025, ["high"])
    assert crossings(solver="stop: 2 s, method: rk4, step: 4 ms") == (0.001, ["high"])


def test_continuous_states_make_steps_of_their_own():
    assert (
        crossings("  lag: {type: continuous.first_order_lag, T: 1 s}", wires=", wave -> lag")
        is None
    )


def test_quarters_of_steps_decide_which_crossings_are_found():
    """sin(300 t) > 0.5 for 7 ms, 95 times in 2 s: all are found with looks 1 ms apart."""
    text = """diagram: 1
blocks:
  wave: {{type: sources.sine, omega: 300 rad/s}}
  high: {{type: logic.compare_to_constant, u2: 0.5}}
wires: [wave -> high]
solver: {{stop: 2 s, {0}}}
"""
    rises = 1 + int((2.0 * 300.0 - 0.5235987755982989) / 6.283185307179586)
    falls = 1 + int((2.0 * 300.0 - 2.6179938779914944) / 6.283185307179586)
    result = []
    for option in ("rtol: 1.0e-6", "max_step: 4 ms"):
        simulation = Simulation(check(loads(text.format(option))), compiled=False)
        list(simulation.chunks())
        result.append(simulation.statistics.events)
    assert result[1] == rises + falls
    assert result[0] < result[1]
