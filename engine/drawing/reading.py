"""A diagram as a scene: which boxes and nets its uppermost level shows.

Also a diagram with mistakes can be drawn: a port that only a wire knows of is drawn too, and an
unknown block type is a box with its name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from ..analysis.analysis import Analysis
from ..declaration import In
from ..diagram.diagram import BlockEntry, Diagram
from ..diagram.endpoints import Endpoint, index_text, read_endpoint
from ..model.model import Instance, Port
from ..text.source import Scalar
from .scene import GRID, NAME_SIZE, PITCH, PORT_SIZE, Box, BoxPort, Kind, Net, Scene, Terminal
from .symbols import symbol_width
from .text import shortened, text_width

LONGEST_VALUE = 9  # characters of a value shown as a symbol
LONGEST_TYPE = 14  # characters of a type shown as a symbol
_SIGNS = {"-": "\u2212", "*": "\u00d7", "/": "\u00f7"}


def scene_of(diagram: Diagram, analysis: Analysis, prefix: str = "") -> Scene:
    """The boxes and nets of the uppermost level of a diagram.

    For a subsystem, the analysis is that of the whole diagram and `prefix` its path with a dot.
    """
    wires = list(wires_of(diagram))
    used: dict[tuple[str, str], list[str]] = {}
    for source, target in wires:
        used.setdefault((source.block, "out"), []).append(source.port or "")
        used.setdefault((target.block, "in"), []).append(target.port or "")
    maker = _Boxes(analysis, prefix)
    boxes: dict[str, Box] = {}
    for name in diagram.inputs:
        boxes[f"<{name}"] = _marker(f"<{name}", name, "input")
    for name, written in diagram.blocks.items():
        ins, outs = used.get((name, "in"), []), used.get((name, "out"), [])
        boxes[name] = maker.box(analysis.shown(prefix + name, written), ins, outs)
    for name in diagram.outputs:
        boxes[f">{name}"] = _marker(f">{name}", name, "output")
    return Scene(
        boxes,
        tuple(_nets(diagram, wires, boxes, analysis, prefix)),
        frozenset(_logged(diagram, boxes)),
    )


def _marker(key: str, name: str, kind: Kind) -> Box:
    port = (BoxPort(""),)
    width = math.ceil((text_width(name, NAME_SIZE) + 2 * GRID) / PITCH) * PITCH
    inputs, outputs = (port, ()) if kind == "output" else ((), port)
    title = f"{kind} {name} of the subsystem"
    return Box(key, "", name, kind, title, inputs, outputs, max(width, PITCH * 2), PITCH)


def wires_of(diagram: Diagram) -> Iterable[tuple[Endpoint, Endpoint]]:
    """All wires between things that exist; ports of the diagram count as blocks `<e` and `>u`."""
    for name, port in diagram.inputs.items():
        for end in port.ends:
            if end.block in diagram.blocks:
                yield Endpoint(f"<{name}", ""), end
    for line in diagram.wires:
        for source, target in line.wires:
            if source.block in diagram.blocks and target.block in diagram.blocks:
                yield source, target
    for name, port in diagram.outputs.items():
        for end in port.ends:
            if end.block in diagram.blocks:
                yield end, Endpoint(f">{name}", "")
    for name, block in diagram.blocks.items():
        for key, (condition, position) in block.conditions.items():
            for signal in condition.names:
                if signal in diagram.inputs:
                    yield Endpoint(f"<{signal}", ""), Endpoint(name, key)
                elif (source := read_endpoint(signal, position)).block in diagram.blocks:
                    yield source, Endpoint(name, key)


def _nets(
    diagram: Diagram,
    wires: list[tuple[Endpoint, Endpoint]],
    boxes: dict[str, Box],
    analysis: Analysis,
    prefix: str,
) -> Iterable[Net]:
    targets: dict[Terminal, dict[Terminal, str]] = {}
    for source, target in wires:
        start = terminal_of(source, boxes[source.block].outputs)
        end = terminal_of(target, boxes[target.block].inputs)
        part = index_text(source.index) or index_text(target.index)
        targets.setdefault(start, {})[end] = part
    for start, ends in targets.items():
        port = next((p for p in boxes[start[0]].outputs if p.name == start[1]), None)
        title = port.title if port else ""
        into = ", ".join(f"{block}.{name}" for block, name in ends)
        off = boxes[start[0]].disabled or all(boxes[end[0]].disabled for end in ends)
        parts = {end: part for end, part in ends.items() if part}
        if boxes[start[0]].kind == "input":
            wide = _takes_vector(diagram, start[0][1:], analysis, prefix)
        else:
            model_port = analysis.output(prefix + start[0], start[1])
            wide = model_port is not None and bool(model_port.shape)
            wide = wide or diagram.blocks[start[0]].each is not None
        yield Net(start, tuple(ends), f"{title} → {into}", wide, off, parts)


def _takes_vector(diagram: Diagram, name: str, analysis: Analysis, prefix: str) -> bool:
    """Whether an input of a subsystem carries a vector or a matrix, by what it drives inside."""
    for end in diagram.inputs[name].ends if name in diagram.inputs else ():
        block = diagram.blocks.get(end.block)
        if block is not None:
            block = analysis.shown(prefix + end.block, block)
            if block.each is not None and end.port not in block.each.shared:
                return True
        instance = analysis.instance(prefix + end.block)
        inner = block.subsystem.diagram if block and block.subsystem else None
        if instance is not None and instance.inputs:
            port = instance.inputs.get(end.port or next(iter(instance.inputs)))
            if port is not None and port.shape and end.index is None:
                return True
        elif inner is not None and inner.inputs:
            inside = end.port or next(iter(inner.inputs))
            if _takes_vector(inner, inside, analysis, f"{prefix}{end.block}."):
                return True
    return False


def terminal_of(end: Endpoint, ports: tuple[BoxPort, ...]) -> Terminal:
    return end.block, end.port if end.port is not None else (ports[0].name if ports else "")


def _logged(diagram: Diagram, boxes: dict[str, Box]) -> Iterable[Terminal]:
    signals = diagram.log_signals
    for end in signals if isinstance(signals, tuple) else ():
        if end.block in boxes:
            yield terminal_of(end, boxes[end.block].outputs)


class _Boxes:
    """Makes the boxes of one level."""

    def __init__(self, analysis: Analysis, prefix: str):
        self.analysis = analysis
        self.registry = analysis.registry
        self.prefix = prefix

    def box(self, entry: BlockEntry, ins: list[str], outs: list[str]) -> Box:
        instance = self.analysis.instance(self.prefix + entry.name)
        inner = entry.subsystem.diagram if entry.subsystem else None
        if instance is not None:
            generic = self.registry.get(instance.declaration.id) or instance.type
            declared = generic.declaration.inputs
            inputs = [_port(p, _label(instance, declared, p)) for p in instance.inputs.values()]
            outputs = [_port(p, p.name) for p in instance.outputs.values()]
        elif inner is not None:
            inputs = [BoxPort(n, n, f"{entry.name}.{n}") for n in inner.inputs]
            for key, (condition, _) in entry.conditions.items():
                inputs.append(BoxPort(key, key, f"{entry.name}.{key}: {condition.text}"))
            outputs = [self._outer(entry.name, n) for n in inner.outputs]
        else:
            inputs, outputs = self._declared(entry)
        inputs += [BoxPort(n, n, f"{entry.name}.{n}") for n in _missing(ins, inputs)]
        outputs += [BoxPort(n, n, f"{entry.name}.{n}") for n in _missing(outs, outputs)]
        kind: Kind = "subsystem" if entry.subsystem else "block"
        symbol = self._symbol(entry, instance)
        many_in, many_out = len(inputs) > 1, len(outputs) > 1
        if not many_in and inputs:
            inputs = [BoxPort(inputs[0].name, "", inputs[0].title)]
        if not many_out and outputs:
            outputs = [BoxPort(outputs[0].name, "", outputs[0].title)]
        left = max((text_width(p.label, PORT_SIZE) for p in inputs), default=0.0)
        right = max((text_width(p.label, PORT_SIZE) for p in outputs), default=0.0)
        wanted = symbol_width(symbol) + 2 * max(left, right) + 2 * GRID
        rows = max(len(inputs), len(outputs), 3 if kind == "subsystem" else 2)
        return Box(
            entry.name,
            entry.name,
            symbol,
            kind,
            _title(entry, instance),
            tuple(inputs),
            tuple(outputs),
            max(math.ceil(wanted / PITCH) * PITCH, 6 * GRID if kind == "block" else 8 * GRID),
            rows * PITCH,
            entry.disabled,
        )

    def _declared(self, entry: BlockEntry) -> tuple[list[BoxPort], list[BoxPort]]:
        """The ports of a block whose parameters have mistakes, as far as its type declares them."""
        block = self.registry.get(entry.type.text) if entry.type else None
        if block is None:
            return [], []
        inputs = [n for n, item in block.declaration.inputs.items() if item.many is None]
        sides = (inputs, block.declaration.outputs)
        ins, outs = ([BoxPort(n, n, f"{entry.name}.{n}") for n in names] for names in sides)
        return ins, outs

    def _outer(self, block: str, name: str) -> BoxPort:
        port = self.analysis.output(self.prefix + block, name)
        return BoxPort(name, name, f"{block}.{name}" + (kind_text(port) if port else ""))

    def _symbol(self, entry: BlockEntry, instance: Instance | None) -> str:
        """The symbol of the type; a small letter is replaced by the value of the only parameter."""
        if entry.each is not None:
            return f"\u00d7 {entry.each.count.text}"
        if entry.subsystem is not None:
            return ""
        kind = entry.type.text if entry.type else "?"
        block = self.registry.get(kind)
        if block is None or not block.symbol:
            return shortened(kind.rpartition(".")[2], LONGEST_TYPE)
        symbol, params = block.symbol, list(block.declaration.params)
        if len(symbol) == 1 and symbol.islower() and len(params) == 1:
            given = entry.values.get(params[0])
            if given is not None:
                text = given.node.text if isinstance(given.node, Scalar) else ""
            else:
                value = instance.values.get(params[0]) if instance else None
                text = f"{value:g}" if isinstance(value, int | float) else ""
            return text if 0 < len(text) <= LONGEST_VALUE else symbol
        return symbol


def _port(port: Port, label: str) -> BoxPort:
    return BoxPort(port.name, label, f"{port.path}: {port.item.doc}{kind_text(port)}")


def kind_text(port: Port) -> str:
    """` (rad/s, 4 elements)`."""
    facts = [] if port.unit is None else [str(port.unit)]
    if port.shape:
        facts.append(" x ".join(map(str, port.shape)) + " elements")
    if port.item.type in (int, bool):
        facts.append(port.item.type.__name__)
    return f" ({', '.join(facts)})" if facts else ""


def _label(instance: Instance, declared: Mapping[str, In], port: Port) -> str:
    """The name, or the sign where a text gives one character to each of many ports."""
    item = declared.get(port.name.rstrip("0123456789"))
    text = instance.values.get(item.many) if item is not None and item.many else None
    if isinstance(text, str) and len(text) == len(instance.inputs):
        sign = text[list(instance.inputs).index(port.name)]
        return _SIGNS.get(sign, sign)
    return port.name


def _missing(named: list[str], ports: list[BoxPort]) -> list[str]:
    """Ports that only wires know of."""
    known = {port.name for port in ports}
    return [n for n in dict.fromkeys(named) if n not in known and (n or not known)]


def _title(entry: BlockEntry, instance: Instance | None) -> str:
    lines = [entry.name]
    if entry.type is not None:
        lines[0] += f": {entry.type.text}"
        if instance is not None:
            lines.append(instance.declaration.summary)
    elif entry.subsystem is not None:
        path = entry.subsystem.path
        lines[0] += f": subsystem {path.text}" if path else ": subsystem"
        inner = entry.subsystem.diagram
        if inner is not None and inner.title is not None:
            lines.append(inner.title.text)
    for name, given in entry.values.items():
        if isinstance(given.node, Scalar):
            lines.append(f"{name} = {given.node.text}")
    if entry.triggering is not None and isinstance(entry.triggering.node, Scalar):
        lines.append(f"trigger: {entry.triggering.node.text}")
    if entry.enabling is not None:
        written = [(k, node) for k, node in entry.enabling.nodes if isinstance(node, Scalar)]
        lines += [f"{key}: {node.text}" for key, node in written]
    if entry.each is not None:
        lines.append(f"each: {entry.each.count.text} copies")
    if entry.comment is not None:
        lines.append(entry.comment.text)
    if entry.disabled:
        lines.append("disabled")
    return "\n".join(lines)
