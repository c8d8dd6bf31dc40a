"""The reference for gaps of any shape is right where the answer is known."""

import math

import numpy as np
import pytest
from half_space import pressed
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus, hertz_constants

E_STAR = composite_modulus(2.1e11, 0.3)


@pytest.mark.parametrize("B", [0.3, 1.087, 1.667, 12.0])
def test_parabolas_have_the_patches_of_hertz(B):
    A, delta = 1.087, 6e-5
    k, c_x, c_y = hertz_constants(A, B)
    s = np.linspace(-1.2, 1.2, 4001) * math.sqrt(delta / B)
    N, p_0, area, centre = pressed(A, s, B * s * s, delta, E_STAR)
    load, ellipse = E_STAR * k * delta**1.5, math.pi * c_x * c_y * delta
    assert pytest.approx(load, rel=1e-3) == N
    assert p_0 == pytest.approx(1.5 * load / ellipse, rel=5e-3)
    assert area == pytest.approx(ellipse, rel=0.02)
    assert abs(centre) < 1e-9
