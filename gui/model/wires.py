"""Wires of one level: connect, disconnect, put a block in between.

A line of the file whose wires stay the same is kept as it is. The ports of a subsystem are boxes
`<e` and `>u`, so that a wire to them is a wire like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from railblocks.engine.diagram.diagram import Diagram, PortEntry, WireLine
from railblocks.engine.diagram.endpoints import Endpoint
from railblocks.engine.drawing.reading import terminal_of
from railblocks.engine.drawing.scene import Scene, Terminal
from railblocks.engine.text.nodes import Sequence

from .nodes import new_position, word

EndpointPair = tuple[Endpoint, Endpoint]
TerminalPair = tuple[Terminal, Terminal]
Change = Callable[[EndpointPair], Iterable[EndpointPair]]


def terminals(scene: Scene, pair: EndpointPair) -> TerminalPair:
    """The ports that a wire joins."""
    source, target = pair
    outputs = scene.boxes[source.block].outputs if source.block in scene.boxes else ()
    inputs = scene.boxes[target.block].inputs if target.block in scene.boxes else ()
    return terminal_of(source, outputs), terminal_of(target, inputs)


def end_of(scene: Scene, terminal: Terminal, way: str) -> Endpoint:
    """A port as it is written: without its name where there is only one."""
    block, port = terminal
    box = scene.boxes[block]
    ports = box.outputs if way == "out" else box.inputs
    alone = len(ports) == 1 and box.kind != "subsystem"
    return Endpoint(block, "" if block[0] in "<>" else None if alone else port)


def connected(diagram: Diagram, pairs: Iterable[EndpointPair]) -> Diagram:
    """The diagram with more wires; branches join the line of their source."""
    for source, target in pairs:
        if source.block.startswith("<"):
            ends = [*diagram.inputs[source.block[1:]].ends, target]
            diagram = _with_input(diagram, source.block[1:], ends)
        elif target.block.startswith(">"):
            diagram = _with_output(diagram, target.block[1:], source)
        else:
            diagram = replace(diagram, wires=_with_pair(diagram.wires, source, target))
    return diagram


def disconnected(diagram: Diagram, scene: Scene, links: Iterable[TerminalPair]) -> Diagram:
    gone = set(links)
    return rewired(diagram, lambda pair: () if terminals(scene, pair) in gone else (pair,))


def inserted(diagram: Diagram, scene: Scene, link: TerminalPair, block: EndpointPair) -> Diagram:
    """The diagram with a block, by its input and output, in the middle of a wire."""
    into, out = block

    def change(pair: EndpointPair) -> Iterable[EndpointPair]:
        if terminals(scene, pair) != link:
            return (pair,)
        return ((pair[0], into), (out, pair[1]))

    return rewired(diagram, change)


def rewired(diagram: Diagram, change: Change) -> Diagram:
    """The diagram with each wire replaced by what `change` makes of it."""
    others: list[EndpointPair] = []
    inputs, outputs = dict(diagram.inputs), dict(diagram.outputs)
    for name, port in diagram.inputs.items():
        marker = Endpoint(f"<{name}", "")
        pairs = [(marker, end) for end in port.ends]
        new = [pair for old in pairs for pair in change(old)]
        if new != pairs:
            ends = [target for source, target in new if source.block == marker.block]
            inputs[name] = PortEntry(name, _ends_node(ends), port.position)
            others += [pair for pair in new if pair[0].block != marker.block]
    lines: list[WireLine] = []
    for line in diagram.wires:
        new = [pair for old in line.wires for pair in change(old)]
        if new == list(line.wires):
            lines.append(line)
        else:
            plain = [p for p in new if p[0].block[:1] != "<" and p[1].block[:1] != ">"]
            others += [pair for pair in new if pair not in plain]
            lines.extend(WireLine(word(text)) for text in _line_texts(plain))
    for name, port in diagram.outputs.items():
        marker = Endpoint(f">{name}", "")
        pairs = [(end, marker) for end in port.ends]
        new = [pair for old in pairs for pair in change(old)]
        if new != pairs:
            ends = [source for source, target in new if target.block == marker.block]
            outputs[name] = PortEntry(name, _output_node(ends), port.position)
            others += [pair for pair in new if pair[1].block != marker.block]
    changed = replace(diagram, inputs=inputs, outputs=outputs, wires=tuple(lines))
    return connected(changed, others)


def _with_pair(lines: tuple[WireLine, ...], source: Endpoint, target: Endpoint) -> tuple:
    """A target more for the line of a source, or a line more."""
    for index, line in enumerate(lines):
        sources = {start for start, _ in line.wires}
        if sources == {source}:
            longer = WireLine(word(f"{line.node.text.rstrip()}, {target}"))
            return (*lines[:index], longer, *lines[index + 1 :])
    return (*lines, WireLine(word(f"{source} -> {target}")))


def _line_texts(pairs: list[EndpointPair]) -> list[str]:
    """Wires as lines: chains where one goes on, fans where several start together."""
    texts: list[str] = []
    last: EndpointPair | None = None
    fanned = False
    for source, target in pairs:
        follows = last is not None and source == Endpoint(last[1].block) and not fanned
        if last is not None and source == last[0]:
            texts[-1] += f", {target}"
            fanned = True
        elif follows:
            texts[-1] += f" -> {target}"
        else:
            texts.append(f"{source} -> {target}")
            fanned = False
        last = (source, target)
    return texts


def _with_input(diagram: Diagram, name: str, ends: list[Endpoint]) -> Diagram:
    port = PortEntry(name, _ends_node(ends), diagram.inputs[name].position)
    return replace(diagram, inputs=diagram.inputs | {name: port})


def _with_output(diagram: Diagram, name: str, end: Endpoint) -> Diagram:
    port = PortEntry(name, _output_node([end]), diagram.outputs[name].position)
    return replace(diagram, outputs=diagram.outputs | {name: port})


def _ends_node(ends: list[Endpoint]):
    if len(ends) == 1:
        return word(str(ends[0]))
    return Sequence(tuple(word(str(end)) for end in ends), new_position())


def _output_node(ends: list[Endpoint]):
    return word(str(ends[0])) if ends else Sequence((), new_position())
