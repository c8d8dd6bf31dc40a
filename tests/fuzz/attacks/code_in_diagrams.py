"""Diagrams that try to run code: a file made or a process started is an escape."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from typing import Any

from corpus import RICH, one_block_diagrams
from mutations import VALUE, WORD
from promises import checked_message
from trials import Attack, Escape

CANARY = "canary_was_here"
MODULE = f"""\
open({CANARY!r}, "w").close()
from railblocks.engine import Block, Out, out
class Thing(Block):
    y = Out("1", "output")
    @out("y")
    def one():
        return 1.0
"""
PAYLOADS = (
    f"__import__('os').system('touch {CANARY}')", f"open('{CANARY}', 'w')",
    f"exec(\"open('{CANARY}', 'w')\")", f"eval(\"open('{CANARY}', 'w')\")",
    f"(lambda: open('{CANARY}', 'w'))()", f"[open('{CANARY}', 'w') for _ in (1,)][0]",
    f"().__class__.__base__.__subclasses__()[0].__init__.__globals__['open']('{CANARY}', 'w')",
    f"sin.__globals__['__builtins__']['open']('{CANARY}', 'w')",
    f"!!python/object/apply:os.system ['touch {CANARY}']",
    f"!!python/object/new:os.system ['touch {CANARY}']",
    f"!!python/object/apply:builtins.open ['{CANARY}', 'w']", "!!python/module:canary",
    "!!python/name:canary.Thing", f"$(touch {CANARY})", f"`touch {CANARY}`", f"; touch {CANARY}",
    f"|touch {CANARY}", "canary", "canary.thing", "canary.py", "./canary.py", "../canary",
    f"x\\nimport os; os.system('touch {CANARY}')", f"'): open('{CANARY}', 'w') #",
    f"1 if open('{CANARY}', 'w') else 2", f"{{{{open('{CANARY}', 'w')}}}}",
    f"%(open('{CANARY}', 'w'))s", f"{{0.__class__.__init__.__globals__[open]('{CANARY}')}}",
    "canary:Thing", "railblocks.gui.application", "os.system", "@canary.Thing",
)  # fmt: skip
QUOTES = ("{}", '"{}"', "'{}'", "[{}]", "{{a: {}}}")
STARTED: list[str] = []
_PROCESSES = ("os.system", "subprocess.Popen", "os.exec", "os.posix_spawn", "os.fork", "pty.spawn")


def _watch(event: str, _: Any) -> None:
    if event in _PROCESSES:
        STARTED.append(event)


def prepare() -> None:
    one_block_diagrams()
    sys.addaudithook(_watch)


def attempt(random: Random, folder: str) -> str:
    from railblocks.engine import DiagramError, Simulation, SimulationError, check, loads

    os.chdir(folder)
    Path("canary.py").write_text(MODULE)
    text = RICH if random.random() < 0.5 else random.choice(one_block_diagrams()).text
    payload = random.choice(PAYLOADS)
    pattern = VALUE if random.random() < 0.8 else WORD
    match = random.choice(list(pattern.finditer(text)))
    quoted = random.choice(QUOTES).format(payload)
    text = text[: match.start()] + quoted + text[match.end() :]
    STARTED.clear()
    outcome = "accepted"
    try:
        simulation = Simulation(check(loads(text, "attack.yaml", folder)), compiled=False)
        simulation.advance(5)
    except (DiagramError, SimulationError) as error:
        checked_message(str(error))
        outcome = "refused"
    if os.path.exists(CANARY):
        os.unlink(CANARY)
        raise Escape(f"code of the diagram ran: {quoted}")
    if STARTED:
        raise Escape(f"processes were started: {STARTED}")
    return outcome


ATTACK = Attack(
    "code", "attempts to run code from a diagram", attempt, count=2_000, few=150, prepare=prepare
)
