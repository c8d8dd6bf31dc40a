"""Solvers by the names that other programs give them, and what to take here."""

from __future__ import annotations

from .methods import METHODS

STIFF = "for stiff diagrams take radau5"
TIGHT = "at tight tolerances take ode853"
MATLAB = {
    **dict.fromkeys(("ode15s", "ode23s", "ode23t", "ode23tb", "ode15i", "ode14x", "ode1be"), STIFF),
    "daessc": STIFF,
    **dict.fromkeys(("ode113", "ode78", "ode89"), TIGHT),
    "ode1": "Euler's method is euler",
    "ode2": "Heun's method is heun",
    "ode3": "the nearest with a fixed step is rk4",
    "ode4": "the classical Runge-Kutta method is rk4",
    "ode8": "ode5 has the highest order with a fixed step",
}
OTHERS = {
    **dict.fromkeys(("rk45", "dopri5", "dopri", "rkf45"), "the nearest is ode45"),
    "rk23": "the nearest is ode23",
    "dop853": "that is ode853",
    "radau": "take radau5, or SciPy's own as Radau",
    **dict.fromkeys(("vode", "zvode", "dassl", "cvode", "cvodes", "ida", "idas"), STIFF),
}
_ADVICE = MATLAB | OTHERS
_OURS = {name.lower(): name for name in METHODS}


def solver_hint(name: str) -> str:
    """`; ...` with what to take for a solver of another program, or nothing."""
    small = name.strip().lower()
    if small in _ADVICE:
        whose = "MATLAB's" if small in MATLAB else "another program's"
        return f"; {name} is {whose}: {_ADVICE[small]}"
    return f"; did you mean '{_OURS[small]}'?" if small in _OURS else ""
