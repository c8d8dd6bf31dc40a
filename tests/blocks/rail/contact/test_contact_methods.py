"""The choice of a method: what it reads, what is refused, and wheelsets and vehicles by each."""

import numpy as np
import pytest
from railblocks.blocks.rail.contact import contact_methods
from railblocks.blocks.rail.contact.contact_methods import (
    METHODS,
    networks_named,
    searched,
    table_of,
)
from railblocks.blocks.rail.contact.detectors.batch import diff_minima
from railblocks.blocks.rail.contact.detectors.comparison import global_errors
from railblocks.blocks.rail.contact.detectors.lookup import LookupTable
from railblocks.blocks.rail.contact.detectors.minima import poses_of_table
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus
from railblocks.blocks.rail.contact.normal_contacts import spread_contacts
from railblocks.blocks.rail.contact.static_contact import at_rest, reaction
from railblocks.blocks.rail.contact.wheel_contact import WheelOverRail, placed
from railblocks.diagrams.falomi.points import pair_of
from railblocks.engine import DiagramError, check, loads, simulate

PAIR = WheelOverRail("s1002", "uic60", 0.46, 0.75, 0.025, 1.435)
E_STAR = composite_modulus(2.1e11, 0.3)
LOAD = 109e3


def sides(method):
    pairs = (PAIR._replace(side=side) for side in ("left", "right"))
    return [searched(method, "s1002_uic60", pair) for pair in pairs]


def standing(method):
    """Height of a loaded axle."""
    detect, pairs = METHODS[method], sides(method)
    z, _ = at_rest(detect, spread_contacts, False, LOAD, 0.0, 0.0, 0.46, 2e-3, E_STAR, pairs)
    return z


def refusal(block):
    with pytest.raises(DiagramError) as refused:
        check(loads(f"diagram: 1\nblocks: {{w: {{{block}}}}}\nsolver: {{stop: 1 s}}\n"))
    return str(refused.value)


def test_shipped_networks_belong_to_the_pair_of_the_paper():
    assert networks_named("s1002_uic60", pair_of(1 / 40)).classes.most == 2


@pytest.mark.parametrize(
    ("values", "option"),
    [("r_0: 0.45", "--r_0 0.45"), ("cant: 0.03", "--cant 0.03"), ("wheel: cone 1/20", "--wheel")],
)
def test_networks_of_another_pair_are_refused_with_the_command_that_trains_some(values, option):
    text = refusal(f"type: rail.contact_wheel_rail, method: network, {values}")
    assert "contact networks made for wheel S1002" in text
    assert "train some with `python -m railblocks.blocks.rail.contact.learnt_pairs FILE.npz" in text
    assert option in text


def test_a_vehicle_on_other_rails_is_refused_with_the_command(tmp_path):
    path = tmp_path / "line.yaml"
    path.write_text("track: 1\ninclination: 0.03\nsegments: [{length: 100 m}]\n", encoding="utf-8")
    text = refusal(f"type: rail.vehicle, v_0: 10, method: network, track: {path}")
    assert "learnt_pairs FILE.npz --cant 0.03`" in text


def test_shipped_networks_that_fit_are_named():
    text = refusal("type: rail.vehicle, v_0: 10, method: network, track: straight_1_20")
    assert "take networks: s1002_uic60_1_20, which are for these profiles" in text


@pytest.mark.parametrize(("name", "cant", "most"), [("", 1 / 40, 2), ("_1_20", 1 / 20, 3)])
def test_shipped_networks_find_the_points_of_diff(name, cant, most):
    """On poses of Table 1, 2 mm, as falomi counts; they also learn where points run fast."""
    pair = pair_of(cant)
    networks = networks_named(f"s1002_uic60{name}", pair)
    assert networks.classes.most == most
    poses = poses_of_table()[::7]
    errors = global_errors(networks.minima(poses), diff_minima(pair, poses))
    assert errors.fraction < 0.026


def test_scaled_profiles_have_no_networks():
    sizes = "scale: 0.2, r_0: 0.092, y_0: 0.15, gauge: 0.287"
    text = refusal(f"type: rail.contact_wheel_rail, method: network, {sizes}")
    assert "networks are for scale = 1, 0.2 is given: take method: table" in text


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("s1002_uic6", "did you mean 's1002_uic60'?"),
        ("nowhere.npz", "nowhere.npz: there is no such file"),
    ],
)
def test_unknown_networks_are_refused(name, part):
    text = refusal(f"type: rail.contact_wheel_rail, method: network, networks: {name}")
    assert part in text


def test_a_file_that_is_no_network_is_refused(tmp_path):
    path = tmp_path / "notes.npz"
    path.write_text("no numbers")
    text = refusal(f"type: rail.contact_wheel_rail, method: network, networks: {path}")
    assert "notes.npz: is not a file of contact networks" in text


def test_a_misfit_is_told_once():
    text = refusal("type: rail.contact_wheel_rail, method: network, y_0: 0.2")
    assert text.count("the wheel reaches from") == 1
    assert "train" not in text


def test_a_table_is_made_once_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBLOCKS_CACHE", str(tmp_path))
    pair = Pair(*placed(PAIR))
    made = np.arange(35302.0 * 3).reshape(-1, 3)

    class Table:
        table = made

    calls = []

    def make(pair, scale):
        calls.append(scale)
        return Table

    monkeypatch.setattr(contact_methods.LookupTable, "of", classmethod(lambda c, *a: make(*a)))
    for _ in range(2):
        assert np.array_equal(table_of(pair, 1.0), made)
    table_of(pair, 0.2)
    assert calls == [1.0, 0.2]
    assert len(list(tmp_path.glob("t_*.bin"))) == 2


def test_a_table_has_as_many_minima_as_occur():
    assert sides("table")[0][1].shape == (1 + 21 * 41 * 41, 1 + 2 * 2)


@pytest.mark.parametrize("method", ["dist", "network", "table"])
def test_a_wheelset_stands_as_high_as_by_diff(method):
    heights = [
        at_rest(
            METHODS[name], spread_contacts, False, LOAD, 0.0, 0.0, 0.46, 2e-3, E_STAR, sides(name)
        )[0]
        for name in (method, "diff")
    ]
    assert heights[0] == pytest.approx(heights[1], abs=3e-7)


@pytest.mark.parametrize("method", ["dist", "network", "table"])
@pytest.mark.parametrize("y", [-4.1e-3, -1.3e-3, 0.7e-3, 2.9e-3, 4.6e-3])
def test_a_wheelset_pressed_on_the_rails_has_the_forces_of_diff(method, y):
    z = at_rest(
        METHODS["diff"], spread_contacts, False, LOAD, 0.0, 0.0, 0.46, 2e-3, E_STAR, sides("diff")
    )[0]
    result, expected = (
        [
            reaction(METHODS[name], spread_contacts, False, (0.0, y, z), 0.0, 2e-3, E_STAR, side)
            for side in sides(name)
        ]
        for name in (method, "diff")
    )
    for one, other in zip(result, expected, strict=True):
        assert one == pytest.approx(other, rel=0.06)


@pytest.mark.slow
def test_a_scaled_pair_has_a_scaled_table():
    """Profiles, wheel and track at 1/5: the same points at a fifth of the shift."""
    whole = LookupTable(None, sides("table")[0][1])
    pair = WheelOverRail("s1002", "uic60", 0.092, 0.15, 0.025, 0.287, scale=0.2)
    small = LookupTable(None, searched("table", "", pair)[1])
    poses = np.random.default_rng(2).uniform(-1, 1, (200, 3)) * [0.017, 0.013, 0.01]
    minima, expected = small.minima(poses * [1.0, 1.0, 0.2]), whole.minima(poses)
    assert np.mean(minima.counts == expected.counts) > 0.99
    same = minima.counts == expected.counts
    apart = np.abs(5.0 * minima.points[same] - expected.points[same])
    assert np.nanmax(apart) < 1e-6


def curve(method):
    """Means over the first curve of Q, Y of the leading wheels and y of the leading axles."""
    text = (
        "diagram: 1\nblocks: {w: {type: rail.vehicle, track: s_curve, v_0: 40 km/h, mu: 0.4, "
        f"c: 1e6, s_0: 30 m, method: {method}}}}}\n"
        "solver: {method: ode5, step: 0.5 ms, stop: 4.4 s}\n"
        "log: {signals: [w.Q, w.Y, w.y, w.s], every: 5 ms}\n"
    )
    results = simulate(loads(text))
    s = results["w.s"][:, 0]
    inside = (s > 60.0) & (s < 80.0)
    return [results[name][inside, :2].mean(axis=0) for name in ("w.Q", "w.Y", "w.y")]


@pytest.mark.slow
def test_a_vehicle_curves_as_by_diff():
    """R190 without a transition: the leading wheel rests on tread and flange."""
    Q, Y, y = curve("diff")
    for method in ("dist", "network", "table"):
        results = curve(method)
        assert results[0] == pytest.approx(Q, rel=0.03), method
        assert results[1] == pytest.approx(Y, rel=0.03), method
        assert results[2] == pytest.approx(y, abs=0.1e-3), method
