"""A vehicle in a long curve: balance of forces and moments, leaning; left and right alike."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.contact.geometry.contacts import P_Y, P_Z
from railblocks.blocks.rail.contact.wheel_forces import LOAD
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.vehicle.files import vehicle_named
from railblocks.blocks.rail.vehicle.static_loads import static_loads
from scipy.optimize import minimize
from vehicle_alone import line, rates, run

WAGON = vehicle_named("manchester_wagon")
MASSES = np.array([body.mass for body in WAGON.bodies])
I_WY, G, BASE, R, V = 112.0, 9.81, 1.5, 800.0, 25.0
S, SIDE, HEIGHT, ROLL, SPIN, TURN = 0, 1, 2, 3, 10, 11
BODY, BOGIES, AXLES = 0, slice(1, 3), slice(3, 7)


@pytest.fixture(scope="module", params=[0, 150], ids=["level", "canted"])
def curving(request, tmp_path_factory):
    """Cant in metres, and means of all signals over the last 1.95 s, a period of the car body."""
    folder, cant = tmp_path_factory.mktemp("lines"), request.param
    track = line(
        folder, "length: 15 m", "length: 75 m, transition: true",
        f"length: 300 m, radius: {R} m, turn: left, cant: {cant} mm",
    )  # fmt: skip
    results = run(v_0=f"{V} m/s", track=track, stop="11 s", every="50 ms", rtol=1e-5)
    return cant / 1e3, {name: results[name][-39:].mean(axis=0) for name in results}


def field(cant, v):
    """What presses outwards and downwards on each kilogram, in the axes of the rails."""
    phi, a = math.asin(cant / BASE), v * v / R
    return a * math.cos(phi) - G * math.sin(phi), G * math.cos(phi) + a * math.sin(phi)


def test_wheels_press_on_the_track_as_the_curve_asks(curving):
    cant, results = curving
    outwards, down = field(cant, results["w.v"])
    full = WAGON.mass * V * V / R
    assert results["w.Y"].sum() == pytest.approx(-WAGON.mass * outwards, abs=1e-3 * full)
    assert results["w.Q"].sum() == pytest.approx(WAGON.mass * down, rel=1e-4)


def test_load_goes_to_the_outer_rail_as_heights_and_leaning_say(curving):
    """Moments about the track's middle under the car body: weights, and forces of all wheels.

    Ahead and behind the line has bent to the left by x^2 / 2R. Wheelsets are gyroscopes, which the
    curve turns: their momentum asks for a moment of its own.
    """
    cant, results = curving
    outwards, down = field(cant, results["w.v"])
    motions, contacts = results["w.motions"], results["w.contacts"]
    bent = (motions[:, S] - motions[BODY, S]) ** 2 / (2.0 * R)
    aside, up = bent * math.sqrt(1.0 - (cant / BASE) ** 2), bent * cant / BASE
    y, z = motions[:, SIDE] + aside, motions[:, HEIGHT] + up
    weights = (MASSES * (outwards * z - down * y)).sum()
    share = contacts[:, :, LOAD] / contacts[:, :, LOAD].sum(axis=1, keepdims=True)
    y = (share * contacts[:, :, P_Y]).sum(axis=1) + np.repeat(aside[AXLES], 2)
    z = (share * contacts[:, :, P_Z]).sum(axis=1) + np.repeat(up[AXLES], 2)
    wheels = (results["w.Q"] * y + results["w.Y"] * z).sum()
    turning = -I_WY * (motions[AXLES, SPIN] * results["w.v"] / R).sum()
    static = WAGON.mass * G * BASE / 2.0
    assert abs(turning) > 5e-4 * static
    assert wheels + weights == pytest.approx(turning, abs=2e-4 * static)


def leaning(cant, v, y_w, phi_w):
    """Side, height and roll of bogies and body in a plane, where all energy is least.

    Wheelsets are held where they are; each element has the energy of its springs, its static load
    and its stop, along axes half-way between those of both bodies, or along a bogie's at wheelsets.
    """
    outwards, down = field(cant, v)
    loads = static_loads(WAGON, G).forces[:, 2]
    rest = {"wheelset": (0.0, 0.46, 0.0), "bogie": (0.0, 0.6, 0.0), "body": (0.0, 1.8, 0.0)}

    def kind(name):
        return name.split("_")[0]

    def energy(u):
        pose = {"wheelset": (y_w, 0.0, phi_w), "bogie": u[:3], "body": u[3:]}
        total = 0.0
        for body in WAGON.bodies:
            y, z, _ = pose[kind(body.name)]
            total += body.mass * (outwards * y + down * z)
        for e, load in zip(WAGON.elements, loads, strict=True):
            points = []
            for name in (e.first, e.second):
                y, z, phi = pose[kind(name)]
                _, z_0, _ = rest[kind(name)]
                a, h = e.place[1], e.place[2] - z_0
                c, s = math.cos(phi), math.sin(phi)
                points.append((y + c * a - s * h, z_0 + z + s * a + c * h))
            y, z = np.subtract(*points)
            phi_i, phi_j = pose[kind(e.first)][2], pose[kind(e.second)][2]
            phi = phi_j if kind(e.first) == "wheelset" else (phi_i + phi_j) / 2.0
            c, s = math.cos(phi), math.sin(phi)
            d_y, d_z = c * y + s * z, c * z - s * y
            total += 0.5 * e.stiffness[1] * d_y**2 + 0.5 * e.stiffness[2] * d_z**2 - load * d_z
            total -= e.turning[0] * math.cos(phi_i - phi_j)
            if e.bump:
                at = np.linspace(0.0, abs(d_y), 400)
                total += np.trapezoid(np.interp(at, *np.transpose(e.bump)), at)
        return total

    return minimize(energy, np.zeros(6), method="BFGS", options={"gtol": 1e-3}).x


def test_the_body_leans_on_its_springs_as_in_a_plane(curving):
    """Roll, and place beside the line, over whose bend bogies and body are chords."""
    cant, results = curving
    motions = results["w.motions"]
    y_w, phi_w = motions[AXLES, SIDE].mean(), motions[AXLES, ROLL].mean()
    _, _, phi_b, y_c, _, phi_c = leaning(cant, results["w.v"], y_w, phi_w)
    bent = (9.5**2 + 1.28**2) / (2.0 * R) * math.sqrt(1.0 - (cant / BASE) ** 2)
    assert motions[BODY, ROLL] == pytest.approx(phi_c, rel=2e-3)
    assert motions[BOGIES, ROLL].mean() == pytest.approx(phi_b, rel=2e-3)
    assert motions[BODY, SIDE] - bent == pytest.approx(y_c, abs=1e-4)


# --- left and right ----------------------------------------------------------------------------
MIRROR = np.array([1, -1, 1, -1, -1, 1] * 2)
"""Signs of a body's states in a mirror; angular velocities turn where velocities do not."""
MIRROR[b.V_X :] = [1, -1, 1, -1, 1, -1]


def s_curves(folder, radius):
    """Lines that turn to the left first, and to the right."""
    lines = []
    for turns in (("left", "right"), ("right", "left")):
        first, second = (f"length: 15 m, radius: {radius} m, turn: {turn}" for turn in turns)
        lines.append(line(folder, "length: 13 m", first, "length: 2 m", second, "length: 30 m"))
    return lines


def reflected(states, vehicle):
    """States or rates of all bodies in a mirror, where left boxes become right ones."""
    names = [body.name for body in vehicle.bodies]
    other = {"_l": "_r", "_r": "_l"}
    order = [names.index(name[:-2] + other.get(name[-2:], name[-2:])) for name in names]
    return (states.reshape(-1, b.STATES)[order] * MIRROR).ravel()


def swapped(wheels):
    """Forces of wheels with left and right exchanged."""
    return wheels.reshape(-1, 4, 2)[:, :, ::-1].reshape(wheels.shape)


@pytest.mark.parametrize("vehicle", ["manchester_wagon", "uic_z1"])
def test_mirrored_states_have_mirrored_rates_on_mirrored_lines(vehicle, tmp_path):
    """All bodies displaced and moving, flanges and treads touching; to rounding."""
    left, right = (
        rates(v_0="20 m/s", s_0="20 m", vehicle=vehicle, track=track)
        for track in s_curves(tmp_path, 190)
    )
    made = vehicle_named(vehicle)
    n, random = b.STATES * len(made.bodies), np.random.default_rng(5)
    sizes = [1e-3, 6e-3, 1e-4, 5e-3, 2e-3, 0.1, 0.1, 0.1, 0.01, 0.05, 0.5, 0.05]
    for _ in range(20):
        x = left.start
        x[:n] += random.uniform(-1, 1, n) * np.tile(sizes, n // b.STATES)
        other = x.copy()
        other[:n] = reflected(x[:n], made)
        expected = reflected(left(x)[:n], made)
        assert np.abs(right(other)[:n] - expected).max() < 1e-9 * np.abs(expected).max()


def test_a_line_and_its_mirror_image_are_run_alike(tmp_path):
    """To a hundredth of a micrometre and 1e-4 of the loads, after an S with all axles through both
    curves: where contacts change places, what rounding has left shows for a moment.

    Where flanges strike rails, as at R = 190 m, rounding grows from blow to blow instead.
    """
    left, right = (
        run(v_0="20 m/s", track=track, stop="2.2 s", every="20 ms")
        for track in s_curves(tmp_path, 1000)
    )
    assert np.abs(left["w.y"]).max() > 1e-3
    assert np.abs(left["w.y"] + right["w.y"]).max() < 1e-8
    assert np.abs(left["w.Y"] + swapped(right["w.Y"])).max() < 5.0
    assert np.abs(left["w.Q"] - swapped(right["w.Q"])).max() < 5.0
