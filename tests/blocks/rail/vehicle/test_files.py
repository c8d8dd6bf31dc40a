"""What files of vehicles say: each key alone, by closed forms and invariances, and its mistakes."""

import os

import numpy as np
import pytest
from bench import Bench, interpreted
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.vehicle.files import FOLDER, read_vehicle
from railblocks.blocks.rail.vehicle.rigid import rigid
from railblocks.blocks.rail.vehicle.static_loads import axle_loads, static_loads
from railblocks.engine import DiagramError
from vehicle_alone import LOOSE

G = 9.81
LINE = len(LOOSE.splitlines())


@pytest.fixture
def file(tmp_path):
    """Writes LOOSE with changes and returns its path."""

    def write(more="", *changes):
        text = LOOSE
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / f"vehicle_{len(list(tmp_path.iterdir()))}.yaml"
        path.write_text(text + more, encoding="utf-8")
        return str(path)

    return write


def refused(path):
    with pytest.raises(DiagramError) as error:
        read_vehicle(path)
    return str(error.value)


def bench(path, **values):
    """The block of a vehicle, and all its outputs at the start, interpreted."""
    block = Bench("rail.vehicle", **{"v_0": 0.0, "mu": 0.0, "vehicle": path, **values})
    outs = {}
    for equation in block.declaration.of_kind("out"):
        outs |= block.call(equation, interpreted, C=np.zeros(2), **outs)
    return block, outs


# --- places --------------------------------------------------------------------------------------
def test_an_element_may_lie_at_a_y_of_its_own(file):
    more = "  rod: {joins: {axle_1: body}, height: 0.46 m, y: -0.3 m, stiffness: [1, 1, 1]}\n"
    assert read_vehicle(file(more)).elements[-1].place == (6.0, -0.3, 0.46)


def test_y_and_side_exclude_each_other(file):
    more = "  rod: {joins: {axle_1: body}, height: 0.46 m, y: 1 m, side: 1 m}\n"
    assert f".yaml:{LINE + 1}:51: 'side' is for one element at each" in refused(file(more))


# --- dampers -------------------------------------------------------------------------------------
DAMPER = "  damper:\n    joins: {axle_1: body}\n    height: 0.46 m\n"


def test_a_blow_off_force_is_a_damper_with_two_slopes(file):
    more = DAMPER + "    damping: [800 kN*s/m, 0, 5]\n    blow_off: [12 kN, 0, 0]\n"
    element = read_vehicle(file(more + "    blow_off_damping: [20 kN*s/m, 0, 0]\n")).elements[-1]
    assert element.damping == (800e3, 0.0, 5.0)
    assert element.curves[1:] == ((), ())
    points = np.array(element.curves[0])
    assert points[:2] == pytest.approx(np.array([[0.0, 0.0], [0.015, 12e3]]))
    assert np.diff(points[1:], axis=0)[0] @ [20e3, -1.0] == pytest.approx(0.0, abs=1e-9)


def test_a_table_is_a_damper_along_its_axis(file):
    more = DAMPER + "    damper_axis: y\n    damper_speed: [0, 10 mm/s, 0.1 m/s]\n"
    element = read_vehicle(file(more + "    damper_force: [0, 4 kN, 5 kN]\n")).elements[-1]
    assert element.curves == ((), ((0.0, 0.0), (0.01, 4e3), (0.1, 5e3)), ())
    assert element.damping == (0.0, 4e5, 0.0)
    assert element.has_dampers == (False, True, False)


def test_dampers_of_a_file_resist_by_their_tables(file):
    """A body that moves to the left by 0.2 m/s: 5 kN + 0.1 m/s beyond the last slope."""
    more = DAMPER + "    damper_axis: y\n    damper_speed: [0, 10 mm/s, 0.1 m/s]\n"
    more += "    damper_force: [0, 4 kN, 5 kN]\nstart: {body: {v_y: 0.2 m/s}}\n"
    _, outs = bench(file(more))
    assert outs["forces"][-1, :3] == pytest.approx([0.0, 5e3 + 0.1 * 1e3 / 0.09, 0.0])
    assert outs["powers"][1] == pytest.approx(0.2 * (5e3 + 0.1 * 1e3 / 0.09))


@pytest.mark.parametrize(
    ("more", "line", "message"),
    [
        ("    damping: [5, 0, 0]\n    blow_off: [-1, 0, 0]\n", 5, "along x a damper of 5 N*s/m"),
        ("    blow_off: [1, 0, 0]\n", 4, "along x a damper of 0 N*s/m blows off at 1 N"),
        ("    blow_off_damping: [1, 0, 0]\n", 4, "there is a blow_off_damping, but no blow_off"),
        ("    damper_speed: [0, 1]\n    damper_force: [0, 1]\n", 2, "'damper_axis' is missing"),
        (
            "    damper_axis: x\n    damper_speed: [0, 1]\n    damper_force: [0, -1]\n", 6,
            "lowest force is -1 N, and it ends with a slope of -1 N*s/m; expected a begin at 0",
        ),
        (
            "    damper_axis: x\n    damper_speed: [0, 1, 1]\n    damper_force: [0, 1, 2]\n", 5,
            "a damper has 3 speeds and 3 forces; expected as many of both",
        ),
        (
            "    damper_axis: x\n    damper_speed: [0, 1]\n    damper_force: [0, 1]\n"
            "    damping: [3, 0, 0]\n", 7,
            "along x there is a table of the damper and a damping; give one",
        ),
        (
            "    damping: [5, 0, 0]\n    blow_off: [1, 0, 0]\n    series: [9, 0, 0]\n", 6,
            "along x a damper with a series stiffness has the same force at more than one speed",
        ),
        ("    damper_axis: w\n    damper_speed: [0, 1]\n    damper_force: [0, 1]\n", 4, "one of x"),
        ("    damper_axis: x\n", 2, "'damper_speed' is missing; expected a list of values in m/s"),
        ("    bump_axis: w\n", 4, "bump_axis is 'w'; expected one of x, y, z"),
        ("    blow_off: [1 m, 0, 0]\n", 4, "1 m has unit m; expected a force"),
    ],
)  # fmt: skip
def test_mistakes_of_dampers_are_told_with_their_lines(file, more, line, message):
    text = refused(file(DAMPER + more))
    assert message in text
    assert f".yaml:{LINE + line}:" in text


# --- welded bodies -------------------------------------------------------------------------------
BODY = "  body:   {mass: 18000 kg, inertia: [20000, 200000, 200000], place: [0, 0, 1.5]}\n"
PARTS = """\
  {first}:  {{mass: 12000 kg, inertia: [20000, 80000, 90000], place: [0, 0, 1.2]{weld_first}}}
  {other}: {{mass: 6000 kg, inertia: [12000, 30000, 20000], place: [3.0, 0.2, 2.1]{weld_other}}}
"""


def welded(file, host, more=""):
    """The body of LOOSE in two parts, welded together; one of them is the host."""
    weld = {"body": ", welded: tank", "tank": ", welded: body"}
    weld[host] = ""
    parts = PARTS.format(
        first="body", other="tank", weld_first=weld["body"], weld_other=weld["tank"]
    )
    return file(
        more,
        (BODY, parts),
        ("{axle_1: body, axle_2: body}\nel", "{axle_1: tank, axle_2: body}\nel"),
    )


def test_welded_bodies_have_the_inertia_of_points_that_have_theirs(file):
    """Each part as six points on its axes, at distances that give its inertia."""
    vehicle = read_vehicle(welded(file, "body"))
    mass, centre, inertia = rigid(vehicle, vehicle.bodies[0])
    points, masses = [], []
    for part in (vehicle.bodies[0], vehicle.welds[0]):
        I_xx, I_yy, I_zz = part.inertia
        squares = np.array([I_yy + I_zz - I_xx, I_xx + I_zz - I_yy, I_xx + I_yy - I_zz]) / 2.0
        for axis, square in enumerate(squares):
            assert square > 0.0
            way = np.eye(3)[axis] * np.sqrt(3.0 * square / part.mass)
            points += [np.add(part.place, way), np.subtract(part.place, way)]
            masses += [part.mass / 6.0] * 2
    points, masses = np.array(points) - vehicle.bodies[0].place, np.array(masses)
    assert mass == pytest.approx(masses.sum())
    assert centre == pytest.approx(masses @ points / mass)
    away = points - centre
    expected = np.einsum("n,nk,nk", masses, away, away) * np.eye(3)
    expected -= np.einsum("n,ni,nj->ij", masses, away, away)
    assert inertia == pytest.approx(expected, rel=1e-12)


START = "start: {%s: {y: 4 mm, roll: 3 mrad, pitch: -2 mrad, yaw: 1 mrad, %s}}\n"
SPIN = "omega_x: 0.2 rad/s, omega_y: 0.1 rad/s, omega_z: -0.3 rad/s"


def test_it_does_not_matter_which_body_is_welded_to_which(file):
    """The same wagon written both ways, displaced and turning: the same motion of both parts."""
    turned = START % ("body", SPIN + ", v_y: 0.1 m/s")
    block, one = bench(welded(file, "body", turned), v_0=12.0)
    row = one["motions"][3]
    q = block.values["q_0"]
    R = np.array(b.mounting(q, 0, False)[0]).reshape(3, 3)
    arm = R @ [3.0, 0.2, 0.9]
    omega = [0.2, 0.1, -0.3]
    assert row[3:6] == pytest.approx([3e-3, -2e-3, 1e-3])
    assert row[6:9] == pytest.approx(np.add([12.0, 0.1, 0.0], np.cross(omega, arm)))
    shift = (arm - [3.0, 0.2, 0.9]) + [0.0, 4e-3, 0.0]
    v = row[6:9] - [12.0, 0.0, 0.0]
    there = f"start: {{tank: {{s: {shift[0]:.17g}, y: {shift[1]:.17g}, z: {shift[2]:.17g}, "
    there += "roll: 3 mrad, pitch: -2 mrad, yaw: 1 mrad, "
    there += f"v_x: {v[0]:.17g}, v_y: {v[1]:.17g}, v_z: {v[2]:.17g}, {SPIN}}}}}\n"
    _, other = bench(welded(file, "tank", there), v_0=12.0)
    body_axles_tank = [3, 1, 2, 0]
    assert other["motions"][body_axles_tank] == pytest.approx(one["motions"], rel=1e-9, abs=1e-9)
    assert other["Q"] == pytest.approx(one["Q"], rel=1e-9)
    assert other["energies"].sum() == pytest.approx(one["energies"].sum(), rel=1e-9)


def test_what_is_welded_bears_on_the_springs_by_its_lever(file):
    vehicle = read_vehicle(welded(file, "body"))
    loads = axle_loads(vehicle, G)
    assert loads[:, 0].sum() == pytest.approx((18000 + 2 * 1813) * G)
    assert loads[:, 0] @ [6.0, -6.0] == pytest.approx(6000 * 3.0 * G)
    assert loads[:, 1].sum() == pytest.approx(6000 * 0.2 * G)
    assert vehicle.mass == 18000 + 2 * 1813


def test_a_disc_welded_to_an_axle_turns_with_it(file):
    disc = "  disc: {mass: 100 kg, inertia: [3, 6, 3], place: [6, 0.5, 0.46], welded: axle_1}\n"
    path = file("", ("wheelsets:", disc + "wheelsets:"))
    block, outs = bench(path, v_0=9.2)
    row = block.values["bodies"][1]
    c = 100 * 0.5 / 1913
    assert row[[b.MASS, b.I_YY, b.C_Y]] == pytest.approx([1913.0, 118.0, c])
    steiner = 1813 * c * c + 100 * (0.5 - c) ** 2
    assert row[[b.I_XX, b.I_ZZ]] == pytest.approx([1123.0 + steiner] * 2)
    assert not row[[b.C_X, b.C_Z, b.I_XY, b.I_YZ, b.I_XZ]].any()
    assert outs["motions"][3, 10] == outs["motions"][1, 10] > 19.0
    lean = axle_loads(read_vehicle(path), G) - axle_loads(read_vehicle(file()), G)
    assert lean[0] == pytest.approx([100 * G, 50 * G])


def test_boxes_ride_on_an_axle_that_has_a_disc(file):
    """Disc and box in either order of merging: mass, centre and inertia across the axle."""
    more = "  disc: {mass: 100 kg, inertia: [3, 6, 3], place: [6, 0.5, 0.46], welded: axle_1}\n"
    more += "  box: {mass: 200 kg, inertia: [2, 9, 5], place: [6, -1, 0.46], rides: axle_1}\n"
    block, _ = bench(file("", ("wheelsets:", more + "wheelsets:")))
    row = block.values["bodies"][1]
    m = np.array([1813.0, 100.0, 200.0])
    y = np.array([0.0, 0.5, -1.0])
    c = m @ y / m.sum()
    assert row[[b.MASS, b.C_Y]] == pytest.approx([2113.0, c])
    assert row[b.I_XX] == pytest.approx(1123.0 + m @ (y - c) ** 2)
    assert row[[b.RIDING_XX, b.RIDING_ZZ]] == pytest.approx([2.0, 5.0])


@pytest.mark.parametrize(
    ("weld", "message"),
    [
        ("place: [0, 0, 1], welded: bod", "'bod' is not a body; did you mean 'body'"),
        ("place: [0, 0, 1], welded: tank", "tank is welded to itself; expected a body that moves"),
        ("place: [6, 0, 1], welded: axle_1", "off its axis, where it would be out of balance"),
        ("place: [6, 0, 0.46], rides: axle_1, welded: body", "is a wheelset or rides on one"),
    ],
)
def test_mistakes_of_welds_are_told_with_their_lines(file, weld, message):
    tank = f"  tank: {{mass: 1, inertia: [1, 1, 1], {weld}}}\n"
    text = refused(file("", ("wheelsets:", tank + "wheelsets:")))
    assert message in text
    assert ".yaml:8:" in text


def test_an_element_inside_of_one_rigid_body_is_refused(file):
    more = "  rod: {joins: {tank: body}, height: 1 m, stiffness: [1, 1, 1]}\n"
    assert "rod_1 joins tank and body, which are one rigid body" in refused(
        welded(file, "body", more)
    )


# --- preloads ------------------------------------------------------------------------------------
def test_a_given_preload_as_computed_changes_nothing(file):
    with open(os.path.join(FOLDER, "manchester_wagon.yaml"), encoding="utf-8") as source:
        text = source.read()
    computed = static_loads(read_vehicle(os.path.join(FOLDER, "manchester_wagon.yaml")), G)
    given = text.replace("    stiffness: [31", f"    preload: {{z: {computed.forces[0, 2]:.17g}}}\n"
                         "    stiffness: [31")  # fmt: skip
    path = file()
    with open(path, "w", encoding="utf-8") as target:
        target.write(given)
    loads = static_loads(read_vehicle(path), G)
    assert loads.forces == pytest.approx(computed.forces, rel=1e-9)
    assert loads.moments == pytest.approx(computed.moments, abs=1e-6)


def test_what_a_preload_leaves_is_borne_by_the_other_springs(file):
    """One more spring over each axle that pushes up with 5 kN, mirrored to the sides."""
    more = "  extra:\n    joins: {body: axle_1, axle_2: body}\n    x: 6 m\n    side: 1 m\n"
    more = more.replace("{body: axle_1, axle_2: body}", "{body: axle_1}")
    more += "    height: 0.46 m\n    stiffness: [0, 0, 7 MN/m]\n    preload: {y: 300 N, z: 5 kN}\n"
    vehicle = read_vehicle(file(more))
    forces = static_loads(vehicle, G).forces
    assert forces[-2:].tolist() == [[0.0, 300.0, 5e3], [0.0, -300.0, 5e3]]
    assert -forces[:4, 2] == pytest.approx(
        np.array([1, 1, 1, 1]) * 18000 * G / 4 - [5e3, 5e3, 0, 0]
    )
    _, outs = bench(file(more))
    assert np.abs(outs["rates"][: b.STATES]).max() < 1e-6
    assert outs["forces"][-2:, :3] == pytest.approx(forces[-2:])


def test_a_vehicle_whose_preloads_do_not_carry_it_starts_to_move(file):
    """All springs 1 kN short: the body falls by what is missing over its mass."""
    weight = 18000 * G
    short = f"    preload: {{z: {1e3 - weight / 4}}}\n"
    _, outs = bench(file(short))
    assert outs["rates"][b.V_Z] == pytest.approx(-4e3 / 18000)
    assert outs["Q"].sum() == pytest.approx(weight - 4e3 + 2 * 1813 * G, rel=1e-9)


def test_a_lateral_preload_has_a_moment_that_springs_bear(file):
    """2 kN to the left on the body, 0.8 m below its centre, from both axles' middles."""
    more = "  pull:\n    joins: {body: axle_1}\n    x: 6 m\n    height: 0.46 m\n"
    more += "    stiffness: [0, 5, 0]\n    preload: {y: 2 kN}\n"
    vehicle = read_vehicle(file(more))
    forces = static_loads(vehicle, G).forces
    left, right = -forces[[0, 2], 2], -forces[[1, 3], 2]
    assert (left - right).sum() * 1.0 == pytest.approx(-2e3 * 1.04)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("    preload: 5 kN\n", "preload is '5 kN'; expected a mapping"),
        ("    preload: {w: 5 kN}\n", "'w' is not a field here; expected x, y, z"),
        ("    preload: {z: 5 m}\n", "5 m has unit m; expected a force (N)"),
        (
            "    bearing: false\n    preload: {z: 5}\n",
            "an element that is not bearing has no vertic",
        ),
    ],
)
def test_mistakes_of_preloads_are_told(file, more, message):
    text = refused(file(more))
    assert message in text
    assert f".yaml:{LINE + len(more.splitlines())}:" in text


# --- start states --------------------------------------------------------------------------------
def test_a_vehicle_starts_displaced_and_faster(file):
    start = (
        "start:\n  body: {s: 1 mm, y: 2 mm, z: 3 mm, v_x: 0.1 m/s, v_y: 0.2 m/s, v_z: 0.3 m/s}\n"
    )
    start += "  axle_2: {yaw: 1 mrad, omega_y: 2 rad/s}\n"
    one, _ = bench(file(), v_0=10.0)
    other, outs = bench(file(start), v_0=10.0)
    change = (other.values["q_0"] - one.values["q_0"]).reshape(3, b.STATES)
    expected = np.zeros((3, b.STATES))
    expected[0, [b.X, b.Y, b.Z, b.V_X, b.V_Y, b.V_Z]] = [1e-3, 2e-3, 3e-3, 0.1, 0.2, 0.3]
    expected[2, b.PSI] = 1e-3
    expected[2, b.W_Y] = 2.0 * np.cos(1e-3)
    expected[2, b.W_X] = 2.0 * np.sin(1e-3)
    assert change == pytest.approx(expected, abs=1e-15)
    assert outs["alpha"] == pytest.approx([0.0, 1e-3])


def test_a_displaced_body_has_the_energy_of_its_springs(file):
    """Lifted by 10 mm: k z^2 / 2 of four springs, its weight having been in balance."""
    _, rest = bench(file())
    _, outs = bench(file("start: {body: {z: 10 mm}}\n"))
    change = (outs["energies"] - rest["energies"]).sum()
    assert change == pytest.approx(0.5 * 4e6 * 0.01**2, rel=1e-6)


def test_dampers_in_series_have_given_way_at_the_start(file):
    more = DAMPER + "    damping: [5, 5 kN*s/m, 0]\n    series: [0, 1 MN/m, 0]\n"
    block, outs = bench(file(more + "start: {body: {y: 10 mm}}\n"))
    assert block.values["q_0"][-1] == pytest.approx(-0.01)
    assert outs["forces"][-1, 1] == pytest.approx(0.0, abs=1e-9)
    assert int(block.values["elements"][-1, el.INNER]) == 3 * b.STATES


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("{bdy: {y: 1}}", "'bdy' is not a body; did you mean 'body'"),
        ("{body: {y: 1 s}}", "1 s has unit s; expected a length (m)"),
        ("{body: {x: 1}}", "'x' is not a field here"),
        ("{box: {y: 1 mm}}", "box rides on axle_1: of its own it has pitch and omega_y; give y of"),
        ("{disc: {y: 1 mm}}", "disc is welded to axle_1; give the start of that body"),
    ],
)
def test_mistakes_of_start_states_are_told_with_their_lines(file, start, message):
    more = "  disc: {mass: 100 kg, inertia: [3, 6, 3], place: [6, 0.5, 0.46], welded: axle_1}\n"
    more += "  box: {mass: 200 kg, inertia: [2, 9, 5], place: [6, -1, 0.46], rides: axle_1}\n"
    text = refused(file(f"start: {start}\n", ("wheelsets:", more + "wheelsets:")))
    assert message in text
    assert f".yaml:{LINE + 3}:" in text
