"""The MDM rig against closed forms: statics, mirror symmetry, Klingel's wave, a free wheelset."""

import math
from functools import cache

import numpy as np
import pytest
from rail_references import data
from railblocks.blocks.rail.contact.geometry.contacts import P_Y, P_Z
from railblocks.blocks.rail.contact.normal.hertz import (
    composite_modulus,
    patch,
    relative_curvatures,
)
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.wheel_contact import WheelOverRail, placed
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.rig.stability import RollingRig
from railblocks.blocks.rail.rig.tables import BODIES, BODY, BOGIE, FRONT, SPEED
from rig_alone import Rig, rates
from scipy.integrate import cumulative_trapezoid

M_W, M_B, M_C, G = 14.504, 20.92, 128.0, 9.81
K_P, K_S = 9760.0, 3440.0
HEAD = 0.3
"""Radius of the middle of a UIC60 head, in metres."""


# --- at rest -----------------------------------------------------------------------------------
def test_springs_without_preload_sink_by_load_over_stiffness():
    """All accelerations vanish where the closed form says, and the wheels carry their quarter."""
    rig = rates(omega_init=0)
    rig.parameter("rig", "elements")[:, el.F_0 : el.F_0 + 3] = 0.0
    q = rig.start[rig.slice_of("rig", "q")]
    primary, secondary = (M_C + M_B) * G / (4 * K_P), M_C * G / (2 * K_S)
    x = rig.start
    place = rig.slice_of("rig", "q").start
    x[place + b.STATES * BOGIE + b.Z] -= primary
    x[place + b.STATES * BODY + b.Z] -= primary + secondary
    assert primary + secondary == pytest.approx(0.2199, abs=1e-4)
    assert np.abs(rig(x)[rig.slice_of("rig", "q")]).max() < 1e-8 * G
    assert np.abs(rig(rig.start)[place : place + len(q)]).max() > G  # not without sinking


def test_ten_kilograms_more_let_a_damped_rig_settle_by_load_over_stiffness():
    """While it rolls slowly, which changes nothing of that; wheel loads rise by a quarter each."""
    more = 10.0
    rig = Rig(omega_init=50, c_s="[0, 256, 900]", c_p="[120, 16, 300]", stop="2 s", rtol=1e-6,
              atol=1e-9, log="rig.positions, rig.loads", every="10 ms")  # fmt: skip
    rig.table("bodies")[BODY, b.MASS] += more
    results = rig.run()
    sunk = results["rig.positions"][0, :, b.Z] - results["rig.positions"][-1, :, b.Z]
    primary, secondary = more * G / (4 * K_P), more * G / (2 * K_S)
    assert sunk[BOGIE] - sunk[FRONT] == pytest.approx(primary, rel=1e-4)
    assert sunk[BODY] - sunk[BOGIE] == pytest.approx(secondary, rel=1e-4)
    weight = (M_C + more + M_B + 2 * M_W) * G
    assert results["rig.loads"][-1, :, 2] == pytest.approx(np.full(4, weight / 4), rel=1e-4)


# --- left and right ----------------------------------------------------------------------------
def mirrored(q):
    """The state seen in a mirror: lateral motion, yaw and roll change their sign."""
    other = q.copy()
    for body in range(BODIES):
        for state in (b.Y, b.PSI, b.PHI, b.V_Y, b.W_X, b.W_Z):
            other[b.STATES * body + state] *= -1.0
    return other


@pytest.mark.parametrize("wheel", ["s1002", "cone 1/20"])
def test_mirrored_states_have_mirrored_rates_under_torque(wheel):
    """All bodies displaced, turned and moving at once, different torques at both axles."""
    rig = rates(C_S=(3, 1), u=(1, 2), me_w=2e-4, me_r=1e-3, wheel=f"'{wheel}'")
    place = rig.slice_of("rig", "q")
    random = np.random.default_rng(5)
    sizes = np.tile([2e-4] * 2 + [5e-6] + [2e-3] * 2 + [1.0] + [0.01] * 3 + [0.05] * 3, BODIES)
    held = rig.parameter("rig", "bodies")[:, b.HELD : b.HELD + 4]
    for _ in range(20):
        x = rig.start
        kick = random.uniform(-1, 1, b.STATES * BODIES) * sizes
        for body in range(BODIES):
            moves = np.append(held[body, :3], [held[body, 3]] * 3)
            kick[b.STATES * body :][: b.STATES] *= 1.0 - np.tile(moves, 2)
        x[place][: len(kick)] += kick
        other = x.copy()
        other[place] = mirrored(x[place])
        seen, expected = rig(other)[place], mirrored(rig(x)[place])
        scale = np.abs(expected).max()
        assert np.abs(seen - expected).max() < 1e-9 * scale


def test_runs_under_torque_mirror_each_other():
    runs = [Rig(dG_y=f"{y} mm", stop="0.15 s", C_S=(3, 2), u=(1, 2)).run() for y in (0.6, -0.6)]
    left, right = (result["rig.positions"] for result in runs)
    signs = np.array([1, -1, 1, -1, -1, 1])
    assert np.abs(left - signs * right)[:, :, : b.THETA].max() < 1e-8
    assert np.abs(left - signs * right)[:, :, b.THETA].max() < 1e-6
    assert np.abs(runs[0]["work.y"] - runs[1]["work.y"]).max() < 1e-6


# --- Klingel -----------------------------------------------------------------------------------
CONE = 0.05
KLINGEL = {
    "wheel": f"cone {CONE}", "cant": CONE, "k_p": "[5000, 1, 9760]", "c_p": "[0, 0, 0]", "mu": 1e5,
}  # fmt: skip


def klingel_wavelength(cone, b_k, r_k, rho, R_k):
    """Of cones on rollers whose heads have the radius rho.

    A wheelset at y rolls by phi until both cones touch both heads again: phi = cone y / (b - cone
    r), with the contacts at +-b. On the left wheel the contact moves inwards, where its radius is
    larger by dr = cone y (b + rho sin g) / (b - cone r), tan g = cone; on the left roller it moves
    inwards by rho phi cos g, where the radius is smaller by dR = rho phi sin g. On the right it is
    the other way round. Pure rolling of both wheels on rollers with one axis demands

        b psi' = -V (dr / r + dR / R)     and     y' b / (b - cone r) = V psi

    The second has the lateral speed of the contact points, since rolling moves them too. (Yaw
    moves the contacts along the rollers, by which neither changes in the first order.) Together

        y'' = -V^2 k^2 y,  k^2 = cone / (b r) (1 + rho sin(g) / b (1 + r / R))

    which for a rail (R infinite) and a narrow head (rho = 0) is Klingel's.
    """
    part = rho * math.sin(math.atan(cone)) / b_k
    k = math.sqrt(cone / (b_k * r_k) * (1.0 + part * (1.0 + r_k / R_k)))
    return 2.0 * math.pi / k


@pytest.mark.parametrize("R_0", [0.092, 1.0])
def test_cones_on_stiff_contacts_roll_with_klingels_wavelength_on_rollers(R_0):
    """Wheelsets almost without suspension, creep forces a hundred times as stiff, 4.6 m/s.

    On rails the wave would be 1 % longer, and without the curvature of heads 2 %.
    """
    rig = Rig(
        **KLINGEL, R_0=R_0, omega_init=50, dG_y="1e-5 m", stop="1.2 s", every="2 ms", rtol=1e-6,
        atol=1e-10, method="radau5", log="rig.G_y, rig.Omega, rig.contacts",
    )  # fmt: skip
    rig.table("table")[:] *= 100.0
    results = rig.run()
    b_k, R_k = results["rig.contacts"][0, 0, 0, [P_Y, P_Z]]
    r_k = 0.092 - CONE * (b_k - 0.15)
    y = results["rig.G_y"][:, FRONT]
    s = -R_k * cumulative_trapezoid(results["rig.Omega"][:, FRONT], results["t"], initial=0.0)
    i = np.flatnonzero(y[:-1] * y[1:] < 0.0)
    crossings = s[i] - y[i] * (s[i + 1] - s[i]) / (y[i + 1] - y[i])
    wavelength = 2.0 * np.diff(crossings).mean()
    expected = klingel_wavelength(CONE, b_k, r_k, 0.2 * HEAD, R_k)
    assert wavelength == pytest.approx(expected, rel=5e-4)


# --- a free wheelset on a track ----------------------------------------------------------------
FREE = data("free_wheelset.yaml")
HEAVY, STIFF, TRACK = 30.0, 30.0, 500.0
"""Factors of mass and creep forces, and of Young's modulus; radius of rollers that are a track."""


@cache
def free_wheelset(conicity):
    """The rig at full scale as two free wheelsets with the creep forces of the reference.

    What the reference leaves out is made small: spin (coefficients are zero), gravity and springs
    (mass, inertia and creep forces are 30 times as large, which leaves eigenvalues as they are),
    compression of contacts (Young's modulus), turning of the axle (its inertia), rollers (500 m).
    What it simplifies is taken back: the cone is the one whose wave on curved heads has the given
    conicity, see `klingel_wavelength`; the mass is the one which, with y' b / (b - cone r) as the
    speed of the contact points and the roll that goes with it, acts as m; slip in the inclined
    plane of contact is larger by 1 / cos g.
    """
    b_k, r_k, m = FREE["b"], FREE["r_0"], FREE["m"]
    part = HEAD / b_k * (1.0 + r_k / TRACK)
    cone = conicity
    for _ in range(50):
        cone = conicity / (1.0 + part * math.sin(math.atan(cone)))
    wheel = f"cone {cone:.15f}"
    _, head = placed(WheelOverRail(wheel, "uic60", r_k, b_k, cone, 1.435, R_0=TRACK))
    gauge = 1.435 + 2.0 * (b_k - float(head.y_of_slope(cone)))
    arm = (b_k - cone * r_k) / b_k
    m_w = HEAVY * (m - FREE["I_z"] * (cone / b_k) ** 2) / arm**2
    g, bogie = G / HEAVY, HEAVY * 2615.0
    cos = math.cos(math.atan(cone))
    rig = RollingRig(
        wheel=wheel, cant=cone, gauge=gauge, scale=1.0, r_0=r_k, R_0=TRACK, y_0=b_k, m_w=m_w,
        J_wx=HEAVY * FREE["I_z"], J_wy=HEAVY, m_b=bogie, J_bx=HEAVY * 1722, J_by=HEAVY * 1476,
        J_bz=HEAVY * 3067, m_c=4.0 * FREE["N"] / g - 2.0 * m_w - bogie, a=1.28, b_p=1.0, b_s=1.0,
        h_b=0.6, h_s=0.83, h_c=1.8, k_p=[1, 1, 1000], c_p=[0, 0, 0], c=0, mu=1e9, V_min=1e-6, g=g,
        E=STIFF * 2.1e11,
    )  # fmt: skip
    A, B = relative_curvatures(cos / r_k, 0.0, cos / TRACK, 1.0 / HEAD, 0.0)
    E_star = composite_modulus(STIFF * 2.1e11, 0.3)
    a_x, a_y, _, _ = patch(A, B, FREE["N"] / cos, E_star)
    unit = STIFF * 2.1e11 / 2.6 * a_x * a_y
    table = rig.parameter("table")
    table[:] = 0.0
    table[:, 0] = HEAVY * FREE["f11"] / unit
    table[:, 1] = HEAVY * FREE["f22"] * cos**2 / unit
    return rig


def test_creep_coefficients_are_those_of_the_reference():
    A, B = relative_curvatures(1.0 / FREE["r_0"], 0.0, 0.0, 1.0 / HEAD, 0.0)
    a, c, _, _ = patch(A, B, FREE["N"], composite_modulus(2.1e11, 0.3))
    C11, C22, _, _ = kalker(a, c, 0.3, kalker_table(0.3))
    shear = 2.1e11 / 2.6
    assert shear * a * c * C11 == pytest.approx(FREE["f11"], rel=1e-4)
    assert shear * a * c * C22 == pytest.approx(FREE["f22"], rel=1e-4)


@pytest.mark.parametrize(("conicity", "V", "growth", "frequency"), FREE["eigenvalues"])
def test_a_free_wheelset_has_the_eigenvalues_of_the_reference(conicity, V, growth, frequency):
    """Growth at 5 m/s and below is so small that what is left of gravity shows: 2 % at 5 m/s."""
    eigenvalues = free_wheelset(conicity).eigenvalues(V / FREE["r_0"])
    nearest = eigenvalues[np.argmin(np.abs(eigenvalues - complex(growth, frequency)))]
    assert nearest.imag == pytest.approx(frequency, rel=4e-3)
    if V >= 5:
        assert nearest.real == pytest.approx(growth, rel=0.025)


def test_a_free_wheelset_at_walking_speed_has_klingels_wavelength():
    for conicity, wavelength in FREE["wavelengths"].items():
        rig, V = free_wheelset(conicity), 2.0
        eigenvalues = rig.eigenvalues(V / FREE["r_0"])
        travelled = -rig.steady(V / FREE["r_0"])[SPEED] * TRACK
        lengths = (
            2.0 * math.pi * travelled / np.abs(eigenvalues.imag[np.abs(eigenvalues.imag) > 0.01])
        )
        assert np.abs(lengths / wavelength - 1.0).min() < 1e-3
