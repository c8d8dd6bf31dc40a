"""The programs written by hand in themselves: what must hold whatever they are compared with."""

import numpy as np
import pytest
from by_hand.contact import hertz
from by_hand.elements import Elements
from by_hand.line import Line, cross, dot, times
from by_hand.lines import CONE, LINES, MIDDLE, RHO, WAGON, line_file
from by_hand.runs import stepped
from by_hand.states import running, shaken
from by_hand.vehicle import Vehicle
from scipy.optimize import minimize

PLACES = np.array([150.3, 171.7, 200.0, 200.0, 233.1, 249.5])
SIDES = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
HEAD = (0.79, -0.27)


def text_line(folder, segments, more=""):
    path = folder / "line.yaml"
    path.write_text(f"inclination: 0.1\nsegments: [{segments}]\n{more}", encoding="utf-8")
    return Line(path)


def irregular(**rows):
    lists = "".join(f"  {kind}: {values}\n" for kind, values in rows.items())
    return f"irregularities:\n  at: [0, 100, 200, 300]\n{lists}"


def spread(s_1, s_2, line_1, line_2, turn=None):
    """How far points of rails of one line lie from the rails of another, in metres."""
    p, _, _ = line_1.rail(s_1, SIDES, *HEAD)
    if turn is not None:
        p = p @ turn.T
    q, q_1, _ = line_2.rail(s_2, SIDES, *HEAD)
    return np.linalg.norm(cross(p - q, q_1 / np.linalg.norm(q_1, axis=1)[:, None]), axis=1).max()


@pytest.mark.parametrize("name", LINES)
def test_tangents_are_those_of_the_rails(tmp_path, name):
    line, h = Line(line_file(tmp_path, name)), 1e-4
    ahead, behind = (line.rail(PLACES + step, SIDES, *HEAD)[0] for step in (h, -h))
    assert line.rail(PLACES, SIDES, *HEAD)[1] == pytest.approx((ahead - behind) / (2 * h), abs=1e-7)


def test_a_lateral_ramp_is_a_line_that_is_turned(tmp_path):
    ramp = text_line(tmp_path, "{length: 400}", irregular(lateral=[0, 0.02, 0.04, 0.06]))
    slope = 2e-4
    c, d = np.array([1.0, slope]) / np.hypot(1.0, slope)
    turn = np.array([[c, d, 0.0], [-d, c, 0.0], [0.0, 0.0, 1.0]])
    straight = text_line(tmp_path, "{length: 400}")
    assert spread(PLACES, PLACES, ramp, straight, turn) < 0.8 * slope**2  # rails stay as far apart


def test_constant_cross_level_is_cant(tmp_path):
    level = text_line(tmp_path, "{length: 400}", irregular(cross_level=[0.006] * 4))
    canted = text_line(tmp_path, "{length: 400, cant: 0.006}")
    for mine, other in zip(*(a.rail(PLACES, SIDES, *HEAD) for a in (level, canted)), strict=True):
        assert mine == pytest.approx(other, abs=1e-13)


def test_a_vertical_ramp_is_a_gradient(tmp_path):
    ramp = text_line(tmp_path, "{length: 400}", irregular(vertical=[0.0, 0.1, 0.2, 0.3]))
    slope = text_line(tmp_path, "{length: 400, gradient: 0.001}")
    assert spread(PLACES, PLACES, ramp, slope) < 1e-6


def test_contact_is_where_the_surfaces_are_nearest(tmp_path):
    line = Line(line_file(tmp_path, "all"))
    hand = Vehicle(WAGON, line, RHO, CONE)
    r, R, v, omega, _ = shaken(hand, running(hand, MIDDLE, 20.0), np.random.default_rng(1))
    r[hand.axles, 2] += 1e-3  # lifted, so that distances are true ones
    contacts = hand.wheels(r, R, v, omega)[2]
    head = (hand.y_0 + RHO * np.sin(line.incline), -RHO * np.cos(line.incline))
    for k in range(3):
        body, side = hand.wheel[k], hand.contact.side[k]

        def apart(x, body=body, side=side):
            s, u, angle = x * [1e-2, 1e-2, 1e-2] + [contacts["s"][k], 0.0, 0.0]  # noqa: B023
            radius = hand.r_0 - CONE * u
            on_wheel = [radius * np.sin(angle), side * (hand.y_0 + u), -radius * np.cos(angle)]
            axle = R[body][:, 1]
            x_0 = np.cross(axle, [0.0, 0.0, 1.0])
            x_0 /= np.linalg.norm(x_0)
            point = r[body] + np.column_stack([x_0, axle, np.cross(x_0, axle)]) @ on_wheel
            p = line.rail(np.array([s]), np.array([side]), *head)[0][0]
            return np.linalg.norm(point - p)

        best = minimize(apart, np.zeros(3), method="Nelder-Mead",
                        options={"xatol": 1e-10, "fatol": 1e-14, "maxiter": 2000})  # fmt: skip
        assert RHO - best.fun == pytest.approx(contacts["delta"][k], abs=1e-9)


def test_hertz_gives_the_patch_of_equal_spheres():
    """b/a towards 1: a^2 = R delta, N = 4/3 E* sqrt(R) delta^1.5 with 1/R = 2 A."""
    A = 1.0
    N, a, b = hertz(0.999 * A, A, 1e-4, 2.1e11)
    R, modulus = 0.5 / A, 2.1e11 / (2.0 * (1.0 - 0.25**2))
    assert a == pytest.approx(np.sqrt(R * 1e-4), rel=1e-3)
    assert b == pytest.approx(a, rel=1e-3)
    assert pytest.approx(4.0 / 3.0 * modulus * np.sqrt(R) * 1e-6, rel=1e-3) == N


@pytest.fixture(scope="module")
def free(tmp_path_factory):
    """A vehicle that loses nothing: no friction, no dampers."""
    folder = tmp_path_factory.mktemp("free")
    hand = Vehicle(WAGON, Line(line_file(folder, "all")), RHO, CONE, mu=1e-12, c=0.0)
    hand.elements.c[:] = hand.elements.c_t[:] = 0.0
    hand.elements.k_s[:], hand.elements.soft[:] = 0.0, False
    hand.elements.bumps = []
    return hand


def energy(hand, state):
    r, R, v, omega, _ = hand.split(state)
    own = times(np.swapaxes(R, 1, 2), omega)
    e = hand.elements
    _, _, _, _, u = e(r, R, v, omega, np.zeros(0))
    delta, N = (hand.wheels(r, R, v, omega)[2][name] for name in ("delta", "N"))
    twist = np.swapaxes(R[e.i], 1, 2) @ R[e.j]
    theta = 0.5 * np.array([twist[:, 2, 1] - twist[:, 1, 2], twist[:, 0, 2] - twist[:, 2, 0],
                            twist[:, 1, 0] - twist[:, 0, 1]]).T  # fmt: skip
    return (
        0.5 * (hand.m * dot(v, v)).sum() + 0.5 * (hand.J * own**2).sum()
        - (hand.m * (r @ hand.g)).sum()
        + (e.f_0 * u + 0.5 * e.k * u**2).sum() + (e.m_0 * theta + 0.5 * e.k_t * theta**2).sum()
        + 0.4 * (N * delta).sum()
    )  # fmt: skip


def test_energy_stays_without_losses(free):
    motion = shaken(free, running(free, MIDDLE, 20.0), np.random.default_rng(2))
    state = free.joined(*motion)[: 13 * 7]
    start, moved = energy(free, state), 0.0
    kinetic = 0.5 * (free.m * dot(motion[2], motion[2])).sum()
    for _ in range(100):
        state = stepped(free.rates, state, 2e-4)
        v = free.split(state)[2]
        moved = max(moved, abs(0.5 * (free.m * dot(v, v)).sum() - kinetic))
    assert abs(energy(free, state) - start) < 2e-4 * moved


def test_elements_are_the_same_from_both_ends(free):
    r, R, v, omega, _ = shaken(free, running(free, MIDDLE, 20.0), np.random.default_rng(3))
    e = free.elements
    swapped = Elements.__new__(Elements)
    swapped.__dict__ = dict(vars(e))
    swapped.i, swapped.j, swapped.r_i, swapped.r_j = e.j, e.i, e.r_j, e.r_i
    swapped.axle_i, swapped.axle_j = e.axle_j, e.axle_i
    swapped.f_0, swapped.m_0 = -e.f_0, -e.m_0
    motion = (r, R, v, omega, np.zeros(0))
    for one, other in zip(e(*motion)[:2], swapped(*motion)[:2], strict=True):
        assert one == pytest.approx(other, abs=1e-6)
