"""Rotation of an axle under a brake: it rolls, slides, locks, and starts to roll again."""

from railblocks.blocks.rail.contact.tangential.adhesion_curve import adhesion_curve
from railblocks.engine.declaration import (
    EACH,
    Block,
    Discrete,
    In,
    Out,
    Param,
    State,
    der,
    guard,
    out,
    reset,
)


class BrakedAxle(Block):
    """Axle of a train that goes forwards: speed, force and power of sliding under a brake torque.

    J omega' = -C - r F,  omega >= 0                                       (1)
    F = f(delta) N,  delta = (r omega - v) / max(r omega, v, V_min)        (2)
    |f| = mu |delta| / delta_0 up to delta_0, then                         (3)
    |f| = mu (kappa + (1 - kappa) exp(-lam (|delta| - delta_0) max(r omega, v, V_min)))   (4)
    P = F (r omega - v)                                                    (5)

    A brake cannot turn an axle backwards: at omega = 0 it is locked, and stays so until the wheels'
    force is stronger than the brake, -r F > C. mu is the adhesion where the axle is.
    kappa = 1 is friction that does not fall with sliding, as in Toumi et al. (2019); (2) to (4) are
    those of `rail.adhesion_curve`. Energy of train and axle falls by P and C omega exactly. V_min
    regularises standstill, where delta would jump. Source of (1): Toumi et al. (2019), Eq. 2, for
    omega positive forwards; J, r and delta_0 are proposals.
    """

    symbol = "C ↺ F"
    example = {"omega_0": 100.0}
    C = In("N*m", "torque of the brake", shape=EACH, ge=0)
    N = In("N", "load of the axle", shape=EACH, ge=0)
    v = In("m/s", "speed of the train", shape=EACH, ge=0)
    mu = In("1", "adhesion at the top of the curve", shape=EACH, ge=0)
    omega = Out("rad/s", "angular speed", shape=EACH)
    v_a = Out("m/s", "speed r omega of the axle", shape=EACH)
    F = Out("N", "force of the rails on the axle, positive forwards", shape=EACH)
    delta = Out("1", "relative sliding, negative in braking", shape=EACH)
    P = Out("W", "power dissipated between wheels and rails", shape=EACH)
    locked = Out("1", "whether the axle is locked", shape=EACH, type=bool)
    J = Param("kg*m^2", "inertia about the axle", default=130.0, gt=0)
    r = Param("m", "radius of the wheels", default=0.43, gt=0)
    delta_0 = Param("1", "relative sliding at the top of the curve", default=0.01, gt=0, le=1)
    kappa = Param("1", "friction at large sliding over mu", default=1.0, ge=0, le=1)
    lam = Param("s/m", "fall of friction with the speed of sliding", default=0.15, ge=0)
    V_min = Param("m/s", "least speed that sliding is related to", default=0.1, gt=0)
    omega_0 = Param("rad/s", "angular speed at the start", shape=EACH, ge=0)
    w = State("rad/s", "angular speed", shape=EACH, start="omega_0", ge=0)
    stuck = Discrete("1", "1 while the axle is locked", shape=EACH, type=int, ge=0, le=1)

    @out("F", "delta", "P")
    def adhere(w, v, N, mu, r, delta_0, kappa, lam, V_min):
        f, delta = adhesion_curve(r * w, v, mu, kappa * mu, delta_0, lam, V_min)  # (2) to (4)
        return f * N, delta, f * N * (r * w - v)  # (5)

    @der("w")
    def turn(F, C, stuck, J, r):
        return 0.0 if stuck == 1 else -(C + r * F) / J  # (1)

    @out("omega", "v_a", "locked")
    def read(w, stuck, r):
        return w, r * w, stuck == 1

    @guard("top", "both")
    def at_top(w, v, r, delta_0, V_min):
        return abs(r * w - v) - delta_0 * max(r * w, v, V_min)

    @guard("lock", initial=True)
    def at_lock(w, C, F, r, stuck):
        return -w if stuck == 0 and C + r * F > 0.0 else -1.0

    @reset("lock", "w", "stuck")
    def hold():
        return 0.0, 1

    @guard("roll")
    def at_roll(F, C, r, stuck):
        return -r * F - C if stuck == 1 else -1.0

    @reset("roll", "stuck")
    def release():
        return 0
