"""All checks of a diagram, in one go: from text or data to a model that can be scheduled."""

from __future__ import annotations

from dataclasses import dataclass

from .collecting import collection_paused
from .diagram import Diagram
from .errors import DiagramError, Place, Problem
from .flatten import FlatDiagram, flatten
from .model import Instance, Model
from .registry import Registry, standard_blocks
from .resolve import resolve
from .schedule import Schedule, schedule
from .settings import Settings, read_settings
from .shapes import infer_shapes
from .unit_inference import infer_units
from .wiring import connect, drivers, find_port


@dataclass(frozen=True)
class Checked:
    """A diagram without problems."""

    diagram: Diagram
    registry: Registry
    model: Model
    settings: Settings
    schedule: Schedule
    logged: tuple[tuple[str, str], ...]
    names: tuple[str, ...]


def check(diagram: Diagram, registry: Registry | None = None) -> Checked:
    """Checks everything; raises DiagramError with all problems."""
    with collection_paused():
        return _checked(diagram, registry or standard_blocks())


def _checked(diagram: Diagram, registry: Registry) -> Checked:
    flat = flatten(diagram)
    problems: list[Problem] = []
    settings = Settings()
    try:
        settings = read_settings(flat.solver, flat.log, Place(flat.file))
    except DiagramError as error:
        problems.extend(error.problems)
    blocks: dict[str, Instance] = {}
    for block in flat.blocks.values():
        instance = resolve(block, registry, problems)
        if instance is not None:
            blocks[block.name] = instance
    links, spoilt = connect(flat.wires, blocks, flat.blocks, problems)
    infer_shapes(blocks, links, problems)
    infer_units(blocks, links, problems)
    found = drivers(blocks, links, spoilt, problems)
    aliases = _aliases(flat, blocks)
    logged = _logged(flat, blocks, found, problems)
    if problems:
        raise DiagramError(_sorted(problems))
    if not blocks:
        raise DiagramError("the diagram has no blocks", Place(flat.file))
    model = Model(flat.title, flat.file, flat.text, blocks, found, aliases)
    keys = tuple(key for _, key in logged)
    names = tuple(name for name, _ in logged)
    return Checked(diagram, registry, model, settings, schedule(model, keys), keys, names)


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
    found: dict,
    problems: list[Problem],
) -> list[tuple[str, tuple[str, str]]]:
    """Logged signals: those asked for, else those that sinks record, else all."""
    everything = [(p.path, (p.block, p.name)) for b in blocks.values() for p in b.outputs.values()]
    if flat.log_signals == "all":
        return everything
    if flat.log_signals is None:
        recorded = [
            (part.source.path, (part.source.block, part.source.name))
            for instance in blocks.values()
            if instance.type.recorded
            for port in instance.inputs
            for part in found.get((instance.name, port), ())
        ]
        return list(dict.fromkeys(recorded)) or everything
    logged = []
    for end in flat.log_signals:
        name = f"{end.block}.{end.port}" if end.port else end.block
        port = None
        if end.block in blocks and end.port in blocks[end.block].inputs:
            parts = found.get((end.block, end.port), ())
            if len(parts) == 1:
                port = parts[0].source
        if port is None:
            port = find_port(end, blocks, set(flat.blocks), "output", problems)
        if port is not None:
            logged.append((name if end.port else port.path, (port.block, port.name)))
    return list(dict.fromkeys(logged))
