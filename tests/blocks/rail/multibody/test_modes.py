"""Modes of rigid bodies on springs against closed forms: bounce, pitch, yaw, both sways."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.multibody.modes import coordinates_of
from railblocks.blocks.rail.multibody.stability import moving_states, small_motions
from railblocks.engine.declaration import modes_of_matrix

M, INERTIA = 16000.0, (28000.0, 900000.0, 950000.0)
A, B, H = 6.0, 1.0, 0.9
"""Springs lie A ahead and behind, B to the sides, and H below the centre of mass."""
K = (160e3, 220e3, 430e3)
RADII = np.sqrt(np.array([INERTIA]) / M)


def modes(rows, bodies, names, radii):
    """Modes of bodies with elements between them or to the ground (-1), without gravity."""
    table = np.zeros((len(bodies), b.COLUMNS))
    for row, (mass, inertia) in zip(table, bodies, strict=True):
        row[b.MASS], row[b.I_XX : b.I_ZZ + 1] = mass, inertia
    elements = np.zeros((len(rows), el.COLUMNS))
    for element, (i, j, p_i, p_j, k) in zip(elements, rows, strict=True):
        element[[el.I_BODY, el.J_BODY]] = i, j
        element[el.P_I : el.P_I + 3], element[el.P_J : el.P_J + 3] = p_i, p_j
        element[el.K : el.K + 3] = k

    def rates(q):
        out = np.zeros_like(q)
        b.clear_loads(table, 0.0, q, out)
        el.add_elements(q, table, elements, np.zeros((2, 2)), out)
        b.accelerate(table, q, out)
        return out

    q, moving = np.zeros(b.STATES * len(table)), moving_states(table, b.STATES * len(table))
    matrix = small_motions(rates, q, len(table), moving)
    return modes_of_matrix(matrix, "bodies", coordinates_of(names, radii, moving)).oscillating()


@pytest.fixture(scope="module")
def on_springs():
    points = [(x, y, -H) for x in (A, -A) for y in (B, -B)]
    return modes([(0, -1, p, p, K) for p in points], [(M, INERTIA)], ["body"], RADII)


def mode_at(result, omega):
    """The mode with an angular frequency, which must be there to a millionth."""
    mode = int(np.argmin(np.abs(2.0 * math.pi * result.frequencies - omega)))
    assert 2.0 * math.pi * result.frequencies[mode] == pytest.approx(omega, rel=1e-6)
    return mode


def alone(result, omega, direction):
    mode = mode_at(result, omega)
    assert result.participants(mode, least=1e-5) == {("body", direction): pytest.approx(1.0)}


def test_a_body_on_four_springs_bounces(on_springs):
    alone(on_springs, math.sqrt(4 * K[2] / M), "vertical")


def test_it_yaws_by_longitudinal_and_lateral_stiffness(on_springs):
    alone(on_springs, math.sqrt(4 * (K[1] * A * A + K[0] * B * B) / INERTIA[2]), "yaw")


def coupled(k, h, turning, inertia):
    """omega^2 and turn per way of m u'' = -k (u + h t), I t'' = -k h (u + h t) - turning t."""
    a, d, c = k / M, (k * h * h + turning) / inertia, k * h / math.sqrt(M * inertia)
    squares = [0.5 * (a + d) + s * math.sqrt(0.25 * (a - d) ** 2 + c * c) for s in (-1.0, 1.0)]
    return [(square, (square - a) / (k * h / M)) for square in squares]


def test_it_sways_about_a_low_and_about_a_high_point(on_springs):
    """Springs H below the centre: they go by y + H roll."""
    for square, ratio in coupled(4 * K[1], H, 4 * K[2] * B * B, INERTIA[0]):
        mode = mode_at(on_springs, math.sqrt(square))
        parts = [on_springs.part(mode, "body", way) for way in ("lateral", "roll")]
        assert parts[1] / RADII[0, 0] / parts[0] == pytest.approx(ratio, rel=1e-5)
        assert max(map(abs, parts)) == pytest.approx(1.0)
        assert set(on_springs.participants(mode, least=1e-5)) == {
            ("body", "lateral"),
            ("body", "roll"),
        }


def test_it_pitches_with_a_way_along_the_track(on_springs):
    """Front down is positive: springs go by x - H pitch."""
    for square, ratio in coupled(4 * K[0], -H, 4 * K[2] * A * A, INERTIA[1]):
        mode = mode_at(on_springs, math.sqrt(square))
        parts = [on_springs.part(mode, "body", way) for way in ("longitudinal", "pitch")]
        assert parts[1] / RADII[0, 1] / parts[0] == pytest.approx(ratio, rel=1e-5)


def test_there_are_no_other_modes(on_springs):
    assert len(on_springs) == 6


def test_equal_parts_of_one_body_have_equal_energies(on_springs):
    """Angles count by the radius of gyration: sum of m part^2 is twice the kinetic energy."""
    for mode in range(len(on_springs)):
        u = np.array(
            [on_springs.part(mode, "body", w) for w in ("longitudinal", "lateral", "vertical")]
        )
        t = np.array([on_springs.part(mode, "body", w) for w in ("roll", "pitch", "yaw")])
        turns = t / RADII[0]
        twice = M * (abs(u) ** 2).sum() + (np.array(INERTIA) * abs(turns) ** 2).sum()
        assert twice == pytest.approx(M * (np.abs(on_springs.shapes[mode]) ** 2).sum())


def test_two_bodies_above_each_other_are_a_chain():
    """Vertical springs through both centres: the closed form of two masses, shapes by names."""
    m_1, m_2, k_1, k_2 = 2615.0, 16000.0, 5e6, 8.6e5
    soft = (3e4, 3e4)
    rows = [(0, -1, (0, 0, 0), (0, 0, 0), (*soft, k_1)), (1, 0, (0, 0, 0), (0, 0, 0), (*soft, k_2))]
    result = modes(
        rows, [(m_1, (9.0, 9.0, 9.0)), (m_2, INERTIA)], ["bogie", "car"],
        np.ones((2, 3)),
    )  # fmt: skip
    half, product = 0.5 * ((k_1 + k_2) / m_1 + k_2 / m_2), k_1 * k_2 / (m_1 * m_2)
    for sign in (-1.0, 1.0):
        square = half + sign * math.sqrt(half * half - product)
        mode = mode_at(result, math.sqrt(square))
        ratio = result.part(mode, "car", "vertical") / result.part(mode, "bogie", "vertical")
        assert ratio == pytest.approx(k_2 / (k_2 - m_2 * square), rel=1e-5)
