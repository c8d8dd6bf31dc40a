"""Continuous blocks: frequency responses, closed forms and limits, from their kernels alone."""

import math

import numpy as np
import pytest
from bench import Bench
from hypothesis import given
from hypothesis import strategies as st
from railblocks.engine import DiagramError

OMEGA = np.logspace(-2, 2, 25)


@pytest.mark.parametrize(
    ("num", "den"),
    [
        ([1.0], [2.0, 1.0]),
        ([3.0, 2.0], [1.0, 0.6, 4.0]),
        ([2.0, 0.0, 1.0], [0.5, 0.2, 4.0]),
        ([0.0, 0.0, 5.0], [1.0, 3.0, 3.0, 1.0]),
        ([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 7.0, 3.0, 2.0]),
    ],
)
def test_transfer_function_has_the_frequency_response_of_scipy(num, den):
    from scipy.signal import freqs

    response = Bench("continuous.transfer_function", num=num, den=den).response(1j * OMEGA)
    assert np.allclose(response, freqs(num, den, OMEGA)[1], rtol=1e-10)


def test_strictly_proper_transfer_function_has_no_feedthrough():
    strict = Bench("continuous.transfer_function", num=[0.0, 1.0], den=[1.0, 1.0])
    proper = Bench("continuous.transfer_function", num=[1.0, 1.0], den=[1.0, 2.0])
    (read,) = strict.declaration.of_kind("out")
    assert "u" not in read.arguments
    (read,) = proper.declaration.of_kind("out")
    assert "u" in read.arguments


@pytest.mark.parametrize(
    ("num", "den", "message"),
    [
        ([1.0, 0.0, 0.0], [1.0, 1.0], "degree 2, the denominator 1; expected a proper"),
        ([1.0], [0.0, 1.0], "begins with 0"),
        ([1.0], [2.0], "no pole; use math.gain"),
    ],
)
def test_transfer_function_refuses(num, den, message):
    with pytest.raises(DiagramError, match=message):
        Bench("continuous.transfer_function", num=num, den=den)


def test_zero_pole_gain_has_the_frequency_response_of_scipy():
    from scipy.signal import freqs_zpk

    bench = Bench(
        "continuous.zero_pole_gain", zeros=[-2.0, [0.5, 3.0]], poles=[[-0.3, 2.0], -1.0], gain=3.0
    )
    zeros, poles = [-2, 0.5 + 3j, 0.5 - 3j], [-0.3 + 2j, -0.3 - 2j, -1]
    expected = freqs_zpk(zeros, poles, 3.0, OMEGA)[1]
    assert np.allclose(bench.response(1j * OMEGA), expected, rtol=1e-10)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"zeros": [-1.0, -2.0], "poles": [-1.0]}, "expected a proper"),
        ({"poles": [[1.0, 2.0, 3.0]]}, "expected a number or a pair"),
        ({"poles": ["fast"]}, "entry 1 of poles is 'fast'; expected a plain number"),
        ({"poles": [-1.0, "-2*pi"]}, "entry 2 of poles is '-2\\*pi'; expected a plain number"),
        ({"poles": [[-1.0, "3 rad/s"]]}, "entry 1 of poles is '3 rad/s'; expected a plain number"),
        ({"poles": "-2*pi"}, "entry 1 of poles is '-2\\*pi'"),
        ({"poles": -1.0, "zeros": [True]}, "entry 1 of zeros is True; expected a number"),
        ({"poles": [{"re": 1.0}]}, "expected a number"),
    ],
)
def test_zero_pole_gain_refuses(values, message):
    with pytest.raises(DiagramError, match=message):
        Bench("continuous.zero_pole_gain", **values)


def test_state_space_is_its_matrices():
    rng = np.random.default_rng(2)
    A, B, C, D = (rng.normal(size=s) for s in ((3, 3), (3, 2), (2, 3), (2, 2)))
    x, u = rng.normal(size=3), rng.normal(size=2)
    bench = Bench("continuous.state_space", A=A, B=B, C=C, D=D)
    assert np.allclose(bench.run("der", x=x, u=u)["x"], A @ x + B @ u)
    assert np.allclose(bench.y(x=x, u=u), C @ x + D @ u)


def test_state_space_without_feedthrough_does_not_read_its_input():
    bench = Bench("continuous.state_space", D=0.0, x_0=[1.0, 2.0])
    (read,) = bench.declaration.of_kind("out")
    assert "u" not in read.arguments
    assert np.allclose(bench.y(), [1.0, 2.0])


def test_state_space_refuses_matrices_that_do_not_fit():
    with pytest.raises(DiagramError, match="shape"):
        Bench("continuous.state_space", B=[[1.0], [2.0], [3.0]])


def scalar_response(bench, s):
    """y/u of a linear block with one scalar state x, from its kernels."""
    a, b = bench.run("der", x=1.0, u=0.0)["x"], bench.run("der", x=0.0, u=1.0)["x"]
    return bench.y(x=1.0, u=0.0) * b / (s - a) + bench.y(x=0.0, u=1.0)


@pytest.mark.parametrize(
    ("block", "values", "expected"),
    [
        ("first_order_lag", {"k": 3.0, "T": 0.5}, lambda s: 3 / (0.5 * s + 1)),
        (
            "lead_lag",
            {"k": 2.0, "T_1": 0.7, "T_2": 0.1},
            lambda s: 2 * (0.7 * s + 1) / (0.1 * s + 1),
        ),
        ("filtered_derivative", {"T": 0.05}, lambda s: s / (0.05 * s + 1)),
        ("integrator", {}, lambda s: 1 / s),
    ],
)
def test_first_order_block_has_its_transfer_function(block, values, expected):
    s = 1j * OMEGA
    response = scalar_response(Bench(f"continuous.{block}", **values), s)
    assert np.allclose(response, expected(s), rtol=1e-12)


def test_second_order_lag_has_its_natural_frequency_and_damping():
    bench = Bench("continuous.second_order_lag", omega=3.0, zeta=0.2, k=5.0)
    columns = [bench.run("der", x=x, v=v, u=0.0) for x, v in ((1.0, 0.0), (0.0, 1.0))]
    A = np.array([[c["x"] for c in columns], [c["v"] for c in columns]])
    poles = np.linalg.eigvals(A)
    assert np.allclose(abs(poles), 3.0)
    assert np.allclose(poles.real, -0.6)
    assert bench.run("der", x=5.0, v=0.0, u=1.0) == {"x": 0.0, "v": 0.0}


@given(st.floats(-5, 5))
def test_limited_integrator_that_starts_on_a_limit_moves_only_inwards(u):
    for x_0, inwards in ((2.0, u < 0.0), (-1.0, u > 0.0), (0.5, True)):
        bench = Bench("continuous.limited_integrator", lower=-1.0, upper=2.0, x_0=x_0)
        assert bench.begin(u=u).run("der", u=u)["x"] == (u if inwards else 0.0)


def test_limited_integrator_holds_its_limit_until_the_input_points_inwards():
    bench = Bench("continuous.limited_integrator", lower=-1.0, upper=2.0)
    bench.fire("upper", u=3.0, x=2.0 + 1e-13)
    assert bench.y() == 2.0
    assert bench.run("der", u=3.0)["x"] == 0.0
    assert bench.run("guard", u=0.0)["leave"] == 0.0
    assert bench.run("guard", u=-1e-9)["leave"] < 0.0
    bench.fire("leave", u=-1e-9)
    assert bench.run("der", u=-1e-9)["x"] == -1e-9
    assert bench.run("guard", u=-1e-9)["upper"] < 0.0 <= bench.run("guard", u=0.0)["upper"]


def test_limited_integrator_refuses_a_start_outside():
    with pytest.raises(DiagramError, match="outside"):
        Bench("continuous.limited_integrator", x_0=3.0, upper=2.0)


def test_resettable_integrator_starts_again_where_it_is_told():
    bench = Bench("continuous.resettable_integrator")
    bench.fire("trigger", trigger=True, x_r=4.0)
    assert bench.y() == 4.0


def pid(e, steps, h, **values):
    """Output and integral part after many Euler steps of a constant error."""
    bench = Bench("continuous.pid", **values)
    for _ in range(steps):
        rates = bench.run("der", e=e)
        bench.states = {name: x + h * rates[name] for name, x in bench.states.items()}
    return bench.y(e=e), bench.states["x_i"]


def test_pid_winds_up_no_further_than_back_calculation_allows():
    # At rest K_i e = K_b (v - upper), so v = upper + K_i e / K_b.
    y, x_i = pid(2.0, 20_000, 1e-3, K_p=1.0, K_i=3.0, K_b=5.0, upper=4.0)
    assert y == 4.0
    assert x_i + 2.0 == pytest.approx(4.0 + 3.0 * 2.0 / 5.0, rel=1e-6)


def test_pid_without_limits_integrates_on():
    _, x_i = pid(2.0, 1000, 1e-3, K_i=3.0)
    assert x_i == pytest.approx(6.0)


def test_pid_has_its_transfer_function():
    bench = Bench("continuous.pid", K_p=2.0, K_i=3.0, K_d=0.5, N=40.0)
    at = {name: bench.run("der", e=0.0, **state) for name, state in
          {"i": {"x_i": 1.0, "x_d": 0.0}, "d": {"x_i": 0.0, "x_d": 1.0}}.items()}  # fmt: skip
    A = np.array([[at[k][n] for k in "id"] for n in ("x_i", "x_d")])
    B = np.array([bench.run("der", e=1.0)[n] for n in ("x_i", "x_d")])
    C = np.array([bench.y(e=0.0, x_i=1.0, x_d=0.0), bench.y(e=0.0, x_i=0.0, x_d=1.0)])
    for s in 1j * OMEGA:
        response = C @ np.linalg.solve(s * np.eye(2) - A, B) + bench.y(e=1.0)
        assert response == pytest.approx(2 + 3 / s + 0.5 * 40 * s / (s + 40), rel=1e-12)


@pytest.mark.parametrize("n", range(1, 9))
def test_pade_delay_is_an_all_pass_with_the_phase_of_the_delay(n):
    omega = np.linspace(0.01, 1.0, 40) * (1.5 * n - 0.5)
    bench = Bench("continuous.pade_delay", T=0.5, n=n)
    response = bench.response(1j * omega / 0.5)
    assert np.allclose(abs(response), 1.0, rtol=1e-7)
    assert np.max(abs(np.angle(response * np.exp(1j * omega)))) < 0.1


def delayed(bench, u, start, t):
    """Outputs at given times for an input that is a function of time, with events in between."""
    bench.begin(t=start, u=u(start))
    outputs = []
    for now in t:
        while (gap := bench.run("guard", t=now)["sample"]) >= 0.0:
            bench.fire("sample", t=now - gap, u=u(now - gap))
        outputs.append(bench.y(t=now))
    return np.array(outputs)


@pytest.mark.parametrize("start", [0.0, 7.0])
@pytest.mark.parametrize("n", [1, 3, 100])
def test_transport_delay_is_exact_for_straight_lines(n, start):
    bench = Bench("continuous.transport_delay", delay=0.7, n=n, y_0=5.0)
    t = start + np.linspace(0.0, 3.0, 61)
    y = delayed(bench, lambda t: 3.0 * (t - start) + 5.0, start, t)
    assert np.allclose(y, 5.0 + 3.0 * np.maximum(t - start - 0.7, 0.0), rtol=1e-12)


def test_transport_delay_error_is_bounded_by_the_second_derivative():
    bench = Bench("continuous.transport_delay", delay=0.5, n=20)
    t = np.linspace(0.0, 4.0, 801)
    y = delayed(bench, lambda t: math.sin(2 * t), 0.0, t)
    late = t > 0.5
    assert np.max(abs(y - np.sin(2 * (t - 0.5)))[late]) <= 0.025**2 / 8 * 4 * (1 + 1e-9)


def test_filtered_derivative_starts_from_the_input_it_is_told():
    bench = Bench("continuous.filtered_derivative", T=0.01, x_0=3.0)
    assert bench.y(u=3.0) == 0.0
    assert math.isclose(bench.y(u=3.01), 1.0)
