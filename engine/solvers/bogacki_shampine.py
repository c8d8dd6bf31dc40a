"""ode23: Bogacki and Shampine, Appl. Math. Lett. 2 (1989) 321-325, with its cubic interpolant."""

from railblocks.engine.solvers.tableau import Tableau, row

ODE23 = Tableau(
    "ode23",
    "Bogacki-Shampine 3(2) with variable step: cheaper than ode45 at crude tolerances and across "
    "frequent discontinuities.",
    order=3,
    c=row("0 1/2 3/4 1"),
    a=(row("1/2"), row("0 3/4"), row("2/9 1/3 4/9")),
    e=row("5/72 -1/12 -1/9 1/8"),
    p=(row("1 -4/3 5/9"), row("0 1 -2/3"), row("0 4/3 -8/9"), row("0 -1 1")),
    estimate=2,
    edge=2.5,
)
