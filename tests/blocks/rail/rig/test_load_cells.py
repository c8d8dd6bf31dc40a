"""Load cells under the rollers, in three axes: each term alone, and by invariance."""

import numpy as np
import pytest
from bench import Bench, interpreted
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.rig.tables import ANGLE, SPEED

WEIGHT = (128.0 + 20.92 + 2 * 14.504) * 9.81
Y_C = 0.2


def felt(changed=None, **values):
    """All outputs of the rig, and its states."""
    bench = Bench("rail.mdm_rig", **values)
    q = bench.states["q"].copy()
    for index, value in (changed or {}).items():
        q[index] = value
    signals = {"q": q, "C_S": np.zeros(2), "u": np.zeros(2)}
    return bench.run("out", interpreted, **signals), q


def of_axles(cells):
    return cells.reshape(2, 2, 3)


def test_both_sides_together_carry_the_weight_and_tell_T_mis():
    out, _ = felt(me_r=1e-3, dG_x=1e-4)
    sums = of_axles(out["cells"]).sum(axis=1)
    assert sums[:, 0] == pytest.approx(out["T_mis"], rel=1e-12)
    still, _ = felt(omega_init=0.0)
    assert still["cells"][:, 2] == pytest.approx(np.full(4, WEIGHT / 4), rel=1e-6)


def test_unbalance_of_rollers_takes_a_rotating_force():
    """me_r Omega^2 towards the unbalance at (cos, -sin) of the angle, from both sides alike."""
    out, q = felt(me_r=1e-3)
    plain, _ = felt()
    angle, size = q[ANGLE : ANGLE + 2], 1e-3 * 150.0**2
    more = of_axles(out["cells"] - plain["cells"])
    assert more[:, 0, 0] == pytest.approx(-0.5 * size * np.cos(angle))
    assert more[:, 0, 2] == pytest.approx(0.5 * size * np.sin(angle))
    assert np.allclose(more[:, 0], more[:, 1])
    assert np.all(more[..., 1] == 0.0)


def test_unbalanced_inertia_of_rollers_takes_a_rotating_couple():
    """dH/dt = Omega e_y x J Omega e_y = Omega^2 (J_yz, 0, -J_xy), J_xy, J_yz = dJ (cos, -sin)."""
    out, q = felt(dJ_r=1e-4)
    plain, _ = felt()
    angle, size = q[ANGLE : ANGLE + 2], 1e-4 * 150.0**2
    more = of_axles(out["cells"] - plain["cells"])
    left = np.array([0.0, Y_C, 0.0])
    moment = 2.0 * np.cross(left, more[:, 0])
    expected = size * np.column_stack([-np.sin(angle), np.zeros(2), -np.cos(angle)])
    assert np.allclose(moment, expected, rtol=1e-9, atol=1e-15)
    assert np.allclose(more[:, 0], -more[:, 1], atol=1e-12)


def test_moments_of_the_supports_are_those_of_the_contacts_about_the_axis():
    """Forces at contact points, taken apart from loads about the axles' middles."""
    moved = {b.Y: 4e-4, b.PSI: 1e-3, b.X: 0.2561, b.V_Y: 0.01}
    out, q = felt(changed=moved)
    cells = out["cells"][:2]
    total = np.cross([0.0, Y_C, 0.0], cells[0]) + np.cross([0.0, -Y_C, 0.0], cells[1])
    arm = q[b.X : b.Z + 1] - [0.256, 0.0, 0.0]
    contacts = out["loads"][:2, 3:].sum(axis=0) + np.cross(arm, out["loads"][:2, :3].sum(axis=0))
    assert total[[0, 2]] == pytest.approx(contacts[[0, 2]], rel=1e-9)


def test_a_mirrored_rig_has_mirrored_cells():
    left, _ = felt(dG_y=4e-4)
    right, _ = felt(dG_y=-4e-4)
    mirrored = of_axles(right["cells"])[:, ::-1] * [1.0, -1.0, 1.0]
    assert np.allclose(of_axles(left["cells"]), mirrored, atol=1e-7)


def test_cells_further_apart_share_a_couple_by_their_distance():
    near, _ = felt(dJ_r=1e-4, changed={SPEED: -100.0})
    far, _ = felt(dJ_r=1e-4, changed={SPEED: -100.0}, y_c=0.4)
    halves = [of_axles(out["cells"])[:, 0] - of_axles(out["cells"])[:, 1] for out in (near, far)]
    assert np.allclose(halves[0][:, [0, 2]], 2.0 * halves[1][:, [0, 2]], atol=1e-9)
