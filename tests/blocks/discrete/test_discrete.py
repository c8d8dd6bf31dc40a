"""Sampled blocks, iterated by hand, against scipy and closed forms."""

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import DiagramError

RNG = np.random.default_rng(11)
U = RNG.normal(size=200)


def test_second_order_sections_are_those_of_scipy():
    from scipy import signal

    sos = signal.butter(7, [0.2, 0.5], "bandpass", output="sos")
    y = Bench("discrete.second_order_sections", sos=sos).sampled(u=U)
    assert np.allclose(y, signal.sosfilt(sos, U), atol=1e-13)


def test_second_order_sections_refuse_rows_that_are_not_normalised():
    with pytest.raises(DiagramError, match="fourth number is not 1"):
        Bench("discrete.second_order_sections", sos=[[1.0, 0.0, 0.0, 2.0, 0.0, 0.0]])


@pytest.mark.parametrize(
    ("num", "den"),
    [
        ([1.0, 0.5], [1.0, -1.2, 0.5]),
        ([2.0, 1.0, 0.3], [2.0, -1.2, 0.5]),
        ([0.0, 0.0, 1.0], [1.0, -0.5, 0.1]),
    ],
)
def test_transfer_function_is_the_filter_of_scipy(num, den):
    from scipy.signal import lfilter

    y = Bench("discrete.transfer_function", num=num, den=den).sampled(u=U)
    padded = [0.0] * (len(den) - len(num)) + num
    assert np.allclose(y, lfilter(padded, den, U), atol=1e-12)


@pytest.mark.parametrize(
    ("zeros", "poles"),
    [
        ([-0.5], [[0.6, 0.3], 0.2]),
        ([], [0.9, -0.4]),
        ([[0.1, 0.8], 1.0], [0.5, 0.25, -0.5]),
        ([[-0.2, 0.4]], [[0.3, 0.3]]),
    ],
)
def test_zero_pole_gain_is_the_filter_of_scipy(zeros, poles):
    from scipy.signal import dlsim, zpk2tf

    def spread(roots):
        pairs = [r if isinstance(r, list) else [r] for r in roots]
        return [
            complex(*p[:1], s * p[1]) if p[1:] else p[0] for p in pairs for s in (1, -1)[: len(p)]
        ]

    num, den = zpk2tf(spread(zeros), spread(poles), 3.0)
    expected = dlsim((np.real(num), np.real(den), 0.1), U)[1][:, 0]
    bench = Bench("discrete.zero_pole_gain", zeros=zeros, poles=poles, gain=3.0)
    assert np.allclose(bench.sampled(u=U), expected, atol=1e-11)
    (read,) = bench.declaration.of_kind("out")
    assert ("u" in read.arguments) == (len(spread(zeros)) == len(spread(poles)))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"zeros": [0.1, 0.2], "poles": [0.5]}, "expected a proper"),
        ({"poles": ["slow"]}, "entry 1 of poles is 'slow'; expected a plain number"),
    ],
)
def test_zero_pole_gain_refuses(values, message):
    with pytest.raises(DiagramError, match=message):
        Bench("discrete.zero_pole_gain", **values)


def test_state_space_is_that_of_scipy():
    from scipy.signal import dlsim

    A, B, C, D = (RNG.normal(size=s) * 0.4 for s in ((3, 3), (3, 2), (2, 3), (2, 2)))
    u = RNG.normal(size=(50, 2))
    bench = Bench("discrete.state_space", A=A, B=B, C=C, D=D, x_0=[1.0, 2.0, 3.0])
    expected = dlsim((A, B, C, D, 0.1), u, x0=[1.0, 2.0, 3.0])[1]
    assert np.allclose(bench.sampled(u=u), expected)


def test_fir_is_a_convolution():
    b = [0.5, 0.3, -0.2, 0.1]
    assert np.allclose(Bench("discrete.fir", b=b).sampled(u=U), np.convolve(b, U)[: len(U)])


def test_moving_average_is_the_mean_of_the_last_samples():
    y = Bench("discrete.moving_average", n=4).sampled(u=U)
    assert np.allclose(y[3:], [U[k - 3 : k + 1].mean() for k in range(3, len(U))])


def test_delays_delay():
    assert np.array_equal(Bench("discrete.unit_delay", y_0=9.0).sampled(u=U)[1:], U[:-1])
    y = Bench("discrete.delay", n=5, y_0=9.0).sampled(u=U)
    assert np.array_equal(y, np.concatenate([[9.0] * 5, U[:-5]]))


def test_delay_of_no_samples_passes_its_input_at_once():
    bench = Bench("discrete.delay", n=0, y_0=9.0)
    assert np.array_equal(bench.sampled(u=U), U)
    assert not bench.declaration.discretes


def test_hold_takes_its_input():
    assert np.array_equal(Bench("discrete.zero_order_hold").sampled(u=U), U)


def test_memory_takes_its_input_at_the_trigger():
    bench = Bench("discrete.memory", y_0=1.0)
    assert bench.y() == 1.0
    bench.fire("trigger", u=5.0, trigger=True)
    assert bench.y() == 5.0


@pytest.mark.parametrize(
    ("method", "weights"), [("forward", (1, 0)), ("backward", (0, 1)), ("trapezoidal", (0.5, 0.5))]
)
def test_integrator_follows_its_rule(method, weights):
    bench = Bench("discrete.integrator", method=method, every=0.1, x_0=2.0)
    y = bench.sampled(u=U)
    left, right = weights
    assert np.allclose(np.diff(y), 0.1 * (left * U[:-1] + right * U[1:]))
    (read,) = bench.declaration.of_kind("out")
    assert ("u" in read.arguments) == (method != "forward")


def test_derivative_is_exact_for_straight_lines():
    y = Bench("discrete.derivative", every=0.1).sampled(u=3.0 * 0.1 * np.arange(10))
    assert np.allclose(y[1:], 3.0)


def test_rate_limiter_moves_no_faster_than_allowed_and_gets_there():
    u = np.concatenate([np.full(20, 1.0), np.full(20, -1.0)])
    y = Bench("discrete.rate_limiter", rising=1.0, falling=2.0, every=0.1).sampled(u=u)
    steps = np.diff(y, prepend=0.0)
    assert steps.max() == pytest.approx(0.1)
    assert steps.min() == pytest.approx(-0.2)
    assert y[19] == 1.0
    assert y[-1] == -1.0


def test_first_order_filter_is_exact_for_a_step():
    y = Bench("discrete.first_order_filter", T=0.5, every=0.1).sampled(u=np.ones(30))
    assert np.allclose(y, 1.0 - np.exp(-0.1 / 0.5 * np.arange(1, 31)))


def test_pid_without_limits_is_the_sum_of_its_parts():
    K_p, K_i, K_d, N, T = 2.0, 3.0, 0.5, 20.0, 0.01
    y = Bench("discrete.pid", K_p=K_p, K_i=K_i, K_d=K_d, N=N, every=T).sampled(e=U)
    from scipy.signal import lfilter

    integral = lfilter([0.0, T], [1.0, -1.0], U)
    derivative = lfilter([N, -N], [1.0 + N * T, -1.0], U)
    assert np.allclose(y, K_p * U + K_i * integral + K_d * derivative)


def test_pid_does_not_wind_up():
    # At rest K_i e = K_b (v - upper), so v = upper + K_i e / K_b.
    bench = Bench("discrete.pid", K_p=1.0, K_i=3.0, K_b=5.0, upper=4.0, every=0.01)
    y = bench.sampled(e=np.full(2000, 2.0))
    assert y[-1] == 4.0
    assert bench.states["x"] + 2.0 == pytest.approx(4.0 + 3.0 * 2.0 / 5.0)
