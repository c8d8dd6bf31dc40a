"""Scale-down and scale-up blocks."""

import pytest
from bench import Bench
from railblocks.blocks.rail.control.similitude import QUANTITIES, SCALINGS
from railblocks.engine import DiagramError


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_up_undoes_down_by_the_factor_of_the_quantity(quantity):
    down, up = (Bench(f"rail.scale_{way}", quantity=quantity) for way in ("down", "up"))
    factor = SCALINGS["iwnicki"].factor(quantity)
    assert down.y(u=7.0) == pytest.approx(7.0 / factor)
    assert up.y(u=7.0) == pytest.approx(7.0 * factor)


def test_20_000_newton_metres_are_6_4_on_the_rig():
    assert Bench("rail.scale_down", quantity="torque").y(u=20000.0) == 6.4


def test_own_factors_count_in_own_scaling_only():
    own = {"phi_l": 2.0, "phi_t": 3.0, "phi_m": 7.0}
    scaled = Bench("rail.scale_up", quantity="torque", scaling="own", **own)
    assert scaled.y(u=9.0) == pytest.approx(7.0 * 4.0)
    assert Bench("rail.scale_up", quantity="torque", **own).y(u=1.0) == 3125.0


def test_an_unknown_quantity_is_refused():
    with pytest.raises(DiagramError, match="is not one of"):
        Bench("rail.scale_up", quantity="colour")


def test_a_factor_that_does_not_follow_from_its_scaling_is_refused():
    assert Bench("rail.scale_up", quantity="torque", expected=3125.0).values["phi"] == 3125.0
    with pytest.raises(DiagramError, match="force has the factor 16 in this scaling, not 625"):
        Bench("rail.scale_down", quantity="force", scaling="own", phi_l=4.0, phi_t=2.0, phi_m=16.0,
              expected=625.0)  # fmt: skip
