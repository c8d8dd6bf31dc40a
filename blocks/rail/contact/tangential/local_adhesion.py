"""Degraded adhesion inside the patch: sliding cleans the surfaces, and friction recovers there.

FASTSIM's marching (`strips`), with friction in each sliding cell by `local_friction`, from the
cell's own sliding and dissipation. A cell adheres up to the static friction of the contaminated
surface, mu_cd / A_d. What is dissipated in a cell recovers friction by 1 - exp(-tau W) of what
there is to recover (13). There are two readings of W:

    tau W    power over area, W = |p s|, tau in m^2/W, as the paper prints (14)
    tau_x w  energy over distance of rolling and area, w = W / V, tau_x in m^2/N             (19)

At the speed V tau stands for tau_x = tau V: at the paper's 32.5 m/s the printed unit recovers 32.5
times as much. Energy per distance is the law that the same group gave for whole contacts (B.
Allotta et al., Tribology International 69, 2014; Toumi et al., 2019, quote it so), and only with it
wheels slide at the paper's tau = 8.1e-9; see `docs/decisions/0047-recovery-per-distance.md`. With
both zero nothing recovers, and friction only falls with sliding; with much of either it is that of
clean surfaces. The model has no memory from one wheel to the next.

Falling friction limits the grid. With f = gamma (static - kinetic friction) L V p_n / dx, tractions
start to alternate from cell to cell where f exceeds about 1/2, and (16) may have several roots
above 1, for the marching then follows an unstable equation. The paper's numbers with n_x = 25 at
32.5 m/s give 0.06 for contaminated and 0.8 for clean surfaces that hardly slide: more cells in x,
or a higher speed, show this, not more detail. n_y is free.

Source: M. Meacci et al., A railway local degraded adhesion model including variable friction,
energy dissipation and adhesion recovery, Vehicle System Dynamics (2020), doi
10.1080/00423114.2020.1775266, Eqs 1 to 18, with e_y = eta + x phi (5), L_3 = pi a^2 / (4 G c C23)
(3), and cells instead of nodes (1), which would divide by zero at y = +-b.
"""

from railblocks.blocks.rail.contact.tangential.local_friction import friction_law
from railblocks.blocks.rail.contact.tangential.strips import march


def local_adhesion(creepages, patch, V, elasticity, mu_cd, friction, cells, fields):
    """T_x, T_y, M_sp on the wheel, mean friction and dissipated power; all zero if N <= 0.

    `friction` is a `LocalFriction`, `fields` as in `strips.march`.
    """
    speed = abs(V)
    law = friction_law(
        mu_cd, friction.mu_cr, friction.A_d, friction.A_r, friction.gamma_d, friction.gamma_r,
        friction.tau * speed + friction.tau_x,  # (19)
    )  # fmt: skip
    return march(creepages, patch, speed, elasticity, law, cells, fields)
