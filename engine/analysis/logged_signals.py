"""The signals that a run logs: those of `log`, else those that sinks record, else all."""

from __future__ import annotations

from ..checks.wiring import find_port, selected
from ..diagram.endpoints import Endpoint, index_text
from ..diagram.flatten import FlatDiagram
from ..errors import Problem
from ..model.model import Port
from ..model.signals import LoggedSignal
from .network import Network


def logged_signals(
    flat: FlatDiagram, network: Network, problems: list[Problem]
) -> list[LoggedSignal]:
    """Each signal once; adds what is wrong with `log` to `problems`."""
    blocks = network.instances
    everything = [port for block in blocks.values() for port in block.outputs.values()]
    if flat.log_signals == "all":
        return [_whole(port) for port in everything]
    if flat.log_signals is None or isinstance(flat.log_signals, str):
        recorded = [
            part.source
            for instance in blocks.values()
            if instance.type.recorded
            for port in instance.inputs
            for part in network.drivers.get((instance.name, port), ())
        ]
        return list(dict.fromkeys(_whole(port) for port in recorded or everything))
    logged = [_named(end, flat, network, problems) for end in flat.log_signals]
    return list(dict.fromkeys(signal for signal in logged if signal is not None))


def _whole(port: Port, name: str = "") -> LoggedSignal:
    return _signal(name or port.path, port, port.shape or (), tuple(range(port.size)))


def _signal(
    name: str, port: Port, shape: tuple[int, ...], elements: tuple[int, ...]
) -> LoggedSignal:
    unit = str(port.unit) if port.unit is not None else ""
    return LoggedSignal(name, unit, shape, port.item.type, port.block, port.name, elements)


def _named(
    end: Endpoint, flat: FlatDiagram, network: Network, problems: list[Problem]
) -> LoggedSignal | None:
    """The output that a name of `log` means: itself, or what drives an input; with its index."""
    blocks = network.instances
    port = None
    if end.block in blocks and end.port in blocks[end.block].inputs:
        parts = network.drivers.get((end.block, end.port or ""), ())
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
        picked = selected(port.shape or (), end.index)
    except IndexError:
        size = " x ".join(map(str, port.shape or (1,)))
        message = f"'{text}' is out of range: {name} has {size} elements; indices start at 0"
        problems.append(Problem(end.position, message))
        return None
    return _signal(text, port, picked.shape, tuple(map(int, picked.ravel())))
