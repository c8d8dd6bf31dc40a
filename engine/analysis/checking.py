"""All checks of a diagram, in one go: from text or data to a model that can be scheduled."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..checks.block_files import BlockFiles
from ..checks.resolve import resolve
from ..checks.shapes import infer_shapes, refuse_misfits
from ..checks.unit_inference import infer_units
from ..checks.unused import unused_parameters
from ..checks.wiring import connect, drivers, find_port, selected
from ..declaration.registry import Registry, standard_blocks
from ..diagram.diagram import Diagram
from ..diagram.endpoints import Endpoint, index_text
from ..diagram.flatten import FlatDiagram, flatten
from ..errors import DiagramError, Place, Problem
from ..model.model import Instance, Model, Part, Port
from ..model.sizes import refuse_large_diagram
from ..schedule.schedule import Schedule, schedule
from ..text.collecting import collection_paused
from ..text.files import FileRead, files_read
from .advice import warnings_of
from .counted_times import refuse_odd_rates, refuse_uncountable
from .guesses import GUESS, read_guesses, refuse_idle_guesses
from .settings import Settings, read_settings

Drivers = dict[tuple[str, str], tuple[Part, ...]]


@dataclass(frozen=True)
class Logged:
    """A signal to log: an output, or some of its elements."""

    name: str
    block: str
    port: str
    elements: tuple[int, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Checked:
    """A diagram without problems."""

    diagram: Diagram
    registry: Registry
    model: Model
    settings: Settings
    schedule: Schedule
    logged: tuple[Logged, ...]
    warnings: tuple[Problem, ...] = ()
    files: tuple[FileRead, ...] = ()


def check(diagram: Diagram, registry: Registry | None = None) -> Checked:
    """Checks everything; raises DiagramError with all problems."""
    with collection_paused(), files_read() as read:
        checked = _checked(diagram, registry or standard_blocks())
    return replace(
        checked, files=tuple({f.path: f for f in (*diagram.files, *read.values())}.values())
    )


def _checked(diagram: Diagram, registry: Registry) -> Checked:
    flat = flatten(diagram, strict=False)
    problems: list[Problem] = list(flat.problems)
    settings = Settings()
    try:
        settings = read_settings(flat.solver, flat.log, Place(flat.file))
    except DiagramError as error:
        problems.extend(error.problems)
    blocks: dict[str, Instance] = {}
    files = BlockFiles(flat.file)
    for block in flat.blocks.values():
        instance = resolve(block, registry, problems, files)
        if instance is not None:
            blocks[block.name] = instance
    refuse_uncountable(flat, blocks, settings, problems)
    links, spoilt = connect(flat.wires, blocks, flat.blocks, problems)
    infer_shapes(blocks, links, problems)
    refuse_misfits(blocks, flat.blocks, problems)
    refuse_large_diagram(blocks.values(), problems)
    infer_units(blocks, links, flat.blocks, problems)
    found = drivers(blocks, links, spoilt, problems)
    aliases = _aliases(flat, blocks)
    logged = _logged(flat, blocks, found, problems)
    guess = flat.solver.get(GUESS)
    guesses = read_guesses(guess, blocks, problems)
    if problems:
        raise DiagramError(_sorted(problems))
    if not blocks:
        raise DiagramError("the diagram has no blocks", Place(flat.file))
    model = Model(flat.title, flat.file, flat.text, blocks, found, aliases)
    plan = schedule(model, [(signal.block, signal.port) for signal in logged], guesses)
    refuse_idle_guesses(
        guesses, plan.places.signals, plan.program.loops, guess.place if guess else None
    )
    refuse_odd_rates(plan.rates, settings, Place(flat.file))
    warnings = (*warnings_of(flat.blocks, blocks), *unused_parameters(diagram))
    return Checked(diagram, registry, model, settings, plan, tuple(logged), warnings)


def _sorted(problems: list[Problem]) -> list[Problem]:
    """In the order of the file, each once."""
    unique = list(dict.fromkeys(problems))
    key = lambda p: (p.place.file, p.place.line, p.place.column) if p.place else ("", 0, 0)  # noqa: E731
    return sorted(unique, key=key)


def _aliases(flat: FlatDiagram, blocks: dict[str, Instance]) -> dict[str, tuple[str, str]]:
    names = {}
    for name, end in flat.ports.items():
        port = find_port(end, blocks, set(flat.blocks), "output", [])
        if port is not None:
            names[name] = (port.block, port.name)
    return names


def _logged(
    flat: FlatDiagram,
    blocks: dict[str, Instance],
    found: Drivers,
    problems: list[Problem],
) -> list[Logged]:
    """Logged signals: those asked for, else those that sinks record, else all."""
    everything = [port for block in blocks.values() for port in block.outputs.values()]
    if flat.log_signals == "all":
        return [_whole(port) for port in everything]
    if flat.log_signals is None or isinstance(flat.log_signals, str):
        recorded = [
            part.source
            for instance in blocks.values()
            if instance.type.recorded
            for port in instance.inputs
            for part in found.get((instance.name, port), ())
        ]
        return list(dict.fromkeys(_whole(port) for port in recorded or everything))
    logged = [_asked(end, flat, blocks, found, problems) for end in flat.log_signals]
    return list(dict.fromkeys(signal for signal in logged if signal is not None))


def _whole(port: Port, name: str = "") -> Logged:
    return Logged(
        name or port.path, port.block, port.name, tuple(range(port.size)), port.shape or ()
    )


def _asked(
    end: Endpoint,
    flat: FlatDiagram,
    blocks: dict[str, Instance],
    found: Drivers,
    problems: list[Problem],
) -> Logged | None:
    """An output by its name, an input by what drives it, with an index if one was written."""
    port = None
    if end.block in blocks and end.port in blocks[end.block].inputs:
        parts = found.get((end.block, end.port or ""), ())
        if len(parts) == 1:
            port = parts[0].source
    port = port or find_port(end, blocks, set(flat.blocks), "output", problems)
    if port is None:
        return None
    name = f"{end.block}.{end.port}" if end.port else port.path
    if end.index is None:
        return _whole(port, name)
    text = f"{name}{index_text(end.index)}"
    try:
        places = selected(port.shape or (), end.index)
    except IndexError:
        size = " x ".join(map(str, port.shape or (1,)))
        message = f"'{text}' is out of range: {name} has {size} elements; indices start at 0"
        problems.append(Problem(end.place, message))
        return None
    return Logged(text, port.block, port.name, tuple(map(int, places.ravel())), places.shape)
