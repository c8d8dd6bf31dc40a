"""Dampers by tables: closed forms, energy, and in series with a spring."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.multibody.dampers import damper_force, damper_speed
from railblocks.blocks.rail.vehicle.tables import both_ways
from railblocks.engine import compiled
from scipy.integrate import solve_ivp

C, BLOW_OFF, BEYOND, SERIES = 800e3, 12e3, 20e3, 5e6
KNEE = BLOW_OFF / C
CURVE = np.array(both_ways(((0.0, 0.0), (KNEE, BLOW_OFF), (2 * KNEE, BLOW_OFF + BEYOND * KNEE))))


@pytest.mark.parametrize("v", [0.0, 0.3 * KNEE, KNEE, 1.5 * KNEE, 40.0 * KNEE])
def test_a_damper_gives_way_at_its_blow_off_force(v):
    """c v up to it, then by another slope; alike in both directions."""
    expected = C * v if v <= KNEE else BLOW_OFF + BEYOND * (v - KNEE)
    for sign in (1.0, -1.0):
        assert damper_force(CURVE, sign * v) == pytest.approx(sign * expected, rel=1e-12)
        assert damper_speed(CURVE, sign * expected) == pytest.approx(sign * v, rel=1e-12)
    assert damper_force(CURVE, 0.0) == 0.0


steps = st.lists(
    st.tuples(st.floats(1e-4, 0.5), st.floats(0.0, 2e4, allow_subnormal=False)),
    min_size=1,
    max_size=6,
)


@given(steps, st.floats(-3.0, 3.0))
def test_a_damper_never_gives_energy(steps, v):
    """Any table with forces of the sign of their speeds that does not fall at its end."""
    speeds = np.cumsum([0.0, *(step for step, _ in steps)])
    forces = [0.0, *(force for _, force in steps)]
    forces[-1] = max(forces[-2:])
    points = np.array(both_ways(tuple(zip(speeds, forces, strict=True))))
    force = damper_force(points, v)
    assert force * v >= -1e-9 * max(forces)
    assert damper_force(points, -v) == pytest.approx(-force, abs=1e-9 * max(*forces, 1.0))
    assert compiled(damper_force)(points, v) == force


def test_a_stretched_spring_in_series_relaxes_as_the_closed_form_says():
    """Held at 10 mm: above the blow-off force towards F_b - c_b v_b, below it towards nothing."""
    row, bodies = np.zeros((1, el.COLUMNS)), np.zeros((1, b.COLUMNS))
    bodies[0, : b.I_ZZ + 1] = 1.0
    row[0, [el.J_BODY, el.SERIES, el.CURVE]] = -1, SERIES, 1
    row[0, [el.CURVE_LAST, el.INNER]] = len(CURVE) - 1, b.STATES

    def rates(_, x):
        q, out = np.zeros(b.STATES + 1), np.zeros(b.STATES + 1)
        q[b.X], q[-1] = 0.01, x[0]
        el.add_elements(q, bodies, row, CURVE, out)
        return out[-1:]

    pull, floor = SERIES * 0.01, BLOW_OFF - BEYOND * KNEE
    bent = BEYOND / SERIES * np.log((pull - floor) / (BLOW_OFF - floor))
    run = solve_ivp(rates, (0.0, 3 * bent), [0.0], rtol=1e-10, atol=1e-13, dense_output=True)
    for t in np.linspace(0.0, 3 * bent, 13):
        if t < bent:
            expected = floor + (pull - floor) * np.exp(-SERIES / BEYOND * t)
        else:
            expected = BLOW_OFF * np.exp(-SERIES / C * (t - bent))
        assert SERIES * (0.01 - run.sol(t)[0]) == pytest.approx(expected, rel=1e-4)
