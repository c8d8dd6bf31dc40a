"""Creep forces under degraded adhesion, as a block."""

from railblocks.blocks.rail.contact.contact_law import two_readings
from railblocks.blocks.rail.contact.creep_ports import PatchOfCells
from railblocks.blocks.rail.contact.tangential.flexibility import FLEXIBILITIES
from railblocks.blocks.rail.contact.tangential.kalker import kalker
from railblocks.blocks.rail.contact.tangential.local_adhesion import local_adhesion
from railblocks.blocks.rail.contact.tangential.records import Elasticity, LocalFriction
from railblocks.blocks.rail.contact.tangential.strips import BOUNDS
from railblocks.engine.declaration import Block, In, Out, Param, Record, out, validate


class LocalAdhesion(PatchOfCells, Block):
    """Creep forces under degraded adhesion, with recovery by sliding inside the patch.

    p_A = p - dx e / L,  cut to p of size mu p_n;  s = V L (p - p_A) / dx,  W = |p s|      (1)
    mu = mu_d exp(-c) + mu_r (1 - exp(-c)),  c = tau_x W / V or tau W      (2)
    mu_d = mu_cd (1 + (1 / A_d - 1) exp(-gamma_d s)),  mu_r likewise       (3)

    In each sliding cell (1) to (3) are solved together; cells adhere up to mu_cd / A_d. Defaults
    are those of Meacci et al. (2020) for the UIC-Z1 coach. Their tau is read as recovery by energy
    per distance, tau_x; tau is their printed unit, by power. Without either friction only falls
    with sliding, c >> 1: that of clean surfaces. N <= 0 gives no forces. "weighted" is the paper's
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
    tau_x = Param("m^2/N", "recovery per energy, distance and area", default=8.1e-9, ge=0)
    tau = Param("m^2/W", "recovery per dissipated power and area, instead", default=0.0, ge=0)
    bound = Param("1", "pressure of the bound", type=str, default="elliptic", choices=BOUNDS)
    flexibility = Param("1", "kind", type=str, default="weighted", choices=FLEXIBILITIES)
    friction = Record("how friction falls and recovers", LocalFriction)

    @validate
    def recovery_is_read_in_one_way(tau, tau_x):
        return two_readings(tau, tau_x)

    @out("T_x", "T_y", "M_sp", "mu", "P")
    def creep(creepages, patch, V, G, nu, table, mu_cd, friction, cells):
        C11, C22, C23, _ = kalker(patch.a, patch.b, nu, table)
        elasticity = Elasticity(G, C11, C22, C23)
        return local_adhesion(creepages, patch, V, elasticity, mu_cd, friction, cells, None)
