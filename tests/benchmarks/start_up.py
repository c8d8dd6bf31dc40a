"""Whole processes from import to the first step: cold from the wheel, cold from a clone, warm."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import models
from measure import DIAGRAMS, Row, at_most

ROOT = DIAGRAMS.parent
WHEEL_S, CLONE_S, WARM_S = 3.0, 10.0, 1.0
GOALS = {"DC motor": (WHEEL_S, 0.3), "1000 mixed blocks": (WHEEL_S, 0.6),
         "chain of 6000 blocks": (6.0, WARM_S)}  # fmt: skip
"""Seconds from the wheel and warm, where they are not the usual ones."""
PROCESS = """
import sys
if sys.argv[2] == "wheel":
    sys.modules["numba"] = None
from railblocks.engine import Simulation, check, load
simulation = Simulation(check(load(sys.argv[1])))
simulation.advance()
print(simulation.notices)
"""


def start_up() -> list[Row]:
    """The least of three processes; those from the wheel cannot import numba."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        wheel = unpacked_wheel(Path(folder))
        for name, diagram in diagrams(Path(folder)).items():
            from_wheel, warm_goal = GOALS.get(name, (WHEEL_S, WARM_S))
            goals = {"wheel": from_wheel, "clone": CLONE_S, "warm": warm_goal}
            for what, goal in goals.items():
                seconds = min(_seconds(diagram, what, wheel, Path(folder)) for _ in range(3))
                label = "warm" if what == "warm" else f"cold from the {what}"
                rows.append(at_most(f"{name}: {label}", seconds, "s", goal))
    return rows


def diagrams(folder: Path) -> dict[str, Path]:
    """Files of the diagrams that are measured."""
    made = {"1000 mixed blocks": models.mixed(1000), "chain of 6000 blocks": models.chain(1000)}
    for name, text in made.items():
        (folder / f"{name}.yaml").write_text(text)
    return {
        "DC motor": DIAGRAMS / "dc_motor.yaml",
        **{name: folder / f"{name}.yaml" for name in made},
        "scenario 1": DIAGRAMS / "conti2012" / "scenario_1.yaml",
        "S-curve": DIAGRAMS / "falomi" / "s_curve.yaml",
        "braking coach": DIAGRAMS / "meacci2020" / "braking.yaml",
    }


def unpacked_wheel(folder: Path) -> Path:
    """A folder with what the wheel of this clone installs."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "-w", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "wheel")
    return folder / "wheel"


def _seconds(diagram: Path, what: str, wheel: Path, folder: Path) -> float:
    """Of one process; a cold one has an empty cache, a warm one that of the one before."""
    cache = folder / "warm"
    if what != "warm":
        cache = Path(tempfile.mkdtemp(dir=folder))
    environment = {**os.environ, "RAILBLOCKS_CACHE": str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if what == "wheel":
        environment["PYTHONPATH"] = str(wheel)
    command = [sys.executable, "-c", PROCESS, str(diagram), what]
    begin = time.perf_counter()
    done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - begin
    assert done.stdout.strip() == "()", done.stdout
    return seconds


ALL = (start_up,)
