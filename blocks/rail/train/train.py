"""Longitudinal motion of a vehicle with two bogies, and how its weight moves to the rear axles.

Speeds v are those of four wheelsets, two bogies and the car body; stretches s those of four primary
and two secondary suspensions.
"""

from typing import Any, NamedTuple

from railblocks.blocks.base.kernels import clip
from railblocks.engine.declaration import (
    Block,
    Derived,
    In,
    Out,
    Param,
    Record,
    State,
    der,
    derive,
    out,
)

GRAVITY = 9.81
BODY = 6  # position of the car body among the speeds
SPEEDS = ("body", "wheelsets")


class Suspension(NamedTuple):
    """Masses of car body, bogie and wheelset, and stiffness and damping between them."""

    m_c: float
    m_b: float
    m_w: float
    k_1: float
    c_1: float
    k_2: float
    c_2: float


class Motion(NamedTuple):
    """Motion of the train: stretches s of the suspensions, speeds v of all bodies."""

    s: Any
    v: Any


class Heights(NamedTuple):
    """Heights of the bodies and distances of the axles, from which pitch and axle loads follow."""

    h_c: float
    h_b: float
    h_2: float
    r: float
    l_p: float
    l_w: float


def primary(i, motion, train):
    """Force of wheelset i on its bogie."""
    s, v = motion
    return train.k_1 * s[i] + train.c_1 * (v[i] - v[4 + i // 2])


def primaries(j, motion, train):
    """Force of both wheelsets on bogie j."""
    return primary(2 * j, motion, train) + primary(2 * j + 1, motion, train)


def secondary(j, motion, train):
    """Force of bogie j on the car body."""
    s, v = motion
    return train.k_2 * s[4 + j] + train.c_2 * (v[4 + j] - v[BODY])


def pull(motion, train):
    """Acceleration of the car body by its bogies."""
    return (secondary(0, motion, train) + secondary(1, motion, train)) / train.m_c  # (1)


def held_back(motion, train, v_max, v_b):
    """Deceleration of all bodies near the bound of the speed."""
    near = clip(1.0 - (v_max - motion.v[BODY]) / v_b, 0.0, 1.0)
    return max(pull(motion, train), 0.0) * near  # (5)


def acceleration(n, motion, T, train):
    """Acceleration of the body of speed number n, without the bound."""
    if n < 4:
        return (T[n] - primary(n, motion, train)) / train.m_w  # (1)
    if n < BODY:
        return (primaries(n - 4, motion, train) - secondary(n - 4, motion, train)) / train.m_b
    return pull(motion, train)


def load(i, motion, T, train, heights, g_l):
    """Load of axle i."""
    h_c, h_b, h_2, r, l_p, l_w = heights
    j = i // 2
    front, leads = 1.0 if j == 0 else -1.0, 1.0 if i == 2 * j else -1.0
    F = secondary(j, motion, train)
    F_all = secondary(0, motion, train) + secondary(1, motion, train)
    V = 0.5 * train.m_c * g_l - front * F_all * (h_c - h_2) / (2.0 * l_p)  # (3)
    P = primaries(j, motion, train)
    tilt = P * (h_b - r) + F * (h_2 - h_b) + (T[2 * j] + T[2 * j + 1]) * r
    return (train.m_w + 0.5 * train.m_b) * g_l + 0.5 * V - leads * tilt / (2.0 * l_w)  # (4)


class TrainData:
    """Masses, suspensions and sizes, by default of the Manchester wagon."""

    m_c = Param("kg", "mass of the car body", default=32000.0, gt=0)
    m_b = Param("kg", "mass of a bogie", default=2615.0, gt=0)
    m_w = Param("kg", "mass of a wheelset", default=1813.0, gt=0)
    k_1 = Param("N/m", "primary stiffness of an axle", default=62.782e6, ge=0)
    c_1 = Param("N*s/m", "primary damping of an axle", default=30.0e3, ge=0)
    k_2 = Param("N/m", "secondary stiffness of a bogie", default=5.32e6, ge=0)
    c_2 = Param("N*s/m", "secondary damping of a bogie", default=25.0e3, ge=0)
    h_c = Param("m", "height of the car body's centre of mass", default=1.8)
    h_b = Param("m", "height of a bogie's centre of mass", default=0.6)
    h_2 = Param("m", "height of the secondary suspension", default=0.8275)
    r = Param("m", "radius of the wheels, height of the primary suspension", default=0.46, gt=0)
    l_p = Param("m", "half the distance of the pivots", default=9.5, gt=0)
    l_w = Param("m", "half the wheelbase", default=1.28, gt=0)
    train = Record("masses and suspensions", Suspension)
    heights = Record("heights and lengths", Heights)


class Train(TrainData, Block):
    """Longitudinal dynamics of a four-axle vehicle and the loads of its axles.

    m_w x_i'' = T_i - P_i,  m_b x_j'' = P_a + P_b - F_j,  m_c x_c'' = F_1 + F_2           (1)
    P_i = k_1 (x_i - x_j) + c_1 (x_i' - x_j'),  F_j = k_2 (x_j - x_c) + c_2 (x_j' - x_c') (2)
    V_1,2 = m_c g_l / 2 -+ (F_1 + F_2) (h_c - h_2) / (2 l_p)               (3)
    N_a,b = (m_w + m_b / 2) g_l + V_j / 2
            -+ ((P_a + P_b) (h_b - r) + F_j (h_2 - h_b) + (T_a + T_b) r) / (2 l_w)        (4)
    all x'' less  max(F_1 + F_2, 0) / m_c  clip(1 - (v_max - x_c') / v_b, 0, 1)          (5)

    Axle a leads, b trails; motors hang in the bogies, which take the reaction T r. Loads are those
    of pitch in equilibrium, without its inertia. g_l = load_factor 9.81 m/s^2: forces of the scaled
    rig count 625, weights 125, so that weights are 5 times too large for forces; this gives the
    paper's mean torque, 12 kN m = 5 mu N r at mu = 0.05. 1 is the plain vehicle. (5) bounds the
    speed of the car body, fading in over v_b. The speed of the train in Eq. 24 is that of the car
    body; with speed = "wheelsets", v_t has that of each wheelset. Source: Conti et al. (2012),
    section 3.2.1. Data: Manchester wagon; k_2 and c_2 with a traction rod of 5 MN/m and 25 kN s/m
    (uncertain).
    """

    symbol = "train"
    example = {"v_0": 69.0}
    T = In("N", "tangential forces of the axles, the leading one first", shape=(4,))
    x_dot = Out("m/s", "speeds of the wheelsets", shape=(4,))
    x_ddot = Out("m/s^2", "accelerations of the wheelsets", shape=(4,))
    x_dot_c = Out("m/s", "speed of the car body")
    x_ddot_c = Out("m/s^2", "acceleration of the car body")
    v_t = Out("m/s", "speed of the train at each wheelset, as `speed` says", shape=(4,))
    N = Out("N", "loads of the axles", shape=(4,))
    load_factor = Param("1", "weight over that of the vehicle", default=5.0, gt=0)
    v_max = Param("m/s", "bound of the speed: 300 km/h", default=300.0 / 3.6, gt=0)
    v_b = Param("m/s", "speed below v_max at which the bound begins", default=0.1, gt=0)
    speed = Param("1", "whose speed v_t is", type=str, default="body", choices=SPEEDS)
    v_0 = Param("m/s", "speed at the start")
    by_body = Derived("1", "1 for the car body, 0 for wheelsets")
    s = State("m", "stretches of suspensions", shape=(6,))
    v = State("m/s", "speeds", shape=(7,), start="v_0")
    motion = Record("stretches and speeds", Motion)

    @der("s", "v")
    def move(motion, T, train, v_max, v_b, der_s, der_v):
        back = held_back(motion, train, v_max, v_b)
        for n in range(7):
            der_v[n] = acceleration(n, motion, T, train) - back
        for n in range(6):
            der_s[n] = motion.v[n] - motion.v[4 + n // 2]

    @derive("by_body")
    def choose(speed):
        return 1.0 if speed == "body" else 0.0

    @out("x_dot", "v_t", "x_dot_c")
    def read(v, by_body, x_dot, v_t):
        for i in range(4):
            x_dot[i] = v[i]
            v_t[i] = v[BODY] if by_body > 0.0 else v[i]
        return v[BODY]

    @out("x_ddot")
    def tell(motion, T, train, v_max, v_b, x_ddot):
        back = held_back(motion, train, v_max, v_b)
        for n in range(4):
            x_ddot[n] = acceleration(n, motion, T, train) - back

    @out("x_ddot_c")
    def pulled(motion, train, v_max, v_b):
        return pull(motion, train) - held_back(motion, train, v_max, v_b)

    @out("N")
    def carry(motion, T, train, heights, load_factor, N):
        g_l = load_factor * GRAVITY
        for i in range(4):
            N[i] = load(i, motion, T, train, heights, g_l)
