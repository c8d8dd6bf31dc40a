"""Scaling of signals between full scale and a rig, by a similitude factor."""

from railblocks.blocks.rail.control.similitude import QUANTITIES, SCALINGS, Similitude
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    In,
    Out,
    Param,
    derive,
    out,
    validate,
)

NAMES = (*SCALINGS, "own")


def factor(quantity, scaling, phi_l, phi_t, phi_m):
    """The factor of a quantity in a named scaling, or in one's own."""
    similitude = SCALINGS.get(scaling) or Similitude(phi_l, phi_t, phi_m)
    return similitude.factor(quantity)


class ScaleDown(Block):
    """From full scale to the model: division by a similitude factor.

    y = u / phi,  phi = phi_l^l phi_t^t phi_m^m for the dimension L^l T^t M^m of the quantity (1)

    "iwnicki" has phi_l = 5, phi_t = 1, phi_m = 125 (so 625 for forces and 3125 for torques);
    phi_l, phi_t and phi_m count in "own" only. Weight scales with mass and Young's modulus not at
    all, for the model has the same gravity and steel. Source: Conti et al. (2012), Table 1.
    """

    symbol = "1/φ"
    example = {"quantity": "torque"}
    u = In("?u", "signal of the full scale", shape=EACH)
    y = Out("?u", "signal of the model", shape=EACH)
    quantity = Param("1", "what the signal is", type=str, choices=QUANTITIES)
    scaling = Param("1", "set of factors", type=str, default="iwnicki", choices=NAMES)
    phi_l = Param("1", "own factor of length", default=5.0, gt=0)
    phi_t = Param("1", "own factor of time", default=1.0, gt=0)
    phi_m = Param("1", "own factor of mass", default=125.0, gt=0)
    expected = Param("1", "factor that it has to be; 0 is any", default=0.0, ge=0)
    phi = Derived("1", "factor of the quantity")

    @validate
    def factors_agree(quantity, scaling, phi_l, phi_t, phi_m, expected):
        phi = factor(quantity, scaling, phi_l, phi_t, phi_m)
        if expected > 0.0 and abs(phi - expected) > 1e-9 * phi:
            return f"{quantity} has the factor {phi:g} in this scaling, not {expected:g}"

    @derive("phi")
    def choose(quantity, scaling, phi_l, phi_t, phi_m):
        return factor(quantity, scaling, phi_l, phi_t, phi_m)

    @out("y")
    def scale(u, phi):
        return u / phi  # (1)


class ScaleUp(ScaleDown):
    """From the model to full scale: multiplication by a similitude factor.

    y = phi u,  phi = phi_l^l phi_t^t phi_m^m for the dimension L^l T^t M^m of the quantity   (1)

    "iwnicki" has phi_l = 5, phi_t = 1, phi_m = 125 (so 625 for forces and 3125 for torques);
    phi_l, phi_t and phi_m count in "own" only. Weight scales with mass and Young's modulus not at
    all, for the model has the same gravity and steel. Source: Conti et al. (2012), Table 1.
    """

    symbol = "φ"
    u = In("?u", "signal of the model", shape=EACH)
    y = Out("?u", "signal of the full scale", shape=EACH)

    @out("y")
    def scale(u, phi):
        return phi * u  # (1)
