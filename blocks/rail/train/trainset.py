"""Longitudinal motion of a train of many axles that brakes to a standstill."""

import numpy as np
from railblocks.engine.declaration import (
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    State,
    der,
    derive,
    guard,
    out,
    reset,
    validate,
)

GRAVITY = 9.81


def acceleration(v, stood, F, m, R_0, R_1, R_2):
    """Acceleration of the train; none once it stands."""
    if stood == 1:
        return 0.0
    total = -(R_0 + R_1 * v + R_2 * v * v)
    for i in range(len(F)):
        total += F[i]
    return total / m  # (1)


class Trainset(Block):
    """Train as one body on the level: position and speed, positions and loads of its axles.

    m v' = F_1 + ... + F_n - (R_0 + R_1 v + R_2 v^2),  x' = v              (1)
    v := 0 when v falls to v_h, and the train stands from then on          (2)
    x_i = x - places_i,  N_i = parts_i m g,  g = 9.81 m/s^2                (3)

    Loads are static, as in Toumi et al. (2019), section 2.3. (2) is what a held brake does: locked
    axles bring the train to rest in an exponential of some milliseconds that would never end. What
    is cut off is below v_h^2 / 2 over the deceleration. m has the wheelsets in it, whose rotation
    belongs to `rail.braked_axle`. The train only goes forwards, and does not leave again.
    """

    symbol = "m v̇"
    example = {"m": 3.0e5, "places": [0.0, 2.6, 12.8, 15.4], "v_0": 44.0}
    F = In("N", "forces of the rails on the axles, positive forwards", shape="n")
    x = Out("m", "position of the first axle")
    v = Out("m/s", "speed")
    a = Out("m/s^2", "acceleration")
    x_a = Out("m", "positions of the axles", shape="n")
    N = Out("N", "loads of the axles", shape="n")
    stands = Out("1", "whether the train stands", type=bool)
    m = Param("kg", "mass", gt=0)
    places = Param("m", "distances of the axles behind the first", shape="n")
    parts = Param("1", "parts of the weight on the axles; none: the same", shape="k", default=[])
    R_0 = Param("N", "running resistance at rest", default=0.0, ge=0)
    R_1 = Param("N*s/m", "running resistance over speed", default=0.0, ge=0)
    R_2 = Param("N*s^2/m^2", "running resistance over the square of speed", default=0.0, ge=0)
    x_0 = Param("m", "position at the start", default=0.0)
    v_0 = Param("m/s", "speed at the start", ge=0)
    v_h = Param("m/s", "speed at which the train comes to a standstill", default=1e-6, gt=0)
    loads = Derived("N", "loads of the axles", shape="n")
    s = State("m", "place", start="x_0")
    speed = State("m/s", "speed", start="v_0", ge=0)
    stood = Discrete("1", "1 once the train stands", type=int, ge=0, le=1)

    @validate
    def axles_share_the_weight(places, parts):
        n, k = np.size(places), np.size(parts)
        if k not in (0, n):
            return f"parts has {k} values for {n} axles; give as many, or none"
        if k and (np.min(parts) < 0.0 or abs(np.sum(parts) - 1.0) > 1e-6):
            return f"parts add up to {np.sum(parts):g}; expected parts of 1, none below 0"

    @derive("loads")
    def weigh(m, places, parts):
        n = np.size(places)
        return m * GRAVITY * (np.asarray(parts) if np.size(parts) else np.full(n, 1.0 / n))  # (3)

    @der("s", "speed")
    def move(speed, stood, F, m, R_0, R_1, R_2):
        return speed, acceleration(speed, stood, F, m, R_0, R_1, R_2)

    @out("x", "v", "stands")
    def read(s, speed, stood):
        return s, speed, stood == 1

    @out("a")
    def tell(speed, stood, F, m, R_0, R_1, R_2):
        return acceleration(speed, stood, F, m, R_0, R_1, R_2)

    @out("x_a", "N")
    def place(s, places, loads, x_a, N):
        for i in range(len(places)):
            x_a[i] = s - places[i]
            N[i] = loads[i]  # (3)

    @guard("halt", initial=True)
    def at_rest(speed, stood, v_h):
        return v_h - speed if stood == 0 else -1.0

    @reset("halt", "speed", "stood")
    def stand():
        return 0.0, 1  # (2)
