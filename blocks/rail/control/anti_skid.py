"""Traction without sliding: a torque that is taken back when a wheel loses adhesion."""

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

PASSING, REDUCING, RECOVERING = 0, 1, 2


def loss(omega_w, omega_w_dot, x_dot, x_ddot, r, v_th, a_th):
    """Sign of lost adhesion: not negative where speed or acceleration say that it is lost."""
    return max(r * omega_w - x_dot - v_th, r * omega_w_dot - x_ddot - a_th)  # (1)


def given(C, C_m, phase):
    return C if phase == PASSING else min(C, max(C_m, 0.0))  # (5)


def part_of(C_m, C_crit):
    return C_m / C_crit if C_crit > 0.0 else 1.0


def slope(p, phase, down, up_1, up_2, up_3, up_4):
    """Slope of the torque over the one that ramps refer to, at C_m = p C_crit."""
    if phase == REDUCING:
        return -down if p > 0.0 else 0.0  # (3)
    if phase == PASSING:
        return 0.0
    if p < 0.7:
        return up_1 if p < 0.1 else up_2  # (4)
    return up_3 if p < 0.9 else up_4


def ramp(C_m, C_crit, phase, down, up_1, up_2, up_3, up_4, C_ramp):
    """Rate C_m' of the torque; slopes are parts of C_ramp, or of C_crit where that is 0."""
    part = slope(part_of(C_m, C_crit), phase, down, up_1, up_2, up_3, up_4)
    return part * (C_ramp if C_ramp > 0.0 else C_crit)


class AntiSkid(Block):
    """Anti-skid device: torque that is reduced while a wheel has lost adhesion, and comes back.

    state = 1 if r omega_w' - x'' >= a_th or r omega_w - x' >= v_th, else 0               (1)
    C_crit := max(C_S, C_least),  C_m := C_S  when state becomes 1         (2)
    C_m' = -down C_crit in state 1, down to 0                              (3)
    C_m' = up C_crit in state 0;  up = up_1 below 10 %, up_2 below 70 %, up_3 below 90 %,
           up_4 above,  of C_m / C_crit                                    (4)
    C_S = min(C_m, C), or C itself from the time when C_m reaches C        (5)

    In traction only: a torque C <= 0 is let through. The paper's ramps y = -x, 4 x, 0.4 x, 0.15 x
    are read as parts of C_crit per second, or of C_ramp if that is given; above 90 %, which is
    open there, up_4 goes on as up_3. v_th and a_th are proposals: 1 m/s lies just beyond the top of
    the adhesion curve, at 1 % of 70 m/s. C_least lets torque come back where it was lost at 0.
    State 0 needs both values below `release` times their thresholds, against chattering, which the
    ideal device of (1) does. Source: Conti et al. (2012), section 3.1.4.
    """

    symbol = "ASD"
    C = In("N*m", "torque that is asked for", shape=EACH)
    omega_w = In("rad/s", "speed of the wheel", shape=EACH)
    omega_w_dot = In("rad/s^2", "acceleration of the wheel", shape=EACH)
    x_dot = In("m/s", "speed of the train, full scale", shape=EACH)
    x_ddot = In("m/s^2", "acceleration of the train, full scale", shape=EACH)
    C_S = Out("N*m", "torque that is given", shape=EACH)
    state = Out("1", "1 while adhesion is lost, else 0", shape=EACH)
    r = Param("m", "radius of the wheel, full scale", default=0.46, gt=0)
    v_th = Param("m/s", "sliding at which adhesion is lost", default=1.0, gt=0)
    a_th = Param("m/s^2", "excess of acceleration at which adhesion is lost", default=1.5, gt=0)
    release = Param("1", "part of both at which it is regained", default=0.8, gt=0, lt=1)
    down = Param("1/s", "fall while adhesion is lost", default=1.0, ge=0)
    up_1 = Param("1/s", "rise below 10 %", default=4.0, gt=0)
    up_2 = Param("1/s", "rise from 10 to 70 %", default=0.4, gt=0)
    up_3 = Param("1/s", "rise from 70 to 90 %", default=0.15, gt=0)
    up_4 = Param("1/s", "rise above 90 %", default=0.15, ge=0)
    C_ramp = Param("N*m", "torque that slopes are parts of; 0 for C_crit", default=0.0, ge=0)
    C_least = Param("N*m", "least torque that is remembered", default=0.1, ge=0)
    C_crit = Discrete("N*m", "torque at which adhesion was lost", shape=EACH, ge=0)
    phase = Discrete("1", "0 C passes, 1 falling, 2 rising", shape=EACH, type=int, ge=0, le=2)
    C_m = State("N*m", "torque of the device", shape=EACH)

    @out("C_S", "state")
    def give(C, C_m, phase):
        return given(C, C_m, phase), 1.0 if phase == REDUCING else 0.0

    @der("C_m")
    def modulate(C_m, C_crit, phase, down, up_1, up_2, up_3, up_4, C_ramp):
        return ramp(C_m, C_crit, phase, down, up_1, up_2, up_3, up_4, C_ramp)  # (3), (4)

    @guard("range", "both")
    def at_edges(C_m, C_crit):
        p = part_of(C_m, C_crit)
        return p * (p - 0.1) * (p - 0.7) * (p - 0.9)

    @guard("lost", initial=True)
    def at_loss(C, phase, omega_w, omega_w_dot, x_dot, x_ddot, r, v_th, a_th):
        sliding = loss(omega_w, omega_w_dot, x_dot, x_ddot, r, v_th, a_th)
        return sliding if C > 0.0 and phase != REDUCING else -1.0

    @reset("lost", "C_crit", "C_m", "phase")
    def reduce(C, C_m, phase, C_least):
        C_S = given(C, C_m, phase)
        return max(C_S, C_least), C_S, REDUCING  # (2)

    @guard("regained", "falling")
    def at_adhesion(phase, omega_w, omega_w_dot, x_dot, x_ddot, r, v_th, a_th, release):
        sliding = loss(omega_w, omega_w_dot, x_dot, x_ddot, r, release * v_th, release * a_th)
        return sliding if phase == REDUCING else 1.0

    @reset("regained", "phase")
    def recover():
        return RECOVERING

    @guard("caught")
    def at_wish(C, C_m, phase):
        return C_m - C if phase == RECOVERING else -1.0

    @reset("caught", "phase")
    def let_pass():
        return PASSING  # (5)
