"""Numbers that hurt, for parameters of all blocks and for all settings: checked, then run.

A run goes on for a moment only: a diagram may ask for a long run. What counts is that each chunk
of steps comes to an end and that the run ends in rows or in a message.
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
    "method", "rtol", "atol", "start", "stop", "step", "min_step", "max_step", "first_step",
    "seed", "zeno", "dwell",
)  # fmt: skip
METHODS = ("ode45", "ode23", "ode853", "radau5", "euler", "heun", "rk4", "ode5")
VALUE = re.compile(r"(?<=: )(-?[\d.]+(?:e-?\d+)?(?: [a-z][\w/*^]*)?|true|false)(?=[,}\n])")
MOMENT = 0.3


def attempt(random: Random, folder: str) -> str:
    from railblocks.engine import DiagramError, Simulation, SimulationError, check, loads

    original = random.choice((*one_block_diagrams(), *(Original(RICH, "."),) * 100))
    text = _with_other_value(random, original.text)
    if random.random() < 0.4:
        text = _with_setting(random, text)
    try:
        checked = check(loads(text, "hostile.yaml", original.folder))
    except DiagramError as error:
        checked_message(str(error))
        return "refused"
    try:
        simulation = Simulation(checked, compiled=False)
        end = perf_counter() + MOMENT
        for _ in simulation.chunks():
            if perf_counter() > end:
                simulation.cancel()
    except (DiagramError, SimulationError) as error:
        checked_message(str(error))
        return "run failed"
    return "accepted"


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
    names = random.sample(SETTINGS, 3)
    values = [random.choice(METHODS if name == "method" else NUMBERS) for name in names]
    settings = ", ".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))
    return re.sub(r"solver: .*", f"solver: {{{settings}}}", text)


ATTACK = Attack(
    "values",
    "hostile parameters and settings, checked and run",
    attempt,
    count=4_000,
    few=120,
    prepare=one_block_diagrams,
)
