"""Linear models: poles, zeros, responses, steps, and what they become elsewhere."""

import numpy as np
import pytest
from railblocks.engine import DiagramError, LinearModel
from railblocks.engine.linear.modes import modes
from railblocks.engine.linear.steps import step_response
from railblocks.engine.linear.zeros import transmission_zeros


def model(A, B, C, D, sample_time=None):
    A, B, C, D = (np.atleast_2d(np.array(part, dtype=float)) for part in (A, B, C, D))
    counts = zip("xuy", (*B.shape, len(C)), strict=True)
    names = [tuple(f"{letter}{i}" for i in range(count)) for letter, count in counts]
    return LinearModel(A, B, C, D, *names, sample_time=sample_time)


SECOND = model([[0, 1], [-4, -2]], [[0], [1]], [[3, 1]], [[0]])


def test_poles_zeros_and_response_of_a_transfer_function():
    """(s + 3) / (s^2 + 2 s + 4)."""
    assert SECOND.poles == pytest.approx([-1 + 3**0.5 * 1j, -1 - 3**0.5 * 1j])
    assert SECOND.zeros == pytest.approx([-3.0])
    s = 1j * np.array([0.1, 2.0, 50.0])
    expected = (s + 3.0) / (s * s + 2.0 * s + 4.0)
    assert SECOND.response(s.imag)[:, 0, 0] == pytest.approx(expected, rel=1e-13)


def test_transmission_zeros_of_a_system_with_two_inputs():
    """Diagonal of (s - 1)/(s + 2) and (s + 5)/(s + 3), turned by a full matrix of states."""
    A, C = np.diag([-2.0, -3.0]), np.diag([-3.0, 2.0])
    T = np.array([[1.0, 2.0], [-1.0, 3.0]])
    found = transmission_zeros(np.linalg.inv(T) @ A @ T, np.linalg.inv(T), C @ T, np.eye(2))
    assert np.sort(found.real) == pytest.approx([-5.0, 1.0])


@pytest.mark.parametrize("seed", range(5))
def test_zeros_are_where_the_system_matrix_loses_rank(seed):
    random = np.random.default_rng(seed)
    n, m = 5, 2
    A, B, C = random.normal(size=(n, n)), random.normal(size=(n, m)), random.normal(size=(m, n))
    D = np.zeros((m, m))
    zeros = transmission_zeros(A, B, C, D)
    assert len(zeros) == n - m
    for z in zeros:
        whole = np.block([[A - z * np.eye(n), B], [C, D]])
        assert np.linalg.svd(whole)[1][-1] < 1e-8


def test_a_double_integrator_has_no_zeros():
    assert len(model([[0, 1], [0, 0]], [[0], [1]], [[1, 0]], [[0]]).zeros) == 0


def test_a_step_response_is_exact():
    times, values = step_response(model([[-2.0]], [[3.0]], [[1.0]], [[0.5]]), 4.0)
    assert values[:, 0, 0] == pytest.approx(0.5 + 1.5 * (1.0 - np.exp(-2.0 * times)), rel=1e-12)


def test_a_sampled_model_has_rates_in_seconds():
    sampled = model([[np.exp(-0.2)]], [[1.0]], [[1.0]], [[0.0]], 0.1)
    assert sampled.rates == pytest.approx([-2.0])
    assert sampled.is_stable
    gone = model([[0.0]], [[1.0]], [[1.0]], [[0.0]], 0.1)
    assert gone.rates[0].real == -np.inf
    assert modes(gone)[0].damping == 1.0


def test_modes_have_frequency_damping_and_parts():
    (mode,) = modes(SECOND)
    assert (2.0 * np.pi * mode.frequency, mode.damping) == (
        pytest.approx(3**0.5),
        pytest.approx(0.5),
    )
    assert sum(mode.parts.values()) == pytest.approx(1.0)


def test_one_output_and_input_are_taken_by_name():
    both = model([[-1]], [[1, 2]], [[1], [3]], [[0, 0], [0, 4]])
    assert both.only("y1", "u1").response(0.0)[0, 0, 0] == pytest.approx(10.0)
    with pytest.raises(DiagramError, match="'y7' is not an output"):
        both.only("y7")


@pytest.mark.parametrize("sample_time", [None, 0.1])
def test_scipy_has_the_same_model(sample_time):
    given = model([[0.5, 1], [0, 0.2]], [[0], [1]], [[3, 1]], [[2]], sample_time)
    other = given.to_scipy()
    assert np.array_equal(other.A, given.A)
    assert np.array_equal(other.D, given.D)
    assert (other.dt or None) == sample_time


@pytest.mark.parametrize("sample_time", [None, 0.1])
def test_python_control_has_the_same_model(sample_time):
    pytest.importorskip("control")
    given = model([[-0.5, 1], [0, 0.2]], [[0], [1]], [[3, 1]], [[2]], sample_time)
    other = given.to_control()
    assert np.array_equal(other.A, given.A)
    assert other.state_labels == ["x0", "x1"]
    omega = 0.7
    assert complex(other(np.exp(1j * omega * 0.1) if sample_time else 1j * omega)) == (
        pytest.approx(given.response(omega)[0, 0, 0])
    )
