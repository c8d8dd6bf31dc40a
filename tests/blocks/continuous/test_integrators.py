"""Integrators with limits that are set back, against what a pencil integrates."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError

LIMITS = {"lower": -1.0, "upper": 2.0}


def bench(**values):
    return Bench("continuous.resettable_integrator", **values)


@pytest.mark.parametrize(
    ("u", "x_r", "x", "held"),
    [
        (1.0, 0.5, 0.5, 0),
        (1.0, 2.0, 2.0, 1),
        (0.0, 2.0, 2.0, 1),
        (-1.0, 2.0, 2.0, 0),
        (1.0, 7.0, 2.0, 1),
        (-1.0, 7.0, 2.0, 0),
        (-1.0, -1.0, -1.0, -1),
        (0.0, -5.0, -1.0, -1),
        (1.0, -5.0, -1.0, 0),
    ],
)
def test_a_reset_to_a_limit_holds_there_unless_the_input_points_inwards(u, x_r, x, held):
    it = bench(**LIMITS)
    it.fire("trigger", u=u, x_r=x_r)
    assert (it.y(), it.states["held"]) == (x, held)
    assert it.run("der", u=u)["x"] == (u if held == 0 else 0.0)


def test_a_reset_from_a_limit_lets_go():
    it = bench(**LIMITS)
    it.fire("upper", u=3.0)
    it.fire("trigger", u=3.0, x_r=0.5)
    assert it.run("der", u=3.0)["x"] == 3.0
    assert it.run("guard", u=3.0, trigger=False)["upper"] == -1.5


def test_without_limits_there_is_nothing_to_hold():
    it = bench()
    assert not it.declaration.discretes
    assert [g.guard for g in it.declaration.of_kind("guard")] == ["trigger"]


def test_a_start_outside_of_the_limits_is_refused():
    with pytest.raises(DiagramError, match=r"x_0 = 3\.0 lies outside of lower"):
        bench(x_0=3.0, **LIMITS)


@pytest.mark.parametrize(
    ("edge", "directions"), [("rising", "rising"), ("falling", "falling"), ("either", "both")]
)
def test_edges_are_directions_of_the_guard(edge, directions):
    (guard,) = bench(edge=edge).declaration.of_kind("guard")
    assert guard.direction == directions


def saw(lower, upper, edge):
    """u = 1 until 2.5 s, then -1; the trigger is true in [1, 2) and from 3 s on; x_r = 0.25."""
    text = f"""
blocks:
  u:    {{type: sources.step, time: 2.5 s, before: 1, after: -1}}
  when: {{type: sources.pulse, period: 2 s, delay: 1 s}}
  on:   {{type: routing.float_to_bool}}
  x_r:  {{type: sources.constant, value: 0.25}}
  it:   {{type: continuous.resettable_integrator, lower: {lower}, upper: {upper}, edge: {edge}}}
wires: [u -> it.u, when -> on -> it.trigger, x_r -> it.x_r]
log: {{signals: [it.y], every: 0.05 s}}"""
    return text


def by_hand(t, lower, upper, resets):
    """The integral by its pieces: a line from every reset and from 2.5 s on, within the limits."""
    x, y, since = 0.0, np.zeros_like(t), 0.0
    for k, now in enumerate(t):
        for event in sorted({2.5, *resets}):
            if since < event <= now:
                x = np.clip(x + (event - since) * (1.0 if since < 2.5 else -1.0), lower, upper)
                x, since = (np.clip(0.25, lower, upper) if event in resets else x), event
        y[k] = np.clip(x + (now - since) * (1.0 if since < 2.5 else -1.0), lower, upper)
    return y


@both
@pytest.mark.parametrize(
    ("edge", "resets"), [("rising", [1, 3]), ("falling", [2, 4]), ("either", [1, 2, 3, 4])]
)
@pytest.mark.parametrize(
    ("lower", "upper"), [("-.inf", ".inf"), (-0.2, 0.8), (-0.5, 0.25), (-1, 0.1)]
)
def test_limits_and_resets_together_give_the_pieces_of_a_pencil(
    lower, upper, edge, resets, compiled
):
    results = run(saw(lower, upper, edge), compiled)
    low, high = (float(str(v).replace(".inf", "inf")) for v in (lower, upper))
    expected = by_hand(results.time, low, high, resets)
    apart = np.min(np.abs(results.time[:, None] - np.array([*resets, 2.5])), axis=1) > 1e-9
    assert np.allclose(results["it.y"][apart], expected[apart], rtol=0, atol=1e-9)


@both
def test_elements_are_limited_and_set_back_each_by_itself(compiled):
    text = """
blocks:
  u:    {type: sources.constant, value: [1, 2, -1]}
  when: {type: sources.step, time: 1 s}
  on:   {type: routing.float_to_bool}
  it:   {type: continuous.resettable_integrator, lower: -0.5, upper: [0.8, 1, 1]}
wires: [u -> it.u, when -> on -> it.trigger]
log: {signals: [it.y], every: 0.25 s}"""
    results = run(text, compiled, "solver: {stop: 1.75 s}")
    assert results["it.y"][3] == pytest.approx([0.75, 1.0, -0.5], abs=1e-9)
    assert results["it.y"][-1] == pytest.approx([0.75, 1.0, -0.5], abs=1e-9)
    assert results["it.y"][5] == pytest.approx([0.25, 0.5, -0.25], abs=1e-9)
