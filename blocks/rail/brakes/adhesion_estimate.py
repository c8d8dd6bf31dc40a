"""Adhesion of the rail estimated from measurements of a braked axle that slides."""

from railblocks.engine.declaration import (
    EACH,
    Block,
    Discrete,
    In,
    Out,
    Param,
    Record,
    Sample,
    out,
    update,
)


class AdhesionEstimate(Block):
    """Adhesion from measured torques and the deceleration of a sliding axle.

    mu_0 = (C_ED + C_bs + J omega') / (r N)  while (v - r omega) / v > s, else as before  (1)
    omega' = (omega_k - omega_{k-1}) / every,  torques the mean of both samples            (2)

    Only an axle that slides fully tells the adhesion: one that rolls gives what it needs. omega is
    positive forwards, so that J omega' counts with the sign of (1); Eq. 3 of Toumi et al. (2019),
    which counts decelerations, prints the opposite. N = 2 Q_0 is the load of the axle. mu_0 over
    position, kept as CSV, is a file for `rail.initial_adhesion`.
    """

    symbol = "µ̂₀"
    example = {"N": 133773.0, "every": 0.01}
    C_ED = In("N*m", "measured electrodynamic torque", shape=EACH, default=0.0)
    C_bs = In("N*m", "measured torque of the brake shoes", shape=EACH)
    omega = In("rad/s", "measured angular speed of the axle", shape=EACH)
    v = In("m/s", "measured speed of the train", shape=EACH)
    mu_0 = Out("1", "estimated adhesion", shape=EACH, before="mu_start")
    slides = Out("1", "whether the estimate is new", shape=EACH, type=bool)
    J = Param("kg*m^2", "inertia about the axle", default=130.0, gt=0)
    r = Param("m", "radius of the wheels", default=0.43, gt=0)
    N = Param("N", "load of the axle", gt=0)
    s = Param("1", "slip from which on an axle slides fully", default=0.02, gt=0, lt=1)
    mu_start = Param("1", "estimate before the axle slides", default=0.065, ge=0)
    last = Discrete("1", "last estimate", shape=EACH, start="mu_start", ge=0)
    omega_old = Discrete("rad/s", "angular speed at the last sample", shape=EACH)
    C_old = Discrete("N*m", "torque at the last sample", shape=EACH)
    slid = Discrete("1", "1 if the axle slid at the last sample", shape=EACH, type=int, ge=0, le=1)
    before = Record("what the last sample left", "last", "omega_old", "C_old", "slid")
    every = Sample()

    @out("mu_0", "slides")
    def estimate(C_ED, C_bs, omega, v, J, r, N, s, every, before):
        if before.slid == 0 or v - r * omega <= s * v:
            return before.last, False
        C = 0.5 * (C_ED + C_bs + before.C_old)
        return max((C + J * (omega - before.omega_old) / every) / (r * N), 0.0), True  # (1), (2)

    @update("last", "omega_old", "C_old", "slid")
    def keep(mu_0, omega, C_ED, C_bs, v, r, s):
        return mu_0, omega, C_ED + C_bs, 1 if v - r * omega > s * v else 0
