"""Rigid bodies and force elements: free motion, energy, momentum, equilibrium."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.engine import compiled
from railblocks.engine.functions.functions import interpreted
from scipy.integrate import cumulative_simpson, simpson, solve_ivp
from scipy.spatial.transform import Rotation

NO_STOP = np.array([[0.0, 0.0], [1.0, 0.0]])
G = 9.81


def body(mass=2.0, inertia=(1.0, 2.0, 3.0), products=(0, 0, 0), centre=(0, 0, 0), axle=0, held=()):
    row = np.zeros(b.COLUMNS)
    row[: b.AXLE + 1] = [mass, *inertia, *products, *centre, axle]
    row[[b.HELD + k for k in held]] = 1.0
    return row


def element(i, j, p_i=(0, 0, 0), p_j=(0, 0, 0), **numbers):
    row = np.zeros(el.COLUMNS)
    row[[el.I_BODY, el.J_BODY]] = i, j
    row[el.P_I : el.P_I + 3], row[el.P_J : el.P_J + 3] = p_i, p_j
    for name, place in (
        ("k", el.K),
        ("c", el.C),
        ("f_0", el.F_0),
        ("k_r", el.K_R),
        ("c_r", el.C_R),
    ):
        row[place : place + 3] = numbers.get(name, (0, 0, 0))
    row[el.OFFSET : el.OFFSET + 3] = numbers.get("offset", (0, 0, 0))
    row[[el.STOP, el.STOP_AXIS]] = numbers.get("stop", 0.0), numbers.get("stop_axis", 1)
    row[el.STOP_LAST] = numbers.get("stop_points", 4) - 1
    row[el.SERIES : el.SERIES + 3] = numbers.get("series", (0, 0, 0))
    row[el.INNER] = numbers.get("inner", 0)
    return row


def rates_of(table, links=None, g=G, stop=NO_STOP):
    links = np.zeros((0, el.COLUMNS)) if links is None else np.array(links)

    def rates(_, q):
        out = np.zeros_like(q)
        compiled(b.clear_loads)(table, g, q, out)
        compiled(el.add_elements)(q, table, links, stop, out)
        compiled(b.accelerate)(table, q, out)
        return out

    return rates


def run(rates, q, stop, **options):
    options = {"rtol": 1e-11, "atol": 1e-12, **options}
    return solve_ivp(rates, (0, stop), q, method="DOP853", **options)


def spinning(**where):
    q = np.zeros(b.STATES)
    for name, value in where.items():
        q[getattr(b, name)] = value
    return q


def attitude(q):
    return Rotation.from_euler("ZXY", q[[b.PSI, b.PHI, b.THETA]]).as_matrix()


def test_a_thrown_body_falls_on_a_parabola():
    q = spinning(V_X=3.0, V_Z=4.0)
    end = run(rates_of(np.array([body()])), q, 1.3).y[:, -1]
    assert end[[b.X, b.Z]] == pytest.approx([3.9, 4 * 1.3 - 0.5 * G * 1.69], rel=1e-12)


def test_a_free_body_keeps_angular_momentum_and_energy():
    """A body that turns about its middle axis, with a roll that stays below 90 degrees."""
    table = np.array([body(inertia=(1.0, 2.0, 3.0), products=(0.1, -0.2, 0.05))])
    q = spinning(W_X=0.4, W_Y=3.0, W_Z=0.3, PHI=0.1, PSI=0.3)
    motion = run(rates_of(table, g=0.0), q, 5.0)

    def momentum(q):
        R_f = Rotation.from_euler("ZX", q[[b.PSI, b.PHI]]).as_matrix()
        R = attitude(q)
        J = np.array([[1.0, 0.1, 0.05], [0.1, 2.0, -0.2], [0.05, -0.2, 3.0]])
        omega = R_f @ q[[b.W_X, b.W_Y, b.W_Z]]
        return R @ J @ R.T @ omega

    assert np.abs(motion.y[b.PHI]).max() < 1.4
    first, last = momentum(motion.y[:, 0]), momentum(motion.y[:, -1])
    assert last == pytest.approx(first, abs=1e-8)
    energies = [b.energy(table, 0.0, motion.y[:, k].copy()) for k in (0, -1)]
    assert energies[1] == pytest.approx(energies[0], rel=1e-9)


def test_angular_velocity_belongs_to_the_attitude():
    """R' R^T is the cross product with omega."""
    q = spinning(W_X=0.4, W_Y=-1.0, W_Z=0.3, PHI=0.2, PSI=-0.5, THETA=0.7)
    rate = rates_of(np.array([body()]), g=0.0)(0, q)
    h = 1e-6
    step = attitude(q + h * rate) - attitude(q - h * rate)
    W = step / (2 * h) @ attitude(q).T
    R_f = Rotation.from_euler("ZX", q[[b.PSI, b.PHI]]).as_matrix()
    omega = R_f @ q[[b.W_X, b.W_Y, b.W_Z]]
    assert [W[2, 1], W[0, 2], W[1, 0]] == pytest.approx(omega, abs=1e-8)


def test_an_unbalanced_axle_in_bearings_shakes_with_m_e_omega_squared():
    """Held at its reference point by stiff springs, it pulls them round with m e omega^2."""
    m, e, spin = 10.0, 1e-4, 50.0
    table = np.array([body(m, (1, 0.3, 1), centre=(e, 0, 0), axle=1, held=(3,))])
    table[0, b.HELD + 3] = 0.0
    k, c = 1e8, 5e4
    springs = [element(0, -1, (0, s, 0), (0, s, 0), k=(k, k, k), c=(c, c, c)) for s in (-0.5, 0.5)]
    motion = run(rates_of(table, springs, g=0.0), spinning(W_Y=spin), 2.0, rtol=1e-9)
    late = motion.t > 1.5
    force = 2 * k * motion.y[b.X][late]
    assert np.abs(force).max() == pytest.approx(m * e * spin**2, rel=0.02)


def test_a_round_axle_does_not_notice_its_own_rotation():
    table = np.array([body(axle=1, inertia=(3.0, 2.0, 3.0))])
    rates = rates_of(table, [element(0, -1, (0, 1, 0), (0, 1, 0), k=(9, 8, 7))])
    one, other = spinning(W_Y=7.0, PHI=0.1, Z=0.2), spinning(W_Y=7.0, PHI=0.1, Z=0.2, THETA=2.3)
    assert rates(0, one) == pytest.approx(rates(0, other), abs=1e-12)


def test_two_sprung_bodies_conserve_energy_and_momentum():
    table = np.array([body(3.0, (0.5, 0.7, 0.6)), body(5.0, (0.8, 1.1, 0.9), axle=0)])
    links = [
        element(0, 1, (0.3, 0.2, -0.4), (0.25, 0.2, 0.5), k=(300, 200, 400), offset=(0, 0, 0.1)),
        element(0, 1, (-0.3, -0.2, -0.4), (-0.3, -0.1, 0.5), k=(250, 150, 500), k_r=(5, 7, 9)),
    ]
    q = np.zeros(24)
    q[[b.Z, b.V_Y, b.W_X, b.W_Z]] = 1.0, 0.3, 0.5, -0.4
    q[12 + b.W_Y] = 0.6
    motion = run(rates_of(table, links, g=0.0), q, 3.0)

    def energy(k):
        state = motion.y[:, k].copy()
        stored = el.elastic_energy(state, table, np.array(links), NO_STOP)
        return b.energy(table, 0.0, state) + stored

    assert energy(-1) == pytest.approx(energy(0), rel=1e-9)
    for axis in (b.V_X, b.V_Y, b.V_Z):
        total = 3.0 * motion.y[axis] + 5.0 * motion.y[12 + axis]
        assert total == pytest.approx(np.full_like(total, total[0]), abs=1e-9)


def test_action_and_reaction_leave_no_moment():
    """Rates of a free pair: total angular momentum about the origin does not change."""
    table = np.array([body(3.0, (1, 1, 1)), body(5.0, (2, 2, 2))])
    link = [element(0, 1, (0.3, 0.2, -0.4), (0.2, 0.1, 0.5), k=(300, 200, 400), k_r=(5, 7, 9))]
    q = np.zeros(24)
    q[[b.X, b.Y, b.Z, b.PHI]] = 0.1, -0.2, 1.1, 0.1
    rate = rates_of(table, link, g=0.0)(0, q)
    total = np.zeros(3)
    for k, (m, J) in enumerate(((3.0, 1.0), (5.0, 2.0))):
        o = 12 * k
        R_f = Rotation.from_euler("ZX", q[[o + b.PSI, o + b.PHI]]).as_matrix()
        total += m * np.cross(q[o : o + 3], rate[o + b.V_X : o + b.V_X + 3])
        total += J * R_f @ rate[o + b.W_X : o + b.W_X + 3]
    assert total == pytest.approx(np.zeros(3), abs=1e-9)


def test_a_mass_on_a_spring_has_its_closed_form_frequency_and_damping():
    table = np.array([body(4.0, held=(0, 1, 3))])
    link = [element(0, -1, k=(0, 0, 100.0), c=(0, 0, 2.0), f_0=(0, 0, 4.0 * G))]
    motion = run(rates_of(table, link), spinning(Z=0.1), 3.0, t_eval=[3.0])
    sigma, omega = 0.25, math.sqrt(25 - 0.0625)
    exact = 0.1 * math.exp(-3 * sigma) * (math.cos(3 * omega) + sigma / omega * math.sin(3 * omega))
    assert motion.y[b.Z, -1] == pytest.approx(exact, abs=1e-10)


def test_a_stop_is_odd_and_follows_its_table():
    table = np.array([[0.0, 0.0], [0.025, 0.0], [0.03, 600.0], [0.035, 1760.0]])
    for d, force in ((0.0, 0.0), (0.02, 0.0), (0.0275, 300.0), (0.035, 1760.0), (0.04, 2920.0)):
        assert el.stop_force(table, d) == pytest.approx(force, abs=1e-9)
        assert el.stop_force(table, -d) == pytest.approx(-force, abs=1e-9)


def test_energy_of_a_stop_is_the_work_of_its_force():
    table = np.array([[0.0, 0.0], [0.025, 0.0], [0.03, 600.0], [0.035, 1760.0]])
    areas = {0.02: 0.0, 0.03: 1.5, 0.0325: 1.5 + 0.5 * (600 + 1180) * 0.0025, 0.04: 7.4 + 11.7}
    for d, area in areas.items():
        assert el.stop_energy(table, d) == pytest.approx(area, abs=1e-12)
        assert el.stop_energy(table, -d) == pytest.approx(area, abs=1e-12)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_stop_acts_along_its_axis(axis):
    table = np.array([body()])
    stop = np.array([[0.0, 0.0], [0.01, 0.0], [0.02, 500.0], [0.03, 2000.0]])
    link = np.array([element(0, -1, stop=2.0, stop_axis=axis)])
    q = np.zeros(12)
    q[axis] = 0.015
    rates = rates_of(table, link, g=0.0, stop=stop)(0.0, q)
    assert rates[6 + axis] * table[0, b.MASS] == pytest.approx(-2.0 * 250.0)


def test_a_damper_in_series_relaxes_as_maxwell_says():
    """A point held at d: the force is k_s d exp(-k_s t / c), while a free end follows at once."""
    k_s, c, d = 2000.0, 50.0, 0.01
    link = np.array([element(0, -1, c=(0, 0, c), series=(0, 0, k_s), inner=12)])
    table = np.array([body(held=(0, 1, 2, 3))])
    q = np.zeros(13)
    q[2] = d
    motion = run(rates_of(table, link, g=0.0), q, 0.05, rtol=1e-10, atol=1e-13, dense_output=True)
    for t in (0.0, 0.01, 0.03, 0.05):
        assert d - motion.sol(t)[12] == pytest.approx(d * math.exp(-k_s * t / c), rel=1e-7)


def test_a_damper_in_series_takes_what_the_energy_loses():
    table = np.array([body()])
    link = np.array(
        [element(0, -1, k=(0, 0, 300.0), c=(0, 0, 20.0), series=(0, 0, 900.0), inner=12)]
    )
    q = np.zeros(13)
    q[2] = 0.1
    motion = run(rates_of(table, link, g=0.0), q, 2.0, rtol=1e-11, atol=1e-13, dense_output=True)
    times = np.linspace(0.0, 2.0, 20001)
    states = [np.ascontiguousarray(x) for x in motion.sol(times).T]
    heat = [el.damping_power(x, table, link, NO_STOP) for x in states]
    stored = [b.energy(table, 0.0, x) + el.elastic_energy(x, table, link, NO_STOP) for x in states]
    lost = cumulative_simpson(heat, x=times, initial=0.0)
    assert np.array(stored) + lost == pytest.approx(stored[0], abs=1e-6)
    assert lost[-1] > 0.5


def test_a_mass_between_stops_keeps_its_energy():
    table = np.array([body(4.0, held=(0, 2, 3))])
    stop = np.array([[0.0, 0.0], [0.025, 0.0], [0.03, 600.0], [0.035, 1760.0]])
    link = np.array([element(0, -1, k=(0, 50.0, 0), offset=(0, 0.004, 0), stop=0.5)])
    motion = run(rates_of(table, link, g=0.0, stop=stop), spinning(V_Y=1.2), 0.3, max_step=1e-4)
    states = motion.y.T.copy()
    energies = [b.energy(table, 0.0, q) + el.elastic_energy(q, table, link, stop) for q in states]
    assert motion.y[b.Y].max() > 0.03
    assert energies == pytest.approx(np.full(len(energies), energies[0]), rel=1e-8)


def test_dampers_take_what_a_sprung_pair_loses():
    table = np.array([body(3.0, (0.5, 0.7, 0.6)), body(5.0, (0.8, 1.1, 0.9))])
    link = [element(0, 1, (0.3, 0.2, -0.4), (0.3, 0.1, 0.5), k=(300, 200, 400), k_r=(5, 7, 9),
                    c=(3, 4, 5), c_r=(0.1, 0.2, 0.3))]  # fmt: skip
    q = np.zeros(24)
    q[[b.Z, b.V_Y, b.W_X, b.W_Z, 12 + b.W_Y]] = 1.0, 0.3, 0.5, -0.4, 0.6
    motion = run(rates_of(table, link, g=0.0), q, 1.0, t_eval=np.linspace(0, 1, 2001))
    states, links = motion.y.T.copy(), np.array(link)
    energies = [b.energy(table, 0.0, q) + el.elastic_energy(q, table, links, NO_STOP)
                for q in states[[0, -1]]]  # fmt: skip
    powers = [el.damping_power(q, table, links, NO_STOP) for q in states]
    assert energies[0] - energies[1] == pytest.approx(simpson(powers, x=motion.t), rel=1e-8)


def test_held_motions_stay():
    table = np.array([body(held=(0, 1, 3))])
    q = spinning(PHI=0.1, W_X=0.0)
    rate = rates_of(table)(0, q)
    assert rate[[b.V_X, b.V_Y]] == pytest.approx([0, 0])
    assert rate[b.V_Z] == pytest.approx(-G)
    assert rate[[b.PSI, b.PHI, b.THETA, b.W_X, b.W_Y, b.W_Z]] == pytest.approx(np.zeros(6))


def test_compiled_equals_interpreted():
    table = np.array([body(products=(0.1, 0.2, 0.3), centre=(0.01, 0.02, 0.03)), body(axle=1)])
    links = np.array([element(0, 1, (1, 2, 3), (1, 2, 2), k=(3, 2, 1), c=(1, 1, 1), k_r=(1, 2, 3))])
    q = np.random.default_rng(3).normal(size=24) * 0.3
    results = []
    for how in (compiled, interpreted):
        out = np.zeros(24)
        how(b.clear_loads)(table, G, q, out)
        how(el.add_elements)(q, table, links, NO_STOP, out)
        how(b.accelerate)(table, q, out)
        results.append(out)
    assert np.array_equal(*results)
