"""Wheel-slide protection: Table 1 of Toumi et al. (2019), row by row, and what it exchanges."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError, check, loads

FILL, HOLD, VENT = 1, 2, 3
V = 40.0


def wsp(**values):
    return Bench("rail.wsp", every=0.01, **values)


def next_of(state, slip, **values):
    return wsp(**values).out(state=state, v=V, v_a=V * (1.0 - slip))["valve"]


@pytest.mark.parametrize(
    ("state", "slip", "to"),
    [
        (FILL, -0.02, FILL), (FILL, 0.0, FILL), (FILL, 0.099, FILL), (FILL, 0.101, HOLD),
        (FILL, 0.9, HOLD),
        (HOLD, 0.0, FILL), (HOLD, 0.049, FILL), (HOLD, 0.051, HOLD), (HOLD, 0.249, HOLD),
        (HOLD, 0.251, VENT), (HOLD, 1.0, VENT),
        (VENT, 1.0, VENT), (VENT, 0.201, VENT), (VENT, 0.199, HOLD), (VENT, 0.0, HOLD),
    ],
)  # fmt: skip
def test_each_row_of_table_1(state, slip, to):
    assert next_of(state, slip) == to


def test_thresholds_are_parameters():
    wide = {"s1": 0.01, "s2": 0.3, "s3": 0.4, "s4": 0.5}
    assert next_of(FILL, 0.25, **wide) == FILL
    assert next_of(HOLD, 0.02, **wide) == HOLD
    assert next_of(VENT, 0.35, **wide) == HOLD


@pytest.mark.parametrize("v", [0.0, 0.5, 3.0 / 3.6])
def test_at_low_speed_and_at_rest_slip_is_zero_and_cylinders_are_filled(v):
    device = wsp()
    states = []
    for _ in range(3):
        outputs = device.out(v=v, v_a=0.0)
        assert outputs["slip"] == 0.0
        device.states |= device.run("update", v=v, v_a=0.0)
        states.append(device.states["state"])
    device.states["state"] = VENT
    for expected in (HOLD, FILL, FILL):
        device.states |= device.run("update", v=v, v_a=0.0)
        assert device.states["state"] == expected
    assert states == [FILL] * 3


EXCHANGE = """
blocks:
  train: {type: sources.constant, value: 10 m/s}
  axles: {type: sources.from_table, times: [0, 0.25, 0.45, 0.85, 1.05], interpolation: hold,
          values: [10 m/s, 8.8 m/s, 7 m/s, 8.5 m/s, 9.9 m/s]}
  wheels: {type: routing.mux, n: 2}
  wsp: {type: rail.wsp, every: 0.1 s}
wires: [train -> wsp.v, 'axles -> wheels.u1', 'train -> wheels.u2', wheels -> wsp.v_a]
log: {every: 0.05 s, signals: [wsp.valve, wsp.slip]}"""


@both
def test_commands_change_at_exchanges_only_one_row_at_a_time(compiled):
    """Slips of 0, 12, 30, 15 and 1 %: hold after 12 %, vent after 30 %, hold again, fill."""
    results = run(EXCHANGE, compiled, "solver: {stop: 1.5 s}")
    at = np.round(results.time / 0.05).astype(int)
    valve = results["wsp.valve"]
    expected = np.array([FILL] * 6 + [HOLD] * 4 + [VENT] * 8 + [HOLD] * 4 + [FILL] * 9)
    assert np.array_equal(valve[:, 0], expected[at])
    assert np.all(valve[:, 1] == FILL)


@pytest.mark.parametrize(
    "values", ["s1: 12 %", "s2: 3 %", "s2: 22 %", "s3: 30 %", "s4: 15 %", "s1: 10 %"]
)
def test_thresholds_in_the_wrong_order_are_refused_with_their_place(values):
    text = EXCHANGE.replace("every: 0.1 s}", f"every: 0.1 s, {values}}}")
    with pytest.raises(DiagramError, match=r"wsp.*expected s1 < s2 <= s3 < s4: put them in order"):
        check(loads(f"diagram: 1\n{text}\n"))
