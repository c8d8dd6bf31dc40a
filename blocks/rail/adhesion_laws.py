"""Creep forces with friction that changes with sliding, and what they start from, as blocks."""

from railblocks.blocks.rail.creep_ports import Patch, PatchOfCells
from railblocks.blocks.rail.tangential.adhesion_curve import adhesion_curve
from railblocks.blocks.rail.tangential.creepages import creepages
from railblocks.blocks.rail.tangential.flexibility import FLEXIBILITIES
from railblocks.blocks.rail.tangential.kalker import kalker
from railblocks.blocks.rail.tangential.local_adhesion import local_adhesion
from railblocks.blocks.rail.tangential.polach import DRY, polach
from railblocks.blocks.rail.tangential.strips import BOUNDS
from railblocks.engine.declaration import Block, In, Out, Param, out, validate


class Creepages(Block):
    """Creepages from velocities at the contact.

    (xi, eta, phi) = (v_x, v_y, omega_n) / sqrt(V^2 + V_min^2)             (1)

    V_min regularises standstill: creepages stay finite and smooth; for |V| >> V_min the effect is
    V_min^2 / (2 V^2).
    """

    symbol = "v/V"
    v_x = In("m/s", "longitudinal velocity of the wheel's surface over the rail's")
    v_y = In("m/s", "lateral velocity of the wheel's surface over the rail's", default=0.0)
    omega_n = In("rad/s", "relative angular speed about the normal", default=0.0)
    V = In("m/s", "speed of rolling")
    xi = Out("1", "longitudinal creepage")
    eta = Out("1", "lateral creepage")
    phi = Out("1/m", "spin creepage")
    V_min = Param("m/s", "speed below which creepages are held back", default=0.1, gt=0)

    @out("xi", "eta", "phi")
    def divide(v_x, v_y, omega_n, V, V_min):
        return creepages(v_x, v_y, omega_n, V, V_min)  # (1)


class AdhesionCurve(Block):
    """Adhesion coefficient of relative sliding, for traction and braking.

    delta = (r omega - v) / v_max,  v_max = max(|r omega|, |v|, V_min)     (1)
    |mu| = mu_0 |delta| / delta_0 for |delta| <= delta_0, else             (2)
    |mu| = mu_asy + (mu_0 - mu_asy) exp(-lambda (|delta| - delta_0) v_max)                (3)

    mu has the sign of delta: positive when the wheel pulls forwards. V_min regularises standstill,
    where delta would jump. Source: Conti et al. (2012), Eqs 24 and 25, with v in braking and the
    slope mu_0 / delta_0, which makes the curve continuous.
    """

    symbol = "µ(δ)"
    example = {"mu_0": 0.05, "mu_asy": 0.03, "delta_0": 0.02, "lam": 0.1}
    v_w = In("m/s", "speed r omega of the wheel's surface")
    v = In("m/s", "speed of the train")
    mu = Out("1", "adhesion coefficient, positive in traction")
    delta = Out("1", "relative sliding")
    mu_0 = Param("1", "static friction, at the top of the curve", ge=0)
    mu_asy = Param("1", "dynamic friction, at large sliding", ge=0)
    delta_0 = Param("1", "relative sliding at the top of the curve", gt=0, le=1)
    lam = Param("s/m", "fall of friction with the speed of sliding", ge=0)
    V_min = Param("m/s", "least speed that sliding is related to", default=1e-3, gt=0)

    @out("mu", "delta")
    def adhere(v_w, v, mu_0, mu_asy, delta_0, lam, V_min):
        return adhesion_curve(v_w, v, mu_0, mu_asy, delta_0, lam, V_min)  # (1) to (3)


class Polach(Patch, Block):
    """Creep forces by Polach's formula, with friction that falls with sliding.

    mu = mu_0 ((1 - A) exp(-B V nu) + A),  nu = sqrt(xi^2 + eta^2)         (1)
    e = G pi a b C nu / (4 mu N),  C nu = sqrt((C11 xi)^2 + (C22 eta)^2)   (2)
    F = 2 mu N / pi (k_A e / (1 + (k_A e)^2) + arctan(k_S e)),  against (xi, eta)         (3)

    Defaults are Polach's constants for a dry surface; a wet one has mu_0 = 0.3, A = 0.4, B = 0.2
    s/m, k_A = 0.3, k_S = 0.1. Spin is left out. The slope at zero creepage is (k_A + k_S) / 2 times
    that of linear theory; large creepages give mu N, N <= 0 none. Source: Wear 258 (2005) 992.
    """

    symbol = "Polach"
    phi = None
    V = In("m/s", "speed of rolling")
    F_x = Out("N", "longitudinal force on the wheel")
    F_y = Out("N", "lateral force on the wheel")
    mu_0 = Param("1", "friction without sliding", default=DRY["mu_0"], gt=0)
    A = Param("1", "friction at large over that without sliding", default=DRY["A"], gt=0, le=1)
    B = Param("s/m", "fall of friction with sliding", default=DRY["B"], ge=0)
    k_A = Param("1", "reduction where the patch adheres", default=DRY["k_A"], gt=0, le=1)
    k_S = Param(
        "1", "reduction where the patch slides, at most k_A", default=DRY["k_S"], gt=0, le=1
    )

    @validate
    def sliding_is_reduced_more(k_A, k_S):
        if k_S > k_A:
            return f"k_S = {k_S:g} is above k_A = {k_A:g}; expected k_S <= k_A"

    @out("F_x", "F_y")
    def creep(xi, eta, V, a, b, N, mu_0, A, B, k_A, k_S, G, nu, table):
        C11, C22, _, _ = kalker(a, b, nu, table)
        return polach(xi, eta, V, a, b, N, mu_0, A, B, k_A, k_S, G, C11, C22)  # (1) to (3)


class LocalAdhesion(PatchOfCells, Block):
    """Creep forces under degraded adhesion, with recovery by sliding inside the patch.

    p_A = p - dx e / L,  cut to p of size mu p_n;  s = V L (p - p_A) / dx,  W = |p s|      (1)
    mu = mu_d exp(-tau W) + mu_r (1 - exp(-tau W))                         (2)
    mu_d = mu_cd (1 + (1 / A_d - 1) exp(-gamma_d s)),  mu_r likewise       (3)

    In each sliding cell (1) to (3) are solved together; cells adhere up to mu_cd / A_d. Defaults
    are those of Meacci et al. (2020) for the UIC-Z1 coach. tau = 0: friction only falls with
    sliding, tau W >> 1: that of clean surfaces. N <= 0 gives no forces. "weighted" is the paper's
    mean flexibility; "blended" is better when lateral creepage and spin oppose each other.
    """

    symbol = "µ(s,W)"
    example = {"n_x": 7, "n_y": 7}
    V = In("m/s", "speed of rolling")
    T_x = Out("N", "longitudinal force on the wheel")
    T_y = Out("N", "lateral force on the wheel")
    M_sp = Out("N*m", "moment on the wheel about the normal")
    mu = Out("1", "friction, its mean weighted by pressure")
    P = Out("W", "power dissipated by sliding")
    mu_cd = Param("1", "kinetic friction, contaminated", default=0.06, gt=0)
    mu_cr = Param("1", "kinetic friction, clean", default=0.28, gt=0)
    A_d = Param("1", "kinetic over static friction, contaminated", default=0.4, gt=0, le=1)
    A_r = Param("1", "kinetic over static friction, clean", default=0.4, gt=0, le=1)
    gamma_d = Param("s/m", "fall of friction with sliding, contaminated", default=0.2, ge=0)
    gamma_r = Param("s/m", "fall of friction with sliding, clean", default=0.6, ge=0)
    tau = Param("m^2/W", "recovery per dissipated power and area", default=8.1e-9, ge=0)
    bound = Param("1", "pressure of the bound", type=str, default="elliptic", choices=BOUNDS)
    flexibility = Param("1", "kind", type=str, default="weighted", choices=FLEXIBILITIES)

    @out("T_x", "T_y", "M_sp", "mu", "P")
    def creep(
        xi, eta, phi, a, b, N, V, G, nu, table, mu_cd, mu_cr, A_d, A_r, gamma_d, gamma_r, tau,
        n_x, n_y, parabolic, kind,
    ):  # fmt: skip
        C11, C22, C23, _ = kalker(a, b, nu, table)
        return local_adhesion(
            xi, eta, phi, a, b, N, V, G, C11, C22, C23, mu_cd, mu_cr, A_d, A_r, gamma_d, gamma_r,
            tau, n_x, n_y, parabolic, kind, None,
        )  # fmt: skip
