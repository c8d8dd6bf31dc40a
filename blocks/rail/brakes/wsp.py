"""Wheel-slide protection: from measured speeds to commands of the valves of brake cylinders."""

from railblocks.engine.declaration import (
    EACH,
    Block,
    Discrete,
    In,
    Out,
    Param,
    Sample,
    out,
    update,
    validate,
)

FILL, HOLD, VENT = 1, 2, 3


def slip_of(v, v_a, v_off):
    """The slip of an axle: the part of the train's speed that it lacks; none below v_off."""
    return (v - v_a) / v if v > v_off else 0.0  # (1)


def next_state(valve, slip, s1, s2, s3, s4):
    """The next state of a device, by one row of Table 1."""
    if valve == FILL:
        return HOLD if slip > s2 else FILL  # (2)
    if valve == VENT:
        return HOLD if slip < s3 else VENT  # (4)
    if slip < s1:
        return FILL  # (3)
    return VENT if slip > s4 else HOLD  # (3)


class Wsp(Block):
    """Wheel-slide protection of each axle: fills, holds or vents its brake cylinder.

    slip = (v - v_a) / v  for v > v_off, else 0                            (1)
    1 (fill):  to 2 if slip > s2                                           (2)
    2 (hold):  to 1 if slip < s1,  to 3 if slip > s4                       (3)
    3 (vent):  to 2 if slip < s3                                           (4)

    At each exchange speeds come in, one row of (2) to (4) is gone through, and commands go out,
    which then stay. That is all that a real device exchanges, so that one can take this position;
    `rail.brake_cylinder` follows the commands. Source: Toumi et al. (2019), Table 1 and Eq. 1. The
    paper gives no period of exchange, and no speed at which the device lets go: without one, (1)
    has no meaning at rest. v_off = 3 km/h is a proposal.
    """

    symbol = "WSP"
    example = {"every": 0.01}
    v_a = In("m/s", "measured speed of the axle, at its wheels", shape=EACH)
    v = In("m/s", "speed of the train that axles are compared with", shape=EACH)
    valve = Out("1", "command: 1 fill, 2 hold, 3 vent", shape=EACH, type=int, before=FILL)
    slip = Out("1", "slip of the axle", shape=EACH)
    s1 = Param("1", "slip below which a held cylinder is filled", default=0.05, ge=0)
    s2 = Param("1", "slip above which filling ends", default=0.10, ge=0)
    s3 = Param("1", "slip below which venting ends", default=0.20, ge=0)
    s4 = Param("1", "slip above which a held cylinder is vented", default=0.25, ge=0, le=1)
    v_off = Param("m/s", "speed at and below which slip counts as 0", default=3.0 / 3.6, gt=0)
    state = Discrete("1", "last command", shape=EACH, type=int, start=FILL, ge=FILL, le=VENT)
    every = Sample("period of exchange")

    @validate
    def thresholds_are_in_order(s1, s2, s3, s4):
        if not s1 < s2 <= s3 < s4:
            given = ", ".join(f"{s:g}" for s in (s1, s2, s3, s4))
            return f"s1, s2, s3, s4 are {given}; expected s1 < s2 <= s3 < s4: put them in order"

    @out("valve", "slip")
    def command(state, v, v_a, s1, s2, s3, s4, v_off):
        slip = slip_of(v, v_a, v_off)
        return next_state(state, slip, s1, s2, s3, s4), slip

    @update("state")
    def keep(valve):
        return valve
