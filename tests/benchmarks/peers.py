"""The same van der Pol diagram in other Python block-diagram simulators, where they are installed.

All run 100 s at a tolerance of 1e-8 with a Dormand-Prince method; the best of three runs counts,
set-up and compilation do not.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
from collections.abc import Callable

import models
from measure import Row, against, least_seconds, runner

STOP = 100.0


def pathsim() -> Callable[[], None]:
    from pathsim import Connection, Simulation
    from pathsim.blocks import Adder, Amplifier, Constant, Integrator, Multiplier
    from pathsim.solvers import RKDP54

    one, square, gap, damp = Constant(1.0), Multiplier(), Adder("+-"), Multiplier()
    mu, acceleration, v, x = Amplifier(1.0), Adder("+-"), Integrator(0.0), Integrator(2.0)
    blocks = [one, square, gap, damp, mu, acceleration, v, x]
    connections = [
        Connection(one, gap[0]),
        Connection(x, square[0], square[1], acceleration[1]),
        Connection(square, gap[1]),
        Connection(gap, damp[0]),
        Connection(v, damp[1], x),
        Connection(damp, mu),
        Connection(mu, acceleration[0]),
        Connection(acceleration, v),
    ]
    simulation = Simulation(
        blocks, connections, Solver=RKDP54, log=False,
        tolerance_lte_abs=1e-8, tolerance_lte_rel=1e-8,
    )  # fmt: skip
    return lambda: simulation.run(STOP, reset=True)


def bdsim() -> Callable[[], None]:
    from bdsim import BDSim

    simulator = BDSim(graphics=False, progress=False, banner=False)
    diagram = simulator.blockdiagram()
    one, v, x = diagram.CONSTANT(1.0), diagram.INTEGRATOR(0.0), diagram.INTEGRATOR(2.0)
    square, gap = diagram.PROD("**"), diagram.SUM("+-")
    damp, mu, acceleration = diagram.PROD("**"), diagram.GAIN(1.0), diagram.SUM("+-")
    diagram.connect(one, gap[0])
    diagram.connect(x, square[0], square[1], acceleration[1])
    diagram.connect(square, gap[1])
    diagram.connect(gap, damp[0])
    diagram.connect(v, damp[1], x)
    diagram.connect(damp, mu)
    diagram.connect(mu, acceleration[0])
    diagram.connect(acceleration, v)
    diagram.compile()

    def run() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            simulator.run(diagram, STOP, solver="RK45", solver_args={"rtol": 1e-8, "atol": 1e-8})

    return run


def jaxonomy() -> Callable[[], None]:
    import logging

    import jaxonomy
    from jaxonomy.library import Adder, Constant, Gain, Integrator, Product

    logging.disable(logging.INFO)
    builder = jaxonomy.DiagramBuilder()
    one, v, x = map(builder.add, (Constant(1.0), Integrator(0.0), Integrator(2.0)))
    square, damp, mu = map(builder.add, (Product(2), Product(2), Gain(1.0)))
    gap, acceleration = (builder.add(Adder(2, operators="+-")) for _ in range(2))
    for source, *targets in (
        (one, (gap, 0)),
        (x, (square, 0), (square, 1), (acceleration, 1)),
        (square, (gap, 1)),
        (gap, (damp, 0)),
        (v, (damp, 1), (x, 0)),
        (damp, (mu, 0)),
        (mu, (acceleration, 0)),
        (acceleration, (v, 0)),
    ):
        for block, port in targets:
            builder.connect(source.output_ports[0], block.input_ports[port])
    diagram = builder.build()
    context = diagram.create_context()
    options = jaxonomy.SimulatorOptions(
        rtol=1e-8, atol=1e-8, ode_solver_method="dopri5", max_major_steps=10
    )
    return lambda: jaxonomy.simulate(
        diagram, context, (0.0, STOP), options=options, recorded_signals={"x": x.output_ports[0]}
    )


def peers() -> list[Row]:
    """Seconds of ours against theirs."""
    ours, _ = runner(models.VAN_DER_POL, {"solver.stop": STOP})
    mine = least_seconds([ours], 20)[0]
    rows = []
    for name, build in (("pathsim", pathsim), ("bdsim", bdsim), ("jaxonomy", jaxonomy)):
        if importlib.util.find_spec(name) is None:
            rows.append(Row("van der Pol, 100 s, rtol 1e-8", mine, "s", f"{name}: not installed"))
            continue
        try:
            theirs = least_seconds([build()], 3)[0]
        except Exception as error:  # a peer that cannot be run is no failure of ours
            rows.append(Row("van der Pol, 100 s", mine, "s", f"{name}: {type(error).__name__}"))
            continue
        rows.append(against("van der Pol, 100 s, rtol 1e-8", mine, theirs, name))
    return rows


ALL = (peers,)
