"""ode45 and ode5: Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19-26, Table 2.

The interpolant is Shampine's, Math. Comput. 46 (1986) 135-150, of fourth order.
"""

from railblocks.engine.solvers.tableau import Tableau, row

C = row("0 1/5 3/10 4/5 8/9 1 1")
A = (
    row("1/5"),
    row("3/40 9/40"),
    row("44/45 -56/15 32/9"),
    row("19372/6561 -25360/2187 64448/6561 -212/729"),
    row("9017/3168 -355/33 46732/5247 49/176 -5103/18656"),
    row("35/384 0 500/1113 125/192 -2187/6784 11/84"),
)
E = row("-71/57600 0 71/16695 -71/1920 17253/339200 -22/525 1/40")
P = (
    row("1 -8048581381/2820520608 8663915743/2820520608 -12715105075/11282082432"),
    row("0 0 0 0"),
    row("0 131558114200/32700410799 -68118460800/10900136933 87487479700/32700410799"),
    row("0 -1754552775/470086768 14199869525/1410260304 -10690763975/1880347072"),
    row("0 127303824393/49829197408 -318862633887/49829197408 701980252875/199316789632"),
    row("0 -282668133/205662961 2019193451/616988883 -1453857185/822651844"),
    row("0 40617522/29380423 -110615467/29380423 69997945/29380423"),
)

ODE45 = Tableau(
    "ode45",
    "Dormand-Prince 5(4) with variable step. The first choice; where it needs tiny steps although "
    "the solution is smooth, the diagram is stiff: take radau5.",
    order=5,
    c=C,
    a=A,
    e=E,
    p=P,
    estimate=4,
    edge=3.25,
)
ODE5 = Tableau(
    "ode5",
    "Dormand-Prince of fifth order with a fixed step, for runs that must take the same steps.",
    order=5,
    c=C,
    a=A,
    p=P,
)
