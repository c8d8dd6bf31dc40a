"""Indices of sensitivity against closed forms: Ishigami's function, and a line."""

import math

import numpy as np
import pytest
from railblocks.engine import DiagramError, Sampling, loads, simulate_many
from railblocks.engine.studies.sensitivity import effects, indices

pytest.importorskip("SALib")

ISHIGAMI = loads("""\
diagram: 1
blocks:
  x1: {type: sources.constant, value: 1}
  x2: {type: sources.constant, value: 1}
  x3: {type: sources.constant, value: 1}
  f:  {type: math.expression, expression: "sin(u1) + 7*sin(u2)^2 + 0.1*u3^4*sin(u1)"}
wires: [x1 -> f.u1, x2 -> f.u2, x3 -> f.u3]
solver: {stop: 1 ms}
log: {signals: [f.y]}
""")
CUBE = {f"x{k}.value": f"{-math.pi!r}..{math.pi!r}" for k in (1, 2, 3)}
LINE = ISHIGAMI.with_values({"f.expression": "'4*u1 - 2*u2 + 0*u3'"})


def study(diagram, count, method, vary=CUBE):
    return simulate_many(diagram, vary, ["y = final(f.y)"], sampling=Sampling(count, method, 1))


def test_indices_of_sobol_meet_the_closed_forms_of_ishigami():
    """With a = 7 and b = 0.1: V1 = (1 + b pi^4/5)^2 / 2, V2 = a^2/8, V13 = 8 b^2 pi^8 / 225."""
    a, b = 7.0, 0.1
    V1 = 0.5 * (1.0 + b * math.pi**4 / 5.0) ** 2
    V2, V13 = a * a / 8.0, 8.0 * b * b * math.pi**8 / 225.0
    V = V1 + V2 + V13
    S1 = np.array([V1, V2, 0.0]) / V
    ST = np.array([V1 + V13, V2, V13]) / V
    sampled = study(ISHIGAMI, 256, "saltelli")
    assert len(sampled) == 256 * 5
    found = indices(sampled, "y")
    assert [index.parameter for index in found] == list(CUBE)
    assert [index.numbers[0] for index in found] == pytest.approx(S1, abs=0.06)
    assert [index.numbers[2] for index in found] == pytest.approx(ST, abs=0.06)


def test_elementary_effects_of_a_line_are_its_slopes():
    """Over the whole range of 2 pi; without interactions sigma is 0."""
    found = indices(study(LINE, 16, "morris"), "y")
    mu, mu_star, _, sigma = zip(*(index.numbers for index in found), strict=True)
    assert mu == pytest.approx((8 * math.pi, -4 * math.pi, 0.0), rel=0.1, abs=1e-9)
    assert mu_star == pytest.approx((8 * math.pi, 4 * math.pi, 0.0), rel=0.1, abs=1e-9)
    assert sigma == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


def test_the_tornado_has_the_largest_effect_first():
    """Means of a uniform distribution over its outer fifths are 0.8 of its half width."""
    bars = effects(study(LINE, 400, "lhs"), "y")
    assert [bar[0] for bar in bars] == ["x1.value", "x2.value", "x3.value"]
    assert bars[0][2] - bars[0][1] == pytest.approx(4 * 1.6 * math.pi, rel=0.1)
    assert bars[1][2] - bars[1][1] == pytest.approx(-2 * 1.6 * math.pi, rel=0.3)


def test_indices_need_a_design_and_all_its_runs():
    with pytest.raises(DiagramError, match="need a study that was sampled for them"):
        indices(study(LINE, 8, "lhs"), "y")
    with pytest.raises(DiagramError, match="expected a power of two"):
        study(LINE, 100, "saltelli")
    broken = ISHIGAMI.with_values({"f.expression": "'log(u1) + u2 + u3'"})
    with pytest.raises(DiagramError, match="runs have no value of 'y'"):
        indices(study(broken, 8, "saltelli"), "y")
