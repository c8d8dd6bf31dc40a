"""Names of signals: what runs record and scopes show, from ports on the canvas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from railblocks.engine.analysis.analysis import Analysis
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.diagram.endpoints import (
    Endpoint,
    EndpointError,
    index_text,
    read_endpoint,
)
from railblocks.engine.drawing.scene import Terminal, Way
from railblocks.engine.errors import Position

from .document import Document
from .levels import Path
from .nodes import entry_of


def signal_name(document: Document, path: Path, terminal: Terminal, way: Way = "out") -> str:
    """The output that a port shows, by its full name; empty if there is none."""
    if way == "in":
        source = _driver(document, path, terminal)
        return signal_name(document, path, source) if source else ""
    block, port = terminal
    if block.startswith("<"):
        return signal_name(document, path[:-1], (path[-1], block[1:]), "in") if path else ""
    output = document.analysis().output(".".join((*path, block)), port)
    return output.path if output else ""


def _driver(document: Document, path: Path, target: Terminal) -> Terminal | None:
    nets = document.drawing(path).scene.nets
    return next((net.source for net in nets if target in net.targets), None)


def recording(root: Diagram, analysis: Analysis, signals: Iterable[str]) -> Diagram:
    """The diagram that records some signals in addition to those that it logs."""
    wanted = [name for name in dict.fromkeys(signals) if _is_output(analysis, name)]
    given = root.log_signals
    if given == "all" or not wanted:
        return root
    if given is None:
        sinks = [i for i in analysis.drawn.instances.values() if i.type.recorded]
        if not sinks:
            return root
        names = [f"{instance.name}.{port}" for instance in sinks for port in instance.inputs]
    else:
        names = [str(end) for end in given]
    if set(wanted) <= set(names):
        return root
    listed = list(dict.fromkeys([*names, *wanted]))
    return replace(root, log=root.log | {"signals": entry_of(listed)})


def recorded_names(analysis: Analysis, signals: Iterable[str]) -> dict[str, str]:
    """How a run names signals: an output of a subsystem is recorded as that of a block inside."""
    names = {}
    for name in signals:
        end = _endpoint(name)
        ports = analysis.flat.ports if analysis.flat else {}
        inner = ports.get(f"{end.block}.{end.port}") if end else None
        output = analysis.output(end.block, end.port) if end and end.port and inner else None
        if end is not None and inner is not None and output is not None:
            names[name] = output.path + index_text(inner.index or end.index)
    return names


def _is_output(analysis: Analysis, name: str) -> bool:
    end = _endpoint(name)
    if end is None or not end.port:
        return False
    return analysis.output(end.block, end.port) is not None


def _endpoint(name: str) -> Endpoint | None:
    try:
        return read_endpoint(name, Position(""))
    except EndpointError:
        return None
