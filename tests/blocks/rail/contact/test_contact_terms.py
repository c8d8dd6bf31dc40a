"""Every law of creep forces goes through the same tests of its limits and symmetries.

A law gets here by being in the table of laws, and fails until it names its oracle: what its forces
are for small creepages and in full sliding, by closed forms.
"""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from linear_theory import linear_kalker
from railblocks.blocks.rail.contact.contact_law import cell_constants, own_constants
from railblocks.blocks.rail.contact.tangential.flexibility import FLEXIBILITIES
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.tangential.laws import LAWS
from railblocks.blocks.rail.contact.tangential.records import LocalFriction, PolachFriction
from railblocks.blocks.rail.contact.tangential.strips import BOUNDS
from railblocks.engine import compiled

G, NU, MU, V = 8e10, 0.3, 0.3, 20.0
TABLE = kalker_table(NU)
PATCHES = [(6e-3, 4.5e-3, 5.4e4), (8e-3, 0.8e-3, 2e4), (2e-3, 8e-3, 4e4)]  # a, b, N


@dataclass(frozen=True)
class Oracle:
    """What is known of a law without running it."""

    law: str
    own: dict = field(default_factory=dict)  # of `own_constants`
    cells: tuple = (25, "parabolic", "blended")
    slope: float = 1.0
    """Forces at small creepages, over those of linear theory."""
    together: bool = True
    """Whether several creepages at once have the linear forces too, or one alone only."""
    spin: bool = True
    moment: bool = False
    """Whether the moment at small creepages is that of linear theory."""
    against_slip: bool = True
    """Whether full sliding opposes the slip; Kalker's three flexibilities of 1982 do not."""
    whole: float = 1.0
    """Force of full sliding over mu N, at a creepage of 0.5."""
    close: float = 1e-9
    falls: bool = False
    """Whether friction falls with sliding: then spin may be driven, where it is least."""

    @property
    def constants(self):
        usual = {
            "A": 1.0, "B": 0.6, "k_A": 1.0, "k_S": 1.0, "mu_cr": MU, "A_d": 1.0, "A_r": 1.0,
            "gamma_d": 0.2, "gamma_r": 0.6, "tau": 0.0, "tau_x": 0.0,
        }  # fmt: skip
        cells = cell_constants(self.law, *self.cells)
        numbers = list((usual | self.own).values())
        own = own_constants(
            self.law, cells, PolachFriction(*numbers[:4]), LocalFriction(*numbers[4:])
        )
        return np.array([G, NU, *own], float)


def cells_of(law):
    """A law on cells with all bounds and flexibilities."""
    return {
        f"{law}, {bound}, {kind}": Oracle(
            law,
            cells=(25, bound, kind),
            together=kind != "weighted",
            against_slip=kind != "three",
        )
        for bound in BOUNDS
        for kind in FLEXIBILITIES
    }


ORACLES = {
    "kalker": Oracle("kalker", moment=True),
    # F = 2 mu N / pi (k_A e / (1 + (k_A e)^2) + arctan(k_S e)); full sliding only as e grows
    "polach": Oracle("polach", together=False, spin=False, close=5e-3),
    "polach, dry": Oracle(
        "polach",
        own={"A": 0.4, "k_S": 0.4},
        slope=0.7,
        together=False,
        spin=False,
        whole=0.4 + 0.6 * math.exp(-0.6 * 0.5 * V),
        close=2e-2,
    ),
    **cells_of("fastsim"),
    "fastsim, falling friction": Oracle(
        "fastsim",
        own={"A": 0.4},
        whole=0.4 + 0.6 * math.exp(-0.6 * 0.5 * V),
        falls=True,
    ),
    **cells_of("local"),
    "local, falling friction": Oracle(
        "local",
        cells=(25, "elliptic", "blended"),
        own={"A_d": 0.5},
        whole=1.0 + math.exp(-0.2 * 0.5 * V),
        close=0.02,
        falls=True,
    ),
}
KERNELS = {name: compiled(law) for name, law in LAWS.items()}
every_law = pytest.mark.parametrize("name", ORACLES)
every_patch = pytest.mark.parametrize("patch", PATCHES, ids=("round", "along", "across"))


def forces(name, creepages, patch, mu=MU):
    """F_x, F_y, M_z on the wheel."""
    oracle = ORACLES[name]
    a, b, N = patch
    return np.array(KERNELS[oracle.law](*creepages, a, b, N, V, mu, oracle.constants, TABLE), float)


def characteristic(patch):
    """Creepages whose linear forces are mu N each."""
    a, b, N = patch
    C11, C22, C23, _ = kalker(a, b, NU, TABLE)
    c = math.sqrt(a * b)
    return MU * N / (G * c * c) / np.array([C11, C22, c * C23])


def test_every_law_has_an_oracle():
    assert {oracle.law for oracle in ORACLES.values()} == set(LAWS)


@every_law
@every_patch
def test_small_creepages_have_kalkers_forces(name, patch):
    oracle, (a, b, _) = ORACLES[name], patch
    units = np.eye(3)
    if not oracle.spin:
        units = units[:2]
    if oracle.together:
        units = np.vstack([units, [[0.6, 0.7, -0.4], [-0.5, 0.4, 0.7]]])
    for unit in units:
        creepages = 1e-6 * unit * characteristic(patch)
        linear = oracle.slope * np.array(
            linear_kalker(*creepages, a, b, G, *kalker(a, b, NU, TABLE))
        )
        force = forces(name, creepages, patch)
        size = np.abs(linear[:2]).max()
        assert force[:2] == pytest.approx(linear[:2], abs=4e-3 * size)
        if oracle.moment:
            assert force[2] == pytest.approx(linear[2], rel=1e-4, abs=1e-6 * size * max(a, b))


@every_law
@every_patch
@pytest.mark.parametrize("angle", np.linspace(0.0, 2 * math.pi, 9)[:-1] + 0.2)
def test_full_sliding_is_friction_against_the_slip(name, patch, angle):
    oracle, (a, b, N) = ORACLES[name], patch
    x, y = math.cos(angle), math.sin(angle)
    F_x, F_y, M_z = forces(name, (0.5 * x, 0.5 * y, 0.0), patch) / (MU * N)
    assert math.hypot(F_x, F_y) == pytest.approx(oracle.whole, rel=oracle.close)
    assert pytest.approx(0.0, abs=oracle.close * max(a, b)) == M_z
    if oracle.against_slip:
        assert F_x * y == pytest.approx(F_y * x, abs=1e-9)
    else:  # against (xi / L_1, eta / L_2)
        C11, C22, _, _ = kalker(a, b, NU, TABLE)
        assert F_x * C22 * y == pytest.approx(F_y * C11 * x, abs=1e-6 * C11 * C22)
    assert F_x * x + F_y * y < 0.0


def sliding_moment(xi, eta, phi, patch, parabolic):
    """Moment of friction against (xi - y phi, eta + x phi), summed over a fine grid."""
    a, b, N = patch
    z = (np.arange(400) + 0.5) / 200.0 - 1.0
    x, y = np.meshgrid(z, z)
    p = np.maximum(1.0 - x * x - y * y, 0.0) ** (1.0 if parabolic else 0.5)
    p *= MU * N / p.sum()
    s_x, s_y = xi - b * y * phi, eta + a * x * phi
    size = np.hypot(s_x, s_y)
    return float((p * (b * y * s_x - a * x * s_y) / size).sum())


@every_law
@every_patch
@pytest.mark.parametrize("angle", [0.3, 1.2, 2.8])
@pytest.mark.parametrize("spin", [0.1, -0.1])
def test_spin_of_full_sliding_is_braked(name, patch, angle, spin):
    oracle, (a, b, _) = ORACLES[name], patch
    phi = spin * 0.5 / max(a, b)
    creepages = 0.5 * math.cos(angle), 0.5 * math.sin(angle), phi
    M_z = forces(name, creepages, patch)[2]
    if not oracle.spin:
        assert M_z == 0.0
        return
    if oracle.falls:
        return
    assert M_z * phi < 0.0
    if oracle.against_slip:
        exact = sliding_moment(*creepages, patch, oracle.cells[1] == "parabolic")
        exact = sliding_moment(*creepages, patch, False) if oracle.law == "kalker" else exact
        assert pytest.approx(exact, rel=0.03) == M_z


def cases(patch, count=12):
    """Creepages from adhesion to full sliding, with and without spin."""
    random = np.random.default_rng(3)
    units = random.normal(size=(count, 3)) * characteristic(patch)
    return units * np.geomspace(0.05, 20.0, count)[:, None]


@every_law
@every_patch
def test_forces_mirror_in_y_and_turn_round_with_the_creepages(name, patch):
    for creepages in cases(patch):
        F = forces(name, creepages, patch)
        close = {"rel": 1e-9, "abs": 1e-9 * MU * patch[2]}
        assert forces(name, creepages * [1, -1, -1], patch) == pytest.approx(
            F * [1, -1, -1], **close
        )
        assert forces(name, -creepages, patch) == pytest.approx(-F, **close)


@every_law
@every_patch
def test_friction_takes_power_and_bounds_the_force(name, patch):
    oracle, (_, _, N) = ORACLES[name], patch
    static = 1.0 / oracle.own.get("A_d", 1.0)
    for creepages in cases(patch):
        F = forces(name, creepages, patch)
        assert F @ creepages < 0.0
        assert math.hypot(F[0], F[1]) <= static * MU * N * (1 + 1e-9)


@every_law
@every_patch
@pytest.mark.parametrize("scale", [0.2, 3.0])
def test_a_scaled_world_has_scaled_forces(name, patch, scale):
    """Lengths by s and loads by s^2: the same stresses, forces by s^2, moments by s^3."""
    a, b, N = patch
    for creepages in cases(patch):
        expected = forces(name, creepages, patch) * [scale**2, scale**2, scale**3]
        larger = (scale * a, scale * b, scale**2 * N)
        force = forces(name, creepages * [1, 1, 1 / scale], larger)
        assert force == pytest.approx(expected, rel=1e-8, abs=1e-8 * MU * larger[2])


@every_law
@every_patch
def test_forces_are_continuous(name, patch):
    """A step of 1e-9 in any direction moves them by less than 1e-6 of friction."""
    units = np.vstack([cases(patch), np.eye(3) * characteristic(patch) * 3.0, np.zeros((1, 3))])
    random = np.random.default_rng(4)
    for creepages in units:
        F = forces(name, creepages, patch)
        for step in random.normal(size=(3, 3)) * characteristic(patch) * 1e-9:
            moved = forces(name, creepages + step, patch)
            assert np.abs(moved - F)[:2].max() < 1e-6 * MU * patch[2]
            assert abs(moved - F)[2] < 1e-6 * MU * patch[2] * max(patch[:2])
