"""Random diagrams, compiled and interpreted: equal to the last bit."""

from __future__ import annotations

from random import Random

from random_diagrams import flat_text, random_plan
from trials import Attack, Escape


def attempt(random: Random, folder: str) -> str:
    import numpy as np

    text = flat_text(random_plan(random))
    compiled, plain = _run(text, True), _run(text, False)
    if compiled[1] != plain[1] or not np.array_equal(compiled[0], plain[0], equal_nan=True):
        raise Escape(f"compiled {compiled} differs from interpreted {plain}:\n{text}")
    return "equal"


def _run(text: str, compiled: bool):
    import numpy as np
    from railblocks.engine import Simulation, SimulationError, check, loads

    simulation = Simulation(check(loads(text)), compiled)
    rows, message = [np.zeros((0, simulation.log.shape[1]))], ""
    try:
        rows += list(simulation.chunks())
    except SimulationError as error:
        message = str(error)
    return np.concatenate(rows), message


ATTACK = Attack(
    "random diagrams",
    "compiled against interpreted",
    attempt,
    count=150,
    few=4,
    seconds=120.0,
)
