"""Wires: from endpoints as written to ports, and from ports to the elements that drive them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..diagram.copies import ShareError, Shares, part_of
from ..diagram.endpoints import Endpoint
from ..diagram.flatten import FlatWire
from ..errors import Position, Problem, suggestion
from ..model.model import Instance, Part, Port, count

Index = tuple[int | slice, ...]


@dataclass(frozen=True)
class Link:
    """A wire between two ports that exist."""

    source: Port
    source_index: Index | None
    target: Port
    target_index: Index | None
    position: Position | None
    taken: Shares = ()
    put: Shares = ()

    @property
    def is_whole(self) -> bool:
        """Whether it takes all of its source to all of its target."""
        parts = (self.source_index, self.target_index, self.taken or None, self.put or None)
        return all(part is None for part in parts)

    def sources(self) -> np.ndarray:
        """Flat positions in the source; raises IndexError or ShareError."""
        return part_of(selected(self.source.shape or (), self.source_index), self.taken)

    def targets(self) -> np.ndarray:
        """Flat positions in the target; raises IndexError or ShareError."""
        return part_of(selected(self.target.shape or (), self.target_index), self.put)


def connect(
    wires: Iterable[FlatWire],
    blocks: dict[str, Instance],
    known: Iterable[str],
    problems: list[Problem],
) -> tuple[list[Link], set[str]]:
    """Finds the ports of all wires; `known` names blocks whose own problems are listed already.

    Also returns the blocks with a wire that cannot be used, so that their inputs are not called
    unconnected too.
    """
    known = set(known)
    links, spoilt = [], set()
    for wire in wires:
        source = find_port(wire.source, blocks, known, "output", problems)
        target = find_port(wire.target, blocks, known, "input", problems)
        if source is not None and target is not None:
            link = Link(
                source,
                wire.source.index,
                target,
                wire.target.index,
                wire.target.position,
                wire.taken,
                wire.put,
            )
            if _types_agree(link, problems):
                links.append(link)
                continue
        spoilt.add(wire.target.block)
    return links, spoilt


def find_port(
    end: Endpoint,
    blocks: dict[str, Instance],
    known: set[str],
    direction: str,
    problems: list[Problem],
) -> Port | None:
    """The port that an endpoint names; None, with a problem, if there is no such port."""
    instance = blocks.get(end.block)
    if instance is None:
        if end.block not in known:
            near = suggestion(end.block, blocks)
            problems.append(Problem(end.position, f"'{end.block}' is not a block{near}"))
        return None
    ports = instance.outputs if direction == "output" else instance.inputs
    other = instance.inputs if direction == "output" else instance.outputs
    kind = f"{instance.name} ({instance.declaration.id})"
    if end.port is None:
        meant = [port for port in ports.values() if len(ports) == 1 or port.default is None]
        if len(meant) == 1:
            return meant[0]
        names = ", ".join(ports) or "none"
        problems.append(
            Problem(end.position, f"{kind} has {len(ports)} {direction}s ({names}); name the port")
        )
        return None
    port = ports.get(end.port)
    if port is not None:
        return port
    path = f"{end.block}.{end.port}"
    if end.port in other:
        role, way = ("input", "after") if direction == "output" else ("output", "before")
        message = f"'{path}' is an {role} of {kind}; write it {way} the arrow"
    else:
        near = suggestion(path, [p.path for p in ports.values()])
        near = near or f"; its {direction}s: {', '.join(ports) or 'none'}"
        message = f"'{path}' is not a port of {kind}{near}"
    problems.append(Problem(end.position, message))
    return None


def _types_agree(link: Link, problems: list[Problem]) -> bool:
    source, target = link.source.item.type, link.target.item.type
    if target is object or source is target:
        return True
    problems.append(
        Problem(
            link.position,
            f"{link.source.path} is {_article(source)} but {link.target.path} takes "
            f"{_article(target)}; put routing.{_CONVERTERS[source, target]} in between",
        )
    )
    return False


def _article(kind: type) -> str:
    return {float: "a float", int: "an int", bool: "a bool"}.get(kind, f"of type {kind.__name__}")


_CONVERTERS = {
    (float, bool): "float_to_bool",
    (bool, float): "bool_to_float",
    (int, float): "int_to_float",
    (float, int): "float_to_int",
    (bool, int): "bool_to_float and routing.float_to_int",
    (int, bool): "int_to_float and routing.float_to_bool",
}


def selected(shape: tuple[int, ...], index: Index | None) -> np.ndarray:
    """Flat positions that an index picks; raises IndexError where there are none."""
    positions = np.arange(count(shape)).reshape(shape)
    if index is None:
        return positions
    if not shape and len(index) == 1:
        positions = positions.reshape(1)
    return np.asarray(positions[index])


def drivers(
    blocks: dict[str, Instance], links: list[Link], spoilt: set[str], problems: list[Problem]
) -> dict[tuple[str, str], tuple[Part, ...]]:
    """The elements that drive each input port, each exactly once."""
    by_target: dict[tuple[str, str], list[Link]] = {}
    for link in links:
        by_target.setdefault((link.target.block, link.target.name), []).append(link)
    by_input: dict[tuple[str, str], tuple[Part, ...]] = {}
    for instance in blocks.values():
        for name, port in instance.inputs.items():
            mine = by_target.get((instance.name, name), [])
            if not mine:
                if port.default is None and instance.name not in spoilt:
                    problems.append(_unconnected(instance, port))
                continue
            if len(mine) == 1 and mine[0].is_whole:
                source = mine[0].source
                if source.size == port.size:
                    by_input[instance.name, name] = (Part(0, source, 0, port.size),)
                else:
                    problems.append(_misfit(mine[0]))
                continue
            parts = _elements(port, mine, instance.name in spoilt, problems)
            if parts is not None:
                by_input[instance.name, name] = parts
    return by_input


def _unconnected(instance: Instance, port: Port) -> Problem:
    kind = instance.declaration.id
    return Problem(
        instance.position,
        f"input {port.path} of {kind} is not connected; add a wire `... -> {port.path}`",
    )


def _misfit(link: Link) -> Problem:
    return Problem(
        link.position,
        f"{link.source.path} has {_elements_text(link.source)} but {link.target.path} takes "
        f"{_elements_text(link.target)}; pick elements with [i] or [i:j]",
    )


def _elements_text(port: Port) -> str:
    shape = port.shape or ()
    if not shape:
        return "one element"
    return f"{' x '.join(map(str, shape))} elements"


def _elements(
    port: Port, links: list[Link], spoilt: bool, problems: list[Problem]
) -> tuple[Part, ...] | None:
    """What drives each element; None, with a problem, unless all elements are driven once.

    `spoilt`: a wire to this block has a problem already, so that missing elements add none.
    """
    size = port.size
    driver: list[tuple[Port, int] | None] = [None] * size
    for link in links:
        try:
            sources, targets = link.sources().ravel(), link.targets().ravel()
        except ShareError as error:
            end = link.source if link.taken else port
            problems.append(
                Problem(
                    link.position,
                    f"{end.path} has {error}; expected an element, or a row, for each copy (or "
                    "`shared` in `each`, where all copies take the whole)",
                )
            )
            return None
        except IndexError:
            problems.append(
                Problem(
                    link.position,
                    f"an index of the wire {link.source.path} -> {port.path} is out of range: "
                    f"{link.source.path} has {_elements_text(link.source)}, {port.path} "
                    f"{_elements_text(port)}; indices start at 0",
                )
            )
            return None
        if len(sources) != len(targets):
            if link.is_whole:
                problems.append(_misfit(link))
            else:
                problems.append(
                    Problem(
                        link.position,
                        f"the wire {link.source.path} -> {port.path} takes {len(sources)} elements "
                        f"to {len(targets)}; make them equal",
                    )
                )
            return None
        for source, target in zip(sources, targets, strict=True):
            held = driver[target]
            if held is not None:
                element = f"[{target}]" if size > 1 else ""
                problems.append(
                    Problem(
                        link.position,
                        f"input {port.path}{element} is driven twice, by {held[0].path} and "
                        f"{link.source.path}; remove one wire, or add them with math.sum",
                    )
                )
                return None
            driver[target] = (link.source, int(source))
    missing = [i for i, held in enumerate(driver) if held is None]
    if missing and spoilt:
        return None
    if missing:
        problems.append(
            Problem(
                links[0].position,
                f"input {port.path} has {size} elements, but {missing} are not driven; "
                "wire them too",
            )
        )
        return None
    return parts_of_elements([held for held in driver if held is not None])


def parts_of_elements(driver: list[tuple[Port, int]]) -> tuple[Part, ...]:
    """The elements that drive an input, neighbours together."""
    parts: list[Part] = []
    for i, (port, element) in enumerate(driver):
        if parts:
            last = parts[-1]
            if last.source is port and element == last.first + last.count:
                parts[-1] = Part(last.start, port, last.first, last.count + 1)
                continue
        parts.append(Part(i, port, element, 1))
    return tuple(parts)
