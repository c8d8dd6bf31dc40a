"""Vehicles at their edges: derailing, lifting wheels, ends of lines, standing still, bad names."""

import numpy as np
import pytest
from railblocks.blocks.rail.vehicle.files import vehicle_named
from railblocks.engine import DiagramError, SimulationError, loads, save, simulate
from railblocks.engine.cli import main
from vehicle_alone import OnTrack, diagram, line, run

WAGON = vehicle_named("manchester_wagon")


def test_a_wheel_that_climbs_its_rail_ends_the_run_by_name_and_place(tmp_path, capsys, monkeypatch):
    """40 m/s into a curve of 150 m to the left: the leading axle goes off to the right."""
    monkeypatch.chdir(tmp_path)
    track = line(tmp_path, "length: 13 m", "length: 100 m, radius: 150 m")
    save(diagram(v_0="40 m/s", track=track, stop="2 s"), "fast.yaml")
    assert main(["run", "fast.yaml", "--quiet"]) == 1
    text = capsys.readouterr().err
    assert "the right wheel of wheelset_1 has left the rail at s = 2" in text
    assert "shifted by -0.0200 m" in text
    assert "Traceback" not in text


@pytest.mark.parametrize("method", ["rk4", "euler"])
def test_steps_that_are_too_large_are_not_told_as_a_derailment(method):
    """Contacts of 1e9 N/m under axles of a ton swing within a millisecond."""
    wagon = diagram(v_0="30 m/s", method=method).with_values({"solver.step": "2 ms"})
    with pytest.raises(SimulationError) as failed:
        simulate(wagon)
    assert "moves across the track faster than 10 m/s" in str(failed.value)
    assert "give a smaller `step`" in str(failed.value)
    assert "left the rail" not in str(failed.value)


def test_a_wheel_may_lift_and_come_back(tmp_path):
    """Rails fall away by 20 mm within 0.3 m: nothing pulls on wheels that fly."""
    dip = "irregularities:\n  at: [15, 15.3, 17, 19]\n  vertical: [0, -20 mm, -20 mm, 0]\n"
    dip += "  between: straight\n"
    track = line(tmp_path, "length: 100 m", more=dip)
    results = run(v_0="30 m/s", track=track, stop="0.6 s", every="1 ms")
    Q = results["w.Q"]
    assert Q.min() == 0.0
    assert (Q[:, 0] == 0.0).sum() > 5
    assert (Q[-100:].max(axis=0) > WAGON.mass * 9.81 / 8.0).all()
    assert np.abs(results["w.y"]).max() < 1e-4  # blows let rounding grow


def test_a_run_stops_where_the_line_ends(tmp_path):
    wagon = OnTrack(v_0="30 m/s", track=line(tmp_path, "length: 25 m"), stop="2 s")
    results = wagon.run()
    assert wagon.simulation.outcome == "stopped"
    assert "the line ends at s = 25 m" in wagon.simulation.reason
    assert results["t"][-1] == pytest.approx((25.0 - 10.78) / 30.0, abs=0.02)


@pytest.mark.parametrize(
    ("gauge", "message"),
    [
        (1.7, "the other body from 0.849334 to 0.92361 m; check y_0, gauge"),
        (1.38, "wagon: wheelset_1: an axle .*finds no rest.*expected treads on their rails"),
    ],
)
def test_rails_that_the_wheels_do_not_fit_are_refused(gauge, message, tmp_path):
    track = line(tmp_path, f"length: 50 m, gauge: {gauge} m")
    with pytest.raises(DiagramError, match=message):
        OnTrack(v_0="30 m/s", track=track)


def test_names_to_watch_that_no_vehicle_has_are_refused():
    message = (
        "'bogie1' is neither a body nor an element of Manchester wagon; did you mean 'bogie_1'"
    )
    with pytest.raises(DiagramError, match=message):
        OnTrack(v_0="30 m/s", watch="'body, bogie1'")


def test_a_standing_wagon_stays_where_it_is():
    """Contacts resist sliding like stiff dampers then, which radau5 is for: ode45 takes minutes."""
    results = run(v_0="0 m/s", method="radau5", stop="2 s", every="0.1 s")
    assert np.abs(results["w.s"] - results["w.s"][0]).max() < 1e-9
    assert np.abs(results["w.y"]).max() < 1e-9


def braked(stop, C, release, mu):
    """A wagon from 2 m/s with its brakes applied, which are released at a time."""
    return simulate(
        loads(f"""
diagram: 1
blocks:
  C:    {{type: sources.step, time: {release} s, before: [{C}, {C}, {C}, {C}], after: 0}}
  disc: {{type: rail.friction_brake}}
  w:    {{type: rail.vehicle, v_0: 2 m/s, mu: {mu}}}
wires: [C -> disc.C, disc.T -> w.C, w.omega -> disc.omega]
solver: {{method: radau5, rtol: 1e-5, atol: 1e-7, stop: {stop} s}}
log: {{signals: [w.v, w.s, w.omega, w.y], every: 50 ms}}
""")
    )


def test_a_braked_wagon_stops_and_does_not_creep():
    """At the deceleration of its torques over mass and rotating mass; the body rocks a little.

    v^2 / 2a is longer by what fades below omega_0 of the brakes, 0.2 rad/s.
    """
    C = 5000.0
    results = braked(5.0, C, 9.0, 0.3)
    a = 4 * C / 0.46 / (WAGON.mass + 4 * 112.0 / 0.46**2)
    way = results["w.s"][:, 0] - results["w.s"][0, 0]
    assert way[-1] == pytest.approx(2.0**2 / (2.0 * a), rel=0.02)
    assert abs(way[-1] - way[-21]) < 1e-4
    assert np.abs(results["w.v"][-20:]).max() < 2e-3


def test_wheels_lock_and_roll_again_when_brakes_are_released():
    """More torque than friction bears: the wagon slides with mu g, its wheels stand, then roll."""
    results = braked(2.0, 9000.0, 1.0, 0.08)
    v, omega, t = results["w.v"], results["w.omega"], results.time
    locked = (t > 0.5) & (t < 0.95)
    assert np.abs(omega[locked]).max() < 0.2
    slope = -np.polyfit(t[locked], v[locked], 1)[0]
    assert slope == pytest.approx(0.08 * 9.81, rel=0.05)
    assert omega[-1] * 0.46 == pytest.approx(np.full(4, v[-1]), rel=0.01)
