"""Every solver passes one suite: order, tolerance, interpolant, end of the run, oracles."""

import math

import numpy as np
import pytest
from railblocks.engine import Simulation, check, loads
from railblocks.engine.solvers.bogacki_shampine import ODE23
from railblocks.engine.solvers.dormand_prince import ODE45
from railblocks.engine.solvers.methods import METHODS
from systems import run_system

OWN = [name for name, method in METHODS.items() if not method.python]
FIXED = [name for name in OWN if not METHODS[name].variable]
VARIABLE = [name for name in OWN if METHODS[name].variable]
LOOSE = {"rtol": 0.5, "atol": 1e3}  # so that every step is the largest allowed


def solve(name, h, stop=4.0, log=None):
    """Steps of h throughout: for variable-step methods the controller is given free rein."""
    if name in FIXED:
        return run_system("forced", method=name, step=h, stop=stop, log=log)[0]
    return run_system("forced", method=name, stop=stop, log=log, **LOOSE | {"max_step": h})[0]


def exact(t):
    return 0.5 * (np.cos(t) + np.sin(t) + np.exp(-t))


def slope(widths, errors):
    return np.polyfit(np.log(widths), np.log(errors), 1)[0]


WIDTHS = {
    1: [2.0**-k for k in range(9, 13)],
    2: [2.0**-k for k in range(6, 10)],
    3: [2.0**-k for k in range(5, 9)],
    4: [2.0**-k for k in range(4, 8)],
    5: [2.0**-k for k in range(4, 7)],
    8: [2.0**-k for k in range(3)],
}


@pytest.mark.parametrize("name", OWN)
def test_error_shrinks_with_the_order_of_the_method(name):
    widths = WIDTHS[METHODS[name].order]
    errors = [abs(solve(name, h)[-1, 1] - exact(4.0)) for h in widths]
    assert min(errors) > 5e-14  # above rounding
    assert slope(widths, errors) == pytest.approx(METHODS[name].order, abs=0.15)


@pytest.mark.parametrize("name", OWN)
def test_interpolant_is_as_accurate_as_its_order(name):
    order = {"euler": 1, "heun": 2, "rk4": 4, "ode5": 4, "ode23": 3, "ode45": 4, "ode853": 7}
    expected = order.get(name, 3)
    widths = WIDTHS[max(expected, 1) if expected != 7 else 8]
    errors = []
    for h in widths:
        rows = solve(name, h, log={"every": 0.0625 / 7})
        errors.append(np.max(np.abs(rows[:, 1] - exact(rows[:, 0]))))
    assert slope(widths, errors) > expected - 0.35


@pytest.mark.parametrize("name", VARIABLE)
def test_error_follows_the_tolerance(name):
    errors = []
    for rtol in (1e-4, 1e-8):
        rows, _ = run_system("growth", method=name, stop=20.0, rtol=rtol, atol=rtol)
        errors.append(abs(rows[-1, 1] - math.exp(math.sin(20.0))))
    assert errors[1] < 1e-3 * errors[0]
    assert errors[1] < 1e-6


@pytest.mark.parametrize("name", OWN)
def test_run_ends_exactly_at_the_stop_time(name):
    rows = solve(name, 0.3, stop=math.pi)
    assert rows[-1, 0] == math.pi
    assert np.all(np.diff(rows[:, 0]) > 0)


@pytest.mark.parametrize("name", OWN)
def test_compiled_equals_interpreted_to_the_last_bit(name):
    options = {"step": 0.05} if name in FIXED else {"rtol": 1e-7, "atol": 1e-9}
    compiled, _ = run_system("rational", True, method=name, start=5.0, stop=6.0, **options)
    plain, _ = run_system("rational", False, method=name, start=5.0, stop=6.0, **options)
    assert np.array_equal(compiled, plain)


@pytest.mark.parametrize("name", ["Radau", "BDF", "LSODA"])
def test_oracles_of_scipy_agree_with_the_closed_form(name):
    rows, _ = run_system("rational", method=name, start=5.0, stop=9.0, rtol=1e-9, atol=1e-11)
    assert rows[-1, 1:] == pytest.approx([9.0 / 19.0, 90.0 / 361.0], abs=1e-7)


def test_coefficients_equal_those_of_scipy():
    from scipy.integrate import RK23, RK45

    for tableau, oracle in ((ODE45, RK45), (ODE23, RK23)):
        stages = oracle.n_stages
        a = np.zeros((stages, oracle.A.shape[1]))
        for i, row in enumerate(tableau.a[: stages - 1]):
            a[i + 1, : len(row)] = row
        assert np.array_equal(a, oracle.A)
        assert np.array_equal(tableau.b, oracle.B)
        assert np.array_equal(tableau.c[:stages], oracle.C)
        assert np.array_equal(tableau.e, oracle.E)
        assert np.array_equal(tableau.p, oracle.P)


# --- references of the IVP Test Set ------------------------------------------------------------
def test_radau5_meets_the_reference_of_hires():
    rows, _ = run_system("hires", method="radau5", stop=321.8122, rtol=1e-10, atol=1e-14)
    reference = [
        7.371312573325668e-4, 1.442485726316185e-4, 5.888729740967575e-5, 1.175651343283149e-3,
        2.386356198831331e-3, 6.238968252742796e-3, 2.849998395185769e-3, 2.850001604814231e-3,
    ]  # fmt: skip
    assert rows[-1, 1:] == pytest.approx(reference, rel=1e-9)


def test_radau5_meets_the_reference_of_rober():
    rows, _ = run_system("rober", method="radau5", stop=1e11, rtol=1e-9, atol=1e-20)
    reference = [2.083340149701255e-8, 8.333360770334713e-14, 0.9999999791665050]
    assert rows[-1, 1:] == pytest.approx(reference, rel=1e-8)


def test_radau5_meets_the_reference_of_stiff_van_der_pol():
    rows, _ = run_system("van_der_pol", method="radau5", stop=2.0, rtol=1e-9, atol=1e-9)
    assert rows[-1, 1:] == pytest.approx([1.706167732170483, -0.8928097010247975], rel=1e-9)


def test_radau5_takes_far_fewer_steps_on_a_stiff_problem():
    _, stiff = run_system("van_der_pol", method="radau5", stop=0.5, rtol=1e-6, eps=1e-5)
    _, explicit = run_system("van_der_pol", method="ode45", stop=0.5, rtol=1e-6, eps=1e-5)
    assert stiff.statistics.steps * 20 < explicit.statistics.steps


@pytest.mark.parametrize("name", ["ode45", "ode853"])
def test_arenstorf_orbit_returns_to_its_start(name):
    period = 17.0652165601579625588917206249
    rows, _ = run_system("arenstorf", method=name, stop=period, rtol=1e-12, atol=1e-13)
    assert rows[-1, 1:] == pytest.approx([0.994, 0.0], abs=2e-6)


def test_van_der_pol_limit_cycle_has_its_period_and_amplitude():
    rows, _ = run_system(
        "van_der_pol", method="ode853", stop=60.0, rtol=1e-11, atol=1e-12, eps=1.0, log=None
    )
    t, x, v = rows[:, 0], rows[:, 1], rows[:, 2]
    late = t > 25.0
    crossings = np.flatnonzero((v[:-1] > 0) & (v[1:] <= 0) & late[:-1])
    times, peaks = [], []
    for i in crossings:  # cubic Hermite root of v between two close steps
        h = t[i + 1] - t[i]
        a = ((1 - x[i] ** 2) * v[i] - x[i]) * h
        b = ((1 - x[i + 1] ** 2) * v[i + 1] - x[i + 1]) * h
        c = [a + b + 2 * v[i] - 2 * v[i + 1], 3 * v[i + 1] - 3 * v[i] - 2 * a - b, a, v[i]]
        root = next(r.real for r in np.roots(c) if abs(r.imag) < 1e-12 and 0 <= r.real <= 1)
        times.append(t[i] + root * h)
        peaks.append(max(x[i], x[i + 1]))
    periods = np.diff(times)
    assert np.mean(periods) == pytest.approx(6.6632868593231, abs=1e-5)
    assert max(peaks) == pytest.approx(2.0086198608748, abs=1e-4)


STIFF_LAG = """diagram: 1
blocks:
  u: {type: sources.sine}
  x: {type: continuous.first_order_lag, T: 1 ms}
wires: [u -> x]
solver: {method: ode45, rtol: 1e-6, atol: 1e-9, stop: 5 s}
"""


def test_where_stability_limits_the_step_hardly_any_is_rejected():
    """Without a ceiling after rejected steps, every tenth and more of them is."""
    simulation = Simulation(check(loads(STIFF_LAG)))
    for _ in simulation.chunks():
        pass
    statistics = simulation.statistics
    assert statistics.steps > 1000
    assert statistics.rejected < 0.03 * statistics.steps
