"""Shapes of all ports, inferred along the wires.

What is known (parameters, fixed declarations) spreads through the wires until nothing changes.
A block declared for EACH element takes the largest shape of its inputs and values; where a feedback
loop leaves that open, what is known so far decides, and a number if nothing is known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping as Map

import numpy as np

from ..declaration import EACH
from ..diagram.copies import ShareError
from ..diagram.flatten import FlatBlock
from ..errors import Position, Problem
from ..model.dimensions import bind, dimension
from ..model.model import Instance, Port, Shape, count
from ..model.sizes import LARGEST_SIGNAL
from .wiring import Link


def infer_shapes(blocks: dict[str, Instance], links: list[Link], problems: list[Problem]) -> None:
    """Fills in the shape of every port and of every EACH block."""
    into: dict[str, list[Link]] = {}
    out_of: dict[str, list[Link]] = {}
    for link in links:
        into.setdefault(link.target.block, []).append(link)
        out_of.setdefault(link.source.block, []).append(link)
    reported: set[str] = set()

    def report(link: Link, message: str) -> None:
        report_at(link.target, link.position, message)

    def report_at(port: Port, position: Position | None, message: str) -> None:
        if port.path not in reported:
            reported.add(port.path)
            problems.append(Problem(position, message))

    queue = deque(blocks.values())
    waiting = set(blocks)

    def settle(instance: Instance, guess: int) -> None:
        before = [p.shape for p in instance.outputs.values()]
        links = into.get(instance.name, [])
        _settle(instance, links, guess, report)
        _refuse_large(instance, links, report_at)
        if [p.shape for p in instance.outputs.values()] != before:
            for link in out_of.get(instance.name, []):
                if link.target.block not in waiting:
                    waiting.add(link.target.block)
                    queue.append(blocks[link.target.block])

    def spread() -> None:
        while queue:
            instance = queue.popleft()
            waiting.discard(instance.name)
            settle(instance, guess=0)

    spread()
    for guess in (1, 2):
        for instance in blocks.values():
            if _is_open(instance):
                settle(instance, guess)
                spread()


def refuse_misfits(
    blocks: Map[str, Instance], written: Map[str, FlatBlock], problems: list[Problem]
) -> None:
    """Values of EACH blocks that are neither a number nor as many as there are elements."""
    for instance in blocks.values():
        declaration, shape = instance.declaration, instance.shape or ()
        for name, item in (*declaration.params.items(), *declaration.derived.items()):
            own: Shape = np.shape(instance.values[name]) if item.shape == EACH else ()
            if own in ((), shape):
                continue
            given = written[instance.name].values.get(name)
            problems.append(
                Problem(
                    given.position if given else instance.position,
                    f"{instance.name}.{name} has {_by(own)} elements but {instance.name} works on "
                    f"{_by(shape)}; give one number, or one for each element",
                )
            )
            break


def _by(shape: Shape) -> str:
    return " x ".join(map(str, shape)) or "1"


def _is_open(instance: Instance) -> bool:
    return any(p.shape is None for p in (*instance.inputs.values(), *instance.outputs.values()))


def _refuse_large(instance: Instance, links: list[Link], report_at) -> None:
    """Refuses ports with too many elements, once a block; they count as numbers from there on."""
    ports = (*instance.inputs.values(), *instance.outputs.values())
    large = [p for p in ports if p.shape and count(p.shape) > LARGEST_SIGNAL]
    for port in large:
        if port is large[0]:
            link = next((k for k in links if k.target is port), None)
            by = " x ".join(map(str, port.shape or ()))
            message = f"{port.path} would have {by} elements; expected at most {LARGEST_SIGNAL}"
            report_at(port, link.position if link else instance.position, message)
        port.shape = ()
        instance.shape = () if port.item.shape == EACH else instance.shape


def _settle(instance: Instance, links: list[Link], guess: int, report) -> None:
    """Uses what is known about the drivers."""
    arriving: dict[str, Shape | None] = {}
    element_wise: dict[str, list[Link]] = {}
    for link in links:
        if link.target_index is not None or link.put:
            element_wise.setdefault(link.target.name, []).append(link)
        else:
            arriving[link.target.name] = _arriving(link, report)
    for name, port in instance.inputs.items():
        if port.item.shape == EACH:
            if name in element_wise:
                port.shape = port.shape or _put_together(element_wise[name], guess, report)
            elif name in arriving:
                port.shape = arriving[name]
            elif port.default is not None or guess:
                port.shape = ()
        elif port.item.shape != ():
            shape = arriving.get(name)
            if shape is None and name in element_wise:
                shape = _put_together(element_wise[name], guess, report)
            known = _declared(port, instance)
            if known is None and shape is not None:
                fitted = shape if len(shape) == len(port.item.dims) else (count(shape),)
                bind(port.item.dims, fitted, instance.sizes)
            port.shape = _declared(port, instance)
            if port.shape is None and guess == 2:
                port.shape = (1,)
        else:
            port.shape = ()
    _settle_each(instance, links, guess, report)
    for port in instance.outputs.values():
        port.shape = instance.shape if port.item.shape == EACH else _declared(port, instance)
        if port.shape is None and guess == 2:
            port.shape = ()


def _settle_each(instance: Instance, links: list[Link], guess: int, report) -> None:
    """The common shape of all that is declared for each element."""
    if instance.shape:
        return
    ports = [p for p in instance.inputs.values() if p.item.shape == EACH]
    shapes = [p.shape for p in ports if p.shape is not None]
    declaration = instance.declaration
    for name, item in (*declaration.params.items(), *declaration.derived.items()):
        if item.shape == EACH and instance.values.get(name) is not None:
            shapes.append(np.shape(instance.values[name]))
    wide = [s for s in shapes if s]
    if wide:
        instance.shape = max(wide, key=count)
    elif (len(shapes) >= len(ports) and all(p.shape is not None for p in ports)) or guess:
        instance.shape = ()
    if instance.shape is None:
        return
    for port in ports:
        if port.shape and port.shape != instance.shape:
            link = next((k for k in links if k.target is port), None)
            if link is not None:
                report(
                    link,
                    f"{port.path} has {count(port.shape)} elements but {instance.name} works on "
                    f"{count(instance.shape)}; make them equal or pick elements with [i]",
                )


def _declared(port: Port, instance: Instance) -> Shape | None:
    dims = [dimension(dim, instance.sizes) for dim in port.item.dims]
    return None if None in dims else tuple(d for d in dims if d is not None)


def _arriving(link: Link, report) -> Shape | None:
    shape = link.source.shape
    if shape is None or (link.source_index is None and not link.taken):
        return shape
    try:
        return link.sources().shape
    except ShareError:
        return ()  # told where the elements are wired
    except IndexError:
        report(
            link,
            f"{link.source.path} has {' x '.join(map(str, shape)) or '1'} elements; "
            "the wire's index is out of range (indices start at 0)",
        )
        return ()


def _put_together(links: list[Link], guess: int, report) -> Shape | None:
    """The shape of an input that several wires fill; None as long as copies leave it open."""
    first = links[0]
    if not first.put or first.target_index is not None:
        return _length_by_index(links)
    shape = _arriving(first, report)
    if shape is None and not guess:
        return None
    return (*(count for _, count in first.put), *(shape or ()))


def _length_by_index(links: list[Link]) -> Shape:
    """A vector long enough for the highest index that is wired."""
    highest = 0
    for link in links:
        for part in (link.target_index or (0,))[:1]:
            top = part if isinstance(part, int) else (part.stop or 1) - 1
            highest = max(highest, top)
    return (highest + 1,)
