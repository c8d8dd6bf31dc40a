"""Every term of a force element alone: its axis, its point, its energy; and in a changed world.

A term goes through all of this by being in `TERMS`; one that is not there fails.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.vehicle.tables import both_ways
from railblocks.engine import compiled
from railblocks.engine.functions.functions import interpreted
from scipy.spatial.transform import Rotation

STOP = np.array([[0.002, 40.0], [0.01, 200.0], [0.03, 1000.0]])
"""Starts above zero, so that it goes on down to nothing."""
DAMPER = np.array(both_ways(((0.0, 0.0), (0.1, 50.0), (0.3, 250.0), (0.8, 300.0))))
"""A soft start, then a steep part, then a blow-off force; straight on beyond its ends."""
CURVES = np.concatenate([STOP, DAMPER])
CURVED = {el.CURVE: 1 + len(STOP), el.CURVE_LAST: len(CURVES) - 1}
INNER, AXES = 2 * b.STATES, {"x": 0, "y": 1, "z": 2}


@dataclass(frozen=True)
class Term:
    """A term along or about one axis: which columns it sets, to what, and what it depends on."""

    columns: dict
    turns: bool = False
    stored: bool = True


TERMS = {
    "k": Term({el.K: 3e4}),
    "c": Term({el.C: 500.0}, stored=False),
    "curve": Term(CURVED, stored=False),
    "curve_in_series": Term(CURVED | {el.SERIES: 2e4}),
    "series": Term({el.C: 500.0, el.SERIES: 2e4}),
    "f_0": Term({el.F_0: 900.0}),
    "offset": Term({el.K: 3e4, el.OFFSET: 0.004}),
    "stop": Term({el.STOP: 1.5}),
    "k_r": Term({el.K_R: 4e3}, turns=True),
    "c_r": Term({el.C_R: 60.0}, turns=True, stored=False),
    "m_0": Term({el.M_0: 70.0}, turns=True),
}
CASES = [(name, axis) for name in TERMS for axis in AXES]
each_term = pytest.mark.parametrize(("name", "axis"), CASES)
WIDE = {el.P_I, el.P_J, el.OFFSET, el.K, el.C, el.F_0, el.K_R, el.C_R, el.M_0, el.SERIES, *CURVED}
"""Columns of three numbers."""
PLACED = {el.I_BODY, el.J_BODY, el.P_I, el.P_J, el.STOP_AXIS, el.STOP_FIRST, el.STOP_LAST, el.INNER}
"""Columns that say where an element is; no terms of their own."""


def test_every_column_is_a_term_or_a_place():
    known = PLACED | {column for term in TERMS.values() for column in term.columns}
    covered = {column + k for column in known for k in range(3 if column in WIDE else 1)}
    assert covered == set(range(el.COLUMNS))


def element(name, axis, i=0, j=1, p_i=(0.0, 0.0, 0.0), p_j=(0.0, 0.0, 0.0), sign=1.0):
    """The row of one term; sign is -1 for the same element with its ends swapped."""
    row, k = np.zeros(el.COLUMNS), AXES[axis]
    row[[el.I_BODY, el.J_BODY]] = i, j
    row[el.P_I : el.P_I + 3], row[el.P_J : el.P_J + 3] = p_i, p_j
    for column, value in TERMS[name].columns.items():
        odd = column in (el.F_0, el.M_0, el.OFFSET)
        row[column + (k if column in WIDE else 0)] = value * (sign if odd else 1.0)
    row[[el.STOP_AXIS, el.STOP_LAST, el.INNER]] = k, len(STOP) - 1, INNER
    return row[None]


def table(*axles):
    """Two bodies; those given are axles."""
    rows = np.zeros((2, b.COLUMNS))
    rows[:, : b.I_ZZ + 1] = 3.0, 1.0, 1.0, 1.0
    rows[list(axles), b.AXLE] = 1.0
    return rows


def loads(q, row, bodies=None, how=interpreted):
    """Force and moment on both bodies, about their reference points, and rates of the damper."""
    out = np.zeros_like(q)
    how(el.add_elements)(q, table() if bodies is None else bodies, row, CURVES, out)
    return out[6:12], out[b.STATES + 6 : b.STATES + 12], out[INNER:]


def energy(q, row, bodies=None):
    return el.elastic_energy(q, table() if bodies is None else bodies, row, CURVES)


def still():
    return np.zeros(INNER + 1)


def tumbling(seed, size=0.4):
    """Any two bodies near each other, turned and moving."""
    random = np.random.default_rng(seed)
    q = random.uniform(-1.0, 1.0, INNER + 1)
    for o in (0, b.STATES):
        q[o : o + 3] *= 0.02
        q[o + b.PSI : o + b.THETA + 1] *= size
    q[-1] *= 0.01
    return q


def attitude(q, o=0):
    return Rotation.from_euler("ZXY", q[[o + b.PSI, o + b.PHI, o + b.THETA]])


def spin(q, o=0):
    """Angular velocity in space."""
    return Rotation.from_euler("ZX", q[[o + b.PSI, o + b.PHI]]).apply(q[o + b.W_X : o + b.W_Z + 1])


def set_body(q, o, x, R, v, w):
    """Writes place, attitude, velocity and angular velocity of a body into its states."""
    q[o : o + 3], q[o + b.V_X : o + b.V_Z + 1] = x, v
    q[[o + b.PSI, o + b.PHI, o + b.THETA]] = R.as_euler("ZXY")
    frame = Rotation.from_euler("ZX", q[[o + b.PSI, o + b.PHI]])
    q[o + b.W_X : o + b.W_Z + 1] = frame.inv().apply(w)


def moved(q, T=None, shift=(0, 0, 0), drift=(0, 0, 0), whirl=(0, 0, 0)):
    """The same two bodies in a world turned by T, shifted, and moving as a whole."""
    T, out = T or Rotation.identity(), q.copy()
    for o in (0, b.STATES):
        x = T.apply(q[o : o + 3]) + shift
        v = T.apply(q[o + b.V_X : o + b.V_Z + 1]) + drift + np.cross(whirl, x)
        set_body(out, o, x, T * attitude(q, o), v, T.apply(spin(q, o)) + whirl)
    return out


# --- its own axis --------------------------------------------------------------------------------
PUSHES = [b.X, b.Y, b.Z, b.PHI, b.THETA, b.PSI]
LINEAR = {"k": 3e4, "series": 2e4, "k_r": 4e3, "c": 500.0, "c_r": 60.0, "curve": 500.0}
LINEAR |= {"curve_in_series": 2e4}
CONSTANT = {"f_0": 900.0, "offset": 3e4 * 0.004, "stop": -1.5 * 100.0, "m_0": 70.0}


def test_every_term_is_linear_or_constant():
    assert set(LINEAR) | set(CONSTANT) == set(TERMS)


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("axis", AXES)
def test_a_linear_term_acts_along_its_own_axis_only(name, axis):
    """Displaced, or moving, along and about each axis: only the own one gives a load, along it."""
    h, row = 1e-7, element(name, axis)
    expected = np.zeros((6, 6))
    own = AXES[axis] + (3 if TERMS[name].turns else 0)
    expected[own, own] = -LINEAR[name]
    for push in range(6):
        ahead, behind = still(), still()
        place = b.V_X + push if name in ("c", "c_r", "curve") else PUSHES[push]
        ahead[place] += h
        behind[place] -= h
        slope = (loads(ahead, row)[0] - loads(behind, row)[0]) / (2 * h)
        assert slope == pytest.approx(expected[:, push], abs=1e-6 * LINEAR[name])


@pytest.mark.parametrize("name", CONSTANT)
@pytest.mark.parametrize("axis", AXES)
def test_a_constant_term_acts_along_its_own_axis_only(name, axis):
    """A stop is pushed in by 5 mm, where its table has 100 N."""
    q, k = still(), AXES[axis]
    q[k] = 0.005 if name == "stop" else 0.0
    expected = np.zeros(6)
    expected[k + (3 if TERMS[name].turns else 0)] = CONSTANT[name]
    assert loads(q, element(name, axis))[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("about", AXES)
def test_a_static_force_follows_half_of_the_turn(axis, about):
    q, angle, n = still(), 0.3, np.eye(3)[AXES[about]]
    set_body(q, 0, np.zeros(3), Rotation.from_rotvec(angle * n), np.zeros(3), np.zeros(3))
    expected = Rotation.from_rotvec(0.5 * angle * n).apply(900.0 * np.eye(3)[AXES[axis]])
    assert loads(q, element("f_0", axis))[0] == pytest.approx([*expected, 0, 0, 0], abs=1e-9)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("other", AXES)
def test_a_turn_about_one_axis_gives_the_sine_of_its_angle_whatever_else_is_stiff(axis, other):
    """k_r of two axes together: a turn about the one does not feel the other."""
    q, row, angle = still(), element("k_r", axis), 0.4
    row[0, el.K_R + AXES[other]] = 4e3
    n = np.eye(3)[AXES[axis]]
    set_body(q, 0, np.zeros(3), Rotation.from_rotvec(angle * n), np.zeros(3), np.zeros(3))
    assert loads(q, row)[0][3:] == pytest.approx(-4e3 * np.sin(angle) * n, abs=1e-9)


# --- its own point -------------------------------------------------------------------------------
@each_term
def test_a_force_acts_at_its_point_and_a_moment_anywhere(name, axis):
    p = np.array([0.3, -0.7, 0.45])
    q = still()
    q[:3], q[b.V_X : b.V_Z + 1] = 0.005, 0.4
    at_reference = loads(q, element(name, axis))
    away = loads(q, element(name, axis, p_i=p, p_j=p))
    for here, there, middle in zip(at_reference[:2], away[:2], (p, p), strict=True):
        assert there[:3] == pytest.approx(here[:3], abs=1e-9)
        assert there[3:] == pytest.approx(here[3:] + np.cross(middle, here[:3]), abs=1e-9)


# --- its energy ----------------------------------------------------------------------------------
def pushed(q, o, push, h):
    """A body moved by h along, or turned by h about, an axis in space."""
    out, n = q.copy(), np.eye(3)[push % 3]
    x = q[o : o + 3] + (h * n if push < 3 else 0.0)
    R = attitude(q, o)
    R = Rotation.from_rotvec(h * n) * R if push >= 3 else R
    set_body(out, o, x, R, q[o + b.V_X : o + b.V_Z + 1], spin(q, o))
    return out


@pytest.mark.parametrize("name", [name for name in TERMS if TERMS[name].stored])
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("seed", range(3))
def test_loads_are_the_slope_of_the_energy(name, axis, seed):
    """In any attitude, at any points, on both bodies: work and energy are one."""
    p_i, p_j = np.random.default_rng(seed).uniform(-0.5, 0.5, (2, 3))
    row, q, h = element(name, axis, p_i=p_i, p_j=p_j), tumbling(seed), 1e-6
    q[b.V_X : b.STATES] = q[b.STATES + b.V_X : INNER] = 0.0
    result = loads(q, row)
    for k, o in enumerate((0, b.STATES)):
        for push in range(6):
            ahead, behind = (energy(pushed(q, o, push, d), row) for d in (h, -h))
            size = max(np.abs(result[0]).max(), 1.0)
            assert result[k][push] == pytest.approx(-(ahead - behind) / (2 * h), abs=2e-6 * size)


@each_term
@pytest.mark.parametrize("seed", range(3))
def test_power_becomes_energy_and_heat(name, axis, seed):
    """The work of both loads on moving, turning bodies is -E' less what dampers take."""
    p_i, p_j = np.random.default_rng(seed).uniform(-0.5, 0.5, (2, 3))
    row, q, h = element(name, axis, p_i=p_i, p_j=p_j), tumbling(seed), 1e-7
    one, other, inner = loads(q, row)
    power = 0.0
    for load, o in ((one, 0), (other, b.STATES)):
        power += load[:3] @ q[o + b.V_X : o + b.V_Z + 1] + load[3:] @ spin(q, o)
    heat = el.damping_power(q, table(), row, CURVES)
    sides = []
    for d in (h, -h):
        later = q.copy()
        for o in (0, b.STATES):
            R = Rotation.from_rotvec(d * spin(q, o)) * attitude(q, o)
            v = q[o + b.V_X : o + b.V_Z + 1]
            set_body(later, o, q[o : o + 3] + d * v, R, v, spin(q, o))
        later[INNER:] += d * inner
        sides.append(energy(later, row))
    assert heat >= 0.0
    size = max(abs(power), np.abs(one).max(), 1.0)
    assert power + heat == pytest.approx(-(sides[0] - sides[1]) / (2 * h), abs=1e-6 * size)


def test_a_stop_that_starts_above_zero_has_the_energy_of_its_force():
    """Down from 40 N at 2 mm by 20 kN/m to nothing at 0, then to its points, and on beyond them."""
    areas = {0.001: 0.01, 0.002: 0.04, 0.01: 0.04 + 0.96, 0.03: 1.0 + 12.0, 0.035: 13.0 + 5.5}
    for d, area in areas.items():
        for sign in (1.0, -1.0):
            assert el.stop_energy(STOP, sign * d) == pytest.approx(area, abs=1e-12)


def test_a_stop_whose_line_reaches_zero_on_the_way_has_no_energy_before():
    """100 N at 10 mm and 300 N at 20 mm: nothing up to 5 mm."""
    stop = np.array([[0.01, 100.0], [0.02, 300.0]])
    assert el.stop_energy(stop, 0.004) == 0.0
    assert el.stop_energy(stop, 0.01) == pytest.approx(0.5 * 100.0 * 0.005)
    assert el.stop_energy(stop, -0.02) == pytest.approx(0.25 + 2.0)


# --- a changed world -----------------------------------------------------------------------------
TURN = Rotation.from_rotvec([0.5, -0.3, 0.8])


def turned(load, T):
    return np.concatenate([T.apply(load[:3]), T.apply(load[3:])])


@each_term
@pytest.mark.parametrize("seed", range(2))
def test_a_turned_shifted_and_moving_world_has_turned_loads(name, axis, seed):
    """Turning as a whole, too: no damper feels it, since its axes turn along."""
    row = element(name, axis, p_i=(0.2, 0.1, -0.3), p_j=(-0.1, 0.3, 0.2))
    q = tumbling(seed)
    there = moved(q, TURN, shift=(30.0, -20.0, 5.0), drift=(4.0, 1.0, -2.0), whirl=(0.3, 0.6, -0.4))
    for here, load in zip(loads(q, row), loads(there, row), strict=True):
        expected = turned(here, TURN) if len(here) == 6 else here
        assert load == pytest.approx(expected, abs=1e-9 * max(np.abs(here).max(), 1.0))


@each_term
@pytest.mark.parametrize("seed", range(2))
def test_swapped_ends_change_nothing(name, axis, seed):
    p_i, p_j = (0.2, 0.1, -0.3), (-0.1, 0.3, 0.2)
    q = tumbling(seed)
    swapped = q.copy()
    swapped[INNER:] *= -1.0
    one = loads(q, element(name, axis, p_i=p_i, p_j=p_j))
    other = loads(swapped, element(name, axis, 1, 0, p_j, p_i, sign=-1.0))
    for here, there in zip(one[:2], other[:2], strict=True):
        assert there == pytest.approx(here, abs=1e-9 * max(np.abs(here).max(), 1.0))
    assert other[2] == pytest.approx(-one[2], abs=1e-9)


@each_term
def test_action_and_reaction_balance(name, axis):
    q, row = tumbling(3), element(name, axis, p_i=(0.2, 0.1, -0.3), p_j=(-0.1, 0.3, 0.2))
    one, other, _ = loads(q, row)
    size = max(np.abs(one).max(), 1.0)
    assert one[:3] + other[:3] == pytest.approx(np.zeros(3), abs=1e-9 * size)
    moment = one[3:] + other[3:]
    moment += np.cross(q[:3], one[:3]) + np.cross(q[b.STATES : b.STATES + 3], other[:3])
    assert moment == pytest.approx(np.zeros(3), abs=1e-9 * size)


MIRROR = np.array([1, -1, 1, -1, -1, 1, 1, -1, 1, -1, 1, -1])
"""Signs of a body's states in a mirror that swaps left and right."""


@each_term
def test_a_mirrored_world_has_mirrored_loads(name, axis):
    """Static loads and offsets that the mirror turns round are turned round in the element."""
    q, p_i, p_j = tumbling(5), np.array([0.2, 0.1, -0.3]), np.array([-0.1, 0.3, 0.2])
    flip = np.array([1.0, -1.0, 1.0])
    turns = name in ("k_r", "c_r", "m_0")
    sign = flip[AXES[axis]] if not turns else -flip[AXES[axis]]
    other = np.append(np.tile(MIRROR, 2), flip[AXES[axis]]) * q
    here = loads(q, element(name, axis, p_i=p_i, p_j=p_j))
    there = loads(other, element(name, axis, p_i=flip * p_i, p_j=flip * p_j, sign=sign))
    expected = np.concatenate([flip * here[0][:3], -flip * here[0][3:]])
    assert there[0] == pytest.approx(expected, abs=1e-9 * max(np.abs(expected).max(), 1.0))


SCALES = {el.OFFSET: 1, el.F_0: 1, el.K_R: 2, el.C_R: 2, el.M_0: 2}
"""Powers of length in terms whose stiffness and damping stay the same."""


@each_term
def test_a_scaled_world_has_scaled_loads(name, axis):
    """Lengths by 0.2, angles and times alike: forces by 0.2, moments by 0.04."""
    q, factor = tumbling(6), 0.2
    row = element(name, axis, p_i=(0.2, 0.1, -0.3), p_j=(-0.1, 0.3, 0.2))
    small, there = row.copy(), q.copy()
    small[:, el.P_I : el.P_J + 3] *= factor
    for column, power in SCALES.items():
        small[:, column : column + 3] *= factor**power
    for o in (0, b.STATES):
        there[o : o + 3] *= factor
        there[o + b.V_X : o + b.V_Z + 1] *= factor
    there[INNER:] *= factor
    out = np.zeros_like(q)
    el.add_elements(there, table(), small, CURVES * factor, out)
    for load, o in zip(loads(q, row)[:2], (0, b.STATES), strict=True):
        expected = load * np.repeat([factor, factor * factor], 3)
        size = max(np.abs(expected).max(), 1.0)
        assert out[o + 6 : o + 12] == pytest.approx(expected, abs=1e-12 * size)


# --- axles ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [name for name in TERMS if not TERMS[name].turns])
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("axle", [0, 1])
def test_an_element_on_the_axis_of_an_axle_does_not_drive_it(name, axis, axle):
    """However it is deflected; it acts at the axle's own point, in axes of the other body."""
    side = (0.0, 0.8, 0.0)
    points = (
        {"p_i": side, "p_j": (0.1, 0.7, 0.2)}
        if axle == 0
        else {"p_i": (0.1, 0.7, 0.2), "p_j": side}
    )
    q, bodies = tumbling(7), table(axle)
    q[b.STATES * axle + b.W_Y], q[b.STATES * axle + b.THETA] = 60.0, 2.0
    row = element(name, axis, **points)
    load = loads(q, row, bodies)[axle]
    o = b.STATES * axle
    along = Rotation.from_euler("ZX", q[[o + b.PSI, o + b.PHI]]).apply([0.0, 1.0, 0.0])
    size = max(np.abs(load).max(), 1.0)
    assert load[3:] @ along == pytest.approx(0.0, abs=1e-9 * size)
    assert load[3:] == pytest.approx(np.cross(0.8 * along, load[:3]), abs=1e-9 * size)
    turned_on = q.copy()
    turned_on[o + b.THETA] += 1.3
    assert np.array_equal(loads(turned_on, row, bodies)[axle], load)
    swapped = {"i": 1, "j": 0, "p_i": points["p_j"], "p_j": points["p_i"], "sign": -1.0}
    q[INNER:] *= -1.0
    assert loads(q, element(name, axis, **swapped), bodies)[axle] == pytest.approx(
        load, abs=1e-9 * size
    )


@each_term
def test_compiled_equals_interpreted(name, axis):
    q, row = tumbling(11), element(name, axis, p_i=(0.2, 0.1, -0.3), p_j=(-0.1, 0.3, 0.2))
    for fast, slow in zip(loads(q, row, how=compiled), loads(q, row), strict=True):
        assert np.array_equal(fast, slow)
    energies = (how(el.elastic_energy)(q, table(), row, CURVES) for how in (compiled, interpreted))
    assert len(set(energies)) == 1
