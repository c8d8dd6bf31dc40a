"""What a line says of its rails reaches the wheels: irregularities, friction, other rails."""

import numpy as np
import pytest
from railblocks.blocks.rail.contact.geometry.contacts import P_Y
from railblocks.blocks.rail.contact.wheel_forces import DELTA, LOAD, T_X, T_Y
from vehicle_alone import line, run

HEIGHT = 2


def test_a_wagon_follows_rails_that_rise_and_shift(tmp_path):
    """By 10 mm up and 5 mm to the left over 14 m; all of it stands there behind."""
    ramp = "irregularities: {at: [12, 26], vertical: [0, 10 mm], lateral: [0, 5 mm]}\n"
    track = line(tmp_path, "length: 100 m", more=ramp)
    results = run(v_0="15 m/s", track=track, stop="4 s", every="50 ms")
    risen = results["w.motions"][-1, :, HEIGHT] - results["w.motions"][0, :, HEIGHT]
    assert risen == pytest.approx(np.full(7, 0.01), abs=3e-4)
    assert results["w.y"][-1] == pytest.approx(np.full(4, 0.005), abs=1e-4)
    before = results["w.s"][:, 0] < 12.0
    assert np.abs(results["w.y"][before]).max() < 1e-12


def test_contacts_do_not_feel_growing_cant_as_an_approach(tmp_path):
    """Rails that rise along the line do not press: damping leaves contacts as deep as without it.

    They would differ by 2 to 4 %, by c times 20 m/s, 0.08 rad over 60 m, and 0.75 m. What is left
    is that rails rise as where wheels at rest touch them, not as at each contact.
    """
    segments = "length: 11 m", "length: 60 m, transition: true", "length: 9 m, cant: 120 mm"
    track = line(tmp_path, *segments)
    damped, free = (
        run(v_0="20 m/s", track=track, stop="2 s", c=c)["w.contacts"][-20:, :, :, DELTA].mean(0)
        for c in (1e5, 0)
    )
    assert damped.max(axis=1) == pytest.approx(free.max(axis=1), rel=4e-3)


def ratio(contacts):
    """Largest creep force over load of the contacts of each wheel."""
    size, N = np.hypot(contacts[..., T_X], contacts[..., T_Y]), contacts[..., LOAD]
    return np.max(np.divide(size, N, out=np.zeros_like(N), where=N > 0.0), axis=-1)


def test_friction_is_that_of_the_place(tmp_path):
    """In a curve more than 0.1 is asked for: where 0.05 holds, no wheel gets more, and one all."""
    track = line(
        tmp_path, "length: 11 m", "length: 90 m, radius: 250 m",
        more="friction: {at: [25, 25.1], value: [0.4, 0.05]}\n",
    )  # fmt: skip
    results = run(v_0="15 m/s", track=track, stop="2 s", mu=0.9)
    asked = ratio(results["w.contacts"])
    here = np.repeat(np.interp(results["w.s"], [25.0, 25.1], [0.4, 0.05]), 2, axis=1)
    assert (asked <= here * (1.0 + 1e-9)).all()
    dry, wet = results["w.s"][:, 0] < 25.0, results["w.s"][:, 0] > 25.1
    assert asked[dry, :2].max() > 0.1
    assert asked[wet, :2].max() == pytest.approx(0.05, rel=1e-3)


def test_wheels_touch_the_rails_that_lie_where_they_are(tmp_path):
    """At 1/40, then 1/20, then 1/20 with 10 mm more gauge: as on lines that are so throughout."""

    def places(result, row=-1):
        contacts = result["w.contacts"][row]
        return np.where(contacts[..., LOAD] > 0.0, contacts[..., P_Y], 0.0)

    rails = "inclination: 0.025", "inclination: 0.05", "inclination: 0.05, gauge: 1.445 m"
    track = line(
        tmp_path, *(f"length: {m} m, {kind}" for m, kind in zip((15, 30, 60), rails, strict=True))
    )
    result = run(v_0="20 m/s", track=track, stop="2.5 s", every="50 ms")
    seen = []
    for kind, k in zip(rails, (0, 20, 50), strict=True):
        alone = run(v_0="20 m/s", track=line(tmp_path, f"length: 90 m, {kind}"), stop="1 ms")
        seen.append(places(alone, 0)[:2])
        assert places(result, k)[:2] == pytest.approx(seen[-1], abs=2e-5)
    assert np.abs(seen[0] - seen[1]).max() > 5e-3
    assert np.abs(seen[1] - seen[2]).max() > 1e-3


def test_a_wagon_rests_and_curves_on_whole_patches(tmp_path):
    """By the gap over the whole patch: static loads at the start, and the weight in a curve."""
    track = line(
        tmp_path, "length: 15 m", "length: 30 m, transition: true", "length: 100 m, radius: 400 m"
    )
    results = run(
        v_0="12 m/s", track=track, stop="4 s", every="20 ms", normal="elliptic", t_c="50 us", c=0
    )
    Q = results["w.Q"]
    assert Q[0] == pytest.approx(np.full(8, Q[0].mean()), rel=1e-3)
    assert Q[-50:].sum(axis=1).mean() == pytest.approx(Q[0].sum(), rel=5e-3)
    assert 1e-3 < np.abs(results["w.y"][-1]).max() < 10e-3
    contacts = results["w.contacts"][-1]
    assert (contacts[..., LOAD].sum(axis=1) > 0.0).all()
