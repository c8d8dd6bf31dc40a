"""Numbers that hurt, for parameters of all blocks and for all settings: checked, then run.

A run goes on for a moment only: a diagram may ask for a long run. What counts is that each chunk
of steps comes to an end and that the run ends in rows or in a message. Diagrams of one block are
interpreted; the one of many blocks is compiled, since machine code cannot be interrupted.
"""

from __future__ import annotations

import re
from random import Random
from time import perf_counter

from corpus import RICH, Original, one_block_diagrams
from promises import checked_message
from trials import Attack

NUMBERS = (
    ".inf", "-.inf", ".nan", "0", "-0.0", "-1", "1", "2.5", "1e-320", "1e-300", "1e-16", "1e9",
    "1e16", "1e19", "-1e19", "1e300", "1.7e308", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "-9223372036854775809", "1" + "0" * 400, "[]", "[1, 2]", "[.nan]",
    "true", "~", "none", "1e16 s", "1e-300 s", "-1 s", "1 ns", "1e-9",
)  # fmt: skip
SETTINGS = (
    "rtol", "atol", "start", "stop", "step", "min_step", "max_step", "seed", "zeno", "dwell",
)  # fmt: skip
STEPS = {
    "ode45": "", "ode23": "", "ode853": "", "radau5": "",
    "euler": "1 ms", "heun": "1 ms", "rk4": "1 ms", "ode5": "1 ms",
}  # fmt: skip
VALUE = re.compile(r"(?<=: )(-?[\d.]+(?:e-?\d+)?(?: [a-z][\w/*^]*)?|true|false)(?=[,}\n])")
MOMENT = 0.3


def attempt(random: Random, folder: str) -> str:
    from railblocks.engine import DiagramError, Simulation, SimulationError, check, loads

    is_rich = random.random() < 0.4
    original = Original(RICH, ".") if is_rich else random.choice(one_block_diagrams())
    text = _with_other_value(random, original.text)
    if random.random() < 0.4:
        text = _with_setting(random, text)
    try:
        checked = check(loads(text, "hostile.yaml", original.folder))
    except DiagramError as error:
        checked_message(str(error))
        return "refused"
    try:
        simulation = Simulation(checked, compiled=is_rich)
        end = perf_counter() + MOMENT
        while not simulation.outcome:
            simulation.advance()
            if perf_counter() > end:
                simulation.cancel()
        if simulation.outcome == "failed":
            raise SimulationError(simulation.reason)
    except (DiagramError, SimulationError) as error:
        checked_message(str(error))
        return "run failed"
    return "accepted"


def prepare() -> None:
    """Compiles the diagram of many blocks, by each method."""
    from railblocks.engine import Simulation, check, loads

    one_block_diagrams()
    diagram = loads(RICH)
    for method, step in STEPS.items():
        values = {"solver.method": method} | ({"solver.step": step} if step else {})
        Simulation(check(diagram.with_values(values)))


def _with_other_value(random: Random, text: str) -> str:
    matches = list(VALUE.finditer(text))
    if not matches:
        return text
    match = random.choice(matches)
    return text[: match.start()] + random.choice(NUMBERS) + text[match.end() :]


def _with_setting(random: Random, text: str) -> str:
    """Another setting of the solver, or of the log."""
    if random.random() < 0.2:
        return re.sub(r"log: .*", f"log: {{signals: all, every: {random.choice(NUMBERS)}}}", text)
    method, step = random.choice(list(STEPS.items()))
    settings = {"method": method, "stop": "1 s"} | ({"step": step} if step else {})
    for name in random.sample(SETTINGS, 2):
        settings[name] = random.choice(NUMBERS)
    listed = ", ".join(f"{name}: {value}" for name, value in settings.items())
    return re.sub(r"solver: .*", f"solver: {{{listed}}}", text)


ATTACK = Attack(
    "values",
    "hostile parameters and settings, checked and run",
    attempt,
    count=1_500,
    few=120,
    seconds=30.0,
    prepare=prepare,
)
