"""Bodies, springs, gears and motors, in one direction of motion."""

import math

from railblocks.engine.declaration import (
    EACH,
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


class Mass(Block):
    """Point mass on a line.

    m v' = F,  x' = v                                                      (1)
    """

    symbol = "m"
    example = {"m": 2.0}
    F = In("N", "sum of forces", shape=EACH)
    x = Out("m", "position", shape=EACH)
    v = Out("m/s", "speed", shape=EACH)
    m = Param("kg", "mass", shape=EACH, gt=0)
    x_0 = Param("m", "position at the start", shape=EACH, default=0.0)
    v_0 = Param("m/s", "speed at the start", shape=EACH, default=0.0)
    q = State("m", "position", shape=EACH, start="x_0")
    dq = State("m/s", "speed", shape=EACH, start="v_0")

    @der("q", "dq")
    def move(dq, F, m):
        return dq, F / m  # (1)

    @out("x", "v")
    def read(q, dq):
        return q, dq


class Inertia(Block):
    """Body that turns about a fixed axis.

    J omega' = tau,  phi' = omega                                          (1)
    """

    symbol = "J"
    example = {"J": 0.02}
    tau = In("N*m", "sum of torques", shape=EACH)
    phi = Out("rad", "angle", shape=EACH)
    omega = Out("rad/s", "angular speed", shape=EACH)
    J = Param("kg*m^2", "moment of inertia", shape=EACH, gt=0)
    phi_0 = Param("rad", "angle at the start", shape=EACH, default=0.0)
    omega_0 = Param("rad/s", "angular speed at the start", shape=EACH, default=0.0)
    q = State("rad", "angle", shape=EACH, start="phi_0")
    dq = State("rad/s", "angular speed", shape=EACH, start="omega_0")

    @der("q", "dq")
    def move(dq, tau, J):
        return dq, tau / J  # (1)

    @out("phi", "omega")
    def read(q, dq):
        return q, dq


class SpringDamper(Block):
    """Linear spring and damper, side by side.

    F = c (x - x_0) + d v                                                  (1)

    x and v are position and speed of one end relative to the other; F pulls both ends together.
    """

    symbol = "c d"
    example = {"c": 100.0}
    x = In("m", "elongation", shape=EACH)
    v = In("m/s", "rate of elongation", shape=EACH, default=0.0)
    F = Out("N", "force that pulls the ends together", shape=EACH)
    c = Param("N/m", "stiffness", shape=EACH, ge=0)
    d = Param("N*s/m", "damping", shape=EACH, default=0.0, ge=0)
    x_0 = Param("m", "elongation without spring force", shape=EACH, default=0.0)

    @out("F")
    def pull(x, v, c, d, x_0):
        return c * (x - x_0) + d * v  # (1)


class RotationalSpringDamper(Block):
    """Linear torsion spring and damper, side by side.

    tau = c (phi - phi_0) + d omega                                        (1)

    phi and omega are angle and speed of one end relative to the other; tau turns both ends
    together.
    """

    symbol = "c d ↻"
    example = {"c": 100.0}
    phi = In("rad", "twist", shape=EACH)
    omega = In("rad/s", "rate of twist", shape=EACH, default=0.0)
    tau = Out("N*m", "torque that turns the ends together", shape=EACH)
    c = Param("N*m/rad", "stiffness", shape=EACH, ge=0)
    d = Param("N*m*s/rad", "damping", shape=EACH, default=0.0, ge=0)
    phi_0 = Param("rad", "twist without spring torque", shape=EACH, default=0.0)

    @out("tau")
    def turn(phi, omega, c, d, phi_0):
        return c * (phi - phi_0) + d * omega  # (1)


class ViscousFriction(Block):
    """Friction in proportion to speed, for forces and for torques.

    F = d v                                                                (1)
    """

    symbol = "d"
    example = {"d": 0.5}
    v = In("?v", "speed or angular speed", shape=EACH)
    F = Out("?d*?v", "force or torque against the motion", shape=EACH)
    d = Param("?d", "friction coefficient", shape=EACH, ge=0)

    @out("F")
    def rub(v, d):
        return d * v


class Gear(Block):
    """Gear without losses, inertia and play.

    omega_2 = omega_1 / i,  tau_1 = tau_2 / i                              (1)

    Power is kept: tau_1 omega_1 = tau_2 omega_2.
    """

    symbol = "i"
    example = {"i": 3.0}
    omega_1 = In("rad/s", "angular speed of the input shaft", shape=EACH)
    tau_2 = In("N*m", "torque taken from the output shaft", shape=EACH, default=0.0)
    omega_2 = Out("rad/s", "angular speed of the output shaft", shape=EACH)
    tau_1 = Out("N*m", "torque needed at the input shaft", shape=EACH)
    i = Param("1", "ratio; negative if the sense of rotation changes", shape=EACH)

    @validate
    def ratio_is_not_zero(i):
        if not all(map(bool, [i] if isinstance(i, float | int) else i)):
            return f"i = {i}; expected a ratio other than 0"

    @out("omega_2")
    def speed(omega_1, i):
        return omega_1 / i

    @out("tau_1")
    def torque(tau_2, i):
        return tau_2 / i


class DCMotor(Block):
    """Direct-current motor with permanent magnets.

    L i' = V - R i - K omega                                               (1)
    J omega' = K i - d omega - tau_load                                    (2)

    Steady state without load: omega = K V / (K^2 + R d).
    """

    symbol = "M"
    example = {"R": 1.0, "L": 0.5, "K": 0.01, "J": 0.01, "d": 0.1}
    V = In("V", "voltage at the terminals")
    tau_load = In("N*m", "load torque at the shaft", default=0.0)
    i = Out("A", "current")
    omega = Out("rad/s", "angular speed of the shaft")
    tau = Out("N*m", "torque of the rotor, before friction")
    R = Param("ohm", "resistance of the armature", ge=0)
    L = Param("H", "inductance of the armature", gt=0)
    K = Param("N*m/A", "torque constant, equal to the voltage constant in V*s/rad")
    J = Param("kg*m^2", "moment of inertia of rotor and shaft", gt=0)
    d = Param("N*m*s/rad", "viscous friction of the bearings", default=0.0, ge=0)
    i_0 = Param("A", "current at the start", default=0.0)
    omega_0 = Param("rad/s", "angular speed at the start", default=0.0)
    current = State("A", "current", start="i_0")
    speed = State("rad/s", "angular speed", start="omega_0")

    @der("current", "speed")
    def move(current, speed, V, tau_load, R, L, K, J, d):
        di = (V - R * current - K * speed) / L  # (1)
        return di, (K * current - d * speed - tau_load) / J  # (2)

    @out("i", "omega", "tau")
    def read(current, speed, K):
        return current, speed, K * current


class FrictionMass(Block):
    """Mass with viscous and Coulomb friction that sticks.

    sliding:  m v' = F - d v - F_c s,  x' = v,  s = 1 forwards, -1 backwards             (1)
    at rest:  v = 0,  v' = 0                                               (2)

    Sliding ends when v returns to zero; rest ends when |F| reaches F_s, in the direction of F. Both
    are events, so that a body at rest does not creep. Friction as in Karnopp, Computer simulation
    of stick-slip friction (1985), without its band of small speeds.
    """

    symbol = "m µ"
    example = {"m": 1.0, "F_c": 2.0, "F_s": 3.0}
    F = In("N", "sum of forces other than friction")
    x = Out("m", "position")
    v = Out("m/s", "speed")
    m = Param("kg", "mass", gt=0)
    F_c = Param("N", "friction force while sliding", ge=0)
    F_s = Param("N", "force that breaks away, at least F_c", ge=0)
    d = Param("N*s/m", "viscous friction coefficient", default=0.0, ge=0)
    x_0 = Param("m", "position at the start", default=0.0)
    v_0 = Param("m/s", "speed at the start", default=0.0)
    q = State("m", "position", start="x_0")
    dq = State("m/s", "speed", start="v_0")
    s_0 = Derived("1", "sense of motion at the start", type=int)
    s = Discrete("1", "1 forwards, -1 backwards, 0 at rest", type=int, start="s_0", ge=-1, le=1)

    @derive("s_0")
    def first_sense(v_0):
        return (v_0 > 0.0) - (v_0 < 0.0)

    @validate
    def sticks_harder_than_it_slides(F_c, F_s):
        if F_s < F_c:
            return f"F_s = {F_s:g} is below F_c = {F_c:g}; expected F_s >= F_c"

    @der("q", "dq")
    def move(dq, s, F, m, F_c, d):
        if s == 0:
            return 0.0, 0.0  # (2)
        return dq, (F - d * dq - F_c * s) / m  # (1)

    @out("x", "v")
    def read(q, dq):
        return q, dq

    @guard("stop", "falling")
    def at_stop(dq, s):
        return dq * s if s != 0 else 1.0

    @reset("stop", "dq", "s")
    def rest():
        return 0.0, 0

    @guard("breakaway", initial=True)
    def at_breakaway(s, F, F_s):
        return abs(F) - F_s if s == 0 else -1.0

    @reset("breakaway", "s")
    def slide(F):
        return 1 if F > 0.0 else -1


class Pendulum(Block):
    """Point mass on a rod without mass, in the plane.

    m L^2 phi'' = tau - d phi' - m g L sin(phi)                            (1)

    phi = 0 hangs down. For d = tau = 0 the period is 4 sqrt(L/g) K(sin(phi_0 / 2)), with the
    complete elliptic integral K of that modulus.
    """

    symbol = "φ"
    example = {"L": 1.0}
    tau = In("N*m", "torque at the pivot", default=0.0)
    phi = Out("rad", "angle from the hanging position")
    omega = Out("rad/s", "angular speed")
    m = Param("kg", "mass", default=1.0, gt=0)
    L = Param("m", "length of the rod", gt=0)
    d = Param("N*m*s/rad", "viscous friction at the pivot", default=0.0, ge=0)
    g = Param("m/s^2", "acceleration of free fall", default=9.81)
    phi_0 = Param("rad", "angle at the start", default=0.0)
    omega_0 = Param("rad/s", "angular speed at the start", default=0.0)
    q = State("rad", "angle", start="phi_0")
    dq = State("rad/s", "angular speed", start="omega_0")

    @der("q", "dq")
    def swing(q, dq, tau, m, L, d, g):
        return dq, ((tau - d * dq) / (m * L) - g * math.sin(q)) / L  # (1)

    @out("phi", "omega")
    def read(q, dq):
        return q, dq


class BouncingBall(Block):
    """Ball that falls on a floor and bounces.

    h'' = -g;  h := 0, v := -e v when h reaches 0 with v < 0               (1)
    h = 0, v = 0 from there on if e = 0                                    (2)

    From rest at h_0 the impacts come at t_k = t_1 (1 + 2 (e + ... + e^(k-1))), t_1 = sqrt(2 h_0/g):
    infinitely many of them until t_1 (1 + e) / (1 - e) where 0 < e < 1.
    """

    symbol = "●↕"
    h = Out("m", "height above the floor")
    v = Out("m/s", "speed upwards")
    e = Param("1", "coefficient of restitution", default=0.8, ge=0, le=1)
    g = Param("m/s^2", "acceleration of free fall", default=9.81, gt=0)
    h_0 = Param("m", "height at the start", default=1.0, ge=0)
    v_0 = Param("m/s", "speed at the start", default=0.0)
    q = State("m", "height", start="h_0")
    dq = State("m/s", "speed", start="v_0")
    rests = Discrete("1", "1 once the ball lies on the floor", type=int, ge=0, le=1)

    @der("q", "dq")
    def fall(dq, rests, g):
        if rests == 1:
            return 0.0, 0.0  # (2)
        return dq, -g

    @out("h", "v")
    def read(q, dq):
        return q, dq

    @guard("impact", initial=True)
    def at_floor(q, dq):
        return -q if dq < 0.0 else -1.0

    @reset("impact", "q", "dq", "rests")
    def bounce(dq, e):
        return 0.0, abs(e * dq), 1 if e == 0.0 else 0  # (1), (2)
