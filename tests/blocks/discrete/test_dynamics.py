"""The sampled integrator with limits and resets, against a loop written from its equations."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError

RNG = np.random.default_rng(3)
U = RNG.normal(size=60)
TRIGGER = RNG.random(60) < 0.3
X_R = RNG.normal(size=60)
WEIGHTS = {"forward": 0.0, "backward": 1.0, "trapezoidal": 0.5}
T = 0.5


def edges(kind, trigger):
    before = np.concatenate([trigger[:1], trigger[:-1]])
    return {
        "rising": trigger & ~before,
        "falling": ~trigger & before,
        "either": trigger != before,
        "level": trigger,
    }[kind]


def by_hand(method, fires, lower, upper, x_0=0.2):
    x, y, w = x_0, [], WEIGHTS[method]
    for u, back, x_r in zip(U, fires, X_R, strict=True):
        y.append(min(max(x_r if back else x + w * T * u, lower), upper))
        x = y[-1] + (1 - w) * T * u
    return y


@pytest.mark.parametrize("method", WEIGHTS)
@pytest.mark.parametrize("edge", ["rising", "falling", "either", "level"])
@pytest.mark.parametrize(("lower", "upper"), [(-np.inf, np.inf), (-0.4, 0.7), (0.1, np.inf)])
def test_integrator_with_limits_and_resets_follows_its_equations(method, edge, lower, upper):
    bench = Bench(
        "discrete.integrator", every=T, x_0=0.2, method=method, edge=edge, lower=lower, upper=upper
    )
    y = bench.sampled(u=U, trigger=TRIGGER, x_r=X_R)
    fires = edges(edge, TRIGGER)
    assert fires.sum() > 3
    assert y == pytest.approx(by_hand(method, fires, lower, upper), abs=1e-12)


@pytest.mark.parametrize("method", WEIGHTS)
def test_integrator_leaves_a_limit_with_the_first_sample_that_points_inwards(method):
    u = np.concatenate([np.ones(50), -np.ones(3)])
    y = Bench("discrete.integrator", every=0.1, upper=1.0, method=method).sampled(u=u)
    assert np.all(y[20:50] == 1.0)
    assert np.allclose(np.diff(y[51:]), -0.1)
    assert y[51] < 1.0


def test_integrator_of_one_rule_only_reads_its_input_at_once():
    for method in WEIGHTS:
        (read,) = Bench("discrete.integrator", method=method).declaration.of_kind("out")
        assert ("u" in read.arguments) == (method != "forward")


def test_integrator_refuses_crossed_limits():
    with pytest.raises(DiagramError, match="lower = 2 is above upper = 1"):
        Bench("discrete.integrator", lower=2.0, upper=1.0)


@both
def test_integrator_is_set_back_in_a_diagram(compiled):
    text = """
blocks:
  u:    {type: sources.constant, value: [1, 3]}
  when: {type: sources.step, time: 0.4 s}
  on:   {type: routing.float_to_bool}
  it:   {type: discrete.integrator, every: 0.1 s, upper: 0.65, edge: rising}
wires: [u -> it.u, when -> on -> it.trigger]
log: {signals: [it.y], every: 0.1 s}"""
    y = run(text, compiled, "solver: {stop: 0.6 s}")["it.y"]
    one, three = [0.0, 0.1, 0.2, 0.3, 0.0, 0.1, 0.2], [0.0, 0.3, 0.6, 0.65, 0.0, 0.3, 0.6]
    assert np.allclose(y, np.transpose([one, three]), atol=1e-12)
