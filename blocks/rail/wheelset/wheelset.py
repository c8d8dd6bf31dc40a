"""Rotation of a wheelset of the virtual train, against a simple adhesion law."""

from railblocks.blocks.base.kernels import clip
from railblocks.blocks.rail.contact.tangential.adhesion_curve import adhesion_curve
from railblocks.engine.declaration import EACH, Block, In, Out, Param, State, der, guard, out


def tangential(omega, v, N, r, mu_0, mu_asy, delta_0, lam, V_min):
    """Tangential force and relative sliding of a wheelset."""
    mu, delta = adhesion_curve(r * omega, v, mu_0, mu_asy, delta_0, lam, V_min)  # (3), (4)
    return (mu * N if N > 0.0 else 0.0), delta  # (2)


def spin(omega, v, N, C_hat, J, r, mu_0, mu_asy, delta_0, lam, V_min, C_max):
    """Angular acceleration of a wheelset."""
    T, _ = tangential(omega, v, N, r, mu_0, mu_asy, delta_0, lam, V_min)
    return (clip(C_hat, -C_max, C_max) - r * T) / J  # (1)


class Wheelset(Block):
    """Wheelset of the virtual train: speed and tangential force from torque, load and train speed.

    omega_ws' = (C - r T_sim) / J,  C = C_hat within +-C_max               (1)
    T_sim = mu(delta) N,  delta = (r omega_ws - v) / max(|r omega_ws|, |v|, V_min)        (2)
    |mu| = mu_0 |delta| / delta_0 for |delta| <= delta_0, else             (3)
    |mu| = mu_asy + (mu_0 - mu_asy) exp(-lam (|delta| - delta_0) v_max)    (4)

    mu has the sign of delta; a lifted wheelset (N < 0) has no force. V_min regularises standstill.
    Sources: Conti et al. (2012), Eqs 23 to 25, with v in braking and the slope mu_0 / delta_0. The
    paper gives mu_0 = 0.05 only; mu_asy, delta_0 and lam are proposals: a top at 1 % of sliding,
    and 0.03 far beyond it. Data of the Manchester wagon.
    """

    symbol = "Jω̇"
    example = {"mu_0": 0.05, "omega_0": 150.0}
    C_hat = In("N*m", "estimated torque of the motor on the wheelset", shape=EACH)
    N = In("N", "load of the axle", shape=EACH)
    v = In("m/s", "speed of the train", shape=EACH)
    omega_ws = Out("rad/s", "angular speed", shape=EACH)
    omega_ws_dot = Out("rad/s^2", "angular acceleration", shape=EACH)
    T_sim = Out("N", "tangential force, positive in traction", shape=EACH)
    delta = Out("1", "relative sliding", shape=EACH)
    J = Param("kg*m^2", "inertia about the axle", default=112.0, gt=0)
    r = Param("m", "radius of the wheels", default=0.46, gt=0)
    mu_0 = Param("1", "static friction, at the top of the curve", shape=EACH, ge=0)
    mu_asy = Param("1", "dynamic friction, at large sliding", default=0.03, shape=EACH, ge=0)
    delta_0 = Param("1", "relative sliding at the top of the curve", default=0.01, gt=0, le=1)
    lam = Param("s/m", "fall of friction with the speed of sliding", default=0.15, ge=0)
    V_min = Param("m/s", "least speed that sliding is related to", default=0.1, gt=0)
    C_max = Param("N*m", "limit of the torque", default=20000.0, gt=0)
    omega_0 = Param("rad/s", "angular speed at the start", shape=EACH)
    omega = State("rad/s", "angular speed", shape=EACH, start="omega_0")

    @out("T_sim", "delta")
    def adhere(omega, v, N, r, mu_0, mu_asy, delta_0, lam, V_min):
        return tangential(omega, v, N, r, mu_0, mu_asy, delta_0, lam, V_min)  # (2) to (4)

    @out("omega_ws_dot")
    def accelerate(omega, v, N, C_hat, J, r, mu_0, mu_asy, delta_0, lam, V_min, C_max):
        return spin(omega, v, N, C_hat, J, r, mu_0, mu_asy, delta_0, lam, V_min, C_max)  # (1)

    @der("omega")
    def turn(omega, v, N, C_hat, J, r, mu_0, mu_asy, delta_0, lam, V_min, C_max):
        return spin(omega, v, N, C_hat, J, r, mu_0, mu_asy, delta_0, lam, V_min, C_max)  # (1)

    @out("omega_ws")
    def read(omega):
        return omega

    @guard("top", "both")
    def at_top(omega, v, r, delta_0, V_min):
        v_w = r * omega
        return abs(v_w - v) - delta_0 * max(abs(v_w), abs(v), V_min)
