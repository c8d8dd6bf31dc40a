"""Modes of matrices against closed forms: frequencies, damping ratios, shapes, and blocks' own."""

import math

import numpy as np
import pytest
from railblocks.engine import Block, DiagramError, Modes, Out, Param, modes, out, standard_blocks
from railblocks.engine.checks.resolve import resolve
from railblocks.engine.declaration import modes_of_matrix
from railblocks.engine.diagram.builder import DiagramBuilder
from railblocks.engine.diagram.flatten import flatten
from railblocks.engine.responses.modes import mode_figure, mode_rows, modes_of, still_text


def second_order(M, K, C=None):
    """The matrix of M x'' + C x' + K x = 0, with states x and x'."""
    n = len(M)
    C = np.zeros((n, n)) if C is None else C
    return np.block(
        [[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]]
    )


def names(n):
    return {(f"mass_{k + 1}", "along"): lambda _, x, k=k: x[k] for k in range(n)}


def test_two_equal_masses_between_three_springs_swing_together_and_against_each_other():
    m, k = 3.0, 700.0
    matrix = second_order(m * np.eye(2), k * np.array([[2.0, -1.0], [-1.0, 2.0]]))
    result = modes_of_matrix(matrix, "chain", names(2))
    omega = np.sqrt([k / m, 3.0 * k / m])
    assert result.frequencies == pytest.approx(omega / (2.0 * math.pi))
    assert result.damping == pytest.approx([0.0, 0.0], abs=1e-12)
    assert result.shapes == pytest.approx(np.array([[1.0, 1.0], [1.0, -1.0]]), abs=1e-9)
    assert [row[3] for row in mode_rows(result)] == [
        "mass_1 along 1.00, mass_2 along 1.00", "mass_1 along 1.00, mass_2 along -1.00"
    ]  # fmt: skip


def test_a_chain_of_unlike_masses_has_its_closed_form():
    """m_1 on the ground by k_1, m_2 on it by k_2: the roots of a quadratic; x_2 / x_1 from each."""
    m_1, m_2, k_1, k_2 = 2615.0, 16000.0, 5e6, 8.6e5
    K = np.array([[k_1 + k_2, -k_2], [-k_2, k_2]])
    result = modes_of_matrix(second_order(np.diag([m_1, m_2]), K), "chain", names(2))
    half, product = 0.5 * ((k_1 + k_2) / m_1 + k_2 / m_2), k_1 * k_2 / (m_1 * m_2)
    for mode, sign in enumerate((-1.0, 1.0)):
        square = half + sign * math.sqrt(half * half - product)
        assert result.frequencies[mode] == pytest.approx(math.sqrt(square) / (2.0 * math.pi))
        ratio = k_2 / (k_2 - m_2 * square)
        parts = result.shapes[mode]
        assert parts[1] / parts[0] == pytest.approx(ratio)
        assert abs(parts).max() == pytest.approx(1.0)


def test_a_damped_mass_has_its_frequency_and_damping_ratio():
    """omega_0 = 20, zeta = 0.3: f = omega_0 sqrt(1 - zeta^2) / 2 pi."""
    matrix = second_order(np.eye(1), np.array([[400.0]]), np.array([[12.0]]))
    result = modes_of_matrix(matrix, "mass", names(1))
    assert result.damping == pytest.approx([0.3])
    assert result.frequencies == pytest.approx([20.0 * math.sqrt(0.91) / (2.0 * math.pi)])


@pytest.mark.parametrize(("c", "text"), [(50.0, "decays by 10"), (-50.0, "grows by 40")])
def test_motions_that_do_not_oscillate_are_told_apart(c, text):
    """s^2 + 50 s + 400 = (s + 10) (s + 40)."""
    matrix = second_order(np.eye(1), np.array([[400.0]]), np.array([[c]]))
    result = modes_of_matrix(matrix, "mass", names(1))
    assert (len(result.oscillating()), len(result.still())) == (0, 2)
    assert mode_rows(result) == []
    assert still_text(result) == f"2 more motions do not oscillate; the slowest {text} 1/s"


def test_equal_real_eigenvalues_do_not_oscillate():
    """A defective pair, which rounding puts beside the real axis."""
    matrix = np.array([[-3.0, 1.0], [-1e-14, -3.0]])
    assert len(modes_of_matrix(matrix, "twice", names(2)).oscillating()) == 0


def test_a_phase_is_told_in_degrees():
    """x and y of a whirl are a quarter of a period apart."""
    matrix = np.array([[0.0, -5.0], [5.0, 0.0]])
    (row,) = mode_rows(modes_of_matrix(matrix, "whirl", names(2)))
    assert row[3] == "mass_1 along 1.00, mass_2 along 1.00 at -90°"


class Chain(Block):
    """Two masses between three springs."""

    id = "shown.chain"
    y = Out("m", "nothing")
    k = Param("N/m", "stiffness", default=700.0)

    @out("y")
    def read(k):
        return 0.0

    @modes
    def chain(values):
        K = values["k"] * np.array([[2.0, -1.0], [-1.0, 2.0]])
        return modes_of_matrix(second_order(np.eye(2), K), "chain", names(2))


def test_a_block_has_modes_with_its_values_and_within_a_band():
    registry = standard_blocks().copy()
    registry.add(Chain)
    blocks = flatten(DiagramBuilder().add("c", "shown.chain", k=400.0).build()).blocks
    instance = resolve(blocks["c"], registry, [])
    result = modes_of(instance, Chain.declaration)
    assert result.frequencies * 2.0 * math.pi == pytest.approx([20.0, math.sqrt(1200.0)])
    assert len(modes_of(instance, Chain.declaration, (0.0, 4.0))) == 1
    with pytest.raises(DiagramError, match="chain: no modes to draw: its block does not draw them"):
        mode_figure(result)
    with pytest.raises(DiagramError, match="frequencies from 5 to 4 Hz; expected a rising pair"):
        modes_of(instance, Chain.declaration, (5.0, 4.0))


def test_a_coordinate_that_is_held_has_no_part():
    result = Modes("one", np.array([1j]), (("a", "x"),), np.array([[1.0]]))
    assert (result.part(0, "a", "x"), result.part(0, "a", "y")) == (1.0, 0.0)
