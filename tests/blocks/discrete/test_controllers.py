"""The sampled PID with all of its choices, against a loop written from its equations."""

import itertools

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import DiagramError

RNG = np.random.default_rng(12)
N_SAMPLES, T = 80, 0.01
E, R, U_T = RNG.normal(size=(3, N_SAMPLES))
TRIGGER = RNG.random(N_SAMPLES) < 0.2
GAINS = {"K_p": 2.0, "K_i": 3.0, "K_d": 0.05, "N": 40.0, "K_b": 5.0}
WINDUP = ("back_calculation", "tracking", "clamping")
RULES = ("backward", "forward", "trapezoidal")


@pytest.mark.parametrize("rule", RULES)
def test_derivative_is_that_of_scipy_by_its_rule(rule):
    from scipy.signal import cont2discrete, lfilter

    method = {"backward": "backward_diff", "forward": "euler", "trapezoidal": "bilinear"}[rule]
    num, den, _ = cont2discrete(([0.05 * 40.0, 0.0], [1.0, 40.0]), T, method)
    bench = Bench("discrete.pid", K_p=0.0, K_i=0.0, K_d=0.05, N=40.0, derivative=rule, every=T)
    assert bench.sampled(e=E) == pytest.approx(lfilter(num[0], den, E), abs=1e-12)


def by_hand(rule, choice, b, c, fires):
    """y_k from (1) to (6), limited to -3 ... 4, y_0 = 0.7."""
    w = {"backward": 1.0, "forward": 0.0, "trapezoidal": 0.5}[rule]
    x, d, last, y = 0.7, 0.0, 0.0, []
    for e, r, u_t, anew in zip(E, R, U_T, fires, strict=True):
        if anew:
            x, d, last = 0.7, 0.0, 0.0
        a = e + (c - 1) * r
        d = ((1 - (1 - w) * 0.4) * d + 40.0 * 0.05 * (a - last)) / (1 + w * 0.4)
        v, last = 2.0 * (e + (b - 1) * r) + x + d, a
        y.append(min(max(v, -3.0), 4.0))
        outwards = (v > 4.0 and e > 0) or (v < -3.0 and e < 0)
        x += (
            T
            * {
                "back_calculation": 3.0 * e + 5.0 * (y[-1] - v),
                "tracking": 3.0 * e + 5.0 * (u_t - v),
                "clamping": 0.0 if outwards else 3.0 * e,
            }[choice]
        )
    return y


@pytest.mark.parametrize(
    ("rule", "choice", "b", "c", "edge"),
    list(itertools.product(RULES, WINDUP, [1.0, 0.3], [1.0, 0.0], ["rising", "level"])),
)
def test_all_choices_together_follow_their_equations(rule, choice, b, c, edge):
    bench = Bench(
        "discrete.pid", **GAINS, b=b, c=c, derivative=rule, anti_windup=choice, edge=edge,
        lower=-3.0, upper=4.0, y_0=0.7, every=T,
    )  # fmt: skip
    inputs = {"e": E, "r": R, "trigger": TRIGGER} | ({"u_t": U_T} if choice == "tracking" else {})
    rises = TRIGGER & ~np.concatenate([TRIGGER[:1], TRIGGER[:-1]])
    expected = by_hand(rule, choice, b, c, rises if edge == "rising" else TRIGGER)
    y = bench.sampled(**inputs)
    assert {y.min(), y.max()} == {-3.0, 4.0}
    assert y == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("N", "every"), [(200.0, 0.01), (1000.0, 0.01)])
def test_forward_derivative_that_would_grow_is_refused(N, every):
    with pytest.raises(DiagramError, match=r"N every = .*; expected less than 2"):
        Bench("discrete.pid", derivative="forward", N=N, every=every)
    assert Bench("discrete.pid", derivative="trapezoidal", N=N, every=every)
