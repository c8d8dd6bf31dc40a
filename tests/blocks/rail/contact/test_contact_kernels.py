"""Every kernel of the normal and tangential problem, and the forces of a wheel, by invariance.

A kernel gets here by being public in `normal` or `tangential`, and fails until its dimensions are
named: then a world with other units of length, force and time gives the same result in these units,
so that no length, force or speed is hidden in it. The forces of a wheel's contacts go through
mirroring, reversal of rolling, scaling, power and continuity with every law.
"""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.contact import normal, tangential
from railblocks.blocks.rail.contact.contact_law import cell_constants, own_constants
from railblocks.blocks.rail.contact.contact_power import contact_powers
from railblocks.blocks.rail.contact.geometry import contacts as at
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus
from railblocks.blocks.rail.contact.records import AxleMotion, Material
from railblocks.blocks.rail.contact.tangential.flexibility import BLENDED
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.tangential.laws import LAWS
from railblocks.blocks.rail.contact.tangential.records import (
    Cells,
    Creepages,
    Elasticity,
    LoadedPatch,
    LocalFriction,
    PolachFriction,
)
from railblocks.blocks.rail.contact.wheel_forces import COLUMNS, LOAD, XI, wheel_forces

ONE, M, N, S = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
PER_M, PA, NM, SPEED, HERTZ = (-1, 0, 0), (-2, 1, 0), (1, 1, 0), (1, 0, -1), (-1.5, 1, 0)
ROOT_M, DAMPING, PER_SPEED, POWER = (0.5, 0, 0), (-1, 1, 1), (-1, 0, 1), (1, 1, -1)
AREA_PER_POWER = (1, -1, 1)  # m^2/W
FORCES = (N, N, NM)
A, B, NU = 6e-3, 4e-3, 0.3
COEFFICIENTS = kalker(A, B, NU, kalker_table(NU))
NONE = None  # no tractions of cells are kept
RECORDS = {
    "Cells", "Creepages", "Elasticity", "LoadedPatch", "LocalFriction", "PolachFriction",
}  # fmt: skip
DATA = {"DRY", "WET", "kalker_table"} | RECORDS
"""What is public and has no dimensions of its own: constants, Kalker's coefficients, records."""


def creepage(*rest):
    """Creepages, patch and load as all laws begin with them."""
    return [(1.5e-3, ONE), (-8e-4, ONE), (0.4, PER_M), (A, M), (B, M), *rest]


C = [(value, ONE) for value in COEFFICIENTS]
KERNELS = {  # arguments with their dimensions (length, force, time), and those of the results
    "composite_modulus": ([(2.1e11, PA), (NU, ONE)], (PA,)),
    "hertz_constants": ([(1.1, PER_M), (1.7, PER_M)], (ROOT_M, ROOT_M, ROOT_M)),
    "line_force": ([(5e-5, M), (1.1, PER_M), (0.02, M), (1.1e11, PA)], (N,)),
    "line_patch": ([(1.1, PER_M), (0.02, M), (5e4, N), (1.1e11, PA)], (M, M, PA)),
    "normal_force": (
        [(3e-6, M), (0.02, SPEED), (9e10, HERTZ), (1e5, DAMPING), (1e-4, S), (9e-6, M)],
        (N,),
    ),
    "patch": ([(1.1, PER_M), (1.7, PER_M), (5e4, N), (1.1e11, PA)], (M, M, M, PA)),
    "relative_curvatures": (
        [(2.2, PER_M), (0.1, PER_M), (0.5, PER_M), (3.3, PER_M), (0.01, ONE)], (PER_M, PER_M),
    ),
    "adhesion_curve": (
        [(10.2, SPEED), (10.0, SPEED), (0.1, ONE), (0.05, ONE), (0.01, ONE), (0.3, PER_SPEED),
         (0.05, SPEED)], (ONE, ONE),
    ),
    "creepages": (
        [(0.02, SPEED), (0.01, SPEED), (0.4, (0, 0, -1)), (10.0, SPEED), (0.05, SPEED)],
        (ONE, ONE, PER_M),
    ),
    "fastsim": (
        [*creepage((5e4, N), (0.3, ONE), (8e10, PA)), *C[:3], (9, None), (9, None), (True, None),
         (BLENDED, None), (NONE, None)], FORCES,
    ),
    "full_sliding": (creepage((1.5e4, N)), FORCES),
    "kalker": ([(A, M), (B, M), (NU, ONE), (kalker_table(NU), None)], (ONE,) * 4),
    "local_adhesion": (
        [*creepage((5e4, N), (20.0, SPEED), (8e10, PA)), *C[:3], (0.06, ONE), (0.28, ONE),
         (0.4, ONE), (0.4, ONE), (0.2, PER_SPEED), (0.6, PER_SPEED), (8.1e-9, AREA_PER_POWER),
         (2e-8, (2, -1, 0)), (9, None), (9, None), (False, None), (BLENDED, None), (NONE, None)],
        (*FORCES, ONE, POWER),
    ),
    "polach": (
        [(1.5e-3, ONE), (-8e-4, ONE), (20.0, SPEED), (A, M), (B, M), (5e4, N), (0.3, ONE),
         (0.4, ONE), (0.6, PER_SPEED), (1.0, ONE), (0.4, ONE), (8e10, PA), *C[:2]], (N, N),
    ),
    "saturated_kalker": (creepage((5e4, N), (0.3, ONE), (8e10, PA), *C), FORCES),
}  # fmt: skip
GROUPED = {  # how arguments travel together
    "fastsim": lambda *v: (
        Creepages(*v[:3]), LoadedPatch(*v[3:6]), v[6], Elasticity(*v[7:11]), Cells(*v[11:15]),
        v[15],
    ),
    "local_adhesion": lambda *v: (
        Creepages(*v[:3]), LoadedPatch(*v[3:6]), v[6], Elasticity(*v[7:11]), v[11],
        LocalFriction(*v[12:19]), Cells(*v[19:23]), v[23],
    ),
    "polach": lambda *v: (*v[:3], LoadedPatch(*v[3:6]), v[6], PolachFriction(*v[7:11]), *v[11:]),
}  # fmt: skip
PUBLIC = {name: getattr(module, name) for module in (normal, tangential) for name in module.__all__}


def test_every_public_kernel_names_its_dimensions():
    assert set(PUBLIC) - DATA == set(KERNELS)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(
    "units", [(0.2, 1.0, 1.0), (1.0, 7.0, 1.0), (1.0, 1.0, 3.0), (5.0, 0.3, 2.0)]
)
def test_other_units_give_the_same_result(name, units):
    arguments, results = KERNELS[name]

    def factor(dimension):
        return math.prod(unit**power for unit, power in zip(units, dimension, strict=True))

    def called(turned):
        values = [v * factor(d) if turned and d is not None else v for v, d in arguments]
        grouped = GROUPED[name](*values) if name in GROUPED else values
        return np.atleast_1d(np.array(PUBLIC[name](*grouped), float))

    expected = called(False) * [factor(d) for d in results]
    assert called(True) == pytest.approx(expected, rel=1e-9)


R_0, R_1 = 0.46, 0.5
LAW_CONSTANTS = {
    law: np.array(
        [8.08e10, NU, *own_constants(law, cell_constants(law, 9, "by_law", "blended"),
         PolachFriction(A=0.4, B=0.6, k_A=1.0, k_S=0.4),
         LocalFriction(mu_cr=0.28, A_d=0.4, A_r=0.4, gamma_d=0.2, gamma_r=0.6, tau=8.1e-9,
                       tau_x=0.0))],
        float,
    )
    for law in LAWS
}  # fmt: skip


def table_of(normal_y, y, scale=1.0):
    """Two contacts, one of them shallow, with the overlap between them; and a line."""
    contacts = np.zeros((3, COLUMNS))
    for k, (gap, length, place) in enumerate(
        ((-6e-5, 0, y), (-7e-6, 0, 1.02 * y), (-3e-5, 9e-3, 0.96 * y))
    ):
        n = np.array([0.002, normal_y * (1 + 0.1 * k), 1.0])
        contacts[k, [at.N_X, at.N_Y, at.N_Z]] = n / np.linalg.norm(n)
        contacts[k, [at.P_X, at.P_Y, at.P_Z]] = scale * 0.001, scale * place, scale * R_1
        contacts[k, [at.GAP, at.SADDLE]] = scale * gap, scale * (-2e-6 if k == 1 else at.FAR)
        contacts[k, [at.A, at.B]] = 2.1 / scale, 1.7 / scale
        contacts[k, at.HALF_LENGTH] = scale * length
    return contacts


def steel(law, c):
    """Two bodies of steel, with a damping."""
    E_star, table = composite_modulus(2.1e11, NU), kalker_table(NU)
    return Material(E_star, c, 0.0, 0.05, 0.3, LAW_CONSTANTS[law], table)


def pushed(law, v, omega, Omega, contacts, scale=1.0, c=1e5, V_min=0.05):
    """Force, moment, torque on the roller, contacts, and power taken by creep and normal forces."""
    F, M, G = np.zeros(3), np.zeros(3), (scale * 0.001, 0.0, scale * (R_0 + R_1))
    constants = LAW_CONSTANTS[law].copy()
    if scale != 1.0 and law != "kalker":
        constants = rescaled(law, constants, scale)
    material = Material(
        composite_modulus(2.1e11, NU), c, 0.0, V_min, 0.3, constants, kalker_table(NU)
    )
    axle = AxleMotion(G, 0.0, 0.0, v, omega, Omega)
    torque = wheel_forces(LAWS[law], len(contacts), contacts, axle, material, F, M)
    return F, M, torque, contacts, contact_powers(axle, contacts)


def rescaled(law, constants, scale):
    """Constants of friction that falls with speed: speeds by s, powers of an area by s."""
    constants = constants.copy()
    if law in ("fastsim", "polach"):
        constants[{"fastsim": 6, "polach": 3}[law]] /= scale  # B
    else:
        constants[8:11] /= scale  # gamma_d, gamma_r, tau
    return constants


MOTION = np.array([9.0, 0.02, -0.004]), np.array([0.03, 19.6, 0.05]), -2.0
every_law = pytest.mark.parametrize("law", LAWS)


@every_law
def test_a_mirrored_wheel_has_mirrored_forces(law):
    v, omega, Omega = MOTION
    F, M, torque, _, _ = pushed(law, v, omega, Omega, table_of(-0.05, 0.75))
    across = np.array([1.0, -1.0, 1.0])
    F_2, M_2, torque_2, _, _ = pushed(
        law, v * across, -omega * across, Omega, table_of(0.05, -0.75)
    )
    assert pytest.approx(F * across, rel=1e-9) == F_2
    assert pytest.approx(-M * across, rel=1e-9) == M_2
    assert torque_2 == pytest.approx(torque, rel=1e-9)


@every_law
def test_running_backwards_is_the_same_turned_by_half_a_turn(law):
    v, omega, Omega = MOTION
    F, M, torque, _, _ = pushed(law, v, omega, Omega, table_of(-0.05, 0.75))
    back, contacts = np.array([-1.0, -1.0, 1.0]), table_of(0.05, -0.75)
    contacts[:, [at.N_X, at.P_X]] *= -1.0
    F_2, M_2 = np.zeros(3), np.zeros(3)
    axle = AxleMotion((-0.001, 0.0, R_0 + R_1), 0.0, 0.0, v * back, omega * back, -Omega)
    torque_2 = wheel_forces(LAWS[law], 3, contacts, axle, steel(law, 1e5), F_2, M_2)
    assert pytest.approx(F * back, rel=1e-9, abs=1e-6) == F_2
    assert pytest.approx(M * back, rel=1e-9, abs=1e-6) == M_2
    assert torque_2 == pytest.approx(-torque, rel=1e-9)


@every_law
@pytest.mark.parametrize("scale", [0.2, 3.0])
def test_a_scaled_wheel_has_scaled_forces_with_damping(law, scale):
    """Lengths, speeds and damping by s: forces by s^2, moments by s^3. They were 1.7e-4 off."""
    v, omega, Omega = MOTION
    v = v * [1, 1, 10]  # pressed deeper, on all contacts
    F, M, torque, _, _ = pushed(law, v, omega, Omega, table_of(-0.05, 0.75))
    F_2, M_2, torque_2, _, _ = pushed(
        law, scale * v, omega, Omega, table_of(-0.05, 0.75, scale), scale, scale * 1e5, scale * 0.05
    )
    assert pytest.approx(F * scale**2, rel=1e-9) == F_2
    assert pytest.approx(M * scale**3, rel=1e-9) == M_2
    assert torque_2 == pytest.approx(torque * scale**3, rel=1e-9)


@every_law
def test_power_of_the_forces_is_what_sliding_and_approach_take(law):
    """F . v + M . omega + M_r Omega = -P_creep - P_normal, and creep never gives power."""
    random = np.random.default_rng(5)
    for _ in range(20):
        v = MOTION[0] + random.normal(size=3) * 0.05
        omega = MOTION[1] + random.normal(size=3) * [0.2, 0.3, 0.2]
        Omega = MOTION[2] + 0.1 * random.normal()
        F, M, torque, _, (creep, normal_power) = pushed(law, v, omega, Omega, table_of(-0.05, 0.75))
        given = F @ v + M @ omega + torque * Omega
        assert given == pytest.approx(-creep - normal_power, rel=1e-9, abs=1e-6)
        assert creep > 0.0


@every_law
@pytest.mark.parametrize("roller", [False, True])
def test_a_wheel_that_turns_as_its_unloaded_surface_rolls_has_no_creepage(law, roller):
    """omega r = V on a rail, omega r = -Omega R on a roller, however deep it is pressed."""
    for depth in (1e-6, 5e-5, 3e-4):
        contacts = np.zeros((1, COLUMNS))
        contacts[0, [at.P_Y, at.P_Z, at.N_Z]] = 0.75, R_1, 1.0
        contacts[0, [at.GAP, at.SADDLE, at.A, at.B]] = -depth, at.FAR, 2.1, 1.7
        F, M = np.zeros(3), np.zeros(3)
        v, Omega = (0.0, 0.0, 0.0) if roller else (10.0, 0.0, 0.0), -10.0 / R_1 if roller else 0.0
        G, omega = (0.0, 0.0, R_0 + R_1 - depth), (0.0, 10.0 / R_0, 0.0)
        axle = AxleMotion(G, 0.0, 0.0, v, omega, Omega)
        wheel_forces(LAWS[law], 1, contacts, axle, steel(law, 0.0), F, M)
        assert contacts[0, XI] == pytest.approx(0.0, abs=1e-14)
        assert abs(F[0]) < 1e-8 * contacts[0, LOAD]


@every_law
def test_forces_are_continuous_at_touch_down_and_where_rolling_turns_round(law):
    v, omega, Omega = MOTION
    contacts = table_of(-0.05, 0.75)
    contacts[:, at.GAP], contacts[:, at.SADDLE], contacts[:, at.HALF_LENGTH] = -1e-13, at.FAR, 0.0
    F, M, _, _, _ = pushed(law, v, omega, Omega, contacts)
    assert np.abs(F).max() < 1e-2
    assert np.abs(M).max() < 1e-2
    turning = [pushed(law, np.array([x, 0.003, 0.0]), np.array([0.0, 0.01, 0.2]), 0.0,
                      table_of(-0.05, 0.75)) for x in (-1e-9, 1e-9)]  # fmt: skip
    for before, after in zip(turning[0][:3], turning[1][:3], strict=True):
        assert before == pytest.approx(after, rel=1e-4, abs=1e-2)
