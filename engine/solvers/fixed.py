"""Fixed-step methods: euler, heun, rk4 (Hairer, Norsett & Wanner, II.1)."""

from railblocks.engine.solvers.tableau import Tableau, row

EULER = Tableau(
    "euler",
    "Explicit Euler with a fixed step: for demonstrations and for comparison with real-time code.",
    order=1,
    c=row("0 1"),
    a=(row("1"),),
)
HEUN = Tableau(
    "heun",
    "Heun's method of second order with a fixed step.",
    order=2,
    c=row("0 1 1"),
    a=(row("1"), row("1/2 1/2")),
)
RK4 = Tableau(
    "rk4",
    "The classical Runge-Kutta method of fourth order with a fixed step.",
    order=4,
    c=row("0 1/2 1/2 1 1"),
    a=(row("1/2"), row("0 1/2"), row("0 0 1"), row("1/6 1/3 1/3 1/6")),
)
