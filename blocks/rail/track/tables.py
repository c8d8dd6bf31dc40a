"""Irregularities and friction along a line: from its file, from a CSV file, or from a spectrum."""

from __future__ import annotations

import os

import numpy as np
from railblocks.engine.errors import DiagramError
from railblocks.engine.measurements.csv_table import name_and_unit, read_csv
from railblocks.engine.text.data_record import DataRecord

from .irregularities import CROSS, DEVIATIONS, SPLINE, STRAIGHT, largest_swing, pieces_between
from .spectra import SPECTRA, Stretch, generated

AT, SPECTRUM = "at", "spectrum"
SHORTEST_M, LONGEST_M = 3.0, 100.0
"""Waves of a spectrum where the file does not say: D1 and D2 of EN 13848, and a bit longer."""
FADE_M = 10.0
"""Length on which irregularities of a spectrum fade beyond their ends."""
MAX_WAVES = 100_000
"""Most waves of the shortest length on a stretch: its rows are kept in memory."""
LARGEST_CROSS_LEVEL = 0.5
"""Part of the base."""
LARGEST_SWING = 0.5
"""Splines that swing farther beyond their rows than this part of the irregularity are refused."""


def no_deviations() -> np.ndarray:
    return pieces_between(np.zeros((0, 1 + len(DEVIATIONS))), STRAIGHT)


def no_friction() -> np.ndarray:
    return np.zeros((0, 2))


def deviations_of(record: DataRecord, folder: str, base: float) -> np.ndarray:
    """Pieces of the irregularities: middle of the track to the left and up, right over left rail,
    wider gauge; none where the line is as it should be."""
    part = record.record("irregularities") if "irregularities" in record else None
    if part is None:
        return no_deviations()
    if SPECTRUM in part:
        rows = _from_spectrum(part)
    else:
        rows = _from_file(part, folder) if "file" in part else _from_lists(part)
    between = part.text("between", SPLINE, (SPLINE, STRAIGHT))
    part.close()
    if not _rising(part, rows[:, 0]):
        return no_deviations()
    cross = np.abs(rows[:, 1 + CROSS]).max()
    if cross >= LARGEST_CROSS_LEVEL * base:
        message = f"cross_level = {cross:g} m; expected less than {LARGEST_CROSS_LEVEL * base:g} m"
        part.problems.add(part.position_of("cross_level"), message + ", half of the base")
    pieces = pieces_between(rows, between)
    swing, kind, position = largest_swing(pieces)
    if swing > LARGEST_SWING:
        message = (
            f"the spline of {DEVIATIONS[kind]} swings beyond its rows at {position:.4g} m, by "
            f"{swing:.0%} of the whole irregularity; give rows at closer positions, or "
            f"`between: {STRAIGHT}`"
        )
        part.problems.add(part.position_of(AT), message)
    return pieces


def friction_of(record: DataRecord) -> np.ndarray:
    """Rows of position and friction, none where the vehicle's own holds."""
    part = record.record("friction") if "friction" in record else None
    if part is None:
        return no_friction()
    at = part.numbers(AT, "m")
    values = part.numbers("value", "1", len(at))
    part.close()
    for value in values:
        if value < 0.0:
            part.problems.add(
                part.position_of("value"), f"friction = {value:g}; expected a value of at least 0"
            )
    return np.column_stack([at, values]) if _rising(part, at) else no_friction()


def _from_lists(part: DataRecord) -> np.ndarray:
    at = part.numbers(AT, "m")
    deviations = [part.numbers(name, "m", len(at), (0.0,) * len(at)) for name in DEVIATIONS]
    return np.column_stack([at, *deviations])


def _from_file(part: DataRecord, folder: str) -> np.ndarray:
    """A CSV file with a column `at` and some of the deviations, each in m or in its own unit."""
    path = os.path.join(folder, part.text("file"))
    try:
        csv = read_csv(path)
        names = [name_and_unit(head)[0] for head in csv.names]
        known = (AT, *DEVIATIONS)
        if len(set(names)) < len(names):
            raise DiagramError(f"{path}: a column appears twice; {csv.columns}")
        for name in set(names) - set(known):
            near = part.problems.near(name, DEVIATIONS)
            which = (
                f"'{name}' is not a column here{near}" if len(names) > 1 else "there is one column"
            )
            raise DiagramError(f"{path}: {which}; expected {', '.join(known)}")
        table = np.zeros((len(csv.rows), len(known)))
        for name in {AT, *names}:
            table[:, known.index(name)] = csv.quantity(name, "m")
    except DiagramError as error:
        part.problems.add(part.position_of("file"), str(error))
        return np.zeros((1, 1 + len(DEVIATIONS)))
    return table


def _from_spectrum(part: DataRecord) -> np.ndarray:
    """Irregularities by a spectrum and a seed."""
    before = len(part.problems)
    name, seed = part.text(SPECTRUM, choices=tuple(SPECTRA)), part.number("seed", "1")
    start, end = part.number("from", "m", 0.0), part.number("to", "m")
    shortest = part.number("shortest", "m", SHORTEST_M, least=0.0)
    longest = part.number("longest", "m", LONGEST_M, least=0.0)
    fade = part.number("fade", "m", FADE_M, least=0.0)
    kinds = _kinds(part)
    if seed < 0.0 or seed != int(seed):
        part.problems.add(part.position_of("seed"), f"seed = {seed:g}; expected 0, 1, 2, ...")
    if longest <= shortest:
        message = f"longest = {longest:g} m; expected more than {shortest:g} m, the shortest"
        part.problems.add(part.position_of("longest"), message)
    if end - start < longest:
        message = (
            f"the stretch from {start:g} to {end:g} m is shorter than {longest:g} m, its longest"
        )
        message += " wave; give a `to` farther away, or a `longest` that fits"
        part.problems.add(part.position_of("to"), message)
    elif end - start > MAX_WAVES * shortest:
        message = f"the stretch from {start:g} to {end:g} m has more than {MAX_WAVES} waves of "
        part.problems.add(
            part.position_of("to"), message + f"{shortest:g} m; give a larger `shortest`"
        )
    if len(part.problems) > before:
        return np.zeros((1, 1 + len(DEVIATIONS)))
    return generated(Stretch(name, int(seed), start, end, shortest, longest, fade, kinds))


def _kinds(part: DataRecord) -> tuple[int, ...]:
    """Numbers of the irregularities in a list with commas, of all without one."""
    names = [name.strip() for name in part.text("only", ", ".join(DEVIATIONS)).split(",")]
    for name in names:
        if name not in DEVIATIONS:
            near = part.problems.near(name, DEVIATIONS)
            message = f"'{name}' is not an irregularity{near}; expected {', '.join(DEVIATIONS)}"
            part.problems.add(part.position_of("only"), message)
    return tuple(DEVIATIONS.index(name) for name in names if name in DEVIATIONS)


def _rising(part: DataRecord, at: np.ndarray | tuple[float, ...]) -> bool:
    """Whether positions rise; a problem if not."""
    is_rising = len(at) > 0 and bool(np.all(np.diff(at) > 0.0))
    if not is_rising:
        message = f"'{AT}' has no positions, or they do not rise; expected rising ones"
        part.problems.add(part.position_of(AT), message)
    return is_rising
